// Applies OpenAPI Overlays (1.0, and 1.1 without `copy`) to a document when it is opened.

internal import RoutableCore
internal import RoutableJSON

/// A document with its overlays applied, and the source of each part.
struct OverlaidDocument {
    let tape: JSONTape
    let origins: OverlayOrigins
    /// Warnings about targets that match nothing, and about parts of an update without an effect.
    let warnings: [Bytes]

    /// - Throws: `json`, `document`, `unsupported` or `limit`, with pointer, offset, line and column of the overlay.
    static func apply(_ overlays: [JSONTape], to document: JSONTape, limit: Int) throws(Failure) -> OverlaidDocument {
        var application = OverlayApplication(document, overlays)
        for index in overlays.indices { try application.apply(index) }
        var writer = OverlayWriter([document] + overlays, limit: limit)
        try writer.write(application.root.current, 0)
        let tape = try writer.output.withBuffer { (buffer) throws(Failure) in try JSONTape.read(buffer, uri: document.uri) }
        return OverlaidDocument(
            tape: tape, origins: OverlayOrigins(tapes: [document] + overlays, parts: writer.parts),
            warnings: application.warnings)
    }
}

/// The sources of the parts of a written document, so that an error names the user's file.
struct OverlayOrigins {
    struct Part {
        let output: Int
        let tape: Int
        let source: Int
    }

    let tapes: [JSONTape]
    let parts: [Part]

    /// A failure for a value of the written document.
    func failure(at offset: Int, _ message: Bytes, _ status: Status, in files: SourceMap?) -> Failure? {
        guard let (number, node) = origin(of: offset) else { return nil }
        let failure = tapes[number].failure(node, message, status)
        return number == 0
            ? files?.located(failure) ?? failure : failure.with { $0.message = "overlay \(number): \($0.message)" }
    }

    /// The position in the notation of warnings.
    func place(of offset: Int, in files: SourceMap?) -> Bytes? {
        guard let (number, node) = origin(of: offset) else { return nil }
        if number == 0, let place = files?.place(of: node.offset) { return place.prefix }
        return number == 0 ? "#\(tapes[0].pointer(of: node))" : "overlay \(number)#\(tapes[number].pointer(of: node))"
    }

    private func origin(of offset: Int) -> (Int, TapeNode)? {
        var low = 0
        var high = parts.count
        while low < high {
            let middle = (low &+ high) >> 1
            if parts[middle].output <= offset { low = middle &+ 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let part = parts[low &- 1]
        let tape = tapes[part.tape]
        let wanted = part.source &+ offset &- part.output
        return tape.node(at: wanted).map { (part.tape, $0) }
    }
}

/// Writes the changed document; unchanged parts are copied.
private struct OverlayWriter {
    private let tapes: [JSONTape]
    private let limit: Int
    var output = Bytes()
    var parts: [OverlayOrigins.Part] = []

    init(_ tapes: [JSONTape], limit: Int) {
        self.tapes = tapes
        self.limit = limit
    }

    mutating func write(_ node: OverlayNode, _ depth: Int) throws(Failure) {
        // proof: the depth of the recursion is limited by this check.
        if depth > Limits.jsonDepth { throw Failure(.limit, "the overlaid document nests too deeply") }
        parts.append(OverlayOrigins.Part(output: output.count, tape: node.tape, source: node.node.offset))
        switch node.content {
        case .source: try copy(node.node, node.tape)
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            var isFirst = true
            for member in members where !member.value.isRemoved {
                if !isFirst { output.append(UInt8(ascii: ",")) }
                isFirst = false
                parts.append(OverlayOrigins.Part(output: output.count, tape: member.tape, source: member.key.offset))
                try copy(member.key, member.tape)
                output.append(UInt8(ascii: ":"))
                try write(member.value.current, depth &+ 1)
            }
            output.append(UInt8(ascii: "}"))
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            var isFirst = true
            for element in elements where !element.isRemoved {
                if !isFirst { output.append(UInt8(ascii: ",")) }
                isFirst = false
                try write(element.current, depth &+ 1)
            }
            output.append(UInt8(ascii: "]"))
        }
    }

    private mutating func copy(_ node: TapeNode, _ number: Int) throws(Failure) {
        let tape = tapes[number]
        let range = tape.range(of: node)
        if output.count &+ range.count > limit {
            throw Failure(.limit, "with its overlays the document has more than \(limit) bytes")
        }
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: tape.text.buffer[range]))
    }
}

/// Applies the actions of overlays in order.
private struct OverlayApplication {
    let root: OverlayNode
    private let overlays: [JSONTape]
    private var budget = OverlayBudget()
    private(set) var warnings: [Bytes] = []
    private var number = 0

    private static let warningLimit = 1000
    private static let keys: [Bytes] = ["actions", "extends", "info", "overlay"]
    private static let actionKeys: [Bytes] = ["copy", "description", "remove", "target", "update"]

    init(_ document: JSONTape, _ overlays: [JSONTape]) {
        root = OverlayNode(0, document.root)
        self.overlays = overlays
    }

    mutating func apply(_ index: Int) throws(Failure) {
        number = index &+ 1
        let overlay = overlays[index].root
        guard overlay.isObject else { throw wrong(overlay, "an overlay must be an object, not \(overlay.kindName)") }
        try checkKeys(overlay, Self.keys)
        guard let version = overlay.member("overlay") else {
            throw wrong(
                overlay, "the key \"overlay\" with the version is missing; an overlay begins with {\"overlay\": \"1.0.0\"")
        }
        let parts = version.string.split(on: UInt8(ascii: "."))
        guard version.kind == .text, parts.count >= 2, parts[0] == "1", parts[1] == "0" || parts[1] == "1" else {
            throw wrong(
                version,
                "an overlay of version \"1.0.0\" is expected, not \(version.kind == .text ? "\"\(version.string.printable)\"" : version.kindName)",
                .unsupported)
        }
        guard let actions = overlay.member("actions"), actions.kind == .array, !actions.isEmpty else {
            throw wrong(overlay.member("actions") ?? overlay, "\"actions\" must be an array of at least one action")
        }
        var children = actions.children
        while let child = children.read() { try act(child.value) }
    }

    private mutating func act(_ action: TapeNode) throws(Failure) {
        guard action.isObject else { throw wrong(action, "an action must be an object, not \(action.kindName)") }
        try checkKeys(action, Self.actionKeys)
        if let copy = action.member("copy") {
            throw wrong(copy, "\"copy\" is a feature of overlays 1.1 that this library does not support", .unsupported)
        }
        guard let target = action.member("target"), target.kind == .text else {
            throw wrong(action.member("target") ?? action, "\"target\" must be a JSONPath such as \"$.paths['/pets'].get\"")
        }
        if let remove = action.member("remove"), remove.kind != .boolean {
            throw wrong(remove, "\"remove\" must be a boolean, not \(remove.kindName)")
        }
        let isRemoval = action.member("remove")?.isTrue == true
        let update = action.member("update")
        if !isRemoval && update == nil { throw wrong(action, "the action has neither \"update\" nor \"remove\": true") }
        let found: [OverlayNode]
        do throws(Failure) {
            let path = try JSONPath(target.string)
            var query = OverlayQuery(root: root, budget: budget)
            found = try query.select(path.query)
            budget = query.budget
        } catch { throw wrong(target, error.message, error.status) }
        if found.isEmpty { warn(target, "the target \"\(target.string.printable)\" matches nothing") }
        for node in found {
            if isRemoval {
                if node === root { throw wrong(target, "the whole document cannot be removed") }
                node.isRemoved = true
            } else if let update {
                switch node.kind {
                case .object:
                    guard update.isObject else {
                        throw wrong(update, "the target is an object, so the update must be an object, not \(update.kindName)")
                    }
                    try merge(update, into: node)
                case .array: append(update, to: node)
                default:
                    throw wrong(
                        target,
                        "the target \"\(target.string.printable)\" leads to \(node.node.kindName); only an object or an array can be updated"
                    )
                }
            }
        }
    }

    /// Merges members, appends to arrays, and replaces all other values.
    private mutating func merge(_ update: TapeNode, into node: OverlayNode) throws(Failure) {
        // proof: the depth of the recursion is limited by the nesting that a tape allows.
        node.expand()
        guard case .object(var members) = node.content else { return }
        try budget.visit(members.count &+ 1)
        var places: [Bytes: Int] = [:]
        for (index, member) in members.enumerated() where !member.value.isRemoved { places[member.key.string] = index }
        var children = update.children
        while let child = children.read() {
            try budget.visit()
            let name = child.name
            guard let place = places[name] else {
                places[name] = members.count
                members.append(OverlayNode.Member(key: child.key, tape: number, value: OverlayNode(number, child.value)))
                continue
            }
            let old = members[place].value.current
            let isOldContainer = old.kind == .object || old.kind == .array
            let isNewContainer = child.value.kind == .object || child.value.kind == .array
            if old.kind == .object && child.value.kind == .object {
                try merge(child.value, into: old)
            } else if old.kind == .array && child.value.kind == .array {
                var elements = child.value.children
                while let element = elements.read() {
                    try budget.visit()
                    append(element.value, to: old)
                }
            } else if !isOldContainer && !isNewContainer {
                old.replacement = OverlayNode(number, child.value)
            } else if child.value.kind == .null {
                warn(child.value, "null leaves \(old.node.kindName) unchanged; \"remove\": true removes it")
            } else {
                throw wrong(
                    child.value,
                    "\"\(name.printable)\" is \(old.node.kindName) in the document, and \(child.value.kindName) here")
            }
        }
        node.content = .object(members)
    }

    private func append(_ value: TapeNode, to node: OverlayNode) {
        node.expand()
        guard case .array(var elements) = node.content else { return }
        node.content = .source
        elements.append(OverlayNode(number, value))
        node.content = .array(elements)
    }

    private func checkKeys(_ node: TapeNode, _ keys: [Bytes]) throws(Failure) {
        var children = node.children
        while let child = children.read() {
            let name = child.name
            if name.hasPrefix("x-") || keys.contains(name) { continue }
            let plain = Failure.unknownName(.document, "an overlay has no key", name, among: keys).fields
            throw wrong(child.value, plain.message).with {
                $0.allowed = plain.allowed
                $0.suggestion = plain.suggestion
            }
        }
    }

    private func wrong(_ node: TapeNode, _ message: Bytes, _ status: Status = .document) -> Failure {
        overlays[number &- 1].failure(node, "overlay \(number): \(message)", status)
    }

    private mutating func warn(_ node: TapeNode, _ message: Bytes) {
        if warnings.count >= Self.warningLimit { return }
        warnings.append("overlay \(number)#\(overlays[number &- 1].pointer(of: node)): \(message)")
    }
}
