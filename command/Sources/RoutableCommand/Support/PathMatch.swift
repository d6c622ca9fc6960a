// The route, the operation and the ids of a path, for `match` and for calls with a path.

import RoutableCore
import RoutableDocuments

/// A match, read from the memory of the workspace.
struct PathMatch {
    let status: Status
    let operation: OperationEntry?
    private let route: Bytes
    private let path: Bytes
    private let node: UInt32
    private let number: UInt32
    private var captures: [Capture] = []
    private var values: [(parameter: ParameterEntry, resource: Bytes?, text: Bytes)] = []
    let methods: [Bytes]
    private let slash: Int32
    /// The names of the ids in calls.
    private var labels: [Bytes] = []

    init(_ router: Router, _ path: Bytes, method: Bytes?, _ options: MatchOptions) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: MatchLayout.byteCount, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        var terminated = path.storage
        terminated.append(0)  // so that an empty path also has an address
        let code = terminated.withUnsafeBytes { text -> Int32 in
            guard let method else {
                return router.match(nil, text.baseAddress, path.count, options.rawValue, memory.baseAddress)
            }
            return method.string.withCString {
                router.match($0, text.baseAddress, path.count, options.rawValue, memory.baseAddress)
            }
        }
        status = Status(rawValue: code) ?? .internal
        self.path = path
        number = memory.load(as: UInt32.self)
        let count = memory.load(fromByteOffset: MatchLayout.captureCount, as: UInt32.self)
        node = memory.load(fromByteOffset: MatchLayout.node, as: UInt32.self)
        slash = memory.load(fromByteOffset: MatchLayout.slash, as: Int32.self)
        captures = (0..<Int(count)).map {
            memory.load(fromByteOffset: MatchLayout.captures + $0 * MemoryLayout<Capture>.stride, as: Capture.self)
        }
        methods = router.methods(ofNode: node).map { $0.bytes }
        guard status == .ok else {
            operation = nil
            route = Bytes()
            return
        }
        operation = router.operation(numbered: number)
        route = router.route(of: captures, operation: number, node: node) ?? Bytes()
        for capture in captures {
            guard let parameter = router.parameter(of: capture, operation: number) else { continue }
            let range = Int(capture.offset)..<Int(capture.offset) + Int(capture.length)
            guard range.upperBound <= path.count else { continue }
            let text = path.storage.withUnsafeBytes { PercentCoding.decode(UnsafeRawBufferPointer(rebasing: $0[range])) }
            let resource =
                router.resources.indices.contains(Int(capture.resource))
                ? router.resources[Int(capture.resource)].name.bytes : nil
            values.append((parameter, resource, text))
        }
        let plan = operation.flatMap { try? Plan.make(router, route: route, operation: $0.name.bytes) }
        labels = plan?.idLabels ?? []
    }

    /// `user.status#read`, followed by a line for each value.
    func text(_ router: Router) -> Bytes {
        guard let operation else { return Bytes() }
        let terminal = Terminal.output
        let name: Bytes = route.isEmpty ? operation.name.bytes : "\(route)#\(operation.name.bytes)"
        var result: Bytes = "\(terminal.styled(terminal.shown(name), .bold))\n"
        for (index, value) in values.enumerated() {
            result.append("  \(terminal.styled(terminal.shown(label(index)), .cyan)) = \(terminal.shown(value.text))\n")
        }
        return result
    }

    private func label(_ index: Int) -> Bytes {
        labels.indices.contains(index) ? labels[index] : values[index].parameter.name.bytes
    }

    func json(_ router: Router) -> Bytes {
        guard let operation else { return Bytes() }
        var members: [Value.Member] = []
        if !route.isEmpty { members.append(.init(name: "route", value: .text(route))) }
        members.append(.init(name: "operation", value: .text(operation.name.bytes)))
        members.append(.init(name: "method", value: .text(operation.method.bytes)))
        members.append(
            .init(
                name: "ids",
                value: .array(
                    values.indices.map { index in
                        var members: [Value.Member] = [.init(name: "name", value: .text(label(index)))]
                        if let resource = values[index].resource {
                            members.append(.init(name: "resource", value: .text(resource)))
                        }
                        // JSON cannot contain a value that is not UTF-8.
                        members.append(.init(name: "value", value: .text(Bytes(values[index].text.string))))
                        return .object(members)
                    })))
        return (try? MessageDocument.value(.object(members))) ?? Bytes()
    }

    func failure(path: Bytes, method: Bytes?) -> Failure {
        if status == .methodNotAllowed {
            return Failure(.methodNotAllowed, "\(path.printable): \(method ?? "") is not allowed; allowed: \(methods)") {
                $0.allowed = methods
            }
        }
        let hint: Bytes =
            slash > 0 ? "; one matches with a trailing slash" : slash < 0 ? "; one matches without the slash" : Bytes()
        return Failure(.noMatch, "\(path.printable): no route matches\(hint)")
    }

    /// The operation, and the call whose request has this path.  If several operations have the same path and method, the constants of
    /// the query decide.
    ///
    /// - Throws: `value` for a part of the path that an id does not accept, and `unknown` if several operations remain.
    func call(_ router: Router, query: [(name: Bytes, value: Bytes)]) throws(Failure) -> (OperationEntry, Call) {
        let numbers = [number] + router.alternativeNumbers(ofNode: node, to: number)
        let all = numbers.compactMap { each in router.operation(numbered: each).map { (number: each, operation: $0) } }
        let possible = all.filter { each in
            each.operation.query.allSatisfy { parameter in
                let values = parameter.description.scalar.values
                guard values.count == 1, let value = values.first else { return true }
                let given = query.filter { $0.name == parameter.description.name }
                return given.isEmpty ? !parameter.description.isRequired : given.contains { $0.value == value }
            }
        }
        guard let chosen = possible.first ?? all.first else { throw failure(path: path, method: nil) }
        if (possible.isEmpty ? all : possible).count > 1 {
            let names = all.map { $0.operation.name.bytes }
            throw Failure(
                .unknown, "\(path.printable): several operations have this path and method: \(names); name one of them"
            ) { $0.allowed = names }
        }
        var call = Call(operation: chosen.operation.name.bytes)
        call.route = router.route(of: captures, operation: chosen.number, node: node) ?? route
        let plan = try Plan.make(router, route: call.route, operation: call.operation)
        var refused: [Failure] = []
        let ids = try path.withBuffer { (buffer) throws(Failure) in try plan.unbind(captures, in: buffer, refused: &refused) }
        guard let ids else { throw refused.first ?? failure(path: path, method: nil) }
        call.ids = ids
        return (chosen.operation, call)
    }
}
