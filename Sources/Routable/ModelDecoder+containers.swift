// The members and the elements that a `ModelDecoder` decodes.

internal import Foundation
internal import RoutableCore
internal import RoutableJSON

/// The members of one object.
struct DecodedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let view: JSONView
    let level: DecodingLevel
    /// The members by their converted names; nil without a strategy for keys.
    let renamed: [String: JSONView]?

    init(_ view: JSONView, _ level: DecodingLevel, _ renamed: [String: JSONView]?) {
        self.view = view
        self.level = level
        self.renamed = renamed
    }

    var codingPath: [any CodingKey] { level.path }

    var allKeys: [Key] {
        if let renamed { return renamed.keys.compactMap { Key(stringValue: $0) } }
        var keys: [Key] = []
        var members = view.members
        while let (name, _) = members.next() {
            if let key = Key(stringValue: String(decoding: name, as: UTF8.self)) { keys.append(key) }
        }
        return keys
    }

    /// Members are usually decoded in their order: the search begins after the member that was found last.
    private func find(_ key: Key) -> JSONView? {
        var name = key.stringValue
        if let renamed { return renamed[name] }
        return name.withUTF8 { view.member(UnsafeRawBufferPointer($0), near: &level.place) }
    }

    private func decoder(_ key: Key) throws -> ValueDecoder {
        guard let value = find(key) else {
            throw DecodingError.keyNotFound(
                key,
                .init(codingPath: level.path, debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\").")
            )
        }
        return ValueDecoder(value, DecodingLevel(level, key))
    }

    /// Reads a scalar, whose place is needed only for an error.
    @inline(__always)
    private func scalar<Result>(_ key: Key, _ read: (JSONView) -> Result?, _ other: (ValueDecoder) throws -> Result) throws
        -> Result
    {
        if let value = find(key), let result = read(value) { return result }
        return try other(try decoder(key))
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try scalar(key, { $0.kind == .null }, { $0.decodeNil() }) }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try scalar(key, { $0.kind == .boolean ? $0.boolean : nil }, { try $0.decode(type) })
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try scalar(
            key, { $0.isPlainText ? String(decoding: $0.plainText, as: UTF8.self) : nil }, { try $0.decode(type) })
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try scalar(key, { $0.kind == .real ? $0.real : nil }, { try $0.decode(type) })
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(key).decode(type) }

    @inline(__always)
    private func integer<Number: FixedWidthInteger>(_ type: Number.Type, _ key: Key) throws -> Number {
        try scalar(key, { $0.kind == .integer ? Number(exactly: $0.integer) : nil }, { try $0.integer(type) })
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }
    func decode<Model: Decodable>(_ type: Model.Type, forKey key: Key) throws -> Model { try decoder(key).value(of: type) }

    /// The value of a key; nil if it is absent or null.
    @inline(__always)
    private func present(_ key: Key) -> Bool {
        guard let value = find(key) else { return false }
        return value.kind != .null
    }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        present(key) ? try decode(type, forKey: key) : nil
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        present(key) ? try decode(type, forKey: key) : nil
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        present(key) ? try decode(type, forKey: key) : nil
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        present(key) ? try decode(type, forKey: key) : nil
    }
    func decodeIfPresent<Model: Decodable>(_ type: Model.Type, forKey key: Key) throws -> Model? {
        guard let value = find(key), value.kind != .null else { return nil }
        return try ValueDecoder(value, DecodingLevel(level, key)).value(of: type)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested>
    {
        try decoder(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try decoder(key).unkeyedContainer() }

    func superDecoder() throws -> any Decoder { superDecoder(IndexKey.superKey) }
    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(key) }

    /// An absent value is null, as in JSONDecoder.
    private func superDecoder(_ key: any CodingKey) -> any Decoder {
        var name = key.stringValue
        let value = renamed.map { $0[name] } ?? name.withUTF8 { view.member(UnsafeRawBufferPointer($0), near: &level.place) }
        return ValueDecoder(value ?? .null, DecodingLevel(level, key))
    }
}

/// The elements of one array.
struct DecodedElements: UnkeyedDecodingContainer {
    private let level: DecodingLevel
    private var rest: JSONView.Elements
    private var next: JSONView?
    private let total: Int
    private(set) var currentIndex = 0

    init(_ view: JSONView, _ level: DecodingLevel) {
        self.level = level
        total = view.count
        rest = view.elements
        next = rest.next()
    }

    var codingPath: [any CodingKey] { level.path }
    var count: Int? { total }
    var isAtEnd: Bool { next == nil }

    private func element(_ type: Any.Type) throws -> ValueDecoder {
        let place = DecodingLevel(level, nil, currentIndex)
        guard let next else {
            throw DecodingError.valueNotFound(
                type, .init(codingPath: place.path, debugDescription: "Unkeyed container is at end."))
        }
        return ValueDecoder(next, place)
    }

    private mutating func advance() {
        next = rest.next()
        currentIndex += 1
    }

    mutating func decodeNil() throws -> Bool {
        let isNull = try element(Never.self).decodeNil()
        if isNull { advance() }
        return isNull
    }

    mutating func decode<Model: Decodable>(_ type: Model.Type) throws -> Model {
        let value = try element(type).value(of: type)
        advance()
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        let container = try element([String: Any].self).container(keyedBy: type)
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try element([Any].self).unkeyedContainer()
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try element((any Decoder).self)
        advance()
        return decoder
    }
}
