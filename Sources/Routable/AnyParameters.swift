// The operations with parameters of any type, as in the articles: `[String: Any]`, for example from JSONSerialization.
//
// A literal is `Parameters`, and a dictionary with values of one type needs no conversion at run time: these overloads are only for `Any`.

public import RoutableCore

extension ResourceCollection where Kind: Creatable {
    /// POST on the collection with undeclared parameters of any type, in the order of their names.
    ///
    /// - Throws: the errors of ``Parameters/init(any:)``.
    @_disfavoredOverload
    public func create(parameters: [String: Any]) throws(Failure) -> Endpoint<Kind.Model> {
        create(parameters: try Parameters(any: parameters))
    }
}

extension ResourceCollection where Kind: Updatable {
    /// PUT on the member with this id, with undeclared parameters of any type, in the order of their names.
    ///
    /// - Throws: the errors of ``Parameters/init(any:)``.
    @_disfavoredOverload
    public func update(_ id: Kind.ID, parameters: [String: Any]) throws(Failure) -> Endpoint<Kind.Model> {
        update(id, parameters: try Parameters(any: parameters))
    }
}

extension ResourceMember where Kind: Updatable {
    /// PUT on the member with undeclared parameters of any type, in the order of their names.
    ///
    /// - Throws: the errors of ``Parameters/init(any:)``.
    @_disfavoredOverload
    public func update(parameters: [String: Any]) throws(Failure) -> Endpoint<Kind.Model> {
        update(parameters: try Parameters(any: parameters))
    }
}

extension ParentMember where Kind: Updatable {
    /// PUT on the member with undeclared parameters of any type, in the order of their names.
    ///
    /// - Throws: the errors of ``Parameters/init(any:)``.
    @_disfavoredOverload
    public func update(parameters: [String: Any]) throws(Failure) -> Endpoint<Kind.Model> {
        update(parameters: try Parameters(any: parameters))
    }
}

extension Resource where Self: Creatable {
    /// POST on the collection at the root with undeclared parameters of any type, in the order of their names.
    ///
    /// - Throws: the errors of ``Parameters/init(any:)``.
    @_disfavoredOverload
    public static func create(parameters: [String: Any]) throws(Failure) -> Endpoint<Model> {
        create(parameters: try Parameters(any: parameters))
    }
}

extension Resource where Self: Updatable {
    /// PUT on the member with this id, at the root, with undeclared parameters of any type, in the order of their names.
    ///
    /// - Throws: the errors of ``Parameters/init(any:)``.
    @_disfavoredOverload
    public static func update(_ id: ID, parameters: [String: Any]) throws(Failure) -> Endpoint<Model> {
        update(id, parameters: try Parameters(any: parameters))
    }

    /// A synonym of `update(_:parameters:)` with parameters of any type.
    ///
    /// - Throws: the errors of ``Parameters/init(any:)``.
    @_disfavoredOverload
    public static func update(params id: ID, parameters: [String: Any]) throws(Failure) -> Endpoint<Model> {
        update(id, parameters: try Parameters(any: parameters))
    }
}
