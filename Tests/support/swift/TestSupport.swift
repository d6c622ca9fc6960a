// Shared helpers of the tests of several layers: strings as bytes, failures as values, files of the repository.

internal import Foundation
package import RoutableCore

extension Bytes {
    /// The UTF-8 bytes of a string, which need not be a literal.
    package init(text: String) { self.init(Array(text.utf8)) }
}

package func withText<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withBytes(Array(text.utf8), body)
}

package func withBytes<Result>(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBytes(body)
}

/// The failure that `body` throws; nil if it throws none.
package func failure(_ body: () throws -> Void) -> Failure? {
    do {
        try body()
        return nil
    } catch {
        return error as? Failure
    }
}

/// The contents of a file of the repository.
package func repositoryFile(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
}

/// The expected properties of a failure; those that are nil or empty are not compared, except `suggestion`.
package struct Expected: Sendable {
    package var status: Status
    package var pointer: String?
    package var offset: Int?
    package var line: Int?
    package var column: Int?
    package var suggestion = ""
    package var allowed: [String] = []
    package var says = ""

    package init(
        status: Status, pointer: String? = nil, offset: Int? = nil, line: Int? = nil, column: Int? = nil,
        suggestion: String = "", allowed: [String] = [], says: String = ""
    ) {
        self.status = status
        self.pointer = pointer
        self.offset = offset
        self.line = line
        self.column = column
        self.suggestion = suggestion
        self.allowed = allowed
        self.says = says
    }

    /// The differences as one line; nil if there are none.
    package func difference(from failure: Failure?) -> String? {
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
