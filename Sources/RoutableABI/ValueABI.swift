// Converts values and calls in C structs to the types of the core.

internal import CRoutable
internal import RoutableCore
internal import RoutableDocuments

extension Value {
    init(_ value: routable_value, _ what: StaticString) throws(Failure) {
        switch value.kind {
        case ROUTABLE_KIND_NULL: self = .null
        case ROUTABLE_KIND_BOOLEAN: self = .boolean(value.as.integer != 0)
        case ROUTABLE_KIND_INTEGER: self = .integer(value.as.integer)
        case ROUTABLE_KIND_REAL: self = .real(value.as.real)
        case ROUTABLE_KIND_STRING: self = .text(try value.as.string.bytes(what))
        case ROUTABLE_KIND_JSON: self = try CallDocument.value(try value.as.string.buffer(what))
        default:
            throw Failure(.argument, "\(value.kind.rawValue) is not a kind of value (ROUTABLE_KIND_NULL to ROUTABLE_KIND_JSON)")
        }
    }
}

struct Arguments {
    private let elements: UnsafeBufferPointer<routable_argument>
    private let what: StaticString

    init(_ start: UnsafePointer<routable_argument>?, _ count: Int, _ what: StaticString) throws(Failure) {
        if count == 0 {
            elements = UnsafeBufferPointer(start: nil, count: 0)
        } else {
            guard let start else { throw .null(what) }
            guard count > 0, count <= 1 << 20 else { throw Failure(.limit, "at most \(1 << 20) values are allowed") }
            elements = UnsafeBufferPointer(start: start, count: count)
        }
        self.what = what
    }

    /// The arguments by name; a missing name is an error of the caller.
    func members() throws(Failure) -> [Value.Member] {
        var members: [Value.Member] = []
        for element in elements {
            guard let name = element.name else { throw .null("the name of an argument") }
            members.append(Value.Member(name: Bytes(cString: name), value: try located(element)))
        }
        return members
    }

    /// The ids: all by position, or all by name.
    func ids() throws(Failure) -> Call.Ids {
        if elements.contains(where: { $0.name != nil }) {
            if elements.contains(where: { $0.name == nil }) {
                throw Failure(.id, "ids are given by position and by name; use one of the two")
            }
            return .named(try members())
        }
        var values: [Value] = []
        for element in elements { values.append(try located(element)) }
        return .positional(values)
    }

    private func located(_ element: routable_argument) throws(Failure) -> Value {
        do { return try Value(element.value, what) } catch {
            throw element.name.map { name in error.with { $0.parameter = Bytes(cString: name) } } ?? error
        }
    }
}

extension Call {
    init(_ pointer: UnsafePointer<routable_call>?) throws(Failure) {
        guard let pointer else { throw .null("call") }
        let given = try options(pointer, routable_call(), "call")
        self.init(operation: try nameText(given.operation, "call.operation"))
        route = optionalName(given.route) ?? Bytes()
        ids = try Arguments(given.ids, given.id_count, "call.ids").ids()
        allowsEmptyIds = given.allow_empty_ids != 0
        query = try Arguments(given.query, given.query_count, "call.query").members()
        if given.parameters != nil || given.parameter_count != 0 {
            parameters = try Arguments(given.parameters, given.parameter_count, "call.parameters").members()
        }
        headers = try Arguments(given.headers, given.header_count, "call.headers").members()
        cookies = try Arguments(given.cookies, given.cookie_count, "call.cookies").members()
        switch given.body.kind {
        case ROUTABLE_KIND_NULL: body = .none
        case ROUTABLE_KIND_JSON: body = .json(try given.body.as.string.bytes("call.body"))
        case ROUTABLE_KIND_STRING: body = .bytes(try given.body.as.string.bytes("call.body"))
        default:
            do { body = .value(try Value(given.body, "call.body")) } catch {
                throw error.with { $0.pointer = "/body\($0.pointer ?? "")" }
            }
        }
        contentType = optionalName(given.content_type)
        base = optionalName(given.base)
    }
}

extension [HeaderField] {
    init(_ start: UnsafePointer<routable_header>?, _ count: Int) throws(Failure) {
        self.init()
        if count == 0 { return }
        guard let start else { throw .null("headers") }
        guard count > 0, count <= 1 << 16 else { throw Failure(.limit, "at most \(1 << 16) headers are allowed") }
        for header in UnsafeBufferPointer(start: start, count: count) {
            append(HeaderField(try header.name.bytes("a header's name"), try header.value.bytes("a header's value")))
        }
    }
}
