// Responses by status, and an API without its own base.

import Routable
import Testing

private enum Home: API {
    static let name = "home"
    static let base = ""
    static var resources: [AnyResource] { [AnyResource(Note.self)] }
    static var note: ResourceCollection<Note> { collection() }
}

private enum Note: Readable {
    static let name = "note"
    static let path = "notes"
    struct Model: Codable, Sendable { var text: String }
}

private enum NoteReadResult: StatusResult {
    case s200(Note.Model)
    case s404
    case undocumented(APIResponse)

    init(_ response: APIResponse) throws(Failure) {
        switch response.status {
        case 200: self = .s200(try response.decoded(as: Note.Model.self))
        case 404: self = .s404
        default: self = .undocumented(response)
        }
    }
}

@Suite struct StatusResultTests {
    private func read(_ status: Int, _ body: String = "") async throws(Failure) -> NoteReadResult {
        let client = Client(base: "https://h/v1", transport: TestTransport(status: status, body: body))
        return try await client.perform(Home.note("a").read(), as: NoteReadResult.self)
    }

    @Test func eachStatusIsACase() async throws {
        guard case .s200(let note) = try await read(200, #"{"text": "tea"}"#) else { throw Failure(.internal, "200") }
        #expect(note.text == "tea")
        guard case .s404 = try await read(404) else { throw Failure(.internal, "404") }
        guard case .undocumented(let response) = try await read(418, "no tea") else { throw Failure(.internal, "418") }
        #expect(response.status == 418 && response.body.bytes == "no tea")
    }

    @Test func aBodyOfAnotherTypeIsAnError() async {
        do throws(Failure) {
            _ = try await read(200, "[]")
            Issue.record("an array is no note")
        } catch {
            #expect(error.status == .response && error.fields.httpStatus == 200)
        }
    }

    @Test func anApiWithoutABaseTakesThatOfTheClientOrTheCall() throws {
        #expect(try Home.note("a").read().makeRequest(base: "https://h/v2").url.bytes == "https://h/v2/notes/a")
        do throws(Failure) {
            _ = try Home.note("a").read().makeRequest()
            Issue.record("there is no base")
        } catch {
            #expect(error.status == .url)
        }
    }
}
