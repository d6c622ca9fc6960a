// `routable login`: obtains tokens with a browser or a device code, and stores them for `routable send`.

#if Command
import ArgumentParser
import Glibc
import RoutableClient
import RoutableCore

struct LoginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Logs in to a service with OAuth 2, and stores the tokens.",
        discussion: """
            The subcommand prints a URL to open in a browser, and listens on 127.0.0.1 until the browser is sent back there \
            (authorization code with PKCE). With --device, it prints a code to enter on another device. With --user or \
            --client-credentials, it requests tokens for a password or for the program itself, and waits for nobody. The \
            tokens are written to a file that only its owner can read; routable send --tokens uses and refreshes them. \
            The password is not stored. The endpoints are those of the description, or of the metadata of --issuer.

            EXAMPLES
              routable login service api.yaml --client-id app
              routable login service api.yaml --client-id app --issuer https://login.example.com --scope 'read write'
              routable login service api.yaml --client-id app --device
              routable login service api.yaml --client-id app --port 8765 --path /callback
              routable login service api.yaml --client-id robot --client-secret secret.txt --client-credentials
              routable login service api.yaml --client-id app --user ann --password password.txt
            """
    )

    @Argument(help: ArgumentHelp("The name of the security scheme.", valueName: "name"))
    var scheme: String

    @OptionGroup var description: DescriptionWords

    @Option(help: ArgumentHelp("The id of the program that the service has registered.", valueName: "id"))
    var clientId: String

    @Option(help: ArgumentHelp("Read the secret of the program from this file.", valueName: "file"), completion: .file())
    var clientSecret: String?

    @Flag(help: "Send the secret in the body of token requests instead of a header.") var secretInBody = false

    @Option(help: ArgumentHelp("The scope, instead of that of the description.", valueName: "scope"))
    var scope: String?

    @Option(help: ArgumentHelp("The parameter audience, which some services require.", valueName: "text"))
    var audience: String?

    @Option(help: ArgumentHelp("The parameter resource of RFC 8707.", valueName: "url"))
    var resource: String?

    @Option(help: ArgumentHelp("Read the endpoints from the metadata of this issuer, or of this URL.", valueName: "url"))
    var issuer: String?

    @Flag(help: "Read the endpoints from the metadata of the issuer that the description names.") var discover = false

    @Flag(help: "Print a code to enter on another device, instead of a URL for a browser on this one.") var device = false

    @Flag(help: "Request tokens for the program itself, with its secret.") var clientCredentials = false

    @Option(help: ArgumentHelp("Request tokens for this user, with --password.", valueName: "name"))
    var user: String?

    @Option(help: ArgumentHelp("Read the password of the user from this file.", valueName: "file"), completion: .file())
    var password: String?

    @Option(help: ArgumentHelp("The port for the redirect; 0: any port.", valueName: "number"))
    var port: UInt16 = 0

    @Option(help: ArgumentHelp("The path of the redirect.", valueName: "path"))
    var path = "/"

    @Option(help: ArgumentHelp("How long to wait for the user.", valueName: "seconds"))
    var timeout: Double = 300

    @Option(
        help: ArgumentHelp(
            "The file for the tokens. The default is routable/tokens.json in XDG_STATE_HOME.", valueName: "file"),
        completion: .file())
    var tokens: String?

    @Option(
        help: ArgumentHelp("The trusted certificates, instead of those of the system.", valueName: "file"), completion: .file())
    var cacert: String?

    func validate() throws {
        guard timeout.isFinite, timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout must be a number of seconds above 0, and at most 86400")
        }
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3F && $0 != 0x23 }) else {
            throw ValidationError("--path must begin with a slash, and have no space, question mark or number sign")
        }
        guard (user == nil) == (password == nil), user?.isEmpty != true else {
            throw ValidationError("--user and --password must be given together")
        }
        guard !clientCredentials || clientSecret != nil else {
            throw ValidationError("--client-credentials requires --client-secret")
        }
        guard [device, clientCredentials, user != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("only one of --device, --client-credentials and --user can be given")
        }
    }

    func run() throws {
        let router = try description.router()
        let origin = try TokenFile.origin(of: router)
        // Read before the login, because the tokens would be lost if the file were not valid.
        let place = try tokens ?? TokenFile.usualPath()
        _ = try TokenFile(reading: place)
        var choices = ClientOptions()
        choices.caFile = cacert.map { Bytes($0) }
        choices.router = router
        choices.userAgent = "routable/\(Bytes(Version.text))"
        let client = try ClientCore.make(choices)
        let end = ContinuousClock.now + .milliseconds(Int64(timeout * 1000))
        var options = try loginOptions(router)
        if clientCredentials || user != nil {
            try Login.make(client, options).request()
        } else if device {
            try enterCode(try Login.make(client, options), until: end)
        } else {
            let listener = try LoopbackListener(port: port)
            options.redirectURL = "http://127.0.0.1:\(Int(listener.port))\(Bytes(path))"
            let login = try Login.make(client, options)
            Output.say("Open this URL in a browser on this computer:\n\n  \(try login.begin())\n\n")
            let target = try listener.wait(for: Bytes(path), until: end) { login.isOwn($0) }
            try login.finish(target)
        }
        guard let credential = try client.credential(options.scheme, of: router) else {
            throw Failure(.internal, "the login has set no credential")
        }
        // Read again, because another login may have written the file in the meantime.
        var file = try TokenFile(reading: place)
        file[origin, options.scheme] = StoredLogin(credential)
        try file.write()
        Output.say("The tokens of \(options.scheme.printable) for \(origin.printable) are in \(Bytes(place).printable).\n")
    }

    private func loginOptions(_ router: Router) throws -> LoginOptions {
        var options = LoginOptions()
        options.scheme = Bytes(scheme)
        options.router = router
        options.values.clientIdBytes = Bytes(clientId)
        if let clientSecret {
            options.values.clientSecretBytes = try File.read(clientSecret, limit: Limits.valueBytes).firstLine
        }
        if let user, let password {
            options.values.userBytes = Bytes(user)
            options.values.passwordBytes = try File.read(password, limit: Limits.valueBytes).firstLine
        }
        options.values.sendsSecretInBody = secretInBody
        options.values.scopeBytes = Bytes(scope ?? "")
        options.values.audienceBytes = Bytes(audience ?? "")
        options.values.resourceBytes = Bytes(resource ?? "")
        options.issuer = Bytes(issuer ?? "")
        options.discovers = discover
        return options
    }

    private func enterCode(_ login: Login, until end: ContinuousClock.Instant) throws(Failure) {
        let code = try login.beginDevice()
        Output.say("Open \(code.url.bytes.printable) on any device, and enter the code \(code.userCode.bytes.printable)\n")
        if !code.completeURL.bytes.isEmpty { Output.say("or open \(code.completeURL.bytes.printable)\n") }
        while let wait = try login.poll() {
            if ContinuousClock.now + .milliseconds(wait) >= end {
                throw Failure(.timeout, "the code was not entered in time")
            }
            usleep(UInt32(clamping: wait) * 1000)
        }
    }
}
#endif
