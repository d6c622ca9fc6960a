// Finds the credentials of a request; the program verifies them.

internal import RoutableCore

extension Reading {
    private func alternatives(_ call: ReceivedCall) -> [[AuthScheme]] { call.plan.operation.alternatives(router.router) }

    /// Those of the schemes that the operation accepts.
    func readCredentials(_ call: inout ReceivedCall) {
        for set in alternatives(call) {
            for scheme in set where !call.credentials.contains(where: { $0.scheme == scheme.name }) {
                if let value = credential(scheme) {
                    call.credentials.append(ReceivedCall.Credential(scheme: scheme.name, value: value))
                }
            }
        }
    }

    private func credential(_ scheme: AuthScheme) -> Bytes? {
        switch scheme.kind {
        case .bearer, .oauth2: return authorization(scheme.word)
        case .basic:
            guard let text = authorization("Basic") else { return nil }
            let (bytes, fault) = Base64.decode(text)
            return fault == nil && UTF8Check.isValid(bytes) ? bytes : nil
        case .digest: return authorization("Digest")
        case .key:
            switch scheme.location {
            case .header: return headers[scheme.parameter.lowercased]
            case .query: return pair(scheme.parameter, Bytes(incoming.target.storage[target.query]), "&", plusIsSpace: true)
            case .cookie: return pair(scheme.parameter, headers["cookie"] ?? Bytes(), ";", plusIsSpace: false)
            case .path: return nil
            }
        case .certificate, .custom: return nil
        }
    }

    /// The credentials after the name of a scheme in the Authorization header.
    private func authorization(_ word: Bytes) -> Bytes? {
        guard let value = headers["authorization"], value.count > word.count &+ 1, value.storage[word.count] == 0x20,
            Bytes(value.storage[..<word.count]).equalsIgnoringCase(word)
        else { return nil }
        return Bytes(value.storage[word.count...].drop { $0 == 0x20 })
    }

    private func pair(_ name: Bytes, _ text: Bytes, _ separator: Unicode.Scalar, plusIsSpace: Bool) -> Bytes? {
        for piece in text.split(on: UInt8(truncatingIfNeeded: separator.value)) {
            let item = Bytes(piece.storage.drop { $0 == 0x20 })
            guard let equals = item.storage.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = item.storage[..<equals].withUnsafeBytes { PercentCoding.decode($0, plusIsSpace: plusIsSpace) }
            if key != name { continue }
            return item.storage[(equals &+ 1)...].withUnsafeBytes { PercentCoding.decode($0, plusIsSpace: plusIsSpace) }
        }
        return nil
    }

    /// The names of the keys of the accepted schemes in one part of the request.
    func secretNames(_ call: ReceivedCall, _ location: ParameterLocation) -> Set<Bytes> {
        var names = Set<Bytes>()
        for set in alternatives(call) {
            for scheme in set where scheme.kind == .key && scheme.location == location { names.insert(scheme.parameter) }
        }
        return names
    }

    func isOfAuthorization(_ name: Bytes) -> Bool {
        router.router.description.authSchemes.contains {
            $0.name == name && ($0.kind == .bearer || $0.kind == .basic || $0.kind == .digest || $0.kind == .oauth2)
        }
    }

    /// A failure unless all credentials of one alternative are there.  A certificate, and what a function of the client adds,
    /// are not visible here.
    mutating func requireCredentials(_ call: ReceivedCall) throws(Failure) {
        let sets = alternatives(call)
        if sets.isEmpty { return }
        var names: [Bytes] = []
        for set in sets {
            let missing = set.filter { scheme in
                scheme.kind != .certificate && scheme.kind != .custom
                    && !call.credentials.contains { $0.scheme == scheme.name }
            }
            if missing.isEmpty { return }
            names.append(set.map { $0.name }.joined(by: " and "))
        }
        try refusals.add(
            Failure(.credential, "\(label(call.plan)): a credential is required: \(names.joined(by: ", or "))") {
                $0.allowed = names.ordered()
                $0.challenge = call.plan.operation.challenge(router.router)
                $0.parameter = names.count == 1 ? names.first ?? Bytes() : Bytes()
            }, RefusalStatus.unauthorized)
    }
}

extension OperationEntry {
    /// The sets of schemes of which the operation accepts one.
    func alternatives(_ router: Router) -> [[AuthScheme]] {
        let schemes = router.description.authSchemes
        return (description.auth?.alternatives ?? []).map { set in
            set.filter { schemes.indices.contains($0) }.map { schemes[$0] }
        }
    }

    /// The value of WWW-Authenticate (RFC 9110 section 11.6.1): the HTTP schemes that the operation accepts, each once.
    func challenge(_ router: Router) -> Bytes {
        var words: [Bytes] = []
        for scheme in alternatives(router).joined() {
            switch scheme.kind {
            case .bearer, .oauth2:
                if !words.contains(scheme.word) { words.append(scheme.word) }
            case .basic:
                let word: Bytes = "Basic realm=\"service\", charset=\"UTF-8\""
                if !words.contains(word) { words.append(word) }
            // The nonce of a challenge for Digest is the host's.
            case .digest, .key, .certificate, .custom: break
            }
        }
        return words.joined(by: ", ")
    }
}
