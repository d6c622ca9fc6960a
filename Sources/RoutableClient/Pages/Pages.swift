// Derives the request of the next page from a request and its response, without I/O.

package import RoutableCore
internal import RoutableJSON

/// The limits of the pages of one request.
package struct PageOptions: Sendable {
    /// The maximum number of pages; 0 for no maximum.
    package var maximumPages = 0
    package var maximumItems = 0
    /// The page size for the parameter that the pagination names; 0 to keep the value of the request.
    package var pageSize: Int64 = 0
    /// Whether pages at other origins are read; they get no credentials.
    package var goesElsewhere = false
    /// Whether the pages are read from the last to the first.
    package var goesBackwards = false
    /// The start position that `Pages.position` returned; empty for the request as it is.
    package var position = Bytes()
    /// Overrides the pagination of the operation.
    package var pagination: Pagination?
    /// Whether the parameters of `pagination` can be parameters that the operation does not declare.
    package var takesFreeParameters = false

    package init() {}

    /// The limit for a service that always returns a next page, unless the host has set a maximum.
    static let defaultMaximumPages = 10_000
}

/// The pages of one request.  Only one thread at a time may use them.
package final class Pages {
    private let options: PageOptions
    private let pagination: Pagination
    private let origin: Bytes
    /// The last request, or the next one.
    private var current: Request
    /// The last response, and whether it is the response to `current`.
    private var answer: Response?
    /// Whether a page was received.
    var hasPage: Bool { answer != nil }
    private var isAnswered = false
    private var content: PageContent?
    private var pageCount = 0
    /// The number of items of the pages before the last one, and the number of returned items of the last one.
    private var earlierItems = 0
    private var givenItems = 0
    private var visited = Set<VisitedPage>()
    /// The number of items of the first page, used if the request has no page size.
    private var firstCount = 0
    /// Whether a status of the service ended the pages.
    private var hasEnded = false

    /// The pages of a request, which is copied; `url` is the URL to which it is sent.
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
            let hasWayBack = pagination.way != .cursor && (pagination.way != .link || pagination.usesLinkHeader)
            if options.goesBackwards && !hasWayBack && pagination.details.previous.isEmpty {
                throw Failure(.argument, "the pagination has no way back: declare \"previous\"")
            }
            let pages = Pages(first, pagination, try LinkedPlace.origin(of: url.bytes), options)
            if !options.position.isEmpty { try pages.resume(at: options.position, url) }
            return pages
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
        if pagination.details.isInBody { return try pagination.setting(name, PageValue(size), in: request) }
        let text: Bytes = "\(Int(size))"
        for parameter in request.plan.query where parameter.description.name == name {
            if let reason = text.storage.withUnsafeBytes({ parameter.description.scalar.refusal(of: $0) }) {
                throw Failure(.value, "the page size (\(name.printable)) is not valid: \(reason)")
            }
        }
        return request.with(name, text)
    }

    // MARK: Pages

    /// Stores the response to the last request.  A response that is passed again, or replaces another one after a failure, is the same page.
    package func take(_ response: Response) {
        if isAnswered {
            if answer === response { return }
        } else {
            if ends(response.status) { return }
            earlierItems = total
            pageCount &+= 1
        }
        givenItems = 0
        content = nil
        answer = response
        isAnswered = true
    }

    /// Whether this status, which the pagination must declare, ends the pages.  The first response cannot end them.
    package func ends(_ status: Int32) -> Bool {
        if pageCount > 0 && !isAnswered && pagination.details.endStatuses.contains(status) { hasEnded = true }
        return hasEnded
    }

    /// The request of the next page: the first request before any response, and the same request again after a failure.  nil if there is
    /// no further page.
    ///
    /// - Throws: `response` for a response without the required value, or with the link of an earlier page; `url` for a link to another
    ///   origin; `limit`.
    package func next() throws(Failure) -> Request? {
        if hasEnded { return nil }
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

    /// The position from which another run continues (`PageOptions.position`): the URL of a link, or the value of the parameter; for
    /// a body, as JSON.  nil if there is no further page.  Empty for the request as it is.
    package func position() throws(Failure) -> Bytes? {
        guard let next = try next() else { return nil }
        if pagination.way == .link { return next.url.bytes }
        let name = options.goesBackwards ? pagination.backParameter : pagination.parameter.bytes
        guard let value = pagination.value(of: name, in: next) else { return Bytes() }
        if !pagination.details.isInBody { return value.text ?? Bytes() }
        var writer = JSONWriter()
        try writer.value(value.json)
        return Bytes(writer.bytes)
    }

    private func resume(at position: Bytes, _ url: Text) throws(Failure) {
        if pagination.way == .link {
            current = try follow(position, from: url.bytes)
            return
        }
        var value = PageValue(position, .text(position))
        if pagination.details.isInBody {
            let tree = try position.withBuffer { (text) throws(Failure) in
                let document = try JSONDocument.read(text)
                defer { withExtendedLifetime(document) {} }
                return document.view.tree
            }
            value = PageValue(nil, tree)
        }
        let name = options.goesBackwards ? pagination.backParameter : pagination.parameter.bytes
        current = try pagination.setting(name, value, in: current)
    }

    // MARK: The next page

    private func following(_ answer: Response) throws(Failure) -> Request? {
        if options.goesBackwards { return try preceding(answer) }
        if try isLast() { return nil }
        switch pagination.way {
        case .link:
            let target: Bytes?
            if pagination.usesLinkHeader {
                target = LinkHeader.target("next", answer.headers)
            } else {
                target = try cursor(answer)?.text
            }
            return try target.map { (target) throws(Failure) in try follow(target, answer) } ?? nil
        case .cursor:
            return try cursor(answer).map { (value) throws(Failure) in
                try pagination.setting(pagination.parameter.bytes, value, in: current)
            }
        case .page: return try counted(Int64(pagination.start), step: 1)
        case .offset: return try counted(0, step: nil)
        }
    }

    /// The previous page; nil before the first one.
    private func preceding(_ answer: Response) throws(Failure) -> Request? {
        let details = pagination.details
        switch pagination.way {
        case .link:
            var target: Bytes?
            if details.previous.isEmpty {
                target = LinkHeader.target("prev", answer.headers) ?? LinkHeader.target("previous", answer.headers)
            } else {
                try read()
                target = try content?.text(at: details.previous)
            }
            return try target.map { (target) throws(Failure) in try follow(target, answer) } ?? nil
        case .cursor:
            try read()
            let value =
                details.isInBody
                ? try content?.value(at: details.previous) : try content?.cursor(details.previous, ofLastItem: false)
            return try value.map { (value) throws(Failure) in
                try pagination.setting(pagination.backParameter, value, in: current)
            }
        case .page:
            let number = try number(or: Int64(pagination.start))
            return number <= Int64(pagination.start) ? nil : try numbered(number &- 1)
        case .offset:
            let number = try number(or: 0)
            guard let size = try requestedSize() ?? content?.itemCount.map({ Int64($0) }), size > 0 else { throw noItems }
            return number <= 0 ? nil : try numbered(max(0, number &- min(number, size)))
        }
    }

    /// The cursor or the link, from the place that the pagination declares.
    private func cursor(_ answer: Response) throws(Failure) -> PageValue? {
        let details = pagination.details
        if !details.header.isEmpty {
            guard let value = answer.headers.value(of: details.header), !value.isEmpty else { return nil }
            return PageValue(value, .text(value))
        }
        try read()
        if let pointer = details.lastItem { return try content?.cursor(pointer, ofLastItem: true) }
        if details.isInBody { return try content?.value(at: pagination.place.bytes) }
        return try content?.cursor(pagination.place.bytes, ofLastItem: false)
    }

    /// Whether the page states that it is the last one, in another way than by a missing link or cursor.
    private func isLast() throws(Failure) -> Bool {
        let details = pagination.details
        let isCounted = pagination.way == .page || pagination.way == .offset
        let looks =
            isCounted || details.endsShort || details.endsEmpty || !details.total.isEmpty || !details.pages.isEmpty
            || !details.more.isEmpty
        if !looks { return false }
        try read()
        if !details.more.isEmpty, content?.isFalse(at: details.more) != false { return true }
        if !details.pages.isEmpty, let pages = content?.number(at: details.pages) {
            if pagination.way != .page {
                if pageCount >= pages { return true }
            } else if try number(or: Int64(pagination.start)) &- Int64(pagination.start) >= pages &- 1 {
                return true
            }
        }
        let needsItems = isCounted || details.endsShort || details.endsEmpty
        guard let count = content?.itemCount else {
            if needsItems { throw noItems }
            return false
        }
        if count == 0 { return isCounted || details.endsEmpty }
        if pageCount == 1 { firstCount = count }
        let size = try requestedSize() ?? Int64(firstCount)
        if details.endsShort && Int64(count) < size { return true }
        guard !details.total.isEmpty, let total = content?.number(at: details.total) else { return false }
        return try itemsBefore(size) >= total &- Int64(count)
    }

    /// The number of items before the page, in all pages.
    private func itemsBefore(_ size: Int64) throws(Failure) -> Int64 {
        switch pagination.way {
        case .offset: return try number(or: 0)
        case .page:
            let (pages, overflow) = (try number(or: Int64(pagination.start))).subtractingReportingOverflow(
                Int64(pagination.start))
            let (items, isTooMany) = pages.multipliedReportingOverflow(by: size)
            return overflow || isTooMany ? .max : items
        case .link, .cursor: return options.position.isEmpty ? Int64(earlierCount) : 0
        }
    }

    /// The requested page size; nil if the request has none.
    private func requestedSize() throws(Failure) -> Int64? {
        let name = pagination.sizeParameter.bytes
        if name.isEmpty { return nil }
        return pagination.value(of: name, in: current)?.text.flatMap { Decimal.parse($0) }
    }

    /// The request with the next number or offset.
    private func counted(_ start: Int64, step: Int64?) throws(Failure) -> Request? {
        guard let count = content?.itemCount else { throw noItems }
        let (next, overflow) = try number(or: start).addingReportingOverflow(step ?? Int64(count))
        if overflow {
            throw Failure(
                .limit, "the value of \(pagination.parameter.bytes.printable) cannot be incremented: it would exceed 64 bits")
        }
        return try numbered(next)
    }

    private func numbered(_ number: Int64) throws(Failure) -> Request {
        try pagination.setting(pagination.parameter.bytes, PageValue(number), in: current)
    }

    /// The number of the current page, or its offset.
    private func number(or start: Int64) throws(Failure) -> Int64 {
        let name = pagination.parameter.bytes
        guard let text = pagination.value(of: name, in: current)?.text else { return start }
        guard let known = Decimal.parse(text) else {
            throw Failure(
                .argument,
                "the value of \(name.printable), \"\(text.printable)\", is not an integer, so the next page has no number")
        }
        return known
    }

    // MARK: Links

    private func follow(_ target: Bytes, _ answer: Response) throws(Failure) -> Request {
        try follow(target, from: answer.url.isEmpty ? current.url.bytes : answer.url.bytes)
    }

    private func follow(_ target: Bytes, from: Bytes) throws(Failure) -> Request {
        let place = try LinkedPlace(target, from: from, "link to the next page")
        let isElsewhere = current.isElsewhere || place.origin != origin
        if isElsewhere && !options.goesElsewhere {
            throw Failure(
                .url,
                "the next page is at \(place.origin.printable), not at \(origin.printable); allow other origins to read it without credentials"
            )
        }
        return current.following(place.url, isElsewhere: isElsewhere)
    }

    /// Fails if the page was already read.
    private func visit(_ request: Request, _ answer: Response) throws(Failure) {
        let body = pagination.details.isInBody
        visited.insert(VisitedPage(current.url.bytes, body ? current.body : nil))
        if !body && !answer.url.isEmpty { visited.insert(VisitedPage(answer.url.bytes, nil)) }
        let url = request.url.bytes
        if !visited.contains(VisitedPage(url, body ? request.body : nil)) { return }
        let shown = CurlLine.masked(url, request.plan.router.description.authSchemes)
        throw Failure(.response, "the next page was already read: \(shown.printable)")
    }

    // MARK: Items

    /// The number of items of the last page, up to the maximum.  Failures: `response`.
    package func itemCount() throws(Failure) -> Int {
        if answer == nil { return 0 }
        try read()
        // Some services omit an empty array; this is accepted only if the pagination declares its pointer.
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

    /// The JSON text of the next item of the last page, valid until the next response; nil after the last one.
    /// Failures: `response`.
    package func item() throws(Failure) -> UnsafeRawBufferPointer? {
        if try givenItems >= itemCount() { return nil }
        givenItems &+= 1
        return content?.next()
    }

    /// The number of items of the pages before the last one, including items that were not returned.
    private var earlierCount: Int { earlierItems }

    /// The number of items of all pages so far, up to the maximum.
    private var total: Int {
        let all = earlierItems &+ (content?.itemCount ?? 0)
        return options.maximumItems > 0 ? min(all, options.maximumItems) : all
    }

    private func read() throws(Failure) {
        guard content == nil, let answer else { return }
        content = try PageContent(answer.body, items: pagination.items.bytes)
    }
}

extension Pagination {
    /// Whether the link is in the Link header.
    fileprivate var usesLinkHeader: Bool { way == .link && place.isEmpty && details.header.isEmpty }

    /// The parameter for the cursor of the previous page.
    fileprivate var backParameter: Bytes { details.previousParameter.isEmpty ? parameter.bytes : details.previousParameter }
}
