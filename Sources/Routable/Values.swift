// The types of Swift and Foundation that can be values of a path, a query, a header or a form, and dictionaries of them.
//
//     enum Order: String, ValueConvertible { case newest, oldest }
//     Social.user.list().query("since", Date.now).query("order", Order.newest)

public import Foundation
public import RoutableCore
internal import RoutableDocuments

extension ValueConvertible where Self: RawRepresentable, RawValue: ValueConvertible {
    /// The raw value.
    public var routableValue: RoutableCore.Value { rawValue.routableValue }
    public static var routableScalar: Scalar { RawValue.routableScalar }
}

extension UUID: ValueConvertible, ResourceScope {
    /// The UUID as a string in upper case, as in JSON.
    public var routableValue: RoutableCore.Value { .text(Bytes(uuidString)) }
}

extension Date: ValueConvertible {
    /// The date as a string in ISO 8601, in UTC and whole seconds, as in JSON.
    public var routableValue: RoutableCore.Value { .text(Bytes(formatted(.iso8601))) }
}

extension URL: ValueConvertible {
    /// The URL as a string.
    public var routableValue: RoutableCore.Value { .text(Bytes(absoluteString)) }
}

extension Foundation.Decimal: ValueConvertible {
    /// The number with all its digits.
    public var routableValue: RoutableCore.Value { .number(Bytes(description)) }
    public static var routableScalar: Scalar { Double.routableScalar }
}

extension Substring: ValueConvertible {
    /// The substring as a string.
    public var routableValue: RoutableCore.Value { .text(Bytes(String(self))) }
}

extension Float: ValueConvertible {
    /// The shortest decimal number that converts back to the same `Float`.
    public var routableValue: RoutableCore.Value { .real(Double(description) ?? Double(self)) }
    public static var routableScalar: Scalar { Double.routableScalar }
}

extension Int32: ValueConvertible {
    /// The value as an integer.
    public var routableValue: RoutableCore.Value { .integer(Int64(self)) }
    public static var routableScalar: Scalar { Int.routableScalar }
}

extension UInt32: ValueConvertible {
    /// The value as an integer.
    public var routableValue: RoutableCore.Value { .integer(Int64(self)) }
    public static var routableScalar: Scalar { Int.routableScalar }
}

extension UInt64: ValueConvertible {
    /// The value as an integer.
    public var routableValue: RoutableCore.Value {
        Int64(exactly: self).map { .integer($0) } ?? .number(Bytes(description))
    }
    public static var routableScalar: Scalar { Int.routableScalar }
}

extension UInt: ValueConvertible {
    /// The value as an integer.
    public var routableValue: RoutableCore.Value { UInt64(self).routableValue }
    public static var routableScalar: Scalar { Int.routableScalar }
}

extension Optional: ValueConvertible where Wrapped: ValueConvertible {
    /// The wrapped value; null for nil.
    public var routableValue: RoutableCore.Value { self?.routableValue ?? .null }
    public static var routableScalar: Scalar { Wrapped.routableScalar }
}

extension Dictionary: ValueConvertible where Key == String, Value: ValueConvertible {
    /// An object whose members are in the order of their names.
    public var routableValue: RoutableCore.Value { .object(members) }

    fileprivate var members: [RoutableCore.Value.Member] {
        map { RoutableCore.Value.Member(name: Bytes($0.key), value: $0.value.routableValue) }.sorted {
            $0.name < $1.name
        }
    }
}

extension RoutableCore.Value {
    /// Creates a value that is encoded as in a JSON body.
    ///
    /// - Throws: `body` for a value that cannot be written as JSON.
    public init(encoding value: some Encodable) throws(Failure) { self = try JSONBody.tree(of: value) }
}

// MARK: - Parameters from Codable values and dictionaries

extension Parameters {
    /// Creates parameters from a dictionary, in the order of the names.
    public init(_ dictionary: [String: some ValueConvertible]) { self.init(dictionary.members) }

    /// Creates parameters from the members of a value, in the order of their names.  A nil member is omitted.
    ///
    /// - Throws: `body` for a value that is not an object in JSON.
    public init(encoding value: some Encodable) throws(Failure) {
        guard case .object(let members) = try JSONBody.tree(of: value) else {
            throw Failure(
                .body,
                "a value of type \(Bytes(String(describing: type(of: value)))) has no names, and cannot be written as parameters"
            )
        }
        self.init(members)
    }
}

// A literal is `Parameters`, which keep the order of the literal.

extension ResourceCollection where Kind: Creatable {
    /// POST on the collection with undeclared parameters, in the order of their names.
    @_disfavoredOverload
    public func create(parameters: [String: some ValueConvertible]) -> Endpoint<Kind.Model> {
        create(parameters: Parameters(parameters))
    }
}

extension ResourceCollection where Kind: Updatable {
    /// PUT on the member with this id, with undeclared parameters, in the order of their names.
    @_disfavoredOverload
    public func update(_ id: Kind.ID, parameters: [String: some ValueConvertible]) -> Endpoint<Kind.Model> {
        update(id, parameters: Parameters(parameters))
    }
}

extension ResourceMember where Kind: Updatable {
    /// PUT on the member with undeclared parameters, in the order of their names.
    @_disfavoredOverload
    public func update(parameters: [String: some ValueConvertible]) -> Endpoint<Kind.Model> {
        update(parameters: Parameters(parameters))
    }
}

extension Resource where Self: Creatable {
    /// POST on the collection at the root with undeclared parameters, in the order of their names.
    @_disfavoredOverload
    public static func create(parameters: [String: some ValueConvertible]) -> Endpoint<Model> {
        create(parameters: Parameters(parameters))
    }
}

extension Resource where Self: Updatable {
    /// PUT on the member with this id, at the root, with undeclared parameters, in the order of their names.
    @_disfavoredOverload
    public static func update(_ id: ID, parameters: [String: some ValueConvertible]) -> Endpoint<Model> {
        update(id, parameters: Parameters(parameters))
    }
}

extension Endpoint {
    /// A copy of the endpoint with these undeclared parameters, which replace earlier ones.
    ///
    /// The encoding of the operation determines where they are written (docs/statements.md, U1) and in which order.
    @_disfavoredOverload
    public func parameters(_ parameters: [String: some ValueConvertible]) -> Endpoint {
        self.parameters(Parameters(parameters))
    }

    /// A copy of the endpoint with a declared query parameter that is an object or an array, encoded as in a JSON body.
    ///
    /// - Throws: `body` for a value that cannot be written as JSON.
    public func query(_ name: String, encoding value: some Encodable) throws(Failure) -> Endpoint {
        query(name, try Value(encoding: value))
    }
}
