// Makes the entries of a router from a description: resolves names, parses paths and validates everything.

internal import CSystem

struct RouterAssembly {
    private let description: RouterDescription
    private(set) var resources: [ResourceEntry] = []
    private(set) var operations: [OperationEntry] = []
    private(set) var resourceNames = TextPool()
    private(set) var operationNames = TextPool()
    /// Whether `operationNames` has the names of all standalone operations, and not only of the added ones.
    private var hasNames = false
    /// Whether no operation uses the pagination of the document.
    private var isPagingUnused: Bool
    // Tables of routes repeat parameters without a declaration and strings of methods: these are made once.
    private var plainNames = TextPool()
    private var plainParameters: [ParameterEntry] = []
    private var methods: [(name: Bytes, text: Text)] = []
    private var shared = KeyedValues<Int, ParameterEntry>()
    /// Warnings about the paths.
    private(set) var warnings: [Text] = []

    init(_ description: RouterDescription) {
        self.description = description
        isPagingUnused = description.rules?.pagination != nil
    }

    mutating func run() throws(Failure) {
        var total = description.operations.count
        for resource in description.resources { total &+= resource.operations.count &+ 6 }
        if total > Limits.operations { throw Failure(.limit, "at most \(Limits.operations) operations are allowed") }

        for resource in description.resources {
            try Memory.check()
            try Self.checkName(resource.name, "resource", resource.pointer)
            if !resourceNames.add(resource.name).isNew {
                throw Failure(.conflict, "the resource \"\(resource.name)\" is declared twice") {
                    $0.pointer = resource.pointer
                }
            }
        }
        for (index, resource) in description.resources.enumerated() {
            try Memory.check()
            resources.append(try assemble(resource, index))
        }
        for resource in resources { resource.link(resources) }
        try Memory.reserve(&operations, description.operations.count)
        // The code that collected the names has checked that they are unique.
        if let known = description.operationNames, known.count == description.operations.count {
            operationNames = known
            hasNames = true
        } else {
            operationNames.reserve(description.operations.count)
        }
        // A copy, so that the options of the operations are not copied for each of them.
        let description = description
        var index = 0
        while index < description.operations.count {
            try Memory.check()
            try addFree(description.operations[index], of: description)
            index &+= 1
        }
        if isPagingUnused, let pagination = description.rules?.pagination { throw refusePaging(pagination) }
    }

    /// Takes the name of the next standalone operation; false if it already exists.
    private mutating func takeName(_ name: Bytes) -> Bool {
        let index = operations.count
        if hasNames && operationNames.isText(index, name.storage) { return true }
        if hasNames {
            // From here on, the names in the description differ from those of the operations.
            hasNames = false
            operationNames = TextPool()
            for operation in operations { _ = operationNames.add(operation.name.bytes) }
        }
        return operationNames.add(name).isNew
    }

    /// Names are written into dotted routes and into C strings.
    private static func checkName(
        _ name: Bytes, _ subject: StaticString, _ pointer: @autoclosure () -> Bytes, allowsDots: Bool = false
    ) throws(Failure) {
        var isBad = name.isEmpty
        for byte in name.storage where byte == UInt8(ascii: ".") && !allowsDots || ASCII.isControl(byte) { isBad = true }
        if isBad || !UTF8Check.isValid(name) {
            let subject = Bytes(static: subject)
            throw Failure(
                .document,
                "the \(subject) name \"\(name.printable)\" is empty, is not UTF-8, or contains a dot or a control character"
            )
            .at(pointer())
        }
    }

    private mutating func assemble(_ resource: ResourceDescription, _ index: Int) throws(Failure) -> ResourceEntry {
        let template: Template
        do { template = try Template(resource.path) } catch { throw error.at("\(resource.pointer)/path") }
        warnOfBlanks(resource.path, template, "\(resource.pointer)/path")
        var segments: [Bytes] = []
        for segment in template.segments {
            guard let literal = segment.literal else {
                throw Failure(
                    .document,
                    "the path \"\(resource.path.printable)\" of a resource has a parameter; declare its id separately"
                ) { $0.pointer = "\(resource.pointer)/path" }
            }
            segments.append(literal)
        }
        if template.hasTrailingSlash {
            throw Failure(.document, "the path of the resource ends with a slash") { $0.pointer = "\(resource.pointer)/path" }
        }
        try Self.checkIds(resource)

        var children: [Int] = []
        for (position, child) in resource.children.enumerated() {
            guard let childIndex = resourceNames.index(of: child) else {
                throw Failure.unknownName(.document, "no resource", child, among: description.resources.map { $0.name })
                    .at("\(resource.pointer)/has/\(position)")
            }
            if children.contains(childIndex) {
                throw Failure(.conflict, "the resource \"\(resource.name)\" nests \"\(child)\" twice") {
                    $0.pointer = "\(resource.pointer)/has/\(position)"
                }
            }
            children.append(childIndex)
        }

        var entries: [OperationEntry] = []
        for capability in resource.capabilities.members {
            var operation =
                resource.operations.first { $0.capability == capability }
                ?? Self.plainOperation(capability, resource)
            operation.name = capability.name
            operation.method = capability.method
            operation.place = capability.place
            Self.applyType(of: resource, to: &operation, capability)
            entries.append(try entry(operation, resource, index, segments))
        }
        for operation in resource.operations where operation.capability == nil {
            try Self.checkName(operation.name, "operation", operation.pointer)
            if Capability.named(operation.name) != nil {
                throw Failure(.document, "\"\(operation.name)\" is a capability: name it under \"can\"") {
                    $0.pointer = operation.pointer
                }
            }
            if entries.contains(where: { $0.description.name == operation.name }) {
                throw Failure(
                    .conflict, "the resource \"\(resource.name)\" declares the operation \"\(operation.name)\" twice"
                ) { $0.pointer = operation.pointer }
            }
            entries.append(try entry(operation, resource, index, segments))
        }
        for operation in resource.operations {
            guard let capability = operation.capability, !resource.capabilities.contains(Capabilities(capability))
            else { continue }
            throw Failure(.document, "the resource \"\(resource.name)\" declares \(capability.name), which is not in \"can\"") {
                $0.pointer = operation.pointer
                $0.allowed = resource.capabilities.members.map { $0.name }.ordered()
            }
        }
        return ResourceEntry(
            resource, index: index, segments: segments, children: children, operations: entries,
            types: description.types)
    }

    /// A space at the end of a segment is sent like any byte, but is invisible to a reader of the path.
    private mutating func warnOfBlanks(_ path: Bytes, _ template: Template, _ pointer: @autoclosure () -> Bytes) {
        let blank = path.storage.withUnsafeBufferPointer { text in text.baseAddress.map { csystem_index($0, text.count, 0x20) }
        }
        guard let blank, blank < path.count, template.text.contains(0x20) else { return }
        for segment in template.segments {
            for case .literal(let text) in segment.pieces where text.storage.first == 0x20 || text.storage.last == 0x20 {
                warnings.append(
                    Text(
                        "#\(pointer()): the path \"\(path.printable)\" contains \"\(text.printable)\", whose leading or trailing space is sent as %20"
                    ))
                return
            }
        }
    }

    private static func checkIds(_ resource: ResourceDescription) throws(Failure) {
        let pointer: Bytes = "\(resource.pointer)/id"
        if resource.ids.isEmpty {
            throw Failure(.document, "the resource \"\(resource.name)\" has no id, which its members require").at(pointer)
        }
        if resource.ids.count > Limits.idsPerRoute {
            throw Failure(.limit, "the resource \"\(resource.name)\" has more than \(Limits.idsPerRoute) ids").at(pointer)
        }
        for (index, id) in resource.ids.enumerated() {
            let pointer: Bytes = resource.ids.count == 1 ? pointer : "\(pointer)/\(index)"
            try checkName(id.name, "id", pointer)
            if let reason = ParameterDescription.refusal(ofIdName: id.name) { throw Failure(.document, reason).at(pointer) }
            if resource.ids[..<index].contains(where: { $0.name == id.name }) {
                throw Failure(.conflict, "the resource \"\(resource.name)\" has two ids named \"\(id.name)\"").at(pointer)
            }
            if id.allowsEmpty, let reason = id.emptyRefusal { throw Failure(.document, reason).at(pointer) }
        }
    }

    private static func plainOperation(_ capability: Capability, _ resource: ResourceDescription) -> OperationDescription {
        var operation = OperationDescription(
            name: capability.name, method: capability.method, path: "", place: capability.place, capability: capability)
        operation.pointer = resource.pointer
        return operation
    }

    /// The type of a resource is the body of create and update, and the result of read, create and update; the result of list
    /// is an array of it.
    private static func applyType(
        of resource: ResourceDescription, to operation: inout OperationDescription, _ capability: Capability
    ) {
        guard let type = resource.type else {
            if resource.hasModel && capability != .delete { operation.hasModel = true }
            return
        }
        if operation.bodyType == nil && (capability == .create || capability == .update) { operation.bodyType = type }
        // Declarations for errors alone say nothing about successes.
        if operation.results.allSatisfy({ $0.isError }) && capability != .delete && capability != .patch {
            var result = ResultDescription(lowest: 200, highest: 299, type: type)
            result.isList = capability == .list
            operation.results.append(result)
        }
    }

    private mutating func entry(
        _ operation: OperationDescription, _ resource: ResourceDescription, _ index: Int, _ segments: [Bytes]
    ) throws(Failure) -> OperationEntry {
        var operation = operation
        if operation.auth == nil { operation.auth = resource.auth ?? description.auth }
        let method = try method(of: operation)
        let template = try checkTemplate(of: &operation)
        var path = segments.joined(by: "/")
        let own = operation.place == .member ? resource.ids[...] : resource.ids.dropLast()
        for id in own { path.append("/{\(id.spelling)}") }
        if segments.isEmpty { path = path.withoutLeadingSlash }
        if template.segmentCount > 0 { path.append("/\(operation.path.withoutLeadingSlash)") }
        return OperationEntry(
            operation, path: Text(path), method: method, resource: index,
            pathParameters: own.map { ParameterEntry($0) } + ids(operation, template),
            types: description.types, defaultEncoding: description.encoding, rules: rules(of: operation), shared: &shared)
    }

    private mutating func addFree(
        _ operation: consuming OperationDescription, of description: RouterDescription
    ) throws(Failure) {
        let name = operation.name
        // The name is never a part of a dotted route; names in OpenAPI can have dots.
        try Self.checkName(
            name, "operation", operation.pointer, allowsDots: operation.hasMadeTemplate)
        if !takeName(name) {
            throw Failure(.conflict, "the operation \"\(name)\" is declared twice") {
                $0.pointer = operation.pointer
            }
        }
        if operation.auth == nil { operation.auth = description.auth }
        let method = try method(of: operation)
        let template = try checkTemplate(of: &operation)
        var base: Base?
        if let source = operation.base {
            do { base = try Base(source) } catch { throw error.at(operation.pointer) }
        }
        let path = operation.pathText
        let hasSlash = path.buffer.first == UInt8(ascii: "/")
        let parameters = ids(operation, template)
        let rules = rules(of: operation)
        operations.append(
            OperationEntry(
                operation, path: hasSlash ? path : Text("/\(path.bytes)"), method: method, resource: nil,
                pathParameters: parameters, types: description.types, defaultEncoding: description.encoding, base: base,
                rules: rules, shared: &shared))
    }

    // MARK: Rules

    private mutating func rules(of operation: OperationDescription) -> OperationRules? {
        guard let common = description.rules else { return operation.rules }
        let rules = common.completing(operation.rules, of: operation)
        if rules.pagination != nil { isPagingUnused = false }
        return rules
    }

    /// The pagination of the document names a parameter that no operation has.
    private func refusePaging(_ pagination: Pagination) -> Failure {
        var names: [Bytes] = []
        func add(_ operations: [OperationEntry]) {
            for operation in operations {
                for name in operation.description.queryNames where !names.contains(name) { names.append(name) }
            }
        }
        for resource in resources { add(resource.operations) }
        add(operations)
        let (parameter, size) = (pagination.parameter.bytes, pagination.sizeParameter.bytes)
        let isKnown = parameter.isEmpty || names.contains(parameter)
        if isKnown && (size.isEmpty || names.contains(size)) {
            return Failure(.document, "no GET operation has the query parameters of the pagination").at("/pagination")
        }
        return pagination.unknown(isParameter: !isKnown, among: names)
    }

    /// The parameters of a template in order: as declared, or as plain strings.
    private mutating func ids(_ operation: OperationDescription, _ template: Template) -> [ParameterEntry] {
        if template.parameterCount == 0 { return [] }
        var entries: [ParameterEntry] = []
        entries.reserveCapacity(template.parameterCount)
        for part in template.parts where part.kind != .literal {
            if !operation.ids.isEmpty || part.kind == .catchAll {
                let name = Bytes(template.text[part.range])
                var declared = operation.ids.first { $0.name == name }
                if part.kind == .catchAll {
                    declared = declared ?? ParameterDescription(id: name)
                    declared?.takesSegments = true
                }
                if let declared {
                    entries.append(OperationEntry.entry(declared, FormEncoding(), &shared))
                    continue
                }
            }
            let (index, isNew) = plainNames.add(template.text, part.range)
            if isNew {
                let name = Bytes(template.text[part.range])
                plainParameters.append(ParameterEntry(ParameterDescription(name: name, location: .path, isRequired: true)))
            }
            entries.append(plainParameters[index])
        }
        return entries
    }

    private mutating func method(of operation: borrowing OperationDescription) throws(Failure) -> Text {
        let name = operation.method
        for index in methods.indices where methods[index].name == name { return methods[index].text }
        if name.isEmpty || !name.storage.allSatisfy(ASCII.isToken) {
            throw Failure(.document, "the method \"\(name.printable)\" is not a valid HTTP token").at(operation.pointer)
        }
        let text = Text(name)
        if methods.count < 16 { methods.append((name, text)) }
        return text
    }

    /// The current template of the path, which is stored in the description.
    private mutating func checkTemplate(of operation: inout OperationDescription) throws(Failure) -> Template {
        let template: Template
        if let known = operation.template, known.isMade || known.isOf(operation.path) {
            template = known
        } else {
            do { template = try Template(operation.path) } catch { throw error.at(operation.pointer) }
            operation.template = template
        }
        warnOfBlanks(operation.path, template, operation.pointer)
        if !operation.ids.isEmpty {
            let names = template.parameterNames
            for id in operation.ids where !names.contains(id.name) {
                throw Failure.unknownName(.document, "the path has no parameter", id.name, among: names)
                    .at("\(operation.pointer)/ids/\(id.name.pointerEscaped)")
            }
            for id in operation.ids where id.allowsEmpty {
                var reason = id.emptyRefusal
                let part = template.parts.firstIndex { $0.kind != .literal && Bytes(template.text[$0.range]) == id.name }
                if let part, !(template.parts[part].isLast && (part == 0 || template.parts[part &- 1].isLast)) {
                    reason = "only a whole segment may be empty"
                } else if let part, template.parts[part].kind == .catchAll {
                    reason = "a value of several segments cannot have an empty segment"
                }
                if let reason {
                    throw Failure(.document, reason).at("\(operation.pointer)/ids/\(id.name.pointerEscaped)")
                }
            }
            if operation.ids.filter({ $0.allowsEmpty }).count > Limits.emptyValues {
                throw Failure(.limit, "at most \(Limits.emptyValues) ids of a path can allow empty values")
                    .at(operation.pointer)
            }
        }
        if operation.query.isEmpty && operation.headers.isEmpty && operation.cookies.isEmpty { return template }
        for group in [operation.query, operation.headers, operation.cookies] {
            var seen = Set<Bytes>()
            for parameter in group where !seen.insert(parameter.name).inserted {
                throw Failure(.conflict, "the parameter \"\(parameter.name.printable)\" is declared twice") {
                    $0.pointer = operation.pointer
                }
            }
        }
        for header in operation.headers where !HeaderField.isValidName(header.name) {
            throw Failure(.header, "the header name \"\(header.name.printable)\" is not a valid HTTP token") {
                $0.pointer = operation.pointer
            }
        }
        return template
    }
}

extension ParameterDescription {
    /// The reason why a name is not valid for an id; nil if it is valid.
    package static func refusal(ofIdName name: Bytes) -> Bytes? {
        if name.storage.last == UInt8(ascii: "*") {
            return
                "the id name \"\(name.printable)\" ends in \"*\"; an id of several segments is written \"\(Bytes(name.storage.dropLast()).printable)...\""
        }
        for byte in name.storage
        where byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
            || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "*")
        {
            return "the id name \"\(name.printable)\" contains a space or a character that templates reserve"
        }
        return nil
    }

    /// The reason why the value cannot be empty; nil if it can be.
    package var emptyRefusal: Bytes? {
        if scalar.kind != .string { return "only a string may be empty; the type is \(scalar.kindName)" }
        return takesSegments ? "a value of several segments cannot have an empty segment" : nil
    }
}

extension Bytes {
    var withoutLeadingSlash: Bytes { storage.first == UInt8(ascii: "/") ? Bytes(storage.dropFirst()) : self }
}
