// Bodies of resources as Codable values.

internal import Foundation
public import RoutableCore
internal import RoutableDocuments

extension Endpoint {
    /// Sets a value as the JSON body, encoded with the options of the declaration.  It is validated before it is sent.
    public func body(encoding value: some Encodable) throws(Failure) -> Endpoint {
        let tree = try JSONBody.tree(of: value)
        return body(tree)
    }

    /// Sets a value as the JSON body.  If the client that performs the endpoint has an encoder, that encoder writes the body.
    public func body(encoding value: some Encodable & Sendable) throws(Failure) -> Endpoint {
        body(try JSONBody.tree(of: value), encode: { () throws(Failure) in try JSONBody.tree(of: value) })
    }
}

extension ResourceCollection where Kind: Creatable, Kind.Body: Encodable {
    /// POST on the collection with a value as the JSON body.
    public func create(_ body: Kind.Body) throws(Failure) -> Endpoint<Kind.Model> { try create().body(encoding: body) }
}

extension ResourceCollection where Kind: Updatable, Kind.UpdateBody: Encodable {
    /// PUT on the member with this id, with a value as the JSON body.
    public func update(_ id: Kind.ID, _ body: Kind.UpdateBody) throws(Failure) -> Endpoint<Kind.Model> {
        try _member(id).update(body)
    }
}

extension ResourceMember where Kind: Updatable, Kind.UpdateBody: Encodable {
    /// PUT on the member with a value as the JSON body.
    public func update(_ body: Kind.UpdateBody) throws(Failure) -> Endpoint<Kind.Model> { try update().body(encoding: body) }
}

extension ResourceMember where Kind: Patchable {
    /// PATCH with any value as the JSON body: the members of the value replace those of the resource.
    public func patch(_ changes: some Encodable) throws(Failure) -> Endpoint<Kind.Model> {
        try patch().body(encoding: changes)
    }
}

extension Resource where Self: Creatable, Body: Encodable {
    /// POST on the collection at the root with a value as the JSON body.
    public static func create(_ body: Body) throws(Failure) -> Endpoint<Model> {
        try ResourceCollection<Self>().create(body)
    }
}

extension Resource where Self: Updatable, UpdateBody: Encodable {
    /// PUT on the member with this id, at the root, with a value as the JSON body.
    public static func update(_ id: ID, _ body: UpdateBody) throws(Failure) -> Endpoint<Model> {
        try ResourceCollection<Self>().update(id, body)
    }
}

// The same for bodies that a client can encode with its own encoder.

extension ResourceCollection where Kind: Creatable, Kind.Body: Encodable & Sendable {
    /// POST on the collection with a value as the JSON body.
    public func create(_ body: Kind.Body) throws(Failure) -> Endpoint<Kind.Model> { try create().body(encoding: body) }
}

extension ResourceCollection where Kind: Updatable, Kind.UpdateBody: Encodable & Sendable {
    /// PUT on the member with this id, with a value as the JSON body.
    public func update(_ id: Kind.ID, _ body: Kind.UpdateBody) throws(Failure) -> Endpoint<Kind.Model> {
        try _member(id).update(body)
    }
}

extension ResourceMember where Kind: Updatable, Kind.UpdateBody: Encodable & Sendable {
    /// PUT on the member with a value as the JSON body.
    public func update(_ body: Kind.UpdateBody) throws(Failure) -> Endpoint<Kind.Model> { try update().body(encoding: body) }
}

extension ResourceMember where Kind: Patchable {
    /// PATCH with any value as the JSON body: the members of the value replace those of the resource.
    public func patch(_ changes: some Encodable & Sendable) throws(Failure) -> Endpoint<Kind.Model> {
        try patch().body(encoding: changes)
    }
}

extension Resource where Self: Creatable, Body: Encodable & Sendable {
    /// POST on the collection at the root with a value as the JSON body.
    public static func create(_ body: Body) throws(Failure) -> Endpoint<Model> {
        try ResourceCollection<Self>().create(body)
    }
}

extension Resource where Self: Updatable, UpdateBody: Encodable & Sendable {
    /// PUT on the member with this id, at the root, with a value as the JSON body.
    public static func update(_ id: ID, _ body: UpdateBody) throws(Failure) -> Endpoint<Model> {
        try ResourceCollection<Self>().update(id, body)
    }
}

/// Codable values as JSON.
enum JSONBody {
    static func text(of value: some Encodable) throws(Failure) -> Bytes {
        let encoder = Coders.current.encoder ?? standardEncoder()
        do { return Bytes([UInt8](try encoder.encode(value))) } catch {
            throw Failure(
                .body,
                "the body of type \(Bytes(String(describing: type(of: value)))) cannot be written as JSON: \(Bytes(String(describing: error)).printable)"
            )
        }
    }

    private static func standardEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        // The order of keys must be the same in every run.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }

    static func tree(of value: some Encodable) throws(Failure) -> Value {
        // A Decimal is written with all its digits, and the tree keeps them.
        try ValueDocument.read(try text(of: value))
    }
}
