// Responses that are read while they arrive, as asynchronous sequences (docs/bodies.md).

internal import RoutableClient
internal import RoutableCore

extension Client {
    /// The server-sent events of a response, in order.
    ///
    ///     for try await event in client.events(of: endpoint, reconnects: 3) { print(event.text) }
    ///
    /// - Parameter reconnects: the maximum number of reconnects in a row without an event.  After a reconnect, the stream
    ///   continues after the last event.
    public func events(
        of convertible: some RequestConvertible, reconnects: Int = 0, after lastEventID: String = ""
    ) -> ItemSequence {
        var options = StreamOptions(.events)
        options.reconnects = UInt32(clamping: reconnects)
        options.lastEventID = Bytes(lastEventID)
        return ItemSequence(client: self, convertible: convertible, options: options)
    }

    /// The lines of a response, for example JSON Lines, without line breaks.
    public func lines(of convertible: some RequestConvertible) -> ItemSequence {
        ItemSequence(client: self, convertible: convertible, options: StreamOptions(.lines))
    }

    /// The bytes of a response, in pieces as they arrive.
    public func pieces(of convertible: some RequestConvertible) -> ItemSequence {
        ItemSequence(client: self, convertible: convertible, options: StreamOptions(.bytes))
    }
}

/// The items of a response, which the client reads while the response arrives.  When 256 KiB of items are buffered, the
/// transfer pauses until the program has read half of them.
///
/// Each iteration sends the request.
public struct ItemSequence: AsyncSequence, Sendable {
    public typealias Element = Item

    /// A piece, a line, or an event.
    public struct Item: Sendable {
        /// The bytes of the piece, the line without its line break, or the data of the event.
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

    /// Waits for each item.
    public struct Iterator: AsyncIteratorProtocol {
        let sequence: ItemSequence
        private var opened: OpenStream?

        init(sequence: ItemSequence) { self.sequence = sequence }

        /// - Throws: `Failure`: the errors of `response(to:)`; `cancelled` if the task was cancelled.
        public mutating func next() async throws -> Item? { try await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Item? {
            let stream: OpenStream
            if let opened { stream = opened } else { stream = try await sequence.open() }
            opened = stream
            return try await stream.next()
        }
    }

    fileprivate func open() async throws(RoutableCore.Failure) -> OpenStream {
        let request = try await client.prepared(convertible)
        if client.middleware.isEmpty { return try stream(request, over: client.core) }
        let opened = Locked<(head: Response, stream: OpenStream)?>(nil)
        let response = try await client.perform(request) { (request) async throws(RoutableCore.Failure) in
            let stream = try stream(request, over: client.core)
            let head = try await stream.response()
            opened.withLock { $0 = (head, stream) }
            return head
        }
        if let last = opened.withLock({ $0 }), last.head === response { return last.stream }
        return try stream(request, over: TransportCore.over(RepliedBody(response)))
    }

    private func stream(_ request: Request, over core: TransportCore) throws(RoutableCore.Failure) -> OpenStream {
        let news = Signal()
        let progress = request.streams?.progress?.owner as? Delivery<TransferProgress>
        return OpenStream(
            core, try core.client().stream(request, options, client.completePolicy, changed: { news.raise(isEnd: $0) }),
            news, progress)
    }
}

/// Replies with the response that a middleware returned instead of that of the service.
private struct RepliedBody: Transport {
    private let answer: Answer

    init(_ response: Response) {
        answer = Answer(
            status: Int32(truncatingIfNeeded: response.status), headers: response.headers.fields,
            body: response.body.bytes)
    }

    func send(_ request: TransportRequest) async throws(RoutableCore.Failure) -> Answer { answer }
}

extension ItemSequence {
    /// Decodes each line, or the data of each event, as a model, on the actor that iterates.
    ///
    ///     for try await part in client.events(of: endpoint).values(as: Part.self) { ... }
    ///
    /// - Parameter end: the line, or the data of the event, that ends the sequence.
    /// - Returns: a sequence that throws `Failure`: the errors of the items; `response` for an item that is not of the model.
    public func values<Model: Decodable>(as type: Model.Type, until end: String = "[DONE]") -> ItemValues<Model> {
        ItemValues(items: self, end: end)
    }
}

/// The items of a response as models.  `ItemSequence.values(as:until:)` returns this sequence.
public struct ItemValues<Model: Decodable>: AsyncSequence, Sendable {
    public typealias Element = Model

    let items: ItemSequence
    let end: String

    public func makeAsyncIterator() -> Iterator { Iterator(items: items.makeAsyncIterator(), end: end) }

    /// Waits for each item.
    public struct Iterator: AsyncIteratorProtocol {
        var items: ItemSequence.Iterator
        let end: String

        public mutating func next() async throws -> Model? { try await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Model? {
            guard let item = try await items.next(isolation: actor), item.text != end else { return nil }
            return try items.sequence.client.coders.using { () throws(RoutableCore.Failure) in
                try Answers.decode(Model.self, json: item.data)
            }
        }
    }
}

/// A stream with the client that drives it.
final class OpenStream: Sendable {
    private let core: TransportCore
    private let stream: ResponseStream
    private let news: Signal
    private let progress: Delivery<TransferProgress>?

    init(
        _ core: TransportCore, _ stream: ResponseStream, _ news: Signal, _ progress: Delivery<TransferProgress>?
    ) {
        self.core = core
        self.stream = stream
        self.news = news
        self.progress = progress
    }

    func next() async throws(Failure) -> ItemSequence.Item? {
        while true {
            try checkTask()
            let (item, status) = try stream.next(milliseconds: patience)
            if let item {
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

    /// The response without its body, as soon as its headers have arrived.
    func response() async throws(Failure) -> Response {
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
