// Makes json_t values from a tape, for programs that use jansson.

internal import CJansson
internal import RoutableCore

extension JSONView {
    /// A new reference; nil if memory cannot be allocated.  Wide numbers are converted to strings of their digits.
    var janssonTree: OpaquePointer? {
        // proof: the depth of the recursion is limited by the nesting that the reader has accepted.
        switch kind {
        case .null: return cjansson_null()
        case .boolean: return cjansson_boolean(boolean ? 1 : 0)
        case .integer: return cjansson_new_integer(integer)
        case .real: return cjansson_new_real(real)
        case .wideNumber, .text:
            if kind == .wideNumber || isPlain {
                let text = kind == .text ? plainText : source
                return cjansson_new_string(text.baseAddress, text.count)
            }
            return content.storage.withUnsafeBytes { cjansson_new_string($0.baseAddress, $0.count) }
        case .array:
            guard let array = cjansson_new_array() else { return nil }
            var elements = elements
            while let element = elements.read() {
                guard let tree = element.janssonTree, cjansson_append(array, tree) == 0 else {
                    cjansson_free(array)
                    return nil
                }
            }
            return array
        case .object:
            guard let object = cjansson_new_object() else { return nil }
            var members = members
            while let (name, value) = members.read() {
                guard let start = name.baseAddress, let tree = value.janssonTree,
                    cjansson_set(object, start, name.count, tree) == 0
                else {
                    cjansson_free(object)
                    return nil
                }
            }
            return object
        }
    }
}
