// The credentials of one transfer: the schemes that it needs, the generations that it was sent with, and the next step.

internal import CSystem
package import RoutableCore

/// The credentials of one request.  Used by one thread at a time.
package final class Authorization: @unchecked Sendable {
    /// A scheme with the credential that serves it.
    package struct Need: Sendable {
        package var scheme: AuthScheme
        package var credential: StoredCredential
        package init(_ scheme: AuthScheme, _ credential: StoredCredential) {
            self.scheme = scheme
            self.credential = credential
        }
    }

    /// Functions of the layers above, which build the request that refreshes a credential by an operation of the description, and parse
    /// the response to it.
    package struct Knowledge: Sendable {
        package var request: @Sendable (AuthScheme, Credential) throws(Failure) -> Exchange
        /// Parses the response to a refresh.  The third argument is the list of secrets of the credential, which no failure may contain.
        package var token: @Sendable (AuthScheme, Answer, [Bytes]) throws(Failure) -> Token
        /// Whether the body of a response rejects the token.
        package var rejects: @Sendable (Rejections, Int32, Text) -> Bool
        package init(
            request: @escaping @Sendable (AuthScheme, Credential) throws(Failure) -> Exchange,
            token: @escaping @Sendable (AuthScheme, Answer, [Bytes]) throws(Failure) -> Token,
            rejects: @escaping @Sendable (Rejections, Int32, Text) -> Bool = { _, _, _ in true }
        ) {
            self.request = request
            self.token = token
            self.rejects = rejects
        }
    }

    enum Step {
        case send(Exchange)
        case wait(CredentialRefresh, begins: Bool)
        /// The response that rejects the credential is the outcome.
        case deliver
    }

    private let needs: [Need]
    private let knowledge: Knowledge
    private let plan: Plan?
    /// The challenge in the last response that rejected the credentials.
    private var challenge = Bytes()
    /// The request without credentials.
    private let bare: Exchange
    private var generations: [Int] = []
    private var attempts = 0
    /// The refresh that the transfer waits for.
    private(set) var awaited: CredentialRefresh?
    /// Whether the credentials must be added before the request is sent.
    private(set) var isDue = true
    var recorder: TraceRecorder?

    package init(_ exchange: Exchange, _ needs: [Need], _ knowledge: Knowledge, of plan: Plan? = nil) {
        bare = exchange
        self.plan = plan
        self.needs = needs
        self.knowledge = knowledge
    }

    /// Called before the request is sent for the first time, or after a wait.
    func admit() throws(Failure) -> Step {
        if let awaited {
            self.awaited = nil
            if let failure = awaited.failure { throw failure }
        }
        var values: [Credential] = []
        var generations: [Int] = []
        for need in needs {
            switch try ask(need, refused: nil) {
            case .go(let found, let generation):
                values.append(found)
                generations.append(generation)
            case .wait(let transfer, let begins): return wait(transfer, begins)
            case .refused: return .deliver
            case .failed(let failure): throw failure
            }
        }
        self.generations = generations
        isDue = false
        return .send(try authorized(values))
    }

    /// Whether a response rejects one of the credentials.  The body is read only if a description says that its content decides.
    private func isRejection(_ status: Int32, _ body: () -> Text) -> Bool {
        var found: Text?
        for need in needs where need.scheme.refreshOn.concerns(status) {
            if !need.scheme.refreshOn.needsBody(status) { return true }
            let text = found ?? body()
            found = text
            if knowledge.rejects(need.scheme.refreshOn, status, text) { return true }
        }
        return false
    }

    /// Called when the status of a response may mean that a credential is rejected.
    func refused(_ status: Int32, _ headers: HeaderBlock, _ body: () -> Text) throws(Failure) -> Step {
        if !isRejection(status, body) { return .deliver }
        attempts &+= 1
        // Refreshes of tokens with a short lifetime are not counted: a slow service could reject each of them after its lifetime has ended.
        if attempts > 2 * CredentialState.maximumRefreshes { return .deliver }
        var asked: [Bytes] = []
        for index in 0..<headers.count where headers.name(index).isName("www-authenticate") {
            asked.append(Bytes(headers.value(index)))
        }
        challenge = asked.joined(by: ", ")
        var hasNews = false
        for (index, need) in needs.enumerated() where need.scheme.refreshOn.concerns(status) {
            switch try ask(need, refused: generations.indices.contains(index) ? generations[index] : -1) {
            case .go(_, let generation): if generations[index] != generation { hasNews = true }
            case .wait(let transfer, let begins): return wait(transfer, begins)
            case .refused: break
            case .failed(let failure): throw failure
            }
        }
        // If the credentials change faster than the request is sent, another attempt is useless.
        return hasNews && attempts <= CredentialState.maximumRefreshes ? try admit() : .deliver
    }

    private func wait(_ transfer: CredentialRefresh, _ begins: Bool) -> Step {
        awaited = transfer
        isDue = true
        return .wait(transfer, begins: begins)
    }

    private func ask(_ need: Need, refused generation: Int?) throws(Failure) -> StoredCredential.Found {
        if need.scheme.kind == .certificate { return .go(Credential(), 0) }
        let knowledge = knowledge
        let scheme = need.scheme
        return need.credential.ask(scheme, refused: generation) { values, generation in
            let secrets = values.secrets  // only the secrets are captured: capturing `values` would retain its functions
            let made = CredentialRefresh(need.credential, generation, values) { (answer) throws(Failure) in
                try knowledge.token(scheme, answer, secrets)
            }
            made.serves(self.bare.url, self.plan, self.challenge)
            return made
        }
    }

    /// Gives its request to a refresh that was just created.
    func prepare(_ transfer: CredentialRefresh, _ policy: TransferPolicy) throws(Failure) {
        recorder?.refreshes(transfer.credential.name)
        var policy = policy
        // A token request is not repeated: it may contain a token that is valid only once.
        var rules = policy.rules
        rules.retry.limit = 0
        rules.followsRedirects = false
        policy.rules = rules
        if policy.deadlineMilliseconds < 0 { policy.deadlineMilliseconds = ClientOptions.Default.deadlineMilliseconds }
        try transfer.begin(with: transfer.refresher == nil ? request(transfer) : nil, policy)
    }

    private func request(_ transfer: CredentialRefresh) throws(Failure) -> Exchange {
        for need in needs where need.credential === transfer.credential {
            let values = transfer.credential.current
            let exchange =
                values.usesTokenEndpoint(need.scheme)
                ? TokenRequest.exchange(need.scheme, values) : try knowledge.request(need.scheme, values)
            try exchange.check()
            return exchange
        }
        throw Failure(.internal, "no transfer requires the credential that was refreshed")
    }

    // MARK: The request with credentials

    /// The request with its credentials.
    private func authorized(_ values: [Credential]) throws(Failure) -> Exchange {
        var exchange = bare
        for (need, values) in zip(needs, values) {
            if let origin = values.originBytes, let failure = Failure.foreign(need.scheme.name, origin, exchange.url) {
                throw failure
            }
            try check(values, need.scheme)
            if need.scheme.kind == .key, need.scheme.location == .cookie, !values.tokenBytes.isCookieValue {
                throw Failure.missingCredential(
                    need.scheme.name,
                    "a cookie cannot contain the space, comma, semicolon, quote or backslash of the credential")
            }
            exchange.apply(need.scheme, values)
        }
        for (need, values) in zip(needs, values) {
            guard let signer = values.signer else { continue }
            let signing = Signing(exchange)
            do { try signer.call(signing) } catch { throw error.with { $0.parameter = need.scheme.name } }
            exchange.headers = signing.headerBlock
            exchange.secretHeaders += signing.secretHeaders
            exchange.isSigned = true
        }
        exchange.isAuthorized = true
        if needs.contains(where: { !$0.scheme.refreshOn.isDefault }) { exchange.rejectedBy = needs.map { $0.scheme.refreshOn } }
        return exchange
    }

    /// Refuses a credential, also a refreshed one, for which the scheme would send nothing, or whose user is empty.
    private func check(_ values: Credential, _ scheme: AuthScheme) throws(Failure) {
        let hasToken = !values.tokenBytes.isEmpty
        // Otherwise the API would receive the password, which is only for the token endpoint.
        let hasUser = !values.userBytes.isEmpty && !values.usesTokenEndpoint(scheme)
        guard hasToken != hasUser,
            (scheme.kind == .basic || scheme.kind == .digest) && hasToken || scheme.kind == .key && hasUser
        else { return }
        throw Failure.missingCredential(
            scheme.name,
            hasToken
                ? "\(scheme.kind == .digest ? "digest" : "basic" as Bytes) requires a user and a password, not a token"
                : "a key requires a token, not a user and a password"
        )
    }

    /// The request with the current credentials, even expired ones, to be displayed.
    package func shown() throws(Failure) -> Exchange { try authorized(needs.map { $0.credential.current }) }
}

extension Bytes {
    /// cookie-octet of RFC 6265 section 4.1.1: with any other byte, a value could end and another cookie begin.
    fileprivate var isCookieValue: Bool {
        storage.allSatisfy {
            $0 == 0x21 || $0 >= 0x23 && $0 <= 0x2B || $0 >= 0x2D && $0 <= 0x3A || $0 >= 0x3C && $0 <= 0x5B
                || $0 >= 0x5D && $0 <= 0x7E
        }
    }
}

extension Exchange {
    /// Adds a credential in the place that its scheme declares.
    mutating func apply(_ scheme: AuthScheme, _ values: Credential) {
        let hasUser = values.tokenBytes.isEmpty && !values.userBytes.isEmpty && !values.usesTokenEndpoint(scheme)
        switch scheme.kind {
        case .certificate: return
        case .basic: setBasic(values)
        case .digest: digest = DigestLogin(user: values.userBytes, password: values.passwordBytes)
        case .bearer, .oauth2:
            if hasUser {
                setBasic(values)
            } else if !values.tokenBytes.isEmpty {
                setSecret("Authorization", "\(scheme.word) \(values.tokenBytes)")
            }
        case .custom:
            if hasUser { setBasic(values) } else if !values.tokenBytes.isEmpty { setSecret("Authorization", values.tokenBytes) }
        case .key: if !values.tokenBytes.isEmpty { setKey(scheme, values.tokenBytes) }
        }
    }

    private mutating func setBasic(_ values: Credential) {
        let pair: Bytes = "\(values.userBytes):\(values.passwordBytes)"
        setSecret("Authorization", "Basic \(pair.storage.withUnsafeBytes { Base64.encode($0) })")
    }

    private mutating func setSecret(_ name: Bytes, _ value: Bytes) {
        headers.set(HeaderField(name, value))
        secretHeaders.append(name)
    }

    private mutating func setKey(_ scheme: AuthScheme, _ key: Bytes) {
        switch scheme.location {
        case .query:
            if shownURL == nil { shownURL = url }
            var text = url.bytes
            text.append(text.storage.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?"))
            PercentCoding.append(scheme.parameter, .unreserved, to: &text)
            text.append(UInt8(ascii: "="))
            PercentCoding.append(key, .unreserved, to: &text)
            url = Text(text)
        case .cookie:
            let pair: Bytes = "\(scheme.parameter)=\(key)"
            let others = headers.index(of: "cookie").map { Bytes(headers.value($0)) }
            headers.set(HeaderField("Cookie", others.map { "\($0); \(pair)" } ?? pair))
        default: setSecret(scheme.parameter, scheme.word.isEmpty ? key : "\(scheme.word) \(key)")
        }
    }
}
