// `routable map`: prints a line for each resource, a picture of the graph, or an interactive page.

#if Command
import ArgumentParser
import RoutableCore
import RoutableDocuments

struct MapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Prints the map: one line for each resource, with its capabilities and children.",
        discussion: """
            The resources of an OpenAPI document are derived from its paths. A graph of more than \(MapSelection.largest) \
            resources is folded to its first steps, unless --depth is given.

            A name after "has" is a resource below a member, "repos(owner, repo).issues". With a slash before it, the \
            resource is directly below the collection and takes none of its ids, "issues.comments". The slash is part of \
            the route: repos.issues/comments.

            EXAMPLES
              routable map social.json
              curl -s https://api.example.com/routes.json | routable map -
              routable map openapi.yaml --from repos.issues
              routable map openapi.yaml --html >api.html
              routable map social.json --svg >social.svg
              routable map social.json --dot | dot -Tpng >social.png
            """
    )

    @OptionGroup var description: DescriptionWords

    @Option(help: ArgumentHelp("Show only this resource and those below it.", valueName: "route"))
    var from: String?

    @Option(help: ArgumentHelp("Show only so many steps below the first resources.", valueName: "steps"))
    var depth: Int?

    @Flag(help: "Print the graph as SVG.")
    var svg = false

    @Flag(help: "Print the graph as a page for a browser, which folds, searches and shows parameters.")
    var html = false

    @Flag(help: "Print the graph in the DOT language of Graphviz.")
    var dot = false

    func validate() throws {
        if [svg, html, dot, description.json].filter({ $0 }).count > 1 {
            throw ValidationError("--svg, --html, --dot and --json cannot be combined")
        }
        if let depth, depth < 0 { throw ValidationError("--depth must be at least 0") }
    }

    func run() throws {
        let router = try description.router()
        let selection = try selection(router)
        if svg {
            try Output.write(GraphPicture(router.name.bytes, selection).svg)
        } else if dot {
            try Output.write(GraphPicture(router.name.bytes, selection).dot)
        } else if html {
            try Output.write(MapPage(router, selection).html)
        } else if description.json {
            try Output.json(MessageDocument.value(Self.value(selection)))
        } else {
            try Output.write(Router.mapText(of: selection.resources))
        }
        if let remark = try Self.remark(router, selection) { Output.say(remark) }
    }

    private func selection(_ router: Router) throws -> MapSelection {
        // A page can fold its parts, and a program reads the whole map.
        let steps = html || description.json ? depth ?? .max : depth
        do throws(Failure) {
            return try MapSelection(router, from: from.map { Bytes($0) }, depth: steps)
        } catch {
            throw Staged(failure: error, ending: error.status == .unknown ? .no : Ending(error.status))
        }
    }

    /// A remark about the parts that the map does not show.
    private static func remark(_ router: Router, _ selection: MapSelection) throws(Failure) -> Bytes? {
        if selection.all.isEmpty {
            let count = router.operations.count
            return
                "routable: the description has no resources; \"routable routes\" lists its \(count) operation\(count == 1 ? "" : "s")\n"
        }
        var said = Bytes()
        if let depth = selection.folded {
            let steps: Bytes = depth == 1 ? "step" : "\(depth) steps"
            said.append("routable: \(selection.shown.count) of \(selection.all.count) resources are shown, of the first ")
            said.append("\(steps); --depth shows more, and --from ROUTE what is below one\n")
        }
        let omitted = try router.derivedGraph?.omitted.count ?? 0
        if omitted > 0 {
            said.append("routable: \(omitted) operation\(omitted == 1 ? " belongs" : "s belong") to no resource; ")
            said.append("\"routable check --verbose\" gives the reasons\n")
        }
        return said.isEmpty ? nil : said
    }

    /// An array with an object for each resource.
    private static func value(_ selection: MapSelection) -> Value {
        .array(
            selection.resources.map { resource in
                let extra = resource.operations.filter { $0.description.capability == nil }.map { $0.name.bytes }
                var members: [Value.Member] = [
                    .init(name: "name", value: .text(resource.name.bytes)),
                    .init(name: "can", value: names(resource.description.capabilities.members.map { $0.name })),
                    .init(name: "operations", value: names(extra)),
                    .init(name: "has", value: names(resource.childNames)),
                ]
                if !resource.typeName.isEmpty { members.append(.init(name: "type", value: .text(resource.typeName.bytes))) }
                if resource.parent != nil { members.append(.init(name: "route", value: .text(resource.route.bytes))) }
                return .object(members)
            })
    }

    private static func names(_ names: [Bytes]) -> Value { .array(names.map { .text($0) }) }
}
#endif
