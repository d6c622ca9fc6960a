// Middleware: functions around each request, which can read its operation and can change, answer, repeat or refuse it.

public import RoutableCore

/// A function around each request of a client, around each page, and around the beginning of a stream.
///
///     client.middleware.append { (request, next) async throws(Failure) in
///         let response = try await next(request)
///         print(request.operation.bytes.string, response.status)
///         return response
///     }
///
/// The function may edit the request, which is a copy.  It is called once for a request with all its redirects, retries and
/// refreshes.  The response of a stream has no body; if the function returns another response, the stream reads its items from
/// the body of that response.
public typealias Middleware =
    @Sendable (
        _ request: Request, _ next: (Request) async throws(Failure) -> Response
    ) async throws(Failure) -> Response

extension Client {
    /// A copy of the client with one more function, which is the innermost.
    public func with(_ middleware: @escaping Middleware) -> Client {
        var client = self
        client.middleware.append(middleware)
        return client
    }

    func carry(_ request: Request) async throws(Failure) -> Response {
        try await perform(request) { (request) async throws(Failure) in try await core.perform(request, completePolicy)
        }
    }

    /// Calls the middleware from this index on, and `last` as the innermost function.  Their responses keep the decoder of the client.
    func perform(
        _ request: Request, behind index: Int = 0, _ last: (Request) async throws(Failure) -> Response
    ) async throws(Failure) -> Response {
        do throws(Failure) {
            guard index < middleware.count else { return try await last(request).decoded(by: decoder) }
            return try await middleware[index](request) { (next) async throws(Failure) in
                try await perform(next, behind: index + 1, last)
            }.decoded(by: decoder)
        } catch { throw error.decoded(by: decoder) }
    }
}
