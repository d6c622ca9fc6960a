// Reads multipart/form-data (RFC 7578): the inverse of Multipart.

/// A part of a body that was received.
package struct ReceivedPart: Sendable {
    package var name: Bytes
    /// nil for a field.
    package var filename: Bytes?
    /// Empty for none.
    package var contentType: Bytes
    /// In the body.
    package var content: Range<Int>
}

/// Reads the parts of a body in one pass.
package struct MultipartReader {
    private let body: UnsafeRawBufferPointer
    /// `\r\n--boundary`.
    private let delimiter: [UInt8]
    private var place = 0

    /// Bytes of the headers of one part.
    private static let headBytes = 16 << 10

    /// The parts of a body, whose Content-Type has the boundary.
    ///
    /// - Throws: `body` for a body that is not multipart/form-data; `memory`.
    package static func parts(_ body: UnsafeRawBufferPointer, _ type: MediaType) throws(Failure) -> [ReceivedPart] {
        // RFC 2046 section 5.1.1.
        guard let boundary = type.parameter("boundary"), (1...70).contains(boundary.count) else {
            throw refusal("the Content-Type has no boundary of 1 to 70 characters")
        }
        var reader = MultipartReader(body, boundary)
        return try reader.read()
    }

    private init(_ body: UnsafeRawBufferPointer, _ boundary: Bytes) {
        self.body = body
        delimiter = Bytes("\r\n--\(boundary)").storage
    }

    private static func refusal(_ reason: Bytes) -> Failure { Failure(.body, "the body is not multipart/form-data: \(reason)") }

    private mutating func read() throws(Failure) -> [ReceivedPart] {
        var parts: [ReceivedPart] = []
        // The first delimiter may be at the start of the body, without a preceding line break.
        if starts(delimiter[2...], at: 0) {
            place = delimiter.count &- 2
        } else {
            place = try end(of: "a first boundary", from: 0)
        }
        while !isLast {
            try Memory.check()
            if !Memory.hasRoom(parts) { throw Memory.failure }
            skipBlanks()
            guard starts([0x0D, 0x0A], at: place) else { throw Self.refusal("a boundary has other characters behind it") }
            place &+= 2
            var part = try head()
            let start = place
            // A part without content: its headers end where the delimiter begins.
            let next =
                starts(delimiter[2...], at: start)
                ? start &+ delimiter.count &- 2 : try end(of: "the boundary of a part", from: start)
            part.content = start..<max(start, next &- delimiter.count)
            parts.append(part)
            place = next
        }
        return parts
    }

    private var isLast: Bool { starts([0x2D, 0x2D], at: place) }

    private mutating func skipBlanks() {
        while place < body.count, body[place] == 0x20 || body[place] == 0x09 { place &+= 1 }
    }

    private func starts(_ bytes: ArraySlice<UInt8>, at start: Int) -> Bool {
        guard bytes.count <= body.count &- start else { return false }
        var index = start
        for byte in bytes {
            if body[index] != byte { return false }
            index &+= 1
        }
        return true
    }

    /// The offset after the next delimiter.
    private func end(of what: Bytes, from start: Int) throws(Failure) -> Int {
        var index = start
        while index < body.count {
            if body[index] == 0x0D, starts(delimiter[...], at: index) { return index &+ delimiter.count }
            index &+= 1
        }
        throw Self.refusal("\(what) is missing")
    }

    // MARK: - The headers of a part

    private mutating func head() throws(Failure) -> ReceivedPart {
        var part = ReceivedPart(name: Bytes(), filename: nil, contentType: Bytes(), content: 0..<0)
        var hasName = false
        let limit = place &+ Self.headBytes
        while true {
            let line = try self.line(limit)
            if line.isEmpty { break }
            guard let colon = line.storage.firstIndex(of: UInt8(ascii: ":")) else {
                throw Self.refusal("a header of a part has no colon")
            }
            let value = Bytes(line.storage[(colon &+ 1)...]).trimmedOfBlanks
            switch Bytes(line.storage[..<colon]).lowercased {
            case "content-disposition":
                try disposition(value, &part)
                hasName = true
            case "content-type":
                guard HeaderField.isValidValue(value) else {
                    throw Self.refusal("the Content-Type of a part has a control character")
                }
                part.contentType = value
            case "content-transfer-encoding":
                if !["7bit", "8bit", "binary"].contains(value.lowercased) {
                    throw Self.refusal("the transfer encoding \"\(value.printable)\" of a part is not supported")
                }
            default: break
            }
        }
        if !hasName { throw Self.refusal("a part has no name") }
        return part
    }

    private mutating func line(_ limit: Int) throws(Failure) -> Bytes {
        let start = place
        while place < body.count, place < limit {
            if starts([0x0D, 0x0A], at: place) {
                place &+= 2
                return Bytes(UnsafeRawBufferPointer(rebasing: body[start..<(place &- 2)]))
            }
            place &+= 1
        }
        throw Self.refusal(
            place >= limit ? "the headers of a part are over \(Self.headBytes) bytes" : "the headers of a part do not end")
    }

    /// `form-data; name="a"; filename="b"`.
    private func disposition(_ value: Bytes, _ part: inout ReceivedPart) throws(Failure) {
        let bytes = value.storage
        var index = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
        guard Bytes(bytes[..<index]).trimmedOfBlanks.isName("form-data") else { throw Self.refusal("a part is no form-data") }
        var name: Bytes?
        while index < bytes.count {
            index &+= 1  // the semicolon
            let equals = bytes[index...].firstIndex(of: UInt8(ascii: "=")) ?? bytes.count
            if equals == bytes.count { break }
            let key = Bytes(bytes[index..<equals]).trimmedOfBlanks.lowercased
            index = equals &+ 1
            let text = try Self.value(bytes, &index)
            if key == "name" {
                if name != nil { throw Self.refusal("a part has two names") }
                name = text
            } else if key == "filename" {
                part.filename = text
            }
        }
        guard let name else { throw Self.refusal("a part has no name") }
        guard UTF8Check.isValid(name), UTF8Check.isValid(part.filename ?? Bytes()) else {
            throw Self.refusal("the name of a part is not UTF-8")
        }
        if Self.hasControl(name) || Self.hasControl(part.filename ?? Bytes()) {
            throw Self.refusal("the name of a part has a control character")
        }
        part.name = name
    }

    /// Except for a tab, and for line breaks, which are escaped.
    private static func hasControl(_ name: Bytes) -> Bool {
        name.storage.contains { ASCII.isControl($0) && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    }

    /// A quoted value, or the bytes up to the next semicolon; `index` is then at the semicolon.
    private static func value(_ bytes: [UInt8], _ index: inout Int) throws(Failure) -> Bytes {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
            let end = bytes[index...].firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
            defer { index = end }
            return unescaped(Bytes(bytes[index..<end]).trimmedOfBlanks)
        }
        var result = Bytes()
        index &+= 1
        while index < bytes.count {
            let byte = bytes[index]
            index &+= 1
            if byte == UInt8(ascii: "\"") {
                var next = index
                while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 { next &+= 1 }
                if next == bytes.count || bytes[next] == UInt8(ascii: ";") {
                    index = next
                    return unescaped(result)
                }
                // Browsers do not write backslashes (WHATWG); after one, a quote is part of the value.
                guard result.storage.last == UInt8(ascii: "\\") else { break }
                result.storage.removeLast()
            }
            result.append(byte)
        }
        throw refusal("a name of a part has no end")
    }

    /// The three bytes that WHATWG escapes.
    private static func unescaped(_ text: Bytes) -> Bytes {
        guard text.storage.contains(UInt8(ascii: "%")) else { return text }
        var result = Bytes()
        var index = 0
        while index < text.count {
            let rest = text.storage[index...]
            if rest.starts(with: [0x25, 0x32, 0x32]) {
                result.append(UInt8(ascii: "\""))
            } else if rest.starts(with: [0x25, 0x30, 0x44]) {
                result.append(UInt8(0x0D))
            } else if rest.starts(with: [0x25, 0x30, 0x41]) {
                result.append(UInt8(0x0A))
            } else {
                result.append(text.storage[index])
                index &+= 1
                continue
            }
            index &+= 3
        }
        return result
    }
}
