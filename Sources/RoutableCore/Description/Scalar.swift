// The scalar part of JSON Schema: the type of one value in a path, a query or a header.

internal import CSystem

/// A scalar type with its constraints.
public struct Scalar: Sendable {
    /// The JSON type of a scalar.
    public enum Kind: Sendable {
        /// A string.
        case string
        /// An integer.
        case integer
        /// A number.
        case number
        /// A boolean.
        case boolean
    }
    /// The format of a string.
    public enum Format: Sendable {
        /// A UUID.
        case uuid
        /// A date.
        case date
        /// A date with a time.
        case dateTime
    }

    /// The JSON type.
    public var kind: Kind
    /// The format of a string; nil for any string.
    public var format: Format?
    package var pattern: Pattern?
    /// The allowed values; empty for any value.
    public var values: [Bytes] = []
    /// The minimum number of characters of a string; nil for no minimum.
    public var minimumLength: Int?
    /// The maximum number of characters of a string; nil for no maximum.
    public var maximumLength: Int?
    /// The minimum of a number; nil for no minimum.
    public var minimum: Double?
    /// The maximum of a number; nil for no maximum.
    public var maximum: Double?
    /// Whether the declared lower bound of a `number` is exclusive; `minimum` is then the next number above the bound.
    public private(set) var excludesMinimum = false
    /// Whether the declared upper bound of a `number` is exclusive; `maximum` is then the next number below the bound.
    public private(set) var excludesMaximum = false
    /// The number, above 0, of which every value must be a multiple.
    public var multipleOf: Double?
    /// Whether an integer must be one of 64 bits, as with the format `int64` of OpenAPI.
    package var isWide = false
    /// Whether it has the format `password` of OpenAPI.
    package var isSecret = false

    /// Creates a type without restrictions.
    public init(_ kind: Kind = .string) { self.kind = kind }

    /// The name of the JSON type.
    public var kindName: Bytes {
        switch kind {
        case .string: "string"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        }
    }

    /// The name of the format; nil if there is none.
    public var formatName: Bytes? {
        switch format {
        case nil: nil
        case .uuid: "uuid"
        case .date: "date"
        case .dateTime: "date-time"
        }
    }

    /// Sets an exclusive lower bound; a `minimum` above the bound is kept.
    public mutating func exclude(minimum bound: Double) {
        let next = max(kind == .integer ? bound.rounded(.down) + 1 : bound, bound.nextUp)
        if let minimum, minimum > next { return }
        minimum = next
        excludesMinimum = kind != .integer
    }

    /// Sets an exclusive upper bound; a `maximum` below the bound is kept.
    public mutating func exclude(maximum bound: Double) {
        let next = min(kind == .integer ? bound.rounded(.up) - 1 : bound, bound.nextDown)
        if let maximum, maximum < next { return }
        maximum = next
        excludesMaximum = kind != .integer
    }

    /// Whether it accepts any string; then a parameter is a plain one in the order of precedence.
    public var isPlain: Bool {
        kind == .string && format == nil && pattern == nil && values.isEmpty && minimumLength == nil
            && maximumLength == nil
    }

    /// Whether it accepts any integer, so that an integer needs no check.
    package var takesEveryInteger: Bool {
        (kind == .integer || kind == .number) && format == nil && pattern == nil && values.isEmpty
            && minimumLength == nil && maximumLength == nil && minimum == nil && maximum == nil && multipleOf == nil
    }

    /// Whether it accepts an integer, if that can be decided without its digits.
    package func takes(_ number: Int64) -> Bool {
        guard kind == .integer || kind == .number, format == nil, pattern == nil, values.isEmpty, minimumLength == nil,
            maximumLength == nil, multipleOf == nil, number.magnitude < 1 << 53
        else { return false }
        let real = Double(number)
        return real >= minimum ?? -.infinity && real <= maximum ?? .infinity
    }

    /// Whether two scalars are known to accept the same values.
    public func isSame(as other: Scalar) -> Bool {
        kind == other.kind && format == other.format && pattern?.source == other.pattern?.source
            && values == other.values && minimumLength == other.minimumLength && maximumLength == other.maximumLength
            && minimum == other.minimum && maximum == other.maximum && multipleOf == other.multipleOf
            && isWide == other.isWide
    }

    /// The reason that a value is not valid; nil if it is valid.  The value must be decoded, valid UTF-8.
    package func refusal(of text: UnsafeRawBufferPointer) -> Bytes? {
        if isPlain { return nil }
        switch kind {
        case .string: break
        case .integer:
            guard ScalarText.isInteger(text) else { return "an integer is expected" }
            if isWide && Decimal.parse(text) == nil { return "an integer of 64 bits is expected" }
        case .number:
            guard ScalarText.isNumber(text) else { return "a number is expected" }
        case .boolean:
            guard ScalarText.isBoolean(text) else { return "true or false is expected" }
        }
        if minimum != nil || maximum != nil {
            let number = ScalarText.number(text)
            if let minimum, number < minimum {
                if excludesMinimum { return "more than \(RealText.bound(minimum.nextDown)) is expected" }
                return "at least \(RealText.bound(minimum)) is expected"
            }
            if let maximum, number > maximum {
                if excludesMaximum { return "less than \(RealText.bound(maximum.nextUp)) is expected" }
                return "at most \(RealText.bound(maximum)) is expected"
            }
        }
        if let multipleOf, kind == .integer || kind == .number, !ScalarText.isMultiple(text, of: multipleOf) {
            return "a multiple of \(RealText.bound(multipleOf)) is expected"
        }
        if minimumLength != nil || maximumLength != nil {
            let count = UTF8Check.characterCount(text)
            if let minimumLength, count < minimumLength {
                return "at least \(minimumLength) characters are expected"
            }
            if let maximumLength, count > maximumLength {
                return "at most \(maximumLength) characters are expected"
            }
        }
        if !values.isEmpty && !values.contains(where: { $0.storage.elementsEqual(text) }) {
            return "one of these is expected: \(values)"
        }
        switch format {
        case nil: break
        case .uuid: if !ScalarText.isUUID(text) { return "a UUID is expected" }
        case .date: if !ScalarText.isDate(text) { return "a date like 2001-02-03 is expected" }
        case .dateTime:
            if !ScalarText.isDateTime(text) { return "a date and time like 2001-02-03T04:05:06Z is expected" }
        }
        switch pattern?.matches(text) {
        case nil, .matches: return nil
        case .differs: return "a string that matches \(pattern?.source.printable ?? "") is expected"
        case .limitReached: return "the pattern \(pattern?.source.printable ?? "") exceeded its step limit for this value"
        }
    }
}

extension RealText {
    /// A bound in a message: whole numbers without `.0`.
    static func bound(_ number: Double) -> Bytes {
        if let whole = Int64(exactly: number) { return "\(Int(whole))" }
        return shortest(number) ?? "infinity"
    }
}

/// Scalars as strings.
package enum ScalarText {
    /// Whether the text is `-?(0|[1-9][0-9]*)`: an integer of JSON, of any size.
    package static func isInteger(_ text: UnsafeRawBufferPointer) -> Bool {
        let end = integerEnd(text)
        return end > 0 && end == text.count
    }

    /// Whether the text is a number of JSON (RFC 8259 section 6).
    package static func isNumber(_ text: UnsafeRawBufferPointer) -> Bool {
        var index = integerEnd(text)
        guard index > 0 else { return false }
        if index < text.count && text[index] == UInt8(ascii: ".") {
            let start = index &+ 1
            index = digitsEnd(text, from: start)
            if index == start { return false }
        }
        if index < text.count && text[index] | 0x20 == UInt8(ascii: "e") {
            index &+= 1
            if index < text.count && (text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-")) {
                index &+= 1
            }
            let start = index
            index = digitsEnd(text, from: start)
            if index == start { return false }
        }
        return index == text.count
    }

    package static func isBoolean(_ text: UnsafeRawBufferPointer) -> Bool {
        text.elementsEqual(Bytes("true").storage) || text.elementsEqual(Bytes("false").storage)
    }

    /// Whether the text is a UUID (RFC 9562 section 4): 8-4-4-4-12 hexadecimal digits.
    package static func isUUID(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count == 36 else { return false }
        for (index, byte) in text.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                if byte != UInt8(ascii: "-") { return false }
            } else if ASCII.hexValue(byte) == nil {
                return false
            }
        }
        return true
    }

    /// Whether the text is a full-date of RFC 3339.
    package static func isDate(_ text: UnsafeRawBufferPointer) -> Bool {
        text.count == 10 && datePrefix(text)
    }

    /// Whether the text is a date-time of RFC 3339; leap seconds are allowed at the times at which they can occur.
    package static func isDateTime(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= 20, datePrefix(text), text[10] | 0x20 == UInt8(ascii: "t"),
            let hour = twoDigits(text, 11), text[13] == UInt8(ascii: ":"), let minute = twoDigits(text, 14),
            text[16] == UInt8(ascii: ":"), let second = twoDigits(text, 17), hour < 24, minute < 60, second <= 60
        else { return false }
        var index = 19
        if text[index] == UInt8(ascii: ".") {
            let start = index &+ 1
            index = digitsEnd(text, from: start)
            if index == start { return false }
        }
        guard index < text.count else { return false }
        var offset = 0
        if text[index] | 0x20 == UInt8(ascii: "z") {
            if index &+ 1 != text.count { return false }
        } else {
            let isAhead = text[index] == UInt8(ascii: "+")
            guard isAhead || text[index] == UInt8(ascii: "-"), index &+ 6 == text.count,
                let offsetHour = twoDigits(text, index &+ 1), text[index &+ 3] == UInt8(ascii: ":"),
                let offsetMinute = twoDigits(text, index &+ 4), offsetHour < 24, offsetMinute < 60
            else { return false }
            offset = (offsetHour &* 60 &+ offsetMinute) &* (isAhead ? 1 : -1)
        }
        if second == 60 {
            // A leap second is 23:59:60 in UTC.
            let utc = (hour &* 60 &+ minute &- offset &+ 2880) % 1440
            return utc == 1439
        }
        return true
    }

    /// The value of a string in the number grammar of JSON, read in the C locale.
    package static func number(_ text: UnsafeRawBufferPointer) -> Double {
        guard text.count <= 400 else { return text.first == UInt8(ascii: "-") ? -.infinity : .infinity }
        var copy = [CChar](repeating: 0, count: text.count &+ 1)
        for (index, byte) in text.enumerated() { copy[index] = CChar(truncatingIfNeeded: byte) }
        return copy.withUnsafeBufferPointer { $0.baseAddress.map { csystem_parse_double($0) } ?? 0 }
    }

    /// Whether a number is a multiple of a factor above 0: exact for integers of 64 bits, otherwise with the precision of doubles.
    package static func isMultiple(_ text: UnsafeRawBufferPointer, of factor: Double) -> Bool {
        if let whole = Int64(exactly: factor), whole > 0, let number = Decimal.parse(text) { return number % whole == 0 }
        let number = number(text)
        guard number.isFinite, factor > 0 else { return false }
        let quotient = (number / factor).rounded()
        // 0.1 has no exact double: a difference of 4 units in the last place is allowed.
        return quotient.isFinite && (quotient * factor - number).magnitude <= 4 * number.ulp
    }

    private static func integerEnd(_ text: UnsafeRawBufferPointer) -> Int {
        var index = 0
        if text.count > 0 && text[0] == UInt8(ascii: "-") { index = 1 }
        guard index < text.count else { return 0 }
        if text[index] == UInt8(ascii: "0") { return index &+ 1 }
        let end = digitsEnd(text, from: index)
        return end == index ? 0 : end
    }

    private static func digitsEnd(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index < text.count && ASCII.isDigit(text[index]) { index &+= 1 }
        return index
    }

    private static func twoDigits(_ text: UnsafeRawBufferPointer, _ index: Int) -> Int? {
        guard index &+ 1 < text.count, ASCII.isDigit(text[index]), ASCII.isDigit(text[index &+ 1]) else { return nil }
        return Int(text[index] &- 0x30) &* 10 &+ Int(text[index &+ 1] &- 0x30)
    }

    private static func datePrefix(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let century = twoDigits(text, 0), let rest = twoDigits(text, 2), text[4] == UInt8(ascii: "-"),
            let month = twoDigits(text, 5), text[7] == UInt8(ascii: "-"), let day = twoDigits(text, 8)
        else { return false }
        let year = century &* 100 &+ rest
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days: Int
        switch month {
        case 1, 3, 5, 7, 8, 10, 12: days = 31
        case 4, 6, 9, 11: days = 30
        case 2: days = isLeap ? 29 : 28
        default: return false
        }
        return day >= 1 && day <= days
    }
}

extension Scalar {
    /// Creates a scalar from the names that descriptions use.  Failures: `document`, with the allowed names, and for an invalid
    /// pattern.
    public init(type: Bytes?, format: Bytes?, pattern: Bytes?) throws(Failure) {
        switch type ?? "string" {
        case "string": self.init(.string)
        case "integer": self.init(.integer)
        case "number": self.init(.number)
        case "boolean": self.init(.boolean)
        case let other:
            throw Failure.unknownName(.document, "no scalar type", other, among: ["string", "integer", "number", "boolean"])
        }
        switch format {
        case nil: break
        case "uuid": self.format = .uuid
        case "date": self.format = .date
        case "date-time": self.format = .dateTime
        case let other?:
            throw Failure.unknownName(.document, "no format", other, among: ["uuid", "date", "date-time"])
        }
        if let pattern { self.pattern = try Pattern.compile(pattern) }
    }
}
