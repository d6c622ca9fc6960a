// Interprets the first arguments of a call: an operation and its ids, or a method and a path.

#if Command
import ArgumentParser
import RoutableCore
import RoutableDocuments

struct CallTarget {
    private let router: Router
    /// The arguments after the operation.
    private let words: [Bytes]
    /// The ids of --id.
    private let named: [Value.Member]

    init(_ router: Router, _ words: [Bytes], _ named: [Value.Member]) {
        self.router = router
        self.words = words
        self.named = named
    }

    /// The call with its route, its operation and its ids, and with the query of a path.
    func call(_ word: Bytes) throws -> Call {
        if router.operation(named: word) != nil { return try operation(Bytes(), word) }
        if let (method, path) = Self.methodAndPath(word, words) {
            return try matched(method, path, Array(words.dropFirst()))
        }
        if Self.isMethod(word) {
            throw ValidationError("'\(word.string)' is a method: a path such as /users/ann follows it")
        }
        // The name of a standalone operation can contain a #.
        if let mark = word.storage.lastIndex(of: UInt8(ascii: "#")), !word.hasPrefix("/") {
            return try operation(Bytes(word.storage[..<mark]), Bytes(word.storage[(mark + 1)...]))
        }
        if word.storage.contains(UInt8(ascii: "/")) { return try matched("GET", word, words) }
        // The library's message names the resources.
        if Capability.named(word) != nil { return try operation(Bytes(), word) }
        throw unknown(word)
    }

    private func operation(_ route: Bytes, _ name: Bytes) throws -> Call {
        var call = Call(operation: name)
        call.route = route
        if named.isEmpty {
            call.ids = .positional(words.map { .text($0) })
        } else {
            guard words.isEmpty else { throw ValidationError("ids are given by position or with --id, not both") }
            call.ids = .named(named)
        }
        return call
    }

    // MARK: - A method and a path

    private static let methods: [Bytes] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]

    private static func isMethod(_ word: Bytes) -> Bool { methods.contains { $0.equalsIgnoringCase(word) } }

    /// `GET /users/ann` as two arguments or as one.
    private static func methodAndPath(_ word: Bytes, _ words: [Bytes]) -> (Bytes, Bytes)? {
        let isOther = word.count > 2 && word.storage.allSatisfy { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }
        guard isMethod(word) || isOther, let path = words.first, path.storage.contains(UInt8(ascii: "/")) else { return nil }
        return (isMethod(word) ? Bytes(word.string.uppercased()) : word, path)
    }

    /// The operation of a path, whose names in braces are replaced by the following arguments or by --id.
    private func matched(_ method: Bytes, _ word: Bytes, _ rest: [Bytes]) throws -> Call {
        let mark = word.storage.firstIndex(of: UInt8(ascii: "?")) ?? word.count
        let isURL = word.range(of: "://") != nil
        let given = Bytes(word.storage[..<mark])
        let path = try filled(isURL || given.hasPrefix("/") ? given : "/\(given)", rest)
        var found = PathMatch(router, path, method: method, .suggestSlash)
        if found.status == .noMatch && !isURL {
            // A path can begin with the path of the base.
            let whole = PathMatch(router, path, method: method, [.suggestSlash, .wholePath])
            if whole.status != .noMatch { found = whole }
        }
        switch found.status {
        case .ok: break
        case .argument: throw Failure(.unknown, "\(word.printable): the URL does not begin with the base of the description")
        case .methodNotAllowed:
            throw Failure(
                .notAllowed,
                "\(word.printable): \(method) is not allowed; allowed: \(found.methods); the method is the word before the path"
            ) { $0.allowed = found.methods }
        default: throw noPath(word)
        }
        let query = Bytes(word.storage[min(mark + 1, word.count)...])
        let pairs = query.storage.withUnsafeBytes { FormDecoding.pairs($0) }
        let (operation, made) = try found.call(router, query: pairs)
        var call = made
        try read(query, pairs, operation, &call)
        return call
    }

    private func filled(_ path: Bytes, _ rest: [Bytes]) throws -> Bytes {
        var result = Bytes()
        var text = path.storage[...]
        var values = rest[...]
        while let start = text.firstIndex(of: UInt8(ascii: "{")), let end = text[start...].firstIndex(of: UInt8(ascii: "}")) {
            result.append(Bytes(text[..<start]))
            let name = Bytes(text[(start + 1)..<end])
            let value: Bytes
            if let given = named.first(where: { $0.name == name })?.value.scalarText {
                value = given
            } else if let next = values.popFirst() {
                value = next
            } else {
                throw Failure(.id, "the path has {\(name.printable)}, and no word after the path is its value")
            }
            result.append(PercentCoding.encode(value, .unreserved))
            text = text[(end + 1)...]
        }
        result.append(Bytes(text))
        if !values.isEmpty || named.contains(where: { path.range(of: "{\($0.name)}") == nil }) {
            throw Failure(.id, "the path \(path.printable) contains the ids: no others can be given")
        }
        return result
    }

    /// The query of a path: the declared parameters, and undeclared ones if the operation sends them in the query.
    private func read(
        _ query: Bytes, _ pairs: [(name: Bytes, value: Bytes)], _ operation: OperationEntry, _ call: inout Call
    ) throws(Failure) {
        let names = operation.query.map { $0.description.name }
        for parameter in operation.query {
            let value = try query.withBuffer { (buffer) throws(Failure) in
                try parameter.read(buffer, codec: router.codec) { names.contains($0) }
            }
            if let value { call.query.append(.init(name: parameter.description.name, value: value)) }
        }
        for pair in pairs {
            if names.contains(where: { pair.name == $0 || pair.name.hasPrefix("\($0)[") }) { continue }
            let member = Value.Member(name: pair.name, value: .text(pair.value))
            if operation.takesFreeQuery {
                call.parameters = (call.parameters ?? []) + [member]
            } else {
                call.query.append(member)
            }
        }
    }

    // MARK: - Unknown operations

    /// All names of operations that the command accepts.
    static func operations(_ router: Router) throws(Failure) -> [Bytes] {
        var names: [Bytes] = []
        var known = Set<Bytes>()
        for row in try router.routeRows where !row.isRepeat {
            let target: Bytes = row.route.isEmpty ? row.operation : "\(row.route)#\(row.operation)"
            for name in [target, row.standaloneName] where !name.isEmpty && known.insert(name).inserted { names.append(name) }
        }
        return names
    }

    private func unknown(_ word: Bytes) -> Failure {
        do {
            let names = try Self.operations(router)
            if let resource = names.first(where: { $0.hasPrefix("\(word)#") }) {
                let own = names.filter { $0.hasPrefix("\(word)#") }
                return Failure(
                    .unknown, "\(word.printable) is a resource: add an operation, such as \(resource); there are: \(own)"
                ) {
                    $0.allowed = own
                    $0.suggestion = resource
                }
            }
            // user.read was probably meant as user#read.
            if let dot = word.storage.lastIndex(of: UInt8(ascii: ".")) {
                let name: Bytes = "\(Bytes(word.storage[..<dot]))#\(Bytes(word.storage[(dot + 1)...]))"
                if names.contains(name) {
                    return Failure(.unknown, "no operation \"\(word.printable)\"; did you mean \"\(name)\"?") {
                        $0.suggestion = name
                    }
                }
            }
            return .unknownName(.unknown, "no operation", word, among: names)
        } catch { return error }
    }

    private func noPath(_ word: Bytes) -> Failure {
        let segments = word.split(on: UInt8(ascii: "/")).filter { !$0.isEmpty }
        if let call = walk(segments) {
            return Failure(.unknown, "\(word.printable) is not a path of the description; did you mean \"\(call)\"?") {
                $0.suggestion = call
            }
        }
        if let near = nearest(segments) {
            return Failure(.unknown, "\(word.printable): no path of the description matches; did you mean \(near.text)?") {
                $0.suggestion = near.operation
            }
        }
        // The name of an operation can contain a slash.
        if let names = try? Self.operations(router), let near = NearestName.find(word, among: names) {
            return Failure(.unknown, "\(word.printable) is neither a path nor an operation; did you mean \"\(near)\"?") {
                $0.suggestion = near
            }
        }
        return Failure(
            .unknown,
            "\(word.printable): no path of the description matches; \"routable routes\" prints the paths and the operations")
    }

    /// The path with the fewest misspelled literal segments: `GET /users/:id (user#read)`.
    private func nearest(_ segments: [Bytes]) -> (text: Bytes, operation: Bytes)? {
        var best: RouteRow?
        var fewest = Int.max
        for row in (try? router.routeRows) ?? [] where !row.isRepeat {
            let pattern = row.pattern.split(on: UInt8(ascii: "/")).filter { !$0.isEmpty }
            if pattern.count != segments.count { continue }
            var differences = 0
            for (literal, segment) in zip(pattern, segments) where !literal.storage.contains(UInt8(ascii: ":")) {
                if literal == segment { continue }
                differences = NearestName.find(segment, among: [literal]) == nil ? segments.count + 1 : differences + 1
            }
            if differences <= segments.count && differences < fewest { (best, fewest) = (row, differences) }
        }
        guard let best else { return nil }
        let operation: Bytes = best.route.isEmpty ? best.operation : "\(best.route)#\(best.operation)"
        return ("\"\(best.method) \(best.pattern.printable)\" (\(operation.printable))", operation)
    }

    /// Interprets `user/ann/status` by the names of resources: `user.status#list ann`.
    private func walk(_ segments: [Bytes]) -> Bytes? {
        var route: [Bytes] = []
        var ids: [Bytes] = []
        for (index, segment) in segments.enumerated() {
            if index.isMultiple(of: 2) { route.append(segment) } else { ids.append(segment) }
        }
        let dotted = route.joined(by: ".")
        let usual: Bytes = segments.count.isMultiple(of: 2) ? "read" : "list"
        let others = ((try? router.routeRows) ?? []).filter { $0.route == dotted && !$0.isRepeat }.map { $0.operation }
        let name = ([usual] + others).first { name in
            guard let plan = try? Plan.make(router, route: dotted, operation: name) else { return false }
            return plan.idLabels.count == ids.count
        }
        return name.map { ([("\(dotted)#\($0)" as Bytes)] + ids.map { $0.printable }).joined(by: " ") }
    }
}
#endif
