// `routable build`: builds the request of a call without sending it.

#if Command
import ArgumentParser
import RoutableCore
import RoutableDocuments

struct BuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Builds a request and prints it, without sending it.",
        discussion: """
            A call that the description does not allow is rejected with an error that lists what is allowed, and the exit \
            status is 5. The values of headers such as Authorization are masked unless --show-secrets is set. JSON output \
            always contains them.

            EXAMPLES
              routable build social.json user.status#create ann -d '{"text":"hello"}'
              routable build social.json search -q q=cats -q page=2
              routable build social.json GET /users/ann
              routable build social.json user#read --id username=ann --curl
              routable build social.json --call '{"route":"user","operation":"read","ids":["ann"]}' --json
            """
    )

    @OptionGroup var description: DescriptionWords
    @OptionGroup(title: "The call") var call: CallWords

    @Flag(help: "Print a curl command that is safe to paste into a shell.") var curl = false
    @Flag(help: "Do not mask secrets.") var showSecrets = false

    func run() throws {
        let request = try call.request(try description.router())
        if curl { return try Output.line(request.curlLine(showsSecrets: showSecrets)) }
        if description.json { return try Output.json(Self.json(request)) }
        try Output.write(Self.text(request, showsSecrets: showSecrets))
    }

    static func json(_ request: Request) -> Bytes {
        MessageDocument.request(
            method: request.method.bytes, url: request.url.bytes, route: request.route.bytes,
            operation: request.operation.bytes, headers: request.headerFields, body: request.body?.bytes)
    }

    /// The method and the URL, the headers, an empty line, and the body.
    private static func text(_ request: Request, showsSecrets: Bool) -> Bytes {
        let terminal = Terminal.output
        var result: Bytes = "\(terminal.styled(request.method.bytes, .bold)) \(request.url.bytes)\n"
        for field in request.headerFields {
            let value: Bytes = !showsSecrets && HeaderField.isSecret(field.name) ? "***" : field.value
            result.append("\(terminal.styled(field.name, .cyan)): \(terminal.shown(value))\n")
        }
        if let body = request.body?.bytes {
            result.append("\n")
            result.append(Output.layout(body) ?? body)
            if !body.hasSuffix("\n") { result.append("\n") }
        }
        return result
    }
}
#endif
