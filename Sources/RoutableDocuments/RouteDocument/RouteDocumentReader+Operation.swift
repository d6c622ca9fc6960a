// Reads operations: refined capabilities, additional operations of a resource, and standalone operations.

internal import RoutableCore
internal import RoutableJSON

extension RouteDocumentReader {
    /// The keys and their methods.
    static let methods: [(key: StaticString, method: Bytes)] = [
        ("get", "GET"), ("put", "PUT"), ("post", "POST"), ("patch", "PATCH"), ("delete", "DELETE"), ("head", "HEAD"),
        ("options", "OPTIONS"), ("trace", "TRACE"), ("query", "QUERY"),
    ]
    private static let refinedKeys: [StaticString] =
        [
            "query", "header", "cookie", "encoding", "body", "body_required", "body_as", "results", "shadowed", "priority",
            "description", "auth",
        ] + ruleKeys
    private static let refined = KeyTable("a refined capability", refinedKeys)
    private static let full = KeyTable(
        "an operation",
        ["get", "put", "post", "patch", "delete", "head", "options", "trace", "method", "path", "ids"] + refinedKeys)

    /// A capability that is declared with an object.
    mutating func refinedOperation(
        _ name: Bytes, _ node: Node, of resource: ResourceDescription
    ) throws(Failure) -> OperationDescription {
        let allowed = resource.capabilities.members
        guard let capability = allowed.first(where: { $0.name == name }) else {
            let subject: Bytes =
                Capability.named(name) == nil
                ? "\"operations\" refines capabilities, \"member\" and \"collection\" add operations; there is no capability"
                : "the resource \"\(resource.name.printable)\" does not have the capability"
            throw node.unknown(subject, name, among: allowed.map { $0.name }).with { $0.parameter = name }
        }
        let userData = try node.object(Self.refined)
        if let member = node.member("query"), member.view.kind == .text {
            throw member.failure("the capability already has a method; \"query\" must be an object of parameters here")
        }
        var operation = OperationDescription(
            name: name, method: capability.method, path: Bytes(), place: capability.place, capability: capability)
        operation.userData = userData
        try complete(&operation, node)
        return operation
    }

    mutating func extraOperation(_ name: Bytes, _ node: Node, _ place: Place) throws(Failure) -> OperationDescription {
        if Capability.named(name) != nil {
            throw node.keyFailure(
                name, "\"\(name)\" is a capability: declare it under \"can\", and refine it under \"operations\"")
        }
        return try operation(name, node, place)
    }

    mutating func standaloneOperation(_ name: Bytes, _ node: Node) throws(Failure) -> OperationDescription {
        try operation(name, node, .root)
    }

    private mutating func operation(
        _ name: Bytes, _ node: Node, _ place: Place
    ) throws(Failure) -> OperationDescription {
        let userData = try node.object(Self.full)
        if name.isEmpty || name.storage.contains(where: ASCII.isControl) {
            throw node.keyFailure(name, "the operation's name is empty or contains a control character")
        }
        let (method, path) = try methodAndPath(node)
        var operation = OperationDescription(
            name: name, method: method, path: try path.text("the path"), place: place)
        let template: Template
        do { template = try Template(operation.path) } catch { throw error.at(path.pointer) }
        operation.template = template
        // Usual in tables of routes: the path is the only member.
        if node.view.count == 1 {
            operation.pointer = node.pointer
            return operation
        }
        operation.ids = try parameters(node.member("ids"), "\"ids\"", .path)
        if !operation.ids.isEmpty {
            let names = template.parameterNames
            for parameter in operation.ids where !names.contains(parameter.name) {
                throw Failure.unknownName(.document, "the path has no parameter", parameter.name, among: names)
                    .at(JSONPointer.appending(parameter.name, to: "\(node.pointer)/ids"))
                    .with { $0.parameter = parameter.name }
            }
        }
        operation.userData = userData
        try complete(&operation, node)
        return operation
    }

    /// `{"get": "/x"}`, or `{"method": "LOCK", "path": "/x"}`.
    private func methodAndPath(_ node: Node) throws(Failure) -> (method: Bytes, path: Node) {
        var found: (method: Bytes, path: Node)?
        for (key, method) in Self.methods {
            // The value of `query` may also be the parameters.
            guard let member = node.member(key), member.view.kind != .object else { continue }
            if method == "QUERY", member.view.kind == .array {
                throw member.failure("\"query\" must be an object of parameters by their names, not an array")
            }
            if let found {
                throw member.keyFailure(
                    Bytes(staticText: key),
                    "an operation can have only one method; \"\(found.method.lowercased)\" is already set")
            }
            found = (method, member)
            if node.view.count == 1 { break }
        }
        if let found, node.view.count == 1 { return found }
        if let member = node.member("method") {
            if let found {
                throw member.failure(
                    "\"method\" cannot be used together with \"\(found.method.lowercased)\"; use one of the two")
            }
            let method = try member.name("the method")
            guard method.storage.allSatisfy(ASCII.isToken) else {
                throw member.failure("the method \"\(method.printable)\" is not a valid HTTP token")
            }
            guard let path = node.member("path") else { throw node.failure("\"method\" requires \"path\"") }
            return (method, path)
        }
        if let path = node.member("path") {
            throw path.failure(
                found == nil ? "\"path\" requires \"method\"" : "the path is already the value of the method")
        }
        guard let found else {
            let methods = Self.methods.map { Bytes(staticText: $0.key) }
            throw node.failure("the operation has no method; one of these keys with the path is expected: \(methods)")
                .with { $0.allowed = methods.ordered() }
        }
        return found
    }

    /// Reads the members that all operations have.
    private mutating func complete(_ operation: inout OperationDescription, _ node: Node) throws(Failure) {
        operation.pointer = node.pointer
        if let member = node.member("query"), member.view.kind != .text {
            operation.query = try parameters(member, "\"query\"", .query)
        }
        operation.headers = try parameters(node.member("header"), "\"header\"", .header)
        operation.cookies = try parameters(node.member("cookie"), "\"cookie\"", .cookie)
        if let member = node.member("encoding") { operation.encoding = try encoding(member) }
        if let member = node.member("body_as") { operation.bodyForm = try bodyForm(member) }
        if let member = node.member("body") { operation.bodyType = try type(member) }
        if let member = node.member("body_required") {
            operation.isBodyRequired = try member.boolean("\"body_required\"")
        }
        if let member = node.member("results") { operation.results = try results(member) }
        if let member = node.member("auth") { operation.auth = try requirement(member) }
        operation.rules = try rules(node)
        if let pagination = operation.rules?.pagination {
            do throws(Failure) { try pagination.check(operation) } catch {
                throw error.with { $0.pointer = "\(node.pointer)\($0.pointer ?? "/pagination")" }
            }
        }
        if let member = node.member("shadowed") { operation.isShadowingAllowed = try member.boolean("\"shadowed\"") }
        if let member = node.member("priority") {
            operation.priority = try member.integer("\"priority\"", -1_000_000...1_000_000)
        }
        if let member = node.member("description") { operation.summary = try member.text("the description") }
    }

    private func bodyForm(_ node: Node) throws(Failure) -> OperationDescription.BodyForm {
        try node.word("\"body_as\"", [("json", .json), ("form", .form), ("multipart", .multipart), ("bytes", .bytes)])
    }

    // MARK: Results

    /// The most specific results are first: single statuses, then hundreds, then the default.
    private mutating func results(_ node: Node) throws(Failure) -> [ResultDescription] {
        var exact: [ResultDescription] = []
        var ranges: [ResultDescription] = []
        var others: [ResultDescription] = []
        for (key, member) in try node.members("\"results\"") {
            guard let (lowest, highest) = Self.statuses(key) else {
                throw member.keyFailure(key, "\"\(key.printable)\" is not a status: 200, 2XX or default is expected")
            }
            let isEmpty = member.view.kind == .null
            // `true`: a success without further declarations.
            let isOpen = highest < 400 && member.view.kind == .boolean && member.view.boolean
            var result = ResultDescription(
                lowest: lowest, highest: highest, type: isEmpty || isOpen ? nil : try type(member), isEmpty: isEmpty)
            // A status that is listed with null is declared as a success.
            result.isError = lowest >= 400 && !isEmpty
            if lowest == highest {
                exact.append(result)
            } else if highest &- lowest == 99 {
                ranges.append(result)
            } else {
                others.append(result)
            }
        }
        // Beside a success, a schema for all other statuses is that of their errors.
        if (exact + ranges).contains(where: { !$0.isError }) {
            for index in others.indices where !others[index].isEmpty { others[index].isError = true }
        }
        return exact + ranges + others
    }

    private static func statuses(_ key: Bytes) -> (Int32, Int32)? {
        if key == "default" { return (100, 999) }
        guard key.count == 3, let hundreds = key.storage.first, hundreds >= UInt8(ascii: "1"),
            hundreds <= UInt8(ascii: "9")
        else { return nil }
        if key.hasSuffix("XX") {
            let lowest = Int32(hundreds &- 0x30) &* 100
            return (lowest, lowest &+ 99)
        }
        guard let status = Decimal.parse(key), status >= 100, status <= 999 else { return nil }
        let exact = Int32(truncatingIfNeeded: status)
        return (exact, exact)
    }
}
