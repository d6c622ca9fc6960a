// Requests of a path template below a base.  Enum routes and typed routes use a router and a plan for each template, created on
// first use, like all other requests.

internal import RoutableCore
internal import RoutableDocuments

/// Identifies a standalone operation that is not declared by an API.
struct TemplateRoute: Hashable {
    var base: Bytes
    var method: Bytes
    var template: Bytes
    var encoding: ParameterEncoding
    var declaresBody: Bool
    /// Whether a value is decoded from its responses.
    var hasModel = false

    private static let known = Locked<[TemplateRoute: Router]>([:])
    /// The maximum size of the cache, which is then cleared: templates are constants, so a program with more generates them.
    private static let maximumKept = 4096
    private static let operation: Bytes = "perform"

    func request(_ complete: (inout Call) -> Void) throws(Failure) -> Request {
        var call = Call(operation: Self.operation)
        complete(&call)
        return try router().request(for: call)
    }

    private func router() throws(Failure) -> Router {
        if let router = Self.known.withLock({ $0[self] }) { return router }
        var description = RouterDescription()
        description.base = base
        description.isAnonymous = true
        var operation = OperationDescription(name: Self.operation, method: method, path: template, place: .root)
        operation.encoding = encoding.form
        // Setting the property also allows a body for GET (statement J3).
        if declaresBody { operation.isBodyRequired = false }
        if hasModel { operation.hasModel = true }
        description.operations = [operation]
        let router = try Router.open(withTypesOf: description)
        Self.known.withLock { all in
            if all.count >= Self.maximumKept { all.removeAll() }
            all[self] = router
        }
        return router
    }
}
