// Requests and responses as an HTTP Archive (version 1.2) without secrets and bodies, for `send --har`.

#if Command
import Glibc
import RoutableCore
import RoutableDocuments

struct HarFile {
    private var entries: [Value] = []

    mutating func add(_ request: Request, _ response: Response?, _ failure: Failure?, started: time_t, milliseconds: Int64) {
        let schemes = request.plan.router.description.authSchemes
        let own = schemes.filter { $0.kind == .key }.map { $0.parameter }
        func isSecret(_ name: Bytes) -> Bool { HeaderField.isSecret(name) || own.contains { name.equalsIgnoringCase($0) } }
        func headers(_ block: HeaderBlock?) -> Value {
            .array(
                (block?.fields ?? []).map {
                    object([("name", .text($0.name)), ("value", .text(isSecret($0.name) ? "***" : $0.value.printable))])
                })
        }
        func message(_ rest: [(Bytes, Value)]) -> Value {
            object(rest + [("cookies", .array([])), ("headersSize", .integer(-1)), ("bodySize", .integer(-1))])
        }
        let answered = message([
            ("status", .integer(Int64(response?.status ?? 0))), ("statusText", .text("")),
            ("httpVersion", .text(version(response))),
            ("headers", headers(response?.headers)), ("redirectURL", .text("")),
            (
                "content",
                object([
                    ("size", .integer(Int64(response?.body.count ?? 0))),
                    ("mimeType", .text(response?.headers.value(of: "Content-Type") ?? "x-unknown")),
                ])
            ),
        ])
        var entry: [(Bytes, Value)] = [
            ("startedDateTime", .text(date(started))), ("time", .integer(milliseconds)),
            (
                "request",
                message([
                    ("method", .text(request.method.bytes)), ("url", .text(CurlLine.masked(request.url.bytes, schemes))),
                    ("httpVersion", .text(version(response))), ("headers", headers(request.headers)),
                    ("queryString", .array([])),
                ])
            ),
            ("response", answered), ("cache", object([])),
            ("timings", object([("send", .integer(0)), ("wait", .integer(milliseconds)), ("receive", .integer(0))])),
            (
                "_operation",
                .text(
                    request.route.bytes.isEmpty ? request.operation.bytes : "\(request.route.bytes).\(request.operation.bytes)")
            ),
        ]
        if let failure {
            // The message of an error status contains the beginning of the body.
            let message: Bytes =
                failure.status == .httpStatus ? "the service responded with \(failure.fields.httpStatus)" : failure.message
            entry.append(("_error", .text(message.printable)))
        }
        entries.append(object(entry))
    }

    /// Writes the file, which only its owner may read.
    func write(to path: String) throws(Failure) {
        let creator = object([("name", .text("routable")), ("version", .text(Bytes(Version.text)))])
        let log = object([("log", object([("version", .text("1.2")), ("creator", creator), ("entries", .array(entries))]))])
        try File.write("\(try MessageDocument.value(log))\n", to: path, mode: 0o600)
    }

    private func object(_ members: [(Bytes, Value)]) -> Value { .object(members.map { Value.Member(name: $0.0, value: $0.1) }) }

    private func version(_ response: Response?) -> Bytes {
        switch response?.httpVersion {
        case 10?: "HTTP/1.0"
        case 11?: "HTTP/1.1"
        case 20?: "HTTP/2"
        case 30?: "HTTP/3"
        default: "unknown"
        }
    }

    private func date(_ seconds: time_t) -> Bytes {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return Bytes(text[..<count].map { UInt8(bitPattern: $0) })
    }
}
#endif
