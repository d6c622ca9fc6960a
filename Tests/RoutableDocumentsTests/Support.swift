// Documents, calls and values from texts.

import RoutableCore
import RoutableDocuments
import TestSupport

func readDocument(_ text: String) throws -> RouterDescription {
    try withText(text) { try RouteDocument.read($0, limit: Limits.documentBytes) }
}

func readCall(_ text: String) throws -> Call { try withText(text) { try CallDocument.read($0) } }

func readValue(_ text: String) throws -> Value { try withText(text) { try CallDocument.value($0) } }
