// The interface between the core, which has no JSON code, and the JSON layer.

/// Writes JSON bodies and validates bodies against types.  Immutable; each router has one; any number of threads may use it.
///
/// Class-bound, because the Embedded mode has only this kind of `any`.
package protocol BodyCodec: AnyObject, Sendable {
    /// `value` as JSON text: the given order of keys, shortest numbers, no white space.
    func text(of value: Value) throws(Failure) -> Bytes

    /// JSON text as a value.  Failures: `json`.
    func value(of text: Bytes) throws(Failure) -> Value

    /// Validates that bytes are JSON.  Failures: `json`, `limit`.
    func check(json: Bytes) throws(Failure)

    /// Validates a JSON body against a type before it is sent.  Failures: `json`; `body`, with pointers; `document`; `limit`.
    func check(body: Bytes, against type: Int) throws(Failure)

    /// Validates the value of a parameter against its schema.  Unless it is JSON, each scalar is a string, which is converted to
    /// the string, number or boolean that the schema accepts.  Failures: those of a body.
    func check(parameter value: Value, against type: Int, isJSON: Bool) throws(Failure)

    /// Maps the body of a response, which is not empty, to a type.
    ///
    /// - Parameters:
    ///   - deadline: in milliseconds of the monotonic clock.
    ///   - text: the same bytes, if the parsed body is to be stored; nil otherwise.
    /// - Throws: `limit` for a body that requires too much memory or too many steps; `timeout` if the time until the deadline
    ///   is too short for the steps.
    func map(_ body: Bytes, type: Int, as expected: ExpectedBody, deadline: Int64, keeping text: Text?) throws(Failure)
        -> MappedBody

    /// The checker of one type; nil if no type has this number.
    ///
    /// - Throws: `document` for a schema that is not valid.
    func checker(of type: Int, for use: SchemaUse) throws(Failure) -> (any ValueChecker)?

    /// The JSON of a schema that is not among the types of the description; nil if no schema has this number.
    func schema(of type: Int) -> Bytes?

    /// The JSON of a schema that is not among the types of the description, or of the schema that a reference names.
    ///
    /// - Parameters:
    ///   - reference: a reference in the document with the number `place`; nil: `place` is the number of a type.
    func schemaText(_ reference: Bytes?, _ place: Int) -> SchemaText?

    /// The examples of a type, or of what the description of a result has at this place.
    func examples(of type: Int) -> [DocumentExample]

    /// The pointer to a type in its document; empty if it is not known.
    func pointer(of type: Int) -> Bytes

    /// The members that a schema requires and for which it allows a single value.
    func constantMembers(of schema: Bytes) -> ConstantMembers

    /// The points, values and alternatives, that coverage counts in the schemas of all types; nil without schemas.
    ///
    /// - Parameter types: the types of the description.
    /// - Throws: `document`, `limit`, `memory`.
    func survey(_ types: [TypeDescription]) throws(Failure) -> (any SchemaSurvey)?
}

extension BodyCodec {
    package func checker(of type: Int, for use: SchemaUse) throws(Failure) -> (any ValueChecker)? { nil }
    package func schema(of type: Int) -> Bytes? { nil }
    package func schemaText(_ reference: Bytes?, _ place: Int) -> SchemaText? { nil }
    package func examples(of type: Int) -> [DocumentExample] { [] }
    package func pointer(of type: Int) -> Bytes { Bytes() }
    package func constantMembers(of schema: Bytes) -> ConstantMembers { ConstantMembers() }
    package func survey(_ types: [TypeDescription]) throws(Failure) -> (any SchemaSurvey)? { nil }
    package func check(parameter value: Value, against type: Int, isJSON: Bool) throws(Failure) {}
}

/// The JSON of a schema, and its position.
package struct SchemaText {
    package let text: Bytes
    /// The number of its document.
    package let document: Int
    /// A number that no other schema of the document has.
    package let position: Int

    package init(text: Bytes, document: Int, position: Int) {
        self.text = text
        self.document = document
        self.position = position
    }
}

/// A value that a document has as an example.
package struct DocumentExample {
    package let pointer: Bytes
    package let json: Bytes

    package init(pointer: Bytes, json: Bytes) {
        self.pointer = pointer
        self.json = json
    }
}

/// The purpose of validating a value.
package enum SchemaUse: Sendable {
    /// A value of a program, without a direction.
    case value
    /// For a request: members that are `readOnly` may be missing.
    case body
    /// For a response: members that are `writeOnly` may be missing.
    case result(ExpectedBody)
}

/// The kind of generated values.
package enum SampleStyle: Sendable {
    /// Short and usual values, with nearly all declared members.
    case plain
    /// Boundary values: empty and long strings, Unicode, large numbers, few or many members.
    case varied
}

/// Validates JSON values against one schema.  Immutable; any number of threads may use it.
package protocol ValueChecker: AnyObject, Sendable {
    /// Validates JSON.  Failures: `json`; `body`, with the pointers and up to `maximumErrors` errors; `limit`.
    func check(json: UnsafeRawBufferPointer, maximumErrors: Int) throws(Failure)

    /// Whether bytes are JSON without repeated keys, and valid; without a reason.
    func accepts(json: UnsafeRawBufferPointer) -> Bool

    /// Validates a tree of the JSON library that the layer above uses.
    func check(tree: OpaquePointer, maximumErrors: Int) throws(Failure)

    /// Whether a tree is valid, without a reason; nil if a limit was exceeded.
    func fits(tree: OpaquePointer) -> Bool?

    /// A valid value, the same for the same seed; nil if none was found.  Failures: `memory`.
    func sample(seed: UInt64, style: SampleStyle) throws(Failure) -> Value?

    /// The same as JSON text.
    func sampleText(seed: UInt64, style: SampleStyle) throws(Failure) -> Bytes?

    /// A valid value with as many members of this object as possible: members of the other direction are omitted, and members
    /// that are required and missing are generated.  nil if no valid value was found.  Failures: `memory`.
    func fit(_ value: Value, seed: UInt64) throws(Failure) -> Value?

    /// The value with each part replaced that the schema declares as secret: `writeOnly`, and the format `password`.
    func masked(_ value: Value, _ mask: (Value) -> Value) -> Value
}

/// An `enum`, or a list of alternatives (`oneOf`, `anyOf`), in the schemas of a description.
package struct SchemaPoint: Sendable {
    /// Where it is declared: a URI with the JSON pointer as its fragment.
    package let place: Bytes
    package let isEnumeration: Bool
    /// The number of the first value or schema; the others have the following numbers.
    package let first: Int
    /// The JSON of each value, or the name of each schema.
    package let names: [Bytes]

    package init(place: Bytes, isEnumeration: Bool, first: Int, names: [Bytes]) {
        self.place = place
        self.isEnumeration = isEnumeration
        self.first = first
        self.names = names
    }
}

/// Finds the values and alternatives of schemas that occur in a value.  Immutable; any number of threads may use it.
package protocol SchemaSurvey: AnyObject, Sendable {
    /// The points in the order of their first numbers.
    var points: [SchemaPoint] { get }

    /// The points of the values of these types, in order.
    ///
    /// - Parameter limit: the maximum number of schemas that are searched.
    func points(of types: [Int], limit: Int) -> [Int]

    /// Calls `use` with the number of each value and alternative that the JSON contains.
    ///
    /// - Parameters:
    ///   - list: the pointer of an array whose elements have the type; nil: the whole value has it.
    /// - Returns: false for text that is not JSON, and if a limit ended the search.
    func find(in json: Bytes, _ type: Int, list: Bytes?, direction: SchemaUse, _ use: (Int) -> Void) throws(Failure) -> Bool

    /// The same for the value of a parameter, whose scalars are strings unless it is JSON.
    func find(in parameter: Value, isJSON: Bool, _ type: Int, _ use: (Int) -> Void) throws(Failure) -> Bool
}
