// Lists: selecting the members of a collection that a request matches, and the position of the next page.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableService

extension MockAnswer {
    /// The response with the list of a collection.
    func list(_ collection: MockPath) throws(Failure) -> Reply {
        let pagination = plan.operation.rules?.pagination
        let shape = try mock.shape(plan)
        let place = shape == nil && isOpen ? [] : shape?.listPlace(pagination?.items.bytes ?? Bytes())
        var items = (mock.store.node(collection)?.members ?? []).map { $0.value ?? .null }
        guard let place, !items.isEmpty || role.canGrow || shape?.isExample != true else {
            return try reply(shape?.sample, nil)
        }
        let page = MockPage(call.query + pairs(), pagination)
        let sample = try item()
        for parameter in call.query where !page.names.includes(parameter.name) {
            items = Self.selected(items, by: parameter, like: sample)
        }
        let total = items.count
        var next: Int?
        if page.isDivided {
            let end = min(total, page.start.addingReportingOverflow(page.size).partialValue)
            items = page.start < end ? Array(items[page.start..<end]) : []
            if end < total && page.size > 0 && page.start < total { next = end }
        }
        var link: Bytes?
        if let next { link = page.link(from: target, pagination, plan.operation.query.map { $0.name.bytes }, at: next) }
        var body = Value.array(items)
        if let shape {
            body = try shape.fit(shape.body(of: items, at: place, total: total))
            if let pagination {
                let marked = page.marked(body, pagination, next: next, link: link, total: total)
                body = try shape.checker.fit(marked, seed: shape.seed) ?? body
            }
        }
        let hasLink = pagination.map { $0.way == .link && $0.place.isEmpty } ?? true
        return try reply(body, nil, link: hasLink ? link : nil)
    }

    /// The pairs of the query in the target whose parameters are not declared: the link to a page may contain such a parameter.
    private func pairs() -> [Value.Member] {
        var pairs: [Value.Member] = []
        for pair in (target.split(on: UInt8(ascii: "?")).dropFirst().first ?? Bytes()).split(on: UInt8(ascii: "&")) {
            let parts = pair.split(on: UInt8(ascii: "="))
            guard parts.count == 2, let name = parts.first, let value = parts.last else { continue }
            if !call.query.contains(where: { $0.name == name }) { pairs.append(Value.Member(name: name, value: .text(value))) }
        }
        return pairs
    }

    /// The items whose member with the name of a query parameter has the value of the parameter.
    private static func selected(_ items: [Value], by parameter: Value.Member, like sample: Value) -> [Value] {
        var texts: [Bytes] = []
        if case .array(let values) = parameter.value {
            for value in values { if let text = value.scalarText { texts.append(text) } }
        } else if let text = parameter.value.scalarText {
            texts = [text]
        }
        let names = [parameter.name]
        let isKnown = sample.value(at: names)?.isScalar == true
        var kept: [Value] = []
        for item in items {
            var isWanted = !isKnown
            if let own = item.value(at: names)?.scalarText { isWanted = texts.isEmpty || texts.includes(own) }
            if isWanted { kept.append(item) }
        }
        return kept
    }
}

/// The page of a list that a request selects.
struct MockPage {
    var start = 0
    var size = 50
    /// Whether the request or the description divides the list into pages.
    var isDivided = false
    /// The names of the parameters that select the page.
    private(set) var names: [Bytes] = []

    /// - Parameter query: the query parameters of a request, with the defaults.
    init(_ query: [Value.Member], _ pagination: Pagination?) {
        var sizes = Bytes.words("limit per_page page_size pageSize size maxResults max_results first")
        if let pagination { sizes.insert(pagination.sizeParameter.bytes, at: 0) }
        if let given = number(of: sizes, query) {
            size = min(max(given, 0), 10_000)
            isDivided = true
        }
        if pagination != nil { isDivided = true }
        var isPage = false
        var given: Int?
        if let pagination, pagination.way != .link {
            given = number(of: [pagination.parameter.bytes], query)
            isPage = pagination.way == .page
        } else {
            given = number(of: Bytes.words("offset skip after"), query)
            if given == nil {
                given = number(of: ["page"], query)
                isPage = true
            }
            if given != nil { isDivided = true }
        }
        guard let given else { return }
        start = max(given, 0)
        if isPage {
            let (product, overflow) = max(given &- (pagination?.start ?? 1), 0).multipliedReportingOverflow(by: size)
            start = overflow ? .max : product
        }
    }

    /// The value of the first of these parameters that the request contains.
    private mutating func number(of candidates: [Bytes], _ query: [Value.Member]) -> Int? {
        for name in candidates where !name.isEmpty {
            guard let value = query.last(where: { $0.name == name })?.value else { continue }
            names.append(name)
            if let number = value.scalarText.flatMap({ Decimal.parse($0) }) { return Int(clamping: number) }
        }
        return nil
    }

    /// The target of the page that begins at an index.
    func link(from target: Bytes, _ pagination: Pagination?, _ declared: [Bytes], at next: Int) -> Bytes {
        let page = size > 0 ? next / size &+ (pagination?.start ?? 1) : 1
        var (name, value) = ("page" as Bytes, page)
        if let pagination, !pagination.parameter.isEmpty {
            (name, value) = (pagination.parameter.bytes, pagination.way == .page ? page : next)
        } else if let offset = declared.first(of: "offset skip after") {
            (name, value) = (offset, next)
        }
        let encoded: Bytes = "\(PercentCoding.encode(name, .unreserved))="
        let parts = target.split(on: UInt8(ascii: "?"))
        var pairs: [Bytes] = []
        for pair in (parts.dropFirst().first ?? Bytes()).split(on: UInt8(ascii: "&")) where !pair.isEmpty {
            if !pair.hasPrefix(encoded) { pairs.append(pair) }
        }
        pairs.append("\(encoded)\(value)")
        return "\(parts.first ?? Bytes())?\(pairs.joined(by: "&"))"
    }

    /// The body, with the members that describe the position of the next page.
    func marked(_ body: Value, _ pagination: Pagination, next: Int?, link: Bytes?, total: Int) -> Value {
        var body = body
        func set(_ pointer: Bytes, _ value: Value) {
            let names = JSONPointer.tokens(pointer)
            if !names.isEmpty { body = body.setting(value, at: names) }
        }
        let details = pagination.details
        set(details.total, .integer(Int64(total)))
        if size > 0 { set(details.pages, .integer(Int64((total &+ size &- 1) / size))) }
        set(details.more, .boolean(next != nil))
        let text = pagination.way == .link ? link : next.map { "\($0)" }
        if pagination.way == .link || pagination.way == .cursor { set(pagination.place.bytes, text.map { .text($0) } ?? .null) }
        return body
    }
}
