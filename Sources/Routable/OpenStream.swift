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
    /// The decoder for the body of an error.
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
                // Another waiting task may find further items.
                news.wake()
                return ItemSequence.Item(
                    data: item.data.bytes.storage, event: item.event.bytes.string, id: item.id.bytes.string)
            }
            if status == .cancelled { throw .cancelled }
            if status != .pending && status != .interrupted {
                // The progress and the events of a stream are delivered before its end.
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

    /// The timeout of a single call: after the end was signalled, the callback that reports it returns soon, so the call waits for it.
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

/// Resumes all waiters.  If there are none, the next wait returns immediately; after the end, every wait does.
final class Signal: Sendable {
    private enum State {
        case quiet, raised
        case waiting([CheckedContinuation<Void, Never>])

        var waiters: [CheckedContinuation<Void, Never>] { if case .waiting(let waiters) = self { waiters } else { [] } }
    }

    private let state = Locked<State>(.quiet)
    private let end = Locked(false)

    /// Whether the end was signalled.
    var hasEnded: Bool { end.withLock { $0 } }

    func wait() async {
        await withCheckedContinuation { continuation in
            let passes = state.withLock { state -> Bool in
                switch state {
                case .raised:
                    state = .quiet
                    return true
                case .quiet, .waiting:
                    // `end` is set before the signal is raised, so that a task that does not see it here is resumed by the signal.
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

    /// Resumes the current waiters only.
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
