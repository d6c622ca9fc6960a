// The values of x-routable-resource and x-routable-name, which change the derived resources (docs/openapi.md, "Changing the graph").

internal import RoutableCore

struct GraphKeys {
    /// The keys of one operation.
    struct OperationKey {
        /// The name of the operation in the resource; empty for the name that is derived from the path.
        var name = Bytes()
        /// The resource of the operation; empty for the one that is derived from the path.
        var route = Bytes()
        var isHidden = false
    }

    /// The names of resources, by the path to their segment, in which `{}` is a parameter.
    private var resources = KeyedValues<Bytes, Bytes>()
    /// The keys of operations, by their names in the document.
    private(set) var operations = KeyedValues<Bytes, OperationKey>()

    private static func place(_ place: Bytes, _ step: PathSteps.Step) -> Bytes {
        switch step {
        case .literal(_, let text): "\(place)/\(text)"
        case .id: "\(place)/{}"
        }
    }

    /// Sets the name of the resource of the last literal segment.  Returns the name that another path has already set.
    mutating func name(_ steps: [PathSteps.Step], _ name: Bytes) -> Bytes? {
        var place = Bytes()
        var last = Bytes()
        for step in steps {
            place = Self.place(place, step)
            if case .literal = step { last = place }
        }
        if let known = resources[last] { return known == name ? nil : known }
        resources.set(name, for: last)
        return nil
    }

    /// The steps with the names that the document declares for their resources.
    func named(_ steps: [PathSteps.Step]) -> [PathSteps.Step] {
        if resources.isEmpty { return steps }
        var place = Bytes()
        return steps.map { step in
            place = Self.place(place, step)
            if case .literal(_, let text) = step, let name = resources[place] { return .literal(name: name, text: text) }
            return step
        }
    }

    mutating func hide(_ operation: Bytes) { operations.set(OperationKey(isHidden: true), for: operation) }

    mutating func set(_ key: OperationKey, for operation: Bytes) { operations.set(key, for: operation) }
}
