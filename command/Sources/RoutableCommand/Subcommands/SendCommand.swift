// `routable send`: performs a request, and returns an exit status for its result.

#if Command
import ArgumentParser
import Glibc
import RoutableClient
import RoutableCore
import RoutableDocuments

struct SendCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Builds a request, sends it, and prints the response.",
        discussion: """
            The body of the response is written to standard output, or for a success to the file of --output, which is \
            created when the body is complete. The subcommand requires libcurl.

            EXIT STATUS
              0  the response is a success
              5  the call is rejected, and nothing was sent
              6  no response: no connection, TLS, no libcurl
              7  no response before the deadline
              8  the service responded with an error status
              9  the response deviates from the description, with --deviations raise, or is too large

            EXAMPLES
              routable send social.json user.status#create ann -d '{"text":"hello"}'
              routable send social.json user#read ann --json | jq .value
              routable send social.json GET /users/ann --no-auth
              routable send api.yaml upload -F 'picture=@cat.png;type=image/png' -F text=hello
              routable send api.yaml download 7 -o picture.png --deadline 600
              routable send social.json user#read ann -H @secrets --base http://127.0.0.1:8080/v1
              routable send social.json user#read ann --credential session=@token --curl
            """
    )

    @OptionGroup var description: DescriptionWords
    @OptionGroup(title: "The call") var call: CallWords

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write the body of a success to this file.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(name: [.customShort("C"), .customLong("continue")], help: "Resume an earlier download to the file of --output.")
    var continues = false

    @Flag(name: .shortAndLong, help: "Print the status and the headers before the body.")
    var include = false

    @Flag(name: [.customShort("s"), .customLong("silent")], help: "Do not show progress.")
    var silent = false

    @Option(
        help: ArgumentHelp(
            "Read at most this many pages, with the pagination of the description; 0: all, but more than 10000 are an error.",
            valueName: "count"))
    var pages: Int?

    @Option(
        help: ArgumentHelp(
            "Time limit for the request with all its retries; 0: no limit. The default is that of the description, or 60.",
            valueName: "seconds"))
    var deadline: Double?

    @Option(help: ArgumentHelp("Time limit for a connection.", valueName: "seconds"))
    var connectTimeout: Double = 10

    @Option(
        help: ArgumentHelp(
            "The maximum number of retries. The default is that of the description, or 0.", valueName: "count"))
    var retries: Int?

    @Option(help: ArgumentHelp("The maximum size of a body that is printed.", valueName: "bytes"))
    var maxBytes: Int = Limits.responseBytes

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The credential of a scheme of the description: a token, a key, or USER:PASSWORD for a basic scheme. @FILE reads it from a file. The default is the environment variable ROUTABLE_CREDENTIAL_SCHEME, with the name of the scheme in upper case, for the origin in ROUTABLE_ORIGIN_SCHEME, such as https://api.example.com.",
            valueName: "scheme=token"),
        completion: .custom(Completion.schemes))
    var credential: [String] = []

    @Flag(name: .customLong("no-auth"), help: "Send no credentials, also none of the environment.") var noAuth = false

    @Option(
        help: ArgumentHelp(
            "What happens with a success that deviates from the description: report prints a warning with the first three deviations, raise ends with status 9, ignore prints nothing.",
            valueName: "policy"))
    var deviations = Deviations.report

    enum Deviations: String, ExpressibleByArgument, CaseIterable { case report, raise, ignore }

    @Option(
        help: ArgumentHelp(
            "Use the tokens that routable login has written to this file, and write refreshed tokens to it. They are sent only to the origin of the base.",
            valueName: "file"),
        completion: .file())
    var tokens: String?

    @Option(
        help: ArgumentHelp("Send the users and passwords of this netrc file to their hosts.", valueName: "file"),
        completion: .file())
    var netrc: String?

    @Flag(help: "Do not follow redirects.") var noRedirects = false

    @Option(help: ArgumentHelp("A proxy. The default is that of the environment.", valueName: "url"))
    var proxy: String?

    @Option(
        help: ArgumentHelp("The trusted certificates, instead of those of the system.", valueName: "file"), completion: .file())
    var cacert: String?

    @Option(
        help: ArgumentHelp(
            "Store cookies in this file, in the Netscape format that curl reads. It is read before the request and written afterwards.",
            valueName: "file"),
        completion: .file())
    var cookieJar: String?

    @Option(
        help: ArgumentHelp("Connect to this socket instead of the host of the URL.", valueName: "path"), completion: .file())
    var unixSocket: String?

    @Option(
        help: ArgumentHelp(
            "Record the requests and responses in this file, as an HTTP Archive without secrets and bodies.", valueName: "file"),
        completion: .file())
    var har: String?

    @Flag(help: "Print a curl command for the request with its credentials, which are masked, and do not send the request.")
    var curl = false
    @Flag(help: "Do not mask the secrets in the output of --curl.") var showSecrets = false

    func validate() throws {
        guard deadline.map({ $0.isFinite && $0 >= 0 && $0 < 1e9 }) ?? true else {
            throw ValidationError("--deadline must be a number of seconds, or 0 for no limit")
        }
        guard connectTimeout.isFinite, connectTimeout > 0, connectTimeout < 1e9 else {
            throw ValidationError("--connect-timeout must be a number of seconds above 0")
        }
        guard pages ?? 0 >= 0 else { throw ValidationError("--pages must be a number of pages, or 0 for all") }
        if pages != nil && output != nil {
            throw ValidationError("--pages and --output cannot be combined: pages are written to standard output")
        }
        if noAuth && (!credential.isEmpty || tokens != nil || netrc != nil) {
            throw ValidationError("--no-auth cannot be combined with --credential, --tokens and --netrc")
        }
        guard retries.map({ $0 >= 0 && $0 <= 100 }) ?? true else { throw ValidationError("--retries must be from 0 to 100") }
        guard maxBytes > 0 else { throw ValidationError("--max-bytes must be greater than 0") }
    }

    func run() throws {
        let request = try call.request(try description.router())
        let (client, hasCredentials, placeless) = try client(for: request)
        if curl { return try Output.line(try client.curlLine(request, showsSecrets: showSecrets)) }
        let archive = Archive()
        do {
            if let pages { try readPages(of: request, pages, client, archive) } else { try send(request, client, archive) }
        } catch {
            try end(client, archive)
            // If no scheme has a credential, the failure lists the schemes, and nothing was sent.
            guard let failure = error as? Failure, failure.status == .credential,
                !hasCredentials || !failure.fields.allowed.isEmpty
            else { throw error }
            let remedy: Bytes
            if let scheme = placeless.first(where: { failure.fields.allowed.contains($0) }) {
                let name = Bytes(Self.variable(scheme))
                remedy =
                    "ROUTABLE_CREDENTIAL_\(name) is not sent, because it does not say where it belongs: set ROUTABLE_ORIGIN_\(name) to the origin of its service"
            } else {
                remedy = "--credential or the environment sets one, as `routable help send` explains"
            }
            throw Staged(
                failure: Failure(.credential, "") {
                    $0 = failure.fields
                    $0.message = "\(failure.message); \(remedy)"
                }, ending: .call)
        }
        try end(client, archive)
    }

    /// The exchanges so far.
    private final class Archive {
        var file = HarFile()
        /// Whether the deviations of one response were printed: further pages deviate in the same way.
        var hasWarned = false
    }

    /// Writes the cookies and the archive, also after a failure.
    private func end(_ client: ClientCore, _ archive: Archive) throws(Failure) {
        if cookieJar != nil { try client.saveCookies() }
        if let har { try archive.file.write(to: har) }
    }

    private func send(_ request: Request, _ client: ClientCore, _ archive: Archive) throws {
        let progress = ProgressLine(isShown: !silent && Terminal.remarks.width != nil)
        if progress.isShown {
            request.setProgress(
                ProgressFunction {
                    progress.progress = $0
                    return true
                })
        }
        // A device or a pipe is written to, not replaced.
        let isStreamed = output.map { $0 != "-" && !File.isSpecial($0) } ?? false
        if isStreamed, let output { request.setTarget(BodyTarget(file: Bytes(output), resumes: continues)) }
        try write(request, client, progress, isStreamed, archive)
    }

    /// Performs the request, and writes the response, even if it is an error.
    @discardableResult
    private func write(
        _ request: Request, _ client: ClientCore, _ progress: ProgressLine, _ isStreamed: Bool, _ archive: Archive,
        isEnd: (Int32) -> Bool = { _ in false }
    ) throws -> Response {
        let response: Response
        var problem: Failure?
        let started = time(nil)
        let clock = ContinuousClock.now
        func note(_ response: Response?, _ failure: Failure?) {
            let took = (ContinuousClock.now - clock).components
            archive.file.add(
                request, response, failure, started: started,
                milliseconds: took.seconds * 1000 + took.attoseconds / 1_000_000_000_000_000)
        }
        do {
            response = try perform(request, client, progress)
            note(response, nil)
        } catch {
            // The response in the failure of a refresh is that of the token request.
            note(error.status == .credential ? nil : error.fields.response, error)
            guard error.status != .credential, let answered = error.fields.response else {
                throw error.status == .limit ? Staged(failure: error, ending: .answer) as any Error : error
            }
            response = answered
            problem = error
        }
        if let problem, isEnd(response.status) { throw problem }
        try write(response, problem, isStreamed)
        if let problem { throw Self.withoutBody(problem) }
        if !archive.hasWarned { archive.hasWarned = Self.warn(of: response.deviations) }
        return response
    }

    /// The failure without the beginning of the body, which was written.
    private static func withoutBody(_ failure: Failure) -> Failure {
        let bytes = failure.message.storage
        guard failure.status == .httpStatus,
            let end = bytes.indices.first(where: {
                bytes[$0] == UInt8(ascii: ":") && bytes[..<$0].starts(with: "the service responded".utf8)
            })
        else { return failure }
        return failure.with { $0.message = Bytes(bytes[..<end]) }
    }

    /// One line with the first deviations, if there are any.
    private static func warn(of deviations: [Deviation]) -> Bool {
        if deviations.isEmpty { return false }
        let named = deviations.prefix(3).map { each -> Bytes in
            let place: Bytes = each.pointer.isEmpty ? "" : "\(each.pointer.bytes.printable): "
            return "\(place)\(Terminal.remarks.shown(each.message.bytes))"
        }
        let more: Bytes = deviations.count > named.count ? "; and \(deviations.count - named.count) more" : ""
        Output.say("warning: the response deviates from the description: \(named.joined(by: "; "))\(more)\n")
        return true
    }

    /// A client with the credentials from the arguments and the environment; whether there are any; and the schemes whose
    /// credential in the environment has no origin.
    private func client(for request: Request) throws -> (ClientCore, Bool, [Bytes]) {
        let client = try ClientCore.make(options())
        if noAuth { return (client, false, []) }
        let router = request.plan.router
        let schemes = router.description.authSchemes
        var given: [Bytes: Bytes] = [:]
        var origins: [Bytes: Bytes] = [:]
        var placeless: [Bytes] = []
        for scheme in schemes {
            // Environment variables outlive one command: other files may declare a scheme with the same name.
            let variable = Self.variable(scheme.name)
            guard let value = getenv("ROUTABLE_CREDENTIAL_\(variable)") else { continue }
            if let origin = getenv("ROUTABLE_ORIGIN_\(variable)") {
                given[scheme.name] = Bytes(cString: value)
                origins[scheme.name] = Bytes(cString: origin)
            } else {
                placeless.append(scheme.name)
            }
        }
        for word in credential {
            let text = Bytes(word)
            guard let sign = text.storage.firstIndex(of: UInt8(ascii: "=")), sign > 0 else {
                throw ValidationError("a credential must have the form SCHEME=TOKEN")  // it can be a secret, and is not printed
            }
            let name = Bytes(text.storage[..<sign])
            guard schemes.contains(where: { $0.name == name }) else {
                throw ValidationError("the description has no auth scheme \(name.printable.string)")
            }
            let value = String(decoding: text.storage[(sign + 1)...], as: UTF8.self)
            origins[name] = nil
            given[name] =
                value.first == "@" ? try File.read(String(value.dropFirst()), limit: Limits.valueBytes).firstLine : Bytes(value)
        }
        let hasTokens = try setTokens(client, router, except: Set(given.keys))
        for scheme in schemes {
            guard let value = given[scheme.name] else { continue }
            var credential = Credential()
            credential.originBytes = origins[scheme.name]
            if scheme.kind == .basic || scheme.kind == .digest
                || scheme.passwordURL != nil && value.storage.contains(UInt8(ascii: ":"))
            {
                let colon = value.storage.firstIndex(of: UInt8(ascii: ":")) ?? value.count
                credential.userBytes = Bytes(value.storage[..<colon])
                credential.passwordBytes = Bytes(value.storage.dropFirst(colon + 1))
            } else {
                credential.tokenBytes = value
            }
            try client.setCredential(scheme.name, credential, of: router)
        }
        return (client, !given.isEmpty || hasTokens, placeless)
    }

    /// Sets the credentials of `routable login` for schemes without one.  Returns whether there are any.
    private func setTokens(_ client: ClientCore, _ router: Router, except given: Set<Bytes>) throws(Failure) -> Bool {
        guard let tokens else { return false }
        let origin = try TokenFile.origin(of: router)
        let file = try TokenFile(reading: tokens)
        var isFound = false
        for scheme in router.description.authSchemes where !given.contains(scheme.name) {
            guard let stored = file[origin, scheme.name] else { continue }
            var credential = stored.credential
            credential.originBytes = origin
            credential.observer = TokenObserver { Self.keep($0, of: origin, in: tokens) }
            try client.setCredential(scheme.name, credential, of: router)
            isFound = true
        }
        return isFound
    }

    /// Stores refreshed tokens, because the service may no longer accept the old ones.
    private static func keep(_ tokens: RefreshedTokens, of origin: Bytes, in path: String) {
        do throws(Failure) {
            var file = try TokenFile(reading: path)
            guard var stored = file[origin, tokens.scheme] else { return }
            stored.credential.tokenBytes = tokens.token
            stored.credential.refreshTokenBytes = tokens.refreshToken
            stored.credential.lifetimeMilliseconds = tokens.lifetimeMilliseconds
            file[origin, tokens.scheme] = StoredLogin(stored.credential)
            try file.write()
        } catch { Output.say("routable: the refreshed tokens were not stored: \(error.message)\n") }
    }

    /// The name of a scheme as the name of an environment variable: "my-key" becomes MY_KEY.
    private static func variable(_ name: Bytes) -> String {
        String(name.string.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? Character($0.uppercased()) : "_" })
    }

    /// Performs the request and shows its progress.
    private func perform(_ request: Request, _ client: ClientCore, _ progress: ProgressLine) throws(Failure) -> Response {
        defer { progress.clear() }
        let transfer = Transfer(request, wantsCall: true)
        try client.submit(transfer, request, policy)
        while try client.drive(milliseconds: progress.interval) != 0 { progress.show() }  // nil: a signal, such as SIGWINCH
        guard let response = try transfer.result().response else {
            throw Failure(.internal, "the transfer ended without an outcome")
        }
        return response
    }

    private func readPages(of request: Request, _ count: Int, _ client: ClientCore, _ archive: Archive) throws {
        var options = PageOptions()
        options.maximumPages = count
        let pages = try ClientPages.make(request, over: client, options)
        var response: Response?
        while let next = try pages.following(response) {
            do {
                response = try write(next, client, ProgressLine(isShown: false), false, archive) { pages.ends($0) }
            } catch let failure as Failure where failure.status == .httpStatus && pages.ends(failure.fields.httpStatus) {
                return
            }
        }
    }

    /// The policy of the arguments, which takes precedence over the description.
    private var policy: RequestPolicy {
        var policy = RequestPolicy()
        policy.deadlineMilliseconds = deadline.map { $0 == 0 ? -1 : Int64($0 * 1000) }
        policy.retries = retries
        policy.deviations =
            switch deviations {
            case .report: .report
            case .raise: .raise
            case .ignore: .ignore
            }
        return policy
    }

    private func options() throws -> ClientOptions {
        var options = ClientOptions()
        options.connectTimeoutMilliseconds = Int64(connectTimeout * 1000)
        options.maximumResponseBytes = maxBytes
        options.sendsNoCredentials = noAuth
        options.followsRedirects = !noRedirects
        options.proxy = proxy.map { Bytes($0) }
        options.caFile = cacert.map { Bytes($0) }
        options.netrcFile = netrc.map { Bytes($0) }
        options.cookieFile = cookieJar.map { Bytes($0) }
        options.unixSocket = unixSocket.map { Bytes($0) }
        options.userAgent = "routable/\(Bytes(Version.text))"
        return options
    }

    private func write(_ response: Response, _ problem: Failure?, _ isStreamed: Bool) throws(Failure) {
        if description.json {
            // The response is part of the error.
            if problem == nil { try Output.json(MessageDocument.response(response)) }
            if output == nil || isStreamed || problem != nil { return }
        }
        var head = Bytes()
        if include && !description.json {
            head = "HTTP \(Int(response.status))\n"
            for field in response.headers.fields {
                head.append("\(Terminal.output.shown(field.name)): \(Terminal.output.shown(field.value))\n")
            }
            head.append("\n")
        }
        guard let output, output != "-", problem == nil, !isStreamed else {
            if !head.isEmpty { try Output.write(head) }
            let body = response.body.bytes
            if let layout = Output.layout(body) { return try Output.line(layout) }
            try Output.write(body)
            if Terminal.output.width != nil && !body.isEmpty && !body.hasSuffix("\n") { try Output.write("\n") }
            return
        }
        if !head.isEmpty { try Output.write(head) }
        try File.write(response.body.bytes, to: output)
    }
}

extension Bytes {
    /// The first line without its end, because editors end files with a newline.
    var firstLine: Bytes { Bytes(storage.prefix { $0 != 0x0A && $0 != 0x0D }) }
}
#endif
