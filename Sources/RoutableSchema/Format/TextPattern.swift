// The `pattern` of a schema.  Most patterns are a sequence of character sets, which need no engine; the others use PCRE2.

internal import RoutableCore

/// A compiled pattern.  Immutable.
final class TextPattern: Sendable {
    /// A number of characters of one set.  Sets of consecutive steps do not overlap if that would be ambiguous, so that a greedy match
    /// is always correct.
    struct Step: Sendable {
        /// The ASCII characters, as bits.
        var low: UInt64 = 0
        var high: UInt64 = 0
        var takesOthers = false
        var minimum = 1
        var maximum = 1

        mutating func insert(_ byte: UInt8) {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
        }

        mutating func insert(_ first: UInt8, _ last: UInt8) {
            var byte = first
            while byte <= last && byte < 128 {
                insert(byte)
                byte &+= 1
            }
        }

        mutating func insertWord() {
            insert(UInt8(ascii: "0"), UInt8(ascii: "9"))
            insert(UInt8(ascii: "a"), UInt8(ascii: "z"))
            insert(UInt8(ascii: "A"), UInt8(ascii: "Z"))
            insert(UInt8(ascii: "_"))
        }

        func overlaps(_ other: Step) -> Bool {
            low & other.low != 0 || high & other.high != 0 || takesOthers && other.takesOthers
        }
    }

    let source: Bytes
    // Owned; filled in `init`, freed in `deinit`.
    nonisolated(unsafe) private let steps: UnsafeMutablePointer<Step>
    private let stepCount: Int
    private let isAnchoredAtEnd: Bool
    let pattern: Pattern?

    private init(_ source: Bytes, _ steps: [Step], _ isAnchoredAtEnd: Bool, _ pattern: Pattern?) {
        self.source = source
        self.steps = UnsafeMutablePointer.allocate(capacity: max(steps.count, 1))
        for (index, step) in steps.enumerated() { (self.steps + index).initialize(to: step) }
        stepCount = steps.count
        self.isAnchoredAtEnd = isAnchoredAtEnd
        self.pattern = pattern
    }

    deinit { steps.deallocate() }

    /// Whether it is a sequence of sets.
    var hasSteps: Bool { pattern == nil }

    /// Compiles a pattern of ECMA-262.
    ///
    /// - Throws: `document` with the error and its offset in the pattern.
    static func compile(_ source: Bytes) throws(Failure) -> TextPattern {
        let result = source.storage.withUnsafeBytes { (text) -> Result<TextPattern, Failure> in
            do throws(Failure) {
                let translated = try ECMAPattern(text).translated
                var reader = StepReader(text)
                if let steps = reader.read() {
                    return .success(TextPattern(source, steps, reader.isAnchoredAtEnd, nil))
                }
                return .success(
                    TextPattern(source, [], false, try Pattern.search(source, translated: translated)))
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Whether a part of the text matches.
    func matches(_ text: UnsafeRawBufferPointer, limit: UInt32) -> Pattern.Verdict {
        guard let pattern else { return runs(text) ? .matches : .differs }
        return UTF8Check.isValid(text) ? pattern.matches(text, limit: limit) : .differs
    }

    /// Whether a string begins with the sequence of sets, or is equal to one.
    @_optimize(speed) @inline(never)
    func runs(_ text: UnsafeRawBufferPointer) -> Bool {
        guard var next = text.baseAddress else { return Self.allowsNone(steps, stepCount) }
        let end = next + text.count
        var step = steps
        let last = steps + stepCount
        while step < last {
            let (low, high, others) = (step.pointee.low, step.pointee.high, step.pointee.takesOthers)
            let (minimum, maximum) = (step.pointee.minimum, step.pointee.maximum)
            var count = 0
            while count < maximum && next < end {
                let byte = next.load(as: UInt8.self)
                if byte < 0x80 {
                    if (byte & 0x40 == 0 ? low : high) >> UInt64(byte & 63) & 1 == 0 { break }
                    next += 1
                } else {
                    if !others { break }
                    next += 1
                    while next < end && next.load(as: UInt8.self) & 0xC0 == 0x80 { next += 1 }
                }
                count &+= 1
            }
            if count < minimum { return false }
            step += 1
        }
        return !isAnchoredAtEnd || next == end
    }

    private static func allowsNone(_ steps: UnsafeMutablePointer<Step>, _ count: Int) -> Bool {
        for index in 0..<count where steps[index].minimum > 0 { return false }
        return true
    }
}

/// Parses a pattern that begins with `^` and is a sequence of sets; returns nil for others.
private struct StepReader {
    private let text: UnsafeRawBufferPointer
    private var index = 0
    private(set) var isAnchoredAtEnd = false

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    private var next: UInt8? { index < text.count ? text[index] : nil }

    mutating func read() -> [TextPattern.Step]? {
        guard next == UInt8(ascii: "^") else { return nil }
        index = 1
        var steps: [TextPattern.Step] = []
        while let byte = next {
            if byte == UInt8(ascii: "$") {
                isAnchoredAtEnd = true
                return index &+ 1 == text.count && isCertain(steps) ? steps : nil
            }
            guard steps.count < 64, var step = atom() else { return nil }
            guard quantifier(&step) else { return nil }
            steps.append(step)
        }
        return isCertain(steps) ? steps : nil
    }

    /// Whether greedy matching finds every match: the sets that can follow a step with a variable count do not overlap its set.
    private func isCertain(_ steps: [TextPattern.Step]) -> Bool {
        for (place, step) in steps.enumerated() where step.minimum != step.maximum {
            for other in steps[(place &+ 1)...] {
                if step.overlaps(other) { return false }
                if other.minimum > 0 { break }
            }
        }
        return true
    }

    private mutating func atom() -> TextPattern.Step? {
        guard let byte = next, byte < 0x80 else { return nil }
        var step = TextPattern.Step()
        index &+= 1
        switch byte {
        case UInt8(ascii: "\\"): return escape(into: &step) ? step : nil
        case UInt8(ascii: "["): return bracket(into: &step) ? step : nil
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "|"), UInt8(ascii: "."), UInt8(ascii: "*"),
            UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "]"),
            UInt8(ascii: "^"), UInt8(ascii: "$"):
            return nil
        default:
            step.insert(byte)
            return step
        }
    }

    private mutating func escape(into step: inout TextPattern.Step) -> Bool {
        guard let byte = next else { return false }
        index &+= 1
        switch byte {
        case UInt8(ascii: "d"): step.insert(UInt8(ascii: "0"), UInt8(ascii: "9"))
        case UInt8(ascii: "w"): step.insertWord()
        case _ where ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80: return false
        default: step.insert(byte)
        }
        return true
    }

    private mutating func bracket(into step: inout TextPattern.Step) -> Bool {
        let negates = next == UInt8(ascii: "^")
        if negates { index &+= 1 }
        while let byte = next, byte != UInt8(ascii: "]") {
            if byte >= 0x80 { return false }
            index &+= 1
            if byte == UInt8(ascii: "\\") {
                guard escape(into: &step) else { return false }
                if next == UInt8(ascii: "-") && index &+ 1 < text.count && text[index &+ 1] != UInt8(ascii: "]") {
                    return false
                }
                continue
            }
            if next == UInt8(ascii: "-"), index &+ 1 < text.count, text[index &+ 1] != UInt8(ascii: "]") {
                let last = text[index &+ 1]
                if last >= 0x80 || last == UInt8(ascii: "\\") || last < byte { return false }
                index &+= 2
                step.insert(byte, last)
            } else {
                step.insert(byte)
            }
        }
        guard next != nil else { return false }
        index &+= 1
        if negates { (step.low, step.high, step.takesOthers) = (~step.low, ~step.high, true) }
        return true
    }

    private mutating func quantifier(_ step: inout TextPattern.Step) -> Bool {
        switch next {
        case UInt8(ascii: "*"): (step.minimum, step.maximum) = (0, .max)
        case UInt8(ascii: "+"): step.maximum = .max
        case UInt8(ascii: "?"): step.minimum = 0
        case UInt8(ascii: "{"):
            index &+= 1
            guard let minimum = number() else { return false }
            (step.minimum, step.maximum) = (minimum, minimum)
            if next == UInt8(ascii: ",") {
                index &+= 1
                step.maximum = number() ?? .max
            }
            guard next == UInt8(ascii: "}"), step.minimum <= step.maximum else { return false }
        default: return true
        }
        index &+= 1
        // A lazy quantifier matches fewer characters and is left to PCRE2.
        return next != UInt8(ascii: "?")
    }

    private mutating func number() -> Int? {
        let start = index
        var value = 0
        while let byte = next, ASCII.isDigit(byte), index &- start < 6 {
            value = value &* 10 &+ Int(byte &- 0x30)
            index &+= 1
        }
        return index > start ? value : nil
    }
}
