// Writes JSON, the same bytes on every run: as few escapes as possible, the shortest numbers, no white space.

package import RoutableCore

/// Writes one JSON document from left to right, and inserts the commas.  Each inlined append of a byte would take 60 bytes of code.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package var text: Bytes { Bytes(bytes) }

    // The last byte shows whether a value precedes: a string ends with `"`, never with one of the bytes of `startsWithComma`.
    private mutating func separate() {
        if startsWithComma { bytes.append(UInt8(ascii: ",")) }
    }

    /// Whether the next value or key is preceded by a comma.
    var startsWithComma: Bool {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): false
        default: true
        }
    }

    /// Removes the bytes after the first `count` bytes.
    mutating func truncate(to count: Int) { bytes.removeLast(max(bytes.count &- count, 0)) }

    @inline(never) package mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(truncatingIfNeeded: bracket.value))
    }

    @inline(never) package mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(truncatingIfNeeded: bracket.value))
    }

    package mutating func key(of name: Bytes) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a key that needs no escape.
    @inline(never) package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: name.bytes)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    package mutating func key(of name: UnsafeRawBufferPointer) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes JSON text without changes.
    @inline(never) package mutating func raw(_ json: Bytes) {
        separate()
        bytes.append(contentsOf: json.storage)
    }

    package mutating func integer(_ number: Int64) {
        separate()
        Decimal.append(number, to: &bytes)
    }

    /// Writes the shortest form, with `.0` for integers; returns false for a number that is not finite, which JSON cannot represent.
    package mutating func real(_ number: Double) -> Bool {
        guard let text = RealText.shortest(number) else { return false }
        raw(text)
        return true
    }

    package mutating func boolean(_ truth: Bool) { raw(truth ? "true" : "false") }

    package mutating func null() { raw("null") }

    @inline(never) package mutating func string(_ text: Bytes) {
        text.storage.withUnsafeBytes { string($0) }
    }

    /// Writes valid UTF-8 in double quotes.
    package mutating func string(_ text: UnsafeRawBufferPointer) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<index]))
                escape(byte)
                start = index &+ 1
            }
            index &+= 1
        }
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<index]))
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x00..<0x20:
            bytes.append(contentsOf: Bytes("u00").storage)
            bytes.append(ASCII.hexDigit(byte >> 4))
            bytes.append(ASCII.hexDigit(byte))
        default: bytes.append(byte)
        }
    }
}

// MARK: - Values

extension JSONWriter {
    /// Writes any value.
    ///
    /// - Throws: `value` for a value that JSON cannot represent (J2), `limit` for nesting.
    package mutating func value(_ value: Value, depth: Int = 0) throws(Failure) {
        // proof: the depth of the recursion is limited by the nesting.
        switch value {
        case .null: null()
        case .boolean(let truth): boolean(truth)
        case .integer(let number): integer(number)
        case .real(let number):
            if !real(number) { throw Failure(.value, "JSON has no infinity and no NaN") }
        case .number(let digits):
            guard digits.storage.withUnsafeBytes({ ScalarText.isNumber($0) }) else {
                throw Failure(.value, "\"\(digits.printable)\" is not a JSON number")
            }
            raw(digits)
        case .text(let text):
            guard UTF8Check.isValid(text) else { throw Failure(.value, "a string that is not UTF-8 cannot be JSON") }
            string(text)
        case .array(let elements):
            try Self.check(depth)
            open("[")
            var index = 0
            for element in elements {
                do { try self.value(element, depth: depth &+ 1) } catch { throw error.below("\(index)") }
                index &+= 1
            }
            close("]")
        case .object(let members):
            try Self.check(depth)
            open("{")
            for member in members {
                guard UTF8Check.isValid(member.name) else {
                    throw Failure(.value, "a key that is not UTF-8 cannot be JSON")
                }
                key(of: member.name)
                do { try self.value(member.value, depth: depth &+ 1) } catch { throw error.below(member.name) }
            }
            close("}")
        }
    }

    private static func check(_ depth: Int) throws(Failure) {
        if depth >= Limits.jsonDepth {
            throw Failure(.limit, "the JSON nests deeper than \(Limits.jsonDepth) levels")
        }
    }
}

extension Failure {
    /// This failure relative to the parent value: `token` is prepended to its pointer.
    package func below(_ token: Bytes) -> Failure {
        with {
            var pointer = JSONPointer.appending(token, to: "")
            if let rest = $0.pointer { pointer.append(rest) }
            $0.pointer = pointer
        }
    }
}
