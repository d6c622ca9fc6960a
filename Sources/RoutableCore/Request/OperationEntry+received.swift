// Properties of an operation that are needed to read a received request.

extension OperationEntry {
    /// The body that a media type selects, like the content type of a call; the first body for nil.  nil if no media types are declared.
    ///
    /// - Throws: `body` for a media type that is not declared, with the declared ones.
    package func body(of contentType: Bytes?) throws(Failure) -> BodyDescription? {
        if description.bodies.isEmpty { return nil }
        return try BodyWriter(label: name.bytes, bodies: description.bodies, codec: nil).choose(contentType)
    }

    /// Whether parameters that are not declared are written into the query.
    package var takesFreeQuery: Bool { encoding.goesToQuery(description.method) }
}
