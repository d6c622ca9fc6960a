// A refresh as a transfer of the engine: one request, or one call of the program's function, for which transfers wait.

package import RoutableCore

/// The refresh of a credential that is in progress; there is at most one.
package final class CredentialRefresh: SubmittedTransfer, @unchecked Sendable {
    let credential: StoredCredential
    /// The name of the scheme.
    package var scheme: Bytes { credential.name }
    let generation: Int
    /// The token to replace, or empty.
    package let oldToken: Bytes
    /// The refresh token of the credential, or empty.
    package let refreshToken: Bytes
    /// The request that requires the token, and the challenge in the response that rejected it; empty if the request was not sent yet.
    package private(set) var url = Text.empty
    package private(set) var plan: Plan?
    package private(set) var challenge = Bytes()
    private let read: (Answer) throws(Failure) -> Token
    /// The program's function that is called instead of sending a request; released when the refresh has ended.
    private(set) var refresher: Refresher?
    /// The reason why the refresh failed; set before it has ended.
    private(set) var failure: Failure?
    /// The reply of the program, until the driving thread processes it.  Guarded by the engine's lock.
    var answer: Result<Token, Failure>?

    init(
        _ credential: StoredCredential, _ generation: Int, _ values: Credential,
        _ read: @escaping (Answer) throws(Failure) -> Token
    ) {
        self.credential = credential
        self.generation = generation
        oldToken = values.tokenBytes
        refreshToken = values.refreshTokenBytes
        refresher = values.refresher
        self.read = read
        super.init(wantsCall: false)
        isRefresh = true
        isQueued = false
    }

    func serves(_ url: Text, _ plan: Plan?, _ challenge: Bytes) {
        self.url = url
        self.plan = plan
        self.challenge = challenge
    }

    func begin(with exchange: Exchange?, _ policy: TransferPolicy) {
        if let exchange { self.exchange = exchange }
        self.policy = policy
    }

    override package func answered(_ answer: consuming Answer) {
        let answer = answer
        do { succeed(try read(answer)) } catch {
            // A service that is down or busy may accept the next request.
            let isBusy = answer.status >= 500 || answer.status == 429 || answer.status == 408
            if (answer.status == 400 || answer.status == 401) && credential.dropsRefreshToken(generation, refreshToken) {
                return
            }
            fail(error, isFinal: !isBusy)
        }
    }

    override package func failed(_ failure: Failure) { fail(failure.refreshing(credential.name), isFinal: false) }

    /// Removes the reference from the credential to this object: the two would retain each other.
    override func abandoned() {
        refresher = nil
        credential.refreshFailed(generation, Failure(.argument, "the client was closed"), isFinal: false)
    }

    /// Releases the function, since an alarm may still retain the transfer.
    func letGo() { refresher = nil }

    func take(_ answer: Result<Token, Failure>) {
        switch answer {
        case .success(let token): succeed(token)
        case .failure(let failure): fail(failure, isFinal: true)
        }
    }

    private func succeed(_ token: Token) { credential.refreshed(generation, token) }

    private func fail(_ why: Failure, isFinal: Bool) {
        failure = why
        credential.refreshFailed(generation, why, isFinal: isFinal)
    }

    // MARK: For the program

    /// Sets the new token, and the token for the next refresh; nil keeps the present one.  Rejects an empty token, and one that a
    /// header cannot contain.
    package func finish(_ token: Bytes, lifetimeMilliseconds: Int64?, refreshToken: Bytes? = nil) throws(Failure) {
        if let refreshToken, !HeaderField.isValidValue(refreshToken) || refreshToken.count > Limits.valueBytes {
            let reason: Bytes = "the refresh token is too long, or contains a control character"
            fail(reason)
            throw Failure(.argument, reason)
        }
        if token.isEmpty || !HeaderField.isValidValue(token) || token.count > Limits.valueBytes {
            let reason: Bytes = "the token is empty, too long, or contains a control character"
            fail(reason)
            throw Failure(.argument, reason)
        }
        finish(Token(token, lifetimeMilliseconds: lifetimeMilliseconds, refresh: refreshToken))
    }

    /// Sets the new token.  Any thread; only the first call has an effect.
    package func finish(_ token: Token) { engine?.answer(self, .success(token)) }

    /// Ends the refresh without a token; the message must not contain a secret.
    package func fail(_ message: Bytes) {
        engine?.answer(
            self,
            .failure(
                Failure(.credential, "the credential \"\(credential.name.printable)\" could not be refreshed: \(message)") {
                    $0.parameter = self.credential.name
                }))
    }
}

extension Failure {
    /// This failure as the reason why a refresh failed.
    func refreshing(_ name: Bytes) -> Failure {
        Failure(.credential, "the credential \"\(name.printable)\" could not be refreshed: \(message)") {
            $0.parameter = name
            $0.curlCode = fields.curlCode
            $0.httpStatus = fields.httpStatus
            $0.next = self
        }
    }
}
