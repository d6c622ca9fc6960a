// Reads a streamed body while it is sent, piece by piece, and rewinds it if possible.

internal import CCurl
internal import CSystem
import RoutableCore

/// Reads a body for one transfer.  Used by the thread that performs the transfer.
final class Upload: @unchecked Sendable {
    let body: StreamedBody
    private let streams: TransferStreams
    /// The length of each piece; -1 if it is unknown.
    private var lengths: [Int64] = []
    private var index = 0
    private var offset: Int64 = 0
    private var descriptor: Int32 = -1
    /// Whether bytes were read since the start.
    private var isTouched = false
    private let wasTouched: Bool
    /// Whether a piece is not a regular file: its bytes can be read only once.
    private var hasPipe = false
    /// The sum of the lengths of all pieces; -1 if it is unknown.
    private(set) var length: Int64 = -1
    /// Set by the program: nothing is read while this is true.
    var isPaused = false

    init(_ body: StreamedBody, _ streams: TransferStreams) {
        self.body = body
        self.streams = streams
        // An earlier transfer of the same request may have read a source.
        wasTouched = body.pieces.contains { $0.source?.isTouched == true }
        isTouched = wasTouched
    }

    deinit { close() }

    private func close() {
        if descriptor >= 0 { csystem_close(descriptor) }
        descriptor = -1
    }

    /// Whether the body can be sent again.
    var canRepeat: Bool {
        !isTouched || (!hasPipe && body.pieces.allSatisfy { $0.source?.canRewind ?? true })
    }

    // MARK: The start

    /// Goes to the start, and determines the length.  Returns false after setting the failure of the transfer's streams.
    func begin() -> Bool {
        if !rewind() { return false }
        lengths = []
        length = 0
        hasPipe = false
        for piece in body.pieces {
            var count: Int64 = -1
            if let memory = piece.memory {
                count = Int64(memory.count)
            } else if let source = piece.source {
                count = source.length ?? -1
            } else if let file = piece.file {
                let code = file.withCString { csystem_file_length($0, &count) }
                if code != 0 {
                    streams.fail(.file("read", file, code))
                    return false
                }
                if count < 0 { hasPipe = true }
            }
            lengths.append(count)
            let (sum, overflow) = length.addingReportingOverflow(count)
            length = length < 0 || count < 0 || overflow ? -1 : sum
        }
        return true
    }

    private func rewind() -> Bool {
        close()
        index = 0
        offset = 0
        guard isTouched else { return true }
        guard canRepeat else {
            streams.fail(
                Failure(
                    .body,
                    wasTouched
                        ? "an earlier transfer read the body, which cannot be read a second time; set the body again"
                        : "the request must be sent again, but its body cannot be read a second time"))
            return false
        }
        for piece in body.pieces {
            if let source = piece.source, !streams.ask(false, { source.rewind() }) {
                streams.fail(Failure(.callback, "the function that rewinds the body failed"))
                return false
            }
        }
        isTouched = false
        return true
    }

    // MARK: Reading

    enum Step { case bytes(Int), later, failed }

    /// Reads the next bytes for libcurl.
    func step(into buffer: UnsafeMutableRawBufferPointer) -> Step {
        if isPaused { return .later }
        while index < body.pieces.count, index < lengths.count {
            let piece = body.pieces[index]
            let left = lengths[index] < 0 ? Int64.max : lengths[index] &- offset
            let room = Int(min(Int64(buffer.count), left))
            var count = 0
            if room > 0 {
                isTouched = true
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<room])
                if let memory = piece.memory {
                    let from = Int(truncatingIfNeeded: offset)  // below the number of bytes in memory
                    part.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory.buffer[from..<(from &+ room)]))
                    count = room
                } else if let file = piece.file {
                    guard let got = read(file, into: part) else { return .failed }
                    count = got
                } else if let source = piece.source {
                    switch streams.ask(.failed, { source.read(into: part) }) {
                    case .bytes(let got) where got <= room: count = max(0, got)
                    case .later: return streams.mayPause("the function that reads the body") ? .later : .failed
                    default:
                        streams.fail(Failure(.callback, "the function that reads the body failed"))
                        return .failed
                    }
                }
            }
            if count > 0 {
                offset &+= Int64(count)
                return .bytes(count)
            }
            if lengths[index] > offset {
                streams.fail(Failure(.body, "the body ended after \(Int(offset)) of \(Int(lengths[index])) bytes"))
                return .failed
            }
            close()
            index &+= 1
            offset = 0
        }
        return .bytes(0)
    }

    private func read(_ file: Bytes, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        if descriptor < 0 {
            var length: Int64 = 0
            let code = file.withCString { csystem_open_reading($0, &descriptor, &length) }
            if code != 0 {
                descriptor = -1
                streams.fail(.file("read", file, code))
                return nil
            }
        }
        guard let start = buffer.baseAddress else { return 0 }
        let got = csystem_read(descriptor, start, buffer.count)
        if got >= 0 { return Int(got) }
        streams.fail(.file("read", file, Int32(truncatingIfNeeded: 0 &- got)))
        return nil
    }

    // MARK: libcurl

    /// Sets this body for the next transfer of the handle.
    func attach(to curl: UnsafeMutableRawPointer) -> Int32 {
        ccurl_set_upload(
            curl, length,
            { bytes, size, count, user in
                let (room, overflow) = size.multipliedReportingOverflow(by: count)
                guard let user, let bytes, !overflow, room >= 0 else { return Int(CURL_READFUNC_ABORT) }
                let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: room)
                switch Unmanaged<Upload>.fromOpaque(user)._withUnsafeGuaranteedRef({ $0.step(into: buffer) }) {
                case .bytes(let count): return count
                case .later: return Int(CURL_READFUNC_PAUSE)
                case .failed: return Int(CURL_READFUNC_ABORT)
                }
            },
            { user, offset, origin in
                // libcurl rewinds the body when a reused connection turns out to be closed.
                guard let user, offset == 0, origin == 0 else { return 2 }
                return Unmanaged<Upload>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.canRepeat && $0.rewind() ? 0 : 2 }
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
