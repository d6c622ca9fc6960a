// Introspection: the parts of a router.  All results are borrowed from the router.

public import CRoutable
internal import RoutableCore

private func router(_ handle: OpaquePointer?) -> Router? { handle.map { Handle.knownRouter($0) } }
private func resource(_ handle: OpaquePointer?) -> ResourceEntry? { handle.map { Handle.object($0, ResourceEntry.self) } }
private func operation(_ handle: OpaquePointer?) -> OperationEntry? { handle.map { Handle.object($0, OperationEntry.self) } }
private func parameter(_ handle: OpaquePointer?) -> ParameterEntry? { handle.map { Handle.object($0, ParameterEntry.self) } }

/// The resources that a route can name; nil if they cannot be derived.
private func resources(_ handle: OpaquePointer?) -> [ResourceEntry]? {
    guard let router = router(handle) else { return nil }
    return try? router.graphResources
}

private func str(_ text: Text?) -> routable_str { text.map { routable_str($0) } ?? .empty }

private func borrow<Element: AnyObject>(_ elements: [Element]?, _ index: Int) -> OpaquePointer? {
    guard let elements, elements.indices.contains(index) else { return nil }
    return Handle.borrow(elements[index])
}

private func value(_ data: [UserDataEntry]?, _ key: UnsafePointer<CChar>?) -> routable_str {
    guard let key else { return .empty }
    return str(data?.value(of: Bytes(cString: key)))
}

// MARK: - Router

@_cdecl("routable_router_resource_count") @implementation
public func routable_router_resource_count(_ handle: OpaquePointer?) -> Int { resources(handle)?.count ?? 0 }

@_cdecl("routable_router_resource_at") @implementation
public func routable_router_resource_at(_ handle: OpaquePointer?, _ index: Int) -> OpaquePointer? {
    borrow(resources(handle), index)
}

@_cdecl("routable_router_resource") @implementation
public func routable_router_resource(_ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> OpaquePointer? {
    guard let name else { return nil }
    guard let router = router(handle), let found = try? router.resource(route: Bytes(cString: name)) else { return nil }
    return Handle.borrow(found)
}

@_cdecl("routable_router_derives_resources") @implementation
public func routable_router_derives_resources(_ handle: OpaquePointer?) -> Int32 { router(handle)?.isDerived == true ? 1 : 0 }

@_cdecl("routable_router_resource_operation") @implementation
public func routable_router_resource_operation(
    _ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?
) -> OpaquePointer? {
    guard let name, let router = router(handle), let graph = try? router.derivedGraph else { return nil }
    return router.operationIndex(named: Bytes(cString: name)).flatMap { graph.walks[$0] }.map { Handle.borrow($0) }
}

@_cdecl("routable_router_operation_count") @implementation
public func routable_router_operation_count(_ handle: OpaquePointer?) -> Int { router(handle)?.operations.count ?? 0 }

@_cdecl("routable_router_operation_at") @implementation
public func routable_router_operation_at(_ handle: OpaquePointer?, _ index: Int) -> OpaquePointer? {
    borrow(router(handle)?.operations, index)
}

@_cdecl("routable_router_operation") @implementation
public func routable_router_operation(_ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> OpaquePointer? {
    guard let name else { return nil }
    return router(handle)?.operation(named: Bytes(cString: name)).map { Handle.borrow($0) }
}

@_cdecl("routable_router_type_count") @implementation
public func routable_router_type_count(_ handle: OpaquePointer?) -> Int { router(handle)?.types.count ?? 0 }

@_cdecl("routable_router_type_name_at") @implementation
public func routable_router_type_name_at(_ handle: OpaquePointer?, _ index: Int) -> routable_str {
    guard let types = router(handle)?.types, types.indices.contains(index) else { return .empty }
    return routable_str(types[index].name)
}

@_cdecl("routable_router_type_schema_at") @implementation
public func routable_router_type_schema_at(_ handle: OpaquePointer?, _ index: Int) -> routable_str {
    guard let types = router(handle)?.types, types.indices.contains(index) else { return .empty }
    return routable_str(types[index].schema)
}

@_cdecl("routable_router_user_data") @implementation
public func routable_router_user_data(_ handle: OpaquePointer?, _ key: UnsafePointer<CChar>?) -> routable_str {
    value(router(handle)?.userData, key)
}

// MARK: - Resource

@_cdecl("routable_resource_name") @implementation
public func routable_resource_name(_ handle: OpaquePointer?) -> routable_str { str(resource(handle)?.name) }

@_cdecl("routable_resource_path") @implementation
public func routable_resource_path(_ handle: OpaquePointer?) -> routable_str { str(resource(handle)?.path) }

@_cdecl("routable_resource_type") @implementation
public func routable_resource_type(_ handle: OpaquePointer?) -> routable_str { str(resource(handle)?.typeName) }

@_cdecl("routable_resource_description") @implementation
public func routable_resource_description(_ handle: OpaquePointer?) -> routable_str { str(resource(handle)?.summary) }

@_cdecl("routable_resource_capabilities") @implementation
public func routable_resource_capabilities(_ handle: OpaquePointer?) -> UInt32 {
    resource(handle)?.description.capabilities.rawValue ?? 0
}

@_cdecl("routable_resource_id_count") @implementation
public func routable_resource_id_count(_ handle: OpaquePointer?) -> Int { resource(handle)?.ids.count ?? 0 }

@_cdecl("routable_resource_id_at") @implementation
public func routable_resource_id_at(_ handle: OpaquePointer?, _ index: Int) -> OpaquePointer? {
    borrow(resource(handle)?.ids, index)
}

@_cdecl("routable_resource_child_count") @implementation
public func routable_resource_child_count(_ handle: OpaquePointer?) -> Int { resource(handle)?.children.count ?? 0 }

@_cdecl("routable_resource_child_at") @implementation
public func routable_resource_child_at(_ handle: OpaquePointer?, _ index: Int) -> OpaquePointer? {
    resource(handle)?.child(at: index).map { OpaquePointer($0.toOpaque()) }
}

@_cdecl("routable_resource_is_root") @implementation
public func routable_resource_is_root(_ handle: OpaquePointer?) -> Int32 { resource(handle)?.isRoot == true ? 1 : 0 }

@_cdecl("routable_resource_operation_count") @implementation
public func routable_resource_operation_count(_ handle: OpaquePointer?) -> Int { resource(handle)?.operations.count ?? 0 }

@_cdecl("routable_resource_operation_at") @implementation
public func routable_resource_operation_at(_ handle: OpaquePointer?, _ index: Int) -> OpaquePointer? {
    borrow(resource(handle)?.operations, index)
}

@_cdecl("routable_resource_user_data") @implementation
public func routable_resource_user_data(_ handle: OpaquePointer?, _ key: UnsafePointer<CChar>?) -> routable_str {
    value(resource(handle)?.userData, key)
}

@_cdecl("routable_resource_route") @implementation
public func routable_resource_route(_ handle: OpaquePointer?) -> routable_str { str(resource(handle)?.route) }

@_cdecl("routable_resource_place") @implementation
public func routable_resource_place(_ handle: OpaquePointer?) -> routable_place {
    resource(handle).map { routable_place(rawValue: $0.place.rawValue) } ?? ROUTABLE_ON_COLLECTION
}

// MARK: - Operation

@_cdecl("routable_operation_standalone_name") @implementation
public func routable_operation_standalone_name(_ handle: OpaquePointer?) -> routable_str {
    str(operation(handle)?.standaloneName)
}

@_cdecl("routable_operation_name") @implementation
public func routable_operation_name(_ handle: OpaquePointer?) -> routable_str { str(operation(handle)?.name) }

@_cdecl("routable_operation_method") @implementation
public func routable_operation_method(_ handle: OpaquePointer?) -> routable_str { str(operation(handle)?.method) }

@_cdecl("routable_operation_path") @implementation
public func routable_operation_path(_ handle: OpaquePointer?) -> routable_str { str(operation(handle)?.path) }

@_cdecl("routable_operation_description") @implementation
public func routable_operation_description(_ handle: OpaquePointer?) -> routable_str { str(operation(handle)?.summary) }

@_cdecl("routable_operation_place") @implementation
public func routable_operation_place(_ handle: OpaquePointer?) -> routable_place {
    operation(handle).map { routable_place(rawValue: $0.description.place.rawValue) } ?? ROUTABLE_ON_COLLECTION
}

@_cdecl("routable_operation_body_type") @implementation
public func routable_operation_body_type(_ handle: OpaquePointer?) -> routable_str { str(operation(handle)?.bodyTypeName) }

@_cdecl("routable_operation_result_type") @implementation
public func routable_operation_result_type(_ handle: OpaquePointer?) -> routable_str {
    str(operation(handle)?.resultTypeName)
}

@_cdecl("routable_operation_parameter_count") @implementation
public func routable_operation_parameter_count(_ handle: OpaquePointer?) -> Int { operation(handle)?.parameters.count ?? 0 }

@_cdecl("routable_operation_parameter_at") @implementation
public func routable_operation_parameter_at(_ handle: OpaquePointer?, _ index: Int) -> OpaquePointer? {
    borrow(operation(handle)?.parameters, index)
}

@_cdecl("routable_operation_user_data") @implementation
public func routable_operation_user_data(_ handle: OpaquePointer?, _ key: UnsafePointer<CChar>?) -> routable_str {
    value(operation(handle)?.userData, key)
}

// MARK: - Parameter

@_cdecl("routable_parameter_name") @implementation
public func routable_parameter_name(_ handle: OpaquePointer?) -> routable_str { str(parameter(handle)?.name) }

@_cdecl("routable_parameter_location") @implementation
public func routable_parameter_location(_ handle: OpaquePointer?) -> routable_location {
    parameter(handle).map { routable_location(rawValue: $0.description.location.rawValue) } ?? ROUTABLE_IN_PATH
}

@_cdecl("routable_parameter_type") @implementation
public func routable_parameter_type(_ handle: OpaquePointer?) -> routable_str { str(parameter(handle)?.typeName) }

@_cdecl("routable_parameter_is_required") @implementation
public func routable_parameter_is_required(_ handle: OpaquePointer?) -> Int32 {
    parameter(handle)?.description.isRequired == true ? 1 : 0
}

@_cdecl("routable_parameter_takes_segments") @implementation
public func routable_parameter_takes_segments(_ handle: OpaquePointer?) -> Int32 {
    parameter(handle)?.description.takesSegments == true ? 1 : 0
}

@_cdecl("routable_parameter_allows_empty") @implementation
public func routable_parameter_allows_empty(_ handle: OpaquePointer?) -> Int32 {
    parameter(handle)?.description.allowsEmpty == true ? 1 : 0
}

@_cdecl("routable_parameter_description") @implementation
public func routable_parameter_description(_ handle: OpaquePointer?) -> routable_str { str(parameter(handle)?.summary) }
