// Pages without I/O: a table of Link headers, and the next request for a response.

import RoutableClient
import RoutableCore
import RoutableDocuments
import Testing

private func next(_ header: String) -> String? {
    Array(header.utf8).withUnsafeBytes { LinkHeader.target("next", in: $0).map { Bytes($0).string } }
}

@Suite("The Link header is read as RFC 8288 has it, and anything else is no link")
struct LinkHeaderTests {
    @Test(
        "a next link",
        arguments: [
            (#"<https://a.b/?page=2>; rel="next""#, "https://a.b/?page=2"),
            ("<x>;rel=next", "x"),
            ("<>; rel=next", ""),
            (#"</p>; rel="prev", </n>; rel="next""#, "/n"),
            (#"</n>; rel="last next first""#, "/n"),
            (#"</n>; REL="NEXT""#, "/n"),
            (#"</n>; title="a, b; rel=prev \" <x>"; rel=next"#, "/n"),
            (#"</a,b;c>; rel="next""#, "/a,b;c"),
            (#"</n> ; title* = UTF-8'de'n%c3%a4chste ; rel = next"#, "/n"),
            (#" ,, </n>;;; rel=next , "#, "/n"),
            (#"</n>; rel=next; rel=prev"#, "/n"),
            (#"</p>; rel=prev; rel=next, </n>; rel=next"#, "/n"),
            (#"</a>; rel=next; anchor="/other", </n>; rel="next""#, "/n"),
            (#"</a> what is this "x, y" , </n>; rel=next"#, "/n"),
            (#"</n>; rel="next"#, "/n"),
            (#"</first>; rel=next, </second>; rel=next"#, "/first"),
            ("</n>; a; b=; rel=next", "/n"),
        ])
    func found(_ header: String, _ wanted: String) {
        #expect(next(header) == wanted, "\(header): got \(next(header) ?? "nothing"), expected \(wanted)")
    }

    @Test(
        "none",
        arguments: [
            "", " ", ",", "</n>", "</n>; rel", "</n>; rel=", #"</n>; rel="""#, "</n; rel=next", "/n; rel=next",
            "</n>; rel=nextx",
            #"</n>; rel="next-page""#, "</n>; xrel=next", "</n>, rel=next", #"</n>; title="; rel=next"#,
            "</n>; rel=prev; rel=next", "</n>; anchor=x; rel=next", "<", "<>", "<>;", "<>;=next",
        ])
    func none(_ header: String) { #expect(next(header) == nil, "\(header): got \(next(header) ?? "")") }

    @Test("the first header that has one, of several")
    func several() {
        let headers = HeaderBlock([
            HeaderField("Link", "</p>; rel=prev"), HeaderField("X", "</x>; rel=next"), HeaderField("link", "</n>; rel=next"),
        ])
        #expect(LinkHeader.target("next", headers) == "/n")
    }

    @Test("any bytes are read; what comes out stood in them")
    func anyBytes() {
        let alphabet = Array("<>;,=\" \\relnxt*'/a\u{0}\t".utf8) + [0x80, 0xFF]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            let target = bytes.withUnsafeBytes { LinkHeader.target("next", in: $0).map { Bytes($0) } }
            if let target { #expect(bytes.count >= target.count + 2, "\(bytes): \(target)") }
        }
    }
}

/// A request, the response to it, and the expected next request.
struct Step: Sendable, CustomStringConvertible {
    var rule: String
    var query: String
    var answer: (link: String, body: String, url: String)
    /// A URL; "end"; or a part of a message, after "!".
    var wanted: String

    init(_ rule: String, q query: String = "", link: String = "", body: String = "[]", from url: String = "", _ wanted: String)
    {
        self.rule = rule
        self.query = query
        answer = (link, body, url)
        self.wanted = wanted
    }

    var description: String { "\(rule) \(query) \(answer.link) \(answer.body) \(answer.url)" }
}

private let link = #"{"by":"link"}"#
private let inBody = #"{"by":"link","at":"/a~1b/0"}"#
private let cursor = #"{"by":"cursor","at":"/n","parameter":"c"}"#
private let page = #"{"by":"page","parameter":"p","items":"/d"}"#
private let offset = #"{"by":"offset","parameter":"p"}"#

private let steps: [Step] = [
    Step(link, "end"),
    Step(link, link: "<?p=2>; rel=next", "http://h.example/v1/things?p=2"),
    Step(link, link: "<../x/./y>; rel=next", "http://h.example/x/y"),
    Step(link, link: "<HTTP://H.example:80/x#part>; rel=next", "HTTP://H.example:80/x"),
    Step(link, link: "</x>; rel=next", from: "http://h.example/moved/", "http://h.example/x"),
    Step(link, link: "<x>; rel=next", from: "http://h.example/moved/", "http://h.example/moved/x"),
    Step(link, link: "<x>; rel=next", from: "http://other.example/moved/", "!at http://other.example, not at"),
    Step(link, link: "<https://h.example/x>; rel=next", "!at https://h.example, not at http://h.example;"),
    Step(link, link: "<http://h.example.evil/x>; rel=next", "!at http://h.example.evil, not at http://h.example;"),
    Step(link, link: "<http://h.example@evil/x>; rel=next", "!credentials"),
    Step(link, link: "<http://h.example:8080/x>; rel=next", "!at http://h.example:8080, not at http://h.example;"),
    Step(link, link: "<\\\\evil\\x>; rel=next", "!character that URLs do not allow"),
    Step(link, link: "<http://h.example\\@evil/>; rel=next", "!character that URLs do not allow"),
    Step(link, link: "<>; rel=next", "!already read: http://h.example/v1/things"),
    Step(link, q: "p=1", link: "<?p=1>; rel=next", "!already read"),
    Step(inBody, body: #"{"a/b":["?p=2"]}"#, "http://h.example/v1/things?p=2"),
    Step(inBody, body: #"{"a/b":[null]}"#, "end"),
    Step(inBody, body: #"{"a/b":[{}]}"#, "!neither a string nor a number"),
    Step(inBody, body: #"{"a/b":["/\u00e4"]}"#, "!character that URLs do not allow"),
    Step(inBody, body: "[", "!not JSON"),
    Step(inBody, body: "", "end"),
    Step(cursor, body: #"{"n":"x y&z=%"}"#, "http://h.example/v1/things?c=x%20y%26z%3D%25"),
    Step(cursor, q: "q=1&c=old&p=2", body: #"{"n":"new"}"#, "http://h.example/v1/things?p=2&c=new&q=1"),
    Step(cursor, body: #"{"n":123456789012345678901234567890}"#, "http://h.example/v1/things?c=123456789012345678901234567890"),
    Step(cursor, body: #"{"n":1.50e+2 }"#, "http://h.example/v1/things?c=1.50e%2B2"),
    Step(cursor, body: #"{"n":0}"#, "end"), Step(cursor, body: #"{"n":false}"#, "end"),
    Step(cursor, body: #"{"n":null}"#, "end"),
    Step(cursor, body: #"{"n":""}"#, "end"), Step(cursor, body: #"{}"#, "end"), Step(cursor, body: #"[]"#, "end"),
    Step(cursor, body: #"{"n":true}"#, "!neither a string nor a number"),
    Step(cursor, body: #"{"n":"a","n":"b"}"#, "http://h.example/v1/things?c=b"),
    Step(cursor, q: "c=same", body: #"{"n":"same"}"#, "!already read"),
    Step(page, body: #"{"d":[1]}"#, "http://h.example/v1/things?p=2"),
    Step(page, q: "p=-3", body: #"{"d":[1]}"#, "http://h.example/v1/things?p=-2"),
    Step(page, q: "p=9223372036854775807", body: #"{"d":[1]}"#, "!cannot be incremented"),
    Step(page, q: "p=two", body: #"{"d":[1]}"#, "!so the next page has no number"),
    Step(page, body: #"{"d":[ ]}"#, "end"), Step(page, body: #"{"d":null}"#, "end"),
    Step(page, body: #"{"d":{}}"#, "!not an array"), Step(page, body: #"{"e":[]}"#, "!no items at /d"),
    Step(offset, body: #"["a","b" , "c" ]"#, "http://h.example/v1/things?p=3"),
    Step(offset, q: "p=10", body: #"[[],{"a":[1,2]},"],"]"#, "http://h.example/v1/things?p=13"),
    Step(offset, body: "{}", "!not an array; set"),
]

@Suite("Pages: from a request and its answer to the next request")
struct PagesTests {
    private func router() throws -> Router {
        let text = """
            {"routable":1,"base":"http://h.example/v1","operations":{
            "list":{"get":"/things","query":{"p":{},"c":{},"q":{}}}}}
            """
        return try Array(text.utf8).withUnsafeBytes { try Router.open(RouteDocument.read($0, limit: 1 << 20)) }
    }

    private func request(_ query: String) throws -> Request {
        var call = Call(operation: "list")
        for item in query.split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1).map { Bytes(String($0)) }
            call.query.append(Value.Member(name: pair[0], value: .text(pair[1])))
        }
        return try router().request(for: call)
    }

    private func pages(_ rule: String, _ query: String = "", _ change: (inout PageOptions) -> Void = { _ in }) throws -> Pages {
        var options = PageOptions()
        options.pagination = try Array(rule.utf8).withUnsafeBytes { try Pagination.read($0) }
        change(&options)
        let request = try request(query)
        return try Pages.make(request, at: request.url, options)
    }

    private func response(_ body: String, link: String = "", url: String = "") -> Response {
        Response(
            status: 200, headers: link.isEmpty ? [] : [HeaderField("Link", Bytes(link))], body: Bytes(body), outcome: .raw,
            typeName: "", url: Bytes(url))
    }

    @Test("one step", arguments: steps)
    func step(_ step: Step) throws {
        let pages = try pages(step.rule, step.query)
        let first = try #require(try pages.next())
        #expect(first.url.bytes.string.hasPrefix("http://h.example/v1/things"))
        pages.take(response(step.answer.body, link: step.answer.link, url: step.answer.url))
        var got = "end"
        for _ in 0..<2 {
            do { got = try pages.next()?.url.bytes.string ?? "end" } catch {
                got = "!\(error.message.string)"
                #expect(error.fields.response != nil)
                #expect(error.fields.operation == "list")
            }
            if step.wanted.hasPrefix("!") {
                #expect(got.contains(step.wanted.dropFirst()), "\(step): got \(got)")
            } else {
                #expect(got == step.wanted, "\(step): got \(got), expected \(step.wanted)")
            }
        }
    }

    @Test("items are parts of the text")
    func items() throws {
        let pages = try pages(#"{"by":"link","items":"/d"}"#)
        for (body, wanted) in [
            (
                #"{"d":[1.10,"a]\"",{"b":[",]"]},[[]],null , true ]}"#,
                ["1.10", #""a]\"""#, #"{"b":[",]"]}"#, "[[]]", "null", "true"]
            ),
            (#"{"d":[]}"#, []), ("{}", []), ("", []), (#"{"d":[ 1 ]}"#, ["1"]), (#"{"d":[ ]}"#, []),
            (#"{"d":["a" , "b"]}"#, [#""a""#, #""b""#]),
        ] {
            pages.take(response(body))
            #expect(try pages.itemCount() == wanted.count, "\(body)")
            var got: [String] = []
            while let item = try pages.item() { got.append(Bytes(item).string) }
            #expect(got == wanted, "\(body): got \(got), expected \(wanted)")
        }
        pages.take(response(#"{"d":3}"#))
        #expect(throws: Failure.self) { try pages.item() }
    }

    @Test("bounds end the pages; without one, ten thousand are enough")
    func bounds() throws {
        let counted = try pages(#"{"by":"page","parameter":"p"}"#) { $0.maximumItems = 5 }
        var given: [Int] = []
        while try counted.next() != nil {
            counted.take(response("[1,2]"))
            given.append(try counted.itemCount())
            var count = 0
            while try counted.item() != nil { count += 1 }
            #expect(count == given.last)
        }
        #expect(given == [2, 2, 1])
        let endless = try pages(#"{"by":"page","parameter":"p"}"#)
        var count = 0
        #expect {
            while try endless.next() != nil {
                endless.take(response("[1]"))
                count += 1
            }
        } throws: { ($0 as? Failure)?.status == .limit }
        #expect(count == 10_000)
        let wanted = try pages(#"{"by":"page","parameter":"p"}"#) { $0.maximumPages = 10_001 }
        count = 0
        while try wanted.next() != nil {
            wanted.take(response("[1]"))
            count += 1
        }
        #expect(count == 10_001)
    }

    @Test("elsewhere there are no secrets, and at home again there are none either")
    func elsewhere() throws {
        let request = try request("")
        try request.setHeader("Authorization", "secret")
        try request.setHeader("X-Other", "kept")
        var options = PageOptions()
        options.pagination = try Array(link.utf8).withUnsafeBytes { try Pagination.read($0) }
        options.goesElsewhere = true
        let pages = try Pages.make(request, at: request.url, options)
        var seen: [String] = []
        for target in ["</2>", "<http://b.example/3>", "<4>", "<http://h.example/5>"] {
            let next = try #require(try pages.next())
            seen.append(
                "\(next.url.bytes.string) \(next.headers.value(of: "authorization")?.string ?? "-") \(next.isElsewhere)")
            #expect(next.headers.value(of: "X-Other") == "kept")
            pages.take(response("[]", link: "\(target); rel=next", url: next.url.bytes.string))
        }
        let last = try #require(try pages.next())
        seen.append("\(last.url.bytes.string) \(last.headers.value(of: "authorization")?.string ?? "-") \(last.isElsewhere)")
        #expect(
            seen == [
                "http://h.example/v1/things secret false", "http://h.example/2 secret false", "http://b.example/3 - true",
                "http://b.example/4 - true", "http://h.example/5 - true",
            ])
        #expect(request.headers.value(of: "authorization") == "secret")
    }
}
