// The body of a page: finds the items and the next cursor or link in the JSON.

internal import RoutableCore
internal import RoutableJSON

/// A body that is JSON, or empty.  Items are ranges of its bytes, without a copy or a tree.
struct PageContent {
    /// nil for an empty body.
    private let document: JSONDocument?
    /// The pointer to the items.
    private let items: Bytes
    /// The number of items; nil if there is no array at the pointer.
    let itemCount: Int?
    /// The remaining items.
    private var elements: JSONView.Elements?

    /// Failures: `response`.
    init(_ body: Text, items: Bytes) throws(Failure) {
        self.items = items
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
            elements = found.elements
        default:
            guard items.isEmpty else {
                throw Failure(.response, "the value at \(items.printable) is not an array of items")
            }
            itemCount = nil
        }
    }

    /// The JSON text of the next item, valid as long as the body; nil after the last one.
    mutating func next() -> UnsafeRawBufferPointer? { elements?.read()?.source }

    /// The value of a cursor for a query.
    ///
    /// - Parameter pointer: A pointer into the document, or into its last item.
    func cursor(_ pointer: Bytes, ofLastItem: Bool) throws(Failure) -> PageValue? {
        guard ofLastItem else {
            return try text(at: pointer).map { PageValue($0, document?.view.find(pointer)?.value.tree ?? .text($0)) }
        }
        guard let count = itemCount, count > 0, let item = document?.view.find(items)?.value.element(count &- 1) else {
            return nil
        }
        guard let found = item.find(pointer)?.value else {
            throw Failure(.response, "the last item of the page has no value at \(pointer.printable)")
        }
        switch found.kind {
        case .text: return PageValue(found.content, .text(found.content))
        case .integer, .real, .wideNumber: return PageValue(Bytes(found.source), found.tree)
        case .array, .object: return PageValue(nil, found.tree)
        default: throw Failure(.response, "the value at \(pointer.printable) of the last item cannot be a cursor")
        }
    }

    /// The value of any type at a pointer, for a body; nil for a value that means that there is none.
    func value(at pointer: Bytes) throws(Failure) -> PageValue? {
        guard let found = document?.view.find(pointer)?.value else { return nil }
        if found.kind == .array || found.kind == .object { return PageValue(nil, found.tree) }
        return try cursor(pointer, ofLastItem: false)
    }

    /// The number at a pointer, which can be written as a string; nil if the value has another type or is missing.
    func number(at pointer: Bytes) -> Int64? {
        guard let found = document?.view.find(pointer)?.value else { return nil }
        switch found.kind {
        case .integer: return found.integer
        case .text: return Decimal.parse(found.content)
        default: return nil
        }
    }

    /// Whether the value at a pointer says that there are no more pages.  Many services leave out false, so nothing says it, too.
    func isFalse(at pointer: Bytes) -> Bool {
        guard let found = document?.view.find(pointer)?.value else { return true }
        return found.kind == .null || found.kind == .boolean && !found.boolean || found.kind == .integer && found.integer == 0
    }

    /// The string or number at a pointer; nil for a value that means that there is none: a missing value, null, false, 0 and "".
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

/// The value that selects a page: as a string for a query parameter or a link, and as JSON for a body.
struct PageValue {
    /// nil for an array or an object, which only a body can contain.
    let text: Bytes?
    let json: Value

    init(_ text: Bytes?, _ json: Value) {
        self.text = text
        self.json = json
    }

    init(_ number: Int64) { self.init("\(Int(number))", .integer(number)) }
}
