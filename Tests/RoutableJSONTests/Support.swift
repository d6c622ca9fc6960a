// Conversion of values from and to strings.

import RoutableCore
import RoutableJSON
import TestSupport

func readValue(_ text: String) throws -> Value {
    try withText(text) { text in
        let document = try JSONDocument.read(text)
        // A view is borrowed from its document, and a document from its string.
        return withExtendedLifetime(document) { document.view.tree }
    }
}

func written(_ value: Value) throws -> Bytes {
    var writer = JSONWriter()
    try writer.value(value)
    return writer.text
}
