// Makes strings that match a regular expression of literals, classes, groups, alternatives and counts.

internal import RoutableCore

/// Parses one pattern (ECMA-262) and makes a string at the same time.  The caller validates the string, because an assertion such
/// as `(?=.*[0-9])` is replaced by a string that matches its pattern, or by the empty string.
struct PatternSample {
    private let pattern: [UInt32]
    private let wantsMore: Bool
    private var position = 0
    private var isUnknown = false
    private var depth = 0

    private static let patternLimit = 2000
    private static let depthLimit = 20
    private static let byteLimit = 8000

    /// - Parameter wantsMore: whether repetitions without a maximum are long.
    init(_ source: Bytes, wantsMore: Bool) {
        pattern = Array(Self.characters(source).prefix(Self.patternLimit))
        self.wantsMore = wantsMore
    }

    /// A string; nil if the syntax is not supported.
    mutating func text(_ random: inout SeededRandom) -> Bytes? {
        let result = alternatives(&random)
        return isUnknown || position < pattern.count ? nil : result
    }

    private func at(_ offset: Int = 0) -> UInt32? {
        let index = position &+ offset
        return index >= 0 && index < pattern.count ? pattern[index] : nil
    }

    private func isAt(_ scalar: Unicode.Scalar, _ offset: Int = 0) -> Bool { at(offset) == scalar.value }

    /// One of the alternatives; all alternatives are parsed.
    private mutating func alternatives(_ random: inout SeededRandom) -> Bytes {
        // proof: the recursion ends at the depth limit.
        depth &+= 1
        defer { depth &-= 1 }
        if depth > Self.depthLimit {
            isUnknown = true
            return Bytes()
        }
        var chosen = sequence(&random)
        var count = 1
        while !isUnknown, isAt("|") {
            position &+= 1
            let other = sequence(&random)
            count &+= 1
            if random.below(count) == 0 { chosen = other }
        }
        return chosen
    }

    private mutating func sequence(_ random: inout SeededRandom) -> Bytes {
        var result = Bytes()
        while !isUnknown, position < pattern.count, !isAt("|"), !isAt(")") {
            let start = position
            let first = atom(&random)
            guard let (least, most) = count() else {
                result.append(first)
                continue
            }
            let after = position
            let extra = wantsMore ? 40 : 3
            let times = least &+ random.below(min(most &- least, extra) &+ 1)
            if times > 0 { result.append(first) }
            // Each repetition is made separately.
            for _ in 0..<max(0, min(times, 1000) &- 1) where !isUnknown && result.count <= Self.byteLimit {
                position = start
                result.append(atom(&random))
            }
            position = after
            if result.count > Self.byteLimit { isUnknown = true }
        }
        return result
    }

    private mutating func unknown() -> Bytes {
        isUnknown = true
        return Bytes()
    }

    private mutating func atom(_ random: inout SeededRandom) -> Bytes {
        guard let scalar = at() else { return unknown() }
        position &+= 1
        switch scalar {
        case "^", "$": return Bytes()
        case ".": return Self.one(of: "abcxyz019-", &random)
        case "(": return group(&random)
        case "[": return set(&random)
        case "\\": return escaped(&random)
        case "*", "+", "?", "{": return unknown()
        default: return Self.utf8(scalar)
        }
    }

    private mutating func group(_ random: inout SeededRandom) -> Bytes {
        var assertion: Bool?
        if isAt("?") {
            position &+= 1
            let isBehind = isAt("<") && (isAt("=", 1) || isAt("!", 1))
            if isBehind { position &+= 1 }
            if isAt("=") || isAt("!") {
                assertion = isAt("=")
                position &+= 1
            } else if isAt(":") {
                position &+= 1
            } else if isAt("<") {
                while position < pattern.count, !isAt(">") { position &+= 1 }
                position &+= 1
            } else {
                return unknown()
            }
        }
        let inner = alternatives(&random)
        guard isAt(")") else { return unknown() }
        position &+= 1
        // The text after an assertion may already satisfy it: then the assertion must not add text.
        if let assertion { return assertion && random.below(4) > 0 ? inner : Bytes() }
        return inner
    }

    private mutating func escaped(_ random: inout SeededRandom) -> Bytes {
        guard let scalar = at() else { return unknown() }
        position &+= 1
        switch scalar {
        case "d": return Self.one(of: "0123456789", &random)
        case "w": return Self.one(of: "abcXYZ019_", &random)
        case "s": return " "
        case "D", "S": return "a"
        case "W": return "-"
        case "b", "B": return Bytes()
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        default:
            // \p{...}, \u, \x, \k and references to groups.
            if Self.isLetterOrDigit(scalar) { return unknown() }
            return Self.utf8(scalar)
        }
    }

    // MARK: - Sets

    private mutating func set(_ random: inout SeededRandom) -> Bytes {
        var ranges: [ClosedRange<UInt32>] = []
        let isNegated = isAt("^")
        if isNegated { position &+= 1 }
        while let scalar = at(), scalar != UnicodeScalar("]").value {
            position &+= 1
            var low = scalar
            if scalar == UnicodeScalar("\\").value {
                guard let word = at() else { return unknown() }
                position &+= 1
                if let named = Self.named(word) {
                    ranges.append(contentsOf: named)
                    continue
                }
                if Self.isLetterOrDigit(word) { return unknown() }
                low = word
            }
            guard isAt("-"), let high = at(1), high != UnicodeScalar("]").value else {
                ranges.append(low...low)
                continue
            }
            position &+= 2
            if high < low || high == UnicodeScalar("\\").value { return unknown() }
            ranges.append(low...high)
        }
        guard isAt("]") else { return unknown() }
        position &+= 1
        if isNegated {
            let usual = Self.characters("abcxyz019-_ .").filter { scalar in !ranges.contains { $0.contains(scalar) } }
            return usual.isEmpty ? unknown() : Self.utf8(usual[random.below(usual.count)])
        }
        if ranges.isEmpty { return unknown() }
        let range = ranges[random.below(ranges.count)]
        let width = Int(min(range.upperBound &- range.lowerBound, 200)) &+ 1
        return Self.utf8(range.lowerBound &+ UInt32(truncatingIfNeeded: random.below(width)))
    }

    private static func named(_ word: UInt32) -> [ClosedRange<UInt32>]? {
        switch word {
        case "d": [0x30...0x39]
        case "w": [0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x5F...0x5F]
        case "s": [0x20...0x20]
        case "n": [0x0A...0x0A]
        case "t": [0x09...0x09]
        case "r": [0x0D...0x0D]
        default: nil
        }
    }

    // MARK: - Counts

    /// `*`, `+`, `?`, `{n}`, `{n,}`, `{n,m}`; nil for none.
    private mutating func count() -> (Int, Int)? {
        guard let scalar = at() else { return nil }
        var result: (Int, Int)
        switch scalar {
        case "*": result = (0, .max)
        case "+": result = (1, .max)
        case "?": result = (0, 1)
        case "{":
            position &+= 1
            guard let least = number() else {
                isUnknown = true
                return nil
            }
            result = (least, least)
            if isAt(",") {
                position &+= 1
                result.1 = isAt("}") ? .max : number() ?? least
            }
            guard isAt("}"), result.0 <= result.1 else {
                isUnknown = true
                return nil
            }
        default: return nil
        }
        position &+= 1
        if isAt("?") { position &+= 1 }
        return result
    }

    private mutating func number() -> Int? {
        var value = 0
        let start = position
        while let scalar = at(), (0x30...0x39).contains(scalar), position &- start < 5 {
            value = value &* 10 &+ Int(scalar &- 0x30)
            position &+= 1
        }
        return position > start ? value : nil
    }

    // MARK: - Characters

    private static func one(of text: StaticString, _ random: inout SeededRandom) -> Bytes {
        let bytes = Bytes(static: text)
        return Bytes([bytes.storage[random.below(bytes.count)]])
    }

    private static func isLetterOrDigit(_ scalar: UInt32) -> Bool {
        guard scalar < 128 else { return false }
        let byte = UInt8(truncatingIfNeeded: scalar)
        return ASCII.isLetter(byte) || ASCII.isDigit(byte)
    }

    /// Decodes UTF-8; a byte that is not valid becomes one character.
    private static func characters(_ text: Bytes) -> [UInt32] {
        var result: [UInt32] = []
        result.reserveCapacity(text.count)
        for byte in text.storage {
            if byte & 0xC0 == 0x80, let last = result.popLast() {
                result.append(last << 6 | UInt32(byte & 0x3F))
            } else if byte >= 0xF0 {
                result.append(UInt32(byte & 0x07))
            } else if byte >= 0xE0 {
                result.append(UInt32(byte & 0x0F))
            } else {
                result.append(UInt32(byte >= 0xC0 ? byte & 0x1F : byte))
            }
        }
        return result
    }

    private static func utf8(_ scalar: UInt32) -> Bytes {
        func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | scalar >> shift & 0x3F) }
        if scalar < 0x80 { return Bytes([UInt8(truncatingIfNeeded: scalar)]) }
        if scalar < 0x800 { return Bytes([UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6), tail(0)]) }
        // Surrogates are not characters.
        if (0xD800...0xDFFF).contains(scalar) { return "?" }
        if scalar < 0x10000 { return Bytes([UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12), tail(6), tail(0)]) }
        return Bytes([UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18 & 7), tail(12), tail(6), tail(0)])
    }
}

extension UInt32 {
    fileprivate static func ~= (pattern: Unicode.Scalar, value: UInt32) -> Bool { pattern.value == value }
}
