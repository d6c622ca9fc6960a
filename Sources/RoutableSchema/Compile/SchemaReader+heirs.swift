// A discriminator of a schema that others extend with allOf: its property selects one of the schemas that extend it.

internal import RoutableCore
internal import RoutableJSON

/// The named schemas of a document, and which of them extend others.
struct SchemaHeirs {
    /// A named schema.
    struct Named {
        let name: Bytes
        let view: JSONView
        let pointer: Bytes
        /// The indices in `named` of the schemas that extend it.
        var heirs: [Int] = []
    }
    private(set) var named: [Named] = []
    private var places: [Int: Int] = [:]

    private static let maps: [[StaticString]] = [["components", "schemas"], ["definitions"], ["types"], ["$defs"]]

    /// Reads the maps of named schemas of a document.
    init(_ documents: [JSONView]) {
        for root in documents {
            for path in Self.maps {
                var map: JSONView? = root
                for key in path { map = map?.kind == .object ? map?.member(key.rawBytes) : nil }
                guard let map, map.kind == .object else { continue }
                let prefix: Bytes = "#/\(path.map { Bytes(static: $0) }.joined(by: "/"))/"
                read(map, prefix)
            }
        }
    }

    private mutating func read(_ map: JSONView, _ prefix: Bytes) {
        var byName: [Bytes: Int] = [:]
        let place = Bytes(prefix.storage.dropFirst().dropLast())
        let first = named.count
        var members = map.members
        while let (name, view) = members.read() {
            guard view.kind == .object else { continue }
            byName[Bytes(name)] = named.count
            places[view.identity] = named.count
            named.append(Named(name: Bytes(name), view: view, pointer: JSONPointer.appending(Bytes(name), to: place)))
        }
        for place in first..<named.count {
            guard let parts = named[place].view.member(.allOf), parts.kind == .array else { continue }
            var elements = parts.elements
            while let part = elements.read() {
                guard part.kind == .object, let reference = part.member(.ref), reference.kind == .text,
                    reference.content.hasPrefix(prefix),
                    let token = JSONPointer.tokens("/\(Bytes(reference.content.storage[prefix.count...]))").last,
                    let parent = byName[URIReference.decoded(token)]
                else { continue }
                named[parent].heirs.append(place)
            }
        }
    }

    /// The index of a schema among the named ones.
    func place(of view: JSONView) -> Int? { places[view.identity] }

    /// The schemas that extend one, directly or indirectly, without itself; at most `limit`.
    func descendants(of place: Int, limit: Int) -> [Int] {
        var result: [Int] = []
        var seen: Set<Int> = [place]
        var waiting = named[place].heirs
        var next = 0
        while next < waiting.count && result.count < limit {
            let heir = waiting[next]
            next &+= 1
            if !seen.insert(heir).inserted { continue }
            result.append(heir)
            waiting += named[heir].heirs
        }
        return result
    }
}

extension SchemaCompiler {
    /// Adds the selection among the schemas that extend this one; has no effect for a schema without a name, and for one that none extends.
    func completeHeirs(
        _ gathered: inout Gathered, _ pending: Pending, property: Bytes, mapping: JSONView?
    ) throws(Failure) {
        let heirs = self.heirs
        guard let own = heirs.place(of: pending.view) else { return }
        let descendants = heirs.descendants(of: own, limit: heirBudget)
        if descendants.isEmpty { return }
        heirBudget &-= descendants.count
        var slots: [NameSlot] = []
        var known: Set<Bytes> = []
        func add(_ name: Bytes, _ branch: Int) {
            if known.insert(name).inserted {
                slots.append(slot(name.storage, child: -1, required: Int32(truncatingIfNeeded: branch)))
            }
        }
        let names = descendants.map { heirs.named[$0].name }
        if let mapping, mapping.kind == .object {
            var members = mapping.members
            while let (name, target) = members.read() {
                guard target.kind == .text, let branch = names.firstIndex(of: Self.schemaName(target.content)) else { continue }
                add(Bytes(name), branch)
            }
        }
        for (branch, name) in names.enumerated() { add(name, branch) }
        let first = Int32(truncatingIfNeeded: tables.lists.count)
        var nodes: [Int32] = []
        for heir in descendants {
            let number = try node(of: heirs.named[heir].view, pending.resource)
            start(number, heirs.named[heir].pointer)
            nodes.append(number)
        }
        tables.lists.append(contentsOf: nodes)
        let firstSlot = tables.slots.count
        let count = slots.count
        tables.pool.withUnsafeBytes { pool in
            if let address = pool.baseAddress { _ = NameTable.arrange(&slots, address) }
        }
        tables.slots.append(contentsOf: slots)
        let (offset, length) = property.storage.withUnsafeBytes { intern($0) }
        gathered.code.append(
            SchemaInstruction(
                operation: .discriminator, keyword: .discriminator, kinds: SchemaKinds.object.rawValue,
                a: Int32(truncatingIfNeeded: tables.discriminators.count)))
        tables.discriminators.append(
            SchemaDiscriminator(
                property: (offset, length), firstSlot: Int32(truncatingIfNeeded: firstSlot),
                slotCount: Int32(truncatingIfNeeded: count), all: Int32(truncatingIfNeeded: tables.code.count),
                fallback: -1, names: names, isInherited: true))
        // Outside of every schema: only the selection reads its list.
        tables.code.append(
            SchemaInstruction(operation: .allOf, keyword: .allOf, kinds: 255, a: first, b: UInt64(nodes.count)))
    }
}
