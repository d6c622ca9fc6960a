// The headers of a request by name.

internal import RoutableCore

/// Header fields; the values of fields with one name are joined as RFC 9110 section 5.2 says, and those of Cookie with semicolons.
struct ReceivedHeaders {
    struct Field {
        /// As it came first.
        var name: Bytes
        var value: Bytes
    }

    /// In the order in which their names came; the keys are in lower case.
    private var named = KeyedValues<Bytes, Field>()

    var fields: [Field] { named.values }

    /// - Throws: `header`, `limit`.
    init(_ given: [HeaderField]) throws(Failure) {
        if given.count > Limits.headerFields {
            throw Failure(.limit, "the request has more than \(Limits.headerFields) header fields")
        }
        for field in given {
            let checked = try HeaderField.checked(field.name, Self.trimmed(field.value), isReceived: true)
            let key = checked.name.lowercased
            if let known = named[key] {
                let separator: Bytes = key == "cookie" ? "; " : ", "
                named.set(Field(name: known.name, value: "\(known.value)\(separator)\(checked.value)"), for: key)
            } else {
                named.set(Field(name: checked.name, value: checked.value), for: key)
            }
        }
    }

    private static func trimmed(_ value: Bytes) -> Bytes {
        var rest = value.storage[...]
        while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        return rest.count == value.count ? value : Bytes(rest)
    }

    /// By the name in lower case.
    subscript(name: Bytes) -> Bytes? { named[name]?.value }
}
