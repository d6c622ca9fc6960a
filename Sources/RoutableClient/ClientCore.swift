// The client: joins a request with its base, policy and credentials, performs it, and maps the response.
//
// C, Python, Swift and the command all perform requests with this class; the parts that are specific to a language (pointers, async,
// Codable) are in its own layer.

package import RoutableCore
package import RoutablePerform

/// Performs requests over libcurl.  Any number of threads may use it at the same time.
package final class ClientCore: Sendable {
    /// Replaces the base that a request was built with; nil to use the request's.
    let base: Base?
    let pool: ConnectionPool
    let credentials = CredentialTable()
    /// The description that the client's credentials belong to, unless they name another one.
    package let owner: CredentialOwner
    let middlewarePlace = MiddlewarePlace()
    private let hookPlace = HookPlace<Hook>()
    let deviationPlace = HookPlace<DeviationHook>()
    /// Whether requests get additional headers, query items or a transport; most clients have none.
    private let hasMore: Bool

    /// - Throws: `noCurl` if libcurl is not found; `url` for the base; `header` and `argument` for other options.
    package static func make(_ options: ClientOptions) throws(Failure) -> ClientCore {
        var base: Base?
        if let source = options.base { base = try Base(source) }
        let pool = try ConnectionPool.make(options)
        return ClientCore(pool, base, pool.owner)
    }

    // In the Embedded mode, an object whose `init` throws is not deallocated.
    private init(_ pool: ConnectionPool, _ base: Base?, _ owner: CredentialOwner) {
        self.pool = pool
        self.owner = owner
        let options = pool.options
        hasMore =
            options.transport != nil || !options.headers.isEmpty || !options.originHeaders.isEmpty || !options.query.isEmpty
        self.base = base
    }

    /// Another client with the same connections, cookies and options, and with its own description, credentials,
    /// middleware and hook.  Closing one of them closes both.
    package func sharingConnections() -> ClientCore {
        ClientCore(pool, base, CredentialOwner(options.router, at: options.base))
    }

    package var options: ClientOptions { pool.options }

    /// The function that receives the events of its transfers.
    package var hook: Hook? { hookPlace.hook }

    /// Interrupts the waits for submitted transfers; the transfers continue.  Signal handlers may call it.
    package func interrupt() { pool.interrupt() }

    /// Writes the cookies to the file of the options.  Failures: `file`, `argument`.
    package func saveCookies() throws(Failure) { try pool.saveCookies() }

    /// All cookies, as lines of a Netscape cookie file.  Failures: `argument` without cookies, here and below.
    package func cookies() throws(Failure) -> Bytes { try pool.cookieLines() }
    package func setCookie(_ line: Bytes) throws(Failure) { try pool.setCookie(line) }
    package func clearCookies() throws(Failure) { try pool.clearCookies() }

    /// Cancels all submitted transfers.  Later submissions fail.
    package func close() { pool.close() }

    /// The URL to which a request is sent.
    package func url(of request: Request) -> Text { base.map { Text(request.url(below: $0)) } ?? request.url }

    /// Whether a request belongs to the description of the client's credentials.
    ///
    /// - Parameter base: A base of a higher layer, with whose origin the request must agree; nil for none.
    package func owns(_ request: Request, at base: Bytes? = nil) -> Bool {
        if request.isElsewhere { return false }
        let there = url(of: request)
        if let base, !CredentialOwner.isSameOrigin(Text(base), there) { return false }
        return owner.claims(request.plan.router, at: there)
    }

    func exchange(_ request: Request, _ policy: RequestPolicy?, isShown: Bool = false) -> Exchange {
        var exchange = Exchange(written: request, url: url(of: request), idempotencyHeader: policy?.idempotencyHeader)
        if hasMore { complete(&exchange, request, isShown) }
        if request.plan.operation.isRedirect { exchange.keepsRedirects = true }
        return exchange
    }

    @inline(never) private func complete(_ exchange: inout Exchange, _ request: Request, _ isShown: Bool) {
        if options.transport != nil { exchange.plan = request.plan }
        if options.isTaped, !request.isFollowed { exchange.basePath = exchange.path(before: request.path) }
        let isOwn =
            !request.isElsewhere && pool.owner.claims(request.plan.router, at: exchange.url, isFirst: !isShown)
        exchange.complete(options, isOwn: isOwn)
    }

    /// Performs a request and maps its response.  Blocks until the response is complete or the request has failed.
    ///
    /// - Throws: `httpStatus` with the response for a status that is not a success; `credential`; the failures of performing and mapping.
    package func perform(_ request: Request, _ given: RequestPolicy? = nil) throws(Failure) -> Response {
        given?.bind(to: request)
        guard let interception = try intercept(request) else { return try reported(performed(request, given), request.plan) }
        if !interception.isOver {
            do throws(Failure) { interception.response = try performed(interception.request, given) } catch {
                interception.failure = error
            }
        }
        return try reported(interception.end(answers(given)), interception.request.plan)
    }

    @inline(never) private func performed(_ request: Request, _ given: RequestPolicy?) throws(Failure) -> Response {
        let policy = RequestPolicy.of(request, given)
        var answer: Answer
        do throws(Failure) {
            var exchange = exchange(request, policy)
            let authorization = try authorization(request, &exchange, policy)
            answer = try pool.perform(
                exchange, policy?.applied(to: pool.policy), authorization, of: request.plan, for: hook)
        } catch {
            throw error.about(request)
        }
        answer.keepsDocument = policy?.keepsDocuments ?? false
        return try request.plan.router.map(answer, to: request.plan, request.headers, answers(policy))
    }

    /// The policy for mapping responses.
    func answers(_ policy: RequestPolicy?) -> AnswerPolicy {
        AnswerPolicy(
            deviations: policy?.deviations ?? options.deviations, takesEveryStatus: policy?.takesEveryStatus ?? false)
    }

    /// Sets a function of the host that receives each response that deviates from its description; once for a client.
    package func setDeviationHook(_ hook: DeviationHook) throws(Failure) { try deviationPlace.set(hook) }

    /// Sets a function of the host that receives the events of all transfers that begin from now on; once for a client.
    package func setHook(_ hook: Hook) throws(Failure) { try hookPlace.set(hook) }

    /// A curl command line for the request as it is sent, with the current credentials; missing ones are omitted.
    package func curlLine(_ request: Request, showsSecrets: Bool) throws(Failure) -> Bytes {
        var exchange = exchange(request, nil, isShown: true)
        if let authorization = try? authorization(request, &exchange, nil, isShown: true),
            let shown = try? authorization.shown()
        {
            exchange = shown
        }
        if exchange.headers.index(of: "user-agent") == nil, let agent = options.userAgent, !agent.isEmpty {
            exchange.headers.set(HeaderField("User-Agent", agent))
        }
        var line = CurlLine(
            method: exchange.method, url: exchange.url.bytes, headers: exchange.headers, body: exchange.body,
            streams: request.streams)
        line.secretHeaders = exchange.secretHeaders
        line.decompresses = options.decompresses
        return line.text(hiding: showsSecrets ? nil : request.plan.router.description.authSchemes)
    }
}

extension Failure {
    func about(_ request: Request) -> Failure { about(route: request.route.bytes, operation: request.operation.bytes) }
}
