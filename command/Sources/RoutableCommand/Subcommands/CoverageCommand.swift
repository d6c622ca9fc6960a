// `routable coverage`: the parts of a description that the requests of HTTP Archives have used.

#if Command
import ArgumentParser
import RoutableCore
import RoutableMock

struct CoverageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage",
        abstract: "Prints which parts of a description the requests of HTTP Archives have used.",
        discussion: """
            The table has the used and the declared statuses, parameters, media types, values of enum, and branches of oneOf \
            and anyOf of each operation. "(bodies)" are the schemas of all bodies. The percentage counts all of them and the \
            operations.

            The exit status is 1 if an entry of an archive cannot be read, which is reported with its number from 0, or if the \
            coverage is below --fail-under.

            EXAMPLES
              routable coverage social.json client.har
              routable coverage openapi.yaml *.har --missing --fail-under 80
              routable coverage openapi.yaml client.har --svg coverage.svg
              routable coverage openapi.yaml client.har --json | jq .percent
            """
    )

    @OptionGroup var description: DescriptionWords

    @Argument(help: "HTTP Archives (HAR 1.2); - is standard input.", completion: .file(extensions: ["har"]))
    var archives: [String]

    @Option(
        help: ArgumentHelp(
            "The path in front of the paths of the API; the default is that of the base of the description.", valueName: "path")
    )
    var basePath: String?

    @Option(
        name: .customLong("host"),
        help: ArgumentHelp(
            "Count only requests to this host, with its port if the URL has one. May be repeated.", valueName: "host"))
    var hosts: [String] = []

    @Flag(help: "Print a line for each part that was never used, too.")
    var missing = false

    @Option(
        help: ArgumentHelp("Write the map, in which parts that were never used are red.", valueName: "file"),
        completion: .file())
    var svg: String?

    @Option(help: ArgumentHelp("The exit status is 1 if the coverage is below this number.", valueName: "percent"))
    var failUnder: Double?

    func validate() throws {
        if let failUnder, !(0...100).contains(failUnder) { throw ValidationError("--fail-under must be from 0 to 100") }
        if let basePath, basePath != "", !basePath.hasPrefix("/") {
            throw ValidationError("--base-path must begin with a slash")
        }
        if archives.filter({ $0 == "-" }).count + (description.file == "-" ? 1 : 0) > 1 {
            throw ValidationError("- can be used once")
        }
    }

    func run() throws {
        let router = PlannedRouter(try description.router())
        var path = basePath.map { Bytes($0) }
        while let given = path, given.hasSuffix("/") { path = Bytes(given.storage.dropLast()) }
        let coverage = try Coverage.make(router, basePath: path)
        let reader = HarReader(hosts: hosts.map { Bytes($0) })
        var faults: [Bytes] = []
        for archive in archives {
            let read = try reader.read(archive) { (exchange) throws(Failure) in
                try coverage.add(
                    exchange.incoming, status: exchange.status, contentType: exchange.contentType, body: exchange.body)
            }
            faults += read.faults
        }
        if let svg { try File.write(try picture(router.router, coverage), to: svg) }
        if description.json {
            try Output.json(try coverage.json())
        } else {
            try Output.write(try coverage.text(missing: missing))
        }
        for fault in faults.prefix(20) { Output.say("routable: \(fault)\n") }
        if faults.count > 20 { Output.say("routable: ... and \(faults.count - 20) more entries cannot be read\n") }
        let permille = coverage.tally.permille
        let isBelow = failUnder.map { Double(permille) / 10 < $0 } ?? false
        if isBelow, let failUnder {
            Output.say("routable: the coverage of \(CoverageTally.percent(permille))% is below \(Bytes(String(failUnder)))%\n")
        }
        if isBelow || !faults.isEmpty { throw Ending.no }
    }

    private func picture(_ router: Router, _ coverage: Coverage) throws(Failure) -> Bytes {
        var unused: Set<Bytes> = []
        coverage.each { item in
            if item.kind == .operation, item.count == 0 { unused.insert(item.name) }
        }
        let selection = try MapSelection(router, from: nil, depth: nil)
        return GraphPicture(router.name.bytes, selection) { operation in
            if !operation.standaloneName.isEmpty { return unused.contains(operation.standaloneName.bytes) }
            guard let resource = operation.resource else { return unused.contains(operation.name.bytes) }
            return unused.contains("\(selection.all[resource].name.bytes).\(operation.name.bytes)")
        }.svg
    }
}
#endif
