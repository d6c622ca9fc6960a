// The body of a page: where its items are and what it says of the next one, found in the text itself.

internal import RoutableCore
internal import RoutableJSON

/// A body that is JSON, or empty.  Items are parts of its text: nothing is copied, and no tree is made.
struct PageContent {
    private let body: Text
    /// How many items there are; nil where no array of them is.
    let itemCount: Int?
    /// Where the next item stands, and how many are left.
    private var place = 0
    private var left = 0

    /// Failures: `response`.
    init(_ body: Text, items: Bytes) throws(Failure) {
        self.body = body
        defer { withExtendedLifetime(body) {} }
        let text = body.buffer
        if text.isEmpty {
            itemCount = 0
            return
        }
        do throws(Failure) { _ = try JSONDocument.read(text) } catch {
            throw Failure(.response, "the page is not JSON: \(error.message)")
        }
        guard let found = JSONWalk.find(items, in: text) else {
            itemCount = nil
            return
        }
        var walk = JSONWalk(text)
        walk.skip(found.value)
        if walk.next == UInt8(ascii: "n") {  // null
            itemCount = 0
            return
        }
        guard walk.next == UInt8(ascii: "[") else {
            if items.isEmpty {
                itemCount = nil
                return
            }
            throw Failure(.response, "what the page has at \(items.printable) is no array of items")
        }
        walk.skip(1)
        walk.skipSpace()
        place = walk.position
        var count = 0
        while let byte = walk.next, byte != UInt8(ascii: "]") {
            walk.skipValue()
            walk.skipSpace()
            count &+= 1
            guard walk.next == UInt8(ascii: ",") else { break }
            walk.skip(1)
            walk.skipSpace()
        }
        itemCount = count
        left = count
    }

    /// The text of the next item, as long as the body lives; nil behind the last one.
    mutating func next() -> UnsafeRawBufferPointer? {
        if left == 0 { return nil }
        left &-= 1
        var walk = JSONWalk(body.buffer)
        walk.skip(place)
        walk.skipValue()
        let text = body.buffer
        var end = min(walk.position, text.count)
        let start = min(place, end)
        while end > start, text[end &- 1] <= 0x20 { end &-= 1 }
        walk.skipSpace()
        walk.skip(1)
        walk.skipSpace()
        place = walk.position
        return UnsafeRawBufferPointer(rebasing: text[start..<end])
    }

    /// The string or number at a pointer; nil for what says that there is none: nothing, null, false, 0 and "".
    /// Failures: `response`.
    func text(at pointer: Bytes) throws(Failure) -> Bytes? {
        defer { withExtendedLifetime(body) {} }
        let text = body.buffer
        guard !text.isEmpty, let found = JSONWalk.find(pointer, in: text) else { return nil }
        var walk = JSONWalk(text)
        walk.skip(found.value)
        switch walk.next {
        case UInt8(ascii: "\""):
            let value = walk.string()
            return value.isEmpty ? nil : value
        case UInt8(ascii: "n"), UInt8(ascii: "f"): return nil
        case .some(let byte) where byte == UInt8(ascii: "-") || ASCII.isDigit(byte):
            let start = walk.position
            walk.skipValue()
            let end = text[start...].firstIndex { ![0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) && !ASCII.isDigit($0) }
            let value = Bytes(UnsafeRawBufferPointer(rebasing: text[start..<(end ?? text.count)]))
            return value == "0" ? nil : value
        default: throw Failure(.response, "what the page has at \(pointer.printable) is neither a string nor a number")
        }
    }
}
