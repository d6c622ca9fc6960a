// `routable serve`: a mock of the description as an HTTP server.

#if Command
import ArgumentParser
import CServe
import Glibc
import RoutableCore
import RoutableMock

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves a mock: a server that responds as the description says, and stores what is created.",
        discussion: """
            The first line of the output is the base URL. Each further line is a request: the status, the operation and the \
            time. SIGINT (Ctrl-C) and SIGTERM end the server; the coverage of the description is then printed. It needs libmicrohttpd (Debian: libmicrohttpd12), and --store \
            needs SQLite (libsqlite3-0).

            With --store, every change is on the disk before its response is sent. A fault of --fail happens instead of the \
            request: it changes nothing. After the effect, --fail accepts rate=PERCENT, times=COUNT, delay=MILLISECONDS, \
            retry-after=SECONDS and operation=OPERATION, separated by commas.

            EXAMPLES
              routable serve openapi.json
              routable serve openapi.json --port 0 --seed 7 --json
              routable serve openapi.json --store mock.db
              routable serve openapi.json --cors --anonymous
              routable serve openapi.json --delay 100 --fail 10%
              routable serve social.json --fail reset,rate=5% --fail 429,retry-after=1,times=3,operation=user#create
            """
    )

    @OptionGroup var description: DescriptionWords

    @Option(help: ArgumentHelp("The port; 0: a free one.", valueName: "number"))
    var port: UInt16 = 8080

    @Option(help: ArgumentHelp("The address to listen at; 0.0.0.0 and :: are all of this machine.", valueName: "address"))
    var listen = "127.0.0.1"

    @Option(
        help: ArgumentHelp(
            "The path in front of the paths of the API. The default is the path of the base of the description.",
            valueName: "path"))
    var basePath: String?

    @Option(help: ArgumentHelp("The seed of ids and generated values.", valueName: "number"))
    var seed: UInt64 = 0

    @Option(
        help: ArgumentHelp("Keep what is created in this file, and begin with what is in it.", valueName: "file"),
        completion: .file())
    var store: String?

    @Option(
        help: ArgumentHelp(
            """
            A fault of some of the requests: a status, a percentage (of status 503), reset, empty, partial, timeout or \
            wrong-body. May be repeated: the first fault that is for a request counts.
            """, valueName: "fault"))
    var fail: [ServeFault] = []

    @Option(help: ArgumentHelp("Delay all responses.", valueName: "milliseconds"))
    var delay: Int64 = 0

    @Flag(help: "Let pages of all origins in a browser call the server.") var cors = false

    @Flag(help: "Require no credentials.") var anonymous = false

    @Option(help: ArgumentHelp("The most bytes of the body of a request.", valueName: "bytes"))
    var maxBytes: UInt64 = 16 << 20

    @Option(
        help: ArgumentHelp(
            "Close a connection on which a request does not arrive, or a response is not taken, in this time.",
            valueName: "seconds"))
    var timeout: Double = 60

    func validate() throws {
        for fault in fail { if let problem = fault.problem { throw ValidationError("--fail: \(problem)") } }
        guard (0...600_000).contains(delay) else { throw ValidationError("--delay must be from 0 to 600000 milliseconds") }
        guard timeout.isFinite, timeout >= 0.1, timeout <= 3600 else {
            throw ValidationError("--timeout must be from 0.1 to 3600 seconds")
        }
        guard maxBytes <= 1 << 30 else { throw ValidationError("--max-bytes must be at most 1073741824") }
        if let basePath, !basePath.isEmpty, basePath != "/" {
            let base = try? Base(Bytes(basePath))
            guard let base, !base.hasHost, base.query.isEmpty else {
                throw ValidationError("--base-path must be a path such as /v1")
            }
        }
    }

    func run() throws {
        var reason = [CChar](repeating: 0, count: 512)
        if cserve_open(&reason, reason.count) == 0 {
            let why = reason.withUnsafeBufferPointer { $0.baseAddress.map { Bytes(cString: $0) } ?? Bytes() }
            throw Missing.library("libmicrohttpd.so.12", "libmicrohttpd12", why)
        }
        let router = PlannedRouter(try description.router())
        let store = try self.store.map { try ServeStore.open($0) }
        let mock = try mock(router, store)
        try store?.load(into: mock, title: router.router.name.bytes)
        let coverage = LateCoverage(router, basePath: try givenBasePath())
        // The signals are blocked before the first thread starts; otherwise that thread would receive them.
        cserve_block_signals()
        let log = try ServeLog(json: description.json)
        let server = MockServer(mock, coverage, log, options)
        let (listener, place) = try listening()
        let running = try server.start(listener)
        log.base("http://\(place)\(try givenBasePath() ?? router.router.base?.path ?? Bytes())")
        _ = try? coverage.get()
        _ = cserve_wait_for_signal()
        cserve_stop(running, 500)
        log.end(coverage)
        store?.close()
        withExtendedLifetime(server) {}
    }

    private func mock(_ router: PlannedRouter, _ store: ServeStore?) throws -> Mock {
        var options = MockOptions()
        options.seed = seed
        options.basePath = try givenBasePath()
        options.requiresCredentials = !anonymous
        if let store { options.journal = { (changes) throws(Failure) in try store.write(changes) } }
        let mock = Mock(router, options)
        for each in fail { try mock.add(try each.fault(of: router.router)) }
        return mock
    }

    private var options: MockServer.Options {
        MockServer.Options(
            allowsOrigins: cors, delayMilliseconds: delay, maximumBodyBytes: maxBytes,
            timeoutMilliseconds: UInt32(timeout * 1000))
    }

    /// The base path without a slash at its end.
    private func givenBasePath() throws(Failure) -> Bytes? {
        guard let basePath else { return nil }
        return basePath.isEmpty || basePath == "/" ? Bytes() : try Base(Bytes(basePath)).path
    }

    /// Opens a listening socket, and returns it with its address and port for a URL.
    private func listening() throws(Failure) -> (Int32, Bytes) {
        var port: UInt16 = 0
        var isV6: Int32 = 0
        let address = Bytes(listen).printable
        let result = cserve_listen(listen, self.port, &port, &isV6)
        if Int(result) == CSERVE_NO_ADDRESS {
            throw Failure(.argument, "--listen: \(address) is not an address of this machine, such as 127.0.0.1 or ::1")
        }
        if -result == EADDRINUSE {
            throw Failure(
                .argument,
                "another program listens at \(address), port \(Int(self.port)): end it, or choose another port with --port (0: a free one)"
            )
        }
        if result < 0 {
            throw Failure(
                .argument, "\(address), port \(Int(self.port)), cannot be listened to: \(Descriptors.reason(-result))")
        }
        if listen == "0.0.0.0" { return (result, "127.0.0.1:\(Int(port))") }
        if listen == "::" { return (result, "[::1]:\(Int(port))") }
        return (result, isV6 != 0 && listen.contains(":") ? "[\(address)]:\(Int(port))" : "\(address):\(Int(port))")
    }
}
#endif
