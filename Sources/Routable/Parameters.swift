// Values by name or by position, as Swift literals.

internal import Foundation
public import RoutableCore

/// Names and values of undeclared parameters, or of the query or the headers of a `Route`.  A literal omits a nil value.
///
///     ["q": "tea", "page": 2, "tags": ["a", "b"], "format": format]
///
/// In a query or a form, undeclared parameters are sorted by name, unless the option `order` of the encoding is `given`
/// (docs/encodings.md, Keys).
public struct Parameters: Sendable, ExpressibleByDictionaryLiteral {
    /// The parameters, in the given order.
    public var members: [RoutableCore.Value.Member]

    /// Creates parameters from names and values.
    public init(_ members: [RoutableCore.Value.Member] = []) { self.members = members }

    public init(dictionaryLiteral elements: (String, (any ValueConvertible)?)...) {
        members = elements.compactMap { name, value in
            value.map { RoutableCore.Value.Member(name: Bytes(name), value: $0.routableValue) }
        }
    }

    /// Creates parameters from pairs of a name and a value.
    public init(_ pairs: some Sequence<(String, any ValueConvertible)>) {
        members = pairs.map { RoutableCore.Value.Member(name: Bytes($0.0), value: $0.1.routableValue) }
    }

    /// Creates parameters from a dictionary with values of any type, such as one from `JSONSerialization`, in the order of the
    /// names.
    ///
    /// - Throws: `argument`, with the name, for a value that is neither a ``ValueConvertible`` nor an array or a dictionary of
    ///   them; `limit` for values that are nested deeper than 64 levels.
    public init(any values: [String: Any]) throws(Failure) { members = try Self.members(values, 0) }

    private static func members(_ values: [String: Any], _ depth: Int) throws(Failure) -> [RoutableCore.Value.Member] {
        var members: [RoutableCore.Value.Member] = []
        for name in values.keys.sorted() {
            guard let given = values[name] else { continue }
            members.append(RoutableCore.Value.Member(name: Bytes(name), value: try value(given, name, depth)))
        }
        return members
    }

    private static func value(_ given: Any, _ name: String, _ depth: Int) throws(Failure) -> RoutableCore.Value {
        if depth > 64 {
            throw Failure(.limit, "the parameter \(Bytes(name)) is nested in more than 64 arrays and dictionaries") {
                $0.parameter = Bytes(name)
            }
        }
        switch given {
        case let one as any ValueConvertible: return one.routableValue
        case is NSNull: return .null
        case let number as NSNumber:  // of JSONSerialization
            switch String(cString: number.objCType) {
            case "c", "B": return number.boolValue.routableValue
            case "d", "f": return number.doubleValue.routableValue
            case "Q": return number.uint64Value.routableValue
            default: return number.int64Value.routableValue
            }
        case let many as [String: Any]: return .object(try members(many, depth + 1))
        case let many as [Any]:
            var elements: [RoutableCore.Value] = []
            for element in many { elements.append(try value(element, name, depth + 1)) }
            return .array(elements)
        default:
            throw Failure(
                .argument,
                "the parameter \(Bytes(name)) has the type \(Bytes(String(describing: type(of: given)))), which cannot be a parameter"
            ) {
                $0.parameter = Bytes(name)
            }
        }
    }

    /// Whether there are no parameters.
    public var isEmpty: Bool { members.isEmpty }
}

/// The values of a path: by position, or by name.
///
///     [todo.id]            for "todos/{id}", or appended to "todos"
///     ["id": todo.id]      for "todos/{id}"
public struct PathParameters: Sendable, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    enum Values: Sendable {
        case positional([RoutableCore.Value])
        case named([RoutableCore.Value.Member])
    }

    let values: Values

    public init(arrayLiteral values: (any ValueConvertible)...) {
        self.values = .positional(values.map { $0.routableValue })
    }

    public init(dictionaryLiteral elements: (String, any ValueConvertible)...) {
        values = .named(elements.map { RoutableCore.Value.Member(name: Bytes($0.0), value: $0.1.routableValue) })
    }

    /// Creates values in the order of the path.
    public init(_ values: [any ValueConvertible]) { self.values = .positional(values.map { $0.routableValue }) }
}

// MARK: - Values as literals

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral text: String) { self = .text(Bytes(text)) }
    public init(integerLiteral number: Int64) { self = .integer(number) }
    public init(floatLiteral number: Double) { self = .real(number) }
    public init(booleanLiteral truth: Bool) { self = .boolean(truth) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: Value...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, Value)...) {
        self = .object(elements.map { Member(name: Bytes($0.0), value: $0.1) })
    }
}

// MARK: - The operations of resources with parameters

extension ResourceCollection where Kind: Creatable {
    /// POST on the collection with undeclared parameters.
    public func create(parameters: Parameters) -> Endpoint<Kind.Model> { create(parameters: parameters.members) }
}

extension ResourceCollection where Kind: Updatable {
    /// PUT on the member with this id, with undeclared parameters.
    public func update(_ id: Kind.ID, parameters: Parameters) -> Endpoint<Kind.Model> {
        _member(id).update(parameters: parameters)
    }
}

extension ResourceMember where Kind: Updatable {
    /// PUT on the member with undeclared parameters.
    public func update(parameters: Parameters) -> Endpoint<Kind.Model> { update(parameters: parameters.members) }
}

extension Resource where Self: Creatable {
    /// POST on the collection at the root with undeclared parameters.
    public static func create(parameters: Parameters) -> Endpoint<Model> { create(parameters: parameters.members) }
}

extension Resource where Self: Updatable {
    /// PUT on the member with this id, at the root, with undeclared parameters.
    public static func update(_ id: ID, parameters: Parameters) -> Endpoint<Model> {
        update(id, parameters: parameters.members)
    }
}

extension Endpoint {
    /// A copy of the endpoint with these undeclared parameters, which replace earlier ones.
    ///
    /// The encoding of the operation determines where they are written (docs/statements.md, U1) and in which order.
    public func parameters(_ parameters: Parameters) -> Endpoint { self.parameters(parameters.members) }
}
