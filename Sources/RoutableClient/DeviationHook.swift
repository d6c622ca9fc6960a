// A function of the host that receives the responses that deviate from their descriptions.
//
// A typed call returns only a value; this function gives the program the deviations.

package import RoutableCore

/// The function that receives the deviating responses of a client, with the plan of their request.  Called without a lock by the
/// thread that performs the request or drives the client.
package final class DeviationHook: Sendable {
    private let function: @Sendable (Response, Plan) -> Void

    package init(_ function: @escaping @Sendable (Response, Plan) -> Void) { self.function = function }

    func report(_ response: Response, of plan: Plan) {
        if !response.deviations.isEmpty { function(response, plan) }
    }
}

extension ClientCore {
    /// The response, after the hook was called with its deviations.
    @inline(__always)
    func reported(_ response: Response, _ plan: Plan) -> Response {
        if !response.deviations.isEmpty { deviationPlace.hook?.report(response, of: plan) }
        return response
    }
}
