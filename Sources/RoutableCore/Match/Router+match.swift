// Matches a path or a URL to its operation and values.

/// The layout of `routable_match` in routable.h.
package enum MatchLayout {
    package static let operation = 0
    package static let captureCount = 4
    package static let node = 8
    package static let slash = 12
    package static let captures = 16
    package static let byteCount = 16 + 16 * Limits.idsPerRoute
    /// The operation of a match without a result.
    package static let noOperation = UInt32.max
}

extension Router {
    /// Matches a path or a URL.
    ///
    /// The path alone selects the node: a path that exists only with other methods is `methodNotAllowed`, and HEAD is a method
    /// like any other.
    ///
    /// - Parameters:
    ///   - method: NUL-terminated; nil selects the operation for GET or, if there is none, for the first method in byte order.
    ///   - start: a path that is relative to the base and begins with a slash, or a URL that begins with the base.  A query and
    ///     a fragment are ignored.
    ///   - flags: `MatchOptions`.
    ///   - result: memory for `MatchLayout`; captures beyond the count are not written.
    /// - Returns: the raw value of a status: `ok`, `noMatch`, `methodNotAllowed`, or `argument` for nil, a negative count or
    ///   unknown flags.
    @inline(never) @_optimize(speed)
    package func match(
        _ method: UnsafePointer<CChar>?, _ start: UnsafeRawPointer?, _ count: Int, _ flags: UInt32,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        Self.match(Unmanaged.passUnretained(self), matchTable, method, start, count, flags, result)
    }

    /// The same, inlined into the function of the header.
    ///
    /// - Parameters:
    ///   - router: borrowed without a retain.  Work on it is in separate functions: a closure around the walk would not be
    ///     optimised for speed.
    ///   - table: its `matchTable`, which the caller has already loaded.
    @inline(__always)
    package static func match(
        _ router: Unmanaged<Router>, _ table: UnsafeRawPointer, _ method: UnsafePointer<CChar>?, _ start: UnsafeRawPointer?,
        _ count: Int,
        _ flags: UInt32, _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        guard let start, let result, flags == 0, UInt(bitPattern: count &- 2) <= UInt(MatchTable.twoChunks &- 2),
            start.load(as: UInt8.self) == UInt8(ascii: "/")
        else { return router._withUnsafeGuaranteedRef { $0.matchOdd(method, start, count, flags, result) } }
        let table = table.assumingMemoryBound(to: MatchTable.self)
        let captures = (result + MatchLayout.captures).assumingMemoryBound(to: Capture.self)
        let end =
            if count > MatchTable.oneChunk {
                MatchTable.walkTwoChunks(table, start, count, captures)
            } else if count < 8 {
                MatchTable.walkShort(table, start, count, captures)
            } else {
                MatchTable.walk(table, start, count, captures)
            }
        if end.outcome == .found {
            let node = end.slot.hanging
            var key = MatchTable.getKey
            var operation = node &- 1 &- table.pointee.hangingCount
            var flags: UInt32 = 0
            if node <= table.pointee.hangingCount {
                let hanging = table.pointee.hangings[Int(node) &- 1]
                key = table.pointee.methods[hanging.method]
                operation = hanging.operation
                flags = hanging.flags & ~MatchTable.Hanging.last
            }
            // One operation, or the first of several if its method matches.
            let isFirst = method.map { MatchTable.isMethod(key, $0) } ?? true
            if isFirst && flags == 0 {
                store(result, operation, end.captureCount, node: node)
                return 0
            }
        }
        return router._withUnsafeGuaranteedRef {
            $0.matchRest(method, UnsafeRawBufferPointer(start: start, count: count), end, result)
        }
    }

    /// After the walk: selects by the method, renumbers captures, or runs the full search.
    @inline(never) @_optimize(speed)
    private func matchRest(
        _ method: UnsafePointer<CChar>?, _ text: UnsafeRawBufferPointer, _ end: WalkEnd, _ result: UnsafeMutableRawPointer
    ) -> Int32 {
        if end.outcome == .found, let status = finish(method, end.slot, end.captureCount, result) { return status.rawValue }
        if end.outcome == .nothing && !table.isAmbiguous { return Self.finishNothing(result, slash: 0).rawValue }
        return matchSlowly(method, text, [], result).rawValue
    }

    @inline(never) @_optimize(speed)
    private func matchOdd(
        _ method: UnsafePointer<CChar>?, _ start: UnsafeRawPointer?, _ count: Int, _ flags: UInt32,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        guard let start, let result, count >= 0, flags & ~MatchOptions.all.rawValue == 0 else {
            return Status.argument.rawValue
        }
        let text = UnsafeRawBufferPointer(start: start, count: count)
        guard flags == 0, count > MatchTable.twoChunks, text.first == UInt8(ascii: "/") else {
            return matchSlowly(method, text, MatchOptions(rawValue: flags), result).rawValue
        }
        let captures = (result + MatchLayout.captures).assumingMemoryBound(to: Capture.self)
        return matchRest(method, text, MatchTable.walkLong(tablePointer, start, count, captures), result)
    }

    @inline(__always)
    private static func store(_ result: UnsafeMutableRawPointer, _ operation: UInt32, _ captureCount: Int, node: UInt32) {
        result.storeBytes(of: UInt64(operation) | UInt64(truncatingIfNeeded: captureCount) &<< 32, as: UInt64.self)
        result.storeBytes(of: UInt64(node), toByteOffset: MatchLayout.node, as: UInt64.self)
    }

    static func finishNothing(_ result: UnsafeMutableRawPointer, slash: Int32) -> Status {
        store(result, MatchLayout.noOperation, 0, node: 0)
        result.storeBytes(of: slash, toByteOffset: MatchLayout.slash, as: Int32.self)
        return .noMatch
    }

    /// Selects the operation of a node by its method; nil if the captures must be traced first.
    @inline(__always)
    private func finish(
        _ method: UnsafePointer<CChar>?, _ slot: Slot, _ captureCount: Int, _ result: UnsafeMutableRawPointer
    ) -> Status? {
        Self.store(result, MatchLayout.noOperation, captureCount, node: slot.hanging)
        guard let hanging = table.hanging(slot.hanging, method, operations: index) else {
            return .methodNotAllowed
        }
        result.storeBytes(of: hanging.operation, as: UInt32.self)
        if hanging.flags & ~MatchTable.Hanging.last != 0 {
            if hanging.flags & MatchTable.Hanging.trace != 0 { return nil }
            renumber(captureCount, result)
        }
        return .ok
    }

    /// Selects among the operations of a node that a server serves.
    private func finish(
        _ method: UnsafePointer<CChar>?, _ slot: Slot, _ captureCount: Int, _ filter: ServerFilter,
        _ result: UnsafeMutableRawPointer
    ) -> Status? {
        if method != nil {
            let status = finish(method, slot, captureCount, result)
            if status != .methodNotAllowed, !filter.serves(operation: result.load(as: UInt32.self)) {
                result.storeBytes(of: MatchLayout.noOperation, as: UInt32.self)
                return .methodNotAllowed
            }
            return status
        }
        // proof: the search found the node for an operation that the server serves.
        guard let first = matcher.operations(ofNode: slot.hanging).first(where: { filter.serves(operation: $0) }),
            let entry = index.operation(first)
        else { return .methodNotAllowed }
        return withExtendedLifetime(entry) {
            finish(UnsafeRawPointer(entry.method.start).assumingMemoryBound(to: CChar.self), slot, captureCount, result)
        }
    }

    /// Numbers the captures of a standalone operation as its parameters, from left to right.
    private func renumber(_ captureCount: Int, _ result: UnsafeMutableRawPointer) {
        let captures = (result + MatchLayout.captures).assumingMemoryBound(to: Capture.self)
        var index = 0
        while index < captureCount {
            captures[index].resource = -1
            captures[index].parameter = Int32(truncatingIfNeeded: index)
            index &+= 1
        }
    }

    // MARK: - The general search

    @inline(never)
    private func matchSlowly(
        _ method: UnsafePointer<CChar>?, _ text: UnsafeRawBufferPointer, _ options: MatchOptions,
        _ result: UnsafeMutableRawPointer
    ) -> Status {
        if let servers, options.contains(.wholePath) || text.first != UInt8(ascii: "/") && !text.isEmpty {
            return find(method, text, below: servers, options, result)
        }
        guard let range = pathRange(of: text, options) else { return Self.finishNothing(result, slash: 0) }
        return match(method, text, range, nil, options, result)
    }

    /// Matches a URL, or a path with that of its server: each operation is found only below its own servers.
    @inline(never)
    private func find(
        _ method: UnsafePointer<CChar>?, _ text: UnsafeRawBufferPointer, below servers: ServerTable, _ options: MatchOptions,
        _ result: UnsafeMutableRawPointer
    ) -> Status {
        let isPath = text.first == UInt8(ascii: "/") || text.isEmpty
        var node: UInt32 = 0
        var slash: Int32 = 0
        for (number, server) in servers.patterns.enumerated() {
            guard let start = isPath ? server.pathEnd(in: text, from: 0) : server.end(in: text),
                let range = pathRange(of: text, from: start)
            else { continue }
            let filter = ServerFilter(router: self, servers: servers, number: number)
            switch match(method, text, range, filter, options, result) {
            case .ok: return .ok
            case .methodNotAllowed: if node == 0 { node = result.load(fromByteOffset: MatchLayout.node, as: UInt32.self) }
            default:
                if slash == 0 { slash = result.load(fromByteOffset: MatchLayout.slash, as: Int32.self) }
            }
        }
        _ = Self.finishNothing(result, slash: slash)
        if node == 0 { return .noMatch }
        Self.store(result, MatchLayout.noOperation, 0, node: node)
        return .methodNotAllowed
    }

    private func match(
        _ method: UnsafePointer<CChar>?, _ text: UnsafeRawBufferPointer, _ range: Range<Int>, _ filter: ServerFilter?,
        _ options: MatchOptions, _ result: UnsafeMutableRawPointer
    ) -> Status {
        let path = UnsafeRawBufferPointer(rebasing: text[range])
        let captures = (result + MatchLayout.captures).assumingMemoryBound(to: Capture.self)
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Limits.segmentsPerRoute &+ 1) { trail in
            guard let trail = trail.baseAddress else { return Self.finishNothing(result, slash: 0) }
            var search = PathSearch(table, path, options, filter, hasSlashMore: false, captures, trail)
            var isFound = search.run()
            var slash: Int32 = 0
            if !isFound && !options.isDisjoint(with: [.anySlash, .suggestSlash]) {
                let hasSlash = path.count > 1 && path.last == UInt8(ascii: "/")
                var count = path.count
                if hasSlash {
                    repeat {
                        count &-= 1
                    } while options.contains(.mergeSlashes) && count > 1 && path[count &- 1] == UInt8(ascii: "/")
                }
                let other = UnsafeRawBufferPointer(rebasing: path.prefix(count))
                search = PathSearch(table, other, options, filter, hasSlashMore: !hasSlash, captures, trail)
                if search.run() {
                    isFound = options.contains(.anySlash)
                    slash = hasSlash ? -1 : 1
                }
            }
            guard isFound else { return Self.finishNothing(result, slash: slash) }
            var index = 0
            while index < search.captureCount {
                captures[index].offset &+= UInt32(truncatingIfNeeded: range.lowerBound)
                index &+= 1
            }
            let status =
                filter.map { finish(method, search.slot, search.captureCount, $0, result) }
                ?? finish(method, search.slot, search.captureCount, result)
            result.storeBytes(of: slash, toByteOffset: MatchLayout.slash, as: Int32.self)
            if let status { return status }
            trace(search, UnsafeBufferPointer(start: trail, count: search.depth), captures, result)
            return .ok
        }
    }

    private func trace(
        _ search: PathSearch, _ trail: UnsafeBufferPointer<UInt32>, _ captures: UnsafeMutablePointer<Capture>,
        _ result: UnsafeMutableRawPointer
    ) {
        let operation = result.load(as: UInt32.self)
        let identities = matcher.trace?.identities(trail, operation: operation) ?? []
        for (index, identity) in identities.prefix(search.captureCount).enumerated() {
            captures[index].resource = identity.resource
            captures[index].parameter = identity.parameter
        }
    }

    /// The range of the path after the base; nil if the text does not begin with the base.
    private func pathRange(of text: UnsafeRawBufferPointer, _ options: MatchOptions) -> Range<Int>? {
        var start = 0
        if text.first != UInt8(ascii: "/") && !text.isEmpty {
            guard let base, let end = base.end(in: text) else { return nil }
            start = end
        } else if options.contains(.wholePath), let base {
            guard let end = base.pathEnd(in: text) else { return nil }
            start = end
        }
        return pathRange(of: text, from: start)
    }

    private func pathRange(of text: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        var end = start
        while end < text.count && text[end] != UInt8(ascii: "?") && text[end] != UInt8(ascii: "#") { end &+= 1 }
        if end > start && text[start] != UInt8(ascii: "/") { return nil }
        return start..<end
    }
}

extension Base {
    /// The offset after the base at the start of a URL: scheme and host in any case, with or without the default port, and the exact path.
    /// A base without a host matches every host.
    fileprivate func end(in text: UnsafeRawBufferPointer) -> Int? {
        guard let own = URLAuthority(of: text, allowsVariables: false) else { return nil }
        if hasHost {
            let base = prefix.storage[..<pathStart].withUnsafeBytes { base in
                // proof: a base with a host was checked to have an authority.
                guard let other = URLAuthority(of: base, allowsVariables: false), other.isSecure == own.isSecure,
                    other.host.count == own.host.count
                else { return false }
                return zip(other.host, own.host).allSatisfy { ASCII.lowercased(base[$0]) == ASCII.lowercased(text[$1]) }
            }
            if !base { return nil }
        }
        let path = prefix.storage[pathStart...]
        guard text.count &- own.end >= path.count, text.part(own.end, own.end &+ path.count).elementsEqual(path) else {
            return nil
        }
        return own.end &+ path.count
    }

    /// The offset after the base's path at the start of a path.
    fileprivate func pathEnd(in text: UnsafeRawBufferPointer) -> Int? {
        let path = prefix.storage[pathStart...]
        guard text.count >= path.count, text.prefix(path.count).elementsEqual(path) else { return nil }
        return path.count
    }
}

extension MatchTable {
    /// Whether a method of up to seven bytes is equal to a key.
    @inline(__always)
    static func isMethod(_ key: UInt64, _ method: UnsafePointer<CChar>) -> Bool {
        var key = key
        var index = 0
        while index < 8 {
            let byte = UInt8(bitPattern: method[index])
            if byte != UInt8(truncatingIfNeeded: key) { return false }
            if byte == 0 { return true }
            key &>>= 8
            index &+= 1
        }
        return false
    }

    /// The operation of a node with a method; nil if the node has none.
    @inline(__always)
    func hanging(_ node: UInt32, _ method: UnsafePointer<CChar>?, operations: RouteIndex) -> Hanging? {
        var index = Int(node) &- 1
        if let only = onlyGet(node) {
            let isGet = method.map { Self.isMethod(Self.getKey, $0) } ?? true
            return isGet ? Hanging(Int(only), method: 0, flags: Hanging.last) : nil
        }
        guard let method else { return hangings[index] }
        var key: UInt64 = 0
        var count = 0
        while count < 8 {
            let byte = UInt8(bitPattern: method[count])
            if byte == 0 { break }
            key |= UInt64(byte) &<< UInt64(truncatingIfNeeded: count &* 8)
            count &+= 1
        }
        while true {
            let hanging = hangings[index]
            if methods[hanging.method] == key && (count < 8 || operations.hasMethod(hanging.operation, method)) {
                return hanging
            }
            if hanging.flags & Hanging.last != 0 { return nil }
            index &+= 1
        }
    }
}

extension RouteIndex {
    /// Compares all bytes of a method, for methods of eight bytes and more.
    @inline(never)
    fileprivate func hasMethod(_ operation: UInt32, _ method: UnsafePointer<CChar>) -> Bool {
        guard operations.indices.contains(Int(operation)) else { return false }
        var next = method
        for byte in operations[Int(operation)].description.method.storage {
            if UInt8(bitPattern: next.pointee) != byte { return false }
            next += 1
        }
        return next.pointee == 0
    }
}
