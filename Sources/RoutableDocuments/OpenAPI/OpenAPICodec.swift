// What the core asks of the layer that knows JSON, for routers whose types are schemas of an OpenAPI document.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

/// Writes JSON bodies, and holds bodies against the schemas of a document.
final class OpenAPICodec: BodyCodec {
    private let schemas: OpenAPISchemas

    init(_ schemas: OpenAPISchemas) { self.schemas = schemas }

    func text(of value: Value) throws(Failure) -> Bytes {
        var writer = JSONWriter()
        try writer.value(value)
        return writer.text
    }

    func value(of text: Bytes) throws(Failure) -> Value {
        let document = try text.parsed()
        defer { withExtendedLifetime(document) {} }
        return document.view.tree
    }

    func check(body: Bytes, against type: Int) throws(Failure) {
        let document = try body.parsed()
        defer { withExtendedLifetime(document) {} }
        if let failure = try schemas.refusal(of: document.view, type) { throw failure }
    }

    func checker(of type: Int) -> (any ValueChecker)? { schemas.checker(of: type) }

    /// Self, dictionary, array, raw, in this order, all or nothing.
    func outcome(of body: Bytes, type: Int?) -> Outcome {
        if body.isEmpty { return .empty }
        guard let type, let document = try? body.parsed() else { return .raw }
        defer { withExtendedLifetime(document) {} }
        let view = document.view
        if schemas.accepts(view, type) { return .self }
        switch view.kind {
        case .object:
            var members = view.members
            while let (_, value) = members.read() {
                if !schemas.accepts(value, type) { return .raw }
            }
            return .dictionary
        case .array:
            var elements = view.elements
            while let element = elements.read() {
                if !schemas.accepts(element, type) { return .raw }
            }
            return .array
        default: return .raw
        }
    }
}
