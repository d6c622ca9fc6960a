// The headers of a request by name.

internal import RoutableCore

/// Header fields; the values of fields with one name are joined as RFC 9110 section 5.2 specifies, and those of Cookie with semicolons.
struct ReceivedHeaders {
    struct Field {
        /// The spelling of the first field with this name.
        var name: Bytes
        var value: Bytes
    }

    /// The fields in the order in which their names first occur; the keys are in lower case.
    private var named = KeyedValues<Bytes, Field>()

    var fields: [Field] { named.values }

    /// - Throws: `header`, `limit`.
    init(_ given: [HeaderField]) throws(Failure) {
        if given.count > Limits.headerFields {
            throw Failure(.limit, "the request has more than \(Limits.headerFields) header fields")
        }
        // The values of each name, which are joined in one pass at the end.
        var values: [[Bytes]] = []
        var size = 0
        for field in given {
            size &+= field.name.count &+ field.value.count
            if size > Limits.valueBytes {
                throw Failure(.limit, "the header fields of the request are over \(Limits.valueBytes) bytes")
            }
            let checked = try HeaderField.checked(field.name, field.value.trimmedOfBlanks, isReceived: true)
            let key = checked.name.lowercased
            let place = named.place(of: key, adding: Field(name: checked.name, value: checked.value))
            if place == values.count {
                values.append([checked.value])
            } else if key == "content-type" {
                throw Failure(.header, "the request has the header field \(checked.name) twice")
            } else {
                values[place].append(checked.value)
            }
        }
        for place in values.indices where values[place].count > 1 {
            let isCookie = named.values[place].name.isName("cookie")
            named.values[place].value = values[place].filter { !$0.isEmpty }.joined(by: isCookie ? "; " : ", ")
        }
    }

    /// The value of a field by its name in lower case.
    subscript(name: Bytes) -> Bytes? { named[name]?.value }
}
