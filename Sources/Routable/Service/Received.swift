// A request that a service has received, as handlers receive it.

internal import Foundation
public import RoutableCore
internal import RoutableService

/// A request that was read to its call: its ids, its parameters, its body and the identities of its credentials.
///
/// A handler may change `reply`, which has the status and the headers of its response.
public final class Received: @unchecked Sendable {
    // Not modified after this object is created.
    let core: RoutableService.Received
    let call: ReceivedCall
    let coders: Coders
    private let state = Locked<State>(State())

    private struct State {
        var reply = Reply()
        var identities: [(scheme: String, identity: any Sendable)] = []
    }

    /// The method of the request, which can be HEAD if the operation has GET.
    public let method: String

    init(_ core: RoutableService.Received, _ call: ReceivedCall, method: String, _ coders: Coders) {
        self.core = core
        self.call = call
        self.method = method
        self.coders = coders
    }

    /// The dotted route, `user.note`; empty for a standalone operation.
    public var route: String { call.plan.route.bytes.string }
    /// The name of the operation, `create`.
    public var operation: String { call.plan.operation.name.bytes.string }

    /// The route and the operation, for messages.
    var label: Bytes {
        let operation = call.plan.operation.name.bytes
        return call.plan.route.isEmpty ? operation : "\(call.plan.route.bytes) \(operation)"
    }

    /// The response of the handler without its body.
    public var reply: Reply {
        get { state.withLock { $0.reply } }
        set { state.withLock { $0.reply = newValue } }
    }

    /// The response with a body.
    func replying(_ value: some Encodable & Sendable) -> Reply {
        var reply = reply
        reply.content = value is NoBody ? .none : .encodable(value)
        return reply
    }

    // MARK: Ids

    /// The id of the nearest member of a resource in the path of the request.
    ///
    /// - Throws: a refusal with 404 if the path has no such member, and with 422 for a string that is not an id of the type.
    public func id<Kind: Resource>(of resource: Kind.Type) throws(Refusal) -> Kind.ID where Kind.ID: PathValue {
        guard let id = member(Bytes(Kind.name)) else {
            throw Refusal(404, "the path has no id of a \(Kind.name)")
        }
        return try read(id)
    }

    /// The id with this name in calls: `user_id`.
    ///
    /// - Throws: a refusal with 404 if the path has no such id, and with 422 for a string that is not an id of the type.
    public func id<ID: PathValue>(_ name: String, as type: ID.Type = ID.self) throws(Refusal) -> ID {
        let name = Bytes(name)
        guard let id = call.pathValues.last(where: { $0.name == name }) else {
            throw Refusal(404, "the path has no id \(name)")
        }
        return try read(id)
    }

    /// The last id of the last member of a resource in the path.
    private func member(_ name: Bytes) -> Value.Member? {
        let ids = call.pathValues
        let names = call.plan.route.bytes.split(on: UInt8(ascii: "."))
        var found: Value.Member?
        var end = 0
        for (index, each) in names.enumerated() {
            guard let entry = core.router.router.resource(named: each) else { return nil }
            end += entry.ids.count
            // The path of an operation of the collection does not contain the id of a member.
            let isMember = index < names.count - 1 || call.plan.operation.description.place == .member
            if each == name, isMember, ids.indices.contains(end - 1) { found = ids[end - 1] }
        }
        return found
    }

    private func read<ID: PathValue>(_ member: Value.Member) throws(Refusal) -> ID {
        if let text = member.value.scalarText, let id = ID(pathText: text.string) { return id }
        throw refusal(.value, "invalid value of \(member.name): \(Bytes(String(describing: ID.self))) is expected") {
            $0.pointer = "/ids/\(member.name.pointerEscaped)"
            $0.parameter = member.name
        }
    }

    // MARK: Parameters

    /// The value of a declared query parameter, or its default; nil for none.
    ///
    /// - Throws: a refusal with 422 for a value that does not match the type.
    public func query<Model: Decodable>(_ name: String, as type: Model.Type = Model.self) throws(Refusal) -> Model? {
        try parameter(name, call.query, "/query", isCaseless: false)
    }

    /// The value of a header, declared or not; nil for none.
    ///
    /// - Throws: a refusal with 422 for a value that does not match the type.
    public func header<Model: Decodable>(_ name: String, as type: Model.Type = Model.self) throws(Refusal) -> Model? {
        try parameter(name, call.headers, "/headers", isCaseless: true)
    }

    /// The value of a declared cookie; nil for none.
    ///
    /// - Throws: a refusal with 422 for a value that does not match the type.
    public func cookie<Model: Decodable>(_ name: String, as type: Model.Type = Model.self) throws(Refusal) -> Model? {
        try parameter(name, call.cookies, "/cookies", isCaseless: false)
    }

    /// The value of an undeclared parameter of the query or of a form; nil for none.
    ///
    /// - Throws: a refusal with 422 for a value that does not match the type.
    public func parameter<Model: Decodable>(_ name: String, as type: Model.Type = Model.self) throws(Refusal) -> Model? {
        try parameter(name, call.parameters ?? [], "/parameters", isCaseless: false)
    }

    /// All undeclared parameters, as an object.
    public var parameters: Value { .object(call.parameters ?? []) }

    private func parameter<Model: Decodable>(
        _ name: String, _ members: [Value.Member], _ pointer: Bytes, isCaseless: Bool
    ) throws(Refusal) -> Model? {
        let name = Bytes(name)
        guard let member = members.first(where: { isCaseless ? $0.name.equalsIgnoringCase(name) : $0.name == name }) else {
            return nil
        }
        do { return try LenientDecoder(member.value).decode(Model.self) } catch {
            throw refusal(.value, "invalid value of \(name): \(Answers.reason(error))") {
                $0.pointer = "\(pointer)/\(member.name.pointerEscaped)"
                $0.parameter = member.name
            }
        }
    }

    // MARK: The body

    /// The body as a model.  A JSON body is decoded by the decoder of the service; a form without a declared type is decoded as `Fetchable`
    /// models are, because its values are strings.
    ///
    /// - Throws: a refusal with 422 for a body that does not match, with the position of its first error.
    public func body<Model: Decodable>(as type: Model.Type = Model.self) throws(Refusal) -> Model {
        if let none = NoBody() as? Model { return none }
        do {
            if let json = try core.bodyJSON() {
                return try Answers.read(type, json.buffer, coders.decoder)
            }
            if case .absent = call.body {
                if let form = call.parameters { return try LenientDecoder(.object(form)).decode(type) }
                if let none = (type as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Model { return none }
                throw refusal(.body, "a body is required") { $0.pointer = "/body" }
            }
            if let content = (type == Data.self ? Data(content.storage) as? Model : content as? Model) { return content }
            if type == String.self, let text = String(validating: content.storage, as: UTF8.self) as? Model { return text }
            throw refusal(.body, "JSON is expected") { $0.pointer = "/body" }
        } catch let error as Refusal {
            throw error
        } catch {
            throw refusal(.body, Answers.reason(error)) { $0.pointer = "/body\(Answers.pointer(error) ?? Bytes())" }
        }
    }

    /// The bytes of the body.
    public var content: Bytes { withExtendedLifetime(core) { Bytes(core.body) } }

    /// The media type of the body; nil for none.
    public var contentType: String? {
        let text = withExtendedLifetime(core) { Bytes(core.contentType) }
        return text.isEmpty ? nil : text.string
    }

    /// The whole request as a call in JSON (docs/json-tier.md).
    ///
    /// - Throws: `memory`.
    public func callJSON() throws(Failure) -> String { try core.callJSON()?.string ?? "{}" }

    // MARK: Identity

    /// The identity that the function of `Service.credential` returned, for one scheme or for the first one; nil for none, and for an
    /// identity of another type.
    public func identity<Identity: Sendable>(of scheme: String? = nil, as type: Identity.Type = Identity.self) -> Identity? {
        state.withLock { $0.identities.first { scheme == nil || $0.scheme == scheme }?.identity as? Identity }
    }

    func add(_ identity: any Sendable, of scheme: String) { state.withLock { $0.identities.append((scheme, identity)) } }

    // MARK: Conditions

    /// Refuses the request if its If-Match or If-None-Match forbids changing the resource.  A handler calls this function before
    /// it changes the resource.
    ///
    /// - Parameter etag: the current ETag, with its quotes; nil if the resource does not exist or has none.
    /// - Throws: a refusal with 412; a failure for a string that is not an ETag, for which the service responds with 500.
    public func checkConditions(etag: String?) throws {
        if try core.conditionStatus(etag: etag.map { Bytes($0) }) == 412 {
            throw Refusal(412, etag.map { "the resource has changed: its ETag is \($0)" } ?? "the resource does not exist")
        }
    }

    private func refusal(_ status: Failure.Status, _ reason: Bytes, _ complete: (inout Failure.Fields) -> Void) -> Refusal {
        let failure = Failure(status, "\(label): \(reason)", complete)
        return Refusal(failure.about(route: call.plan.route.bytes, operation: call.plan.operation.name.bytes))
    }
}
