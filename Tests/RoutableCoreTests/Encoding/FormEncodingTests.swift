// statements U3 and U7 to U17: the bytes of forms with each option.

import RoutableCore
import Testing

private struct Vector: Sendable, CustomTestStringConvertible {
    let id: String
    let words: KeyValuePairs<String, String>
    let parameters: Literal
    let expected: String

    init(_ id: String, _ parameters: Literal, _ expected: String, _ words: KeyValuePairs<String, String> = [:]) {
        self.id = id
        self.words = words
        self.parameters = parameters
        self.expected = expected
    }

    var testDescription: String { "\(id) \(expected)" }
}

// Computed, so that no object outlives a test: the leak checker does not find objects that an indirect case refers to.
private var nested: Literal { ["foo": ["bar": ["baz": ["a", 1, true]]]] }

private var vectors: [Vector] {
    [
        Vector("U3", ["foo": "bar"], "foo=bar"),
        Vector("U3", ["foo": "bar", "baz": "qux"], "baz=qux&foo=bar"),
        Vector(
            "U3", ["é": 1, "b": 2, "aa": 3, "a[": 4, "a": 5, "Z": 6, "B": 7, "9": 8, "10": 9],
            "10=9&9=8&B=7&Z=6&a=5&a%5B=4&aa=3&b=2&%C3%A9=1"),
        Vector("U7", ["foo": ["a", 1, true]], "foo%5B%5D=a&foo%5B%5D=1&foo%5B%5D=1"),
        Vector("U7", ["foo": ["a", 1, true]], "foo=a&foo=1&foo=1", ["arrays": "none"]),
        Vector("U7", ["foo": ["a", 1, true]], "foo%5B0%5D=a&foo%5B1%5D=1&foo%5B2%5D=1", ["arrays": "index"]),
        Vector("U7", ["foo": ["a", 1, true]], "foo.1=a&foo.2=1&foo.3=1", ["arrays": "{key}.{index}", "first_index": "1"]),
        Vector("U7", ["foo": ["a", 1, true]], "0-foo=a&1-foo=1&2-foo=1", ["arrays": "{index}-{key}"]),
        Vector("U7", ["foo": ["b", "a", "a"]], "foo=b,a,a", ["arrays": "comma"]),
        Vector("U8", ["foo": ["bar": 1]], "foo%5Bbar%5D=1"),
        Vector("U8", ["foo": ["bar": ["baz": 1]]], "foo%5Bbar%5D%5Bbaz%5D=1"),
        Vector("U8", nested, "foo%5Bbar%5D%5Bbaz%5D%5B%5D=a&foo%5Bbar%5D%5Bbaz%5D%5B%5D=1&foo%5Bbar%5D%5Bbaz%5D%5B%5D=1"),
        Vector("U8", nested, "foo%5Bbar%5D%5Bbaz%5D=a&foo%5Bbar%5D%5Bbaz%5D=1&foo%5Bbar%5D%5Bbaz%5D=1", ["arrays": "none"]),
        Vector("U8", nested, "foo.bar.baz=a&foo.bar.baz=1&foo.bar.baz=1", ["arrays": "none", "key_paths": "dots"]),
        Vector(
            "U9", ["foo": ["a", 1, true, ["bar": 2], ["qux": 3], ["quy": ["quz": 3]]]],
            "foo%5B0%5D=a&foo%5B1%5D=1&foo%5B2%5D=1&foo%5B3%5D%5Bbar%5D=2&foo%5B4%5D%5Bqux%5D=3&foo%5B5%5D%5Bquy%5D%5Bquz%5D=3",
            ["arrays": "index"]),
        Vector("U10", ["a": true, "b": false], "a=1&b=0"),
        Vector(
            "U10", ["a": true, "b": false, "c": 1, "d": 0, "e": 1.0, "f": 0.0], "a=true&b=false&c=1&d=0&e=1.0&f=0.0",
            ["booleans": "literal"]),
        Vector("U11", ["a": 1, "b": 1.0, "c": 100.10, "d": 1e20, "e": -0.0], "a=1&b=1.0&c=100.1&d=1e%2B20&e=-0.0"),
        Vector("U12", ["bare": "AZaz09-._~/?"], "bare=AZaz09-._~/?"),
        Vector("U12", ["reserved": ":#[]@!$&'()*+,;="], "reserved=%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D"),
        Vector("U12", ["illegal": " \"#%<>[]\\^`{}|"], "illegal=%20%22%23%25%3C%3E%5B%5D%5C%5E%60%7B%7D%7C"),
        Vector("U13", ["foo&bar": "baz&qux", "foobar": "bazqux"], "foo%26bar=baz%26qux&foobar=bazqux"),
        Vector("U13", ["?foo?": "?bar?"], "?foo?=?bar?"),
        Vector("U13", [" foo ": " bar "], "%20foo%20=%20bar%20"),
        Vector("U13", ["+foo+": "+bar+"], "%2Bfoo%2B=%2Bbar%2B"),
        Vector("U13", ["percent%25": "%25"], "percent%2525=%2525"),
        Vector(
            "U14", ["french": "français", "japanese": "日本語", "emoji": "😃"],
            "emoji=%F0%9F%98%83&french=fran%C3%A7ais&japanese=%E6%97%A5%E6%9C%AC%E8%AA%9E"),
        Vector("U15", ["o": ["z": 1, "a": ["y": 2, "b": 3]]], "o%5Ba%5D%5Bb%5D=3&o%5Ba%5D%5By%5D=2&o%5Bz%5D=1"),
        Vector("U16", ["foo": nil, "a": 1], "a=1"),
        Vector("U16", ["foo": nil], "foo=", ["nulls": "empty"]),
        Vector("U16", ["foo": nil], "foo=null", ["nulls": "null"]),
        Vector("U16", ["foo": [nil, 1, nil]], "foo=,1,", ["nulls": "empty", "arrays": "comma"]),
        Vector("U16", ["foo": [nil, 1, nil]], "foo=1", ["arrays": "comma"]),
        Vector("U17", ["foo": []], ""),
        Vector("U17", ["a": [], "b": 1, "c": [[], [:]], "d": 2], "b=1&d=2"),
        Vector("U17", ["foo": [], "bar": 1], "bar=1&foo%5B%5D=", ["empty_arrays": "empty"]),
        Vector("order", ["b": 1, "a": ["d": 1, "c": 2]], "b=1&a%5Bd%5D=1&a%5Bc%5D=2", ["order": "given"]),
        Vector("key_case", ["oneTwoThree": 1], "one_two_three=1", ["key_case": "snake"]),
        Vector("key_case", ["oneTwoThree": 1], "one-two-three=1", ["key_case": "kebab"]),
        Vector("key_case", ["oneTwoThree": 1], "OneTwoThree=1", ["key_case": "capitalized"]),
        Vector("key_case", ["oneTwoThree": 1], "ONETWOTHREE=1", ["key_case": "upper"]),
        Vector("key_case", ["oneTwoThree": 1], "onetwothree=1", ["key_case": "lower"]),
        Vector(
            "key_case", ["URLValue": 1, "a": ["HTTPRequestID": 2], "Z": 3], "u_rl_value=1&a%5B_http_request_id%5D=2&z=3",
            ["key_case": "snake", "order": "given"]),
        Vector(
            "key_case", ["aB": 1, "ABc": 2, "aBCd": 3, "ABC": 4, "": 5], "=5&a_bc=4&a_bc=2&a_b=1&a_b_cd=3",
            ["key_case": "snake"]),
        Vector("key_case", ["élanÉ": 1, "": 2], "=2&%C3%89lan%C3%89=1", ["key_case": "capitalized"]),
        Vector("spaces", ["a b": "c+d e"], "a+b=c%2Bd+e", ["spaces": "plus"]),
        Vector("escape", ["a": "*-._~/? "], "a=%2A-._~%2F%3F%20", ["escape": "unreserved"]),
        Vector("escape", ["a": "*-._~/? "], "a=*-._%7E%2F%3F+", ["escape": "whatwg"]),
        Vector("newlines", ["a": "x\ny\r\nz\r"], "a=x%0D%0Ay%0D%0Az%0D%0A", ["newlines": "crlf"]),
    ]
}

@Suite("The bytes of a form (docs/statements.md, U)")
struct FormEncodingTests {
    @Test("each statement", arguments: vectors)
    fileprivate func vector(_ vector: Vector) throws {
        let got = try encoding(vector.words).encode(vector.parameters.members)
        #expect(got.string == vector.expected, "\(vector.id)")
    }

    @Test("U14: twenty thousand characters")
    func long() throws {
        let text = String(repeating: "一二三四五六七八九十", count: 2000)
        let got = try FormEncoding().encode([Value.Member(name: "chinese", value: .text(Bytes(text)))])
        #expect(got.count == "chinese=".utf8.count + 20_000 * 9 && got.hasSuffix("%E5%8D%81"))
    }

    @Test("every word is taken and given back; another is refused with the nearest")
    func words() throws {
        for option in FormEncoding.Option.allCases {
            for (index, word) in option.words.enumerated() {
                var encoding = FormEncoding()
                try encoding.choose(option, word)
                #expect(encoding.choice(option) == index && encoding.word(option) == word)
                #expect((encoding == FormEncoding()) == (index == 0))
            }
            var encoding = FormEncoding()
            let failure = #expect(throws: Failure.self) { try encoding.choose(option, "\(option.words[0])x") }
            #expect(failure?.fields.suggestion == option.words[0] && failure?.status == .document)
        }
    }

    @Test(
        "formats of array keys",
        arguments: [
            ("{key}", true), ("{key}[{index}]", true), ("{index}:{key}", true), ("{key}{index}{index}", false),
            ("{index}", false), ("{key}{key}", false), ("{key}{", false), ("{key}}", false), ("{Key}", false),
        ])
    func formats(_ format: String, _ isFormat: Bool) {
        var encoding = FormEncoding()
        let done: Void? = try? encoding.choose(.arrays, Bytes(format))
        #expect((done != nil) == isFormat)
        #expect(encoding.arrayFormat == (isFormat ? Bytes(format) : ""))
    }

    @Test("a word after a format forgets the format")
    func afterFormat() throws {
        var encoding = FormEncoding()
        encoding.arrays = .format
        #expect(encoding == FormEncoding(), "there is no format")
        try encoding.choose(.arrays, "{key}.{index}")
        #expect(encoding.arrays == .format)
        try encoding.choose(.arrays, "brackets")
        #expect(encoding == FormEncoding())
    }

    @Test("what a form cannot hold is refused, with its key")
    func refused() {
        let cases: [(Literal, KeyValuePairs<String, String>)] = [
            (["k": [[1]]], ["arrays": "comma"]), (["k": [["a": 1]]], ["arrays": "comma"]),
            (["k": Literal(value: .real(.infinity))], [:]),
            (["k": Literal(value: .real(.nan))], [:]), (["k": Literal(value: .text(Bytes([0xFF])))], [:]),
        ]
        for (parameters, words) in cases {
            let failure = #expect(throws: Failure.self) { try encoding(words).encode(parameters.members) }
            #expect(failure?.status == .value && failure?.fields.parameter == "k")
        }
        let name = Value.Member(name: Bytes([0x80]), value: .integer(1))
        for word: Bytes in FormEncoding.Option.keyCase.words {
            #expect(throws: Failure.self) { try encoding(["key_case": word.string]).encode([name]) }
        }
    }

    @Test("limits: the depth and the key")
    func limits() {
        var deep = Value.integer(1)
        for _ in 0...Limits.jsonDepth { deep = .array([deep]) }
        let long = Bytes(Array(repeating: 0x61, count: Limits.formKeyBytes - 2))
        for (name, value) in [
            ("d", deep), (long + "xyz", .integer(1)), (long, .object([Value.Member(name: "ab", value: .null)])),
        ] as [(Bytes, Value)] {
            let failure = #expect(throws: Failure.self) {
                try FormEncoding().encode([Value.Member(name: name, value: value)])
            }
            #expect(failure?.status == .limit)
        }
    }
}

private func + (left: Bytes, right: Bytes) -> Bytes { Bytes(left.storage + right.storage) }
