// Responses by status: one enum for each operation, with a case for each declared status (docs/generate.md).

public import RoutableCore

/// The responses of one operation, as `routable generate swift` writes them: a case for each declared status, and one for all
/// other statuses.
public protocol StatusResult {
    /// - Throws: `response` if the body does not match the declared type of its status.
    init(_ response: Response) throws(Failure)
}

extension Client {
    /// Performs the request and returns the case for the status of the response.  No status is an error.
    ///
    ///     switch try await client.perform(Museum.getSpecialEvent(eventId: id), as: Museum.GetSpecialEventResult.self) {
    ///     case .s200(let event): print(event.name)
    ///     case .s404(let problem): print(problem.title ?? "")
    ///     case .undocumented(let response): print(response.status)
    ///     default: break
    ///     }
    ///
    /// The body is decoded on the actor of the caller, since the models of a case may be isolated to it.
    ///
    /// - Throws: `response` if the body does not match the declared type of its status; the errors of `response(to:)`.
    public nonisolated(nonsending) func perform<Result: StatusResult>(
        _ convertible: some RequestConvertible, as type: Result.Type
    ) async throws(Failure) -> Result {
        try Result(try await response(to: convertible.acceptingEveryStatus))
    }
}
