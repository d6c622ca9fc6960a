// A mock service: it responds to requests as the description declares, and stores the resources that requests create.
//
// RoutableService reads each request: a request that the description does not allow is refused with the status of a real service.
// Requests list, read, change and delete stored resources (MockAnswer); any other request gets a generated body (MockShape).  The
// same requests give the same responses for the same seed.

internal import CSystem
package import RoutableCore
package import RoutableService

/// Options of a mock.
package struct MockOptions {
    /// The seed of ids and generated values.
    package var seed: UInt64 = 0
    /// The path in front of the paths of the API; nil for the path of the base of the description.
    package var basePath: Bytes?
    /// The member with the id of each resource, as a JSON pointer; empty if the member is found by its name.
    package var idPointer = Bytes()
    /// Whether a request without the credentials that its operation requires is refused.
    package var requiresCredentials = true
    /// Called with the changes of a request before its response.
    package var journal: Journal?

    package typealias Journal = (_ changes: [MockChange]) throws(Failure) -> Void

    package init() {}

    /// - Throws: `argument` if `idPointer` is not a JSON pointer to a member.
    package func check() throws(Failure) {
        if !idPointer.isEmpty && (!idPointer.hasPrefix("/") || idPointer.count < 2) {
            throw Failure(.argument, "the pointer to ids \"\(idPointer.printable)\" is not a JSON pointer such as \"/id\"")
        }
    }
}

/// A change of the store: the path of a member and its JSON, or nil if the member is removed.
package struct MockChange {
    package let path: Bytes
    package let json: Bytes?
    /// The version of the member, from which its ETag is made.
    package let version: Int
}

/// A response of a mock, or a fault.
package struct MockResponse {
    package var reply: Reply
    /// The code of a failure of libcurl instead of the reply; 0 for none.
    package var curlCode: Int32 = 0
    /// Delay before the response, in milliseconds.
    package var delayMilliseconds: Int64 = 0
    /// The operation of the request, and its route, which is empty for a standalone operation; both are empty if no operation of the
    /// description matches the request.
    package var route = Bytes()
    package var operation = Bytes()

    package init(reply: Reply, curlCode: Int32 = 0, delayMilliseconds: Int64 = 0) {
        self.reply = reply
        self.curlCode = curlCode
        self.delayMilliseconds = delayMilliseconds
    }
}

/// A mock of one description.  Any thread may use it; requests are answered one at a time.
package final class Mock: @unchecked Sendable {
    let router: PlannedRouter
    let options: MockOptions
    private let lock = csystem_lock_new()
    // Guarded by the lock.
    var store = MockStore()
    var faults = MockFaults()
    /// The cached roles and shapes of the operations, by the names of the operations.
    var known = KeyedValues<Bytes, MockKnown>()
    private(set) var reading: ReceiveOptions

    /// - Parameter options: valid options (`MockOptions.check`).
    package init(_ router: PlannedRouter, _ options: MockOptions) {
        self.router = router
        self.options = options
        reading = ReceiveOptions()
        reading.basePath = options.basePath
        reading.requiresCredentials = options.requiresCredentials
    }

    deinit { csystem_lock_free(lock) }

    func locked<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        return try body()
    }

    /// Responds to a request.
    ///
    /// - Throws: `memory`; the failure of the journal, after which the store is unchanged.
    package func respond(_ incoming: Incoming) throws(Failure) -> MockResponse {
        try locked { () throws(Failure) in
            let before = faults
            store.begin()
            do throws(Failure) {
                let response = try answer(incoming)
                try Memory.check()
                // The journal is called last, so that it receives no change of a request that fails.
                if let journal = options.journal { try store.report(to: journal) }
                return response
            } catch {
                store.rollBack()
                faults = before
                throw error
            }
        }
    }

    private func answer(_ incoming: Incoming) throws(Failure) -> MockResponse {
        let received = Received(router)
        do throws(Failure) { try received.read(incoming, reading) } catch {
            if error.status == .memory { throw error }
            var response = MockResponse(reply: Reply.refusing(error, method: incoming.method))
            response.route = error.fields.route
            response.operation = error.fields.operation
            return response
        }
        guard let plan = received.plan else { throw .noRequest }
        let fault = faults.take(plan, options.seed)
        var reply: Reply
        if fault.status != 0 || fault.curlCode != 0 {
            var headers: [HeaderField] = []
            if fault.retryAfter >= 0 { headers.append(HeaderField("Retry-After", "\(Int(fault.retryAfter))")) }
            reply = try Reply.problem(fault.status == 0 ? 503 : fault.status, "a fault of the mock", headers, to: received)
        } else {
            do throws(Failure) {
                reply = try MockAnswer.reply(self, received, plan, incoming.target, isWrong: fault.isWrong)
            } catch {
                if error.status == .memory { throw error }
                store.rollBack()
                let isRefusal = 400...499 ~= error.fields.httpStatus
                reply =
                    isRefusal
                    ? Reply.refusing(error, method: incoming.method)
                    : try Reply.problem(501, "the mock has no response: \(error.message)", to: received)
            }
        }
        var response = MockResponse(reply: reply, curlCode: fault.curlCode, delayMilliseconds: fault.delayMilliseconds)
        response.route = plan.route.bytes
        response.operation = plan.operation.name.bytes
        return response
    }

    // MARK: - The store from outside

    /// Stores a member, from the path and the JSON that the journal received, or removes it if the JSON is empty.  Does not call the journal.
    package func put(_ path: Bytes, json: Bytes) throws(Failure) {
        guard let codec = router.router.codec else { throw Failure(.unsupported, "the router was opened without a JSON codec") }
        let value = json.isEmpty ? nil : try codec.value(of: json)
        let path = MockPath(stored: path)
        if path.segments.isEmpty { throw Failure(.argument, "the path of a member is empty") }
        if path.segments.count > MockStore.pathLimit { throw .longPath }
        try locked { () throws(Failure) in
            store.begin()
            if value != nil || store.member(path) != nil { store.set(path, value) }
        }
    }

    /// Stores a member again, with its ETag.  Without JSON, the member counts as removed, so that its number is not used for a new
    /// id.
    package func restore(_ path: Bytes, json: Bytes?, version: Int) throws(Failure) {
        try put(path, json: json ?? "null")
        let path = MockPath(stored: path)
        try locked { () throws(Failure) in
            if json == nil { store.set(path, nil) } else { store.setVersion(of: path, version) }
        }
    }

    /// Whether the description has the path of a member that the journal received.
    package func hasPath(_ stored: Bytes) throws(Failure) -> Bool {
        let path = MockPath(stored)
        return try locked { () throws(Failure) in
            let found = try place(path, "")
            if !found.methods.isEmpty { return true }
            // An id can be followed by a suffix in its segment, as in `/calls/{sid}.json`.
            var suffixes: [Bytes] = []
            for number in 0..<router.router.operationCount {
                guard let operation = router.router.operation(numbered: UInt32(truncatingIfNeeded: number)) else { continue }
                let last = Bytes(operation.path.bytes.storage.split(separator: UInt8(ascii: "/")).last ?? [])
                guard let end = last.storage.lastIndex(of: UInt8(ascii: "}")) else { continue }
                let suffix = Bytes(last.storage[(end &+ 1)...])
                if !suffixes.contains(suffix) { suffixes.append(suffix) }
            }
            for suffix in suffixes {
                let found = try place(path, suffix)
                if !found.methods.isEmpty { return true }
            }
            return false
        }
    }

    /// The number of members.
    package var count: Int { (try? locked { () throws(Failure) in store.count }) ?? 0 }

    /// Removes all members and restarts the generators of ids and values, which then repeat.
    package func reset() {
        try? locked { () throws(Failure) in
            store = MockStore()
            faults.restart()
        }
    }

    /// Adds a fault.  If several faults match a request, the first one that is not used up is applied.
    package func add(_ fault: MockFault) throws(Failure) {
        try fault.check()
        try locked { () throws(Failure) in faults.add(fault) }
    }
}

extension Failure {
    static var noRequest: Failure { Failure(.internal, "a request that was read has no operation") }
}
