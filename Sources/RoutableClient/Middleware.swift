// Functions of the host around each request of a client: they see its operation, may change, answer or fail it, and see its outcome
// (docs/client.md, "Middleware").

internal import CSystem
package import RoutableCore
package import RoutablePerform

/// Two functions of the host around each request.  Called without a lock: the first by the thread that performs or submits, the
/// second by the thread that performs or drives.
package final class Middleware: @unchecked Sendable {
    package typealias Function = @Sendable (Interception) -> Void
    fileprivate let before: Function?
    fileprivate let after: Function?
    // Written once, before others see it.
    fileprivate var outer: Middleware?
    fileprivate var count = 1

    /// The functions of the outermost run first, by a recursion that this bounds.
    fileprivate static let maximum = 32

    package init(before: Function?, after: Function?) {
        self.before = before
        self.after = after
    }
}

/// Where a client has its innermost middleware: read without a lock for each request.
final class MiddlewarePlace: @unchecked Sendable {
    private let lock = csystem_lock_new()
    private let place: UnsafeMutablePointer<UnsafeRawPointer?>

    init() {
        place = .allocate(capacity: 1)
        place.initialize(to: nil)
    }

    deinit {
        if let last = place.pointee { Unmanaged<Middleware>.fromOpaque(last).release() }
        place.deallocate()
        csystem_lock_free(lock)
    }

    fileprivate var innermost: Middleware? {
        csystem_load(place).map { Unmanaged<Middleware>.fromOpaque($0).takeUnretainedValue() }
    }

    fileprivate func add(_ middleware: Middleware) throws(Failure) {
        csystem_lock_acquire(lock)
        defer { csystem_lock_release(lock) }
        if let outer = innermost {
            if outer.count >= Middleware.maximum {
                throw Failure(.limit, "a client can have at most \(Middleware.maximum) middleware")
            }
            middleware.count = outer.count &+ 1
            middleware.outer = outer
            Unmanaged.passUnretained(outer).release()  // the place held it, and now its successor does
        }
        csystem_store(place, UnsafeRawPointer(Unmanaged.passRetained(middleware).toOpaque()))
    }
}

/// A middleware that a request has passed, with what the host keeps there between its two functions.
private final class Station {
    let middleware: Middleware
    let outer: Station?
    var data: AnyObject?

    init(_ middleware: Middleware, _ outer: Station?) {
        self.middleware = middleware
        self.outer = outer
    }
}

/// One request on its way through all middleware of its client.  Used by one thread at a time.
package final class Interception: @unchecked Sendable {
    /// A copy for this transfer.
    package private(set) var request: Request
    /// The outcome, for the functions that are called after it: one of both.
    package internal(set) var response: Response?
    package internal(set) var failure: Failure?
    /// What the last function replied.
    private var reply: TransportReply?
    /// Where the request is: the innermost middleware that it has passed, or whose function runs.
    private var station: Station?
    private let isStream: Bool
    private let owner: UnsafeRawPointer
    /// What the layer above keeps while a function runs.
    package var lent: AnyObject?

    fileprivate init(_ request: Request, _ owner: UnsafeRawPointer, isStream: Bool) {
        self.request = request.copy()
        self.owner = owner
        self.isStream = isStream
    }

    // MARK: For the functions

    /// What the host keeps between its two functions.
    package var data: AnyObject? {
        get { station?.data }
        set { station?.data = newValue }
    }

    /// Performs a copy of another request instead.
    package func setRequest(_ request: Request) throws(Failure) {
        if response != nil || failure != nil {
            throw Failure(.argument, "the request was already performed: only `before` can replace it")
        }
        self.request = request.copy()
    }

    /// Ends the request with that, or replaces its outcome.  Failures: `unsupported`, `header`, `argument`.
    package func reply(_ given: TransportReply) throws(Failure) {
        if given.curlCode != 0 || given.delayMilliseconds != 0 {
            throw Failure(.argument, "only the reply of a transport can set curl_code and delay_ms")
        }
        try given.check()
        if isStream && given.failure == nil {
            throw Failure(.unsupported, "a middleware can fail a stream, but not reply to it: the body is read in parts")
        }
        reply = given
    }

    // MARK: For the client

    /// Calls the first functions, outermost first, until one replies.
    fileprivate func begin(_ middleware: Middleware) {
        if let outer = middleware.outer {
            begin(outer)
            if reply != nil { return }
        }
        let outer = station
        station = Station(middleware, outer)
        run(middleware.before)
        if reply != nil { station = outer }
    }

    /// Whether a function has replied before the request was performed.
    var isOver: Bool { reply != nil }

    /// The outcome after all functions have seen it.
    func end(_ answers: AnswerPolicy) throws(Failure) -> Response {
        // Now: a call of the library within a function would forget it.
        if Memory.hasFailed { (response, failure) = (nil, Memory.failure.about(request)) }
        take(answers)
        while let last = station {
            run(last.middleware.after)
            take(answers)
            station = last.outer
        }
        if let failure { throw failure }
        guard let response else { throw .noOutcome }
        return response
    }

    /// A reply replaces the outcome, as the operation declares it.
    private func take(_ answers: AnswerPolicy) {
        guard let given = reply else { return }
        reply = nil
        response = nil
        failure = given.failure?.about(request)
        if failure != nil { return }
        do throws(Failure) {
            let answer = Answer(status: given.status, headers: HeaderBlock(given.headers), body: given.body, url: request.url)
            response = try request.plan.router.map(answer, to: request.plan, request.headers, answers)
        } catch { failure = error }
    }

    private func run(_ function: Middleware.Function?) {
        guard let function else { return }
        var frame = csystem_frame()
        withUnsafeMutablePointer(to: &frame) {
            csystem_frame_enter($0, owner)
            function(self)
            csystem_frame_leave($0)
        }
        lent = nil
    }
}

extension ClientCore {
    /// Adds a middleware within those that were added before.  Failures: `limit`.
    package func add(_ middleware: Middleware) throws(Failure) { try middlewarePlace.add(middleware) }

    /// The request after the first functions of all middleware; nil for a client without middleware.
    func intercept(_ request: Request, isStream: Bool = false) throws(Failure) -> Interception? {
        guard let innermost = middlewarePlace.innermost else { return nil }
        return try intercept(request, innermost, isStream)
    }

    @inline(never) private func intercept(_ request: Request, _ innermost: Middleware, _ isStream: Bool) throws(Failure)
        -> Interception
    {
        let frame = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        if csystem_frame_has(frame) != 0 {
            throw Failure(
                .argument,
                "a middleware cannot perform requests with its own client, which would call it again; use another client"
            ).about(request)
        }
        _ = owns(request)  // before a function performs a request of another description in its place
        let interception = Interception(request, frame, isStream: isStream)
        try Memory.check()
        interception.begin(innermost)
        return interception
    }
}
