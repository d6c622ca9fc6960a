// The requests of Tests/golden/service.json get the same responses as from a service in Python (bindings/python/tests/service_cases.py).

import Foundation
import Routable
import Testing

/// The content of the file.
private struct Recorded: Decodable {
    struct Case: Decodable, Sendable {
        struct Response: Decodable, Equatable, Sendable {
            var status: Int32
            var headers: [String: String]
            var body: String
        }
        var method: String
        var target: String
        var headers: [String: String]
        var body: String?
        var base64: String?
        var response: Response
    }
    var maximum: Int
    var cases: [Case]

    static let data: Data? = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("golden/service.json")
        return try? Data(contentsOf: file)
    }()

    static func read() throws -> Recorded { try JSONDecoder().decode(Recorded.self, from: try #require(data)) }
}

private enum Board: RootedAPI {
    static let name = "board"
    static let base = "https://board.example/v1"
    struct Resources: ResourceList { let user = Child<Member>() }
    static let document: String = {
        // The first line is {"document": DOCUMENT, whose order must be kept: reasons are in the order of the parameters.
        let line = String(decoding: Recorded.data ?? Data(), as: UTF8.self).prefix { $0 != "\n" }
        return String(line.dropFirst("{\"document\": ".count).dropLast())
    }()
}

private enum Member: Listable, Readable, Updatable, HasChildren {
    typealias ID = ResourceID<Member>
    static let name = "user"
    static let path = "users"
    static var id: ParameterDescription { id(named: "name") }
    struct Children: ResourceList { let notes = Child<Note>() }
    struct Model: Codable, Sendable {
        var name: String
        var age: Int?
    }
}

private enum Note: Listable, Readable, Creatable, Updatable, Deletable {
    typealias ID = IntegerID<Note>
    static let name = "note"
    static let path = "notes"
    static let isNested = true
    static var id: ParameterDescription { id(named: "number") }
    struct Model: Codable, Sendable {
        var text: String
        var stars: Int?
        var tags: [String]?
    }
}

private struct Members: ResourceHandler {
    typealias Kind = Member
    let ages = ["ann": 30, "bob": 40]

    func list(_ received: Received) async throws -> [Member.Model] {
        ages.sorted { $0.key < $1.key }.map { Member.Model(name: $0.key, age: $0.value) }
    }

    func read(_ id: Member.ID, _ received: Received) async throws -> Member.Model {
        guard let age = ages[id.text] else { throw Refusal(404, "there is no such user") }
        received.reply.etag = "\"\(age)\""
        return Member.Model(name: id.text, age: age)
    }

    func update(_ id: Member.ID, _ body: Member.Model, _ received: Received) async throws -> Member.Model {
        if body.name != id.text { throw Refusal(409, "the name of the user is \(id)") }
        return body
    }
}

/// An actor, as in a program with handlers that have state.
private actor Notes: ResourceHandler {
    typealias Kind = Note

    private func note(_ user: Member.ID, _ number: Int64) -> Note.Model {
        Note.Model(text: "note \(number)", stars: Int(number % 6), tags: [user.text])
    }

    func list(_ received: Received) async throws -> [Note.Model] {
        let user = try received.id(of: Member.self)
        return [note(user, 1), note(user, 2), note(user, 3)]
    }

    func read(_ id: Note.ID, _ received: Received) async throws -> Note.Model {
        if id.number >= 100 { throw Refusal(404, "there is no such note") }
        received.reply.etag = id.number % 2 == 1 ? "W/\"\(id)\"" : "\"\(id)\""
        return note(try received.id(of: Member.self), id.number)
    }

    func create(_ body: Note.Model, _ received: Received) async throws -> Note.Model {
        let user = try received.id(of: Member.self)
        if user == "eve" { throw Refusal(403, "eve writes no notes", headers: [HeaderField("X-Reason", "eve")]) }
        received.reply.status = 201
        received.reply.setLocation(Board.user(user).notes(100).read())
        return body
    }

    func update(_ id: Note.ID, _ body: Note.Model, _ received: Received) async throws -> Note.Model { body }

    func delete(_ id: Note.ID, _ received: Received) async throws {
        if id.number >= 100 { throw Refusal(404) }
    }
}

private struct Secret: Error {}

private func made(_ maximum: Int) throws -> Service {
    var service = try Service(Board.self, Members(), Notes())
    service.maximumBodyBytes = maximum
    service.report = { _, _ in }
    struct Found: Encodable, Sendable {
        var q: String
        var limit: Int
    }
    try service.handle("search") { received in
        Found(q: try received.query("q") ?? "", limit: try received.query("limit") ?? 0)
    }
    try service.handle("secret") { received in ["identity": received.identity(as: String.self)] }
    try service.handle("broken") { received in
        switch try received.query("mode", as: String.self) {
        case "raise": throw Secret()
        case "text": return Reply(text: "text", contentType: "text/plain")
        case "status": return Reply(["a": 1], status: 201)
        case "error": return Reply(["a": 1], status: 418)
        case "value": return Reply(["b": 1])
        case "header":
            var reply = Reply(["a": 1])
            reply.headers = [HeaderField("a b", "c")]
            return reply
        default: return Reply(["a": 1])
        }
    }
    try service.credential("session") { token in token == "good" ? "ann" : nil }
    return service
}

/// The response in the format of the file.
private func answered(_ service: Service, _ each: Recorded.Case) async throws -> Recorded.Case.Response {
    let body = each.base64.map { Data(base64Encoded: $0) ?? Data() } ?? Data((each.body ?? "").utf8)
    let response = await service.respond(
        method: each.method, target: each.target,
        headers: each.headers.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) },
        body: Bytes([UInt8](body)))
    var headers: [String: String] = [:]
    for field in response.headers.fields { headers[field.name.string.lowercased()] = field.value.string }
    if let length = headers.removeValue(forKey: "content-length"), each.method != "HEAD" {
        #expect(Int(length) == response.data.count)
    }
    var text = response.text
    if headers["content-type"] == "application/json", !text.isEmpty {
        let value = try JSONSerialization.jsonObject(with: response.data, options: .fragmentsAllowed)
        text = String(
            decoding: try JSONSerialization.data(
                withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]),
            as: UTF8.self)
    }
    return Recorded.Case.Response(status: response.status, headers: headers, body: text)
}

@Suite struct ServiceCasesTests {
    @Test func everyRequestHasTheRecordedResponse() async throws {
        let recorded = try Recorded.read()
        let service = try made(recorded.maximum)
        #expect(try service.missing == ["missing"])
        #expect(recorded.cases.count == 500)
        for each in recorded.cases {
            let got = try await answered(service, each)
            #expect(got == each.response, "\(each.method) \(each.target) \(each.headers) \(each.body ?? each.base64 ?? "")")
        }
    }

    @Test func requestsAtTheSameTimeHaveTheSameResponses() async throws {
        let recorded = try Recorded.read()
        let service = try made(recorded.maximum)
        let different = try await withThrowingTaskGroup(of: Int.self) { group in
            for offset in 0..<8 {
                group.addTask {
                    var different = 0
                    for index in recorded.cases.indices {
                        let each = recorded.cases[(index + offset * 61) % recorded.cases.count]
                        if try await answered(service, each) != each.response { different += 1 }
                    }
                    return different
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(different == 0)
    }
}
