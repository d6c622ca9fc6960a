// The statuses are equal to those of the headers, and error JSON is valid against its schema.

import Foundation
import RoutableCore
import RoutableDocuments
import RoutableSchema
import TestSupport
import Testing

@Suite("Statuses")
struct StatusTests {
    private struct Described: Decodable {
        struct Row: Decodable, Hashable {
            var name: String
            var value: Int32
        }
        var statuses: [Row]
    }

    @Test("the engine has those of the headers, with their names and numbers")
    func described() throws {
        let text = try repositoryFile("docs/interface.json")
        let rows = try JSONDecoder().decode(Described.self, from: Data(text.utf8)).statuses
        #expect(Set(rows) == Set(Status.allCases.map { Described.Row(name: "\($0.name)", value: $0.rawValue) }))
        #expect(rows.count == Status.allCases.count)
    }

    private func schema() throws -> JSONSchema {
        let others = try ["status", "response"].map {
            JSONSchema.Document(
                uri: Bytes(text: "\($0).schema.json"), text: Bytes(text: try repositoryFile("docs/schema/\($0).schema.json")))
        }
        return try withText(try repositoryFile("docs/schema/error.schema.json")) {
            try JSONSchema.open($0, uri: "error.schema.json", documents: others)
        }
    }

    @Test("error JSON of each failure fits its schema", arguments: Status.allCases.filter { $0.rawValue >= 16 })
    func errors(status: Status) throws {
        let schema = try schema()
        let full = Failure(status, "m") {
            $0.pointer = "/a"
            $0.schemaPointer = "/type"
            $0.offset = 7
            $0.line = 1
            $0.column = 8
            $0.route = "user"
            $0.operation = "read"
            $0.parameter = "p"
            $0.allowed = ["a", "b"]
            $0.suggestion = "a"
            $0.httpStatus = 404
            $0.curlCode = 7
            $0.next = Failure(status, "n")
        }
        for each in [Failure(status, "m"), full] {
            try withText(MessageDocument.failure(each).string) { try schema.check(json: $0, maximumErrors: 1) }
        }
    }

    @Test(
        "no other name, number or pair of them does",
        arguments: [
            #"{"status":"ok","code":0,"message":"m"}"#, #"{"status":"no_match","code":1,"message":"m"}"#,
            #"{"status":"json","code":19,"message":"m"}"#, #"{"status":"json","code":15,"message":"m"}"#,
            #"{"status":"other","code":18,"message":"m"}"#, #"{"status":"json","message":"m"}"#, #"{"code":18,"message":"m"}"#,
        ])
    func refused(json: String) throws {
        let schema = try schema()
        #expect(failure { try withText(json) { try schema.check(json: $0, maximumErrors: 1) } }?.fields.status == .body)
    }
}
