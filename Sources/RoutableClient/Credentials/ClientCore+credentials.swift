// The credentials of a client, and the credentials that a request needs.

internal import CSystem
package import RoutableCore
package import RoutablePerform

extension ClientCore {
    /// Sets the credential of a scheme that a description declares; replaces one that is set.
    ///
    /// - Throws: `argument` for a credential that cannot be sent; `url` for its token URL and its origin.
    package func setCredential(_ scheme: Bytes, _ credential: Credential) throws(Failure) {
        try credential.validate(scheme)
        // A credential that is known keeps its waiting transfers.
        if let known = credentials.find(scheme) {
            known.replace(credential)
        } else {
            credentials.add(StoredCredential(scheme, credential))
        }
    }

    /// Removes the credential of a scheme.  Transfers that wait for its refresh fail.
    package func removeCredential(_ scheme: Bytes) {
        credentials.find(scheme)?.replace(Credential())
        credentials.remove(scheme)
    }

    /// The credential of a scheme, with the tokens that its last refresh brought; nil when none is set.
    package func credential(_ scheme: Bytes) -> Credential? { credentials.find(scheme)?.current }

    /// The credentials that a request needs; nil for none.
    func authorization(
        _ request: Request, _ exchange: inout Exchange, _ policy: RequestPolicy?
    ) throws(Failure) -> Authorization? {
        if request.isElsewhere { return nil }
        let router = request.plan.router
        let schemes = router.description.authSchemes
        let given = try givenNeed(schemes, policy)
        let declared = request.plan.operation.description.auth
        if declared == nil && given == nil { return nil }
        let requirement = declared ?? AuthRequirement([])
        let knowledge = Authorization.Knowledge(
            request: { (scheme, values) throws(Failure) in
                self.exchange(try router.refreshRequest(scheme.refresh, values.refreshBodyBytes, values.refreshTokenBytes), nil)
            }, token: { (scheme, answer) throws(Failure) in try TokenDocument.read(answer, scheme) })
        return try authorization(&exchange, schemes, requirement, policy, given, knowledge, request.plan)
    }

    /// The credential that came with the request, whatever its operation declares.
    ///
    /// - Throws: `credential` for one of a scheme that the description does not have.
    private func givenNeed(_ schemes: [AuthScheme], _ policy: RequestPolicy?) throws(Failure) -> Authorization.Need? {
        guard let credential = policy?.credential, policy?.sendsCredentials != false else { return nil }
        guard let scheme = schemes.first(where: { $0.name == credential.name }) else {
            throw Failure.unknownName(
                .credential, "the description declares no scheme", credential.name, among: schemes.map { $0.name }
            ).with { $0.parameter = credential.name }
        }
        return scheme.kind == .certificate ? nil : Authorization.Need(scheme, credential)
    }

    /// The credentials that an exchange needs, of the first set of schemes that has them all; nil for none.  What the
    /// exchange brings by itself counts, and is kept from other origins.
    ///
    /// - Throws: `credential` when there is no such set.
    private func authorization(
        _ exchange: inout Exchange, _ schemes: [AuthScheme], _ requirement: AuthRequirement, _ policy: RequestPolicy?,
        _ given: Authorization.Need?, _ knowledge: Authorization.Knowledge, _ plan: Plan
    ) throws(Failure) -> Authorization? {
        if let given, given.scheme.kind == .key && given.scheme.location == .header {
            exchange.secretHeaders.append(given.scheme.parameter)
        }
        for set in requirement.alternatives {
            for index in set where schemes.indices.contains(index) {
                let scheme = schemes[index]
                if scheme.kind == .key && scheme.location == .header { exchange.secretHeaders.append(scheme.parameter) }
            }
        }
        if policy?.sendsCredentials == false { return nil }
        var missing: [Bytes] = []
        var mayGoWithout = requirement.alternatives.isEmpty
        for set in requirement.alternatives {
            if set.isEmpty { mayGoWithout = true }
            var needs: [Authorization.Need] = []
            var isMet = !set.isEmpty
            for index in set where schemes.indices.contains(index) {
                let scheme = schemes[index]
                if scheme.kind == .certificate || exchange.brings(scheme) { continue }
                if let found = policy?.credential.flatMap({ $0.name == scheme.name ? $0 : nil })
                    ?? credentials.find(scheme.name)
                {
                    needs.append(Authorization.Need(scheme, found))
                } else {
                    isMet = false
                    if !missing.contains(scheme.name) { missing.append(scheme.name) }
                }
            }
            if isMet, let given, !needs.contains(where: { $0.scheme.name == given.scheme.name }) { needs.append(given) }
            if isMet { return needs.isEmpty ? nil : Authorization(exchange, needs, knowledge, of: plan) }
        }
        // One that was given counts, also where the description asks for another, or for none.
        if let given { return Authorization(exchange, [given], knowledge, of: plan) }
        if mayGoWithout { return nil }
        // A credential under a name that is spelled differently is found by those that are set.
        let names = credentials.names
        let others: Bytes = names.isEmpty ? "" : "; it has: \(names)"
        throw Failure(
            .credential,
            "no credential is set for \(missing.ordered()), which the request requires; set one on the client\(others)"
        ) {
            $0.parameter = missing.first ?? Bytes()
            $0.allowed = missing.ordered()
        }
    }
}

/// The credentials of a client by name.
final class CredentialTable: @unchecked Sendable {
    private let lock = csystem_lock_new()
    private var all: [StoredCredential] = []

    deinit { csystem_lock_free(lock) }

    func find(_ name: Bytes) -> StoredCredential? {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return all.first { $0.name == name }
    }

    /// The names of all credentials, in order.
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

    func remove(_ name: Bytes) {
        csystem_lock_acquire(lock)
        let index = all.firstIndex { $0.name == name }
        let removed = index.map { all.remove(at: $0) }
        csystem_lock_release(lock)
        withExtendedLifetime(removed) {}
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
