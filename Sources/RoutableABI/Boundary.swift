// Implements the conventions of routable.h in one place: strings, handles, options, and the conversion of failures to statuses.
//
// This module makes no routing decisions.  A function checks its pointers, makes one call into
// the layers below, and writes its outputs only after that call has returned.

internal import CRoutable
internal import CSystem
internal import RoutableCore

typealias ErrorOutput = UnsafeMutablePointer<OpaquePointer?>?

/// Runs a call, and converts a failure to a status and, if it is requested, an error object; if memory failed, this is the failure.
@inline(__always)
func attempt(_ error: ErrorOutput, _ body: () throws(Failure) -> Void) -> routable_status {
    let before = begun()
    do {
        try body()
        return ended(.ok, error, before)
    } catch let failure {
        return ended(failure, error, before)
    }
}

/// Like `attempt`, for calls with expected outcomes, for which there is no error object.
@inline(__always)
func attemptStatus(_ error: ErrorOutput, _ body: () throws(Failure) -> Status) -> routable_status {
    let before = begun()
    do {
        return ended(try body(), error, before)
    } catch let failure {
        return ended(failure, error, before)
    }
}

/// Like `attempt`, for a call that changes an object.  Once `body` has returned, the change is made, even if the reserve was used.  Therefore
/// `body` must call `Memory.check` before it changes anything.
@inline(__always)
func attemptChange(_ error: ErrorOutput, _ body: () throws(Failure) -> Void) -> routable_status {
    let before = begun()
    do {
        try body()
        return changed(.ok, error, before)
    } catch let failure {
        return ended(failure, error, before)
    }
}

/// Like `attemptChange`, for a call that takes something from an object.
@inline(__always)
func attemptTaking(_ error: ErrorOutput, _ body: () throws(Failure) -> Status) -> routable_status {
    let before = begun()
    do {
        return changed(try body(), error, before)
    } catch let failure {
        return ended(failure, error, before)
    }
}

@inline(never) private func begun() -> Int32 { csystem_call_begin() }

@inline(never) private func ended(_ status: Status, _ error: ErrorOutput, _ before: Int32) -> routable_status {
    if csystem_call_end(before) != 0 { return report(Memory.failure, error) }
    error?.pointee = nil
    return status.code
}

@inline(never) private func changed(_ status: Status, _ error: ErrorOutput, _ before: Int32) -> routable_status {
    if csystem_call_end(before) == 2 { return report(Memory.failure, error) }
    error?.pointee = nil
    return status.code
}

@inline(never) private func ended(_ failure: Failure, _ error: ErrorOutput, _ before: Int32) -> routable_status {
    let status = report(csystem_call_end(before) != 0 ? Memory.failure : failure, error)
    if error != nil { _ = csystem_call_end(before) }
    return status
}

@inline(never)
func report(_ failure: Failure, _ error: ErrorOutput) -> routable_status {
    error?.pointee = Handle.make(ErrorObject(failure))
    return failure.status.code
}

extension Status {
    /// The status in the type of the header.
    @inline(__always) var code: routable_status { routable_status(rawValue: rawValue) }
}

extension Failure {
    @inline(never) static func null(_ what: StaticString) -> Failure {
        var message = Bytes(static: what)
        message.append(" is NULL")
        return Failure(.argument, message)
    }
}

/// Conversions between objects and the pointers of a program.
enum Handle {
    /// Makes a new reference, which the `*_free` function of the type releases.
    static func make<Object: AnyObject>(_ object: Object) -> OpaquePointer {
        OpaquePointer(Unmanaged.passRetained(object).toOpaque())
    }

    /// Passes a new object to the caller, unless memory failed while it was made.
    @inline(__always) static func give<Object: AnyObject>(
        _ object: Object, _ out: UnsafeMutablePointer<OpaquePointer?>?
    ) throws(Failure) {
        try Memory.check()
        out?.pointee = make(object)
    }

    /// A pointer to an object that another object retains.
    static func borrow<Object: AnyObject>(_ object: Object) -> OpaquePointer {
        OpaquePointer(Unmanaged.passUnretained(object).toOpaque())
    }

    /// Releases a reference.  NULL is allowed.
    @inline(never) static func free<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
        guard let handle else { return }
        _ = Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeRetainedValue()
    }

    /// The object at a pointer.
    static func object<Object: AnyObject>(_ handle: OpaquePointer, _ type: Object.Type) -> Object {
        Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }

    /// Reads from an object without retaining it: the caller guarantees that it is not freed during the call.
    @inline(__always) static func read<Object: AnyObject, Value>(
        _ handle: OpaquePointer, _ type: Object.Type, _ value: (Object) -> Value
    ) -> Value {
        Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle))._withUnsafeGuaranteedRef { value($0) }
    }

    /// The object, or a failure with the name of the parameter.
    @inline(never) static func required<Object: AnyObject>(
        _ handle: OpaquePointer?, _ type: Object.Type, _ what: StaticString
    ) throws(Failure) -> Object {
        guard let handle else { throw .null(what) }
        return object(handle, type)
    }
}

extension Handle {
    /// The router of a handle, with the cached plans of its requests.
    @inline(never) static func knownRouter(_ handle: OpaquePointer) -> Router { object(handle, PlannedRouter.self).router }

    /// Like `knownRouter`, or a failure with the name of the parameter.
    @inline(never) static func router(_ handle: OpaquePointer?) throws(Failure) -> Router { try planned(handle).router }

    // A program never has a pointer to a Router itself.
    @available(*, unavailable, message: "the handle is a PlannedRouter: use Handle.router")
    static func required(_ handle: OpaquePointer?, _ type: Router.Type, _ what: StaticString) throws(Failure) -> Router {
        try router(handle)
    }

    @available(*, unavailable, message: "the handle is a PlannedRouter: use Handle.knownRouter")
    static func object(_ handle: OpaquePointer, _ type: Router.Type) -> Router { knownRouter(handle) }

    @inline(never) static func planned(_ handle: OpaquePointer?) throws(Failure) -> PlannedRouter {
        try required(handle, PlannedRouter.self, "router")
    }
}

/// An output pointer, or a failure with the name of the parameter.
func required<Pointee>(
    _ pointer: UnsafeMutablePointer<Pointee>?, _ what: StaticString
) throws(Failure) -> UnsafeMutablePointer<Pointee> {
    guard let pointer else { throw .null(what) }
    return pointer
}

// MARK: - Strings

extension routable_str {
    static var empty: routable_str { routable_str(ptr: emptyText, len: 0) }

    init(_ text: Text) { self.init(ptr: UnsafeRawPointer(text.start).assumingMemoryBound(to: CChar.self), len: text.count) }

    /// Bytes that the object of the call retains.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(ptr: bytes.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) } ?? emptyText, len: bytes.count)
    }

    /// The bytes without a copy.  They belong to the caller, and are valid during the call.
    @inline(never) func buffer(_ what: StaticString) throws(Failure) -> UnsafeRawBufferPointer {
        if len == 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
        guard let ptr else { throw .null(what) }
        guard len > 0 else {
            var message = Bytes(static: what)
            message.append(": its length is beyond the address space")
            throw Failure(.argument, message)
        }
        return UnsafeRawBufferPointer(start: ptr, count: len)
    }

    func bytes(_ what: StaticString) throws(Failure) -> Bytes { Bytes(try buffer(what)) }
}

/// A string given by pointer and length, without a copy; the length ROUTABLE_NUL_TERMINATED is replaced by that of the C string.
@inline(never) func input(
    _ pointer: UnsafePointer<CChar>?, _ length: Int, _ what: StaticString, perByte: Int = Memory.perJSONByte
) throws(Failure) -> UnsafeRawBufferPointer {
    var text = routable_str(ptr: pointer, len: length)
    if length == nulTerminated {
        guard let pointer else { throw .null(what) }
        text.len = strlen(pointer)
    }
    if text.len > 0, text.len < 1 << 48 { try Memory.admit(text.len &* perByte) }
    return try text.buffer(what)
}

/// ROUTABLE_NUL_TERMINATED, which is SIZE_MAX, in the type that Swift imports for size_t.
private let nulTerminated = -1

/// A NUL that is never freed, for empty strings that a program may print.
nonisolated(unsafe) private let emptyText: UnsafePointer<CChar> = {
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
}()

extension routable_string {
    /// An owned copy followed by a NUL; `routable_string_free` frees it.
    @inline(never) init(copying bytes: Bytes) {
        let storage = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count &+ 1)
        bytes.storage.withUnsafeBytes {
            if let start = $0.baseAddress { UnsafeMutableRawPointer(storage).copyMemory(from: start, byteCount: $0.count) }
        }
        storage[bytes.count] = 0
        self.init(ptr: storage, len: bytes.count)
    }
}

/// Passes an owned string to the caller, unless memory failed while it was made.
@inline(never) func give(_ text: Bytes, _ out: UnsafeMutablePointer<routable_string>) throws(Failure) {
    if !Memory.has(text.count) { throw Memory.failure }
    let given = routable_string(copying: text)
    do { try Memory.check() } catch {
        given.ptr?.deallocate()
        throw error
    }
    out.pointee = given
}

/// A C string, such as a name.
@inline(never) func nameText(_ pointer: UnsafePointer<CChar>?, _ what: StaticString) throws(Failure) -> Bytes {
    guard let pointer else { throw .null(what) }
    return Bytes(cString: pointer)
}

/// A C string, copied to a stable address.
@inline(never) func keptText(_ pointer: UnsafePointer<CChar>?, _ what: StaticString) throws(Failure) -> Text {
    guard let pointer else { throw .null(what) }
    return Text(cString: pointer)
}

/// An optional name.
func optionalName(_ pointer: UnsafePointer<CChar>?) -> Bytes? { pointer.map { Bytes(cString: $0) } }

extension [HeaderField] {
    /// The headers in a list of the caller.
    @inline(never) init(_ list: UnsafePointer<routable_header>?, _ count: Int, _ what: StaticString) throws(Failure) {
        self.init()
        if count == 0 { return }
        guard let list else { throw .null(what) }
        if count < 0 || count > 10_000 {
            var message = Bytes(static: what)
            message.append(" has more than 10000 headers")
            throw Failure(.limit, message)
        }
        for index in 0..<count {
            append(HeaderField(try list[index].name.bytes("a header's name"), try list[index].value.bytes("a header's value")))
        }
    }
}

// MARK: - Options

/// Reads an options struct of any version: members that an older caller does not have keep their defaults, and further members
/// of a newer caller must be zero.  `size` is the first member of each struct.
func options<Options>(_ pointer: UnsafePointer<Options>?, _ defaults: Options, _ what: StaticString) throws(Failure) -> Options
{
    guard let pointer else { return defaults }
    var result = defaults
    let size = try sizeToRead(UnsafeRawPointer(pointer), MemoryLayout<Options>.size, what)
    withUnsafeMutableBytes(of: &result) { $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: size)) }
    return result
}

/// The number of bytes to copy from an options struct to a struct of `ours` bytes.
@inline(never) private func sizeToRead(_ raw: UnsafeRawPointer, _ ours: Int, _ what: StaticString) throws(Failure) -> Int {
    let size = raw.loadUnaligned(as: Int.self)
    // The size of a struct of pointers is a multiple of the size of a pointer: any other size would divide a pointer.
    guard size >= MemoryLayout<Int>.size, size <= 65536, size & (MemoryLayout<Int>.alignment - 1) == 0 else {
        var message = Bytes(static: what)
        message.append(": the member size is not valid; initialize the struct with its _INIT macro")
        throw Failure(.argument, message)
    }
    if size > ours {
        for offset in ours..<size where raw.load(fromByteOffset: offset, as: UInt8.self) != 0 {
            var message = Bytes(static: what)
            message.append(" sets a member that this version of the library does not have")
            throw Failure(.unsupported, message)
        }
    }
    return min(size, ours)
}

/// Writes the part of a struct that the caller's size allows.  Returns whether the size is valid.
func write<Whole>(_ whole: Whole, _ out: UnsafeMutablePointer<Whole>) -> Int32 {
    let raw = UnsafeMutableRawPointer(out)
    let size = raw.load(as: Int.self)
    let least = MemoryLayout<Int>.size
    guard size >= least, size & (least &- 1) == 0, size <= 65536 else { return 0 }
    withUnsafeBytes(of: whole) {
        let count = min(size, $0.count) &- least
        if let start = $0.baseAddress { (raw + least).copyMemory(from: start + least, byteCount: count) }
    }
    return 1
}

/// Throws a failure if unknown flags are set.
@inline(never) func check(flags: UInt32, within known: UInt32, _ what: StaticString) throws(Failure) {
    if flags & ~known != 0 {
        var message = Bytes(static: what)
        message.append(": an unknown flag is set")
        throw Failure(.argument, message)
    }
}
