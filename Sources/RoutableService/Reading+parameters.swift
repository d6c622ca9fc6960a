// Reads the query, the headers and the cookies.

internal import RoutableCore

extension Reading {
    // MARK: - Query

    mutating func readQuery(_ call: inout ReceivedCall) throws(Failure) {
        let operation = call.plan.operation
        let query = Bytes(incoming.target.storage[target.query])
        try readDeclared(operation.query, query, "query", call.plan, &call.query)
        try readFreeQuery(query, operation, &call)
    }

    /// Reads the values of declared parameters, with their defaults.
    private mutating func readDeclared(
        _ parameters: [ParameterEntry], _ text: Bytes, _ part: StaticString, _ plan: Plan, _ members: inout [Value.Member]
    ) throws(Failure) {
        if parameters.isEmpty { return }
        let names = Set(parameters.map { $0.description.name })
        for parameter in parameters where !parameter.description.isCredential {
            let name = parameter.description.name
            do throws(Failure) {
                let found = try text.withBuffer { (buffer) throws(Failure) in
                    try parameter.read(buffer, codec: codec) { names.contains($0) }
                }
                if let value = found ?? parameter.description.defaultValue {
                    members.append(Value.Member(name: name, value: value))
                } else if parameter.description.isRequired {
                    try refusals.add(missing(name, part, plan))
                }
            } catch { try refuse(error, name, part, plan) }
        }
    }

    private func missing(_ name: Bytes, _ part: StaticString, _ plan: Plan) -> Failure {
        Failure(.parameter, "\(label(plan)): the \(Self.kind(part)) \(name.printable) is required") {
            $0.parameter = name
            $0.pointer = "/\(Bytes(static: part))"
        }
    }

    private static func kind(_ part: StaticString) -> Bytes {
        switch Bytes(static: part) {
        case "query": "query parameter"
        case "headers": "header"
        default: "cookie"
        }
    }

    private mutating func refuse(_ failure: Failure, _ name: Bytes, _ part: StaticString, _ plan: Plan) throws(Failure) {
        try refusals.add(
            failure.with {
                $0.message = "\(label(plan)): \(failure.message)"
                $0.parameter = name
                $0.pointer = "/\(Bytes(static: part))/\(name.pointerEscaped)"
            })
    }

    /// Reads the undeclared parameters, if the operation writes such parameters into the query.
    private mutating func readFreeQuery(_ query: Bytes, _ operation: OperationEntry, _ call: inout ReceivedCall) throws(Failure)
    {
        if query.isEmpty || operation.query.contains(where: { $0.claimsOthers }) { return }
        // The name of an object is not a parameter; the names of its members are.
        let plain = Set(operation.query.filter { $0.description.style?.kind != .deepObject }.map { $0.description.name })
        let others = operation.query.filter { !$0.claims($0.description.name) || $0.description.isArray }
        let ofBase = Set(router.router.base(of: operation)?.query.split(on: UInt8(ascii: "&")) ?? [])
        let secrets = secretNames(call, .query)
        var free: [(name: Bytes, value: Bytes)] = []
        for item in try query.pieces(on: UInt8(ascii: "&")) where !item.isEmpty {
            try Memory.check()
            if ofBase.contains(item) { continue }
            let equals = item.storage.firstIndex(of: UInt8(ascii: "=")) ?? item.count
            let name = Self.formText(Bytes(item.storage[..<equals]))
            if plain.contains(name) || secrets.contains(name) || others.contains(where: { $0.claims(name) }) { continue }
            free.append((name, Bytes(item.storage[min(equals &+ 1, item.count)...])))
        }
        if free.isEmpty { return }
        if operation.takesFreeQuery {
            call.parameters = try freeParameters(free, operation.encoding, call.plan, "/query")
        } else {
            var names = KeyedValues<Bytes, Bytes>()
            for pair in free { _ = names.place(of: pair.name, adding: pair.name) }
            call.ignored = names.values
        }
    }

    static func formText(_ text: Bytes) -> Bytes {
        text.storage.withUnsafeBytes { PercentCoding.decode($0, plusIsSpace: true) }
    }

    /// Undeclared parameters as they are spelled: each key is a parameter, and the value of a repeated key is an array.
    mutating func freeParameters(
        _ pairs: [(name: Bytes, value: Bytes)], _ encoding: FormEncoding, _ plan: Plan, _ pointer: Bytes
    ) throws(Failure) -> [Value.Member] {
        var named = KeyedValues<Bytes, (name: Bytes, values: [Value], isArray: Bool)>()
        for pair in pairs {
            try Memory.check()
            var name = pair.name
            var isArray = false
            if encoding.arrays == .brackets, name.hasSuffix("[]") {
                name = Bytes(name.storage.dropLast(2))
                isArray = true
            }
            let pieces = encoding.arrays == .comma ? try pair.value.pieces(on: UInt8(ascii: ",")) : [pair.value]
            isArray = isArray || pieces.count > 1
            for piece in pieces {
                let text = Self.formText(piece)
                let fault: Bytes? =
                    name.storage.contains(0)
                    ? "its name has U+0000" : UTF8Check.isValid(text) && UTF8Check.isValid(name) ? nil : "it is not UTF-8"
                if let fault {
                    try refusals.add(
                        Failure(.value, "\(label(plan)): invalid value of \(name.printable): \(fault)") {
                            $0.parameter = name
                            $0.pointer = pointer
                        }, RefusalStatus.malformed)
                    continue
                }
                let place = named.place(of: name, adding: (name, [], false))
                named.values[place].values.append(.text(text))
                if isArray { named.values[place].isArray = true }
            }
        }
        return named.values.map { entry in
            let isArray = entry.isArray || entry.values.count > 1
            return Value.Member(name: entry.name, value: isArray ? .array(entry.values) : entry.values.first ?? .text(Bytes()))
        }
    }

    // MARK: - Headers

    mutating func readHeaders(_ call: inout ReceivedCall) throws(Failure) {
        let declared = call.plan.operation.parameters.filter { $0.description.location == .header }
        var known = Set<Bytes>()
        for parameter in declared where !parameter.description.isCredential {
            let name = parameter.description.name
            known.insert(name.lowercased)
            guard let text = headers[name.lowercased] else {
                if let value = parameter.description.defaultValue {
                    call.headers.append(Value.Member(name: name, value: value))
                } else if parameter.description.isRequired {
                    try refusals.add(missing(name, "headers", call.plan))
                }
                continue
            }
            do throws(Failure) {
                let value = try text.withBuffer { (buffer) throws(Failure) in
                    try parameter.read(buffer, codec: codec) { _ in false }
                }
                if let value { call.headers.append(Value.Member(name: name, value: value)) }
            } catch { try refuse(error, name, "headers", call.plan) }
        }
        let secrets = Set(secretNames(call, .header).map { $0.lowercased })
        for field in headers.fields {
            let key = field.name.lowercased
            if known.contains(key) || secrets.contains(key) || field.name.storage.withUnsafeBytes(Self.isHeldElsewhere) {
                continue
            }
            if let own = router.router.headers.value(of: field.name), own == field.value { continue }
            if key == "accept", let own = call.plan.accept, own.value == field.value { continue }
            if key == "authorization" && call.credentials.contains(where: { isOfAuthorization($0.scheme) }) { continue }
            if UTF8Check.isValid(field.value) {
                call.headers.append(Value.Member(name: field.name, value: .text(field.value)))
            } else {
                call.ignored.append(field.name)
            }
        }
    }

    /// Fields of the connection and the framing, and fields that are other members of a call.
    static func isHeldElsewhere(_ name: UnsafeRawBufferPointer) -> Bool {
        switch name.count {
        case 4: name.isName("host")
        case 6: name.isName("cookie") || name.isName("expect")
        case 12: name.isName("content-type")
        case 16: name.isName("content-encoding") || isOfConnection(name)
        default: isOfConnection(name)
        }
    }

    /// Fields of the connection (RFC 9110 section 7.6.1) and of the framing of a message.
    static func isOfConnection(_ name: UnsafeRawBufferPointer) -> Bool {
        switch name.count {
        case 2: name.isName("te")
        case 7: name.isName("trailer") || name.isName("upgrade")
        case 10: name.isName("connection") || name.isName("keep-alive")
        case 14: name.isName("content-length")
        case 16: name.isName("proxy-connection")
        case 17: name.isName("transfer-encoding")
        default: false
        }
    }

    // MARK: - Cookies

    mutating func readCookies(_ call: inout ReceivedCall) throws(Failure) {
        let declared = call.plan.operation.parameters.filter { $0.description.location == .cookie }
        guard let text = headers["cookie"], !text.isEmpty else {
            return try readDeclared(declared, Bytes(), "cookies", call.plan, &call.cookies)
        }
        try readDeclared(declared, text, "cookies", call.plan, &call.cookies)
        if declared.contains(where: { $0.claimsOthers }) { return }
        let names = Set(declared.map { $0.description.name })
        let secrets = secretNames(call, .cookie)
        var others = Bytes()
        for piece in text.split(on: UInt8(ascii: ";")) {
            try Memory.check()
            let pair = Bytes(piece.storage.drop { $0 == 0x20 || $0 == 0x09 })
            let name = Bytes(pair.storage.prefix { $0 != UInt8(ascii: "=") })
            let decoded = name.storage.withUnsafeBytes { PercentCoding.decode($0) }
            if pair.isEmpty || names.contains(decoded) || secrets.contains(name) { continue }
            if !others.isEmpty { others.append("; ") }
            others.append(pair)
        }
        others = others.trimmedOfBlanks
        // A declared header with this name contains the undeclared cookies.
        if let index = call.headers.firstIndex(where: { $0.name.isName("cookie") }), case .text = call.headers[index].value {
            call.headers[index].value = .text(others)
            return
        }
        // Undeclared cookies are returned in a separate Cookie header.
        if others.isEmpty { return }
        if UTF8Check.isValid(others) {
            call.headers.append(Value.Member(name: "Cookie", value: .text(others)))
        } else {
            call.ignored.append("Cookie")
        }
    }
}
