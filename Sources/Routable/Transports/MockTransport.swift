// A mock service, for tests of programs (docs/mock.md).

internal import RoutableClient
public import RoutableCore
internal import RoutableMock
internal import RoutableService

/// Responds to requests as a declared API or a description specifies, and stores the resources that requests create.
///
///     let client = Client(transport: try MockTransport.of(Social.self))
///     try await client.perform(Social.users.create(User.Model(name: "ann")))
///     try await client.perform(Social.user("ann").read())
///
/// Resources that a request creates can be listed, read, changed and deleted by further requests.  The response to any other request is a
/// generated value that is valid.  The same requests get the same responses for the same seed.
public final class MockTransport: Transport {
    let mock: Mock

    /// Creates a mock of a declared API with an empty store.
    ///
    /// - Parameters:
    ///   - isAnonymous: Whether a request without the credentials that its operation requires is answered.
    ///   - basePath: The path in front of the paths of the API; nil for the path of the base.
    ///   - idPointer: A JSON pointer to the id in each resource, such as `/metadata/name`; nil if the id is found by its name.
    ///   - changed: Called with each change of the store before the response: the path of a member, such as `v1/users/ann`, and its
    ///     JSON, or nil for a removed member.  If the function throws, all changes of the request are reverted, and the request fails.  It
    ///     must not use the mock.
    /// - Throws: the failures of opening the API; `argument` for `idPointer`; `url` for `basePath`.
    public static func of(
        _ api: any API.Type, seed: UInt64 = 0, isAnonymous: Bool = false, basePath: String? = nil, idPointer: String? = nil,
        changed: Changed? = nil
    ) throws(Failure) -> MockTransport {
        MockTransport(
            try OpenedAPIs.planned(api), try options(seed, isAnonymous, basePath, idPointer, changed))
    }

    /// Creates a mock of a description.
    ///
    /// - Parameters: The same as for a declared API.
    /// - Throws: `argument` for `idPointer`; `url` for `basePath`.
    public static func of(
        _ router: APIRouter, seed: UInt64 = 0, isAnonymous: Bool = false, basePath: String? = nil, idPointer: String? = nil,
        changed: Changed? = nil
    ) throws(Failure) -> MockTransport {
        MockTransport(PlannedRouter(router), try options(seed, isAnonymous, basePath, idPointer, changed))
    }

    /// Creates a mock of a description.
    public convenience init(_ router: APIRouter, seed: UInt64 = 0, isAnonymous: Bool = false) {
        var options = MockOptions()
        options.seed = seed
        options.requiresCredentials = !isAnonymous
        self.init(PlannedRouter(router), options)
    }

    /// A function that is called with a change of the store.
    public typealias Changed = @Sendable (_ path: String, _ json: String?) throws -> Void

    private static func options(
        _ seed: UInt64, _ isAnonymous: Bool, _ basePath: String?, _ idPointer: String?, _ changed: Changed?
    ) throws(Failure) -> MockOptions {
        var options = MockOptions()
        options.seed = seed
        options.requiresCredentials = !isAnonymous
        if let basePath {
            let base = try Base(Bytes(basePath.isEmpty ? "/" : basePath))
            if base.hasHost || !base.query.isEmpty { throw Failure(.argument, "basePath is not a path") }
            options.basePath = base.path == "/" ? Bytes() : base.path
        }
        options.idPointer = Bytes(idPointer ?? "")
        try options.check()
        if let changed {
            options.journal = { (changes) throws(Failure) in
                for change in changes {
                    do { try changed(change.path.string, change.json?.string) } catch {
                        let reason = Bytes(String(describing: error))
                        throw Failure(.callback, "the function \"changed\" of the mock has failed: \(reason)")
                    }
                }
            }
        }
        return options
    }

    private init(_ router: PlannedRouter, _ options: MockOptions) { mock = Mock(router, options) }

    /// Adds a fault.  A request gets the first matching fault that has uses left.
    ///
    /// The operation is a name such as `read`, or nil for any.  The route is dotted, such as `user.status`, empty for standalone
    /// operations, or nil for any.  `times` is the number of requests that get the fault; nil allows any number.  `rate` is the proportion
    /// of the requests that get it, selected by the seed.
    ///
    /// - Throws: `argument` for a status outside 400 to 599, a negative delay, and a rate outside 0 to 1.
    public func addFault(
        _ operation: String? = nil, route: String? = nil, status: Int? = nil, retryAfter: Int? = nil,
        fault: CannedResponses.Fault? = nil, delay: Duration? = nil, hasWrongBody: Bool = false, times: Int? = 1,
        rate: Double = 1
    ) throws(Failure) {
        var made = MockFault()
        made.route = route.map { Bytes($0) }
        made.operation = operation.map { Bytes($0) }
        made.times = times
        guard rate > 0, rate <= 1 else { throw Failure(.argument, "the rate of a fault is not above 0 and at most 1") }
        made.rate = max(1, Int(rate * 1_000_000))
        made.status = Int32(clamping: status ?? 0)
        made.retryAfter = Int32(clamping: retryAfter ?? -1)
        made.curlCode = fault?.rawValue ?? 0
        made.delayMilliseconds = delay?.milliseconds ?? 0
        made.isWrong = hasWrongBody
        try mock.add(made)
    }

    /// Stores a member, without calling `changed`.  The arguments are the path and the JSON that `changed` received.
    ///
    /// - Throws: `json`; `argument` for an empty path; `limit`.
    public func put(_ path: String, _ json: String) throws(Failure) { try mock.put(Bytes(path), json: Bytes(json)) }

    /// The problems of the description, as a JSON array of objects with `operation`, `status`, `pointer` and `message`: invalid examples of
    /// responses, and responses that cannot be generated.  The function compiles the schemas of all responses.
    ///
    /// - Throws: `memory`.
    public func problems() throws(Failure) -> String { try mock.problems().string }

    /// The number of members in the store.
    public var count: Int { mock.count }

    /// Removes all members and restarts the generator: ids and generated values repeat.
    public func reset() { mock.reset() }

    /// Replies to a request.  A `Client` does not call this function, but uses the mock directly.
    public func send(_ request: TransportRequest) async throws(Failure) -> Answer {
        throw Failure(.unsupported, "a mock can only be the transport of a Client")
    }
}
