// `routable match`: finds the operation and values of a path or a URL.

#if Command
import ArgumentParser
import RoutableCore
import RoutableDocuments

struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Prints the route of a path or a URL, and its values.",
        discussion: """
            A path begins with a slash and is relative to the base, unless --whole-path is set; a URL begins with the base. \
            The exit status is 1 if no route matches, or none with this method.

            EXAMPLES
              routable match social.json /users/ann/statuses/3
              routable match social.json -m POST https://api.example.com/v1/users/ann/statuses
              routable match social.json --json /users/ann
            """
    )

    @OptionGroup var description: DescriptionWords

    @Argument(help: ArgumentHelp("A path relative to the base, or a URL.", valueName: "path"))
    var path: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The method. The default is any method, preferably GET.", valueName: "method"))
    var method: String?

    @Flag(help: "Ignore a missing or additional trailing slash.") var anySlash = false
    @Flag(help: "Ignore the case of ASCII letters in literals.") var foldCase = false
    @Flag(help: "Treat several slashes in a row as one.") var mergeSlashes = false
    @Flag(help: "A path begins with the path of the base.") var wholePath = false

    func run() throws {
        let router = try description.router()
        var options: MatchOptions = .suggestSlash
        if anySlash { options.insert(.anySlash) }
        if foldCase { options.insert(.foldCase) }
        if mergeSlashes { options.insert(.mergeSlashes) }
        if wholePath { options.insert(.wholePath) }
        let found = PathMatch(router, Bytes(path), method: method.map { Bytes($0) }, options)
        switch found.status {
        case .ok: try description.json ? Output.json(found.json(router)) : Output.write(found.text(router))
        case .argument: throw Failure(.argument, "a path must begin with a slash, and a URL with the base of the description")
        default: throw Staged(failure: found.failure(path: Bytes(path), method: method.map { Bytes($0) }), ending: .no)
        }
    }
}
#endif
