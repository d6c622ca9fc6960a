// Performs attempts with a transport; its reply is processed like a response from the network.

internal import CSystem
import RoutableCore

/// A carrier that calls a transport.
final class TransportCarrier: Carrier {
    private let transport: HostTransport
    private let userAgent: Bytes?
    private var exchange: TransportExchange?
    /// The reply, while its delay lasts or the transfer is paused.
    private var reply: TransportReply?
    private var dueAt: Int64 = 0
    /// The number of bytes of the reply's body that were processed; nil before its head.
    private var taken: Int?
    private var streams: TransferStreams?
    private var failure: Failure?

    /// The maximum number of bytes of the body in one step.
    private static let piece = 64 << 10
    /// libcurl's codes for bytes that were not consumed, a callback that ends the transfer, a timeout and a reset.
    private static let refused: Int32 = 23
    private static let aborted: Int32 = 42
    private static let timeout: Int32 = 28
    private static let reset: Int32 = 56

    init(_ transport: HostTransport, _ options: ClientOptions) {
        self.transport = transport
        userAgent = options.userAgent
    }

    // MARK: An attempt

    override func attempt(milliseconds: Int64) -> End {
        let start = csystem_monotonic_ms()
        let deadline = milliseconds == 0 ? Int64.max : start &+ milliseconds
        guard let sent = prepare(milliseconds, nil) else { return end(Self.aborted) }
        sent.send(over: transport)
        guard let reply = sent.wait(until: deadline) else { return end(Self.timeout) }
        let due = csystem_monotonic_ms() &+ min(reply.delayMilliseconds, Int64(Int32.max))
        csystem_sleep_until(min(due, deadline))
        if due >= deadline && reply.delayMilliseconds > 0 { return end(Self.timeout) }
        self.reply = reply
        return end(feed() ?? Self.refused)
    }

    override func begin(in loop: OpaquePointer, milliseconds: Int64) -> End? {
        guard let sent = prepare(milliseconds, owner) else { return end(Self.aborted) }
        sent.send(over: transport)
        return ended(by: csystem_monotonic_ms(), deadline: .max)
    }

    override func ended(by now: Int64, deadline: Int64) -> End? {
        guard let exchange else { return nil }
        if deadline <= now { return end(Self.timeout) }
        if reply == nil, let found = exchange.replied {
            reply = found
            dueAt = found.delayMilliseconds == 0 ? 0 : now &+ min(found.delayMilliseconds, Int64(Int32.max))
        }
        guard reply != nil, dueAt <= now, !transfer.isPaused else { return nil }
        return feed().map { end($0) }
    }

    override func alarm(_ deadline: Int64) -> Int64 { reply == nil || dueAt == 0 ? deadline : min(deadline, dueAt) }

    override func stop(in loop: OpaquePointer, _ code: Int32) -> End { end(code) }
    override func pause() { transfer.isPaused = true }
    override func resume() -> Int32 {
        transfer.isPaused = false
        return 0
    }

    /// The exchange for the transport; nil if the request body cannot be read.
    private func prepare(_ milliseconds: Int64, _ owner: SubmittedTransfer?) -> TransportExchange? {
        let exchange = transfer.exchange
        transfer.recorder?.begins(exchange)
        streams = exchange.streams
        failure = nil
        taken = nil
        reply = nil
        var headers = exchange.headers
        if let userAgent, !userAgent.isEmpty, headers.index(of: "user-agent") == nil {
            headers.append(HeaderField("User-Agent", userAgent))
        }
        var body = exchange.body
        if let receiver = streams?.receiver {
            do throws(Failure) { try receiver.prepare(&headers, exchange.method) } catch {
                streams?.fail(error)
                return nil
            }
        }
        if let upload = exchange.upload {
            guard let whole = read(upload) else { return nil }
            body = Text(whole)
        }
        let made = TransportExchange(exchange, body, headers, milliseconds, owner)
        self.exchange = made
        return made
    }

    /// Reads the whole body: a transport receives it as one string.
    private func read(_ upload: Upload) -> Bytes? {
        guard upload.begin() else { return nil }
        var whole: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Self.piece)
        while true {
            switch buffer.withUnsafeMutableBytes({ upload.step(into: $0) }) {
            case .bytes(0):
                return streams?.tell(progress(sent: whole.count, received: 0)) == false ? nil : Bytes(whole)
            case .bytes(let count):
                if count > Limits.responseBytes &- whole.count {
                    streams?.fail(
                        Failure(.limit, "the request body is over \(Limits.responseBytes) bytes, the limit of a transport"))
                    return nil
                }
                whole.append(contentsOf: buffer[..<min(count, buffer.count)])
            case .later:
                streams?.fail(
                    Failure(.callback, "the function that reads the body paused the transfer; a transport cannot pause"))
                return nil
            case .failed: return nil
            }
        }
    }

    private func progress(sent: Int, received: Int) -> TransferProgress {
        var progress = TransferProgress()
        progress.sent = Int64(sent)
        progress.toSend = Int64(sent)
        progress.received = Int64(received)
        return progress
    }

    // MARK: The reply

    /// Processes the reply.  Returns the code with which the attempt ends, or nil while the transfer is paused.
    private func feed() -> Int32? {
        guard let reply else { return nil }
        if let failure = reply.failure {
            self.failure = failure
            return reply.curlCode != 0
                ? reply.curlCode
                : failure.status == .transfer ? Self.reset : failure.status == .timeout ? Self.timeout : Self.aborted
        }
        if reply.curlCode != 0 { return reply.curlCode }
        if taken == nil {
            guard feedHead(reply) else { return Self.refused }
            taken = 0
        }
        let isBodiless = transfer.exchange.method.equals("HEAD") || reply.status == 204 || reply.status == 304
        let body = reply.body
        defer { withExtendedLifetime(body) {} }
        while !isBodiless, let place = taken, place < body.count {
            let count = min(Self.piece, body.count &- place)
            let got = transfer.take(UnsafeRawBufferPointer(rebasing: body.buffer[place..<(place &+ count)]))
            if HandleTransfer.isPause(got) { return nil }
            if got != count { return Self.refused }
            taken = place &+ count
            if streams?.tell(progress(sent: 0, received: place &+ count)) == false { return Self.aborted }
        }
        return 0
    }

    private func feedHead(_ reply: TransportReply) -> Bool {
        func line(_ bytes: Bytes) -> Bool {
            bytes.storage.withUnsafeBytes { transfer.take(head: $0) == $0.count }
        }
        guard line("HTTP/0.0 \(reply.status)\r\n") else { return false }
        for field in reply.headers {
            // The body of a reply is already decoded, so that these headers would be wrong.
            if field.name.equalsIgnoringCase("content-encoding") || field.name.equalsIgnoringCase("transfer-encoding") {
                continue
            }
            guard line("\(field.name): \(field.value)\r\n") else { return false }
        }
        return line("\r\n")
    }

    private func end(_ code: Int32) -> End {
        exchange?.end()
        exchange = nil
        reply = nil
        streams = nil
        guard code == 0, transfer.isRedirecting, let location = transfer.location else { return End(code: code) }
        return End(code: code, redirect: Text(URIReference(location).resolved(against: transfer.exchange.url.bytes)))
    }

    // MARK: The end

    override func failure(_ action: TransferState.Action, _ options: ClientOptions, _ deadline: Int64) -> Failure {
        let recorder = transfer.recorder
        var told = transfer.exchange.streams?.failure
        if told == nil, case .fail(.curl) = action { told = failure }
        failure = nil
        var fault = TransferState.Fault.disorder
        if case .fail(let found) = action { fault = found }
        let failure =
            told
            ?? TransferFailure(
                fault: fault, origin: Origin(of: transfer.exchange.url)?.text ?? "the service", options: options,
                deadlineMilliseconds: deadline, maximumBodyBytes: transfer.rules.bodyBytes,
                maximumRedirects: transfer.rules.redirects, wasConnected: true, received: transfer.received
            ).failure
        transfer.forget()
        return recorder?.failed(failure) ?? failure
    }
}
