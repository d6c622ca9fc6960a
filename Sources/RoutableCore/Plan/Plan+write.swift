// Writes a URL: the one code path for all tiers and languages, so that their bytes are equal.
//
// The maximum length is computed once, so that the loop below stores without checking for space: four
// bytes per input byte from a table, then an advance by one or three (PERFORMANCE, "Build").
//
// The other code that writes URLs: QuickPlan writes the usual case, by copying, and leaves everything else to this file;
// Plan+buffer writes through a copy if the caller's buffer is smaller than the bound; Plan+encoding writes encoded items
// first and passes them to this file; Base.url joins a base with a path and a query that are already written.

extension Plan {
    /// Where the parts of a written URL are, as offsets from its start.
    struct Written {
        /// The offset of the path of the plan, after the path of the base.
        var pathStart = 0
        var pathEnd = 0
        var end = 0
    }

    /// The number of bytes after the last valid one that the loop may overwrite.
    private static let slack = 8
    /// The maximum length of a number or a boolean.
    private static let scalarBytes = 40

    /// An upper bound of the URL's length, or nil beyond `Limits.urlBytes`.
    func bound(_ base: Base, _ ids: UnsafeBufferPointer<ValueView>, _ query: UnsafeBufferPointer<ValueView>) -> Int? {
        var total = UInt64(truncatingIfNeeded: base.prefix.count &+ base.query.count &+ literals.count &+ Self.slack &+ 2)
        for view in ids { total &+= Self.bound(view) }
        for view in query { total &+= Self.bound(view) &+ 1 }
        // Each summand is below 2^40, and there are fewer than 2^20 of them.
        return total <= UInt64(Limits.urlBytes) ? Int(truncatingIfNeeded: total) : nil
    }

    private static func bound(_ view: ValueView) -> UInt64 {
        guard view.kind == ValueView.Kind.text || view.kind == ValueView.encoded else { return UInt64(scalarBytes) }
        return min(view.second, 1 << 36) &* 3 &+ 1
    }

    /// Writes the URL; `output` has space for `bound` bytes.  With `allowsEmpty`, any whole segment may be empty.
    ///
    /// Failures: `id`, `value`, `parameter`; the output is then invalid.
    @_optimize(speed)
    func write(
        _ base: Base, _ ids: UnsafeBufferPointer<ValueView>, _ query: UnsafeBufferPointer<ValueView>,
        to output: UnsafeMutablePointer<UInt8>, allowsEmpty: Bool = false
    ) throws(Failure) -> Written {
        guard ids.count == self.ids.count else { throw idCountFailure(given: ids.count) }
        guard query.count <= queryNames.count else { throw queryCountFailure(given: query.count) }
        var written = Written()
        var next = Self.copy(base.prefix, to: output)
        written.pathStart = next - output
        try writePath(ids, allowsEmpty: allowsEmpty, &next)
        if written.pathStart == 0 { try completeRoot(output, &next) }
        written.pathEnd = next - output
        let path = UnsafeRawBufferPointer(start: output + written.pathStart, count: written.pathEnd &- written.pathStart)
        if mayBeShadowed {
            try refuseShadowed(path, ids, allowsNoMatch: allowsEmpty)
        } else if allowsEmpty && !operation.description.isShadowingAllowed {
            try refuseShadowed(path, ids, allowsNoMatch: true)
        }
        if base.query.isEmpty {
            try writeQuery(query, separator: UInt8(ascii: "?"), &next)
        } else {
            next.pointee = UInt8(ascii: "?")
            next = Self.copy(base.query, to: next + 1)
            try writeQuery(query, separator: UInt8(ascii: "&"), &next)
        }
        written.end = next - output
        return written
    }

    /// With the base "/", the path is the whole URL: it needs one slash, and with two slashes it would name a host.
    @inline(never)
    private func completeRoot(
        _ output: UnsafeMutablePointer<UInt8>, _ next: inout UnsafeMutablePointer<UInt8>
    ) throws(Failure) {
        if next == output {
            next.pointee = UInt8(ascii: "/")
            next += 1
        } else if next - output > 1 && output[1] == UInt8(ascii: "/") {
            throw shapeFailure("the path begins with two slashes, so its first segment would be the host")
        }
    }

    @_optimize(speed)
    private func writePath(
        _ values: UnsafeBufferPointer<ValueView>, allowsEmpty: Bool, _ next: inout UnsafeMutablePointer<UInt8>
    ) throws(Failure) {
        var segmentStart = next
        for step in steps {
            switch step.kind {
            case .literal:
                next = copyLiteral(step.offset, step.count, to: next)
                // The last slash of a literal begins the segment that the following pieces continue.
                var back = next
                while back > segmentStart && (back - 1).pointee != UInt8(ascii: "/") { back -= 1 }
                segmentStart = back
            case .segment, .piece:
                let index = Int(step.slot)
                guard index < ids.count else { throw idCountFailure(given: values.count) }
                try writeId(values[index], ids[index], isWhole: step.kind == .segment, allowsEmpty: allowsEmpty, &next)
            case .catchAll:
                let index = Int(step.slot)
                guard index < ids.count else { throw idCountFailure(given: values.count) }
                try writeCatchAll(values[index], ids[index], &next)
            case .endOfPieces:
                let count = next - segmentStart
                if count <= 2 && Self.isDots(UnsafeRawBufferPointer(start: segmentStart, count: count)) {
                    throw shapeFailure("the values form a dot segment, which is removed from URLs")
                }
            }
        }
    }

    @_optimize(speed)
    private func writeId(
        _ view: ValueView, _ slot: IdSlot, isWhole: Bool, allowsEmpty: Bool = false,
        _ next: inout UnsafeMutablePointer<UInt8>
    ) throws(Failure) {
        if view.kind == ValueView.Kind.text {
            let text = view.text
            if text.count == 0 {
                if !view.isNullText && isWhole && (slot.allowsEmpty || allowsEmpty) { return }
                throw view.isNullText ? nullTextFailure(slot.label) : emptyFailure(slot)
            }
            if isWhole && text.count <= 2 && Self.isDots(text) { throw dotsFailure(slot, text) }
            guard Self.encode(text, PercentCoding.unreserved, &next) else { throw textFailure(slot.label, slot.parameter) }
            if !slot.isPlain { try check(text, slot.label, slot.parameter) }
        } else {
            if view.isAbsent { throw missingFailure(slot) }
            if view.kind == ValueView.encoded && slot.parameter.isEncoded {
                if isWhole && view.text.count <= 2 && Self.isDots(view.text) { throw dotsFailure(slot, view.text) }
                next = Self.copy(view.text, to: next)
                return
            }
            try writeScalar(view, slot.label, slot.parameter, isPlain: slot.isPlain, &next)
        }
    }

    @_optimize(speed)
    private func writeCatchAll(
        _ view: ValueView, _ slot: IdSlot, _ next: inout UnsafeMutablePointer<UInt8>
    ) throws(Failure) {
        guard view.kind == ValueView.Kind.text else {
            try writeId(view, slot, isWhole: true, &next)
            return
        }
        let text = view.text
        var start = 0
        while true {
            var end = start
            while end < text.count && text[end] != UInt8(ascii: "/") { end &+= 1 }
            let piece = text.part(start, end)
            if piece.count == 0 { throw emptyFailure(slot) }
            if piece.count <= 2 && Self.isDots(piece) { throw dotsFailure(slot, piece) }
            guard Self.encode(piece, PercentCoding.unreserved, &next) else {
                throw textFailure(slot.label, slot.parameter)
            }
            if end == text.count { break }
            next.pointee = UInt8(ascii: "/")
            next += 1
            start = end &+ 1
        }
        if !slot.isPlain { try check(text, slot.label, slot.parameter) }
    }

    @_optimize(speed)
    private func writeQuery(
        _ values: UnsafeBufferPointer<ValueView>, separator: UInt8, _ next: inout UnsafeMutablePointer<UInt8>
    ) throws(Failure) {
        var separator = separator
        var index = 0
        for name in queryNames {
            defer { index &+= 1 }
            let view = index < values.count ? values[index] : .absent
            if view.isAbsent {
                if name.defaultCount == 0 {
                    if name.isRequired { throw requiredFailure(queryParameter(index)) }
                    continue
                }
                next.pointee = separator
                next = copyLiteral(name.defaultOffset, name.defaultCount, to: next + 1)
                separator = UInt8(ascii: "&")
                continue
            }
            next.pointee = separator
            next += 1
            separator = UInt8(ascii: "&")
            // If a parameter has an encoding, `items` made every view; otherwise a caller passed an invalid kind.
            if view.kind == ValueView.encoded && queryParameter(index).isEncoded {
                next = Self.copy(view.text, to: next)
                continue
            }
            next = copyLiteral(name.offset, name.count, to: next)
            if view.kind == ValueView.Kind.text {
                if view.isNullText { throw nullTextFailure(queryParameter(index).name.bytes) }
                guard Self.encode(view.text, PercentCoding.unreserved, &next) else {
                    throw textFailure(queryParameter(index).name.bytes, queryParameter(index))
                }
                if !name.isPlain {
                    try check(view.text, nil, queryParameter(index))
                }
            } else {
                let parameter = queryParameter(index)
                try writeScalar(view, nil, parameter, isPlain: name.isPlain, &next)
            }
        }
    }

    /// The declared query parameter at this index; there are as many as names.
    @inline(never)
    private func queryParameter(_ index: Int) -> ParameterEntry {
        guard index >= 0, index < operation.query.count else {
            return ParameterEntry(ParameterDescription(name: Bytes(), location: .query))
        }
        return operation.query[index]
    }

    /// Numbers and booleans.  Their strings need no escapes except for the `+` of `1e+20`.
    private func writeScalar(
        _ view: ValueView, _ label: Bytes?, _ parameter: ParameterEntry, isPlain: Bool,
        _ next: inout UnsafeMutablePointer<UInt8>
    ) throws(Failure) {
        let text: Bytes?
        switch view.kind {
        case ValueView.Kind.integer
        where isPlain || parameter.description.scalar.takesEveryInteger
            || parameter.description.scalar.takes(view.integer):
            next = Self.writeDecimal(view.integer, to: next)
            return
        case ValueView.Kind.boolean where isPlain:
            let truth: StaticString = view.integer != 0 ? "true" : "false"
            next = Self.copy(truth.rawBytes, to: next)
            return
        case ValueView.Kind.integer: text = Value.integer(view.integer).scalarText
        case ValueView.Kind.boolean: text = view.integer != 0 ? "true" : "false"
        case ValueView.Kind.real where isPlain && view.real.isFinite:
            // A string of at most 15 bytes is stored in the String itself.
            _ = view.real.description.utf8.withContiguousStorageIfAvailable {
                for byte in $0 { next = Self.writeEncoded(byte, to: next) }
            }
            return
        case ValueView.Kind.real: text = RealText.shortest(view.real)
        default: throw kindFailure(label ?? parameter.name.bytes, parameter, view.kind)
        }
        guard let text else { throw valueFailure(label ?? parameter.name.bytes, parameter, "it is not a finite number") }
        if !isPlain {
            let reason = text.storage.withUnsafeBytes { parameter.description.scalar.refusal(of: $0) }
            if let reason { throw valueFailure(label ?? parameter.name.bytes, parameter, reason) }
        }
        _ = text.storage.withUnsafeBytes { Self.encode($0, PercentCoding.unreserved, &next) }
    }

    private static func writeEncoded(
        _ byte: UInt8, to next: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        let entry = PercentCoding.unreserved[Int(byte)]
        UnsafeMutableRawPointer(next).storeBytes(of: entry, as: UInt32.self)
        return next + Int(entry >> 24)
    }

    /// Decimal digits, without an allocation.
    static func writeDecimal(
        _ number: Int64, to start: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var next = start
        if number < 0 {
            next.pointee = UInt8(ascii: "-")
            next += 1
        }
        var rest = number.magnitude
        while rest >= 10 {
            rest /= 10
            next += 1
        }
        // From the last digit to the first.
        let end = next + 1
        rest = number.magnitude
        repeat {
            next.pointee = UInt8(truncatingIfNeeded: 0x30 &+ rest % 10)
            next -= 1
            rest /= 10
        } while rest > 0
        return end
    }

    private func check(_ text: UnsafeRawBufferPointer, _ label: Bytes?, _ parameter: ParameterEntry) throws(Failure) {
        if let reason = parameter.description.scalar.refusal(of: text) {
            throw valueFailure(label ?? parameter.name.bytes, parameter, reason)
        }
    }

    /// Encodes `text`; returns false if it is not UTF-8.  The caller has checked the space: three bytes for each byte and
    /// the bytes after them that a store of four bytes needs.
    @inline(__always)
    static func encode(
        _ text: UnsafeRawBufferPointer, _ table: PercentCoding.Table, _ next: inout UnsafeMutablePointer<UInt8>
    ) -> Bool {
        var output = UnsafeMutableRawPointer(next)
        var seen: UInt8 = 0
        for byte in text {
            let entry = table[Int(byte)]
            output.storeBytes(of: entry, as: UInt32.self)
            output += Int(entry >> 24)
            seen |= byte
        }
        next = output.assumingMemoryBound(to: UInt8.self)
        return seen < 0x80 || UTF8Check.isValid(text)
    }

    @inline(__always)
    private func copyLiteral(
        _ offset: UInt32, _ count: UInt32, to next: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        guard let start = literals.baseAddress else { return next }
        next.update(from: start + Int(offset), count: Int(count))
        return next + Int(count)
    }

    private static func copy(_ text: Bytes, to next: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        text.storage.withUnsafeBytes { copy($0, to: next) }
    }

    private static func copy(
        _ text: UnsafeRawBufferPointer, to next: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        if let start = text.baseAddress { UnsafeMutableRawPointer(next).copyMemory(from: start, byteCount: text.count) }
        return next + text.count
    }

    private static func isDots(_ text: UnsafeRawBufferPointer) -> Bool {
        for byte in text where byte != UInt8(ascii: ".") { return false }
        return true
    }
}

extension ValueView {
    /// A query item that is already encoded, with its name; never from outside.
    static let encoded: Int32 = 100
}
