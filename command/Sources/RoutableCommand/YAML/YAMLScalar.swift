// Parses scalars of the core schema of YAML 1.2.

import RoutableCore

enum YAMLScalar {
    static func value(_ text: Bytes, isPlain: Bool, tag: Bytes?) -> Value {
        switch tag {
        case nil, "?": return isPlain ? resolved(text) : .text(text)
        case "tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:bool", "tag:yaml.org,2002:null":
            return resolved(text)
        default: return .text(text)
        }
    }

    private static func resolved(_ text: Bytes) -> Value {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .boolean(true)
        case "false", "False", "FALSE": return .boolean(false)
        default: return number(text) ?? .text(text)
        }
    }

    private static func number(_ text: Bytes) -> Value? {
        if text.hasPrefix("0o") || text.hasPrefix("0x") {
            let digits = String(decoding: text.storage.dropFirst(2), as: UTF8.self)
            guard digits.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }) else { return nil }
            return Int64(digits, radix: text.hasPrefix("0o") ? 8 : 16).map { .integer($0) }
        }
        var rest = text.storage[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let whole = rest.prefix(while: isDigit)
        rest.removeFirst(whole.count)
        var fraction: ArraySlice<UInt8>?
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            let digits = rest.prefix(while: isDigit)
            rest.removeFirst(digits.count)
            fraction = digits
        }
        if whole.isEmpty && (fraction ?? []).isEmpty { return nil }
        var exponent = Bytes()
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            exponent.append(letter)
            rest.removeFirst()
            if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                exponent.append(sign)
                rest.removeFirst()
            }
            guard !rest.isEmpty, rest.allSatisfy(isDigit) else { return nil }
            exponent.append(Bytes(rest))
            rest = []
        }
        guard rest.isEmpty else { return nil }
        // As JSON writes it: no plus, no zeroes in front, a digit on both sides of the point.
        var json: Bytes = isNegative ? "-" : ""
        let digits = whole.drop { $0 == UInt8(ascii: "0") }
        json.append(digits.isEmpty ? "0" : Bytes(digits))
        if fraction == nil && exponent.isEmpty, let number = Int64(json.string) { return .integer(number) }
        if let fraction, !fraction.isEmpty { json.append(".\(Bytes(fraction))") }
        json.append(exponent)
        return .number(json)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
