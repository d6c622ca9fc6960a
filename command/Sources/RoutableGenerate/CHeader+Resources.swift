// Places of the graph as C values: ids, members, sets of members, and the ways from one to the next.

internal import RoutableCore

extension CHeader {
    mutating func resourceSection() {
        if blueprint.resources.isEmpty { return }
        rule("Resources: an id, a member, the set of all members; as values, of which any number of others may be made")
        for (index, resource) in blueprint.resources.enumerated() {
            comment(resource.summary)
            writeId(resource, resources[index])
        }
        for name in resources {
            code.line("typedef struct \(name) { routable_typed_place place; } \(name);")
            code.line("typedef struct \(name)_set { routable_typed_place place; } \(name)_set;")
        }
        code.line()
        for (index, resource) in blueprint.resources.enumerated() {
            let name = resources[index]
            if resource.hasRootMembers {
                function(name, roots[index], ["\(prefix) *api", "\(name)_id id"])
                code.lines([
                    "    \(name) result;", "    routable_typed_root(&result.place, &api->typed);",
                    "    routable_typed_member(&result.place, \(index), \(value(resource.id)));", "    return result;", "}", "",
                ])
            }
            if resource.isRoot {
                function("\(name)_set", "\(roots[index])_set", ["\(prefix) *api"])
                code.lines([
                    "    \(name)_set result;", "    routable_typed_root(&result.place, &api->typed);",
                    "    routable_typed_step(&result.place, \(index));", "    return result;", "}", "",
                ])
            }
        }
        for (index, resource) in blueprint.resources.enumerated() {
            for (order, child) in resource.children.enumerated() {
                let accessor = children[index][order], name = resources[child]
                if !blueprint.resources[child].isShallow {
                    function(name, accessor, ["\(resources[index]) below", "\(name)_id id"])
                    code.lines([
                        "    \(name) result;", "    result.place = below.place;",
                        "    routable_typed_member(&result.place, \(child), \(value(blueprint.resources[child].id)));",
                        "    return result;", "}", "",
                    ])
                }
                function("\(name)_set", "\(accessor)_set", ["\(resources[index]) below"])
                code.lines([
                    "    \(name)_set result;", "    result.place = below.place;",
                    "    routable_typed_step(&result.place, \(child));", "    return result;", "}", "",
                ])
            }
        }
    }

    private func idKind(_ id: Parameter) -> (type: String, make: String) {
        switch id.type.shape {
        case .integer: ("int64_t", "routable_value_integer")
        case .number: ("double", "routable_value_real")
        case .boolean: ("bool", "routable_value_boolean")
        default: ("routable_str", "routable_value_str")
        }
    }

    private func value(_ id: Parameter) -> String { "\(idKind(id).make)(id.value)" }

    private mutating func writeId(_ resource: ResourcePlan, _ name: String) {
        let kind = idKind(resource.id)
        code.line("typedef struct \(name)_id { \(kind.type) value; } \(name)_id;")
        code.line()
        let isText = kind.type == "routable_str"
        function("\(name)_id", "\(name)_id_of", [isText ? "const char *text" : "\(kind.type) value"])
        code.lines(["    \(name)_id id;", "    id.value = \(isText ? "routable_str_from(text)" : "value");", "    return id;", "}", ""])
        if !isText { return }
        function("\(name)_id", "\(name)_id_of_str", ["routable_str text"])
        code.lines(["    \(name)_id id;", "    id.value = text;", "    return id;", "}", ""])
    }
}
