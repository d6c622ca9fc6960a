// What the tests of this layer share.

import Foundation
import RoutableCore

@testable import RoutableJSON

extension Bytes {
    /// A text of the test, which may be computed.
    init(text: String) { self.init(Array(text.utf8)) }
}

func withText<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withBytes(Array(text.utf8), body)
}

func withBytes<Result>(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBytes(body)
}

func readDocument(_ text: String) throws -> RouterDescription {
    try withText(text) { try RouteDocument.read($0, limit: Limits.documentBytes) }
}

func readCall(_ text: String) throws -> Call { try withText(text) { try CallDocument.read($0) } }

func readValue(_ text: String) throws -> Value { try withText(text) { try CallDocument.value($0) } }

/// The failure that `body` ends with; nil when it does not fail.
func failure(_ body: () throws -> Void) -> Failure? {
    do {
        try body()
        return nil
    } catch {
        return error as? Failure
    }
}

/// A file of the repository.
func repositoryFile(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
}

/// What a test expects of a failure; nil and empty are not looked at.
struct Expected: Sendable {
    var status: Status
    var pointer: String?
    var offset: Int?
    var line: Int?
    var column: Int?
    var suggestion = ""
    var allowed: [String] = []
    var says = ""

    /// What differs, as one line; nil when nothing does.
    func difference(from failure: Failure?) -> String? {
        guard let fields = failure?.fields else { return "no failure" }
        var found: [String] = []
        if fields.status != status { found.append("status \(fields.status)") }
        if let pointer, fields.pointer?.string != pointer {
            found.append("pointer \(fields.pointer?.string ?? "none")")
        }
        if let offset, fields.offset != offset { found.append("offset \(fields.offset.map { "\($0)" } ?? "none")") }
        if let line, fields.line != line { found.append("line \(fields.line)") }
        if let column, fields.column != column { found.append("column \(fields.column)") }
        if fields.suggestion.string != suggestion { found.append("suggestion \(fields.suggestion.string)") }
        if !allowed.isEmpty && fields.allowed.map(\.string) != allowed { found.append("allowed \(fields.allowed)") }
        if !says.isEmpty && !fields.message.string.contains(says) { found.append("message") }
        return found.isEmpty ? nil : found.joined(separator: "; ") + " [\(fields.message.string)]"
    }
}
