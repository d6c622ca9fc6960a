// The keywords of strings and numbers, and equality.

internal import CSystem
internal import RoutableCore
internal import RoutableJSON

extension SchemaCheck {
    // MARK: Texts

    @inline(never)
    mutating func hasLength(_ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView) -> Bool {
        let count = UTF8Check.characterCount(self.text(of: value))
        steps &-= count >> 3
        if count < Int(instruction.pointee.low) { return refuse(instruction, value, .minLength) }
        return count <= Int(instruction.pointee.high) || refuse(instruction, value, .maxLength)
    }

    mutating func hasFormat(_ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView) -> Bool {
        let text = text(of: value)
        steps &-= text.count >> 3
        guard let format = SchemaFormat(rawValue: UInt8(truncatingIfNeeded: instruction.pointee.a)) else { return true }
        return (value.isPlain || UTF8Check.isValid(text)) && format.accepts(text) || refuse(instruction, value)
    }

    /// Whether a pattern matches.  A match that exceeds 5,000 steps is repeated with the full limit, if the check has enough steps left.
    @inline(never)
    mutating func matches(_ pattern: TextPattern, _ text: UnsafeRawBufferPointer) -> Bool {
        steps &-= 4 &+ text.count >> 3
        switch pattern.matches(text, limit: 5_000) {
        case .matches: return true
        case .differs: return false
        case .limitReached: break
        }
        // The maximum for one match counts as a sixteenth of the steps of a check.
        steps &-= Self.stepLimit >> 4
        if steps < 0 || text.count > Limits.patternSubjectBytes { return stop(.pattern) }
        switch pattern.matches(text, limit: Pattern.matchLimit) {
        case .matches: return true
        case .differs: return false
        case .limitReached: return stop(.pattern)
        }
    }

    // MARK: Numbers

    @inline(never)
    mutating func isInRange(
        _ instruction: UnsafeMutablePointer<SchemaInstruction>, _ range: UnsafeMutablePointer<NumberRange>,
        _ value: JSONView
    ) -> Bool {
        let refused: SchemaKeyword?
        switch value.kind {
        case .integer: refused = range.pointee.refuses(value.integer)
        case .real:
            // A bound with more digits than a double has may differ from the double that it is read as.
            let real = value.real
            let isClose = real == range.pointee.low.value || real == range.pointee.high.value
            refused = isClose ? Self.withDigits(value) { range.pointee.refuses($0, pool) } : range.pointee.refuses(real)
        default:
            let digits = value.source
            steps &-= digits.count >> 3
            refused = range.pointee.refuses(digits, pool)
        }
        guard let refused else { return true }
        return refuse(instruction, value, refused)
    }

    @inline(never)
    mutating func isMultiple(_ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView) -> Bool {
        let divisor = UnsafeRawBufferPointer(
            start: pool + Int(UInt32(bitPattern: instruction.pointee.a)), count: Int(instruction.pointee.b))
        if value.kind == .integer, let whole = Decimal.parse(divisor), whole > 0 {
            return value.integer % whole == 0 || refuse(instruction, value)
        }
        var left = steps
        let result = Self.withDigits(value) { DecimalNumber($0).isMultiple(of: DecimalNumber(divisor), &left) }
        steps = left
        guard let result else { return stop(.steps) }
        return result || refuse(instruction, value)
    }

    /// The digits of a number: those of the text for a number that no machine type can represent, otherwise the shortest ones.
    @inline(never)
    static func withDigits<Result>(_ value: JSONView, _ use: (UnsafeRawBufferPointer) -> Result) -> Result {
        if value.kind == .wideNumber { return use(value.source) }
        return withUnsafeTemporaryAllocation(byteCount: 40, alignment: 1) { buffer -> Result in
            let text = UnsafeRawBufferPointer(buffer).baseAddress.map { start -> Int in
                let text = UnsafeMutableRawPointer(mutating: start)
                if value.kind == .real { return csystem_print_double(value.real, text.assumingMemoryBound(to: CChar.self), 40) }
                return Decimal.print(value.integer, text.assumingMemoryBound(to: UInt8.self))
            }
            return use(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<(text ?? 0)]))
        }
    }

    // MARK: Equality

    /// Whether two values are equal as in JSON Schema: numbers by value, objects in any order.
    mutating func isEqual(_ one: JSONView, _ two: JSONView, _ depth: Int) -> Bool {
        // proof: the recursion ends at the maximum nesting of strings, and each value is a step.
        steps &-= 1
        if depth > Limits.jsonDepth || steps < 0 { return stop(steps < 0 ? .steps : .depth) }
        switch (one.kind, two.kind) {
        case (.array, .array):
            guard one.count == two.count else { return false }
            var elements = one.elements, others = two.elements
            while let element = elements.read(), let other = others.read() {
                guard isEqual(element, other, depth &+ 1) else { return false }
            }
            return true
        case (.object, .object):
            guard one.count == two.count else { return false }
            let index = two.count > 16 ? JSONIndex(two) : nil
            var members = one.members
            while let (name, value) = members.read() {
                let twin = index.map { $0.member(name) } ?? two.member(name)
                guard let twin, isEqual(value, twin, depth &+ 1) else { return false }
            }
            return true
        case (.wideNumber, .integer), (.integer, .wideNumber): return false
        case (.wideNumber, _), (_, .wideNumber):
            if one.kind == .wideNumber && two.kind == .wideNumber {
                let (left, right) = (one.source, two.source)
                steps &-= (left.count &+ right.count) >> 3
                return DecimalNumber(left).order(DecimalNumber(right)) == 0
            }
            guard one.kind == .real || two.kind == .real else { return false }
            return Self.withDigits(one) { left in Self.withDigits(two) { DecimalNumber(left).order(DecimalNumber($0)) == 0 } }
        case (.null, .null): return true
        case (.boolean, .boolean): return one.boolean == two.boolean
        case (.integer, .integer): return one.integer == two.integer
        case (.integer, .real): return Int64(exactly: two.real) == one.integer
        case (.real, .integer): return Int64(exactly: one.real) == two.integer
        case (.real, .real): return one.real == two.real
        case (.text, .text):
            if one.isPlain && two.isPlain { return one.plainText.elementsEqual(two.plainText) }
            return one.content == two.content
        default: return false
        }
    }

    /// Compares all pairs of few elements; many elements are compared by a hash.
    mutating func hasUniqueItems(_ instruction: UnsafeMutablePointer<SchemaInstruction>, _ value: JSONView) -> Bool {
        let count = value.count
        if count < 2 { return true }
        steps &-= count
        if steps < 0 { return stop(.steps) }
        var views: [JSONView] = []
        views.reserveCapacity(count)
        var elements = value.elements
        while let element = elements.read() { views.append(element) }
        guard count > 12 else {
            for index in 1..<count {
                for other in 0..<index where isEqual(views[index], views[other], 0) {
                    return explains ? twins(instruction, other, index) : false
                }
                if halt != .none { return false }
            }
            return true
        }
        // Each used slot has 32 bits of a hash and, in the low bits, the number of the element, from 1.
        guard count < 1 << 32 else { return stop(.steps) }
        let mask = 1 &<< (Int.bitWidth &- count.leadingZeroBitCount &+ 1) &- 1
        var table = [UInt64](repeating: 0, count: mask &+ 1)
        for index in 0..<count {
            let key = hash(views[index], 0)
            var place = Int(truncatingIfNeeded: key) & mask
            while table[place] != 0 {
                steps &-= 1
                let other = Int(table[place] & 0xFFFF_FFFF) &- 1
                if (table[place] ^ key) >> 32 == 0 && isEqual(views[index], views[other], 0) {
                    return explains ? twins(instruction, other, index) : false
                }
                if halt != .none || steps < 0 { return stop(.steps) }
                place = (place &+ 1) & mask
            }
            table[place] = key & ~0xFFFF_FFFF | UInt64(index &+ 1)
        }
        return steps < 0 ? stop(.steps) : true
    }

    /// A hash that is equal for equal values, independently of the order of members and the spelling of numbers.
    mutating func hash(_ value: JSONView, _ depth: Int) -> UInt64 {
        // proof: the recursion ends at 8 levels; the comparison of equality continues deeper.
        steps &-= 1
        var result: UInt64
        switch value.kind {
        case .null: result = 1
        case .boolean: result = value.boolean ? 2 : 3
        case .integer: result = UInt64(bitPattern: value.integer) ^ 4
        case .real, .wideNumber:
            // A real can be equal to an integer, and beyond 64 bits to a wide number: both have the same hash then.
            let real = value.real
            if value.kind == .real, let whole = Int64(exactly: real) {
                result = UInt64(bitPattern: whole) ^ 4
            } else if value.kind == .real && abs(real) < 0x1p63 {
                result = real.bitPattern ^ 4
            } else {
                result = Self.withDigits(value) { digits in
                    DecimalNumber(digits).hash
                }
                steps &-= value.source.count >> 3
            }
        case .text:
            result = 5
            let text = text(of: value)
            for byte in text { result = (result ^ UInt64(byte)) &* 0x100_0000_01B3 }
            steps &-= text.count >> 3
        case .array:
            result = 6
            var elements = value.elements
            while depth < 8, steps > 0, let element = elements.read() {
                result = (result ^ hash(element, depth &+ 1)) &* 0x9E37_79B9_7F4A_7C15
            }
        case .object:
            result = 7
            var members = value.members
            while depth < 8, steps > 0, let (name, member) = members.read() {
                var one: UInt64 = 8
                for byte in name { one = (one ^ UInt64(byte)) &* 0x100_0000_01B3 }
                result = result &+ (one ^ hash(member, depth &+ 1)) &* 0x9E37_79B9_7F4A_7C15
            }
        }
        result = (result ^ result >> 29) &* 0xBF58_476D_1CE4_E5B9
        return result ^ result >> 32
    }
}

extension UnsafeRawBufferPointer {
    /// The value of the digits; infinite if it is too large for a double.
    var number: Double { JSONNumber.value(self) }
}
