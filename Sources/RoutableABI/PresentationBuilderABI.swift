// The functions that declare a tree of screens.

public import CRoutable
internal import RoutableCore
internal import RoutablePresentation

@_cdecl("routable_presentation_builder_new") @implementation
public func routable_presentation_builder_new(
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in try Handle.give(ScreenBuilder(), try required(out, "out")) }
}

@_cdecl("routable_presentation_builder_free") @implementation
public func routable_presentation_builder_free(_ builder: OpaquePointer?) { Handle.free(builder, ScreenBuilder.self) }

/// Adds one presenter.  It is read first, so that its user data is released if a later step fails.
@inline(never)
private func add(
    _ builder: OpaquePointer?, _ parent: UnsafePointer<CChar>?, _ presenter: UnsafePointer<routable_presenter>?,
    _ place: () throws(Failure) -> ScreenBuilder.Place
) throws(Failure) {
    let presenter = try ScreenPresenter.read(presenter)
    let builder = try Handle.required(builder, ScreenBuilder.self, "builder")
    let (place, parent) = (try place(), optionalName(parent))
    try Memory.check()
    try builder.add(presenter, place, parent: parent)
}

@_cdecl("routable_presentation_builder_add_presenter") @implementation
public func routable_presentation_builder_add_presenter(
    _ builder: OpaquePointer?, _ parent: UnsafePointer<CChar>?, _ presenter: UnsafePointer<routable_presenter>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        try add(builder, parent, presenter) { () throws(Failure) -> ScreenBuilder.Place in .bare }
    }
}

@_cdecl("routable_presentation_builder_add_junction") @implementation
public func routable_presentation_builder_add_junction(
    _ builder: OpaquePointer?, _ parent: UnsafePointer<CChar>?, _ presenter: UnsafePointer<routable_presenter>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        try add(builder, parent, presenter) { () throws(Failure) -> ScreenBuilder.Place in .junction }
    }
}

@_cdecl("routable_presentation_builder_add_stack") @implementation
public func routable_presentation_builder_add_stack(
    _ builder: OpaquePointer?, _ parent: UnsafePointer<CChar>?, _ presenter: UnsafePointer<routable_presenter>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        try add(builder, parent, presenter) { () throws(Failure) -> ScreenBuilder.Place in .stack }
    }
}

@_cdecl("routable_presentation_builder_add_pattern") @implementation
public func routable_presentation_builder_add_pattern(
    _ builder: OpaquePointer?, _ parent: UnsafePointer<CChar>?, _ presenter: UnsafePointer<routable_presenter>?,
    _ pattern: UnsafePointer<CChar>?, _ flags: UInt32, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        try add(builder, parent, presenter) { () throws(Failure) -> ScreenBuilder.Place in
            .pattern(try nameText(pattern, "pattern"), isRelative: try isRelative(flags))
        }
    }
}

@_cdecl("routable_presentation_builder_add_template") @implementation
public func routable_presentation_builder_add_template(
    _ builder: OpaquePointer?, _ parent: UnsafePointer<CChar>?, _ presenter: UnsafePointer<routable_presenter>?,
    _ path_template: UnsafePointer<CChar>?, _ ids: UnsafePointer<routable_parameter_options>?, _ id_count: Int,
    _ flags: UInt32, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        try add(builder, parent, presenter) { () throws(Failure) -> ScreenBuilder.Place in
            let types = try typedIds(ids, id_count)
            return .template(try nameText(path_template, "path_template"), types, isRelative: try isRelative(flags))
        }
    }
}

@_cdecl("routable_presentation_builder_add_predicate") @implementation
public func routable_presentation_builder_add_predicate(
    _ builder: OpaquePointer?, _ parent: UnsafePointer<CChar>?, _ presenter: UnsafePointer<routable_presenter>?,
    _ function: routable_predicate_fn?, _ user_data: UnsafeMutableRawPointer?,
    _ release: routable_release_fn?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    let user = HostData(user_data, release)
    return attemptChange(error) { () throws(Failure) in
        try add(builder, parent, presenter) { () throws(Failure) -> ScreenBuilder.Place in
            guard let function else { throw .null("predicate") }
            return .predicate(predicate(function, user))
        }
    }
}

@_cdecl("routable_presentation_builder_add_document") @implementation
public func routable_presentation_builder_add_document(
    _ builder: OpaquePointer?, _ parent: UnsafePointer<CChar>?, _ document: UnsafePointer<CChar>?, _ length: Int,
    _ presenters: UnsafePointer<routable_presenter>?, _ presenter_count: Int,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let bound = try BoundPresenters(presenters, presenter_count)
        let builder = try Handle.required(builder, ScreenBuilder.self, "builder")
        try builder.add(try input(document, length, "document"), bound, parent: optionalName(parent))
    }
}

@_cdecl("routable_presentation_builder_set_unmatched") @implementation
public func routable_presentation_builder_set_unmatched(
    _ builder: OpaquePointer?, _ function: routable_unmatched_fn?, _ user_data: UnsafeMutableRawPointer?,
    _ release: routable_release_fn?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    let user = HostData(user_data, release)
    return attemptChange(error) { () throws(Failure) in
        let builder = try Handle.required(builder, ScreenBuilder.self, "builder")
        guard let function else { throw .null("unmatched") }
        let handler = unmatched(function, user)
        try Memory.check()
        builder.setUnmatched(handler)
    }
}

@_cdecl("routable_presentation_builder_build") @implementation
public func routable_presentation_builder_build(
    _ builder: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let builder = try Handle.required(builder, ScreenBuilder.self, "builder")
        try Handle.give(ScreenTree(try builder.build()), out)
    }
}

private func isRelative(_ flags: UInt32) throws(Failure) -> Bool {
    try check(flags: flags, within: UInt32(ROUTABLE_ROUTE_RELATIVE), "flags")
    return flags & UInt32(ROUTABLE_ROUTE_RELATIVE) != 0
}

/// The distance between elements of the array is the member `size` of the first one.
@inline(never)
private func typedIds(_ start: UnsafePointer<routable_parameter_options>?, _ count: Int) throws(Failure) -> [TypedId] {
    if count == 0 { return [] }
    guard let start else { throw .null("ids") }
    guard count > 0, count <= Limits.idsPerRoute else {
        throw Failure(.limit, "at most \(Limits.idsPerRoute) ids are allowed")
    }
    var result: [TypedId] = []
    var next = UnsafeRawPointer(start)
    for _ in 0..<count {
        let parameter = try ParameterDescription(
            next.assumingMemoryBound(to: routable_parameter_options.self), isId: true)
        result.append(TypedId(parameter.name, parameter.scalar))
        next += start.pointee.size
    }
    return result
}
