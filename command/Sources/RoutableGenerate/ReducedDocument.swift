// An OpenAPI document without the parts that no router reads, for generated files that contain it.

internal import RoutableCore
internal import RoutableDocuments

enum ReducedDocument {
    /// The document without examples and without descriptions, except of responses.
    ///
    /// - Parameter keeping: the operations to keep, with the components that they refer to; nil for all.
    /// - Returns: JSON without white space.  If the result is not a valid document, the whole document.
    static func text(of root: Value, keeping names: Set<Bytes>?) throws(Failure) -> Bytes {
        var reduced = reduce(root, isMap: false, keepsDescription: false)
        if let names { reduced = selected(reduced, names) }
        let text = try ValueDocument.write(reduced)
        let isValid = text.storage.withUnsafeBytes { (buffer) -> Bool in
            var choices = OpenAPIDocument.Choices()
            if let names, let selection = try? OperationSelection(only: Array(names), except: nil) {
                choices.selection = selection
            }
            return (try? OpenAPIDocument.read(buffer, choices)) != nil
        }
        return isValid ? text : try ValueDocument.write(root)
    }

    /// Objects whose keys are names, not keywords.
    private static let maps: Set<Bytes> = [
        "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "schemas", "responses", "parameters",
        "requestBodies", "headers", "securitySchemes", "securityDefinitions", "links", "callbacks", "pathItems", "paths",
        "webhooks",
        "variables", "encoding", "content", "mediaTypes", "additionalOperations",
    ]
    /// Keywords whose values are data, without keywords.
    private static let data: Set<Bytes> = ["enum", "const", "default", "mapping", "scopes", "required", "security"]

    private static func reduce(_ value: Value, isMap: Bool, keepsDescription: Bool) -> Value {
        switch value {
        case .array(let elements): return .array(elements.map { reduce($0, isMap: false, keepsDescription: false) })
        case .object(let members):
            var kept: [Value.Member] = []
            for member in members {
                if isMap {
                    let value = reduce(member.value, isMap: false, keepsDescription: keepsDescription)
                    kept.append(Value.Member(name: member.name, value: value))
                    continue
                }
                switch member.name {
                case "example", "examples", "externalDocs": continue
                case "description" where !keepsDescription && member.value.string != nil: continue
                case let name where data.contains(name) || name.hasPrefix("x-"): kept.append(member)
                default:
                    let value = reduce(
                        member.value, isMap: maps.contains(member.name), keepsDescription: member.name == "responses")
                    kept.append(Value.Member(name: member.name, value: value))
                }
            }
            return .object(kept)
        default: return value
        }
    }

    // MARK: - A selection

    /// The document with only these operations; the whole document if a reference has another target than a component.
    private static func selected(_ root: Value, _ names: Set<Bytes>) -> Value {
        guard root["openapi"] != nil, case .object(let members) = root else { return root }
        var reached = Reached(root)
        guard reached.isComplete else { return root }
        let paths = members.first { $0.name == "paths" }?.value.members ?? []
        var kept: [Value.Member] = []
        for path in paths {
            let operations = path.value.members.filter { operation in
                guard case .object = operation.value, operation.name != "additionalOperations" else { return true }
                let id: Bytes? = if case .text(let text)? = operation.value["operationId"] { text } else { nil }
                return names.contains("\(operation.name.uppercased) \(path.name)") || id.map { names.contains($0) } == true
            }
            if operations.contains(where: { if case .object = $0.value { true } else { false } }) {
                kept.append(Value.Member(name: path.name, value: .object(operations)))
            }
        }
        for member in members where member.name != "paths" && member.name != "components" { reached.add(member.value) }
        reached.add(.object(kept))
        return .object(
            members.filter { $0.name != "webhooks" }.map { member in
                switch member.name {
                case "paths": Value.Member(name: member.name, value: .object(kept))
                case "components": Value.Member(name: member.name, value: reached.narrowed(member.value))
                default: member
                }
            })
    }

    /// The components that are referred to.
    private struct Reached {
        private let root: Value
        private var names = Set<Bytes>()

        init(_ root: Value) { self.root = root }

        /// Whether all references are to whole components, or to parts of them.
        var isComplete: Bool { Self.references(root).allSatisfy { Self.component($0) != nil } }

        mutating func add(_ value: Value) {
            var waiting = Self.references(value)
            while let reference = waiting.popLast() {
                guard let (kind, name) = Self.component(reference), names.insert("\(kind)/\(name)").inserted else { continue }
                if let next = root["components"]?[kind]?[name] { waiting += Self.references(next) }
            }
        }

        func narrowed(_ components: Value) -> Value {
            .object(
                components.members.map { kind in
                    if kind.name == "securitySchemes" { return kind }
                    let left = kind.value.members.filter { names.contains("\(kind.name)/\($0.name)") }
                    return Value.Member(name: kind.name, value: .object(left))
                })
        }

        private static func component(_ reference: Bytes) -> (kind: Bytes, name: Bytes)? {
            guard let tokens = SchemaDocument.tokens(reference.string), tokens.count >= 3, tokens[0] == "components" else {
                return nil
            }
            return (tokens[1], tokens[2])
        }

        /// The targets of `$ref`, of `$dynamicRef`, and of discriminators.
        private static func references(_ value: Value) -> [Bytes] {
            var result: [Bytes] = []
            var waiting = [value]
            while let next = waiting.popLast() {
                switch next {
                case .array(let elements): waiting += elements
                case .object(let members):
                    for member in members {
                        switch (member.name, member.value) {
                        case ("$ref", .text(let target)), ("$dynamicRef", .text(let target)): result.append(target)
                        case ("discriminator", .object):
                            for target in member.value["mapping"]?.members ?? [] {
                                guard case .text(let text) = target.value else { continue }
                                // The value is the name of a schema, or a reference.
                                result.append(text.storage.contains(UInt8(ascii: "#")) ? text : "#/components/schemas/\(text)")
                            }
                        default: waiting.append(member.value)
                        }
                    }
                default: break
                }
            }
            return result
        }
    }
}
