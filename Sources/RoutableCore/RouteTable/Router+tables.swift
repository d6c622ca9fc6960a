// The API map and the route table as strings.  Columns are padded to the widest ordinary cell, separated by two spaces, and
// no line ends in a space.

extension Router {
    /// The API map: one line for each resource, with its capabilities, nested resources and type.
    ///
    /// Failures: `limit`, `memory`, if the resources are derived from paths.
    public var mapText: Bytes {
        get throws(Failure) { Self.mapText(of: try graphResources) }
    }

    /// The lines of the API map for some resources.
    package static func mapText(of resources: [ResourceEntry]) -> Bytes {
        var lines: [[Bytes]] = []
        for resource in resources {
            let offered =
                resource.description.capabilities.members.map { $0.name }
                + resource.operations.filter { $0.description.capability == nil && $0.description.place == .collection }
                .map { $0.name.bytes }
                + resource.operations.filter { $0.description.capability == nil && $0.description.place == .member }
                .map { $0.name.bytes }
            let children = resource.childNames
            lines.append([
                mapLabel(resource),
                offered.joined(by: " "),
                children.isEmpty ? Bytes() : "has \(children.joined(by: " "))",
                resource.typeName.isEmpty ? Bytes() : "-> \(resource.typeName.bytes)",
            ])
        }
        return Columns(rows: lines, rightAligned: nil).text
    }

    /// The path of resource names to a derived resource, since its name can occur at several places; for other resources, the name.
    package static func mapLabel(_ resource: ResourceEntry) -> Bytes {
        resource.parent == nil ? resource.name.bytes : resource.route.bytes
    }

    /// The route table with column titles.
    ///
    /// Failures: `limit` if the rows, without padding, exceed 64 MiB.
    public var routesText: Bytes {
        get throws(Failure) { Self.text(of: try routeRows) }
    }

    private static func text(of rows: [RouteRow]) -> Bytes {
        var lines: [[Bytes]] = [["Prefix", "Verb", "URI Pattern", "Resource#Operation"]]
        var previous: Bytes?
        for row in rows {
            let target: Bytes =
                row.isRepeat
                ? "... -> \(row.resource)" : row.target
            lines.append([row.pattern == previous ? Bytes() : row.prefix, row.method, row.printedPattern, target])
            previous = row.pattern
        }
        return Columns(rows: lines, rightAligned: 0).text
    }
}

private struct Columns {
    let rows: [[Bytes]]
    let rightAligned: Int?

    /// The limit of the column width, in characters: with one very long name, every row would otherwise be as long.
    private static let widest = 256

    var text: Bytes {
        var widths: [Int] = []
        for row in rows {
            for (index, cell) in row.enumerated() {
                let width = Self.width(cell) > Self.widest ? 1 : Self.width(cell)
                if index < widths.count { widths[index] = max(widths[index], width) } else { widths.append(width) }
            }
        }
        var output = Bytes()
        for row in rows {
            var line = Bytes()
            var pending = 0
            for (index, cell) in row.enumerated() where widths[index] > 0 {
                if index > 0 { pending &+= 2 }
                let padding = max(widths[index] &- Self.width(cell), 0)
                if index == rightAligned { pending &+= padding }
                if !cell.isEmpty {
                    line.storage.append(contentsOf: repeatElement(0x20, count: pending))
                    pending = 0
                    line.append(cell)
                }
                if index != rightAligned { pending &+= padding }
            }
            output.append(line)
            output.append(0x0A)
        }
        return output
    }

    /// The width in characters, not in bytes (docs/route-table.md).
    private static func width(_ text: Bytes) -> Int { text.storage.withUnsafeBytes { UTF8Check.characterCount($0) } }
}
