// The number of things in a value by its schema, on which the names of operations depend: one, several, or a page of them.

internal import RoutableCore
internal import RoutableJSON

/// The shape of the values of a schema, determined by the top level of the schema.
struct SchemaShape {
    enum Kind {
        case array
        /// An object around an array.
        case page
        /// A number, a string or a boolean, or an object whose only member is a number.
        case scalar
        case other
    }

    var kind = Kind.other
    /// The name of the type of the elements, if they have a named type.
    var element = Bytes()
    /// The member of a page that contains the elements.
    var array = Bytes()
    /// Whether the object is a page independent of the name of its array: a member is a count or a cursor, or the array is named `items`.
    var isCertain = false
    /// Whether the value is an array, or an object whose only member is an array.
    var isMany = false

    /// Whether the value is a list of the things that the segment names.
    func isList(of segment: Bytes) -> Bool {
        kind == .array || kind == .page && (isCertain || Words.share(array, segment))
    }
}

/// Reads the shape of each schema once.
struct SchemaShapes {
    private let tapes: [JSONTape]
    private let places: [SchemaPlace]
    private var known = KeyedValues<Int, SchemaShape>()
    /// The named schemas of each tape; nil until they are needed.
    private var named: [KeyedValues<Bytes, UInt32>?]

    init(_ tapes: [JSONTape], _ places: [SchemaPlace]) {
        self.tapes = tapes
        self.places = places
        named = tapes.map { _ in nil }
    }

    /// The shape of a type.
    mutating func shape(of type: Int) -> SchemaShape {
        guard places.indices.contains(type), tapes.indices.contains(places[type].tape) else { return SchemaShape() }
        if let known = known[type] { return known }
        let found = shape(node(places[type].word, places[type].tape), places[type].tape, depth: Self.deepest)
        known.set(found, for: type)
        return found
    }

    /// The maximum nesting of alternatives.
    private static let deepest = 3
    /// The maximum number of alternatives, and of the parts of one schema.
    private static let mostParts = 32
    /// An object with this number of members is a thing that contains a list, and not a page.
    private static let pageMembers = 16

    private func node(_ word: UInt32, _ tape: Int) -> TapeNode {
        TapeNode(text: tapes[tape].text.start, words: tapes[tape].words, index: word)
    }

    private mutating func shape(_ schema: TapeNode, _ tape: Int, depth: Int) -> SchemaShape {
        // proof: the depth of the recursion is limited by `deepest`.
        let node = resolved(schema, tape)
        guard node.isObject, depth > 0 else { return SchemaShape() }
        if Self.has(node, type: "array") {
            return SchemaShape(kind: .array, element: node.member("items").map { name(of: $0) } ?? Bytes(), isMany: true)
        }
        if Self.isScalar(node) { return SchemaShape(kind: .scalar) }
        if let parts = node.member("oneOf") ?? node.member("anyOf"), parts.kind == .array {
            return alternatives(parts, tape, depth: depth &- 1)
        }
        var members = Members()
        read(node, tape, &members)
        if let parts = node.member("allOf"), parts.kind == .array {
            var all = parts.children
            var count = 0
            while count < Self.mostParts, let part = all.read() {
                count &+= 1
                read(resolved(part.value, tape), tape, &members)
            }
        }
        return members.shape
    }

    /// A value with alternatives is a list if each alternative is a list.
    private mutating func alternatives(_ parts: TapeNode, _ tape: Int, depth: Int) -> SchemaShape {
        var all = parts.children
        var result: SchemaShape?
        var count = 0
        while count < Self.mostParts, let part = all.read() {
            count &+= 1
            if part.value.isObject, Self.has(part.value, type: "null") { continue }
            let next = shape(part.value, tape, depth: depth)
            guard var sum = result else {
                result = next
                continue
            }
            // A scalar as an alternative to several things is one of them.
            sum.isMany = sum.isMany && (next.isMany || next.kind == .scalar) || sum.kind == .scalar && next.isMany
            if sum.element != next.element { sum.element = Bytes() }
            if sum.kind != next.kind {
                let isList = (sum.kind == .array || sum.kind == .page) && (next.kind == .array || next.kind == .page)
                if sum.kind == .array { (sum.array, sum.isCertain) = (next.array, next.isCertain) }
                sum.kind = isList ? .page : .other
            } else if sum.kind == .page {
                sum.isCertain = sum.isCertain && next.isCertain
            }
            result = sum
        }
        return result ?? SchemaShape()
    }

    private struct Members {
        var count = 0
        var numbers = 0
        /// The number of arrays, and of arrays with objects.
        var arrays = 0
        var lists = 0
        var hasOwnID = false
        var hasObject = false
        var isPaged = false
        var array = Bytes()
        var element = Bytes()

        var shape: SchemaShape {
            if count == 1 && numbers == 1 { return SchemaShape(kind: .scalar) }
            var shape = SchemaShape(isMany: count == 1 && arrays == 1)
            if lists == 1 && count < pageMembers && !hasOwnID && !hasObject {
                shape.kind = .page
                shape.array = array
                shape.element = element
                shape.isCertain = isPaged || Names.isOfPage(array)
            }
            return shape
        }
    }

    private mutating func read(_ node: TapeNode, _ tape: Int, _ members: inout Members) {
        guard node.isObject, let properties = node.member("properties"), properties.isObject else { return }
        var children = properties.children
        while members.count < Self.pageMembers, let child = children.read() {
            members.count &+= 1
            let name = child.name
            let value = resolved(child.value, tape)
            guard value.isObject else { continue }
            if Self.has(value, type: "array") {
                members.arrays &+= 1
                guard let items = value.member("items"), items.isObject, hasObjects(items), !Names.isBeside(name) else {
                    continue
                }
                members.lists &+= 1
                members.array = name
                members.element = self.name(of: items)
            } else if Self.has(value, type: "object") || value.member("properties") != nil || value.member("allOf") != nil {
                if !Names.isAbout(name) { members.hasObject = true }
                if Names.isPaging(name) { members.isPaged = true }
            } else {
                if Self.has(value, type: "integer") || Self.has(value, type: "number") { members.numbers &+= 1 }
                if Names.isID(name) { members.hasOwnID = true }
                if Names.isPaging(name) { members.isPaged = true }
            }
        }
    }

    private func hasObjects(_ items: TapeNode) -> Bool {
        items.member("$ref") != nil || items.member("properties") != nil || Self.has(items, type: "object")
            || items.member("allOf") != nil || items.member("oneOf") != nil || items.member("anyOf") != nil
    }

    /// The name of the schema that a schema refers to.
    private func name(of schema: TapeNode) -> Bytes {
        guard schema.isObject else { return Bytes() }
        if let reference = schema.member("$ref"), reference.kind == .text { return Self.target(reference.string) ?? Bytes() }
        guard let parts = schema.member("allOf"), parts.kind == .array else { return Bytes() }
        var all = parts.children
        guard let first = all.read(), all.read() == nil, first.value.isObject, let reference = first.value.member("$ref"),
            reference.kind == .text
        else { return Bytes() }
        return Self.target(reference.string) ?? Bytes()
    }

    private static func target(_ reference: Bytes) -> Bytes? {
        for prefix in [Bytes("#/components/schemas/"), "#/definitions/"] where reference.hasPrefix(prefix) {
            let tokens = JSONPointer.tokens("/\(Bytes(reference.storage[prefix.count...]))")
            return tokens.count == 1 ? tokens.first.map { URIReference.decoded($0) } : nil
        }
        return nil
    }

    /// Follows references to named schemas within a document.
    private mutating func resolved(_ schema: TapeNode, _ tape: Int) -> TapeNode {
        var schema = schema
        for _ in 0..<8 {
            guard schema.isObject, let reference = schema.member("$ref"), reference.kind == .text,
                let name = Self.target(reference.string), let word = schemas(of: tape)[name]
            else { return schema }
            schema = node(word, tape)
        }
        return schema
    }

    private mutating func schemas(of tape: Int) -> KeyedValues<Bytes, UInt32> {
        if let known = named[tape] { return known }
        var result = KeyedValues<Bytes, UInt32>()
        let root = tapes[tape].root
        if root.isObject {
            let components = root.member("components").flatMap { $0.isObject ? $0.member("schemas") : nil }
            for map in [components, root.member("definitions")] {
                guard let map, map.isObject else { continue }
                var children = map.children
                while let child = children.read() { result.set(child.value.index, for: child.name) }
            }
        }
        named[tape] = result
        return result
    }

    private static func has(_ node: TapeNode, type name: StaticString) -> Bool {
        guard node.isObject, let kind = node.member("type") else { return false }
        guard kind.kind == .array else { return kind.kind == .text && kind.equals(name) }
        var names = kind.children
        return names.read()?.value.equals(name) ?? false
    }

    private static func isScalar(_ node: TapeNode) -> Bool {
        has(node, type: "string") || has(node, type: "integer") || has(node, type: "number") || has(node, type: "boolean")
    }

    /// The meaning of member names.
    private enum Names {
        static func isID(_ name: Bytes) -> Bool { name == "id" || name == "$id" || name == "sid" || name == "uuid" }

        /// Whether an array with this name may occur in a page beside the list.
        static func isBeside(_ name: Bytes) -> Bool {
            name == "order" || name == "sort" || name == "links" || name == "errors" || name == "warnings"
        }

        /// Whether an object with this name describes a page.
        static func isAbout(_ name: Bytes) -> Bool {
            Words.of(name).contains { $0 == "links" || $0 == "meta" || $0 == "metadata" || $0 == "sort" || isPagingWord($0) }
        }

        static func isOfPage(_ name: Bytes) -> Bool {
            name == "items" || name == "data" || name == "results" || name == "entries" || name == "values" || name == "records"
        }

        static func isPaging(_ name: Bytes) -> Bool { Words.of(name).contains { isPagingWord($0) } }

        private static func isPagingWord(_ word: Bytes) -> Bool {
            switch word {
            case "count", "total", "next", "prev", "previous", "page", "pages", "paging", "pagination", "more", "cursor",
                "offset",
                "limit":
                true
            default: false
            }
        }
    }
}

/// The words of a name: `userGroups`, `user_groups` and `user-groups` have two words.
enum Words {
    /// The maximum number of words that are read.
    private static let most = 16

    static func of(_ name: Bytes) -> [Bytes] {
        var words: [Bytes] = []
        var word = Bytes()
        var last: UInt8 = 0
        for byte in name.storage {
            let isPart = ASCII.isLetter(byte) || ASCII.isDigit(byte)
            if !word.isEmpty && (!isPart || ASCII.isUpper(byte) && !ASCII.isUpper(last)) {
                words.append(word)
                if words.count == most { return words }
                word = Bytes()
            }
            if isPart { word.append(ASCII.lowercased(byte)) }
            last = byte
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// Whether two names have a common word, in the singular or the plural.
    static func share(_ left: Bytes, _ right: Bytes) -> Bool {
        let others = of(right)
        return of(left).contains { word in others.contains { isAlike($0, word) } }
    }

    private static func isAlike(_ left: Bytes, _ right: Bytes) -> Bool {
        if left == right { return true }
        let shorter = min(left.count, right.count)
        guard shorter >= 3, max(left.count, right.count) &- shorter <= 2 else { return false }
        // `status`, `statuses`; `policy`, `policies`.
        return left.storage.prefix(shorter &- 1).elementsEqual(right.storage.prefix(shorter &- 1))
    }
}
