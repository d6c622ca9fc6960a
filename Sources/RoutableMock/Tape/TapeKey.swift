// The key of an exchange: its call.  It does not depend on the spelling of the URL, the order of members, boundaries or credentials.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableService

/// A request as it is stored on a tape.
struct TapeRequest {
    var method: Bytes
    var url: Bytes
    var headers: [HeaderField]
    var body: Bytes?
    var basePath: Bytes?

    var contentType: Bytes { headers.value(of: "Content-Type") ?? Bytes() }

    /// The path and the query.
    var target: Bytes {
        guard url.storage.first != UInt8(ascii: "/"), let colon = url.storage.firstIndex(of: UInt8(ascii: ":")) else {
            return url
        }
        let rest = url.storage[min(colon &+ 3, url.count)...]
        let end = rest.firstIndex(of: UInt8(ascii: "#")) ?? url.count
        guard let start = rest.firstIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }), start < end else {
            return "/"
        }
        return rest[start] == UInt8(ascii: "/") ? Bytes(url.storage[start..<end]) : "/\(Bytes(url.storage[start..<end]))"
    }
}

/// The call of an exchange as a sorted list of its values.
struct TapeKey {
    /// The route and the operation, separated by a dot, or the method and the path.
    var label = Bytes()
    /// The values of the call: JSON pointers into the call, each with the JSON of the value or its digest.
    var leaves: [Leaf] = []
    /// The text of the key, which is equal for equal calls.
    var text = Bytes()
    let context: TapeContext
    /// The request that was read; the call borrows from it.
    var received: Received?
    /// The reason why the request is not a call of the description.
    var refusal: Failure?

    struct Leaf {
        let pointer: Bytes
        let value: Bytes
    }

    /// A longer value is represented by its digest.
    private static let valueBytes = 200

    init(_ request: TapeRequest, _ redactor: TapeRedactor) throws(Failure) {
        let body = request.body ?? Bytes()
        let asksForToken = TapeRedactor.asksForToken(body, request.contentType)
        context = TapeContext(basePath: request.basePath, isTokenRequest: asksForToken)
        let received = Received(redactor.router)
        var options = ReceiveOptions()
        options.basePath = request.basePath
        var call: ReceivedCall?
        do throws(Failure) {
            try received.read(
                Incoming(method: request.method, target: request.target, headers: request.headers, body: body), options)
            call = try received.call()
        } catch {
            if error.status == .memory { throw error }
            refusal = error
        }
        if let call {
            self.received = received
            try add(call, received, redactor)
        } else {
            try add(request, redactor)
        }
        leaves = leaves.ordered { $0.pointer < $1.pointer }
        text = label
        for leaf in leaves { text.append("\0\(leaf.pointer)\0\(leaf.value)") }
        try Memory.check()
    }

    static func label(_ plan: Plan) -> Bytes {
        plan.route.isEmpty ? plan.operation.name.bytes : "\(plan.route.bytes).\(plan.operation.name.bytes)"
    }

    // MARK: - A call

    private mutating func add(_ call: ReceivedCall, _ received: Received, _ redactor: TapeRedactor) throws(Failure) {
        let plan = call.plan
        context.plan = plan
        context.secretParameters = redactor.secretParameters(plan)
        label = Self.label(plan)
        let schemes = redactor.router.router.description.authSchemes
        if plan.route.isEmpty, schemes.contains(where: { !$0.refresh.isEmpty && $0.refresh == plan.operation.name.bytes }) {
            context.isTokenRequest = true
        }
        let secret = context.secretParameters
        add(redactor.redacted(call.pathValues, secret), "ids")
        add(redactor.redacted(call.query, secret), "query")
        if let parameters = call.parameters { add(redactor.redacted(parameters, secret), "parameters") }
        var values = Set<Bytes>()
        for member in call.pathValues + call.query where secret.contains(member.name) {
            if case .text(let text) = member.value { values.insert(text) }
        }
        var value: Value?
        switch call.body {
        case .absent: break
        case .json(let text): value = try redactor.router.router.codec?.value(of: text)
        case .value(let form): value = form
        case .bytes: add(.text(redactor.masked(Bytes(received.body))), "/body")
        }
        if let found = value {
            var shown = found
            if let schema = try? plan.operation.bodySchema(call.contentType),
                let checker = try redactor.router.router.codec?.checker(of: schema.type, for: schema.use)
            {
                shown = checker.masked(found) {
                    Self.collect($0, &values)
                    return redactor.hide($0)
                }
            }
            add(redactor.redacted(shown, context), "/body")
        }
        for (index, file) in call.files.enumerated() {
            // proof: the reader of the body made this range from the body.
            let content = received.body.part(file.content.lowerBound, file.content.upperBound)
            add(.text(redactor.masked(Bytes(content))), "/files/\(index)/\(file.name)")
        }
        context.values = values
    }

    private static func collect(_ value: Value, _ values: inout Set<Bytes>) {
        // proof: the recursion is limited by the nesting that the reader allows.
        switch value {
        case .array(let elements): for element in elements { collect(element, &values) }
        case .object(let members): for member in members { collect(member.value, &values) }
        default: if let text = value.scalarText { values.insert(text) }
        }
    }

    // MARK: - Any other request

    private mutating func add(_ request: TapeRequest, _ redactor: TapeRedactor) throws(Failure) {
        let pieces = redactor.url(request.target, context).split(on: UInt8(ascii: "?"))
        label = "\(request.method) \(pieces.first ?? Bytes())"
        add(
            .array(Array(pieces.dropFirst()).joined(by: "?").split(on: UInt8(ascii: "&")).ordered().map { .text($0) }), "/query"
        )
        guard let body = request.body else { return }
        let essence = BodyWriter.essence(request.contentType)
        let shown = try redactor.body(body, request.contentType, nil, context)
        if essence == "application/x-www-form-urlencoded" {
            add(.array(shown.split(on: UInt8(ascii: "&")).ordered().map { .text($0) }), "/body")
        } else if essence == "multipart/form-data", let type = MediaType(request.contentType) {
            // The boundary may be random.
            add(.text(shown.replacing(type.parameter("boundary") ?? Bytes(), with: "") ?? shown), "/body")
        } else if let value = try? redactor.router.router.codec?.value(of: shown) {
            add(value, "/body")
        } else {
            add(.text(shown), "/body")
        }
    }

    // MARK: - Leaves

    private mutating func add(_ members: [Value.Member], _ part: Bytes) {
        for member in members { add(member.value, JSONPointer.appending(member.name, to: "/\(part)")) }
    }

    private mutating func add(_ value: Value, _ pointer: Bytes) {
        // proof: the recursion is limited by the nesting that the reader allows.
        if Memory.cuts() { return }
        switch value {
        case .array(let elements):
            if elements.isEmpty { leaves.append(Leaf(pointer: pointer, value: "[]")) }
            for (index, element) in elements.enumerated() { add(element, "\(pointer)/\(index)") }
        case .object(let members):
            if members.isEmpty { leaves.append(Leaf(pointer: pointer, value: "{}")) }
            for member in members { add(member.value, JSONPointer.appending(member.name, to: pointer)) }
        case .text(let text):
            if text.count > Self.valueBytes || !UTF8Check.isValid(text) {
                let digest = SHA256.digest(text).storage.prefix(8).map { [ASCII.hexDigit($0 >> 4), ASCII.hexDigit($0)] }
                leaves.append(Leaf(pointer: pointer, value: "\(text.count) bytes, SHA-256 \(Bytes(Array(digest.joined())))"))
            } else {
                var writer = JSONWriter()
                writer.string(text)
                leaves.append(Leaf(pointer: pointer, value: writer.text))
            }
        default: leaves.append(Leaf(pointer: pointer, value: value.scalarText ?? "null"))
        }
    }

    // MARK: - Differences

    /// The differences of two calls of one operation: the number of different values, and a string that names the first ones.
    func differences(from other: TapeKey) -> (count: Int, text: Bytes) {
        var count = 0
        var texts: [Bytes] = []
        func note(_ text: @autoclosure () -> Bytes) {
            count &+= 1
            if count <= 3 { texts.append(text()) }
        }
        var own = leaves[...]
        var others = other.leaves[...]
        while let left = own.first ?? others.first, let right = others.first ?? own.first {
            if others.isEmpty || !own.isEmpty && left.pointer < right.pointer {
                note("\(left.pointer.printable) is \(left.value.printable) and absent from the tape")
                own = own.dropFirst()
            } else if own.isEmpty || right.pointer < left.pointer {
                note("\(right.pointer.printable) is absent and \(right.value.printable) on the tape")
                others = others.dropFirst()
            } else {
                if left.value != right.value {
                    note("\(left.pointer.printable) is \(left.value.printable) and \(right.value.printable) on the tape")
                }
                own = own.dropFirst()
                others = others.dropFirst()
            }
        }
        if count > 3 { texts.append("\(count &- 3) further differences") }
        return (count, texts.joined(by: "; "))
    }
}
