// Reads a call in JSON (docs/json-tier.md): route, operation and values in one object.

package import RoutableCore
internal import RoutableJSON

/// Reads calls, and single values.
package enum CallDocument {
    /// Reads a call.
    ///
    /// - Throws: `json`, `document` or `limit`, with pointer, offset, line and column.
    package static func read(_ text: UnsafeRawBufferPointer) throws(Failure) -> Call {
        do throws(Failure) {
            let document = try JSONDocument.read(call: text)
            defer { withExtendedLifetime(document) {} }
            return try call(Node(document.view))
        } catch {
            throw RouteDocument.locate(error, in: text)
        }
    }

    /// Reads a call that the program has parsed; `jansson` is its borrowed `const json_t *`.
    package static func read(jansson: OpaquePointer) throws(Failure) -> Call {
        let document = try JSONDocument.read(jansson: jansson)
        defer { withExtendedLifetime(document) {} }
        return try call(Node(document.view))
    }

    /// Reads one JSON value of any kind.  If keys of an object are equal, the last one is valid.
    ///
    /// - Throws: `json` or `limit`, with offset, line and column.
    package static func value(_ text: UnsafeRawBufferPointer) throws(Failure) -> Value {
        let document = try JSONDocument.read(text)
        defer { withExtendedLifetime(document) {} }
        return document.view.tree
    }

    /// Reads the members of an object; an empty text has none.
    ///
    /// - Throws: `json`, `document` or `limit`, with offset, line and column.
    package static func members(_ text: UnsafeRawBufferPointer) throws(Failure) -> [Value.Member] {
        if text.isEmpty { return [] }
        guard case .object(let members) = try value(text) else {
            throw TextPosition(0, in: text).failure(.document, "the values must be an object, with a member for each name")
        }
        return members
    }

    /// Reads the members of an object that the program has parsed; `jansson` is its borrowed `const json_t *`.
    package static func members(jansson: OpaquePointer) throws(Failure) -> [Value.Member] {
        let document = try JSONDocument.read(jansson: jansson)
        defer { withExtendedLifetime(document) {} }
        return try members(Node(document.view), "the values")
    }

    private static let keys = KeyTable(
        "a call",
        [
            "operation", "route", "ids", "allow_empty_ids", "query", "parameters", "headers", "cookies", "body", "body_text",
            "body_base64",
            "files", "content_type", "base",
        ])

    private static func call(_ node: Node) throws(Failure) -> Call {
        if node.view.kind == .object, let former = node.member("do") {
            throw former.keyFailure("do", "use \"operation\" instead of \"do\"").with { $0.suggestion = "operation" }
        }
        _ = try node.object(keys)
        guard let operation = node.member("operation") else { throw node.failure("the call has no \"operation\"") }
        var call = Call(operation: try operation.name("\"operation\""))
        if let member = node.member("route") { call.route = try member.text("\"route\"") }
        if let member = node.member("ids") { call.ids = try ids(member) }
        if let member = node.member("allow_empty_ids") { call.allowsEmptyIds = try member.boolean("\"allow_empty_ids\"") }
        if let member = node.member("query") { call.query = try members(member, "\"query\"") }
        if let member = node.member("parameters") { call.parameters = try members(member, "\"parameters\"") }
        if let member = node.member("headers") { call.headers = try members(member, "\"headers\"") }
        if let member = node.member("cookies") { call.cookies = try members(member, "\"cookies\"") }
        call.body = try body(node)
        if let member = node.member("files") { call.files = try files(member) }
        if let member = node.member("content_type") { call.contentType = try member.name("\"content_type\"") }
        if let member = node.member("base") { call.base = try member.name("\"base\"") }
        return call
    }

    private static let fileKeys = KeyTable("a file", ["path", "content", "content_base64", "filename", "content_type"])

    /// The value for each name is a file or an array of files; a file is its path, or an object with its path or its content.
    private static func files(_ node: Node) throws(Failure) -> [Multipart.Part] {
        var parts: [Multipart.Part] = []
        for (name, member) in try node.members("\"files\"") {
            if member.view.kind == .array {
                for element in try member.elements("the files") { parts.append(try file(name, element)) }
            } else {
                parts.append(try file(name, member))
            }
        }
        return parts
    }

    private static func file(_ name: Bytes, _ node: Node) throws(Failure) -> Multipart.Part {
        guard node.view.kind == .object else {
            let path = try node.name("the path of a file")
            return Multipart.Part(name: name, content: StreamedBody.Piece(file: path), filename: path.lastComponent)
        }
        _ = try node.object(fileKeys)
        var filename: Bytes?
        var contentType = Bytes()
        if let member = node.member("filename") { filename = try member.text("\"filename\"") }
        if let member = node.member("content_type") { contentType = try member.name("\"content_type\"") }
        var piece: StreamedBody.Piece?
        for key in ["path", "content", "content_base64"] as [StaticString] {
            guard let member = node.member(key) else { continue }
            if piece != nil { throw member.failure("use one of \"path\", \"content\" and \"content_base64\"") }
            switch key.bytes.count {
            case 4:
                let path = try member.name("the path of a file")
                filename = filename ?? path.lastComponent
                piece = StreamedBody.Piece(file: path)
            case 7: piece = StreamedBody.Piece(memory: try member.text("\"content\""))
            default: piece = StreamedBody.Piece(memory: try base64(member, key))
            }
        }
        guard let piece else { throw node.failure("the file has no \"path\", \"content\" or \"content_base64\"") }
        return Multipart.Part(name: name, content: piece, filename: filename, contentType: contentType)
    }

    private static func base64(_ node: Node, _ key: StaticString) throws(Failure) -> Bytes {
        let (bytes, fault) = Base64.decode(try node.text(key))
        if let fault { throw node.failure("\"\(key)\" is not padded base64 at its character \(fault)") }
        return bytes
    }

    private static func members(_ node: Node, _ subject: StaticString) throws(Failure) -> [Value.Member] {
        guard node.view.kind == .object else { throw node.wrongKind(subject, "an object") }
        return node.view.memberTrees
    }

    private static func ids(_ node: Node) throws(Failure) -> Call.Ids {
        switch node.view.kind {
        case .object: return .named(node.view.memberTrees)
        case .array:
            guard case .array(let elements) = node.view.tree else { return .positional([]) }
            return .positional(elements)
        default: throw node.wrongKind("\"ids\"", "an array or an object")
        }
    }

    private static func body(_ node: Node) throws(Failure) -> Call.Body {
        var result = Call.Body.none
        var first: StaticString?
        for (key, kind) in [("body", 0), ("body_text", 1), ("body_base64", 2)] as [(StaticString, Int)] {
            guard let member = node.member(key) else { continue }
            if let first { throw member.failure("a call has one body; \"\(first)\" is already set") }
            first = key
            if kind == 0 {
                result = .value(member.view.tree)
                continue
            }
            guard member.view.kind == .text else { throw member.wrongKind("a body of text", "a string") }
            result = .bytes(kind == 1 ? member.view.content : try base64(member, key))
        }
        return result
    }
}
