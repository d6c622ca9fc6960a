// Tests of the application without a network: canned responses by operation, faults, and what was sent.

import Routable
import Testing

private let note = #"{"id":"7","text":"tea"}"#

@Suite("Notes")
struct NotesTests {
    private let responses = CannedResponses()

    private var notes: Notes { Notes(client: Client(transport: responses)) }

    private func complaint<Result>(_ work: () async throws(Complaint) -> Result) async -> Complaint? {
        do throws(Complaint) { _ = try await work() } catch { return error }
        return nil
    }

    // MARK: Reading

    @Test("a note is read")
    func read() async throws {
        try responses.add("read", route: "note", body: note)
        #expect(try await notes.read("7") == Note(id: "7", text: "tea"))
        #expect(responses.requests.map(\.url) == ["https://notes.example/v1/notes/7"])
        try responses.check()
    }

    @Test("an id is one segment of the path", arguments: [("a b", "a%20b"), ("a/b", "a%2Fb"), ("ä", "%C3%A4")])
    func ids(_ id: String, _ segment: String) async throws {
        try responses.add("read", body: note)
        _ = try await notes.read(id)
        #expect(responses.requests.first?.url == "https://notes.example/v1/notes/\(segment)")
    }

    @Test(
        "what a user is told of a status",
        arguments: [
            (401, Complaint.signIn), (403, .signIn), (404, .gone), (410, .gone), (412, .changed), (429, .busy),
            (500, .other("the service responded with 500 to read of note, which is not a success")),
        ])
    func statuses(_ status: Int, _ expected: Complaint) async throws {
        try responses.add("read", status: status, times: nil)
        #expect(await complaint { () async throws(Complaint) in try await notes.read("7") } == expected)
    }

    @Test(
        "what a user is told of a fault",
        arguments: [
            (CannedResponses.Fault.connect, Complaint.offline), (.reset, .offline), (.name, .offline), (.tls, .offline),
            (.timeout, .tooSlow),
        ])
    func faults(_ fault: CannedResponses.Fault, _ expected: Complaint) async throws {
        try responses.add(fault: fault, times: nil)
        #expect(await complaint { () async throws(Complaint) in try await notes.read("7") } == expected)
    }

    @Test("a body that is no note is a complaint", arguments: ["", "[]", "{", #"{"id":7}"#])
    func bodies(_ body: String) async throws {
        try responses.add(body: body)
        guard case .other? = await complaint({ () async throws(Complaint) in try await notes.read("7") }) else {
            Issue.record("\(body) was taken")
            return
        }
    }

    @Test("a lost connection is tried again", arguments: [1, 2])
    func retries(_ count: Int) async throws {
        try responses.add(fault: .reset, times: count)
        try responses.add(body: note)
        #expect(try await notes.read("7").text == "tea")
        try responses.check()
    }

    // MARK: Writing

    @Test("an added note is read where the service says")
    func add() async throws {
        try responses.add(
            "create", route: "note", status: 201, headers: [HeaderField("Location", "/v1/notes/7")], body: note)
        try responses.add("read", route: "note", body: note)
        #expect(try await notes.add("tea").id == "7")
        #expect(responses.requests.first?.body == #"{"text":"tea"}"#)
        try responses.check()
    }

    @Test("a creation is not repeated")
    func once() async throws {
        try responses.add("create", fault: .reset)
        #expect(await complaint { () async throws(Complaint) in try await notes.add("tea") } == .offline)
        #expect(responses.requests.count == 1)
    }

    @Test("a creation without a Location is a complaint")
    func withoutLocation() async throws {
        try responses.add("create", status: 201, body: note)
        #expect(
            await complaint { () async throws(Complaint) in try await notes.add("tea") }
                == .other("the response has no Location header"))
    }

    @Test("nothing is sent for an empty text")
    func empty() async throws {
        #expect(await complaint { () async throws(Complaint) in try await notes.add("") } == .emptyText)
        #expect(
            await complaint { () async throws(Complaint) in try await notes.edit("7", "", version: "v") } == .emptyText)
        #expect(responses.requests.isEmpty)
    }

    @Test("an edit names the version", arguments: [(200, nil), (412, Complaint.changed)])
    func edit(_ status: Int, _ expected: Complaint?) async throws {
        try responses.add("update", status: status, body: status == 200 ? note : "")
        #expect(
            await complaint { () async throws(Complaint) in try await notes.edit("7", "x", version: "\"v7\"") }
                == expected)
        #expect(responses.requests.first?.header("If-Match") == "\"v7\"")
    }

    @Test("a note that is gone is removed", arguments: [204, 404, 410])
    func remove(_ status: Int) async throws {
        try responses.add("delete", status: status)
        try await notes.remove("7")
    }

    @Test("a removal that is refused is told")
    func refused() async throws {
        try responses.add("delete", status: 403)
        #expect(await complaint { () async throws(Complaint) in try await notes.remove("7") } == .signIn)
    }

    // MARK: Pages

    @Test("the texts of all pages", arguments: [1, 3])
    func pages(_ count: Int) async throws {
        for number in 1...count {
            let next = number == count ? [] : [HeaderField("Link", "</v1/notes?page=\(number + 1)>; rel=next")]
            try responses.add("list", headers: next, body: #"[{"id":"\#(number)","text":"t\#(number)"}]"#)
        }
        #expect(try await notes.texts() == (1...count).map { "t\($0)" })
        try responses.check()
    }

    @Test("a request that nobody expects is found")
    func unexpected() async throws {
        _ = await complaint { () async throws(Complaint) in try await notes.read("7") }
        do throws(Failure) {
            try responses.check()
            Issue.record("it was not found")
        } catch { #expect(error.status == .callback) }
    }

    // MARK: With a mock in place of the service

    @Test("a mock stores what is added")
    func mock() async throws {
        let mock = try MockTransport.of(NotesAPI.self, idPointer: "/id")
        let notes = Notes(client: Client(transport: mock))
        try mock.addFault("read", status: 503, times: nil, rate: 0.1)
        for number in 1...60 { #expect(try await notes.add("note \(number)").id == String(number)) }
        #expect(mock.count == 60)
        #expect(try await notes.read("7") == Note(id: "7", text: "note 7"))
        try await notes.edit("7", "other", version: "\"1\"")
        #expect(try await notes.read("7").text == "other")
        #expect(
            await complaint { () async throws(Complaint) in try await notes.edit("7", "late", version: "\"1\"") } == .changed)
        try await notes.remove("7")
        try await notes.remove("7")
        #expect(await complaint { () async throws(Complaint) in try await notes.read("7") } == .gone)
    }
}
