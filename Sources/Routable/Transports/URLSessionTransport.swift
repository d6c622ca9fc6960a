// A transport over URLSession of Foundation.

internal import Foundation
public import RoutableCore

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Performs requests with a URLSession, whose configuration determines redirects, cookies and proxies.
public final class URLSessionTransport: Transport {
    private let session: URLSession

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
        if let deadline = request.deadline { converted.timeoutInterval = Double(deadline.milliseconds) / 1000 }
        let outcome = OneOutcome<Answer>()
        if Task.isCancelled { throw .cancelled }
        let task = session.dataTask(with: converted) { data, response, error in
            outcome.end(Self.outcome(data, response, error))
        }
        task.resume()
        return try await withTaskCancellationHandler {
            await outcome.wait()
        } onCancel: {
            task.cancel()
            outcome.end(.failure(.cancelled))
        }.get()
    }

    private static func outcome(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) -> Result<
        Answer, Failure
    > {
        if let error {
            let code = (error as? URLError)?.code
            let status: Status = code == .timedOut ? .timeout : code == .cancelled ? .cancelled : .transfer
            return .failure(Failure(status, "URLSession: \(Bytes(error.localizedDescription).printable)"))
        }
        guard let response = response as? HTTPURLResponse else {
            return .failure(Failure(.transfer, "URLSession returned no HTTP response"))
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
