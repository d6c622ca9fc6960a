// The request that refreshes a credential by an operation of the description.

public import RoutableCore

extension Router {
    /// `body` is JSON; where it is empty the refresh token is sent as `{"refresh_token": ...}`.
    public func refreshRequest(_ operation: Bytes, _ body: Bytes, _ refreshToken: Bytes) throws(Failure) -> Request {
        var call = Call(operation: operation)
        if !body.isEmpty {
            let value = body.storage.withUnsafeBytes { (buffer) -> Result<Value, Failure> in
                do throws(Failure) { return .success(try CallDocument.value(buffer)) } catch { return .failure(error) }
            }
            call.body = .value(try value.get())
        } else if !refreshToken.isEmpty {
            call.body = .value(.object([Value.Member(name: "refresh_token", value: .text(refreshToken))]))
        }
        return try request(for: call)
    }
}
