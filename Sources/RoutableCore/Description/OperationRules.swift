// What a description says of how requests of an operation are performed, and of how its pages follow each other.

/// What is nil is not said: then the document's rule counts, or the client's.
public struct OperationRules: Sendable {
    /// Over all attempts.
    public var deadlineMilliseconds: Int64?
    public var retries: Int?
    public var retryDelayMilliseconds: Int64?
    /// The header that carries a key, by which a service knows a repeated request; empty for none.
    public var keyHeader: Bytes?
    public var paging: Paging?

    public enum Paging: Sendable {
        case off
        case by(Pagination)
    }

    public init() {}

    var isEmpty: Bool {
        deadlineMilliseconds == nil && retries == nil && retryDelayMilliseconds == nil && keyHeader == nil && paging == nil
    }

    /// What counts for an operation of a document with these rules: keys are for what must not happen twice, pages for
    /// what is read.
    func completing(_ own: OperationRules?, of operation: OperationDescription) -> OperationRules {
        var rules = own ?? OperationRules()
        if rules.deadlineMilliseconds == nil { rules.deadlineMilliseconds = deadlineMilliseconds }
        if rules.retries == nil { rules.retries = retries }
        if rules.retryDelayMilliseconds == nil { rules.retryDelayMilliseconds = retryDelayMilliseconds }
        if rules.keyHeader == nil, operation.method == "POST" || operation.method == "PATCH" { rules.keyHeader = keyHeader }
        if rules.paging == nil, case .by(let pagination)? = paging, pagination.fits(operation) { rules.paging = paging }
        return rules
    }
}

/// How the next page is found (docs/pagination.md).
public final class Pagination: Sendable {
    /// The raw values are those of `routable_paging` in the header.
    public enum Way: Int32, Sendable { case link = 1, cursor, page, offset }

    public let way: Way
    /// A JSON pointer to the cursor, or to a link that stands in the body; empty for the Link header.
    public let place: Text
    /// The query parameter that says which page.
    public let parameter: Text
    /// The query parameter that says how large a page is; empty where none does.
    public let sizeParameter: Text
    /// A JSON pointer to the array of items.
    public let items: Text
    /// The number of the first page.
    public let start: Int64

    public init(
        way: Way, place: Bytes, parameter: Bytes, sizeParameter: Bytes, items: Bytes, start: Int64
    ) {
        self.way = way
        self.place = Text(place)
        self.parameter = Text(parameter)
        self.sizeParameter = Text(sizeParameter)
        self.items = Text(items)
        self.start = start
    }

    /// Whether a default of the document is meant for this operation.
    func fits(_ operation: OperationDescription) -> Bool {
        operation.method == "GET" && undeclared(in: operation) == nil
    }

    /// A parameter that it names and the operation does not have, with the key that names it.
    public func undeclared(in operation: OperationDescription) -> (key: Bytes, name: Bytes)? {
        for (key, name) in [("parameter", parameter.bytes), ("size", sizeParameter.bytes)] as [(Bytes, Bytes)] where !name.isEmpty {
            if !operation.query.contains(where: { $0.name == name && !$0.isArray }) { return (key, name) }
        }
        return nil
    }

    /// Refuses what cannot work for an operation.
    public func check(_ operation: OperationDescription) throws(Failure) {
        if operation.method != "GET" {
            throw Failure(.document, "pages are for GET; the operation is \(operation.method.printable)")
        }
        if let (key, name) = undeclared(in: operation) {
            throw Failure.unknownName(
                .document, "the operation has no query parameter", name,
                among: operation.query.filter { !$0.isArray }.map { $0.name }
            ).at("/\(key)").with { $0.parameter = name }
        }
    }
}

/// The rules of an operation as a host sees them.
public final class RulesEntry: Sendable {
    public let rules: OperationRules
    public let keyHeader: Text

    public var pagination: Pagination? {
        if case .by(let pagination)? = rules.paging { return pagination }
        return nil
    }

    /// nil where nothing is said.
    static func make(_ rules: OperationRules) -> RulesEntry? { rules.isEmpty ? nil : RulesEntry(rules) }

    private init(_ rules: OperationRules) {
        self.rules = rules
        keyHeader = Text(rules.keyHeader ?? Bytes())
    }
}
