// Derives the request of the next page from a request and its response, without I/O.

package import RoutableCore

/// The limits of the pages of one request.
package struct PageOptions: Sendable {
    /// So many are read; 0 for as many as there are.
    package var maximumPages = 0
    package var maximumItems = 0
    /// Asked for by the parameter that the pagination names; 0 for what the request says.
    package var pageSize: Int64 = 0
    /// Whether a page may be at another origin, which sees no credentials.
    package var goesElsewhere = false
    /// Instead of the operation's.
    package var pagination: Pagination?
    /// Whether the parameters that it names may be free ones, which the operation does not declare.
    package var takesFreeParameters = false

    package init() {}

    /// A service that always knows another page ends here, unless the host has said how many it wants.
    static let defaultMaximumPages = 10_000
}

/// The pages of one request.  One thread at a time.
package final class Pages {
    private let options: PageOptions
    private let pagination: Pagination
    private let origin: Bytes
    /// What was asked last, or is to be asked.
    private var current: Request
    /// The last answer, and whether it is that to `current`.
    private var answer: Response?
    private var isAnswered = false
    private var content: PageContent?
    private var pageCount = 0
    /// Of the pages before the last one, and those that were given of the last one.
    private var earlierItems = 0
    private var givenItems = 0
    private var visited = Set<Bytes>()

    /// The pages of a request, which is copied; `url` is where it really goes.
    ///
    /// - Throws: `argument` for a request without pages; `parameter` and `value` for the size of a page; `document`.
    package static func make(_ request: Request, at url: Text, _ options: PageOptions) throws(Failure) -> Pages {
        do throws(Failure) {
            let operation = request.plan.operation
            if let given = options.pagination { try given.check(operation.description, isFree: options.takesFreeParameters) }
            guard let pagination = options.pagination ?? operation.rules?.pagination else {
                throw Failure(
                    .argument, "the operation has no pagination; declare \"pagination\" in the description, or pass one")
            }
            if request.streams != nil {
                throw Failure(
                    .argument, "pages are read in memory, but the request has a target, or a body that is not in memory")
            }
            var first = request.copy()
            if options.pageSize > 0 { first = try Self.sized(first, pagination, options.pageSize) }
            return Pages(first, pagination, try LinkedPlace.origin(of: url.bytes), options)
        } catch { throw error.about(route: request.route.bytes, operation: request.operation.bytes) }
    }

    private init(_ first: Request, _ pagination: Pagination, _ origin: Bytes, _ options: PageOptions) {
        current = first
        self.pagination = pagination
        self.origin = origin
        self.options = options
    }

    private static func sized(_ request: Request, _ pagination: Pagination, _ size: Int64) throws(Failure) -> Request {
        let name = pagination.sizeParameter.bytes
        if name.isEmpty {
            throw Failure(.parameter, "the pagination does not declare \"size\", the query parameter that sets the page size")
        }
        let text: Bytes = "\(Int(size))"
        for parameter in request.plan.query where parameter.description.name == name {
            if let reason = text.storage.withUnsafeBytes({ parameter.description.scalar.refusal(of: $0) }) {
                throw Failure(.value, "the page size (\(name.printable)) is not valid: \(reason)")
            }
        }
        return request.with(name, text)
    }

    // MARK: Pages

    /// The answer to the last request.  A response that replaces one, or is given again after a failure, is the same page.
    package func take(_ response: Response) {
        if isAnswered {
            if answer === response { return }
        } else {
            earlierItems = total
            pageCount &+= 1
        }
        givenItems = 0
        content = nil
        answer = response
        isAnswered = true
    }

    /// The request of the next page: the first one before any answer, the same again after one that failed.  nil: there is
    /// no further page.
    ///
    /// - Throws: `response` for an answer that does not say what it should, or leads back; `url` for one that leads
    ///   elsewhere; `limit`.
    package func next() throws(Failure) -> Request? {
        guard isAnswered, let answer else { return current }
        do throws(Failure) {
            if options.maximumPages > 0 && pageCount >= options.maximumPages { return nil }
            if options.maximumItems > 0 {
                _ = try itemCount()
                if total >= options.maximumItems { return nil }
            }
            guard let following = try following(answer) else { return nil }
            if options.maximumPages == 0 && pageCount >= PageOptions.defaultMaximumPages {
                throw Failure(.limit, "\(pageCount) pages were read, and there are more; set the maximum number of pages")
            }
            if pagination.way == .link || pagination.way == .cursor { try visit(following, answer) }
            current = following
            isAnswered = false
            return following
        } catch {
            throw error.about(route: current.route.bytes, operation: current.operation.bytes).with { $0.response = answer }
        }
    }

    private func following(_ answer: Response) throws(Failure) -> Request? {
        switch pagination.way {
        case .link:
            let target: Bytes?
            if pagination.place.isEmpty { target = LinkHeader.target("next", answer.headers) } else { target = try text() }
            return try target.map { (target) throws(Failure) in try follow(target, answer) } ?? nil
        case .cursor:
            return try text().map { current.with(pagination.parameter.bytes, $0) }
        case .page: return try counted(Int64(pagination.start), step: 1)
        case .offset: return try counted(0, step: nil)
        }
    }

    /// The request with the next number; nil behind an empty page.
    private func counted(_ start: Int64, step: Int64?) throws(Failure) -> Request? {
        try read()
        guard let count = content?.itemCount else { throw noItems }
        if count == 0 { return nil }
        let name = pagination.parameter.bytes
        var number = start
        if let text = current.queryValue(name) {
            guard let known = Decimal.parse(text) else {
                throw Failure(
                    .argument,
                    "the value of \(name.printable), \"\(text.printable)\", is not an integer, so the next page has no number")
            }
            number = known
        }
        let (next, overflow) = number.addingReportingOverflow(step ?? Int64(count))
        if overflow { throw Failure(.limit, "the value of \(name.printable) cannot be incremented: it would exceed 64 bits") }
        return current.with(name, "\(Int(next))")
    }

    private func text() throws(Failure) -> Bytes? {
        try read()
        return try content?.text(at: pagination.place.bytes)
    }

    // MARK: Links

    private func follow(_ target: Bytes, _ answer: Response) throws(Failure) -> Request {
        let place = try LinkedPlace(
            target, from: answer.url.isEmpty ? current.url.bytes : answer.url.bytes, "link to the next page")
        let isElsewhere = current.isElsewhere || place.origin != origin
        if isElsewhere && !options.goesElsewhere {
            throw Failure(
                .url,
                "the next page is at \(place.origin.printable), not at \(origin.printable); allow other origins to read it without credentials"
            )
        }
        return current.following(place.url, isElsewhere: isElsewhere)
    }

    /// Refuses to go in a circle.
    private func visit(_ request: Request, _ answer: Response) throws(Failure) {
        visited.insert(current.url.bytes)
        if !answer.url.isEmpty { visited.insert(answer.url.bytes) }
        let url = request.url.bytes
        if !visited.contains(url) { return }
        let shown = CurlLine.masked(url, request.plan.router.description.authSchemes)
        throw Failure(.response, "the next page was already read: \(shown.printable)")
    }

    // MARK: Items

    /// How many items of the last page are given.  Failures: `response`.
    package func itemCount() throws(Failure) -> Int {
        if answer == nil { return 0 }
        try read()
        // Services leave an empty array out; where it should be must have been said.
        if content?.itemCount == nil && pagination.items.isEmpty { throw noItems }
        return max(0, total &- earlierItems)
    }

    private var noItems: Failure {
        let items = pagination.items.bytes
        return Failure(
            .response,
            items.isEmpty
                ? "the page is not an array; set \"items\" to the pointer of its items"
                : "the page has no items at \(items.printable), so that the last page cannot be detected")
    }

    /// The JSON text of the next item of the last page, which lives until the next answer; nil behind the last one.
    /// Failures: `response`.
    package func item() throws(Failure) -> UnsafeRawBufferPointer? {
        if try givenItems >= itemCount() { return nil }
        givenItems &+= 1
        return content?.next()
    }

    /// Items of all pages so far, as far as they are counted.
    private var total: Int {
        let all = earlierItems &+ (content?.itemCount ?? 0)
        return options.maximumItems > 0 ? min(all, options.maximumItems) : all
    }

    private func read() throws(Failure) {
        guard content == nil, let answer else { return }
        content = try PageContent(answer.body, items: pagination.items.bytes)
    }
}
