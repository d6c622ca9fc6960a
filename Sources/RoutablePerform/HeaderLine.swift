// One line of a response's head, read without trusting it.

import RoutableCore

/// What a line is.
enum HeaderLine: Sendable {
    /// `HTTP/1.1 200 OK`
    case status(Int32)
    case field(HeaderField)
    /// The value of the line before goes on, as HTTP once allowed (RFC 9112 section 5.2).
    case continuation(Bytes)
    /// The end of the head.
    case blank
    /// Nothing that HTTP knows.
    case junk

    init(_ line: UnsafeRawBufferPointer) {
        var end = line.count
        while end > 0, line[end &- 1] == 0x0A || line[end &- 1] == 0x0D { end &-= 1 }
        let text = UnsafeRawBufferPointer(rebasing: line[..<end])
        if text.isEmpty {
            self = .blank
        } else if let status = Self.status(text) {
            self = .status(status)
        } else if text[0] == 0x20 || text[0] == 0x09 {
            self = .continuation(Self.value(text[...]))
        } else {
            self = Self.field(text)
        }
    }

    private static func status(_ line: UnsafeRawBufferPointer) -> Int32? {
        guard line.starts(with: [0x48, 0x54, 0x54, 0x50, 0x2F]) else { return nil }  // HTTP/
        guard let space = line.firstIndex(of: 0x20), line.count &- space >= 4 else { return nil }
        if line.count &- space > 4, line[space &+ 4] != 0x20 { return nil }
        var status: Int32 = 0
        for byte in line[(space &+ 1)..<(space &+ 4)] {
            guard ASCII.isDigit(byte) else { return nil }
            status = status &* 10 &+ Int32(byte &- 0x30)
        }
        return status >= 100 ? status : nil
    }

    private static func field(_ line: UnsafeRawBufferPointer) -> HeaderLine {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return .junk }
        let name = Bytes(UnsafeRawBufferPointer(rebasing: line[..<colon]))
        guard HeaderField.isValidName(name) else { return .junk }
        return .field(HeaderField(name, value(line[(colon &+ 1)...])))
    }

    /// Without the white space around it; control bytes become spaces (RFC 9110 section 5.5).
    private static func value(_ text: Slice<UnsafeRawBufferPointer>) -> Bytes {
        var start = text.startIndex
        var end = text.endIndex
        while start < end, text[start] == 0x20 || text[start] == 0x09 { start &+= 1 }
        while start < end, text[end &- 1] == 0x20 || text[end &- 1] == 0x09 { end &-= 1 }
        var value = Bytes(UnsafeRawBufferPointer(rebasing: text[start..<end]))
        if !HeaderField.isValidValue(value) {
            value = Bytes(value.storage.map { ASCII.isControl($0) && $0 != 0x09 ? 0x20 : $0 })
        }
        return value
    }
}
