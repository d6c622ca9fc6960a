// Headers in one block of memory behave as a list of fields does, also when copies of them change.

import RoutableCore
import Testing

@Suite("A block of headers is a list of fields")
struct HeaderBlockTests {
    private func text(_ block: HeaderBlock) -> [String] { block.fields.map { "\($0.name)=\($0.value)" as String } }

    private func received(_ lines: [(String, String)]) -> HeaderBlock {
        var block = HeaderBlock()
        for (name, value) in lines {
            Array(name.utf8).withUnsafeBytes { name in
                Array(value.utf8).withUnsafeBytes { block.appendReceived(name, $0, hasControl: true) }
            }
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

    @Test("a NUL stands behind each text, and nothing beyond the end")
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
        var block = received([("A", "b\rSet-Cookie: x\n"), ("B", "tab\tstays\u{7F}"), ("C", "")])
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
}
