// Parses the Link header (RFC 8288 section 3, appendix B.2); ignores the rest of a header after a syntax error.

package import RoutableCore

package enum LinkHeader {
    /// The target of the first link with a relation.  A link with an anchor is ignored, because its context is another resource.
    package static func target(_ relation: Bytes, _ headers: HeaderBlock) -> Bytes? {
        var index = 0
        while index < headers.count {
            if headers.name(index).isName("link"), let target = target(relation, in: headers.value(index)) {
                return Bytes(target)
            }
            index &+= 1
        }
        return nil
    }

    /// The same for one header value; the result is a slice of the value.
    package static func target(_ relation: Bytes, in value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var reader = Reader(text: value)
        while reader.skipToLink() {
            guard let target = reader.target() else { return nil }
            var isIt: Bool?
            var hasAnchor = false
            while let (name, text) = reader.parameter() {
                // If there are several rel parameters, the first one is valid (section 3.3).
                if name.isName("rel"), isIt == nil { isIt = text.split(on: 0x20).contains { $0.equalsIgnoringCase(relation) } }
                if name.isName("anchor") { hasAnchor = true }
            }
            if isIt == true, !hasAnchor { return target }
        }
        return nil
    }

    private struct Reader {
        let text: UnsafeRawBufferPointer
        private var index = 0

        init(text: UnsafeRawBufferPointer) { self.text = text }

        private var byte: UInt8? { index < text.count ? text[index] : nil }

        private mutating func skipSpace() {
            while byte == 0x20 || byte == 0x09 { index &+= 1 }
        }

        /// Returns false at the end.
        mutating func skipToLink() -> Bool {
            while byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: ",") { index &+= 1 }
            return byte != nil
        }

        /// The string in angle brackets; nil if there is none.
        mutating func target() -> UnsafeRawBufferPointer? {
            guard byte == UInt8(ascii: "<") else { return nil }
            let start = index &+ 1
            while let next = byte, next != UInt8(ascii: ">") { index &+= 1 }
            guard byte != nil else { return nil }
            defer { index &+= 1 }
            return UnsafeRawBufferPointer(rebasing: text[start..<index])
        }

        /// The next parameter of the link; nil after the last one, with the position after the link.
        mutating func parameter() -> (name: UnsafeRawBufferPointer, text: Bytes)? {
            skipSpace()
            while byte == UInt8(ascii: ";") {
                index &+= 1
                skipSpace()
                let start = index
                while let next = byte, ![0x20, 0x09, 0x22, 0x2C, 0x3B, 0x3D].contains(next) { index &+= 1 }
                let name = UnsafeRawBufferPointer(rebasing: text[start..<index])
                skipSpace()
                var value = Bytes()
                if byte == UInt8(ascii: "=") {
                    index &+= 1
                    skipSpace()
                    value = byte == UInt8(ascii: "\"") ? quoted() : token()
                }
                if !name.isEmpty { return (name, value) }
                skipSpace()
            }
            // Skips bytes that no grammar allows, up to the next link.
            while let next = byte, next != UInt8(ascii: ",") {
                if next == UInt8(ascii: "\"") { _ = quoted() } else { index &+= 1 }
            }
            return nil
        }

        private mutating func token() -> Bytes {
            let start = index
            while let next = byte, ![0x20, 0x09, 0x2C, 0x3B].contains(next) { index &+= 1 }
            return Bytes(UnsafeRawBufferPointer(rebasing: text[start..<index]))
        }

        /// A quoted string; it may end at the end of the header.
        private mutating func quoted() -> Bytes {
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
    }
}
