// Performs a blocking transfer that needs credentials, and waits for their refresh.

internal import CSystem
internal import RoutableCore

extension ConnectionPool {
    /// The request with its credentials, after a refresh that it needs.
    func admit(_ authorization: Authorization, _ deadline: Int64) throws(Failure) -> Exchange {
        while true {
            switch try authorization.admit() {
            case .send(let exchange):
                try exchange.check()
                return exchange
            case .wait(let refresh, let begins): try wait(refresh, begins, authorization, deadline)
            case .deliver: throw Failure(.internal, "a credential was rejected before it was sent")
            }
        }
    }

    /// After a response that may reject the credentials: the request with newer credentials, or nil if the response is final.
    func challenge(_ authorization: Authorization, _ transfer: HandleTransfer, _ deadline: Int64) throws(Failure) -> Exchange? {
        switch try authorization.refused(transfer.status, transfer.headers, { transfer.content }) {
        case .send(let exchange):
            try exchange.check()
            return exchange
        case .deliver: return nil
        case .wait(let refresh, let begins):
            try wait(refresh, begins, authorization, deadline)
            return try admit(authorization, deadline)
        }
    }

    /// Each refresh is a transfer of the engine: this thread drives the engine while it waits.
    private func wait(
        _ refresh: CredentialRefresh, _ begins: Bool, _ authorization: Authorization, _ deadline: Int64
    ) throws(Failure) {
        if begins {
            do throws(Failure) {
                try authorization.prepare(refresh, options.policy)
                try engine().submit(refresh)
            } catch {
                refresh.failed(error)
                return
            }
        }
        let left = deadline == .max ? -1 : max(0, deadline &- csystem_monotonic_ms())
        switch try engine().wait(for: refresh, milliseconds: left) {
        case .ended, .calling: return
        case .cancelled: throw Failure(.argument, "the client was closed")
        case .running:
            if deadline != .max && csystem_monotonic_ms() >= deadline {
                throw Failure(.timeout, "the credential \"\(refresh.credential.name.printable)\" was not refreshed in time")
            }
            throw Failure(
                .argument,
                "a callback of the client cannot wait until a credential is refreshed: submit the request instead")
        }
    }
}
