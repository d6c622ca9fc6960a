// The pure functions around the state machine: header lines, origins, redirects, and requests that are rejected before they
// are sent.

import RoutableCore
import Testing

@testable import RoutablePerform

private func read(_ text: [UInt8]) -> String {
    func piece(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    var head = ResponseHead()
    if text.withUnsafeBytes({ head.add($0) }), let field = head.headers.fields.last { return "\(field.name)=\(field.value)" }
    return switch text.withUnsafeBytes({ HeaderLine($0) }) {
    case .status(let status): "status \(status)"
    case .continuation(let value): "+\(piece(value))"
    case .blank: "blank"
    case .junk: "junk"
    }
}

@Suite("A line of a head is read without trusting it")
struct HeaderLineTests {
    @Test(
        "lines",
        arguments: [
            ("HTTP/1.1 200 OK\r\n", "status 200"), ("HTTP/2 204\r\n", "status 204"),
            ("HTTP/1.0 404 \r\n", "status 404"),
            ("HTTP/1.1 20\r\n", "junk"), ("HTTP/1.1 2000 OK\r\n", "junk"), ("HTTP/1.1 099 Low\r\n", "junk"),
            ("HTTP/1.1 2x0 OK\r\n", "junk"), ("HTTP/1.1\r\n", "junk"),
            ("A: b\r\n", "A=b"), ("A:b\n", "A=b"), ("A: \t b \t \r\n", "A=b"), ("A:\r\n", "A="), ("A: b: c", "A=b: c"),
            (": b\r\n", "junk"), ("A : b\r\n", "junk"), ("A b: c\r\n", "junk"), ("é: b\r\n", "junk"),
            ("words\r\n", "junk"),
            (" more\r\n", "+more"), ("\tmore", "+more"), ("\r\n", "blank"), ("\n", "blank"), ("", "blank"),
            ("A: é\r\n", "A=é"), ("   \r\n", "+"),
        ])
    func lines(_ text: String, _ wanted: String) { #expect(read(Array(text.utf8)) == wanted) }
}

@Suite("A head is kept as it came, without what could end a line")
struct ResponseHeadTests {
    private func head(_ lines: [String]) -> ResponseHead {
        var head = ResponseHead()
        head.begin(200)
        for line in lines {
            Array(line.utf8).withUnsafeBytes { bytes in
                if head.add(bytes) { return }
                switch HeaderLine(bytes) {
                case .continuation(let text): head.fold(bytes, text)
                default: head.skip()
                }
            }
        }
        return head
    }

    @Test("control bytes become spaces")
    func control() {
        let fields = head(["A: b\rSet-Cookie: x\r\n", "B: \u{0}b\u{7F}\r\n", "C:\t\u{1}\tc\r\n", " d\re\r\n"]).headers.fields
        #expect(fields.map { "\($0.name)=\($0.value)" as String } == ["A=b Set-Cookie: x", "B= b ", "C= \tc d e"])
    }

    @Test("what decides about the body is found in any case")
    func facts() {
        let plain = head(["content-LENGTH: 12\r\n", "X: 1\r\n"])
        #expect(plain.statedLength == 12 && !plain.isEncoded && !plain.hasLocation)
        let other = head(["CONTENT-Encoding: br\r\n", "LOCATION: /\r\n", "Content-Length: 1x\r\n"])
        #expect(other.statedLength == nil && other.isEncoded && other.hasLocation)
        #expect(!head(["Location: \r\n"]).hasLocation)
    }
}

@Suite("Where a URL leads")
struct OriginTests {
    @Test(
        "origins",
        arguments: [
            ("http://Example.com/a?b", "example.com:80"), ("HTTPS://example.com", "example.com:443"),
            ("http://h:8080/x", "h:8080"), ("http://[::1]:81/", "[::1]:81"), ("http://[::1]/", "[::1]:80"),
            ("http://h?u:p@x", "h:80"), ("http://h:/x", "h:80"),
        ])
    func origins(_ url: String, _ wanted: String) { #expect(Origin(of: Text(Bytes(url)))?.text.string == wanted) }

    @Test(
        "refused",
        arguments: [
            "", "h", "/a", "file:///etc/passwd", "ftp://h/", "http:/h", "http://", "http:///a", "http://user:secret@h/",
            "http://h\\@other/", "http://h:x/", "http://h:65536/", "http://h:-1/", "http://h /", "http://h/\r\nA: b",
            "http://h/\u{0}", "javascript:alert(1)",
        ])
    func refused(_ url: String) { #expect(Origin(of: Text(Bytes(url))) == nil) }
}

@Suite("A redirect shows no secret to another origin")
struct RedirectTests {
    private let exchange = Exchange(
        method: "POST", url: "https://h/a",
        headers: [
            HeaderField("Accept", "*/*"), HeaderField("authorization", "Bearer s"), HeaderField("Cookie", "s"),
            HeaderField("X-API-Key", "s"), HeaderField("X-Mine", "s"), HeaderField("Host", "virtual"),
            HeaderField("Content-Type", "text/plain"),
        ], body: "x", secretHeaders: ["x-mine"])

    private func names(_ status: Int32, _ location: String) -> [String]? {
        exchange.redirected(status, to: Text(Bytes(location)))?.headers.fields.map { $0.name.string }
    }

    @Test("the same origin sees them again")
    func same() {
        #expect(
            names(307, "https://H:443/b")
                == ["Accept", "authorization", "Cookie", "X-API-Key", "X-Mine", "Host", "Content-Type"])
    }

    @Test("another host, port or scheme does not", arguments: ["https://g/b", "https://h:444/b", "http://h:443/b"])
    func other(_ location: String) { #expect(names(308, location) == ["Accept", "Content-Type"]) }

    @Test("a GET in place of a POST says nothing of a body")
    func body() {
        #expect(names(302, "https://h/b")?.contains("Content-Type") == false)
        #expect(names(303, "https://g/b") == ["Accept"])
    }

    @Test("nowhere else", arguments: ["file:///a", "ftp://h/", "https://u:p@h/", "//h/a", ""])
    func nowhere(_ location: String) { #expect(names(302, location) == nil) }
}

@Suite("What must not reach the wire is refused")
struct RefusalTests {
    private func status(_ exchange: Exchange) -> Status? {
        do {
            try exchange.check()
            return nil
        } catch { return error.status }
    }

    @Test("methods", arguments: ["", "GE T", "GET\r\n", "GET\u{0}", "GÉT", "G:T"])
    func methods(_ method: String) { #expect(status(Exchange(method: Bytes(method), url: "http://h/")) == .argument) }

    @Test("URLs never appear in the message")
    func urls() {
        do {
            try Exchange(method: "GET", url: "http://user:secret@h/?key=secret").check()
            Issue.record("not refused")
        } catch {
            #expect(error.status == .url)
            #expect(!error.message.string.contains("secret"))
        }
        #expect(status(Exchange(method: "GET", url: Bytes([UInt8](repeating: 0x61, count: 9_000_000)))) == .limit)
    }

    @Test("headers")
    func headers() {
        func with(_ name: Bytes, _ value: Bytes, body: Bytes? = nil) -> Status? {
            status(Exchange(method: "PUT", url: "http://h/", headers: [HeaderField(name, value)], body: body))
        }
        #expect(with("A", "b") == nil)
        #expect(with("A", "b\r\nC: d") == .header)
        #expect(with("A", "b\u{0}c") == .header)
        #expect(with("A b", "c") == .header)
        #expect(with("A\r\nB", "c") == .header)
        #expect(with("", "c") == .header)
        #expect(with("Transfer-Encoding", "chunked") == .header)
        #expect(with("content-length", "3", body: "abc") == nil)
        #expect(with("content-length", "2", body: "abc") == .header)
        #expect(with("Content-Length", "1") == .header)
    }

    @Test("a body on HEAD")
    func head() { #expect(status(Exchange(method: "HEAD", url: "http://h/", body: "")) == .body) }

    @Test("options of a client")
    func options() {
        func status(_ change: (inout ClientOptions) -> Void) -> Status? {
            var options = ClientOptions()
            change(&options)
            do {
                _ = try ConnectionPool.make(options)
                return nil
            } catch { return error.status }
        }
        #expect(status { _ in } == nil)
        #expect(status { $0.userAgent = "a\r\nb: c" } == .header)
        #expect(status { $0.caFile = "" } == .argument)
        #expect(status { $0.caFile = "a\u{0}b" } == .argument)
        #expect(
            status {
                $0.deadlineMilliseconds = .max
                $0.connectTimeoutMilliseconds = .min
                $0.maximumResponseBytes = .max
                $0.maximumRedirects = .min
            } == nil)
    }
}
