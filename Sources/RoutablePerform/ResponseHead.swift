// The head of a response as it comes: fields in one piece of memory that the next transfer uses again.

internal import CSystem
import RoutableCore

/// Status and header fields.
struct ResponseHead: Sendable {
    private(set) var status: Int32 = 0
    private(set) var headers = HeaderBlock()
    /// What Content-Length states, if an integer can hold it.
    private(set) var statedLength: Int64?
    private(set) var isEncoded = false
    /// Whether there is a place to be redirected to.
    private(set) var hasLocation = false
    private var endsInField = false

    /// Begins another head.
    mutating func begin(_ status: Int32) {
        self.status = status
        statedLength = nil
        isEncoded = false
        hasLocation = false
        headers.removeAll()
        endsInField = false
    }

    /// Adds a line that is a field; false for any other.
    @_optimize(speed)
    mutating func add(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let start = line.baseAddress else { return false }
        var field = csystem_field()
        if csystem_read_field(start.assumingMemoryBound(to: UInt8.self), line.count, &field) == 0 { return false }
        let name = UnsafeRawBufferPointer(start: start, count: field.name_length)
        let value = UnsafeRawBufferPointer(start: start + field.value_start, count: field.value_length)
        headers.appendReceived(name, value, hasControl: field.has_control != 0)
        endsInField = true
        switch name.count {
        case 8: if name[0] | 0x20 == 0x6C, name.isName("location") { hasLocation = !value.isEmpty }
        case 14: if name[0] | 0x20 == 0x63, name.isName("content-length") { statedLength = Decimal.parse(value) }
        case 16: if name[0] | 0x20 == 0x63, name.isName("content-encoding") { isEncoded = true }
        default: break
        }
        return true
    }

    /// More of the value of the field just added; nothing after another kind of line.
    mutating func fold(_ line: UnsafeRawBufferPointer, _ text: Range<Int>) {
        if endsInField { headers.extendLast(UnsafeRawBufferPointer(rebasing: line[text])) }
    }

    /// A line that is no field: what follows it folds into nothing.
    mutating func skip() { endsInField = false }
}
