// What tells operations with the same method and path apart: a value that a request of each must have.
//
// JSON-RPC services have one path, and the member "method" of the body names the procedure; others have a query parameter
// "action", or a header.

/// The constants of operations, which are read when two operations have the same method and path.
final class OperationConstants {
    private let types: [TypeDescription]
    private let codec: (any BodyCodec)?
    private var known: [Int: [ConstantMember]] = [:]
    private static let mostTypes = 16

    init(_ types: [TypeDescription], _ codec: (any BodyCodec)?) {
        self.types = types
        self.codec = codec
    }

    /// Whether no request belongs to both operations.
    func tellApart(_ left: OperationEntry, _ right: OperationEntry) -> Bool {
        let others = constants(of: right)
        return constants(of: left).contains { own in others.contains { $0.name == own.name && $0.value != own.value } }
    }

    /// By place and name: `body/method`, `query/action`, `header/x-action`.
    private func constants(of operation: OperationEntry) -> [ConstantMember] {
        let description = operation.description
        var result: [ConstantMember] = []
        let parameters = description.query + description.headers + description.cookies
        for parameter in parameters where parameter.isRequired && !parameter.isArray && parameter.style == nil {
            guard parameter.scalar.values.count == 1, let value = parameter.scalar.values.first else { continue }
            let name = parameter.location == .header ? parameter.name.lowercased : parameter.name
            result.append(ConstantMember(name: "\(parameter.location.rawValue)/\(name)", value: value))
        }
        guard description.bodies.count < 2, let type = description.bodyType ?? description.bodies.first?.type else {
            return result
        }
        let isForm = description.bodyForm != .json && description.bodies.isEmpty
        return isForm ? result : result + members(of: type)
    }

    private func members(of type: Int) -> [ConstantMember] {
        if let known = known[type] { return known }
        var result: [ConstantMember] = []
        var waiting = [type]
        var next = 0
        while next < waiting.count && next < Self.mostTypes {
            let type = waiting[next]
            next &+= 1
            guard let found = schema(of: type).flatMap({ codec?.constantMembers(of: $0) }) else { continue }
            for member in found.members {
                result.append(ConstantMember(name: "body/\(member.name)", value: member.value))
            }
            for name in found.types {
                if let number = types.firstIndex(where: { $0.name == name }), !waiting.contains(number) {
                    waiting.append(number)
                }
            }
        }
        known[type] = result
        return result
    }

    private func schema(of type: Int) -> Bytes? {
        guard types.indices.contains(type) else { return codec?.schema(of: type) }
        return types[type].slice.map { Bytes($0.buffer) } ?? types[type].schema
    }
}
