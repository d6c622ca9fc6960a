// Reads the presentation document: a tree of screens as JSON (docs/presentation.md), whose presenters the program binds by
// name.

package import RoutableCore
internal import RoutableJSON

/// The tree of a document: each presenter after its parent, in declaration order.
package struct PresentationDescription {
    package enum Kind {
        case bare, junction, stack
        case pattern(Bytes, isRelative: Bool)
        case template(Bytes, ids: [(name: Bytes, scalar: Scalar)], isRelative: Bool)
    }

    package struct Node {
        /// The name of the presenter.
        package let name: Bytes
        package let kind: Kind
        /// The name of the parent presenter; nil for the root.
        package let parent: Bytes?
        /// The pointer of the presenter in the document.
        package let pointer: Bytes
    }

    package var nodes: [Node] = []
}

/// Reads presentation documents.
package enum PresentationDocument {
    /// The version of the grammar that this library reads.
    static let version = 1
    /// The maximum nesting of a document, which is that of a tree.
    static let depth = 64

    /// - Throws: `json`, `document`, `unsupported` or `limit`, with pointer, offset, line and column.
    package static func read(_ text: UnsafeRawBufferPointer) throws(Failure) -> PresentationDescription {
        if text.count > Limits.documentBytes {
            throw Failure(
                .limit, "the presentation document has \(text.count) bytes; at most \(Limits.documentBytes) are allowed"
            )
        }
        do throws(Failure) {
            let document = try JSONDocument.read(text, JSONReading(rejectsDuplicates: true))
            defer { withExtendedLifetime(document) {} }
            var reader = PresentationReader()
            try reader.read(Node(document.view))
            return reader.description
        } catch {
            throw RouteDocument.locate(error, in: text)
        }
    }
}

/// Reads one document from the top; stops at the first error.
private struct PresentationReader {
    var description = PresentationDescription()

    private static let keys = KeyTable(
        "the presentation document", ["routable_presentation", "name", "description", "root"])
    private static let presenterKeys = KeyTable(
        "a presenter",
        ["presenter", "description", "junction", "stack", "pattern", "template", "ids", "relative", "children"])
    private static let ways: [StaticString] = ["junction", "stack", "pattern", "template"]

    mutating func read(_ document: Node) throws(Failure) {
        guard document.view.kind == .object else { throw document.wrongKind("a presentation document", "an object") }
        guard let version = document.member("routable_presentation") else {
            throw document.failure(
                "the key \"routable_presentation\" is missing; the document begins with {\"routable_presentation\": 1")
        }
        if version.view.kind == .wideNumber
            || version.view.kind == .integer && version.view.integer > Int64(PresentationDocument.version)
        {
            throw version.failure(
                "the document is of version \(version.view.json.printable); this library supports version \(PresentationDocument.version)",
                .unsupported)
        }
        guard version.view.kind == .integer, version.view.integer == Int64(PresentationDocument.version) else {
            throw version.failure("\"routable_presentation\" must be 1, the version of the grammar")
        }
        _ = try document.object(Self.keys)
        for key in ["name", "description"] as [StaticString] {
            if let member = document.member(key) { _ = try member.text("a name or a description") }
        }
        guard let root = document.member("root") else { throw document.failure("the document has no \"root\"") }
        try presenter(root, parent: nil, level: 1)
    }

    private mutating func presenter(_ node: Node, parent: Bytes?, level: Int) throws(Failure) {
        if level > PresentationDocument.depth {
            throw node.failure("more than \(PresentationDocument.depth) levels of presenters", .limit)
        }
        _ = try node.object(Self.presenterKeys)
        guard let member = node.member("presenter") else {
            throw node.failure("the presenter has no name; \"presenter\" is expected")
        }
        let name = try member.name("the name of a presenter")
        if let member = node.member("description") { _ = try member.text("the description") }
        let (kind, children) = try way(node)
        description.nodes.append(.init(name: name, kind: kind, parent: parent, pointer: node.pointer))
        guard let children else { return }
        for child in try children.elements("a list of presenters") {
            try presenter(child, parent: name, level: level &+ 1)
        }
    }

    /// The kind of a presenter, and the node with its children.
    private func way(_ node: Node) throws(Failure) -> (PresentationDescription.Kind, children: Node?) {
        var found: (key: StaticString, node: Node)?
        for key in Self.ways {
            guard let member = node.member(key) else { continue }
            if found != nil {
                throw member.failure("use one of \(Self.ways.map { Bytes(staticText: $0) })")
            }
            found = (key, member)
        }
        let isRoute = node.member("pattern") != nil || node.member("template") != nil
        if !isRoute {
            for key in ["relative", "children"] as [StaticString] {
                if let member = node.member(key) {
                    throw member.failure("\"\(key)\" is only allowed with a pattern or a template")
                }
            }
        }
        if let ids = node.member("ids"), node.member("template") == nil {
            throw ids.failure("\"ids\" is only allowed with a template")
        }
        guard let (key, member) = found else { return (.bare, nil) }
        if !isRoute { return (Bytes(staticText: key) == "junction" ? .junction : .stack, member) }
        var isRelative = false
        if let member = node.member("relative") { isRelative = try member.boolean("\"relative\"") }
        let children = node.member("children")
        let text = try member.text("a route")
        if node.member("pattern") != nil { return (.pattern(text, isRelative: isRelative), children) }
        var ids: [(name: Bytes, scalar: Scalar)] = []
        if let member = node.member("ids") {
            let reader = RouteDocumentReader()
            for (name, type) in try member.members("\"ids\"") {
                ids.append((name, try reader.parameter(name, type, .path).scalar))
            }
        }
        return (.template(text, ids: ids, isRelative: isRelative), children)
    }
}
