// `routable values`: valid bodies and results of the operations of a description, a line of JSON each.

public import RoutableCore
internal import RoutableJSON

public struct ValueLines {
    private let router: Router
    private var random: SeededRandom
    /// One route for each resource.
    private let routes: [Bytes]

    public init(_ router: Router, seed: UInt64) {
        self.router = router
        random = SeededRandom(seed: seed)
        var routes = Array(repeating: Bytes(), count: router.resources.count)
        var waiting = router.resources.indices.filter { router.resources[$0].isRoot || router.resources[$0].hasRootMembers }
        for index in waiting { routes[index] = router.resources[index].name.bytes }
        var next = 0
        while next < waiting.count {
            let parent = waiting[next]
            next += 1
            for child in router.resources[parent].children where routes[child].isEmpty {
                routes[child] = "\(routes[parent]).\(router.resources[child].name.bytes)"
                waiting.append(child)
            }
        }
        self.routes = routes
    }

    /// The bodies and results for which no value was found, as in messages: `body of update of user`.
    public private(set) var missing: [Bytes] = []

    /// The bodies that are not JSON, for which no values are generated: `body of upload is multipart/form-data`.
    public private(set) var skipped: [Bytes] = []

    /// The requested number of lines, in turn for each body and result with a schema; fewer if no value is found for a schema.
    public mutating func lines(_ count: Int, _ line: (Bytes) throws -> Void) throws {
        var sources: [Source] = []
        missing = []
        skipped = []
        for (index, resource) in router.resources.enumerated() where !routes[index].isEmpty {
            for operation in resource.operations { sources += self.sources(routes[index], operation) }
        }
        for operation in router.operations { sources += self.sources(Bytes(), operation) }
        var made = 0
        var without = Set(sources.indices)
        // After three failures in a row, a source is skipped.
        var failures = Array(repeating: 0, count: sources.count)
        var hasProgress = count > 0
        defer {
            let failed = without.sorted().filter { failures[$0] > 0 }
            missing = failed.map { Self.label(sources[$0].route, sources[$0].operation, sources[$0].status) }
        }
        while hasProgress {
            hasProgress = false
            for (index, source) in sources.enumerated() where made < count && failures[index] < 3 {
                hasProgress = true
                guard let text = try source.checker.sampleText(seed: random.next(), style: .varied) else {
                    failures[index] += 1
                    continue
                }
                failures[index] = 0
                without.remove(index)
                var writer = JSONWriter()
                writer.open("{")
                if !source.route.isEmpty {
                    writer.key(of: "route")
                    writer.string(source.route)
                }
                writer.key(of: "operation")
                writer.string(source.operation)
                if let status = source.status {
                    writer.key(of: "status")
                    writer.integer(Int64(status))
                }
                writer.key(of: "value")
                writer.raw(text)
                writer.close("}")
                var output = writer.text
                output.append("\n")
                try line(output)
                made += 1
            }
        }
    }

    /// A body, or the result of a status.
    private struct Source {
        let route: Bytes
        let operation: Bytes
        let status: Int32?
        let checker: any ValueChecker
    }

    private static func label(_ route: Bytes, _ operation: Bytes, _ status: Int32?) -> Bytes {
        let what: Bytes = status.map { "result \(Int($0))" } ?? "body"
        return route.isEmpty ? "\(what) of \(operation)" : "\(what) of \(operation) of \(route)"
    }

    private mutating func sources(_ route: Bytes, _ entry: OperationEntry) -> [Source] {
        var result: [Source] = []
        let name = entry.name.bytes
        let isJSON = entry.description.bodies.first.map { $0.form == .json } ?? (entry.description.bodyForm == .json)
        if let media = entry.description.bodies.first?.mediaType, !isJSON {
            skipped.append("\(Self.label(route, name, nil)) is \(media.printable)")
        }
        if isJSON, let schema = try? entry.bodySchema(nil), let checker = try? router.checker(of: schema) {
            result.append(Source(route: route, operation: name, status: nil, checker: checker))
        }
        for each in entry.description.results where each.type != nil {
            let status = each.lowest == 300 && each.highest == 999 ? 500 : each.lowest
            if let schema = try? entry.resultSchema(status), let checker = try? router.checker(of: schema) {
                result.append(Source(route: route, operation: name, status: status, checker: checker))
            }
        }
        return result
    }
}
