// Bodies that are read in pieces while they are sent, from memory, files and the host; targets of responses; progress.

/// A body that callbacks provide.  Only one transfer at a time may read it.
public final class BodySource: @unchecked Sendable {
    /// The result of a read.
    public enum Read: Sendable {
        /// The number of bytes that were read; 0 at the end.
        case bytes(Int)
        /// No bytes are available yet: the transfer pauses until it is resumed.
        case later
        /// The body cannot be read; the transfer fails.
        case failed
    }

    private let reader: (UnsafeMutableRawBufferPointer) -> Read
    private let rewinder: (() -> Bool)?
    private let release: (() -> Void)?
    /// The length; nil if it is unknown.
    public let length: Int64?
    /// Whether bytes were read since the start, also by an earlier transfer: the next one must rewind the body.
    package private(set) var isTouched = false

    /// Creates a body from functions.  Without `rewind`, the body can be read only once.
    public init(
        length: Int64?, read: @escaping (UnsafeMutableRawBufferPointer) -> Read, rewind: (() -> Bool)?,
        release: (() -> Void)?
    ) {
        self.length = length
        reader = read
        rewinder = rewind
        self.release = release
    }

    deinit { release?() }

    /// Whether the body can be read again, for a retry or a redirect.
    public var canRewind: Bool { rewinder != nil }
    /// Reads the next bytes into the buffer; `.bytes(0)` at the end.
    public func read(into buffer: UnsafeMutableRawBufferPointer) -> Read {
        isTouched = true
        return reader(buffer)
    }
    /// Rewinds the body to its start; returns false if it cannot be rewound.
    public func rewind() -> Bool {
        guard let rewinder, rewinder() else { return false }
        isTouched = false
        return true
    }
}

/// A body of pieces.  Immutable; each reader has its own position.
package struct StreamedBody: Sendable {
    /// The content of a piece: one of the three.
    package struct Piece: Sendable {
        package private(set) var memory: Text?
        package private(set) var file: Bytes?
        package private(set) var source: BodySource?

        package init(memory: Bytes) { self.memory = Text(memory) }
        package init(file: Bytes) { self.file = file }
        package init(source: BodySource) { self.source = source }
    }

    package let pieces: [Piece]
    /// As a part of multipart/form-data in a curl line; empty for a body of one piece.
    let forms: [Bytes]

    package init(_ pieces: [Piece]) { self.init(pieces, forms: []) }

    init(_ pieces: [Piece], forms: [Bytes]) {
        self.pieces = pieces
        self.forms = forms
    }
}

/// The target that receives the body of a success instead of memory.
package struct BodyTarget: Sendable {
    package enum Kind: Sendable { case function, descriptor, file }

    package let kind: Kind
    /// The function of the host, and its argument.
    package private(set) var function: BodyFunction?
    package private(set) var descriptor: Int32 = -1
    package private(set) var path = Bytes()
    /// Whether a file with the beginning of the body, from an earlier transfer, is continued.
    package private(set) var resumes = false

    package init(function: BodyFunction) {
        kind = .function
        self.function = function
    }

    package init(descriptor: Int32) {
        kind = .descriptor
        self.descriptor = descriptor
    }

    package init(file path: Bytes, resumes: Bool) {
        kind = .file
        self.path = path
        self.resumes = resumes
    }
}

/// A function of the host that receives bytes.
package final class BodyFunction: @unchecked Sendable {
    package enum Taken: Sendable {
        case all
        /// The bytes cannot be consumed yet: they are passed again when the transfer is resumed.
        case later
        case failed
    }

    private let taker: (UnsafeRawBufferPointer) -> Taken
    private let release: (() -> Void)?

    package init(take: @escaping (UnsafeRawBufferPointer) -> Taken, release: (() -> Void)?) {
        taker = take
        self.release = release
    }

    deinit { release?() }

    package func take(_ bytes: UnsafeRawBufferPointer) -> Taken { taker(bytes) }
}

/// The progress of a transfer, in bytes.  `toSend` and `toReceive` are totals; -1 if unknown or 0.
public struct TransferProgress: Sendable, Equatable {
    /// The number of bytes of the request body that were sent.
    public var sent: Int64 = 0
    /// The size of the request body.
    public var toSend: Int64 = -1
    /// The number of bytes of the response body that were received.
    public var received: Int64 = 0
    /// The size of the response body.
    public var toReceive: Int64 = -1

    /// The progress of a transfer that has not started.
    public init() {}
}

/// A function of the host that receives the progress of a transfer.
package final class ProgressFunction: @unchecked Sendable {
    private let teller: (TransferProgress) -> Bool
    /// The object behind the function, for the layer that made both.
    package let owner: (AnyObject & Sendable)?

    package init(owner: (AnyObject & Sendable)? = nil, tell: @escaping (TransferProgress) -> Bool) {
        self.owner = owner
        teller = tell
    }

    /// Whether the transfer continues.
    package func tell(_ progress: TransferProgress) -> Bool { teller(progress) }
}

/// The parts of a request that are not in memory; few requests have them.
package struct RequestStreams: Sendable {
    package var body: StreamedBody?
    package var target: BodyTarget?
    package var progress: ProgressFunction?

    package init(body: StreamedBody? = nil, target: BodyTarget? = nil, progress: ProgressFunction? = nil) {
        self.body = body
        self.target = target
        self.progress = progress
    }
}
