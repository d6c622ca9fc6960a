// `routable match`: finds the operation and values of a path or a URL.

#if Command
import ArgumentParser
import RoutableCore
import RoutableDocuments

struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Prints the route of a path or a URL, and its values.",
        discussion: """
            A path begins with a slash and is relative to the base, unless --whole-path is set; a URL begins with the base. \
            The exit status is 1 if no route matches, or none with this method.

            EXAMPLES
              routable match social.json /users/ann/statuses/3
              routable match social.json -m POST https://api.example.com/v1/users/ann/statuses
              routable match social.json --json /users/ann
            """
    )

    @OptionGroup var description: DescriptionWords

    @Argument(help: ArgumentHelp("A path relative to the base, or a URL.", valueName: "path"))
    var path: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The method. The default is any method, preferably GET.", valueName: "method"))
    var method: String?

    @Flag(help: "Ignore a missing or additional trailing slash.") var anySlash = false
    @Flag(help: "Ignore the case of ASCII letters in literals.") var foldCase = false
    @Flag(help: "Treat several slashes in a row as one.") var mergeSlashes = false
    @Flag(help: "A path begins with the path of the base.") var wholePath = false

    func run() throws {
        let router = try description.router()
        var options: MatchOptions = .suggestSlash
        if anySlash { options.insert(.anySlash) }
        if foldCase { options.insert(.foldCase) }
        if mergeSlashes { options.insert(.mergeSlashes) }
        if wholePath { options.insert(.wholePath) }
        let found = Found(router, Bytes(path), method: method.map { Bytes($0) }, options)
        switch found.status {
        case .ok: try Output.write(description.json ? "\(found.json(router))\n" : found.text(router))
        case .argument: throw Failure(.argument, "a path must begin with a slash, and a URL with the base of the description")
        default: throw Staged(failure: found.failure(path: Bytes(path), method: method.map { Bytes($0) }), ending: .no)
        }
    }
}

/// A match, read from the memory that it was written to.
private struct Found {
    let status: Status
    private let operation: OperationEntry?
    private let route: Bytes
    private var values: [(parameter: ParameterEntry, resource: Bytes?, text: Bytes)] = []
    private let methods: [Bytes]
    private let slash: Int32
    /// What a call names the ids.
    private var labels: [Bytes] = []

    init(_ router: Router, _ path: Bytes, method: Bytes?, _ options: MatchOptions) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: MatchLayout.byteCount, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        var terminated = path.storage
        terminated.append(0)  // an empty path has an address, too
        let code = terminated.withUnsafeBytes { text -> Int32 in
            guard let method else {
                return router.match(nil, text.baseAddress, path.count, options.rawValue, memory.baseAddress)
            }
            return method.string.withCString {
                router.match($0, text.baseAddress, path.count, options.rawValue, memory.baseAddress)
            }
        }
        status = Status(rawValue: code) ?? .internal
        let number = memory.load(as: UInt32.self)
        let count = memory.load(fromByteOffset: MatchLayout.captureCount, as: UInt32.self)
        let node = memory.load(fromByteOffset: MatchLayout.node, as: UInt32.self)
        slash = memory.load(fromByteOffset: MatchLayout.slash, as: Int32.self)
        let captures = (0..<Int(count)).map {
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

    /// `user.status#read`, then a line for each value.
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
                        // What is not UTF-8 has no place in JSON.
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
}
#endif
