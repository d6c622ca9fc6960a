// The names that the C header gives, claimed before anything is written: what others refer to must be known.

internal import RoutableCore

extension CHeader {
    mutating func takeNames() {
        scope.take([
            prefix, "\(prefix)_open", "\(prefix)_open_file", "\(prefix)_use", "\(prefix)_close", "\(prefix)_names",
            "\(prefix)_result", "\(prefix)_result_free",
        ])
        if let library = blueprint.library { scope.take([Self.exportedRouter(library)]) }
        for kind in ["text", "integer", "number", "boolean", "json"] {
            for list in ["", "_list"] {
                scope.take(["", "_free", "_set"].map { "\(prefix)_\(kind)\(list)_result\($0)" })
            }
        }
        for resource in blueprint.resources {
            let ofScope = resource.scope.isEmpty ? [] : ["_set_id", "_set_id_of", "_set_id_of_str"]
            resources.append(claim(resource.name, ["", "_set", "_id", "_id_of", "_id_of_str"] + ofScope, of: "the resource"))
        }
        for resource in blueprint.resources {
            roots.append(claim("root \(resource.name)", ["", "_set"], of: "the root", shown: resource.name))
        }
        for (index, resource) in blueprint.resources.enumerated() {
            children.append(
                resource.children.map { child in
                    let name = blueprint.resources[child].name
                    return claim(
                        "", ["", "_set"], of: "the child of \(resource.name)", shown: name,
                        base: resources[index] + "_" + Naming.identifier(name, .snake))
                })
        }
        let endings = ["", "_url", "_request", "_from_response", "_arguments", "_operation"]
        for (index, resource) in blueprint.resources.enumerated() {
            actions.append(
                resource.actions.map {
                    claim(
                        "", endings, of: "the operation of \(resource.name)", shown: $0.name,
                        base: resources[index] + "_" + Naming.identifier($0.name, .snake))
                })
        }
        free = blueprint.actions.map { claim($0.name, endings, of: "the operation") }
        let ofRecords = [
            "", "_maybe", "_list", "_maybe_list", "_shape", "_result", "_result_free", "_result_set", "_list_result",
            "_list_result_free", "_list_result_set",
        ]
        for record in blueprint.records {
            let base = prefix + "_" + Naming.identifier(record.name, .snake) + "_data"
            let name = claim("", ofRecords, of: "the type", shown: record.name, base: base)
            records.append(name)
        }
        for record in blueprint.records { fields.append(members(record.fields.map { $0.name }, of: record.name)) }
        for record in blueprint.records { for field in record.fields { use(field.type, isMaybe: isMaybe(field)) } }
        for action in blueprint.resources.flatMap({ $0.actions }) + blueprint.actions {
            for parameter in action.parameters { use(parameter.type, isMaybe: isMaybe(parameter)) }
            if case .typed(let type, _) = action.input { use(type, isMaybe: false) }
            if case .typed(let type, _) = action.output { uses.insert(result(type)); use(type, isMaybe: false) }
        }
    }

    private mutating func claim(
        _ name: String, _ endings: [String], of subject: String, shown: String? = nil, base: String? = nil
    ) -> String {
        scope.claim(
            base ?? prefix + "_" + Naming.identifier(name, .snake), endings: endings,
            for: "\(subject) \(shown ?? name)", &renamings)
    }

    /// The members of a struct.
    mutating func members(_ names: [String], of owner: String) -> [String] {
        var scope = Scope(reserved: Reserved.c)
        return names.map {
            var wanted = Naming.identifier($0, .snake)
            // In C++ a member with the name of a type hides it from the members that follow.
            if wanted.hasPrefix("routable_") || self.scope.isTaken(wanted) {
                renamings.append(Renaming(original: "\($0) of \(owner)", identifier: wanted + "_", why: "reserved"))
                wanted += "_"
            }
            return scope.claim(wanted, for: "\($0) of \(owner)", &renamings)
        }
    }

    private mutating func use(_ type: Typing, isMaybe: Bool) { uses.insert(self.type(type, isMaybe: isMaybe)) }

    func isMaybe(_ field: Field) -> Bool { !field.isRequired || field.type.isNullable }
    func isMaybe(_ parameter: Parameter) -> Bool { !parameter.isRequired }
}
