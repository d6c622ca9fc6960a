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
    /// - Parameter isAnonymous: Whether a request without the credentials that its operation requires is answered.
    /// - Throws: the failures of opening the API.
    public static func of(_ api: any API.Type, seed: UInt64 = 0, isAnonymous: Bool = false) throws(Failure) -> MockTransport {
        MockTransport(try OpenedAPIs.planned(api), seed, isAnonymous)
    }

    /// Creates a mock of a description.
    public convenience init(_ router: APIRouter, seed: UInt64 = 0, isAnonymous: Bool = false) {
        self.init(PlannedRouter(router), seed, isAnonymous)
    }

    private init(_ router: PlannedRouter, _ seed: UInt64, _ isAnonymous: Bool) {
        var options = MockOptions()
        options.seed = seed
        options.requiresCredentials = !isAnonymous
        mock = Mock(router, options)
    }

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

    /// The number of members in the store.
    public var count: Int { mock.count }

    /// Removes all members and restarts the generator: ids and generated values repeat.
    public func reset() { mock.reset() }

    /// Replies to a request.  A `Client` does not call this function, but uses the mock directly.
    public func send(_ request: TransportRequest) async throws(Failure) -> Answer {
        throw Failure(.unsupported, "a mock can only be the transport of a Client")
    }
}
