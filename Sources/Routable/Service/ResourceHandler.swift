// The functions that answer the requests of a resource: one for each operation that the resource declares.
//
// The associated types `_List` and so on of a resource state whether it has an operation (Resource.swift).  The function of an absent
// operation has a default implementation in an extension below, so that only this function can be omitted.  The functions `_answerList` and
// so on read the values of a request, call the function, and encode its result: their constraints require the models to be Codable.

public import RoutableCore

/// The functions that answer the requests of one resource, wherever the resource occurs in the API.
///
/// A conforming type must have a function for each operation that the resource declares; otherwise it does not compile.  An
/// actor can also conform.
///
///     struct Notes: ResourceHandler {
///         typealias Kind = Note
///         func read(_ id: Note.ID, _ received: Received) async throws -> Note.Model { ... }
///         func create(_ body: Note.Body, _ received: Received) async throws -> Note.Model { ... }
///     }
///
/// A function throws a `Refusal` to select the status of an error.  The response to any other error is 500, without its text.  Changes
/// of `received.reply` select the status and the headers of the response.
public protocol ResourceHandler: Sendable {
    /// The resource whose requests this type answers.
    associatedtype Kind: Resource
    where Kind.ID: PathValue, Kind.Model: Sendable, Kind.Body: Sendable, Kind.UpdateBody: Sendable

    /// Answers GET on the collection.  Required for a `Listable` resource.
    func list(_ received: Received) async throws -> [Kind.Model]
    /// Answers GET on a member.  Required for a `Readable` resource.
    func read(_ id: Kind.ID, _ received: Received) async throws -> Kind.Model
    /// Answers POST on the collection.  Required for a `Creatable` resource.
    func create(_ body: Kind.Body, _ received: Received) async throws -> Kind.Model
    /// Answers PUT on a member.  Required for an `Updatable` resource.
    func update(_ id: Kind.ID, _ body: Kind.UpdateBody, _ received: Received) async throws -> Kind.Model
    /// Answers PATCH on a member; `received.body(as:)` has the changes.  Required for a `Patchable` resource.
    func patch(_ id: Kind.ID, _ received: Received) async throws -> Kind.Model
    /// Answers DELETE on a member.  Required for a `Deletable` resource.
    func delete(_ id: Kind.ID, _ received: Received) async throws

    func _answerList(_ received: Received) async throws -> Reply
    func _answerRead(_ received: Received) async throws -> Reply
    func _answerCreate(_ received: Received) async throws -> Reply
    func _answerUpdate(_ received: Received) async throws -> Reply
    func _answerPatch(_ received: Received) async throws -> Reply
    func _answerDelete(_ received: Received) async throws -> Reply
}

// MARK: - Declared operations

extension ResourceHandler where Kind: Listable, Kind.Model: Encodable {
    public func _answerList(_ received: Received) async throws -> Reply {
        let value = try await list(received)
        return received.replying(value)
    }
}

extension ResourceHandler where Kind: Readable, Kind.Model: Encodable {
    public func _answerRead(_ received: Received) async throws -> Reply {
        let value = try await read(try received.id(of: Kind.self), received)
        return received.replying(value)
    }
}

extension ResourceHandler where Kind: Creatable, Kind.Body: Decodable, Kind.Model: Encodable {
    public func _answerCreate(_ received: Received) async throws -> Reply {
        let value = try await create(try received.body(), received)
        return received.replying(value)
    }
}

extension ResourceHandler where Kind: Updatable, Kind.UpdateBody: Decodable, Kind.Model: Encodable {
    public func _answerUpdate(_ received: Received) async throws -> Reply {
        let value = try await update(try received.id(of: Kind.self), try received.body(), received)
        return received.replying(value)
    }
}

extension ResourceHandler where Kind: Patchable, Kind.Model: Encodable {
    public func _answerPatch(_ received: Received) async throws -> Reply {
        let value = try await patch(try received.id(of: Kind.self), received)
        return received.replying(value)
    }
}

extension ResourceHandler where Kind: Deletable {
    public func _answerDelete(_ received: Received) async throws -> Reply {
        try await delete(try received.id(of: Kind.self), received)
        return received.reply
    }
}

// MARK: - Absent operations

extension ResourceHandler where Kind._List == _Absent {
    public func list(_ received: Received) async throws -> [Kind.Model] { throw Refusal.absent(received) }
    public func _answerList(_ received: Received) async throws -> Reply { throw Refusal.absent(received) }
}

extension ResourceHandler where Kind._Read == _Absent {
    public func read(_ id: Kind.ID, _ received: Received) async throws -> Kind.Model { throw Refusal.absent(received) }
    public func _answerRead(_ received: Received) async throws -> Reply { throw Refusal.absent(received) }
}

extension ResourceHandler where Kind._Create == _Absent {
    public func create(_ body: Kind.Body, _ received: Received) async throws -> Kind.Model { throw Refusal.absent(received) }
    public func _answerCreate(_ received: Received) async throws -> Reply { throw Refusal.absent(received) }
}

extension ResourceHandler where Kind._Update == _Absent {
    public func update(_ id: Kind.ID, _ body: Kind.UpdateBody, _ received: Received) async throws -> Kind.Model {
        throw Refusal.absent(received)
    }
    public func _answerUpdate(_ received: Received) async throws -> Reply { throw Refusal.absent(received) }
}

extension ResourceHandler where Kind._Patch == _Absent {
    public func patch(_ id: Kind.ID, _ received: Received) async throws -> Kind.Model { throw Refusal.absent(received) }
    public func _answerPatch(_ received: Received) async throws -> Reply { throw Refusal.absent(received) }
}

extension ResourceHandler where Kind._Delete == _Absent {
    public func delete(_ id: Kind.ID, _ received: Received) async throws { throw Refusal.absent(received) }
    public func _answerDelete(_ received: Received) async throws -> Reply { throw Refusal.absent(received) }
}

extension Refusal {
    /// The refusal of an operation without a handler.
    static func absent(_ received: Received) -> Refusal { Refusal(501, "\(received.label) has no handler") }
}

extension ResourceHandler {
    /// The functions of the operations that the resource has, with their names.
    var answers: [(operation: String, answer: Service.Handler)] {
        var answers: [(operation: String, answer: Service.Handler)] = []
        if Kind._lists { answers.append(("list", _answerList)) }
        if Kind._reads { answers.append(("read", _answerRead)) }
        if Kind._creates { answers.append(("create", _answerCreate)) }
        if Kind._updates { answers.append(("update", _answerUpdate)) }
        if Kind._patches { answers.append(("patch", _answerPatch)) }
        if Kind._deletes { answers.append(("delete", _answerDelete)) }
        return answers
    }

    /// The name of the resource.
    var resourceName: String { Kind.name }
}
