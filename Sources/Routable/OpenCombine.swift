// Publishers, enabled by the trait OpenCombine (statement L7).

#if OpenCombine
public import OpenCombine
public import RoutableCore

extension Client {
    /// Publishes one value, or a failure.  Each subscription performs the request once; a program that cancels the subscription
    /// cancels the transfer.
    ///
    /// - Parameter actor: the actor on which the value and the completion arrive; by default the actor of the caller, such as
    ///   the MainActor for top-level code.  With nil they arrive on a thread of Swift's pool.
    public func publisher<Called: Route>(
        for route: Called, on actor: (any Actor)? = #isolation
    ) -> AnyPublisher<Called.Response, RoutableCore.Failure> {
        publisher(on: actor) { () async throws(RoutableCore.Failure) in try await perform(route) }
    }

    /// Publishes the completion without a value, or a failure.
    public func publisher<Called: Route>(
        for route: Called, on actor: (any Actor)? = #isolation
    ) -> AnyPublisher<Void, RoutableCore.Failure> where Called.Response == RoutableCore.NoBody {
        publisher(on: actor) { () async throws(RoutableCore.Failure) in try await perform(route) }
    }

    /// Publishes the response of an endpoint, decoded as its model, or a failure.
    public func publisher<Output: Decodable & Sendable>(
        for endpoint: Endpoint<Output>, on actor: (any Actor)? = #isolation
    ) -> AnyPublisher<Output, RoutableCore.Failure> {
        publisher(on: actor) { () async throws(RoutableCore.Failure) in try await perform(endpoint) }
    }

    /// Publishes the completion without a value, or a failure.
    public func publisher(
        for endpoint: Endpoint<RoutableCore.NoBody>, on actor: (any Actor)? = #isolation
    ) -> AnyPublisher<Void, RoutableCore.Failure> {
        publisher(on: actor) { () async throws(RoutableCore.Failure) in try await perform(endpoint) }
    }

    private func publisher<Output: Sendable>(
        on actor: (any Actor)?, _ perform: @escaping @Sendable () async throws(RoutableCore.Failure) -> Output
    ) -> AnyPublisher<Output, RoutableCore.Failure> {
        Deferred {
            let running = Locked<Task<Void, Never>?>(nil)
            let future = Future<Output, RoutableCore.Failure> { promise in
                let promise = Promise(promise)
                let task = Task {
                    let result: Result<Output, RoutableCore.Failure>
                    do throws(RoutableCore.Failure) { result = .success(try await perform()) } catch {
                        result = .failure(error)
                    }
                    await promise.keep(result, on: actor)
                }
                running.withLock { $0 = task }
            }
            return future.handleEvents(receiveCancel: { running.withLock { $0 }?.cancel() })
        }
        .eraseToAnyPublisher()
    }
}

/// A promise of OpenCombine, which is synchronised internally.
private struct Promise<Output: Sendable>: @unchecked Sendable {
    private let keep: (Result<Output, RoutableCore.Failure>) -> Void
    init(_ keep: @escaping (Result<Output, RoutableCore.Failure>) -> Void) { self.keep = keep }

    /// Publishes the result on an actor; nil for Swift's thread pool.
    func keep(_ result: Result<Output, RoutableCore.Failure>, on actor: isolated (any Actor)?) { keep(result) }
}
#endif
