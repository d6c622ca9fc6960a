// The head of a response as it comes: fields in one piece of memory that the next transfer uses again.

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

    @_optimize(speed)
    mutating func add(_ line: UnsafeRawBufferPointer, name: Range<Int>, value: Range<Int>) {
        let name = UnsafeRawBufferPointer(rebasing: line[name])
        let value = UnsafeRawBufferPointer(rebasing: line[value])
        headers.appendReceived(name, value)
        endsInField = true
        switch name.count {
        case 8: if name[0] | 0x20 == 0x6C, name.isName("location") { hasLocation = !value.isEmpty }
        case 14: if name[0] | 0x20 == 0x63, name.isName("content-length") { statedLength = Decimal.parse(value) }
        case 16: if name[0] | 0x20 == 0x63, name.isName("content-encoding") { isEncoded = true }
        default: break
        }
    }

    /// More of the value of the field just added; nothing after another kind of line.
    mutating func fold(_ line: UnsafeRawBufferPointer, _ text: Range<Int>) {
        if endsInField { headers.extendLast(UnsafeRawBufferPointer(rebasing: line[text])) }
    }

    /// A line that is no field: what follows it folds into nothing.
    mutating func skip() { endsInField = false }
}
