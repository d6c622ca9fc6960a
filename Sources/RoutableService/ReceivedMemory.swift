// The memory of a usual request: one block, which is reused for the next request.
//
// The block has three tables followed by the bytes: the values, the credentials, and the header fields, from which the request can be
// read again.

internal import RoutableCore

struct ReceivedMemory {
    private var block: UnsafeMutableRawPointer?
    private var capacity = 0
    private var used = 0
    private var credentialsStart = 0
    private var headersStart = 0
    private(set) var valueCount = 0
    private(set) var credentialCount = 0
    private(set) var headerCount = 0
    var target = Text.empty.buffer
    var body = Text.empty.buffer
    var contentType = Text.empty.buffer

    /// A block above this size is freed when a much smaller request is read.
    private static let keptBytes = 1 << 16

    func free() { block?.deallocate() }

    /// Prepares the memory for the next request.
    ///
    /// - Returns: false if memory cannot be allocated.
    mutating func begin(values: Int, credentials: Int, headers: Int, bytes: Int) -> Bool {
        credentialsStart = values &* MemoryLayout<ReceivedView>.stride
        headersStart = credentialsStart &+ credentials &* MemoryLayout<ReceivedView>.stride
        used = headersStart &+ headers &* MemoryLayout<HeaderView>.stride
        (valueCount, credentialCount, headerCount) = (0, 0, 0)
        (target, body, contentType) = (Text.empty.buffer, Text.empty.buffer, Text.empty.buffer)
        let needed = used &+ bytes
        if block != nil, needed <= capacity, capacity <= Self.keptBytes || needed > capacity / 4 { return true }
        block?.deallocate()
        block = nil
        capacity = 0
        let size = max(needed, 1024)
        guard Memory.has(size) else { return false }
        block = .allocate(byteCount: size, alignment: 16)
        capacity = size
        return true
    }

    /// A copy that is followed by a NUL; nil if the space that `begin` reserved is used up.
    mutating func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let place = room(bytes.count) else { return nil }
        if let start = bytes.baseAddress, bytes.count > 0 { place.copyMemory(from: start, byteCount: bytes.count) }
        return closed(place, bytes.count)
    }

    /// A decoded copy; nil also if an escape is not valid.
    mutating func decode(_ bytes: UnsafeRawBufferPointer, plusIsSpace: Bool) -> UnsafeRawBufferPointer? {
        guard let place = room(bytes.count) else { return nil }
        var (index, count) = (0, 0)
        while index < bytes.count {
            var byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index &+ 2 < bytes.count, let high = ASCII.hexValue(bytes[index &+ 1]),
                    let low = ASCII.hexValue(bytes[index &+ 2])
                else { return nil }
                byte = high &<< 4 | low
                index &+= 2
            } else if byte == UInt8(ascii: "+"), plusIsSpace {
                byte = 0x20
            }
            place.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            index &+= 1
            count &+= 1
        }
        return closed(place, count)
    }

    private func room(_ count: Int) -> UnsafeMutableRawPointer? {
        guard let block, count < capacity &- used else { return nil }
        return block + used
    }

    private mutating func closed(_ place: UnsafeMutableRawPointer, _ count: Int) -> UnsafeRawBufferPointer {
        place.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
        used &+= count &+ 1
        return UnsafeRawBufferPointer(start: place, count: count)
    }

    // MARK: - The tables

    mutating func add(_ value: ReceivedView) {
        guard let block, (valueCount &+ 1) &* MemoryLayout<ReceivedView>.stride <= credentialsStart else { return }
        (block + valueCount &* MemoryLayout<ReceivedView>.stride).storeBytes(of: value, as: ReceivedView.self)
        valueCount &+= 1
    }

    mutating func add(credential: ReceivedView) {
        let offset = credentialsStart &+ credentialCount &* MemoryLayout<ReceivedView>.stride
        guard let block, offset &+ MemoryLayout<ReceivedView>.stride <= headersStart else { return }
        (block + offset).storeBytes(of: credential, as: ReceivedView.self)
        credentialCount &+= 1
    }

    /// - Parameter limit: The number of fields for which `begin` reserved space.
    mutating func add(header name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, limit: Int) {
        guard let block, headerCount < limit else { return }
        let field = HeaderView(
            name: name.baseAddress, nameCount: name.count, value: value.baseAddress, valueCount: value.count)
        (block + headersStart + headerCount &* MemoryLayout<HeaderView>.stride).storeBytes(of: field, as: HeaderView.self)
        headerCount &+= 1
    }

    func value(_ index: Int) -> ReceivedView? {
        guard let block, index >= 0, index < valueCount else { return nil }
        return (block + index &* MemoryLayout<ReceivedView>.stride).load(as: ReceivedView.self)
    }

    func credential(_ index: Int) -> ReceivedView? {
        guard let block, index >= 0, index < credentialCount else { return nil }
        return (block + credentialsStart + index &* MemoryLayout<ReceivedView>.stride).load(as: ReceivedView.self)
    }

    /// The name and the value of a field.
    @inline(__always)
    func header(_ index: Int) -> (UnsafeRawBufferPointer, UnsafeRawBufferPointer)? {
        guard let block, index >= 0, index < headerCount else { return nil }
        let field = (block + headersStart + index &* MemoryLayout<HeaderView>.stride).load(as: HeaderView.self)
        return (
            UnsafeRawBufferPointer(start: field.name, count: field.nameCount),
            UnsafeRawBufferPointer(start: field.value, count: field.valueCount)
        )
    }
}
