// Forms from outside are parsed by the rules of WHATWG.

import RoutableCore
import Testing

@Suite("Reading a form")
struct FormDecodingTests {
    @Test(
        "names and values",
        arguments: [
            ("", []), ("&", []), ("a", [["a", ""]]), ("a=", [["a", ""]]), ("=b", [["", "b"]]), ("a==b", [["a", "=b"]]),
            ("a=1&&b=2&", [["a", "1"], ["b", "2"]]), ("a=a&a=b", [["a", "a"], ["a", "b"]]),
            ("a+b=c+d", [["a b", "c d"]]),
            ("a=%2B", [["a", "+"]]), ("%=a", [["%", "a"]]), ("%a_=a", [["%a_", "a"]]), ("b=%%2a", [["b", "%*"]]),
            ("m%c3%b8=%00", [["mø", "\0"]]), ("%FE%FF", [["\u{FFFD}\u{FFFD}", ""]]), ("%C2x", [["\u{FFFD}x", ""]]),
            ("%EF%BB%BFtest=\u{FEFF}", [["\u{FEFF}test", "\u{FEFF}"]]),
        ] as [(String, [[String]])])
    func pairs(_ form: String, _ expected: [[String]]) {
        let got = Array(form.utf8).withUnsafeBytes { FormDecoding.pairs($0).map { [$0.name.string, $0.value.string] } }
        #expect(got == expected)
    }

    @Test("what is written is read back", arguments: FormEncoding.Option.escape.words)
    func back(_ escape: Bytes) throws {
        var encoding = FormEncoding()
        try encoding.choose(.escape, escape)
        encoding.spaces = .plus
        let every = Bytes((UInt8(0)..<0x80).map { $0 } + Array("é😃".utf8))
        let written = try encoding.encode([Value.Member(name: every, value: .text(every))])
        let read = written.storage.withUnsafeBytes { FormDecoding.pairs($0) }
        #expect(read.count == 1 && read.first?.name == every && read.first?.value == every)
    }
}
