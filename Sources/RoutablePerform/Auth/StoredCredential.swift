// The credential of one scheme through its refreshes.

internal import CSystem
package import RoutableCore

/// A client's credential of one scheme, with the refresh in progress.  Any thread.
package final class StoredCredential: @unchecked Sendable {
    package let name: Bytes
    /// The description that declares the scheme.
    package let owner: CredentialOwner
    private let lock: OpaquePointer
    // Guarded by the lock.
    private var state: CredentialState
    private var values: Credential
    /// The refresh in progress.
    private var refresh: CredentialRefresh?
    /// The reason why the last refresh failed.
    private var failure: Failure?

    package init(_ name: Bytes, _ values: Credential, of owner: CredentialOwner) {
        self.name = name
        self.owner = owner
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

    package func replace(_ new: Credential) {
        var old: Credential?
        locked {
            old = values
            values = new
            failure = nil
            state.replaced(
                hasToken: new.hasToken, canRefresh: new.canRefresh, lifetime: new.lifetimeMilliseconds,
                now: csystem_monotonic_ms())
        }
        // The release function of the program may be called here, without the lock.
        withExtendedLifetime(old) {}
    }

    /// The current values.
    package var current: Credential { locked { values } }

    /// The reason why the credential is not sent to a URL; nil if it may be sent.
    package func refusal(of url: Text) -> Failure? { locked { values.originBytes }.flatMap { Failure.foreign(name, $0, url) } }

    /// The result of `ask`.
    enum Found {
        case go(Credential, Int)
        /// Wait for this refresh; `begins` is true if it is not submitted yet.
        case wait(CredentialRefresh, begins: Bool)
        case refused
        case failed(Failure)
    }

    /// Returns how a transfer continues that is about to be sent, or that was rejected after it was sent with a generation.  `make` creates
    /// the refresh, if one is required.
    func ask(_ scheme: AuthScheme, refused generation: Int?, _ make: (Credential, Int) -> CredentialRefresh) -> Found {
        let now = csystem_monotonic_ms()
        return locked {
            state.know(hasToken: values.hasToken(scheme), canRefresh: values.canRefresh(scheme))
            let decision = generation.map { state.refused($0, now: now) } ?? state.admit(now: now)
            switch decision {
            case .go(let generation): return .go(values, generation)
            case .refresh:
                let made = make(values, state.generation)
                refresh = made
                return .wait(made, begins: true)
            case .wait:
                guard let refresh else { return .failed(Failure(.internal, "a refresh is in progress without a transfer")) }
                return .wait(refresh, begins: false)
            case .refused: return .refused
            case .missing:
                if scheme.kind == .oauth2 && !values.userBytes.isEmpty { return .failed(Failure.noTokenURL(scheme)) }
                return .failed(Failure.missingCredential(name, "it has no token, and no refresh is configured"))
            case .failed: return .failed(failure ?? Failure.missingCredential(name, "its refresh has failed"))
            case .excessive:
                return .failed(
                    Failure(
                        .excessiveRefresh,
                        "the credential \"\(name.printable)\" was refreshed \(CredentialState.maximumRefreshes) times in \(Int(CredentialState.window / 1000)) s, and requires another refresh"
                    ) { $0.parameter = name })
            }
        }
    }

    /// Ends the refresh that began with a generation.
    func refreshed(_ generation: Int, _ token: Token) {
        var observer: TokenObserver?
        var tokens: RefreshedTokens?
        locked {
            refresh = nil
            if state.refreshed(generation, lifetime: token.lifetimeMilliseconds, now: csystem_monotonic_ms()) {
                let old = values.refreshTokenBytes
                values.tokenBytes = token.value
                if let refresh = token.refresh { values.refreshTokenBytes = refresh }
                failure = nil
                observer = values.observer
                tokens = RefreshedTokens(
                    scheme: name, token: token.value, refreshToken: values.refreshTokenBytes,
                    hasRotated: old != values.refreshTokenBytes, lifetimeMilliseconds: token.lifetimeMilliseconds)
            }
        }
        // A function of the program, called without the lock.
        if let observer, let tokens { observer.call(tokens) }
    }

    /// Drops a refresh token that the service no longer accepts.  Returns whether the password can replace it.
    func dropsRefreshToken(_ generation: Int, _ refused: Bytes) -> Bool {
        locked {
            guard generation == state.generation, !refused.isEmpty, values.refreshTokenBytes == refused,
                !values.userBytes.isEmpty
            else { return false }
            refresh = nil
            values.refreshTokenBytes = Bytes()
            state.refreshEnded(generation)
            return true
        }
    }

    func refreshFailed(_ generation: Int, _ why: Failure, isFinal: Bool) {
        locked {
            refresh = nil
            if generation == state.generation { failure = why }
            state.refreshFailed(generation, isFinal: isFinal)
        }
    }
}

extension Failure {
    /// nil if the URL has the only origin that may receive the credential.
    static func foreign(_ scheme: Bytes, _ origin: Bytes, _ url: Text) -> Failure? {
        guard let wanted = Origin(of: Text(origin)), let there = Origin(of: url), wanted != there else { return nil }
        return missingCredential(
            scheme, "the client has one for \(wanted.text), but the request is sent to \(there.text)"
        ).with { $0.allowed = [scheme] }
    }

    /// The failure for a user and a password of an OAuth 2 scheme whose token endpoint is unknown.
    static func noTokenURL(_ scheme: AuthScheme) -> Failure {
        let place = scheme.passwordURL.map { $0.isEmpty ? Bytes() : ", \(Base.shown($0).printable)," as Bytes } ?? Bytes()
        return missingCredential(
            scheme.name,
            "a user and a password are for its OAuth 2 token endpoint\(place) not for the API, and the description names no absolute URL of it: set token_url"
        ).with { $0.allowed = [scheme.name] }
    }

    static func missingCredential(_ scheme: Bytes, _ why: Bytes) -> Failure {
        Failure(.credential, "no credential for \"\(scheme.printable)\": \(why)") { $0.parameter = scheme }
    }
}
