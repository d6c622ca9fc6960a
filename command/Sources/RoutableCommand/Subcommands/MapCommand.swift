// `routable map`: one line per resource.

#if Command
import ArgumentParser
import RoutableCore
import RoutableDocuments

struct MapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Prints what each resource can do and has, one line each.",
        discussion: """
            EXAMPLES
              routable map social.json
              curl -s https://api.example.com/routes.json | routable map -
            """
    )

    @OptionGroup var description: DescriptionWords

    func run() throws {
        let router = try description.router()
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
