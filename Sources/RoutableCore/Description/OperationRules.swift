// The policy and the pagination that a description states for an operation.

/// The policy and the pagination of an operation.  It must not be changed after the description has been opened.
public final class OperationRules: @unchecked Sendable {
    /// The deadline for all attempts; 0 if none is declared.
    public var deadlineMilliseconds: Int64 = 0
    /// The maximum number of retries; -1 if none is declared.
    public var retries = -1
    /// The delay before the first retry, in milliseconds; -1 if it is not declared.
    public var retryDelayMilliseconds: Int64 = -1
    /// The header that contains an idempotency key, by which a service recognises a repeated request; nil if it is not declared, empty for
    /// no header.
    package var keyHeader: Text?
    /// The pagination; nil if it is not declared.
    public var pagination: Pagination?
    /// Whether the operation has no pages, even if the document declares a default.
    public var isUnpaginated = false
    /// Whether a body may have any of the forms of article 004; nil if it is not declared.
    package var mapsAnyForm: Bool?

    /// Creates rules that declare nothing.
    public init() {}

    /// Whether nothing is declared.
    public var isEmpty: Bool {
        deadlineMilliseconds == 0 && retries < 0 && retryDelayMilliseconds < 0 && keyHeader == nil && pagination == nil
            && !isUnpaginated && mapsAnyForm == nil
    }

    /// The rules of an operation, with the defaults of the document: keys for operations that must not be performed twice, pagination
    /// for operations that read.
    func completing(_ own: OperationRules?, of operation: OperationDescription) -> OperationRules {
        let rules = OperationRules()
        rules.deadlineMilliseconds = own?.deadlineMilliseconds ?? 0
        rules.retries = own?.retries ?? -1
        rules.retryDelayMilliseconds = own?.retryDelayMilliseconds ?? -1
        rules.keyHeader = own?.keyHeader
        rules.pagination = own?.pagination
        rules.mapsAnyForm = own?.mapsAnyForm ?? mapsAnyForm
        if rules.deadlineMilliseconds == 0 { rules.deadlineMilliseconds = deadlineMilliseconds }
        if rules.retries < 0 { rules.retries = retries }
        if rules.retryDelayMilliseconds < 0 { rules.retryDelayMilliseconds = retryDelayMilliseconds }
        if rules.keyHeader == nil, operation.method.equals("POST") || operation.method.equals("PATCH") {
            rules.keyHeader = keyHeader
        }
        if rules.pagination == nil, own?.isUnpaginated != true, let pagination, pagination.fits(operation) {
            rules.pagination = pagination
        }
        return rules
    }
}

/// How the next page is determined (docs/pagination.md).
public final class Pagination: Sendable {
    /// The raw values are those of `routable_paging` in the header.
    public enum Way: Int32, Sendable {
        /// By a URL in a header or in the body.
        case link = 1
        /// By a string or a number in the body.
        case cursor
        /// By page numbers.
        case page
        /// By the number of items on the pages before.
        case offset
    }

    /// How the next page is determined.
    public let way: Way
    /// A JSON pointer to the cursor, or to a link in the body; empty for the Link header.
    package let place: Text
    /// The query parameter that selects the page.
    package let parameter: Text
    /// The query parameter for the size of a page; empty for none.
    package let sizeParameter: Text
    /// A JSON pointer to the array of items.
    package let items: Text
    /// The number of the first page.
    public let start: Int
    /// Options that few paginations declare.
    package let details: PaginationDetails

    /// Creates the pagination of an operation.
    public convenience init(way: Way, place: Bytes, parameter: Bytes, sizeParameter: Bytes, items: Bytes, start: Int) {
        self.init(
            way: way, place: place, parameter: parameter, sizeParameter: sizeParameter, items: items, start: start,
            PaginationDetails())
    }

    package init(
        way: Way, place: Bytes, parameter: Bytes, sizeParameter: Bytes, items: Bytes, start: Int, _ details: PaginationDetails
    ) {
        self.details = details
        self.way = way
        self.place = Text(place)
        self.parameter = Text(parameter)
        self.sizeParameter = Text(sizeParameter)
        self.items = Text(items)
        self.start = start
    }

    /// Whether a default of the document applies to this operation.
    func fits(_ operation: OperationDescription) -> Bool {
        !details.isInBody && operation.method.equals("GET") && operation.hasQuery(parameter)
            && operation.hasQuery(sizeParameter)
            && operation.hasQuery(Text(details.previousParameter))
    }

    /// Rejects a pagination that is not valid for an operation, whose parameters may be undeclared.
    public func check(_ operation: OperationDescription, isFree: Bool = false) throws(Failure) {
        if details.isInBody {
            if !operation.method.equals("GET") && !operation.method.equals("HEAD") { return }
            throw Failure(.document, "the pagination is in the body, which a GET does not have")
        }
        if !operation.method.equals("GET") {
            throw Failure(.document, "only GET operations can have pages, unless the pagination is in the body")
        }
        if !isFree, !operation.hasQuery(Text(details.previousParameter)) {
            throw Failure.unknownName(
                .document, "the pagination names an undeclared query parameter", details.previousParameter,
                among: operation.queryNames
            ).at("/pagination/previous_parameter")
        }
        let isKnown = isFree || operation.hasQuery(parameter)
        if isKnown && (isFree || operation.hasQuery(sizeParameter)) { return }
        throw unknown(isParameter: !isKnown, among: operation.queryNames)
    }

    func unknown(isParameter: Bool, among names: [Bytes]) -> Failure {
        Failure.unknownName(
            .document, "the pagination names an undeclared query parameter",
            isParameter ? parameter.bytes : sizeParameter.bytes, among: names
        ).at(isParameter ? "/pagination/parameter" : "/pagination/size")
    }
}

/// Options that few paginations declare: other places of the cursor, other end conditions, the previous page.  An empty pointer is absent.
package struct PaginationDetails: Sendable {
    /// A response header with the cursor or the link.
    package var header = Bytes()
    /// A JSON pointer into the last item of the page, whose value is the cursor; nil if the cursor is elsewhere.
    package var lastItem: Bytes?
    /// Whether the parameters are members of the JSON body, named by JSON pointers.
    package var isInBody = false
    /// JSON pointers to the number of all items, to the number of pages, and to a boolean for whether more pages follow.
    package var total = Bytes()
    package var pages = Bytes()
    package var more = Bytes()
    /// Whether a page with fewer items than were requested is the last one, and whether an empty page is.
    package var endsShort = false
    package var endsEmpty = false
    /// Statuses of the response to a request after the last page.
    package var endStatuses: [Int32] = []
    /// A JSON pointer to the cursor or the link of the previous page, and the parameter for that cursor.
    package var previous = Bytes()
    package var previousParameter = Bytes()

    package init() {}
}

extension OperationDescription {
    /// The names of the query parameters with a single value.
    var queryNames: [Bytes] {
        @inline(never) get {
            let query = query
            var names: [Bytes] = []
            for index in query.indices where !query[index].isArray { names.append(query[index].name) }
            return names
        }
    }

    /// Whether the operation has a query parameter with this name and a single value; true for an empty name.
    fileprivate func hasQuery(_ name: Text) -> Bool { name.isEmpty || queryNames.contains(name.bytes) }
}
