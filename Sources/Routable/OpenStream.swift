// A response that is read while it arrives: its head and its items, for tasks that wait for them.

internal import Foundation
internal import RoutableClient
internal import RoutableCore

/// A stream with the client that drives it.
final class OpenStream: Sendable {
    private let core: TransportCore
    private let stream: ResponseStream
    private let news: Signal
    private let progress: Delivery<TransferProgress>?
    /// What the program decodes the body of an error with.
    private let decoder: JSONDecoder?

    init(
        _ core: TransportCore, _ stream: ResponseStream, _ news: Signal, _ progress: Delivery<TransferProgress>?,
        _ decoder: JSONDecoder?
    ) {
        self.core = core
        self.stream = stream
        self.news = news
        self.progress = progress
        self.decoder = decoder
    }

    func next() async throws(Failure) -> ItemSequence.Item? {
        do throws(Failure) { return try await item() } catch { throw error.decoded(by: decoder) }
    }

    /// The response without its body, as soon as its headers have arrived.
    func response() async throws(Failure) -> Response {
        do throws(Failure) { return try await head().decoded(by: decoder) } catch { throw error.decoded(by: decoder) }
    }

    private func item() async throws(Failure) -> ItemSequence.Item? {
        while true {
            try checkTask()
            let (item, status) = try stream.next(milliseconds: patience)
            if let item {
                // There may be more, for another task that waits.
                news.wake()
                return ItemSequence.Item(
                    data: item.data.bytes.storage, event: item.event.bytes.string, id: item.id.bytes.string)
            }
            if status == .cancelled { throw .cancelled }
            if status != .pending && status != .interrupted {
                // The progress and the events of a stream arrive before its end.
                await progress?.finish()
                try await core.client().deliverEvents()
                return nil
            }
            await changed()
        }
    }

    private func head() async throws(Failure) -> Response {
        while true {
            try checkTask()
            let (response, status) = try stream.response(milliseconds: patience)
            if let response { return response }
            if status != .pending && status != .interrupted { throw .cancelled }
            await changed()
        }
    }

    /// How long one look may take: the end is there when the callback that reports it has returned, at once.
    private var patience: Int64 { news.hasEnded ? 10_000 : 0 }

    private func checkTask() throws(Failure) {
        guard Task.isCancelled else { return }
        _ = stream.cancel()
        throw .cancelled
    }

    private func changed() async {
        await withTaskCancellationHandler {
            await news.wait()
        } onCancel: {
            _ = stream.cancel()
            news.raise(isEnd: false)
        }
    }
}

/// Wakes all waiters; if none waits, the next one does not wait, and at the end nobody does.
final class Signal: Sendable {
    private enum State {
        case quiet, raised
        case waiting([CheckedContinuation<Void, Never>])

        var waiters: [CheckedContinuation<Void, Never>] { if case .waiting(let waiters) = self { waiters } else { [] } }
    }

    private let state = Locked<State>(.quiet)
    private let end = Locked(false)

    /// Whether nothing follows.
    var hasEnded: Bool { end.withLock { $0 } }

    func wait() async {
        await withCheckedContinuation { continuation in
            let passes = state.withLock { state -> Bool in
                switch state {
                case .raised:
                    state = .quiet
                    return true
                case .quiet, .waiting:
                    // The end is there before it is raised: whoever does not see it here is woken by it.
                    if hasEnded { return true }
                    state = .waiting(state.waiters + [continuation])
                    return false
                }
            }
            if passes { continuation.resume() }
        }
    }

    func raise(isEnd: Bool) {
        if isEnd { end.withLock { $0 = true } }
        resume { $0.waiters.isEmpty ? .raised : .quiet }
    }

    /// Wakes those that wait, and nobody else.
    func wake() { resume { $0.waiters.isEmpty ? $0 : .quiet } }

    private func resume(_ next: (State) -> State) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            let waiters = state.waiters
            state = next(state)
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
