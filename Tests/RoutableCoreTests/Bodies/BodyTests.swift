// Media types, and streamed bodies that are split at every position.

import RoutableCore
import TestSupport
import Testing

@Suite("Bodies")
struct BodyTests {
    @Test("a media type is read as WHATWG MIME Sniffing has it")
    func mediaTypes() {
        let type = MediaType(" Text/HTML ; charset=\"a;b\" ;x=1; X=2")
        #expect(type?.essence == "text/html" && type?.parameter("charset") == "a;b" && type?.parameter("x") == "1")
        for text in ["", "text", "text/", "/html", "te xt/html"] { #expect(MediaType(Bytes(text: text)) == nil, "\(text)") }
    }

    private func items(_ kind: Splitter.Kind, _ text: String, step: Int, limit: Int = 1 << 20) throws -> [String] {
        var splitter = Splitter(kind, maximumItemBytes: limit)
        let bytes = Array(text.utf8)
        var position = 0
        var found: [String] = []
        while position < bytes.count {
            let end = min(bytes.count, position + step)
            try bytes[position..<end].withUnsafeBytes { try splitter.take($0) }
            position = end
            while let item = splitter.next() {
                found.append(
                    kind == .events
                        ? "\(item.event.bytes.string)#\(item.id.bytes.string):\(item.data.bytes.string)"
                        : item.data.bytes.string)
            }
        }
        splitter.end()
        while let item = splitter.next() { found.append(item.data.bytes.string) }
        return found
    }

    @Test("lines and events are the same wherever they are cut", arguments: [1, 2, 3, 7, 1000])
    func splitting(step: Int) throws {
        #expect(try items(.lines, "a\r\nbc\n\nd", step: step) == ["a", "bc", "d"])
        let events = "\u{FEFF}id: 7\ndata: one\ndata: two\n\n: remark\nevent: end\r\ndata:x\r\n\r\ndata: not finished"
        #expect(try items(.events, events, step: step) == ["message#7:one\ntwo", "end#7:x"])
    }

    @Test("one line has a limit")
    func limit() {
        let found = failure { _ = try items(.lines, String(repeating: "x", count: 100), step: 10, limit: 50) }
        #expect(found?.status == .limit)
    }
}
