// Coverage: the parts of an API that the requests of a client or a service have used (docs/coverage.md).

internal import RoutableClient
public import RoutableCore
internal import RoutableMock
internal import RoutableService

/// Counts the uses of the operations, statuses, parameters, media types, values and branches of an API.
///
///     let coverage = try Coverage.of(Social.self)
///     let client = Client().with(coverage.middleware)
///     ...
///     print(try coverage.report())
///
/// Any number of tasks may use the object.  Its memory depends on the API, and not on the number of requests.
public final class Coverage: Sendable {
    private let core: RoutableMock.Coverage

    private init(_ core: RoutableMock.Coverage) { self.core = core }

    /// Creates the coverage of a declared API, with all counts at 0.
    ///
    /// - Parameter basePath: The path in front of the paths of the API; nil for the path of the base.
    /// - Throws: the failures of opening the API.
    public static func of(_ api: any API.Type, basePath: String? = nil) throws(Failure) -> Coverage {
        Coverage(try .make(try OpenedAPIs.planned(api), basePath: basePath.map { Bytes($0) }))
    }

    /// Creates the coverage of a description, with all counts at 0.
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
    /// - Parameter response: The response; nil if there was none.
    public func add(
        method: String, target: String, headers: [HeaderField] = [], body: Bytes = Bytes(), response: APIResponse?
    ) throws(Failure) {
        try core.add(
            Incoming(method: Bytes(method), target: Bytes(target), headers: headers, body: body),
            status: response?.status ?? 0, contentType: response?.headers.value(of: "Content-Type") ?? Bytes(),
            body: response?.body.bytes ?? Bytes())
    }

    /// The number of used parts in percent of all counted parts, from 0 to 100, in steps of 0.1 and rounded down.
    public var percent: Double { Double(core.tally.permille) / 10 }

    /// The counts as JSON (docs/coverage.md, "JSON").
    public func json() throws(Failure) -> Bytes { try core.json() }

    /// The counts as a table.  With `missing`, a line for each part that was never used follows the table.
    public func report(missing: Bool = false) throws(Failure) -> String { try core.text(missing: missing).string }
}
