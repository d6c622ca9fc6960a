// Parses scalars of the core schema of YAML 1.2.

internal import RoutableCore

/// A scalar; a number is its JSON text, with all digits.
enum YAMLScalar {
    case null
    case boolean(Bool)
    case number(Bytes)
    case text(Bytes)

    static func value(_ text: Bytes, isPlain: Bool, tag: Bytes?) -> YAMLScalar {
        switch tag {
        case nil, "?": return isPlain ? resolved(text) : .text(text)
        case "tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:bool", "tag:yaml.org,2002:null":
            return resolved(text)
        default: return .text(text)
        }
    }

    private static func resolved(_ text: Bytes) -> YAMLScalar {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .boolean(true)
        case "false", "False", "FALSE": return .boolean(false)
        default: return number(text).map { .number($0) } ?? .text(text)
        }
    }

    /// The number in the notation of JSON: no plus, no leading zeros, a digit on both sides of the point.
    private static func number(_ text: Bytes) -> Bytes? {
        if text.hasPrefix("0o") { return whole(text.storage.dropFirst(2), radix: 8) }
        if text.hasPrefix("0x") { return whole(text.storage.dropFirst(2), radix: 16) }
        var rest = text.storage[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let whole = rest.prefix(while: isDigit)
        rest = rest.dropFirst(whole.count)
        var fraction: ArraySlice<UInt8> = []
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            fraction = rest.prefix(while: isDigit)
            rest = rest.dropFirst(fraction.count)
        }
        if whole.isEmpty && fraction.isEmpty { return nil }
        var exponent = Bytes()
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            exponent.append(letter)
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                exponent.append(sign)
                rest = rest.dropFirst()
            }
            guard !rest.isEmpty, rest.allSatisfy(isDigit) else { return nil }
            exponent.append(Bytes(rest))
            rest = []
        }
        guard rest.isEmpty else { return nil }
        var json: Bytes = isNegative ? "-" : ""
        let digits = whole.drop { $0 == UInt8(ascii: "0") }
        if digits.isEmpty { json.append(UInt8(ascii: "0")) } else { json.append(Bytes(digits)) }
        if !fraction.isEmpty {
            json.append(UInt8(ascii: "."))
            json.append(Bytes(fraction))
        }
        json.append(exponent)
        // The integer -0 is equal to 0.
        return json == "-0" ? "0" : json
    }

    /// An octal or hexadecimal number of at most 63 bits; longer ones are strings.
    private static func whole(_ digits: ArraySlice<UInt8>, radix: Int64) -> Bytes? {
        if digits.isEmpty { return nil }
        var value: Int64 = 0
        for byte in digits {
            let digit: Int64
            switch byte {
            case 0x30...0x39: digit = Int64(byte) &- 0x30
            case 0x41...0x46: digit = Int64(byte) &- 0x37
            case 0x61...0x66: digit = Int64(byte) &- 0x57
            default: return nil
            }
            if digit >= radix || value > (Int64.max &- digit) / radix { return nil }
            value = value &* radix &+ digit
        }
        return "\(Int(value))"
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
