// The part of a request that selects a page: a query parameter, or a member of its JSON body.

internal import RoutableCore
internal import RoutableJSON

extension Pagination {
    /// The value of a parameter in a request; nil if there is none.
    func value(of name: Bytes, in request: Request) -> PageValue? {
        guard details.isInBody else { return request.queryValue(name).map { PageValue($0, .text($0)) } }
        guard let body = request.body, let document = try? JSONDocument.read(keeping: body),
            let found = document.view.find(name)?.value
        else { return nil }
        defer { withExtendedLifetime(document) {} }
        switch found.kind {
        case .null: return nil
        case .text: return PageValue(found.content, .text(found.content))
        default: return PageValue(Bytes(found.source), found.tree)
        }
    }

    /// A copy of the request with a value for a parameter.
    func setting(_ name: Bytes, _ value: PageValue, in request: Request) throws(Failure) -> Request {
        guard details.isInBody else {
            guard let text = value.text else {
                throw Failure(.response, "the cursor is an array or an object, which a query parameter cannot have")
            }
            return request.with(name, text)
        }
        var tree = Value.object([])
        if let body = request.body, !body.buffer.isEmpty {
            let document: JSONDocument
            do throws(Failure) { document = try JSONDocument.read(keeping: body) } catch {
                throw Failure(.argument, "the pagination is in the body, which is not JSON: \(error.message)")
            }
            tree = document.view.tree
            withExtendedLifetime(document) {}
        }
        let changed = try Self.setting(JSONPointer.tokens(name)[...], of: tree, to: value.json, name)
        var writer = JSONWriter()
        try writer.value(changed)
        let copy = request.copy()
        try copy.setBody(
            Bytes(writer.bytes), contentType: copy.headers.index(of: "content-type") == nil ? "application/json" : nil)
        return copy
    }

    private static func setting(
        _ tokens: ArraySlice<Bytes>, of tree: Value, to value: Value, _ pointer: Bytes
    ) throws(Failure) -> Value {
        // proof: the recursion is bounded by the pointer, whose length the description bounds.
        guard let token = tokens.first else { return value }
        var members: [Value.Member]
        switch tree {
        case .object(let known): members = known
        case .null: members = []
        default: throw Failure(.argument, "the body has no object in which \(pointer.printable) could be set")
        }
        let rest = tokens.dropFirst()
        if let index = members.firstIndex(where: { $0.name == token }) {
            members[index].value = try setting(rest, of: members[index].value, to: value, pointer)
        } else {
            members.append(.init(name: token, value: try setting(rest, of: .null, to: value, pointer)))
        }
        return .object(members)
    }
}

/// The record of a request for detecting a cycle: 16 bytes of a digest of its URL and its body.
struct VisitedPage: Hashable {
    private let high: UInt64
    private let low: UInt64

    init(_ url: Bytes, _ body: Text?) {
        var text = url
        if let body {
            text.append(0)
            text.append(contentsOf: body.buffer)
        }
        let digest = SHA256.digest(text).storage
        var words: [UInt64] = [0, 0]
        for index in 0..<16 where index < digest.count { words[index / 8] = words[index / 8] << 8 | UInt64(digest[index]) }
        (high, low) = (words[0], words[1])
    }
}
