// The `BodyCodec` of routers with JSON Schema types.

package import RoutableCore
internal import RoutableJSON

/// Writes JSON bodies and validates bodies against the types of one router.
///
/// Checked is all that JSON Schema 2020-12 asserts; `format` is an annotation there.
package final class JSONCodec: BodyCodec {
    private let types: TypeSet

    /// Compiles the types of a router.
    ///
    /// A function and not an `init`: in the Embedded mode an object whose `init` throws is not given back.
    ///
    /// - Throws: `json`, `document` or `unsupported`, with the pointer of the type in a route document.
    package static func compile(_ types: [TypeDescription]) throws(Failure) -> JSONCodec {
        JSONCodec(try TypeSet.compile(types))
    }

    private init(_ types: TypeSet) { self.types = types }

    /// Types that are compiled already: type number `n` is the root `roots[n]` of the program.
    convenience init(program: SchemaProgram, roots: [Int]) { self.init(TypeSet(program, roots)) }

    /// `value` as JSON text: the given order of keys, shortest numbers, no white space.
    package func text(of value: Value) throws(Failure) -> Bytes {
        var writer = JSONWriter()
        try writer.value(value)
        return writer.text
    }

    /// JSON text as a value.
    package func value(of text: Bytes) throws(Failure) -> Value {
        try text.withJSON { $0.tree }
    }

    package func survey(_ types: [TypeDescription]) throws(Failure) -> (any SchemaSurvey)? { try TypeSet.survey(types) }

    package func check(json: Bytes) throws(Failure) { try json.withJSON { _ in } }

    package func constantMembers(of schema: Bytes) -> ConstantMembers { ConstantMembers(schema: schema) }

    /// Holds a JSON body against a type before it is sent.
    ///
    /// - Throws: `json` with the place in the body, or `body` with the pointers into body and schema.
    package func check(body: Bytes, against type: Int) throws(Failure) {
        if let failure = try body.withJSON({ types.refusal(of: $0, type) }) { throw failure }
    }

    package func map(
        _ body: Bytes, type: Int, as expected: ExpectedBody, deadline: Int64 = .max, keeping text: Text? = nil
    ) throws(Failure) -> MappedBody {
        try BodyMapping(types.program, root: types.root(type)).map(body, as: expected, deadline: deadline, keeping: text)
    }

    package func checker(of type: Int, for use: SchemaUse) throws(Failure) -> (any ValueChecker)? {
        let root = types.root(type)
        return root < 0 ? nil : JSONSchema(types.program, root: root, use: use)
    }
}
