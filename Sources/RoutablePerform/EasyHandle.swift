// One libcurl handle with its connections: set up once, used for one exchange at a time.

internal import CCurl
import RoutableCore

/// An easy handle.  Used by one thread at a time; the pool of the client sees to that.
final class EasyHandle {
    /// What handles of a client have in common.  Each handle keeps it alive.
    final class Share {
        let pointer: OpaquePointer

        /// Functions that make, here and below: in the Embedded mode an object whose `init` throws is not given back.
        static func make() throws(Failure) -> Share {
            guard let share = ccurl_share_new() else { throw Failure(.internal, "libcurl has no memory left") }
            return Share(share)
        }

        private init(_ pointer: OpaquePointer) { self.pointer = pointer }

        deinit { ccurl_share_free(pointer) }
    }

    /// How an attempt ended.
    struct End {
        var code: Int32
        var redirect: Bytes?
    }

    let transfer: Transfer
    // All owned: made in `init`, given back in `deinit`.
    private let curl: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private let share: Share
    /// The headers that the handle is set to, and their lines, which libcurl refers to.
    private var headers: [HeaderField] = []
    private var lines: UnsafeMutablePointer<curl_slist>?
    private var linesForBody = false
    private var scratch: [UInt8] = []

    static func make(
        _ options: ClientOptions, _ rules: TransferState.Rules, _ share: Share
    ) throws(Failure) -> EasyHandle {
        guard let curl = ccurl_easy_init() else { throw Failure(.internal, "libcurl has no memory left") }
        let handle = EasyHandle(curl, rules, share)
        try handle.configure(options)
        return handle
    }

    private init(_ curl: UnsafeMutableRawPointer, _ rules: TransferState.Rules, _ share: Share) {
        self.curl = curl
        self.share = share
        transfer = Transfer(rules)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        ccurl_easy_cleanup(curl)
        ccurl_list_free(lines)
        errorText.deallocate()
    }

    // MARK: Once

    private func configure(_ options: ClientOptions) throws(Failure) {
        // Without one of these the handle would not be safe.
        var code = ccurl_set_protocols(curl)
        if code == 0 { code = ccurl_set_error_buffer(curl, errorText) }
        if code == 0 { code = transfer.attach(to: curl) }
        let required: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_PATH_AS_IS, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_UNRESTRICTED_AUTH, 0),
            (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_CONNECTTIMEOUT_MS, Int(truncatingIfNeeded: options.connectTimeoutMilliseconds)),
        ]
        for (option, value) in required where code == 0 { code = ccurl_set_long(curl, option, value) }
        if code == 0, let caFile = options.caFile { code = setText(CURLOPT_CAINFO, caFile) }
        if code == 0, let agent = options.userAgent, !agent.isEmpty { code = setText(CURLOPT_USERAGENT, agent) }
        if code != 0 {
            throw Failure(.noCurl, "this libcurl is too old or refuses what is needed; install a current libcurl4") {
                $0.curlCode = code
            }
        }
        // An older libcurl, or one that was built without them, works as well.
        _ = ccurl_set_share(curl, share.pointer)
        _ = setText(CURLOPT_ACCEPT_ENCODING, Bytes())
        for (option, value) in [
            (CURLOPT_QUICK_EXIT, 1), (CURLOPT_BUFFERSIZE, 65536), (CURLOPT_HTTP09_ALLOWED, 0),
            (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
        ] { _ = ccurl_set_long(curl, option, value) }
    }

    private func setText(_ option: CURLoption, _ text: Bytes) -> Int32 {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: text.storage)
        scratch.append(0)
        return scratch.withUnsafeBufferPointer { ccurl_set_text(curl, option, $0.baseAddress) }
    }

    // MARK: Per attempt

    /// Makes one attempt within that time (0 for any) and blocks until it has ended.
    func attempt(_ exchange: Exchange, milliseconds: Int64) -> End {
        errorText[0] = 0
        let code = prepare(exchange, milliseconds)
        guard code == 0 else { return End(code: code) }
        guard let body = exchange.body else { return performed() }
        // The array stays where it is for the time of the closure, and libcurl lets go of it within.
        return body.storage.withUnsafeBytes { bytes in
            let code = ccurl_set_body(curl, bytes.baseAddress, bytes.count)
            let end = code == 0 ? performed() : End(code: code)
            _ = ccurl_set_body(curl, nil, 0)
            return end
        }
    }

    private func performed() -> End {
        let code = ccurl_easy_perform(curl)
        guard code == 0, transfer.isRedirecting, let url = ccurl_redirect_url(curl) else { return End(code: code) }
        return End(code: code, redirect: Bytes(cString: url))
    }

    /// Method, URL, headers and time.  GET, HEAD and POST are what libcurl calls so; any other method is its name
    /// put onto a request with or without a body.
    private func prepare(_ exchange: Exchange, _ milliseconds: Int64) -> Int32 {
        let method = exchange.method
        let isHead = method.equals("HEAD")
        var announcesBody = exchange.body != nil
        // These three say "Content-Length: 0" when they have no body.
        if !announcesBody { announcesBody = method.equals("POST") || method.equals("PUT") || method.equals("PATCH") }
        var code = ccurl_set_long(curl, CURLOPT_HTTPGET, 1)
        if code == 0 && isHead { code = ccurl_set_long(curl, CURLOPT_NOBODY, 1) }
        if code == 0 && announcesBody { code = ccurl_set_body(curl, nil, 0) }
        if code == 0 {
            let isImplied = isHead || method.equals(announcesBody ? "POST" : "GET")
            code = isImplied ? ccurl_set_text(curl, CURLOPT_CUSTOMREQUEST, nil) : setText(CURLOPT_CUSTOMREQUEST, method)
        }
        if code == 0 { code = setText(CURLOPT_URL, exchange.url) }
        if code == 0 { code = ccurl_set_long(curl, CURLOPT_TIMEOUT_MS, Int(truncatingIfNeeded: milliseconds)) }
        if code == 0 { code = setHeaders(exchange.headers, announcesBody) }
        return code
    }

    /// A handle tends to send the same headers again: the lines stay until they differ.
    private func setHeaders(_ wanted: [HeaderField], _ announcesBody: Bool) -> Int32 {
        if announcesBody == linesForBody && isSet(to: wanted) { return 0 }
        _ = ccurl_set_headers(curl, nil)
        ccurl_list_free(lines)
        lines = nil
        headers = []
        linesForBody = announcesBody
        for field in wanted where !append(field) { return Self.outOfMemory }
        if announcesBody {
            // libcurl would add both by itself.
            for name: Bytes in ["Content-Type", "Expect"] where wanted.value(of: name) == nil {
                if !append("\(name):") { return Self.outOfMemory }
            }
        }
        headers = wanted
        return ccurl_set_headers(curl, lines)
    }

    private static let outOfMemory: Int32 = 27

    private func isSet(to wanted: [HeaderField]) -> Bool {
        headers.count == wanted.count
            && zip(headers, wanted).allSatisfy { $0.name == $1.name && $0.value == $1.value }
    }

    private func append(_ field: HeaderField) -> Bool {
        // libcurl drops "Name:" and sends "Name;" as a header without a value.
        append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }

    private func append(_ line: Bytes) -> Bool {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: line.storage)
        scratch.append(0)
        guard let start = scratch.withUnsafeBufferPointer({ $0.baseAddress.flatMap { ccurl_list_append(lines, $0) } })
        else { return false }
        lines = start
        return true
    }

    // MARK: After a failure

    /// Whether the last attempt came as far as to send.
    var wasConnected: Bool { ccurl_was_connected(curl) != 0 }

    /// libcurl's own words, without what may hold a secret.
    var detail: Bytes {
        let text = Bytes(cString: errorText)
        let mayHoldURL = text.storage.contains { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "?") }
        return mayHoldURL ? Bytes() : text.printable
    }
}
