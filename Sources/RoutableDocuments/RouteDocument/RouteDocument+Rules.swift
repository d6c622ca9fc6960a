// Reads and writes policy and pagination, of a document or of a program.

public import RoutableCore
internal import RoutableJSON

extension RouteDocumentReader {
    static let ruleKeys: [StaticString] = ["deadline", "retry", "idempotency", "pagination", "outcome"]
    private static let retryKeys = KeyTable("\"retry\"", ["times", "delay"])
    private static let keyKeys = KeyTable("\"idempotency\"", ["header"])

    /// The rules of a document or an operation; nil for none.
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

    /// Converts seconds to milliseconds; a time that is not 0 is at least one millisecond.
    private func milliseconds(_ node: Node, _ subject: StaticString) throws(Failure) -> Int64 {
        let seconds = try node.number(subject)
        guard seconds >= 0, seconds <= 86400 else {
            throw node.failure("\(subject) is out of range: from 0 to 86400 seconds is expected")
        }
        return seconds > 0 ? max(1, Int64((seconds * 1000).rounded())) : 0  // proof: below 2^27.
    }
}

extension Pagination {
    private static let keys = KeyTable(
        "\"pagination\"",
        [
            "by", "at", "header", "last_item", "parameter", "in", "size", "items", "start", "total", "pages", "more", "short",
            "empty",
            "status", "previous", "previous_parameter",
        ])

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
        // A key that does not belong to this kind of pagination is an error and is not ignored.
        func refuse(_ key: StaticString) throws(Failure) {
            if let member = node.member(key) {
                throw member.keyFailure(Bytes(staticText: key), "pagination by \(word) cannot have \"\(key)\"")
            }
        }
        func need(_ key: StaticString) throws(Failure) {
            if node.member(key) == nil { throw node.failure("pagination by \(word) requires \"\(key)\"") }
        }
        if way == .link { try refuse("parameter") } else { try need("parameter") }
        let places = (["at", "header", "last_item"] as [StaticString]).filter { node.member($0) != nil }
        if places.count > 1 {
            throw node.failure("only one of \"at\", \"header\" and \"last_item\" can name the place of the next page")
        }
        if way == .cursor {
            if places.isEmpty { throw node.failure("pagination by cursor requires \"at\", \"header\" or \"last_item\"") }
        } else {
            try refuse("last_item")
            try refuse("previous_parameter")
            if way != .link {
                for key in ["at", "header", "previous"] as [StaticString] { try refuse(key) }
            }
        }
        if way != .page { try refuse("start") }
        let details = try Self.details(node, way)
        return Pagination(
            way: way, place: try pointer(node.member("at")), parameter: try name(node.member("parameter"), details),
            sizeParameter: try name(node.member("size"), details), items: try pointer(node.member("items")),
            start: try node.member("start")?.integer("\"start\"", 0...1_000_000) ?? 1, details)
    }

    private static func details(_ node: Node, _ way: Way) throws(Failure) -> PaginationDetails {
        var details = PaginationDetails()
        if let member = node.member("header") {
            details.header = try member.name("the name of a header")
            if !HeaderField.isValidName(details.header) {
                throw member.failure("the name of the header is not a valid HTTP token")
            }
        }
        if let member = node.member("last_item") { details.lastItem = try pointer(member) }
        if let member = node.member("in") {
            details.isInBody = try member.word("\"in\"", [("query", false), ("body", true)])
            if way == .link { throw member.keyFailure("in", "pagination by link cannot have \"in\"") }
        }
        func place(_ key: StaticString) throws(Failure) -> Bytes {
            guard let member = node.member(key) else { return Bytes() }
            let text = try pointer(member)
            if text.isEmpty { throw member.failure("the pointer must not be empty") }
            return text
        }
        details.total = try place("total")
        details.pages = try place("pages")
        details.more = try place("more")
        details.previous = try place("previous")
        if let member = node.member("short") { details.endsShort = try member.boolean("\"short\"") }
        if let member = node.member("empty") { details.endsEmpty = try member.boolean("\"empty\"") }
        if let member = node.member("status") {
            for each in member.view.kind == .array ? try member.elements("\"status\"") : [member] {
                if details.endStatuses.count >= 32 { throw member.failure("\"status\" has more than 32 statuses") }
                details.endStatuses.append(Int32(try each.integer("a status", 100...599)))
            }
        }
        if let member = node.member("previous_parameter") {
            details.previousParameter = try name(member, details)
            if details.previous.isEmpty { throw member.failure("\"previous_parameter\" requires \"previous\"") }
        }
        return details
    }

    private static func pointer(_ node: Node?) throws(Failure) -> Bytes {
        guard let node else { return Bytes() }
        return try RouteDocumentReader.pointer(node)
    }

    /// The name of a query parameter, or the pointer of a member of the body.
    private static func name(_ node: Node?, _ details: PaginationDetails) throws(Failure) -> Bytes {
        guard let node else { return Bytes() }
        let name = try node.name("the name of a parameter")
        if details.isInBody && name.storage.first != UInt8(ascii: "/") {
            throw node.failure("a parameter in the body is named by a JSON pointer: \"/page/number\"")
        }
        if details.isInBody && JSONPointer.tokens(name).count > 32 { throw node.failure("the pointer has more than 32 parts") }
        return name
    }

    /// Reads the pagination that a program sets instead of that of the description, as JSON.
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
        details(pagination.details)
        writer.close("}")
    }

    private mutating func details(_ details: PaginationDetails) {
        writer.optionalMember("header", details.header)
        if let pointer = details.lastItem { writer.member("last_item", pointer) }
        if details.isInBody { writer.member("in", "body") }
        writer.optionalMember("total", details.total)
        writer.optionalMember("pages", details.pages)
        writer.optionalMember("more", details.more)
        if details.endsShort {
            writer.key("short")
            writer.boolean(true)
        }
        if details.endsEmpty {
            writer.key("empty")
            writer.boolean(true)
        }
        if !details.endStatuses.isEmpty {
            writer.key("status")
            writer.open("[")
            for status in details.endStatuses { writer.integer(Int64(status)) }
            writer.close("]")
        }
        writer.optionalMember("previous", details.previous)
        writer.optionalMember("previous_parameter", details.previousParameter)
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
