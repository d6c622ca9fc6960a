// The service of the same declaration: what the application of Notes.swift calls.  NotesServiceTests.swift runs both without a network;
// a server calls `respond` for each request that it receives.

import Routable

/// The notes, in memory.  A function is missing for an operation that the resource declares: the file does not compile.
actor NotesStore: ResourceHandler {
    typealias Kind = NoteResource

    private static let pageSize = 2
    private var notes: [(note: Note, version: Int)] = []
    private var last = 0

    func list(_ received: Received) async throws -> [Note] {
        let first = (try received.parameter("page", as: Int.self) ?? 1) - 1
        guard first >= 0, first <= notes.count / Self.pageSize else { throw Refusal(404, "there is no such page") }
        let rest = notes.dropFirst(first * Self.pageSize)
        if rest.count > Self.pageSize {
            received.reply.headers.append(HeaderField("Link", "</v1/notes?page=\(first + 2)>; rel=next"))
        }
        return rest.prefix(Self.pageSize).map(\.note)
    }

    func read(_ id: String, _ received: Received) async throws -> Note {
        let found = notes[try place(of: id)]
        received.reply.etag = "\"\(found.version)\""
        return found.note
    }

    func create(_ draft: Draft, _ received: Received) async throws -> Note {
        last += 1
        let note = Note(id: String(last), text: draft.text)
        notes.append((note, 1))
        received.reply.status = 201
        received.reply.setLocation(NotesAPI.note(note.id).read())
        return note
    }

    func update(_ id: String, _ draft: Draft, _ received: Received) async throws -> Note {
        let place = try place(of: id)
        try received.checkConditions(etag: "\"\(notes[place].version)\"")
        notes[place] = (Note(id: id, text: draft.text), notes[place].version + 1)
        return notes[place].note
    }

    func delete(_ id: String, _ received: Received) async throws { notes.remove(at: try place(of: id)) }

    private func place(of id: String) throws(Refusal) -> Int {
        guard let place = notes.firstIndex(where: { $0.note.id == id }) else { throw Refusal(404, "there is no note \(id)") }
        return place
    }
}

/// The service with a store of its own.
func notesService() throws -> Service { try Service(NotesAPI.self, NotesStore()) }
