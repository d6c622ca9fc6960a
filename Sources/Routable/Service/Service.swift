// A service: the handlers for a description, and the responses to requests (docs/service.md, "Services in Swift").

public import Foundation
public import RoutableCore
internal import RoutableService

/// Answers the requests of an API with functions of the program.
///
///     let service = try Service(Social.self, Users(), Notes())
///     let response = await service.respond(method: "GET", target: "/v1/users/ann")
///
/// A service is a value.  Any number of tasks may call `respond` at the same time.  `transport` answers the requests of a `Client`
/// without a network.
public struct Service: Sendable {
    typealias Handler = @Sendable (Received) async throws -> Reply
    typealias Verification = @Sendable (String) async throws -> (any Sendable)?

    /// An operation with its route or, if the route is only the name of a resource, at all locations of the resource.
    struct Key: Hashable {
        /// The route; empty for a standalone operation.
        var route: String
        var operation: String

        var name: String { route.isEmpty ? operation : "\(route).\(operation)" }
    }

    let planned: PlannedRouter
    private(set) var handlers: [Key: Handler] = [:]
    private(set) var verifications: [String: Verification] = [:]

    /// The path in front of the paths of the API, such as `/gateway/v1` behind a proxy that adds a prefix, or the empty string; nil
    /// for the path of the API's base.
    public var basePath: String?
    /// The maximum size of the body of a request; the response to a larger body is 413.
    public var maximumBodyBytes = 1 << 20
    /// Whether the status 422 is replaced by 400.
    public var answers422As400 = false
    /// Whether query parameters and headers that the call cannot hold are refused.
    public var refusesUndeclared = false
    /// The encoder for the bodies of responses; nil for an encoder that sorts the keys and writes dates as ISO 8601.
    public var encoder: JSONEncoder?
    /// The decoder for the bodies of requests; nil for a decoder that reads dates as ISO 8601.
    public var decoder: JSONDecoder?
    /// Called for each response with a status of 500 or above, with its cause; `received` is nil if the request was not read.  The
    /// default writes a line to standard error.
    public var report: @Sendable (_ cause: any Error, _ received: Received?) -> Void = { cause, received in
        let place = received.map { "\($0.label.string): " } ?? ""
        FileHandle.standardError.write(Data("routable: \(place)\(cause)\n".utf8))
    }

    // MARK: Handlers

    /// Creates a service for a declared API.
    ///
    /// - Throws: the errors of opening the API; those of `add`.
    public init<Described: API>(_ api: Described.Type, _ handlers: any ResourceHandler...) throws(Failure) {
        planned = try OpenedAPIs.planned(api)
        for handler in handlers { try add(handler) }
    }

    /// Creates a service for an opened API, whose handlers are added by name.
    public init(_ router: APIRouter) { planned = PlannedRouter(router) }

    /// Adds the handlers of a resource, for each location of the resource.
    ///
    /// - Throws: `unknown` for a resource that the API does not have; `conflict` for an operation that already has a handler.
    public mutating func add(_ handler: some ResourceHandler) throws(Failure) {
        for (operation, answer) in handler.answers {
            try add(answer, key("\(handler.resourceName).\(operation)"))
        }
    }

    /// Adds the handler of an operation by its name: `user.note.create` for one location, `note.create` for all locations of a resource that
    /// have no handler, or the name of a standalone operation.
    ///
    /// - Throws: `unknown` and `notAllowed` for the name; `conflict` for an operation that already has a handler.
    public mutating func handle(_ name: String, _ handler: @escaping @Sendable (Received) async throws -> Reply) throws(Failure)
    {
        try add(handler, key(name))
    }

    /// Adds the handler of an operation by its name.  The value that it returns is the body of the response; `NoBody` is no body.
    ///
    /// - Throws: `unknown` and `notAllowed` for the name; `conflict` for an operation that already has a handler.
    public mutating func handle<Value: Encodable & Sendable>(
        _ name: String, _ handler: @escaping @Sendable (Received) async throws -> Value
    ) throws(Failure) {
        try add({ received in received.replying(try await handler(received)) }, key(name))
    }

    /// Adds the function that verifies the credentials of a scheme: it receives the token, the key or `name:password`, and returns an
    /// identity, or nil for a credential that is not good.
    ///
    /// The response is 401 unless the request has the credentials that its operation requires, and all of them are good.  A scheme
    /// without a function has no good credentials.
    ///
    /// - Throws: `unknown` for a scheme that the API does not declare.
    public mutating func credential<Identity: Sendable>(
        _ scheme: String, verify: @escaping @Sendable (String) async throws -> Identity?
    ) throws(Failure) {
        let names = planned.router.description.authSchemes.map { $0.name }
        guard names.contains(Bytes(scheme)) else {
            let reason: Bytes = "the API declares no scheme \(Bytes(scheme).printable); declared: \(names)"
            throw Failure(.unknown, reason) { $0.allowed = names }
        }
        verifications[scheme] = verify
    }

    private mutating func add(_ handler: @escaping Handler, _ key: Key) throws(Failure) {
        if handlers.updateValue(handler, forKey: key) != nil {
            throw Failure(.conflict, "\(Bytes(key.name)) has a handler already")
        }
    }

    private func key(_ name: String) throws(Failure) -> Key {
        let router = planned.router
        if router.operation(named: Bytes(name)) != nil { return Key(route: "", operation: name) }
        guard let dot = name.lastIndex(of: ".") else {
            _ = try planned.plan(route: Bytes(), operation: Bytes(name))
            return Key(route: "", operation: name)
        }
        let key = Key(route: String(name[..<dot]), operation: String(name[name.index(after: dot)...]))
        // A resource can have no location at the root.
        if let resource = router.resource(named: Bytes(key.route)), resource.has(Bytes(key.operation)) { return key }
        let plan = try planned.plan(route: Bytes(key.route), operation: Bytes(key.operation))
        // The operation of a resource that is derived from paths.
        let standalone = plan.operation.standaloneName.bytes
        return standalone.isEmpty ? key : Key(route: "", operation: standalone.string)
    }

    /// The operations of the route table without a handler, by the names for `handle`; the response to their requests is 501.
    ///
    /// - Throws: `limit` for a route table that is too large.
    public var missing: [String] {
        get throws(Failure) {
            var found: [String] = []
            for row in try planned.router.routeRows where !row.isRepeat {
                let key =
                    row.standaloneName.isEmpty
                    ? Key(route: row.route.string, operation: row.operation.string)
                    : Key(route: "", operation: row.standaloneName.string)
                if handler(of: key) == nil { found.append(key.name) }
            }
            return found
        }
    }

    func handler(of received: Received) -> Handler? {
        handler(of: Key(route: received.route, operation: received.operation))
    }

    /// The handler of the location, or of all locations of its resource.
    private func handler(of key: Key) -> Handler? {
        if let handler = handlers[key] { return handler }
        guard let dot = key.route.lastIndex(of: ".") else { return nil }
        return handlers[Key(route: String(key.route[key.route.index(after: dot)...]), operation: key.operation)]
    }
}

extension ResourceEntry {
    fileprivate func has(_ operation: Bytes) -> Bool { operations.contains { $0.name.bytes == operation } }
}
