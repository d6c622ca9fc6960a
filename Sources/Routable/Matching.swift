// Matches URLs: a URL becomes a case of an enum, with the ids of the path as its values (docs/swift.md, "Matching").

public import Foundation
public import RoutableCore

/// A value that can be read from a path.
public protocol PathValue: ValueConvertible, Sendable {
    /// Creates a value from a string in a path; nil if the string is not a value of the type.
    ///
    /// - Parameter pathText: the string in the path, after percent-decoding.
    init?(pathText: String)
}

extension String: PathValue { public init?(pathText: String) { self = pathText } }
extension Int: PathValue { public init?(pathText: String) { self.init(pathText) } }
extension Int64: PathValue { public init?(pathText: String) { self.init(pathText) } }
extension Double: PathValue { public init?(pathText: String) { self.init(pathText) } }
extension Bool: PathValue { public init?(pathText: String) { self.init(pathText) } }
extension UUID: PathValue { public init?(pathText: String) { self.init(uuidString: pathText) } }
extension ResourceID: PathValue { public init?(pathText: String) { self.init(pathText) } }
extension IntegerID: PathValue {
    public init?(pathText: String) {
        guard let number = Int64(pathText) else { return nil }
        self.init(number)
    }
}

extension PathValue where Self: RawRepresentable, RawValue: PathValue {
    public init?(pathText: String) {
        guard let raw = RawValue(pathText: pathText) else { return nil }
        self.init(rawValue: raw)
    }
}

/// An API whose URLs are matched to the cases of an enum.
///
///     extension Social: MatchableAPI {
///         enum Matched { case users, user(User.ID), status(User.ID, Status.ID) }
///         static let cases: [MatchCase<Matched>] = [
///             .collection(User.self) { .users },
///             .member(User.self) { .user($0) },
///             .member(User.self, Status.self) { .status($0, $1) },
///         ]
///     }
///
///     switch try Social.match(url) {
///     case .users: ...
///     case .user(let id): ...
///     case .status(let user, let status): ...
///     }
public protocol MatchableAPI: API {
    /// The type of the value that a match returns.
    associatedtype Matched
    /// The value that a match returns, for each place of the API: a collection, a member or an operation.
    static var cases: [MatchCase<Matched>] { get }
}

extension MatchableAPI {
    /// Returns the case that a URL or a path matches.
    ///
    /// - Parameters:
    ///   - url: a URL below the base of the API, or a path below it, which begins with a slash.
    ///   - method: the method of the operation; nil for any.
    ///   - base: replaces the base of the API, for example with the base of links to an application, `social://app`.
    /// - Throws: `noMatch` for a URL without a route or a case; `methodNotAllowed`; `id` for an id that is not a value of its type;
    ///   `unknown` or `notAllowed` for a case that the API does not have.
    public static func match(_ url: String, method: HTTPMethod? = nil, below base: String? = nil) throws(Failure)
        -> Matched
    {
        let router = try opened()
        for each in cases { try each.place.check(router) }
        let found = try FoundPlace(Bytes(url), method.map { Bytes($0.rawValue) }, base.map { Bytes($0) }, router)
        for each in cases where each.place == found.place {
            return try each.make(PathReader(found.values, found.place))
        }
        throw Failure(
            .noMatch,
            "\(Bytes(url).printable) is \(found.place.label), for which \(Bytes(String(describing: Self.self))) has no case"
        ) {
            $0.route = found.place.route
        }
    }

    /// Returns the case that a URL matches.
    public static func match(_ url: URL, method: HTTPMethod? = nil, below base: String? = nil) throws(Failure)
        -> Matched
    {
        try match(url.absoluteString, method: method, below: base)
    }
}

/// A place of an API, and the value that a match of one of its URLs returns.
public struct MatchCase<Output>: Sendable {
    let place: MatchedPlace
    let make: @Sendable (PathReader) throws(Failure) -> Output

    /// A case for the members of a resource.  The types of its parents, if any, precede its own type.
    public static func member<each Kind: Resource & SendableMetatype>(
        _ kinds: repeat (each Kind).Type, then make: @escaping @Sendable (repeat (each Kind).ID) -> Output
    ) -> MatchCase where repeat (each Kind).ID: PathValue {
        var names: [String] = []
        repeat names.append((each Kind).name)
        return MatchCase(place: MatchedPlace(.member, names)) { (path) throws(Failure) in
            let values = (repeat try path.next((each Kind).ID.self))
            return make(repeat each values)
        }
    }

    /// A case for the collection of a resource.  The types of its parents, if any, follow `of`.
    public static func collection<Kind: Resource, each Parent: Resource & SendableMetatype>(
        _ kind: Kind.Type, of parents: repeat (each Parent).Type,
        then make: @escaping @Sendable (repeat (each Parent).ID) -> Output
    ) -> MatchCase where repeat (each Parent).ID: PathValue {
        var names: [String] = []
        repeat names.append((each Parent).name)
        return MatchCase(place: MatchedPlace(.collection, names + [kind.name])) { (path) throws(Failure) in
            let values = (repeat try path.next((each Parent).ID.self))
            return make(repeat each values)
        }
    }

    /// A case for the members of a resource with several ids.
    public static func member<Kind: Scoped>(
        _ kind: Kind.Type, then make: @escaping @Sendable (Kind.Scope, Kind.ID) -> Output
    ) -> MatchCase where Kind.Scope: PathValue, Kind.ID: PathValue {
        MatchCase(place: MatchedPlace(.member, [kind.name])) { (path) throws(Failure) in
            make(try path.next(Kind.Scope.self), try path.next(Kind.ID.self))
        }
    }

    /// A case for a standalone operation, with the types of the values in its path.
    public static func endpoint<each Parameter: PathValue & SendableMetatype>(
        _ name: String, _ values: repeat (each Parameter).Type,
        then make: @escaping @Sendable (repeat each Parameter) -> Output
    ) -> MatchCase {
        MatchCase(place: MatchedPlace(name)) { (path) throws(Failure) in
            let values = (repeat try path.next((each Parameter).self))
            return make(repeat each values)
        }
    }

    /// A case for an additional operation of the members of a resource, such as `publish`.
    public static func operation<each Kind: Resource & SendableMetatype>(
        _ name: String, of kinds: repeat (each Kind).Type,
        then make: @escaping @Sendable (repeat (each Kind).ID) -> Output
    ) -> MatchCase where repeat (each Kind).ID: PathValue {
        var names: [String] = []
        repeat names.append((each Kind).name)
        return MatchCase(place: MatchedPlace(.member, names, operation: name)) { (path) throws(Failure) in
            let values = (repeat try path.next((each Kind).ID.self))
            return make(repeat each values)
        }
    }
}

/// The part of an API that a URL identifies.
struct MatchedPlace: Hashable, Sendable {
    var kind: Place
    /// Separated by dots: `user.status`; empty for a standalone operation.
    var route = Bytes()
    /// The name of a standalone operation, or of an operation with its own path; empty for other operations, which share the URL of the resource.
    var operation = Bytes()

    init(_ kind: Place, _ names: [String], operation: String = "") {
        self.kind = kind
        route = Bytes(names.joined(separator: "."))
        self.operation = Bytes(operation)
    }

    init(_ operation: String) {
        kind = .root
        self.operation = Bytes(operation)
    }

    init(_ route: Bytes, _ entry: OperationEntry) {
        kind = entry.description.place
        self.route = route
        if entry.description.capability == nil { operation = entry.name.bytes }
    }

    /// The name in messages.
    var label: Bytes {
        switch kind {
        case .root: return "the operation \(operation)"
        case .member, .collection:
            let place: Bytes = kind == .member ? "a member of \(route)" : "the collection of \(route)"
            return operation.isEmpty ? place : "\(operation) of \(place)"
        }
    }

    /// - Throws: `unknown` or `notAllowed` if the router does not have it.
    func check(_ router: Router) throws(Failure) {
        var name = operation
        if name.isEmpty, let last = route.split(on: UInt8(ascii: ".")).last {
            let first = router.resource(named: last)?.operations.first {
                $0.description.place == kind && $0.description.capability != nil
            }
            name = first?.name.bytes ?? (kind == .member ? "read" : "list")
        }
        do throws(Failure) { _ = try router.walk(route: route, operation: name) } catch {
            throw error.with { $0.message = "the cases of the API have \(label): \($0.message)" }
        }
    }
}

/// The result of matching a URL.
private struct FoundPlace {
    let place: MatchedPlace
    let values: [String]

    init(_ url: Bytes, _ method: Bytes?, _ base: Bytes?, _ router: Router) throws(Failure) {
        var url = url
        if let base {
            // `social://appusers` begins with `social://app`, but is not below it.
            let ends: [UInt8?] = [nil, UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
            guard url.hasPrefix(base),
                base.hasSuffix("/") || base.hasSuffix(":") || ends.contains(url.storage.dropFirst(base.count).first)
            else {
                throw Failure(.noMatch, "\(url.printable) is not below \(base.printable)")
            }
            url = Bytes(url.storage[base.count...])
            if url.storage.first != UInt8(ascii: "/") { url = "/\(url)" }
        }
        var result = [UInt64](repeating: 0, count: MatchLayout.byteCount / 8 + 1)
        let text = Text(url)
        let status = result.withUnsafeMutableBytes { result in
            if let method {
                let method = Text(method)
                return method.start.withMemoryRebound(to: CChar.self, capacity: method.count + 1) {
                    router.match($0, text.start, text.count, 0, result.baseAddress)
                }
            }
            return router.match(nil, text.start, text.count, 0, result.baseAddress)
        }
        let (number, node, captures) = result.withUnsafeBytes { result in
            let count = Int(result.load(fromByteOffset: MatchLayout.captureCount, as: UInt32.self))
            return (
                result.load(as: UInt32.self), result.load(fromByteOffset: MatchLayout.node, as: UInt32.self),
                (0..<count).map { result.load(fromByteOffset: MatchLayout.captures + 16 * $0, as: Capture.self) }
            )
        }
        guard status == Status.ok.rawValue, let entry = router.operation(numbered: number) else {
            if status == Status.methodNotAllowed.rawValue, let method {
                let allowed = router.methods(ofNode: node).map { $0.bytes }
                throw Failure(
                    .methodNotAllowed, "\(method.printable) is not a method of \(url.printable); there are: \(allowed)"
                ) { $0.allowed = allowed }
            }
            throw Failure(.noMatch, "no route of \(router.name.bytes.printable) matches \(url.printable)")
        }
        place = MatchedPlace(router.route(of: captures, operation: number, node: node) ?? Bytes(), entry)
        values = captures.map { capture in
            let start = Int(capture.offset)
            return PercentCoding.decode(
                UnsafeRawBufferPointer(rebasing: text.buffer[start..<(start + Int(capture.length))])
            ).string
        }
        withExtendedLifetime(text) {}
    }
}

/// The values of a path, from left to right.
final class PathReader {
    private let values: [String]
    private let place: MatchedPlace
    private var index = 0

    init(_ values: [String], _ place: MatchedPlace) {
        self.values = values
        self.place = place
    }

    func next<Read: PathValue>(_ type: Read.Type) throws(Failure) -> Read {
        guard index < values.count else {
            throw Failure(.id, "the path of \(place.label) has \(values.count) values, and its case has more") {
                $0.route = place.route
            }
        }
        let text = values[index]
        index += 1
        if let value = Read(pathText: text) { return value }
        throw Failure(
            .id,
            "the value \"\(Bytes(text).printable)\" in the path of \(place.label) is not of type \(Bytes(String(describing: type)))"
        ) {
            $0.route = place.route
        }
    }
}
