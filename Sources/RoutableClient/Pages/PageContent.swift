// The body of a page: finds the items and the next cursor or link in the JSON.

internal import RoutableCore
internal import RoutableJSON

/// A body that is JSON, or empty.  Items are ranges of its bytes: nothing is copied, and no tree is made.
struct PageContent {
    /// nil for an empty body.
    private let document: JSONDocument?
    /// How many items there are; nil where no array of them is.
    let itemCount: Int?
    /// Those that are left.
    private var items: JSONView.Elements?

    /// Failures: `response`.
    init(_ body: Text, items: Bytes) throws(Failure) {
        if body.buffer.isEmpty {
            document = nil
            itemCount = 0
            return
        }
        let document: JSONDocument
        do throws(Failure) { document = try JSONDocument.read(keeping: body.withoutMark) } catch {
            throw Failure(.response, "the page is not JSON: \(error.message)")
        }
        self.document = document
        guard let found = document.view.find(items)?.value else {
            itemCount = nil
            return
        }
        switch found.kind {
        case .null: itemCount = 0
        case .array:
            itemCount = found.count
            self.items = found.elements
        default:
            guard items.isEmpty else {
                throw Failure(.response, "the value at \(items.printable) is not an array of items")
            }
            itemCount = nil
        }
    }

    /// The text of the next item, as long as the body lives; nil behind the last one.
    mutating func next() -> UnsafeRawBufferPointer? { items?.read()?.source }

    /// The string or number at a pointer; nil for what says that there is none: nothing, null, false, 0 and "".
    /// Failures: `response`.
    func text(at pointer: Bytes) throws(Failure) -> Bytes? {
        guard let found = document?.view.find(pointer)?.value else { return nil }
        let value: Bytes
        switch found.kind {
        case .text: value = found.content
        case .integer, .real, .wideNumber: value = Bytes(found.source)
        case .null: return nil
        case .boolean where !found.boolean: return nil
        default: throw Failure(.response, "the value at \(pointer.printable) is neither a string nor a number")
        }
        return value.isEmpty || found.kind != .text && value == "0" ? nil : value
    }
}
