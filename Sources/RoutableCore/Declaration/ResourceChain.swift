// The names and ids of a walk through a declared graph, in one allocation of any size.
//
// Each step writes its record after the last one.  Values that come from the same walk share the memory: the first step
// from the end of the walk uses the space after it, and any other step from there, a branch, makes a copy (statement R13).

internal import CSystem

/// The chain of resources from the root.  It is a value: a copy or a branch of a chain does not change the chain.
///
/// Collections and members make chains.  A function that consumes a chain reuses its memory, without reference counting.
public struct ResourceChain: @unchecked Sendable {
    private struct Header {
        #if !hasFeature(Embedded)
        let api: (any API.Type)?
        #endif
    }

    /// The first element is the number of bytes that steps of any value have used, the second the capacity in bytes; the records follow.
    /// Used bytes are written once, by the step that reserved them, before a value that contains them exists.
    private final class Storage: ManagedBuffer<Header, Int64> {}

    /// The kind of a record; numbers have eight bytes.
    @usableFromInline enum Kind: UInt8 {
        case name, null, boolean, integer, real, text
        /// An array or an object, which cannot be written into a path.
        case tree
    }

    /// Each record begins with its kind and the count of its bytes, a UInt32.
    static let recordHead = 5
    private static let firstCapacity = 240

    private var storage: Storage?
    /// The address of the elements of the storage, which do not move: a step needs no retain to read it.
    private var start: UnsafeMutablePointer<Int64>?
    /// The number of bytes of the records that belong to this walk.
    private(set) var count = 0
    /// The hash of the names: equal walks have equal hashes.  It shares a word with the number of ids, because Swift returns four words in
    /// registers.
    private(set) var hash: UInt32 = 0x7F4A_7C15
    private var ids32: UInt32 = 0

    var idCount: Int { Int(ids32) }
    /// The count does not wrap: readers have memory for this number of ids.
    private mutating func countId() { if ids32 != .max { ids32 &+= 1 } }

    #if hasFeature(Embedded)
    @usableFromInline init() { storage = nil }
    private var header: Header { Header() }
    #else
    /// The API at which the walk begins; nil if it begins at a resource.
    var api: (any API.Type)? { storage?.withUnsafeMutablePointerToHeader { $0.pointee.api } }
    private var header: Header { Header(api: api) }

    @usableFromInline init() { storage = nil }
    @usableFromInline init(_ api: any API.Type) { make(Self.firstCapacity, Header(api: api)) }
    #endif

    private var records: UnsafeMutableRawPointer? { start.map { UnsafeMutableRawPointer($0 + 2) } }

    /// Allocates new memory, of which no bytes are used.
    private mutating func make(_ capacity: Int, _ header: Header) {
        let words = capacity / 8 &+ 1
        let made = unsafeDowncast(Storage.create(minimumCapacity: words &+ 2) { _ in header }, to: Storage.self)
        storage = made
        start = made.withUnsafeMutablePointerToElements { elements in
            (elements + 0).initialize(to: 0)
            (elements + 1).initialize(to: Int64(words &* 8))
            return elements
        }
    }

    // MARK: Steps

    @usableFromInline @_optimize(speed)
    consuming func into(_ name: String) -> ResourceChain {
        // `withUTF8` would retain a copy.
        if name.utf8.withContiguousStorageIfAvailable({ addName(UnsafeRawBufferPointer($0)) }) == nil {
            var name = name
            name.withUTF8 { addName(UnsafeRawBufferPointer($0)) }
        }
        return self
    }

    @inline(__always)
    private mutating func addName(_ bytes: UnsafeRawBufferPointer) {
        add(.name, bytes)
        if let start = bytes.baseAddress { hash = csystem_hash_name(hash, start, bytes.count) }
    }

    @_optimize(speed)
    mutating func addId(text: UnsafeRawBufferPointer) {
        add(.text, text)
        countId()
    }

    @usableFromInline
    consuming func with(_ id: Value) -> ResourceChain {
        switch id {
        case .null: return with(nothing: .null)
        case .boolean(let truth): return with(number: truth ? 1 : 0, .boolean)
        case .integer(let number): return with(number: UInt64(bitPattern: number), .integer)
        case .real(let number): return with(number: number.bitPattern, .real)
        case .number(let text), .text(let text):
            text.storage.withUnsafeBytes { addId(text: $0) }
            return self
        case .array, .object: return with(nothing: .tree)
        }
    }

    private consuming func with(nothing kind: Kind) -> ResourceChain {
        add(kind, UnsafeRawBufferPointer(start: nil, count: 0))
        countId()
        return self
    }

    consuming func with(number bits: UInt64, _ kind: Kind) -> ResourceChain {
        withUnsafeBytes(of: bits) { add(kind, $0) }
        countId()
        return self
    }

    @inline(__always)
    private mutating func add(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
        // proof: both are sizes of memory.
        let end = count &+ Self.recordHead &+ bytes.count
        if !take(end) { move(end) }
        guard let records else { return }
        let record = records + count
        count = end
        record.storeBytes(of: kind.rawValue, as: UInt8.self)
        // A longer text is refused by its reader: no value may have this number of bytes.
        record.storeBytes(of: UInt32(clamping: bytes.count), toByteOffset: 1, as: UInt32.self)
        if let from = bytes.baseAddress { csystem_copy_short(record + Self.recordHead, from, bytes.count) }
    }

    /// Whether this step may write the bytes up to `end`; reserves them.
    @inline(__always)
    private mutating func take(_ end: Int) -> Bool {
        guard let start, Int64(end) <= start[1] else { return false }
        // A walk with a single reference reserves the space without an atomic operation, which would cost as much as the rest of a short name.
        guard isKnownUniquelyReferenced(&storage) else { return csystem_advance(start, Int64(count), Int64(end)) }
        start[0] = Int64(end)
        return true
    }

    /// Moves to new memory, in which the bytes up to `end` are used.
    @inline(never)
    private mutating func move(_ end: Int) {
        var moved = self
        moved.make(max(Self.firstCapacity, end &* 2), header)
        moved.start?.pointee = Int64(end)
        if let old = records { moved.records?.copyMemory(from: old, byteCount: count) }
        self = moved
    }

    // MARK: Reading

    /// Calls `use` for each record in order; the bytes are valid as long as the walk.
    @inline(__always)
    func forEach(_ use: (Kind, UnsafeRawBufferPointer) -> Bool) {
        guard let records else { return }
        var offset = 0
        while offset < count {
            let length = Int((records + (offset &+ 1)).loadUnaligned(as: UInt32.self))
            let start = offset &+ Self.recordHead
            // Only `add` makes records.
            let kind = Kind(rawValue: (records + offset).load(as: UInt8.self)) ?? .tree
            if !use(kind, UnsafeRawBufferPointer(start: records + start, count: min(length, count &- start))) { return }
            offset = start &+ length
        }
    }

    /// The dotted route.
    var route: Bytes {
        var route = Bytes()
        forEach { kind, bytes in
            if kind == .name {
                if !route.isEmpty { route.append(UInt8(ascii: ".")) }
                route.append(contentsOf: bytes)
            }
            return true
        }
        return route
    }

    var ids: [Value] {
        var ids: [Value] = []
        forEach { kind, bytes in
            switch kind {
            case .name: break
            case .null: ids.append(.null)
            case .boolean: ids.append(.boolean(bytes.loadUnaligned(as: UInt64.self) != 0))
            case .integer: ids.append(.integer(bytes.loadUnaligned(as: Int64.self)))
            case .real: ids.append(.real(Double(bitPattern: bytes.loadUnaligned(as: UInt64.self))))
            case .text: ids.append(.text(Bytes(bytes)))
            case .tree: ids.append(.array([]))
            }
            return true
        }
        return ids
    }

    /// Whether the dotted route is equal to this one.
    @_optimize(speed)
    func isRoute(_ route: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        var isSame = true
        forEach { kind, bytes in
            guard kind == .name else { return true }
            if offset > 0 {
                isSame = offset < route.count && route[offset] == UInt8(ascii: ".")
                offset &+= 1
            }
            guard isSame, bytes.count <= route.count &- offset else {
                isSame = false
                return false
            }
            if let name = bytes.baseAddress, let other = route.baseAddress {
                isSame = csystem_is_same(name, other + offset, bytes.count)
            }
            offset &+= bytes.count
            return isSame
        }
        return isSame && offset == route.count
    }
}
