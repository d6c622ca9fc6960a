// A header block behaves like a list of fields, also after copies are modified.

import RoutableCore
import Testing

@Suite("A block of headers is a list of fields")
struct HeaderBlockTests {
    private func text(_ block: HeaderBlock) -> [String] { block.fields.map { "\($0.name)=\($0.value)" as String } }

    private func received(_ lines: [(String, String)]) -> HeaderBlock {
        var block = HeaderBlock()
        for (name, value) in lines {
            let line = Array("\(name): \(value)\r\n".utf8)
            #expect(line.withUnsafeBytes { block.appendLine($0) } == .field)
        }
        return block
    }

    @Test("copies do not see each other's changes")
    func copies() {
        let first = HeaderBlock([HeaderField("A", "1"), HeaderField("B", "")])
        var second = first
        second.append(HeaderField("C", "3"))
        var third = second
        third.set(HeaderField("a", "2"))
        third.remove("b")
        var fourth = third
        fourth.removeAll()
        fourth.append(HeaderField("D", "4"))
        #expect(text(first) == ["A=1", "B="] && text(second) == ["A=1", "B=", "C=3"])
        #expect(text(third) == ["a=2", "C=3"] && text(fourth) == ["D=4"])
        #expect(first.isSame(as: HeaderBlock(first.fields)) && !first.isSame(as: second))
    }

    @Test("a NUL stands behind each text, and nothing out of range")
    func borrowed() {
        let block = HeaderBlock([HeaderField("Name", "value"), HeaderField("Empty", "")])
        #expect(Array(block.packed) == Array("Name\0value\0Empty\0\0".utf8))
        for index in 0..<2 {
            let end = block.value(index)
            #expect(end.baseAddress.map { $0.load(fromByteOffset: end.count, as: UInt8.self) } == 0)
        }
        #expect(block.name(2).isEmpty && block.value(-1).isEmpty)
        #expect(block.value(of: "NAME") == "value" && block.value(of: "x") == nil && block.index(of: "empty") == 1)
    }

    @Test("what came from outside has no control bytes; folded lines join")
    func cleaned() {
        var block = received([("A", "b\rSet-Cookie: x\u{1}"), ("B", "tab\tstays\u{7F}"), ("C", "")])
        #expect(text(block) == ["A=b Set-Cookie: x ", "B=tab\tstays ", "C="])
        Array("more\u{0}".utf8).withUnsafeBytes { block.extendLast($0) }
        Array("and more".utf8).withUnsafeBytes { block.extendLast($0) }
        #expect(text(block).last == "C=more  and more")
    }

    @Test("many fields, as an array has them")
    func many() {
        var fields: [HeaderField] = []
        var block = HeaderBlock()
        for number in 0..<2000 {
            let field = HeaderField("X-\(number)", Bytes([UInt8](repeating: 0x61, count: number % 97)))
            fields.append(field)
            block.append(field)
        }
        #expect(block.count == 2000 && block.isSame(as: HeaderBlock(fields)))
        #expect(zip(block.fields, fields).allSatisfy { $0.name == $1.name && $0.value == $1.value })
    }

    /// A header line, parsed byte by byte as in RFC 9112 section 5: the name and the value, or nil.
    private func read(_ line: [UInt8]) -> (name: [UInt8], value: [UInt8])? {
        var rest = line[...]
        while rest.last == 0x0A || rest.last == 0x0D { rest.removeLast() }
        let name = rest.prefix {
            "!#$%&'*+-.^_`|~".utf8.contains($0) || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
        }
        guard !name.isEmpty, rest.dropFirst(name.count).first == UInt8(ascii: ":") else { return nil }
        rest = rest.dropFirst(name.count + 1)
        while rest.first == 0x20 || rest.first == 0x09 { rest.removeFirst() }
        while rest.last == 0x20 || rest.last == 0x09 { rest.removeLast() }
        return (Array(name), rest.map { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F ? 0x20 : $0 })
    }

    @Test("lines of all lengths and bytes are read as one reads them byte by byte")
    func lines() {
        let pieces: [[UInt8]] = [
            Array("Location".utf8), Array("content-LENGTH".utf8), Array("Content-Encoding".utf8), Array("x".utf8),
            Array("-.9_~".utf8),
            Array("/".utf8), Array(":".utf8), Array(": ".utf8), [0x09], [0x20], [0x00], [0x0B], [0x0D], [0x7F], [0x80], [0xFF],
            Array("@[`{".utf8), Array("values".utf8),
        ]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var line: [UInt8] = []
            for _ in 0..<Int.random(in: 0...7, using: &generator) { line += pieces.randomElement(using: &generator) ?? [] }
            if Bool.random(using: &generator) { line += [0x0D, 0x0A] }
            var block = HeaderBlock([HeaderField("before", "it")])
            // A buffer of exactly this size, so that a sanitizer detects a read out of bounds.
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: line.count, alignment: 1)
            memory.copyBytes(from: line)
            let kind = block.appendLine(UnsafeRawBufferPointer(memory))
            memory.deallocate()
            guard let wanted = read(line) else {
                #expect(kind == .other && block.count == 1 && Array(block.packed) == Array("before\0it\0".utf8), "\(line)")
                continue
            }
            let name = String(decoding: wanted.name, as: UTF8.self).lowercased()
            let known: [String: HeaderBlock.Line] = [
                "location": .location, "content-length": .contentLength, "content-encoding": .contentEncoding,
            ]
            #expect(kind == known[name] ?? .field, "\(line)")
            #expect(Array(block.name(1)) == wanted.name && Array(block.value(1)) == wanted.value, "\(line)")
            #expect(Array(block.packed) == Array("before\0it\0".utf8) + wanted.name + [0] + wanted.value + [0], "\(line)")
        }
    }
}
