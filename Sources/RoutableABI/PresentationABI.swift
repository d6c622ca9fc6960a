// Setting paths, and the visits that callbacks receive.

public import CRoutable
internal import RoutableCore
internal import RoutablePresentation

@_cdecl("routable_presentation_free") @implementation
public func routable_presentation_free(_ presentation: OpaquePointer?) { Handle.free(presentation, ScreenTree.self) }

/// Runs `body` with the tree, which is retained until `body` returns, even if the program frees its handle.
@inline(never)
private func withTree(
    _ handle: OpaquePointer?, _ body: (Presentation<Screen, Text>) throws(Failure) -> Void
) throws(Failure) {
    guard let handle else { throw .null("presentation") }
    let tree = Unmanaged<ScreenTree>.fromOpaque(UnsafeRawPointer(handle)).retain()
    defer { tree.release() }
    try body(tree.takeUnretainedValue().presentation)
}

@_cdecl("routable_presentation_presentable") @implementation
public func routable_presentation_presentable(
    _ presentation: OpaquePointer?, _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        var screen: Screen = nil
        try withTree(presentation) { (tree) throws(Failure) in screen = try tree.presentable }
        try Memory.check()
        out.pointee = screen
    }
}

@_cdecl("routable_presentation_handles") @implementation
public func routable_presentation_handles(
    _ presentation: OpaquePointer?, _ path: routable_str, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    outcome(error) { () throws(Failure) -> Bool in
        let path = Text(try path.bytes("path"))
        var isHandled = false
        try withTree(presentation) { (tree) throws(Failure) in isHandled = try tree.handles(path) }
        return isHandled
    }
}

@_cdecl("routable_presentation_set") @implementation
public func routable_presentation_set(
    _ presentation: OpaquePointer?, _ path: routable_str, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptTaking(error) { () throws(Failure) -> Status in
        let path = Text(try path.bytes("path"))
        try Memory.check()
        var isSet = false
        try withTree(presentation) { (tree) throws(Failure) in isSet = try tree.set(path) }
        return isSet ? .ok : .noMatch
    }
}

@_cdecl("routable_presentation_stack") @implementation
public func routable_presentation_stack(
    _ presentation: OpaquePointer?, _ path: routable_str,
    _ presentables: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ capacity: Int, _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    outcome(error) { () throws(Failure) -> Bool in
        let path = Text(try path.bytes("path"))
        let count = try required(count, "count")
        if presentables == nil && capacity != 0 { throw .null("presentables") }
        var screens: [Screen]?
        try withTree(presentation) { (tree) throws(Failure) in screens = try tree.stack(path) }
        guard let screens else { return false }
        try Memory.check()
        count.pointee = screens.count
        // A capacity that exceeds a signed integer is sufficient.
        if capacity >= 0 && screens.count > capacity {
            throw Failure(.buffer, "there are \(screens.count) presentables, and the array has room for \(capacity)")
        }
        for (index, screen) in screens.enumerated() { presentables?[index] = screen }
        return true
    }
}

/// The status is `NO_MATCH` if `body` returns false.
@inline(__always)
private func outcome(_ error: ErrorOutput, _ body: () throws(Failure) -> Bool) -> routable_status {
    attemptStatus(error) { () throws(Failure) -> Status in try body() ? .ok : .noMatch }
}

// MARK: - Visit

private func visit(_ handle: OpaquePointer?) -> ScreenVisit? { handle.map { Handle.object($0, ScreenVisit.self) } }

private func capture(_ handle: OpaquePointer?, _ index: Int) -> NamedCapture? {
    guard let captures = visit(handle)?.captures, captures.indices.contains(index) else { return nil }
    return captures[index]
}

extension routable_value {
    /// A captured value; its text is borrowed from the visit.
    @inline(never) fileprivate init(_ capture: NamedCapture?) {
        self.init()
        guard let capture else { return }
        switch capture.value {
        case .boolean(let truth):
            kind = ROUTABLE_KIND_BOOLEAN
            `as`.integer = truth ? 1 : 0
        case .integer(let number):
            kind = ROUTABLE_KIND_INTEGER
            `as`.integer = number
        case .real(let number):
            kind = ROUTABLE_KIND_REAL
            `as`.real = number
        default:
            kind = ROUTABLE_KIND_STRING
            `as`.string = routable_str(capture.text)
        }
    }
}

@_cdecl("routable_visit_path") @implementation
public func routable_visit_path(_ handle: OpaquePointer?) -> routable_str {
    visit(handle)?.path.map { routable_str($0) } ?? .empty
}

@_cdecl("routable_visit_route") @implementation
public func routable_visit_route(_ handle: OpaquePointer?) -> routable_str {
    visit(handle)?.label.map { routable_str($0) } ?? .empty
}

@_cdecl("routable_visit_capture_count") @implementation
public func routable_visit_capture_count(_ handle: OpaquePointer?) -> Int { visit(handle)?.captures.count ?? 0 }

@_cdecl("routable_visit_capture_name_at") @implementation
public func routable_visit_capture_name_at(_ handle: OpaquePointer?, _ index: Int) -> routable_str {
    capture(handle, index).map { routable_str($0.name) } ?? .empty
}

@_cdecl("routable_visit_capture_string_at") @implementation
public func routable_visit_capture_string_at(_ handle: OpaquePointer?, _ index: Int) -> routable_str {
    capture(handle, index).map { routable_str($0.text) } ?? .empty
}

@_cdecl("routable_visit_capture_at") @implementation
public func routable_visit_capture_at(_ handle: OpaquePointer?, _ index: Int) -> routable_value {
    routable_value(capture(handle, index))
}

@_cdecl("routable_visit_capture") @implementation
public func routable_visit_capture(_ handle: OpaquePointer?, _ captureName: UnsafePointer<CChar>?) -> routable_value {
    guard let captureName, let captures = visit(handle)?.captures else { return routable_value() }
    let name = Bytes(cString: captureName)
    return routable_value(captures.first { $0.name.bytes == name })
}
