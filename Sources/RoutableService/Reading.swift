// Reads a request to its call: the operation, and then each part of the request, by the tables that requests are built with.

package import RoutableCore

/// The reading of one request.
struct Reading {
    let router: PlannedRouter
    /// Once the body is read, it has no content coding.
    var incoming: Incoming
    var isDecoded = false
    let options: ReceiveOptions
    let target: Target
    /// The headers by their names in lower case, with the values of equal names joined.
    let headers: ReceivedHeaders
    var refusals = Refusals()
    /// What the program has said of each credential, by the name of its scheme.
    var verdicts: [Bytes: Bool] = [:]
    /// The match of the operation that the request was read to.
    private(set) var selected: Found?

    var codec: (any BodyCodec)? { router.router.codec }
    var contentTypeText: Bytes { headers["content-type"] ?? Bytes() }

    init(_ router: PlannedRouter, _ incoming: Incoming, _ options: ReceiveOptions) throws(Failure) {
        self.router = router
        self.incoming = incoming
        self.options = options
        guard !incoming.method.isEmpty, incoming.method.storage.allSatisfy(ASCII.isToken) else {
            throw Self.malformed(Failure(.value, "the method \"\(incoming.method.printable)\" is not a valid HTTP token"))
        }
        do throws(Failure) {
            target = try incoming.target.withBuffer { (buffer) throws(Failure) in try Target(buffer) }
        } catch { throw Self.malformed(error) }
        do throws(Failure) { headers = try ReceivedHeaders(incoming.headers) } catch { throw Self.malformed(error) }
    }

    var conditions: ReplyConditions {
        ReplyConditions(
            method: incoming.method, accept: headers["accept"] ?? Bytes(), ifMatch: headers["if-match"],
            ifNoneMatch: headers["if-none-match"], basePath: options.basePath)
    }

    private static func malformed(_ failure: Failure) -> Failure {
        if failure.status == .memory { return failure }
        return failure.with {
            $0.httpStatus = failure.status == .limit ? RefusalStatus.contentTooLarge : RefusalStatus.malformed
        }
    }

    /// The call of the operation that the path and the method select.  Of several, the first that accepts the request counts, and
    /// otherwise the reasons of the first.
    mutating func run() throws(Failure) -> ReceivedCall {
        let match = try find()
        var first: Failure?
        let others = router.router.alternativeNumbers(ofNode: match.node, to: match.operation)
        for number in [match.operation] + others {
            refusals = Refusals()
            let call = try read(match, number)
            let operation = call.plan.operation.name.bytes
            guard let failure = refusals.chain(options.maximumErrors, route: call.plan.route.bytes, operation: operation) else {
                try Memory.check()
                selected = match
                selected?.operation = number
                return call
            }
            first = first ?? failure
        }
        throw first ?? Failure(.internal, "a match has no operation")
    }

    mutating func read(_ match: Found, _ number: UInt32) throws(Failure) -> ReceivedCall {
        guard let entry = router.router.operation(numbered: number),
            let route = router.router.route(of: match.captures, operation: number, node: match.node)
        else { throw Failure(.internal, "a match has no operation") }
        let plan = try router.plan(route: route, operation: entry.name.bytes)
        var call = ReceivedCall(plan)
        readCredentials(&call)
        let areGood = try verifyCredentials(&call)
        if options.requiresCredentials || options.verify != nil { try requireCredentials(call, areGood) }
        // Nothing about the operation is disclosed to a client that may not call it.
        if !refusals.isEmpty { return call }
        try readIds(match, &call)
        try readQuery(&call)
        try readHeaders(&call)
        try readCookies(&call)
        try readBody(&call)
        if options.refusesUndeclared {
            for name in call.ignored {
                try refusals.add(
                    Failure(.parameter, "\(label(plan)): the request has \(name.printable), which is not declared") {
                        $0.parameter = name
                    })
            }
        }
        return call
    }

    func label(_ plan: Plan) -> Bytes {
        let name = plan.operation.name.bytes
        return plan.route.isEmpty ? name : "\(plan.route.bytes) \(name)"
    }

    // MARK: - The operation

    struct Found {
        var operation: UInt32
        var node: UInt32
        var captures: [Capture]
        /// The string of which the captures are ranges.
        var path: Range<Int>
    }

    /// The operation of the path and the method; that of GET for a HEAD which is not declared.
    func find() throws(Failure) -> Found {
        var notAllowed: Found?
        let place = incoming.target.storage.withUnsafeBytes { target.path(below: options.basePath, in: $0) }
        if let (path, flags) = place {
            for method in incoming.method == "HEAD" ? ["HEAD", "GET"] : [incoming.method] {
                let (status, found) = match(path, method, flags)
                if status == Status.ok.rawValue { return found }
                if status == Status.methodNotAllowed.rawValue { notAllowed = notAllowed ?? found }
            }
        }
        guard let notAllowed else {
            throw Failure(.noMatch, "no route matches the path of the request") { $0.httpStatus = RefusalStatus.notFound }
        }
        var methods = router.router.methods(ofNode: notAllowed.node).map { $0.bytes }
        // A HEAD request of this path would be read.
        if let get = methods.firstIndex(of: "GET"), !methods.contains("HEAD") { methods.insert("HEAD", at: get &+ 1) }
        let method = incoming.method.printable
        throw Failure(.methodNotAllowed, "the path of the request has no method \(method); allowed: \(methods)") {
            $0.httpStatus = RefusalStatus.methodNotAllowed
            $0.allowed = methods
        }
    }

    private func match(_ path: Range<Int>, _ method: Bytes, _ flags: MatchOptions) -> (status: Int32, found: Found) {
        var found = Found(operation: MatchLayout.noOperation, node: 0, captures: [], path: path)
        var status = Status.noMatch.rawValue
        let name = method.storage + [0]
        incoming.target.storage.withUnsafeBytes { bytes in
            name.withUnsafeBytes { name in
                withUnsafeTemporaryAllocation(byteCount: MatchLayout.byteCount, alignment: 8) { memory in
                    guard let result = memory.baseAddress, let start = bytes.baseAddress, let name = name.baseAddress else {
                        return
                    }
                    status = router.router.match(
                        name.assumingMemoryBound(to: CChar.self), start + path.lowerBound, path.count, flags.rawValue, result)
                    if status != Status.ok.rawValue && status != Status.methodNotAllowed.rawValue { return }
                    found.operation = result.load(fromByteOffset: MatchLayout.operation, as: UInt32.self)
                    found.node = result.load(fromByteOffset: MatchLayout.node, as: UInt32.self)
                    let count = result.load(fromByteOffset: MatchLayout.captureCount, as: UInt32.self)
                    for index in 0..<min(Int(count), Limits.idsPerRoute) {
                        let place = MatchLayout.captures &+ index &* MemoryLayout<Capture>.stride
                        found.captures.append(result.load(fromByteOffset: place, as: Capture.self))
                    }
                }
            }
        }
        return (status, found)
    }

    /// The methods that the path has, and the plan of the operation of this method; no methods for a path that no route matches.
    fileprivate func place() throws(Failure) -> (methods: [Bytes], plan: Plan?) {
        let place = incoming.target.storage.withUnsafeBytes { target.path(below: options.basePath, in: $0) }
        guard let (path, flags) = place else { return ([], nil) }
        let (status, found) = match(path, incoming.method, flags)
        guard status == Status.ok.rawValue || status == Status.methodNotAllowed.rawValue else { return ([], nil) }
        let methods = router.router.methods(ofNode: found.node).map { $0.bytes }
        guard status == Status.ok.rawValue, let entry = router.router.operation(numbered: found.operation),
            let route = router.router.route(of: found.captures, operation: found.operation, node: found.node)
        else { return (methods, nil) }
        return (methods, try router.plan(route: route, operation: entry.name.bytes))
    }

    private mutating func readIds(_ match: Found, _ call: inout ReceivedCall) throws(Failure) {
        let path = Bytes(incoming.target.storage[match.path])
        var refused: [Failure] = []
        let ids = try path.withBuffer { (buffer) throws(Failure) in
            try call.plan.unbind(match.captures, in: buffer, refused: &refused)
        }
        for failure in refused { try refusals.add(failure) }
        if let ids { call.ids = ids }
    }
}

extension PlannedRouter {
    /// What the description has at a path: the methods, and the plan of the operation of one of them.
    ///
    /// - Parameter target: a path with its base path, percent-encoded.
    /// - Throws: `url`, `limit`, `memory`.
    package func place(
        _ target: Bytes, method: Bytes = "GET", basePath: Bytes?
    ) throws(Failure) -> (methods: [Bytes], plan: Plan?) {
        var options = ReceiveOptions()
        options.basePath = basePath
        let incoming = Incoming(method: method, target: target, headers: [], body: Bytes())
        return try Reading(self, incoming, options).place()
    }
}
