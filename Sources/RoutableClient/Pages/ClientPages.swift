// The pages of one request over a client, for C, Swift and the command.

package import RoutableCore

/// Pages with the client that performs their requests.  Only one thread at a time may use them.
package final class ClientPages {
    /// nil for a host that performs the requests itself.
    private let client: ClientCore?
    private let pages: Pages

    /// - Throws: the failures of `Pages.make`.
    package static func make(
        _ request: Request, over client: ClientCore?, _ options: PageOptions
    ) throws(Failure) -> ClientPages {
        ClientPages(client, try Pages.make(request, at: client?.url(of: request) ?? request.url, options))
    }

    private init(_ client: ClientCore?, _ pages: Pages) {
        self.client = client
        self.pages = pages
    }

    /// The request of the next page, after the response to the last request.  `response` is nil for the first page, and to repeat the last
    /// request.  Returns nil if there is no further page.
    package func following(_ response: Response?) throws(Failure) -> Request? {
        if let response { pages.take(response) }
        return try pages.next()
    }

    /// The response to the request of the last page.
    package func take(_ response: Response) { pages.take(response) }

    /// Performs the request of the next page; nil after the last one.  The next call repeats the request of a page that failed.
    package func next(_ policy: RequestPolicy?) throws(Failure) -> Response? {
        guard let client else { throw Failure(.argument, "the pages were created with NULL as the client") }
        guard let request = try pages.next() else { return nil }
        let response: Response
        do throws(Failure) { response = try client.perform(request, policy) } catch {
            if error.status == .httpStatus, pages.ends(error.fields.httpStatus) { return nil }
            throw error
        }
        pages.take(response)
        return pages.ends(0) ? nil : response
    }

    /// Whether the status of the response to the last request means that there are no more pages.
    package func ends(_ status: Int32) -> Bool { pages.ends(status) }

    /// The position from which another run continues with the next page; nil after the last page.
    package func position() throws(Failure) -> Bytes? { try pages.position() }

    /// The next item of all pages, whose requests are performed when they are needed; nil after the last one.  Valid until the next call.
    package func nextItem(_ policy: RequestPolicy?) throws(Failure) -> UnsafeRawBufferPointer? {
        while true {
            if let item = try pages.item() { return item }
            if try next(policy) == nil { return nil }
        }
    }

    package func itemCount() throws(Failure) -> Int { try pages.itemCount() }
    package func item() throws(Failure) -> UnsafeRawBufferPointer? { try pages.item() }

    /// The next item of the last page; nil after its last item.
    ///
    /// - Throws: `argument` before the first page, even if its request failed, because an empty result would look like an empty page.
    package func itemOfPage() throws(Failure) -> UnsafeRawBufferPointer? {
        if !pages.hasPage { throw Failure(.argument, "no page was read yet: read a page before its items") }
        return try pages.item()
    }
}
