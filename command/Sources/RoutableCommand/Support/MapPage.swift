// The graph as one page for a browser, which needs no network: the data of the description, and the script that shows it.

import RoutableCore
import RoutableDocuments

struct MapPage {
    private let router: Router
    private let selection: MapSelection

    init(_ router: Router, _ selection: MapSelection) {
        self.router = router
        self.selection = selection
    }

    var html: Bytes {
        get throws(Failure) {
            let title = Self.markup(router.name.bytes)
            // A "<" in the description could end the script element.
            let data = try MessageDocument.value(self.data).replacing { $0 == UInt8(ascii: "<") ? "\\u003c" : nil }
            var text: Bytes = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            text.append("<meta name=\"viewport\" content=\"width=device-width\">\n<title>\(title)</title>\n")
            text.append("<style>\n\(Self.style)</style>\n</head>\n<body>\n")
            text.append("<header><h1>\(title)</h1>\n\(Self.controls)</header>\n")
            text.append("<main><nav id=\"tree\"></nav><section id=\"detail\" aria-live=\"polite\"></section></main>\n")
            text.append("<script type=\"application/json\" id=\"data\">\(data)</script>\n")
            text.append("<script>\n\(Self.script)</script>\n</body>\n</html>\n")
            return text
        }
    }

    // MARK: The data

    private var data: Value {
        var resources: [Value] = []
        var places: [Int: Int] = [:]
        for (number, place) in selection.shown.enumerated() { places[place] = number }
        for place in selection.shown {
            let resource = selection.all[place]
            resources.append(
                .object([
                    .init(name: "name", value: .text(resource.name.bytes)),
                    .init(name: "route", value: .text(Router.mapLabel(resource))),
                    .init(name: "type", value: .text(resource.typeName.bytes)),
                    .init(name: "description", value: .text(resource.summary.bytes)),
                    .init(name: "collection", value: .boolean(resource.place == .collection)),
                    .init(name: "ids", value: .array(resource.ids.map { Self.value($0) })),
                    .init(name: "has", value: .array(resource.children.compactMap { places[$0] }.map { .integer(Int64($0)) })),
                    .init(name: "operations", value: .array(resource.operations.map { Self.value($0) })),
                ]))
        }
        let roots = selection.roots.compactMap { places[$0] }
        let rest = standalone
        return .object([
            .init(name: "resources", value: .array(resources)),
            .init(name: "roots", value: .array((roots + others(roots, places)).map { .integer(Int64($0)) })),
            .init(name: "standalone", value: .array(rest)),
        ])
    }

    /// Resources that are not reachable from the roots.
    private func others(_ roots: [Int], _ places: [Int: Int]) -> [Int] {
        var reached = Set(roots)
        var level = roots
        while !level.isEmpty {
            level = level.flatMap { selection.all[selection.shown[$0]].children }.compactMap { places[$0] }
                .filter { reached.insert($0).inserted }
        }
        return selection.shown.indices.filter { !reached.contains($0) }
    }

    /// The standalone operations, with the reason if it is known.
    private var standalone: [Value] {
        var reasons: [Int: Bytes] = [:]
        let graph = try? router.derivedGraph
        for omitted in graph?.omitted ?? [] { reasons[omitted.index] = omitted.reason }
        return router.operations.enumerated().compactMap { index, operation in
            if let graph, graph.walks.indices.contains(index), graph.walks[index] != nil { return nil }
            return Self.value(operation, reason: reasons[index])
        }
    }

    private static func value(_ operation: OperationEntry, reason: Bytes? = nil) -> Value {
        .object([
            .init(name: "name", value: .text(operation.name.bytes)),
            .init(name: "id", value: .text(operation.standaloneName.bytes)),
            .init(name: "method", value: .text(operation.method.bytes)),
            .init(name: "path", value: .text(operation.path.bytes)),
            .init(name: "description", value: .text(operation.summary.bytes)),
            .init(name: "member", value: .boolean(operation.description.place == .member)),
            .init(name: "body", value: .text(operation.bodyTypeName.bytes)),
            .init(name: "bodies", value: .array(operation.mediaTypes.map { .text($0.bytes) })),
            .init(name: "result", value: .text(operation.resultTypeName.bytes)),
            .init(name: "reason", value: .text(reason ?? Bytes())),
            .init(name: "parameters", value: .array(operation.parameters.map { value($0) })),
        ])
    }

    private static func value(_ parameter: ParameterEntry) -> Value {
        let place: Bytes =
            switch parameter.description.location {
            case .path: "path"
            case .query: "query"
            case .header: "header"
            case .cookie: "cookie"
            }
        return .object([
            .init(name: "name", value: .text(parameter.name.bytes)),
            .init(name: "in", value: .text(place)),
            .init(name: "type", value: .text(parameter.typeName.bytes)),
            .init(name: "required", value: .boolean(parameter.description.isRequired)),
            .init(name: "description", value: .text(parameter.summary.bytes)),
        ])
    }

    private static func markup(_ name: Bytes) -> Bytes {
        name.replacing { byte in
            switch byte {
            case UInt8(ascii: "<"): "&lt;"
            case UInt8(ascii: ">"): "&gt;"
            case UInt8(ascii: "&"): "&amp;"
            case UInt8(ascii: "\""): "&quot;"
            case 0..<0x20: " "
            default: nil
            }
        }
    }
}
