// Binds the presenters of a document by name.

internal import CRoutable
internal import RoutableCore
internal import RoutableDocuments
internal import RoutablePresentation

/// The presenters that a program passes with a document.
struct BoundPresenters {
    /// nil for presenters that were taken.
    private var presenters = KeyedValues<Bytes, ScreenPresenter?>()

    /// The distance between elements of the array is the member `size` of the first one.
    @inline(never) init(_ start: UnsafePointer<routable_presenter>?, _ count: Int) throws(Failure) {
        if count == 0 { return }
        guard let start else { throw .null("presenters") }
        guard count > 0, count <= PresentationLimits.places else {
            throw Failure(.limit, "at most \(PresentationLimits.places) presenters are allowed")
        }
        var read: [ScreenPresenter] = []
        var failure: Failure?
        var next = UnsafeRawPointer(start)
        for _ in 0..<count {
            // All presenters are read, so that all user data is released if one is rejected.
            do throws(Failure) {
                read.append(try ScreenPresenter.read(next.assumingMemoryBound(to: routable_presenter.self)))
            } catch {
                failure = failure ?? error
                // Without a size, the next presenter cannot be located.
                if start.pointee.size < MemoryLayout<Int>.size || start.pointee.size > 65536 { break }
            }
            next += start.pointee.size
        }
        if let failure { throw failure }
        for presenter in read {
            if presenters[presenter.name] != nil {
                throw Failure(.conflict, "two presenters have this name").about(presenter: Text(presenter.name))
            }
            presenters.set(presenter, for: presenter.name)
        }
    }

    /// The names of the presenters that were not taken.
    var names: [Bytes] { presenters.values.compactMap { $0?.name } }

    mutating func take(_ name: Bytes) -> ScreenPresenter? {
        guard let found = presenters[name], let presenter = found else { return nil }
        presenters.set(nil, for: name)
        return presenter
    }
}

extension PresentationBuilder where Presentable == Screen, Path == Text {
    /// Adds the tree of a document below `parent`; on failure the builder is not changed.
    @inline(never) func add(_ document: UnsafeRawBufferPointer, _ bound: BoundPresenters, parent: Bytes?)
        throws(Failure)
    {
        let before = contents
        do throws(Failure) {
            var bound = bound
            let names = bound.names
            for node in try PresentationDocument.read(document).nodes {
                do throws(Failure) {
                    guard let presenter = bound.take(node.name) else {
                        throw Failure.unknownName(.unknown, "there is no presenter for", node.name, among: names)
                            .about(presenter: Text(node.name))
                    }
                    try add(presenter, Place(node.kind), parent: node.parent ?? parent)
                } catch {
                    throw RouteDocument.locate(error.at(node.pointer), in: document)
                }
            }
            if let surplus = bound.names.min() {
                throw Failure(.unknown, "the document does not contain this presenter").about(presenter: Text(surplus))
            }
        } catch {
            contents = before
            throw error
        }
    }
}

extension PresentationBuilder.Place {
    fileprivate init(_ kind: PresentationDescription.Kind) {
        switch kind {
        case .bare: self = .bare
        case .junction: self = .junction
        case .stack: self = .stack
        case .pattern(let pattern, let isRelative): self = .pattern(pattern, isRelative: isRelative)
        case .template(let template, let ids, let isRelative):
            self = .template(template, ids.map { TypedId($0.name, $0.scalar) }, isRelative: isRelative)
        }
    }
}
