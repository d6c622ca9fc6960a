// Navigation through the resources of an OpenAPI document: classes whose members are the methods of the API, with the ids of a location
// as their first arguments.

internal import RoutableCore

extension PythonModule {
    /// The names of the classes and of their members; the names of the operations of the API take precedence over those of its resources.
    mutating func takeWalkNames(_ top: inout Scope) {
        var unlisted: [Renaming] = []
        walks = blueprint.walks.map { _ in "" }
        for index in blueprint.walks.namingOrder {
            let route = blueprint.walks[index].route
            walks[index] = scope.claim(
                Naming.identifier(route, .pascal), endings: ["Resource", "Member"], separator: "",
                for: "the resource \(route)", &unlisted)
        }
        var children = [[Int]](repeating: [], count: blueprint.walks.count)
        for (index, walk) in blueprint.walks.enumerated() { if let parent = walk.parent { children[parent].append(index) } }
        let deep = blueprint.walks.isEmpty ? [] : blueprint.deepActions()
        for (index, walk) in blueprint.walks.enumerated() {
            walkRoots.append(walk.parent == nil ? attribute(walk.name, &top, "the API") : "")
            for place in [ActionPlace.collection, .member] where place == .collection || !walk.ids.isEmpty {
                var own = Scope(reserved: Reserved.python.union(Reserved.pythonMembers))
                own.take(["below", "walked"])
                var members: [String] = []
                for step in walk.steps where step.place == place {
                    let name = attribute(step.name, &own, walk.route)
                    let action = attributes[api]?[step.action] ?? ""
                    let count = min(walk.count(at: place), 6)
                    members.append(
                        deep.contains(step.action)
                            // A type checker takes minutes to infer a function with such a type.
                            ? "    \(name) = walked(getattr(\(api), \(Texts.pythonLiteral(action))), 6)"
                            : "    \(name) = walked(\(api).\(action), \(count))")
                }
                for child in children[index] where blueprint.walks[child].place == place {
                    let other = blueprint.walks[child].name
                    let name = attribute(other, &own, walk.route)
                    members.append("    \(name) = below(\(walks[child])Resource, \(Texts.pythonLiteral(other)))")
                }
                walkMembers["\(walks[index])\(place == .member ? "Member" : "Resource")"] = members
            }
        }
    }

    /// A class is written after the classes of its child resources.
    mutating func writeWalks() {
        for (index, walk) in blueprint.walks.enumerated().reversed() {
            let name = walks[index]
            if !walk.ids.isEmpty { writeWalk("\(name)Member", "A member of \(walk.route).", nil) }
            var names = Scope(reserved: Reserved.python)
            names.take(["self"])
            var unlisted: [Renaming] = []
            let own = walk.ids.map { names.claim(Naming.identifier($0.name, .snake), for: $0.name, &unlisted) }
            let ids = zip(own, walk.ids).map { "\($0): \(text($1.type))" }
            writeWalk("\(name)Resource", "\(walk.route).", walk.ids.isEmpty ? nil : (ids, "\(name)Member", own))
        }
    }

    private mutating func writeWalk(
        _ name: String, _ summary: String, _ call: (ids: [String], member: String, names: [String])?
    ) {
        code.lines(["", "", "class \(name)(Place):"])
        docstring(summary, indent: "    ")
        code.lines(["", "    __slots__ = ()"])
        let members = walkMembers[name] ?? []
        if let call {
            code.line()
            head("__call__", ["self"] + call.ids + ["/"], call.member, ":")
            code.line("        return self._at(\(([call.member] + call.names).joined(separator: ", ")))")
        }
        if !members.isEmpty { code.lines([""] + members) }
    }

    /// The resources at the root, as members of the API.
    mutating func writeWalkRoots() {
        for (index, walk) in blueprint.walks.enumerated() where walk.parent == nil {
            code.lines(["", "    @property", "    def \(walkRoots[index])(self) -> \(walks[index])Resource:"])
            docstring("\(walk.route), a resource.", indent: "        ")
            code.line("        return self._below(\(walks[index])Resource, \(Texts.pythonLiteral(walk.name)))")
        }
    }
}
