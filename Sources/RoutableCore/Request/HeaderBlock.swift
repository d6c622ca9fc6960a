// The headers of a message in one piece of memory: what costs an answer of ten headers two allocations, not forty.

/// Header fields in their order.  Copies share the memory; names and values can be borrowed, each with a NUL after it.
public struct HeaderBlock: Sendable {
    private struct Place {
        var name: Int
        var nameCount: Int
        var value: Int
        var valueCount: Int
    }

    /// Name, NUL, value, NUL, of one field after the other.
    private var bytes = ByteMemory()
    private var places: [Place] = []

    public init() {}

    @inline(never) public init(_ fields: [HeaderField]) {
        for field in fields { append(field) }
    }

    public var count: Int { places.count }
    public var isEmpty: Bool { places.isEmpty }

    /// Whether both are the same fields in the same order.
    public func isSame(as other: HeaderBlock) -> Bool { places.count == other.places.count && bytes.isSame(as: other.bytes) }

    // MARK: Reading

    /// Valid while a copy of this value lives and is not changed; empty beyond the end.
    public func name(_ index: Int) -> UnsafeRawBufferPointer {
        guard places.indices.contains(index) else { return Self.nothing }
        let place = places[index]
        return buffer(place.name, place.nameCount)
    }

    /// As `name`.
    public func value(_ index: Int) -> UnsafeRawBufferPointer {
        guard places.indices.contains(index) else { return Self.nothing }
        let place = places[index]
        return buffer(place.value, place.valueCount)
    }

    /// All of it, as borrowed as a name.
    public var packed: UnsafeRawBufferPointer { buffer(0, bytes.count) }

    private func buffer(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        // Places are made by `append`, within the bytes.
        bytes.buffer(start, count)
    }

    private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    /// The place of the first field of a name in lower case.
    public func index(of lower: StaticString) -> Int? {
        var index = 0
        while index < places.count {
            if name(index).isName(lower) { return index }
            index &+= 1
        }
        return nil
    }

    /// The place of the first field of a name; ASCII case does not matter.
    public func index(of wanted: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        while index < places.count {
            if name(index).isName(wanted) { return index }
            index &+= 1
        }
        return nil
    }

    public func value(of name: Bytes) -> Bytes? {
        name.storage.withUnsafeBytes { index(of: $0) }.map { Bytes(value($0)) }
    }

    /// The fields as copies.
    public var fields: [HeaderField] {
        @inline(never) get { (0..<count).map { HeaderField(Bytes(name($0)), Bytes(value($0))) } }
    }

    // MARK: Changing

    public mutating func removeAll() {
        bytes.removeAll()
        places.removeAll(keepingCapacity: true)
    }

    public mutating func append(_ field: HeaderField) {
        field.name.storage.withUnsafeBytes { name in
            field.value.storage.withUnsafeBytes { append(name, $0) }
        }
    }

    @_optimize(speed)
    public mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        let start = bytes.count
        bytes.append(name, 0, value)
        let valueStart = start &+ name.count &+ 1
        places.append(Place(name: start, nameCount: name.count, value: valueStart, valueCount: value.count))
    }

    /// A field that came from outside: control bytes of its value become spaces (RFC 9110 section 5.5).
    @_optimize(speed)
    public mutating func appendReceived(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, hasControl: Bool
    ) {
        append(name, value)
        if hasControl, let place = places.last { clean(from: place.value, to: place.value &+ place.valueCount) }
    }

    /// More of the value of the last field, after a space when there are both.
    public mutating func extendLast(_ text: UnsafeRawBufferPointer) {
        guard var last = places.popLast() else { return }
        let start = bytes.count &- 1  // where the NUL of the last value is
        let isJoined = last.valueCount > 0 && !text.isEmpty
        bytes.extend(by: text, afterSpace: isJoined)
        clean(from: start, to: bytes.count &- 1)
        last.valueCount = bytes.count &- 1 &- last.value
        places.append(last)
    }

    private mutating func clean(from start: Int, to end: Int) {
        bytes.replaceControls(from: start, to: end)
    }

    /// Replaces all fields of that name, or adds one at the end.
    @inline(never) public mutating func set(_ field: HeaderField) {
        var all = fields
        all.set(field)
        self = HeaderBlock(all)
    }

    @inline(never) public mutating func remove(_ name: Bytes) {
        guard value(of: name) != nil else { return }
        var all = fields
        all.remove(name)
        self = HeaderBlock(all)
    }

    /// Removes what no other origin may see: secrets, those of these names, and the host's own name.
    @inline(never) public mutating func removeSecrets(_ names: [Bytes]) {
        var kept: [HeaderField] = []
        for field in fields {
            var isHidden = HeaderField.isSecret(field.name) || field.name.equalsIgnoringCase("host")
            for name in names where field.name.equalsIgnoringCase(name) { isHidden = true }
            if !isHidden { kept.append(field) }
        }
        self = HeaderBlock(kept)
    }
}
