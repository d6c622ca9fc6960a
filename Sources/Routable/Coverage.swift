// Coverage: which parts of an API the requests of a client or a service have used (docs/coverage.md).

internal import RoutableClient
public import RoutableCore
internal import RoutableMock
internal import RoutableService

/// Counts which operations, statuses, parameters, media types, values and branches of an API were used.
///
///     let coverage = try Coverage.of(Social.self)
///     let client = Client().with(coverage.middleware)
///     ...
///     print(try coverage.report())
///
/// Any number of tasks may use it.  Its memory depends on the API, and not on the number of requests.
public final class Coverage: Sendable {
    private let core: RoutableMock.Coverage

    private init(_ core: RoutableMock.Coverage) { self.core = core }

    /// The coverage of a declared API, which has counted nothing.
    ///
    /// - Parameter basePath: the path in front of the paths of the API; nil for that of its base.
    /// - Throws: the failures of opening the API.
    public static func of(_ api: any API.Type, basePath: String? = nil) throws(Failure) -> Coverage {
        Coverage(try .make(try OpenedAPIs.planned(api), basePath: basePath.map { Bytes($0) }))
    }

    /// The coverage of a description, which has counted nothing.
    public static func of(_ router: APIRouter, basePath: String? = nil) throws(Failure) -> Coverage {
        Coverage(try .make(PlannedRouter(router), basePath: basePath.map { Bytes($0) }))
    }

    /// Counts the requests of a client.
    public var middleware: Middleware {
        { (request, next) async throws(Failure) in
            let response: Response
            do throws(Failure) { response = try await next(request) } catch {
                try self.count(request, error.fields.response)
                throw error
            }
            try self.count(request, response)
            return response
        }
    }

    private func count(_ request: Request, _ response: Response?) throws(Failure) {
        try core.add(
            Incoming(
                method: request.method.bytes, target: request.url.bytes, headers: request.headers.fields,
                body: request.body?.bytes ?? Bytes()),
            status: response?.status ?? 0, contentType: response?.headers.value(of: "Content-Type") ?? Bytes(),
            body: response?.body.bytes ?? Bytes())
    }

    /// Counts a request that a service received, and its response.
    ///
    /// - Parameter response: nil if there was none.
    public func add(
        method: String, target: String, headers: [HeaderField] = [], body: Bytes = Bytes(), response: APIResponse?
    ) throws(Failure) {
        try core.add(
            Incoming(method: Bytes(method), target: Bytes(target), headers: headers, body: body),
            status: response?.status ?? 0, contentType: response?.headers.value(of: "Content-Type") ?? Bytes(),
            body: response?.body.bytes ?? Bytes())
    }

    /// The used part of all that is counted, from 0 to 100, in steps of 0.1 and rounded down.
    public var percent: Double { Double(core.tally.permille) / 10 }

    /// The counts as JSON (docs/coverage.md, "JSON").
    public func json() throws(Failure) -> Bytes { try core.json() }

    /// The counts as a table; with `missing`, each part that was never used is in a line below it.
    public func report(missing: Bool = false) throws(Failure) -> String { try core.text(missing: missing).string }
}
