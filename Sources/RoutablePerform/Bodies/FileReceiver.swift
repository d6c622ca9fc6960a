// Writes a body into a file that is complete or absent: into a temporary file that is renamed at the end, and resumed after
// a failure.
//
// Beside `NAME`, `NAME.part` contains the received bytes, and `NAME.part.etag` the validator of their version.  Only a strong
// validator is used (RFC 9110 section 13.1.5), so that bytes of two versions are never mixed.

internal import CSystem
import RoutableCore

final class FileReceiver: Receiver, @unchecked Sendable {
    private let path: Bytes
    private let resumes: Bool
    private var descriptor: Int32 = -1
    private var written: Int64 = 0
    /// The validator of the version that the written bytes belong to.
    private var validator: Bytes?
    /// The offset of the range that the attempt requests; 0 if it requests the whole file.
    private var asked: Int64 = 0
    /// The total size if a range is being received; otherwise nil.
    private var promised: Int64?
    /// Whether the program set a Range header: then the received range is the whole file.
    private var hasOwnRange = false
    private var isWhole = false
    private let forks = csystem_fork_count()

    init(_ path: Bytes, resumes: Bool) {
        self.path = path
        self.resumes = resumes
    }

    private var part: Bytes { "\(path).part" }
    private var note: Bytes { "\(path).part.etag" }

    /// Keeps the received bytes for another transfer, if a validator can show whether it receives the same version.
    deinit {
        guard descriptor >= 0 else { return }
        if csystem_fork_count() == forks, !isWhole, !resumes || validator == nil || written == 0 { remove() }
        csystem_close(descriptor)
    }

    private func remove() {
        _ = part.withCString { csystem_remove($0) }
        _ = note.withCString { csystem_remove($0) }
    }

    // MARK: Before an attempt

    override func prepare(_ headers: inout HeaderBlock, _ method: Bytes) throws(Failure) {
        try super.prepare(&headers, method)
        if descriptor < 0 { try open() }
        asked = 0
        promised = nil
        hasOwnRange = headers.index(of: "range") != nil
        guard written > 0, let validator, method.equals("GET"), !hasOwnRange else { return }
        asked = written
        headers.append(HeaderField("Range", "bytes=\(Int(written))-"))
        headers.append(HeaderField("If-Range", validator))
    }

    private func open() throws(Failure) {
        var length: Int64 = 0
        let code = part.withCString { csystem_open_writing($0, &descriptor, &length) }
        if code != 0 {
            descriptor = -1
            throw .file("written", part, code)
        }
        guard resumes, length > 0, let noted = readNote() else { return }
        written = length
        validator = noted
        if let code = continued(at: length) { throw .file("written", part, code) }
    }

    private func readNote() -> Bytes? {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard note.withCString({ csystem_read_file($0, 8192, &bytes, &count) }) == 0, let bytes else { return nil }
        defer { csystem_free(bytes) }
        let text = Bytes(UnsafeRawBufferPointer(start: bytes, count: count))
        return text.isEmpty || !HeaderField.isValidValue(text) ? nil : text
    }

    private func continued(at length: Int64) -> Int32? {
        let code = csystem_continue_at(descriptor, length)
        if code != 0 { return code }
        written = length
        return nil
    }

    // MARK: The response

    override func begin(_ head: ResponseHead) -> Begun {
        if asked > 0, head.status == 416 || head.status == 412 { return forgotten }
        guard Self.isSuccess(head.status) else { return .memory }
        if head.status == 206, !hasOwnRange {
            if asked == 0 {
                return .failed(Failure(.transfer, "the service returned a range of the file that was not requested"))
            }
            // A service may send less than was requested (RFC 9110 section 14.2): such a range is not the rest of the file.
            guard !head.isEncoded, let range = ContentRange(head), range.first == asked, range.isLast, isSameVersion(head)
            else { return forgotten }
            promised = range.last &+ 1  // at most the total size
            return .here
        }
        if let code = continued(at: 0) { return .failed(.file("written", part, code)) }
        validator = hasOwnRange ? nil : Self.validator(head)
        return noted()
    }

    /// Starts again without a range; at most once, because no range is requested afterwards.
    private var forgotten: Begun {
        validator = nil
        asked = 0
        if let code = continued(at: 0) { return .failed(.file("written", part, code)) }
        return .again
    }

    private func isSameVersion(_ head: ResponseHead) -> Bool {
        guard let tag = head.headers.value(of: "ETag"), let validator, validator.hasPrefix("\"") else { return true }
        return tag == validator
    }

    /// A strong entity tag, or a date that is strong because it is at least a minute before the response (RFC 9110 section 8.8.2.2).
    private static func validator(_ head: ResponseHead) -> Bytes? {
        if head.isEncoded || head.headers.value(of: "Accept-Ranges").map({ $0.isName("none") }) ?? false { return nil }
        if let tag = head.headers.value(of: "ETag") {
            return tag.count > 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") ? tag : nil
        }
        guard let changed = head.headers.value(of: "Last-Modified"), let date = head.headers.value(of: "Date"),
            let then = changed.storage.withUnsafeBytes({ HTTPDate.seconds($0) }),
            let now = date.storage.withUnsafeBytes({ HTTPDate.seconds($0) }), now >= then, now &- then >= 60
        else { return nil }
        return changed
    }

    /// Writes the validator to its file, before the first byte of the body is written.
    private func noted() -> Begun {
        guard resumes, let validator else {
            _ = note.withCString { csystem_remove($0) }
            return .here
        }
        var file: Int32 = -1
        var length: Int64 = 0
        var code = note.withCString { csystem_open_writing($0, &file, &length) }
        if code == 0 {
            code = csystem_continue_at(file, 0)
            if code == 0 {
                code = validator.storage.withUnsafeBytes {
                    $0.baseAddress.map { csystem_write_all(file, $0, validator.count) } ?? 0
                }
            }
            csystem_close(file)
        }
        return code == 0 ? .here : .failed(.file("written", note, code))
    }

    override func take(_ bytes: UnsafeRawBufferPointer, _ streams: TransferStreams) -> Taken {
        guard let start = bytes.baseAddress else { return .all }
        let code = csystem_write_all(descriptor, start, bytes.count)
        if code != 0 {
            validator = nil  // the number of bytes that were written is unknown
            return .failed(.file("written", part, code))
        }
        written &+= Int64(bytes.count)
        return .all
    }

    override func end(_ code: Int32, isHere: Bool) -> Ended {
        guard code == 0, isHere else { return .proceed }
        if let promised, written != promised {
            if case .failed(let failure) = forgotten { return .failed(failure) }
            return .again
        }
        var code = csystem_sync(descriptor)
        if code == 0 { code = part.withCString { part in path.withCString { csystem_rename(part, $0) } } }
        if code != 0 { return .failed(.file("written", path, code)) }
        isWhole = true
        _ = note.withCString { csystem_remove($0) }
        return .proceed
    }

    override var offset: Int64 { asked }
    /// The size of the whole file, of which the last response contained the rest.
    override var wholeLength: Int64? { promised }
}

/// The Content-Range header of a part in bytes (RFC 9110 section 14.4).
struct ContentRange: Equatable {
    let first: Int64
    let last: Int64
    /// nil if it is unknown.
    let total: Int64?
    /// Whether the range is known to end at the end of the file.
    var isLast: Bool { total.map { last == $0 &- 1 } ?? false }  // the total is above `last`, which is not negative

    init?(_ head: ResponseHead) {
        guard let text = head.headers.value(of: "Content-Range") else { return nil }
        self.init(text)
    }

    init?(_ text: Bytes) {
        guard text.count > 6, Bytes(text.storage[..<6]).isName("bytes ") else { return nil }
        let halves = Bytes(text.storage[6...]).split(on: UInt8(ascii: "/"))
        guard halves.count == 2 else { return nil }
        let places = halves[0].split(on: UInt8(ascii: "-"))
        guard places.count == 2, let first = Decimal.parse(places[0]), let last = Decimal.parse(places[1]), first >= 0,
            last >= first
        else { return nil }
        self.first = first
        self.last = last
        if halves[1] == "*" {
            total = nil
        } else {
            guard let total = Decimal.parse(halves[1]), total > last else { return nil }
            self.total = total
        }
    }
}
