// `routable values`: valid bodies and results of the operations of a description, a line of JSON each.

public import RoutableCore
internal import RoutableJSON

public struct ValueLines {
    private let router: Router
    private var maker: ValueMaker
    /// One route for each resource.
    private let routes: [Bytes]

    public init(_ router: Router, seed: UInt64) throws(Failure) {
        self.router = router
        maker = ValueMaker(try SchemaDocument(router), seed: seed)
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

    /// The bodies and results for which no value was found, as a message names them: `body of update of user`.
    public private(set) var missing: [Bytes] = []

    /// The bodies that are not JSON, for which no values are made: `body of upload is multipart/form-data`.
    public private(set) var skipped: [Bytes] = []

    /// The requested number of lines, in turn for each body and result with a schema; fewer if no value is found for a schema.
    public mutating func lines(_ count: Int, _ line: (Bytes) throws -> Void) throws {
        var sources: [(route: Bytes, operation: Bytes, status: Int32?, schema: Value)] = []
        missing = []
        skipped = []
        for (index, resource) in router.resources.enumerated() where !routes[index].isEmpty {
            for operation in resource.operations { sources += source(routes[index], operation) }
        }
        for operation in router.operations { sources += source(Bytes(), operation) }
        var made = 0, failed = 0
        var without = Set(sources.indices)
        var attempted = Set<Int>()
        defer { missing = without.sorted().filter { attempted.contains($0) }.map { Self.label(sources[$0]) } }
        while made < count && !sources.isEmpty && failed < sources.count * 20 {
            for (index, source) in sources.enumerated() where made < count {
                attempted.insert(index)
                guard let text = valid(source.route, source.operation, source.status, source.schema) else {
                    failed += 1
                    continue
                }
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

    private static func label(_ source: (route: Bytes, operation: Bytes, status: Int32?, schema: Value)) -> Bytes {
        let what: Bytes = source.status.map { "result \(Int($0))" } ?? "body"
        return source.route.isEmpty ? "\(what) of \(source.operation)" : "\(what) of \(source.operation) of \(source.route)"
    }

    private mutating func source(_ route: Bytes, _ entry: OperationEntry) -> [(
        route: Bytes, operation: Bytes, status: Int32?, schema: Value
    )] {
        var result: [(route: Bytes, operation: Bytes, status: Int32?, schema: Value)] = []
        let name = entry.name.bytes
        let isJSON = entry.description.bodies.first.map { $0.form == .json } ?? (entry.description.bodyForm == .json)
        if let media = entry.description.bodies.first?.mediaType, !isJSON {
            skipped.append("\(Self.label((route, name, nil, .null))) is \(media.printable)")
        }
        if isJSON, let text = try? router.bodySchema(route: route, operation: name),
            let schema = try? maker.document.value(of: text)
        {
            result.append((route, name, nil, schema))
        }
        for each in entry.description.results where each.type != nil {
            let status = each.lowest == 300 && each.highest == 999 ? 500 : each.lowest
            if let text = try? router.resultSchema(route: route, operation: name, status: status),
                let schema = try? maker.document.value(of: text)
            {
                result.append((route, name, status, schema))
            }
        }
        return result
    }

    /// The first of some attempts that the library finds valid.
    private mutating func valid(_ route: Bytes, _ operation: Bytes, _ status: Int32?, _ schema: Value) -> Bytes? {
        for _ in 0..<8 {
            guard let value = maker.value(of: schema) else { continue }
            let text = SchemaText.json(value)
            do throws(Failure) {
                if let status {
                    try router.checkResult(text, route: route, operation: operation, status: status)
                } else {
                    try router.checkBody(text, route: route, operation: operation)
                }
                return text
            } catch { continue }
        }
        return nil
    }
}
