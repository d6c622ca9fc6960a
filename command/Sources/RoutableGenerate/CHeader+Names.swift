// Reserves all names of the C header before it is written, because declarations refer to each other.

internal import RoutableCore

extension CHeader {
    mutating func takeNames() {
        scope.take([
            prefix, "\(prefix)_open", "\(prefix)_open_file", "\(prefix)_use", "\(prefix)_close", "\(prefix)_names",
            "\(prefix)_result", "\(prefix)_result_free", "\(prefix)_place", "\(prefix)_step", "\(prefix)_id", "\(prefix)_here",
        ])
        if let library = blueprint.library { scope.take([Self.exportedRouter(library)]) }
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
        let endings = [
            "", "_url", "_request", "_is", "_from_response", "_arguments", "_operation", "_errors", "_errors_of",
            "_errors_free", "_item_from_json",
        ]
        for (index, resource) in blueprint.resources.enumerated() {
            actions.append(
                resource.actions.map {
                    claim(
                        "", endings, of: "the operation of \(resource.name)", shown: $0.name,
                        base: resources[index] + "_" + Naming.identifier($0.name, .snake))
                })
        }
        free = blueprint.actions.map { claim($0.name, endings, of: "the operation") }
        let prefix = prefix
        func names(_ name: String) -> String { prefix + "_" + Naming.identifier(name, .snake) + "_data" }
        for record in blueprint.records {
            records.append(claim("", ["", "_shape"], of: "the type", shown: record.name, base: names(record.name)))
        }
        for union in blueprint.unions {
            unions.append(claim("", ["", "_shape", "_kind"], of: "the type", shown: union.name, base: names(union.name)))
        }
        for choice in blueprint.choices {
            choices.append(
                claim(
                    "", ["", "_value", "_texts", "_of", "_of_str", "_is"], of: "the type", shown: choice.name,
                    base: names(choice.name)))
        }
        scope.take((records + unions).map { Self.upper($0) + "_INIT" })
        for record in blueprint.records { fields.append(members(record.fields.map { $0.name }, of: record.name)) }
        for (index, union) in blueprint.unions.enumerated() {
            options.append(members(["json"] + union.options.map { blueprint.optionName($0.type) }, of: union.name))
            tags.append(
                options[index].enumerated().map { place, option in
                    constant(unions[index] + "_" + (place == 0 ? "other" : option), union.name)
                })
        }
        for (index, choice) in blueprint.choices.enumerated() {
            let all = choice.values.filter { !$0.utf8.contains(0) }.map { Naming.identifier($0, .snake, start: "n") }
            values.append((["other"] + all).map { constant(choices[index] + "_" + $0, choice.name) })
        }
        for record in blueprint.records { for field in record.fields { need(field.type, isMaybe: isMaybe(field)) } }
        for union in blueprint.unions { for option in union.options { need(option.type, isMaybe: false) } }
        for action in blueprint.allActions {
            for parameter in action.parameters { need(parameter.type, isMaybe: isMaybe(parameter)) }
            if case .typed(let type, _) = action.input { need(type, isMaybe: false) }
            if case .typed(.typed(let type), _) = action.output { needResult(type) }
            if let item = action.item ?? action.stream?.item { needResult(item) }
            for error in action.errors { if case .typed(let type)? = error.payload { need(type, isMaybe: false) } }
        }
        // All other names take precedence over the names by resources.
        takeWalkNames()
    }

    /// The names of all operations of a resource have the same prefix.
    private mutating func takeWalkNames() {
        walks = blueprint.walks.map { _ in [] }
        var names = Scope()
        for index in blueprint.walks.namingOrder {
            let walk = blueprint.walks[index]
            let own = names.claim(
                prefix + "_" + Naming.identifier(walk.route, .snake), for: "the resource \(walk.route)", &renamings)
            walks[index] = walk.steps.map { step in
                let wanted = own + "_" + Naming.identifier(step.name, .snake)
                if wanted == free[step.action] { return nil }
                return claim("", ["", "_url", "_request", "_arguments"], of: walk.route, shown: step.name, base: wanted)
            }
        }
    }

    private mutating func constant(_ wanted: String, _ owner: String) -> String {
        scope.claim(Self.upper(wanted), for: "a constant of \(owner)", &renamings)
    }

    private mutating func claim(
        _ name: String, _ endings: [String], of subject: String, shown: String? = nil, base: String? = nil
    ) -> String {
        scope.claim(
            base ?? prefix + "_" + Naming.identifier(name, .snake), endings: endings,
            for: "\(subject) \(shown ?? name)", &renamings)
    }

    /// The names of the members of a struct.
    mutating func members(_ names: [String], of owner: String) -> [String] {
        var scope = Scope(reserved: Reserved.c)
        return names.map {
            var wanted = Naming.identifier($0, .snake)
            // In C++, a member with the name of a type hides the type in the declarations of the members that follow.
            if wanted.hasPrefix("routable_") || self.scope.isTaken(wanted) {
                renamings.append(Renaming(original: "\($0) of \(owner)", identifier: wanted + "_", why: "reserved"))
                wanted += "_"
            }
            return scope.claim(wanted, for: "\($0) of \(owner)", &renamings)
        }
    }

    func isMaybe(_ field: Field) -> Bool { !field.isRequired || field.type.isNullable }
    func isMaybe(_ parameter: Parameter) -> Bool { !parameter.isRequired }
}
