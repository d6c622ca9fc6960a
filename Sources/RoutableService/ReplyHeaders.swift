// The headers that a program provides for a response.

internal import RoutableCore

enum ReplyHeaders {
    /// - Throws: `header` for headers that HTTP does not allow, and for headers of the connection; `limit`.
    static func checked(_ given: [HeaderField]) throws(Failure) -> [HeaderField] {
        if given.count > Limits.headerFields {
            throw Failure(.limit, "the response has more than \(Limits.headerFields) header fields")
        }
        var total = 0
        for field in given {
            _ = try HeaderField.checked(field.name, field.value)
            if field.name.storage.withUnsafeBytes(Reading.isOfConnection) {
                throw Failure(.header, "the header \(field.name.printable) is of the connection: the server sends it") {
                    $0.parameter = field.name
                }
            }
            total &+= field.name.count &+ field.value.count
            if total > Limits.responseHeaderBytes {
                throw Failure(.limit, "the headers of the response are over \(Limits.responseHeaderBytes) bytes")
            }
        }
        return given
    }

    /// Removes the header with this name; the header and the option must not both be set.
    static func taken(_ name: Bytes, _ option: Bytes?, _ headers: inout [HeaderField]) throws(Failure) -> Bytes? {
        guard let own = headers.value(of: name) else { return option }
        if option != nil || headers.count(where: { $0.name.equalsIgnoringCase(name) }) > 1 {
            throw Failure(.header, "the header \(name) is given twice") { $0.parameter = name }
        }
        headers.remove(name)
        return own
    }
}
