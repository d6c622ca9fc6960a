// Parses WWW-Authenticate (RFC 9110 section 11.6.1): schemes and their parameters.

package import RoutableCore

package enum ChallengeHeader {
    /// The value of a parameter of the first challenge of a scheme; if `parameter` is nil, the single token that some schemes have, or an
    /// empty string.  nil if there is none.  Several headers are joined by commas.
    package static func find(_ scheme: Bytes, _ parameter: Bytes?, in text: UnsafeRawBufferPointer) -> Bytes? {
        var reader = Reader(text: text)
        var isIt = false
        while reader.skip(commas: true) {
            let word = reader.run(ASCII.isToken)
            if word.isEmpty { return nil }
            _ = reader.skip(commas: false)
            if reader.takesEqual() {
                let value = reader.value()
                if isIt, let parameter, Bytes(word).equalsIgnoringCase(parameter) { return value }
                continue
            }
            if isIt { return nil }  // another challenge begins
            isIt = Bytes(word).equalsIgnoringCase(scheme)
            let single = reader.single()
            if isIt, parameter == nil { return single }
        }
        return nil
    }

    private struct Reader {
        let text: UnsafeRawBufferPointer
        private var index = 0

        init(text: UnsafeRawBufferPointer) { self.text = text }

        private var byte: UInt8? { index < text.count ? text[index] : nil }

        /// Returns false at the end.
        mutating func skip(commas: Bool) -> Bool {
            while let next = byte, next == 0x20 || next == 0x09 || commas && next == UInt8(ascii: ",") { index &+= 1 }
            return byte != nil
        }

        mutating func run(_ isPart: (UInt8) -> Bool) -> UnsafeRawBufferPointer {
            let start = index
            while let next = byte, isPart(next) { index &+= 1 }
            return UnsafeRawBufferPointer(rebasing: text[start..<index])
        }

        mutating func takesEqual() -> Bool {
            guard byte == UInt8(ascii: "=") else { return false }
            index &+= 1
            _ = skip(commas: false)
            return true
        }

        /// A token or a quoted string; a quoted string may end at the end of the text.
        mutating func value() -> Bytes {
            guard byte == UInt8(ascii: "\"") else { return Bytes(run(ASCII.isToken)) }
            var result = Bytes()
            index &+= 1
            while let next = byte {
                index &+= 1
                if next == UInt8(ascii: "\"") { break }
                if next == UInt8(ascii: "\\"), let escaped = byte {
                    result.append(escaped)
                    index &+= 1
                } else {
                    result.append(next)
                }
            }
            return result
        }

        /// A single token after a scheme (token68); empty if there is none.
        mutating func single() -> Bytes {
            let start = index
            let isPart = { (byte: UInt8) in ASCII.isToken(byte) || byte == UInt8(ascii: "/") }
            _ = run(isPart)
            _ = run { $0 == UInt8(ascii: "=") }
            let end = index
            _ = skip(commas: false)
            if byte == nil || byte == UInt8(ascii: ",") { return Bytes(UnsafeRawBufferPointer(rebasing: text[start..<end])) }
            index = start
            return Bytes()
        }
    }
}
