// libcurl as a transport: performs the attempts that a tape records.

internal import CCurl
package import RoutableCore

extension ConnectionPool {
    /// A pool that performs single attempts with the options of a client: redirects, retries, credentials and headers are the client's.
    fileprivate static func recorded(_ options: ClientOptions) throws(Failure) -> ConnectionPool {
        var inner = options
        inner.base = nil
        inner.headers = []
        inner.originHeaders = []
        inner.query = Bytes()
        inner.retry = RetryRules()
        inner.followsRedirects = false
        inner.takesTimes = false
        inner.deadlineMilliseconds = -1
        let pool = try make(inner)
        try pool.engine().start()
        return pool
    }

    /// Performs an attempt of another pool, and replies to it later, from a thread of this one.
    fileprivate func perform(_ exchange: TransportExchange) {
        let transfer = RecordedTransfer(exchange)
        var sent = Exchange(method: exchange.method.bytes, url: exchange.url, headers: exchange.headers, body: exchange.body)
        sent.digest = exchange.digest
        var policy = policy
        policy.deadlineMilliseconds = exchange.timeoutMilliseconds
        exchange.onCancel { _ = transfer.cancel() }
        do throws(Failure) {
            try prepare(transfer, sent, policy, isQueued: false)
            try engine().submit(transfer)
        } catch { transfer.failed(error) }
    }
}

extension ClientOptions {
    /// Puts a function between the client and its transport, or libcurl if it records; otherwise, there is nothing below it.
    package mutating func insert(
        records: Bool, _ answer: @escaping @Sendable (_ exchange: TransportExchange, _ below: HostTransport?) -> Void
    ) throws(Failure) {
        var below = transport
        if below == nil, records {
            let pool = try ConnectionPool.recorded(self)
            recorded = pool
            below = HostTransport { pool.perform($0) }
        }
        isTaped = true
        let kept = below
        transport = HostTransport { answer($0, kept) }
    }
}

private final class RecordedTransfer: SubmittedTransfer, @unchecked Sendable {
    private let asked: TransportExchange

    init(_ exchange: TransportExchange) {
        asked = exchange
        super.init(wantsCall: true)
    }

    override func answered(_ answer: consuming Answer) { try? asked.reply(TransportReply(answer)) }  // libcurl has checked it

    /// The client reports, and retries, a failure of libcurl as its own.
    override func failed(_ failure: Failure) {
        var reply = TransportReply()
        switch failure.status {
        case .transfer: reply.curlCode = failure.fields.curlCode == 0 ? 56 : failure.fields.curlCode
        case .timeout: reply.curlCode = 28
        default: reply.failure = failure
        }
        try? asked.reply(reply)
    }
}

extension Exchange {
    /// The path of the URL in front of a path of the API; nil if the URL has another path.
    package func path(before path: Bytes) -> Bytes? {
        let bytes = url.buffer
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        var start = 0
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon &+ 3 < end, bytes[colon &+ 1] == UInt8(ascii: "/") {
            start = bytes[(colon &+ 3)..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
        }
        let place = end &- path.count
        // proof: both are indexes of the URL.
        guard place >= start, bytes[place..<end].elementsEqual(path.storage) else { return nil }
        return Bytes(UnsafeRawBufferPointer(rebasing: bytes[start..<place]))
    }
}

/// The environment of the process.
package enum Environment {
    /// Whether a variable is set, and not empty.
    package static func has(_ name: StaticString) -> Bool {
        ccurl_environment_text(name.utf8Start) != nil
    }
}
