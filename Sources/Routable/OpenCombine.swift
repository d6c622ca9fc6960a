// Publishers, behind the trait OpenCombine (statement L7).

#if OpenCombine
public import OpenCombine
public import RoutableCore

extension Client {
    /// Publishes one value, or a failure.  Each subscription performs the request once; cancelling it cancels the transfer.
    public func publisher<Called: Route>(for route: Called) -> AnyPublisher<Called.Response, RoutableCore.Failure> {
        publisher { () async throws(RoutableCore.Failure) in try await perform(route) }
    }

    /// Publishes completion without a value, or a failure.
    public func publisher<Called: Route>(for route: Called) -> AnyPublisher<Void, RoutableCore.Failure> where Called.Response == RoutableCore.NoBody {
        publisher { () async throws(RoutableCore.Failure) in try await perform(route) }
    }

    public func publisher<Output: Decodable & Sendable>(for endpoint: Endpoint<Output>) -> AnyPublisher<Output, RoutableCore.Failure> {
        publisher { () async throws(RoutableCore.Failure) in try await perform(endpoint) }
    }

    private func publisher<Output: Sendable>(
        _ perform: @escaping @Sendable () async throws(RoutableCore.Failure) -> Output
    ) -> AnyPublisher<Output, RoutableCore.Failure> {
        Deferred {
            let running = Locked<Task<Void, Never>?>(nil)
            let future = Future<Output, RoutableCore.Failure> { promise in
                let promise = Promise(promise)
                let task = Task {
                    let result: Result<Output, RoutableCore.Failure>
                    do throws(RoutableCore.Failure) { result = .success(try await perform()) } catch { result = .failure(error) }
                    promise.keep(result)
                }
                running.withLock { $0 = task }
            }
            return future.handleEvents(receiveCancel: { running.withLock { $0 }?.cancel() })
        }
        .eraseToAnyPublisher()
    }
}

/// A promise of OpenCombine, which locks internally.
private struct Promise<Output>: @unchecked Sendable {
    let keep: (Result<Output, RoutableCore.Failure>) -> Void
    init(_ keep: @escaping (Result<Output, RoutableCore.Failure>) -> Void) { self.keep = keep }
}
#endif
