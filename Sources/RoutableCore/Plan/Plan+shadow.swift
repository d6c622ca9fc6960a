// Building and matching are inverse: a path whose match would not give the route and the values back is
// refused when it is written.

extension Plan {
    /// Refuses a written path that another route would answer, or that would be read back as other values.
    ///
    /// Only for plans of which `ShadowAnalysis` says that it can happen.
    @inline(never)
    func refuseShadowed(_ path: UnsafeRawBufferPointer, _ values: UnsafeBufferPointer<ValueView>) throws(Failure) {
        // On the stack: writing a URL allocates nothing unless it is refused.
        let failure = withUnsafeTemporaryAllocation(byteCount: MatchLayout.byteCount, alignment: 8) {
            $0.baseAddress.flatMap { shadow(of: path, values, $0) }
        }
        if let failure { throw failure }
    }

    private func shadow(
        of path: UnsafeRawBufferPointer, _ values: UnsafeBufferPointer<ValueView>, _ result: UnsafeMutableRawPointer
    ) -> Failure? {
        let status = Status(
            rawValue: router.match(
                UnsafeRawPointer(method.start).assumingMemoryBound(to: CChar.self), path.baseAddress, path.count, 0, result))
        let node = result.load(fromByteOffset: MatchLayout.node, as: UInt32.self)
        let captures = UnsafeBufferPointer(
            start: UnsafePointer((result + MatchLayout.captures).assumingMemoryBound(to: Capture.self)),
            count: status == .ok ? Int(result.load(fromByteOffset: MatchLayout.captureCount, as: UInt32.self)) : 0)
        let number = result.load(as: UInt32.self)
        if status == .ok, router.index.operation(number) === operation, isWalk(captures) {
            return hasSplitSegment && !isReadBack(path, values, captures) ? splitFailure(path) : nil
        }
        return shadowFailure(path, captures, by: status == .ok ? number : router.matcher.firstOperation(ofNode: node))
    }

    /// How many ids belong to resources; the rest are parameters of the operation.
    private var resourceIdCount: Int {
        operation.description.place == .collection ? max(resources.count &- 1, 0) : resources.count
    }

    private func isWalk(_ captures: UnsafeBufferPointer<Capture>) -> Bool {
        guard captures.count == ids.count else { return false }
        for (index, capture) in captures.enumerated() {
            let expected = index < resourceIdCount ? Int32(truncatingIfNeeded: resources[index]) : -1
            if capture.resource != expected { return false }
        }
        return true
    }

    private func isReadBack(
        _ path: UnsafeRawBufferPointer, _ values: UnsafeBufferPointer<ValueView>, _ captures: UnsafeBufferPointer<Capture>
    ) -> Bool {
        for (capture, view) in zip(captures, values) {
            let start = Int(capture.offset)
            let text = PercentCoding.decode(UnsafeRawBufferPointer(rebasing: path[start..<(start &+ Int(capture.length))]))
            let value: Bytes?
            switch view.kind {
            case ValueView.Kind.text: value = Bytes(view.text)
            case ValueView.Kind.integer: value = Value.integer(view.integer).scalarText
            case ValueView.Kind.boolean: value = Value.boolean(view.integer != 0).scalarText
            case ValueView.Kind.real: value = Value.real(view.real).scalarText
            default: value = nil
            }
            if value != text { return false }
        }
        return true
    }

    private func splitFailure(_ path: UnsafeRawBufferPointer) -> Failure {
        Failure(.value, "\(label): the values join to \"\(Bytes(path).printable)\", which is read back as other values") {
            $0.route = route.bytes
            $0.operation = operation.name.bytes
        }
    }

    private func shadowFailure(
        _ path: UnsafeRawBufferPointer, _ captures: UnsafeBufferPointer<Capture>, by other: UInt32
    ) -> Failure {
        let name = router.matcher.label(other, router.resources)
        let parameter = shadowedParameter(path, captures)
        return Failure(
            .shadowed,
            "\(label): with \(parameter.isEmpty ? "these values" : "this \(parameter)") the path \"\(Bytes(path).printable)\" is answered by another route: \(name)"
        ) {
            $0.route = route.bytes
            $0.operation = operation.name.bytes
            $0.parameter = parameter
            $0.allowed = [name]
        }
    }

    /// The first id that the other route does not capture.
    private func shadowedParameter(_ path: UnsafeRawBufferPointer, _ captures: UnsafeBufferPointer<Capture>) -> Bytes {
        if ids.count == 1 { return ids[0].label }
        var position = 0
        for step in steps {
            switch step.kind {
            case .literal: position &+= Int(step.count)
            case .segment:
                var end = position
                while end < path.count && path[end] != UInt8(ascii: "/") { end &+= 1 }
                let isCaptured = captures.contains { Int($0.offset) == position && Int($0.length) == end &- position }
                if !isCaptured { return ids[Int(step.slot)].label }
                position = end
            case .piece, .catchAll: return ids[Int(step.slot)].label
            case .endOfPieces: break
            }
        }
        return Bytes()
    }
}
