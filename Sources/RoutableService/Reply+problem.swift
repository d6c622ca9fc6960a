// Responses that are problem documents (RFC 9457), for requests that the library or the program refuses.

package import RoutableCore
internal import RoutableJSON

extension Reply {
    /// The response to a request that a function refused.  Failures that the request did not cause become 500 without their message.
    ///
    /// - Parameters:
    ///   - method: The method of the request; an OPTIONS request of a path without an operation for it gets the methods, not 405.
    ///   - isPlain: Whether the status is 400 instead of 422.
    package static func refusing(_ failure: Failure, method: Bytes, isPlain: Bool = false) -> Reply {
        if failure.status == .methodNotAllowed && method == "OPTIONS" {
            let allow = HeaderField("Allow", failure.fields.allowed.joined(by: ", "))
            return Reply(status: 204, headers: HeaderBlock([allow]), length: 0)
        }
        let problem = Problem(failure, isPlain: isPlain)
        let header = problem.header.value.isEmpty ? [] : [HeaderField(problem.header.name, problem.header.value)]
        return problemReply(problem.httpStatus, problem.json, header, isHead: method == "HEAD")
    }

    /// A response without a body that no operation declares, such as that to a preflight request of a browser.
    package static func empty(_ status: Int32, _ headers: [HeaderField]) -> Reply {
        Reply(status: status, headers: HeaderBlock(headers), length: 0)
    }

    /// The response for a refusal by the program.
    ///
    /// - Parameters:
    ///   - detail: One sentence for the client; empty for none.
    ///   - received: The request, if it was read: for HEAD, and for the challenge of 401.
    /// - Throws: `argument` for a status outside of 400 to 599; `value` for a detail that is not UTF-8; `header`, `limit`.
    package static func problem(
        _ status: Int32, _ detail: Bytes, _ headers: [HeaderField] = [], to received: Received?
    ) throws(Failure) -> Reply {
        if !(400...599).contains(status) { throw Failure(.argument, "\(status) is not an HTTP status from 400 to 599") }
        if !UTF8Check.isValid(detail) { throw Failure(.value, "the detail is not UTF-8") }
        var fields = try ReplyHeaders.checked(headers)
        if let received, let plan = received.plan, status == 401, fields.value(of: "WWW-Authenticate") == nil {
            let challenge = plan.operation.challenge(received.router.router)
            if !challenge.isEmpty { fields.append(HeaderField("WWW-Authenticate", challenge)) }
        }
        if fields.value(of: "Content-Type") != nil {
            throw Failure(.header, "the header Content-Type of a problem is application/problem+json") {
                $0.parameter = "Content-Type"
            }
        }
        var writer = Problem.opened(status)
        writer.optionalMember("detail", detail)
        writer.close("}")
        return problemReply(status, writer.text, fields, isHead: received?.conditions.isHead ?? false)
    }

    private static func problemReply(_ status: Int32, _ json: Bytes, _ headers: [HeaderField], isHead: Bool) -> Reply {
        var block = HeaderBlock(headers)
        block.append(HeaderField("Content-Type", "application/problem+json"))
        block.append(HeaderField("Content-Length", "\(json.count)"))
        return Reply(
            status: status, headers: block, body: isHead ? .empty : Text(json), length: isHead ? 0 : Int64(json.count))
    }
}
