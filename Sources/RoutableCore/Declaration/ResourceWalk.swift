// The names and ids of a walk through a declared graph, in one piece of memory however long it gets.
//
// Each step writes behind the last one.  Values that come from the same walk share the memory: whoever steps on first
// from its end takes the room behind it, and any other step from there, a branch, takes a copy (BEHAVIOUR R13).

internal import CSystem

/// The steps from the root down.  A value: using one twice, or branching from it, changes nothing.
struct ResourceWalk: @unchecked Sendable {
    struct Header {
        /// Bytes that steps have taken, by whichever value; taken once, never given back.
        var taken: Int64
        let capacity: Int
        #if !hasFeature(Embedded)
        let api: (any API.Type)?
        #endif
    }

    /// Bytes below `taken` are written once, by the step that took them, before the value that shows them exists.
    private final class Storage: ManagedBuffer<Header, UInt8> {}

    /// What one record is; numbers have eight bytes.
    enum Kind: UInt8 {
        case name, null, boolean, integer, real, text
        /// An array or an object, which no path takes.
        case tree
    }

    /// Each record begins with its kind and the count of its bytes, a UInt32.
    static let recordHead = 5
    private static let firstCapacity = 240

    private let storage: Storage?
    /// Of the storage, what belongs to this walk.
    private(set) var count = 0
    /// Of the names: equal walks have equal ones.
    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    private(set) var idCount = 0

    #if hasFeature(Embedded)
    init() { storage = nil }
    #else
    /// The API that the walk began at.
    var api: (any API.Type)? { storage?.header.api }

    init(_ api: (any API.Type)? = nil) { storage = api.map { Self.make(Self.firstCapacity, $0) } }
    #endif

    private init(_ storage: Storage, _ walk: ResourceWalk) {
        self.storage = storage
        count = walk.count
        hash = walk.hash
        idCount = walk.idCount
    }

    #if hasFeature(Embedded)
    private static func make(_ capacity: Int) -> Storage {
        unsafeDowncast(Storage.create(minimumCapacity: capacity) { _ in Header(taken: 0, capacity: capacity) }, to: Storage.self)
    }
    #else
    private static func make(_ capacity: Int, _ api: (any API.Type)?) -> Storage {
        unsafeDowncast(
            Storage.create(minimumCapacity: capacity) { _ in Header(taken: 0, capacity: capacity, api: api) }, to: Storage.self)
    }
    #endif

    // MARK: Steps

    func into(_ name: Bytes) -> ResourceWalk {
        var longer = name.storage.withUnsafeBytes { adding(.name, $0) }
        for byte in name.storage { longer.hash = (longer.hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        longer.hash = (longer.hash ^ 0x2E) &* 0x100_0000_01B3
        return longer
    }

    func with(text: UnsafeRawBufferPointer) -> ResourceWalk { adding(.text, text).withOneMoreId }

    func with(_ id: Value) -> ResourceWalk {
        switch id {
        case .null: adding(.null, UnsafeRawBufferPointer(start: nil, count: 0)).withOneMoreId
        case .boolean(let truth): with(number: truth ? 1 : 0, .boolean)
        case .integer(let number): with(number: UInt64(bitPattern: number), .integer)
        case .real(let number): with(number: number.bitPattern, .real)
        case .number(let text), .text(let text): text.storage.withUnsafeBytes { with(text: $0) }
        case .array, .object: adding(.tree, UnsafeRawBufferPointer(start: nil, count: 0)).withOneMoreId
        }
    }

    func with(number bits: UInt64, _ kind: Kind) -> ResourceWalk {
        withUnsafeBytes(of: bits) { adding(kind, $0) }.withOneMoreId
    }

    private var withOneMoreId: ResourceWalk {
        var walk = self
        walk.idCount &+= 1
        return walk
    }

    private func adding(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) -> ResourceWalk {
        // proof: both lie in memory.
        let end = count &+ Self.recordHead &+ bytes.count
        var longer = self
        if !take(end) { longer = copy(end) }
        longer.count = end
        let start = count
        longer.storage?.withUnsafeMutablePointerToElements { elements in
            let record = UnsafeMutableRawPointer(elements + start)
            record.storeBytes(of: kind.rawValue, as: UInt8.self)
            // A longer one is refused where it is read: no value may have as many bytes.
            record.storeBytes(of: UInt32(clamping: bytes.count), toByteOffset: 1, as: UInt32.self)
            if let from = bytes.baseAddress { (record + Self.recordHead).copyMemory(from: from, byteCount: bytes.count) }
        }
        return longer
    }

    /// Whether the bytes up to `end` are this step's to write.
    private func take(_ end: Int) -> Bool {
        guard let storage else { return false }
        return storage.withUnsafeMutablePointerToHeader { header in
            end <= header.pointee.capacity && csystem_advance(&header.pointee.taken, Int64(count), Int64(end))
        }
    }

    /// The same steps in memory of their own, where the bytes up to `end` are taken.
    private func copy(_ end: Int) -> ResourceWalk {
        let capacity = max(Self.firstCapacity, end &* 2)
        #if hasFeature(Embedded)
        let copy = Self.make(capacity)
        #else
        let copy = Self.make(capacity, api)
        #endif
        copy.withUnsafeMutablePointers { header, elements in
            header.pointee.taken = Int64(end)
            storage?.withUnsafeMutablePointerToElements {
                UnsafeMutableRawPointer(elements).copyMemory(from: $0, byteCount: count)
            }
        }
        return ResourceWalk(copy, self)
    }

    // MARK: Reading

    /// Each record in its order; the bytes are there for the length of the call.
    @inline(__always)
    func forEach(_ use: (Kind, UnsafeRawBufferPointer) -> Bool) {
        guard let storage else { return }
        storage.withUnsafeMutablePointerToElements { elements in
            let bytes = UnsafeRawPointer(elements)
            var offset = 0
            while offset < count {
                let length = Int((bytes + (offset &+ 1)).loadUnaligned(as: UInt32.self))
                let start = offset &+ Self.recordHead
                // Records are made by `adding` alone.
                let kind = Kind(rawValue: (bytes + offset).load(as: UInt8.self)) ?? .tree
                if !use(kind, UnsafeRawBufferPointer(start: bytes + start, count: min(length, count &- start))) { return }
                offset = start &+ length
            }
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

    /// Whether its dotted route is this one.
    func isRoute(_ route: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        var isSame = true
        forEach { kind, bytes in
            guard kind == .name else { return true }
            if offset > 0 {
                isSame = offset < route.count && route[offset] == UInt8(ascii: ".")
                offset &+= 1
            }
            isSame = isSame && bytes.count <= route.count &- offset
                && bytes.elementsEqual(UnsafeRawBufferPointer(rebasing: route[offset..<(offset &+ bytes.count)]))
            offset &+= bytes.count
            return isSame
        }
        return isSame && offset == route.count
    }
}
