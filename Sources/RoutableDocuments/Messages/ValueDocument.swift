// Reads and writes one JSON value, for Swift programs.

package import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

/// Reads and writes single values.
package enum ValueDocument {
    /// Reads a value.  A number keeps its digits if printing it as a double would change them.
    ///
    /// - Throws: `json`, `limit`.
    package static func read(_ text: Bytes) throws(Failure) -> Value { try JSONCodec.exactValue(of: text) }

    /// Writes a value: keys in the given order, the shortest form of numbers, no white space.
    package static func write(_ value: Value) throws(Failure) -> Bytes {
        var writer = JSONWriter()
        try writer.value(value)
        return writer.text
    }
}
