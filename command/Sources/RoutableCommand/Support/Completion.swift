// Completes arguments with names from the description that the command line names (docs/command.md).

#if Command
import ArgumentParser
import RoutableCore
import RoutableDocuments

/// The functions that the completion scripts of the shells call.
enum Completion {
    /// Whether a shell may complete with the name.  Bash expands the words of a completion list, so that a `$` or a quotation mark in a
    /// name of an untrusted document would be executed.
    private static func isHarmless(_ name: Bytes) -> Bool {
        if name.isEmpty || Terminal.harmless(name) != name { return false }
        let others = Array("._-/#=+,".utf8)
        return name.storage.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || $0 >= 0x80 || others.contains($0)
        }
    }

    /// The options whose value is the next argument, of the subcommands with a FILE.  Tests/command/test_words.py compares them with the
    /// options of the subcommands.
    private static let options = Set(
        """
        --base --folder --overlay --only --except --color --id -q --query -p --parameter -H --header --cookie -d --data --data-raw \
        -F --form --content-type --call -o --output --pages --deadline --connect-timeout --retries --max-bytes --credential \
        --deviations --tokens --netrc --proxy --cacert --cookie-jar --unix-socket --har -g --grep -c --resource -m --method --from \
        --depth --count --seed --max-errors --name --library --tag --client-id --client-secret --scope --audience --issuer --port \
        --path --user --password --timeout --svg --fail-under --base-path --host --listen --store --fail --delay --budget --format --route
        """.split(separator: " ").map { String($0) })

    /// The description, and the following arguments that are no options; nil if it cannot be opened.
    private static func opened(_ words: [String]) -> (router: Router, rest: [String])? {
        var positional: [String] = []
        var folder: String?
        var overlays: [String] = []
        var index = 2  // the program and the subcommand
        while index < words.count {
            let word = words[index]
            if options.contains(word) {
                let value = index + 1 < words.count ? words[index + 1] : ""
                if word == "--folder" { folder = value }
                if word == "--overlay" { overlays.append(value) }
                index += 1
            } else if !word.hasPrefix("-") || word == "-" {
                positional.append(word)
            }
            index += 1
        }
        // Standard input is the terminal during completion.
        guard let file = positional.first, file != "-", !file.isEmpty, !overlays.contains("-") else { return nil }
        do {
            let opening = try Opening(
                base: nil, folder: folder.map { Bytes($0) },
                overlays: try overlays.map { try SourceText($0, followsFiles: false) }, only: [], except: [])
            return (try SourceText(file, opening).router(), Array(positional.dropFirst()))
        } catch { return nil }
    }

    private static func offer(_ names: [Bytes], after suffix: Bytes = "") -> [String] {
        var known = Set<Bytes>()
        return names.filter { isHarmless($0) && known.insert($0).inserted }.map { ("\($0)\(suffix)" as Bytes).string }
    }

    private static func plan(_ words: [String]) -> Plan? {
        guard let (router, rest) = opened(words), let word = rest.first else { return nil }
        let call = try? CallTarget(router, [], []).call(Bytes(word))
        return call.flatMap { try? Plan.make(router, route: $0.route, operation: $0.operation) }
    }

    @Sendable static func operations(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        guard let router = opened(words)?.router else { return [] }
        return offer((try? CallTarget.operations(router)) ?? [])
    }

    /// Completions for --only and --except.
    @Sendable static func selections(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        guard let router = opened(words)?.router else { return [] }
        let resources = router.resources.flatMap { resource in
            resource.operations.map { "\(resource.name.bytes).\($0.name.bytes)" as Bytes }
        }
        return offer(resources + router.operations.map { $0.name.bytes })
    }

    @Sendable static func ids(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        offer(plan(words)?.idLabels ?? [], after: "=")
    }

    @Sendable static func query(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        offer(plan(words)?.operation.query.map { $0.name.bytes } ?? [], after: "=")
    }

    @Sendable static func headers(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        offer(plan(words)?.operation.description.headers.map { $0.name } ?? [], after: ":")
    }

    @Sendable static func cookies(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        offer(plan(words)?.operation.description.cookies.map { $0.name } ?? [], after: "=")
    }

    @Sendable static func schemes(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        offer(opened(words)?.router.description.authSchemes.map { $0.name } ?? [], after: "=")
    }

    @Sendable static func resources(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        guard let router = opened(words)?.router, let known = try? router.graphResources else { return [] }
        return offer(known.map { Router.mapLabel($0) })
    }
}
#endif
