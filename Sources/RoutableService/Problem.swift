// The response to a request that was refused: a problem document (RFC 9457).

package import RoutableCore
internal import RoutableJSON

/// The response for a failure of reading a request, or for any other failure.
package struct Problem {
    package let httpStatus: Int32
    /// A header that the status requires: its name and its value; both are empty if there is none.
    package let header: (name: Bytes, value: Bytes)
    /// `application/problem+json`.
    package let json: Bytes

    /// - Parameter isPlain: Whether the status is 400 instead of 422.
    package init(_ failure: Failure, isPlain: Bool = false) {
        let fields = failure.fields
        var status = fields.httpStatus
        if !(400...499).contains(status) || failure.status == .httpStatus { status = 500 }
        if status == 422 && isPlain { status = 400 }
        httpStatus = status
        let allowed = fields.allowed.joined(by: ", ")
        switch status {
        case 401: header = ("WWW-Authenticate", fields.challenge)
        case 405: header = ("Allow", allowed)
        // RFC 9110 section 15.5.16: the header states whether the media type or the content coding was refused.
        case 415: header = (fields.pointer == ContentCoding.pointer ? "Accept-Encoding" : "Accept", allowed)
        default: header = (Bytes(), Bytes())
        }
        var writer = Self.opened(status)
        // Failures that the request did not cause are not disclosed to the client.
        if status != 500 {
            writer.member("detail", failure.message)
            writer.key("errors")
            writer.open("[")
            var next: Failure? = failure
            while let one = next {
                Self.write(one, &writer)
                next = one.fields.next
            }
            writer.close("]")
        }
        writer.close("}")
        json = writer.text
    }

    /// A problem document with the members that all of them have.
    static func opened(_ status: Int32) -> JSONWriter {
        var writer = JSONWriter()
        writer.open("{")
        writer.member("type", "about:blank")
        writer.member("title", Bytes(static: title(status)))
        writer.member("status", Int(status))
        return writer
    }

    private static func write(_ failure: Failure, _ writer: inout JSONWriter) {
        let fields = failure.fields
        writer.open("{")
        writer.member("detail", failure.message)
        let pointer = fields.pointer ?? Bytes()
        let part = pointer.split(on: UInt8(ascii: "/")).dropFirst().first ?? Bytes()
        if part == "body" {
            writer.member("pointer", Bytes(pointer.storage.dropFirst(5)))
        } else if let location = location(part) {
            writer.optionalMember("parameter", fields.parameter)
            writer.member("in", location)
        }
        writer.close("}")
    }

    /// The location of the request for a member of the call.
    private static func location(_ part: Bytes) -> Bytes? {
        switch part {
        case "ids": "path"
        case "query", "parameters": "query"
        case "headers": "header"
        case "cookies": "cookie"
        default: nil
        }
    }

    private static func title(_ status: Int32) -> StaticString {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 402: "Payment Required"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 422: "Unprocessable Content"
        case 423: "Locked"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: "Error"
        }
    }
}
