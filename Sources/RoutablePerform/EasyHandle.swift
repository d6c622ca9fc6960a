// One libcurl handle with its connections, set up once and used for one exchange at a time.

internal import CCurl
internal import CSystem
import RoutableCore

/// An easy handle.
final class EasyHandle: Carrier {
    /// The data that the handles of a client share.  Each handle retains it.
    final class Share {
        let pointer: OpaquePointer

        /// Here and below, functions create objects: in Embedded Swift an object whose `init` throws is not deallocated.
        static func make(hasCookies: Bool) throws(Failure) -> Share {
            guard let share = ccurl_share_new(hasCookies ? 1 : 0) else { throw .outOfMemory }
            return Share(share)
        }

        private init(_ pointer: OpaquePointer) { self.pointer = pointer }

        deinit { ccurl_share_free(pointer) }
    }

    /// The method and body options that the handle has; they are set again only when they change.
    private struct Shape {
        var method: Bytes
        var hasBody: Bool
        var announcesBody: Bool
    }

    // These are all owned: allocated in `init`, freed in `deinit`.
    let curl: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var side: OpaquePointer?
    private let share: Share
    private var shape: Shape?
    private var milliseconds: Int64 = -1
    private var stallMilliseconds: Int64 = 0
    /// The URL that is set for the handle, and the URL as parsed by libcurl.
    private var url = Text.empty
    private let parsed: OpaquePointer?
    /// The header lines of every request that does not have these headers, written once: libcurl would build them for each request.
    private var usual: [(name: StaticString, line: Bytes)] = []
    /// The headers that are set for the handle, and their lines, to which libcurl refers.
    private var headers = HeaderBlock()
    private var lines: UnsafeMutablePointer<curl_slist>?
    /// Whether the lines are those of a request with a body; nil before any lines are set.
    private var linesForBody: Bool?
    /// Whether the lines are those of a request whose body is read while it is sent.
    private var linesForUpload = false
    /// The memory that libcurl refers to until the attempt has ended.
    private var body: Text?
    private var upload: Upload?
    private var streams: TransferStreams?
    private var scratch: [UInt8] = []
    private var waitsForConnection = false
    /// The proxy of HTTP_PROXY, and whether it is set for libcurl: it is used only for http.
    private var plainProxy: Bytes?
    private var usesPlainProxy = false
    private var isAbandoned = false
    /// Whether libcurl adds cookies to those of a request.
    private var hasCookies = false
    /// The credentials with which libcurl responds to challenges.
    private var digest: DigestLogin?

    static func make(_ options: ClientOptions, _ share: Share) throws(Failure) -> EasyHandle {
        guard let curl = ccurl_easy_init() else { throw .outOfMemory }
        let handle = EasyHandle(curl, share)
        try handle.configure(options)
        return handle
    }

    private init(_ curl: UnsafeMutableRawPointer, _ share: Share) {
        self.curl = curl
        self.share = share
        parsed = ccurl_url_new()
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        super.init()
    }

    /// Called in a forked process: the handle is left as it is, since its connections belong to the parent.
    override func abandon() {
        isAbandoned = true
        _ = Unmanaged.passRetained(share)
    }

    deinit {
        if isAbandoned { return }
        ccurl_easy_cleanup(curl)
        if let side { ccurl_side_free(side) }
        ccurl_url_free(parsed)
        ccurl_list_free(lines)
        errorText.deallocate()
    }

    // MARK: Options that are set once

    private func configure(_ options: ClientOptions) throws(Failure) {
        guard let side = ccurl_side_new(curl, Unmanaged.passUnretained(self).toOpaque()) else { throw .outOfMemory }
        self.side = side
        // Without any of these options, the handle would not be safe.
        var code = ccurl_set_protocols(curl)
        if code == 0 { code = ccurl_set_error_buffer(curl, errorText) }
        if code == 0 { code = transfer.attach(to: curl, side) }
        let required: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_PATH_AS_IS, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_UNRESTRICTED_AUTH, 0),
            (CURLOPT_SSL_VERIFYPEER, options.verifiesCertificates ? 1 : 0),
            (CURLOPT_SSL_VERIFYHOST, options.verifiesCertificates ? 2 : 0),
            (CURLOPT_CONNECTTIMEOUT_MS, Int(truncatingIfNeeded: options.connectTimeoutMilliseconds)),
        ]
        for (option, value) in required where code == 0 { code = ccurl_set_long(curl, option, value) }
        let texts: [(CURLoption, Bytes?)] = [
            (CURLOPT_CAINFO, options.caFile), (CURLOPT_SSLCERT, options.certificateFile),
            (CURLOPT_SSLKEY, options.keyFile), (CURLOPT_PROXY, options.proxy), (CURLOPT_NOPROXY, options.noProxy),
            (CURLOPT_UNIX_SOCKET_PATH, options.unixSocket), (CURLOPT_COOKIEFILE, options.cookieFile.map { _ in Bytes() }),
        ]
        hasCookies = options.cookieFile != nil
        for (option, text) in texts where code == 0 { if let text { code = setText(option, text) } }
        if let file = options.netrcFile {
            // A header of the request, such as that of a credential, has precedence.
            if code == 0 { code = ccurl_set_long(curl, CURLOPT_NETRC, 1) }
            if code == 0, !file.isEmpty { code = setText(CURLOPT_NETRC_FILE, file) }
        }
        if code == 0, let agent = options.userAgent, !agent.isEmpty {
            usual.append(("user-agent", "User-Agent: \(agent)"))
            // A request for a tunnel through a proxy has this User-Agent, too.
            if options.mayUseProxy { code = setText(CURLOPT_USERAGENT, agent) }
        }
        // Only this file is used: otherwise libcurl would also trust the directory that it was built with.
        if code == 0, options.caFile != nil { _ = ccurl_set_text(curl, CURLOPT_CAPATH, nil) }
        // Like the curl command.
        if code == 0, options.caFile == nil, let path = ccurl_environment_text("SSL_CERT_FILE") {
            code = setText(CURLOPT_CAINFO, Bytes(cString: path))
        }
        if code == 0, options.caFile == nil, let path = ccurl_environment_text("SSL_CERT_DIR") {
            _ = setText(CURLOPT_CAPATH, Bytes(cString: path))  // optional: some TLS libraries do not support it
        }
        if options.proxy == nil { plainProxy = ccurl_environment_http_proxy().map { Bytes(cString: $0) } }
        // Otherwise libcurl would search the environment for each transfer.
        if code == 0, !options.mayUseProxy { code = setText(CURLOPT_NOPROXY, "*") }
        if code != 0 {
            throw Failure(.noCurl, "this libcurl is too old or does not support a required option; install a current libcurl4")
            {
                $0.curlCode = code
            }
        }
        // An older libcurl, or one that was built without these options, is also accepted.
        _ = ccurl_set_share(curl, share.pointer)
        if options.decompresses, ccurl_side_decode(side, curl) == 0, let codings = ccurl_content_codings() {
            usual.append(("accept-encoding", "Accept-Encoding: \(Bytes(cString: codings))"))
        }
        for (option, value) in [
            (CURLOPT_QUICK_EXIT, 1), (CURLOPT_BUFFERSIZE, 65536), (CURLOPT_HTTP09_ALLOWED, 0),
            (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
            (CURLOPT_EXPECT_100_TIMEOUT_MS, 500),
        ] { _ = ccurl_set_long(curl, option, value) }
        if let setup = options.handleSetup, let setopt = ccurl_setopt().map({ OpaquePointer($0) }) {
            let status = setup.call(curl, setopt)
            if status != 0 { throw Failure(.callback, "the function that sets options of libcurl returned \(status)") }
        }
    }

    func setCookie(_ line: Bytes) -> Int32 { setText(CURLOPT_COOKIELIST, line) }

    private func setText(_ option: CURLoption, _ text: Bytes) -> Int32 {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: text.storage)
        scratch.append(0)
        return scratch.withUnsafeBufferPointer { ccurl_set_text(curl, option, $0.baseAddress) }
    }

    // MARK: Options of each attempt

    override func attempt(milliseconds: Int64) -> End {
        var code = prepare(milliseconds: milliseconds)
        if code == 0, let side { code = ccurl_easy_perform(curl, side) }
        return ended(code)
    }

    override func begin(in loop: OpaquePointer, milliseconds: Int64) -> End? {
        var code = prepare(milliseconds: milliseconds)
        if code == 0 { code = waitForConnection() }
        if code == 0 && ccurl_loop_add(loop, curl) != 0 { code = 27 }
        return code == 0 ? nil : ended(code)
    }

    override func stop(in loop: OpaquePointer, _ code: Int32) -> End {
        ccurl_loop_remove(loop, curl)
        return ended(code)
    }

    /// Sets the options for the exchange.  `ended` must be called afterwards, even on failure.
    private func prepare(milliseconds: Int64) -> Int32 {
        errorText[0] = 0
        let exchange = transfer.exchange
        transfer.recorder?.begins(exchange)
        if let side { ccurl_side_begin(side, RetryRules.isRepeatable(exchange) ? 0 : 1) }
        var code = setShape(exchange)
        if code == 0 && !url.isSame(as: exchange.url) {
            code = ccurl_set_url(curl, parsed, exchange.url.start)
            url = code == 0 ? exchange.url : .empty
        }
        if code == 0, let plainProxy, isSecure == usesPlainProxy {
            code = isSecure ? ccurl_set_text(curl, CURLOPT_PROXY, nil) : setText(CURLOPT_PROXY, plainProxy)
            usesPlainProxy = code == 0 && !isSecure
        }
        if code == 0 && milliseconds != self.milliseconds {
            code = ccurl_set_long(curl, CURLOPT_TIMEOUT_MS, Int(truncatingIfNeeded: milliseconds))
            self.milliseconds = code == 0 ? milliseconds : -1
        }
        if code == 0 && transfer.rules.stallMilliseconds != stallMilliseconds {
            code = setStall(transfer.rules.stallMilliseconds)
        }
        if code == 0 && exchange.digest != digest { code = setDigest(exchange.digest) }
        if let streams = exchange.streams {
            var headers = exchange.headers
            if code == 0 { code = prepare(streams, exchange, &headers) }
            if code == 0 { code = setHeaders(headers) }
        } else if code == 0 {
            code = setHeaders(exchange.headers)
        }
        if code == 0, let body = exchange.body {
            self.body = body  // libcurl reads from it until the attempt has ended
            code = ccurl_set_body(curl, body.start, body.count)
        }
        return code
    }

    private static let authBasic = 1
    private static let authDigest = 2

    @inline(never) private func setDigest(_ login: DigestLogin?) -> Int32 {
        digest = nil
        var code = ccurl_set_long(curl, CURLOPT_HTTPAUTH, login == nil ? Self.authBasic : Self.authDigest)
        if code == 0 { code = login.map { setText(CURLOPT_USERNAME, $0.user) } ?? ccurl_set_text(curl, CURLOPT_USERNAME, nil) }
        if code == 0 {
            code = login.map { setText(CURLOPT_PASSWORD, $0.password) } ?? ccurl_set_text(curl, CURLOPT_PASSWORD, nil)
        }
        if code == 0 { digest = login }
        return code
    }

    /// Sets the limit in seconds, the unit of libcurl.
    @inline(never) private func setStall(_ milliseconds: Int64) -> Int32 {
        let seconds = Int(truncatingIfNeeded: (min(max(0, milliseconds), Int64(Int32.max)) &+ 999) / 1000)
        var code = ccurl_set_long(curl, CURLOPT_LOW_SPEED_LIMIT, seconds > 0 ? 1 : 0)
        if code == 0 { code = ccurl_set_long(curl, CURLOPT_LOW_SPEED_TIME, seconds) }
        stallMilliseconds = code == 0 ? milliseconds : -1
        return code
    }

    /// Sets the options for bodies that are not in memory.
    @inline(never)
    private func prepare(_ streams: TransferStreams, _ exchange: Exchange, _ headers: inout HeaderBlock) -> Int32 {
        self.streams = streams
        if let receiver = streams.receiver {
            do throws(Failure) { try receiver.prepare(&headers, exchange.method) } catch {
                streams.fail(error)
                return Self.aborted
            }
        }
        if let upload = exchange.upload {
            self.upload = upload
            upload.isPaused = transfer.isPaused
            guard upload.begin() else { return Self.aborted }
            let code = upload.attach(to: curl)
            if code != 0 { return code }
        }
        return streams.attachProgress(to: curl)
    }

    private static let aborted: Int32 = 42

    override func resume() -> Int32 {
        upload?.isPaused = false
        transfer.isPaused = false
        return ccurl_go_on(curl)
    }

    override func pause() {
        upload?.isPaused = true
        transfer.isPaused = true
    }

    func ended(_ told: Int32) -> End {
        let code = side.map { ccurl_side_end($0, told) } ?? told
        if code != told { errorText[0] = 0 }  // the text of libcurl belongs to the code that it reported
        if let streams {
            if upload != nil { _ = ccurl_set_body(curl, nil, 0) }
            if streams.progress != nil { _ = ccurl_set_progress(curl, nil, nil) }
            self.streams = nil
            upload = nil
        }
        if body != nil {
            _ = ccurl_set_body(curl, nil, 0)
            body = nil
        }
        guard code == 0, transfer.isRedirecting, let url = ccurl_redirect_url(curl) else { return End(code: code) }
        return End(code: code, redirect: Text(Bytes(cString: url)))
    }

    /// libcurl has options for GET, HEAD and POST; any other method is the name of a custom request with or without a body.
    private func setShape(_ exchange: Exchange) -> Int32 {
        let hasBody = exchange.hasBody
        if let shape, shape.hasBody == hasBody, shape.method == exchange.method { return 0 }
        shape = nil
        let method = exchange.method
        let isHead = method.equals("HEAD")
        // A request with one of these methods and without a body has "Content-Length: 0".
        let announcesBody = hasBody || method.equals("POST") || method.equals("PUT") || method.equals("PATCH")
        let isImplied = isHead || (announcesBody ? method.equals("POST") : method.equals("GET"))
        var code = ccurl_set_long(curl, CURLOPT_HTTPGET, 1)
        if code == 0 && isHead { code = ccurl_set_long(curl, CURLOPT_NOBODY, 1) }
        if code == 0 && announcesBody { code = ccurl_set_body(curl, nil, 0) }
        if code == 0 {
            code = isImplied ? ccurl_set_text(curl, CURLOPT_CUSTOMREQUEST, nil) : setText(CURLOPT_CUSTOMREQUEST, method)
        }
        if code == 0 { shape = Shape(method: method, hasBody: hasBody, announcesBody: announcesBody) }
        return code
    }

    /// A handle often sends the same headers again: the lines are kept until the headers change.
    private func setHeaders(_ wanted: HeaderBlock) -> Int32 {
        let announcesBody = shape?.announcesBody ?? false
        let isUpload = upload != nil
        if announcesBody == linesForBody && isUpload == linesForUpload && headers.isSame(as: wanted) { return 0 }
        _ = ccurl_set_headers(curl, nil)
        ccurl_list_free(lines)
        lines = nil
        headers = HeaderBlock()
        linesForBody = nil
        for (name, line) in usual where wanted.index(of: name) == nil && !append(line) { return Self.noMemory }
        for index in 0..<wanted.count
        where !(hasCookies && wanted.name(index).isName("cookie")) && !append(wanted.name(index), wanted.value(index)) {
            return Self.noMemory
        }
        // libcurl writes these cookies into the same header as those of its jar.
        if hasCookies {
            let own = wanted.index(of: "cookie").map { Bytes(wanted.value($0)) }
            let code = own.map { setText(CURLOPT_COOKIE, $0) } ?? ccurl_set_text(curl, CURLOPT_COOKIE, nil)
            if code != 0 { return code }
        }
        if announcesBody {
            // libcurl would add both headers.  For a body that is read while it is sent, it may add `Expect: 100-continue`: it does so if the
            // body has more than 1 MiB or an unknown length.
            for (name, line) in [("content-type", "Content-Type:"), ("expect", "Expect:")] as [(StaticString, Bytes)]
            where wanted.index(of: name) == nil && !(isUpload && line.count == 7) && !append(line) { return Self.noMemory }
        }
        headers = wanted
        linesForBody = announcesBody
        linesForUpload = isUpload
        return ccurl_set_headers(curl, lines)
    }

    private static let noMemory: Int32 = 27

    private func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: name)
        // libcurl drops "Name:" and sends "Name;" as a header without a value.  An Expect header without a value is not sent.
        scratch.append(value.isEmpty && !name.isName("expect") ? UInt8(ascii: ";") : UInt8(ascii: ":"))
        if !value.isEmpty { scratch.append(0x20) }
        scratch.append(contentsOf: value)
        return appendScratch()
    }

    private func append(_ line: Bytes) -> Bool {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: line.storage)
        return appendScratch()
    }

    private func appendScratch() -> Bool {
        scratch.append(0)
        guard let start = scratch.withUnsafeBufferPointer({ $0.baseAddress.flatMap { ccurl_list_append(lines, $0) } })
        else { return false }
        lines = start
        return true
    }

    private var isSecure: Bool { url.count > 5 && url.buffer[4] | 0x20 == UInt8(ascii: "s") }

    /// Transfers to an https origin wait for its first connection: if it uses HTTP/2, all of them can share it.
    private func waitForConnection() -> Int32 {
        let secure = isSecure
        if secure == waitsForConnection { return 0 }
        waitsForConnection = secure
        return ccurl_set_long(curl, CURLOPT_PIPEWAIT, secure ? 1 : 0)
    }

    // MARK: The end

    override func deliver() -> Answer {
        let recorder = transfer.recorder
        let answer = transfer.deliver()
        recorder?.answered(answer.status, curl)
        return answer
    }

    /// Whether the last attempt began to send its request.
    var wasConnected: Bool { ccurl_was_connected(curl) != 0 }

    /// The error text of libcurl, unless it may contain a secret.
    var detail: Bytes {
        let text = Bytes(cString: errorText)
        let mayHoldURL = text.storage.contains { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "?") }
        return mayHoldURL ? Bytes() : text.printable
    }

    /// False if an attempt failed because the process has no descriptors left.
    private static func hasDescriptors(_ fault: TransferState.Fault) -> Bool {
        switch fault {
        case .curl(2), .curl(6), .curl(7), .curl(27), .curl(77): csystem_descriptors_left() != 0
        default: true
        }
    }

    override func failure(_ action: TransferState.Action, _ options: ClientOptions, _ deadline: Int64) -> Failure {
        var fault = TransferState.Fault.disorder
        if case .fail(let told) = action { fault = told }
        let recorder = transfer.recorder
        if let failure = transfer.exchange.streams?.failure {
            transfer.forget()
            return recorder?.failed(failure, curl) ?? failure
        }
        let failure = TransferFailure(
            fault: fault, origin: Origin(of: transfer.exchange.url)?.text ?? "the service", options: options,
            deadlineMilliseconds: deadline,
            maximumBodyBytes: transfer.rules.bodyBytes, maximumRedirects: transfer.rules.redirects, wasConnected: wasConnected,
            received: transfer.received, detail: detail,
            stallMilliseconds: transfer.rules.stallMilliseconds, hasDescriptors: Self.hasDescriptors(fault)
        ).failure
        transfer.forget()
        return recorder?.failed(failure, curl) ?? failure
    }
}

extension Failure {
    static var outOfMemory: Failure { Memory.fail() }
}
