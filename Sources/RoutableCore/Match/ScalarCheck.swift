// A scalar in the match table, as plain memory, so that checking a value neither allocates nor retains, unless its
// declaration has a regular expression or a bound on a real number.

struct ScalarCheck {
    private enum Kind: UInt8 { case string, integer, number, boolean }
    private enum Format: UInt8 { case none, uuid, date, dateTime }

    private let kind: Kind
    private let format: Format
    private let hasBounds: Bool
    private let hasLengths: Bool
    /// 0 if the number need not be a multiple.
    private let multipleOf: Double
    private let minimum: Double
    private let maximum: Double
    private let minimumLength: Int
    private let maximumLength: Int
    /// Offsets of the listed values in the table's pool, as pairs of start and end in `ranges`.
    private let firstValue: UInt32
    private let valueCount: UInt32
    /// Owned by the router's description, which exists longer than the table.
    private let pattern: Unmanaged<Pattern>?

    init(_ scalar: Scalar, values: (first: Int, count: Int)) {
        switch scalar.kind {
        case .string: kind = .string
        case .integer: kind = .integer
        case .number: kind = .number
        case .boolean: kind = .boolean
        }
        switch scalar.format {
        case nil: format = .none
        case .uuid?: format = .uuid
        case .date?: format = .date
        case .dateTime?: format = .dateTime
        }
        // A plain scalar accepts any text, even if bounds are declared (`Scalar.isPlain`).
        hasBounds = !scalar.isPlain && (scalar.minimum != nil || scalar.maximum != nil)
        hasLengths = scalar.minimumLength != nil || scalar.maximumLength != nil
        multipleOf = scalar.kind == .integer || scalar.kind == .number ? scalar.multipleOf ?? 0 : 0
        minimum = scalar.minimum ?? -.infinity
        maximum = scalar.maximum ?? .infinity
        minimumLength = scalar.minimumLength ?? 0
        maximumLength = scalar.maximumLength ?? Int.max
        firstValue = UInt32(truncatingIfNeeded: values.first)
        valueCount = UInt32(truncatingIfNeeded: values.count)
        pattern = scalar.pattern.map { Unmanaged.passUnretained($0) }
    }

    /// Whether the scalar accepts a decoded text: exactly if `Scalar.refusal` returns nil and the text is UTF-8.
    func accepts(_ text: UnsafeRawBufferPointer, _ pool: UnsafeRawPointer, _ ranges: UnsafePointer<UInt32>) -> Bool {
        switch kind {
        case .string: if !UTF8Check.isValid(text) { return false }
        case .integer: if !ScalarText.isInteger(text) { return false }
        case .number: if !ScalarText.isNumber(text) { return false }
        case .boolean: if !Self.isBoolean(text) { return false }
        }
        if hasBounds {
            let number = Self.number(text, isInteger: kind == .integer)
            if number < minimum || number > maximum { return false }
        }
        if multipleOf > 0 && !ScalarText.isMultiple(text, of: multipleOf) { return false }
        if hasLengths {
            let count = UTF8Check.characterCount(text)
            if count < minimumLength || count > maximumLength { return false }
        }
        if valueCount > 0 && !isListed(text, pool, ranges) { return false }
        switch format {
        case .none: break
        case .uuid: if !ScalarText.isUUID(text) { return false }
        case .date: if !ScalarText.isDate(text) { return false }
        case .dateTime: if !ScalarText.isDateTime(text) { return false }
        }
        guard let pattern else { return true }
        return pattern._withUnsafeGuaranteedRef { $0.matches(text) == .matches }
    }

    private func isListed(
        _ text: UnsafeRawBufferPointer, _ pool: UnsafeRawPointer, _ ranges: UnsafePointer<UInt32>
    ) -> Bool {
        var index = Int(firstValue)
        let end = index &+ Int(valueCount)
        while index < end {
            let start = Int(ranges[2 &* index])
            let value = UnsafeRawBufferPointer(start: pool + start, count: Int(ranges[2 &* index &+ 1]) &- start)
            if value.count == text.count && value.elementsEqual(text) { return true }
            index &+= 1
        }
        return false
    }

    private static func isBoolean(_ text: UnsafeRawBufferPointer) -> Bool {
        switch text.count {
        case 4: text.loadUnaligned(as: UInt32.self) == 0x6575_7274  // true
        case 5: text.loadUnaligned(as: UInt32.self) == 0x736C_6166 && text[4] == UInt8(ascii: "e")
        default: false
        }
    }

    private static func number(_ text: UnsafeRawBufferPointer, isInteger: Bool) -> Double {
        // For up to 18 digits, the conversion rounds like the parser of real numbers.
        if isInteger && text.count <= 18, let whole = Decimal.parse(text) { return Double(whole) }
        return ScalarText.number(text)
    }
}
