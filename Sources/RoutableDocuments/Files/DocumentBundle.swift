// Makes one OpenAPI document from the files that its references lead to.
//
// Components of other files become components of the document, each once.  A value without a part in `components`, such as a path item,
// is copied to the place of its reference.  Text is copied without changes, so that every part of the result has a position in a file.

internal import RoutableCore
internal import RoutableJSON

/// Finds the references in all files, and decides how each one is changed.
struct DocumentBundle {
    /// The target of a reference in another file.
    struct Target {
        let file: Int
        let word: UInt32
        let kind: DocumentKind
        /// The pointer of the target in the file.
        let pointer: Bytes
        /// The reference to the target in the result, and its name there.
        var reference = Bytes()
        var name = Bytes()
        /// Whether the target is already a member of a part of `components`.
        var isRegistered = false
    }

    /// A value in a file, with its pointer.
    typealias Found = (file: Int, node: TapeNode, pointer: Bytes)

    private static let chainLimit = 64
    private static let warningLimit = 1000

    var files: [DocumentFile]
    var targets: [Target] = []
    var warnings: [Bytes] = []
    /// The components of other files that are added to objects; the index is the number in the edit.
    var additions: [[(section: StaticString, targets: [Int], isSection: Bool, isComponents: Bool)]] = []
    let isSwagger: Bool
    let limit: Int
    private let source: DocumentSource?
    private let supplied: [Bytes]
    private var known: [Bytes: Int] = [:]
    private var targetPlaces = KeyedValues<Int, Int>()
    private var totalBytes: Int
    private var waiting: [(file: Int, word: UInt32, kind: DocumentKind)] = []
    /// The objects that contain the parts of `components`.
    private var sections: [(name: Bytes, file: Int, word: UInt32)] = []
    private var components: (file: Int, word: UInt32)?
    /// The names of the components, each with the name of its part.
    private var names = Set<Bytes>()

    init(
        _ document: DocumentFile, _ source: DocumentSource?, isSwagger: Bool, supplied: [Bytes], byteCount: Int, limit: Int
    ) {
        files = [document]
        self.source = source
        self.isSwagger = isSwagger
        self.supplied = supplied
        self.limit = limit
        totalBytes = byteCount
        known[document.key] = 0
    }

    /// Reads all files and decides about all references.
    mutating func run() throws(Failure) {
        try registerComponents()
        waiting.append((0, 0, .root))
        while let next = waiting.popLast() { try visit(next.file, files[next.file].node(next.word), next.kind, depth: 0) }
        try Memory.check()
        nameTargets()
        for file in files {
            file.order = file.edits.values.isEmpty ? [] : file.words.ordered { $0 < $1 }
        }
    }

    // MARK: - Messages

    private func map() -> SourceMap {
        SourceMap(sources: files.map { SourceMap.Source(name: $0.name, tape: $0.tape, places: $0.places) }, parts: [])
    }

    private func failure(_ file: Int, _ node: TapeNode, _ failure: Failure) -> Failure {
        map().place(file, node.offset)?.located(failure) ?? failure
    }

    mutating func warn(_ file: Int, _ node: TapeNode, _ message: Bytes) {
        if warnings.count >= Self.warningLimit { return }
        warnings.append("\(map().place(file, node.offset)?.prefix ?? Bytes()): \(message)")
    }

    // MARK: - Components

    /// Registers the members of `components`, so that references to their content use their names.
    private mutating func registerComponents() throws(Failure) {
        let root = files[0].tape.root  // proof: the document is always the first file.
        if isSwagger {
            for (name, kind) in [
                ("definitions", .schemas), ("parameters", .parameters), ("responses", .responses),
                ("securityDefinitions", .securitySchemes),
            ] as [(Bytes, DocumentKind)] {
                if let map = root.member(named: name) { try register(name, (0, map, "/\(name)"), kind) }
            }
            return
        }
        guard let node = root.member("components"), let found = try inlined((0, node, "/components")) else { return }
        guard found.node.isObject else { return }
        components = (found.file, found.node.index)
        var children = found.node.children
        while let child = children.read() {
            let kind = DocumentKind.ofComponents(child.name)
            if kind == .other { continue }
            try register(child.name, (found.file, child.value, "\(found.pointer)/\(child.name)"), kind)
        }
    }

    private mutating func register(_ name: Bytes, _ map: Found, _ kind: DocumentKind) throws(Failure) {
        guard let found = try inlined(map), found.node.isObject else { return }
        sections.append((name, found.file, found.node.index))
        let start: Bytes = isSwagger ? "#/\(name)" : "#/components/\(name)"
        var children = found.node.children
        while let child = children.read() {
            names.insert("\(name)/\(child.name)")
            let element = kind.element
            guard element.section(isSwagger: isSwagger) != nil else { continue }
            let reference = JSONPointer.appending(child.name, to: start).asFragment
            if found.file != 0 {
                let pointer = JSONPointer.appending(child.name, to: found.pointer)
                add(
                    Target(
                        file: found.file, word: child.value.index, kind: element, pointer: pointer, reference: reference,
                        isRegistered: true))
            }
            // An alias of a component in another file is replaced by the component.
            guard let text = child.value.soleReference, let target = try target(text, of: found.file), target.file != 0,
                targetPlaces[Self.key(target.file, target.node.index)] == nil
            else { continue }
            files[found.file].edits.set(
                .inline(file: target.file, word: target.node.index), for: Int(child.value.index))
            add(
                Target(
                    file: target.file, word: target.node.index, kind: element, pointer: target.pointer, reference: reference,
                    isRegistered: true))
            waiting.append((target.file, target.node.index, element))
        }
    }

    /// Follows a reference in place of a map, and replaces the reference by its target.
    private mutating func inlined(_ map: Found) throws(Failure) -> Found? {
        var current = map
        for _ in 0..<Self.chainLimit {
            guard let reference = current.node.member("$ref"), reference.kind == .text else { return current }
            guard let next = try target(reference, of: current.file) else { return nil }
            files[current.file].edits.set(.inline(file: next.file, word: next.node.index), for: Int(current.node.index))
            current = next
        }
        throw failure(map.file, map.node, Failure(.document, "the reference leads back to itself"))
    }

    private static func key(_ file: Int, _ word: UInt32) -> Int { file << 32 | Int(word) }

    private mutating func add(_ target: Target) {
        let key = Self.key(target.file, target.word)
        guard targetPlaces[key] == nil else { return }
        targetPlaces.set(targets.count, for: key)
        targets.append(target)
    }

    // MARK: - Visits

    /// Finds the references in a value.
    private mutating func visit(_ file: Int, _ node: TapeNode, _ kind: DocumentKind, depth: Int) throws(Failure) {
        // proof: the depth of the recursion is limited by the nesting that a tape allows.
        let index = Int(node.index)
        let isObject = node.isObject
        guard kind != .data, isObject || node.kind == .array, files[file].visited[index] & kind.bit == 0 else { return }
        files[file].visited[index] |= kind.bit
        var children = node.children
        var reference: TapeNode?
        while let child = children.read() {
            guard isObject else {
                try visit(file, child.value, kind.element, depth: depth &+ 1)
                continue
            }
            if child.key.equals("$ref") && child.value.kind == .text {
                reference = child.value
                continue
            }
            if kind == .schema { visitSchemaMember(file, child) }
            if kind == .discriminator && child.key.equals("mapping") {
                try visitMapping(file, child.value)
                continue
            }
            try visit(file, child.value, kind.kind(of: child.key, isSwagger: isSwagger), depth: depth &+ 1)
        }
        if let reference { try follow(file, node, reference, kind) }
    }

    /// Renames `$id` and `$schema` in another file: `$id` would change the base of references, which are relative to the file.
    private mutating func visitSchemaMember(_ file: Int, _ member: TapeNode.Child) {
        guard file != 0, member.value.kind == .text, files[file].edits[Int(member.key.index)] == nil else { return }
        if member.key.equals("$id") || member.key.equals("$schema") {
            files[file].edits.set(.renamed(member.key.equals("$id") ? "x-id" : "x-schema"), for: Int(member.key.index))
        } else if member.key.equals("$dynamicRef") {
            warn(file, member.value, "\"$dynamicRef\" in another file is resolved in the whole document")
        }
    }

    /// The values of a mapping are names of schemas or references.
    private mutating func visitMapping(_ file: Int, _ mapping: TapeNode) throws(Failure) {
        var children = mapping.children
        while let child = children.read() {
            let value = child.value
            guard value.kind == .text, files[file].edits[Int(value.index)] == nil else { continue }
            if value.string.isMappedReference { try follow(file, value, value, .schema) }
        }
    }

    /// - Parameter node: The object with the reference, or the string that is the reference.
    private mutating func follow(
        _ file: Int, _ node: TapeNode, _ reference: TapeNode, _ kind: DocumentKind
    ) throws(Failure) {
        let place = files[file]
        if place.edits[Int(node.index)] != nil || place.edits[Int(reference.index)] != nil { return }
        let text = reference.string
        guard let found = try target(reference, of: file) else { return }
        let isMap: Bool
        switch kind {
        case .paths, .operations, .parameters, .requestBodies, .responses, .content, .encodings, .headers, .examples, .links,
            .callbacks, .components, .schemas, .securitySchemes:
            isMap = true
        default: isMap = false
        }
        waiting.append((found.file, found.node.index, kind))
        let isLocal = text.storage.first == UInt8(ascii: "#")
        if found.file == 0 && !isMap {
            // A reference within the document is not changed.
            if file == 0 && isLocal { return }
            let hash = text.storage.firstIndex(of: UInt8(ascii: "#"))
            let fragment: Bytes = hash.map { Bytes(text.storage[$0...]) } ?? "#"
            place.edits.set(.fragment(fragment), for: Int(reference.index))
        } else if !isMap, kind.section(isSwagger: isSwagger) != nil {
            let key = Self.key(found.file, found.node.index)
            if targetPlaces[key] == nil {
                add(Target(file: found.file, word: found.node.index, kind: kind, pointer: found.pointer))
            }
            if let number = targetPlaces[key] { place.edits.set(.component(number), for: Int(reference.index)) }
        } else {
            place.edits.set(.inline(file: found.file, word: found.node.index), for: Int(node.index))
        }
    }

    // MARK: - References

    /// The target of a reference; nil if the file or the value does not exist, with a warning unless the reader reports one.
    private mutating func target(_ reference: TapeNode, of file: Int) throws(Failure) -> Found? {
        try target(reference, of: file, depth: 0)
    }

    private mutating func target(_ reference: TapeNode, of file: Int, depth: Int) throws(Failure) -> Found? {
        let text = reference.string
        let hash = text.storage.firstIndex(of: UInt8(ascii: "#")) ?? text.count
        let uri = Bytes(text.storage[..<hash])
        var place = file
        if !uri.isEmpty {
            guard let other = try self.file(uri, reference, of: file) else { return nil }
            place = other
        }
        let fragment =
            hash < text.count
            ? Bytes(text.storage[(hash &+ 1)...]).storage.withUnsafeBytes { PercentCoding.decode($0) } : Bytes()
        guard let found = try find(fragment, place, depth) else {
            // The reader itself reports targets that are missing in the document.
            if place != 0 || file != 0 {
                warn(file, reference, "the reference \"\(text.printable)\" leads to nothing in \(files[place].name.shown)")
            }
            return nil
        }
        return found
    }

    private mutating func find(_ fragment: Bytes, _ file: Int, _ depth: Int) throws(Failure) -> Found? {
        var current: Found = (file, files[file].tape.root, Bytes())
        if fragment.isEmpty { return current }
        guard fragment.storage.first == UInt8(ascii: "/") else {
            guard let node = files[file].anchored(fragment) else { return nil }
            return (file, node, files[file].tape.pointer(of: node))
        }
        for token in JSONPointer.tokens(fragment) {
            var steps = 0
            while true {
                let next =
                    current.node.isObject
                    ? files[current.file].member(token, of: current.node) : current.node.element(token)
                if let next {
                    current = (current.file, next, JSONPointer.appending(token, to: current.pointer))
                    break
                }
                // The pointer leads through a reference.
                steps &+= 1
                guard steps < Self.chainLimit, depth < 8, let reference = current.node.member("$ref"), reference.kind == .text,
                    let behind = try target(reference, of: current.file, depth: depth &+ 1)
                else { return nil }
                current = behind
            }
        }
        return current
    }

    /// The index of the file that a reference leads to; nil if it is not a file of the description.
    private mutating func file(_ uri: Bytes, _ reference: TapeNode, of file: Int) throws(Failure) -> Int? {
        guard let source else { return nil }
        let owner = files[file]
        let base = file == 0 ? owner.tape.uri : owner.key
        if supplied.contains(uri) || !base.isEmpty && supplied.contains(URIReference(uri).resolved(against: base)) {
            return nil
        }
        let isAbsolute = URIReference(uri).scheme != nil || uri.hasPrefix("//")
        let key: Bytes
        if source.isFolder {
            if isAbsolute { return nil }
            let question = uri.storage.firstIndex(of: UInt8(ascii: "?")) ?? uri.count
            let path = Bytes(uri.storage[..<question]).storage.withUnsafeBytes { PercentCoding.decode($0) }
            guard let resolved = DocumentPath.resolved(path, from: owner.key) else {
                throw failure(
                    file, reference,
                    Failure(
                        .document,
                        "the reference \"\(reference.string.printable)\" leaves the folder of the document; to allow it, name a folder that contains all files"
                    ))
            }
            key = resolved
        } else if isAbsolute || URIReference(owner.key).scheme != nil {
            key = isAbsolute ? uri : URIReference(uri).resolved(against: owner.key)
        } else {
            key = DocumentPath.resolved(uri, from: owner.key) ?? uri
        }
        if let number = known[key] { return number < 0 ? nil : number }
        do throws(Failure) {
            guard let loaded = try load(key, source, depth: owner.depth &+ 1) else {
                known[key] = -1
                warn(
                    file, reference,
                    source.isFolder
                        ? "the reference \"\(reference.string.printable)\" leads to nothing: there is no file \(source.prefix.shown)\(key.shown)"
                        : "the reference \"\(reference.string.printable)\" leads to nothing: the loader has no \(key.shown)")
                return nil
            }
            known[key] = files.count
            files.append(loaded)
        } catch {
            // An error in the file already has a position.
            throw error.isInFile || error.status == .memory ? error : failure(file, reference, error)
        }
        return files.count &- 1
    }

    private mutating func load(_ key: Bytes, _ source: DocumentSource, depth: Int) throws(Failure) -> DocumentFile? {
        if files.count >= Limits.documentFiles {
            throw Failure(.limit, "the document has more than \(Limits.documentFiles) files")
        }
        if depth > Limits.documentFileDepth {
            throw Failure(.limit, "more than \(Limits.documentFileDepth) files lead to one another")
        }
        guard let bytes = try source.load(key, limit - totalBytes) else { return nil }
        totalBytes &+= bytes.count
        let name: Bytes = "\(source.prefix)\(key)"
        do throws(Failure) {
            let text = try DescriptionText.json(bytes, name: key, limit: limit)
            let tape = try text.json.withBuffer { (buffer) throws(Failure) in try JSONTape.read(buffer, uri: name) }
            return try DocumentFile.make(key, name, tape, text.places, depth: depth)
        } catch {
            if error.status == .memory { throw error }
            throw error.with {
                $0.isInFile = true
                $0.message = "\(name.shown): \($0.message)"
            }
        }
    }

    // MARK: - Names

    /// Names the targets that no other target contains; the names of the others are pointers below these.
    private mutating func nameTargets() {
        // The targets of each file in the order of the text; an outer target precedes the targets within it.
        var byFile: [[Int]] = files.map { _ in [] }
        for (number, target) in targets.enumerated() { byFile[target.file].append(number) }
        var owners = [Int](repeating: -1, count: targets.count)
        for (file, numbers) in byFile.enumerated() {
            var owner = -1
            var end: UInt32 = 0
            for number in numbers.ordered({ self.targets[$0].word < self.targets[$1].word }) {
                let target = targets[number]
                if owner >= 0 && target.word < end && !target.isRegistered {
                    owners[number] = owner
                } else if owner < 0 || target.word >= end {
                    owner = number
                    end = files[file].node(target.word).next
                }
            }
        }
        var added: [(section: StaticString, targets: [Int])] = []
        for number in targets.indices where owners[number] < 0 && !targets[number].isRegistered {
            guard let section = targets[number].kind.section(isSwagger: isSwagger) else { continue }
            let name = freeName(number, section)
            let start: Bytes = isSwagger ? "#/\(Bytes(static: section))" : "#/components/\(Bytes(static: section))"
            targets[number].reference = JSONPointer.appending(name, to: start).asFragment
            targets[number].name = name
            let place = added.firstIndex { Bytes(static: $0.section) == Bytes(static: section) } ?? added.count
            if place == added.count { added.append((section, [])) }
            added[place].targets.append(number)
        }
        for number in targets.indices where owners[number] >= 0 {
            let owner = targets[owners[number]]
            let pointer = targets[number].pointer
            let rest =
                pointer.hasPrefix("\(owner.pointer)/")
                ? Bytes(pointer.storage[owner.pointer.count...])
                : Bytes(
                    files[owner.file].tape.pointer(of: files[owner.file].node(targets[number].word)).storage.dropFirst(
                        owner.pointer.count))
            targets[number].reference = "\(owner.reference)\(rest.asFragment)"
        }
        place(added)
    }

    /// A name that no other component of the part has: from the last token of the pointer, or from the name of the file.
    private mutating func freeName(_ number: Int, _ section: StaticString) -> Bytes {
        let target = targets[number]
        let key = files[target.file].key
        let path = Bytes(key.storage.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        let last = path.split(on: UInt8(ascii: "/")).last ?? Bytes()
        let stem = last.storage.lastIndex(of: UInt8(ascii: ".")).map { $0 > 0 ? Bytes(last.storage[..<$0]) : last } ?? last
        let token = JSONPointer.tokens(target.pointer).last ?? stem
        var base = token.componentName
        let start: Bytes = "\(Bytes(static: section))/"
        if names.insert("\(start)\(base)").inserted { return base }
        base = "\(stem.componentName)_\(base)"
        if names.insert("\(start)\(base)").inserted { return base }
        var count = nameCounts[base, default: 1]
        var name = base
        repeat {
            count &+= 1
            name = "\(base)_\(count)"
        } while !names.insert("\(start)\(name)").inserted
        nameCounts[base] = count
        return name
    }

    private var nameCounts: [Bytes: Int] = [:]

    /// Selects the objects into which the components of other files are written.
    private mutating func place(_ added: [(section: StaticString, targets: [Int])]) {
        var missing: [(section: StaticString, targets: [Int], isSection: Bool, isComponents: Bool)] = []
        for each in added {
            guard let known = sections.first(where: { $0.name == Bytes(static: each.section) }) else {
                missing.append((each.section, each.targets, true, false))
                continue
            }
            files[known.file].edits.set(.additions(additions.count), for: Int(known.word))
            additions.append([(each.section, each.targets, false, false)])
        }
        if missing.isEmpty { return }
        if !isSwagger, let components {
            files[components.file].edits.set(.additions(additions.count), for: Int(components.word))
        } else {
            files[0].edits.set(.additions(additions.count), for: 0)  // proof: the document is always the first file.
            if !isSwagger { missing = missing.map { ($0.section, $0.targets, true, true) } }
        }
        additions.append(missing)
    }
}

extension DocumentFile {
    /// The words that have edits.
    fileprivate var words: [UInt32] { edits.keys.map { UInt32(truncatingIfNeeded: $0) } }
}

extension TapeNode {
    /// The reference of an object that has no other members.
    fileprivate var soleReference: TapeNode? {
        guard isObject else { return nil }
        var children = children
        guard let first = children.read(), first.key.equals("$ref"), first.value.kind == .text, children.read() == nil else {
            return nil
        }
        return first.value
    }
}

extension Bytes {
    /// Whether a value of a discriminator's mapping is a reference; otherwise it is the name of a schema.
    var isMappedReference: Bool {
        storage.contains { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "/") }
            || hasSuffix(".yaml") || hasSuffix(".yml") || hasSuffix(".json")
    }

    /// A JSON pointer as the fragment of a URI; a leading `#` is kept.
    var asFragment: Bytes {
        var result = Bytes()
        for (index, byte) in storage.enumerated() {
            switch byte {
            case UInt8(ascii: "#") where index == 0: result.append(byte)
            case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"),
                UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"),
                UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "@"),
                UInt8(ascii: "?"):
                result.append(byte)
            default:
                result.append(UInt8(ascii: "%"))
                result.append(ASCII.hexDigit(byte >> 4))
                result.append(ASCII.hexDigit(byte & 15))
            }
        }
        return result
    }

    /// The text with only the characters that OpenAPI allows in the name of a component.
    fileprivate var componentName: Bytes {
        var result = Bytes()
        for byte in storage.prefix(128) {
            let isLetter = byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
            let isOther = byte >= 0x30 && byte <= 0x39 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
            result.append(isLetter || isOther ? byte : UInt8(ascii: "_"))
        }
        return result.isEmpty ? "_" : result
    }
}
