// Reads the body of a response in pieces: from memory, from a file, or from the items of the program.

package import RoutableCore
internal import RoutableJSON

extension Reply {
    /// The next piece of the body.
    ///
    /// - Throws: `file`; `json` for an item that is not JSON; `value` for an event that cannot be written; the failures of the items;
    ///   `limit`, `memory`.  The body then ends.
    package func next() throws(Failure) -> ReplyPiece {
        piece = .empty
        if isRead { return .end }
        do throws(Failure) {
            if let items {
                if pending == nil {
                    switch items.provide() {
                    case .later: return .later
                    case .failed(let failure): throw failure
                    case .item(let item): pending = item
                    case .end: isRead = true
                    }
                }
                if let item = pending {
                    piece = Text(try items.kind == .lines ? Self.line(item) : Self.event(item))
                    try Memory.check()
                    pending = nil
                }
            } else if descriptor >= 0 {
                if !rest.isEmpty {
                    piece = try ReplyFile.read(descriptor, at: rest.lowerBound, Int64(rest.count))
                    try Memory.check()
                    if piece.count == 0 { throw Failure(.file, "the file became shorter while it was sent") }
                    rest = (rest.lowerBound &+ Int64(piece.count))..<rest.upperBound
                } else {
                    isRead = true
                }
            } else {
                isRead = true
                piece = body
                return body.count == 0 ? .end : .bytes(body)
            }
        } catch {
            // If memory cannot be allocated, the call can be repeated.
            if error.status != .memory { isRead = true }
            throw error
        }
        return isRead ? .end : .bytes(piece)
    }

    private static func line(_ item: ReplyItems.Item) throws(Failure) -> Bytes {
        var line = try item.data.withBuffer { (buffer) throws(Failure) in
            let document = try JSONDocument.strict(buffer)
            defer { withExtendedLifetime(document) {} }
            return document.view.json
        }
        line.append("\n")
        return line
    }

    /// An event in the format of WHATWG HTML section 9.2.
    private static func event(_ item: ReplyItems.Item) throws(Failure) -> Bytes {
        for text in [item.data, item.event, item.id] where !UTF8Check.isValid(text) {
            throw Failure(.value, "an event is not UTF-8")
        }
        for text in [item.event, item.id] where text.storage.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) {
            throw Failure(.value, "the type or the id of an event has a line break or NUL")
        }
        var text = Bytes()
        if !item.id.isEmpty { text.append("id: \(item.id)\n") }
        if !item.event.isEmpty { text.append("event: \(item.event)\n") }
        text.append("data: ")
        var previous: UInt8 = 0
        for byte in item.data.storage {
            if byte == 0x0A || byte == 0x0D {
                // CR LF is a single line break.
                if !(byte == 0x0A && previous == 0x0D) { text.append("\ndata: ") }
            } else {
                text.append(byte)
            }
            previous = byte
        }
        text.append("\n\n")
        return text
    }
}
