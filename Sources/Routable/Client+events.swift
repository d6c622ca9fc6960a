// The values that functions of the program receive: the events of all transfers of a client, and the request that they sign
// (docs/observe.md, docs/auth.md).

public import RoutableClient
public import RoutableCore

extension Client {
    /// Sets a function that receives the events of all later requests: attempts, retries, redirects, refreshes and
    /// completions.  It is set once for a client and its copies, and receives no events of other clients over the same
    /// transport.
    ///
    /// The function is called on the actor in whose code it is written, such as the MainActor of a view model, in the order of
    /// the events.  It receives the events of a request before the outcome of the request arrives.  Events that wait for a busy
    /// actor are kept in memory.
    public func observe(
        @_inheritActorContext _ report: @escaping @isolated(any) @Sendable (Event) -> Void
    ) throws(Failure) {
        let delivery = Delivery(.all, to: report)
        try core.client().setHook(Hook(owner: delivery) { delivery.add($0) })
    }
}

extension Client {
    /// Sets a function that receives each response that deviates from its description, with the name of its operation, such as
    /// `user.status.read`.  It is set once for a client and its copies.
    ///
    /// A value that `perform` returns does not show the deviations of its response.  The function is called by the thread that
    /// received the response, before the response is returned.
    public func observeDeviations(
        _ report: @escaping @Sendable (_ response: Response, _ operation: String) -> Void
    ) throws(Failure) {
        try core.client().setDeviationHook(
            DeviationHook { response, plan in
                let route = plan.route.bytes.string
                let name = plan.operation.name.bytes.string
                report(response, route.isEmpty ? name : "\(route).\(name)")
            })
    }
}

extension Event {
    /// The route, such as `user.status`; nil for a standalone operation, and for a request of a URL or of a token.
    public var route: String? { plan.flatMap { $0.route.isEmpty ? nil : $0.route.bytes.string } }
    /// The name of the operation, such as `read`; nil for a request of a URL or of a token.
    public var operation: String? { plan.map { $0.operation.name.bytes.string } }
    /// For `attempt`: the method.
    public var method: String? { Self.string(methodText) }
    /// For `attempt`: the URL.  For `redirect`: the target.
    public var url: String? { Self.string(urlText) }
    /// For `attempt`: the path of the operation with the names of its values, such as `/users/:username`, which is the same for
    /// all requests of the route and operation.
    public var pathTemplate: String? { Self.string(pathTemplateText) }
    /// For `refresh`: the name of the credential's scheme.
    public var scheme: String? { Self.string(schemeText) }

    private static func string(_ text: Text) -> String? { text.isEmpty ? nil : text.bytes.string }
}

extension Signing {
    /// The method of the request.
    public var method: String { methodText.string }
    /// The URL of the request.
    public var url: String { urlText.bytes.string }
    /// The body; nil if there is none, or if it is not in memory.
    public var body: Bytes? { bodyText?.bytes }
    /// The headers, in order.
    public var headerFields: [HeaderField] { headerBlock.fields }

    /// The value of the first header with this name; nil if there is none.
    public func header(_ name: String) -> String? { headerBlock.value(of: Bytes(name))?.string }

    /// Replaces all headers with this name, or adds one.  The library treats the value as a secret.
    ///
    /// - Throws: `header` for a name or a value that HTTP does not allow.
    public func setHeader(_ name: String, _ value: String) throws(Failure) { try set(Bytes(name), Bytes(value)) }
}
