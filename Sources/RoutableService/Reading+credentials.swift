// Finds the credentials of a request; the program verifies them.

internal import RoutableCore

extension Reading {
    private func alternatives(_ call: ReceivedCall) -> [[AuthScheme]] { call.plan.operation.alternatives(router.router) }

    /// Reads the credentials of the schemes that the operation accepts.
    func readCredentials(_ call: inout ReceivedCall) {
        for set in alternatives(call) {
            for scheme in set where !call.credentials.contains(where: { $0.scheme == scheme.name }) {
                if let value = credential(scheme) {
                    call.credentials.append(ReceivedCall.Credential(scheme: scheme.name, value: value))
                }
            }
        }
    }

    /// Keeps the credentials of the first alternative whose credentials are all good.  Returns false if there is no such alternative and
    /// a credential was not good.  The program also decides about credentials outside of the request: certificates and custom schemes.
    mutating func verifyCredentials(_ call: inout ReceivedCall) throws(Failure) -> Bool {
        guard let verify = options.verify else { return true }
        var good: [ReceivedCall.Credential] = []
        var areGood = true
        for each in call.credentials {
            if try isGood(each, verify) { good.append(each) } else { areGood = false }
        }
        let sets = alternatives(call)
        for scheme in sets.joined() where scheme.isOutsideOfRequest {
            let none = ReceivedCall.Credential(scheme: scheme.name, value: Bytes())
            if try isGood(none, verify) { good.append(none) }
        }
        let satisfied = sets.first { set in
            set.allSatisfy { scheme in good.contains { $0.scheme == scheme.name } } && (areGood || !set.isEmpty)
        }
        call.credentials = (satisfied ?? []).compactMap { scheme in good.first { $0.scheme == scheme.name } }
        return satisfied != nil || areGood
    }

    /// The verdict of the program, which is called once for each scheme: operations with the same path can share schemes, and verifying
    /// a credential can be slow or have side effects.
    private mutating func isGood(
        _ credential: ReceivedCall.Credential, _ verify: ReceiveOptions.Verification
    ) throws(Failure) -> Bool {
        if let known = verdicts[credential.scheme] { return known }
        let isGood = try verify(credential.scheme, credential.value)
        verdicts[credential.scheme] = isGood
        return isGood
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
            case .header:
                let value = headers[scheme.parameter.lowercased]
                return scheme.word.isEmpty ? value : value.flatMap { $0.credential(after: scheme.word) }
            case .query: return pair(scheme.parameter, Bytes(incoming.target.storage[target.query]), "&", plusIsSpace: true)
            case .cookie: return pair(scheme.parameter, headers["cookie"] ?? Bytes(), ";", plusIsSpace: false)
            case .path: return nil
            }
        case .certificate, .custom: return nil
        }
    }

    /// The credential after the scheme's name in the Authorization header.
    private func authorization(_ word: Bytes) -> Bytes? { headers["authorization"].flatMap { $0.credential(after: word) } }

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

    /// The names of the keys of the accepted schemes in one location of the request.
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

    /// Adds a failure unless the request has all credentials of one alternative.  Without a function that verifies them, credentials that
    /// are not in the request count as present.
    ///
    /// - Parameter areGood: false if a credential of the request is not good; then an alternative without credentials is not sufficient.
    mutating func requireCredentials(_ call: ReceivedCall, _ areGood: Bool) throws(Failure) {
        let sets = alternatives(call)
        if call.plan.operation.description.auth?.isUnknown == true {
            return try refusals.add(
                Failure(.credential, "\(label(call.plan)): the description lacks the schemes of the required credentials"),
                RefusalStatus.unauthorized)
        }
        if sets.isEmpty { return }
        var names: [Bytes] = []
        for set in sets {
            let missing = set.filter { scheme in
                (options.verify != nil || !scheme.isOutsideOfRequest) && !call.credentials.contains { $0.scheme == scheme.name }
            }
            if missing.isEmpty && (areGood || !set.isEmpty) { return }
            if set.isEmpty { continue }
            names.append(set.map { $0.name }.joined(by: " and "))
        }
        try refusals.add(
            Failure(
                .credential,
                "\(label(call.plan)): \(areGood ? "a credential is required" : "the credential is not valid"): \(names.joined(by: ", or "))"
            ) {
                $0.allowed = names.ordered()
                $0.challenge = call.plan.operation.challenge(router.router) { verdicts[$0] == false }
                $0.parameter = names.count == 1 ? names.first ?? Bytes() : Bytes()
            }, RefusalStatus.unauthorized)
    }
}

extension UnsafeRawBufferPointer {
    /// The credential after the scheme's name, without the spaces between them; nil for another scheme.
    func credential(after word: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard count > word.count &+ 1, self[word.count] == 0x20, part(0, word.count).isName(word) else { return nil }
        var start = word.count
        while start < count, self[start] == 0x20 { start &+= 1 }
        return part(start, count)
    }
}

extension Bytes {
    fileprivate func credential(after word: Bytes) -> Bytes? {
        storage.withUnsafeBytes { own in word.storage.withUnsafeBytes { own.credential(after: $0).map { Bytes($0) } } }
    }
}

extension AuthScheme {
    /// Whether the credential is not in the request: a certificate, and headers of a scheme that the library does not know.
    fileprivate var isOutsideOfRequest: Bool { kind == .certificate || kind == .custom }
}

extension OperationEntry {
    /// The alternatives of the operation: sets of schemes, one of which is sufficient.
    func alternatives(_ router: Router) -> [[AuthScheme]] {
        let schemes = router.description.authSchemes
        return (description.auth?.alternatives ?? []).map { set in
            set.filter { schemes.indices.contains($0) }.map { schemes[$0] }
        }
    }

    /// The value of WWW-Authenticate (RFC 9110 section 11.6.1): the schemes that the operation accepts, without duplicates.
    ///
    /// - Parameter isRefused: whether the request has a credential of the scheme that is not good (RFC 6750 section 3.1).
    func challenge(_ router: Router, isRefused: (Bytes) -> Bool = { _ in false }) -> Bytes {
        var words: [Bytes] = []
        for scheme in alternatives(router).joined() {
            switch scheme.kind {
            case .bearer, .oauth2:
                var word: Bytes = "\(scheme.word) realm=\"service\""
                if scheme.word.isName("bearer") && isRefused(scheme.name) { word.append(", error=\"invalid_token\"") }
                if !words.contains(word) { words.append(word) }
            case .basic:
                let word: Bytes = "Basic realm=\"service\", charset=\"UTF-8\""
                if !words.contains(word) { words.append(word) }
            // A key has no scheme of HTTP authentication, but a response with 401 requires a challenge.
            case .key:
                let word: Bytes = "ApiKey realm=\"service\""
                if !words.contains(word) { words.append(word) }
            // A challenge for Digest needs a nonce of the host.
            case .digest, .certificate, .custom: break
            }
        }
        return words.joined(by: ", ")
    }
}
