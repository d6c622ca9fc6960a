// The targets of the body of a success.  The body of a failure stays in memory, for its error.

internal import CSystem
import RoutableCore

/// A target of one of the kinds below, for one transfer.  Used by the thread that performs the transfer.
open class Receiver: @unchecked Sendable {
    enum Begun {
        /// The receiver consumes the body.
        case here
        /// The body is stored in memory, as without a receiver.
        case memory
        /// The attempt ends, and another one begins.
        case again
        case failed(Failure)
    }

    enum Taken {
        case all
        case later
        case failed(Failure)
    }

    enum Ended {
        /// The transfer continues with the result of the attempt.
        case proceed
        /// Another attempt at once.
        case again
        /// Another attempt after a wait.
        case wait(Retry)
        case failed(Failure)
    }

    // Public, like the class: the compiler takes an internal initializer for unused, and leaves its stub in two object files.
    public init() {}

    /// Whether the header Accept that the operation declares asks for what is received here; otherwise `prepare` adds another one.
    func isAsked(by accept: UnsafeRawBufferPointer) -> Bool { true }

    /// Adds headers to the next attempt.
    func prepare(_ headers: inout HeaderBlock, _ method: Bytes) throws(Failure) {
        // The length of an encoded body differs from that of the bytes that arrive here.
        if headers.index(of: "accept-encoding") == nil { headers.append(HeaderField("Accept-Encoding", "identity")) }
    }

    /// Called with the head of a response that is not a redirect to follow.
    func begin(_ head: ResponseHead) -> Begun { Self.isSuccess(head.status) ? .here : .memory }

    func take(_ bytes: UnsafeRawBufferPointer, _ streams: TransferStreams) -> Taken { .all }

    /// The attempt has ended with this CURLcode; `isHere`: the receiver consumed its body.
    func end(_ code: Int32, isHere: Bool) -> Ended { .proceed }

    /// Whether the transfer may be repeated after the bytes that were received.
    var mayRepeat: Bool { true }
    /// The length of the body that several ranges were combined to; nil if the body is that of the last response.
    var wholeLength: Int64? { nil }
    /// The number of bytes that were received before this attempt.
    var offset: Int64 { 0 }

    static func isSuccess(_ status: Int32) -> Bool { status >= 200 && status < 300 && status != 204 && status != 205 }
}

/// Passes the body to a function of the program.
final class FunctionReceiver: Receiver, @unchecked Sendable {
    private let function: BodyFunction
    private var isTouched = false

    init(_ function: BodyFunction) { self.function = function }

    override func take(_ bytes: UnsafeRawBufferPointer, _ streams: TransferStreams) -> Taken {
        switch streams.ask(.failed, { function.take(bytes) }) {
        case .all:
            isTouched = true
            return .all
        case .later:
            return streams.mayPause("the function that receives the body") ? .later : .failed(streams.failure ?? Self.refused)
        case .failed: return .failed(Self.refused)
        }
    }

    private static var refused: Failure { Failure(.callback, "the function that receives the body failed") }

    override var mayRepeat: Bool { !isTouched }
}

/// Writes the body to a descriptor of the program.
final class DescriptorReceiver: Receiver, @unchecked Sendable {
    private let descriptor: Int32
    private var isTouched = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    override func take(_ bytes: UnsafeRawBufferPointer, _ streams: TransferStreams) -> Taken {
        guard let start = bytes.baseAddress else { return .all }
        isTouched = true
        let code = csystem_write_all(descriptor, start, bytes.count)
        return code == 0 ? .all : .failed(.file("written", "the descriptor \(descriptor)", code))
    }

    override var mayRepeat: Bool { !isTouched }
}

extension Receiver {
    static func make(_ target: BodyTarget) -> Receiver {
        switch target.kind {
        case .function: return target.function.map { FunctionReceiver($0) } ?? Receiver()
        case .descriptor: return DescriptorReceiver(target.descriptor)
        case .file: return FileReceiver(target.path, resumes: target.resumes)
        }
    }
}
