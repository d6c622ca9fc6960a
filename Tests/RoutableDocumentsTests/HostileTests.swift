// Hostile documents and trees: a failure each time, and the process continues.

import CJansson
import RoutableCore
import RoutableDocuments
import RoutableJSON
import TestSupport
import Testing

@Suite("Hostile documents")
struct HostileTests {
    @Test("every truncation of a document is refused as JSON")
    func truncated() throws {
        let bytes = Array(try repositoryFile("examples/social.json").utf8)
        let end = bytes.count - 2
        for count in 0...end {
            let found = failure {
                _ = try withBytes(Array(bytes[..<count])) { try RouteDocument.read($0, limit: Limits.documentBytes) }
            }
            #expect(found?.status == .json && found?.fields.offset != nil, "\(count) bytes")
        }
    }

    @Test("no change of one byte ends the process")
    func changed() throws {
        let bytes = Array(
            #"{"routable":1,"types":{"T":{"enum":[1e400,-0.0]}},"resources":{"a":{"path":"x","can":["read"]}}}"#.utf8)
        for index in bytes.indices {
            for byte in [0, 0x22, 0x2C, 0x5B, 0x5C, 0x7B, 0x7D, 0x39, 0x80, 0xFF] as [UInt8] {
                var copy = bytes
                copy[index] = byte
                let found = failure { _ = try withBytes(copy) { try RouteDocument.read($0, limit: 1000) } }
                if let found, found.status == .json { #expect(found.fields.offset != nil && found.fields.line > 0) }
            }
        }
    }

    @Test("a document of large numbers, of long keys, of many members is read or refused")
    func huge() throws {
        let digits = String(repeating: "9", count: 100_000)
        let written = RouteDocument.write(
            try readDocument("{\"routable\":1,\"x-n\":[\(digits),-\(digits),1e\(digits)]}"))
        #expect(written.string == "{\"routable\":1,\"x-n\":[\(digits),-\(digits),1e\(digits)]}")
        let key = String(repeating: "k", count: 100_000)
        #expect(
            failure { _ = try readDocument("{\"routable\":1,\"\(key)\":1}") }.map { $0.message.count < 500 } == true)
        let resources = (0..<5000).map { "\"r\($0)\":{\"path\":\"p\($0)\",\"can\":[\"read\"]}" }.joined(separator: ",")
        #expect(try readDocument("{\"routable\":1,\"resources\":{\(resources)}}").resources.count == 5000)
    }

    @Test("a host's tree is read like text; a cycle and a tree that unfolds without end are refused")
    func trees() throws {
        let text = #"{"operation":"read","ids":["a\u0000b"],"rout":1}"#
        let tree = try withText(text) { try MessageDocument.jansson(of: $0) }
        defer { cjansson_free(tree) }
        let found = failure { _ = try CallDocument.read(jansson: tree) }
        #expect(Expected(status: .document, pointer: "/rout", suggestion: "route").difference(from: found) == nil)
        #expect(found?.fields.offset == nil)

        guard let outer = json_array(), let inner = json_array() else { return }
        json_array_append(outer, inner)
        json_array_append(inner, outer)
        #expect(failure { _ = try CallDocument.read(jansson: OpaquePointer(outer)) }?.status == .limit)
        json_array_clear(inner)
        json_decref(outer)
        json_decref(inner)

        var levels: [UnsafeMutablePointer<json_t>] = []
        for _ in 0..<60 {
            guard let level = json_array() else { return }
            if let below = levels.last { for _ in 0..<4 { json_array_append(level, below) } }
            levels.append(level)
        }
        if let top = levels.last {
            #expect(failure { _ = try RouteDocument.read(jansson: OpaquePointer(top)) }?.status == .limit)
        }
        for level in levels { json_decref(level) }
    }

    @Test("a body that is not JSON is no tree; wide numbers are strings of their digits in one")
    func bodies() throws {
        #expect(
            Expected(status: .response, offset: 1, line: 1, column: 2)
                .difference(from: failure { _ = try withText("[") { try MessageDocument.jansson(of: $0) } }) == nil)
        let tree = try withText("[12345678901234567890,1]") { try MessageDocument.jansson(of: $0) }
        defer { cjansson_free(tree) }
        #expect(try written(tree) == #"["12345678901234567890",1]"#)
        let empty = try withText("") { try MessageDocument.jansson(of: $0) }
        #expect(try written(empty) == "null")
    }
}
