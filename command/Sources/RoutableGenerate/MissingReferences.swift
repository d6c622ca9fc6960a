// Finds the unresolved references of an OpenAPI document.  A router reports the references that it follows when the document is
// opened.  It compiles a schema when the schema is first used; an unresolved reference in a schema then accepts any value.

internal import RoutableCore

struct MissingReferences {
    private(set) var found: [(pointer: String, reference: String)] = []

    /// Keywords whose values are objects with names of the API.
    private static let maps: Set<Bytes> = [
        "$defs", "callbacks", "content", "definitions", "dependentSchemas", "encoding", "headers", "parameters", "pathItems",
        "paths", "patternProperties", "properties", "requestBodies", "responses", "schemas", "securitySchemes", "variables",
        "webhooks",
    ]
    /// Keywords whose values are data of the API, or are not read by a router.
    private static let data: Set<Bytes> = [
        "const", "default", "enum", "example", "examples", "externalDocs", "info", "links", "mapping", "scopes", "security",
        "servers", "tags", "value",
    ]
    private static let methods: Set<Bytes> = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    private struct Place {
        let value: Value
        let pointer: String
        /// Whether the keys of the object are names of the API.
        var isMap = false
        var isPath = false
    }

    private let document: SchemaDocument
    /// The pointers of the operations that the router has, for a selection.
    private let operations: Set<String>
    private var anchors: Set<String> = []
    private var hasIds = false

    init(_ document: SchemaDocument, operations: Set<String>) {
        self.document = document
        self.operations = operations
        walk { $0.collect($1) }
        walk { $0.look($1) }
        found.reverse()
    }

    /// Visits each object that is part of the description.
    private mutating func walk(_ visit: (inout MissingReferences, Place) -> Void) {
        var pending = [Place(value: document.root, pointer: "")]
        while let next = pending.popLast() {
            for (index, element) in (next.value.elements ?? []).enumerated() {
                pending.append(Place(value: element, pointer: "\(next.pointer)/\(index)"))
            }
            let members = next.value.members
            if members.isEmpty { continue }
            if !next.isMap { visit(&self, next) }
            // Keywords beside a reference have no effect before OpenAPI 3.1.
            if !next.isMap && document.ignoresSiblings && members.contains(where: { $0.name == "$ref" }) { continue }
            for member in members {
                let pointer = SchemaDocument.pointed(member.name, in: next.pointer)
                if next.isPath && Self.methods.contains(member.name) && !operations.contains(pointer) { continue }
                if next.isMap {
                    let isPath = next.pointer == "/paths"
                    pending.append(Place(value: member.value, pointer: pointer, isPath: isPath))
                } else if !Self.data.contains(member.name) && !member.name.hasPrefix("x-") {
                    let isMap = Self.maps.contains(member.name) && member.value.elements == nil
                    pending.append(Place(value: member.value, pointer: pointer, isMap: isMap))
                }
            }
        }
    }

    private mutating func collect(_ place: Place) {
        for name in ["$anchor", "$dynamicAnchor"] as [Bytes] {
            if let anchor = place.value[name]?.string { anchors.insert(anchor) }
        }
        if !document.ignoresSiblings && place.value["$id"]?.string != nil { hasIds = true }
    }

    private mutating func look(_ place: Place) {
        guard let reference = place.value["$ref"]?.string, let fragment = reference.split(separator: "#", maxSplits: 1).last
        else { return }
        let isMissing: Bool
        if !reference.hasPrefix("#") {
            // A schema can have this URI as its id; only the schema compiler resolves such references.
            isMissing = !hasIds
        } else if let tokens = SchemaDocument.tokens(reference) {
            isMissing = document.target(tokens) == nil && !hasIds
        } else {
            isMissing = !anchors.contains(String(fragment))
        }
        if isMissing { found.append((SchemaDocument.pointed("$ref", in: place.pointer), reference)) }
    }
}
