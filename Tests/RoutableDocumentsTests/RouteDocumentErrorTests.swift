// Every rejection of a route document: the position, the expected value, the nearest name.

import RoutableCore
import RoutableDocuments
import TestSupport
import Testing

/// `body` replaces the document's other keys; offsets count from its first byte.
struct Refusal: Sendable, CustomTestStringConvertible {
    var body: String
    var expected: Expected
    var testDescription: String { body }

    init(
        _ body: String, _ status: Status, _ pointer: String?, _ offset: Int?, suggestion: String = "",
        allowed: [String] = [], says: String = ""
    ) {
        self.body = body
        expected = Expected(
            status: status, pointer: pointer, offset: offset.map { $0 + Refusal.prefix.utf8.count },
            suggestion: suggestion,
            allowed: allowed, says: says)
    }

    static let prefix = "{\"routable\":1,"
    var document: String { Self.prefix + body + "}" }
}

private let capabilities = ["create", "delete", "list", "patch", "read", "update"]

/// The keys of a document, and resources.
let resourceRefusals: [Refusal] = [
    Refusal(
        #""resuorces":{}"#, .document, "/resuorces", 0, suggestion: "resources", says: "the route document has no key"),
    Refusal(#""auth":{"s":{}}"#, .document, "/auth/s", 12, says: "no \"scheme\""),
    Refusal(#""auth":{"s":{"scheme":"ntlm"}}"#, .document, "/auth/s/scheme", 22, says: "cannot be"),
    Refusal(#""auth":{"s":{"scheme":"basic","in":"query"}}"#, .document, "/auth/s/in", 30, says: "cannot have \"in\""),
    Refusal(#""auth":{"s":{"scheme":"key"}}"#, .document, "/auth/s", 12, says: "has no \"name\""),
    Refusal(
        #""auth":{"s":{"scheme":"bearer","refresh":"renwe"}},"operations":{"renew":{"post":"/x"}}"#, .document,
        "/auth/s/refresh", 41, suggestion: "renew"),
    Refusal(#""deadline":"3""#, .document, "/deadline", 11, says: "a number, not a string"),
    Refusal(#""deadline":0"#, .document, "/deadline", 11, says: "above 0"),
    Refusal(#""deadline":86401"#, .document, "/deadline", 11, says: "86400"),
    Refusal(#""deadline":1e400"#, .document, "/deadline", 11),
    Refusal(#""retry":{"tims":2}"#, .document, "/retry/tims", 9, suggestion: "times"),
    Refusal(#""retry":{"times":101}"#, .document, "/retry/times", 17, says: "from 0 to 100"),
    Refusal(#""retry":{"delay":-1}"#, .document, "/retry/delay", 17, says: "from 0 to 86400"),
    Refusal(#""idempotency":1"#, .document, "/idempotency", 14),
    Refusal(#""idempotency":{"header":"X Y"}"#, .document, "/idempotency/header", 24, says: "not a valid HTTP token"),
    Refusal(#""pagination":{}"#, .document, "/pagination", 13, says: "no \"by\""),
    Refusal(#""pagination":{"by":"cursr"}"#, .document, "/pagination/by", 19, suggestion: "cursor"),
    Refusal(#""pagination":{"by":"cursor","parameter":"c"}"#, .document, "/pagination", 13, says: "requires \"at\""),
    Refusal(#""pagination":{"by":"page"}"#, .document, "/pagination", 13, says: "requires \"parameter\""),
    Refusal(
        #""pagination":{"by":"link","parameter":"c"}"#, .document, "/pagination/parameter", 26,
        says: "cannot have \"parameter\""),
    Refusal(#""pagination":{"by":"link","start":0}"#, .document, "/pagination/start", 26, says: "cannot have \"start\""),
    Refusal(
        #""pagination":{"by":"page","parameter":"c","at":"/x"}"#, .document, "/pagination/at", 42, says: "cannot have \"at\""),
    Refusal(#""pagination":{"by":"link","items":"data"}"#, .document, "/pagination/items", 34, says: "a slash"),
    Refusal(#""pagination":true"#, .document, "/pagination", 13),
    Refusal(#""name":3"#, .document, "/name", 7, says: "the name must be a string, not an integer"),
    Refusal(#""name":"a\u0000b""#, .document, "/name", 7, says: "U+0000"),
    Refusal(#""base":"ftp://x""#, .url, "/base", 7, says: "ftp"),
    Refusal(#""headers":{"X Y":"1"}"#, .header, "/headers/X Y", 17),
    Refusal(#""headers":{"X":"1\r\nY: 2"}"#, .header, "/headers/X", 15),
    Refusal(
        #""encoding":{"arrays":"commas"}"#, .document, "/encoding/arrays", 21, suggestion: "comma"),
    Refusal(#""encoding":{"nulls":"dorp"}"#, .document, "/encoding/nulls", 20, suggestion: "drop"),
    Refusal(#""types":[]"#, .document, "/types", 8, says: "an object, not an array"),
    Refusal(#""types":{"T":{"type":"strng"}}"#, .document, "/types/T/type", 21, suggestion: "string"),
    Refusal(##""types":{"T":{"$ref":"#/types/U"}}"##, .document, "/types/T/$ref", 21, suggestion: "T"),
    Refusal(##""types":{"T":{"$ref":"#/types/T"}}"##, .document, "/types/T/$ref", 21, says: "is a cycle of references"),
    Refusal(#""types":{"T":{"$ref":"http://x/y"}}"#, .document, "/types/T/$ref", 21),
    Refusal(#""types":{"T":{"minLength":-1}}"#, .document, "/types/T/minLength", 26),
    Refusal(#""types":{"T":3}"#, .document, "/types/T", 13, says: "a schema"),
    Refusal(#""name":"a","name":"b""#, .document, "/name", 11, says: "twice"),
    Refusal(#""x-a":{"k":1,"k":2}"#, .document, "/x-a/k", 13, says: "twice"),
    Refusal(#""x-a":[0,{"a~/b":1,"\u0061~/b":2}]"#, .document, "/x-a/1/a~0~1b", 19, says: "twice"),
    Refusal(#""resources":{"a.b":{"path":"x"}}"#, .document, "/resources/a.b", nil, says: "dot"),
    Refusal(#""resources":{"a":{}}"#, .document, "/resources/a", 17, says: "no \"path\""),
    Refusal(#""resources":{"a":{"path":"a//b"}}"#, .document, "/resources/a/path", 25),
    Refusal(#""resources":{"a":{"path":"x/{y}"}}"#, .document, "/resources/a/path", 25, says: "cannot contain parameters"),
    Refusal(#""resources":{"a":{"path":"x/../y"}}"#, .document, "/resources/a/path", 25),
    Refusal(#""resources":{"a":{"path":"x","cna":["read"]}}"#, .document, "/resources/a/cna", 29, suggestion: "can"),
    Refusal(
        #""resources":{"a":{"path":"x","can":["raed"]}}"#, .document, "/resources/a/can/0", 36, suggestion: "read",
        allowed: capabilities),
    Refusal(
        #""resources":{"a":{"path":"x","can":["read","read"]}}"#, .document, "/resources/a/can/1", 43, says: "twice"),
    Refusal(#""resources":{"a":{"path":"x","can":[],"except":[]}}"#, .document, "/resources/a/except", 47),
    Refusal(
        #""resources":{"a":{"path":"x","has":["b"]},"bb":{"path":"y"}}"#, .document, "/resources/a/has/0", 36,
        suggestion: "a", allowed: ["a", "bb"]),
    Refusal(#""resources":{"a":{"path":"x","has":["a","a"]}}"#, .document, "/resources/a/has/1", 40, says: "twice"),
    Refusal(
        #""resources":{"a":{"path":"x","id":"integer"}}"#, .document, "/resources/a/id", 34,
        says: "a string here is the name of the id"),
    Refusal(#""resources":{"a":{"path":"x","nested":1}}"#, .document, "/resources/a/nested", 38, says: "true or false"),
    Refusal(#""resources":{"a":{"path":"x","type":"T"}}"#, .document, "/resources/a/type", 36, says: "there are none"),
    Refusal(#""resources":{"a":{"path":"x","auth":"s"}}"#, .document, "/resources/a/auth", 36, says: "there are none"),
    Refusal(#""resources":{"a":{"path":"x","auth":true}}"#, .document, "/resources/a/auth", 36, says: "not a boolean"),
    Refusal(#""resources":{"a":{"path":"x","id":""}}"#, .document, "/resources/a/id", 34),
    Refusal(
        #""resources":{"a":{"path":"x","id":{"type":"integer"}}}"#, .document, "/resources/a/id", 34,
        says: "no \"name\""),
    Refusal(
        #""resources":{"a":{"path":"x","id":{"name":"n","type":"int"}}}"#, .document, "/resources/a/id/type", 53,
        allowed: ["boolean", "integer", "number", "string"]),
    Refusal(
        #""resources":{"a":{"path":"x","id":{"name":"n","pattern":"("}}}"#, .document, "/resources/a/id/pattern", 56),
    Refusal(
        #""resources":{"a":{"path":"x","id":{"name":"n","required":false}}}"#, .document, "/resources/a/id/required", 57
    ),
    Refusal(
        #""resources":{"a":{"path":"x","operations":{"read":{}}}}"#, .document, "/resources/a/operations/read", 43,
        says: "does not have the capability"),
    Refusal(
        #""resources":{"a":{"path":"x","can":["read"],"operations":{"raed":{}}}}"#, .document,
        "/resources/a/operations/raed", 58, suggestion: "read", allowed: ["read"]),
    Refusal(
        #""resources":{"a":{"path":"x","can":["read"],"operations":{"read":{"get":"/x"}}}}"#, .document,
        "/resources/a/operations/read/get", 66, says: "a refined capability has no key"),
    Refusal(
        #""resources":{"a":{"path":"x","can":["read"],"operations":{"read":{"type":"A"}}}}"#, .document,
        "/resources/a/operations/read/type", 66, suggestion: "results", says: "did you mean \"results\"?"),
    Refusal(
        #""operations":{"a":{"get":"/x","response":{}}}"#, .document, "/operations/a/response", 30, suggestion: "results"),
    Refusal(
        #""resources":{"a":{"path":"x","member":{"read":{"get":"r"}}}}"#, .document, "/resources/a/member/read", 39),
]

/// Operations and parameters.
let operationRefusals: [Refusal] = [
    Refusal(#""operations":{"o":{}}"#, .document, "/operations/o", 18, says: "no method"),
    Refusal(#""operations":{"o":{"path":"/x"}}"#, .document, "/operations/o/path", 26, says: "\"path\" requires \"method\""),
    Refusal(#""operations":{"o":{"method":"GET"}}"#, .document, "/operations/o", 18, says: "\"method\" requires \"path\""),
    Refusal(#""operations":{"o":{"method":"G T","path":"/"}}"#, .document, "/operations/o/method", 28, says: "token"),
    Refusal(#""operations":{"o":{"get":"/x","post":"/x"}}"#, .document, "/operations/o/post", 30, says: "get"),
    Refusal(#""operations":{"o":{"get":"/x","query":"/x"}}"#, .document, "/operations/o/query", 30),
    Refusal(#""operations":{"o":{"get":"/x","path":"/x"}}"#, .document, "/operations/o/path", 37),
    Refusal(#""operations":{"o":{"get":"/x{"}}"#, .document, "/operations/o/get", 25, says: "not closed"),
    Refusal(
        #""operations":{"o":{"get":"/x","ids":{"a":{}}}}"#, .document, "/operations/o/ids/a", 37, says: "there are none"
    ),
    Refusal(
        #""operations":{"o":{"get":"/{id}","ids":{"ids":{}}}}"#, .document, "/operations/o/ids/ids", 40,
        suggestion: "id"),
    Refusal(#""operations":{"o":{"get":"/x","retry":1}}"#, .document, "/operations/o/retry", 38),
    Refusal(
        #""operations":{"o":{"get":"/x","query":{"page":{}},"pagination":{"by":"page","parameter":"pag"}}}"#, .document,
        "/operations/o/pagination/parameter", 88, suggestion: "page"),
    Refusal(
        #""operations":{"o":{"get":"/x","query":{"page":{"type":"array","items":{}}},"pagination":{"by":"page","parameter":"page"}}}"#,
        .document, "/operations/o/pagination/parameter", nil),
    Refusal(
        #""operations":{"o":{"get":"/x","query":{"n":{}},"pagination":{"by":"link","size":"m"}}}"#, .document,
        "/operations/o/pagination/size", nil, suggestion: "n"),
    Refusal(
        #""operations":{"o":{"post":"/x","pagination":{"by":"link"}}}"#, .document, "/operations/o/pagination", nil,
        says: "only GET operations"),
    Refusal(#""operations":{"o":{"get":"/x","priority":1.5}}"#, .document, "/operations/o/priority", 41),
    Refusal(
        #""operations":{"o":{"get":"/x","priority":9223372036854775808}}"#, .document, "/operations/o/priority", 41),
    Refusal(
        #""operations":{"o":{"post":"/x","body_as":"xml"}}"#, .document, "/operations/o/body_as", 41,
        allowed: ["bytes", "form", "json", "multipart"]),
    Refusal(
        ##""operations":{"o":{"post":"/x","body":{"$ref":"#/types/Z"}}}"##, .document, "/operations/o/body/$ref", 46),
    Refusal(
        #""operations":{"o":{"get":"/x","results":{"20":null}}}"#, .document, "/operations/o/results/20", 41,
        says: "not a status"),
    Refusal(#""operations":{"o":{"get":"/x","results":{"0XX":null}}}"#, .document, "/operations/o/results/0XX", 41),
    Refusal(
        #""operations":{"o":{"get":"/x","results":{"200":"T"}}}"#, .document, "/operations/o/results/200", 47,
        says: ##"a named type is {"$ref": "#/types/T"}"##),
    Refusal(
        #""operations":{"o":{"get":"/x","query":{"q":{"tpye":"string"}}}}"#, .document, "/operations/o/query/q/tpye",
        44, suggestion: "type"),
    Refusal(
        #""operations":{"o":{"get":"/x","query":{"q":{"style":"form"}}}}"#, .unsupported, "/operations/o/query/q/style",
        44),
    Refusal(
        #""operations":{"o":{"get":"/x","query":{"q":{"type":"object"}}}}"#, .document, "/operations/o/query/q/type",
        51, allowed: ["array", "boolean", "integer", "number", "string"]),
    Refusal(
        #""operations":{"o":{"get":"/x","query":{"q":{"type":"array"}}}}"#, .document, "/operations/o/query/q", 43,
        says: "items"),
    Refusal(
        #""operations":{"o":{"get":"/x","query":{"q":{"items":{}}}}}"#, .document, "/operations/o/query/q/items", 52),
    Refusal(
        #""operations":{"o":{"get":"/x","query":{"q":{"type":"integer","default":"1"}}}}"#, .document,
        "/operations/o/query/q/default", 71, says: "integer is expected, not a string"),
    Refusal(
        #""operations":{"o":{"get":"/x","query":{"q":{"type":"integer","minimum":2,"default":1}}}}"#, .document,
        "/operations/o/query/q/default", 83, says: "at least 2"),
    Refusal(
        #""operations":{"o":{"get":"/x","query":{"q":{"type":"integer","minLength":2}}}}"#, .document,
        "/operations/o/query/q/minLength", 73),
    Refusal(
        #""operations":{"o":{"get":"/x","query":{"q":{"minimum":2}}}}"#, .document, "/operations/o/query/q/minimum", 54),
    Refusal(
        #""operations":{"o":{"get":"/x","query":{"q":{"minLength":3,"maxLength":2}}}}"#, .document,
        "/operations/o/query/q/maxLength", 70),
    Refusal(#""operations":{"o":{"get":"/x","query":{"q":{"enum":[]}}}}"#, .document, "/operations/o/query/q/enum", 51),
    Refusal(#""operations":{"o":{"get":"/x","header":{"X Y":{}}}}"#, .header, "/operations/o/header/X Y", nil),
    Refusal(
        #""operations":{"o":{"get":"/x","header":{"X":{"items":{}}}}}"#, .document, "/operations/o/header/X/items", 45),
]

@Suite("A route document is refused with the place, the reason and the nearest name")
struct RouteDocumentErrorTests {
    @Test("resources and types", arguments: resourceRefusals)
    func resources(refusal: Refusal) {
        let found = failure { _ = try readDocument(refusal.document) }
        #expect(refusal.expected.difference(from: found) == nil)
    }

    @Test("operations and parameters", arguments: operationRefusals)
    func operations(refusal: Refusal) {
        let found = failure { _ = try readDocument(refusal.document) }
        #expect(refusal.expected.difference(from: found) == nil)
    }

    @Test(
        "the version, before anything else",
        arguments: [
            (#"{"name":"a"}"#, Status.document, "", "missing"),
            (#"{"routable":2,"novel":true}"#, .unsupported, "/routable", "version 2; this library supports version 1"),
            (#"{"routable":99999999999999999999}"#, .unsupported, "/routable", "version 99999999999999999999"),
            (#"{"routable":0}"#, .document, "/routable", "must be 1"),
            (#"{"routable":"1"}"#, .document, "/routable", "must be 1"),
            (#"[]"#, .document, "", "an object, not an array"),
            (#"null"#, .document, "", "an object, not null"),
        ])
    func version(document: String, status: Status, pointer: String, says: String) {
        let found = failure { _ = try readDocument(document) }
        #expect(Expected(status: status, pointer: pointer, says: says).difference(from: found) == nil)
    }

    @Test("lines and columns count from 1, in bytes")
    func lines() {
        let document = "{ \"routable\": 1,\n  \"name\": \"é\",\r\n\t\"bsae\": \"\" }"
        let found = failure { _ = try readDocument(document) }
        let expected = Expected(status: .document, pointer: "/bsae", offset: 35, line: 3, column: 2, suggestion: "base")
        #expect(expected.difference(from: found) == nil)
    }

    @Test("a document beyond the limit of bytes is not looked at")
    func size() {
        let found = failure { _ = try withText("{\"routable\":1}") { try RouteDocument.read($0, limit: 13) } }
        #expect(found?.status == .limit)
    }

    @Test("a failure of a later check is located by its pointer, another is left alone")
    func locate() {
        withText(#"{"resources": {"a": {"has": ["b", "c"]}}}"#) { text in
            let conflict = Failure(.conflict, "two routes").at("/resources/a/has/1")
            #expect(RouteDocument.locate(conflict, in: text).fields.offset == 34)
            #expect(RouteDocument.locate(Failure(.conflict, "two routes"), in: text).fields.offset == nil)
            #expect(RouteDocument.locate(conflict.with { $0.pointer = "/resources/b" }, in: text).fields.offset == nil)
        }
    }
}
