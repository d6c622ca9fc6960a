// Bounds and multiples of numbers, exact for integers of 64 bits, for doubles, and for digits beyond both.

internal import CSystem
internal import RoutableCore

/// A lower and an upper bound, worked out for each way in which a number comes.
struct NumberRange {
    struct Bound {
        var keyword = SchemaKeyword.none
        /// As a double; infinite when its digits are beyond one.
        var value: Double
        var excludes = false
        /// Its digits in the pool, for numbers beyond a double's digits.
        var offset: UInt32 = 0
        var length: UInt32 = 0
    }

    /// The integers of 64 bits that are allowed; none when the first is above the last.
    var first = Int64.min
    var last = Int64.max
    var low = Bound(value: -.infinity)
    var high = Bound(value: .infinity)

    /// What keeps a double out.
    func refuses(_ number: Double) -> SchemaKeyword? {
        // Whole ones of 64 bits are held against the integers, where no digit is lost.
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

    /// What keeps out a number that is neither, given by its digits.
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

    /// Adds a bound that is not there yet.
    mutating func setLow(_ bound: Bound, isInteger: Int64?) {
        low = bound
        if let whole = isInteger {
            first = whole
            if bound.excludes { if whole == .max { last = .min } else { first = whole &+ 1 } }
        } else {
            first = Self.ceiling(bound.value)
            // At or above 2^63 no integer of 64 bits is left.
            if bound.value >= 0x1p63 {
                first = .max
                last = .min
            } else if bound.excludes, let whole = Int64(exactly: bound.value) {
                first = whole &+ 1  // proof: a double below 2^63 is at most 2^63 - 1024.
            }
        }
    }

    mutating func setHigh(_ bound: Bound, isInteger: Int64?) {
        high = bound
        let none = last == .min && first == .max
        if let whole = isInteger {
            last = whole
            if bound.excludes { if whole == .min { first = .max } else { last = whole &- 1 } }
        } else {
            last = Self.floor(bound.value)
            if bound.value < -0x1p63 {
                last = .min
                first = .max
            } else if bound.excludes, let whole = Int64(exactly: bound.value) {
                if whole == .min { first = .max } else { last = whole &- 1 }
            }
        }
        if none { (first, last) = (.max, .min) }
    }

    private static func ceiling(_ number: Double) -> Int64 {
        number <= -0x1p63 ? .min : number >= 0x1p63 ? .max : Int64(number.rounded(.up))
    }

    private static func floor(_ number: Double) -> Int64 {
        number < -0x1p63 ? .min : number >= 0x1p63 ? .max : Int64(number.rounded(.down))
    }
}

/// A number by its digits, for those that no machine number holds.
struct DecimalNumber {
    private let text: UnsafeRawBufferPointer
    private let isNegative: Bool
    /// The significant digits, without the point: their range in the text.
    private let digits: Range<Int>
    /// The number is 0.d1d2d3... times ten to this.
    private let exponent: Int

    /// From a text of JSON's grammar.
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

    /// Below 0, 0, above 0.
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

    private func next(_ index: inout Int) -> UInt8 {
        while index < digits.upperBound {
            let byte = text[index]
            index &+= 1
            if byte != UInt8(ascii: ".") { return byte }
        }
        return UInt8(ascii: "0")
    }

    /// The significant digits as a number, with the power of ten that they are times; nil beyond 18 of them.
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

    /// Whether this is a whole multiple, as the digits say and not as binary fractions do; nil when they are too many.
    func isMultiple(of other: DecimalNumber) -> Bool? {
        guard let mine = mantissa, let theirs = other.mantissa, theirs.value > 0 else { return nil }
        if mine.value == 0 { return true }
        var (dividend, divisor) = (mine.value, theirs.value)
        var shift = mine.power &- theirs.power
        if shift < 0 {
            // The divisor gets zeros, or the dividend loses them.
            while shift < 0 && dividend % 10 == 0 {
                dividend /= 10
                shift &+= 1
            }
            while shift < 0 {
                let (product, overflow) = divisor.multipliedReportingOverflow(by: 10)
                if overflow { return false }
                divisor = product
                shift &+= 1
            }
            return dividend % divisor == 0
        }
        // dividend * 10^shift mod divisor; the powers of 2 and 5 in a divisor below 10^18 are used up within 64.
        var rest = dividend % divisor
        var step = 0
        while step < min(shift, 64) && rest != 0 {
            let (high, low) = rest.multipliedFullWidth(by: 10)
            rest = divisor.dividingFullWidth((high, low)).remainder  // proof: rest < divisor, so high < divisor.
            step &+= 1
        }
        return rest == 0
    }
}
