// The keys of the route document, and reading back the written document.

import RoutableCore
import RoutableDocuments
import TestSupport
import Testing

private let everything = #"""
    { "routable": 1, "name": "all", "description": "everything", "base": "https://h.example/v1?k=1",
      "headers": { "X-A": "1", "X-B": "2" }, "x-data": { "n": 100.10, "big": 12345678901234567890 },
      "encoding": { "arrays": "index", "nulls": "empty" },
      "types": { "T": { "type": "object", "required": ["a"], "properties": { "a": { "$ref": "#/types/U" } } },
                 "U": { "type": ["string", "null"], "maxLength": 3, "x-unknown": true } },
      "resources": {
        "user": { "path": "/users", "id": "name", "only": ["read", "list"], "has": ["post", "user"], "x-icon": "u",
                  "description": "a person",
                  "operations": { "list": { "query": { "page": { "type": "integer", "minimum": 1, "default": 1 } } } },
                  "member": { "follow": { "post": "follow", "body_required": false, "results": { "204": null } } },
                  "collection": { "find": { "query": "find" } } },
        "post": { "path": "a/posts", "except": ["patch"], "nested": true, "shallow": true, "type": "T",
                  "id": { "name": "n", "type": "integer", "minimum": 1, "maximum": 10.5, "enum": [1, 2] } } },
      "operations": {
        "search": { "get": "/search/{where}/{rest*}", "ids": { "where": { "format": "uuid" } },
                    "query": { "q": { "required": true, "pattern": "[a-z]+" },
                               "t": { "type": "array", "items": { "enum": ["x", "y"] }, "default": ["x"] } },
                    "header": { "X-Trace": { "minLength": 1, "maxLength": 9 } }, "cookie": { "sid": {} },
                    "encoding": {}, "shadowed": true, "priority": -3, "description": "finds", "x-op": null },
        "lock": { "method": "LOCK", "path": "{a}...{b}", "body": { "type": "integer" }, "body_as": "bytes",
                  "results": { "default": { "$ref": "#/types/T" }, "2XX": { "$ref": "#/types/U" }, "201": { "type": "array" } } } } }
    """#

@Suite("A route document becomes a description, and a description becomes a document")
struct RouteDocumentTests {
    @Test("everything that the grammar has arrives")
    func arrives() throws {
        let all = try readDocument(everything)
        #expect(all.name == "all" && all.summary == "everything" && all.base == "https://h.example/v1?k=1")
        #expect(all.headers.map(\.name) == ["X-A", "X-B"])
        #expect(all.userData.value(of: "x-data") == #"{"n":100.1,"big":12345678901234567890}"#)
        #expect(all.encoding.arrays == .index && all.encoding.nulls == .empty && all.encoding.form == .form)
        #expect(all.types.map(\.name) == ["T", "U", "", ""])
        #expect(all.types[1].schema == #"{"type":["string","null"],"maxLength":3,"x-unknown":true}"#)

        let user = all.resources[0]
        #expect(user.path == "/users" && user.ids.map(\.name) == ["name"] && user.capabilities == [.list, .read])
        #expect(user.children == ["post", "user"] && user.pointer == "/resources/user")
        #expect(user.userData.value(of: "x-icon") == #""u""#)
        #expect(user.operations.map(\.name) == ["list", "find", "follow"])
        #expect(user.operations[0].capability == .list && user.operations[0].query[0].scalar.minimum == 1)
        #expect(user.operations[1].method == "QUERY" && user.operations[1].place == .collection)
        #expect(user.operations[2].place == .member && user.operations[2].isBodyRequired == false)
        #expect(user.operations[2].results[0].isEmpty && user.operations[2].results[0].lowest == 204)
        #expect(user.operations[2].pointer == "/resources/user/member/follow")

        let post = all.resources[1]
        #expect(post.isNested && post.isShallow && post.type == 0)
        #expect(post.capabilities == Capabilities.all.subtracting(.patch))
        #expect(post.ids[0].scalar.values == ["1", "2"] && post.ids[0].scalar.maximum == 10.5)

        let search = all.operations[0]
        #expect(search.path == "/search/{where}/{rest*}" && search.ids[0].scalar.format == .uuid)
        #expect(search.query.map(\.name) == ["q", "t"] && search.query[0].isRequired && search.query[1].isArray)
        #expect(search.headers[0].scalar.maximumLength == 9 && search.cookies[0].name == "sid")
        #expect(search.encoding == FormEncoding() && search.isShadowingAllowed && search.priority == -3)
        #expect(search.userData.value(of: "x-op") == "null")

        let lock = all.operations[1]
        #expect(lock.method == "LOCK" && lock.bodyForm == .bytes && lock.bodyType == 2)
        #expect(lock.results.map(\.lowest) == [201, 200, 100] && lock.results.map(\.highest) == [201, 299, 999])
        #expect(lock.results.map(\.type) == [3, 1, 0])
    }

    @Test("what is written reads back as the same, and is written the same")
    func roundTrip() throws {
        for document in [everything, try repositoryFile("examples/social.json"), #"{"routable":1}"#] {
            let written = RouteDocument.write(try readDocument(document)).string
            #expect(RouteDocument.write(try readDocument(written)).string == written)
        }
        let social = RouteDocument.write(try readDocument(try repositoryFile("examples/social.json"))).string
        #expect(
            social.hasPrefix(#"{"routable":1,"name":"social","base":"https://api.example.com/v1","types":{"Status":{"#))
        #expect(social.contains(#""user":{"path":"users","id":"username","can":["list","read","create","update"],"#))
        #expect(
            social.contains(#""query":{"q":{"type":"string","required":true},"page":{"type":"integer","default":1}}"#))
        #expect(try readDocument(RouteDocument.write(readDocument(everything)).string).types.count == 4)
    }

    @Test("the key query is a method with a string and parameters with an object")
    func query() throws {
        let document =
            #"{"routable":1,"operations":{"o":{"method":"QUERY","path":"/o","query":{"q":{"type":"string"}}}}}"#
        #expect(RouteDocument.write(try readDocument(document)).string == document)
        let short = try readDocument(#"{"routable":1,"operations":{"o":{"query":"/o"}}}"#).operations[0]
        #expect(short.method == "QUERY" && short.path == "/o" && short.query.isEmpty)
    }

    @Test("user data is kept where a host can read it, and allowed elsewhere")
    func userData() throws {
        let document = #"{"routable":1,"operations":{"o":{"get":"/o","query":{"q":{"x-a":1}},"encoding":{"x-b":{}}}}}"#
        #expect(try readDocument(document).operations[0].query.count == 1)
    }

    @Test("an operation with many results has the most exact first")
    func results() throws {
        let document =
            #"{"routable":1,"operations":{"o":{"get":"/o","results":{"default":true,"4XX":null,"404":false}}}}"#
        let operation = try readDocument(document).operations[0]
        #expect(operation.results.map(\.lowest) == [404, 400, 100] && operation.results[1].isEmpty)
        #expect(
            RouteDocument.write(try readDocument(document)).string
                == #"{"routable":1,"operations":{"o":{"get":"/o","results":{"404":false,"4XX":null,"default":true}}}}"#)
    }
}
