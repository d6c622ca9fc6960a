// The ids of a path that was matched, in the form of a call: the inverse of Plan+bind.

extension Plan {
    /// The ids in the order of the path, each with the name that it has in a call that was read; the name is nil for an id without a name,
    /// and for one of several segments.
    package var readIds: [(parameter: ParameterEntry, name: Bytes?, isWhole: Bool)] {
        ids.map { slot in
            let name = slot.names.contains(slot.label) ? slot.label : slot.names.first
            return (slot.parameter, slot.isCatchAll ? nil : name, slot.isWhole)
        }
    }

    /// The values of the captures, by name if each capture has a different name, otherwise by position.
    ///
    /// - Parameters:
    ///   - path: the bytes that the captures are ranges of.
    ///   - refused: receives a failure of status `value` for each value that its parameter does not allow.
    /// - Returns: nil if any value was refused.
    package func unbind(
        _ captures: [Capture], in path: UnsafeRawBufferPointer, refused: inout [Failure]
    ) throws(Failure) -> Call.Ids? {
        guard captures.count == ids.count else {
            throw Failure(.internal, "\(label): a match has \(captures.count) values; the route has \(ids.count)")
        }
        var members: [Value.Member] = []
        var hasNames = true
        for (index, capture) in captures.enumerated() {
            let slot = ids[index]
            let text = Self.text(capture, path)
            do {
                try refuseDots(text, slot)
                let value = try slot.parameter.read(text, codec: router.codec) { _ in false } ?? .text(Bytes())
                let name = slot.names.contains(slot.label) ? slot.label : slot.names.first ?? slot.label
                // A template that contains a parameter twice has one value for both places.
                if slot.names.isEmpty && !hasTwin(index, captures, path) { hasNames = false }
                members.append(Value.Member(name: name, value: value))
            } catch {
                if error.status != .value { throw error }
                let pointer: Bytes = "/ids/\(slot.label.pointerEscaped)"
                refused.append(
                    error.with {
                        $0.pointer = pointer
                        $0.parameter = slot.label
                    })
            }
        }
        if members.count != ids.count { return nil }
        if !hasNames { return .positional(members.map { $0.value }) }
        return .named(zip(members, ids).filter { !$1.names.isEmpty }.map { $0.0 })
    }

    private static func text(_ capture: Capture, _ path: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let (start, end) = (Int(capture.offset), Int(capture.offset) &+ Int(capture.length))
        // proof: the captures of a match are ranges of the path.
        return end <= path.count ? path.part(start, end) : path.part(0, 0)
    }

    private func hasTwin(_ index: Int, _ captures: [Capture], _ path: UnsafeRawBufferPointer) -> Bool {
        guard !ids[index].isParent, let twin = ids.firstIndex(where: { $0.names.contains(ids[index].label) }), twin < index
        else { return false }
        return Self.text(captures[twin], path).elementsEqual(Self.text(captures[index], path))
    }

    /// A dot segment changes the path of a URL, and an empty segment can: no request can be built with them.
    private func refuseDots(_ text: UnsafeRawBufferPointer, _ slot: IdSlot) throws(Failure) {
        if !slot.isWhole { return }
        let decoded = PercentCoding.decode(text)
        let pieces = slot.isCatchAll ? decoded.split(on: UInt8(ascii: "/")) : [decoded]
        for piece in pieces {
            if piece == "." || piece == ".." { throw Expansion.refusal(slot.label, "a dot segment is not allowed") }
            if piece.isEmpty && pieces.count > 1 { throw Expansion.refusal(slot.label, "an empty segment is not allowed") }
        }
    }
}
