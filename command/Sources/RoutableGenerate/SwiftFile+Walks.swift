// Writes navigation through the resources of an OpenAPI document in Swift: structs that contain the ids of a location, whose functions
// return the endpoints of the functions of the API.

internal import RoutableCore

/// The context of a function of such a struct.
struct SwiftWalk {
    /// The expressions for its ids.
    var ids: [String]
    /// The function of the API that it calls; nil if an id has a different type there, so that the function makes the endpoint directly.
    var function: String?
}

extension SwiftFile {
    /// The names of the API and of its types take precedence over the names of derived resources.
    mutating func writeWalks() {
        let walks = blueprint.walks
        var unlisted: [Renaming] = []
        var names = walks.map { _ in "" }
        for index in walks.namingOrder {
            names[index] = scope.claim(
                Naming.identifier(walks[index].route, .pascal), endings: ["Resource", "Member"], separator: "",
                for: "the resource \(walks[index].route)", &unlisted)
        }
        var children = [[Int]](repeating: [], count: walks.count)
        var top = members
        // The names of the protocol, in addition to the names that all members avoid.
        top.take(["documentPath", "load"])
        for (index, walk) in walks.enumerated() {
            if let parent = walk.parent {
                children[parent].append(index)
                continue
            }
            let name = member(walk.name, &top, "the API")
            code.line()
            comment("\(walk.route), a resource.", indent: "    ")
            code.line("    public static var \(name): \(names[index])Resource { \(names[index])Resource() }")
        }
        for (index, walk) in walks.enumerated() {
            for place in [ActionPlace.collection, .member] where place == .collection || !walk.ids.isEmpty {
                write(walk: index, at: place, names, children[index])
            }
        }
    }

    private mutating func write(walk index: Int, at place: ActionPlace, _ names: [String], _ children: [Int]) {
        let walk = blueprint.walks[index], isMember = place == .member
        let ids = blueprint.walks.ids(of: index, at: place).map { ($0.name, text($0.type, parameter: true)) }
        code.line()
        comment(isMember ? "A member of \(walk.route)." : "\(walk.route).", indent: "    ")
        code.line("    public struct \(names[index])\(isMember ? "Member" : "Resource"): Sendable {")
        if ids.count == 1 { code.line("        let ids: \(ids[0].1)") }
        if ids.count > 1 { code.line("        let ids: (\(ids.map(\.1).joined(separator: ", ")))") }
        var isFirst = ids.isEmpty
        if !isMember && !walk.ids.isEmpty {
            if !isFirst { code.line() }
            isFirst = false
            var taken = Scope(reserved: Reserved.swift), unlisted: [Renaming] = []
            taken.take(["ids"])
            let own = walk.ids.map {
                taken.claim(Naming.identifier($0.name, .camel), separator: "", for: $0.name, &unlisted)
            }
            let all = elements(ids.count, of: "ids") + own
            let parameters = zip(own, walk.ids).map { "_ \($0): \(text($1.type, parameter: true))" }
            function("public func callAsFunction(", parameters, ") -> \(names[index])Member {", indent: "        ")
            code.line(
                "            \(names[index])Member(ids: \(all.count == 1 ? all[0] : "(\(all.joined(separator: ", ")))"))")
            code.line("        }")
        }
        var own = Scope(reserved: Reserved.swift)
        own.take(["ids", "callAsFunction"])
        for step in walk.steps where step.place == place {
            let action = blueprint.actions[step.action]
            let declared = action.pathParameters
            // The path parameters after the ids of the location are arguments.
            if declared.count < ids.count { continue }
            let isSame = zip(declared, ids).allSatisfy { text($0.type, parameter: true) == $1.1 }
            let isHidden = action.parameters.contains { Naming.identifier($0.name, .camel) == "ids" }
            let name = member(step.name, &own, walk.route)
            // The names of its parameters are listed for the function of the API.
            let listed = renamings
            write(
                action, name, isStatic: false, indent: "        ", verb: nil, isFirst: isFirst,
                walk: SwiftWalk(
                    ids: elements(ids.count, of: isHidden ? "self.ids" : "ids"), function: isSame ? functions[step.action] : nil
                ))
            renamings = listed
            isFirst = false
        }
        for child in children where blueprint.walks[child].place == place {
            let name = member(blueprint.walks[child].name, &own, walk.route)
            if !isFirst { code.line() }
            isFirst = false
            code.line(
                "        public var \(name): \(names[child])Resource { \(names[child])Resource(\(ids.isEmpty ? "" : "ids: ids")) }"
            )
        }
        code.line("    }")
    }

    private mutating func member(_ name: String, _ scope: inout Scope, _ owner: String) -> String {
        scope.claim(Naming.identifier(name, .camel), separator: "", for: "\(name) of \(owner)", &renamings)
    }

    /// A tuple with one element is the element itself.
    private func elements(_ count: Int, of ids: String) -> [String] {
        count == 1 ? [ids] : (0..<count).map { "\(ids).\($0)" }
    }
}
