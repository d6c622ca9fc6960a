// The interface between the core, which does not know JSON, and the layer that does.

/// Writes JSON bodies and validates bodies against types.  One for each router; immutable; any number of threads.
///
/// Class-bound, since that is the one kind of `any` that the Embedded mode has.
package protocol BodyCodec: AnyObject, Sendable {
    /// `value` as JSON text: the given order of keys, shortest numbers, no white space.
    func text(of value: Value) throws(Failure) -> Bytes

    /// JSON text as a value.  Failures: `json`.
    func value(of text: Bytes) throws(Failure) -> Value

    /// Whether a text is JSON.  Failures: `json`, `limit`.
    func check(json: Bytes) throws(Failure)

    /// Holds a JSON body against a type before it is sent.  Failures: `json` or `body`, with pointers.
    func check(body: Bytes, against type: Int) throws(Failure)

    /// How an answer's body, which is not empty, maps to a type, all or nothing.
    ///
    /// - Parameters:
    ///   - deadline: in milliseconds of the monotonic clock.
    ///   - text: the same bytes, if the parsed body is to be kept; nil otherwise.
    /// - Throws: `limit` for a body that takes too much memory or too many steps to find out; `timeout` for one that would take
    ///   longer than the deadline allows.
    func map(_ body: Bytes, type: Int, as expected: ExpectedBody, deadline: Int64, keeping text: Text?) throws(Failure)
        -> MappedBody

    /// One type by itself; nil when there is none of that number.
    ///
    /// - Throws: `document` for a schema that is none.
    func checker(of type: Int, for use: SchemaUse) throws(Failure) -> (any ValueChecker)?

    /// The text of a schema that is not among the types of the description; nil when there is none of that number.
    func schema(of type: Int) -> Bytes?
}

extension BodyCodec {
    package func checker(of type: Int, for use: SchemaUse) throws(Failure) -> (any ValueChecker)? { nil }
    package func schema(of type: Int) -> Bytes? { nil }
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

/// Validates JSON values against one schema.  Immutable; any number of threads.
package protocol ValueChecker: AnyObject, Sendable {
    /// A JSON text.  Failures: `json`; `body` with the pointers, and up to `most` reasons; `limit`.
    func check(json: UnsafeRawBufferPointer, maximumErrors: Int) throws(Failure)

    /// A tree of the JSON library that the layer above is built on.
    func check(tree: OpaquePointer, maximumErrors: Int) throws(Failure)

    /// Whether a tree fits, without a reason; nil when it was too much to find out.
    func fits(tree: OpaquePointer) -> Bool?
}
