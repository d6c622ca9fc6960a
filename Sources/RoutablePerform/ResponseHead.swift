// The head of a response: fields in one block of memory that the next transfer reuses.

import RoutableCore

/// Status and header fields.
struct ResponseHead: Sendable {
    private(set) var status: Int32 = 0
    /// 11 for HTTP/1.1, 20 for HTTP/2; 0 if it is unknown.
    private(set) var version: Int32 = 0
    private(set) var headers = HeaderBlock()
    /// The value of Content-Length, if an integer can hold it.
    private(set) var statedLength: Int64?
    /// Whether there are two different values of Content-Length, or one that exceeds an integer of 64 bits.
    private(set) var hasUnclearLength = false
    private(set) var isEncoded = false
    /// Whether there is a Location header that is not empty.
    private(set) var hasLocation = false
    private var endsInField = false

    /// Begins a new head with its status line.
    mutating func begin(_ status: Int32, _ line: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)) {
        self.status = status
        version = Self.version(line)
        statedLength = nil
        hasUnclearLength = false
        isEncoded = false
        hasLocation = false
        headers.removeAll()
        endsInField = false
    }

    /// The version in `HTTP/1.1 200` or `HTTP/2 200`.
    private static func version(_ line: UnsafeRawBufferPointer) -> Int32 {
        guard line.count > 8, ASCII.isDigit(line[5]) else { return 0 }
        let minor = line[6] == UInt8(ascii: ".") && ASCII.isDigit(line[7]) ? line[7] &- 0x30 : 0
        return Int32(line[5] &- 0x30) &* 10 &+ Int32(minor)
    }

    /// Adds a field; returns false if the line is not a field.
    @_optimize(speed)
    mutating func add(_ line: UnsafeRawBufferPointer) -> Bool {
        switch headers.appendLine(line) {
        case .other: return false
        case .field: break
        case .location: hasLocation = !lastValue.isEmpty
        case .contentLength:
            let length = Decimal.parse(lastValue)
            let isNumber = !lastValue.isEmpty && lastValue.allSatisfy(ASCII.isDigit)
            if isNumber && (length == nil || statedLength.map { $0 != length } ?? false) { hasUnclearLength = true }
            statedLength = length
        case .contentEncoding: isEncoded = true
        }
        endsInField = true
        return true
    }

    private var lastValue: UnsafeRawBufferPointer { headers.value(headers.count &- 1) }

    /// Appends to the value of the last field, unless another kind of line followed it.
    mutating func fold(_ line: UnsafeRawBufferPointer, _ text: Range<Int>) {
        if endsInField { headers.extendLast(UnsafeRawBufferPointer(rebasing: line[text])) }
    }

    /// Called for a line that is not a field: continuation lines after it are ignored.
    mutating func skip() { endsInField = false }
}
