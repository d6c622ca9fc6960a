// Reads resources: names, capabilities and nested resources.

internal import RoutableCore
internal import RoutableJSON

extension RouteDocumentReader {
    private static let keys = KeyTable(
        "a resource",
        [
            "path", "id", "can", "only", "except", "has", "nested", "shallow", "type", "operations", "member",
            "collection", "description", "auth",
        ])

    mutating func resource(_ name: Bytes, _ node: Node) throws(Failure) -> ResourceDescription {
        let userData = try node.object(Self.keys)
        if name.isEmpty || name.storage.contains(UInt8(ascii: ".")) || name.storage.contains(where: ASCII.isControl) {
            throw node.keyFailure(
                name, "the resource's name is empty or contains a dot or a control character; dots join the names in a route")
        }
        guard let path = node.member("path") else {
            throw node.failure("the resource \"\(name.printable)\" has no \"path\"")
        }
        var resource = ResourceDescription(name: name, path: try literalPath(path))
        resource.pointer = node.pointer
        resource.userData = userData
        resource.capabilities = try capabilities(node)
        if let member = node.member("id") { resource.ids = try ids(member) }
        if let member = node.member("has") { resource.children = try uniqueNames(member, "\"has\"") }
        if let member = node.member("nested") { resource.isNested = try member.boolean("\"nested\"") }
        if let member = node.member("shallow") { resource.isShallow = try member.boolean("\"shallow\"") }
        if let member = node.member("type") { resource.type = try typeNamed(member) }
        if let member = node.member("auth") { resource.auth = try requirement(member) }
        if let member = node.member("description") { resource.summary = try member.text("the description") }
        if let member = node.member("operations") {
            for (name, operation) in try member.members("\"operations\"") {
                resource.operations.append(try refinedOperation(name, operation, of: resource))
            }
        }
        for place in [Place.collection, .member] {
            guard let member = node.member(place == .member ? "member" : "collection") else { continue }
            for (name, operation) in try member.members("extra operations") {
                resource.operations.append(try extraOperation(name, operation, place))
            }
        }
        return resource
    }

    private func literalPath(_ node: Node) throws(Failure) -> Bytes {
        let path = try node.text("the path")
        let template: Template
        do { template = try Template(path) } catch { throw error.at(node.pointer) }
        for segment in template.segments where segment.literal == nil {
            throw node.failure("a resource's path cannot contain parameters; declare the id of its members under \"id\"")
        }
        return path
    }

    private func capabilities(_ node: Node) throws(Failure) -> Capabilities {
        var result: Capabilities?
        for (key, isExcept) in [("can", false), ("only", false), ("except", true)] as [(StaticString, Bool)] {
            guard let member = node.member(key) else { continue }
            if result != nil { throw member.failure("use one of \"can\", \"only\" and \"except\"") }
            var named: Capabilities = []
            for element in try member.elements("the list of capabilities") {
                let word = try element.text("a capability")
                guard let capability = Capability.named(word) else {
                    throw element.unknown("there is no capability", word, among: Capability.allCases.map { $0.name })
                }
                if !named.insert(Capabilities(capability)).inserted {
                    throw element.failure("the capability \"\(word)\" occurs twice")
                }
            }
            result = isExcept ? Capabilities.all.subtracting(named) : named
        }
        return result ?? []
    }

    func uniqueNames(_ node: Node, _ subject: StaticString) throws(Failure) -> [Bytes] {
        var result: [Bytes] = []
        var seen = Set<Bytes>()
        for element in try node.elements(subject) {
            let name = try element.name("a name")
            if !seen.insert(name).inserted { throw element.failure("the name \"\(name.printable)\" occurs twice") }
            result.append(name)
        }
        return result
    }

    /// Checks that every name under `has` is a resource.  `node` is the object of resources.
    func checkChildren(_ node: Node) throws(Failure) {
        let names = description.resources.map { $0.name }
        let known = Set(names)
        for resource in description.resources {
            for (index, child) in resource.children.enumerated() where !known.contains(child) {
                throw Failure.unknownName(.document, "there is no resource", child, among: names)
                    .at("\(resource.pointer)/has/\(index)")
            }
        }
    }

    /// One id, or several consecutive ids.
    private func ids(_ node: Node) throws(Failure) -> [ParameterDescription] {
        guard node.view.kind == .array else { return [try id(node)] }
        var result: [ParameterDescription] = []
        for element in try node.elements("the ids") {
            let id = try id(element)
            if result.contains(where: { $0.name == id.name }) {
                throw element.failure("two ids are named \"\(id.name.printable)\"")
            }
            result.append(id)
        }
        if result.isEmpty { throw node.failure("the resource has no id; at least one is required") }
        if result.count > Limits.idsPerRoute { throw node.failure("at most \(Limits.idsPerRoute) ids are allowed", .limit) }
        return result
    }

    private func id(_ node: Node) throws(Failure) -> ParameterDescription {
        if node.view.kind == .text {
            let name = try node.name("the id's name")
            // "number" is allowed as a name, because issues and pages have numbers.
            if name.equals("integer") || name.equals("string") || name.equals("boolean") {
                throw node.failure(
                    "\"\(name)\" is a type, but a string here is the name of the id; write {\"name\": ..., \"type\": \"\(name)\"}"
                )
            }
            return try named(name, node)
        }
        guard node.view.kind == .object else {
            throw node.wrongKind("an id", "a name, an object with one, or an array of these")
        }
        guard let member = node.member("name") else { throw node.failure("the id has no \"name\"") }
        let spelled = try named(try member.name("the id's name"), member)
        var result = try parameter(spelled.name, node, .path, isId: true)
        result.takesSegments = spelled.takesSegments
        if result.allowsEmpty, let reason = result.emptyRefusal { throw node.failure(reason) }
        return result
    }

    private func named(_ spelling: Bytes, _ node: Node) throws(Failure) -> ParameterDescription {
        let id = ParameterDescription(id: spelling)
        if let reason = ParameterDescription.refusal(ofIdName: id.name) { throw node.failure(reason) }
        return id
    }
}
