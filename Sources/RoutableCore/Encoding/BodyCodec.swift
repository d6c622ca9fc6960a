// The interface between the core, which does not know JSON, and the layer that does.

/// Writes JSON bodies and validates bodies against types.  One for each router; immutable; any number of threads.
///
/// Class-bound, since that is the one kind of `any` that the Embedded mode has.
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
    ///   - text: the same bytes, if the parsed body is to be kept; nil otherwise.
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

    /// The examples of a type, or of what the description of a result has at this place.
    func examples(of type: Int) -> [DocumentExample]

    /// The pointer to a type in its document; empty if it is not known.
    func pointer(of type: Int) -> Bytes

    /// The members that a schema requires and of which it allows one value.
    func constantMembers(of schema: Bytes) -> ConstantMembers
}

extension BodyCodec {
    package func checker(of type: Int, for use: SchemaUse) throws(Failure) -> (any ValueChecker)? { nil }
    package func schema(of type: Int) -> Bytes? { nil }
    package func examples(of type: Int) -> [DocumentExample] { [] }
    package func pointer(of type: Int) -> Bytes { Bytes() }
    package func constantMembers(of schema: Bytes) -> ConstantMembers { ConstantMembers() }
    package func check(parameter value: Value, against type: Int, isJSON: Bool) throws(Failure) {}
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
    /// Without a direction.
    case value
    /// For a request: members that are `readOnly` may be missing.
    case body
    /// For a response: members that are `writeOnly` may be missing.
    case result(ExpectedBody)
}

/// How generated values look.
package enum SampleStyle: Sendable {
    /// Short and usual values, with nearly all declared members.
    case plain
    /// Edges: empty and long strings, Unicode, large numbers, few or many members.
    case varied
}

/// Validates JSON values against one schema.  Immutable; any number of threads.
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

    /// A valid value with as many members of this object as possible: members of the other direction are left out, and members
    /// that are required and missing are generated.  nil if no valid value was found.  Failures: `memory`.
    func fit(_ value: Value, seed: UInt64) throws(Failure) -> Value?
}
