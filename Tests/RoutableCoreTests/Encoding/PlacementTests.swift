// statements U1, U2, U4 to U6, U18 and J1 to J3: the location of parameters, and the errors.

import RoutableCore
import Testing

private let type: Bytes = "application/x-www-form-urlencoded"
private var one: Literal { ["foo": 1] }

/// A minimal JSON writer for these tests.
private final class Codec: BodyCodec {
    func text(of value: Value) throws(Failure) -> Bytes {
        switch value {
        case .object(let members):
            var pieces: [Bytes] = []
            for member in members { pieces.append("\"\(member.name)\":\(try text(of: member.value))") }
            return "{\(pieces.joined(by: ","))}"
        case .array(let elements):
            var pieces: [Bytes] = []
            for element in elements { pieces.append(try text(of: element)) }
            return "[\(pieces.joined(by: ","))]"
        case .text(let text): return "\"\(text)\""
        case .null: return "null"
        default:
            guard let text = value.scalarText else { throw Failure(.value, "not finite") }
            return text
        }
    }
    func value(of text: Bytes) throws(Failure) -> Value { .text(text) }
    func check(json: Bytes) throws(Failure) {}
    func check(body: Bytes, against type: Int) throws(Failure) {}
    func map(_ body: Bytes, type: Int, as expected: ExpectedBody, deadline: Int64, keeping text: Text?) throws(Failure)
        -> MappedBody
    { MappedBody(.raw) }
}

private func request(
    _ method: Bytes, _ parameters: Literal?, _ words: KeyValuePairs<String, String> = [:],
    base: Bytes = "https://h.test",
    change: (inout OperationDescription, inout Call) -> Void = { _, _ in }
) throws -> Request {
    var description = RouterDescription()
    description.base = base
    var operation = OperationDescription(name: "op", method: method, path: "/p", place: .root)
    operation.encoding = try encoding(words)
    var call = Call(operation: "op")
    call.parameters = parameters?.members
    change(&operation, &call)
    description.operations = [operation]
    return try Router.open(description, codec: Codec()).request(for: call)
}

private func contentType(_ request: Request) -> Bytes? { request.headers.value(of: "Content-Type") }

@Suite("Where parameters go (docs/statements.md, U)")
struct PlacementTests {
    @Test("U1: by the method", arguments: ["GET", "HEAD", "DELETE", "POST", "PUT", "PATCH", "OPTIONS", "QUERY"])
    func destination(_ method: String) throws {
        let built = try request(Bytes(method), one)
        let isQuery = ["GET", "HEAD", "DELETE"].contains(method)
        #expect(built.url.bytes == (isQuery ? "https://h.test/p?foo=1" : "https://h.test/p"))
        #expect(built.body?.bytes == (isQuery ? nil : "foo=1"))
        #expect(contentType(built) == (isQuery ? nil : type))
    }

    @Test("U1: always the query, always the body")
    func always() throws {
        for method: Bytes in ["GET", "POST"] {
            let built = try request(method, one, ["to": "query"])
            #expect(built.url.bytes == "https://h.test/p?foo=1" && built.body == nil && contentType(built) == nil)
        }
        let built = try request("DELETE", one, ["to": "body"])
        #expect(built.url.bytes == "https://h.test/p" && built.body?.bytes == "foo=1" && contentType(built) == type)
    }

    @Test("U2: nothing, and an empty object")
    func empty() throws {
        for method: Bytes in ["GET", "POST"] {
            let built = try request(method, nil)
            #expect(built.url.bytes == "https://h.test/p" && built.body == nil && contentType(built) == nil)
        }
        #expect(try request("GET", [:]).url.bytes == "https://h.test/p")
        let built = try request("POST", [:])
        #expect(built.body?.bytes == "" && contentType(built) == type)
    }

    @Test("U4, U17, U18: behind the query of the base, and no separator around nothing")
    func base() throws {
        #expect(
            try request("GET", ["foo": "bar"], base: "https://h.test?baz=qux").url.bytes
                == "https://h.test/p?baz=qux&foo=bar")
        #expect(try request("GET", ["foo": []], base: "https://h.test?a=1").url.bytes == "https://h.test/p?a=1")
        #expect(try request("GET", ["foo": []]).url.bytes == "https://h.test/p")
        #expect(
            try request("GET", ["page": 0], base: "https://h.test?hd=[1]").url.bytes
                == "https://h.test/p?hd=%5B1%5D&page=0")
    }

    @Test("U5: a Content-Type that is there stays")
    func preset() throws {
        let built = try request("POST", one) {
            $1.headers = [Value.Member(name: "content-type", value: .text("text/x-own"))]
        }
        #expect(built.headers.count == 1 && contentType(built) == "text/x-own" && built.body?.bytes == "foo=1")
    }

    @Test("U6: the same parameters in a query and in a body")
    func both() throws {
        let parameters: Literal = ["foo": 1, "bar": 2]
        #expect(try request("GET", parameters).url.bytes == "https://h.test/p?bar=2&foo=1")
        #expect(try request("POST", parameters).body?.bytes == "bar=2&foo=1")
        let built = try request("POST", parameters, ["to": "query"])
        #expect(built.url.bytes == "https://h.test/p?bar=2&foo=1" && built.body == nil && contentType(built) == nil)
    }

    @Test("J1: JSON has its type unless one is there; the query stays; nothing is nothing")
    func json() throws {
        let built = try request("POST", ["b": 1, "a": nil], ["as": "json"], base: "https://h.test?a=1")
        #expect(built.url.bytes == "https://h.test/p?a=1" && built.body?.bytes == #"{"b":1,"a":null}"#)
        #expect(contentType(built) == "application/json")
        let own = try request("POST", one, ["as": "json"]) {
            $1.headers = [Value.Member(name: "Content-Type", value: .text("application/custom-json-type+json"))]
        }
        #expect(contentType(own) == "application/custom-json-type+json")
        #expect(contentType(try request("POST", nil, ["as": "json"])) == nil)
    }

    @Test("J2: the root is an object or an array; what JSON cannot hold is an error")
    func root() throws {
        for (body, expected) in [([1, nil], "[1,null]"), (["a": 1], #"{"a":1}"#)] as [(Literal, Bytes)] {
            #expect(try request("POST", nil) { $1.body = .value(body.value) }.body?.bytes == expected)
        }
        #expect(throws: Failure.self) { try request("POST", nil) { $1.body = .value(.array([.real(.nan)])) } }
    }

    @Test("J3: a body on GET is refused unless the operation says that it is meant")
    func onGet() throws {
        let failure = #expect(throws: Failure.self) { try request("GET", one, ["to": "body"]) }
        #expect(failure?.status == .body && failure?.fields.pointer == "/parameters")
        #expect(
            try request("GET", one, ["to": "body"]) { operation, _ in operation.isBodyRequired = false }.body?.bytes
                == "foo=1")
    }

    @Test("J4: numbers keep their value and get no digits")
    func numbers() throws {
        let numbers: Literal = [0.1, 100.10, 1.0, -0.0, 9_223_372_036_854_775_807]
        let built = try request("POST", ["n": numbers], ["as": "json"])
        #expect(built.body?.bytes == #"{"n":[0.1,100.1,1.0,-0.0,9223372036854775807]}"#)
    }

    @Test("a form body from pairs keeps their order and their repeated names")
    func pairs() throws {
        let pairs: Literal = [["b", 1], ["a", [true, nil]], ["b", "x\0"]]
        let built = try request("POST", nil) {
            $0.bodyForm = .form
            $1.body = .value(pairs.value)
        }
        #expect(built.body?.bytes == "b=1&a%5B%5D=1&b=x%00" && contentType(built) == type)
        for wrong: Literal in [[["a"]], [["a", 1, 2]], [[1, 2]], ["a"], "a", 1, nil] {
            #expect(throws: Failure.self) {
                try request("POST", nil) {
                    $0.bodyForm = .form
                    $1.body = .value(wrong.value)
                }
            }
        }
    }

    @Test("one declared parameter: its own encoding, else the operation's for arrays")
    func declared() throws {
        let words: KeyValuePairs<String, String> = ["arrays": "none", "booleans": "literal", "key_case": "upper"]
        let built = try request("GET", nil, words) {
            var tags = ParameterDescription(name: "tags", location: .query)
            tags.isArray = true
            var own = tags
            own.name = "own"
            own.encoding = FormEncoding()
            own.encoding?.arrays = .comma
            var truth = ParameterDescription(name: "truth", location: .query)
            truth.encoding = FormEncoding()
            $0.query = [tags, own, truth]
            let values: Literal = ["tags": ["x", "y/z"], "own": ["x,1", "y z"], "truth": true]
            $1.query = values.members
        }
        #expect(built.url.bytes == "https://h.test/p?tags=x&tags=y%2Fz&own=x%2C1,y%20z&truth=1")
    }
}
