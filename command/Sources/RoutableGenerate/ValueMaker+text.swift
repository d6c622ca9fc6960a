// Strings that are valid: of a format, of a length, and of the regular expressions that descriptions usually have.

internal import RoutableCore
internal import RoutableSchema

extension ValueMaker {
    private static let words = [
        "plain", "two words", "quote \" and \\ backslash", "tab\tand\nline", "é ü ß", "日本語", "😃", "a/b?c=d&e",
        "{\"json\":true}", "</script>", "null", "0",
    ]

    mutating func text(_ facts: SchemaFacts) -> String? {
        let least = Int(bound(facts, "minLength", max) ?? 0), most = Int(min(bound(facts, "maxLength", min) ?? 200, 5000))
        guard least <= most, least <= 5000 else { return nil }
        for part in facts.parts {
            guard let pattern = part["pattern"]?.string else { continue }
            if let example = part["example"]?.string ?? part["examples"]?.elements?.first?.string ?? part["default"]?.string {
                return example
            }
            return matching(pattern, least...most)
        }
        if let format = facts.format, let text = formatted(format) { return text }
        var text = Self.words[chance.below(Self.words.count)]
        while text.unicodeScalars.count < least { text += "x" }
        if text.unicodeScalars.count > most { text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(most))) }
        return text
    }

    /// Several attempts, because assertions and the length decide about the whole string.
    private mutating func matching(_ pattern: String, _ lengths: ClosedRange<Int>) -> String? {
        let schema = SchemaText.json(.object([Value.Member(name: "pattern", value: .text(Bytes(pattern)))]))
        let checker = schema.storage.withUnsafeBytes { text in
            try? JSONSchema.open(text)
        }
        var fallback: String?
        for _ in 0..<64 {
            var maker = PatternMaker(pattern)
            guard let text = maker.text(&chance) else { return fallback }
            fallback = fallback ?? text
            if !lengths.contains(text.unicodeScalars.count) { continue }
            guard let checker, maker.hasAssertions else { return text }
            let json = SchemaText.json(.text(Bytes(text)))
            let fits = json.storage.withUnsafeBytes { value -> Bool in
                do throws(Failure) {
                    try checker.check(json: value, maximumErrors: 1)
                    return true
                } catch { return false }
            }
            if fits { return text }
        }
        return fallback
    }

    private mutating func digits(_ count: Int) -> String {
        var result = ""
        for _ in 0..<count { result += String(chance.below(10)) }
        return result
    }

    private mutating func hex(_ count: Int) -> String {
        var result = ""
        for _ in 0..<count { result += String(chance.below(16), radix: 16) }
        return result
    }

    private mutating func formatted(_ format: String) -> String? {
        let date = "20\(digits(2))-0\(1 + chance.below(9))-1\(chance.below(10))"
        let time = "1\(chance.below(10)):\(chance.below(6))\(chance.below(10)):\(chance.below(6))\(chance.below(10))"
        switch format {
        case "date": return date
        case "time": return time + "Z"
        case "date-time": return date + "T" + time + (chance.below(2) == 0 ? "Z" : ".25+02:00")
        case "duration": return "P\(1 + chance.below(30))DT\(chance.below(24))H"
        case "uuid": return "\(hex(8))-\(hex(4))-4\(hex(3))-a\(hex(3))-\(hex(12))"
        case "email", "idn-email": return "a\(digits(3))@example.com"
        case "uri", "url", "iri": return "https://example.com/\(hex(4))?q=\(digits(2))"
        case "uri-reference", "iri-reference": return "/a/\(hex(4))"
        case "uri-template": return "/users/{id}"
        case "hostname", "idn-hostname": return "h\(digits(2)).example.com"
        case "ipv4", "ip": return "10.\(chance.below(256)).\(chance.below(256)).1"
        case "ipv6": return "2001:db8::\(hex(4))"
        case "byte": return ["", "YQ==", "aGVsbG8=", "AAECAwQF"][chance.below(4)]
        case "json-pointer": return "/a/0"
        case "regex": return "^a+$"
        default: return nil
        }
    }
}

/// Makes strings that match a regular expression of literals, classes, groups, alternatives and counts; nil for other syntax.
///
/// A string for an assertion such as `(?=.*[0-9])`, or the empty string; the caller validates the result.
struct PatternMaker {
    private let scalars: [Unicode.Scalar]
    private var at = 0
    private var isUnknown = false
    private var depth = 0
    /// Whether it contains lookaheads or lookbehinds, so that some of the strings do not match.
    private(set) var hasAssertions = false

    init(_ pattern: String) { scalars = Array(pattern.unicodeScalars.prefix(2000)) }

    mutating func text(_ chance: inout SeededChance) -> String? {
        let result = alternatives(&chance)
        return isUnknown || at < scalars.count ? nil : result
    }

    private mutating func alternatives(_ chance: inout SeededChance) -> String {
        depth += 1
        defer { depth -= 1 }
        if depth > 20 { isUnknown = true }
        var options = [sequence(&chance)]
        while !isUnknown, at < scalars.count, scalars[at] == "|" {
            at += 1
            options.append(sequence(&chance))
        }
        return options[chance.below(options.count)]
    }

    private mutating func sequence(_ chance: inout SeededChance) -> String {
        var result = ""
        while !isUnknown, at < scalars.count, scalars[at] != "|", scalars[at] != ")" {
            let start = at
            var piece = atom(&chance)
            let end = at
            guard let (least, most) = count() else { result += piece; continue }
            let times = least + chance.below(min(most, least + 3) - least + 1)
            let after = at
            result += times > 0 ? piece : ""
            // Each time anew: the text of a class differs.
            for _ in 0..<max(0, min(times, 200) - 1) {
                at = start
                piece = atom(&chance)
                result += piece
            }
            at = after
            _ = end
            if result.utf8.count > 4000 { isUnknown = true }
        }
        return result
    }

    private mutating func atom(_ chance: inout SeededChance) -> String {
        let scalar = scalars[at]
        at += 1
        switch scalar {
        case "^", "$": return ""
        case ".": return String("abcxyz019-"[chance.below(10)])
        case "(":
            if at + 1 < scalars.count, scalars[at] == "?" {
                let rest = String(String.UnicodeScalarView(scalars[(at + 1)...].prefix(2)))
                if let mark = ["=", "!", "<=", "<!"].first(where: { rest.hasPrefix($0) }) {
                    at += 1 + mark.count
                    return assertion(&chance, isPositive: mark.hasSuffix("="))
                }
                if rest.hasPrefix("<"), let end = scalars[at...].firstIndex(of: ">") {
                    at = end + 1
                } else if rest.hasPrefix(":") {
                    at += 2
                } else {
                    isUnknown = true
                    return ""
                }
            }
            let inner = alternatives(&chance)
            guard at < scalars.count, scalars[at] == ")" else {
                isUnknown = true
                return ""
            }
            at += 1
            return inner
        case "[": return set(&chance)
        case "\\": return escaped(&chance)
        case "*", "+", "?", "{": isUnknown = true; return ""
        default: return String(scalar)
        }
    }

    /// A string that matches a positive assertion, or the empty string, because the rest of the pattern may match it.
    private mutating func assertion(_ chance: inout SeededChance, isPositive: Bool) -> String {
        hasAssertions = true
        let inner = alternatives(&chance)
        guard at < scalars.count, scalars[at] == ")" else {
            isUnknown = true
            return ""
        }
        at += 1
        return isPositive && chance.below(4) > 0 ? inner : ""
    }

    private mutating func escaped(_ chance: inout SeededChance) -> String {
        guard at < scalars.count else {
            isUnknown = true
            return ""
        }
        let scalar = scalars[at]
        at += 1
        switch scalar {
        case "d": return String(chance.below(10))
        case "w": return String("abcXYZ019_"[chance.below(10)])
        case "s": return " "
        case "D", "S", "W": return scalar == "W" ? "-" : "a"
        case "b", "B", "A", "Z", "z": return ""
        case "n": return "\n"
        case "t": return "\t"
        case "p", "P", "u", "x", "k", "1"..."9": isUnknown = true; return ""
        default: return String(scalar)
        }
    }

    private mutating func set(_ chance: inout SeededChance) -> String {
        var allowed: [Unicode.Scalar] = []
        let isNegated = at < scalars.count && scalars[at] == "^"
        if isNegated { at += 1 }
        var isFirst = true
        while at < scalars.count, scalars[at] != "]" || isFirst {
            isFirst = false
            var scalar = scalars[at]
            at += 1
            if scalar == "\\", at < scalars.count {
                let word = scalars[at]
                at += 1
                switch word {
                case "d": allowed += "0123456789".unicodeScalars
                case "w": allowed += "abcxyzABC0189_".unicodeScalars
                case "s": allowed.append(" ")
                case "n": allowed.append("\n")
                case "t": allowed.append("\t")
                case "S", "D", "W", "p", "P", "u", "x": isUnknown = true
                default: scalar = word; allowed.append(word)
                }
                if "dwsnt".unicodeScalars.contains(word) { continue }
            }
            if at + 1 < scalars.count, scalars[at] == "-", scalars[at + 1] != "]" {
                let last = scalars[at + 1]
                at += 2
                if last.value < scalar.value || last == "\\" {
                    isUnknown = true
                } else {
                    for value in scalar.value...min(last.value, scalar.value + 200) {
                        if let each = Unicode.Scalar(value) { allowed.append(each) }
                    }
                }
            } else {
                allowed.append(scalar)
            }
        }
        guard at < scalars.count else {
            isUnknown = true
            return ""
        }
        at += 1
        if isNegated {
            let forbidden = Set(allowed)
            allowed = "abcxyz019-_ .".unicodeScalars.filter { !forbidden.contains($0) }
        }
        if allowed.isEmpty { isUnknown = true }
        return allowed.isEmpty ? "" : String(allowed[chance.below(allowed.count)])
    }

    /// `*`, `+`, `?`, `{n}`, `{n,}`, `{n,m}`; nil for none.
    private mutating func count() -> (Int, Int)? {
        guard at < scalars.count else { return nil }
        var result: (Int, Int)
        switch scalars[at] {
        case "*": result = (0, 3)
        case "+": result = (1, 4)
        case "?": result = (0, 1)
        case "{":
            guard let end = scalars[at...].firstIndex(of: "}") else {
                isUnknown = true
                return nil
            }
            let words = String(String.UnicodeScalarView(scalars[(at + 1)..<end])).split(
                separator: ",", omittingEmptySubsequences: false)
            guard let least = words.first.flatMap({ Int($0) }), least <= 1000, words.count <= 2 else {
                isUnknown = true
                return nil
            }
            let most = words.count == 1 ? least : Int(words[1]) ?? least + 3
            at = end
            result = (least, max(least, most))
        default: return nil
        }
        at += 1
        if at < scalars.count, scalars[at] == "?" || scalars[at] == "+" { at += 1 }
        return result
    }
}

extension String {
    fileprivate subscript(_ place: Int) -> Character { self[index(startIndex, offsetBy: place)] }
}
