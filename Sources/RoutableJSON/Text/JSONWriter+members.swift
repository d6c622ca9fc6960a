// Object members that many writers use.

package import RoutableCore

extension JSONWriter {
    package mutating func member(_ name: StaticString, _ text: Bytes) {
        key(name)
        looseString(text)
    }

    /// Writes a member unless the text is empty.
    package mutating func optionalMember(_ name: StaticString, _ text: Bytes) {
        if !text.isEmpty { member(name, text) }
    }

    package mutating func member(_ name: StaticString, _ number: Int) {
        key(name)
        integer(Int64(number))
    }

    /// Writes a string that may not be UTF-8, such as the value of a header: then its bytes are converted from ISO 8859-1, the encoding
    /// that HTTP defines for such bytes (RFC 9110 section 5.5).
    package mutating func looseString(_ text: Bytes) {
        if UTF8Check.isValid(text) { return string(text) }
        var readable = Bytes()
        for byte in text.storage { readable.append(scalar: UInt32(byte)) }
        string(readable)
    }
}

extension Bytes {
    package init(staticText text: StaticString) { self.init(stringLiteral: text) }
}
