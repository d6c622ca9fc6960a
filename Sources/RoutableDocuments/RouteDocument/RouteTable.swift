// Reads route documents with thousands of operations that have only a method and a path, directly from the JSON.
//
// jansson makes six objects for such an operation, which takes longer than the rest of the processing.  All other operations, and the
// rest of the document, are read like any other document; so is the whole document if an error is found, because only that reader
// reports it.

internal import CSystem
internal import RoutableCore
internal import RoutableJSON

/// Reads a document whose standalone operations are such a table.
struct RouteTable {
    /// A shorter text, or one with fewer operations, is not worth a second pass.
    private static let leastBytes = 16384
    private static let leastOperations = 100

    private let text: UnsafeRawBufferPointer
    private var names = TextPool()
    /// The operations in the order of the document; nil for an operation that is in the rest.
    private var operations: [OperationDescription?] = []
    /// The document without the operations that were read here.
    private var rest: [UInt8] = []

    private init(_ text: UnsafeRawBufferPointer) { self.text = text }

    /// The description; nil for a document that has no table, or that is not valid.
    ///
    /// - Parameter readRest: reads any document.
    static func read(
        _ text: UnsafeRawBufferPointer, readRest: (UnsafeRawBufferPointer) -> RouterDescription?
    ) -> RouterDescription? {
        if text.count < leastBytes { return nil }
        var table = RouteTable(text)
        let isTable = JSONTape.withRoot(of: text) { table.take($0) } ?? false
        return isTable ? table.joined(readRest) : nil
    }

    /// Returns false if there is no table.
    private mutating func take(_ root: TapeNode) -> Bool {
        guard root.isObject else { return false }
        var table: TapeNode?
        var members = root.children
        while let member = members.read() {
            let name = member.key.rawText
            if name.contains(UInt8(ascii: "\\")) { return false }
            if name.equals("operations") {
                if table != nil { return false }
                table = member.value
            }
        }
        guard let table, table.isObject, table.next &- table.index > UInt32(Self.leastOperations &* 5) else { return false }
        let count = Int(table.next &- table.index) / 5
        names.reserve(count)
        operations.reserveCapacity(count)
        let end = table.end
        rest.append(contentsOf: text[..<(table.offset &+ 1)])
        var hasRest = false
        var rows = table.children
        while let row = rows.read() {
            let raw = row.key.rawText
            let name = raw.contains(UInt8(ascii: "\\")) ? Text(row.key.string) : Text(copying: raw)
            guard names.add(name.bytes).isNew else { return false }
            if let operation = operation(name, row.value) {
                operations.append(operation)
                continue
            }
            if hasRest { rest.append(UInt8(ascii: ",")) }
            hasRest = true
            operations.append(nil)
            rest.append(contentsOf: text[row.key.offset..<row.value.end])
        }
        rest.append(contentsOf: text[(end &- 1)...])
        return true
    }

    /// An operation that has only a method and a path; nil for any other, and for one that is not valid.
    private func operation(_ name: Text, _ node: TapeNode) -> OperationDescription? {
        guard node.isObject else { return nil }
        var members = node.children
        guard let member = members.read(), members.read() == nil, member.value.kind == .text else { return nil }
        let key = member.key.rawText
        let path = member.value.rawText
        for (word, method) in RouteDocumentReader.methods where key.equals(word) {
            if path.contains(UInt8(ascii: "\\")) { return nil }
            let text = Text(copying: path)
            if name.isEmpty || name.buffer.contains(where: ASCII.isControl) { return nil }
            guard let template = try? Template(text.bytes) else { return nil }
            return OperationDescription(name: name, method: method, path: text, template: template)
        }
        return nil
    }

    /// The description of the rest, with the operations inserted in their places.
    private func joined(_ readRest: (UnsafeRawBufferPointer) -> RouterDescription?) -> RouterDescription? {
        guard var result = rest.withUnsafeBytes({ readRest($0) }) else { return nil }
        let others = result.operations
        var joined: [OperationDescription] = []
        joined.reserveCapacity(operations.count)
        var next = 0
        for operation in operations {
            if let operation {
                joined.append(operation)
            } else {
                guard next < others.count else { return nil }
                joined.append(others[next])
                next &+= 1
            }
        }
        let count = result.resources.reduce(joined.count) { $0 &+ 1 &+ $1.operations.count }
        if next != others.count || count > Limits.operations { return nil }
        result.operations = joined
        result.operationNames = names
        return result
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(_ byte: UInt8) -> Bool {
        guard let start = baseAddress else { return false }
        return csystem_index(start.assumingMemoryBound(to: UInt8.self), count, byte) < count
    }
}
