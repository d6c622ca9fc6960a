// The schemas of an OpenAPI document, each compiled on first use.

internal import CSystem
internal import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

/// The schema of one type: a position on one of the tapes.
struct SchemaPlace: Sendable {
    let tape: Int
    let word: UInt32
}

/// The schemas of one router, each compiled on first use.  Any number of threads.
final class OpenAPISchemas: Sendable {
    /// A compiled schema, or the reason why the compilation failed.
    private final class Compiled: Sendable {
        let program: SchemaProgram?
        let root: Int
        let failure: Failure?
        init(_ program: SchemaProgram?, _ root: Int, _ failure: Failure?) {
            self.program = program
            self.root = root
            self.failure = failure
        }
    }

    private let tapes: [JSONTape]
    private let places: [SchemaPlace]
    /// Whether the dialect is that of OpenAPI 3.0, which differs from JSON Schema.
    private let is30: Bool
    // Guarded by the lock; compiled schemas never change.
    nonisolated(unsafe) private var compiled = KeyedValues<Int, Compiled>()
    nonisolated(unsafe) private let lock: OpaquePointer

    init(_ tapes: [JSONTape], _ places: [SchemaPlace], is30: Bool) {
        self.tapes = tapes
        self.places = places
        self.is30 = is30
        lock = csystem_lock_new()
    }

    deinit { csystem_lock_free(lock) }

    /// The failure of a value that is sent and does not match a type; nil if it matches.
    ///
    /// - Throws: `document` for a schema that is not valid.
    func refusal(of view: JSONView, _ type: Int) throws(Failure) -> Failure? {
        guard let found = schema(type) else { return nil }
        if let failure = found.failure { throw failure }
        return found.program?.refusal(of: view, found.root, direction: .request)
    }

    /// Converts each scalar of a parameter's value to a type that its schema accepts.
    func reading(of value: Value, _ type: Int) throws(Failure) -> Value {
        guard let found = schema(type), let program = found.program else { return value }
        return try program.reading(of: value, found.root)
    }

    /// Validates bodies of responses against a type; nil if it is not a schema.
    func mapping(of type: Int) -> BodyMapping? {
        guard let found = schema(type), let program = found.program else { return nil }
        return BodyMapping(program, root: found.root)
    }

    /// - Throws: `document` for a schema that is not valid.
    func checker(of type: Int, for use: SchemaUse) throws(Failure) -> JSONSchema? {
        guard let found = schema(type) else { return nil }
        if let failure = found.failure { throw failure }
        return found.program.map { JSONSchema($0, root: found.root, use: use) }
    }

    /// The points of all schemas that coverage counts.  One program contains them, so that a schema that several types refer to is compiled
    /// once.
    func survey() throws(Failure) -> SchemaPlaces {
        let compiler = SchemaCompiler(dialect: is30 ? .openAPI30 : .openAPI31, tolerant: true)
        var documents: [JSONDocument] = []
        defer { withExtendedLifetime(documents) {} }
        for tape in tapes {
            let document = try Bytes(tape.text.buffer).parsed(JSONReading(escapes: .any))
            documents.append(document)
            let isAPI = tape.root.member("openapi") != nil || tape.root.member("swagger") != nil
            _ = try compiler.add(document: document.view, uri: tape.uri, isSchema: !isAPI)
        }
        var roots = [Int](repeating: -1, count: places.count)
        for (index, tape) in tapes.enumerated() {
            let types = places.indices.filter { places[$0].tape == index }.ordered { places[$0].word < places[$1].word }
            var walk = SchemaWalk(words: types.map { places[$0].word })
            walk.run(tape.root, documents[index].view)
            for (number, found) in zip(types, walk.found) {
                if let found { roots[number] = try compiler.compile(Node(found.view, found.pointer), document: index) }
            }
        }
        return try compiler.survey(roots)
    }

    /// The position of the schema in its document.
    func place(of type: Int) -> (tape: JSONTape, node: TapeNode)? {
        guard places.indices.contains(type), tapes.indices.contains(places[type].tape) else { return nil }
        let tape = tapes[places[type].tape]
        return (tape, TapeNode(text: tape.text.start, words: tape.words, index: places[type].word))
    }

    /// The text of the schema in its document.
    func text(of type: Int) -> Bytes? { place(of: type).map { $0.tape.source(of: $0.node) } }

    /// A type for nil, otherwise the target of a reference in the document with the number `place`.
    func schemaText(_ reference: Bytes?, _ place: Int) -> SchemaText? {
        var (document, node): (Int, TapeNode?)
        if let reference {
            guard tapes.indices.contains(place) else { return nil }
            let target = Self.target(of: reference, from: place, tapes)
            (document, node) = (target.tape, target.node)
        } else {
            guard places.indices.contains(place) else { return nil }
            (document, node) = (places[place].tape, self.place(of: place)?.node)
        }
        guard let node else { return nil }
        return SchemaText(text: tapes[document].source(of: node), document: document, position: Int(node.index))
    }

    /// The document of a reference, its fragment, and the target if the fragment is a pointer.
    fileprivate static func target(
        of reference: Bytes, from tape: Int, _ tapes: [JSONTape]
    ) -> (tape: Int, fragment: Bytes, node: TapeNode?) {
        let hash = reference.storage.firstIndex(of: UInt8(ascii: "#")) ?? reference.count
        let uri = Bytes(reference.storage[..<hash])
        var place = tape
        if !uri.isEmpty {
            let absolute = URIReference(uri).resolved(against: tapes[tape].uri)
            place = tapes.firstIndex { $0.uri == absolute } ?? tapes.firstIndex { $0.uri == uri } ?? tape
        }
        let fragment =
            hash < reference.count
            ? Bytes(reference.storage[(hash &+ 1)...]).storage.withUnsafeBytes { PercentCoding.decode($0) } : Bytes()
        let isPointer = fragment.storage.first == UInt8(ascii: "/")
        return (place, fragment, isPointer ? tapes[place].target(of: fragment) : nil)
    }

    /// The shapes of the schemas.
    var shapes: SchemaShapes { SchemaShapes(tapes, places) }

    private func schema(_ type: Int) -> Compiled? {
        guard places.indices.contains(type) else { return nil }
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        if let known = compiled[type] { return known }
        var made: Compiled
        do { made = try compile(places[type]) } catch {
            made = Compiled(nil, 0, error)
            // Another call may have memory.
            if error.status == .memory { return made }
        }
        compiled.set(made, for: type)
        return made
    }

    /// Compiles a schema from only the parts of the documents that it refers to, at the same pointers.
    private func compile(_ place: SchemaPlace) throws(Failure) -> Compiled {
        guard tapes.indices.contains(place.tape) else { return Compiled(nil, 0, nil) }
        let tape = tapes[place.tape]
        let node = TapeNode(text: tape.text.start, words: tape.words, index: place.word)
        var closure = SchemaClosure(tapes)
        closure.add(node, of: place.tape)
        closure.run()
        let compiler = SchemaCompiler(dialect: is30 ? .openAPI30 : .openAPI31, tolerant: true)
        var documents: [JSONDocument] = []
        defer { withExtendedLifetime(documents) {} }
        var root = -1
        for index in tapes.indices {
            guard let text = closure.text(of: index) else { continue }
            let document = try text.parsed(JSONReading(escapes: .any))
            documents.append(document)
            let number = try compiler.add(document: document.view, uri: tapes[index].uri, isSchema: closure.isWhole(index))
            guard index == place.tape else { continue }
            let pointer = tape.pointer(of: node)
            var view: JSONView? = document.view
            for token in JSONPointer.tokens(pointer) {
                view =
                    view?.kind == .array
                    ? Decimal.parse(token).flatMap { Int(exactly: $0) }.flatMap { view?.element($0) } : view?.member(token)
            }
            guard let view else { throw Failure(.internal, "a schema is missing from its document") }
            root = try compiler.compile(Node(view, pointer), document: number)
        }
        return Compiled(try compiler.finish(), root, nil)
    }
}

/// Finds the schemas of a tape in another reading of the same text, all in one pass.
private struct SchemaWalk {
    /// In order.
    let words: [UInt32]
    /// For each word.
    private(set) var found: [(view: JSONView, pointer: Bytes)?]

    init(words: [UInt32]) {
        self.words = words
        found = words.map { _ in nil }
    }

    mutating func run(_ node: TapeNode, _ view: JSONView, _ pointer: Bytes = Bytes()) {
        // proof: the recursion ends at the nesting that the tape has allowed.
        var place = SchemaClosure.place(of: node.index, in: words)
        while place < words.count, words[place] == node.index {
            found[place] = (view, pointer)
            place &+= 1
        }
        let index = node.isObject && view.kind == .object ? JSONIndex(view) : nil
        var elements = view.elements
        var position = 0
        var children = node.children
        while let child = children.read() {
            let element = index == nil ? elements.read() : nil
            if SchemaClosure.hasWord(words, from: child.value.index, to: child.value.next) {
                let name = index == nil ? "\(position)" : child.name
                let value = index.map { index in name.storage.withUnsafeBytes { index.member($0) } } ?? element
                if let value { run(child.value, value, JSONPointer.appending(name, to: pointer)) }
            }
            position &+= 1
        }
    }
}

/// The schemas that a schema references, directly or not.
private struct SchemaClosure {
    private let tapes: [JSONTape]
    /// For each tape the words of the required schemas.
    private var needed: [Set<NumberPair>]
    private var waiting: [(tape: Int, word: UInt32)] = []
    /// For each tape and named schema the schemas that extend it.
    private var heirs: [[Int: [Int]]]?
    private var heirsAdded: Set<NumberPair> = []

    init(_ tapes: [JSONTape]) {
        self.tapes = tapes
        needed = tapes.map { _ in Set() }
    }

    mutating func add(_ node: TapeNode, of tape: Int) {
        if needed[tape].insert(NumberPair(Int(node.index), 0)).inserted { waiting.append((tape, node.index)) }
    }

    /// Whether the whole document is required.
    func isWhole(_ tape: Int) -> Bool { needed[tape].contains(NumberPair(0, 0)) }

    mutating func run() {
        while let next = waiting.popLast() {
            let tape = tapes[next.tape]
            let start = TapeNode(text: tape.text.start, words: tape.words, index: next.word)
            if start.isObject, start.member("discriminator") != nil { addHeirs(of: start, next.tape) }
            // The words of a value are consecutive; the word of a key is followed by that of its value.
            var index = next.word
            while index < start.next {
                let key = TapeNode(text: tape.text.start, words: tape.words, index: index)
                index = key.following
                guard key.equals("$ref") || key.equals("$dynamicRef"), index < start.next else { continue }
                let value = TapeNode(text: tape.text.start, words: tape.words, index: index)
                if value.kind == .text { follow(value.string, from: next.tape) }
            }
        }
    }

    /// Adds the named schemas that extend a schema with allOf, since its discriminator selects among them.
    private mutating func addHeirs(of schema: TapeNode, _ tape: Int) {
        if heirs == nil { heirs = tapes.map { Self.extensions($0) } }
        guard let known = heirs?[tape] else { return }
        var parents = [Int(schema.index)]
        while let parent = parents.popLast() {
            for word in known[parent] ?? [] where heirsAdded.insert(NumberPair(tape, word)).inserted {
                let words = tapes[tape].words
                add(TapeNode(text: tapes[tape].text.start, words: words, index: UInt32(truncatingIfNeeded: word)), of: tape)
                parents.append(word)
            }
        }
    }

    /// For each named schema of a document, the schemas that extend it.
    private static func extensions(_ tape: JSONTape) -> [Int: [Int]] {
        var result: [Int: [Int]] = [:]
        let maps: [(TapeNode?, Bytes)] = [
            (tape.root.member("components")?.member("schemas"), "#/components/schemas/"),
            (tape.root.member("definitions"), "#/definitions/"),
        ]
        for (map, prefix) in maps {
            guard let map, map.isObject else { continue }
            var words: [Bytes: Int] = [:]
            var children = map.children
            while let child = children.read() { words[child.name] = Int(child.value.index) }
            children = map.children
            while let child = children.read() {
                guard child.value.isObject, let parts = child.value.member("allOf"), parts.kind == .array else { continue }
                var elements = parts.children
                while let part = elements.read() {
                    guard let reference = part.value.member("$ref")?.string, reference.hasPrefix(prefix),
                        let name = JSONPointer.tokens("/\(Bytes(reference.storage[prefix.count...]))").last,
                        let parent = words[URIReference.decoded(name)]
                    else { continue }
                    result[parent, default: []].append(Int(child.value.index))
                }
            }
        }
        return result
    }

    private mutating func follow(_ text: Bytes, from tape: Int) {
        let (place, fragment, target) = OpenAPISchemas.target(of: text, from: tape, tapes)
        if let target {
            add(target, of: place)
        } else if place != tape || fragment.isEmpty {
            add(tapes[place].root, of: place)
        } else if let schemas = tapes[place].root.member("components")?.member("schemas") {
            // An anchor, or a pointer below an identifier: its target can only be in one of the schemas.
            add(schemas, of: place)
        }
    }

    /// The document with only the required parts; nil if there are none.
    func text(of index: Int) -> Bytes? {
        if needed[index].isEmpty { return nil }
        var output = Bytes()
        write(tapes[index].root, tapes[index], needed[index].map { UInt32(truncatingIfNeeded: $0.first) }.ordered(), &output)
        return output
    }

    private func write(_ node: TapeNode, _ tape: JSONTape, _ words: [UInt32], _ output: inout Bytes) {
        // proof: the depth of the recursion is limited by the nesting that the tape has allowed.
        if Self.hasWord(words, from: node.index, to: node.index &+ 1) {
            output.append(contentsOf: UnsafeRawBufferPointer(rebasing: tape.text.buffer[tape.range(of: node)]))
            return
        }
        let isObject = node.isObject
        output.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
        var isFirst = true
        var children = node.children
        while let child = children.read() {
            let isNeeded = Self.hasWord(words, from: child.value.index, to: child.value.next)
            if isObject && !isNeeded { continue }
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            if isObject {
                output.append(contentsOf: UnsafeRawBufferPointer(rebasing: tape.text.buffer[tape.range(of: child.key)]))
                output.append(UInt8(ascii: ":"))
            }
            if isNeeded { write(child.value, tape, words, &output) } else { output.append("null") }
        }
        output.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }

    static func hasWord(_ words: [UInt32], from low: UInt32, to high: UInt32) -> Bool {
        let first = place(of: low, in: words)
        return first < words.count && words[first] < high
    }

    /// The place of the first word that is not below one.
    static func place(of word: UInt32, in words: [UInt32]) -> Int {
        var first = 0
        var last = words.count
        while first < last {
            let middle = (first &+ last) >> 1
            if words[middle] < word { first = middle &+ 1 } else { last = middle }
        }
        return first
    }
}

extension [UInt32] {
    fileprivate func ordered() -> [UInt32] { ordered { $0 < $1 } }
}
