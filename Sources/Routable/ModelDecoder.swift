// A decoder for `Codable` over the reader of the library, which is faster than `JSONDecoder` and takes its options (docs/swift.md).

public import Foundation
internal import RoutableCore
internal import RoutableJSON

/// Decodes models from JSON, with the options and the errors of `JSONDecoder`.
///
///     var decoder = ModelDecoder()
///     decoder.keyDecodingStrategy = .convertFromSnakeCase
///     let user = try decoder.decode(User.self, from: data)
///
/// The input is JSON of RFC 8259 in UTF-8.  If an object has a key several times, the last one is valid, as in the checks of bodies.
public struct ModelDecoder: Sendable {
    /// The strategy for dates, by default that of `Date`: seconds since 2001.
    public var dateDecodingStrategy = JSONDecoder.DateDecodingStrategy.deferredToDate
    /// The strategy for `Data`, by default base64.
    public var dataDecodingStrategy = JSONDecoder.DataDecodingStrategy.base64
    /// The strategy for infinity and NaN, by default an error.
    public var nonConformingFloatDecodingStrategy = JSONDecoder.NonConformingFloatDecodingStrategy.throw
    /// The strategy for the keys of objects, by default the keys as they are.
    public var keyDecodingStrategy = JSONDecoder.KeyDecodingStrategy.useDefaultKeys
    /// Values for the initializers of the models.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder with the default options.
    public init() {}

    /// Creates a decoder with the options of a `JSONDecoder`, except `allowsJSON5` and `assumesTopLevelDictionary`.
    public init(_ decoder: JSONDecoder) {
        dateDecodingStrategy = decoder.dateDecodingStrategy
        dataDecodingStrategy = decoder.dataDecodingStrategy
        nonConformingFloatDecodingStrategy = decoder.nonConformingFloatDecodingStrategy
        keyDecodingStrategy = decoder.keyDecodingStrategy
        userInfo = decoder.userInfo
    }

    /// Decodes a value.
    ///
    /// - Throws: `DecodingError`, also for text that is not JSON; the errors of the initializers of the models.
    public func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        try data.withUnsafeBytes { try decode(type, text: $0) }
    }

    func decode<Model: Decodable>(_ type: Model.Type, text: UnsafeRawBufferPointer) throws -> Model {
        let hasMark = text.count > 2 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF
        let document: JSONDocument
        do throws(Failure) {
            document = try JSONDocument.read(hasMark ? UnsafeRawBufferPointer(rebasing: text[3...]) : text)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The given data was not valid JSON.", underlyingError: error))
        }
        return try withExtendedLifetime(document) {
            try ValueDecoder(document.view, DecodingLevel(DecodingOptions(self))).value(of: type)
        }
    }
}

/// The options of one decoding.
final class DecodingOptions {
    let options: ModelDecoder
    let userInfo: [CodingUserInfoKey: Any]
    let hasKeyStrategy: Bool
    /// Whether numbers may be strings.
    let floats: (positive: String, negative: String, nan: String)?

    init(_ options: ModelDecoder) {
        self.options = options
        userInfo = options.userInfo
        if case .useDefaultKeys = options.keyDecodingStrategy { hasKeyStrategy = false } else { hasKeyStrategy = true }
        if case .convertFromString(let positive, let negative, let nan) = options.nonConformingFloatDecodingStrategy {
            floats = (positive, negative, nan)
        } else {
            floats = nil
        }
    }
}

/// The place of a value: the coding path is made from these objects only for errors and for models that read it.
final class DecodingLevel {
    let options: DecodingOptions
    let parent: DecodingLevel?
    let key: (any CodingKey)?
    let index: Int
    /// The number of the member that was found last, near which the next one is expected.
    var place = 0

    init(_ options: DecodingOptions) {
        self.options = options
        parent = nil
        key = nil
        index = 0
    }

    init(_ parent: DecodingLevel, _ key: (any CodingKey)?, _ index: Int = 0) {
        options = parent.options
        self.parent = parent
        self.key = key
        self.index = index
    }

    var path: [any CodingKey] {
        var path: [any CodingKey] = []
        var level = self
        while let parent = level.parent {
            path.append(level.key ?? IndexKey(level.index))
            level = parent
        }
        return path.reversed()
    }
}

/// The key of an element, or `super`.
struct IndexKey: CodingKey {
    let stringValue: String
    let intValue: Int?
    static var superKey: IndexKey { IndexKey(name: "super") }

    init(_ index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }
    init(name: String) {
        stringValue = name
        intValue = nil
    }
    init?(stringValue: String) { self.init(name: stringValue) }
    init?(intValue: Int) { self.init(intValue) }
}

/// One value.  Its size is that of an existential container's buffer, so that `any Decoder` allocates nothing.
struct ValueDecoder {
    let view: JSONView
    let level: DecodingLevel

    init(_ view: JSONView, _ level: DecodingLevel) {
        self.view = view
        self.level = level
    }

    /// Decodes a value of any type, also of those that `JSONDecoder` decodes in a special way.
    func value<Model: Decodable>(of type: Model.Type) throws -> Model {
        if let special = try special(type) { return special }
        return try Model(from: self)
    }

    private func special<Model>(_ type: Model.Type) throws -> Model? {
        if type == Date.self {
            if view.kind == .null { throw mismatch(type) }
            return try date() as? Model
        }
        if type == Data.self {
            if view.kind == .null { throw mismatch(type) }
            return try data() as? Model
        }
        if type == URL.self {
            if view.kind == .null { throw mismatch(type) }
            guard let url = URL(string: try decode(String.self)) else { throw corrupted("Invalid URL string.") }
            return url as? Model
        }
        if type == Foundation.Decimal.self {
            if !isNumber { throw mismatch(type) }
            guard let decimal = Foundation.Decimal(string: String(decoding: view.source, as: UTF8.self)) else {
                throw unrepresentable(type)
            }
            return decimal as? Model
        }
        // The keys of a dictionary are not converted.
        if level.options.hasKeyStrategy, let dictionary = type as? any StringDictionary.Type {
            return try dictionary.decoded(self) as? Model
        }
        return nil
    }

    var isNumber: Bool {
        switch view.kind {
        case .integer, .real, .wideNumber: true
        default: false
        }
    }

    // MARK: Errors

    /// The error for a value of another type.
    func mismatch(_ type: Any.Type) -> DecodingError {
        let path = level.path
        // JSONDecoder, too, reports null as another type only for Bool.
        if view.kind == .null && type != Bool.self {
            return .valueNotFound(
                type, .init(codingPath: path, debugDescription: "Cannot get value of type \(type) -- found null value instead"))
        }
        return .typeMismatch(
            type,
            .init(
                codingPath: path, debugDescription: "Expected to decode \(type) but found \(kindName) instead."))
    }

    /// The words of Foundation.
    private var kindName: String {
        switch view.kind {
        case .null: "null"
        case .boolean: "bool"
        case .integer, .real, .wideNumber: "number"
        case .text: "a string"
        case .array: "an array"
        case .object: "a dictionary"
        }
    }

    func corrupted(_ message: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: level.path, debugDescription: message))
    }

    private func unrepresentable(_ type: Any.Type) -> DecodingError {
        corrupted("Number \(String(decoding: view.source, as: UTF8.self)) is not representable in \(type).")
    }

    // MARK: Scalars

    func text() -> String? {
        if view.isPlainText { return String(decoding: view.plainText, as: UTF8.self) }
        return view.kind == .text ? view.content.string : nil
    }

    func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        switch view.kind {
        case .integer:
            if let number = Number(exactly: view.integer) { return number }
        case .wideNumber, .real:
            let text = String(decoding: view.source, as: UTF8.self)
            if let number = Number(text) { return number }
            // Numbers such as 1.0 and 1e2 are integers, too.
            if let number = Number(exactly: view.number), view.number.magnitude < 0x1p53 { return number }
            if let decimal = Foundation.Decimal(string: text), let number = Number(decimal.description) { return number }
        default: throw mismatch(type)
        }
        throw unrepresentable(type)
    }

    func real<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ type: Number.Type) throws -> Number {
        let number: Number?
        switch view.kind {
        case .integer:
            let value = view.integer
            number = value == 0 && view.source.first == UInt8(ascii: "-") ? -0.0 : Number(value)
        case .real, .wideNumber:
            number = type == Double.self ? Number(view.number) : Number(String(decoding: view.source, as: UTF8.self))
        case .text:
            guard let floats = level.options.floats, let text = text() else { throw mismatch(type) }
            if text == floats.positive { return .infinity }
            if text == floats.negative { return -.infinity }
            if text == floats.nan { return .nan }
            throw mismatch(type)
        default: throw mismatch(type)
        }
        if let number, number.isFinite { return number }
        throw unrepresentable(type)
    }

    // MARK: Types of Foundation

    private func date() throws -> Date {
        switch level.options.options.dateDecodingStrategy {
        case .deferredToDate: return try Date(from: self)
        case .secondsSince1970: return Date(timeIntervalSince1970: try real(Double.self))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try real(Double.self) / 1000)
        case .iso8601:
            guard let date = try? Date.ISO8601FormatStyle().parse(try decode(String.self)) else {
                if view.kind != .text { throw mismatch(String.self) }
                throw corrupted("Expected date string to be ISO8601-formatted.")
            }
            return date
        #if canImport(Darwin)  // elsewhere it is a custom strategy
        case .formatted(let formatter):
            guard let date = formatter.date(from: try decode(String.self)) else {
                throw corrupted("Date string does not match format expected by formatter.")
            }
            return date
        #endif
        case .custom(let make): return try make(self)
        @unknown default: return try Date(from: self)
        }
    }

    private func data() throws -> Data {
        switch level.options.options.dataDecodingStrategy {
        case .deferredToData: return try Data(from: self)
        case .base64:
            guard let data = Data(base64Encoded: try decode(String.self)) else {
                throw corrupted("Encountered Data is not valid Base64.")
            }
            return data
        case .custom(let make): return try make(self)
        @unknown default: return try Data(from: self)
        }
    }
}

extension ValueDecoder: Decoder {
    var codingPath: [any CodingKey] { level.path }
    var userInfo: [CodingUserInfoKey: Any] { level.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard view.kind == .object else { throw mismatch([String: Any].self) }
        if level.options.hasKeyStrategy { return KeyedDecodingContainer(DecodedMembers<Key>(view, level, renamed())) }
        return KeyedDecodingContainer(DecodedMembers<Key>(view, level, nil))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard view.kind == .array else { throw mismatch([Any].self) }
        return DecodedElements(view, level)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// The members by the names that the strategy gives them.
    private func renamed() -> [String: JSONView] {
        var result: [String: JSONView] = [:]
        var members = view.members
        while let (name, value) = members.next() {
            let key = String(decoding: name, as: UTF8.self)
            switch level.options.options.keyDecodingStrategy {
            case .convertFromSnakeCase: result[Self.camel(key)] = value
            case .custom(let convert): result[convert(level.path + [IndexKey(name: key)]).stringValue] = value
            default: result[key] = value
            }
        }
        return result
    }

    /// `one_two` as `oneTwo`; underscores at the start and at the end remain.
    static func camel(_ key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" }) else {
            return key
        }
        let words = key[first...last].split(separator: "_")
        if words.count < 2 { return key }
        return key[..<first] + words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
            + key[key.index(after: last)...]
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { view.kind == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard view.kind == .boolean else { throw mismatch(type) }
        return view.boolean
    }

    func decode(_ type: String.Type) throws -> String {
        guard let text = text() else { throw mismatch(type) }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double { try real(type) }
    func decode(_ type: Float.Type) throws -> Float { try real(type) }
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
    func decode<Model: Decodable>(_ type: Model.Type) throws -> Model { try value(of: type) }
}

/// A dictionary whose keys are strings.
private protocol StringDictionary {
    static func decoded(_ decoder: ValueDecoder) throws -> Self
}

extension Dictionary: StringDictionary where Key == String, Value: Decodable {
    fileprivate static func decoded(_ decoder: ValueDecoder) throws -> [String: Value] {
        guard decoder.view.kind == .object else { throw decoder.mismatch([String: Any].self) }
        var result: [String: Value] = [:]
        var members = decoder.view.members
        while let (name, value) = members.next() {
            let key = String(decoding: name, as: UTF8.self)
            result[key] = try ValueDecoder(value, DecodingLevel(decoder.level, IndexKey(name: key))).value(of: Value.self)
        }
        return result
    }
}
