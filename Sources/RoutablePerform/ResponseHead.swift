// The head of a response as it comes: bytes in one buffer that the next transfer uses again.

import RoutableCore

/// Status and header fields.
struct ResponseHead: Sendable {
    private struct Entry {
        var start: Int
        var nameEnd: Int
        var valueStart: Int
        var end: Int
    }

    private(set) var status: Int32 = 0
    /// What Content-Length states, if an integer can hold it.
    private(set) var statedLength: Int64?
    private(set) var isEncoded = false
    /// Whether there is a place to be redirected to.
    private(set) var hasLocation = false

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var endsInField = false

    /// The fields in the order received.
    var headers: [HeaderField] {
        entries.map { HeaderField(Bytes(bytes[$0.start..<$0.nameEnd]), Bytes(bytes[$0.valueStart..<$0.end])) }
    }

    /// Begins another head.
    mutating func begin(_ status: Int32) {
        self.status = status
        statedLength = nil
        isEncoded = false
        hasLocation = false
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        endsInField = false
    }

    mutating func add(_ line: UnsafeRawBufferPointer, name: Range<Int>, value: Range<Int>) {
        let start = bytes.count
        append(UnsafeRawBufferPointer(rebasing: line[name.lowerBound..<value.upperBound]))
        entries.append(
            Entry(
                start: start, nameEnd: start &+ name.count, valueStart: bytes.count &- value.count, end: bytes.count))
        endsInField = true
        let name = UnsafeRawBufferPointer(rebasing: line[name])
        let value = UnsafeRawBufferPointer(rebasing: line[value])
        switch name.count {
        case 8: if name.isName("location") { hasLocation = !value.isEmpty }
        case 14: if name.isName("content-length") { statedLength = Decimal.parse(value) }
        case 16: if name.isName("content-encoding") { isEncoded = true }
        default: break
        }
    }

    /// More of the value of the field just added; nothing after another kind of line.
    mutating func fold(_ line: UnsafeRawBufferPointer, _ text: Range<Int>) {
        guard endsInField, var last = entries.popLast() else { return }
        if last.end > last.valueStart && !text.isEmpty { bytes.append(0x20) }
        append(UnsafeRawBufferPointer(rebasing: line[text]))
        last.end = bytes.count
        entries.append(last)
    }

    /// A line that is no field: what follows it folds into nothing.
    mutating func skip() { endsInField = false }

    /// Control bytes become spaces (RFC 9110 section 5.5).
    private mutating func append(_ text: UnsafeRawBufferPointer) {
        let start = bytes.count
        bytes.append(contentsOf: text)
        guard text.contains(where: { ASCII.isControl($0) && $0 != 0x09 }) else { return }
        for index in start..<bytes.count where ASCII.isControl(bytes[index]) && bytes[index] != 0x09 {
            bytes[index] = 0x20
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Equal to a text in lower case when ASCII case is folded.
    func isName(_ lower: StaticString) -> Bool {
        let other = UnsafeRawBufferPointer(start: lower.utf8Start, count: lower.utf8CodeUnitCount)
        guard count == other.count else { return false }
        for index in 0..<count where ASCII.lowercased(self[index]) != other[index] { return false }
        return true
    }
}

extension Bytes {
    /// Equal to a text in lower case when ASCII case is folded; makes no copy of it.
    func isName(_ lower: StaticString) -> Bool {
        storage.withUnsafeBytes { $0.isName(lower) }
    }

    /// Equal to a text; makes no copy of it.
    func equals(_ text: StaticString) -> Bool {
        let other = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return count == other.count && storage.elementsEqual(other)
    }
}
