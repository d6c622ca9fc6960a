// Reads and writes policy and pagination, of a document or of a host.

public import RoutableCore
internal import RoutableJSON

extension RouteDocumentReader {
    static let ruleKeys: [StaticString] = ["deadline", "retry", "idempotency", "pagination", "outcome"]
    private static let retryKeys = KeyTable("\"retry\"", ["times", "delay"])
    private static let keyKeys = KeyTable("\"idempotency\"", ["header"])

    /// The rules that a document or an operation has keys for; nil for none.
    func rules(_ node: Node) throws(Failure) -> OperationRules? {
        let rules = OperationRules()
        if let member = node.member("deadline") {
            rules.deadlineMilliseconds = try milliseconds(member, "\"deadline\"")
            if rules.deadlineMilliseconds == 0 { throw member.failure("\"deadline\" must be a number of seconds above 0") }
        }
        if let member = node.member("retry") {
            _ = try member.object(Self.retryKeys)
            if let times = member.member("times") { rules.retries = try times.integer("\"times\"", 0...100) }
            if let delay = member.member("delay") { rules.retryDelayMilliseconds = try milliseconds(delay, "\"delay\"") }
        }
        if let member = node.member("idempotency") { rules.keyHeader = Text(try keyHeader(member)) }
        if let member = node.member("pagination") {
            rules.isUnpaginated = member.view.kind == .boolean && !member.view.boolean
            if !rules.isUnpaginated { rules.pagination = try Pagination.read(member) }
        }
        if let member = node.member("outcome") {
            rules.mapsAnyForm = try member.word("\"outcome\"", [("declared", false), ("any", true)])
        }
        return rules.isEmpty ? nil : rules
    }

    private func keyHeader(_ node: Node) throws(Failure) -> Bytes {
        if node.view.kind == .object {
            _ = try node.object(Self.keyKeys)
        } else if try !node.boolean("\"idempotency\"") {
            return Bytes()
        }
        guard node.view.kind == .object, let member = node.member("header") else { return "Idempotency-Key" }
        let name = try member.name("the name of a header")
        if !HeaderField.isValidName(name) { throw member.failure("the name of the header is not a valid HTTP token") }
        return name
    }

    /// Seconds as milliseconds; a time that is not 0 is one at least.
    private func milliseconds(_ node: Node, _ subject: StaticString) throws(Failure) -> Int64 {
        let seconds = try node.number(subject)
        guard seconds >= 0, seconds <= 86400 else {
            throw node.failure("\(subject) is out of range: from 0 to 86400 seconds is expected")
        }
        return seconds > 0 ? max(1, Int64((seconds * 1000).rounded())) : 0  // proof: below 2^27.
    }
}

extension Pagination {
    private static let keys = KeyTable("\"pagination\"", ["by", "at", "parameter", "size", "items", "start"])

    static func read(_ node: Node) throws(Failure) -> Pagination {
        _ = try node.object(keys)
        guard let by = node.member("by") else {
            throw node.failure("\"pagination\" has no \"by\"; link, cursor, page or offset is expected")
        }
        let ways: [StaticString] = ["link", "cursor", "page", "offset"]
        let word = try by.text("\"by\"")
        guard let index = ways.firstIndex(where: { word.equals($0) }), let way = Way(rawValue: Int32(index &+ 1)) else {
            throw by.unknown("\"by\" cannot be", word, among: ways.map { Bytes(staticText: $0) })
        }
        // A key that its kind of pagination does not have is a mistake, not something to pass over.
        func refuse(_ key: StaticString) throws(Failure) {
            if let member = node.member(key) {
                throw member.keyFailure(Bytes(staticText: key), "pagination by \(word) cannot have \"\(key)\"")
            }
        }
        func need(_ key: StaticString) throws(Failure) {
            if node.member(key) == nil { throw node.failure("pagination by \(word) requires \"\(key)\"") }
        }
        if way == .link { try refuse("parameter") } else { try need("parameter") }
        if way == .cursor { try need("at") } else if way != .link { try refuse("at") }
        if way != .page { try refuse("start") }
        return Pagination(
            way: way, place: try pointer(node.member("at")), parameter: try name(node.member("parameter")),
            sizeParameter: try name(node.member("size")), items: try pointer(node.member("items")),
            start: try node.member("start")?.integer("\"start\"", 0...1_000_000) ?? 1)
    }

    private static func pointer(_ node: Node?) throws(Failure) -> Bytes {
        guard let node else { return Bytes() }
        return try RouteDocumentReader.pointer(node)
    }

    private static func name(_ node: Node?) throws(Failure) -> Bytes {
        guard let node else { return Bytes() }
        return try node.name("the name of a parameter")
    }

    /// What a host says instead of the description, as JSON.
    public static func read(_ text: UnsafeRawBufferPointer) throws(Failure) -> Pagination {
        let document = try JSONDocument.read(text, JSONReading(rejectsDuplicates: true))
        defer { withExtendedLifetime(document) {} }
        do throws(Failure) { return try read(Node(document.view)) } catch { throw RouteDocument.locate(error, in: text) }
    }
}

extension RouteDocumentWriter {
    mutating func rules(_ rules: OperationRules?) {
        guard let rules else { return }
        if rules.deadlineMilliseconds > 0 { seconds("deadline", rules.deadlineMilliseconds) }
        if rules.retries >= 0 || rules.retryDelayMilliseconds >= 0 {
            writer.key("retry")
            writer.open("{")
            if rules.retries >= 0 { writer.member("times", rules.retries) }
            if rules.retryDelayMilliseconds >= 0 { seconds("delay", rules.retryDelayMilliseconds) }
            writer.close("}")
        }
        if let header = rules.keyHeader?.bytes {
            writer.key("idempotency")
            if header.isEmpty || header.equals("Idempotency-Key") {
                writer.boolean(!header.isEmpty)
            } else {
                writer.open("{")
                writer.member("header", header)
                writer.close("}")
            }
        }
        if let pagination = rules.pagination { self.pagination(pagination) }
        if rules.isUnpaginated {
            writer.key("pagination")
            writer.boolean(false)
        }
        if let any = rules.mapsAnyForm { writer.member("outcome", any ? "any" : "declared") }
    }

    private mutating func pagination(_ pagination: Pagination) {
        writer.key("pagination")
        writer.open("{")
        switch pagination.way {
        case .link: writer.member("by", "link")
        case .cursor: writer.member("by", "cursor")
        case .page: writer.member("by", "page")
        case .offset: writer.member("by", "offset")
        }
        writer.optionalMember("at", pagination.place.bytes)
        writer.optionalMember("parameter", pagination.parameter.bytes)
        writer.optionalMember("size", pagination.sizeParameter.bytes)
        writer.optionalMember("items", pagination.items.bytes)
        if pagination.start != 1 { writer.member("start", pagination.start) }
        writer.close("}")
    }

    private mutating func seconds(_ key: StaticString, _ milliseconds: Int64) {
        writer.key(key)
        if milliseconds % 1000 == 0 {
            writer.integer(milliseconds / 1000)
        } else {
            _ = writer.real(Double(milliseconds) / 1000)
        }
    }
}
