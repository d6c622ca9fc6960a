// Responses in pages, as an asynchronous sequence (docs/pagination.md).

internal import RoutableClient
public import RoutableCore
internal import RoutableDocuments

extension Pagination {
    /// The next page is at the URL in the `Link` header, or in the body at the JSON pointer `place`.
    public static func link(at place: String = "", items: String = "") -> Pagination {
        Pagination(.link, place, "", items)
    }

    /// The body contains a string or a number, which the next request sends in a query parameter.
    public static func cursor(at place: String, parameter: String, items: String = "") -> Pagination {
        Pagination(.cursor, place, parameter, items)
    }

    /// Each request sends a page number.  The sequence ends at an empty page.
    public static func page(parameter: String, start: Int = 1, items: String = "") -> Pagination {
        Pagination(.page, "", parameter, items, start: start)
    }

    /// Each request sends the number of items that were read before.  The sequence ends at an empty page.
    public static func offset(parameter: String, items: String = "") -> Pagination {
        Pagination(.offset, "", parameter, items)
    }

    private convenience init(_ way: Way, _ place: String, _ parameter: String, _ items: String, start: Int = 1) {
        self.init(
            way: way, place: Bytes(place), parameter: Bytes(parameter), sizeParameter: Bytes(), items: Bytes(items),
            start: start)
    }
}

extension Client {
    /// The pages of a request, in order.  Each page is requested when the iteration reaches it.
    ///
    ///     for try await page in client.pages(of: Social.users.list(), by: .link()) { ... }
    ///
    /// - Parameter pagination: how the next page is determined; nil for the pagination of the description.
    /// - Parameter maximum: the maximum number of pages; nil for all pages, but more than 10000 pages are a failure.
    /// - Returns: a sequence that throws `Failure`: the errors of `response(to:)`; `response` for a page without the expected
    ///   data, or with a link to a page that was read; `url` for a link to another origin; `limit`; `document` for a method
    ///   other than GET.
    public func pages(
        of convertible: some RequestConvertible, by pagination: Pagination? = nil, maximum: Int? = nil
    ) -> PageSequence {
        var options = PageOptions()
        options.pagination = pagination
        options.takesFreeParameters = pagination != nil
        options.maximumPages = max(0, maximum ?? 0)
        return PageSequence(
            client: self, convertible: convertible, options: options, isEmpty: maximum.map { $0 <= 0 } ?? false)
    }
}

/// The pages of a request as responses.  `Client.pages(of:by:maximum:)` returns this sequence.
///
/// Each iteration begins at the first page.
public struct PageSequence: AsyncSequence, Sendable {
    public typealias Element = Response

    let client: Client
    let convertible: any RequestConvertible
    let options: PageOptions
    let isEmpty: Bool

    public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    /// Reads the pages.  If a page fails, the next call requests the same page again.
    public struct Iterator: AsyncIteratorProtocol {
        let sequence: PageSequence
        private var pages: ClientPages?
        /// Of the page before, until the next is asked for.
        private var response: Response?

        init(sequence: PageSequence) { self.sequence = sequence }

        public mutating func next() async throws -> Response? { try await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Response? {
            if sequence.isEmpty { return nil }
            let pages = try self.pages ?? begin()
            self.pages = pages
            let last = response
            response = nil
            guard let request = try pages.following(last) else { return nil }
            response = try await sequence.client.response(to: PageRequest(request, sequence.convertible))
            return response
        }

        private func begin() throws(Failure) -> ClientPages {
            let client = sequence.client
            let request = try client.coders.using { () throws(Failure) in
                try sequence.convertible.makeRequest(base: client.base)
            }
            return try ClientPages.make(request, over: try sequence.client.core.client(), sequence.options)
        }
    }
}

extension Client {
    /// The items of all pages of a list, as models.
    ///
    ///     for try await user in client.items(of: Social.users.list(), by: .link()) { ... }
    ///
    /// The parameters are those of `pages(of:by:maximum:)`.  Each page must be an array.  Decode
    /// other pages from the responses that `pages` returns.
    public func items<Item: Decodable>(
        of endpoint: Endpoint<[Item]>, by pagination: Pagination? = nil, maximum: Int? = nil
    ) -> PagedItems<Item> {
        PagedItems(pages: pages(of: endpoint, by: pagination, maximum: maximum))
    }
}

/// The items of all pages.  `Client.items(of:by:maximum:)` returns this sequence.  Each iteration begins at the first page.
public struct PagedItems<Item: Decodable>: AsyncSequence, Sendable {
    public typealias Element = Item

    let pages: PageSequence

    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// Reads the items page by page.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var pages: PageSequence.Iterator
        /// Of the last page, the next one last.
        private var left: [Item] = []

        fileprivate init(pages: PageSequence.Iterator) { self.pages = pages }

        /// - Throws: `Failure`: the errors of `PageSequence`; `response` for a page that is not an array of the model.
        public mutating func next() async throws -> Item? { try await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Item? {
            while left.isEmpty {
                guard let page = try await pages.next(isolation: actor) else { return nil }
                left = try pages.sequence.client.decode([Item].self, page).reversed()
            }
            return left.popLast()
        }
    }
}

/// A request that is already built.
private struct PageRequest: RequestConvertible {
    // Not changed by anybody: the client reads it before it waits.
    nonisolated(unsafe) private let request: Request
    let requiresCredential: Bool
    let acceptsEveryStatus: Bool

    init(_ request: Request, _ convertible: any RequestConvertible) {
        self.request = request
        requiresCredential = convertible.requiresCredential
        acceptsEveryStatus = convertible.acceptsEveryStatus
    }

    func makeRequest(base: String?) throws(Failure) -> Request { request }
}
