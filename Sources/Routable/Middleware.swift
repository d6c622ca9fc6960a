// Middleware: functions around each request, which know its operation and may change, answer, repeat or refuse it.

public import RoutableCore

/// A function around each request of a client, and its pages.
///
///     client.middleware.append { (request, next) async throws(Failure) in
///         let response = try await next(request)
///         print(request.operation.bytes.string, response.status)
///         return response
///     }
///
/// The function may edit the request, which is a copy.  It is called once for a request with all its redirects, retries and
/// refreshes.
public typealias Middleware = @Sendable (
    _ request: Request, _ next: (Request) async throws(Failure) -> Response
) async throws(Failure) -> Response

extension Client {
    /// A copy of the client with one more function, which is the innermost.
    public func with(_ middleware: @escaping Middleware) -> Client {
        var client = self
        client.middleware.append(middleware)
        return client
    }

    /// Performs behind the middleware from that index on.
    func perform(_ request: Request, behind index: Int = 0) async throws(Failure) -> Response {
        guard index < middleware.count else { return try await core.perform(request, completePolicy) }
        return try await middleware[index](request) { (next) async throws(Failure) in try await perform(next, behind: index + 1) }
    }

    /// Middleware is never left out in silence.
    func refuseMiddleware(_ what: Bytes) throws(Failure) {
        if !middleware.isEmpty { throw Failure(.unsupported, "\(what) does not run the middleware of this client; use a client without middleware") }
    }
}
