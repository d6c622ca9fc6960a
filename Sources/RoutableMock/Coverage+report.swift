// The report of the coverage: each counted part, the JSON, and the percentage.

package import RoutableCore
internal import RoutableJSON

/// The kinds of parts of a description that are counted.
package enum CoverageKind: Int {
    case operation, status, parameter, mediaType, value, branch

    package static let count = 6

    var name: StaticString {
        switch self {
        case .operation: "operation"
        case .status: "status"
        case .parameter: "parameter"
        case .mediaType: "media_type"
        case .value: "value"
        case .branch: "branch"
        }
    }

    package var plural: Bytes {
        switch self {
        case .operation: "operations"
        case .status: "statuses"
        case .parameter: "parameters"
        case .mediaType: "media types"
        case .value: "values"
        case .branch: "branches"
        }
    }
}

/// A part of a description, with the number of its uses.
package struct CoverageItem {
    package let kind: CoverageKind
    /// The number of the operation; nil for the schemas of bodies.
    package let operation: Int?
    /// The location of the part: `query` for a parameter, `request` or the status for a media type, `query NAME` or the pointer for a value.
    package let place: Bytes
    /// The name of the part; for a value, its JSON.
    package let name: Bytes
    package let count: Int
}

/// The numbers of used and declared parts of each kind.
package struct CoverageTally {
    package private(set) var used = [Int](repeating: 0, count: CoverageKind.count)
    package private(set) var declared = [Int](repeating: 0, count: CoverageKind.count)

    mutating func add(_ item: CoverageItem) {
        // proof: the raw values of the kinds are below their count.
        declared[item.kind.rawValue] &+= 1
        if item.count > 0 { used[item.kind.rawValue] &+= 1 }
    }

    /// The coverage of all kinds together, in tenths of a percent, rounded down; 1000 if nothing is declared.
    package var permille: Int { Self.permille(used.reduce(0, &+), declared.reduce(0, &+)) }

    static func permille(_ used: Int, _ declared: Int) -> Int { declared == 0 ? 1000 : used &* 1000 / declared }

    /// `66.6`
    package static func percent(_ permille: Int) -> Bytes { "\(permille / 10).\(permille % 10)" }
}

extension Coverage {
    /// `user.read`, or the name of a standalone operation.
    package func label(_ number: Int) -> Bytes {
        guard let entry = router.router.operation(numbered: UInt32(truncatingIfNeeded: number)) else { return Bytes() }
        guard let resource = entry.resource, router.router.resources.indices.contains(resource) else { return entry.name.bytes }
        return "\(router.router.resources[resource].name.bytes).\(entry.name.bytes)"
    }

    /// Calls `use` for each counted part, in the order of the description; the schemas of bodies are last.
    package func each(_ use: (CoverageItem) -> Void) { locked { eachUnlocked(use) } }

    package var tally: CoverageTally {
        var tally = CoverageTally()
        each { tally.add($0) }
        return tally
    }

    private func eachUnlocked(_ use: (CoverageItem) -> Void) {
        for number in operations.indices where !Memory.cuts() { each(of: number, use) }
        guard let survey else { return }
        for point in points { each(of: survey.points[point], nil, "", choices[survey.points[point].first...], use) }
    }

    private func each(of number: Int, _ use: (CoverageItem) -> Void) {
        guard let entry = router.router.operation(numbered: UInt32(truncatingIfNeeded: number)) else { return }
        let counts = operations[number]
        func add(_ kind: CoverageKind, _ place: Bytes, _ name: Bytes, _ count: Int) {
            use(CoverageItem(kind: kind, operation: number, place: place, name: name, count: count))
        }
        add(.operation, Bytes(), label(number), counts.requests)
        let results = entry.declaredResults
        for (result, count) in zip(results, counts.results) { add(.status, Bytes(), result.statuses, count) }
        for (index, parameter) in entry.parameters.enumerated() where !parameter.description.isCredential {
            let location = Self.name(of: parameter.description.location)
            let name = parameter.description.name
            add(.parameter, location, name, counts.parameters[index])
            let own = choices(of: parameter)
            if own.isEmpty { continue }
            let values = counts.choices[index].isEmpty ? [Int](repeating: 0, count: own.count(self)) : counts.choices[index]
            if own.points.isEmpty {
                for (value, count) in zip(parameter.description.scalar.values, values) {
                    add(.value, "\(location) \(name)", Self.json(value, parameter.description.scalar.kind), count)
                }
            }
            var start = 0
            for point in own.points {
                guard let point = survey?.points[point] else { continue }
                each(of: point, number, "\(location) \(name) ", values[start...], use)
                start &+= point.names.count
            }
        }
        for (body, count) in zip(entry.description.bodies, counts.bodies) { add(.mediaType, "request", body.mediaType, count) }
        for (result, contents) in zip(results, counts.contents) {
            for (name, count) in zip(result.mediaTypes, contents) { add(.mediaType, result.statuses, name, count) }
        }
    }

    private func each(
        of point: SchemaPoint, _ operation: Int?, _ start: Bytes, _ counts: ArraySlice<Int>, _ use: (CoverageItem) -> Void
    ) {
        for (name, count) in zip(point.names, counts) {
            use(
                CoverageItem(
                    kind: point.isEnumeration ? .value : .branch, operation: operation, place: "\(start)\(point.place)",
                    name: name, count: count))
        }
    }

    private static func name(of location: ParameterLocation) -> Bytes {
        switch location {
        case .path: "path"
        case .query: "query"
        case .header: "header"
        case .cookie: "cookie"
        }
    }

    private static func json(_ value: Bytes, _ kind: Scalar.Kind) -> Bytes {
        if kind != .string { return value }
        var writer = JSONWriter()
        writer.string(value)
        return writer.text
    }

    // MARK: - JSON

    /// The report (docs/schema/coverage.schema.json).
    package func json() throws(Failure) -> Bytes {
        var writer = JSONWriter()
        locked { write(&writer) }
        try Memory.check()
        return writer.text
    }

    private func write(_ writer: inout JSONWriter) {
        var tally = CoverageTally()
        eachUnlocked { tally.add($0) }
        writer.open("{")
        writer.key("percent")
        writer.raw(CoverageTally.percent(tally.permille))
        writer.member("requests", requests)
        writer.key("total")
        writer.open("{")
        for number in 0..<CoverageKind.count {
            guard let kind = CoverageKind(rawValue: number) else { continue }
            writer.key(kind.name)
            writer.open("{")
            writer.member("used", tally.used[number])
            writer.member("declared", tally.declared[number])
            writer.close("}")
        }
        writer.close("}")
        writer.key("operations")
        writer.open("[")
        for number in operations.indices where !Memory.cuts() { write(number, &writer) }
        writer.close("]")
        writer.key("schemas")
        writer.open("[")
        if let survey {
            for point in points where !Memory.cuts() {
                let point = survey.points[point]
                each(of: point, nil, "", choices[point.first...]) { Self.write($0, &writer) }
            }
        }
        writer.close("]")
        writer.key("unmatched")
        Self.write(unmatched, &writer)
        writer.member("unread", unread)
        writer.close("}")
    }

    private func write(_ number: Int, _ writer: inout JSONWriter) {
        let counts = operations[number]
        let entry = router.router.operation(numbered: UInt32(truncatingIfNeeded: number))
        writer.open("{")
        writer.member("operation", label(number))
        writer.member("method", entry?.method.bytes ?? Bytes())
        writer.member("path", entry?.path.bytes ?? Bytes())
        writer.member("requests", counts.requests)
        writer.member("refused", counts.refused)
        writer.key("items")
        writer.open("[")
        each(of: number) { if $0.kind != .operation { Self.write($0, &writer) } }
        writer.close("]")
        writer.key("undeclared")
        writer.open("{")
        writer.key("status")
        Self.write(counts.otherStatuses, &writer)
        writer.key("parameter")
        Self.write(counts.otherParameters, &writer)
        writer.key("media_type")
        Self.write(counts.otherMediaTypes, &writer)
        writer.close("}")
        writer.close("}")
    }

    private static func write(_ item: CoverageItem, _ writer: inout JSONWriter) {
        writer.open("{")
        writer.member("kind", Bytes(staticText: item.kind.name))
        writer.member("place", item.place)
        writer.key("name")
        if item.kind == .value { writer.raw(item.name) } else { writer.looseString(item.name) }
        writer.member("count", item.count)
        writer.close("}")
    }

    private static func write(_ counts: NameCounts, _ writer: inout JSONWriter) {
        writer.open("{")
        writer.key("names")
        writer.open("[")
        for (name, count) in counts.list {
            writer.open("{")
            writer.member("name", name)
            writer.member("count", count)
            writer.close("}")
        }
        writer.close("]")
        writer.member("further", counts.further)
        writer.close("}")
    }
}
