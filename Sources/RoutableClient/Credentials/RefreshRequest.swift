// The request that refreshes a credential by an operation of the description.

internal import RoutableCore
internal import RoutableJSON

extension Router {
    /// The request of a refresh operation.  `body` is JSON; if it is empty, the refresh token is sent as `{"refresh_token": ...}`.
    func refreshRequest(_ operation: Bytes, _ body: Bytes, _ refreshToken: Bytes) throws(Failure) -> Request {
        var call = Call(operation: operation)
        if !body.isEmpty {
            let value = try body.withBuffer { (buffer) throws(Failure) in
                let document = try JSONDocument.read(buffer)
                defer { withExtendedLifetime(document) {} }
                return document.view.tree
            }
            call.body = .value(value)
        } else if !refreshToken.isEmpty {
            call.body = .value(.object([Value.Member(name: "refresh_token", value: .text(refreshToken))]))
        }
        return try request(for: call)
    }
}
