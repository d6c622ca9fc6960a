// A Swift program receives everything that a description declares: discriminators, delimiters and long numbers.

import Routable
import RoutableCore
import Testing

private enum Zoo: API {
    static let name = "zoo"
    static let base = "https://h"
    static var resources: [AnyResource] { [] }
    static let document = #"""
        {"openapi": "3.1.0", "info": {"title": "zoo", "version": "1"}, "servers": [{"url": "https://h"}],
         "paths": {"/animals": {"post": {"operationId": "add",
           "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Animal"}}}},
           "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "array", "items": {"type": "object"}}}}}}}},
          "/numbers": {"post": {"operationId": "count",
           "requestBody": {"content": {"application/json": {"schema": {"multipleOf": 2, "minimum": -9223372036854775809}}}}, "responses": {}}},
          "/find": {"get": {"operationId": "find", "responses": {}, "parameters": [
           {"name": "X-A", "in": "header", "schema": {"type": "array"}},
           {"name": "p", "in": "query", "style": "pipeDelimited", "explode": false, "schema": {"type": "array"}},
           {"name": "s", "in": "query", "style": "spaceDelimited", "explode": false, "schema": {"type": "array"}}]}}},
         "components": {"schemas": {
          "Cat": {"type": "object", "required": ["kind", "lives"]}, "Dog": {"type": "object", "required": ["kind", "bark"]},
          "Animal": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
           "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat", "dog": "#/components/schemas/Dog"}}}}}}
        """#
}

@Suite("Nothing is silent")
struct NothingSilentTests {
    private func failure(_ use: () throws(Failure) -> Void) -> Failure? {
        do throws(Failure) { try use() } catch { return error }
        return nil
    }

    @Test("A discriminator selects the schema, and the reason names its property")
    func discriminator() throws {
        let router = try Zoo.opened()
        try router.checkBody(#"{"kind":"cat","lives":9}"#, route: "", operation: "add")
        let dog = failure { () throws(Failure) in
            try router.checkBody(#"{"kind":"dog","lives":9}"#, route: "", operation: "add")
        }
        #expect(dog?.status == .body && dog?.fields.parameter == "bark", "\(dog?.description ?? "accepted")")
    }

    @Test(
        "Numbers beyond 64 bits are exact",
        arguments: [
            ("95071870518265434373", false), ("95071870518265434374", true), ("-9223372036854775810", false),
            ("-9223372036854775808", true),
        ])
    func numbers(number: String, isAccepted: Bool) throws {
        let router = try Zoo.opened()
        let refused = failure { () throws(Failure) in try router.checkBody(Bytes(number), route: "", operation: "count") }
        #expect((refused == nil) == isAccepted, "\(number): \(refused?.description ?? "accepted")")
    }

    @Test(
        "A value that has the delimiter of its style is refused",
        arguments: [("X-A", "a,b"), ("p", "a|b"), ("s", "a b")])
    func delimiters(name: String, value: String) throws {
        let router = try Zoo.opened()
        for (first, isAccepted) in [("a", true), (value, false)] {
            var call = Call(operation: "find")
            let member = Value.Member(name: Bytes(name), value: .array([.text(Bytes(first)), .text("c")]))
            if name == "X-A" { call.headers = [member] } else { call.query = [member] }
            let given = call
            let refused = failure { () throws(Failure) in _ = try router.request(for: given) }
            #expect((refused?.status == .value) != isAccepted, "\(name) \(first): \(refused?.description ?? "accepted")")
        }
    }
}
