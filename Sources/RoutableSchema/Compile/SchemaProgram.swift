// Compiled schemas: flat tables that validation reads without parsing and without allocating.

internal import RoutableCore
internal import RoutableJSON

/// The kinds of JSON as bits, which are those of `JSONView.bit`.
struct SchemaKinds: OptionSet, Sendable {
    let rawValue: UInt8
    static let object = SchemaKinds(rawValue: 1)
    static let array = SchemaKinds(rawValue: 2)
    static let string = SchemaKinds(rawValue: 4)
    static let integer = SchemaKinds(rawValue: 8)
    static let real = SchemaKinds(rawValue: 16)
    static let boolean = SchemaKinds(rawValue: 32 | 64)
    static let null = SchemaKinds(rawValue: 128)
    static let number: SchemaKinds = [.integer, .real]
    static let any = SchemaKinds(rawValue: 255)
    static let containers: SchemaKinds = [.object, .array]

    static let words: [(StaticString, SchemaKinds)] = [
        ("array", .array), ("boolean", .boolean), ("integer", .integer), ("null", .null), ("number", .number),
        ("object", .object), ("string", .string),
    ]
}

/// One schema: the kinds that it allows, and the instructions for them.
struct SchemaNode {
    var kinds: UInt8 = 255
    var flags: UInt8 = 0
    /// The resource to which its references are relative.
    var resource: UInt16 = 0
    /// The index of the first instruction; for a forwarding node, the node that it refers to.
    var first: UInt32 = 0
    var count: UInt32 = 0

    /// Whether reals must not have a fraction.
    static let wholeReals: UInt8 = 1
    /// The schema is only a reference.
    static let forwards: UInt8 = 2
    /// The schema has unevaluatedItems or unevaluatedProperties.
    static let tracks: UInt8 = 4
    /// The schema false.
    static let never: UInt8 = 8
    /// The schema has only checks of scalars.
    static let leaf: UInt8 = 16
    /// `readOnly` and `writeOnly`.
    static let readOnly: UInt8 = 32
    static let writeOnly: UInt8 = 64
    static let directions = readOnly | writeOnly
}

/// The direction of a value: members of the other direction are not required.
package enum SchemaDirection: Sendable {
    case none, request, response

    var excuse: UInt8 {
        switch self {
        case .none: 0
        case .request: SchemaNode.readOnly
        case .response: SchemaNode.writeOnly
        }
    }
}

/// One keyword, or several keywords that are checked together.
struct SchemaInstruction {
    enum Operation: UInt8 {
        case length, pattern, format, range, multipleOf
        case itemCount, uniqueItems, items, prefixItems, contains
        case memberCount, object, dependentRequired, dependentSchema
        case oneOfConstants, allOf, anyOf, oneOf, discriminator, not, condition, ref, dynamicRef
        case unevaluatedItems, unevaluatedProperties
    }

    var operation: Operation
    var keyword: SchemaKeyword
    /// The kinds to which it applies.
    var kinds: UInt8
    var a: Int32 = 0
    var b: UInt64 = 0

    /// The two halves of `b`.
    var low: Int32 { Int32(truncatingIfNeeded: b) }
    var high: Int32 { Int32(truncatingIfNeeded: b >> 32) }

    static func pair(_ low: Int32, _ high: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: low)) | UInt64(UInt32(bitPattern: high)) << 32
    }
}

/// The checks of one pass over the members of an object.
struct ObjectPlan {
    var firstSlot: Int32 = 0
    var slotCount: Int32 = 0
    /// The slot of the property that is declared first.
    var start: Int32 = 0
    var requiredCount: Int32 = 0
    var firstPattern: Int32 = 0
    var patternCount: Int32 = 0
    /// Nodes of schemas; -1 for none.
    var additional: Int32 = -1
    var names: Int32 = -1
    /// Whether each name needs more than a lookup in the table.
    var asksNames: Bool { names >= 0 || patternCount > 0 }
}

/// A value that `enum` or `const` allows.
struct SchemaConstant {
    var kind: UInt8
    /// Whether it is an integer of 64 bits, whose bits are `head`.
    var isWhole = false
    /// A string in the pool, and its first and last bytes as numbers.
    var offset: UInt32 = 0
    var length: UInt32 = 0
    /// Of the first constant of a long list: the table by which the constants are found; otherwise -1.
    var table: Int32 = -1
    var head: UInt64 = 0
    var tail: UInt64 = 0
    /// The index in the program's kept values.
    var place: Int
}

/// The constants of a program, in one document.
final class KeptValues: Sendable {
    // Written only by the compiler, before it is shared.
    nonisolated(unsafe) private var text = Bytes("[")
    nonisolated(unsafe) private var count = 0
    nonisolated(unsafe) private var document: JSONDocument?
    nonisolated(unsafe) private var views: [JSONView] = []

    /// Stores a copy; returns its index.
    func keep(_ value: JSONView) -> Int {
        if count > 0 { text.append(",") }
        text.append(contentsOf: value.source)
        count &+= 1
        return count &- 1
    }

    /// Ends the list of values.
    func finish() throws(Failure) {
        if count == 0 { return }
        text.append("]")
        // The values were read from a string in which they were one level less deep than here.
        let read = try text.parsed(JSONReading(depth: Limits.jsonDepth &+ 1))
        document = read
        text = Bytes()
        var elements = read.view.elements
        while let element = elements.read() { views.append(element) }
    }

    func view(_ place: Int) -> JSONView { views[place] }
}

/// The anchors of $dynamicRef: the schema of each name in each resource.
struct SchemaAnchor {
    var name: Int32
    var resource: UInt16
    var node: Int32
}

/// What a schema says for values that are made, and validation does not use: `format`, and an example.
struct SchemaNote {
    var node: Int32
    /// The name of the format in the pool; its length is 0 for none.
    var format: UInt32 = 0
    var length: UInt32 = 0
    /// The index in the program's kept values; -1 for none.
    var example: Int32 = -1
}

/// Schemas as flat tables.  Immutable; any number of threads may use them.
package final class SchemaProgram: Sendable {
    /// The tables that the compiler makes, in arrays that can grow.
    struct Tables {
        var nodes: [SchemaNode] = []
        var code: [SchemaInstruction] = []
        /// Nodes of allOf, anyOf, oneOf and prefixItems.
        var lists: [Int32] = []
        var plans: [ObjectPlan] = []
        var slots: [NameSlot] = []
        var ranges: [NumberRange] = []
        var constants: [SchemaConstant] = []
        var anchors: [SchemaAnchor] = []
        var discriminators: [SchemaDiscriminator] = []
        var pool: [UInt8] = []
        var patterns: [TextPattern] = []
        /// The pattern and the node of each pattern of patternProperties.
        var namePatterns: [(pattern: Int32, node: Int32)] = []
        var roots: [Int32] = []
        var notes: [SchemaNote] = []
        let kept = KeptValues()
    }

    package enum Verdict: Sendable { case fits, differs, limit }

    // Owned: made in `init`, freed in `deinit`, and not changed in between.
    nonisolated(unsafe) let nodes: UnsafeMutablePointer<SchemaNode>
    nonisolated(unsafe) let code: UnsafeMutablePointer<SchemaInstruction>
    nonisolated(unsafe) let lists: UnsafeMutablePointer<Int32>
    nonisolated(unsafe) let plans: UnsafeMutablePointer<ObjectPlan>
    nonisolated(unsafe) let slots: UnsafeMutablePointer<NameSlot>
    nonisolated(unsafe) let ranges: UnsafeMutablePointer<NumberRange>
    nonisolated(unsafe) let constants: UnsafeMutablePointer<SchemaConstant>
    /// The tables of constants (ConstantTable).
    nonisolated(unsafe) let lookups: UnsafeMutablePointer<UInt32>
    nonisolated(unsafe) let pool: UnsafeMutablePointer<UInt8>
    /// The same patterns, for checks that do not retain.
    nonisolated(unsafe) let patternTable: UnsafeMutablePointer<Unmanaged<TextPattern>>
    private let counts: (nodes: Int, code: Int, plans: Int, slots: Int)
    let kept: KeptValues
    let anchors: [SchemaAnchor]
    let discriminators: [SchemaDiscriminator]
    let patterns: [TextPattern]
    let namePatterns: [(pattern: Int32, node: Int32)]
    let roots: [Int32]
    /// In the order of the nodes.
    let notes: [SchemaNote]
    let usesDynamicScope: Bool
    /// Whether any schema is `readOnly` or `writeOnly`.
    let hasDirections: Bool

    init(_ tables: Tables) {
        nodes = Self.copy(tables.nodes)
        code = Self.copy(tables.code)
        plans = Self.copy(tables.plans)
        slots = Self.copy(tables.slots)
        constants = Self.copy(tables.constants)
        pool = Self.copy(tables.pool)
        let selection = SchemaSelection(nodes: nodes, code: code, plans: plans, slots: slots, constants: constants, pool: pool)
        var lists = tables.lists
        var lookups: [UInt32] = []
        for index in tables.code.indices
        where (code[index].operation == .oneOf || code[index].operation == .anyOf) && code[index].b > 2 {
            selection.complete(code + index, &lists, &lookups)
        }
        self.lists = Self.copy(lists)
        ranges = Self.copy(tables.ranges)
        for index in tables.code.indices
        where code[index].operation == .oneOfConstants && code[index].constantCount > ConstantTable.few {
            // proof: the compiler made the constants that an instruction refers to.
            constants[Int(code[index].a)].table = ConstantTable.append(code[index].constantCount, to: &lookups)
        }
        self.lookups = Self.copy(lookups)
        patternTable = UnsafeMutablePointer.allocate(capacity: max(tables.patterns.count, 1))
        for (index, pattern) in tables.patterns.enumerated() {
            (patternTable + index).initialize(to: Unmanaged.passUnretained(pattern))
        }
        counts = (tables.nodes.count, tables.code.count, tables.plans.count, tables.slots.count)
        kept = tables.kept
        anchors = tables.anchors
        discriminators = tables.discriminators
        patterns = tables.patterns
        namePatterns = tables.namePatterns
        roots = tables.roots
        notes = tables.notes.ordered { $0.node < $1.node }
        usesDynamicScope = !tables.anchors.isEmpty
        hasDirections = tables.nodes.contains { $0.flags & SchemaNode.directions != 0 }
        if !lookups.isEmpty { indexConstants() }
    }

    private static func copy<Element>(_ source: [Element]) -> UnsafeMutablePointer<Element> {
        let result = UnsafeMutablePointer<Element>.allocate(capacity: max(source.count, 1))
        source.withUnsafeBufferPointer { buffer in
            if let start = buffer.baseAddress { result.initialize(from: start, count: buffer.count) }
        }
        return result
    }

    deinit {
        // proof: the elements are trivial.
        nodes.deallocate()
        code.deallocate()
        lists.deallocate()
        plans.deallocate()
        slots.deallocate()
        ranges.deallocate()
        constants.deallocate()
        lookups.deallocate()
        pool.deallocate()
        patternTable.deallocate()
    }

    var codeCount: Int { counts.code }

    /// The size of the tables in bytes.
    var byteCount: Int {
        counts.nodes &* MemoryLayout<SchemaNode>.stride &+ counts.code &* MemoryLayout<SchemaInstruction>.stride
            &+ counts.slots &* MemoryLayout<NameSlot>.stride &+ counts.plans &* MemoryLayout<ObjectPlan>.stride
    }

    /// The value of a constant.
    func constant(_ constant: UnsafePointer<SchemaConstant>) -> JSONView { kept.view(constant.pointee.place) }

    /// The schema of a root; a root that does not exist accepts every value.
    func node(_ root: Int) -> Int32? { root >= 0 && root < roots.count ? roots[root] : nil }

    /// The kinds that a schema accepts, as far as `type`, `$ref` and `allOf` determine them.
    func kinds(of root: Int) -> SchemaKinds {
        guard let node = node(root) else { return .any }
        return SchemaKinds(rawValue: kinds(of: node, 0))
    }

    func kinds(of node: Int32, _ depth: Int = 0) -> UInt8 {
        // proof: the recursion ends at 32; nodes, lists and code refer only to entries of the tables.
        if depth > 32 { return 255 }
        let schema = nodes[Int(node)]
        if schema.flags & SchemaNode.forwards != 0 { return kinds(of: Int32(truncatingIfNeeded: schema.first), depth &+ 1) }
        var result = schema.kinds
        for index in Int(schema.first)..<Int(schema.first &+ schema.count) {
            let instruction = code[index]
            switch instruction.operation {
            // An instruction does not restrict kinds to which it does not apply.
            case .ref: result &= kinds(of: instruction.a, depth &+ 1) | ~instruction.kinds
            case .allOf:
                for entry in 0..<Int(instruction.b) {
                    result &= kinds(of: lists[Int(instruction.a) &+ entry], depth &+ 1) | ~instruction.kinds
                }
            case .oneOfConstants: result &= instruction.kindsOfConstants | ~instruction.kinds
            default: break
            }
        }
        return result
    }
}

extension SchemaInstruction {
    /// For `enum` and `const`: the kinds of their values; if one of them is a number, both kinds of numbers.
    var kindsOfConstants: UInt8 { UInt8(truncatingIfNeeded: b >> 32) }
    /// For `enum` and `const`: the number of their values.
    var constantCount: Int { Int(UInt32(truncatingIfNeeded: b)) }
}
