// The secrets in the content of a request that was sent, which the message of a failure must not repeat.

/// The content of a request that was sent.  The layer that sends requests subclasses it.
open class SentContent: @unchecked Sendable {
    package init() {}

    /// The secret values as they were sent, and the parts of them that services repeat.
    open func secrets() -> [Bytes] { [] }

    /// Adds the values of headers that contain secrets.
    package static func addValues(of headers: HeaderBlock, _ names: [Bytes], to secrets: inout [Bytes]) {
        for field in headers.fields {
            guard HeaderField.isSecret(field.name) || names.contains(where: { $0.equalsIgnoringCase(field.name) }) else {
                continue
            }
            if field.name.equalsIgnoringCase("Cookie") {
                secrets.append(field.value)
                for pair in field.value.split(on: UInt8(ascii: ";")) { add(pair, after: UInt8(ascii: "="), to: &secrets) }
            } else {
                addParts(of: field.value, to: &secrets)
            }
        }
    }

    /// Adds the value of a header that contains a secret, its token, and the user and the password of a `Basic` credential.
    package static func addParts(of value: Bytes, to secrets: inout [Bytes]) {
        secrets.append(value)
        guard let blank = value.storage.firstIndex(of: 0x20) else { return }
        let rest = Bytes(value.storage[(blank &+ 1)...])
        secrets.append(rest)
        if Bytes(value.storage[..<blank]).equalsIgnoringCase("Basic"), case let pair = Base64.decode(rest), pair.fault == nil {
            secrets.append(pair.bytes)
            add(pair.bytes, after: UInt8(ascii: ":"), to: &secrets)
        }
    }

    /// Adds the values of the items of a query, encoded and decoded.
    ///
    /// - Parameter name: the name of the items; nil for all items.
    package static func addValues(of query: Bytes, named name: Bytes?, to secrets: inout [Bytes]) {
        for item in query.split(on: UInt8(ascii: "&")) {
            guard let equals = item.storage.firstIndex(of: UInt8(ascii: "=")) else { continue }
            if let name, Bytes(item.storage[..<equals]).withDecoded() != name { continue }
            let value = Bytes(item.storage[(equals &+ 1)...])
            secrets.append(value)
            secrets.append(value.withDecoded())
        }
    }

    private static func add(_ text: Bytes, after separator: UInt8, to secrets: inout [Bytes]) {
        if let place = text.storage.firstIndex(of: separator) { secrets.append(Bytes(text.storage[(place &+ 1)...])) }
    }
}

extension Bytes {
    fileprivate func withDecoded() -> Bytes { storage.withUnsafeBytes { PercentCoding.decode($0) } }

    /// The query of a URL: the text after the `?`, up to the fragment.
    package var query: Bytes {
        guard let start = storage.firstIndex(of: UInt8(ascii: "?")) else { return Bytes() }
        let end = storage.firstIndex(of: UInt8(ascii: "#")) ?? storage.count
        return end > start ? Bytes(storage[(start &+ 1)..<end]) : Bytes()
    }
}
