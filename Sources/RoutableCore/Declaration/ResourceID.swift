// Ids of members, typed by resource, so that an id of another resource does not compile.

/// A type whose values can be written into a path or a parameter.
public protocol ValueConvertible {
    /// The value for a path, a query, a header or a body.
    var routableValue: Value { get }
    /// The scalar type of its values; a string by default.
    static var routableScalar: Scalar { get }
    /// Returns the chain of resources with this value as its next id.
    func _step(_ walk: consuming ResourceChain) -> ResourceChain
}

extension ValueConvertible {
    public static var routableScalar: Scalar { Scalar() }
    @inlinable public func _step(_ walk: consuming ResourceChain) -> ResourceChain { walk.with(routableValue) }
}

extension Value: ValueConvertible {
    /// The value itself.
    public var routableValue: Value { self }
}

extension String: ValueConvertible {
    public var routableValue: Value { .text(Bytes(self)) }

    public func _step(_ walk: consuming ResourceChain) -> ResourceChain {
        if utf8.withContiguousStorageIfAvailable({ walk.addId(text: UnsafeRawBufferPointer($0)) }) == nil {
            var text = self
            text.withUTF8 { walk.addId(text: UnsafeRawBufferPointer($0)) }
        }
        return walk
    }
}

extension Bytes: ValueConvertible {
    /// The bytes as a string value.
    public var routableValue: Value { .text(self) }
}

extension Int: ValueConvertible {
    public var routableValue: Value { .integer(Int64(self)) }
    public static var routableScalar: Scalar { Scalar(.integer) }
    public func _step(_ walk: consuming ResourceChain) -> ResourceChain { Int64(self)._step(walk) }
}

extension Int64: ValueConvertible {
    public var routableValue: Value { .integer(self) }
    public static var routableScalar: Scalar { Scalar(.integer) }
    public func _step(_ walk: consuming ResourceChain) -> ResourceChain {
        walk.with(number: UInt64(bitPattern: self), .integer)
    }
}

extension Double: ValueConvertible {
    public var routableValue: Value { .real(self) }
    public static var routableScalar: Scalar { Scalar(.number) }
}

extension Bool: ValueConvertible {
    public var routableValue: Value { .boolean(self) }
    public static var routableScalar: Scalar { Scalar(.boolean) }
}

extension Array: ValueConvertible where Element: ValueConvertible {
    public var routableValue: Value { .array(map { $0.routableValue }) }
}

/// The ids of a resource except the last one, from left to right.
public protocol ResourceScope: Sendable {
    /// The ids, from left to right.
    var scopeIds: [Value] { get }
}

extension ResourceScope where Self: ValueConvertible {
    /// This value, as the only id of the scope.
    public var scopeIds: [Value] { [routableValue] }
}

extension String: ResourceScope {}
extension Bytes: ResourceScope {}
extension Int: ResourceScope {}
extension Int64: ResourceScope {}
extension Double: ResourceScope {}
extension Bool: ResourceScope {}
extension ResourceID: ResourceScope {}
extension IntegerID: ResourceScope {}

/// A string id of one resource: `typealias ID = ResourceID<User>`.  The ids of different resources have different types.
///
///     let id: User.ID = "initFabian"
///     Social.user(id)
///     Social.status(id)      // error: cannot convert value of type 'User.ID' to expected argument type 'Status.ID'
public struct ResourceID<Kind: Resource>: ValueConvertible, Hashable, Sendable {
    /// The id as it is before percent-encoding.
    public let text: String

    /// Creates an id from a string.
    public init(_ text: String) { self.text = text }

    /// The id as a value.
    public var routableValue: Value { text.routableValue }
    @inlinable public func _step(_ walk: consuming ResourceChain) -> ResourceChain { text._step(walk) }

    // Strings that look the same can have different bytes; then they are different ids.
    public static func == (left: ResourceID, right: ResourceID) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }
    public func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}

extension ResourceID: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.text = text }
}

#if !hasFeature(Embedded)
extension ResourceID: ExpressibleByStringInterpolation, CustomStringConvertible {
    public var description: String { text }
}

extension ResourceID: Codable {
    public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
#endif

/// An integer id of one resource: `typealias ID = IntegerID<Order>`.
public struct IntegerID<Kind: Resource>: ValueConvertible, Hashable, Sendable {
    /// The number of the id.
    public let number: Int64

    /// Creates an id from a number.
    public init(_ number: Int64) { self.number = number }
    /// Creates an id from a number.
    public init(_ number: Int) { self.number = Int64(number) }

    /// The id as a value.
    public var routableValue: Value { .integer(number) }
    public static var routableScalar: Scalar { Scalar(.integer) }
    @inlinable public func _step(_ walk: consuming ResourceChain) -> ResourceChain { number._step(walk) }
}

extension IntegerID: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: Int64) { self.number = number }
}

#if !hasFeature(Embedded)
extension IntegerID: CustomStringConvertible, Codable {
    public var description: String { String(number) }
    public init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int64.self) }
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
#endif
