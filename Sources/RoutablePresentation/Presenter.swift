// The interface between a tree of routes and the screens of a host.

public import RoutableCore

/// Shows one node of a presentation: returns its presentable and receives those of its children.
public struct Presenter<Presentable, Path> {
    /// Returns the presentable of a visit, such as a view controller.
    public typealias Get = (Visit<Path>) throws(Failure) -> Presentable
    /// Shows one child.
    public typealias SetChild = (Presentable, Visit<Path>) throws(Failure) -> Void
    /// Shows a stack of children.
    public typealias SetChildren = ([Presentable], Visit<Path>) throws(Failure) -> Void

    /// One reference instead of several: presenters are passed on every call.
    final class Functions {
        let label: Text
        let get: Get
        let setChild: SetChild?
        let setChildren: SetChildren?

        init(_ name: Bytes, _ get: @escaping Get, _ setChild: SetChild?, _ setChildren: SetChildren?) {
            label = Text(name)
            self.get = get
            self.setChild = setChild
            self.setChildren = setChildren
        }
    }

    let functions: Functions

    var label: Text { functions.label }

    /// The name of the presenter in errors and visits.
    public var name: Bytes { label.bytes }

    /// A presenter whose functions receive the visit.
    ///
    /// - Parameters:
    ///   - presentable: called each time the presentable is used, and not before.
    ///   - setChild: required for a junction: shows one of its children.
    ///   - setChildren: required for a junction and a stack: receives the children or the screens.
    public init(
        _ name: Bytes, presentable: @escaping Get, setChild: SetChild? = nil, setChildren: SetChildren? = nil
    ) {
        functions = Functions(name, presentable, setChild, setChildren)
    }

    /// A presenter whose functions do not receive the visit.
    public init(
        _ name: Bytes, presentable: @escaping () throws(Failure) -> Presentable,
        setChild: ((Presentable) throws(Failure) -> Void)? = nil,
        setChildren: (([Presentable]) throws(Failure) -> Void)? = nil
    ) {
        var child: SetChild?
        if let setChild { child = { (one: Presentable, _: Visit<Path>) throws(Failure) in try setChild(one) } }
        var children: SetChildren?
        if let setChildren {
            children = { (all: [Presentable], _: Visit<Path>) throws(Failure) in try setChildren(all) }
        }
        let get = { (_: Visit<Path>) throws(Failure) -> Presentable in try presentable() }
        functions = Functions(name, get, child, children)
    }

    // MARK: Calls; their failures name the presenter

    func presentable(_ visit: Visit<Path>) throws(Failure) -> Presentable {
        do throws(Failure) { return try functions.get(visit) } catch { throw error.about(presenter: label) }
    }

    func set(child: Presentable, _ visit: Visit<Path>) throws(Failure) {
        guard let setChild = functions.setChild else { throw unset("set child") }
        do throws(Failure) { try setChild(child, visit) } catch { throw error.about(presenter: label) }
    }

    func set(children: [Presentable], _ visit: Visit<Path>) throws(Failure) {
        guard let setChildren = functions.setChildren else { throw unset("set children") }
        do throws(Failure) { try setChildren(children, visit) } catch { throw error.about(presenter: label) }
    }

    /// The failure for a missing function.
    @inline(never) func unset(_ function: Bytes) -> Failure {
        Failure(.callback, "a function to \(function) is required, but was not set").about(presenter: label)
    }
}

extension Failure {
    /// The same failure with the name of a presenter, unless it already has one.
    @inline(never) package func about(presenter: Text) -> Failure {
        if !fields.route.isEmpty { return self }
        return with {
            $0.route = presenter.bytes
            $0.message = "the presenter \"\(presenter.bytes.printable)\": \($0.message)"
        }
    }
}
