// A credential of a client: what its requests carry, and who gets a new one.

internal import CSystem
public import RoutableCore

/// What a host sets for one scheme.  A text that is empty is not there, but for a password.
public struct CredentialValues: Sendable {
    public var user = Bytes()
    public var password = Bytes()
    /// The token, or the key.
    public var token = Bytes()
    public var lifetimeMilliseconds: Int64?
    public var refreshToken = Bytes()
    public var clientId = Bytes()
    public var clientSecret = Bytes()
    /// Instead of the description's.
    public var tokenURL = Bytes()
    public var scope = Bytes()
    /// The JSON body of the operation that refreshes.
    public var refreshBody = Bytes()
    /// The client's secret goes into the body of a token request instead of its header.
    public var sendsSecretInBody = false
    /// It goes nowhere else.
    public var origin: Bytes?
    /// The host's function that gets a new token.
    public var refresher: Refresher?
    /// The host's function that completes each request.
    public var signer: Signer?

    public init() {}
}

/// A function of the host that gets a new token.  It is called without a lock, and may answer later, from any thread.
public final class Refresher: Sendable {
    let call: @Sendable (RefreshJob) -> Void
    public init(_ call: @escaping @Sendable (RefreshJob) -> Void) { self.call = call }
}

/// A function of the host that adds headers to a request.
public final class Signer: Sendable {
    let call: @Sendable (Signing) throws(Failure) -> Void
    public init(_ call: @escaping @Sendable (Signing) throws(Failure) -> Void) { self.call = call }
}

/// A request that is about to go out, for who completes it.
public final class Signing {
    public let method: Bytes
    public let url: SharedText
    public let body: SharedText?
    public private(set) var headers: HeaderBlock
    private(set) var secretHeaders: [Bytes] = []

    init(_ exchange: Exchange) {
        method = exchange.method
        url = exchange.url
        body = exchange.body
        headers = exchange.headers
    }

    /// Sets a header; its value is a secret from then on.
    public func set(_ name: Bytes, _ value: Bytes) throws(Failure) {
        headers.set(try HeaderField.checked(name, value))
        secretHeaders.append(name)
    }
}

/// The credential of one scheme.  Any thread.
public final class Credential: @unchecked Sendable {
    public let name: Bytes
    private let lock: OpaquePointer
    // Guarded by the lock.
    private var state: CredentialState
    private var values: CredentialValues
    /// The refresh that is under way.
    private var job: RefreshJob?
    /// Why the last one failed.
    private var failure: Failure?

    public init(_ name: Bytes, _ values: CredentialValues) {
        self.name = name
        self.values = values
        lock = csystem_lock_new()
        state = CredentialState(
            hasToken: values.hasToken, canRefresh: values.canRefresh, lifetime: values.lifetimeMilliseconds,
            now: csystem_monotonic_ms())
    }

    deinit { csystem_lock_free(lock) }

    private func locked<Result>(_ body: () -> Result) -> Result {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return body()
    }

    func replace(_ new: CredentialValues) {
        var old: CredentialValues?
        locked {
            old = values
            values = new
            failure = nil
            state.replaced(
                hasToken: new.hasToken, canRefresh: new.canRefresh, lifetime: new.lifetimeMilliseconds,
                now: csystem_monotonic_ms())
        }
        // The host's destroy function may run here, without the lock.
        withExtendedLifetime(old) {}
    }

    /// The values at hand.
    public var current: CredentialValues { locked { values } }

    /// What a transfer finds.
    enum Found {
        case go(CredentialValues, Int)
        /// Wait for that one; `begins` says that nobody has submitted it.
        case wait(RefreshJob, begins: Bool)
        case refused
        case failed(Failure)
    }

    /// Asks for a transfer that goes out, or one that was refused after it went out with a generation.  `canRefresh` says
    /// whether the scheme has a refresh of its own.
    func ask(_ scheme: AuthScheme, refused generation: Int?, _ make: (CredentialValues, Int) -> RefreshJob) -> Found {
        let now = csystem_monotonic_ms()
        return locked {
            state.allowRefresh(values.canRefresh(scheme))
            let decision = generation.map { state.refused($0, now: now) } ?? state.admit(now: now)
            switch decision {
            case .go(let generation): return .go(values, generation)
            case .refresh:
                let made = make(values, state.generation)
                job = made
                return .wait(made, begins: true)
            case .wait:
                guard let job else { return .failed(Failure(.internal, "a refresh is under way that nobody knows of")) }
                return .wait(job, begins: false)
            case .refused: return .refused
            case .missing: return .failed(Failure.missingCredential(name, "it has neither a token nor a way to one"))
            case .failed: return .failed(failure ?? Failure.missingCredential(name, "its refresh has failed"))
            case .excessive:
                return .failed(
                    Failure(
                        .excessiveRefresh,
                        "the credential \"\(name.printable)\" was refreshed \(CredentialState.most) times in \(Int(CredentialState.window / 1000)) s, and the service still refuses it"
                    ) { $0.parameter = name })
            }
        }
    }

    /// The refresh that began with that generation has ended.
    func refreshed(_ generation: Int, _ token: Token) {
        locked {
            job = nil
            if state.refreshed(generation, lifetime: token.lifetimeMilliseconds, now: csystem_monotonic_ms()) {
                values.token = token.value
                if let refresh = token.refresh { values.refreshToken = refresh }
                failure = nil
            }
        }
    }

    func refreshFailed(_ generation: Int, _ why: Failure, isFinal: Bool) {
        locked {
            job = nil
            if generation == state.generation { failure = why }
            state.refreshFailed(generation, isFinal: isFinal)
        }
    }
}

extension CredentialValues {
    /// Whether there is something to go out with.
    var hasToken: Bool { !token.isEmpty || !user.isEmpty || signer != nil }

    /// Whether the host gave a way to a new token that needs nothing of the description.
    var canRefresh: Bool {
        refresher != nil || !refreshBody.isEmpty || !tokenURL.isEmpty && (!refreshToken.isEmpty || !clientId.isEmpty)
    }

    /// The same with what the description says.
    func canRefresh(_ scheme: AuthScheme) -> Bool {
        if refresher != nil { return true }
        if scheme.kind == .oauth2 || !tokenURL.isEmpty {
            return !(tokenURL.isEmpty && scheme.tokenURL.isEmpty) && (!refreshToken.isEmpty || !clientId.isEmpty)
        }
        return !scheme.refresh.isEmpty && (!refreshBody.isEmpty || !refreshToken.isEmpty)
    }
}

extension Failure {
    static func missingCredential(_ scheme: Bytes, _ why: Bytes) -> Failure {
        Failure(.credential, "no credential for \"\(scheme.printable)\": \(why)") { $0.parameter = scheme }
    }
}
