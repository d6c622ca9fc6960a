// Encodings: converts the options in C to those of the core, and parses received forms.

public import CRoutable
internal import RoutableCore
internal import RoutableDocuments

extension FormEncoding {
    /// nil for NULL.
    static func read(_ pointer: UnsafePointer<routable_encoding_options>?) throws(Failure) -> FormEncoding? {
        if pointer == nil { return nil }
        let given = try options(pointer, routable_encoding_options(), "an encoding")
        let words: [(Option, UnsafePointer<CChar>?)] = [
            (.to, given.to), (.as, given.as), (.arrays, given.arrays), (.booleans, given.booleans),
            (.nulls, given.nulls),
            (.emptyArrays, given.empty_arrays), (.order, given.order), (.keyPaths, given.key_paths),
            (.keyCase, given.key_case), (.spaces, given.spaces), (.escape, given.escape), (.newlines, given.newlines),
        ]
        var encoding = FormEncoding()
        for (option, word) in words {
            if let word = optionalName(word) { try encoding.choose(option, word) }
        }
        guard firstIndexes.contains(Int64(given.first_index)) else {
            throw Failure(.document, "the first index of an array must be at most \(Int(firstIndexes.upperBound))")
        }
        encoding.firstIndex = given.first_index
        return encoding
    }
}

@_cdecl("routable_builder_set_encoding") @implementation
public func routable_builder_set_encoding(
    _ builder: OpaquePointer?, _ encoding: UnsafePointer<routable_encoding_options>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let builder = try Handle.required(builder, DescriptionBuilder.self, "builder")
        let encoding = try FormEncoding.read(encoding) ?? FormEncoding()
        try Memory.check()
        builder.set(encoding)
    }
}
