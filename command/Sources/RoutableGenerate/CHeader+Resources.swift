// Writes the C types of resources: ids, members, collections, and the functions that return the child resources.

internal import RoutableCore

extension CHeader {
    mutating func resourceSection() {
        if blueprint.resources.isEmpty { return }
        rule("Resources: an id, a member, the set of all members")
        comment(
            "Copies of these structs are independent.  The structs borrow the strings of their ids, and a member and "
                + "a set also borrow the struct of the API: use them only while these exist.")
        for (index, resource) in blueprint.resources.enumerated() {
            comment(resource.summary)
            writeIds(resource.ids[...], of: resource, "\(resources[index])_id")
            if !resource.scope.isEmpty { writeIds(resource.scope, of: resource, "\(resources[index])_set_id") }
        }
        writePlace()
        for name in resources {
            code.line("typedef struct \(name) { \(prefix)_place place; } \(name);")
            code.line("typedef struct \(name)_set { \(prefix)_place place; } \(name)_set;")
        }
        code.line()
        for (index, resource) in blueprint.resources.enumerated() {
            let name = resources[index]
            if resource.hasRootMembers {
                function(name, roots[index], ["\(prefix) *api", "\(name)_id id"])
                code.lines([
                    "    \(name) result;", "    memset(&result, 0, sizeof result);", "    result.place.api = &api->typed;",
                ])
                code.lines(steps(to: index, resource.ids[...]) + ["    return result;", "}", ""])
            }
            if resource.isRoot {
                function("\(name)_set", "\(roots[index])_set", ["\(prefix) *api"] + scope(index))
                code.lines([
                    "    \(name)_set result;", "    memset(&result, 0, sizeof result);", "    result.place.api = &api->typed;",
                ])
                code.lines(steps(to: index, resource.scope) + ["    return result;", "}", ""])
            }
        }
        for (index, resource) in blueprint.resources.enumerated() {
            for (order, child) in resource.children.enumerated() {
                let accessor = children[index][order], name = resources[child]
                if !blueprint.resources[child].isShallow {
                    function(name, accessor, ["\(resources[index]) below", "\(name)_id id"])
                    code.lines(["    \(name) result;", "    result.place = below.place;"])
                    code.lines(steps(to: child, blueprint.resources[child].ids[...]) + ["    return result;", "}", ""])
                }
                function("\(name)_set", "\(accessor)_set", ["\(resources[index]) below"] + scope(child))
                code.lines(["    \(name)_set result;", "    result.place = below.place;"])
                code.lines(steps(to: child, blueprint.resources[child].scope) + ["    return result;", "}", ""])
            }
        }
    }

    /// Writes a struct with space for the ids of the longest route; if a resource can contain itself, for one id more than the library
    /// allows.
    private mutating func writePlace() {
        let (depth, ids) = blueprint.longestRoute ?? (34, 33)
        code.lines([
            "typedef struct \(prefix)_place {", "    routable_typed_api *api;", "    uint16_t depth, id_count;",
            "    uint16_t resources[\(max(depth, 1))];", "    routable_typed_id ids[\(max(ids, 1))];", "} \(prefix)_place;", "",
        ])
        function("void", "\(prefix)_step", ["\(prefix)_place *place", "uint16_t resource"])
        code.lines([
            "    if (place->depth < \(max(depth, 1)))", "        place->resources[place->depth++] = resource;", "}", "",
        ])
        function("void", "\(prefix)_id", ["\(prefix)_place *place", "routable_value id"])
        code.lines([
            "    if (place->id_count < \(max(ids, 1)))", "        place->ids[place->id_count++] = routable_typed_id_of(id);",
            "}", "",
        ])
        function("routable_typed_place", "\(prefix)_here", ["const \(prefix)_place *place"])
        code.lines([
            "    routable_typed_place here;", "    here.api = place->api;", "    here.resources = place->resources;",
            "    here.ids = place->ids;",
            "    here.depth = place->depth;", "    here.id_count = place->id_count;", "    return here;", "}", "",
        ])
    }

    func idKind(_ id: Parameter) -> (type: String, make: String) {
        switch id.type.shape {
        case .integer: ("int64_t", "routable_value_integer")
        case .number: ("double", "routable_value_real")
        case .boolean: ("bool", "routable_value_boolean")
        default: ("routable_str", "routable_value_str")
        }
    }

    /// The parameter for the ids before the last one, for the collection of a resource with several ids.
    private func scope(_ index: Int) -> [String] {
        blueprint.resources[index].scope.isEmpty ? [] : ["\(resources[index])_set_id id"]
    }

    /// The expression for the route to a resource, with the members of the struct `id` as its ids.
    private func steps(to index: Int, _ ids: ArraySlice<Parameter>) -> [String] {
        let values = zip(ids, idMembers(ids, of: blueprint.resources[index])).map { "\(idKind($0).make)(id.\($1))" }
        if values.count == 1 && blueprint.resources[index].ids.count == 1 {
            return ["    \(prefix)_step(&result.place, \(index));", "    \(prefix)_id(&result.place, \(values[0]));"]
        }
        return ["    \(prefix)_step(&result.place, \(index));"]
            + values.map { "    \(prefix)_id(&result.place, \($0));" }
    }

    /// The names of the struct members for the ids: `value` for the only id of a resource; otherwise the name of each id.
    private func idMembers(_ ids: ArraySlice<Parameter>, of resource: ResourcePlan) -> [String] {
        if resource.ids.count == 1 { return ["value"] }
        var header = self
        return header.members(ids.map(\.name), of: resource.name)
    }

    private mutating func writeIds(_ ids: ArraySlice<Parameter>, of resource: ResourcePlan, _ name: String) {
        let names = resource.ids.count == 1 ? ["value"] : members(ids.map(\.name), of: resource.name)
        let kinds = ids.map { idKind($0).type }
        let fields = zip(kinds, names).map { "\($0) \($1);" }
        code.line("typedef struct \(name) { \(fields.joined(separator: " ")) } \(name);")
        code.line()
        let hasText = kinds.contains("routable_str")
        for isView in hasText ? [false, true] : [false] {
            // The only id of a resource is named by its kind.
            let own = resource.ids.count == 1 ? [hasText ? "text" : "value"] : names
            let parameters = zip(kinds, own).map { kind, own in
                kind == "routable_str" && !isView ? "const char *\(own)" : "\(kind) \(own)"
            }
            function(name, isView ? "\(name)_of_str" : "\(name)_of", parameters)
            // If there are several ids, one of them can have the name `id`.
            let made = resource.ids.count == 1 ? "id" : "made_"
            code.line("    \(name) \(made);")
            for (index, field) in names.enumerated() {
                let isText = kinds[index] == "routable_str" && !isView
                code.line("    \(made).\(field) = \(isText ? "routable_str_from(\(own[index]))" : own[index]);")
            }
            code.lines(["    return \(made);", "}", ""])
        }
    }
}
