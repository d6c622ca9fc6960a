// The pages of a list: the part of the items that a request asks for, and where the next page is.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableService

/// The part of a list that a request asks for.
struct MockPage {
    var start = 0
    var size: Int
    /// Whether anything in the request or the description divides the list.
    var isDivided = false
    /// The names of the parameters that select the page.
    private(set) var names: [Bytes] = []

    private static let usualSize = 50
    private static let sizeNames: [Bytes] = [
        "limit", "per_page", "page_size", "pageSize", "size", "maxResults", "max_results", "first",
    ]

    /// - Parameter query: the values of the query of a request, with the defaults.
    init(_ query: [Value.Member], _ pagination: Pagination?) {
        var names: [Bytes] = []
        func number(_ name: Bytes) -> Int? {
            guard !name.isEmpty, let value = query.last(where: { $0.name == name })?.value else { return nil }
            names.append(name)
            return value.scalarText.flatMap { Decimal.parse($0) }.map { Int(clamping: $0) }
        }
        var given: Int?
        if let pagination { given = number(pagination.sizeParameter.bytes) }
        for name in Self.sizeNames where given == nil { given = number(name) }
        isDivided = given != nil || pagination != nil
        size = min(max(given ?? Self.usualSize, 0), 10_000)
        let page: Int
        switch pagination?.way {
        case .page:
            page = (number(pagination?.parameter.bytes ?? Bytes()) ?? pagination?.start ?? 1) &- (pagination?.start ?? 1)
            start = Self.product(page, size)
        case .offset: start = number(pagination?.parameter.bytes ?? Bytes()) ?? 0
        case .cursor: start = number(pagination?.parameter.bytes ?? Bytes()) ?? 0
        case .link, nil:
            if let offset = number("offset") ?? number("skip") ?? number("after") {
                start = offset
                isDivided = true
            } else if let number = number("page") {
                start = Self.product(number &- 1, size)
                isDivided = true
            }
        }
        start = max(start, 0)
        self.names = names
    }

    private static func product(_ page: Int, _ size: Int) -> Int {
        let (product, overflow) = max(page, 0).multipliedReportingOverflow(by: size)
        return overflow ? .max : product
    }

    /// The items of the page, and the start of the next one; nil for the last page.
    func part<Item>(of items: [Item]) -> (items: [Item], next: Int?) {
        if start >= items.count { return ([], nil) }
        let end = min(items.count, start &+ size)
        return (Array(items[start..<end]), end < items.count && size > 0 ? end : nil)
    }
}

extension MockPage {
    /// The names and the value of the parameter that asks for the page at a start.
    func parameter(_ pagination: Pagination?, _ declared: [Bytes], at next: Int) -> (name: Bytes, value: Int) {
        if let pagination, !pagination.parameter.isEmpty {
            let page = size > 0 ? next / size &+ pagination.start : pagination.start
            return (pagination.parameter.bytes, pagination.way == .page ? page : next)
        }
        for name: Bytes in ["offset", "skip", "after"] where declared.contains(name) { return (name, next) }
        return ("page", size > 0 ? next / size &+ 1 : 1)
    }

    /// The body with the members that say where the next page is.
    func marked(_ body: Value, _ pagination: Pagination, next: Int?, link: Bytes?, total: Int) -> Value {
        var body = body
        func set(_ pointer: Bytes, _ value: Value) {
            let names = pointer.isEmpty ? [] : JSONPointer.tokens(pointer)
            if !names.isEmpty { body = body.setting(value, at: names[...]) }
        }
        let details = pagination.details
        set(details.total, .integer(Int64(total)))
        if size > 0 { set(details.pages, .integer(Int64((total &+ size &- 1) / size))) }
        set(details.more, .boolean(next != nil))
        switch pagination.way {
        case .cursor: set(pagination.place.bytes, next.map { .text("\($0)") } ?? .null)
        case .link: set(pagination.place.bytes, link.map { .text($0) } ?? .null)
        case .page, .offset: break
        }
        return body
    }
}
