// Converts the callbacks of a C program to presenters: closures with C function pointers and their user data.

internal import CRoutable
internal import RoutableCore
internal import RoutablePresentation

/// The presentable of the C interface: an opaque pointer of the program.
typealias Screen = UnsafeMutableRawPointer?
/// A path followed by a NUL at a stable address.
typealias ScreenVisit = Visit<Text>
typealias ScreenPresenter = Presenter<Screen, Text>
typealias ScreenBuilder = PresentationBuilder<Screen, Text>

/// A tree, at the address that the program has.
final class ScreenTree {
    let presentation: Presentation<Screen, Text>
    init(_ presentation: Presentation<Screen, Text>) { self.presentation = presentation }
}

/// A failure for a callback that did not return `ROUTABLE_OK`.
@inline(never)
func failed(_ function: StaticString, _ code: routable_status) -> Failure {
    var message: Bytes = "the function "
    message.append(Bytes(static: function))
    message.append(" failed with ")
    if let status = Status(rawValue: code.rawValue) {
        message.append(Bytes(static: status.name))
    } else {
        message.append("\(code.rawValue)")
    }
    return Failure(.callback, message)
}

extension Presenter where Presentable == Screen, Path == Text {
    /// A presenter of the program.  Its user data is also released if this function throws, unless it cannot be read.
    @inline(never) static func read(_ pointer: UnsafePointer<routable_presenter>?) throws(Failure) -> ScreenPresenter {
        if pointer == nil { throw .null("presenter") }
        let given = try options(pointer, routable_presenter(), "presenter")
        let user = HostData(given.user_data, given.release)
        let name = try nameText(given.name, "presenter.name")
        let get = given.presentable
        let child = given.set_child
        let children = given.set_children
        var setChild: SetChild?
        var setChildren: SetChildren?
        if let child {
            setChild = { (screen: Screen, visit: ScreenVisit) throws(Failure) in
                let code = child(screen, Handle.borrow(visit), user.pointer)
                if code != ROUTABLE_OK { throw failed("set_child", code) }
            }
        }
        if let children {
            setChildren = { (screens: [Screen], visit: ScreenVisit) throws(Failure) in
                // The array belongs to this call: the program cannot access it otherwise.
                let code = screens.withUnsafeBufferPointer {
                    children($0.baseAddress, $0.count, Handle.borrow(visit), user.pointer)
                }
                if code != ROUTABLE_OK { throw failed("set_children", code) }
            }
        }
        return ScreenPresenter(
            name,
            presentable: { (visit: ScreenVisit) throws(Failure) -> Screen in
                guard let get else { return user.pointer }
                var screen: Screen = nil
                let code = get(Handle.borrow(visit), &screen, user.pointer)
                if code != ROUTABLE_OK { throw failed("presentable", code) }
                return screen
            }, setChild: setChild, setChildren: setChildren)
    }
}

/// A predicate of the program.
func predicate(
    _ function: @escaping routable_predicate_fn, _ user: HostData
) -> (Text) throws(Failure) -> Bool {
    { (path: Text) throws(Failure) -> Bool in
        let code = function(routable_str(path), user.pointer)
        if code == ROUTABLE_NO_MATCH { return false }
        if code != ROUTABLE_OK { throw failed("predicate", code) }
        return true
    }
}

/// A handler of the program for paths that no route accepts.
func unmatched(
    _ function: @escaping routable_unmatched_fn, _ user: HostData
) -> (ScreenVisit) throws(Failure) -> Void {
    { (visit: ScreenVisit) throws(Failure) in
        let code = function(Handle.borrow(visit), user.pointer)
        if code != ROUTABLE_OK { throw failed("unmatched", code) }
    }
}
