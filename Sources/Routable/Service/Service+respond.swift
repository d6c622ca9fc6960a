// Answers a request: reads it, verifies its credentials, calls its handler, and validates the response.

public import RoutableCore
internal import RoutableService

extension Service {
    /// Answers a request.
    ///
    /// Every request has a response: the response to a failure is a problem document (RFC 9457), that to HEAD has no body, and that to OPTIONS
    /// has an `Allow` header.
    ///
    /// - Parameter target: the path with the query, as a server receives it, or a URL, whose scheme and host are ignored.
    public func respond(
        method: String, target: String, headers: [HeaderField] = [], body: Bytes = Bytes()
    ) async -> APIResponse {
        let answer = await answer(method: method, target: target, headers: headers, body: body)
        return APIResponse(answer, answer.body.isEmpty ? .empty : .raw, .empty)
    }

    /// A transport that answers the requests of a client with this service, without a network.
    ///
    ///     let client = Client(transport: service.transport)
    public var transport: any Transport { ServiceTransport(service: self) }

    func answer(method: String, target: String, headers: [HeaderField], body: Bytes) async -> Answer {
        let incoming = Incoming(method: Bytes(method), target: Bytes(target), headers: headers, body: body)
        let reply = await reply(to: incoming)
        do throws(Failure) { return try reply.answer(incoming.target) } catch {
            report(error, nil)
            let failed = Self.failed(incoming.method)
            return Answer(status: failed.status, headers: failed.headers, body: failed.body, url: Text(incoming.target))
        }
    }

    private func reply(to incoming: Incoming) async -> RoutableService.Reply {
        let core = RoutableService.Received(planned)
        // Credentials are verified before anything but the path is read, so that a client without access learns nothing about the operation.
        let (found, first) = readWithoutCredentials(incoming, core)
        let identities: [(scheme: Bytes, identity: any Sendable)]
        do { identities = try await self.identities(found) } catch {
            report(error, nil)
            return Self.failed(incoming.method)
        }
        let call: ReceivedCall
        do throws(Failure) {
            call =
                try found.isEmpty
                ? first.get() : read(incoming, core) { scheme, _ in identities.contains { $0.scheme == scheme } }
        } catch {
            return refused(error, incoming.method, nil)
        }
        let received = Received(core, call, method: incoming.method.string, Coders(encoder: encoder, decoder: decoder))
        for credential in call.credentials {
            if let found = identities.first(where: { $0.scheme == credential.scheme }) {
                received.add(found.identity, of: credential.scheme.string)
            }
        }
        let reply: Reply
        do {
            guard let handler = handler(of: received) else { throw Refusal.absent(received) }
            reply = try await handler(received)
        } catch let refusal as Refusal {
            return refused(refusal, received)
        } catch {
            report(error, received)
            return Self.failed(incoming.method)
        }
        do throws(Failure) { return try reply.made(for: core, received.coders) } catch {
            return refused(error, incoming.method, received)
        }
    }

    private var options: ReceiveOptions {
        var options = ReceiveOptions()
        options.basePath = basePath.map { Bytes($0) }
        options.maximumBodyBytes = maximumBodyBytes
        options.refusesUndeclared = refusesUndeclared
        options.requiresCredentials = true
        return options
    }

    private func read(
        _ incoming: Incoming, _ core: RoutableService.Received, _ verify: @escaping ReceiveOptions.Verification
    ) throws(Failure) -> ReceivedCall {
        var options = options
        options.verify = verify
        try core.read(incoming, options)
        guard let call = try core.call() else { throw Failure(.internal, "a request that was read has no call") }
        return call
    }

    /// Reads the request with all credentials rejected, to find them.  If there are none, the outcome is final.
    private func readWithoutCredentials(
        _ incoming: Incoming, _ core: RoutableService.Received
    ) -> (found: [(scheme: Bytes, value: Bytes)], outcome: Result<ReceivedCall, Failure>) {
        var found: [(scheme: Bytes, value: Bytes)] = []
        do throws(Failure) {
            let call = try read(incoming, core) { (scheme, value) throws(Failure) in
                found.append((scheme, value))
                return false
            }
            return (found, .success(call))
        } catch { return (found, .failure(error)) }
    }

    /// The identities of the credentials that are good.
    private func identities(_ found: [(scheme: Bytes, value: Bytes)]) async throws -> [(scheme: Bytes, identity: any Sendable)]
    {
        var identities: [(scheme: Bytes, identity: any Sendable)] = []
        for (scheme, value) in found {
            guard let verify = verifications[scheme.string] else {
                // An empty value means that the credential is not in the request, and cannot be verified.
                if value.isEmpty { continue }
                report(Failure(.credential, "no function verifies the credentials of the scheme \(scheme.printable)"), nil)
                continue
            }
            if let identity = try await verify(value.string) { identities.append((scheme, identity)) }
        }
        return identities
    }

    // MARK: Failures

    /// The response to a failure of the program, which discloses no details.
    private static func failed(_ method: Bytes) -> RoutableService.Reply {
        .refusing(Failure(.internal, "the handler failed"), method: method)
    }

    private func refused(_ failure: Failure, _ method: Bytes, _ received: Received?) -> RoutableService.Reply {
        let reply = RoutableService.Reply.refusing(failure, method: method, isPlain: answers422As400)
        if reply.status >= 500 { report(failure, received) }
        return reply
    }

    private func refused(_ refusal: Refusal, _ received: Received) -> RoutableService.Reply {
        let method = Bytes(received.method)
        if let failure = refusal.failure { return refused(failure, method, received) }
        if refusal.status >= 500 { report(refusal, received) }
        do throws(Failure) {
            return try .problem(
                Int32(clamping: refusal.status), Bytes(refusal.detail), refusal.headers, to: received.core)
        } catch {
            report(error, received)
            return Self.failed(method)
        }
    }
}

extension RoutableService.Reply {
    /// The response with its whole body, which can be a file.
    fileprivate func answer(_ target: Bytes) throws(Failure) -> Answer {
        var content = body
        if descriptor >= 0 {
            var whole = Bytes()
            while case .bytes(let piece) = try next() { whole.append(contentsOf: piece.buffer) }
            content = Text(whole)
        }
        return Answer(status: status, headers: headers, body: content, url: Text(target))
    }
}

/// A transport that answers requests with a service.
struct ServiceTransport: Transport {
    let service: Service

    func send(_ request: TransportRequest) async throws(Failure) -> Answer {
        if Task.isCancelled { throw .cancelled }
        let answer = await service.answer(
            method: request.method, target: request.url, headers: request.headers, body: request.body ?? Bytes())
        if Task.isCancelled { throw .cancelled }
        return answer
    }
}
