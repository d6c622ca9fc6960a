// Documents, calls and values from strings.

import RoutableCore
import RoutableDocuments
import RoutableJSON
import TestSupport

func readDocument(_ text: String) throws -> RouterDescription {
    try withText(text) { try RouteDocument.read($0, limit: Limits.documentBytes) }
}

func readCall(_ text: String) throws -> Call { try withText(text) { try CallDocument.read($0) } }

func readValue(_ text: String) throws -> Value { try withText(text) { try CallDocument.value($0) } }

/// A jansson value as JSON.
func written(_ tree: OpaquePointer) throws -> Bytes {
    let document = try JSONDocument.read(jansson: tree)
    return withExtendedLifetime(document) { document.view.json }
}
