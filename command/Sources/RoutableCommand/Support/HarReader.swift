// Reads HTTP Archives (version 1.2), as browsers, proxies and `send --har` write them.
//
// Only an entry that cannot be read is left out; each is reported with its number.

#if Command
import RoutableCore
import RoutableJSON
import RoutableService

struct HarReader {
    /// A request and its response.
    struct Exchange {
        var incoming: Incoming
        /// 0 for no response.
        var status: Int32 = 0
        var contentType = Bytes()
        var body = Bytes()
    }

    /// Why an entry cannot be read.
    private struct Fault: Error {
        let text: Bytes
    }

    /// A larger file is refused.
    static let limit = 1 << 29

    /// Hosts whose requests count; empty for all.
    let hosts: [Bytes]

    /// Reads all entries of a file, in order.
    ///
    /// - Returns: The faults of the entries that cannot be read, and the number of entries.
    func read(
        _ path: String, _ use: (Exchange) throws(Failure) -> Void
    ) throws(Failure) -> (faults: [Bytes], count: Int) {
        let name = path == "-" ? "standard input" : Bytes(path).printable
        let text = try File.read(path, limit: Self.limit)
        var faults: [Bytes] = []
        var number = 0
        try text.withBuffer { (buffer) throws(Failure) in
            let document: JSONDocument
            do throws(Failure) { document = try JSONDocument.read(buffer, JSONReading(escapes: .any)) } catch {
                throw Failure(.file, "\(name): the file is not JSON: \(Report.text(error))")
            }
            defer { withExtendedLifetime(document) {} }
            guard let entries = document.view.member("log")?.member("entries"), entries.kind == .array else {
                throw Failure(.file, "\(name): the file is no HTTP Archive: it has no array \"log.entries\"")
            }
            var list = entries.elements
            while let entry = list.read() {
                let exchange: Exchange?
                do throws(Fault) { exchange = try read(entry) } catch {
                    faults.append("\(name): entry \(number): \(error.text)")
                    number += 1
                    continue
                }
                number += 1
                if let exchange { try use(exchange) }
            }
        }
        return (faults, number)
    }

    /// nil for an entry of another host.
    private func read(_ entry: JSONView) throws(Fault) -> Exchange? {
        guard let request = entry.member("request"), request.kind == .object else {
            throw Fault(text: "\"request\" is no object")
        }
        let method = try string(request, "method", "request.method")
        var url = try string(request, "url", "request.url")
        if let mark = url.storage.firstIndex(of: UInt8(ascii: "#")) { url = Bytes(url.storage[..<mark]) }
        if !hosts.isEmpty {
            let pieces = url.split(on: UInt8(ascii: "/"))
            let host = pieces.count > 2 ? pieces[2] : Bytes()
            if !hosts.contains(where: { host.equalsIgnoringCase($0) }) { return nil }
        }
        var fields = try headers(request, "request.headers")
        // The text of a body has no coding and no framing.
        fields.removeAll {
            $0.name.isEmpty || $0.name.storage[0] == UInt8(ascii: ":") || $0.name.equalsIgnoringCase("content-length")
                || $0.name.equalsIgnoringCase("content-encoding") || $0.name.equalsIgnoringCase("transfer-encoding")
        }
        var body = Bytes()
        if let data = request.member("postData"), data.kind == .object {
            body = try content(data, "request.postData")
            let type = data.member("mimeType").map { $0.content } ?? Bytes()
            if body.isEmpty, let parameters = data.member("params"), BodyWriter.essence(type) == Self.form {
                body = self.form(parameters)
            }
            if !type.isEmpty, !fields.contains(where: { $0.name.equalsIgnoringCase("content-type") }) {
                fields.append(HeaderField("Content-Type", type))
            }
        }
        var exchange = Exchange(incoming: Incoming(method: method, target: url, headers: fields, body: body))
        guard let response = entry.member("response") else { return exchange }
        if response.kind != .object { throw Fault(text: "\"response\" is no object") }
        guard let status = response.member("status"), status.kind == .integer,
            status.integer == 0 || (100...999).contains(status.integer)
        else { throw Fault(text: "\"response.status\" is no status of HTTP") }
        exchange.status = Int32(status.integer)
        let type = try headers(response, "response.headers").first { $0.name.equalsIgnoringCase("content-type") }?.value
        if let content = response.member("content"), content.kind == .object {
            exchange.body = try self.content(content, "response.content")
            exchange.contentType = content.member("mimeType").map { $0.content } ?? Bytes()
        }
        if let type { exchange.contentType = type }
        if exchange.contentType == "x-unknown" { exchange.contentType = Bytes() }
        return exchange
    }

    private static let form: Bytes = "application/x-www-form-urlencoded"

    private func string(_ object: JSONView, _ name: Bytes, _ place: Bytes) throws(Fault) -> Bytes {
        guard let found = object.member(name), found.kind == .text else { throw Fault(text: "\"\(place)\" is no string") }
        return found.content
    }

    private func headers(_ message: JSONView, _ place: Bytes) throws(Fault) -> [HeaderField] {
        guard let list = message.member("headers") else { return [] }
        if list.kind != .array { throw Fault(text: "\"\(place)\" is no array") }
        var fields: [HeaderField] = []
        var elements = list.elements
        while let element = elements.read() {
            guard let name = element.member("name"), let value = element.member("value"), name.kind == .text,
                value.kind == .text
            else { throw Fault(text: "\"\(place)\" has a field without the strings \"name\" and \"value\"") }
            fields.append(HeaderField(name.content, value.content))
        }
        return fields
    }

    /// The text of a body, which may be in base64.
    private func content(_ object: JSONView, _ place: Bytes) throws(Fault) -> Bytes {
        guard let text = object.member("text") else { return Bytes() }
        if text.kind != .text { throw Fault(text: "\"\(place).text\" is no string") }
        guard let encoding = object.member("encoding"), encoding.content == "base64" else { return text.content }
        let (bytes, fault) = Base64.decode(text.content)
        if fault != nil { throw Fault(text: "\"\(place).text\" is no base64") }
        return bytes
    }

    private func form(_ parameters: JSONView) -> Bytes {
        var body = Bytes()
        var elements = parameters.elements
        while let element = elements.read() {
            if !body.isEmpty { body.append("&") }
            body.append(escaped(element.member("name")?.content ?? Bytes()))
            body.append("=")
            body.append(escaped(element.member("value")?.content ?? Bytes()))
        }
        return body
    }

    private func escaped(_ text: Bytes) -> Bytes {
        text.replacing { byte in
            if ASCII.isLetter(byte) || ASCII.isDigit(byte) { return nil }
            return Bytes([UInt8(ascii: "%"), ASCII.hexDigit(byte >> 4), ASCII.hexDigit(byte & 15)])
        }
    }
}
#endif
