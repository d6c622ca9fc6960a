// Services in Swift: typed handlers, handlers by name, refusals, conditions, credentials, and a client without a network.

import Foundation
import Routable
import RoutableCore
import Testing

// MARK: - An API without a document

private enum Shelf: RootedAPI {
    static let name = "shelf"
    static let base = "https://shelf.example/api"
    struct Resources: ResourceList {
        let box = Child<Box>()
        let item = Child<Item>()
        let repository = ScopedChild<Repository>()
    }
    static var operations: [OperationDescription] {
        var find = OperationDescription(name: "find", method: "GET", path: "/find")
        find.query = [
            ParameterDescription(name: "q", location: .query), ParameterDescription(name: "page", location: .query),
        ]
        return [
            find, OperationDescription(name: "file", method: "GET", path: "/file"),
            OperationDescription(name: "upload", method: "POST", path: "/upload"),
        ]
    }
}

private enum Box: Readable, Creatable, Patchable, HasChildren {
    typealias ID = UUID
    static let name = "box"
    static let path = "boxes"
    struct Children: ResourceList { let items = Child<Item>() }
    struct Model: Codable, Sendable, Equatable {
        var label: String
        var made = Date(timeIntervalSince1970: 0)
    }
    struct Body: Codable, Sendable { var label: String }
}

private enum Item: Listable, Readable, Updatable, Deletable {
    typealias ID = IntegerID<Item>
    static let name = "item"
    static let path = "items"
    struct Model: Codable, Sendable, Equatable {
        var name: String
        var box: String?
    }
}

private enum Repository: Scoped, Readable {
    typealias Scope = String
    static let name = "repository"
    static let path = "repos"
    static var scope: [ParameterDescription] { [id(named: "owner", of: String.self)] }
    static var id: ParameterDescription { id(named: "repo") }
    struct Model: Codable, Sendable, Equatable { var name: String }
}

private struct Changes: Codable, Sendable { var label: String? }

private struct Boxes: ResourceHandler {
    typealias Kind = Box
    func read(_ id: UUID, _ received: Received) async throws -> Box.Model { Box.Model(label: id.uuidString) }
    func create(_ body: Box.Body, _ received: Received) async throws -> Box.Model { Box.Model(label: body.label) }
    func patch(_ id: UUID, _ received: Received) async throws -> Box.Model {
        Box.Model(label: try received.body(as: Changes.self).label ?? "kept")
    }
}

/// A store with conditional requests.
private actor Items: ResourceHandler {
    typealias Kind = Item
    private var stored: [Int64: (item: Item.Model, version: Int)] = [1: (Item.Model(name: "pen"), 1)]

    func list(_ received: Received) async throws -> [Item.Model] {
        stored.sorted { $0.key < $1.key }.map {
            Item.Model(name: $0.value.item.name, box: try? received.id(of: Box.self).uuidString)
        }
    }

    func read(_ id: Item.ID, _ received: Received) async throws -> Item.Model {
        guard let found = stored[id.number] else { throw Refusal(404, "there is no item \(id)") }
        received.reply.etag = "\"\(found.version)\""
        return found.item
    }

    func update(_ id: Item.ID, _ body: Item.Model, _ received: Received) async throws -> Item.Model {
        let version = stored[id.number]?.version
        try received.checkConditions(etag: version.map { "\"\($0)\"" })
        stored[id.number] = (body, (version ?? 0) + 1)
        return body
    }

    func delete(_ id: Item.ID, _ received: Received) async throws {
        guard stored.removeValue(forKey: id.number) != nil else { throw Refusal(404) }
    }
}

private struct Repositories: ResourceHandler {
    typealias Kind = Repository
    func read(_ id: String, _ received: Received) async throws -> Repository.Model {
        Repository.Model(name: "\(try received.id("owner", as: String.self))/\(id)")
    }
}

/// The arguments of the calls of `report`.
private final class Reports: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []
    func add(_ cause: any Error, _ received: Received?) {
        lock.lock()
        defer { lock.unlock() }
        lines.append("\(received?.route ?? "-") \(received?.operation ?? "-") \(cause)")
    }
    var all: [String] {
        lock.lock()
        defer { lock.unlock() }
        return lines
    }
}

private func shelf(_ reports: Reports = Reports()) throws -> Service {
    var service = try Service(Shelf.self, Boxes(), Items(), Repositories())
    service.report = { reports.add($0, $1) }
    return service
}

private let json = [HeaderField("Content-Type", "application/json")]
private let box = "7D444840-9DC0-11D1-B245-5FFDCE74FAD2"

@Suite struct ServiceTests {
    // MARK: Typed handlers

    @Test func aClientCallsTheServiceWithoutANetwork() async throws {
        let client = Client(transport: try shelf().transport)
        let id = try #require(UUID(uuidString: box))
        #expect(try await client.perform(Shelf.box(id).read()).label == box)
        #expect(try await client.perform(Shelf.box.create(Box.Body(label: "b"))) == Box.Model(label: "b"))
        #expect(try await client.perform(Shelf.box(id).patch(Changes(label: nil))).label == "kept")
        #expect(try await client.perform(Shelf.item(1).read()) == Item.Model(name: "pen"))
        #expect(try await client.perform(Shelf.box(id).items.list()) == [Item.Model(name: "pen", box: box)])
        #expect(try await client.perform(Shelf.item.list()) == [Item.Model(name: "pen")])
        #expect(try await client.perform(Shelf.repository("octo", "cat").read()).name == "octo/cat")
        try await client.perform(Shelf.item(1).delete())
        let failure = await #expect(throws: Failure.self) { try await client.perform(Shelf.item(1).read()) }
        #expect(failure?.fields.httpStatus == 404)
        #expect(
            failure?.fields.response?.text
                == #"{"type":"about:blank","title":"Not Found","status":404,"detail":"there is no item 1"}"#)
    }

    @Test func aModelThatDoesNotMatchIsRefusedWithItsPlace() async throws {
        let response = try await shelf().respond(method: "POST", target: "/api/boxes", headers: json, body: #"{"label": 7}"#)
        #expect(response.status == 422)
        #expect(response.headers["Content-Type"] == "application/problem+json")
        #expect(response.text.contains(#""errors":[{"detail":"box create: at /label: "#), "\(response.text)")
        #expect(response.text.contains(#""pointer":"/label"}"#), "\(response.text)")
        var plain = try shelf()
        plain.answers422As400 = true
        #expect(await plain.respond(method: "POST", target: "/api/boxes", headers: json, body: "{}").status == 400)
    }

    @Test func anIdThatIsNotOfItsTypeIsRefused() async throws {
        let response = try await shelf().respond(method: "GET", target: "/api/boxes/seven")
        #expect(response.status == 422)
        #expect(
            response.text
                == #"{"type":"about:blank","title":"Unprocessable Content","status":422,"detail":"box read: invalid value of id: UUID is expected","errors":[{"detail":"box read: invalid value of id: UUID is expected","parameter":"id","in":"path"}]}"#
        )
    }

    @Test func aFormWithoutATypeIsDecoded() async throws {
        let form = [HeaderField("Content-Type", "application/x-www-form-urlencoded")]
        let response = try await shelf().respond(method: "POST", target: "/api/boxes", headers: form, body: "label=a+b")
        #expect(response.status == 200)
        #expect(response.text == #"{"label":"a b","made":"1970-01-01T00:00:00Z"}"#)
    }

    @Test func theCodersOfAProgram() async throws {
        var service = try shelf()
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = .sortedKeys
        service.encoder = encoder
        let response = await service.respond(method: "GET", target: "/api/boxes/\(box)")
        #expect(response.text == #"{"label":"\#(box)","made":0}"#)
    }

    // MARK: Methods and conditions

    @Test func methods() async throws {
        let service = try shelf()
        let head = await service.respond(method: "HEAD", target: "/api/items/1")
        #expect((head.status, head.text, head.headers["Content-Length"]) == (200, "", "14"))
        let options = await service.respond(method: "OPTIONS", target: "/api/items/1")
        #expect((options.status, options.headers["Allow"]) == (204, "DELETE, GET, HEAD, PUT"))
        let patch = await service.respond(method: "PATCH", target: "/api/items/1")
        #expect((patch.status, patch.headers["Allow"]) == (405, "DELETE, GET, HEAD, PUT"))
        #expect(await service.respond(method: "GET", target: "/items/1").status == 404)
        var moved = service
        moved.basePath = ""
        #expect(await moved.respond(method: "GET", target: "/items/1").status == 200)
    }

    @Test func conditions() async throws {
        let service = try shelf()
        func put(_ name: String, _ header: HeaderField) async -> Int32 {
            await service.respond(
                method: "PUT", target: "/api/items/1", headers: json + [header], body: Bytes(String(#"{"name": "\#(name)"}"#))
            ).status
        }
        let first = await service.respond(method: "GET", target: "/api/items/1")
        #expect(first.headers["ETag"] == "\"1\"")
        let second = await service.respond(
            method: "GET", target: "/api/items/1", headers: [HeaderField("If-None-Match", "W/\"1\"")])
        #expect((second.status, second.text, second.headers["ETag"]) == (304, "", "\"1\""))
        #expect(await put("a", HeaderField("If-Match", "\"1\"")) == 200)
        #expect(await put("b", HeaderField("If-Match", "\"1\"")) == 412)
        #expect(await put("b", HeaderField("If-None-Match", "*")) == 412)
        let after = await service.respond(method: "GET", target: "/api/items/1")
        #expect((after.text, after.headers["ETag"]) == (#"{"name":"a"}"#, "\"2\""))
    }

    // MARK: Handlers by name

    @Test func handlersByName() async throws {
        var service = try shelf()
        #expect(try service.missing == ["find", "file", "upload"])
        try service.handle("find") { received in
            [
                "q": try received.query("q", as: String.self),
                "page": try received.query("page", as: Int.self).map { "page \($0)" },
            ]
        }
        try service.handle("upload") { received in
            Reply(bytes: received.content, contentType: received.contentType, status: 202)
        }
        // A handler for one location of a resource has precedence over the handlers for all its locations.
        try service.handle("box.item.read") { received in
            Item.Model(name: "\(try received.id(of: Item.self)) in \(try received.id(of: Box.self))")
        }
        #expect(try service.missing == ["file"])
        #expect(
            await service.respond(method: "GET", target: "/api/find?q=a%20b&page=2").text == #"{"page":"page 2","q":"a b"}"#)
        #expect(await service.respond(method: "GET", target: "/api/find?page=two").status == 422)
        #expect(await service.respond(method: "GET", target: "/api/boxes/\(box)/items/3").text == #"{"name":"3 in \#(box)"}"#)
        #expect(await service.respond(method: "GET", target: "/api/items/1").text == #"{"name":"pen"}"#)
        let upload = await service.respond(
            method: "POST", target: "/api/upload", headers: [HeaderField("Content-Type", "image/png")], body: Bytes([0, 255]))
        #expect((upload.status, upload.headers["Content-Type"], [UInt8](upload.data)) == (202, "image/png", [0, 255]))
        let missing = await service.respond(method: "GET", target: "/api/file")
        #expect(
            missing.text == #"{"type":"about:blank","title":"Not Implemented","status":501,"detail":"file has no handler"}"#)
    }

    @Test func aFileIsABody() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt").path
        let content = String(repeating: "line\n", count: 100_000)
        try content.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let reports = Reports()
        var service = try shelf(reports)
        try service.handle("file") { _ in Reply(file: path, contentType: "text/plain") }
        let response = await service.respond(method: "GET", target: "/api/file")
        #expect((response.status, response.headers["Content-Length"]) == (200, "\(content.utf8.count)"))
        #expect(response.text == content)
        try FileManager.default.removeItem(atPath: path)
        #expect(await service.respond(method: "GET", target: "/api/file").status == 500)
        #expect(reports.all.count == 1)
    }

    @Test func namesThatCannotBeHandled() throws {
        var service = try shelf()
        func status(_ add: (inout Service) throws(Failure) -> Void) -> Failure.Status? {
            do throws(Failure) { try add(&service) } catch { return error.status }
            return nil
        }
        #expect(status { s throws(Failure) in try s.handle("nothing") { _ in Reply() } } == .unknown)
        #expect(status { s throws(Failure) in try s.handle("shelf.item.read") { _ in Reply() } } == .unknown)
        #expect(status { s throws(Failure) in try s.handle("item.create") { _ in Reply() } } == .notAllowed)
        #expect(status { s throws(Failure) in try s.handle("item.read") { _ in Reply() } } == .conflict)
        #expect(status { s throws(Failure) in try s.add(Items()) } == .conflict)
        #expect(status { s throws(Failure) in try s.credential("session") { $0 } } == .unknown)
        #expect(status { s throws(Failure) in try s.handle("find") { _ in Reply() } } == nil)
    }

    @Test func anOpenedRouterWithHandlersByName() async throws {
        var service = Service(try Shelf.opened())
        try service.handle("item.list") { _ in [Item.Model(name: "one")] }
        #expect(await service.respond(method: "GET", target: "/api/boxes/\(box)/items").text == #"[{"name":"one"}]"#)
        let missing = try service.missing
        #expect(missing.contains("item.read") && !missing.contains { $0.hasSuffix("item.list") }, "\(missing)")
    }

    /// The operations of an OpenAPI document also have the names of their resources.
    @Test func handlersOfDerivedResources() async throws {
        var service = Service(try Pets.opened())
        #expect(try service.missing == ["listPets", "getPet"])
        try service.handle("pets.read") { _ in "a pet" }
        #expect(try service.missing == ["listPets"])
        #expect(await service.respond(method: "GET", target: "/pets/7").text == #""a pet""#)
        #expect(throws: Failure.self) { try service.handle("getPet") { _ in "another pet" } }
    }

    // MARK: Failures

    @Test func theTextOfAnErrorIsReportedAndNotSent() async throws {
        struct Broken: Error { let secret = "a secret text" }
        let reports = Reports()
        var service = try shelf(reports)
        try service.handle("find") { received -> Reply in
            switch try received.query("q", as: String.self) {
            case "failure": throw Failure(.httpStatus, "a secret text") { $0.httpStatus = 404 }
            case "refusal": throw Refusal(503, "later", headers: [HeaderField("Retry-After", "5")])
            case "status": throw Refusal(200)
            case "etag": try received.checkConditions(etag: "7")
            default: break
            }
            throw Broken()
        }
        for query in ["", "?q=failure", "?q=etag", "?q=status"] {
            let response = await service.respond(method: "GET", target: "/api/find\(query)")
            #expect(response.text == #"{"type":"about:blank","title":"Internal Server Error","status":500}"#, "\(query)")
        }
        #expect(reports.all.count == 4)
        #expect(reports.all.filter { $0.contains("a secret text") }.count == 2)
        #expect(reports.all.allSatisfy { $0.hasPrefix(" find ") }, "\(reports.all)")
        let refused = await service.respond(method: "GET", target: "/api/find?q=refusal")
        #expect((refused.status, refused.headers["Retry-After"]) == (503, "5"))
        #expect(reports.all.count == 5)
    }

    @Test func limits() async throws {
        var service = try shelf()
        service.maximumBodyBytes = 10
        #expect(
            await service.respond(method: "POST", target: "/api/boxes", headers: json, body: #"{"label": "long"}"#).status
                == 413)
        service.refusesUndeclared = true
        #expect(await service.respond(method: "GET", target: "/api/find?other=1").status == 200 + 301)
    }

    @Test func aTaskThatIsCancelledHasNoResponse() async throws {
        var service = try shelf()
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        try service.handle("find") { _ in
            start.yield()
            // The iteration ends when the task is cancelled.
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return Reply(["is": Task.isCancelled])
        }
        let transport = service.transport
        let task = Task { try await transport.send(TransportRequest(method: "GET", url: "https://shelf.example/api/find")) }
        for await _ in started { break }
        task.cancel()
        let failure = await #expect(throws: Failure.self) { _ = try await task.value }
        #expect(failure?.status == .cancelled)
    }
}

private enum Pets: API {
    static let name = "pets"
    static let base = "https://h"
    static var resources: [AnyResource] { [] }
    static var document: String {
        #"""
        {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "servers": [{"url": "https://h"}], "paths": {
          "/pets": {"get": {"operationId": "listPets", "responses": {"200": {"description": ""}}}},
          "/pets/{id}": {"get": {"operationId": "getPet", "responses": {"200": {"description": ""}},
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}]}}}}
        """#
    }
}
