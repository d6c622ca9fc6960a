// `routable generate`: writes typed bindings, or checks that existing ones are up to date.

#if Command
import ArgumentParser
import RoutableCore
import RoutableGenerate

struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes a typed C header, Python module or Swift file.",
        discussion: """
            With the generated code, the compiler, or the type checker of Python, rejects calls that the description does not \
            declare. The same description and options always yield the same output.

            EXAMPLES
              routable generate c social.json -o social.h
              routable generate python openapi.json --name github -o github.py
              routable generate c social.json -o social.h --check
              routable generate swift openapi.json --only 'issues/*' -o Issues.swift
              routable generate python openapi.json --tag issues -o issues.py
            """
    )

    enum Language: String, ExpressibleByArgument, CaseIterable { case c, python, swift }

    @Argument(help: "The language.")
    var language: Language

    @OptionGroup var description: DescriptionWords

    @Option(name: [.customShort("o"), .long], help: "Write to this file instead of standard output.", completion: .file())
    var output: String?

    @Option(
        help:
            "The prefix of names in C, and the name of the API in Python and Swift. The default is the name of the description."
    )
    var name: String?

    @Option(
        help:
            "For c and python: open the API from the library lib<library>.so, which `make ROUTES=` builds, instead of a description in the generated file."
    )
    var library: String?

    @Flag(help: "For python: write the types of objects as dataclasses instead of TypedDicts.")
    var dataclasses = false

    @Flag(
        help:
            "Make no member of an object in a response required, so that the types can hold responses that lack it. This includes objects that requests also contain."
    )
    var lenient = false

    @Flag(help: "Also overwrite a file that `routable generate` did not write.")
    var force = false

    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp(
            "Include only the operations with this tag of an OpenAPI document, and those of --only. May be repeated.",
            valueName: "tag"))
    var tags: [String] = []

    @Flag(
        help:
            "Instead of code, print the number of results and bodies with types, and the values without a type with the reasons; with --json as JSON."
    )
    var report = false

    @Flag(help: "Write nothing, and exit with 1 if the file of --output is out of date.")
    var check = false

    func validate() throws {
        if check && output == nil { throw ValidationError("--check requires --output, the file to compare with") }
        if check && report { throw ValidationError("--check and --report cannot be combined: --report generates no code") }
        if dataclasses && language != .python { throw ValidationError("--dataclasses is only for python") }
        guard let library else { return }
        if language == .swift {
            throw ValidationError("--library is only for c and python: a Swift program imports the declaration itself")
        }
        let letters = library.utf8.allSatisfy { $0 == 0x5F || $0 >= 0x30 && $0 <= 0x39 || $0 >= 0x61 && $0 <= 0x7A }
        if !letters || library.isEmpty || (library.utf8.first ?? 0) < 0x3A {
            throw ValidationError(
                "--library must be a name of lower-case letters, digits and _, such as social for libsocial.so")
        }
    }

    func run() throws {
        let source = description.file == "-" ? "standard input" : Self.lastName(description.file)
        let target: Generator.Language =
            switch language {
            case .c: .c
            case .python: .python
            case .swift: .swift
            }
        let selection = try selected()
        let router = try selection.router()
        if report {
            let text = try Generator.report(of: router, source: source, json: description.json)
            guard let output else { return try Output.write(text) }
            return try File.write(text, to: output)
        }
        let text = try Generator.text(
            target, of: router, source: source, name: name, library: library, dataclasses: dataclasses, lenient: lenient,
            isSelection: !selection.only.isEmpty || !selection.except.isEmpty)
        guard let output else { return try Output.write(text) }
        if check { return try Self.compare(text, with: output) }
        if !force { try Self.checkOrigin(of: output) }
        try File.write(text, to: output)
    }

    /// Refuses to overwrite a file unless it is empty or was generated.
    private static func checkOrigin(of path: String) throws {
        guard !File.isSpecial(path), let start = File.beginning(path), !start.isEmpty else { return }
        let line = Bytes(start.storage.prefix { $0 != UInt8(ascii: "\n") })
        if line.string.contains(Generator.mark.string) { return }
        throw Failure(
            .file, "\(Bytes(path).printable): `routable generate` did not write this file; --force overwrites it")
    }

    /// The arguments of the description, with each pattern of --only replaced by the operations that it matches.
    private func selected() throws -> DescriptionWords {
        guard !tags.isEmpty || description.only.contains(where: { $0.contains("*") }) else { return description }
        if description.file == "-" {
            throw ValidationError("--tag, and --only with *, read the description twice and require a file, not standard input")
        }
        if !tags.isEmpty && !description.except.isEmpty { throw ValidationError("--tag and --except cannot be combined") }
        var words = description
        words.only = []
        let router = try words.router()
        var names = router.operations.map { $0.name.bytes.string }
        for resource in router.resources {
            names += resource.operations.map { "\(resource.name.bytes.string).\($0.name.bytes.string)" }
        }
        for pattern in description.only {
            let found = pattern.contains("*") ? names.filter { Self.matches(Array($0.utf8), Array(pattern.utf8)) } : [pattern]
            if found.isEmpty { throw ValidationError("--only \(pattern): no operation of the description has a matching name") }
            words.only += found.filter { !words.only.contains($0) }
        }
        if tags.isEmpty { return words }
        let tagged = try Generator.operations(of: router, tags: tags)
        if let tag = tagged.unknown.first {
            throw ValidationError("--tag \(tag): no operation of the description has this tag")
        }
        words.only += tagged.names.filter { !words.only.contains($0) }
        return words
    }

    /// Whether a name matches a pattern in which * matches any string.
    private static func matches(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
        var at = 0, place = 0, star = -1, retry = 0
        while at < name.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                (star, retry) = (place, at)
                place += 1
            } else if place < pattern.count, pattern[place] == name[at] {
                at += 1
                place += 1
            } else if star >= 0 {
                retry += 1
                (at, place) = (retry, star + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    private static func lastName(_ path: String) -> String {
        String(path.split(separator: "/", omittingEmptySubsequences: true).last ?? "")
    }

    private static func compare(_ text: Bytes, with path: String) throws {
        let there = try File.read(path, limit: Limits.documentBytes)
        if there == text { return }
        let newline = UInt8(ascii: "\n")
        let old = there.storage.split(separator: newline, omittingEmptySubsequences: false)
        let new = text.storage.split(separator: newline, omittingEmptySubsequences: false)
        var same = 0
        while same < old.count, same < new.count, old[same] == new[same] { same += 1 }
        var report: Bytes = "\(Bytes(path).printable): stale from line \(same + 1) on: generate the file again\n"
        // Lists the lines that only one of the files has, in any position.
        let known = (Set(old), Set(new))
        report.append(Self.listed(old.dropFirst(same).filter { !known.1.contains($0) }, "-"))
        report.append(Self.listed(new.dropFirst(same).filter { !known.0.contains($0) }, "+"))
        Output.say(report)
        throw Ending.no
    }

    /// The first of the lines, and the number of the remaining ones.
    private static func listed(_ lines: [ArraySlice<UInt8>], _ mark: Bytes) -> Bytes {
        var result = Bytes()
        for line in lines.prefix(10) {
            // Long lines are truncated, and control characters are removed, because the other file may not have been generated.
            result.append("\(mark) \(Bytes(line.prefix(200).filter { $0 >= 0x20 && $0 != 0x7F }))\n")
        }
        if lines.count > 10 { result.append("\(mark) and \(lines.count - 10) more lines\n") }
        return result
    }
}
#endif
