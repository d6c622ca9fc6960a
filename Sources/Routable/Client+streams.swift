// Responses that are read while they arrive, as asynchronous sequences (docs/bodies.md).

internal import Foundation
internal import RoutableClient
public import RoutableCore

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
        return ItemSequence(client: self, source: .request(convertible, options))
    }

    /// The lines of a response, for example JSON Lines, without line breaks.
    public func lines(of convertible: some RequestConvertible) -> ItemSequence {
        ItemSequence(client: self, source: .request(convertible, StreamOptions(.lines)))
    }

    /// The bytes of a response, in pieces as they arrive.
    public func pieces(of convertible: some RequestConvertible) -> ItemSequence {
        ItemSequence(client: self, source: .request(convertible, StreamOptions(.bytes)))
    }
}

/// The items of a response, which the client reads while the response arrives.  When 256 KiB of items are buffered, the
/// transfer pauses until the program has read half of them.
///
/// Each iteration sends the request, except for the items of an opened stream.
public struct ItemSequence: AsyncSequence, Sendable {
    public typealias Element = Item
    public typealias Failure = RoutableCore.Failure

    /// A piece, a line, or an event.
    public struct Item: Sendable {
        /// The bytes of the piece, the line without its line break, or the data of the event.
        public let data: [UInt8]
        /// The type of an event; "message" by default.
        public let event: String
        /// The id of the last event that had one.
        public let id: String

        /// The data as text.  Bytes that are not UTF-8 become U+FFFD.
        public var text: String { String(decoding: data, as: UTF8.self) }
    }

    enum Source: Sendable {
        case request(any RequestConvertible, StreamOptions)
        case opened(OpenStream)
    }

    let client: Client
    let source: Source

    public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    /// Waits for each item.
    public struct Iterator: AsyncIteratorProtocol {
        public typealias Failure = RoutableCore.Failure

        let sequence: ItemSequence
        private var stream: OpenStream?

        init(sequence: ItemSequence) { self.sequence = sequence }

        /// - Throws: the errors of `response(to:)`; `cancelled` if the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Item? {
            let opened: OpenStream
            if let stream { opened = stream } else { opened = try await sequence.stream() }
            stream = opened
            return try await opened.next()
        }
    }

    /// Sends the request and waits for the status and the headers of the response, for a program that needs them before or
    /// in addition to the items.
    ///
    ///     let stream = try await client.lines(of: endpoint).open()
    ///     print(stream.response.headers["Content-Type"] ?? "")
    ///     for try await line in stream.items { print(line.text) }
    ///
    /// - Throws: the errors of `response(to:)`; `cancelled` if the task was cancelled.
    public func open() async throws(Failure) -> StreamedResponse {
        let stream = try await stream()
        return StreamedResponse(
            response: try await stream.response(), items: ItemSequence(client: client, source: .opened(stream)))
    }

    private func stream() async throws(Failure) -> OpenStream {
        switch source {
        case .opened(let stream): return stream
        case .request(let convertible, let options): return try await open(convertible, options)
        }
    }

    private func open(_ convertible: any RequestConvertible, _ options: StreamOptions) async throws(Failure) -> OpenStream {
        let request = try await client.prepared(convertible)
        if client.middleware.isEmpty { return try stream(request, options, client.completePolicy, over: client.core) }
        let opened = Locked<(head: Response, stream: OpenStream)?>(nil)
        let response = try await client.perform(request) { (request) async throws(Failure) in
            let stream = try stream(request, options, client.completePolicy, over: client.core)
            let head = try await stream.response()
            opened.withLock { $0 = (head, stream) }
            return head
        }
        if let last = opened.withLock({ $0 }), last.head === response { return last.stream }
        // Nothing is sent to the service, so no credential is required.
        var policy = client.completePolicy
        policy.sendsCredentials = false
        return try stream(request, options, policy, over: TransportCore.over(RepliedBody(response)))
    }

    private func stream(
        _ request: Request, _ options: StreamOptions, _ policy: RequestPolicy, over core: TransportCore
    ) throws(Failure) -> OpenStream {
        let news = Signal()
        let progress = request.streams?.progress?.owner as? Delivery<TransferProgress>
        return OpenStream(
            core, try core.client().stream(request, options, policy, changed: { news.raise(isEnd: $0) }), news, progress,
            client.decoder)
    }
}

/// A response whose items are read while it arrives.  `ItemSequence.open()` returns it.  If the program releases the response and
/// its items before their end, the transfer is cancelled.
public struct StreamedResponse: Sendable {
    /// The status and the headers, without the body.
    public let response: Response
    /// The items.  They can be read once: a second iteration continues where the first one stopped.  If a task that reads them is
    /// cancelled, the transfer is cancelled.
    public let items: ItemSequence
}

/// Replies with the response that a middleware returned instead of that of the service.
private struct RepliedBody: Transport {
    private let answer: Answer

    init(_ response: Response) {
        answer = Answer(
            status: Int32(truncatingIfNeeded: response.status), headers: response.headers.fields,
            body: response.body.bytes)
    }

    func send(_ request: TransportRequest) async throws(Failure) -> Answer { answer }
}

extension ItemSequence {
    /// Decodes each line, or the data of each event, as a model, on the actor that iterates.
    ///
    ///     for try await part in client.events(of: endpoint).values(as: Part.self) { ... }
    ///
    /// - Parameter end: the line, or the data of the event, that ends the sequence.
    /// - Returns: a sequence that throws the errors of the items; `response` for an item that does not match the model.
    public func values<Model: Decodable>(as type: Model.Type, until end: String = "[DONE]") -> ItemValues<Model> {
        ItemValues(items: self, end: end)
    }
}

/// The items of a response as models.  `ItemSequence.values(as:until:)` returns this sequence.
public struct ItemValues<Model: Decodable>: AsyncSequence, Sendable {
    public typealias Element = Model
    public typealias Failure = RoutableCore.Failure

    let items: ItemSequence
    let end: String

    public func makeAsyncIterator() -> Iterator { Iterator(items: items.makeAsyncIterator(), end: end) }

    /// Waits for each item.
    public struct Iterator: AsyncIteratorProtocol {
        public typealias Failure = RoutableCore.Failure

        var items: ItemSequence.Iterator
        let end: String

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(Failure) -> Model? {
            guard let item = try await items.next(isolation: actor), item.text != end else { return nil }
            return try Answers.decode(Model.self, json: Data(item.data), items.sequence.client.decoder)
        }
    }
}
