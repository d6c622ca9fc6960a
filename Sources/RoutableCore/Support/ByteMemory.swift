// Bytes that grow at their end and are copied as blocks.  An array of bytes takes in the bytes of a buffer one by one.

/// Copies share the memory until one of them changes.
struct ByteMemory: Sendable {
    // Changed only while one value alone refers to it.
    private final class Block: @unchecked Sendable {
        let start: UnsafeMutablePointer<UInt8>
        let capacity: Int

        init(_ capacity: Int) {
            self.capacity = capacity
            start = .allocate(capacity: capacity)
        }

        deinit { start.deallocate() }
    }

    private var block: Block?
    private(set) var count = 0

    init() {}

    /// Valid while this value lives and does not change; places beyond the end give nothing.
    func buffer(_ from: Int, _ length: Int) -> UnsafeRawBufferPointer {
        guard let block, from >= 0, length >= 0, length <= count &- from else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: block.start + from, count: length)
    }

    func isSame(as other: ByteMemory) -> Bool {
        guard count == other.count else { return false }
        guard let mine = block, let others = other.block, mine !== others else { return true }
        return mine.start == others.start || buffer(0, count).elementsEqual(other.buffer(0, count))
    }

    /// Memory of its own with room for so many more bytes.
    @inline(__always)
    private mutating func own(_ more: Int) -> UnsafeMutablePointer<UInt8> {
        // Asked before there is a second reference to it here.
        if isKnownUniquelyReferenced(&block), let block, more <= block.capacity &- count { return block.start }
        return grown(more).start
    }

    @inline(never)
    private mutating func grown(_ more: Int) -> Block {
        // The sizes are of texts in memory: sums of two of them fit.
        let larger = Block(max(512, max(count &+ more, block == nil ? 0 : (count &+ more) &+ count / 2)))
        if let block { larger.start.initialize(from: block.start, count: count) }
        block = larger
        return larger
    }

    /// Both texts, each with a byte behind it.
    @_optimize(speed)
    mutating func append(_ first: UnsafeRawBufferPointer, _ end: UInt8, _ second: UnsafeRawBufferPointer) {
        let place = UnsafeMutableRawPointer(own(first.count &+ second.count &+ 2) + count)
        if let start = first.baseAddress { place.copyMemory(from: start, byteCount: first.count) }
        place.storeBytes(of: end, toByteOffset: first.count, as: UInt8.self)
        if let start = second.baseAddress {
            (place + first.count + 1).copyMemory(from: start, byteCount: second.count)
        }
        place.storeBytes(of: end, toByteOffset: first.count &+ second.count &+ 1, as: UInt8.self)
        count &+= first.count &+ second.count &+ 2
    }

    /// More of the text that ends in the last byte, which stays the last.
    mutating func extend(by text: UnsafeRawBufferPointer, afterSpace: Bool) {
        guard count > 0 else { return }
        let memory = own(text.count &+ 1)
        let end = memory[count &- 1]
        var place = count &- 1
        if afterSpace {
            memory[place] = 0x20
            place &+= 1
        }
        if let start = text.baseAddress { UnsafeMutableRawPointer(memory + place).copyMemory(from: start, byteCount: text.count) }
        place &+= text.count
        memory[place] = end
        count = place &+ 1
    }

    /// Control bytes but tabs become spaces.
    mutating func replaceControls(from start: Int, to end: Int) {
        guard start >= 0, end <= count else { return }
        let memory = own(0)
        var index = start
        while index < end {
            if ASCII.isControl(memory[index]) && memory[index] != 0x09 { memory[index] = 0x20 }
            index &+= 1
        }
    }

    /// The memory is kept if nobody else refers to it.
    mutating func removeAll() {
        if !isKnownUniquelyReferenced(&block) { block = nil }
        count = 0
    }
}
