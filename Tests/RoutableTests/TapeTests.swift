// Tapes as transports, and the trait of Swift Testing (docs/tape.md).

import Foundation
import Routable
import RoutableTesting
import Testing

private enum Board: RootedAPI {
    static let name = "board"
    static let base = "https://api.example.com/v1"
    struct Resources: ResourceList { let note = Child<Note>() }
}

private enum Note: Readable, Creatable {
    static let name = "note"
    static let path = "notes"
    struct Model: Codable, Sendable, Equatable { var text: String }
}

private func file() -> String { FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).har").path }

@Suite struct TapeTests {
    @Test func recordsAndReplays() async throws {
        let path = file()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let service = TestTransport(body: #"{"text": "tea"}"#)
        for mode in [TapeTransport.Mode.record, .replay, .check] {
            let tape = try TapeTransport.of(Board.self, path, mode: mode, over: service)
            let client = Client(transport: tape)
            #expect(try await client.perform(Board.note("7").read()).text == "tea")
            #expect(try await client.perform(Board.note.create(Note.Model(text: "a"))).text == "tea")
            try tape.finish()
        }
        #expect(service.requests.count == 2)
        let tape = try TapeTransport.of(Board.self, path, mode: .replay)
        let failure = await #expect(throws: Failure.self) {
            _ = try await Client(transport: tape).perform(Board.note("8").read())
        }
        #expect(failure?.message.string.contains("which differs: /ids/") == true)
        #expect(throws: Failure.self) { try tape.finish() }
        #expect(throws: Failure.self) { try TapeTransport.of(Board.self, path + ".none", mode: .replay) }
        await #expect(throws: Failure.self) { try await tape.send(TransportRequest(method: "GET", url: "https://a.example")) }
    }

    @Test func recordsOverMocksAndCannedResponses() async throws {
        let path = file()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let responses = CannedResponses()
        try responses.add("read", body: #"{"text": "canned"}"#)
        let tape = try TapeTransport.of(Board.self, path, mode: .record, over: responses)
        #expect(try await Client(transport: tape).perform(Board.note("1").read()).text == "canned")
        try tape.finish()
        let mocked = try TapeTransport.of(Board.self, path, mode: .auto, over: try MockTransport.of(Board.self))
        #expect(try await Client(transport: mocked).perform(Board.note("1").read()).text == "canned")
        // Where the variable `CI` is set, `auto` records nothing.
        if ProcessInfo.processInfo.environment["CI"] == nil {
            _ = try await Client(transport: mocked).perform(Board.note.create(Note.Model(text: "a")))
            try mocked.finish()
        } else {
            await #expect(throws: Failure.self) {
                _ = try await Client(transport: mocked).perform(Board.note.create(Note.Model(text: "a")))
            }
        }
    }

    @Test func aTapeOfAnEngineHasItsOptions() async throws {
        let path = file()
        defer { try? FileManager.default.removeItem(atPath: path) }
        var options = EngineTransport.Options()
        options.userAgent = "taped"
        options.proxy = ""
        let tape = try TapeTransport.of(Board.self, path, mode: .record, over: try EngineTransport.make(options))
        await #expect(throws: Failure.self) {
            _ = try await Client(base: "http://127.0.0.1:1/v1", transport: tape).perform(Board.note("1").read())
        }
        try tape.finish()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("\"_curl_code\": 7") && text.contains("taped"))
    }

    @Test(.tape(Board.self, over: { TestTransport(body: #"{"text": "from the trait"}"#) }))
    func aTraitOpensTheTapeOfTheTest() async throws {
        #expect(try await Client(transport: try TapeTransport.current).perform(Board.note("3").read()).text == "from the trait")
    }

    @Test func outsideOfATestWithTheTraitThereIsNoTape() {
        #expect(throws: Failure.self) { try TapeTransport.current }
    }
}
