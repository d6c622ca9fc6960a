// The credentials of a client, and the credentials that a request needs.

internal import CSystem
package import RoutableCore
package import RoutablePerform

extension ClientCore {
    /// Sets the credential of a scheme that a description declares; replaces an existing one.
    ///
    /// - Parameter router: The description; nil for the description of the client.
    /// - Throws: `argument` for a credential that cannot be sent, and for a scheme that the description does not declare; `url` for
    ///   the token URL and the origin of the credential.
    package func setCredential(_ scheme: Bytes, _ credential: Credential, of router: Router? = nil) throws(Failure) {
        try credential.validate(scheme)
        if let router = router ?? owner.named {
            let schemes = router.description.authSchemes
            if !schemes.contains(where: { $0.name == scheme }) {
                throw Failure.unknownName(
                    .argument, "the description declares no scheme", scheme, among: schemes.map { $0.name }
                ).with { $0.parameter = scheme }
            }
        }
        // An existing credential keeps its waiting transfers.
        if let known = credentials.find(scheme, of: router, owner) {
            known.replace(credential)
        } else {
            credentials.add(StoredCredential(scheme, credential, of: router.map { CredentialOwner($0) } ?? owner))
        }
    }

    /// Removes the credentials of a scheme, of one description or, if `router` is nil, of all.  Transfers that wait for a refresh fail.
    package func removeCredential(_ scheme: Bytes, of router: Router? = nil) {
        for removed in credentials.remove(scheme, of: router) { removed.replace(Credential()) }
    }

    /// The credential of a scheme, with the tokens of its last refresh; nil if none is set.
    ///
    /// - Parameter router: The description; nil for the description of the client, or the only one that has such a credential.
    /// - Throws: `argument` if several descriptions have one, and none of them is the description of the client.
    package func credential(_ scheme: Bytes, of router: Router? = nil) throws(Failure) -> Credential? {
        if let found = credentials.find(scheme, of: router, owner) { return found.current }
        if router != nil { return nil }
        let others = credentials.all(scheme)
        if others.count > 1 {
            throw Failure(
                .argument, "several descriptions have a credential \"\(scheme.printable)\" of this client: name one of them")
        }
        return others.first?.current
    }

    /// The credentials that a request needs; nil if it needs none.
    func authorization(
        _ request: Request, _ exchange: inout Exchange, _ policy: RequestPolicy?, isShown: Bool = false
    ) throws(Failure) -> Authorization? {
        if request.isElsewhere { return nil }
        let router = request.plan.router
        let isOwn = owner.claims(router, at: exchange.url, isFirst: !isShown)
        let given = try givenNeed(router, policy)
        let declared = request.plan.operation.description.auth
        if declared == nil && given == nil { return nil }
        let requirement = declared ?? AuthRequirement([])
        let knowledge = Authorization.Knowledge(
            request: { (scheme, values) throws(Failure) in
                self.exchange(try router.refreshRequest(scheme.refresh, values.refreshBodyBytes, values.refreshTokenBytes), nil)
            }, token: { (scheme, answer, secrets) throws(Failure) in try TokenDocument.read(answer, scheme, secrets) },
            rejects: { $0.rejects($1, $2) })
        return try authorization(&exchange, isOwn, requirement, policy, given, knowledge, request.plan)
    }

    /// The credential of the request's policy, even if its operation does not require the scheme; nil if it belongs to the request
    /// of another description, which a middleware has replaced by this request.
    ///
    /// - Throws: `credential` for a scheme that the description does not declare.
    private func givenNeed(_ router: Router, _ policy: RequestPolicy?) throws(Failure) -> Authorization.Need? {
        guard let credential = policy?.credential, policy?.sendsCredentials != false, credential.owner.claims(router, at: nil)
        else { return nil }
        let schemes = router.description.authSchemes
        guard let scheme = schemes.first(where: { $0.name == credential.name }) else {
            throw Failure.unknownName(
                .credential, "the description declares no scheme", credential.name, among: schemes.map { $0.name }
            ).with { $0.parameter = credential.name }
        }
        return scheme.kind == .certificate ? nil : Authorization.Need(located(scheme, router), credential)
    }

    /// The scheme with an absolute token URL, if the description has one relative to its base, as FastAPI does.
    private func located(_ scheme: AuthScheme, _ router: Router) -> AuthScheme {
        guard let relative = scheme.passwordURL, !relative.isEmpty, URIReference(relative).scheme == nil,
            let prefix = base?.prefix ?? router.base?.prefix, URIReference(prefix).scheme != nil
        else { return scheme }
        var located = scheme
        located.passwordURL = URIReference(relative).resolved(against: "\(prefix)/")
        return located
    }

    /// The credentials that an exchange needs, of the first alternative whose credentials are all set; nil for none.  Credentials that
    /// the exchange already contains are used, and are not sent to other origins.
    ///
    /// - Throws: `credential` if there is no such alternative.
    private func authorization(
        _ exchange: inout Exchange, _ isOwn: Bool, _ requirement: AuthRequirement, _ policy: RequestPolicy?,
        _ given: Authorization.Need?, _ knowledge: Authorization.Knowledge, _ plan: Plan
    ) throws(Failure) -> Authorization? {
        let schemes = plan.router.description.authSchemes
        if let given, given.scheme.kind == .key && given.scheme.location == .header {
            exchange.secretHeaders.append(given.scheme.parameter)
        }
        for set in requirement.alternatives {
            for index in set where schemes.indices.contains(index) {
                let scheme = schemes[index]
                if scheme.kind == .key && scheme.location == .header { exchange.secretHeaders.append(scheme.parameter) }
            }
        }
        if options.transport != nil,
            requirement.alternatives.joined().contains(where: {
                schemes.indices.contains($0) && schemes[$0].kind == .digest && policy?.sendsCredentials != false
            }) || options.transport != nil && given?.scheme.kind == .digest
        {
            throw Failure(.unsupported, "the scheme digest requires libcurl, which a client with a transport does not use")
        }
        if policy?.sendsCredentials == false || options.sendsNoCredentials && policy?.credential == nil { return nil }
        var missing: [Bytes] = []
        var elsewhere: Failure?
        var mayGoWithout = requirement.alternatives.isEmpty
        for set in requirement.alternatives {
            if set.isEmpty { mayGoWithout = true }
            var needs: [Authorization.Need] = []
            var isMet = !set.isEmpty
            for index in set where schemes.indices.contains(index) {
                let scheme = located(schemes[index], plan.router)
                if scheme.kind == .certificate || exchange.brings(scheme) { continue }
                if let given, given.scheme.name == scheme.name {
                    needs.append(given)
                } else if let found = credentials.find(scheme.name, for: plan.router, owner, isOwn: isOwn) {
                    if let refusal = found.refusal(of: exchange.url) {
                        isMet = false
                        elsewhere = elsewhere ?? refusal
                    }
                    needs.append(Authorization.Need(scheme, found))
                } else {
                    isMet = false
                    if !missing.contains(scheme.name) { missing.append(scheme.name) }
                }
            }
            if isMet, let given, !needs.contains(where: { $0.scheme.name == given.scheme.name }) { needs.append(given) }
            if isMet { return needs.isEmpty ? nil : Authorization(exchange, needs, knowledge, of: plan) }
        }
        // A credential of the request's policy is sent even if the operation requires another one, or none.
        if let given { return Authorization(exchange, [given], knowledge, of: plan) }
        if mayGoWithout { return nil }
        if let elsewhere { throw elsewhere }
        throw missingCredential(missing, plan.router)
    }

    private func missingCredential(_ missing: [Bytes], _ router: Router) -> Failure {
        var others: Bytes = ""
        if let name = missing.first(where: { !credentials.all($0).isEmpty }) {
            // A description without a name is identified by its base.
            func shown(_ router: Router?) -> Bytes {
                guard let router else { return "another description" }
                if !router.name.isEmpty { return "the description \"\(router.name.bytes.printable)\"" }
                return router.base.map { "the description of \(Base.shown($0.source).printable)" } ?? "another description"
            }
            others =
                "; its \"\(name.printable)\" belongs to \(shown(credentials.all(name).first?.owner.router)), and is never sent with a request of \(shown(router)): set one that names the router of this request"
        } else if case let names = credentials.names, !names.isEmpty {
            // The names that are set help to find a misspelled one.
            others = "; it has: \(names)"
        }
        return Failure(
            .credential,
            "no credential is set for \(missing.ordered()), which the request requires; set one on the client\(others)"
        ) {
            $0.parameter = missing.first ?? Bytes()
            $0.allowed = missing.ordered()
        }
    }
}

/// The credentials of a client by description and name.
final class CredentialTable: @unchecked Sendable {
    private let lock = csystem_lock_new()
    private var all: [StoredCredential] = []

    deinit { csystem_lock_free(lock) }

    /// The credential that was set for the description; if `router` is nil, that of the client.
    func find(_ name: Bytes, of router: Router?, _ client: CredentialOwner) -> StoredCredential? {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        let wanted = router ?? client.router
        return all.first {
            $0.name == name && (router == nil && $0.owner === client || wanted != nil && $0.owner.router === wanted)
        }
    }

    /// The credential for a request of a description: one that was set for the description, or else, if the client's credentials belong
    /// to it, one that was set for no particular description.
    func find(_ name: Bytes, for router: Router, _ client: CredentialOwner, isOwn: Bool) -> StoredCredential? {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return all.first { $0.name == name && $0.owner !== client && $0.owner.router === router }
            ?? (isOwn ? all.first { $0.name == name && $0.owner === client } : nil)
    }

    /// The credentials with this name, of all descriptions.
    func all(_ name: Bytes) -> [StoredCredential] {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return all.filter { $0.name == name }
    }

    /// The names of all credentials, sorted.
    var names: [Bytes] {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return all.map { $0.name }.ordered()
    }

    func add(_ credential: StoredCredential) {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        all.append(credential)
    }

    /// Removes the credentials with this name, of one description or of all.  Returns them, because their release may call the program.
    func remove(_ name: Bytes, of router: Router?) -> [StoredCredential] {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        let removed = all.filter { $0.name == name && (router == nil || $0.owner.router === router) }
        all.removeAll { each in removed.contains { $0 === each } }
        return removed
    }
}

extension Exchange {
    /// Whether the host has already added the credential that the scheme requires.
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
