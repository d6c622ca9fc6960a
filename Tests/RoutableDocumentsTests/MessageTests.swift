// Messages as JSON, byte for byte.

import CJansson
import RoutableDocuments
import RoutableJSON
import Testing

@testable import RoutableCore

private func response(_ body: Bytes, _ outcome: Outcome, type: Bytes = "", url: Bytes = "") -> Response {
    Response(status: 200, headers: [HeaderField("A", "b")], body: body, outcome: outcome, typeName: type, url: url)
}

@Suite("Messages")
struct MessageTests {
    @Test("a request, with and without a body")
    func request() {
        let headers = [HeaderField("Content-Type", "application/json"), HeaderField("X", Bytes([0x61, 0xE9]))]
        let whole = MessageDocument.request(
            method: "POST", url: "https://h/users/a%20b", route: "user", operation: "create", headers: headers,
            body: "{\"a\":\"\\n\"}")
        #expect(
            whole.string == #"{"method":"POST","url":"https://h/users/a%20b","route":"user","operation":"create","#
                + #""headers":[["Content-Type","application/json"],["X","aé"]],"body":"{\"a\":\"\\n\"}"}"#)
        let bytes = MessageDocument.request(
            method: "GET", url: "u", route: "", operation: "o", headers: [], body: Bytes([0xFF, 0]))
        #expect(bytes.string == #"{"method":"GET","url":"u","operation":"o","headers":[],"body_base64":"/wA="}"#)
        let bare = MessageDocument.request(method: "GET", url: "u", route: "", operation: "o", headers: [], body: nil)
        #expect(bare.string == #"{"method":"GET","url":"u","operation":"o","headers":[]}"#)
    }

    @Test("M2 a response: JSON as a value with its digits, text, bytes, or nothing")
    func responses() {
        let head = #"{"status":200,"outcome":"raw","headers":[["A","b"]],"#
        let json = response(
            "{ \"a b\" : [ 1.10, 12345678901234567890, \"\\u00e9 \\\" x\" ]\n}", .self, type: "T", url: "http://h/")
        #expect(
            MessageDocument.response(json).string
                == #"{"status":200,"outcome":"self","type":"T","headers":[["A","b"]],"url":"http://h/","#
                + #""value":{"a b":[1.10,12345678901234567890,"\u00e9 \" x"]}}"#)
        #expect(MessageDocument.response(response("hello", .raw)).string == head + #""body":"hello"}"#)
        #expect(MessageDocument.response(response("a\u{0}b", .raw)).string == head + #""body":"a\u0000b"}"#)
        #expect(MessageDocument.response(response(Bytes([0x80]), .raw)).string == head + #""body_base64":"gA=="}"#)
        #expect(MessageDocument.response(response("", .raw)).string == head + #""body":""}"#)
        #expect(
            MessageDocument.response(response("", .empty)).string
                == #"{"status":200,"outcome":"empty","headers":[["A","b"]]}"#)
    }

    @Test("a failure, with all that it knows")
    func failures() throws {
        let small = Failure(.notAllowed, "no")
        #expect(MessageDocument.failure(small).string == #"{"status":"not_allowed","code":23,"message":"no"}"#)
        let full = Failure(.httpStatus, "m") {
            $0.pointer = ""
            $0.schemaPointer = "/type"
            $0.offset = 0
            $0.line = 1
            $0.column = 1
            $0.route = "user"
            $0.operation = "read"
            $0.parameter = "p"
            $0.allowed = ["a", "b"]
            $0.suggestion = "a"
            $0.httpStatus = 404
            $0.curlCode = 7
            $0.response = response("1", .raw)
            $0.next = small
        }
        #expect(
            MessageDocument.failure(full).string
                == #"{"status":"http_status","code":37,"message":"m","pointer":"","schema_pointer":"/type","offset":0,"line":1,"#
                + #""column":1,"route":"user","operation":"read","parameter":"p","allowed":["a","b"],"suggestion":"a","#
                + #""http_status":404,"curl_code":7,"response":{"status":200,"outcome":"raw","headers":[["A","b"]],"value":1},"#
                + #""next":{"status":"not_allowed","code":23,"message":"no"}}"#)
        let tree = try MessageDocument.jansson(of: full)
        defer { cjansson_free(tree) }
        #expect(try written(tree) == MessageDocument.failure(full))
    }

    @Test("a chain of failures has an end")
    func chain() {
        var chain = Failure(.json, "end")
        for _ in 0..<1000 { chain = Failure(.json, "more").with { [chain] in $0.next = chain } }
        #expect(MessageDocument.failure(chain).count < 2000)
    }

    @Test("the routes, as the golden file has them")
    func routes() {
        var row = RouteRow()
        row.prefix = "users"
        row.method = "GET"
        row.pattern = "/users"
        row.route = "user"
        row.resource = "user"
        row.operation = "list"
        var end = RouteRow()
        end.pattern = "/x"
        end.route = "a.user"
        end.resource = "user"
        end.isRepeat = true
        var free = RouteRow()
        free.prefix = "search"
        free.method = "GET"
        free.pattern = "/search"
        free.operation = "search"
        #expect(
            MessageDocument.routes([row, end, free]).string
                == #"[{"prefix":"users","verb":"GET","pattern":"/users","route":"user","resource":"user","operation":"list"},"#
                + #"{"pattern":"/x","route":"a.user","resource":"user","repeats":true},"#
                + #"{"prefix":"search","verb":"GET","pattern":"/search","operation":"search"}]"#)
        #expect(MessageDocument.routes([]).string == "[]")
    }
}
