// The response to one request: the effect of its operation on the store, and the body that the description declares for it.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableService

final class MockAnswer {
    let mock: Mock
    let received: Received
    let plan: Plan
    let call: ReceivedCall
    let role: MockRole
    /// The path of the target without the suffix after the id.
    let path: MockPath
    /// The path with the query.
    let target: Bytes
    /// Whether the body is replaced by one that its schema does not allow.
    private let isWrong: Bool

    private init(
        _ mock: Mock, _ received: Received, _ plan: Plan, _ call: ReceivedCall, _ role: MockRole, _ path: MockPath,
        _ target: Bytes, _ isWrong: Bool
    ) {
        self.mock = mock
        self.received = received
        self.plan = plan
        self.call = call
        self.role = role
        self.path = path
        self.target = target
        self.isWrong = isWrong
    }

    /// - Parameter target: a path with a query, or a URL.
    static func reply(
        _ mock: Mock, _ received: Received, _ plan: Plan, _ target: Bytes, isWrong: Bool
    ) throws(Failure) -> Reply {
        guard let call = try received.call() else { throw .noRequest }
        var target = target
        if target.storage.first != UInt8(ascii: "/") {
            target = "/\(Array(target.split(on: UInt8(ascii: "/")).dropFirst(3)).joined(by: "/"))"
        }
        let end = target.storage.firstIndex(of: UInt8(ascii: "?")) ?? target.count
        let path = MockPath(Bytes(target.storage[..<end]))
        if path.segments.count >= MockStore.pathLimit { throw .longPath }
        let role = try mock.role(of: plan, path)
        let answer = MockAnswer(mock, received, plan, call, role, path.without(role.suffix), target, isWrong)
        return try answer.run()
    }

    private func run() throws(Failure) -> Reply {
        for count in role.parents where count < path.segments.count {
            let parent = MockPath(Array(path.segments[..<count]))
            if mock.store.member(parent) == nil { throw notFound(parent) }
        }
        switch role.kind {
        case .list, .search: return try list(role.kind == .list ? path : path.parent)
        case .create: return try create()
        case .clear:
            for member in mock.store.node(path)?.members ?? [] { mock.store.set(path.appending(member.id), nil) }
            return try reply(try mock.shape(plan)?.sample, nil)
        case .action: return try reply(try mock.shape(plan)?.sample, nil)
        case .read, .replace, .change, .remove: return try one()
        }
    }

    // MARK: - Members

    private func notFound(_ path: MockPath) -> Failure {
        Failure(.noMatch, "/\(path.text) does not exist") { $0.httpStatus = 404 }
    }

    private func create() throws(Failure) -> Reply {
        let sample = try item()
        let given = given()
        let names = idNames(sample, given)
        var value = given ?? sample
        var id = given?.value(at: names)?.scalarText
        if let text = id, try !mock.isId(path.appending(text), role) { id = nil }
        let text: Bytes
        if let id {
            text = id
        } else {
            text = try mock.newId(path, role, like: sample.value(at: names), at: names)
            if !names.isEmpty { value = value.setting(kind(of: text, like: sample.value(at: names)), at: names) }
        }
        let path = path.appending(text)
        if mock.store.member(path) != nil { return try Reply.problem(409, "/\(path.text) exists", to: received) }
        let member = try store(path, value)
        return try reply(try body(of: member, isNew: mayBe201), member, isNew: mayBe201, location: Mock.target(path, role))
    }

    /// Responds for one member, or for a single resource without an id, which exists from the beginning and again after a PUT.
    private func one() throws(Failure) -> Reply {
        let isThing = role.subject == .thing
        var path = isThing ? self.path.appending("") : self.path
        let sample = isThing ? .object([]) : try item()
        let given = given()
        let names = isThing ? [] : idNames(sample, given)
        if role.subject == .memberInBody {
            guard let id = given?.value(at: names)?.scalarText else {
                throw Failure(.body, "the body has no id") { $0.httpStatus = 422 }
            }
            path = path.appending(id)
        }
        var member = mock.store.member(path)
        if member == nil && (isThing || !role.canGrow), let made = try generated(path, names) {
            // No operation creates members of this collection: a member exists for each id.
            member = try store(path, made)
        }
        let old = member?.value.flatMap { $0.isNull ? nil : $0 }
        // A deleted single resource is stored as null; one without a body is not stored.
        if old == nil && (isThing ? member != nil && role.kind != .replace : role.kind != .replace || role.hasPost) {
            throw notFound(isThing ? self.path : path)
        }
        if role.kind == .read { return try reply(try body(of: member), member) }
        if try received.conditionStatus(etag: old == nil ? nil : member?.etag) == 412 {
            throw Failure(.value, "the resource has changed") { $0.httpStatus = 412 }
        }
        if role.kind == .remove {
            mock.store.set(path, isThing ? .null : nil)
            // The body of the deleted resource is sent only if the description declares one.
            let shape = try mock.shape(plan)
            return try reply(try old.flatMap { (old) throws(Failure) in try shape?.body(of: old) } ?? shape?.sample, nil)
        }
        var value = given ?? old ?? sample
        if role.kind == .change, let old { value = try changed(old) }
        if !names.isEmpty {
            // The id cannot be changed.
            value = value.setting(old?.value(at: names) ?? kind(of: path.last, like: sample.value(at: names)), at: names)
        }
        let stored = try store(path, value)
        let isCreated = old == nil && !isThing && mayBe201
        return try reply(try body(of: stored, isNew: isCreated), stored, isNew: isCreated)
    }

    /// The names of the members on the path to the id of an item.
    private func idNames(_ sample: Value, _ given: Value?) -> [Bytes] {
        let names = mock.idMember(role.idName, of: sample)
        if !names.isEmpty || !sample.members.isEmpty { return names }
        return given.map { mock.idMember(role.idName, of: $0, isSent: true) } ?? []
    }

    /// The value after a PATCH.
    private func changed(_ old: Value) throws(Failure) -> Value {
        if received.contentType.starts(with: ("application/json-patch+json" as StaticString).rawBytes),
            case .json(let text) = call.body, let patch = try mock.router.router.codec?.value(of: text)
        {
            let value = try JSONPatch.apply(patch, to: old)
            if case .object = value { return value }
            throw Failure(.body, "the patched resource is not an object") { $0.httpStatus = 422 }
        }
        return given().map { old.merged(with: $0) } ?? old
    }

    // MARK: - Values

    /// The body of the request if it is an object; nil for any other body.
    private func given() -> Value? {
        var value: Value?
        switch call.body {
        case .value(let form): value = form
        case .json(let text): value = try? mock.router.router.codec?.value(of: text)
        case .absent: if let parameters = call.parameters, !parameters.isEmpty { value = .object(parameters) }
        case .bytes: break
        }
        if case .object? = value { return value }
        return nil
    }

    /// The id as a value with the type that it has in generated items.
    private func kind(of id: Bytes, like sample: Value?) -> Value {
        if case .integer? = sample, let number = Decimal.parse(id) { return .integer(number) }
        return .text(id)
    }

    /// A generated item of the collection, as declared for the operation that reads an item.
    func item() throws(Failure) -> Value {
        try mock.shape(role.isReaderOfMembers ? role.reader : plan)?.item(named: role.idName, mock) ?? .object([])
    }

    /// The value that exists from the beginning; nil for a single resource without a body.
    private func generated(_ path: MockPath, _ names: [Bytes]) throws(Failure) -> Value? {
        if role.subject == .thing { return try mock.shape(role.reader)?.sample }
        let item = try mock.shape(role.reader)?.another(path, mock.options.seed).item(named: role.idName, mock) ?? .object([])
        return names.isEmpty ? item : item.setting(kind(of: path.last, like: item.value(at: names)), at: names)
    }

    /// Stores a value.  Members that responses require and the request does not contain are generated and stored, so that all
    /// responses have the same ones.
    private func store(_ path: MockPath, _ value: Value) throws(Failure) -> MockNode {
        var value = value
        if case .object(let members) = value, let shape = try mock.shape(role.reader)?.another(path, mock.options.seed) {
            let complete = shape.item(in: try shape.body(of: value), like: value)
            value = .object(members + complete.members(without: value))
        }
        try Memory.check()
        return mock.store.set(path, value)
    }

    // MARK: - Responses

    /// Whether the operation declares no result, so that any value can be sent: declarations in Swift have no schemas.
    var isOpen: Bool { !plan.operation.description.results.contains { !$0.isError } }

    /// Whether a response can have the status 201.
    private var mayBe201: Bool { plan.operation.result(for: 201).map { !$0.isUndeclared && !$0.isImplied } ?? false }

    private func body(of member: MockNode?, isNew: Bool = false) throws(Failure) -> Value? {
        guard let shape = try mock.shape(plan, isNew: isNew) else { return isOpen ? member?.value : nil }
        guard let value = member?.value else { return shape.sample }
        return try shape.body(of: value)
    }

    func reply(
        _ body: Value?, _ member: MockNode?, isNew: Bool = false, location: Bytes? = nil, link: Bytes? = nil
    ) throws(Failure) -> Reply {
        var options = ReplyOptions()
        options.etag = member?.etag
        if let location { options.location = .url(location) }
        if let link { options.headers = [HeaderField("Link", "<\(link)>; rel=\"next\"")] }
        var content = ReplyContent.none
        if var body {
            if isWrong, let checker = try mock.shape(plan, isNew: isNew)?.checker {
                options.isUnchecked = true
                // The first of these values that the schema does not allow; the body is unchanged if the schema allows all of them.
                for wrong in [Value.null, .integer(0), .text("wrong"), .array([]), .object([])] {
                    let json = try Reply.json(of: wrong)
                    if !json.storage.withUnsafeBytes({ checker.accepts(json: $0) }) {
                        body = wrong
                        break
                    }
                }
            }
            content = .json(try Reply.json(of: body))
        } else if let result = plan.operation.description.results.first(where: { $0.isSuccess && !$0.contents.isEmpty }),
            result.contents.first?.isJSON == false
        {
            // The declared content is not JSON, for example text or an image.
            content = .bytes("amber\n")
        }
        return try received.reply(isNew ? 201 : 0, content, options)
    }
}

extension Failure {
    static var longPath: Failure {
        Failure(.limit, "the path has \(MockStore.pathLimit) or more segments") { $0.httpStatus = 414 }
    }
}
