// Responses in pages, and the items of these pages, as asynchronous sequences (docs/pagination.md).

internal import Foundation
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

    /// A pagination as JSON, with the keys of a route document (docs/pagination.md), such as
    /// `{"by": "page", "parameter": "page", "total": "/count"}`.
    public static func json(_ text: String) throws(Failure) -> Pagination {
        try Bytes(text).withBuffer { (buffer) throws(Failure) in try Pagination.read(buffer) }
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
    /// - Parameters:
    ///   - pagination: how the next page is determined; nil for the pagination of the description.
    ///   - maximumPages: the maximum number of pages; nil for all pages, but more than 10000 pages are a failure.
    ///   - maximumItems: the number of items after which no further page is requested; nil for all items.
    ///   - pageSize: the number of items per page, which is sent as the parameter that the pagination declares as `size`; nil for
    ///     the number in the request.
    ///   - followsOtherOrigins: whether a page may be at another origin, which receives no credentials.
    ///   - backwards: whether the page before each page is read, until the first one.
    ///   - position: the position at which to begin, as `PageSequence.Iterator.position` returned it; empty for the request as it is.
    /// - Returns: a sequence that throws the errors of `response(to:)`; `response` for a page without the expected data, or with
    ///   a link to a page that was read; `url` for a link to another origin that is not followed; `limit`; `parameter` and
    ///   `value` for the page size; `document` for a method other than GET.
    public func pages(
        of convertible: some RequestConvertible, by pagination: Pagination? = nil, maximumPages: Int? = nil,
        maximumItems: Int? = nil, pageSize: Int? = nil, followsOtherOrigins: Bool = false, backwards: Bool = false,
        position: String = ""
    ) -> PageSequence {
        var options = PageOptions()
        options.pagination = pagination
        options.takesFreeParameters = pagination != nil
        options.maximumPages = max(0, maximumPages ?? 0)
        options.maximumItems = max(0, maximumItems ?? 0)
        options.pageSize = Int64(pageSize ?? 0)
        options.goesElsewhere = followsOtherOrigins
        options.goesBackwards = backwards
        options.position = Bytes(position)
        return PageSequence(
            client: self, convertible: convertible, options: options, pageSize: pageSize,
            isEmpty: [maximumPages, maximumItems].contains { $0.map { $0 <= 0 } ?? false })
    }

    /// The items of all pages of a list, as models.
    ///
    ///     for try await user in client.items(of: Social.users.list(), by: .link()) { ... }
    ///
    /// The items are the elements of the array to which `items` of the pagination points; by default the body is this array.  The
    /// parameters are those of `pages`; after `maximumItems` items the sequence ends.
    public func items<Item: Decodable>(
        of endpoint: Endpoint<[Item]>, by pagination: Pagination? = nil, maximumPages: Int? = nil, maximumItems: Int? = nil,
        pageSize: Int? = nil, followsOtherOrigins: Bool = false, backwards: Bool = false, position: String = ""
    ) -> PagedItems<Item> {
        items(
            of: endpoint, as: Item.self, by: pagination, maximumPages: maximumPages, maximumItems: maximumItems,
            pageSize: pageSize, followsOtherOrigins: followsOtherOrigins, backwards: backwards, position: position)
    }

    /// The items of all pages of any request, as models of this type.
    ///
    ///     for try await user in client.items(of: request, as: User.Model.self) { ... }
    public func items<Item: Decodable>(
        of convertible: some RequestConvertible, as type: Item.Type, by pagination: Pagination? = nil,
        maximumPages: Int? = nil, maximumItems: Int? = nil, pageSize: Int? = nil, followsOtherOrigins: Bool = false,
        backwards: Bool = false, position: String = ""
    ) -> PagedItems<Item> {
        PagedItems(
            pages: pages(
                of: convertible, by: pagination, maximumPages: maximumPages, maximumItems: maximumItems, pageSize: pageSize,
                followsOtherOrigins: followsOtherOrigins, backwards: backwards, position: position))
    }
}

/// The pages of a request as responses.  `Client.pages` returns this sequence.
///
/// Each iteration begins at the first page.
public struct PageSequence: AsyncSequence, Sendable {
    public typealias Element = Response
    public typealias Failure = RoutableCore.Failure

    let client: Client
    let convertible: any RequestConvertible
    let options: PageOptions
    let pageSize: Int?
    let isEmpty: Bool

    public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    /// Reads the pages.  If a page fails, the next call requests the same page again.
    public struct Iterator: AsyncIteratorProtocol {
        public typealias Failure = RoutableCore.Failure

        let sequence: PageSequence
        private var pages: ClientPages?

        init(sequence: PageSequence) { self.sequence = sequence }

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Response? {
            if sequence.isEmpty { return nil }
            let pages: ClientPages
            if let begun = self.pages { pages = begun } else { pages = try sequence.begin() }
            self.pages = pages
            guard let request = try pages.following(nil) else { return nil }
            let response: Response
            do throws(Failure) {
                response = try await sequence.client.response(to: PageRequest(request, sequence.convertible))
            } catch {
                if error.status == .httpStatus, pages.ends(error.fields.httpStatus) { return nil }
                throw error
            }
            pages.take(response)
            return pages.ends(0) ? nil : response
        }

        /// The position from which another run continues with the next page, for the argument `position` of `Client.pages`; nil after the last
        /// page.  It can be a secret if the cursors of the service are.
        public mutating func position() throws(Failure) -> String? {
            let pages: ClientPages
            if let begun = self.pages { pages = begun } else { pages = try sequence.begin() }
            self.pages = pages
            return try pages.position()?.string
        }

        /// The next item of the last page as JSON; nil after the last one.
        fileprivate func item() throws(Failure) -> Data? {
            guard let item = try pages?.item() else { return nil }
            return Data(item)
        }
    }

    private func begin() throws(Failure) -> ClientPages {
        if let pageSize, pageSize <= 0 {
            throw Failure(.value, "the page size is \(pageSize); a positive number is expected")
        }
        let convertible = client.placed(convertible)
        let request = try client.coders.using { () throws(Failure) in try convertible.makeRequest(base: client.base) }
        return try ClientPages.make(request, over: try client.core.client(), options)
    }
}

/// The items of all pages.  `Client.items` returns this sequence.  Each iteration begins at the first page.
public struct PagedItems<Item: Decodable>: AsyncSequence, Sendable {
    public typealias Element = Item
    public typealias Failure = RoutableCore.Failure

    let pages: PageSequence

    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

    /// Reads the items page by page.
    public struct Iterator: AsyncIteratorProtocol {
        public typealias Failure = RoutableCore.Failure

        fileprivate var pages: PageSequence.Iterator
        /// The page that contains the next item.
        private var page: Response?

        fileprivate init(pages: PageSequence.Iterator) { self.pages = pages }

        /// - Throws: the errors of `PageSequence`; `response` for a page without an array of items, and for an item that does not match
        ///   the model.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Item? {
            while true {
                do throws(Failure) {
                    if let item = try pages.item() {
                        return try Answers.decode(Item.self, json: item, pages.sequence.client.decoder)
                    }
                } catch {
                    throw error.with {
                        $0.response = page
                        $0.httpStatus = page?.status ?? 0
                    }
                }
                page = nil
                guard let next = try await pages.next(isolation: actor) else { return nil }
                page = next
            }
        }
    }
}

/// A request that is already built.
private struct PageRequest: RequestConvertible {
    // Not modified after this point: the client reads it before its first suspension.
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
