// `routable map`: one line for each resource, or a picture of the graph.

#if Command
import ArgumentParser
import RoutableCore
import RoutableDocuments

struct MapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Prints the map: one line for each resource, with its capabilities and children.",
        discussion: """
            EXAMPLES
              routable map social.json
              curl -s https://api.example.com/routes.json | routable map -
              routable map social.json --svg >social.svg
              routable map social.json --dot | dot -Tpng >social.png
            """
    )

    @OptionGroup var description: DescriptionWords

    @Flag(help: "Print the graph as SVG.")
    var svg = false

    @Flag(help: "Print the graph in the DOT language of Graphviz.")
    var dot = false

    func validate() throws {
        if [svg, dot, description.json].filter({ $0 }).count > 1 {
            throw ValidationError("--svg, --dot and --json cannot be combined")
        }
    }

    func run() throws {
        let router = try description.router()
        if svg { return try Output.write(GraphPicture(router).svg) }
        if dot { return try Output.write(GraphPicture(router).dot) }
        if description.json { return try Output.line(MessageDocument.value(Self.value(router))) }
        try Output.write(router.mapText)
    }

    /// An array with an object per resource.
    static func value(_ router: Router) -> Value {
        .array(
            router.resources.map { resource in
                let extra = resource.operations.filter { $0.description.capability == nil }.map { $0.name.bytes }
                var members: [Value.Member] = [
                    .init(name: "name", value: .text(resource.name.bytes)),
                    .init(name: "can", value: names(resource.description.capabilities.members.map { $0.name })),
                    .init(name: "operations", value: names(extra)),
                    .init(name: "has", value: names(resource.children.map { router.resources[$0].name.bytes })),
                ]
                if !resource.typeName.isEmpty { members.append(.init(name: "type", value: .text(resource.typeName.bytes))) }
                return .object(members)
            })
    }

    private static func names(_ names: [Bytes]) -> Value { .array(names.map { .text($0) }) }
}
#endif
