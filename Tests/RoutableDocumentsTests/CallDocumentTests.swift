// Calls as JSON.

import RoutableCore
import RoutableDocuments
import RoutableSchema
import TestSupport
import Testing

@Suite("A call")
struct CallDocumentTests {
    @Test("arrives whole")
    func arrives() throws {
        let call = try readCall(
            #"""
            {"route":"user.status.comment","operation":"create","ids":["initFabian",3],"query":{"notify":true,"none":null},
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
        #expect(try JSONCodec.compile([]).text(of: body) == #"{"n":12345678901234567890}"#)
    }

    @Test("has free parameters or none, which differs (U2); and bodies of three kinds")
    func parts() throws {
        #expect(try readCall(#"{"operation":"a"}"#).parameters == nil)
        #expect(try readCall(#"{"operation":"a","parameters":{}}"#).parameters?.isEmpty == true)
        guard case .none = try readCall(#"{"operation":"a"}"#).body,
            case .value(.null) = try readCall(#"{"operation":"a","body":null}"#).body,
            case .bytes("é\u{0}") = try readCall(#"{"operation":"a","body_text":"é\u0000"}"#).body,
            case .bytes(let bytes) = try readCall(#"{"operation":"a","body_base64":"/wA="}"#).body,
            case .named(let ids) = try readCall(#"{"operation":"a","ids":{"user_id":"x"}}"#).ids
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
            ("{}", Expected(status: .document, pointer: "", offset: 0, says: "\"operation\"")),
            (#"{"operatoin":"read"}"#, Expected(status: .document, pointer: "/operatoin", offset: 1, suggestion: "operation")),
            (#"{"do":"read"}"#, Expected(status: .document, pointer: "/do", offset: 1, suggestion: "operation")),
            (
                #"{"operation":"read","rout":"a"}"#,
                Expected(status: .document, pointer: "/rout", offset: 20, suggestion: "route")
            ),
            (#"{"operation":""}"#, Expected(status: .document, pointer: "/operation", offset: 13, says: "empty")),
            (
                #"{"operation":1}"#,
                Expected(status: .document, pointer: "/operation", offset: 13, says: "a string, not an integer")
            ),
            (#"{"operation":"a\u0000"}"#, Expected(status: .document, pointer: "/operation", offset: 13, says: "U+0000")),
            (
                #"{"operation":"a","operation":"b"}"#,
                Expected(status: .document, pointer: "/operation", offset: 17, says: "twice")
            ),
            (
                #"{"operation":"a","ids":3}"#,
                Expected(status: .document, pointer: "/ids", offset: 23, says: "an array or an object")
            ),
            (
                "{\"operation\":\"a\",\n\"query\":[]}",
                Expected(status: .document, pointer: "/query", offset: 26, line: 2, column: 9)
            ),
            (
                #"{"operation":"a","body":1,"body_text":""}"#,
                Expected(status: .document, pointer: "/body_text", offset: 38, says: "one body")
            ),
            (
                #"{"operation":"a","body_base64":"/w"}"#,
                Expected(status: .document, pointer: "/body_base64", offset: 31, says: "character 2")
            ),
            (#"{"operation":"a""#, Expected(status: .json, offset: 16, says: "inside an object")),
        ] as [(String, Expected)])
    func refused(call: String, expected: Expected) {
        let found = failure { _ = try readCall(call) }
        #expect(expected.difference(from: found) == nil)
    }

    @Test("may hold a value with equal keys nowhere; a value on its own takes the last")
    func duplicates() throws {
        #expect(failure { _ = try readCall(#"{"operation":"a","body":{"k":1,"k":2}}"#) }?.fields.pointer == "/body/k")
        #expect(try JSONCodec.compile([]).text(of: readValue(#"{"k":1,"k":2}"#)) == #"{"k":2}"#)
    }
}
