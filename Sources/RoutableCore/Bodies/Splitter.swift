// Splits an unbounded body into items: lines, or server-sent events (WHATWG HTML section 9.2).

/// Receives bytes and returns items.  Performs no I/O, and buffers bytes until their items are requested.
package struct Splitter: Sendable {
    package enum Kind: Int32, Sendable {
        /// Pieces of the body as they arrive.
        case bytes = 0
        /// Lines, which end in LF or CR LF, without the line break; empty lines are skipped.
        case lines = 1
        /// Server-sent events.
        case events = 2
    }

    /// A piece, a line, or an event.
    package struct Item: Sendable {
        package var data: Text
        /// The type of an event.
        package var event = Text.empty
        /// For an event: the id from which a new connection resumes.
        package var id = Text.empty
        /// The bytes that are released together with the item.
        fileprivate var weight = 0
    }

    package let kind: Kind
    /// The limit of the bytes of one line, and of the data of one event.
    private let maximumItemBytes: Int
    private var items: [Item] = []
    private var taken = 0
    /// The limit of the bytes of the buffered items, with the overhead of each item.
    package private(set) var waitingBytes = 0
    private static let itemBytes = 96

    private var line: [UInt8] = []
    private var isAfterReturn = false
    /// The number of bytes of a byte order mark that were seen; 3 if no mark can follow.
    private var marks = 0

    private var data: [UInt8] = []
    private var hasData = false
    private var event = Bytes()
    // Shared by all events that follow: a service sends a long id once, and each event without data has only six bytes.
    private var id: Text
    private var isNewID = false
    /// The last event id, which a new connection sends.
    package private(set) var lastID: Text
    /// The delay before a new connection that the service asks for.
    package private(set) var retryMilliseconds: Int64?

    private static let message: Text = "message"
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    package init(_ kind: Kind, maximumItemBytes: Int = 16 << 20, lastID: Bytes = Bytes()) {
        self.kind = kind
        self.maximumItemBytes = maximumItemBytes
        id = Text(lastID)
        self.lastID = id
    }

    package var isEmpty: Bool { taken == items.count }

    /// The next item.
    package mutating func next() -> Item? {
        guard taken < items.count else { return nil }
        let item = items[taken]
        items[taken] = Item(data: Text.empty)
        taken &+= 1
        waitingBytes &-= item.weight
        if taken == items.count {
            items.removeAll(keepingCapacity: taken <= 1024)
            taken = 0
        } else if taken >= 512 && taken &* 2 >= items.count {
            // The rest moves once for all items that are in the buffer.
            items.removeFirst(taken)
            taken = 0
        }
        return item
    }

    /// Begins another body of the same stream: an incomplete item is dropped; ids and buffered items are kept.
    package mutating func restart() {
        line = []
        isAfterReturn = false
        marks = 0
        forgetEvent()
        id = lastID
    }

    private mutating func forgetEvent() {
        data = []
        hasData = false
        event = Bytes()
    }

    /// Failures: `limit`, for an item that is too large.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        if bytes.isEmpty { return }
        if kind == .bytes {
            add(Item(data: Text(bytes)))
            return
        }
        var place = 0
        while marks < 3, place < bytes.count {
            if bytes[place] == Self.mark[marks] {
                marks &+= 1
                place &+= 1
                if marks == 3 { break }
                continue
            }
            // The beginning looked like a mark and is text.
            line.append(contentsOf: Self.mark[..<marks])
            marks = 3
        }
        while place < bytes.count {
            var end = place
            while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D || kind == .lines { end &+= 1 }
            if end > place {
                isAfterReturn = false
                if line.count &+ data.count &+ (end &- place) > maximumItemBytes { throw tooLarge }
                line.append(contentsOf: bytes[place..<end])
            }
            if end == bytes.count { return }
            place = end &+ 1
            if bytes[end] == 0x0A, isAfterReturn {  // the second half of CR LF
                isAfterReturn = false
                continue
            }
            isAfterReturn = bytes[end] == 0x0D
            endLine()
        }
    }

    /// Ends the body: a last line without a line break is an item; an event without an empty line after it is not.
    package mutating func end() {
        if kind == .lines {
            if marks < 3 { line.append(contentsOf: Self.mark[..<marks]) }
            endLine()
        }
        restart()
    }

    private var tooLarge: Failure {
        Failure(.limit, "\(kind == .lines ? "a line" : "an event") of the body is over \(maximumItemBytes) bytes")
    }

    private mutating func add(_ given: Item) {
        var item = given
        item.weight = Self.itemBytes &+ item.data.count &+ item.event.count &+ (isNewID ? item.id.count : 0)
        isNewID = false
        items.append(item)
        waitingBytes &+= item.weight
    }

    private mutating func endLine() {
        if kind == .events {
            if line.isEmpty { dispatch() } else { line.withUnsafeBytes { field($0) } }
        } else {
            if line.last == 0x0D { line.removeLast() }
            if !line.isEmpty { add(Item(data: line.withUnsafeBytes { Text($0) })) }
        }
        line.removeAll(keepingCapacity: line.count <= 65536)
    }

    private mutating func dispatch() {
        lastID = id
        if hasData {
            let bytes = data.withUnsafeBytes { Text($0) }
            add(Item(data: bytes, event: event.isEmpty ? Self.message : Text(event), id: id))
        }
        forgetEvent()
    }

    private mutating func field(_ line: UnsafeRawBufferPointer) {
        var colon = 0
        while colon < line.count, line[colon] != UInt8(ascii: ":") { colon &+= 1 }
        let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
        var start = min(colon &+ 1, line.count)
        if start < line.count, line[start] == 0x20 { start &+= 1 }
        let value = UnsafeRawBufferPointer(rebasing: line[start...])
        // Names of fields are case-sensitive.
        if name.equals("data") {
            if hasData { data.append(0x0A) }
            data.append(contentsOf: value)
            hasData = true
        } else if name.equals("event") {
            event = Bytes(value)
        } else if name.equals("id") {
            // The id is sent in a header: an id that is not UTF-8 or contains NUL is ignored.
            if !value.contains(0), UTF8Check.isValid(value) {
                id = Text(value)
                isNewID = true
            }
        } else if name.equals("retry"), !value.isEmpty, value.allSatisfy(ASCII.isDigit) {
            retryMilliseconds = min(Decimal.parse(value) ?? .max, 86_400_000)
        }
    }
}
