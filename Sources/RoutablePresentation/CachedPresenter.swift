// Presenters that make their screen when it is first shown, and again after all references to it were released.
//
// The Embedded mode has no weak references; C hosts store their own screens.

#if !hasFeature(Embedded)
public import RoutableCore

/// A weak reference to an object.
private final class WeakBox<Object: AnyObject> {
    weak var object: Object?
}

extension Presenter where Presentable: AnyObject {
    /// A presenter that calls `make` when its presentable is used, unless the program still references the presentable that `make`
    /// returned last.
    public static func cached(
        _ name: Bytes, setChild: SetChild? = nil, setChildren: SetChildren? = nil, make: @escaping Get
    ) -> Presenter {
        let box = WeakBox<Presentable>()
        return Presenter(
            name,
            presentable: { (visit: Visit<Path>) throws(Failure) -> Presentable in
                if let object = box.object { return object }
                let object = try make(visit)
                box.object = object
                return object
            }, setChild: setChild, setChildren: setChildren)
    }
}
#endif
