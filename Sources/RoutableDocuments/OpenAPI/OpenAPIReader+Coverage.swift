// Decides whether the shape and the scalar of a parameter express its whole schema.  Otherwise values of the parameter are
// validated against the whole schema, which takes longer.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

extension OpenAPIReader {
    /// Whether `shape` reads all keywords of a schema that restrict values.
    mutating func isCovered(_ schema: TapeNode, depth: Int) throws(Failure) -> Bool {
        // proof: the depth of the recursion is limited to 8.
        shapeBudget &-= 1
        guard depth < 8, shapeBudget > 0 else { return false }
        if schema.kind == .boolean { return schema.isTrue }
        if !is30 && hasKeywordsBesideReference(schema) { return false }
        guard schema.isObject, let node = try resolve(schema, isSchema: true) else { return true }
        if node.kind == .boolean { return node.isTrue }
        guard node.isObject else { return true }
        let kind = self.kind(node)
        var parts: TapeNode?
        var members = node.children
        while let member = members.read() {
            guard let shape = KeywordShape.of(member.key.rawText) else { continue }
            // `required` of a parameter in Swagger.
            if shape == .texts && isSwagger && member.value.kind == .boolean { continue }
            switch shape {
            case .type:
                if kind == nil { return false }
            case .text: if member.key.equals("$dynamicRef") { return false }
            case .nullable: break
            case .number, .exclusiveBound, .positive, .pattern, .count, .array, .any:
                if isAnnotation(member.key) { continue }
                if kind != "string" && kind != "integer" && kind != "number" && !isFromValues(node) { return false }
                // Keywords of arrays and objects.
                if member.key.equals("minItems") || member.key.equals("maxItems") { return false }
            case .boolean:
                if member.key.equals("uniqueItems") && member.value.isTrue { return false }
            case .itemSchemas:
                guard kind == "array", try isCovered(member.value, depth: depth &+ 1) else { return false }
                let (inner, _) = try self.shape(member.value, depth: depth &+ 1)
                if inner != .scalar { return false }
            case .schemas:
                if parts != nil || node.member("type") != nil || member.key.equals("prefixItems") { return false }
                parts = member.value
            default: return false
            }
        }
        guard let parts else { return true }
        return try hasOneCovered(parts, depth)
    }

    /// Whether allOf, oneOf or anyOf has exactly one schema, apart from null, and this schema is covered.
    private mutating func hasOneCovered(_ list: TapeNode, _ depth: Int) throws(Failure) -> Bool {
        var count = 0
        var children = list.children
        while let child = children.read() {
            if child.value.member("type")?.equals("null") == true { continue }
            count &+= 1
            if count > 1 { return false }
            if try !isCovered(child.value, depth: depth &+ 1) { return false }
        }
        return count == 1
    }

    /// The only type apart from null; nil if there is none or there are several.
    private func kind(_ node: TapeNode) -> Bytes? {
        guard let type = node.member("type") else { return nil }
        if type.kind == .text { return type.string }
        var result: Bytes?
        var types = type.children
        while let each = types.read() {
            if each.value.equals("null") { continue }
            if result != nil { return nil }
            result = each.value.string
        }
        return result
    }

    /// Whether the schema has no type, and its values are scalars.
    private func isFromValues(_ node: TapeNode) -> Bool {
        guard node.member("type") == nil, let values = node.member("enum") ?? node.member("const") else { return false }
        if values.kind != .array { return values.kind != .object }
        var children = values.children
        while let child = children.read() { if child.value.kind == .object || child.value.kind == .array { return false } }
        return true
    }

    private func isAnnotation(_ key: TapeNode) -> Bool {
        key.equals("contentSchema") || key.equals("$vocabulary") || key.equals("dependencies")
    }
}
