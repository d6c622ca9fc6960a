// The schemas of operations, named or inline, and validation of JSON by Swift programs.

import Routable
import Testing

private enum Notes: API {
    static let name = "notes"
    static let base = "https://h"
    static var resources: [AnyResource] { [AnyResource(Note.self)] }
    static let document = #"""
        {"routable": 1, "base": "https://h",
         "types": {"Note": {"type": "object", "required": ["id", "text", "secret"], "properties": {
            "id": {"type": "integer", "readOnly": true}, "text": {"type": "string"}, "secret": {"writeOnly": true}}}},
         "resources": {"note": {"path": "notes", "can": ["list", "create"], "type": "Note"}},
         "operations": {"rename": {"post": "/rename", "body": {"properties": {"name": {"maxLength": 2}}},
                                   "results": {"200": {"type":"integer"}, "4XX": {"type":"string"}}}}}
        """#
}

private enum Note: Listable, Creatable {
    typealias ID = ResourceID<Note>
    static let name = "note"
    static let path = "notes"
    struct Model: Codable, Sendable { var text: String }
}

@Suite("The schemas of operations")
struct OperationSchemaTests {
    private func failure(_ use: () throws(Failure) -> Void) -> Failure? {
        do throws(Failure) { try use() } catch { return error }
        return nil
    }

    @Test("The text of a schema without a name, and of a list of a named type")
    func text() throws {
        let router = try Notes.opened()
        #expect(try router.bodySchema(route: "", operation: "rename") == #"{"properties":{"name":{"maxLength":2}}}"#)
        #expect(try router.resultSchema(route: "", operation: "rename") == #"{"type":"integer"}"#)
        #expect(try router.resultSchema(route: "", operation: "rename", status: 404) == #"{"type":"string"}"#)
        #expect(
            try router.resultSchema(route: "note", operation: "list").hasPrefix(#"{"type":"array","items":{"type":"object""#))
    }

    @Test("A body without what is readOnly fits, and all reasons of one that does not are told")
    func bodies() throws {
        let router = try Notes.opened()
        try router.checkBody(#"{"text":"a","secret":1}"#, route: "note", operation: "create")
        let refused = failure { () throws(Failure) in
            try router.checkBody(#"{"text":1}"#, route: "note", operation: "create", maximumErrors: 5)
        }
        #expect(refused?.status == .body)
        let pointers = [refused?.fields.schemaPointer, refused?.fields.next?.fields.schemaPointer]
        #expect(Set(pointers) == ["/required", "/properties/text/type"], "\(pointers)")
        #expect(refused?.fields.next?.fields.next == nil)
    }

    @Test("A result is held against what is declared for its status, errors too")
    func results() throws {
        let router = try Notes.opened()
        try router.checkResult(#"[{"id":1,"text":"a"}]"#, route: "note", operation: "list")
        try router.checkResult(#""gone""#, route: "", operation: "rename", status: 410)
        let second = failure { () throws(Failure) in
            try router.checkResult(#"[{"id":1,"text":"a"},{"text":"b"}]"#, route: "note", operation: "list")
        }
        #expect(second?.fields.pointer == "/1" && second?.fields.parameter == "id", "\(second?.description ?? "nothing")")
        let undeclared = failure { () throws(Failure) in
            try router.checkResult("1", route: "", operation: "rename", status: 500)
        }
        #expect(undeclared?.status == .unknown)
        #expect(undeclared?.fields.allowed == ["200", "4XX"])
    }

    @Test("What is not there is told with its name")
    func unknown() throws {
        let router = try Notes.opened()
        let operation = failure { () throws(Failure) in try router.checkBody("1", route: "", operation: "renam") }
        #expect(operation?.status == .unknown && operation?.fields.suggestion == "rename")
        let schema = failure { () throws(Failure) in try router.checkBody("1", route: "note", operation: "list") }
        #expect(schema?.message == "list declares no schema for its body" && schema?.fields.route == "note")
        let text = failure { () throws(Failure) in try router.checkBody(#"{"name":"#, route: "", operation: "rename") }
        #expect(text?.status == .json)
    }
}
