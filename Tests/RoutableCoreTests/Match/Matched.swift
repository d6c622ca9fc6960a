// Matches in a form that tests can compare.

@testable import RoutableCore

/// A match, read from the memory of the caller.
struct Matched: Equatable, CustomStringConvertible {
    var status: RoutableCore.Status
    var operation: String?
    var captures: [Capture]
    var methods: [String]
    var slash: Int32
    var route: String?

    var description: String {
        let texts = captures.map { "\($0.offset)+\($0.length):\($0.resource)/\($0.parameter)" }
        return "\(status) \(operation ?? "-") [\(texts.joined(separator: " "))] \(methods)"
    }
}

extension Router {
    func matched(_ path: String, method: String? = nil, _ options: MatchOptions = []) -> Matched {
        matched(bytes: Array(path.utf8), method: method, options)
    }

    func matched(bytes: [UInt8], method: String? = nil, _ options: MatchOptions = []) -> Matched {
        withUnsafeTemporaryAllocation(byteCount: MatchLayout.byteCount, alignment: 8) { memory in
            memory.initializeMemory(as: UInt8.self, repeating: 0xAA)
            guard let result = memory.baseAddress else { preconditionFailure() }
            let status = bytes.withUnsafeBytes { path -> RoutableCore.Status in
                let empty = UnsafeRawBufferPointer(start: UnsafeRawPointer(result), count: 0)
                let text = path.isEmpty ? empty : path
                guard let method else { return matchStatus(of: nil, text, options, result) }
                return method.withCString { matchStatus(of: $0, text, options, result) }
            }
            let number = result.load(as: UInt32.self)
            let count = result.load(fromByteOffset: MatchLayout.captureCount, as: UInt32.self)
            let node = result.load(fromByteOffset: MatchLayout.node, as: UInt32.self)
            let captures = (0..<Int(count)).map {
                result.load(fromByteOffset: MatchLayout.captures + 16 * $0, as: Capture.self)
            }
            return Matched(
                status: status, operation: self.operation(numbered: number).map { label($0) }, captures: captures,
                methods: methods(ofNode: node).map(\.bytes.string),
                slash: result.load(fromByteOffset: MatchLayout.slash, as: Int32.self),
                route: route(of: captures, operation: number, node: node)?.string)
        }
    }

    func matchStatus(
        of method: UnsafePointer<CChar>?, _ text: UnsafeRawBufferPointer, _ options: MatchOptions,
        _ result: UnsafeMutableRawPointer
    ) -> RoutableCore.Status {
        RoutableCore.Status(rawValue: match(method, text.baseAddress, text.count, options.rawValue, result)) ?? .internal
    }

    /// `user read`, or the name of a standalone operation.
    func label(_ operation: OperationEntry) -> String {
        guard let resource = operation.resource else { return operation.name.bytes.string }
        return "\(resources[resource].name.bytes) \(operation.name.bytes)"
    }
}

/// Standalone operations from lines like `GET /users/{id}`, each named by its line.
func router(_ lines: [String], base: String? = nil, _ edit: (inout [OperationDescription]) -> Void = { _ in }) throws -> Router
{
    var description = RouterDescription()
    description.base = base.map { Bytes($0) }
    description.operations = lines.map { line in
        let words = line.split(separator: " ", maxSplits: 1)
        return OperationDescription(
            name: Bytes(line.replacing(".", with: "·")), method: Bytes(String(words[0])), path: Bytes(String(words[1])),
            place: .root)
    }
    edit(&description.operations)
    return try Router.open(description)
}

func scalar(_ kind: Scalar.Kind, _ edit: (inout Scalar) -> Void = { _ in }) -> Scalar {
    var result = Scalar(kind)
    edit(&result)
    return result
}

/// A path parameter with a type.
func typed(_ name: String, _ scalar: Scalar) -> ParameterDescription {
    var result = ParameterDescription(name: Bytes(name), location: .path, isRequired: true)
    result.scalar = scalar
    return result
}

/// SplitMix64: the same numbers from the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
