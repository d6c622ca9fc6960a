// `routable routes`: the route table, in the form of `rake routes` (docs/route-table.md).

#if Command
import ArgumentParser
import RoutableCore
import RoutableDocuments

struct RoutesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "Prints the route table.",
        discussion: """
            On a terminal the table is wrapped to the width of the terminal, and has colors unless NO_COLOR is set or \
            TERM is dumb. The output to a file or a pipe is the same on every run. The exit status is 1 if no row remains.

            EXAMPLES
              routable routes social.json
              routable routes social.json -g comment -m POST
              routable routes social.json -c status --url
              routable routes openapi.yaml --expanded
              routable routes social.json --json | jq -r '.[].pattern'
            """
    )

    @OptionGroup var description: DescriptionWords

    @Option(
        name: [.customShort("g"), .customLong("grep")],
        help: ArgumentHelp(
            "Print only rows that contain this string; case is ignored. If repeated, a row must contain all strings.",
            valueName: "text"))
    var text: [String] = []

    @Option(
        name: [.customShort("c"), .customLong("resource")],
        help: ArgumentHelp("Print only the rows of this resource, or of this route. May be repeated.", valueName: "name"),
        completion: .custom(Completion.resources))
    var resources: [String] = []

    @Option(
        name: [.customShort("m"), .customLong("method")],
        help: ArgumentHelp("Print only the rows with this method. May be repeated.", valueName: "method"))
    var methods: [String] = []

    @Flag(help: "Print whole URLs, with the base before each pattern.")
    var url = false

    @Flag(name: [.customShort("E"), .customLong("expanded")], help: "Print one line for each cell instead of a table.")
    var expanded = false

    func run() throws {
        let router = try description.router()
        var rows = try chosen(router)
        if url {
            guard let base = router.base else {
                throw Staged(failure: Failure(.url, "the description has no base; set one with --base"), ending: .usage)
            }
            for index in rows.indices { rows[index].pattern = base.url(path: rows[index].pattern, query: Bytes()) }
        }
        if description.json {
            try Output.json(MessageDocument.routes(rows))
        } else if !rows.isEmpty {
            let table = RouteTable(rows, Terminal.output)
            try Output.write(expanded ? table.expanded : table.text)
        }
        if rows.isEmpty {
            if !description.json { Output.say("routable: no route matches the options\n") }
            throw Ending.no
        }
    }

    private func chosen(_ router: Router) throws -> [RouteRow] {
        let resources = resources.map { Bytes($0) }
        let methods = methods.map { Bytes($0) }
        let texts = text.map { Bytes($0) }
        let known = try router.graphResources
        for name in resources where !known.contains(where: { $0.name.bytes == name || $0.route.bytes == name }) {
            let names = known.map { Router.mapLabel($0) }
            throw Staged(failure: .unknownName(.unknown, "there is no resource", name, among: names), ending: .no)
        }
        return try router.routeRows.filter { row in
            if !resources.isEmpty && !resources.contains(row.resource) && !resources.contains(row.route) { return false }
            if !methods.isEmpty && !methods.contains(where: { $0.equalsIgnoringCase(row.method) }) { return false }
            let cells = [row.prefix, row.method, row.pattern, RouteTable.target(row)]
            return texts.allSatisfy { text in cells.contains { $0.containsIgnoringCase(text) } }
        }
    }
}
#endif
