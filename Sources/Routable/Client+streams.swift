// Responses that are read while they arrive, as asynchronous sequences (docs/bodies.md).

internal import RoutableClient
internal import RoutableCore

extension Client {
    /// The server-sent events of a response, in order.
    ///
    ///     for try await event in client.events(of: endpoint, reconnects: 3) { print(event.text) }
    ///
    /// - Parameter reconnects: the maximum number of reconnects in a row, after the last event, when the connection breaks.
    public func events(
        of convertible: some RequestConvertible, reconnects: Int = 0, after lastEventID: String = ""
    ) -> ItemSequence {
        var options = StreamOptions(.events)
        options.reconnects = UInt32(clamping: reconnects)
        options.lastEventID = Bytes(lastEventID)
        return ItemSequence(client: self, convertible: convertible, options: options)
    }

    /// The lines of a response, without line breaks, such as JSON Lines.
    public func lines(of convertible: some RequestConvertible) -> ItemSequence {
        ItemSequence(client: self, convertible: convertible, options: StreamOptions(.lines))
    }

    /// The bytes of a response, in pieces as they arrive.
    public func pieces(of convertible: some RequestConvertible) -> ItemSequence {
        ItemSequence(client: self, convertible: convertible, options: StreamOptions(.bytes))
    }
}

/// The items of a response, which is read while it arrives.  The transfer pauses while too many items are buffered.
///
/// Iterating sends the request.
public struct ItemSequence: AsyncSequence, Sendable {
    public typealias Element = Item

    /// A piece, a line, or an event.
    public struct Item: Sendable {
        public let data: [UInt8]
        /// The type of an event; "message" by default.
        public let event: String
        /// The id of the last event that had one.
        public let id: String

        /// The data as UTF-8.
        public var text: String { String(decoding: data, as: UTF8.self) }
    }

    let client: Client
    let convertible: any RequestConvertible
    let options: StreamOptions

    public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    public struct Iterator: AsyncIteratorProtocol {
        let sequence: ItemSequence
        private var opened: OpenStream?

        init(sequence: ItemSequence) { self.sequence = sequence }

        /// - Throws: `Failure`: those of performing; `cancelled` if the task was cancelled.
        public mutating func next() async throws -> Item? {
            let stream: OpenStream
            if let opened { stream = opened } else { stream = try await sequence.open() }
            opened = stream
            return try await stream.next()
        }
    }

    fileprivate func open() async throws(RoutableCore.Failure) -> OpenStream {
        try client.refuseMiddleware("a stream")
        let request = try await client.prepared(convertible)
        let news = Signal()
        return OpenStream(
            client.core, try client.core.client().stream(request, options, client.completePolicy, changed: { news.raise(isEnd: $0) }), news)
    }
}

/// A stream with the client that drives it.
final class OpenStream: Sendable {
    private let core: TransportCore
    private let stream: ResponseStream
    private let news: Signal

    init(_ core: TransportCore, _ stream: ResponseStream, _ news: Signal) {
        self.core = core
        self.stream = stream
        self.news = news
    }

    func next() async throws(Failure) -> ItemSequence.Item? {
        while true {
            if Task.isCancelled {
                _ = stream.cancel()
                throw .cancelled
            }
            // The end is there when the callback that reports it has returned: at once.
            let (item, status) = try stream.next(milliseconds: news.hasEnded ? 10_000 : 0)
            if let item { return ItemSequence.Item(data: item.data.bytes.storage, event: item.event.bytes.string, id: item.id.bytes.string) }
            if status == .cancelled { throw .cancelled }
            if status != .pending && status != .interrupted { return nil }
            await withTaskCancellationHandler {
                await news.wait()
            } onCancel: {
                _ = stream.cancel()
                news.raise(isEnd: false)
            }
        }
    }
}

/// Wakes one waiter; if none waits, the next one does not wait.
final class Signal: Sendable {
    private enum State {
        case quiet, raised
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Locked<State>(.quiet)
    private let end = Locked(false)

    /// Whether nothing follows.
    var hasEnded: Bool { end.withLock { $0 } }

    func wait() async {
        await withCheckedContinuation { continuation in
            let passes = state.withLock { state -> Bool in
                if case .raised = state {
                    state = .quiet
                    return true
                }
                state = .waiting(continuation)
                return false
            }
            if passes { continuation.resume() }
        }
    }

    func raise(isEnd: Bool) {
        if isEnd { end.withLock { $0 = true } }
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if case .waiting(let continuation) = state {
                state = .quiet
                return continuation
            }
            state = .raised
            return nil
        }
        waiter?.resume()
    }
}
