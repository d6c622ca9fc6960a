// The `BodyCodec` of routers whose types are schemas of an OpenAPI document.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

/// Writes JSON bodies, and validates bodies against the schemas of a document.
final class OpenAPICodec: BodyCodec {
    private let schemas: OpenAPISchemas

    init(_ schemas: OpenAPISchemas) { self.schemas = schemas }

    func text(of value: Value) throws(Failure) -> Bytes {
        var writer = JSONWriter()
        try writer.value(value)
        return writer.text
    }

    func value(of text: Bytes) throws(Failure) -> Value {
        try text.withJSON { $0.tree }
    }

    func check(json: Bytes) throws(Failure) { try json.withJSON { _ in } }

    func constantMembers(of schema: Bytes) -> ConstantMembers { ConstantMembers(schema: schema) }

    func check(body: Bytes, against type: Int) throws(Failure) {
        if let failure = try body.withJSON({ view throws(Failure) in try schemas.refusal(of: view, type) }) { throw failure }
    }

    func check(parameter value: Value, against type: Int, isJSON: Bool) throws(Failure) {
        let value = isJSON ? value : try schemas.reading(of: value, type)
        try check(body: try text(of: value), against: type)
    }

    func checker(of type: Int, for use: SchemaUse) throws(Failure) -> (any ValueChecker)? {
        try schemas.checker(of: type, for: use)
    }

    func survey(_ types: [TypeDescription]) throws(Failure) -> (any SchemaSurvey)? { try schemas.survey() }

    func schema(of type: Int) -> Bytes? { schemas.text(of: type) }
    func schemaText(_ reference: Bytes?, _ place: Int) -> SchemaText? { schemas.schemaText(reference, place) }
    func examples(of type: Int) -> [DocumentExample] { schemas.examples(of: type) }
    func pointer(of type: Int) -> Bytes { schemas.place(of: type).map { $0.tape.pointer(of: $0.node) } ?? Bytes() }

    func map(
        _ body: Bytes, type: Int, as expected: ExpectedBody, deadline: Int64, keeping text: Text?
    ) throws(Failure) -> MappedBody {
        guard let mapping = schemas.mapping(of: type) else { return MappedBody(.self) }
        return try mapping.map(body, as: expected, deadline: deadline, keeping: text)
    }
}
