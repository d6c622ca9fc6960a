// The pages of one request over a client, for C, Swift and the command.

package import RoutableCore

/// Pages with the client that performs their requests.  One thread at a time.
package final class ClientPages {
    /// nil for a host that performs by itself.
    private let client: ClientCore?
    private let pages: Pages

    /// - Throws: what `Pages.make` throws.
    package static func make(
        _ request: Request, over client: ClientCore?, _ options: PageOptions
    ) throws(Failure) -> ClientPages {
        ClientPages(client, try Pages.make(request, at: client?.url(of: request) ?? request.url, options))
    }

    private init(_ client: ClientCore?, _ pages: Pages) {
        self.client = client
        self.pages = pages
    }

    /// The request of the next page, after the response to the last one; nil as the response for the first page, or for the
    /// same again.  nil: there is no further page.
    package func following(_ response: Response?) throws(Failure) -> Request? {
        if let response { pages.take(response) }
        return try pages.next()
    }

    /// The response to the request of the last page.
    package func take(_ response: Response) { pages.take(response) }

    /// Performs the request of the next page; nil after the last one.  A page that fails is asked for again by the next call.
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

    /// Whether the status of the response to the last request says that there are no more pages.
    package func ends(_ status: Int32) -> Bool { pages.ends(status) }

    /// What continues with the next page in another run; nil behind the last one.
    package func position() throws(Failure) -> Bytes? { try pages.position() }

    /// The next item of all pages, which are performed as they are needed; nil behind the last one.  It lives until the next call.
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
    /// - Throws: `argument` before the first page, also if it has failed, because no items would look like an empty page.
    package func itemOfPage() throws(Failure) -> UnsafeRawBufferPointer? {
        if !pages.hasPage { throw Failure(.argument, "no page was read yet: read a page before its items") }
        return try pages.item()
    }
}
