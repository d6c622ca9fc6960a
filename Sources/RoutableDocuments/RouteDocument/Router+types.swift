// Opens a router whose bodies are validated against the JSON Schema types of its description.

package import RoutableCore
internal import RoutableSchema

extension Router {
    /// Opens a description with the codec of its types.
    ///
    /// - Throws: the failures of `open(_:codec:)`; `document` for a type that is not a valid schema.
    package static func open(withTypesOf description: RouterDescription) throws(Failure) -> Router {
        try open(description, codec: try JSONCodec.compile(description.types))
    }
}
