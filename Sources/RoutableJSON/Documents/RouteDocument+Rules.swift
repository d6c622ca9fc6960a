// Rules of performing and of pages: read from a document or from a host, and written back.

public import RoutableCore

extension RouteDocumentReader {
    static let ruleKeys: [StaticString] = ["deadline", "retry", "idempotency", "pagination"]
    private static let retryKeys = KeyTable("\"retry\"", ["times", "delay"])
    private static let keyKeys = KeyTable("\"idempotency\"", ["header"])

    /// The rules that a document or an operation has keys for; nil for none.
    func rules(_ node: Node) throws(Failure) -> OperationRules? {
        var rules: OperationRules?
        func change(_ change: (inout OperationRules) -> Void) {
            var changed = rules ?? OperationRules()
            change(&changed)
            rules = changed
        }
        if let member = node.member("deadline") {
            let deadline = try milliseconds(member, "\"deadline\"")
            if deadline == 0 { throw member.failure("\"deadline\" is a number of seconds above 0") }
            change { $0.deadlineMilliseconds = deadline }
        }
        if let member = node.member("retry") {
            _ = try member.object(Self.retryKeys)
            if let times = member.member("times") {
                let retries = try times.integer("\"times\"", 0...100)
                change { $0.retries = retries }
            }
            if let delay = member.member("delay") {
                let delay = try milliseconds(delay, "\"delay\"")
                change { $0.retryDelayMilliseconds = delay }
            }
        }
        if let member = node.member("idempotency") {
            var header: Bytes = "Idempotency-Key"
            if member.view.kind == .object {
                _ = try member.object(Self.keyKeys)
                if let name = member.member("header") {
                    header = try name.name("the name of a header")
                    if !HeaderField.isValidName(header) { throw name.failure("the name of the header is not a token of HTTP") }
                }
            } else if try !member.boolean("\"idempotency\"") {
                header = Bytes()
            }
            change { $0.keyHeader = header }
        }
        if let member = node.member("pagination") {
            let isOff = member.view.kind == .boolean && !member.view.boolean
            let paging: OperationRules.Paging = isOff ? .off : .by(try Pagination.read(member))
            change { $0.paging = paging }
        }
        return rules
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
        let way: Way = try by.word("\"by\"", [("link", .link), ("cursor", .cursor), ("page", .page), ("offset", .offset)])
        // A key that its kind of pagination does not have is a mistake, not something to pass over.
        let others: [(StaticString, Bool)] = [
            ("at", way == .link || way == .cursor), ("parameter", way != .link), ("start", way == .page),
        ]
        for (key, isAllowed) in others where !isAllowed {
            if let member = node.member(key) {
                throw member.keyFailure(Bytes(staticText: key), "pages by \(Bytes(by.view.text)) have no \"\(key)\"")
            }
        }
        func text(_ key: StaticString, isRequired: Bool) throws(Failure) -> Bytes {
            guard let member = node.member(key) else {
                if isRequired { throw node.failure("pages by \(Bytes(by.view.text)) need \"\(key)\"") }
                return Bytes()
            }
            return try member.name("the name of a parameter")
        }
        func pointer(_ key: StaticString, isRequired: Bool) throws(Failure) -> Bytes {
            guard let member = node.member(key) else {
                if isRequired { throw node.failure("pages by \(Bytes(by.view.text)) need \"\(key)\", a JSON pointer") }
                return Bytes()
            }
            let text = try member.text("a JSON pointer")
            if !text.isEmpty && text.storage.first != UInt8(ascii: "/") {
                throw member.failure("a JSON pointer begins with a slash: \"/data\"")
            }
            return text
        }
        return Pagination(
            way: way, place: try pointer("at", isRequired: way == .cursor),
            parameter: try text("parameter", isRequired: way != .link), sizeParameter: try text("size", isRequired: false),
            items: try pointer("items", isRequired: false),
            start: Int64(try node.member("start")?.integer("\"start\"", 0...1_000_000) ?? 1))
    }

    /// What a host says instead of the description, as JSON.
    public static func read(_ text: UnsafeRawBufferPointer) throws(Failure) -> Pagination {
        let document = try JSONDocument.read(text, rejectsDuplicates: true)
        defer { withExtendedLifetime(document) {} }
        do throws(Failure) { return try read(Node(document.view)) } catch { throw RouteDocument.locate(error, in: text) }
    }
}

extension RouteDocumentWriter {
    mutating func rules(_ rules: OperationRules?) {
        guard let rules else { return }
        if let deadline = rules.deadlineMilliseconds { seconds("deadline", deadline) }
        if rules.retries != nil || rules.retryDelayMilliseconds != nil {
            writer.key("retry")
            writer.open("{")
            if let retries = rules.retries { writer.member("times", retries) }
            if let delay = rules.retryDelayMilliseconds { seconds("delay", delay) }
            writer.close("}")
        }
        if let header = rules.keyHeader {
            writer.key("idempotency")
            if header.isEmpty || header == "Idempotency-Key" {
                writer.boolean(!header.isEmpty)
            } else {
                writer.open("{")
                writer.member("header", header)
                writer.close("}")
            }
        }
        switch rules.paging {
        case .by(let pagination)?: self.pagination(pagination)
        case .off?:
            writer.key("pagination")
            writer.boolean(false)
        case nil: break
        }
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
        if pagination.start != 1 { writer.member("start", Int(pagination.start)) }
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
