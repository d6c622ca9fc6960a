// The application and the service of one declaration, without a network between them.

import Routable
import Testing

@Suite("Notes and their service")
struct NotesServiceTests {
    @Test("the application against its service")
    func whole() async throws {
        let notes = Notes(client: Client(transport: try notesService().transport))
        #expect(try await notes.add("tea") == Note(id: "1", text: "tea"))
        for text in ["milk", "a \"quoted\" text", "ä"] { _ = try await notes.add(text) }
        #expect(try await notes.texts() == ["tea", "milk", "a \"quoted\" text", "ä"])
        try await notes.edit("2", "oat milk", version: "\"1\"")
        #expect(try await notes.read("2").text == "oat milk")
        await #expect(throws: Complaint.changed) { try await notes.edit("2", "soy milk", version: "\"1\"") }
        try await notes.remove("2")
        try await notes.remove("2")
        await #expect(throws: Complaint.gone) { try await notes.read("2") }
    }

    @Test("what a server passes on, and sends")
    func requests() async throws {
        let service = try notesService()
        let headers = [HeaderField("Content-Type", "application/json")]
        let created = await service.respond(method: "POST", target: "/v1/notes", headers: headers, body: #"{"text": "tea"}"#)
        #expect((created.status, created.headers["Location"]) == (201, "/v1/notes/1"))
        #expect(created.text == #"{"id":"1","text":"tea"}"#)
        let refused = await service.respond(method: "POST", target: "/v1/notes", headers: headers, body: #"{"text": 7}"#)
        #expect((refused.status, refused.headers["Content-Type"]) == (422, "application/problem+json"))
        let options = await service.respond(method: "OPTIONS", target: "/v1/notes/1")
        #expect(options.headers["Allow"] == "DELETE, GET, HEAD, PUT")
    }
}
