// The schemas that a schema of an operation reaches: each is read once, and gets a name among the definitions.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

/// A schema, and the number of the document in which its references are resolved.
struct SchemaNode {
    let node: TapeNode
    let document: Int
}

/// The schemas that were reached so far.
struct SchemaGraph {
    private struct Entry {
        let tape: JSONTape
        let document: Int
        var isReadOnly = false
        /// The name among the definitions; empty as long as no schema that is written refers to it.
        var name = Bytes()
    }

    private let router: Router
    private var entries = KeyedValues<Int, Entry>()
    private var names = Set<Bytes>()
    /// The types of a route document, after the first reference to one.
    private var typesByName: [Bytes: Int] = [:]
    /// The entries that are written, in the order in which they were found.
    private var used: [Int] = []

    /// Types of a route document, and inline types: each is a JSON document of its own.
    private static let ownTypes = -1

    init(_ router: Router) { self.router = router }

    /// The schema of a type.  The graph retains it.
    mutating func root(ofType type: Int) -> SchemaNode? {
        let types = router.description.types
        let found =
            router.codec?.schemaText(nil, type)
            ?? (types.indices.contains(type) ? ownType(type, types[type]) : nil)
        return found.flatMap { place(of: $0) }.map { node(at: $0) }
    }

    private func ownType(_ index: Int, _ type: TypeDescription) -> SchemaText {
        SchemaText(text: type.slice.map { Bytes($0.buffer) } ?? type.schema, document: Self.ownTypes, position: index)
    }

    /// The entry to which a reference leads; nil if its target is not known.
    private mutating func target(of reference: TapeNode, in document: Int, depth: Int = 0) -> Int? {
        let text = reference.string
        if document != Self.ownTypes {
            return router.codec?.schemaText(text, document).flatMap { place(of: $0, depth: depth) }
        }
        guard text.hasPrefix("#/types/"),
            let name = JSONPointer.tokens(URIReference.decoded(Bytes(text.storage[7...]))).first
        else { return nil }
        let types = router.description.types
        if typesByName.isEmpty { for index in types.indices { typesByName[types[index].name] = index } }
        guard let index = typesByName[name] else { return nil }
        return place(of: ownType(index, types[index]), depth: depth)
    }

    mutating func target(of reference: TapeNode, in document: Int) -> SchemaNode? {
        target(of: reference, in: document, depth: 0).map { node(at: $0) }
    }

    private mutating func place(of found: SchemaText, depth: Int = 0) -> Int? {
        let key = found.document &<< 40 ^ found.position
        if let known = entries.place(of: key) { return known }
        guard let tape = found.text.storage.withUnsafeBytes({ try? JSONTape.read($0) }) else { return nil }
        entries.set(Entry(tape: tape, document: found.document), for: key)
        guard let place = entries.place(of: key) else { return nil }
        entries.values[place].isReadOnly = isReadOnly(node(at: place), depth: depth)
        return place
    }

    private func node(at place: Int) -> SchemaNode {
        SchemaNode(node: entries.values[place].tape.root, document: entries.values[place].document)
    }

    /// Whether a member with this schema is `readOnly`, also by a reference or by a part of `allOf`.
    mutating func isReadOnly(_ schema: SchemaNode, depth: Int = 0) -> Bool {
        // proof: the depth of the recursion is limited.
        guard depth < 8, schema.node.isObject else { return false }
        if let reference = schema.node.member("$ref") {
            guard let place = target(of: reference, in: schema.document, depth: depth &+ 1) else { return false }
            return entries.values[place].isReadOnly
        }
        if schema.node.member("readOnly")?.isTrue == true { return true }
        guard var parts = schema.node.member("allOf")?.children else { return false }
        while let part = parts.read() {
            if isReadOnly(SchemaNode(node: part.value, document: schema.document), depth: depth &+ 1) { return true }
        }
        return false
    }

    // MARK: - Definitions

    /// The name of the target of a reference among the definitions; nil if the target is not known.
    mutating func name(of reference: TapeNode, in document: Int) -> Bytes? {
        guard let place = target(of: reference, in: document, depth: 0) else { return nil }
        if entries.values[place].name.isEmpty {
            let text = reference.string
            let last = text.storage.lastIndex(of: UInt8(ascii: "/")).map { $0 &+ 1 } ?? 0
            let wanted = ToolName.reduced(Bytes(text.storage[last...]), keepsDots: true, limit: 64)
            entries.values[place].name = ToolName.unique(wanted, &names)
            used.append(place)
        }
        return entries.values[place].name
    }

    /// A definition by its number; nil after the last one.  Writing one may add others.
    func definition(_ index: Int) -> (name: Bytes, schema: SchemaNode)? {
        guard index < used.count else { return nil }
        return (entries.values[used[index]].name, node(at: used[index]))
    }

    // MARK: - Members

    /// The members of an object, from its schema and those that it consists of.
    struct Members {
        fileprivate(set) var list: [(name: Bytes, schema: SchemaNode)] = []
        fileprivate(set) var required: [Bytes] = []

        fileprivate static let limit = 512

        /// Whether all required names are those of members.
        var isWhole: Bool { required.allSatisfy { name in list.contains { $0.name == name } } }
    }

    /// Adds the members of an object; false if the schema is not just a list of members.
    mutating func gather(_ schema: SchemaNode, _ members: inout Members, depth: Int = 0) -> Bool {
        // proof: the depth of the recursion is limited.
        guard depth < 8, schema.node.isObject else { return false }
        if let reference = schema.node.member("$ref") {
            guard let target = target(of: reference, in: schema.document) else { return false }
            return gather(target, &members, depth: depth &+ 1)
        }
        var children = schema.node.children
        while let child = children.read() {
            let (key, value) = (child.key, child.value)
            if key.equals("properties") {
                var properties = value.children
                while let property = properties.read() {
                    let name = property.name
                    if members.list.count >= Members.limit || members.list.contains(where: { $0.name == name }) { return false }
                    members.list.append((name, SchemaNode(node: property.value, document: schema.document)))
                }
            } else if key.equals("required") {
                var names = value.children
                while let name = names.read(), members.required.count < Members.limit {
                    members.required.append(name.value.string)
                }
            } else if key.equals("allOf") {
                var parts = value.children
                var count = 0
                while let part = parts.read() {
                    count &+= 1
                    if count > 32
                        || !gather(SchemaNode(node: part.value, document: schema.document), &members, depth: depth &+ 1)
                    {
                        return false
                    }
                }
            } else if key.equals("type") {
                if !value.equals("object") { return false }
            } else if key.equals("additionalProperties") {
                if value.kind != .boolean || value.isTrue { return false }
            } else if key.equals("nullable") {
                if value.isTrue { return false }
            } else if !key.equals("readOnly"), !key.equals("writeOnly"), !key.equals("$defs"), !key.equals("definitions"),
                KeywordShape.of(key.rawText) != nil
            {
                return false
            }
        }
        return true
    }
}
