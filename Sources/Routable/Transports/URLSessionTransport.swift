// A transport over URLSession of Foundation.

internal import Foundation
public import RoutableCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Performs requests with a URLSession, whose configuration determines cookies, proxies and certificates.
///
/// The session does not follow redirects.  The client follows them by its own rules: up to `maximumRedirects`, not at all if
/// `followsRedirects` is false, and without credentials to another origin.  If a redirect of the session cannot be prevented,
/// the request fails.  Do not put credentials into `httpAdditionalHeaders` of the configuration: the session sends these headers
/// to every origin.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    /// Stored here, because a task may hold its delegate weakly.
    private let redirects = RefusedRedirects()

    /// Creates a transport over this session.
    public init(_ session: URLSession = URLSession(configuration: .ephemeral)) { self.session = session }

    public func send(_ request: TransportRequest) async throws(Failure) -> Answer {
        guard let url = URL(string: request.url) else {
            throw Failure(.url, "Foundation rejects the URL \(Bytes(request.url).printable)")
        }
        var converted = URLRequest(url: url)
        converted.httpMethod = request.method
        for field in request.headers { converted.addValue(field.value.string, forHTTPHeaderField: field.name.string) }
        converted.httpBody = request.body.map { Data($0.storage) }
        // Foundation counts whole seconds, so the value is rounded up; the client cancels the task at its deadline.
        if let deadline = request.deadline {
            converted.timeoutInterval = (Double(min(deadline.milliseconds, Int64(Int32.max))) / 1000).rounded(.up)
        }
        let outcome = OneOutcome<Answer>()
        if Task.isCancelled { throw .cancelled }
        let task = session.dataTask(with: converted) { data, response, error in
            outcome.end(Self.outcome(data, response, error, of: url))
        }
        task.delegate = redirects
        guard task.delegate === redirects else {
            task.cancel()
            throw Failure(.unsupported, "the URLSession does not let the client follow redirects, so nothing was sent")
        }
        task.resume()
        return try await withTaskCancellationHandler {
            await outcome.wait()
        } onCancel: {
            task.cancel()
            outcome.end(.failure(.cancelled))
        }.get()
    }

    private static func outcome(
        _ data: Data?, _ response: URLResponse?, _ error: (any Error)?, of url: URL
    ) -> Result<Answer, Failure> {
        if let error {
            let code = (error as? URLError)?.code
            let status: Status = code == .timedOut ? .timeout : code == .cancelled ? .cancelled : .transfer
            return .failure(Failure(status, "URLSession: \(Bytes(error.localizedDescription).printable)"))
        }
        guard let response = response as? HTTPURLResponse else {
            return .failure(Failure(.transfer, "URLSession returned no HTTP response"))
        }
        if let place = response.url, place.absoluteString != url.absoluteString {
            return .failure(
                Failure(.unsupported, "the URLSession followed a redirect itself, although the client follows redirects"))
        }
        let headers = response.allHeaderFields.compactMap { name, value -> HeaderField? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return try? HeaderField.checked(Bytes(name), Bytes(value), isReceived: true)
        }
        return .success(
            Answer(
                status: Int32(truncatingIfNeeded: response.statusCode), headers: headers,
                body: Bytes([UInt8](data ?? Data())),
                url: Bytes(response.url?.absoluteString ?? "")))
    }
}

/// Prevents redirects in the session, which then returns the redirect response to the client.
private final class RefusedRedirects: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }
}
