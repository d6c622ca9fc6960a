// What libcurl calls back: bytes go to the state machine, and to the body as it says.

internal import CCurl
import RoutableCore

/// The receiving side of one handle.  The callbacks run on the thread that performs, while it performs; nobody else
/// touches the object meanwhile.
final class Transfer {
    private var state = TransferState()
    private var body: [UInt8] = []

    /// A stated length is believed this far; beyond, the body grows as it comes.
    private static let trustedLength = 1 << 20
    /// A larger buffer is not kept for the next transfer.
    private static let keptLength = 256 << 10

    /// The exchange to attempt.
    var exchange: Exchange { state.exchange }
    var rules: TransferState.Rules { state.rules }
    var isRedirecting: Bool { state.isRedirecting }
    /// Bytes of the body so far.
    var received: Int { state.bodyCount }

    func receive(_ event: TransferState.Event) -> TransferState.Action { state.receive(event) }
    func abandon() {
        state.abandon()
        forget()
    }
    func suspend() -> TransferState.Suspended { state.suspend() }
    func resume(_ suspended: TransferState.Suspended) -> TransferState.Action { state.resume(suspended) }

    /// The answer.  Its body is the buffer itself where it fits: the next transfer takes the buffer again if the
    /// answer is gone by then, and another one otherwise.  Memory that comes and goes costs more than the transfer.
    func deliver() -> Answer {
        let fits = body.capacity <= body.count &+ body.count / 2 &+ 1024
        body.append(0)
        let answer = Answer(
            status: state.head.status, headers: state.head.headers,
            body: SharedText(terminated: fits ? body : Array(body[...])), url: state.exchange.url)
        forget()
        return answer
    }

    /// Lets go of what the host sent, and of a large buffer.
    func forget() {
        state.forget()
        if body.capacity > Self.keptLength { body = [] }
    }

    /// Whether the transfer goes on.
    @_optimize(speed)
    private func take(head line: UnsafeRawBufferPointer) -> Bool {
        switch state.receive(.line(line)) {
        case .proceed: return true
        case .expect(let count):
            body.removeAll(keepingCapacity: true)
            body.reserveCapacity(min(count, Self.trustedLength) &+ 1)
            return true
        default: return false
        }
    }

    /// Whether the transfer goes on.
    private func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        switch state.receive(.body(bytes.count)) {
        case .proceed: return true
        case .keep:
            body.append(contentsOf: bytes)
            return true
        default: return false
        }
    }

    // MARK: Callbacks

    /// Makes the handle report here.  The object must outlive the handle's use.
    func attach(to curl: UnsafeMutableRawPointer) -> Int32 {
        ccurl_set_takers(
            curl,
            { bytes, size, count, user in
                Transfer.hand(bytes, size, count, user) { $0.take(head: $1) }
            },
            { bytes, size, count, user in
                Transfer.hand(bytes, size, count, user) { $0.take(body: $1) }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Returns the length for "go on", another number for "stop".
    private static func hand(
        _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ user: UnsafeMutableRawPointer?,
        _ take: (Transfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        let (length, overflow) = size.multipliedReportingOverflow(by: count)
        guard let user, !overflow, length >= 0 else { return 0 }
        // libcurl owns the bytes for the time of the call.  The handle owns the transfer.
        let buffer = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : length)
        let goesOn = Unmanaged<Transfer>.fromOpaque(user)._withUnsafeGuaranteedRef { take($0, buffer) }
        return goesOn ? length : length == 0 ? 1 : 0
    }
}
