// The declared constants that distinguish operations with the same method and path.
//
// JSON-RPC services have one path, and the member "method" of the body names the procedure; other services have a query parameter
// "action", or a header.

/// The constants of operations, which are read when two operations have the same method and path.
final class OperationConstants {
    private let types: [TypeDescription]
    private let codec: (any BodyCodec)?
    private var known: [Int: [ConstantMember]] = [:]
    /// The index of each type by name; computed when a schema first refers to a type.
    private var numbers: [Bytes: Int]?
    private static let mostTypes = 16

    init(_ types: [TypeDescription], _ codec: (any BodyCodec)?) {
        self.types = types
        self.codec = codec
    }

    /// Groups of operations that no constant with one name separates, in order; an operation without such a partner is omitted.
    ///
    /// The time is linear in the number of operations.  Two operations of one group can still differ in a constant that the other
    /// operations do not have.
    func groups(_ operations: [OperationEntry]) -> [[Int]] {
        let constants = operations.map { self.constants(of: $0) }
        var result: [[Int]] = []
        var waiting = [Array(operations.indices)]
        while let group = waiting.popLast() {
            if group.count < 2 { continue }
            if let parts = Self.parts(group, constants) { waiting += parts } else { result.append(group) }
        }
        // proof: no group is empty.
        return result.ordered { $0[0] < $1[0] }
    }

    /// Splits a group by the values of the first constant that all operations have, but not all with the same value; nil if there is none.
    private static func parts(_ group: [Int], _ constants: [[ConstantMember]]) -> [[Int]]? {
        guard let first = group.first else { return nil }
        for candidate in constants[first] {
            var parts = KeyedValues<Bytes, [Int]>()
            var isCommon = true
            for operation in group {
                guard let own = constants[operation].first(where: { $0.name == candidate.name }) else {
                    isCommon = false
                    break
                }
                parts.values[parts.place(of: own.value, adding: [])].append(operation)
            }
            if isCommon && parts.values.count > 1 { return parts.values }
        }
        return nil
    }

    /// Whether the two operations have different values of one constant, so that no request belongs to both.
    func areDistinct(_ left: OperationEntry, _ right: OperationEntry) -> Bool {
        let others = constants(of: right)
        return constants(of: left).contains { own in others.contains { $0.name == own.name && $0.value != own.value } }
    }

    /// The constants by place and name: `body/method`, `query/action`, `header/x-action`.
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
                if let number = number(of: name), !waiting.contains(number) { waiting.append(number) }
            }
        }
        known[type] = result
        return result
    }

    private func number(of name: Bytes) -> Int? {
        if let numbers { return numbers[name] }
        var made: [Bytes: Int] = [:]
        for (number, type) in types.enumerated() where made[type.name] == nil { made[type.name] = number }
        numbers = made
        return made[name]
    }

    private func schema(of type: Int) -> Bytes? {
        guard types.indices.contains(type) else { return codec?.schema(of: type) }
        return types[type].slice.map { Bytes($0.buffer) } ?? types[type].schema
    }
}
