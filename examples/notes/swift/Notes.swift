// An application: notes of a service, which it reads, writes and searches.  NotesTests.swift tests it without a network.

import Routable

/// The service.
enum NotesAPI: API {
    static let name = "notes"
    static let base = "https://notes.example/v1"
    static var resources: [AnyResource] { [AnyResource(NoteResource.self)] }
    static var note: ResourceCollection<NoteResource> { collection() }
}

enum NoteResource: Listable, Readable, Creatable, Updatable, Deletable {
    typealias Model = Note
    typealias Body = Draft
    static let name = "note"
    static let path = "notes"
}

struct Note: Codable, Sendable, Equatable {
    var id: String
    var text: String
}

struct Draft: Codable, Sendable {
    var text: String
}

/// What a user is told.
enum Complaint: Error, Equatable {
    case emptyText, offline, tooSlow, signIn, gone, changed, busy
    case other(String)
}

/// The application.
struct Notes: Sendable {
    private let client: Client

    /// - Parameter client: over the network, or over a transport of a test.
    init(client: Client) {
        self.client = client.overriding {
            $0.retries = 2; $0.retryDelayMilliseconds = 0
        }
    }

    /// The texts of all pages.
    func texts() async throws -> [String] {
        var all: [String] = []
        for try await page in client.pages(of: NotesAPI.note.list(), by: .link()) {
            all += try page.decoded(as: [Note].self).map(\.text)
        }
        return all
    }

    /// Adds a note, and reads what the service made of it.
    func add(_ text: String) async throws(Complaint) -> Note {
        if text.isEmpty { throw .emptyText }
        return try await told { () async throws(Failure) in
            let created = try await client.response(to: try NotesAPI.note.create(Draft(text: text)))
            return try await client.perform(NotesAPI.follow(.location, of: created), as: Note.self)
        }
    }

    func read(_ id: String) async throws(Complaint) -> Note {
        try await told { () async throws(Failure) in try await client.perform(NotesAPI.note(id).read()) }
    }

    /// Replaces the text of a note that nobody else has changed since `version`, an ETag.
    func edit(_ id: String, _ text: String, version: String) async throws(Complaint) {
        if text.isEmpty { throw .emptyText }
        _ = try await told { () async throws(Failure) in
            try await client.response(to: try NotesAPI.note(id).update(Draft(text: text)).header("If-Match", version))
        }
    }

    /// A note that is not there is removed.
    func remove(_ id: String) async throws(Complaint) {
        do {
            _ = try await told { () async throws(Failure) in try await client.response(to: NotesAPI.note(id).delete()) }
        } catch {
            if error != .gone { throw error }
        }
    }

    private func told<Result>(_ work: () async throws(Failure) -> Result) async throws(Complaint) -> Result {
        do throws(Failure) { return try await work() } catch { throw Complaint(error) }
    }
}

extension Complaint {
    init(_ failure: Failure) {
        switch (failure.status, failure.fields.response?.status) {
        case (.transfer, _), (.tls, _): self = .offline
        case (.timeout, _): self = .tooSlow
        case (_, 401), (_, 403), (.credential, _): self = .signIn
        case (_, 404), (_, 410): self = .gone
        case (_, 412): self = .changed
        case (_, 429), (_, 503): self = .busy
        default: self = .other(failure.message.string)
        }
    }
}
