// The grammar of JSON, round trips of numbers, and invalid JSON.

import RoutableCore
import RoutableJSON
import TestSupport
import Testing

struct SyntaxError: Sendable, CustomTestStringConvertible {
    var text: String
    var offset: Int
    var says: String
    var testDescription: String { text }
    init(_ text: String, _ offset: Int, _ says: String) {
        self.text = text
        self.offset = offset
        self.says = says
    }
}

@Suite("JSON text")
struct JSONTextTests {
    @Test(
        "is refused with a sentence and its place",
        arguments: [
            SyntaxError("", 0, "empty"), SyntaxError(" \n", 2, "empty"),
            SyntaxError("{", 1, "ends inside an object"), SyntaxError("[1", 2, "ends inside an array; \",\" or \"]\""),
            SyntaxError("{\"a\"", 4, "\":\" after the key"), SyntaxError("{\"a\":", 5, "a value"),
            SyntaxError("{\"a\":1,}", 7, "a key after the \",\""), SyntaxError("[1,]", 3, "a value"),
            SyntaxError("{a:1}", 1, "double quotes"), SyntaxError("[1 2]", 3, "\",\" or \"]\""),
            SyntaxError("[1}", 2, "\",\" or \"]\""), SyntaxError("1 2", 2, "characters after the end"),
            SyntaxError("tru", 0, "a value"), SyntaxError("truex", 0, "a value"), SyntaxError("'a'", 0, "a value"),
            SyntaxError("01", 0, "leading zero"), SyntaxError("-", 1, "a digit"),
            SyntaxError("1.", 2, "after the decimal point"),
            SyntaxError("1e", 2, "of the exponent"), SyntaxError("+1", 0, "a value"), SyntaxError(".5", 0, "a value"),
            SyntaxError("NaN", 0, "a value"), SyntaxError("\"a", 2, "inside a string"),
            SyntaxError("\"a\\", 3, "inside a string"),
            SyntaxError("\"\\x\"", 1, "the escape"), SyntaxError("\"\\u12g4\"", 5, "four hexadecimal"),
            SyntaxError("\"\\ud800\"", 1, "surrogate"), SyntaxError("\"\\udc00\"", 1, "surrogate"),
            SyntaxError("\"\\ud800\\u0041\"", 1, "surrogate"), SyntaxError("\"a\nb\"", 2, "control character"),
            SyntaxError("\"a\u{0}b\"", 2, "NUL byte"), SyntaxError("[\u{0}]", 1, "NUL byte"),
            SyntaxError("{\"a\\u0000\":1}", 1, "U+0000"), SyntaxError("\u{FEFF}1", 0, "byte order mark"),
        ])
    func refused(error: SyntaxError) {
        let found = failure { _ = try readValue(error.text) }
        #expect(Expected(status: .json, offset: error.offset, says: error.says).difference(from: found) == nil)
    }

    @Test("that is not UTF-8 is refused at its first wrong byte")
    func utf8() {
        let found = failure { _ = try withBytes([0x22, 0x61, 0xC3, 0x28, 0x22]) { try JSONDocument.read($0) } }
        #expect(
            Expected(status: .json, offset: 2, line: 1, column: 3, says: "not UTF-8").difference(from: found) == nil)
    }

    @Test("nests as deep as the limit, and no deeper")
    func depth() throws {
        let limit = Limits.jsonDepth
        let deep = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
        _ = try readValue(deep)
        let found = failure { _ = try readValue("[" + deep + "]") }
        #expect(Expected(status: .limit, offset: limit, says: "deeper").difference(from: found) == nil)
        #expect(failure { _ = try readValue(String(repeating: "{\"a\":", count: 1_000_000)) }?.status == .limit)
    }

    @Test(
        "J4 numbers come out with the same value and no added digits",
        arguments: [
            ("0.1", "0.1"), ("100.10", "100.1"), ("1.0", "1.0"), ("-0.0", "-0.0"), ("-0", "0"), ("1e2", "100.0"),
            ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
            ("9223372036854775808", "9223372036854775808"), ("-9223372036854775809", "-9223372036854775809"),
            ("12345678901234567890", "12345678901234567890"), ("1e400", "1e400"), ("-1E+400", "-1E+400"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"), ("1e-400", "0.0"), ("5e-324", "5e-324"),
            ("1e20", "1e+20"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("[12345678901234567890,1e999]", "[12345678901234567890,1e999]"),
        ])
    func numbers(text: String, expected: String) throws {
        #expect(try written(readValue(text)).string == expected)
    }

    @Test("a string that looks like a kept number stays a string")
    func forgery() throws {
        let text = #"["\u00001","\u0000\u000012",12345678901234567890,"\u0000","12345678901234567890"]"#
        #expect(try written(readValue(text)).string == text)
    }

    @Test("escapes are the least that JSON asks for")
    func escapes() throws {
        let text = "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F} \"\\/\u{7F}é日😃\u{2028}"
        let expected = #""\u0000\u0001\b\t\n\u000B\f\r\u001F \"\\/"# + "\u{7F}é日😃\u{2028}\""
        #expect(try written(.text(Bytes(text: text))).string == expected)
        guard case .text(let back) = try readValue(expected) else {
            Issue.record("not a text")
            return
        }
        #expect(back.string == text)
    }

    @Test("J2 what JSON cannot hold is an error with its pointer, not a trap")
    func refusedValues() throws {
        let bad: [Value] = [
            .real(.infinity), .real(.nan), .text(Bytes([0xFF])), .number("1,5"), .number(""),
            .object([.init(name: Bytes([0xC0]), value: .null)]),
        ]
        for value in bad {
            let found = failure {
                _ = try written(.object([.init(name: "a/b", value: .array([.null, value]))]))
            }
            #expect(Expected(status: .value, pointer: "/a~1b/1").difference(from: found) == nil)
        }
        var deep = Value.null
        for _ in 0...Limits.jsonDepth { deep = .array([deep]) }
        #expect(failure { _ = try written(deep) }?.status == .limit)
        #expect(try written(.array([])).string == "[]")
        #expect(
            try written(.object([.init(name: "b", value: .null), .init(name: "a", value: .boolean(true))]))
                .string
                == #"{"b":null,"a":true}"#)
    }
}
