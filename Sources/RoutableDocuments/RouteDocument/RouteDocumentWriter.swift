// Writes a description as its canonical route document.

internal import RoutableCore
internal import RoutableJSON

/// Writes one document, in declaration order.
struct RouteDocumentWriter {
    let description: RouterDescription
    var writer = JSONWriter()

    init(_ description: RouterDescription) { self.description = description }

    mutating func document() -> Bytes {
        writer.open("{")
        writer.member("routable", RouteDocument.version)
        writer.optionalMember("name", description.name)
        writer.optionalMember("description", description.summary)
        if let base = description.base { writer.member("base", base) }
        if !description.headers.isEmpty {
            writer.key("headers")
            writer.open("{")
            for header in description.headers {
                writer.key(of: header.name)
                writer.string(header.value)
            }
            writer.close("}")
        }
        if description.encoding != FormEncoding() { encoding(description.encoding) }
        let types = description.types.filter { !$0.name.isEmpty }
        if !types.isEmpty {
            writer.key("types")
            writer.open("{")
            for type in types {
                writer.key(of: type.name)
                writer.raw(type.schema)
            }
            writer.close("}")
        }
        auth()
        rules(description.rules)
        if !description.resources.isEmpty {
            writer.key("resources")
            writer.open("{")
            for resource in description.resources { self.resource(resource) }
            writer.close("}")
        }
        operations("operations", description.operations)
        userData(description.userData)
        writer.close("}")
        return writer.text
    }

    // MARK: Resources

    private mutating func resource(_ resource: ResourceDescription) {
        writer.key(of: resource.name)
        writer.open("{")
        writer.member("path", resource.path)
        ids(resource.ids)
        names("can", resource.capabilities.members.map { $0.name })
        names("has", resource.children)
        flag("nested", resource.isNested)
        flag("shallow", resource.isShallow)
        // Only named types can be the type of a resource.
        if let name = typeName(resource.type) { writer.member("type", name) }
        requirement(resource.auth)
        writer.optionalMember("description", resource.summary)
        operations("operations", resource.operations.filter { $0.capability != nil })
        operations("collection", resource.operations.filter { $0.capability == nil && $0.place == .collection })
        operations("member", resource.operations.filter { $0.capability == nil && $0.place != .collection })
        userData(resource.userData)
        writer.close("}")
    }

    private mutating func ids(_ ids: [ParameterDescription]) {
        if ids.count == 1, ids[0].isBareId, ids[0].spelling == "id" { return }
        writer.key("id")
        if ids.count > 1 { writer.open("[") }
        for id in ids { self.id(id) }
        if ids.count > 1 { writer.close("]") }
    }

    private mutating func id(_ id: ParameterDescription) {
        if id.isBareId { return writer.string(id.spelling) }
        writer.open("{")
        writer.member("name", id.spelling)
        writer.scalar(id.scalar)
        if id.allowsEmpty {
            writer.key("allow_empty")
            writer.boolean(true)
        }
        writer.optionalMember("description", id.summary)
        writer.close("}")
    }

    // MARK: Operations

    private mutating func operations(_ key: StaticString, _ operations: [OperationDescription]) {
        if operations.isEmpty { return }
        writer.key(key)
        writer.open("{")
        for operation in operations {
            writer.key(of: operation.name)
            writer.open("{")
            self.operation(operation)
            writer.close("}")
        }
        writer.close("}")
    }

    private static let shortMethods: [Bytes] = ["GET", "PUT", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"]

    private mutating func operation(_ operation: OperationDescription) {
        if operation.capability == nil {
            if Self.shortMethods.contains(operation.method) {
                writer.key(of: operation.method.lowercased)
                writer.string(operation.path)
            } else {
                writer.member("method", operation.method)
                writer.member("path", operation.path)
            }
        }
        parameters("ids", operation.ids)
        parameters("query", operation.query)
        parameters("header", operation.headers)
        parameters("cookie", operation.cookies)
        if let encoding = operation.encoding { self.encoding(encoding) }
        if let type = operation.bodyType {
            writer.key("body")
            schema(type)
        }
        if let isRequired = operation.isBodyRequired {
            writer.key("body_required")
            writer.boolean(isRequired)
        }
        switch operation.bodyForm {
        case .json: break
        case .form: writer.member("body_as", "form")
        case .bytes: writer.member("body_as", "bytes")
        case .multipart: writer.member("body_as", "multipart")
        }
        results(operation.results)
        requirement(operation.auth)
        rules(operation.rules)
        flag("shadowed", operation.isShadowingAllowed)
        if operation.priority != 0 { writer.member("priority", operation.priority) }
        writer.optionalMember("description", operation.summary)
        userData(operation.userData)
    }

    private mutating func results(_ results: [ResultDescription]) {
        if results.isEmpty { return }
        writer.key("results")
        writer.open("{")
        for result in results {
            for status in statuses(result) {
                writer.key(of: status)
                if let type = result.type {
                    schema(type)
                } else if result.isEmpty {
                    writer.null()
                } else {
                    writer.boolean(true)
                }
            }
        }
        writer.close("}")
    }

    private func statuses(_ result: ResultDescription) -> [Bytes] {
        if result.lowest == 100 && result.highest == 999 { return ["default"] }
        if result.lowest % 100 == 0 && result.highest &- result.lowest == 99 { return ["\(result.lowest / 100)XX"] }
        guard result.lowest >= 100 && result.highest <= 999 && result.lowest <= result.highest else { return [] }
        return (result.lowest...result.highest).map { "\($0)" }
    }

    // MARK: Parts

    private mutating func flag(_ key: StaticString, _ flag: Bool) {
        guard flag else { return }
        writer.key(key)
        writer.boolean(true)
    }

    private mutating func names(_ key: StaticString, _ names: [Bytes]) {
        if names.isEmpty { return }
        writer.key(key)
        writer.open("[")
        for name in names { writer.string(name) }
        writer.close("]")
    }

    private mutating func userData(_ userData: [UserData]) {
        for item in userData {
            writer.key(of: item.key)
            writer.raw(item.json)
        }
    }

    private func typeName(_ type: Int?) -> Bytes? {
        guard let type, type >= 0, type < description.types.count else { return nil }
        let name = description.types[type].name
        return name.isEmpty ? nil : name
    }

    /// Writes a reference to a named type, or an inline type without changes.
    private mutating func schema(_ type: Int) {
        if let name = typeName(type) {
            writer.open("{")
            writer.member("$ref", JSONPointer.appending(name, to: "#/types"))
            writer.close("}")
        } else if type >= 0 && type < description.types.count {
            writer.raw(description.types[type].schema)
        } else {
            writer.boolean(true)
        }
    }
}

extension ParameterDescription {
    /// Whether an id has only a name.
    fileprivate var isBareId: Bool { scalar.isPlain && summary.isEmpty && !allowsEmpty }
}
