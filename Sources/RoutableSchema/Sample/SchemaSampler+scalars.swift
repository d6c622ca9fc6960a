// Numbers and strings that satisfy bounds, multiples, lengths, formats and patterns.

package import RoutableCore
internal import RoutableJSON

extension SchemaSampler {
    // MARK: - Numbers

    mutating func integer(_ facts: SampleFacts) -> Value? {
        var (low, high) = (Int64.min, Int64.max)
        for place in facts.instructions(.range, of: program) {
            let range = program.ranges[Int(program.code[place].a)]
            (low, high) = (max(low, range.first), min(high, range.last))
        }
        if facts.hasFormat("int32", program) { (low, high) = (max(low, Int64(Int32.min)), min(high, Int64(Int32.max))) }
        if low > high { return nil }
        let isWide = style == .varied && random.below(6) == 0
        // Without bounds, numbers are from 1 to 1000; with a wide range, they are near one of the bounds.
        if !isWide {
            if low == .min && high == .max || low <= 1 && high > 1000 {
                (low, high) = (max(low, 1), 1000)
            } else if high.subtractingReportingOverflow(low).overflow || high &- low > 1000 {
                if low == .min || high < 0 { low = high &- 1000 } else { high = low &+ 1000 }
            }
        }
        let number = random.integer(low, high)
        guard let step = multiple(facts) else { return .integer(number) }
        // A step below 1, such as 0.5 or 0.01, is assumed to divide every integer.
        guard step >= 1, step < 1e15, let whole = Int64(exactly: step) else {
            return step < 1 ? .integer(number) : nil
        }
        let down = number &- number % whole
        if down >= low { return .integer(down) }
        let (up, overflow) = down.addingReportingOverflow(whole)
        return overflow || up > high ? nil : .integer(up)
    }

    mutating func real(_ facts: SampleFacts) -> Value? {
        var low = -Double.infinity, high = Double.infinity
        var excludesLow = false
        for place in facts.instructions(.range, of: program) {
            let range = program.ranges[Int(program.code[place].a)]
            if range.low.value >= low { (low, excludesLow) = (range.low.value, range.low.excludes) }
            high = min(high, range.high.value)
        }
        if low > high { return nil }
        if low == -.infinity { low = high == .infinity ? 0 : high - 1000 }
        if high == .infinity { high = low + 1000 }
        if let step = multiple(facts) {
            let first = (low / step).rounded(.up)
            let count = min(max((high / step).rounded(.down) - first, 0), 1000)
            return .real((first + Double(random.below(Int(count) &+ 1))) * step)
        }
        // The number is rounded to two decimals if the result is within the bounds.
        let width = high - low
        let number = low + width * (Double(random.below(1_000_000)) + (excludesLow ? 1 : 0)) / 1_000_001
        let rounded = (number * 100).rounded() / 100
        return .real(width > 1 && rounded > low && rounded < high ? rounded : number)
    }

    /// The largest step of all `multipleOf` keywords.  If the value is not a multiple of another one, the attempt fails.
    private func multiple(_ facts: SampleFacts) -> Double? {
        var result: Double?
        for place in facts.instructions(.multipleOf, of: program) {
            let instruction = program.code[place]
            let digits = program.text(UInt32(bitPattern: instruction.a), UInt32(truncatingIfNeeded: instruction.b))
            let number = ScalarText.number(digits)
            if number > 0 && number.isFinite { result = max(result ?? 0, number) }
        }
        return result
    }

    // MARK: - Strings

    mutating func string(_ facts: SampleFacts) throws(Failure) -> Bytes? {
        var least = 0, most = Int.max
        for place in facts.instructions(.length, of: program) {
            least = max(least, Int(program.code[place].low))
            most = min(most, Int(program.code[place].high))
        }
        guard least <= most, least <= 100_000 else { return nil }
        if let place = facts.instructions(.pattern, of: program).first {
            let pattern = program.patterns[Int(program.code[place].a)]
            if let made = string(matching: pattern, least...most) { return made }
            for note in facts.notes where note.example >= 0 {
                let example = program.kept.view(Int(note.example))
                if example.kind == .text { return example.content }
            }
            return nil
        }
        for note in facts.notes where note.length > 0 {
            if let made = formatted(program.text(note.format, note.length)), least...most ~= made.count { return made }
        }
        var text = word()
        while Self.characters(text) < least { text.append(UInt8(ascii: random.below(7) == 0 ? " " : "x")) }
        return Self.shortened(text, most)
    }

    private mutating func word() -> Bytes {
        let plain: [StaticString] = [
            "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbor", "indigo", "juniper",
        ]
        let varied: [StaticString] = [
            "", "plain", "two words", "quote \" and \\ backslash", "tab\tand\nline", "é ü ß", "日本語", "😃", "a/b?c=d&e",
            "{\"json\":true}", "</script>", "null", "0",
        ]
        return Bytes(staticText: style == .plain ? plain[random.below(plain.count)] : varied[random.below(varied.count)])
    }

    /// The number of characters of a string in UTF-8.
    static func characters(_ text: Bytes) -> Int {
        var count = 0
        for byte in text.storage where byte & 0xC0 != 0x80 { count &+= 1 }
        return count
    }

    /// The beginning of a string, with at most `most` characters.
    private static func shortened(_ text: Bytes, _ most: Int) -> Bytes {
        if text.count <= most { return text }
        var left = most
        var end = 0
        while end < text.count {
            if text.storage[end] & 0xC0 != 0x80 {
                if left == 0 { break }
                left &-= 1
            }
            end &+= 1
        }
        return Bytes(text.storage[..<end])
    }

    /// A string that matches a pattern and has an allowed length; nil if none was found, or if the syntax is not supported.
    mutating func string(matching pattern: TextPattern, _ lengths: ClosedRange<Int>) -> Bytes? {
        for _ in 0..<64 {
            var maker = PatternSample(pattern.source, wantsMore: lengths.lowerBound > 8)
            guard let text = maker.text(&random) else { return nil }
            if !lengths.contains(Self.characters(text)) { continue }
            let verdict = text.storage.withUnsafeBytes { pattern.matches($0, limit: 100_000) }
            if case .matches = verdict { return text }
        }
        return nil
    }

    // MARK: - Formats

    private mutating func formatted(_ format: UnsafeRawBufferPointer) -> Bytes? {
        if format.equals("date-time") {
            return "\(date())T\(time())\(random.below(2) == 0 || style == .plain ? "Z" as Bytes : ".25+02:00")"
        }
        if format.equals("date") { return date() }
        if format.equals("time") { return "\(time())Z" }
        if format.equals("duration") { return "P\(1 &+ random.below(30))DT\(random.below(24))H" }
        if format.equals("uuid") { return uuid() }
        if format.equals("email") || format.equals("idn-email") { return "\(word(5))@example.com" }
        if format.equals("uri") || format.equals("url") || format.equals("iri") { return "https://example.com/\(hex(4))" }
        if format.equals("uri-reference") || format.equals("iri-reference") { return "/a/\(hex(4))" }
        if format.equals("uri-template") { return "/users/{id}" }
        if format.equals("hostname") || format.equals("idn-hostname") { return "h\(random.below(100)).example.com" }
        if format.equals("ipv4") || format.equals("ip") { return "192.0.2.\(random.below(256))" }
        if format.equals("ipv6") { return "2001:db8::\(hex(4))" }
        if format.equals("byte") {
            let texts: [StaticString] = ["YQ==", "aGVsbG8=", "AAECAwQF"]
            return Bytes(static: texts[random.below(texts.count)])
        }
        if format.equals("json-pointer") { return "/a/0" }
        if format.equals("regex") { return "^a+$" }
        return nil
    }

    private mutating func date() -> Bytes { "20\(digits(2))-0\(1 &+ random.below(9))-1\(random.below(10))" }

    private mutating func time() -> Bytes {
        "1\(random.below(10)):\(random.below(6))\(random.below(10)):\(random.below(6))\(random.below(10))"
    }

    package mutating func uuid() -> Bytes { "\(hex(8))-\(hex(4))-4\(hex(3))-a\(hex(3))-\(hex(12))" }

    private mutating func digits(_ count: Int) -> Bytes {
        var result = Bytes()
        for _ in 0..<count { result.append(random.digit()) }
        return result
    }

    private mutating func hex(_ count: Int) -> Bytes {
        var result = Bytes()
        for _ in 0..<count { result.append(random.hexDigit()) }
        return result
    }

    private mutating func word(_ count: Int) -> Bytes {
        var result = Bytes()
        for _ in 0..<count { result.append(UInt8(ascii: "a") &+ UInt8(truncatingIfNeeded: random.below(26))) }
        return result
    }
}

extension SampleFacts {
    func hasFormat(_ name: StaticString, _ program: SchemaProgram) -> Bool {
        notes.contains { program.text($0.format, $0.length).equals(name) }
    }
}
