// Presenters that make their screen when it is first shown, and again after all references to it are gone.
//
// Weak references do not exist in the Embedded mode: C hosts keep their own screens.

#if !hasFeature(Embedded)
public import RoutableCore

/// A weak reference to an object.
private final class WeakBox<Object: AnyObject> {
    weak var object: Object?
}

extension Presenter where Presentable: AnyObject {
    /// A presenter that calls `make` when its presentable is used, unless the program still holds the one that `make` returned
    /// last.
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
