// The response to one request: what its operation does with the store, and the body that the description declares for it.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableService

struct MockAnswer {
    let mock: Mock
    let received: Received
    let plan: Plan
    private let call: ReceivedCall
    /// The path of the target, and the path with the query.
    private let target: Bytes
    private let query: Bytes
    /// Whether the body is to be one that its schema does not allow.
    var isWrong = false

    private var operation: OperationEntry { plan.operation }
    private var pagination: Pagination? { operation.rules?.pagination }

    init(_ mock: Mock, _ received: Received, _ plan: Plan, _ incoming: Incoming) throws(Failure) {
        self.mock = mock
        self.received = received
        self.plan = plan
        guard let call = try received.call() else { throw .noRequest }
        self.call = call
        let bytes = incoming.target.storage
        let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        target = Self.path(Bytes(bytes[..<mark]))
        query = "\(target)\(Bytes(bytes[mark...]))"
    }

    /// The path of a target that may be a URL.
    private static func path(_ target: Bytes) -> Bytes {
        guard target.storage.first != UInt8(ascii: "/") else { return target }
        let pieces = target.split(on: UInt8(ascii: "/"))
        return "/\(Array(pieces.dropFirst(3)).joined(by: "/"))"
    }

    func run() throws(Failure) -> Reply {
        switch try mock.role(of: plan, target) {
        case .list: return try list(try mock.collection(target, of: plan), filters: false)
        case .search: return try list(try mock.collection(Mock.parent(of: target), of: plan), filters: true)
        case .create: return try create()
        case .clear: return try clear()
        case .read: return try read()
        case .replace: return try change(isWhole: true)
        case .change: return try change(isWhole: false)
        case .remove: return try remove()
        case .readThing, .replaceThing, .changeThing, .removeThing: return try thing()
        case .action:
            try requireParents(MockPath(target).segments)
            return try reply(0, generated(), nil)
        }
    }

    // MARK: - Members

    private var path: MockPath { MockPath(target) }

    private func notFound(_ path: MockPath) -> Failure {
        Failure(.noMatch, "/\(path.text) does not exist") { $0.httpStatus = 404 }
    }

    /// Refuses a request below a member that does not exist, in collections that requests can fill.
    private func requireParents(_ segments: [Bytes]) throws(Failure) {
        var above: Bytes = ""
        for (index, segment) in segments.enumerated() {
            let parent = MockPath(Array(segments[..<index]))
            let path = parent.appending(segment)
            if index > 0, mock.store.member(path) == nil {
                let collection = try mock.collection(above, of: plan)
                if collection.isReaderOfMembers && collection.canGrow && path.segments.count < self.path.segments.count {
                    throw notFound(path)
                }
            }
            above.append("/\(path.encodedLast)")
        }
    }

    private func read() throws(Failure) -> Reply {
        let collection = try mock.collection(Mock.parent(of: target), of: plan)
        try requireParents(path.segments)
        if let member = mock.store.member(path) { return try reply(0, try body(of: member.value), member) }
        if collection.canGrow { throw notFound(path) }
        // Nothing makes members of this collection: there is one for each id.
        let member = try made(collection)
        return try reply(0, try body(of: member.value), member)
    }

    /// A member of a collection that requests cannot fill.
    private func made(_ collection: MockCollection) throws(Failure) -> MockMember {
        let item = try generatedItem(collection, path)
        try store(path, item)
        guard let member = mock.store.member(path) else { throw notFound(path) }
        return member
    }

    private func create() throws(Failure) -> Reply {
        let collection = try mock.collection(target, of: plan)
        try requireParents(collection.path.segments)
        let sample = try item(of: collection)
        let names = idNames(collection, sample)
        var value = given() ?? sample ?? .object([])
        var id = names.isEmpty ? nil : value.value(at: names)
        if let text = id?.scalarText, given() != nil, try !mock.isId(collection.path.appending(text), of: collection) {
            id = nil
        }
        if id?.isScalar != true || given() == nil {
            id = try mock.newId(collection, like: names.isEmpty ? nil : sample?.value(at: names))
            if let id, !names.isEmpty { value = value.setting(kind(of: id, like: sample?.value(at: names)), at: names[...]) }
        }
        guard let text = id?.scalarText else {
            throw Failure(.unsupported, "no id of \(collection.path.text) can be generated")
        }
        let path = collection.path.appending(text)
        if mock.store.member(path) != nil {
            return try Reply.problem(409, "/\(path.text) exists", to: received)
        }
        try store(path, try completed(value, collection, path))
        guard let member = mock.store.member(path) else { throw notFound(path) }
        var options = ReplyOptions()
        options.location = .url("\(collection.target)/\(path.encodedLast)")
        return try reply(0, try body(of: member.value), member, options)
    }

    private func change(isWhole: Bool) throws(Failure) -> Reply {
        // The id is in the body of a request to the collection.
        let isInBody = !plan.endsInId
        let collection = try mock.collection(isInBody ? target : Mock.parent(of: target), of: plan)
        let sample = try item(of: collection)
        let names = idNames(collection, sample)
        var path = self.path
        if isInBody {
            guard let id = given()?.value(at: names)?.scalarText else {
                throw Failure(.body, "the body has no id") { $0.httpStatus = 422 }
            }
            path = collection.path.appending(id)
        }
        try requireParents(path.segments)
        var member = mock.store.member(path)
        if member == nil && !collection.canGrow { member = try made(collection) }
        let isNew = member == nil
        if isNew && (!isWhole || collection.methods.contains("POST")) { throw notFound(path) }
        try require(member)
        var value = given() ?? member?.value ?? sample ?? .object([])
        if !isWhole, let old = member?.value, let patch = given() { value = Self.merged(old, patch) }
        // The id cannot be changed.
        if !names.isEmpty {
            let known = member?.value.value(at: names)
            value = value.setting(known ?? kind(of: .text(path.last), like: sample?.value(at: names)), at: names[...])
        }
        try store(path, try completed(value, collection, path))
        guard let stored = mock.store.member(path) else { throw notFound(path) }
        var status: Int32 = 0
        // A status that is declared by itself: an OpenAPI document has a result for all others.
        if isNew, operation.description.results.contains(where: { $0.lowest == 201 && $0.highest == 201 }) { status = 201 }
        return try reply(status, try body(of: stored.value, status), stored)
    }

    private func remove() throws(Failure) -> Reply {
        let collection = try mock.collection(Mock.parent(of: target), of: plan)
        try requireParents(path.segments)
        var member = mock.store.member(path)
        if member == nil && !collection.canGrow { member = try made(collection) }
        guard let member else { throw notFound(path) }
        try require(member)
        mock.store.remove(path)
        // What is deleted is sent only if the description declares it.
        return try reply(0, try shape(0).flatMap { (shape) throws(Failure) in try shape.body(of: member.value) }, nil)
    }

    private func clear() throws(Failure) -> Reply {
        let path = self.path
        try requireParents(path.segments)
        mock.store.removeAll(path)
        return try reply(0, generated(), nil)
    }

    // MARK: - One thing without an id

    /// It exists from the beginning, and again after a PUT.
    private func thing() throws(Failure) -> Reply {
        try requireParents(path.segments)
        let isRead = plan.method.bytes == "GET"
        let place = path.appending("")
        var member = mock.store.member(place)
        if case .null? = member?.value, plan.method.bytes != "PUT" { throw notFound(path) }
        if member == nil, let value = try generated() {
            try store(place, value)
            member = mock.store.member(place)
        }
        if isRead { return try reply(0, try body(of: member), member) }
        try require(member)
        switch plan.method.bytes {
        case "DELETE":
            try store(place, .null)
            return try reply(0, generated(), nil)
        case "PATCH":
            let old = member?.value ?? .object([])
            try store(place, given().map { Self.merged(old, $0) } ?? old)
        default:
            if let value = given() { try store(place, value) }
        }
        let changed = mock.store.member(place)
        return try reply(0, try body(of: changed), changed)
    }

    // MARK: - Lists

    private func list(_ collection: MockCollection, filters: Bool) throws(Failure) -> Reply {
        try requireParents(collection.path.segments)
        let shape = try shape(0)
        let place = shape == nil && isOpen ? [] : shape?.listPlace(pagination?.items.bytes ?? Bytes())
        guard let place else { return try reply(0, generated(), nil) }
        let page = MockPage(call.query, pagination)
        var items = mock.store.members(collection.path).map { $0.member.value }
        let sample = try item(of: collection)
        let selecting = call.query.filter { !page.names.contains($0.name) }
        items = items.filter { Self.isWanted($0, like: sample, selecting) }
        let part = page.isDivided ? page.part(of: items) : (items: items, next: nil)
        var link: Bytes?
        if let next = part.next {
            let declared = operation.query.map { $0.name.bytes }
            let parameter = page.parameter(pagination, declared, at: next)
            link = Self.replacing(parameter.name, "\(parameter.value)", in: query)
        }
        var body = Value.array(part.items)
        if let shape {
            guard let made = try shape.body(of: part.items, at: place, total: items.count) else {
                throw Failure(.unsupported, "no valid list can be generated")
            }
            body = made
        }
        if let pagination, let shape {
            let marked = page.marked(body, pagination, next: part.next, link: link, total: items.count)
            body = try shape.checker.fit(marked, seed: shape.seed) ?? body
        }
        var options = ReplyOptions()
        if let link, pagination?.way == .link || pagination == nil, pagination?.place.isEmpty ?? true {
            options.headers.append(HeaderField("Link", "<\(link)>; rel=\"next\""))
        }
        return try reply(0, body, nil, options)
    }

    /// Whether an item has the values of the query parameters that are named like its members.
    private static func isWanted(_ item: Value, like sample: Value?, _ query: [Value.Member]) -> Bool {
        for parameter in query {
            guard let own = item.value(at: [parameter.name]), own.isScalar else {
                // Items have such a member, and this one has not.
                if sample?.value(at: [parameter.name])?.isScalar == true { return false }
                continue
            }
            switch parameter.value {
            case .array(let values):
                if !values.isEmpty && !values.contains(where: { $0.scalarText == own.scalarText }) { return false }
            case .null, .object: continue
            default: if parameter.value.scalarText != own.scalarText { return false }
            }
        }
        return true
    }

    /// The target with another value of a query parameter.
    private static func replacing(_ name: Bytes, _ value: Bytes, in target: Bytes) -> Bytes {
        let mark = target.storage.firstIndex(of: UInt8(ascii: "?")) ?? target.count
        let encoded = PercentCoding.encode(name, .unreserved)
        var pairs = Bytes(target.storage[min(mark &+ 1, target.count)...]).split(on: UInt8(ascii: "&")).filter {
            !$0.isEmpty && !$0.hasPrefix("\(encoded)=")
        }
        pairs.append("\(encoded)=\(PercentCoding.encode(value, .unreserved))")
        return "\(Bytes(target.storage[..<mark]))?\(pairs.joined(by: "&"))"
    }

    // MARK: - Values

    /// The object that the request has; nil for any other body.
    private func given() -> Value? {
        switch call.body {
        case .value(let value): if case .object = value { return value }
        case .json(let text):
            if let value = try? mock.router.router.codec?.value(of: text), case .object = value { return value }
        case .absent:
            if let parameters = call.parameters, !parameters.isEmpty { return .object(parameters) }
        case .bytes: break
        }
        return nil
    }

    /// JSON Merge Patch (RFC 7396).
    private static func merged(_ target: Value, _ patch: Value) -> Value {
        // proof: the recursion ends at the nesting of the patch, which its reader has limited.
        guard case .object(let changes) = patch else { return patch }
        var members: [Value.Member] = []
        if case .object(let own) = target { members = own }
        for change in changes {
            let index = members.firstIndex { $0.name == change.name }
            if change.value.isNull {
                if let index { members.remove(at: index) }
            } else if let index {
                members[index].value = merged(members[index].value, change.value)
            } else {
                members.append(Value.Member(name: change.name, value: merged(.null, change.value)))
            }
        }
        return .object(members)
    }

    /// An id of the kind that generated items have.
    private func kind(of id: Value, like sample: Value?) -> Value {
        guard let text = id.scalarText else { return id }
        switch sample {
        case .integer, .real: return Decimal.parse(text).map { .integer($0) } ?? .text(text)
        default: return .text(text)
        }
    }

    private func idNames(_ collection: MockCollection, _ item: Value?) -> [Bytes] {
        let member = (try? mock.router.place("\(collection.target)/1", basePath: mock.options.basePath))?.plan
        let parameter = (collection.isReaderOfMembers ? collection.reader : member ?? (plan.endsInId ? plan : nil))?.idLabels
            .last
        return item.map { mock.idMember(parameter ?? "id", of: $0) } ?? []
    }

    /// A generated item of a collection, as the operation that reads one declares it.
    private func item(of collection: MockCollection) throws(Failure) -> Value? {
        let reader = collection.isReaderOfMembers ? collection.reader ?? plan : plan
        guard let shape = try mock.shape(reader, 0) else { return nil }
        return shape.item(named: reader.idLabels.last ?? "id", mock)
    }

    private func generatedItem(_ collection: MockCollection, _ path: MockPath) throws(Failure) -> Value {
        let shape = try mock.shape(collection.reader ?? plan, 0)?.another(path, mock.options.seed)
        let parameter = (collection.reader ?? plan).idLabels.last ?? "id"
        let item = shape?.item(named: parameter, mock) ?? .object([])
        let names = mock.idMember(parameter, of: item)
        return names.isEmpty ? item : item.setting(kind(of: .text(path.last), like: item.value(at: names)), at: names[...])
    }

    /// The item with the members that responses require and the request did not have, which are the same in all of its responses.
    private func completed(_ value: Value, _ collection: MockCollection, _ path: MockPath) throws(Failure) -> Value {
        let reader = collection.reader ?? plan
        guard case .object(let members) = value,
            let shape = try mock.shape(reader, 0)?.another(path, mock.options.seed),
            case .object(let complete)? = try shape.body(of: value).map({ shape.item(in: $0, like: value) })
        else { return value }
        let known = Set(members.map { $0.name })
        return .object(members + complete.filter { !known.contains($0.name) })
    }

    private func store(_ path: MockPath, _ value: Value) throws(Failure) {
        try Memory.check()
        mock.store.put(path, value)
    }

    // MARK: - Responses

    private func require(_ member: MockMember?) throws(Failure) {
        let status = try received.conditionStatus(etag: member.map { "\"\($0.version)\"" })
        if status == 412 {
            throw Failure(.value, "the resource has changed") { $0.httpStatus = 412 }
        }
    }

    private func shape(_ status: Int32) throws(Failure) -> MockShape? { try mock.shape(plan, status) }

    private func body(of item: Value, _ status: Int32 = 0) throws(Failure) -> Value? {
        guard let shape = try shape(status) else { return isOpen ? item : nil }
        return try shape.body(of: item)
    }

    /// Whether the operation declares no result, so that any value can be sent: a Swift declaration has no schemas.
    private var isOpen: Bool { !operation.description.results.contains { !$0.isError } }

    private func body(of member: MockMember?) throws(Failure) -> Value? {
        guard let member else { return try generated() }
        return try body(of: member.value)
    }

    private func generated() throws(Failure) -> Value? { try shape(0)?.sample }

    private func reply(
        _ status: Int32, _ body: Value?, _ member: MockMember?, _ options: ReplyOptions = ReplyOptions()
    ) throws(Failure) -> Reply {
        var options = options
        if let member { options.etag = "\"\(member.version)\"" }
        guard let body else {
            if let reply = try otherBody(status, options) { return reply }
            return try received.reply(status, .none, options)
        }
        var sent = body
        if isWrong, let checker = try shape(status)?.checker {
            options.isUnchecked = true
            sent = try wrong(checker) ?? body
        }
        var writer = JSONWriter()
        try writer.value(sent)
        return try received.reply(status, .json(writer.text), options)
    }

    /// A value that the schema does not allow; nil if it allows all that are tried.
    private func wrong(_ checker: any ValueChecker) throws(Failure) -> Value? {
        for value in [Value.null, .integer(0), .text("wrong"), .array([]), .object([])] {
            try Memory.check()
            var writer = JSONWriter()
            try writer.value(value)
            if !writer.text.storage.withUnsafeBytes({ checker.accepts(json: $0) }) { return value }
        }
        return nil
    }

    /// A body that is no JSON, such as text or an image; nil if the operation declares none.
    private func otherBody(_ status: Int32, _ options: ReplyOptions) throws(Failure) -> Reply? {
        guard let result = operation.description.results.first(where: { !$0.isError && !$0.contents.isEmpty }) else {
            return nil
        }
        guard let content = result.contents.first, !content.isJSON else { return nil }
        return try received.reply(status, .bytes("amber\n"), options)
    }
}

extension Mock {
    /// The declared body of a status, 0 for the usual one; nil if there is none, or if it is no JSON.
    func shape(_ plan: Plan, _ status: Int32) throws(Failure) -> MockShape? {
        let name: Bytes = "\(plan.route.bytes) \(plan.operation.name.bytes)"
        let key: Bytes = "\(name) \(status)"
        if let known = shapes[key] { return known }
        let results = plan.operation.description.results.filter { !$0.isError && $0.type != nil }
        let found = status == 0 ? results.first : plan.operation.result(for: status) ?? results.first
        guard let found, found.type != nil else { return nil }
        let checker = try router.router.checker(of: try plan.operation.resultSchema(found.lowest))
        let seed = SeededRandom(seed: options.seed, sequence: name).first
        guard let sample = try checker.sample(seed: seed, style: .plain) else {
            throw Failure(.unsupported, "no valid value was found for the schema of \(found.statuses)")
        }
        let shape = MockShape(checker: checker, sample: sample, seed: seed)
        try Memory.check()
        shapes.set(shape, for: key)
        return shape
    }
}

extension SeededRandom {
    var first: UInt64 {
        var copy = self
        return copy.next()
    }
}
