// The file of a tape: HAR 1.2.  Reading does not trust the file; writing changes one line for each changed value.

internal import CSystem
internal import RoutableCore
internal import RoutableJSON
internal import RoutablePerform

/// An exchange on a tape.
struct TapeEntry {
    var request: TapeRequest
    var reply: TransportReply
    /// The route and the operation; empty for a request that matches no operation of the description.
    var operation = Bytes()
    /// The JSON of the entry in the file.
    var json = Bytes()
}

enum TapeFile {
    static let maximumBytes = 256 << 20

    // MARK: - Reading

    /// The bytes of a file; nil if the file does not exist.
    static func bytes(_ path: Bytes) throws(Failure) -> Bytes? {
        var start: UnsafeMutablePointer<UInt8>?
        var count = 0
        // Only regular files are read: a device or a pipe may have no end.
        var length: Int64 = 0
        var code = path.withCString { csystem_file_length($0, &length) }
        if code == ENOENT { return nil }
        if code == 0 && length < 0 { throw Failure(.file, "\(path.printable) cannot be a tape: it is not a regular file") }
        if code == 0 { code = path.withCString { csystem_read_file($0, maximumBytes, &start, &count) } }
        if code == EFBIG { throw Failure(.limit, "\(path.printable): the tape is over \(maximumBytes) bytes") }
        guard code == 0, let start else { throw .file("read", path, code) }
        defer { csystem_free(start) }
        try Memory.admit(count)
        return Bytes(UnsafeRawBufferPointer(start: start, count: count))
    }

    static func entries(_ text: Bytes) throws(Failure) -> [TapeEntry] {
        try text.withBuffer { (buffer) throws(Failure) in
            let document = try JSONDocument.read(buffer, JSONReading(rejectsDuplicates: true))
            defer { withExtendedLifetime(document) {} }
            let log = try member(Node(document.view), "log")
            var entries: [TapeEntry] = []
            for node in try member(log, "entries").elements("entries") { entries.append(try entry(node)) }
            return entries
        }
    }

    private static func member(_ node: Node, _ name: StaticString) throws(Failure) -> Node {
        guard node.view.kind == .object else { throw node.wrongKind("this part of a tape", "an object") }
        guard let member = node.member(name) else { throw node.failure("a tape requires the member \"\(name)\" here") }
        return member
    }

    private static func entry(_ node: Node) throws(Failure) -> TapeEntry {
        let asked = try member(node, "request")
        let answered = try member(node, "response")
        var request = TapeRequest(
            method: try member(asked, "method").name("the method"), url: try member(asked, "url").name("the URL"),
            headers: try headers(asked), body: nil, basePath: try node.member("_base")?.text("the base path"))
        if let data = asked.member("postData") { request.body = try content(data, "_encoding") }
        var reply = TransportReply()
        reply.status = Int32(truncatingIfNeeded: try member(answered, "status").integer("the status", 0...999))
        reply.headers = try headers(answered)
        reply.body = Text(try content(try member(answered, "content"), "encoding"))
        if let code = node.member("_curl_code") {
            reply.curlCode = Int32(truncatingIfNeeded: try code.integer("the code of libcurl", 1...999))
        }
        do throws(Failure) { try reply.check() } catch { throw answered.failure(error.message) }
        return TapeEntry(
            request: request, reply: reply, operation: try node.member("_operation")?.text("the operation") ?? Bytes(),
            json: node.view.json)
    }

    private static func headers(_ node: Node) throws(Failure) -> [HeaderField] {
        var fields: [HeaderField] = []
        for each in try member(node, "headers").elements("headers") {
            let (name, value) = (try member(each, "name").name("a name"), try member(each, "value").text("a value"))
            // Browsers list the pseudo-headers of HTTP/2.
            if name.hasPrefix(":") { continue }
            do throws(Failure) { fields.append(try HeaderField.checked(name, value, isReceived: true)) } catch {
                throw each.failure(error.message)
            }
        }
        return fields
    }

    private static func content(_ node: Node, _ encoding: StaticString) throws(Failure) -> Bytes {
        if let json = node.member("_json") { return json.view.json }
        guard let text = node.member("text") else { return Bytes() }
        guard text.view.kind == .text else { throw text.wrongKind("a body", "a string") }
        guard let coding = node.member(encoding) else { return text.view.content }
        let (bytes, fault) = Base64.decode(text.view.content)
        guard coding.view.equals("base64"), fault == nil else { throw text.failure("the body is not base64") }
        return bytes
    }

    // MARK: - Writing

    static func text(_ entries: [TapeEntry]) -> Bytes {
        var writer = JSONWriter()
        writer.open("{")
        writer.key("log")
        writer.open("{")
        writer.member("version", "1.2")
        writer.key("creator")
        writer.open("{")
        writer.member("name", "routable")
        writer.member("version", Bytes(static: Version.text))
        writer.close("}")
        writer.key("entries")
        writer.open("[")
        for entry in entries where !Memory.cuts() { writer.raw(entry.json) }
        writer.close("]")
        writer.close("}")
        writer.close("}")
        return indented(writer.bytes)
    }

    /// The JSON of an entry.  The times of the recording are constant, so that two recordings of the same exchanges are equal.
    static func json(_ entry: TapeEntry) throws(Failure) -> Bytes {
        let (request, reply) = (entry.request, entry.reply)
        var writer = JSONWriter()
        writer.open("{")
        if !entry.operation.isEmpty { writer.member("_operation", entry.operation) }
        if let base = request.basePath { writer.member("_base", base) }
        if reply.curlCode != 0 { writer.member("_curl_code", Int(reply.curlCode)) }
        writer.key("request")
        writer.open("{")
        writer.member("method", request.method)
        writer.member("url", request.url)
        query(request.url, &writer)
        headers(request.headers, &writer)
        if let body = request.body { content("postData", body, request.contentType, "_encoding", &writer) }
        end(&writer, size: request.body?.count ?? 0)
        writer.key("response")
        writer.open("{")
        writer.member("status", reply.curlCode == 0 ? Int(reply.status) : 0)
        writer.member("statusText", "")
        headers(reply.headers, &writer)
        let type = reply.headers.value(of: "Content-Type") ?? Bytes()
        content("content", reply.body.bytes, type, "encoding", &writer)
        writer.member("redirectURL", reply.headers.value(of: "Location") ?? Bytes())
        end(&writer, size: reply.body.count)
        writer.key("startedDateTime")
        writer.raw("\"1970-01-01T00:00:00Z\",\"time\":0,\"cache\":{},\"timings\":{\"send\":0,\"wait\":0,\"receive\":0}")
        writer.close("}")
        try Memory.check()
        return writer.text
    }

    private static func end(_ writer: inout JSONWriter, size: Int) {
        writer.member("httpVersion", "unknown")
        writer.key("cookies")
        writer.raw("[],\"headersSize\":-1,\"bodySize\":\(size)")
        writer.close("}")
    }

    private static func headers(_ fields: [HeaderField], _ writer: inout JSONWriter) {
        writer.key("headers")
        writer.open("[")
        for field in fields { pair(field.name, field.value, &writer) }
        writer.close("]")
    }

    private static func query(_ url: Bytes, _ writer: inout JSONWriter) {
        writer.key("queryString")
        writer.open("[")
        for item in Array(url.split(on: UInt8(ascii: "?")).dropFirst()).joined(by: "?").split(on: UInt8(ascii: "&"))
        where !item.isEmpty {
            let equals = item.storage.firstIndex(of: UInt8(ascii: "=")) ?? item.count
            let parts = [item.storage[..<equals], item.storage[min(equals &+ 1, item.count)...]].map {
                $0.withUnsafeBytes { PercentCoding.decode($0, plusIsSpace: true) }
            }
            pair(parts[0], parts[1], &writer)
        }
        writer.close("]")
    }

    private static func pair(_ name: Bytes, _ value: Bytes, _ writer: inout JSONWriter) {
        writer.open("{")
        writer.member("name", name)
        writer.member("value", value)
        writer.close("}")
    }

    private static func content(
        _ key: StaticString, _ body: Bytes, _ type: Bytes, _ encoding: StaticString, _ writer: inout JSONWriter
    ) {
        writer.key(key)
        writer.open("{")
        if key.utf8CodeUnitCount == 7 { writer.member("size", body.count) }
        writer.member("mimeType", type)
        // The body is written as JSON if reading this JSON returns the same bytes.
        let isJSON = body.storage.withUnsafeBytes { bytes in
            guard let first = bytes.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
                let document = try? JSONDocument.read(bytes, JSONReading(rejectsDuplicates: true))
            else { return false }
            return document.view.json == body
        }
        if isJSON {
            writer.key("_json")
            writer.raw(body)
        } else if UTF8Check.isValid(body) {
            writer.member("text", body)
        } else {
            writer.key("text")
            writer.string(body.storage.withUnsafeBytes { Base64.encode($0) })
            writer.member(encoding, "base64")
        }
        writer.close("}")
    }

    /// The JSON with each member and element on its own line.
    private static func indented(_ json: [UInt8]) -> Bytes {
        var result = Bytes()
        result.storage.reserveCapacity(json.count &+ json.count / 4)
        let margin = 20  // limits the size of deeply nested JSON
        var depth = 0
        var isText = false
        var isEscape = false
        func line(_ result: inout Bytes) {
            result.append(0x0A as UInt8)
            for _ in 0..<min(depth, margin) { result.append(0x20 as UInt8) }
        }
        for (index, byte) in json.enumerated() {
            if isText {
                result.append(byte)
                isText = isEscape || byte != UInt8(ascii: "\"")
                isEscape = !isEscape && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isText = true
                result.append(byte)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                result.append(byte)
                depth &+= 1
                let next = index &+ 1 < json.count ? json[index &+ 1] : 0
                if next != UInt8(ascii: "}") && next != UInt8(ascii: "]") { line(&result) }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(0, depth &- 1)
                if result.storage.last != UInt8(ascii: "{") && result.storage.last != UInt8(ascii: "[") { line(&result) }
                result.append(byte)
            case UInt8(ascii: ","):
                result.append(byte)
                line(&result)
            case UInt8(ascii: ":"):
                result.append(byte)
                result.append(0x20 as UInt8)
            default: result.append(byte)
            }
        }
        result.append(0x0A as UInt8)
        return result
    }
}
