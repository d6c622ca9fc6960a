// The document that contains the schemas.  It follows references in constant time.

internal import RoutableCore
internal import RoutableDocuments
internal import RoutableJSON
internal import RoutableSchema

final class SchemaDocument {
    let root: Value
    /// Whether keywords beside a reference have no effect, as in OpenAPI 3.0 and Swagger 2.0.
    let ignoresSiblings: Bool
    /// The reference to a named type, without its name.
    let prefix: String
    let isOpenAPI: Bool
    private let codec: JSONCodec
    /// The members of large objects, by the pointer to the object.
    private var indexes: [Bytes: [Bytes: Value]] = [:]

    init(_ router: Router) throws(Failure) {
        codec = try JSONCodec.compile([])
        let source = router.description.source
        root = try codec.value(of: source?.bytes ?? RouteDocument.write(router.description))
        isOpenAPI = source != nil
        if root["swagger"] != nil {
            prefix = "#/definitions/"
        } else {
            prefix = isOpenAPI ? "#/components/schemas/" : "#/types/"
        }
        ignoresSiblings = root["swagger"] != nil || root["openapi"]?.string?.hasPrefix("3.0") == true
    }

    func value(of text: Bytes) throws(Failure) -> Value { try codec.value(of: text) }

    /// The keys of an operation for its results and its body, as the ends of pointers.
    static func keys(isOpenAPI: Bool) -> (results: String, body: String) {
        isOpenAPI ? ("/responses", "/requestBody") : ("/results", "/body")
    }

    var keys: (results: String, body: String) { Self.keys(isOpenAPI: isOpenAPI) }

    /// The pointer to the result of these statuses.
    func place(of result: ResultDescription, in operation: String) -> String {
        let key =
            result.lowest == result.highest
            ? "\(result.lowest)" : result.highest - result.lowest == 99 ? "\(result.lowest / 100)XX" : "default"
        return operation + keys.results + "/" + key
    }

    /// The operations by the names that a router uses for them: the operationId, or the method and the path.
    private lazy var operations: [Bytes: (node: Value, pointer: String, shared: Value?)] = {
        var result: [Bytes: (node: Value, pointer: String, shared: Value?)] = [:]
        for path in root["paths"]?.members ?? [] {
            guard let item = resolved(path.value) else { continue }
            let place =
                item["$ref"] == nil && path.value["$ref"] == nil
                ? SchemaDocument.pointed(path.name, in: "/paths") : String(path.value["$ref"]?.string?.dropFirst() ?? "")
            for member in item.members + (item["additionalOperations"]?.members ?? []) {
                guard case .object = member.value, member.value["responses"] != nil || member.value["operationId"] != nil else {
                    continue
                }
                let found = (
                    node: member.value, pointer: SchemaDocument.pointed(member.name, in: place), shared: item["parameters"]
                )
                if case .text(let id)? = member.value["operationId"], result[id] == nil { result[id] = found }
                result["\(Bytes(member.name.string.uppercased())) \(path.name)"] = found
            }
        }
        return result
    }()

    /// The operation of a router in an OpenAPI or Swagger document, and the pointer to it.
    func operation(_ name: Bytes) -> (node: Value, pointer: String)? {
        isOpenAPI ? operations[name].map { ($0.node, $0.pointer) } : nil
    }

    /// The schema of a parameter of an operation in an OpenAPI 3 document.
    func parameterSchema(of operation: Bytes, _ name: Bytes, in location: String) -> Value? {
        guard isOpenAPI, root["swagger"] == nil, let found = operations[operation] else { return nil }
        for list in [found.node["parameters"], found.shared] {
            guard case .array(let parameters)? = list else { continue }
            for each in parameters {
                guard let own = resolved(each), own["name"]?.string == name.string, own["in"]?.string == location else {
                    continue
                }
                return own["schema"]
            }
        }
        return nil
    }

    /// The value that a reference within the document refers to.
    func target(_ reference: String) -> Value? { Self.tokens(reference).flatMap { target($0) } }

    func target(_ tokens: [Bytes]) -> Value? {
        var current = root
        var place = Bytes()
        for token in tokens {
            switch current {
            case .object(let members):
                var next: Value?
                if members.count > 24 {
                    if indexes[place] == nil {
                        indexes[place] = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
                    }
                    next = indexes[place]?[token]
                } else {
                    next = current[token]
                }
                guard let next else { return nil }
                current = next
            case .array(let elements):
                guard let index = Int(token.string), elements.indices.contains(index) else { return nil }
                current = elements[index]
            default: return nil
            }
            place = JSONPointer.appending(token, to: place)
        }
        return current
    }

    /// A value after its references are followed.
    func resolved(_ value: Value) -> Value? {
        var current = value
        for _ in 0..<32 {
            guard let text = current["$ref"]?.string else { return current }
            guard let next = target(text) else { return nil }
            current = next
        }
        return nil
    }

    /// The tokens of a fragment that is a JSON pointer; percent escapes are decoded.
    static func tokens(_ reference: String) -> [Bytes]? {
        guard reference.utf8.first == UInt8(ascii: "#") else { return nil }
        let fragment = Array(reference.utf8.dropFirst()).withUnsafeBytes { PercentCoding.decode($0) }
        return fragment.isEmpty || fragment.storage.first == UInt8(ascii: "/") ? JSONPointer.tokens(fragment) : nil
    }

    /// The name as a token of a reference.
    static func escaped(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": result += "~0"
            case "/": result += "~1"
            case "%": result += "%25"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The pointer with the name appended as a token.
    static func pointed(_ name: Bytes, in pointer: String) -> String { JSONPointer.appending(name, to: Bytes(pointer)).string }
}

extension Value {
    subscript(_ name: Bytes) -> Value? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var members: [Member] { if case .object(let members) = self { members } else { [] } }
    var elements: [Value]? { if case .array(let elements) = self { elements } else { nil } }
    var string: String? { if case .text(let text) = self { text.string } else { nil } }
    var isTrue: Bool { if case .boolean(true) = self { true } else { false } }
    var isFalse: Bool { if case .boolean(false) = self { true } else { false } }

    /// One string, or an array of strings.
    var strings: [String]? { string.map { [$0] } ?? elements?.compactMap { $0.string } }
}
