// Bounds and multiples of numbers, exact for 64-bit integers, doubles, and numbers of more digits.

internal import CSystem
internal import RoutableCore

/// A lower and an upper bound, for each representation of numbers.
struct NumberRange {
    struct Bound {
        var keyword = SchemaKeyword.none
        /// The bound as a double; infinite if its digits are too large for one.
        var value: Double
        var excludes = false
        /// The digits in the pool, for numbers with more digits than a double.
        var offset: UInt32 = 0
        var length: UInt32 = 0
    }

    /// The integers of 64 bits that are allowed; none if the first is greater than the last.
    var first = Int64.min
    var last = Int64.max
    var low = Bound(value: -.infinity)
    var high = Bound(value: .infinity)

    /// The keyword that refuses a double; nil if it is allowed.
    func refuses(_ number: Double) -> SchemaKeyword? {
        // Whole numbers of 64 bits are compared with the integers, without a loss of digits.
        if let whole = Int64(exactly: number) { return refuses(whole) }
        if low.keyword != .none && (low.excludes ? number <= low.value : number < low.value) { return low.keyword }
        if high.keyword != .none && (high.excludes ? number >= high.value : number > high.value) { return high.keyword }
        return nil
    }

    @inline(__always) func refuses(_ number: Int64) -> SchemaKeyword? {
        if number < first { return low.keyword }
        if number > last { return high.keyword }
        return nil
    }

    /// The keyword that refuses a number that is neither an integer of 64 bits nor a double, given by its digits.
    func refuses(_ digits: UnsafeRawBufferPointer, _ pool: UnsafeRawPointer) -> SchemaKeyword? {
        if low.keyword != .none {
            let order = Self.order(digits, low, pool)
            if order < 0 || order == 0 && low.excludes { return low.keyword }
        }
        if high.keyword != .none {
            let order = Self.order(digits, high, pool)
            if order > 0 || order == 0 && high.excludes { return high.keyword }
        }
        return nil
    }

    private static func order(_ digits: UnsafeRawBufferPointer, _ bound: Bound, _ pool: UnsafeRawPointer) -> Int {
        DecimalNumber(digits).order(
            DecimalNumber(UnsafeRawBufferPointer(start: pool + Int(bound.offset), count: Int(bound.length))))
    }

    /// Sets the lower bound, which must not be set yet; `exact` are the neighbouring integers.
    mutating func setLow(_ bound: Bound, isInteger: Int64?, _ exact: DecimalNumber.Neighbours) {
        low = bound
        if let whole = isInteger {
            first = whole
            if bound.excludes { if whole == .max { last = .min } else { first = whole &+ 1 } }
        } else {
            switch exact.ceiling {
            case .below: first = .min
            case .above: (first, last) = (.max, .min)
            case .at(let whole, let isExact):
                first = whole
                if bound.excludes && isExact { if whole == .max { last = .min } else { first = whole &+ 1 } }
            }
        }
    }

    mutating func setHigh(_ bound: Bound, isInteger: Int64?, _ exact: DecimalNumber.Neighbours) {
        high = bound
        let none = last == .min && first == .max
        if let whole = isInteger {
            last = whole
            if bound.excludes { if whole == .min { first = .max } else { last = whole &- 1 } }
        } else {
            switch exact.floor {
            case .above: last = .max
            case .below: (first, last) = (.max, .min)
            case .at(let whole, let isExact):
                last = whole
                if bound.excludes && isExact { if whole == .min { first = .max } else { last = whole &- 1 } }
            }
        }
        if none { (first, last) = (.max, .min) }
    }
}

/// A number by its digits, for numbers that no machine type can represent.
struct DecimalNumber {
    private let text: UnsafeRawBufferPointer
    private let isNegative: Bool
    /// The significant digits, without the point: their range in the text.
    private let digits: Range<Int>
    /// The number is 0.d1d2d3... times ten to the power of this exponent.
    private let exponent: Int

    /// Creates a number from a string in the number grammar of JSON.
    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
        isNegative = text.first == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        var first = -1
        var end = index
        var point = -1
        var position = 0  // digits before the cursor
        var leading = 0
        var whole = 0
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: ".") {
                point = index
            } else if ASCII.isDigit(byte) {
                if byte != UInt8(ascii: "0") {
                    if first < 0 {
                        first = index
                        leading = position
                    }
                    end = index &+ 1
                }
                position &+= 1
                if point < 0 { whole &+= 1 }
            } else {
                break
            }
            index &+= 1
        }
        var power = 0
        if index < text.count {
            index &+= 1
            let isDown = index < text.count && text[index] == UInt8(ascii: "-")
            while index < text.count {
                if ASCII.isDigit(text[index]) && power < 1 << 40 { power = power &* 10 &+ Int(text[index] &- 0x30) }
                index &+= 1
            }
            if isDown { power = 0 &- power }
        }
        digits = first < 0 ? 0..<0 : first..<end
        exponent = first < 0 ? 0 : whole &- leading &+ power
    }

    /// The order of two numbers: below 0, 0, or above 0.
    func order(_ other: DecimalNumber) -> Int {
        let mine = digits.isEmpty ? 0 : isNegative ? -1 : 1
        let theirs = other.digits.isEmpty ? 0 : other.isNegative ? -1 : 1
        if mine != theirs { return mine < theirs ? -1 : 1 }
        if mine == 0 { return 0 }
        if exponent != other.exponent { return exponent < other.exponent ? 0 &- mine : mine }
        var left = digits.lowerBound
        var right = other.digits.lowerBound
        while left < digits.upperBound || right < other.digits.upperBound {
            let one = next(&left), two = other.next(&right)
            if one != two { return one < two ? 0 &- mine : mine }
        }
        return 0
    }

    /// A hash that is equal for equal numbers, independently of their spelling.
    var hash: UInt64 {
        if digits.isEmpty { return 0 }
        var result = UInt64(bitPattern: Int64(exponent)) ^ (isNegative ? 1 << 63 : 0)
        for index in digits where text[index] != UInt8(ascii: ".") {
            result = (result ^ UInt64(text[index])) &* 0x100_0000_01B3
        }
        return result
    }

    private func next(_ index: inout Int) -> UInt8 {
        while index < digits.upperBound {
            let byte = text[index]
            index &+= 1
            if byte != UInt8(ascii: ".") { return byte }
        }
        return UInt8(ascii: "0")
    }

    /// The significant digits as an integer, with the power of ten by which it is multiplied; nil for more than 18 digits.
    var mantissa: (value: UInt64, power: Int)? {
        var value: UInt64 = 0
        var count = 0
        var index = digits.lowerBound
        while index < digits.upperBound {
            let byte = next(&index)
            count &+= 1
            if count > 18 { return nil }
            value = value &* 10 &+ UInt64(byte &- 0x30)
        }
        return (value, exponent &- count)
    }

    /// The position of a number among the integers of 64 bits.
    enum Neighbour {
        case below, above
        /// The nearest integer in the direction, and whether it is equal to the number.
        case at(Int64, Bool)
    }

    struct Neighbours {
        var floor: Neighbour
        var ceiling: Neighbour
    }

    var neighbours: Neighbours {
        guard let (whole, hasFraction) = wholePart else {
            return isNegative ? Neighbours(floor: .below, ceiling: .below) : Neighbours(floor: .above, ceiling: .above)
        }
        // The integer towards zero, and the next one if there is a fraction.
        let least = UInt64(1) << 63
        if isNegative {
            let near: Neighbour = whole <= least ? .at(Int64(truncatingIfNeeded: 0 &- whole), !hasFraction) : .below
            let isOut = hasFraction ? whole >= least : whole > least
            let far: Neighbour =
                isOut ? .below : .at(Int64(truncatingIfNeeded: 0 &- whole &- (hasFraction ? 1 : 0)), !hasFraction)
            return Neighbours(floor: far, ceiling: near)
        }
        let near: Neighbour = whole < least ? .at(Int64(truncatingIfNeeded: whole), !hasFraction) : .above
        let isOut = hasFraction ? whole >= least &- 1 : whole >= least
        let far: Neighbour = isOut ? .above : .at(Int64(truncatingIfNeeded: whole &+ (hasFraction ? 1 : 0)), !hasFraction)
        return Neighbours(floor: near, ceiling: far)
    }

    /// The digits before the point, as a number; nil if it exceeds 64 bits.
    private var wholePart: (UInt64, hasFraction: Bool)? {
        if digits.isEmpty { return (0, false) }
        if exponent > 20 { return nil }
        var value: UInt64 = 0
        var index = digits.lowerBound
        var place = 0
        while place < exponent {
            let digit = index < digits.upperBound ? next(&index) : UInt8(ascii: "0")
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit &- 0x30))
            if overflow || carry { return nil }
            value = sum
            place &+= 1
        }
        if exponent < 0 { return (value, true) }
        // The last significant digit is not 0, so that further digits are a fraction.
        while index < digits.upperBound && text[index] == UInt8(ascii: ".") { index &+= 1 }
        return (value, index < digits.upperBound)
    }

    /// Whether this is a multiple, computed with the decimal digits and not with binary fractions.
    ///
    /// - Parameter steps: is reduced for numbers of many digits; the result is nil if the steps are used up.
    func isMultiple(of other: DecimalNumber, _ steps: inout Int) -> Bool? {
        if digits.isEmpty { return true }
        if other.digits.isEmpty { return false }
        // Both are integers without trailing zeros, multiplied by powers of ten.
        let significant = significant  // counted once: each time reads all digits
        let shift = (exponent &- significant) &- (other.exponent &- other.significant)
        if shift < 0 { return false }
        if let (divisor, _) = other.mantissa, divisor > 0 {
            steps &-= significant >> 3
            if steps < 0 { return nil }
            var rest: UInt64 = 0
            var index = digits.lowerBound
            var place = 0
            // A divisor below 10^18 has at most 64 factors of 2 and 5, so that further zeros have no effect.
            while place < significant &+ min(shift, 64) {
                let digit = place < significant ? UInt64(next(&index) &- 0x30) : 0
                let (high, low) = rest.multipliedFullWidth(by: 10)
                let (sum, carry) = low.addingReportingOverflow(digit)
                // proof: rest < divisor < 10^18, so the product is below 2^64 * divisor.
                rest = divisor.dividingFullWidth((high &+ (carry ? 1 : 0), sum)).remainder
                place &+= 1
            }
            return rest == 0
        }
        return isMultiple(ofLong: other, shift, &steps)
    }

    /// The number of significant digits.
    private var significant: Int {
        var count = 0
        for index in digits where text[index] != UInt8(ascii: ".") { count &+= 1 }
        return count
    }

    /// Long division, one digit after the other, by a divisor of 32-bit limbs.
    private func isMultiple(ofLong other: DecimalNumber, _ shift: Int, _ steps: inout Int) -> Bool? {
        let count = other.significant
        var divisor: [UInt32] = []
        steps &-= count &* count >> 6
        if steps < 0 { return nil }
        var index = other.digits.lowerBound
        for _ in 0..<count { Self.append(other.next(&index) &- 0x30, to: &divisor) }
        // Each factor 2 or 5 needs at least one bit.
        let zeros = min(shift, divisor.count &* 32)
        let places = significant &+ zeros
        steps &-= places &* divisor.count >> 1
        if steps < 0 { return nil }
        var rest: [UInt32] = []
        index = digits.lowerBound
        for place in 0..<places {
            Self.append(place < significantEnd(zeros, places) ? next(&index) &- 0x30 : 0, to: &rest)
            while !Self.isLess(rest, divisor) { Self.subtract(divisor, from: &rest) }
        }
        return rest.isEmpty
    }

    private func significantEnd(_ zeros: Int, _ places: Int) -> Int { places &- zeros }

    /// Multiplies by ten and adds a digit; the lowest limb is first, and there are no leading zeros.
    private static func append(_ digit: UInt8, to limbs: inout [UInt32]) {
        var carry = UInt64(digit)
        for index in limbs.indices {
            let product = UInt64(limbs[index]) &* 10 &+ carry
            limbs[index] = UInt32(truncatingIfNeeded: product)
            carry = product >> 32
        }
        if carry > 0 { limbs.append(UInt32(truncatingIfNeeded: carry)) }
    }

    private static func isLess(_ one: [UInt32], _ two: [UInt32]) -> Bool {
        if one.count != two.count { return one.count < two.count }
        for index in one.indices.reversed() where one[index] != two[index] { return one[index] < two[index] }
        return false
    }

    /// Subtracts a number that is not greater.
    private static func subtract(_ two: [UInt32], from one: inout [UInt32]) {
        var borrow: Int64 = 0
        for index in one.indices {
            var difference = Int64(one[index]) &- borrow &- (index < two.count ? Int64(two[index]) : 0)
            borrow = difference < 0 ? 1 : 0
            if difference < 0 { difference = difference &+ (1 << 32) }
            one[index] = UInt32(truncatingIfNeeded: difference)
        }
        while one.last == 0 { one.removeLast() }
    }
}
