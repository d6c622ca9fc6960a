// Parses the lines of a response head that are not fields; ResponseHead parses the fields.

import RoutableCore

/// The kind of a line; ranges refer to its bytes.
enum HeaderLine: Equatable {
    /// `HTTP/1.1 200 OK`
    case status(Int32)
    /// Continues the value of the previous line, which is obsolete (RFC 9112 section 5.2).
    case continuation(Range<Int>)
    /// The end of the head.
    case blank
    /// A field, or a line that is not valid.
    case junk

    @_optimize(speed)
    init(_ line: UnsafeRawBufferPointer) {
        var end = line.count
        while end > 0, line[end &- 1] == 0x0A || line[end &- 1] == 0x0D { end &-= 1 }
        if end == 0 {
            self = .blank
        } else if let status = Self.status(line, end) {
            self = .status(status)
        } else if Self.isBlank(line[0]) {
            self = .continuation(Self.trimmed(line, 0, end))
        } else {
            self = .junk
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    @_optimize(speed)
    private static func status(_ line: UnsafeRawBufferPointer, _ end: Int) -> Int32? {
        // HTTP/
        guard end > 5, line[0] == 0x48, line[1] == 0x54, line[2] == 0x54, line[3] == 0x50, line[4] == 0x2F else {
            return nil
        }
        var digit = 5
        while digit < end, line[digit] != 0x20 { digit &+= 1 }
        digit &+= 1
        guard end &- digit >= 3 else { return nil }
        if end &- digit > 3, line[digit &+ 3] != 0x20 { return nil }
        var status: Int32 = 0
        let last = digit &+ 3
        while digit < last {
            guard ASCII.isDigit(line[digit]) else { return nil }
            status = status &* 10 &+ Int32(line[digit] &- 0x30)
            digit &+= 1
        }
        return status >= 100 ? status : nil
    }

    @_optimize(speed)
    private static func trimmed(_ line: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Range<Int> {
        var start = start
        var end = end
        while start < end, isBlank(line[start]) { start &+= 1 }
        while start < end, isBlank(line[end &- 1]) { end &-= 1 }
        return Range(uncheckedBounds: (start, max(start, end)))
    }
}
