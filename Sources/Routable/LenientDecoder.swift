// A decoder for services with inconsistent types, with the rules of Unbox (statement M4): numbers and booleans from strings,
// strings from numbers, dotted key paths.  An array is decoded completely or not at all.

internal import Foundation
internal import RoutableCore
internal import RoutableDocuments

/// The options for decoding responses.
public enum Decoding: Sendable {
    /// Decodes by the rules of JSONDecoder.
    case strict
    /// Decodes "42" as a number, 42 as a string, "yes" as a boolean, and a key "a.b" as b in a.
    case lenient

    func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        switch self {
        case .strict: return try data.withUnsafeBytes { try Answers.read(type, $0, Answers.decoder()) }
        case .lenient:
            return try LenientDecoder(try ValueDocument.read(Bytes([UInt8](data)))).decode(type)
        }
    }
}

struct LenientDecoder: Decoder {
    let value: RoutableCore.Value
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ value: RoutableCore.Value, _ codingPath: [any CodingKey] = []) {
        self.value = value
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(LenientMembers<Key>(members, codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch([Any].self) }
        return LenientElements(elements, codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func mismatch(_ type: Any.Type) -> DecodingError {
        DecodingError.typeMismatch(
            type, .init(codingPath: codingPath, debugDescription: "\(type) is expected, not \(value.kindName.string)"))
    }
}

extension LenientDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch value {
        case .boolean(let truth): return truth
        case .integer(let number): return number != 0
        case .real(let number): return number != 0
        case .text(let text):
            switch text.lowercased {
            case "true", "t", "y", "yes": return true
            case "false", "f", "n", "no": return false
            default: throw mismatch(type)
            }
        default: throw mismatch(type)
        }
    }

    func decode(_ type: String.Type) throws -> String {
        switch value {
        case .text, .integer, .real, .number: return value.scalarText?.string ?? ""
        default: throw mismatch(type)
        }
    }

    func decode(_ type: Double.Type) throws -> Double {
        switch value {
        case .integer(let number): return Double(number)
        case .real(let number): return number
        case .number(let text), .text(let text):
            guard let number = Double(text.string) else { throw mismatch(type) }
            return number
        default: throw mismatch(type)
        }
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let number: Number?
        switch value {
        case .integer(let value): number = Number(exactly: value)
        case .real(let value): number = Number(exactly: value)
        case .number(let text), .text(let text): number = Number(text.string)
        default: number = nil
        }
        guard let number else { throw mismatch(type) }
        return number
    }

    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func decode<Model: Decodable>(_ type: Model.Type) throws -> Model {
        // Types that JSONDecoder decodes in a special way.
        if type == Date.self || type == URL.self || type == Data.self || type == Decimal.self {
            let json = try ValueDocument.write(value)
            return try json.storage.withUnsafeBytes { try Answers.read(type, $0, Answers.decoder()) }
        }
        return try Model(from: self)
    }
}

/// The members of one object.
private struct LenientMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [RoutableCore.Value.Member]
    let codingPath: [any CodingKey]

    init(_ members: [RoutableCore.Value.Member], _ codingPath: [any CodingKey]) {
        self.members = members
        self.codingPath = codingPath
    }

    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name.string) } }

    /// The last of several equal keys; a key with dots that does not exist is a path.
    private func find(_ name: Bytes) -> RoutableCore.Value? {
        if let member = members.last(where: { $0.name == name }) { return member.value }
        let steps = name.split(on: UInt8(ascii: "."))
        if steps.count < 2 { return nil }
        var value = RoutableCore.Value.object(members)
        for step in steps {
            guard case .object(let inner) = value, let next = inner.last(where: { $0.name == step }) else { return nil }
            value = next.value
        }
        return value
    }

    private func decoder(_ key: Key) throws -> LenientDecoder {
        guard let value = find(Bytes(key.stringValue)) else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: codingPath, debugDescription: "there is no \"\(key.stringValue)\""))
        }
        return LenientDecoder(value, codingPath + [key])
    }

    func contains(_ key: Key) -> Bool { find(Bytes(key.stringValue)) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }
    func decode<Model: Decodable>(_ type: Model.Type, forKey key: Key) throws -> Model { try decoder(key).decode(type) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
        -> KeyedDecodingContainer<Nested>
    {
        try decoder(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { LenientDecoder(find("super") ?? .null, codingPath) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

/// The elements of one array.
private struct LenientElements: UnkeyedDecodingContainer {
    let elements: [RoutableCore.Value]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(_ elements: [RoutableCore.Value], _ codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    private struct Index: CodingKey {
        let intValue: Int?
        var stringValue: String { String(intValue ?? 0) }
        init(_ index: Int) { intValue = index }
        init?(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { nil }
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private func peek() throws -> LenientDecoder {
        let path = codingPath + [Index(currentIndex)]
        if isAtEnd {
            throw DecodingError.valueNotFound(
                Any.self, .init(codingPath: path, debugDescription: "the array has no further elements"))
        }
        return LenientDecoder(elements[currentIndex], path)
    }

    private mutating func next<Result>(_ read: (LenientDecoder) throws -> Result) throws -> Result {
        let result = try read(try peek())
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        let isNull = try peek().decodeNil()
        if isNull { currentIndex += 1 }
        return isNull
    }

    mutating func decode<Model: Decodable>(_ type: Model.Type) throws -> Model { try next { try $0.decode(type) } }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try next { try $0.container(keyedBy: type) }
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }
    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}
