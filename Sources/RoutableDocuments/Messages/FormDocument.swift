// Converts a received form to JSON: an array of pairs, because names may be repeated and their order may be significant.

package import RoutableCore
internal import RoutableJSON

package enum FormDocument {
    /// `[["a","1"],["b","2"]]` for `a=1&b=2`.
    ///
    /// - Throws: `limit`.
    package static func json(_ form: UnsafeRawBufferPointer) throws(Failure) -> Bytes {
        if form.count > Limits.formBytes { throw Failure.formLimit }
        var writer = JSONWriter()
        writer.open("[")
        for pair in FormDecoding.pairs(form) {
            writer.open("[")
            writer.string(pair.name)
            writer.string(pair.value)
            writer.close("]")
        }
        writer.close("]")
        return writer.text
    }
}
