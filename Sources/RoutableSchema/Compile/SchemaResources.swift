// The documents that references may use, and their identifiers: $id, $anchor, $dynamicAnchor.

internal import RoutableCore
internal import RoutableJSON

/// The dialect of the schemas of a document.
package enum SchemaDialect: Sendable {
    case draft202012
    /// Draft 4 as in OpenAPI 3.0: `nullable`, boolean exclusive bounds, no keywords beside `$ref`.
    case openAPI30
    case openAPI31
    /// The types of a route document: draft 2020-12, and discriminators.
    case routeDocument
}

/// One resource: a schema with an identifier, or a whole document.
struct SchemaResource {
    struct Rules: OptionSet {
        let rawValue: UInt16
        /// `format` is an assertion.
        static let assertsFormats = Rules(rawValue: 1)
        /// The meta-schema has no validation vocabulary.
        static let noAssertions = Rules(rawValue: 2)
        /// `items` may be an array, with additionalItems; no prefixItems.  Drafts before 2020-12.
        static let oldItems = Rules(rawValue: 4)
        /// Keywords beside `$ref` are ignored.  Drafts before 2019-09.
        static let refAlone = Rules(rawValue: 8)
        static let booleanExclusive = Rules(rawValue: 16)
        static let nullable = Rules(rawValue: 32)
        /// No $id and no anchors: references are pointers.
        static let noNames = Rules(rawValue: 64)
        /// `dependencies`.
        static let oldDependencies = Rules(rawValue: 128)
        /// `discriminator`.
        static let discriminates = Rules(rawValue: 256)
    }

    /// Absolute, or relative if the location of the document is unknown; without a fragment.
    var uri: Bytes
    var root: JSONView
    /// The pointer to the root in its document.
    var pointer: Bytes
    var rules: Rules
    /// The anchors of its schemas; few resources have any.
    var anchors: [(name: Bytes, node: Node, isDynamic: Bool)] = []

    func anchor(_ name: Bytes) -> Node? { anchors.first { $0.name == name }?.node }
    func dynamicAnchor(_ name: Bytes) -> JSONView? { anchors.first { $0.isDynamic && $0.name == name }?.node.view }
}

extension JSONView {
    func member(_ keyword: SchemaKeyword) -> JSONView? {
        member(keyword.word.rawBytes)
    }
}

/// All resources, found by scanning documents for schemas.
final class SchemaResources {
    private(set) var list: [SchemaResource] = []
    private var byURI: [Bytes: Int] = [:]
    /// The resource of each schema object that was scanned.
    private var owners: [Int: Int] = [:]
    private let baseRules: SchemaResource.Rules
    private let indexes = JSONIndexes()

    init(_ dialect: SchemaDialect, assertsFormats: Bool) {
        var rules: SchemaResource.Rules = assertsFormats ? .assertsFormats : []
        switch dialect {
        case .draft202012: rules.insert(.oldDependencies)
        case .routeDocument: rules.formUnion([.oldDependencies, .discriminates])
        case .openAPI30:
            rules.formUnion([.oldItems, .refAlone, .booleanExclusive, .nullable, .noNames, .discriminates])
        case .openAPI31: rules.insert(.discriminates)
        }
        baseRules = rules
    }

    /// Adds a document; `isSchema` if its root is a schema, which is then scanned for identifiers.
    func add(_ view: JSONView, uri: Bytes, isSchema: Bool) throws(Failure) -> Int {
        let index = try append(SchemaResource(uri: uri, root: view, pointer: Bytes(), rules: baseRules))
        if isSchema {
            list[index].rules = rules(of: view)
            try scan(Node(view), index)
        }
        return index
    }

    private func append(_ resource: SchemaResource) throws(Failure) -> Int {
        if list.count >= 65_535 { throw Failure(.limit, "there are more than 65535 schemas with identifiers") }
        list.append(resource)
        if byURI[resource.uri] == nil { byURI[resource.uri] = list.count &- 1 }
        return list.count &- 1
    }

    func index(of uri: Bytes) -> Int? { byURI[uri] }
    func owner(of view: JSONView) -> Int? { owners[view.identity] }

    /// The rules that `$schema` selects; the meta-schema may be one of the documents.
    private func rules(of view: JSONView) -> SchemaResource.Rules {
        var rules = baseRules
        guard let name = view.member(.schema), name.kind == .text else { return rules }
        let uri = URIReference(name.content).resolved(against: Bytes())
        if uri.hasSuffix("json-schema.org/draft/2020-12/schema") { return rules }
        let old: SchemaResource.Rules = [.oldItems, .oldDependencies]
        if uri.hasSuffix("json-schema.org/draft/2019-09/schema") { return rules.union(old) }
        if uri.hasSuffix("json-schema.org/draft-07/schema") || uri.hasSuffix("json-schema.org/draft-06/schema") {
            return rules.union(old).union(.refAlone)
        }
        if uri.hasSuffix("json-schema.org/draft-04/schema") {
            return rules.union(old).union([.refAlone, .booleanExclusive])
        }
        guard let index = byURI[uri], let vocabulary = list[index].root.member(.vocabulary), vocabulary.kind == .object
        else { return rules }
        var validates = false
        var members = vocabulary.members
        while let (name, _) = members.read() {
            let name = Bytes(name)
            if name.hasSuffix("/vocab/validation") { validates = true }
            if name.hasSuffix("/vocab/format-assertion") { rules.insert(.assertsFormats) }
        }
        if !validates { rules.insert(.noAssertions) }
        return rules
    }

    /// Records the identifiers in a schema and in its subschemas.
    func scan(_ node: Node, _ resource: Int) throws(Failure) {
        // proof: the recursion ends at the nesting that the scanner of the text or `admit` allows.
        let view = node.view
        guard view.kind == .object, owners[view.identity] == nil else { return }
        try Memory.check()
        var resource = resource
        if list[resource].rules.contains(.noNames) { return }
        if let name = view.member(.id), name.kind == .text {
            let reference = URIReference(name.content)
            let uri = reference.resolved(against: list[resource].uri)
            if view.identity == list[resource].root.identity {
                list[resource].uri = uri
                if byURI[uri] == nil { byURI[uri] = resource }
            } else if !list[resource].rules.contains(.refAlone) || view.member(.ref) == nil {
                var rules = list[resource].rules
                if view.member(.schema) != nil { rules = self.rules(of: view) }
                resource = try append(
                    SchemaResource(uri: uri, root: view, pointer: node.pointer, rules: rules))
            }
        }
        owners[view.identity] = resource
        if let name = view.member(.anchor), name.kind == .text {
            list[resource].anchors.append((name.content, node, false))
        }
        if let name = view.member(.dynamicAnchor), name.kind == .text {
            list[resource].anchors.append((name.content, node, true))
        }
        var members = view.members
        while let (name, value) = members.read() {
            guard let keyword = SchemaKeyword.of(name) else { continue }
            switch keyword.holds {
            case .nothing: continue
            case .schema: try scan(value, keyword, node, resource)
            case .schemas: try scanEach(value, keyword, node, resource)
            case .named: try scanNamed(value, keyword, node, resource)
            case .schemaOrSchemas:
                if value.kind == .array {
                    try scanEach(value, keyword, node, resource)
                } else {
                    try scan(value, keyword, node, resource)
                }
            case .schemaOrNames: try scanNamed(value, keyword, node, resource)
            }
        }
    }

    // Pointers are written only for schemas with an identifier, of which there are few: until then, the path is a list of steps.
    private func scan(
        _ value: JSONView, _ keyword: SchemaKeyword, _ parent: Node, _ resource: Int
    ) throws(Failure) {
        guard value.kind == .object else { return }
        try scan(Node(value, "\(parent.pointer)/\(keyword.word)"), resource)
    }

    private func scanEach(
        _ value: JSONView, _ keyword: SchemaKeyword, _ parent: Node, _ resource: Int
    ) throws(Failure) {
        guard value.kind == .array else { return }
        var index = 0
        var elements = value.elements
        while let element = elements.read() {
            try scan(Node(element, "\(parent.pointer)/\(keyword.word)/\(index)"), resource)
            index &+= 1
        }
    }

    private func scanNamed(
        _ value: JSONView, _ keyword: SchemaKeyword, _ parent: Node, _ resource: Int
    ) throws(Failure) {
        guard value.kind == .object else { return }
        var members = value.members
        while let (name, element) = members.read() {
            if element.kind != .object { continue }
            try scan(
                Node(element, JSONPointer.appending(Bytes(name), to: "\(parent.pointer)/\(keyword.word)")), resource)
        }
    }

    // MARK: References

    /// The schema to which a reference leads.
    struct Target {
        var view: JSONView
        var resource: Int
        /// Its pointer in the document.
        var pointer: Bytes
        /// The name, if the fragment is a name and not a pointer.
        var anchor: Bytes?
    }

    /// The names that exist for the last token of a pointer within a resource.
    func names(beside reference: Bytes, from resource: Int) -> [Bytes] {
        guard reference.hasPrefix("#/") else { return [] }
        var view = list[resource].root
        for token in JSONPointer.tokens(Bytes(reference.storage.dropFirst())).dropLast() {
            guard let member = indexes.member(token, of: view) else { return [] }
            view = member
        }
        var names: [Bytes] = []
        var members = view.members
        while names.count < 256, let (name, _) = members.read() { names.append(Bytes(name)) }
        return names
    }

    /// The target of a reference in a resource; nil if there is no such schema, or no such document.
    func target(of reference: Bytes, from resource: Int) throws(Failure) -> Target? {
        let parts = URIReference(reference)
        var index = resource
        if reference.storage.first != UInt8(ascii: "#") && !reference.isEmpty {
            guard let found = byURI[parts.resolved(against: list[resource].uri)] else { return nil }
            index = found
        }
        let start = list[index]
        let fragment = URIReference.decoded(parts.fragment ?? Bytes())
        if fragment.isEmpty { return Target(view: start.root, resource: index, pointer: start.pointer) }
        if fragment.storage.first != UInt8(ascii: "/") {
            guard let node = start.anchor(fragment) else { return nil }
            return Target(view: node.view, resource: index, pointer: node.pointer, anchor: fragment)
        }
        var view = start.root
        for token in JSONPointer.tokens(fragment) {
            if view.kind == .array {
                guard let place = Decimal.parse(token), place >= 0, let element = indexes.element(Int(place), of: view) else {
                    return nil
                }
                view = element
            } else {
                guard let member = indexes.member(token, of: view) else { return nil }
                view = member
            }
            if let owner = owners[view.identity], view.kind == .object { index = owner }
        }
        let target = Target(view: view, resource: index, pointer: "\(start.pointer)\(fragment)")
        if view.kind == .object, owners[view.identity] == nil {
            try scan(Node(view, target.pointer), index)
            return Target(view: view, resource: owners[view.identity] ?? index, pointer: target.pointer)
        }
        return target
    }
}
