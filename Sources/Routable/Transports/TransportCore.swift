// Runs the client of C and Python over a Swift transport, so that all features are available with every transport.

internal import RoutableClient
import RoutableCore
internal import RoutableMock

/// The state that a `Client` and its copies share: credentials, a hook, and the client over the transport.
final class TransportCore: Sendable {
    private let made: Result<ClientCore, Failure>
    /// The library's engine, which closes the client.
    private let engine: EngineTransport?

    static func over(_ transport: any Transport) -> TransportCore {
        if let engine = transport as? EngineTransport {
            return TransportCore(.success(engine.client.sharingConnections()), engine)
        }
        var options = ClientOptions()
        let tape = (transport as? TapeTransport)?.tape
        if let below = tape == nil ? transport : (transport as? TapeTransport)?.over {
            if let engine = below as? EngineTransport {
                options = engine.client.options
            } else {
                options.transport =
                    (below as? CannedResponses)?.replies.transport ?? (below as? MockTransport)?.mock.transport
                    ?? HostTransport { carry($0, over: below) }
            }
        }
        do throws(Failure) {
            try tape?.attach(to: &options)
            let client = try ClientCore.make(options)
            try client.start()
            return TransportCore(.success(client), nil)
        } catch { return TransportCore(.failure(error), nil) }
    }

    private init(_ made: Result<ClientCore, Failure>, _ engine: EngineTransport?) {
        self.made = made
        self.engine = engine
    }

    deinit { if engine == nil, case .success(let client) = made { client.close() } }

    /// - Throws: the failure of creating the client.
    func client() throws(Failure) -> ClientCore { try made.get() }

    func perform(_ request: Request, _ policy: RequestPolicy) async throws(Failure) -> Response {
        if Task.isCancelled { throw .cancelled }
        let outcome = OneOutcome<Response>()
        let transfer = ResponseTransfer(request, outcome)
        let client = try client()
        let progress = request.streams?.progress?.owner as? Delivery<TransferProgress>
        try client.submit(transfer, request, policy)
        let ended = await outcome.value(of: transfer)
        // The progress and the events of a request are delivered before its outcome.
        await progress?.finish()
        await client.deliverEvents()
        return try ended.get()
    }

    private static func carry(_ exchange: TransportExchange, over transport: any Transport) {
        let request = TransportRequest(exchange)
        let task = Task {
            let reply: TransportReply
            do throws(Failure) { reply = TransportReply(try await transport.send(request)) } catch {
                reply = TransportReply(error)
            }
            try? exchange.reply(reply)  // an invalid reply becomes the error of the request
        }
        exchange.onCancel { task.cancel() }
    }
}

extension TransportRequest {
    init(_ exchange: TransportExchange) {
        self.init(
            method: exchange.method.bytes.string, url: exchange.url.bytes.string, headers: exchange.headers.fields,
            body: exchange.body?.bytes,
            deadline: exchange.timeoutMilliseconds < 0 ? nil : .milliseconds(exchange.timeoutMilliseconds),
            route: exchange.plan?.route.bytes.string, operation: exchange.plan?.operation.name.bytes.string)
    }
}

private final class ResponseTransfer: Transfer, @unchecked Sendable {
    private let outcome: OneOutcome<Response>
    init(_ request: Request, _ outcome: OneOutcome<Response>) {
        self.outcome = outcome
        super.init(request, wantsCall: true)
    }
    override func call() {
        if let failure { return outcome.end(.failure(failure)) }
        outcome.end(
            response.map { .success($0) } ?? .failure(Failure(.internal, "the transfer ended without an outcome")))
    }
}
