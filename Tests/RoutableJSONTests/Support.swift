// Values from texts and back.

import RoutableCore
import RoutableJSON
import TestSupport

func readValue(_ text: String) throws -> Value {
    let document = try withText(text) { try JSONDocument.read($0) }
    // A view is borrowed from its document.
    return withExtendedLifetime(document) { document.view.tree }
}

func written(_ value: Value) throws -> Bytes {
    var writer = JSONWriter()
    try writer.value(value)
    return writer.text
}
