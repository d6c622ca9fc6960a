// The callbacks of libcurl: pass bytes to the state machine, and to the body that it selects.

internal import CCurl
internal import CSystem
import RoutableCore

/// The receiving side of a handle.  The callbacks are called by the thread that performs the transfer, and no other thread
/// uses the object during the transfer.
final class HandleTransfer {
    private var state = TransferState()
    private var body: [UInt8] = []
    /// The target of the body of the current response; nil for most.
    private var receiver: Receiver?
    /// Whether the receiver requires another attempt.
    private var isToRepeat = false
    /// The object with the decoders of the handle; nil for a transport.
    private var side: OpaquePointer?
    /// Set by the program: no body bytes are consumed while this is true.
    var isPaused = false

    /// The buffer is reserved for the stated length up to this limit; beyond, it grows as the body arrives.
    private static let trustedLength = 1 << 20
    /// The maximum capacity of a buffer that is kept for the next transfer.
    private static let keptLength = 256 << 10

    /// The exchange to attempt.
    var exchange: Exchange { state.exchange }
    var rules: TransferState.Rules { state.rules }
    var isRedirecting: Bool { state.isRedirecting }
    var recorder: TraceRecorder? { state.recorder }
    func noteWait(_ milliseconds: Int64) { state.noteWait(milliseconds) }
    /// The number of bytes of the body so far.
    var received: Int { state.bodyCount }

    func receive(_ event: TransferState.Event) -> TransferState.Action { state.receive(event) }
    func begin(_ exchange: consuming Exchange, _ policy: TransferPolicy) -> TransferState.Action {
        state.begin(exchange, policy.sharedRules, policy.recorder)
    }
    func abandon() {
        state.abandon()
        forget()
    }
    func suspend() -> TransferState.Suspended { state.suspend() }
    /// Processes the end of an attempt.
    func finished(_ end: Carrier.End) -> TransferState.Action {
        guard let streams = state.exchange.streams, let receiver = streams.receiver else {
            return state.receive(.finished(end.code, redirect: end.redirect))
        }
        let isHere = self.receiver != nil
        self.receiver = nil
        if isToRepeat {
            isToRepeat = false
            return state.receive(.repeated)
        }
        // libcurl may report another code for a failure of the streams, or none.
        if streams.failure != nil { return state.receive(.finished(Self.refused, redirect: nil)) }
        switch receiver.end(end.code, isHere: isHere) {
        case .proceed: return state.receive(.finished(end.code, redirect: end.redirect))
        case .again: return state.receive(.repeated)
        case .wait(let retry): return state.receive(.interrupted(retry, end.code))
        case .failed(let failure):
            streams.fail(failure)
            return state.receive(.finished(Self.refused, redirect: nil))
        }
    }

    func resume(_ suspended: TransferState.Suspended) -> TransferState.Action { state.resume(suspended) }

    /// The response.  Its body shares the buffer unless the buffer is much larger: the next transfer reuses the buffer if the response has
    /// been released by then.  Allocating memory for each transfer would cost more than the transfer.
    func deliver() -> Answer {
        let fits = body.capacity <= body.count &+ body.count / 2 &+ 1024
        var status = state.head.status
        var isElsewhere = false
        var headers = state.head.headers
        if let receiver = state.exchange.streams?.receiver, Receiver.isSuccess(status) {
            isElsewhere = true
            if let length = receiver.wholeLength { (status, headers) = (200, Self.whole(headers, length)) }
        }
        var answer = Answer(
            status: status, headers: headers, body: fits ? Text(sharing: &body) : Text(Bytes(body)),
            url: state.exchange.shownURL ?? state.exchange.url, isElsewhere: isElsewhere)
        answer.trace = state.recorder?.trace
        answer.httpVersion = state.head.version
        answer.sent = state.exchange.sent
        forget()
        return answer
    }

    /// The headers of a body that was combined from several ranges, like those of one complete response (RFC 9110 section 15.3.7.3).
    @inline(never)
    private static func whole(_ headers: HeaderBlock, _ length: Int64) -> HeaderBlock {
        var headers = headers
        headers.remove("Content-Range")
        headers.set(HeaderField("Content-Length", "\(Int(length))"))
        return headers
    }

    /// Releases the request of the program, and a large buffer.
    func forget() {
        state.forget()
        receiver = nil
        isPaused = false
        if body.capacity > Self.keptLength { body = [] }
    }

    /// Processes a line of a head.  Returns the result for libcurl: continue, or end the transfer.
    @_optimize(speed)
    func take(head line: UnsafeRawBufferPointer) -> Int {
        if state.takeField(line) { return line.count }
        return take(line: line) ? line.count : line.isEmpty ? 1 : 0
    }

    /// Returns whether the transfer continues.
    private func take(line: UnsafeRawBufferPointer) -> Bool {
        switch state.receive(.line(line)) {
        case .proceed: return true
        case .expect(let count):
            if let side { decode(side) }
            body.removeAll(keepingCapacity: true)
            if !Memory.has(min(count, Self.trustedLength) &+ 1) { return false }
            body.reserveCapacity(min(count, Self.trustedLength) &+ 1)
            if let streams = state.exchange.streams, let receiver = streams.receiver, !isRedirecting {
                return divert(streams, to: receiver)
            }
            return true
        default: return false
        }
    }

    /// Sets the content codings of the body that follows.  The body of a redirect is counted, not decoded.
    private func decode(_ side: OpaquePointer) {
        ccurl_side_forget(side)
        if !state.head.isEncoded || isRedirecting { return }
        let headers = state.head.headers
        for index in 0..<headers.count where headers.name(index).isName("content-encoding") {
            ccurl_side_coding(side, headers.value(index).baseAddress, headers.value(index).count)
        }
    }

    /// Passes the head to the receiver.  Returns whether the transfer continues.
    @inline(never)
    private func divert(_ streams: TransferStreams, to receiver: Receiver) -> Bool {
        self.receiver = nil
        switch receiver.begin(state.head) {
        case .here: self.receiver = receiver
        case .memory: break
        case .again:
            isToRepeat = true
            return false
        case .failed(let failure):
            streams.fail(failure)
            return false
        }
        return true
    }

    /// Processes bytes of the body.  Returns the result for libcurl: all bytes were consumed, pause, or end the transfer.
    func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        if isPaused, !bytes.isEmpty { return Int(CURL_WRITEFUNC_PAUSE) }
        if let receiver, let streams = state.exchange.streams { return take(bytes, streams, receiver) }
        return take(body: bytes) ? bytes.count : bytes.isEmpty ? 1 : 0
    }

    /// Whether a result of `take` pauses the transfer.
    static func isPause(_ taken: Int) -> Bool { taken == Int(CURL_WRITEFUNC_PAUSE) }

    /// The headers and the status of the current response.
    var headers: HeaderBlock { state.head.headers }
    var status: Int32 { state.head.status }
    /// A copy of the body so far, if it is in memory.
    var content: Text { Text(Bytes(body)) }

    /// The target of the redirect of the current response, as the service sent it.
    var location: Bytes? { state.head.headers.value(of: "Location") }

    /// libcurl's code for bytes that a callback did not consume.
    private static let refused: Int32 = 23

    @inline(never)
    private func take(_ bytes: UnsafeRawBufferPointer, _ streams: TransferStreams, _ receiver: Receiver) -> Int {
        let end = bytes.isEmpty ? 1 : 0
        if streams.failure != nil { return end }
        switch receiver.take(bytes, streams) {
        case .later: return Int(CURL_WRITEFUNC_PAUSE)
        case .failed(let failure):
            streams.fail(failure)
            return end
        case .all:
            switch state.receive(.body(bytes.count)) {
            case .keep, .proceed: return bytes.count
            default: return end
            }
        }
    }

    /// Returns whether the transfer continues.
    private func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        switch state.receive(.body(bytes.count)) {
        case .proceed: return true
        case .keep: return keep(bytes)
        default: return false
        }
    }

    /// Appends the bytes to the buffer; returns false if there is no memory.
    private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return bytes.isEmpty }
        let before = body.count
        if before &+ bytes.count > body.capacity, !Memory.has(max(before &+ bytes.count, 2 &* body.capacity)) { return false }
        body.append(addingCapacity: bytes.count) { span in
            span.withUnsafeMutableBufferPointer { memory, count in
                guard let place = memory.baseAddress, bytes.count <= memory.count &- count else { return }
                csystem_copy(place + count, start, bytes.count)
                count &+= bytes.count
            }
        }
        return body.count &- before == bytes.count
    }

    // MARK: Callbacks

    /// Sets the callbacks of the handle.  The object must exist as long as the handle is used.
    func attach(to curl: UnsafeMutableRawPointer, _ side: OpaquePointer) -> Int32 {
        self.side = side
        return ccurl_set_takers(
            curl, side,
            { bytes, size, count, user in
                guard let user, let line = HandleTransfer.buffer(bytes, size, count) else { return 0 }
                return Unmanaged<HandleTransfer>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.take(head: line) }
            },
            { bytes, size, count, user in
                guard let user, let bytes = HandleTransfer.buffer(bytes, size, count) else { return 0 }
                return Unmanaged<HandleTransfer>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.take(bytes) }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The bytes are valid during the call: libcurl owns them, and the handle owns the transfer.
    @inline(__always)
    private static func buffer(_ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int) -> UnsafeRawBufferPointer? {
        let (length, overflow) = size.multipliedReportingOverflow(by: count)
        if overflow || length < 0 { return nil }
        return UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : length)
    }
}
