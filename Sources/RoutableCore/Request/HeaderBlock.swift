// The headers of a message in one block of memory: a response with ten headers needs three allocations instead of forty.

internal import CSystem

/// Header fields in their order.  Copies share the memory; names and values can be borrowed, each with a NUL after it.
public struct HeaderBlock: Sendable {
    /// The kind of a line of a response head.
    package enum Line {
        /// Not a header field; the line was not added.
        case other
        case field, location, contentLength, contentEncoding
    }

    // Changed only while a single value refers to it.
    private final class Block: @unchecked Sendable {
        var fields = csystem_fields()

        deinit {
            fields.bytes?.deallocate()
            fields.places?.deallocate()
        }

        /// Reserves space for one more field, or a longer one, of this number of bytes.
        @inline(never)
        func makeRoom(for more: Int) {
            // The numbers are sizes of strings in memory: the sum of two of them does not overflow.
            let count = fields.count
            let needed = count &+ more &+ Int(CSYSTEM_FIELD_SLACK)
            if needed > fields.capacity {
                fields.capacity = max(512, count == 0 ? needed : needed &+ count / 2)
                let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: fields.capacity)
                if let bytes = fields.bytes { larger.initialize(from: bytes, count: count) }
                fields.bytes?.deallocate()
                fields.bytes = larger
            }
            if fields.place_count >= fields.place_capacity {
                fields.place_capacity = max(8, fields.place_count &* 2)
                let larger = UnsafeMutablePointer<csystem_place>.allocate(capacity: fields.place_capacity)
                if let places = fields.places { larger.initialize(from: places, count: fields.place_count) }
                fields.places?.deallocate()
                fields.places = larger
            }
        }

        /// A copy in other memory, with space for such a field.
        @inline(never)
        func copy(withRoomFor more: Int) -> Block {
            let copy = Block()
            copy.fields.place_count = fields.place_count  // there is memory for twice as many before any is in it
            copy.makeRoom(for: fields.count &+ more)
            if let from = fields.bytes, let to = copy.fields.bytes { to.initialize(from: from, count: fields.count) }
            if let from = fields.places, let to = copy.fields.places {
                to.initialize(from: from, count: fields.place_count)
            }
            copy.fields.count = fields.count
            return copy
        }
    }

    private var block: Block?

    /// Creates an empty list.
    public init() {}

    /// Creates a list of headers.
    @inline(never) public init(_ fields: [HeaderField]) {
        for field in fields { append(field) }
    }

    /// The number of headers.
    public var count: Int { block?.fields.place_count ?? 0 }
    /// Whether there are no headers.
    public var isEmpty: Bool { count == 0 }

    /// Whether both have the same fields in the same order.
    package func isSame(as other: HeaderBlock) -> Bool {
        if block === other.block { return true }
        guard let mine = block?.fields, let others = other.block?.fields else { return isEmpty && other.isEmpty }
        guard mine.place_count == others.place_count, mine.count == others.count else { return false }
        guard let bytes = mine.bytes, let otherBytes = others.bytes else { return true }
        return csystem_equal_ranges(bytes, 0, otherBytes, 0, mine.count) != 0
    }

    // MARK: Reading

    /// The name of a field, borrowed while an unchanged copy of this value exists; empty if the index is out of range.
    package func name(_ index: Int) -> UnsafeRawBufferPointer {
        place(index).map { buffer($0.name, $0.name_count) } ?? Self.nothing
    }

    /// The value of a field, borrowed like its name.
    package func value(_ index: Int) -> UnsafeRawBufferPointer {
        place(index).map { buffer($0.value, $0.value_count) } ?? Self.nothing
    }

    /// All fields as name, NUL, value and NUL, borrowed like a name.
    package var packed: UnsafeRawBufferPointer { buffer(0, block?.fields.count ?? 0) }

    private func place(_ index: Int) -> csystem_place? {
        guard let block, index >= 0, index < block.fields.place_count else { return nil }
        return block.fields.places?[index]
    }

    private func buffer(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        // The offsets of fields are within the bytes.
        guard let bytes = block?.fields.bytes else { return Self.nothing }
        return UnsafeRawBufferPointer(start: bytes + start, count: count)
    }

    private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    /// The index of the first field with this name, which must be in lower case.
    @inline(never) package func index(of lower: StaticString) -> Int? {
        var index = 0
        while index < count {
            if name(index).isName(lower) { return index }
            index &+= 1
        }
        return nil
    }

    /// The index of a field with this name (ASCII case is ignored), after skipping that number of fields with the name.
    package func index(of wanted: UnsafeRawBufferPointer, skipping skipped: Int = 0) -> Int? {
        var index = 0
        var left = skipped
        while index < count {
            if name(index).isName(wanted) {
                if left == 0 { return index }
                left &-= 1
            }
            index &+= 1
        }
        return nil
    }

    /// The number of fields with this name.
    package func count(of wanted: UnsafeRawBufferPointer) -> Int {
        var found = 0
        for index in 0..<count where name(index).isName(wanted) { found &+= 1 }
        return found
    }

    /// The value of the first header with this name, whose ASCII case is ignored; nil if there is none.
    public func value(of name: Bytes) -> Bytes? {
        name.storage.withUnsafeBytes { index(of: $0) }.map { Bytes(value($0)) }
    }

    /// Copies of the fields.
    public var fields: [HeaderField] {
        @inline(never) get { (0..<count).map { HeaderField(Bytes(name($0)), Bytes(value($0))) } }
    }

    // MARK: Changing

    /// A block that no other value refers to, valid while no other code changes this value.  It is returned without a retain,
    /// because it is requested for each line of a head.
    @inline(__always)
    private mutating func own(_ more: Int) -> Unmanaged<Block> {
        // Checked before there is a second reference to it here.
        if isKnownUniquelyReferenced(&block), let block { return .passUnretained(block) }
        return made(more)
    }

    @inline(never)
    private mutating func made(_ more: Int) -> Unmanaged<Block> {
        let own = block?.copy(withRoomFor: more) ?? Block()
        block = own
        return .passUnretained(own)
    }

    /// Removes all fields; the memory is kept if no other value shares it.
    package mutating func removeAll() {
        guard isKnownUniquelyReferenced(&block), let block else {
            self.block = nil
            return
        }
        block.fields.count = 0
        block.fields.place_count = 0
    }

    package mutating func append(_ field: HeaderField) {
        field.name.storage.withUnsafeBytes { name in
            field.value.storage.withUnsafeBytes { append(name, $0) }
        }
    }

    package mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        own(name.count &+ value.count)._withUnsafeGuaranteedRef {
            while csystem_fields_add(&$0.fields, name.bytes, name.count, value.bytes, value.count) == 0 {
                $0.makeRoom(for: name.count &+ value.count)
            }
        }
    }

    /// Adds a line of a head, with its end, if it is a field.  Control bytes of its value become spaces (RFC 9110 section 5.5).
    @_optimize(speed)
    package mutating func appendLine(_ line: UnsafeRawBufferPointer) -> Line {
        let kind = own(line.count)._withUnsafeGuaranteedRef {
            var kind = csystem_fields_take(&$0.fields, line.bytes, line.count)
            while kind == Int32(CSYSTEM_FIELD_NO_ROOM) {
                $0.makeRoom(for: line.count)
                kind = csystem_fields_take(&$0.fields, line.bytes, line.count)
            }
            return kind
        }
        return switch kind {
        case Int32(CSYSTEM_FIELD_NONE): .other
        case Int32(CSYSTEM_FIELD_LOCATION): .location
        case Int32(CSYSTEM_FIELD_CONTENT_LENGTH): .contentLength
        case Int32(CSYSTEM_FIELD_CONTENT_ENCODING): .contentEncoding
        default: .field
        }
    }

    /// Appends to the value of the last field, after a space unless either of them is empty; control bytes become spaces.
    package mutating func extendLast(_ text: UnsafeRawBufferPointer) {
        if isEmpty { return }
        own(text.count)._withUnsafeGuaranteedRef {
            while csystem_fields_extend(&$0.fields, text.bytes, text.count) == 0 { $0.makeRoom(for: text.count) }
        }
    }

    /// Replaces all fields with this name, or adds one at the end.
    @inline(never) package mutating func set(_ field: HeaderField) {
        guard value(of: field.name) != nil else {
            append(field)
            return
        }
        var all = fields
        all.set(field)
        self = HeaderBlock(all)
    }

    @inline(never) package mutating func remove(_ name: Bytes) {
        guard value(of: name) != nil else { return }
        var all = fields
        all.remove(name)
        self = HeaderBlock(all)
    }

    /// Removes the headers that other origins must not receive: secrets, headers with these names, and Host.
    @inline(never) package mutating func removeSecrets(_ names: [Bytes]) {
        var kept: [HeaderField] = []
        for field in fields {
            var isHidden = HeaderField.isSecret(field.name) || field.name.equalsIgnoringCase("host")
            for name in names where field.name.equalsIgnoringCase(name) { isHidden = true }
            if !isHidden { kept.append(field) }
        }
        self = HeaderBlock(kept)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
