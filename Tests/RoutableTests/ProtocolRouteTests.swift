// docs/statements.md, R with the Swift product: a declaration by hand and the JSON tier build the same requests.

import Foundation
import Routable
import RoutableCore
import RoutableDocuments
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private let host = "https://private-85a46-routable.apiary-mock.com"

/// What a test compares: method, URL, headers but Accept (RouteTests, A10) and body, or the refusal.
func line(_ convertible: some RequestConvertible, base: String? = nil) -> String {
    do throws(Failure) {
        let request = try convertible.makeRequest(base: base)
        let headers = request.headerFields.filter { $0.name != "Accept" }.map { " \($0.name): \($0.value);" }.joined()
        let body = request.body.map { " \($0.bytes.string)" } ?? ""
        return "\(request.method.bytes) \(request.url.bytes)\(headers)\(body)"
    } catch {
        return "\(error.status): \(error.message)"
    }
}

let form = "Content-Type: application/x-www-form-urlencoded;"

@Suite("A declaration by hand builds the articles' requests")
struct ProtocolRouteTests {
    @Test("R1: get, create, update, delete; list and patch are additions")
    func R1_verbs() {
        #expect(line(Social.user.get("2")) == "GET \(host)/users/2")
        #expect(line(Social.user.create()) == "POST \(host)/users")
        #expect(line(Social.user("2").update()) == "PUT \(host)/users/2")
        #expect(line(Social.post("2").delete()) == "DELETE \(host)/posts/2")
        #expect(line(Social.user.list()) == "GET \(host)/users")
    }

    @Test("R2: a read has no parameters")
    func R2_read() throws {
        let request = try Social.user.get("2").makeRequest()
        #expect(request.method.bytes == "GET" && request.url.bytes.string == "\(host)/users/2")
        #expect(request.body == nil && request.headerFields.map { $0.name } == ["Accept"])
    }

    @Test("R3: create keeps its parameters")
    func R3_create() { #expect(line(Social.user.create(parameters: ["a": 1])) == "POST \(host)/users \(form) a=1") }

    @Test("R4: update has parameters, delete none")
    func R4_update_delete() {
        #expect(line(Social.user.update("2", parameters: ["a": 1])) == "PUT \(host)/users/2 \(form) a=1")
        #expect(line(Social.picture.delete("2")) == "DELETE \(host)/pictures/2")
    }

    @Test(
        "R5, R6: one slash between base and path; path and query of the base stay",
        arguments: [
            ("https://h", "https://h/users/2"), ("https://h/", "https://h/users/2"), ("https://h/v1", "https://h/v1/users/2"),
            ("https://h/v1/", "https://h/v1/users/2"), ("https://h/v1?token=x", "https://h/v1/users/2?token=x"),
        ])
    func R5_R6_base(base: String, url: String) { #expect(line(Social.user.get("2"), base: base) == "GET \(url)") }

    @Test("R13: intermediate steps are values, also when many threads branch from one")
    func R13_values() async {
        let status = Social.user("a").statuses("1")
        let first = line(status.comments.get("2"))
        _ = status.comments("9").users("x")
        #expect(line(status.comments.get("2")) == first)
        #expect(line(status.read()) == "GET \(host)/users/a/statuses/1")
        let lines = await withTaskGroup(of: (Int, String).self) { group in
            for number in 0..<64 {
                group.addTask { (number, line(status.comments("c\(number)").users.get("u"))) }
            }
            return await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
        }
        for number in 0..<64 { #expect(lines[number] == "GET \(host)/users/a/statuses/1/comments/c\(number)/users/u") }
    }

    @Test("R14, R23: the cyclic declaration ends, and its table shows resources, verbs and what nests")
    func R14_R23_map() throws {
        #expect(
            try Social.opened().mapText.string == """
                user     list read create update    has status picture post
                status   read create delete         has comment
                picture  read create update delete  has comment
                post     read create update delete  has comment
                comment  read create update delete  has user

                """)
    }

    @Test("R15: what is not declared does not compile; by name it is refused at run time as well")
    func R15_refused() {
        let endpoint = Social.status("3").endpoint("update")
        #expect(line(endpoint) == "notAllowed: status: update not allowed; allowed: create, delete, read")
    }

    @Test("R16: a child that is not declared is refused by name")
    func R16_child() {
        let endpoint = Social.user("a").child(Comment.self).get("b")
        #expect(line(endpoint) == "unknown: user: no nested resource \"comment\"; allowed: picture, post, status")
    }

    @Test("R17: a parent has its id by its type; an empty one is refused, never a trap")
    func R17_parent_id() {
        #expect(
            line(Social.user("").statuses.get("1"))
                == "value: user.status read: invalid value of user_id: it is empty, which would leave an empty segment in the path"
        )
    }

    @Test("R18: the request of Foundation has the route's own verb, and parameters where they belong")
    func R18_verb() throws {
        let create = try Social.user("initFabian").statuses.create(parameters: ["t": 1]).asURLRequest()
        #expect(create.httpMethod == "POST" && create.url?.absoluteString == "\(host)/users/initFabian/statuses")
        #expect(create.httpBody == Data("t=1".utf8))
        #expect(create.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        #expect(try Social.status.delete("1").asURLRequest().httpMethod == "DELETE")
    }

    @Test("R19: a child's actions come from the child")
    func R19_child_actions() { #expect(line(Social.user("a").posts.delete("9")) == "DELETE \(host)/users/a/posts/9") }

    @Test("R20: a collection can be read, and so can a member")
    func R20_collection() {
        #expect(line(Social.comment("1").users.list()) == "GET \(host)/comments/1/users")
        #expect(line(User.list(), base: nil).hasPrefix("argument: user list does not start at an API"))
        #expect(throws: Never.self) { try User.list().makeRequest(in: Social.self) }
    }

    @Test(
        "R21: a value is one segment",
        arguments: [
            ("a b", "a%20b"), ("é", "%C3%A9"), ("a?x=1", "a%3Fx%3D1"), ("a#f", "a%23f"), ("100%", "100%25"), ("%41", "%2541"),
            ("a/b", "a%2Fb"), ("a;b:c@d&e=f+g,h", "a%3Bb%3Ac%40d%26e%3Df%2Bg%2Ch"), ("\0", "%00"),
        ])
    func R21_escapes(value: String, segment: String) {
        #expect(line(Social.user.get(ResourceID(value))) == "GET \(host)/users/\(segment)")
        #expect(
            line(Social.user("a").posts(value).comments.get(value))
                == "GET \(host)/users/a/posts/\(segment)/comments/\(segment)")
    }

    @Test("R21: dot segments are refused", arguments: [".", ".."])
    func R21_dots(value: String) {
        let refusal = "invalid value of id: \"\(value)\" is a dot segment, which changes the path"
        #expect(line(Social.picture.get(value)) == "value: picture read: \(refusal)")
    }

    @Test("A walk of any length, and texts that do not fit the memory it begins with")
    func long() {
        let long = String(repeating: "x", count: 3000)
        #expect(
            line(Social.user(ResourceID(long)).pictures(long).comments.get("1"))
                == "GET \(host)/users/\(long)/pictures/\(long)/comments/1")
        var comments = Social.user("a").statuses("1").comments
        for _ in 0..<20 { comments = comments("1").users("a").statuses("1").comments }
        #expect(line(comments.get("1")).hasPrefix("limit: "))
    }
}

// MARK: - R7-R12: the same bytes as the JSON tier

private struct Example: Sendable {
    let id: String
    let json: String
    let expected: String
    let endpoint: @Sendable () -> any RequestConvertible
}

private let examples = [
    Example(
        id: "R7", json: #"{"route":"user.status","operation":"read","ids":["2","2"]}"#,
        expected: "GET \(host)/users/2/statuses/2"
    ) {
        Social.user("2").statuses.get("2")
    },
    Example(
        id: "R8", json: #"{"route":"post.comment","operation":"read","ids":["54","43"]}"#,
        expected: "GET \(host)/posts/54/comments/43"
    ) {
        Social.post("54").comments.get("43")
    },
    Example(
        id: "R8", json: #"{"route":"user.status","operation":"read","ids":["initFabian","2"]}"#,
        expected: "GET \(host)/users/initFabian/statuses/2"
    ) { Social.user("initFabian").statuses.get("2") },
    Example(
        id: "R9", json: #"{"route":"user.picture.comment","operation":"read","ids":["initFabian","2","3"]}"#,
        expected: "GET \(host)/users/initFabian/pictures/2/comments/3"
    ) { Social.user("initFabian").pictures("2").comments.get("3") },
    Example(
        id: "R10",
        json: #"{"route":"user.status.comment.user","operation":"read","ids":["initFabian","3","32352","fakeUser"]}"#,
        expected: "GET \(host)/users/initFabian/statuses/3/comments/32352/users/fakeUser"
    ) { Social.user("initFabian").statuses("3").comments("32352").users.get("fakeUser") },
    Example(
        id: "R11",
        json: #"""
            {"route":"user.picture.comment.user.status.comment.user.post.comment.user.status","operation":"read",
             "ids":["initFabian","3","507f191e810c19729de860ea","43","firstStatus","27","63","4d6e5acebcd1b3fac9000002","82","21","1"]}
            """#,
        expected:
            "GET \(host)/users/initFabian/pictures/3/comments/507f191e810c19729de860ea/users/43/statuses/firstStatus/comments/27/users/63/posts/4d6e5acebcd1b3fac9000002/comments/82/users/21/statuses/1"
    ) {
        Social.user("initFabian").pictures("3").comments("507f191e810c19729de860ea").users("43").statuses("firstStatus")
            .comments("27").users("63").posts("4d6e5acebcd1b3fac9000002").comments("82").users("21").statuses.get("1")
    },
    Example(
        id: "R12", json: #"{"route":"user.status","operation":"create","ids":["initFabian"],"parameters":{"t":1}}"#,
        expected: "POST \(host)/users/initFabian/statuses \(form) t=1"
    ) { Social.user("initFabian").statuses.create(parameters: ["t": 1]) },
]

/// The request that the JSON tier builds for a call.
private func jsonTier(_ text: String) throws -> String {
    let router = try Social.opened()
    let document = RouteDocument.write(router.description)
    let reopened = try Bytes(document.storage).storage.withUnsafeBytes { try RouteDocument.read($0, limit: 1 << 20) }
    let opened = try Router.open(withTypesOf: reopened)
    let call = try Array(text.utf8).withUnsafeBytes { try CallDocument.read($0) }
    let request = try opened.request(for: call)
    let headers = request.headerFields.map { " \($0.name): \($0.value);" }.joined()
    return "\(request.method.bytes) \(request.url.bytes)\(headers)\(request.body.map { " \($0.bytes)" } ?? "")"
}

@Suite("R7-R12: the declaration by hand and the JSON tier build equal bytes")
struct EqualBytesTests {
    @Test("Nested requests", arguments: examples.indices)
    func R7_R8_R9_R10_R11_R12(index: Int) throws {
        let example = examples[index]
        #expect(line(example.endpoint()) == example.expected, "\(example.id)")
        #expect(try jsonTier(example.json) == example.expected, "\(example.id)")
        // The second call uses the cached plan.
        #expect(line(example.endpoint()) == example.expected, "\(example.id)")
    }
}
