// A client's credentials, and the blocking transfer that waits for one.

internal import CSystem
public import RoutableCore

extension Client {
    /// The request with its credentials, after a refresh that it needs.
    func admit(_ authorization: Authorization, _ deadline: Int64) throws(Failure) -> Exchange {
        while true {
            switch try authorization.admit() {
            case .send(let exchange):
                try exchange.check()
                return exchange
            case .wait(let refresh, let begins): try wait(refresh, begins, authorization, deadline)
            case .deliver: throw Failure(.internal, "a credential was refused before it was sent")
            }
        }
    }

    /// After a 401: the request with newer credentials, or nil when the answer is the outcome.
    func challenge(_ authorization: Authorization, _ deadline: Int64) throws(Failure) -> Exchange? {
        switch try authorization.refused() {
        case .send(let exchange):
            try exchange.check()
            return exchange
        case .deliver: return nil
        case .wait(let refresh, let begins):
            try wait(refresh, begins, authorization, deadline)
            return try admit(authorization, deadline)
        }
    }

    /// A refresh is a job of the engine, whoever wants it: this thread drives while it waits.
    private func wait(
        _ refresh: RefreshJob, _ begins: Bool, _ authorization: Authorization, _ deadline: Int64
    ) throws(Failure) {
        if begins {
            do throws(Failure) {
                try authorization.prepare(refresh, options.policy)
                try engine().submit(refresh)
            } catch {
                refresh.failed(error)
                return
            }
        }
        let left = deadline == .max ? -1 : max(0, deadline &- csystem_monotonic_ms())
        switch try engine().wait(for: refresh, milliseconds: left) {
        case .ended, .calling: return
        case .cancelled: throw Failure(.argument, "the client was closed")
        case .running:
            if deadline != .max && csystem_monotonic_ms() >= deadline {
                throw Failure(.timeout, "the credential \"\(refresh.credential.name.printable)\" was not refreshed in time")
            }
            throw Failure(
                .argument,
                "a callback waits for the refresh of a credential, which can only end after it: submit the request instead")
        }
    }

    // MARK: Credentials

    /// Sets the credential of a scheme, or another one.
    public func setCredential(_ name: Bytes, _ values: CredentialValues) throws(Failure) {
        try values.validate(name)
        // A credential that is known keeps its waiting transfers.
        if let known = credential(name) { known.replace(values) } else { credentials.add(Credential(name, values)) }
    }

    /// What waits for it finds it gone.
    public func removeCredential(_ name: Bytes) {
        credentials.find(name)?.replace(CredentialValues())
        credentials.remove(name)
    }

    public func credential(_ name: Bytes) -> Credential? { credentials.find(name) }
}

/// The credentials of a client by name.
final class CredentialTable: @unchecked Sendable {
    private let lock = csystem_lock_new()
    private var all: [Credential] = []

    deinit { csystem_lock_free(lock) }

    func find(_ name: Bytes) -> Credential? {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return all.first { $0.name == name }
    }

    func add(_ credential: Credential) {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        all.append(credential)
    }

    func remove(_ name: Bytes) {
        csystem_lock_acquire(lock)
        let index = all.firstIndex { $0.name == name }
        let removed = index.map { all.remove(at: $0) }
        csystem_lock_release(lock)
        withExtendedLifetime(removed) {}
    }
}

extension CredentialValues {
    /// Refuses what must not reach the wire.
    public func validate(_ name: Bytes) throws(Failure) {
        func refused(_ why: Bytes) -> Failure {
            Failure(.argument, "the credential \"\(name.printable)\": \(why)") { $0.parameter = name }
        }
        if name.isEmpty { throw refused("its scheme has no name") }
        for text in [token, refreshToken, clientId, clientSecret] where !HeaderField.isValidValue(text) {
            throw refused("a token, a key or a secret has a control byte")
        }
        if user.storage.contains(UInt8(ascii: ":")) { throw refused("the user's name has a colon, which basic cannot carry") }
        if !HeaderField.isValidValue(user) || !HeaderField.isValidValue(password) {
            throw refused("the name or the password has a control byte")
        }
        if !hasToken && !canRefresh && refreshToken.isEmpty && clientId.isEmpty {
            throw refused("it has no token, no user, and no way to a token")
        }
        if !tokenURL.isEmpty && !Origin.isValid(SharedText(tokenURL)) {
            throw Failure(.url, "the token URL is not an http or https URL without credentials") { $0.parameter = name }
        }
        if let origin, !Origin.isValid(SharedText(origin)) {
            throw Failure(.url, "the origin of a credential is like https://api.example.com") { $0.parameter = name }
        }
    }
}

extension Client {
    /// The credentials that an exchange needs, of the first set of schemes that has them all; nil for none.  What the
    /// exchange brings by itself counts, and is kept from other origins.
    ///
    /// - Throws: `credential` when there is no such set.
    public func authorization(
        _ exchange: inout Exchange, _ schemes: [AuthScheme], _ requirement: AuthRequirement, _ changes: PolicyChanges?,
        _ knowledge: Authorization.Knowledge
    ) throws(Failure) -> Authorization? {
        for set in requirement.alternatives {
            for index in set where schemes.indices.contains(index) {
                let scheme = schemes[index]
                if scheme.kind == .key && scheme.location == .header { exchange.secretHeaders.append(scheme.parameter) }
            }
        }
        if changes?.sendsCredentials == false { return nil }
        var missing: [Bytes] = []
        var mayGoWithout = requirement.alternatives.isEmpty
        for set in requirement.alternatives {
            if set.isEmpty { mayGoWithout = true }
            var needs: [Authorization.Need] = []
            var isMet = !set.isEmpty
            for index in set where schemes.indices.contains(index) {
                let scheme = schemes[index]
                if scheme.kind == .certificate || exchange.brings(scheme) { continue }
                if let found = changes?.credential.flatMap({ $0.name == scheme.name ? $0 : nil }) ?? credential(scheme.name) {
                    needs.append(Authorization.Need(scheme, found))
                } else {
                    isMet = false
                    if !missing.contains(scheme.name) { missing.append(scheme.name) }
                }
            }
            if isMet { return needs.isEmpty ? nil : Authorization(exchange, needs, knowledge) }
        }
        if mayGoWithout { return nil }
        throw Failure(
            .credential, "no credential is set for \(missing.ordered()); set one on the client, which the request needs"
        ) {
            $0.parameter = missing.first ?? Bytes()
            $0.allowed = missing.ordered()
        }
    }
}

extension Exchange {
    /// Whether the host has put in what the scheme wants.
    fileprivate func brings(_ scheme: AuthScheme) -> Bool {
        guard scheme.kind == .key else { return headers.index(of: "authorization") != nil }
        switch scheme.location {
        case .query:
            let wanted: Bytes = "\(PercentCoding.encode(scheme.parameter, .unreserved))="
            guard let start = url.bytes.storage.firstIndex(of: UInt8(ascii: "?")) else { return false }
            return Bytes(url.bytes.storage[(start &+ 1)...]).split(on: UInt8(ascii: "&")).contains { $0.hasPrefix(wanted) }
        case .cookie:
            guard let index = headers.index(of: "cookie") else { return false }
            return Bytes(headers.value(index)).split(on: UInt8(ascii: ";")).contains {
                Bytes($0.storage.drop { $0 == 0x20 }).hasPrefix("\(scheme.parameter)=")
            }
        default: return headers.value(of: scheme.parameter) != nil
        }
    }
}

extension RefreshJob {
    /// The host's new token.  Refused: an empty one, and what cannot be in a header.
    public func finish(_ token: Bytes, lifetimeMilliseconds: Int64?) throws(Failure) {
        if token.isEmpty || !HeaderField.isValidValue(token) || token.count > Limits.valueBytes {
            fail("the host's function gave an empty token, or one with control bytes")
            throw Failure(.argument, "a token is not empty and has no control byte")
        }
        finish(Token(token, lifetimeMilliseconds: lifetimeMilliseconds))
    }
}
