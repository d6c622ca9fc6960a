// `routable check`: lists every problem of a document with its position.

#if Command
import ArgumentParser
import RoutableCore
import RoutableDocuments

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reports all problems of a description, with their positions.",
        discussion: """
            The exit status is 1 if there are problems, and with --strict also if there are warnings. With --strict, it also \
            names each "nullable" that OpenAPI 3.0.3 reads in another way than the library. With --verbose, it also names the \
            operations of an OpenAPI document that no route leads to, with the reasons. If the document is not \
            valid JSON or YAML, only the first syntax error is reported. Lines and columns count from 1. Columns count bytes in \
            JSON, and characters in YAML.

            EXAMPLES
              routable check social.json
              routable check --strict openapi.yaml
              routable check --pagination openapi.yaml
              routable check --json social.json | jq -r '.problems[].message'
            """
    )

    @OptionGroup var description: DescriptionWords

    @Flag(help: "Exit with 1 also if there are only warnings.") var strict = false

    @Flag(help: "Name the operations that no route leads to, with the reasons.") var verbose = false

    @Flag(
        help:
            "Also propose the pagination of operations of an OpenAPI document, from the names of their parameters and results."
    )
    var pagination = false

    @Option(
        name: .customLong("max-errors"),
        help: ArgumentHelp("The maximum number of problems that are reported.", valueName: "count"))
    var maximumErrors: Int = 100

    func validate() throws {
        guard maximumErrors > 0, maximumErrors <= 10_000 else { throw ValidationError("--max-errors must be from 1 to 10000") }
    }

    func run() throws {
        var source: SourceText
        do { source = try description.source() } catch let staged as Staged {
            // A document that is not valid YAML has one problem.
            guard let source = staged.source else { throw staged }
            if description.json {
                try Output.json(Self.json(source, [staged.failure], []))
            } else {
                try Output.write(Self.text(source, [staged.failure], []))
            }
            throw Ending.no
        }
        source.opening.namesNullable = strict
        let check = DocumentCheck(source, maximumErrors: maximumErrors)
        let proposals = pagination && source.isOpenAPI && check.problems.isEmpty ? Self.proposals(source) : []
        if description.json {
            try Output.json(Self.json(source, check.problems, check.warnings, pagination ? proposals : nil))
        } else {
            try Output.write(Self.text(source, check.problems, check.warnings))
            for proposal in proposals { try Output.write(source.text(try Self.note(proposal), kind: "note", .output)) }
            if check.isCut { Output.say("routable: there may be more problems; raise --max-errors to see them\n") }
            if check.problems.isEmpty, let router = check.router {
                try Output.write(summary(source, router, check.warnings.count))
                if verbose { try Output.write(Self.omitted(router)) }
            }
        }
        if !check.problems.isEmpty || strict && !check.warnings.isEmpty { throw Ending.no }
    }

    private static func proposals(_ source: SourceText) -> [PaginationProposal] {
        (try? Value.read(source.json)).map { PaginationProposal.all($0) } ?? []
    }

    private static func note(_ proposal: PaginationProposal) throws(Failure) -> Failure {
        let text = try proposal.pagination.json
        return Failure(.document, "the operation looks paginated; if it is, add \"x-routable-pagination\": \(text)") {
            $0.pointer = proposal.pointer
        }
    }

    private func summary(_ source: SourceText, _ router: Router, _ warnings: Int) -> Bytes {
        let resources = (try? router.graphResources) ?? []
        let operations = router.resources.reduce(router.operations.count) { $0 + $1.operations.count }
        let kind: Bytes = source.isSwagger ? "Swagger 2.0" : source.isOpenAPI ? "OpenAPI" : "a route document"
        let remark: Bytes = warnings == 0 ? "no problem" : "no problem, \(Self.count(warnings, "warning"))"
        return
            "\(source.name): \(kind), \(Self.count(resources.count, "resource")), \(Self.count(operations, "operation")): \(remark)\n"
    }

    /// The operations without a route.
    private static func omitted(_ router: Router) throws(Failure) -> Bytes {
        var text = Bytes()
        for omitted in try router.derivedGraph?.omitted ?? [] where router.operations.indices.contains(omitted.index) {
            let operation = router.operations[omitted.index]
            let place: Bytes = "\(operation.method.bytes) \(operation.path.bytes)"
            text.append("no route: \(operation.name.bytes) (\(place)): \(omitted.reason)\n")
        }
        return text
    }

    private static func count(_ number: Int, _ noun: Bytes) -> Bytes { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }

    private static func text(_ source: SourceText, _ problems: [Failure], _ warnings: [Failure]) -> Bytes {
        var result = Bytes()
        for problem in problems { result.append(source.text(problem, kind: "error", .output)) }
        for warning in warnings { result.append(source.text(warning, kind: "warning", .output)) }
        if !problems.isEmpty { result.append("\(source.name): \(count(problems.count, "problem"))\n") }
        return result
    }

    /// `{"file": ..., "problems": [ERROR ...], "warnings": [...]}`, and with --pagination `"paginations": [...]`
    private static func json(
        _ source: SourceText, _ problems: [Failure], _ warnings: [Failure], _ proposals: [PaginationProposal]? = nil
    ) throws(Failure) -> Bytes {
        let found = problems.map { MessageDocument.failure(source.placed($0)) }.joined(by: ",")
        var strange: [Value] = []
        for warning in warnings {
            let fields = source.placed(warning).fields
            var members: [Value.Member] = [.init(name: "message", value: .text(fields.message))]
            if let pointer = fields.pointer { members.append(.init(name: "pointer", value: .text(pointer))) }
            if fields.line > 0 {
                members.append(.init(name: "line", value: .integer(Int64(fields.line))))
                members.append(.init(name: "column", value: .integer(Int64(fields.column))))
            }
            strange.append(.object(members))
        }
        let name = try MessageDocument.value(.text(Bytes(source.name.string)))
        var more = Bytes()
        if let proposals {
            let values = proposals.map {
                Value.object([
                    .init(name: "pointer", value: .text($0.pointer)),
                    .init(name: "x-routable-pagination", value: $0.pagination),
                ])
            }
            more = ",\"paginations\":\(try MessageDocument.value(.array(values)))"
        }
        return
            "{\"file\":\(name),\"problems\":[\(found)],\"warnings\":\(try MessageDocument.value(.array(strange)))\(more)}\n"
    }
}
#endif
