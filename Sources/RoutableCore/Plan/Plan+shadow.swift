// Rejects a path whose match would not return the same route and values.

extension Plan {
    /// Refuses a written path that matches another route, or that would be read back as other values.
    ///
    /// Only for plans for which `ShadowAnalysis` says that this can happen.
    ///
    /// - Parameter allowsNoMatch: a path that matches no route is written.
    @inline(never)
    func refuseShadowed(
        _ path: UnsafeRawBufferPointer, _ values: UnsafeBufferPointer<ValueView>, allowsNoMatch: Bool
    ) throws(Failure) {
        // On the stack: writing a URL allocates nothing unless it is refused.
        let failure = withUnsafeTemporaryAllocation(byteCount: MatchLayout.byteCount, alignment: 8) {
            $0.baseAddress.flatMap { shadow(of: path, values, allowsNoMatch: allowsNoMatch, $0) }
        }
        if let failure { throw failure }
    }

    private func shadow(
        of path: UnsafeRawBufferPointer, _ values: UnsafeBufferPointer<ValueView>, allowsNoMatch: Bool,
        _ result: UnsafeMutableRawPointer
    ) -> Failure? {
        let status = Status(
            rawValue: router.match(
                UnsafeRawPointer(method.start).assumingMemoryBound(to: CChar.self), path.baseAddress, path.count, 0, result))
        let node = result.load(fromByteOffset: MatchLayout.node, as: UInt32.self)
        let captures = UnsafeBufferPointer(
            start: UnsafePointer((result + MatchLayout.captures).assumingMemoryBound(to: Capture.self)),
            count: status == .ok ? Int(result.load(fromByteOffset: MatchLayout.captureCount, as: UInt32.self)) : 0)
        let number = result.load(as: UInt32.self)
        if status == .ok, isOwn(number, node), isWalk(captures) {
            return hasLooseValues && !isReadBack(path, values, captures) ? looseFailure(path) : nil
        }
        if status == .noMatch && allowsNoMatch { return nil }
        return shadowFailure(path, captures, by: status == .ok ? number : router.matcher.firstOperation(ofNode: node))
    }

    /// Whether an operation is that of the plan, or shares its path and method and differs in a constant.
    private func isOwn(_ number: UInt32, _ node: UInt32) -> Bool {
        router.index.operation(number) === operation
            || router.matcher.alternatives(ofNode: node, to: number).contains { router.index.operation($0) === operation }
    }

    /// Whether the captures are those of the plan's resources, in order, followed by those of the operation.
    private func isWalk(_ captures: UnsafeBufferPointer<Capture>) -> Bool {
        guard captures.count == ids.count else { return false }
        var next = 0
        for (position, index) in resources.enumerated() {
            let isLast = position == resources.count &- 1
            for id in router.resources[index].ids(to: isLast ? operation.description.place : .member).indices {
                guard next < captures.count, Int(captures[next].resource) == index, Int(captures[next].parameter) == id else {
                    return false
                }
                next &+= 1
            }
        }
        while next < captures.count {
            if captures[next].resource >= 0 { return false }
            next &+= 1
        }
        return true
    }

    private func isReadBack(
        _ path: UnsafeRawBufferPointer, _ values: UnsafeBufferPointer<ValueView>, _ captures: UnsafeBufferPointer<Capture>
    ) -> Bool {
        for (capture, view) in zip(captures, values) {
            let start = Int(capture.offset)
            let range = UnsafeRawBufferPointer(rebasing: path[start..<(start &+ Int(capture.length))])
            if view.kind == ValueView.encoded {
                if !range.elementsEqual(view.text) { return false }
                continue
            }
            let text = PercentCoding.decode(range)
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

    private func looseFailure(_ path: UnsafeRawBufferPointer) -> Failure {
        Failure(.value, "\(label): the values form the path \"\(Bytes(path).printable)\", which matches with other values") {
            $0.route = route.bytes
            $0.operation = operation.name.bytes
        }
    }

    private func shadowFailure(
        _ path: UnsafeRawBufferPointer, _ captures: UnsafeBufferPointer<Capture>, by other: UInt32
    ) -> Failure {
        let name = router.matcher.label(other, router.resources)
        let parameter = shadowedParameter(path, captures)
        let given: Bytes = parameter.isEmpty ? "these values" : "this \(parameter)"
        let what: Bytes = router.index.operation(other) == nil ? "matches no route" : "matches another route: \(name)"
        return Failure(.shadowed, "\(label): with \(given) the path \"\(Bytes(path).printable)\" \(what)") {
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
