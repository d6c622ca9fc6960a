// The path of a plan with the names of its values, for logs and telemetry: it is the same for all its requests.

extension Plan {
    /// `/users/:username/statuses`, relative to the base; `*name` for a value of several segments.
    package var pathTemplate: Bytes {
        var template = Bytes()
        for step in steps {
            switch step.kind {
            case .literal:
                // proof: the steps of a plan refer to its literals.
                let start = literals.baseAddress.map { $0 + Int(step.offset) }
                template.append(Bytes(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(step.count))))
            case .segment, .piece, .catchAll:
                let index = Int(step.slot)
                if index < ids.count { template.append("\(step.kind == .catchAll ? "*" : ":")\(ids[index].label)") }
            case .endOfPieces: break
            }
        }
        return template
    }
}
