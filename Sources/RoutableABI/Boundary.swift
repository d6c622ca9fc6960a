// The conventions of routable.h, once: texts in and out, handles, options, and failures as statuses.
//
// Nothing in this module decides anything about routing.  A function checks its pointers, makes one call into
// the layers below, and writes its outputs only when that call has returned.

internal import CRoutable
internal import CSystem
internal import RoutableCore

typealias ErrorOutput = UnsafeMutablePointer<OpaquePointer?>?

/// The one place where failures become a status and, if it is requested, an error object; if memory failed, that is the
/// failure.
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

/// The same for calls with expected outcomes, which carry no error.
@inline(__always)
func attemptStatus(_ error: ErrorOutput, _ body: () throws(Failure) -> Status) -> routable_status {
    let before = begun()
    do {
        return ended(try body(), error, before)
    } catch let failure {
        return ended(failure, error, before)
    }
}

/// The same for a call that changes an object.  What it has done when it returns is done: the reserve served it.  Its body asks
/// `Memory.check` before it changes anything.
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

/// The same for a call that takes something from an object.
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
    /// As the header has it.
    @inline(__always) var code: routable_status { routable_status(rawValue: rawValue) }
}

extension Failure {
    @inline(never) static func null(_ what: StaticString) -> Failure {
        var message = Bytes(static: what)
        message.append(" is NULL")
        return Failure(.argument, message)
    }
}

/// Objects as the pointers that a host holds.
enum Handle {
    /// A new reference, which the `*_free` of the type gives back.
    static func make<Object: AnyObject>(_ object: Object) -> OpaquePointer {
        OpaquePointer(Unmanaged.passRetained(object).toOpaque())
    }

    /// Hands a new object over, unless memory failed while it was made.
    @inline(__always) static func give<Object: AnyObject>(
        _ object: Object, _ out: UnsafeMutablePointer<OpaquePointer?>?
    ) throws(Failure) {
        try Memory.check()
        out?.pointee = make(object)
    }

    /// A pointer to an object that another one keeps alive.
    static func borrow<Object: AnyObject>(_ object: Object) -> OpaquePointer {
        OpaquePointer(Unmanaged.passUnretained(object).toOpaque())
    }

    /// Gives a reference back.  NULL is fine.
    @inline(never) static func free<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
        guard let handle else { return }
        _ = Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeRetainedValue()
    }

    /// The object behind a pointer.
    static func object<Object: AnyObject>(_ handle: OpaquePointer, _ type: Object.Type) -> Object {
        Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }

    /// Reads from an object without a reference to it: the caller guarantees that it is not freed during the call.
    @inline(__always) static func read<Object: AnyObject, Value>(
        _ handle: OpaquePointer, _ type: Object.Type, _ value: (Object) -> Value
    ) -> Value {
        Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle))._withUnsafeGuaranteedRef { value($0) }
    }

    /// The object, or a failure that names the parameter.
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

    /// The same, or a failure that names the parameter.
    @inline(never) static func router(_ handle: OpaquePointer?) throws(Failure) -> Router { try planned(handle).router }

    // A host has no pointer to a Router itself.
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

/// An output pointer, or a failure that names the parameter.
func required<Pointee>(
    _ pointer: UnsafeMutablePointer<Pointee>?, _ what: StaticString
) throws(Failure) -> UnsafeMutablePointer<Pointee> {
    guard let pointer else { throw .null(what) }
    return pointer
}

// MARK: - Texts

extension routable_str {
    static var empty: routable_str { routable_str(ptr: emptyText, len: 0) }

    init(_ text: Text) { self.init(ptr: UnsafeRawPointer(text.start).assumingMemoryBound(to: CChar.self), len: text.count) }

    /// Bytes that the object behind the call keeps.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(ptr: bytes.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) } ?? emptyText, len: bytes.count)
    }

    /// The bytes where they are.  They are the caller's, who keeps them for the length of the call.
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

/// Text by pointer and length; a length of ROUTABLE_NUL_TERMINATED is measured.  The bytes are the caller's for the call.
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

/// ROUTABLE_NUL_TERMINATED, SIZE_MAX, as Swift imports a size_t.
private let nulTerminated = -1

/// One NUL that lives as long as the process, for empty texts that a host may print.
nonisolated(unsafe) private let emptyText: UnsafePointer<CChar> = {
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
}()

extension routable_string {
    /// An owned copy with a NUL after it; `routable_string_free` gives it back.
    @inline(never) init(copying bytes: Bytes) {
        let storage = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count &+ 1)
        bytes.storage.withUnsafeBytes {
            if let start = $0.baseAddress { UnsafeMutableRawPointer(storage).copyMemory(from: start, byteCount: $0.count) }
        }
        storage[bytes.count] = 0
        self.init(ptr: storage, len: bytes.count)
    }
}

/// Hands an owned text over, unless memory failed while it was made.
@inline(never) func give(_ text: Bytes, _ out: UnsafeMutablePointer<routable_string>) throws(Failure) {
    if !Memory.has(text.count) { throw Memory.failure }
    let given = routable_string(copying: text)
    do { try Memory.check() } catch {
        given.ptr?.deallocate()
        throw error
    }
    out.pointee = given
}

/// A name that a programmer wrote: a C string.
@inline(never) func nameText(_ pointer: UnsafePointer<CChar>?, _ what: StaticString) throws(Failure) -> Bytes {
    guard let pointer else { throw .null(what) }
    return Bytes(cString: pointer)
}

/// The same, for what the router has at an address of its own.
@inline(never) func keptText(_ pointer: UnsafePointer<CChar>?, _ what: StaticString) throws(Failure) -> Text {
    guard let pointer else { throw .null(what) }
    return Text(cString: pointer)
}

/// A name that may be left out.
func optionalName(_ pointer: UnsafePointer<CChar>?) -> Bytes? { pointer.map { Bytes(cString: $0) } }

extension [HeaderField] {
    /// Headers that a caller lists.
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

/// An options struct of any age: what an older caller does not have stays zero, and what a newer caller has
/// beyond ours must be zero.  `size` is the first field of each of them.
func options<Options>(_ pointer: UnsafePointer<Options>?, _ defaults: Options, _ what: StaticString) throws(Failure) -> Options
{
    guard let pointer else { return defaults }
    var result = defaults
    let size = try sizeToRead(UnsafeRawPointer(pointer), MemoryLayout<Options>.size, what)
    withUnsafeMutableBytes(of: &result) { $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: size)) }
    return result
}

/// How many bytes of an options struct are to be taken over into one of `ours`.
@inline(never) private func sizeToRead(_ raw: UnsafeRawPointer, _ ours: Int, _ what: StaticString) throws(Failure) -> Int {
    let size = raw.loadUnaligned(as: Int.self)
    // A struct of pointers ends at a multiple of one: any other size would cut a pointer in two.
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

/// Writes as much of a struct as the caller's size allows.  Returns whether that is a valid size.
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

/// Flags that exist, or a failure.
@inline(never) func check(flags: UInt32, within known: UInt32, _ what: StaticString) throws(Failure) {
    if flags & ~known != 0 {
        var message = Bytes(static: what)
        message.append(": an unknown flag is set")
        throw Failure(.argument, message)
    }
}
