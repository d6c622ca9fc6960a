// The beginning of the body of a response, for the message of a failure: one line of limited length, without the secrets of the
// request, which services repeat in their errors.

import RoutableCore

extension Response {
    /// `: ` and the beginning of the body; empty if there is no body or if the body is not text.
    func excerpt(_ sent: SentContent?, _ schemes: [AuthScheme]) -> Bytes {
        if body.count == 0 { return Bytes() }
        var secrets = sent?.secrets() ?? []
        let query = url.bytes.query
        for scheme in schemes where scheme.kind == .key && scheme.location == .query {
            SentContent.addValues(of: query, named: scheme.parameter, to: &secrets)
        }
        let shown = body.excerpt(hiding: secrets)
        return shown.isEmpty ? shown : ": \(shown)"
    }
}

extension Text {
    private static var maximumBytes: Int { 2048 }
    private static var maximumCharacters: Int { 200 }
    /// A shorter string is not hidden, because it may be a part of a word.
    private static var minimumSecret: Int { 4 }

    /// The first characters, with `***` for each secret, and one space for each sequence of control characters and blanks.
    @inline(never) fileprivate func excerpt(hiding secrets: [Bytes]) -> Bytes {
        let isCut = count > Self.maximumBytes
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<min(count, Self.maximumBytes)])
        defer { withExtendedLifetime(self) {} }
        var result = Bytes()
        var (characters, invalid, index) = (0, 0, 0)
        var isSpace = false
        while index < bytes.count {
            var shown: Bytes
            var width = 0
            for secret in secrets where secret.count >= Self.minimumSecret {
                width = max(width, Self.width(of: secret, bytes, index, isCut: isCut))
            }
            if width > 0 {
                shown = "***"
            } else if case let length = UTF8Check.sequenceLength(bytes, at: index), length > 0 {
                width = length
                shown = Bytes(UnsafeRawBufferPointer(rebasing: bytes[index..<(index &+ length)]))
                if shown.isBlank {
                    if shown.storage.first == 0 { return Bytes() }
                    isSpace = true
                    index &+= length
                    continue
                }
            } else {
                if isCut && index &+ 4 > bytes.count { break }
                // Some services write Latin-1.  A body with more than two invalid bytes is not text.
                invalid &+= 1
                if invalid > 2 { return Bytes() }
                (width, shown) = (1, "?")
            }
            index &+= width
            if isSpace && !result.isEmpty {
                result.append(0x20)
                characters &+= 1
            }
            isSpace = false
            if characters >= Self.maximumCharacters {
                result.append("...")
                return result
            }
            result.append(shown)
            characters &+= 1
        }
        if isCut && !result.isEmpty { result.append("...") }
        return result
    }

    /// The length of the secret at the index, as plain text or in JSON with backslashes; 0 if the secret is not there.  If the bytes are
    /// cut, the secret may continue after their end.
    private static func width(of secret: Bytes, _ bytes: UnsafeRawBufferPointer, _ start: Int, isCut: Bool) -> Int {
        var index = start
        for (place, byte) in secret.storage.enumerated() {
            if index < bytes.count, bytes[index] == UInt8(ascii: "\\"), byte != UInt8(ascii: "\\") { index &+= 1 }
            if index >= bytes.count { return isCut && place > 0 ? bytes.count &- start : 0 }
            if bytes[index] != byte { return 0 }
            index &+= 1
        }
        return index &- start
    }
}

extension Bytes {
    /// Whether a character is a blank, a control character, or one that changes the direction or has no width.
    fileprivate var isBlank: Bool {
        guard let first = storage.first, let last = storage.last else { return true }
        switch (storage.count, first) {
        case (1, _): return first <= 0x20 || first == 0x7F
        case (2, 0xC2): return last <= 0xA0
        case (3, 0xE2):
            let middle = storage[1]  // proof: the character has three bytes.
            return middle == 0x80 && (last >= 0x8B && last <= 0x8F || last >= 0xA8 && last <= 0xAF)
                || middle == 0x81 && last >= 0xA0 && last <= 0xAF
        case (3, 0xEF): return storage == [0xEF, 0xBB, 0xBF]
        default: return false
        }
    }
}
