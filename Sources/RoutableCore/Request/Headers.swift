// Header fields; a value can never add a second header.

extension HeaderField {
    /// Whether HTTP allows the name: a token (RFC 9110 section 5.1).
    public static func isValidName(_ name: Bytes) -> Bool {
        !name.isEmpty && name.storage.allSatisfy(ASCII.isToken)
    }

    /// Whether HTTP allows the value (RFC 9110 section 5.5): no CR, LF, NUL or other control but tab.
    public static func isValidValue(_ value: Bytes) -> Bool {
        value.storage.allSatisfy { !ASCII.isControl($0) || $0 == 0x09 }
    }

    /// Whether HTTP allows the value, like `isValidValue(_:)` for `Bytes`.
    package static func isValidValue(_ value: UnsafeRawBufferPointer) -> Bool {
        value.allSatisfy { !ASCII.isControl($0) || $0 == 0x09 }
    }

    /// Creates a field that is safe to send.  A value with leading or trailing white space, which HTTP does not preserve, is
    /// rejected unless the field was received.
    public static func checked(_ name: Bytes, _ value: Bytes, isReceived: Bool = false) throws(Failure) -> HeaderField {
        guard isValidName(name) else {
            throw Failure(.header, "the header name \"\(name.printable)\" is not a valid HTTP token") {
                $0.parameter = name
            }
        }
        guard isValidValue(value) else {
            // The value may be a secret: the message does not contain it.
            throw Failure(.header, "the value of the header \(name.printable) has a control character, such as CR, LF or NUL") {
                $0.parameter = name
            }
        }
        if value.count > Limits.valueBytes {
            throw Failure(.limit, "the value of the header \(name.printable) is over \(Limits.valueBytes) bytes") {
                $0.parameter = name
            }
        }
        if !isReceived, isBlank(value.storage.first) || isBlank(value.storage.last) {
            throw Failure(
                .header,
                "the value of the header \(name.printable) begins or ends with a space or a tab, which HTTP does not preserve"
            ) { $0.parameter = name }
        }
        return HeaderField(name, value)
    }

    private static func isBlank(_ byte: UInt8?) -> Bool {
        byte == 0x20 || byte == 0x09
    }

    /// Whether the value of a header with this name is a secret.
    public static func isSecret(_ name: Bytes) -> Bool { secretNames.contains { name.equalsIgnoringCase($0) } }

    /// The names that HTTP defines, and those in which widely used services receive a key or a token.
    private static var secretNames: [Bytes] {
        [
            "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "X-Auth-Token", "Api-Key", "DPoP",
            "Private-Token", "Job-Token", "Deploy-Token", "X-Access-Token", "X-Amz-Security-Token", "X-Auth-Key",
            "X-Consul-Token", "X-Csrf-Token", "X-Functions-Key", "X-Gitlab-Token", "X-Goog-Api-Key",
            "X-Shopify-Access-Token", "X-Vault-Token", "Ocp-Apim-Subscription-Key", "Dd-Api-Key", "Dd-Application-Key",
        ]
    }
}

extension [HeaderField] {
    /// The value of the first field with this name.
    package func value(of name: Bytes) -> Bytes? { first { $0.name.equalsIgnoringCase(name) }?.value }

    /// Replaces all fields with this name, or adds one at the end.
    package mutating func set(_ field: HeaderField) {
        if let index = firstIndex(where: { $0.name.equalsIgnoringCase(field.name) }) {
            self[index] = field
            var position = 0
            removeAll {
                position &+= 1
                return position > index &+ 1 && $0.name.equalsIgnoringCase(field.name)
            }
        } else {
            append(field)
        }
    }

    package mutating func remove(_ name: Bytes) { removeAll { $0.name.equalsIgnoringCase(name) } }
}
