// Performs calls that are not endpoints: a request that was made before, and a call on a router that was opened from a document.

public import RoutableCore

extension Client {
    /// Performs a request that was made before.  The client does not change the request, and does not replace its base.
    ///
    /// - Throws: the errors of `response(to:)`.
    @discardableResult
    public func perform(_ request: Request) async throws(Failure) -> Response {
        let copy = request.copy()
        try await authorize(copy)
        return try await carry(copy)
    }

    /// Performs a request that was made before and decodes the response.
    public func perform<Output: Decodable>(_ request: Request, as type: Output.Type) async throws(Failure) -> Output {
        try Answers.decode(type, try await perform(request))
    }

    /// Performs a call on a router and returns the response.
    ///
    ///     try await client.perform(router.call("user.status", "read", "ann", 3))
    @discardableResult
    public func perform(_ call: RouterCall) async throws(Failure) -> Response { try await response(to: call) }

    /// Performs a call on a router and decodes the response.
    public func perform<Output: Decodable>(_ call: RouterCall, as type: Output.Type) async throws(Failure) -> Output {
        try Answers.decode(type, try await response(to: call))
    }
}

extension Client {
    /// A call on a router: a route, an operation and values.  The router checks them when it makes the request.
    public struct RouterCall: RequestConvertible {
        let router: Router
        /// The call, which the program may change.
        public var call: Call

        public func makeRequest(base: String?) throws(Failure) -> Request {
            var call = call
            if let base { call.base = Bytes(base) }
            return try router.request(for: call)
        }

        /// A copy with a query parameter; unchanged if the value is nil.
        public func query(_ name: String, _ value: (some ValueConvertible)?) -> RouterCall {
            with(value) { $0.set(query: Bytes(name), $1) }
        }

        /// A copy with a header; unchanged if the value is nil.
        public func header(_ name: String, _ value: (some ValueConvertible)?) -> RouterCall {
            with(value) { $0.headers.append(Value.Member(name: Bytes(name), value: $1)) }
        }

        /// A copy with a declared cookie parameter; unchanged if the value is nil.
        public func cookie(_ name: String, _ value: (some ValueConvertible)?) -> RouterCall {
            with(value) { $0.set(cookie: Bytes(name), $1) }
        }

        /// A copy with a Codable value as the body.
        public func body(encoding value: some Encodable) throws(Failure) -> RouterCall {
            let tree = try JSONBody.tree(of: value)
            return with(true) { (call, _) in call.body = .value(tree) }
        }

        private func with(_ value: (some ValueConvertible)?, _ change: (inout Call, Value) -> Void) -> RouterCall {
            guard let value else { return self }
            var copy = self
            change(&copy.call, value.routableValue)
            return copy
        }
    }
}

extension Router {
    /// A call of an operation of a route, with the values of the path in order.
    public func call(_ route: String, _ operation: String, _ ids: any ValueConvertible...) -> Client.RouterCall {
        var call = Call(operation: Bytes(operation))
        call.route = Bytes(route)
        call.ids = .positional(ids.map { $0.routableValue })
        return Client.RouterCall(router: self, call: call)
    }

    /// A call of a standalone operation.
    public func call(operation: String, _ ids: any ValueConvertible...) -> Client.RouterCall {
        var call = Call(operation: Bytes(operation))
        call.ids = .positional(ids.map { $0.routableValue })
        return Client.RouterCall(router: self, call: call)
    }
}
