// `routable tools`: the operations of a description as tools of a language model.

#if Command
import ArgumentParser
import RoutableCore
import RoutableDocuments
import RoutableJSON

struct ToolsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tools",
        abstract: "Prints the operations as tools of a language model.",
        discussion: """
            The output is a JSON array in the form that the format names. Its size is printed to standard error. If the array has \
            more bytes than the budget, three tools are printed instead, with which a model searches, reads and calls the \
            operations. An operation that is not selected does not exist for the model. The exit status is 1 if none remains.

            EXAMPLES
              routable tools openapi.yaml
              routable tools social.json --format openai --read-only
              routable tools social.json --route user.status --budget none
            """
    )

    enum Format: String, CaseIterable, ExpressibleByArgument { case mcp, openai, anthropic, json }

    @OptionGroup var description: DescriptionWords

    @Option(help: "The form of the tools.")
    var format = Format.mcp

    @Option(
        help: ArgumentHelp("Include only the operations of this route. May be repeated.", valueName: "route"),
        completion: .custom(Completion.resources))
    var route: [String] = []

    @Flag(help: "Include only operations that change nothing.")
    var readOnly = false

    @Option(help: ArgumentHelp("The maximum size of the output in bytes, such as 30k, or none.", valueName: "size"))
    var budget = "30k"

    func validate() throws {
        if budget != "none" && limit == nil {
            throw ValidationError("--budget must be a number of bytes, such as 30k, or none")
        }
    }

    /// nil for none.
    private var limit: Int? {
        let isThousands = budget.hasSuffix("k") || budget.hasSuffix("K")
        guard let number = Int(isThousands ? String(budget.dropLast()) : budget), number >= 0, number < 1 << 40 else {
            return nil
        }
        return isThousands ? number * 1024 : number
    }

    func run() throws {
        let router = PlannedRouter(try description.router())
        var entries = try ToolList.entries(router.router)
        try choose(&entries, router.router)
        if entries.isEmpty {
            Output.say("routable: no operation matches the options\n")
            throw Ending.no
        }
        var texts: [Bytes] = []
        var size = 2
        for entry in entries {
            let text = try text(of: entry, router)
            size += text.count + 1
            texts.append(text)
        }
        let count = entries.count == 1 ? "1 operation" : "\(entries.count) operations"
        if let limit, size > limit {
            Output.say("routable: \(Bytes(count)): \(size) bytes, more than the budget of \(limit)\n")
            texts = searchTools(entries, router.router)
            size = texts.reduce(2) { $0 + $1.count + 1 }
            Output.say("routable: 3 tools that search, describe and call: \(size) bytes\n")
        } else {
            Output.say("routable: \(Bytes(count)): \(size) bytes\n")
        }
        try Output.json("[\(texts.joined(by: ","))]")
    }

    private func choose(_ entries: inout [ToolEntry], _ router: Router) throws {
        if !route.isEmpty {
            let rows = router.isDerived ? try router.routeRows : []
            for name in route.map({ Bytes($0) })
            where !entries.contains(where: { $0.route == name }) && !rows.contains(where: { $0.route == name }) {
                let known = router.isDerived ? rows.map { $0.route } : entries.map { $0.route }
                throw Staged(
                    failure: .unknownName(.unknown, "there is no route", name, among: Array(Set(known.filter { !$0.isEmpty }))),
                    ending: .no)
            }
            let wanted = Set(route.map { Bytes($0) })
            let operations = Set(rows.filter { wanted.contains($0.route) }.map { $0.standaloneName })
            entries = entries.filter {
                wanted.contains($0.route) || $0.route.isEmpty && operations.contains($0.operation.name.bytes)
            }
        }
        if readOnly { entries = entries.filter { $0.isReadOnly } }
    }

    private func text(of entry: ToolEntry, _ router: PlannedRouter) throws -> Bytes {
        let operation = entry.operation
        let isFunction = format == .openai || format == .anthropic
        let schema = try router.callSchema(route: entry.route, operation: operation.name.bytes, isSubset: isFunction)
        let summary = operation.summary.bytes
        return tool(
            entry.name, summary.isEmpty ? "\(operation.method.bytes) \(entry.path)" : summary, schema,
            [("readOnly", entry.isReadOnly), ("destructive", entry.isDestructive), ("idempotent", entry.isIdempotent)]
        ) { writer in
            writer.optionalMember("route", entry.route)
            writer.member("operation", operation.name.bytes)
            writer.member("method", operation.method.bytes)
            writer.member("path", entry.path)
        }
    }

    /// One tool in the selected form.
    private func tool(
        _ name: Bytes, _ summary: Bytes, _ schema: Bytes, _ hints: [(StaticString, Bool)],
        _ more: (inout JSONWriter) -> Void = { _ in }
    ) -> Bytes {
        var writer = JSONWriter()
        writer.open("{")
        if format == .openai {
            writer.member("type", "function")
            writer.key("function")
            writer.open("{")
        }
        writer.member("name", name)
        writer.member("description", summary)
        switch format {
        case .mcp: writer.key("inputSchema")
        case .openai: writer.key("parameters")
        case .anthropic: writer.key("input_schema")
        case .json:
            more(&writer)
            writer.hints(zip(["read_only", "destructive", "idempotent"] as [StaticString], hints).map { ($0, $1.1) })
            writer.key("schema")
        }
        writer.raw(schema)
        if format == .mcp {
            writer.key("annotations")
            writer.open("{")
            writer.hints(
                zip(["readOnlyHint", "destructiveHint", "idempotentHint"] as [StaticString], hints).map { ($0, $1.1) })
            writer.close("}")
        }
        if format == .openai { writer.close("}") }
        writer.close("}")
        return writer.text
    }

    /// The tools of a listing that is over the budget; the Python package answers them.
    private func searchTools(_ entries: [ToolEntry], _ router: Router) -> [Bytes] {
        let title: Bytes = router.name.isEmpty ? "the API" : router.name.bytes
        let name: Bytes =
            "\"name\":{\"type\":\"string\",\"description\":\"The name of an operation, as search_operations returns it\"}"
        func closed(_ properties: Bytes, _ required: Bytes) -> Bytes {
            "{\"type\":\"object\",\"properties\":{\(properties)},\"required\":[\(required)],\"additionalProperties\":false}"
        }
        let read: [(StaticString, Bool)] = [("", true), ("", false), ("", true)]
        let call: [(StaticString, Bool)] = [
            ("", entries.allSatisfy { $0.isReadOnly }), ("", entries.contains { $0.isDestructive }),
            ("", entries.allSatisfy { $0.isIdempotent }),
        ]
        return [
            tool(
                "search_operations",
                "Finds operations of \(title), which has \(entries.count), by words of their names, paths and descriptions.",
                closed("\"query\":{\"type\":\"string\",\"description\":\"Words, such as: list issues\"}", "\"query\""), read),
            tool(
                "describe_operation",
                "Returns one operation of \(title) with the JSON Schema of its arguments.  Use it before call_operation.",
                closed(name, "\"name\""), read),
            tool(
                "call_operation",
                "Calls one operation of \(title).  Arguments that its schema does not allow are refused, with all reasons.",
                closed(
                    "\(name),\"arguments\":{\"type\":\"object\",\"description\":\"The arguments, as describe_operation returns their schema\"}",
                    "\"name\",\"arguments\""), call),
        ]
    }
}
#endif
