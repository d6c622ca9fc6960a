// `routable values`: valid bodies and results of a description, for tests of programs and services.

#if Command
import ArgumentParser
import RoutableCore
import RoutableGenerate

struct ValuesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "values",
        abstract: "Prints valid request bodies and results, one line of JSON each.",
        discussion: """
            Each line contains the operation, its route, the status of a result, and a value that is valid against the schema. \
            The same seed yields the same lines. A message on standard error names each body and result for which no valid \
            value was found; the exit status is then 1.

            EXAMPLES
              routable values openapi.json --count 100
              routable values social.json --seed 7
            """
    )

    @OptionGroup var description: DescriptionWords

    @Option(help: "The number of lines, at most 1,000,000.")
    var count = 10

    @Option(help: "The seed of the generated values.")
    var seed: UInt64 = 1

    func validate() throws {
        if count < 0 || count > 1_000_000 { throw ValidationError("--count must be from 0 to 1000000") }
    }

    func run() throws {
        var values = ValueLines(try description.router(), seed: seed)
        try values.lines(count) { try Output.write($0) }
        say(values.skipped, "no value is generated, because the ")
        say(values.missing, "no valid value was found for the ")
        if !values.missing.isEmpty { throw Ending.no }
    }

    private func say(_ names: [Bytes], _ start: Bytes) {
        for each in names.prefix(20) { Output.say("routable: \(start)\(each.printable)\n") }
        if names.count > 20 { Output.say("routable: ... and \(names.count - 20) more\n") }
    }
}
#endif
