// Compiles the JSON of schemas into the tables of a program.
//
// Each schema gets the number of a node when it is first referred to, and is read later, from a queue: cycles of references
// need no special handling, and there is no recursion.

package import RoutableCore
package import RoutableJSON

/// Compiles any number of schemas of any number of documents into one program.
package final class SchemaCompiler {
    /// A schema that is not read yet, and its path.
    struct Pending {
        var view: JSONView
        var node: Int32
        var resource: Int
        /// The schema that contains it, or -1 for one to which a pointer refers, and the path from there.
        var parent: Int32
        var keyword: SchemaKeyword
        /// A name or an index below the keyword.
        var token: UnsafeRawBufferPointer?
        var position: Int32
    }

    var tables = SchemaProgram.Tables()
    let resources: SchemaResources
    /// Whether a keyword that is not valid is ignored, and the rest of its schema applies.  The code that opens the document warns
    /// about such keywords (`KeywordShape`).
    let isTolerant: Bool
    private var documents: [Int] = []
    private var pending: [Pending] = []
    /// The index of the pointer of each node that is not a child of another one.
    private var starts: [Int: Int] = [:]
    private var startPointers: [Bytes] = []
    /// The node of each schema, by its address.
    private var known: [Int: Int] = [:]
    private var always: Int32 = -1
    private var never: Int32 = -1
    private var knownHeirs: SchemaHeirs?
    /// The named schemas that extend others; read when the first discriminator needs them.
    var heirs: SchemaHeirs {
        if let knownHeirs { return knownHeirs }
        let heirs = SchemaHeirs(documents.map { resources.list[$0].root })
        knownHeirs = heirs
        return heirs
    }
    /// The remaining number of schemas that discriminators of other schemas may select.
    var heirBudget = 1 << 16
    private var names: [Bytes: Int] = [:]
    private var patternIndexes: [Bytes: Int] = [:]
    private let patternBudget = PatternBudget()
    private var dynamicNames: [Bytes: Int] = [:]

    package init(dialect: SchemaDialect = .draft202012, assertsFormats: Bool = false, tolerant: Bool = false) {
        resources = SchemaResources(dialect, assertsFormats: assertsFormats)
        isTolerant = tolerant
    }

    /// Adds a document to which references may lead.  The tree must exist until `finish`.
    package func add(document: JSONView, uri: Bytes = Bytes(), isSchema: Bool = false) throws(Failure) -> Int {
        let index = try resources.add(document, uri: uri, isSchema: isSchema)
        documents.append(index)
        return documents.count &- 1
    }

    /// The root number of a schema in a document.  Errors of the schema are thrown by `finish`.
    package func compile(_ node: Node, document: Int = 0) throws(Failure) -> Int {
        guard documents.indices.contains(document) else { throw Failure(.internal, "the schema has no document") }
        let resource = documents[document]
        try resources.scan(node, resource)
        let number = try self.node(of: node.view, resources.owner(of: node.view) ?? resource)
        if number != always && number != never { start(number, node.pointer) }
        tables.roots.append(number)
        return tables.roots.count &- 1
    }

    /// Reads the schemas in the queue, and makes the program.  It must be called only once.
    ///
    /// - Throws: `document` for a keyword whose value JSON Schema does not allow and for a reference without a
    ///   target, with the pointer into the document.
    package func finish() throws(Failure) -> SchemaProgram {
        while let next = pending.popLast() {
            do { try read(next) } catch {
                try tolerate(error)
                tables.nodes[Int(next.node)] = SchemaNode(resource: UInt16(truncatingIfNeeded: next.resource))
            }
            if pending.isEmpty && !dynamicNames.isEmpty { try nameAnchors() }
        }
        try checkCircles()
        for index in tables.nodes.indices where isLeaf(tables.nodes[index]) { tables.nodes[index].flags |= SchemaNode.leaf }
        if !dynamicNames.isEmpty { for index in tables.nodes.indices { unforward(index) } }
        try tables.kept.finish()
        return SchemaProgram(tables)
    }

    /// Ignores the failure of one keyword if the compiler is tolerant, so that the other keywords apply.
    func tolerate(_ failure: Failure) throws(Failure) {
        if !isTolerant || failure.status == .memory { throw failure }
    }

    /// Whether a node has only checks of scalars that need no call.
    private func isLeaf(_ node: SchemaNode) -> Bool {
        if node.flags & ~(SchemaNode.wholeReals | SchemaNode.directions) != 0 { return false }
        for index in Int(node.first)..<Int(node.first &+ node.count) {
            switch tables.code[index].operation {
            case .length, .range, .oneOfConstants, .pattern: continue
            default: return false
            }
        }
        return true
    }

    // MARK: Nodes

    /// The node of a schema; a new one is read later.
    func node(
        of view: JSONView, _ resource: Int, parent: Int32 = -1, keyword: SchemaKeyword = .none,
        token: UnsafeRawBufferPointer? = nil, position: Int32 = -1
    ) throws(Failure) -> Int32 {
        if view.kind == .boolean {
            if view.boolean {
                if always < 0 { always = append(SchemaNode()) }
                return always
            }
            if never < 0 { never = append(SchemaNode(kinds: 0, flags: SchemaNode.never)) }
            return never
        }
        let address = view.identity
        if let number = known[address] { return Int32(truncatingIfNeeded: number) }
        let resource = resources.owner(of: view) ?? resource
        let number = append(SchemaNode(resource: UInt16(truncatingIfNeeded: resource)))
        known[address] = Int(number)
        pending.append(
            Pending(
                view: view, node: number, resource: resource, parent: parent, keyword: keyword, token: token,
                position: position))
        ways.append(
            Way(node: number, parent: parent, keyword: keyword, token: token, position: position))
        return number
    }

    private func append(_ node: SchemaNode) -> Int32 {
        tables.nodes.append(node)
        return Int32(truncatingIfNeeded: tables.nodes.count &- 1)
    }

    // MARK: Places

    /// The path to a node, for messages.  The paths are in the order of the node numbers; boolean schemas have none.
    struct Way {
        var node: Int32
        var parent: Int32
        var keyword: SchemaKeyword
        var token: UnsafeRawBufferPointer?
        var position: Int32
    }
    private var ways: [Way] = []

    func start(_ node: Int32, _ pointer: Bytes) {
        if starts[Int(node)] != nil { return }
        starts[Int(node)] = startPointers.count
        startPointers.append(pointer)
    }

    /// The pointer to a schema in its document.
    func pointer(to node: Int32) -> Bytes {
        var tokens: [Bytes] = []
        var current = node
        var steps = 0
        while starts[Int(current)] == nil && steps < 2048 {
            guard let way = way(of: current), way.parent >= 0 else { break }
            if let token = way.token { tokens.append(Bytes(token)) }
            if way.position >= 0 { tokens.append("\(Int(way.position))") }
            tokens.append(way.keyword.name)
            current = way.parent
            steps &+= 1
        }
        var result = starts[Int(current)].map { startPointers[$0] } ?? Bytes()
        for token in tokens.reversed() { result = JSONPointer.appending(token, to: result) }
        return result
    }

    private func way(of node: Int32) -> Way? {
        var low = 0
        var high = ways.count
        while low < high {
            let middle = (low &+ high) >> 1
            if ways[middle].node < node { low = middle &+ 1 } else { high = middle }
        }
        return low < ways.count && ways[low].node == node ? ways[low] : nil
    }

    // MARK: References

    /// The node to which a reference leads.
    func node(referredBy reference: Node, from resource: Int) throws(Failure) -> (Int32, SchemaResources.Target) {
        let text = try reference.text("a reference")
        guard let target = try resources.target(of: text, from: resource) else {
            throw reference.failure("the reference \"\(text.printable)\" cannot be resolved\(hint(text))").with {
                let names = self.resources.names(beside: text, from: resource)
                if names.isEmpty { return }
                $0.allowed = names.ordered()
                $0.suggestion =
                    NearestName.find(JSONPointer.tokens(Bytes(text.storage.dropFirst())).last ?? text, among: $0.allowed)
                    ?? Bytes()
            }
        }
        guard target.view.kind == .object || target.view.kind == .boolean else {
            throw reference.failure(
                "the reference \"\(text.printable)\" leads to \(target.view.kindName), which is not a schema")
        }
        let number = try node(of: target.view, target.resource)
        if let way = way(of: number), way.parent < 0 { start(number, target.pointer) }
        return (number, target)
    }

    private func hint(_ text: Bytes) -> Bytes {
        text.storage.first == UInt8(ascii: "#") ? Bytes() : "; pass the other documents that references require"
    }

    /// The number of a name in $dynamicRef.
    func dynamicName(_ name: Bytes) -> Int32 {
        if let number = dynamicNames[name] { return Int32(truncatingIfNeeded: number) }
        let number = dynamicNames.count
        dynamicNames[name] = number
        return Int32(truncatingIfNeeded: number)
    }

    /// Makes nodes of all schemas to which a $dynamicRef may lead.
    private func nameAnchors() throws(Failure) {
        var anchors: [SchemaAnchor] = []
        for (index, resource) in resources.list.enumerated() {
            for (name, number) in dynamicNames {
                guard let view = resource.dynamicAnchor(name) else { continue }
                anchors.append(
                    SchemaAnchor(
                        name: Int32(truncatingIfNeeded: number), resource: UInt16(truncatingIfNeeded: index),
                        node: try node(of: view, index)))
            }
        }
        tables.anchors = anchors
    }

    /// Refuses a reference that leads to itself, directly or over other references: it describes no values.
    private func checkCircles() throws(Failure) {
        for index in tables.nodes.indices {
            var current = index
            var steps = 0
            while tables.nodes[current].flags & SchemaNode.forwards != 0 {
                steps &+= 1
                if steps > tables.nodes.count || steps > 1 && current == index {
                    let place = pointer(to: Int32(truncatingIfNeeded: index))
                    throw Failure(.document, "the schema is a cycle of references") {
                        $0.pointer = "\(place)/$ref"
                    }
                }
                current = Int(tables.nodes[current].first)
                // A long chain into a cycle without this schema is reported for a schema of the cycle.
                if steps > 64 && steps < tables.nodes.count { break }
            }
        }
    }

    /// If $dynamicRef is used, a reference becomes an instruction, because the resources on the path to a schema count.
    private func unforward(_ index: Int) {
        let node = tables.nodes[index]
        guard node.flags & SchemaNode.forwards != 0 else { return }
        tables.nodes[index].flags = 0
        tables.nodes[index].first = UInt32(truncatingIfNeeded: tables.code.count)
        tables.nodes[index].count = 1
        tables.code.append(
            SchemaInstruction(
                operation: .ref, keyword: .ref, kinds: 255, a: Int32(truncatingIfNeeded: node.first)))
    }

    // MARK: The pool

    /// Adds bytes to the pool; each text is stored once.
    func intern(_ text: UnsafeRawBufferPointer) -> (offset: UInt32, length: UInt32) {
        let key = Bytes(text)
        let length = UInt32(truncatingIfNeeded: text.count)
        if let offset = names[key] { return (UInt32(truncatingIfNeeded: offset), length) }
        let offset = tables.pool.count
        tables.pool.append(contentsOf: key.storage)
        names[key] = offset
        return (UInt32(truncatingIfNeeded: offset), length)
    }

    func pattern(_ source: Bytes, at node: Node) throws(Failure) -> Int32 {
        if let index = patternIndexes[source] { return Int32(truncatingIfNeeded: index) }
        let compiled: TextPattern
        do throws(Failure) {
            compiled = try TextPattern.compile(source)
            if let pattern = compiled.pattern { try patternBudget.take(pattern) }
        } catch { throw error.at(node.pointer) }
        let index = tables.patterns.count
        tables.patterns.append(compiled)
        patternIndexes[source] = index
        return Int32(truncatingIfNeeded: index)
    }
}
