// Requests of a path template below a base.  Enum routes and typed routes use a router and a plan for each template, made on
// first use, like all other requests.

internal import RoutableCore
internal import RoutableDocuments

/// Identifies a standalone operation that no API declares.
struct TemplateRoute: Hashable {
    var base: Bytes
    var method: Bytes
    var template: Bytes
    var encoding: ParameterEncoding
    var declaresBody: Bool
    /// Whether a value is decoded from its responses.
    var hasModel = false

    private static let known = Locked<[TemplateRoute: Router]>([:])
    /// Templates come from the source of a program; more than this are none.
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
        // Said at all, it allows a body on GET as well (statement J3).
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
