// Validation of bodies, and mapping of responses.

import RoutableCore
import RoutableSchema
import TestSupport
import Testing

struct Mapping: Sendable, CustomTestStringConvertible {
    var id: String
    var body: String
    var outcome: Outcome
    var testDescription: String { "\(id): \(body)" }
    init(_ id: String, _ body: String, _ outcome: Outcome) {
        self.id = id
        self.body = body
        self.outcome = outcome
    }
}

/// The rows of the table, in the same order.
private let mappings: [Mapping] = [
    Mapping("3.5", #"{"name":"a"}"#, .self),
    Mapping("3.5", #"{"x":{"name":"a"},"y":{"name":"b"}}"#, .dictionary),
    Mapping("3.5", #"[{"name":"a"}]"#, .array),
    Mapping("3.5", "[]", .array),
    Mapping("3.5", "{}", .dictionary),
    Mapping("3.5", #"{"x":{"name":"a"},"n":1}"#, .raw),
    Mapping("3.5", #"{"x":{"name":"a"},"y":{}}"#, .raw),
    Mapping("3.5", #"{"error":"no"}"#, .raw),
    Mapping("3.5", #"[{"name":"a"},{}]"#, .raw),
    Mapping("3.5", "[1,2]", .raw), Mapping("3.5", #""hi""#, .raw), Mapping("3.5", "1", .raw),
    Mapping("3.5", "null", .raw),
    Mapping("3.5", "not JSON", .raw), Mapping("3.5", "{\"name\":\"a\"", .raw), Mapping("3.5", "\u{0}", .raw),
    Mapping("M4", #"{"name":42}"#, .raw),
    Mapping("3.5", #" { "name" : "a" , "more" : 12345678901234567890 } "#, .self),
]

private func codec(_ schema: String) throws -> JSONCodec {
    try JSONCodec.compile([TypeDescription(name: "Model", schema: Bytes(text: schema))])
}

struct Fit: Sendable, CustomTestStringConvertible {
    var schema: String
    var body: String
    /// Pointers into the value and the schema; nil if the value is valid.
    var refused: (String, String)?
    var testDescription: String { "\(schema) \(body)" }
    init(_ schema: String, _ body: String, _ instance: String? = nil, _ keyword: String = "") {
        self.schema = schema
        self.body = body
        refused = instance.map { ($0, keyword) }
    }
}

private let person =
    #"{"type":"object","required":["name"],"properties":{"name":{"type":"string","maxLength":3},"#
    + ##""tags":{"type":"array","items":{"enum":["a","b"]}},"boss":{"$ref":"#/types/Model"}}}"##

private let fits: [Fit] = [
    Fit(person, #"{"name":"abc","tags":["a"],"boss":{"name":"x"}}"#),
    Fit(person, #"{"name":"日本語"}"#),
    Fit(person, #"{}"#, "", "/required"),
    Fit(person, #"[]"#, "", "/type"),
    Fit(person, #"{"name":"abcd"}"#, "/name", "/properties/name/maxLength"),
    Fit(person, #"{"name":1}"#, "/name", "/properties/name/type"),
    Fit(person, #"{"name":"a","tags":["a","c"]}"#, "/tags/1", "/properties/tags/items/enum"),
    Fit(
        person, #"{"name":"a","boss":{"name":"b","boss":{}}}"#, "/boss/boss",
        "/properties/boss/$ref/properties/boss/$ref/required"),
    Fit("true", "1"), Fit("false", "1", "", ""), Fit("{}", "null"),
    Fit(#"{"type":"integer"}"#, "1.0"), Fit(#"{"type":"integer"}"#, "1.5", "", "/type"),
    Fit(#"{"type":"integer"}"#, "12345678901234567890"),
    Fit(#"{"type":"string"}"#, "12345678901234567890", "", "/type"),
    Fit(#"{"type":["null","boolean"]}"#, "0", "", "/type"), Fit(#"{"type":["null","boolean"]}"#, "false"),
    Fit(#"{"minimum":2}"#, "1", "", "/minimum"), Fit(#"{"maximum":2}"#, "1e400", "", "/maximum"),
    Fit(#"{"exclusiveMinimum":2}"#, "2", "", "/exclusiveMinimum"),
    Fit(#"{"exclusiveMaximum":2}"#, "2.0", "", "/exclusiveMaximum"),
    Fit(#"{"minimum":2}"#, #""1""#), Fit(#"{"minLength":2}"#, #""é""#, "", "/minLength"),
    Fit(#"{"minItems":1}"#, "[]", "", "/minItems"), Fit(#"{"maxItems":1}"#, "[1,2]", "", "/maxItems"),
    Fit(#"{"enum":[1,{"a":[1,2]}]}"#, #"{"a":[1.0,2]}"#), Fit(#"{"const":{"a":1,"b":2}}"#, #"{"b":2,"a":1}"#),
    Fit(#"{"enum":[1]}"#, "true", "", "/enum"), Fit(#"{"const":"a"}"#, #""A""#, "", "/const"),
    Fit(
        #"{"properties":{"a/b":{}},"additionalProperties":false}"#, #"{"a/b":1,"c~d":2}"#, "/c~0d",
        "/additionalProperties"),
    Fit(#"{"additionalProperties":{"type":"string"}}"#, #"{"a":1}"#, "/a", "/additionalProperties/type"),
    Fit(#"{"properties":{"x":false}}"#, #"{"x":1}"#, "/x", "/properties/x"),
    Fit(#"{"pattern":"^a"}"#, #""b""#, "", "/pattern"), Fit(#"{"format":"email","x-y":1}"#, #""b""#),
    Fit(#"{"anyOf":[false]}"#, #""b""#, "", "/anyOf"),
]

@Suite("Bodies and types")
struct TypeTests {
    @Test("a list is never too long to check; a schema that multiplies its elements is a limit, not another outcome")
    func limits() throws {
        func zeros(_ count: Int) -> Bytes {
            var text = [UInt8](repeating: UInt8(ascii: "0"), count: 2 * count + 1)
            for index in stride(from: 2, to: text.count, by: 2) { text[index] = UInt8(ascii: ",") }
            text[0] = UInt8(ascii: "[")
            text[text.count - 1] = UInt8(ascii: "]")
            return Bytes(text)
        }
        #expect(try codec(#"{"type":"integer"}"#).map(zeros(17_000_000), type: 0, as: .list).outcome == .array)
        let all = [String](repeating: #"{"not":{"not":{"type":"integer"}}}"#, count: 60).joined(separator: ",")
        let model = try codec("{\"allOf\":[\(all)]}")
        do throws(Failure) {
            let outcome = try model.map(zeros(1_000_000), type: 0, as: .list).outcome
            Issue.record("a million zeros: expected limit, got \(outcome)")
        } catch { #expect(error.status == .limit, "\(error)") }
    }

    @Test("M1 M2 M3 an answer maps to exactly one outcome, all or nothing", arguments: mappings)
    func outcomes(mapping: Mapping) throws {
        let model = try codec(#"{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}"#)
        #expect(try model.map(Bytes(text: mapping.body), type: 0, as: .any).outcome == mapping.outcome)
    }

    @Test("3.5 an object is self where every field is optional")
    func lenient() throws {
        let optional = try codec(#"{"type":"object","properties":{"name":{"type":"string"}}}"#)
        #expect(try optional.map("{}", type: 0, as: .any).outcome == .self)
        #expect(try optional.map(Bytes([0xFF]), type: 0, as: .any).outcome == .raw)
        #expect(try codec(#"{"type":"array"}"#).map("[]", type: 0, as: .any).outcome == .self)
    }

    @Test(
        "a declared form is the only one: what has another is raw, and both list their deviations",
        arguments: [
            (#"{"name":"a"}"#, ExpectedBody.value, Outcome.`self`, ""), ("{}", .value, .`self`, "/required"),
            ("[]", .value, .raw, "/type"),
            (#"{"error":{"name":"disk full"}}"#, .value, .`self`, "/required"), (#"[{"name":"a"}]"#, .value, .raw, "/type"),
            (#"[{"name":"a"}]"#, .list, .array, ""), ("[]", .list, .array, ""), ("{}", .list, .raw, ""),
            (#"[{"name":"a"},{}]"#, .list, .array, "/required"),
        ] as [(String, ExpectedBody, Outcome, String)])
    func declared(body: String, expected: ExpectedBody, outcome: Outcome, schemaPointer: String) throws {
        let model = try codec(#"{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}}"#)
        let mapped = try model.map(Bytes(text: body), type: 0, as: expected)
        #expect(mapped.outcome == outcome)
        #expect((mapped.deviations.first?.schemaPointer.bytes.string ?? "") == schemaPointer)
        #expect(mapped.deviations.isEmpty == (outcome != .raw && schemaPointer.isEmpty))
    }

    @Test("a body fits or is refused with the pointers into it and into the schema", arguments: fits)
    func fit(fit: Fit) throws {
        let codec = try codec(fit.schema)
        let fields = failure { try codec.check(body: Bytes(text: fit.body), against: 0) }?.fields
        if let (instance, keyword) = fit.refused {
            #expect(fields?.status == .body)
            #expect(fields?.pointer?.string == instance)
            #expect(fields?.schemaPointer?.string == keyword)
        } else {
            #expect(fields == nil)
        }
    }

    @Test("a refusal says what would have been allowed")
    func allowed() throws {
        let strict = try codec(#"{"properties":{"name":{"enum":["a","b"]}},"additionalProperties":false}"#)
        let unknown = failure { try strict.check(body: #"{"nmae":1}"#, against: 0) }
        #expect(
            Expected(status: .body, pointer: "/nmae", suggestion: "name", allowed: ["name"]).difference(from: unknown)
                == nil)
        let value = failure { try strict.check(body: #"{"name":"c"}"#, against: 0) }
        #expect(Expected(status: .body, allowed: [#""a""#, #""b""#], says: "/name").difference(from: value) == nil)
        #expect(failure { try strict.check(body: "{", against: 0) }?.status == .json)
    }

    @Test("types that lead back to themselves without a value between are refused")
    func cycles() {
        let types = [("A", "B"), ("B", "C"), ("C", "B")].map {
            TypeDescription(name: Bytes(text: $0.0), schema: Bytes(text: "{\"$ref\":\"#/types/\($0.1)\"}"))
        }
        #expect(failure { _ = try JSONCodec.compile(types) }?.status == .document)
    }
}
