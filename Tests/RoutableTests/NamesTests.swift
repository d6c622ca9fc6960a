// docs/calls.md: every name of Tests/golden/names.json is an operation, an id, a query parameter, a header, a cookie and a member of
// the body at the same time, and each value is sent in the right location.

import Foundation
import Routable
import RoutableCore
import RoutableDocuments
import Testing

/// The names, and an OpenAPI document with an operation for each of them.
private enum Names: API {
    static let every: [String] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("golden/names.json")
        guard let data = try? Data(contentsOf: file),
            let groups = try? JSONDecoder().decode([String: [String]].self, from: data)
        else { return [] }
        return Set(groups.values.joined()).subtracting(["_"]).sorted()
    }()

    static let name = "names"
    static let base = "https://h.test"
    static var resources: [AnyResource] { [] }
    static let document: String = {
        var paths: [String: Any] = [:]
        for (index, name) in every.enumerated() {
            let parameters = ["path", "query", "header", "cookie"].map {
                ["name": name, "in": $0, "required": $0 == "path", "schema": ["type": "string"]] as [String: Any]
            }
            let schema: [String: Any] = [
                "type": "object", "required": [name], "properties": [name: ["type": "string"]], "additionalProperties": false,
            ]
            let body: [String: Any] = ["required": true, "content": ["application/json": ["schema": schema]]]
            paths["/n\(index)/{\(name)}"] = [
                "post": ["operationId": name, "parameters": parameters, "requestBody": body, "responses": [String: String]()]
                    as [String: Any]
            ]
        }
        let whole: [String: Any] = [
            "openapi": "3.1.0", "info": ["title": "names", "version": "1"], "servers": [["url": "https://h.test"]],
            "paths": paths,
        ]
        return String(decoding: (try? JSONSerialization.data(withJSONObject: whole)) ?? Data(), as: UTF8.self)
    }()
}

@Suite("Names of a description")
struct NamesTests {
    private func expected(_ index: Int, _ name: String) -> String {
        let headers = name.lowercased() == "cookie" ? " Cookie: h; \(name)=c;" : " \(name): h; Cookie: \(name)=c;"
        return "POST https://h.test/n\(index)/i?\(name)=q\(headers) Content-Type: application/json; {\"\(name)\":\"b\"}"
    }

    @Test("An endpoint of an opened API sends each value where it belongs")
    func endpoints() throws {
        #expect(Names.every.count > 350)
        for (index, name) in Names.every.enumerated() {
            let endpoint = try Names.endpoint(name, "i").query(name, "q").header(name, "h").cookie(name, "c").body(encoding: [
                name: "b"
            ])
            #expect(line(endpoint) == expected(index, name))
        }
    }

    @Test("A call on a router sends each value where it belongs; a second value replaces the first")
    func calls() throws {
        let router = try Names.opened()
        for (index, name) in Names.every.enumerated() {
            let call = try router.call(operation: name, "i").query(name, "x").query(name, "q").header(name, "h").cookie(
                name, "x"
            )
            .cookie(name, "c").body(encoding: [name: "b"])
            #expect(line(call) == expected(index, name))
            var named = call
            named.call.ids = .named([Value.Member(name: Bytes(name), value: .text("i"))])
            #expect(line(named) == expected(index, name))
        }
    }
}
