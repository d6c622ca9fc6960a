// The Retry-After header (RFC 9110 section 10.2.3): seconds, or a date in one of HTTP's three forms.

import RoutableCore

enum RetryAfter: Equatable {
    case seconds(Int64)
    /// Seconds since the start of 1970.
    case date(Int64)

    /// nil for anything else.
    init?(_ text: UnsafeRawBufferPointer) {
        if let first = text.first, ASCII.isDigit(first) {
            guard text.allSatisfy(ASCII.isDigit) else { return nil }
            self = .seconds(Decimal.parse(text) ?? .max)  // a number that exceeds an integer is longer than any limit
        } else if let date = HTTPDate.seconds(text) {
            self = .date(date)
        } else {
            return nil
        }
    }
}

/// Dates of HTTP (RFC 9110 section 5.6.7).
enum HTTPDate {
    /// Seconds since the start of 1970; nil if the string is not a date.
    static func seconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        var words = Words(text)
        guard words.name() != nil else { return nil }  // the day of the week is redundant
        let year: Int64
        let month: Int64
        let day: Int64
        if let first = words.number() {  // Sun, 06 Nov 1994 08:49:37 GMT, or Sunday, 06-Nov-94 08:49:37 GMT
            guard let name = words.name(), let number = Self.month(name), var given = words.number() else { return nil }
            if given < 100 { given = given &+ (given < 70 ? 2000 : 1900) }
            (day, month, year) = (first, number, given)
        } else {  // Sun Nov  6 08:49:37 1994
            guard let name = words.name(), let number = Self.month(name), let first = words.number(),
                let clock = words.clock(), let given = words.number()
            else { return nil }
            return seconds(given, number, first, clock)
        }
        guard let clock = words.clock() else { return nil }
        return seconds(year, month, day, clock)
    }

    private static func month(_ name: UnsafeRawBufferPointer) -> Int64? {
        let names: [StaticString] = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        return names.firstIndex { name.isName($0) }.map { Int64($0 &+ 1) }
    }

    /// Seconds since the start of 1970, by the civil calendar, for the years from 1970 to 9999.
    private static func seconds(_ year: Int64, _ month: Int64, _ day: Int64, _ clock: Int64) -> Int64? {
        guard year >= 1970, year <= 9999, day >= 1, day <= 31 else { return nil }
        // The years begin in March, so that the leap day is the last day.
        let shifted = month > 2 ? year : year &- 1
        let monthFromMarch = (month &+ 9) % 12
        let dayOfYear = (153 &* monthFromMarch &+ 2) / 5 &+ day &- 1
        let days = shifted &* 365 &+ shifted / 4 &- shifted / 100 &+ shifted / 400 &+ dayOfYear &- 719_468
        return days &* 86400 &+ clock
    }

    /// The names and numbers in a string, with any separators between them.
    private struct Words {
        private let text: UnsafeRawBufferPointer
        private var place = 0

        init(_ text: UnsafeRawBufferPointer) { self.text = text }

        private mutating func skip() {
            while place < text.count, [0x20, 0x2C, 0x2D].contains(text[place]) { place &+= 1 }
        }

        private mutating func run(_ belongs: (UInt8) -> Bool) -> UnsafeRawBufferPointer? {
            skip()
            let start = place
            while place < text.count, belongs(text[place]) { place &+= 1 }
            return place > start ? UnsafeRawBufferPointer(rebasing: text[start..<place]) : nil
        }

        mutating func name() -> UnsafeRawBufferPointer? { run { ASCII.lowercased($0) >= 0x61 && ASCII.lowercased($0) <= 0x7A } }

        mutating func number() -> Int64? {
            guard let digits = run(ASCII.isDigit), digits.count <= 4 else { return nil }
            return Decimal.parse(digits)
        }

        /// `08:49:37` as seconds of the day; 60 is a leap second.
        mutating func clock() -> Int64? {
            guard let clock = run({ ASCII.isDigit($0) || $0 == 0x3A }), clock.count == 8, clock[2] == 0x3A, clock[5] == 0x3A,
                let hour = Decimal.parse(UnsafeRawBufferPointer(rebasing: clock[0..<2])),
                let minute = Decimal.parse(UnsafeRawBufferPointer(rebasing: clock[3..<5])),
                let second = Decimal.parse(UnsafeRawBufferPointer(rebasing: clock[6..<8])),
                hour < 24, minute < 60, second <= 60
            else { return nil }
            return hour &* 3600 &+ minute &* 60 &+ second
        }
    }
}
