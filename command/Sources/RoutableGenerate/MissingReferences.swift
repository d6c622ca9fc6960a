// Finds the references of an OpenAPI document that lead to nothing.  A router reports those that it follows when the document is
// opened; it compiles a schema when the schema is first used, and a reference in it that leads to nothing then accepts any value.

internal import RoutableCore

struct MissingReferences {
    private(set) var found: [(pointer: String, reference: String)] = []

    /// Members whose values are data of the API, and not parts of the description.
    private static let data: Set<Bytes> = ["example", "examples", "default", "enum", "const", "value"]

    init(_ document: SchemaDocument) {
        // References to anchors and to the ids of schemas are left to the compiler of the schemas.
        var pending: [(value: Value, pointer: String, isMap: Bool)] = [(document.root, "", false)]
        while let next = pending.popLast() {
            for (index, element) in (next.value.elements ?? []).enumerated() {
                pending.append((element, "\(next.pointer)/\(index)", false))
            }
            let members = next.value.members
            if !next.isMap, members.contains(where: { $0.name == "$id" || $0.name == "id" && $0.value.string != nil }) {
                continue
            }
            for member in members {
                let pointer = SchemaDocument.pointed(member.name, in: next.pointer)
                if !next.isMap && (Self.data.contains(member.name) || member.name.hasPrefix("x-")) { continue }
                if !next.isMap, member.name == "$ref", let reference = member.value.string {
                    let isFile = !reference.hasPrefix("#")
                    if isFile || SchemaDocument.tokens(reference).map({ document.target($0) == nil }) == true {
                        found.append((pointer, reference))
                    }
                }
                pending.append(
                    (member.value, pointer, !next.isMap && (member.name == "properties" || member.name == "schemas")))
            }
        }
        found.reverse()
    }
}
