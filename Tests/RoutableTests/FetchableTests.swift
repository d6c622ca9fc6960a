// docs/statements.md, M: Fetchable and MappingResult of article 004.

import FaultService
import Foundation
import Routable
import Testing

private struct Model: Fetchable, Codable, Equatable, Sendable {
    var name: String
}

private struct Loose: Fetchable, Codable, Equatable, Sendable {
    static let decoding = Decoding.lenient
    var count: Int?
    var ratio: Double?
    var isOn: Bool?
    var text: String?
    var city: String?
    var list: [Int]?

    enum CodingKeys: String, CodingKey {
        case count, ratio, isOn, text, list
        case city = "address.city"
    }
}

private enum Router: EnumRouter {
    case getUsers, getUser(id: Int), getProducts(limit: Int, offset: Int), getProduct(id: Int)

    static let base = "http://www.example.com/"
    var method: HTTPMethod { .get }
    var path: RoutePath? {
        switch self {
        case .getUsers: "api/users"
        case .getUser(let id): "api/user/\(id)"
        case .getProducts: "api/products"
        case .getProduct(let id): "api/product/\(id)"
        }
    }
    var parameters: Parameters? {
        if case .getProducts(let limit, let offset) = self { ["limit": limit, "offset": offset] } else { nil }
    }
}

private func client(_ status: Int, _ body: String) -> Client { Client(transport: TestTransport(status: status, body: body)) }

private struct Row: Sendable {
    let body: String
    let expected: MappingResult<Model>
}

// Computed, because the leak checker does not find objects that a constant refers to inside an enum.
private var rows: [Row] {
    [
        Row(body: #"{"name":"a"}"#, expected: .asSelf(Model(name: "a"))),
        Row(
            body: #"{"x":{"name":"a"},"y":{"name":"b"}}"#,
            expected: .asDictionary(["x": Model(name: "a"), "y": Model(name: "b")])),
        Row(body: #"[{"name":"a"}]"#, expected: .asArray([Model(name: "a")])),
        Row(body: "[]", expected: .asArray([])),
        Row(body: "{}", expected: .asDictionary([:])),
        Row(body: #"{"x":{"name":"a"},"n":1}"#, expected: .raw(Data(#"{"x":{"name":"a"},"n":1}"#.utf8))),
        Row(body: #"{"x":{"name":"a"},"y":{}}"#, expected: .raw(Data(#"{"x":{"name":"a"},"y":{}}"#.utf8))),
        Row(body: #"{"error":"no"}"#, expected: .raw(Data(#"{"error":"no"}"#.utf8))),
        Row(body: #"[{"name":"a"},{}]"#, expected: .raw(Data(#"[{"name":"a"},{}]"#.utf8))),
        Row(body: "[1,2]", expected: .raw(Data("[1,2]".utf8))),
        Row(body: #""hi""#, expected: .raw(Data(#""hi""#.utf8))),
        Row(body: "1", expected: .raw(Data("1".utf8))),
        Row(body: "null", expected: .raw(Data("null".utf8))),
        Row(body: "not JSON", expected: .raw(Data("not JSON".utf8))),
    ]
}

@Suite("A model fetches itself; an answer is self, dictionary, array or raw")
struct FetchableTests {
    @Test("The table of 3.5", arguments: rows.indices)
    func table(index: Int) async throws {
        let row = rows[index]
        #expect(try await Model.fetch(Router.getUser(id: 1), over: client(200, row.body)) == row.expected, "\(row.body)")
    }

    @Test("The table of 3.5: {} is self when every field is optional; an empty body is an error, but for 204 and 205")
    func table_empty() async throws {
        #expect(try await Loose.fetch(Router.getUsers, over: client(200, "{}")) == .asSelf(Loose()))
        let error = await failure { () throws(Failure) in try await Model.fetch(Router.getUsers, over: client(200, "")) }
        #expect(error?.status == .response)
        for status in [204, 205] {
            #expect(try await Model.fetch(Router.getUsers, over: client(status, "")) == .raw(Data()))
        }
    }

    @Test("The table of 3.5: a refused status is an error with the mapped body, unless the article's way is asked for")
    func table_status() async throws {
        let error = await failure { () throws(Failure) in
            try await Model.fetch(Router.getUsers, over: client(404, #"{"name":"gone"}"#))
        }
        #expect(error?.status == .httpStatus && error?.fields.httpStatus == 404)
        #expect(error.flatMap { Model.map($0) } == .asSelf(Model(name: "gone")))
        let accepted = try await Model.fetch(Router.getUsers.acceptingEveryStatus, over: client(404, #"{"name":"gone"}"#))
        #expect(accepted == .asSelf(Model(name: "gone")))
    }

    @Test("M1: exactly one closure is called, once", arguments: [(200, #"{"name":"a"}"#), (404, ""), (200, ""), (200, "x")])
    func M1_once(status: Int, body: String) async {
        let calls = Calls()
        let task = Model.fetch(Router.getUser(id: 1200), over: client(status, body)) { result in
            calls.add("\(result)".prefix(2) == "as" ? "success" : "raw")
        } onError: { error in
            calls.add("error \(error.status)")
        }
        await task.value
        let expected =
            switch (status, body) {
            case (404, _): "error httpStatus"
            case (_, ""): "error response"
            case (_, "x"): "raw"
            default: "success"
            }
        #expect(calls.all == [expected])
    }

    @Test("M2: raw is the bytes as received, NULs included, after content decoding")
    func M2_raw() async throws {
        let bytes: [UInt8] = [0x00, 0xFF, 0x7B, 0x00]
        let transport = TestTransport { (_) throws(Failure) in Answer(status: 200, headers: [], body: Bytes(bytes)) }
        #expect(try await Model.fetch(Router.getUsers, over: Client(transport: transport)) == .raw(Data(bytes)))
        struct Faults: Route {
            static let path: RoutePath = "faults"
            let pathParameters: PathParameters
        }
        let service = try Client(base: FaultService.shared.get().base)
        guard case .raw(let data) = try await Model.fetch(Faults(pathParameters: ["bytes"]), over: service) else {
            Issue.record("not raw")
            return
        }
        #expect(data.contains(0) && String(data: data, encoding: .utf8) == nil)
        #expect(try await Model.fetch(Faults(pathParameters: ["gzip"]), over: service) == .asSelf(Model(name: "a")))
    }

    @Test("M3: self, then a strict dictionary, then array, then raw")
    func M3_order() async throws {
        struct Anything: Fetchable, Decodable, Equatable, Sendable { var x: Int? }
        #expect(try await Anything.fetch(Router.getUsers, over: client(200, #"{"a":{"x":1}}"#)) == .asSelf(Anything(x: nil)))
        #expect(
            try await Anything.fetch(Router.getUsers, over: client(200, #"[{"x":1},{}]"#))
                == .asArray([Anything(x: 1), Anything(x: nil)]))
    }

    @Test("M4: lenient reads numbers from texts and texts from numbers; strict does not")
    func M4_lenient() async throws {
        let body = #"{"count":"42","ratio":"0.5","isOn":"Yes","text":7,"address":{"city":"x"},"list":["1",2]}"#
        let expected = Loose(count: 42, ratio: 0.5, isOn: true, text: "7", city: "x", list: [1, 2])
        #expect(try await Loose.fetch(Router.getUsers, over: client(200, body)) == .asSelf(expected))
        let words =
            ["true", "t", "y", "yes", "TRUE", "T", "Y", "Yes"].map { ("\"\($0)\"", true) }
            + ["false", "f", "n", "no", "FALSE", "F", "N", "nO"].map { ("\"\($0)\"", false) }
        for (text, truth) in words + [("1", true), ("0", false), ("2", true), ("true", true), ("false", false)] {
            #expect(
                try await Loose.fetch(Router.getUsers, over: client(200, "{\"isOn\":\(text)}")) == .asSelf(Loose(isOn: truth)))
        }
        // An array is decoded completely or not at all: one invalid element makes it fail.
        let broken = #"{"list":["1","x"]}"#
        #expect(try await Loose.fetch(Router.getUsers, over: client(200, broken)) == .raw(Data(broken.utf8)))
        #expect(
            try await Loose.fetch(Router.getUsers, over: client(200, #"{"isOn":"maybe"}"#))
                == .raw(Data(#"{"isOn":"maybe"}"#.utf8)))
        struct Strict: Fetchable, Decodable, Equatable, Sendable {
            var count: Int?
            var isOn: Bool?
            var text: String?
        }
        for body in [#"{"count":"42"}"#, #"{"isOn":"true"}"#, #"{"isOn":1}"#, #"{"text":7}"#] {
            #expect(try await Strict.fetch(Router.getUsers, over: client(200, body)) == .raw(Data(body.utf8)), "\(body)")
        }
    }

    @Test("M5: both spellings of the article")
    func M5_spellings() async {
        let calls = Calls()
        await Model.fetch(
            with: Router.getUser(id: 1200), over: client(200, #"{"name":"a"}"#), onSuccess: { _ in calls.add("with") },
            onError: { _ in calls.add("error") }
        ).value
        await Model.fetch(
            Router.getUser(id: 1200), over: client(200, #"{"name":"a"}"#), onSuccess: { _ in calls.add("without") },
            onError: { _ in calls.add("error") }
        ).value
        #expect(calls.all == ["with", "without"])
    }

    @Test("M6: the article's endpoints")
    func M6_endpoints() {
        #expect(line(Router.getUsers) == "GET http://www.example.com/api/users")
        #expect(line(Router.getUser(id: 1200)) == "GET http://www.example.com/api/user/1200")
        #expect(line(Router.getProducts(limit: 10, offset: 20)) == "GET http://www.example.com/api/products?limit=10&offset=20")
        #expect(line(Router.getProduct(id: 5)) == "GET http://www.example.com/api/product/5")
    }
}

/// The calls, in order.
final class Calls: @unchecked Sendable {
    private var calls: [String] = []
    private let lock = NSLock()
    func add(_ call: String) { lock.withLock { calls.append(call) } }
    var all: [String] { lock.withLock { calls } }
}

@MainActor private final class ViewModel {
    var name = ""
    var failed = false

    func load(_ client: Client) async {
        // The closures change the view model without another hop between actors.
        await Model.fetch(Router.getUser(id: 1), over: client) { result in
            if case .asSelf(let model) = result { self.name = model.name }
        } onError: { _ in
            self.failed = true
        }.value
    }
}

@Suite("Delivery")
struct DeliveryTests {
    @Test("the closures of a view model are called on the MainActor")
    func mainActor() async {
        let model = ViewModel()
        await model.load(Client(transport: TestTransport(body: #"{"name": "Ann"}"#)))
        await model.load(Client(transport: TestTransport(status: 500)))
        #expect(await model.name == "Ann")
        #expect(await model.failed)
    }
}
