// Calls as JSON.

import RoutableCore
import Testing

@testable import RoutableJSON

@Suite("A call")
struct CallDocumentTests {
    @Test("arrives whole")
    func arrives() throws {
        let call = try readCall(
            #"""
            {"route":"user.status.comment","do":"create","ids":["initFabian",3],"query":{"notify":true,"none":null},
             "parameters":{"via":{"b":[1,null]}},"headers":{"X-Trace":"7"},"cookies":{"s":"1"},"x-note":1,
             "body":{"n":12345678901234567890},"content_type":"application/merge-patch+json","base":"http://h"}
            """#)
        #expect(call.route == "user.status.comment" && call.operation == "create")
        guard case .positional(let ids) = call.ids, case .value(let body) = call.body else {
            Issue.record("ids or body")
            return
        }
        #expect(ids.compactMap(\.scalarText) == ["initFabian", "3"])
        #expect(call.query.map(\.name) == ["notify", "none"] && call.query[1].value.isNull)
        #expect(call.parameters?.count == 1 && call.headers.count == 1 && call.cookies.count == 1)
        #expect(call.contentType == "application/merge-patch+json" && call.base == "http://h")
        #expect(try JSONCodec(types: []).text(of: body) == #"{"n":12345678901234567890}"#)
    }

    @Test("has free parameters or none, which differs (U2); and bodies of three kinds")
    func parts() throws {
        #expect(try readCall(#"{"do":"a"}"#).parameters == nil)
        #expect(try readCall(#"{"do":"a","parameters":{}}"#).parameters?.isEmpty == true)
        guard case .none = try readCall(#"{"do":"a"}"#).body,
            case .value(.null) = try readCall(#"{"do":"a","body":null}"#).body,
            case .bytes("é\u{0}") = try readCall(#"{"do":"a","body_text":"é\u0000"}"#).body,
            case .bytes(let bytes) = try readCall(#"{"do":"a","body_base64":"/wA="}"#).body,
            case .named(let ids) = try readCall(#"{"do":"a","ids":{"user_id":"x"}}"#).ids
        else {
            Issue.record("another kind")
            return
        }
        #expect(bytes.storage == [0xFF, 0x00] && ids[0].name == "user_id")
    }

    @Test(
        "is refused with pointer and place",
        arguments: [
            (
                "[]",
                Expected(status: .document, pointer: "", offset: 0, line: 1, column: 1, says: "an object, not an array")
            ),
            ("{}", Expected(status: .document, pointer: "", offset: 0, says: "\"do\"")),
            (#"{"od":"read"}"#, Expected(status: .document, pointer: "/od", offset: 1, suggestion: "do")),
            (#"{"operation":"read"}"#, Expected(status: .document, pointer: "/operation", offset: 1, suggestion: "do")),
            (
                #"{"do":"read","rout":"a"}"#,
                Expected(status: .document, pointer: "/rout", offset: 13, suggestion: "route")
            ),
            (#"{"do":""}"#, Expected(status: .document, pointer: "/do", offset: 6, says: "empty")),
            (#"{"do":1}"#, Expected(status: .document, pointer: "/do", offset: 6, says: "a string, not an integer")),
            (#"{"do":"a\u0000"}"#, Expected(status: .document, pointer: "/do", offset: 6, says: "U+0000")),
            (#"{"do":"a","do":"b"}"#, Expected(status: .document, pointer: "/do", offset: 10, says: "twice")),
            (
                #"{"do":"a","ids":3}"#,
                Expected(status: .document, pointer: "/ids", offset: 16, says: "an array or an object")
            ),
            (
                "{\"do\":\"a\",\n\"query\":[]}",
                Expected(status: .document, pointer: "/query", offset: 19, line: 2, column: 9)
            ),
            (
                #"{"do":"a","body":1,"body_text":""}"#,
                Expected(status: .document, pointer: "/body_text", offset: 31, says: "one body")
            ),
            (
                #"{"do":"a","body_base64":"/w"}"#,
                Expected(status: .document, pointer: "/body_base64", offset: 24, says: "character 2")
            ),
            (#"{"do":"a""#, Expected(status: .json, offset: 9, says: "inside an object")),
        ] as [(String, Expected)])
    func refused(call: String, expected: Expected) {
        let found = failure { _ = try readCall(call) }
        #expect(expected.difference(from: found) == nil)
    }

    @Test("may hold a value with equal keys nowhere; a value on its own takes the last")
    func duplicates() throws {
        #expect(failure { _ = try readCall(#"{"do":"a","body":{"k":1,"k":2}}"#) }?.fields.pointer == "/body/k")
        #expect(try JSONCodec(types: []).text(of: readValue(#"{"k":1,"k":2}"#)) == #"{"k":2}"#)
    }
}
