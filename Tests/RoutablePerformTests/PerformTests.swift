// Performing requests with services on the loopback interface, with and without faults.

import Dispatch
import FaultService
import Foundation
import Glibc
import RoutableCore
import Testing

@testable import RoutablePerform

private func get(_ path: String) throws -> Exchange {
    Exchange(method: "GET", url: try FaultService.shared.get().url(path))
}

@Suite("Every answer is delivered with its body")
struct AnswerTests {
    @Test(
        "answers",
        arguments: [
            ("ok", 200, #"{"name":"a"}"#), ("not-found", 404, #"{"name":"gone"}"#),
            ("status/500", 500, #"{"name":"a"}"#),
            ("status/418", 418, #"{"name":"a"}"#), ("no-content", 204, ""), ("reset-content", 205, ""),
            ("empty", 200, ""),
            ("text", 200, "hello"), ("gzip", 200, #"{"name":"a"}"#), ("length-short", 200, #"{"nam"#),
            ("redirect", 200, #"{"name":"a"}"#),
        ])
    func answers(_ name: String, _ status: Int, _ body: String) throws {
        let answer = try client().perform(get("/faults/\(name)"))
        #expect(answer.status == Int32(status))
        #expect(answer.body.string == body)
    }

    @Test("bytes come as they are, NUL and invalid UTF-8 too")
    func bytes() throws {
        let answer = try client().perform(get("/faults/bytes"))
        #expect(answer.body.storage.contains(0))
        #expect(answer.body.storage.contains { $0 >= 0x80 })
    }

    @Test("HEAD has the headers and no body")
    func head() throws {
        var exchange = try get("/faults/ok")
        exchange.method = "HEAD"
        let answer = try client().perform(exchange)
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        #expect(answer.headers.value(of: "content-length") == "12")
    }

    @Test("all headers, in order")
    func headers() throws {
        let answer = try client().perform(get("/faults/many-headers"))
        let mine = answer.headers.fields.filter { $0.name.hasPrefix("X-") }
        #expect(mine.count == 300)
        #expect(mine.first?.name == "X-0" && mine.last?.name == "X-299")
    }

    @Test("1xx, folded lines, trailers, and control bytes in a header")
    func oddHead() throws {
        let service = try ScriptedService([
            "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\n  2\r\nB: x\u{1}y\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nT: 1\r\n\r\n"
        ])
        let answer = try client().perform(Exchange(method: "GET", url: service.url("/")))
        #expect(
            answer.headers.fields.map { "\($0.name)=\($0.value)" as String } == [
                "A=1 2", "B=x y", "Transfer-Encoding=chunked",
            ])
        #expect(answer.body.bytes == "hi")
    }
}

@Suite("Requests go out as written")
struct RequestTests {
    private func sent(_ exchange: Exchange, _ options: (inout ClientOptions) -> Void = { _ in }) throws -> String {
        let service = try ScriptedService(["HTTP/1.1 204 No Content\r\n\r\n"])
        var exchange = exchange
        exchange.url = Text(service.url(exchange.url.string))
        _ = try client(options).perform(exchange)
        return try #require(service.received.first)
    }

    @Test(
        "A8 any method, with and without a body",
        arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY", "get", "M-S!"])
    func methods(_ method: String) throws {
        let bare = try sent(Exchange(method: Bytes(method), url: "/a"))
        #expect(bare.hasPrefix("\(method) /a HTTP/1.1\r\n"))
        #expect(bare.contains("Content-Length: 0\r\n") == ["POST", "PUT", "PATCH"].contains(method))
        #expect(!bare.contains("Content-Type"))
        let full = try sent(Exchange(method: Bytes(method), url: "/a", body: "a\u{0}b"))
        #expect(full.hasPrefix("\(method) /a HTTP/1.1\r\n"))
        #expect(full.hasSuffix("Content-Length: 3\r\n\r\na\u{0}b"))
        #expect(!full.contains("Content-Type") && !full.contains("Expect"))
    }

    @Test("a body of a megabyte is not announced with Expect")
    func large() throws {
        let text = try sent(
            Exchange(
                method: "PUT", url: "/", headers: [HeaderField("Content-Type", "text/plain")],
                body: Bytes([UInt8](repeating: 0x61, count: 1 << 20))))
        #expect(!text.contains("Expect") && text.contains("Content-Type: text/plain\r\n"))
        #expect(text.hasSuffix(String(repeating: "a", count: 1000)))
    }

    @Test("the path stays as it is, dots and all")
    func path() throws {
        #expect(
            try sent(Exchange(method: "GET", url: "/a/../b/%2e%2e/%2F?q=%20#f")).hasPrefix(
                "GET /a/../b/%2e%2e/%2F?q=%20 HTTP"))
    }

    @Test("headers, also empty ones, and instead of libcurl's own")
    func headers() throws {
        let text = try sent(
            Exchange(
                method: "GET", url: "/",
                headers: [
                    HeaderField("X-Empty", ""), HeaderField("X-Two", "1"), HeaderField("X-Two", "2"),
                    HeaderField("accept", "text/plain"),
                ])
        ) { $0.userAgent = "me/1" }
        for line in ["X-Empty:\r\n", "X-Two: 1\r\n", "X-Two: 2\r\n", "accept: text/plain\r\n", "User-Agent: me/1\r\n"] {
            #expect(text.contains(line))
        }
        #expect(!text.contains("Accept: */*") && text.contains("Accept-Encoding: "))
        #expect(try sent(Exchange(method: "GET", url: "/")).contains("User-Agent: routable/\(Version.text)\r\n"))
    }

    @Test("a handle used again keeps nothing of the exchange before")
    func reuse() throws {
        let service = try FaultService()
        let one = try client()
        let url = service.url("/echo")
        let first = Exchange(method: "PATCH", url: url, headers: [HeaderField("X-Secret", "s")], body: "body")
        #expect(try one.perform(first).body.string.contains("X-Secret"))
        for method: Bytes in ["GET", "DELETE"] {
            let echo = try one.perform(Exchange(method: method, url: url)).body.string
            #expect(echo.contains("\"\(method)\"") && !echo.contains("X-Secret"))
            #expect(!echo.contains("Content-Length") && !echo.contains("Content-Type"))
        }
        #expect(try one.perform(Exchange(method: "HEAD", url: url)).body.isEmpty)
        #expect(try !one.perform(Exchange(method: "GET", url: url)).body.isEmpty)
        #expect(
            try one.perform(Exchange(method: "GET", url: service.url("/connections"))).body.string.contains(
                "\"connections\": 1"))
    }
}

@Suite("Redirects")
struct RedirectPerformTests {
    @Test("A6 POST becomes GET after 302 and 303, and stays after 307")
    func methods() throws {
        for (status, second) in [(302, "GET /b"), (303, "GET /b"), (307, "POST /b")] {
            let service = try ScriptedService([
                "HTTP/1.1 \(status) Moved\r\nLocation: /b\r\nConnection: close\r\nContent-Length: 3\r\n\r\nold",
                "HTTP/1.1 200 OK\r\n\r\nnew",
            ])
            let answer = try client().perform(
                Exchange(
                    method: "POST", url: service.url("/a"), headers: [HeaderField("Content-Type", "text/plain")],
                    body: "x"))
            #expect(answer.body.bytes == "new" && answer.url.bytes == service.url("/b"))
            #expect(service.received.last?.hasPrefix(second) == true)
            #expect(service.received.last?.contains("Content-Type") == (status == 307))
        }
    }

    @Test("A6 not followed, the redirect is the answer")
    func unfollowed() throws {
        let answer = try client { $0.followsRedirects = false }.perform(get("/faults/redirect"))
        #expect(answer.status == 302 && answer.headers.value(of: "Location") == "/faults/ok")
    }

    @Test("another origin sees no credentials")
    func credentials() throws {
        let other = try ScriptedService(["HTTP/1.1 200 OK\r\n\r\nhi"])
        let first = try ScriptedService(["HTTP/1.1 302 Found\r\nLocation: \(other.url("/b?x=1"))\r\n\r\n"])
        let headers = [
            HeaderField("Authorization", "Bearer secret"), HeaderField("Cookie", "secret"),
            HeaderField("X-Key", "secret"),
            HeaderField("X-Other", "1"),
        ]
        let answer = try client().perform(
            Exchange(method: "GET", url: first.url("/a"), headers: headers, secretHeaders: ["X-Key"]))
        #expect(answer.body.bytes == "hi")
        #expect(first.received.first?.components(separatedBy: "secret").count == 4)
        let seen = try #require(other.received.first)
        #expect(!seen.contains("secret") && seen.contains("X-Other: 1\r\n") && seen.hasPrefix("GET /b?x=1 "))
    }
}

@Suite("Every fault is one failure that says what to do")
struct FaultTests {
    @Test(
        "faults",
        arguments: [
            ("close-early", Status.transfer, 18), ("close-chunked", .transfer, 18), ("length-long", .transfer, 18),
            ("bad-chunk", .transfer, 56), ("length-huge", .limit, 0), ("length-negative", .transfer, 8),
            ("garbage", .transfer, 1), ("nothing", .transfer, 52), ("never", .timeout, 28), ("half", .timeout, 28),
            ("big", .limit, 0), ("gzip-bomb", .limit, 0), ("redirect-file", .transfer, 0),
            ("redirect-ftp", .transfer, 0),
            ("redirect-loop", .transfer, 47),
        ])
    func faults(_ name: String, _ status: Status, _ code: Int) throws {
        let service = try FaultService.shared.get()
        let one = try client { $0.maximumResponseBytes = 1 << 20 }
        // Only this request has a short deadline: the next one has the deadline of the client, because it must also succeed on a busy machine.
        var policy = one.policy
        if status == .timeout { policy.deadlineMilliseconds = 300 }
        let start = Date()
        var exchange = try get("/faults/\(name)?key=secret")
        exchange.headers = HeaderBlock([HeaderField("Authorization", "secret")])
        let failure = try failure(one, exchange, policy)
        #expect(failure.status == status)
        #expect(failure.fields.curlCode == Int32(code), "\(failure.message)")
        let message = failure.message.string
        #expect(
            message.contains("127.0.0.1:\(service.port)") && !message.contains("secret") && !message.contains("faults"))
        #expect(Date().timeIntervalSince(start) < 10)
        // The same handle performs the next request.
        #expect(try one.perform(get("/faults/ok")).status == 200)
    }

    @Test("an answer of just the limit passes")
    func limit() throws {
        #expect(try client { $0.maximumResponseBytes = 12 }.perform(get("/faults/ok")).body.count == 12)
        let failure = try failure(try client { $0.maximumResponseBytes = 11 }, try get("/faults/gzip"))
        #expect(failure.status == .limit)
    }

    @Test(
        "a head that is cut off or without end",
        arguments: [
            ("HTTP/1.1 200 OK\r\nA: 1\r\n", Status.transfer), ("HTTP/1.1 200 OK\r\n", .transfer),
            ("HTTP/1.1 2", .transfer),
            ("HTTP/1.1 100 Continue\r\n\r\n", .transfer),
            ("HTTP/1.1 302 F\r\nLocation: http://u:p@h/\r\n\r\n", .transfer),
        ])
    func heads(_ text: String, _ status: Status) throws {
        let service = try ScriptedService([text])
        let failure = try failure(try client(), Exchange(method: "GET", url: service.url("/")))
        #expect(failure.status == status, "\(failure.message)")
    }

    @Test("headers over the limit")
    func manyHeaders() throws {
        let lines = String(repeating: "A: \(String(repeating: "b", count: 1000))\r\n", count: 270)
        let service = try ScriptedService(["HTTP/1.1 200 OK\r\n\(lines)\r\n"])
        let failure = try failure(try client(), Exchange(method: "GET", url: service.url("/")))
        #expect(failure.status == .limit)
    }

    @Test("one header that libcurl does not hold")
    func longHeader() throws {
        let service = try ScriptedService(["HTTP/1.1 200 OK\r\nA: \(String(repeating: "b", count: 200_000))\r\n\r\n"])
        let failure = try failure(client(), Exchange(method: "GET", url: service.url("/")))
        #expect(failure.status == .limit, "\(failure.message)")
    }

    @Test(
        "nobody there",
        arguments: [("http://127.0.0.1:1/", Status.transfer, 7), ("http://no-such-host.invalid/", .transfer, 6)])
    func nobody(_ url: String, _ status: Status, _ code: Int) throws {
        let failure = try failure(try client(), Exchange(method: "GET", url: Bytes(url)))
        #expect(failure.status == status && failure.fields.curlCode == Int32(code), "\(failure.message)")
    }

    @Test("TLS to a service that speaks none, and a CA file that is not there")
    func tls() throws {
        let port = try FaultService.shared.get().port
        let exchange = Exchange(method: "GET", url: "https://127.0.0.1:\(port)/")
        let plain = try failure(try client(), exchange)
        #expect(plain.status == .tls, "\(plain.message)")
        let file = try failure(try client { $0.caFile = "/nonexistent.pem" }, exchange)
        #expect(file.status == .tls && file.fields.curlCode == 77, "\(file.message)")
    }

    @Test("a libcurl that is not there is told with the package's name")
    func absent() {
        do {
            try CurlLibrary.load("libcurl-absent.so.4")
            Issue.record("it is there")
        } catch {
            #expect(error.status == .noCurl)
            #expect(error.message.string.contains("libcurl4"))
        }
    }
}

@Suite("Connections are kept", .serialized)
struct ReuseTests {
    private func count(_ service: FaultService, _ client: ConnectionPool) throws -> String {
        try client.perform(Exchange(method: "GET", url: service.url("/connections"))).body.string
    }

    /// Memory in use, in KB; 0 under a sanitizer, which keeps freed memory.
    private func residentKilobytes() throws -> Int {
        for name in ["__asan_init", "__tsan_init"] where dlsym(nil, name) != nil { return 0 }
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (Int(text[1]) ?? 0) * 4
    }

    @Test("1,000 requests over one connection, in the same memory")
    func flat() throws {
        let service = try FaultService()
        let one = try client()
        let exchange = Exchange(method: "GET", url: service.url("/faults/empty"))
        for _ in 0..<50 { #expect(try one.perform(exchange).status == 200) }
        let before = try residentKilobytes()
        for _ in 0..<950 {
            if try one.perform(exchange).status != 200 { Issue.record("a wrong status") }
        }
        #expect(try residentKilobytes() - before < 16_384)
        #expect(try count(service, one).contains("\"connections\": 1,"))
    }

    @Test("an answer that is kept stays as it is while the handle serves others")
    func kept() throws {
        let service = try FaultService()
        let one = try client()
        var kept: [(Int, Answer)] = []
        for number in 0..<20 {
            let length = [3, 40_000, 200, 300_000][number % 4]
            let text = String(repeating: String(number % 10), count: length)
            let url = service.url("/faults/json/\(text.prefix(30_000))")
            kept.append((number, try one.perform(Exchange(method: "GET", url: url))))
        }
        for (number, answer) in kept {
            #expect(answer.body.count == [3, 30_000, 200, 30_000][number % 4])
            #expect(answer.body.storage.allSatisfy { $0 == UInt8(ascii: "0") + UInt8(number % 10) })
        }
    }

    @Test("8 threads over one client, one connection each at most")
    func threads() throws {
        let service = try FaultService()
        let one = try client()
        let wrong = NSLock()
        nonisolated(unsafe) var faults = 0
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<20 {
                let text = "{\"thread\":\(thread),\"number\":\(number)}" as Bytes
                let result = outcome(one, Exchange(method: "POST", url: service.url("/echo/\(thread)"), body: text))
                guard case .success(let answer) = result, answer.status == 200,
                    answer.body.string.contains("/echo/\(thread)")
                else {
                    wrong.withLock { faults += 1 }
                    continue
                }
            }
        }
        #expect(faults == 0)
        let text = try count(service, one)
        let connections = Int(text.split(separator: ":")[1].prefix { $0 != "," }.filter(\.isNumber)) ?? 0
        #expect((1...8).contains(connections), "\(text)")
    }

    @Test("a client that ends closes its connections")
    func ends() throws {
        let service = try FaultService()
        // Only the sockets that are connected to the service, because other tests open descriptors at the same time.
        func connections() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).count { descriptor in
                var peer = sockaddr_in()
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                return withUnsafeMutablePointer(to: &peer) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
                } && peer.sin_family == sa_family_t(AF_INET) && Int(UInt16(bigEndian: peer.sin_port)) == service.port
            }
        }
        var open: ConnectionPool? = try client()
        for _ in 0..<20 {
            let one = try client()
            _ = try one.perform(Exchange(method: "GET", url: service.url("/faults/ok")))
            _ = try open?.perform(Exchange(method: "GET", url: service.url("/faults/ok")))
        }
        #expect(try connections() == 1)
        open = nil
        #expect(try connections() == 0)
    }
}
