// Examples of matching.

import Testing

@testable import RoutableCore

@Suite("A match")
struct MatchTests {
    /// `operation [values]`, or the status.
    private func answer(_ router: Router, _ path: String, method: String? = nil, _ options: MatchOptions = []) -> String {
        let got = router.matched(path, method: method, options)
        guard got.status == .ok else { return "\(got.status)" }
        let bytes = Array(path.utf8)
        let values = got.captures.map { String(decoding: bytes[Int($0.offset)..<Int($0.offset + $0.length)], as: UTF8.self) }
        let name = got.operation?.split(separator: " ", maxSplits: 1).last.map { String($0).replacing("·", with: ".") } ?? "-"
        return values.isEmpty ? name : "\(name) \(values)"
    }

    @Test("prefers the more specific pattern, whatever the order of declaration, and goes back", arguments: [false, true])
    func precedence(isReversed: Bool) throws {
        var lines = [
            "GET /u/me", "GET /u/{id}.json", "GET /u/user-{id}.json", "GET /u/{n}", "GET /u/{any}/x", "GET /u/{rest*}",
            "GET /u/me/posts/new", "GET /u/{id}/posts/{post}", "GET /{a}/{b}/c/d",
        ]
        if isReversed { lines.reverse() }
        let router = try router(lines) { operations in
            for index in operations.indices where operations[index].path == "/u/{n}" {
                operations[index].ids = [typed("n", scalar(.integer))]
            }
        }
        for (path, expected) in [
            ("/u/me", "/u/me"), ("/u/7.json", #"/u/{id}.json ["7"]"#), ("/u/user-7.json", #"/u/user-{id}.json ["7"]"#),
            ("/u/7", #"/u/{n} ["7"]"#), ("/u/seven", #"/u/{rest*} ["seven"]"#), ("/u/me/x", #"/u/{any}/x ["me"]"#),
            ("/u/me/posts/new", "/u/me/posts/new"), ("/u/me/posts/old", #"/u/{id}/posts/{post} ["me", "old"]"#),
            ("/u/you/posts/new", #"/u/{id}/posts/{post} ["you", "new"]"#), ("/u/me/c/d", #"/u/{rest*} ["me/c/d"]"#),
            ("/v/me/c/d", #"/{a}/{b}/c/d ["v", "me"]"#), ("/u/.json", #"/u/{rest*} [".json"]"#), ("/v", "noMatch"),
            ("/u/", "noMatch"),
            ("/u", "noMatch"), ("/", "noMatch"), ("", "noMatch"), ("u/me", "noMatch"), ("//u/me", "noMatch"),
            ("/u//me", "noMatch"),
            ("/u/me/", "noMatch"), ("/u/a/b/", "noMatch"),
        ] {
            #expect(answer(router, path) == expected, "\(path)")
        }
    }

    @Test("chooses the node by the path, then the operation by the method; HEAD is no GET")
    func methods() throws {
        let router = try router(["GET /a", "PUT /a", "DELETE /{x}", "PROPPATCH /a", "PROPPATCHES /a", "GET /{x}/b", "POST /"])
        #expect(answer(router, "/a") == "/a" && router.matched("/a").operation == "GET /a")
        #expect(router.matched("/a", method: "PUT").operation == "PUT /a")
        #expect(router.matched("/a", method: "PROPPATCH").operation == "PROPPATCH /a")
        #expect(router.matched("/a", method: "PROPPATCHES").operation == "PROPPATCHES /a")
        for method in ["DELETE", "HEAD", "get", "", "G", "GETT", "PROPPATC", "PROPPATCHE", "PROPPATCHESS"] {
            let got = router.matched("/a", method: method)
            #expect(got.status == .methodNotAllowed && got.operation == nil, "\(method)")
            #expect(got.methods == ["GET", "PROPPATCH", "PROPPATCHES", "PUT"])
        }
        #expect(router.matched("/", method: "POST").status == .ok && router.matched("", method: "POST").status == .ok)
        #expect(router.matched("/b", method: "DELETE").operation == "DELETE /{x}")
    }

    @Test("finds each of many literals, with their parameters beside them or not", arguments: [2, 24, 25, 300], [1, 2, 3])
    func manyLiterals(count: Int, every: Int) throws {
        // Every `every`-th name is followed by a parameter, the others by a literal.  With more than 24, some are not in the slot of their hash.
        let names = (0..<count).map { "collection-\($0 &* 7919)\($0 % 5 == 0 ? "-with-a-long-name" : "")" }
        let router = try router(
            ["GET /all/{any}/last"]
                + names.enumerated().map { $0 % every == 0 ? "GET /all/\($1)/{id}/items/{item}" : "GET /all/\($1)/first" })
        for (index, name) in names.enumerated() {
            let isPaired = index % every == 0
            #expect(
                answer(router, "/all/\(name)/7/items/8")
                    == (isPaired ? "/all/\(name)/{id}/items/{item} [\"7\", \"8\"]" : "noMatch"))
            #expect(answer(router, "/all/\(name)/first") == (isPaired ? "noMatch" : "/all/\(name)/first"))
            #expect(answer(router, "/all/\(name)/last") == "/all/{any}/last [\"\(name)\"]")
            let upper = name.uppercased()
            #expect(answer(router, "/all/\(upper)/last") == "/all/{any}/last [\"\(upper)\"]")
            #expect(
                answer(router, "/all/\(upper)/7/items/8", .foldCase)
                    == (isPaired ? "/all/\(name)/{id}/items/{item} [\"7\", \"8\"]" : "noMatch"))
        }
        #expect(answer(router, "/all/collection-1/7/items/8") == "noMatch")
    }

    @Test("compares decoded and captures as given")
    func escapes() throws {
        let router = try router(["GET /users/{id}", "GET /a b/é", "GET /x/{a}-{b}.json", "GET /%7Bx%7D", "GET /plus+{x}"])
        for (path, expected) in [
            ("/%75sers/1", #"/users/{id} ["1"]"#), ("/u%73ers/%2e", #"/users/{id} ["%2e"]"#),
            ("/users/%2F", #"/users/{id} ["%2F"]"#),
            ("/a%20b/%C3%A9", "/a b/é"), ("/a b/é", "/a b/é"), ("/a%20b/%c3%a9", "/a b/é"),
            ("/x/a%2Db-c%2ejson", #"/x/{a}-{b}.json ["a", "b-c"]"#),
            ("/{x}", "/%7Bx%7D"), ("/%7bx%7D", "/%7Bx%7D"), ("/plus%2B1", "noMatch"),
            ("/plus+1", #"/plus+{x} ["1"]"#),
            ("/users/%zz", #"/users/{id} ["%zz"]"#), ("/users/%", #"/users/{id} ["%"]"#), ("/users%2F1", "noMatch"),
            ("/user%73%", "noMatch"),
        ] {
            #expect(
                answer(router, path).replacing("%7Bx%7D", with: "{x}") == expected.replacing("%7Bx%7D", with: "{x}"), "\(path)")
        }
    }

    @Test("takes a URL of its base, and ends where the query begins")
    func urls() throws {
        let router = try router(["GET /a/{x}", "GET /"], base: "https://API.example.com:8443/v1/?key=1")
        for (path, expected) in [
            ("/a/1?x=/b", #"/a/{x} ["1"]"#), ("/a/1#f", #"/a/{x} ["1"]"#), ("/?q", "/"), ("?q", "noMatch"), ("#f", "noMatch"),
            ("https://api.example.com:8443/v1/a/1?q#f", #"/a/{x} ["1"]"#),
            ("HTTPS://Api.Example.COM:8443/v1/a/1", #"/a/{x} ["1"]"#),
            ("https://api.example.com:8443/v1", "/"), ("https://api.example.com:8443/v1?q", "/"),
            ("https://api.example.com:8443/V1/a/1", "noMatch"),
            ("https://api.example.com:8443/v11/a", "noMatch"), ("https://api.example.com:8443/v1x", "noMatch"),
            ("http://api.example.com:8443/v1/a/1", "noMatch"),
            ("https://api.example.com/v1/a/1", "noMatch"), ("https://evil@api.example.com:8443/v1/a/1", "noMatch"),
            ("/v1/a/1", "noMatch"), ("a/1", "noMatch"),
        ] {
            #expect(answer(router, path) == expected, "\(path)")
        }
        #expect(answer(router, "/v1/a/1", [.wholePath]) == #"/a/{x} ["1"]"#)
        #expect(answer(router, "/a/1", [.wholePath]) == "noMatch" && answer(router, "/v1", [.wholePath]) == "/")
        let bare = try Routes.bare()
        #expect(bare.matched("http://h/a").status == .noMatch && bare.matched("/a", [.wholePath]).status == .ok)
    }

    private enum Routes {
        static func bare() throws -> Router { try router(["GET /a"]) }
    }

    @Test("is strict unless options say otherwise")
    func options() throws {
        let router = try router([
            "GET /a", "GET /b/", "GET /Users/{id}", "GET /users/me", "GET /longer-than-16-bytes-Name/x", "GET /f/{rest*}",
        ])
        #expect(answer(router, "/a/") == "noMatch" && answer(router, "/b") == "noMatch" && answer(router, "/b/") == "/b/")
        #expect(
            answer(router, "/a/", [.anySlash]) == "/a" && answer(router, "/b", [.anySlash]) == "/b/"
                && answer(router, "/c/", [.anySlash]) == "noMatch")
        #expect(router.matched("/a/", [.suggestSlash]).slash == -1 && router.matched("/b", [.suggestSlash]).slash == 1)
        #expect(router.matched("/a/", [.suggestSlash]).status == .noMatch && router.matched("/a", [.suggestSlash]).slash == 0)
        #expect(router.matched("/c", [.suggestSlash]).slash == 0 && router.matched("/a/", [.anySlash]).slash == -1)
        #expect(
            answer(router, "/USERS/Me", [.foldCase]) == #"/Users/{id} ["Me"]"#
                || answer(router, "/USERS/Me", [.foldCase]) == "/users/me")
        #expect(
            answer(router, "/users/ME", [.foldCase]) == "/users/me"
                && answer(router, "/users/7", [.foldCase]) == #"/Users/{id} ["7"]"#)
        #expect(answer(router, "/LONGER-than-16-BYTES-name/X", [.foldCase]) == "/longer-than-16-bytes-Name/x")
        #expect(answer(router, "/u%53ers/7", [.foldCase]) == #"/Users/{id} ["7"]"#)
        #expect(
            answer(router, "//Users///7", [.mergeSlashes]) == #"/Users/{id} ["7"]"#
                && answer(router, "//Users///7") == "noMatch")
        #expect(answer(router, "/b//", [.mergeSlashes]) == "/b/" && answer(router, "/a//", [.mergeSlashes, .anySlash]) == "/a")
        #expect(answer(router, "/f/a//b") == "noMatch" && answer(router, "/f/a//b", [.mergeSlashes]) == #"/f/{rest*} ["a//b"]"#)
        #expect(answer(router, "/f/a/", [.anySlash]) == #"/f/{rest*} ["a"]"#)
    }

    @Test("names walks of a graph with cycles, to the depth of 32 ids")
    func cycles() throws {
        var description = RouterDescription()
        for (name, path, children) in [
            ("user", "users", ["status"]), ("status", "statuses", ["comment"]), ("comment", "comments", ["user"]),
        ] {
            var resource = ResourceDescription(name: Bytes(name), path: Bytes(path))
            resource.capabilities = .all
            resource.children = children.map { Bytes($0) }
            description.resources.append(resource)
        }
        let router = try Router.open(description)
        let got = router.matched("/users/initFabian/statuses/3/comments/32352/users/fakeUser")
        #expect(got.route == "user.status.comment.user" && got.operation == "user read")
        #expect(got.captures.map(\.resource) == [0, 1, 2, 0] && got.captures.allSatisfy { $0.parameter == 0 })
        #expect(router.matched("/users/1/statuses", method: "POST").route == "user.status")
        let collections = ["users", "statuses", "comments"]
        func walk(_ count: Int) -> String { (0..<count).map { "/\(collections[$0 % 3])/\($0)" }.joined() }
        #expect(router.matched(walk(32)).captures.count == 32)
        #expect(router.matched(walk(33)).status == .noMatch)
        #expect(router.matched(walk(32) + "/comments").status == .ok)
        #expect(router.matched(walk(10) + "/%73tatuses".replacing("73tatuses", with: "73tatuses")).status == .ok)
    }

    @Test("tells whose ids the captures are where two resources share a path")
    func identities() throws {
        var description = RouterDescription()
        for (name, can, children) in [("photo", Capabilities.read, ["tag"]), ("video", Capabilities.delete, ["scene"])] {
            var resource = ResourceDescription(name: Bytes(name), path: "media")
            resource.capabilities = can
            resource.children = children.map { Bytes($0) }
            description.resources.append(resource)
        }
        for name in ["tag", "scene"] {
            var resource = ResourceDescription(name: Bytes(name), path: Bytes(name))
            resource.capabilities = [.list, .read]
            description.resources.append(resource)
        }
        description.operations = [
            OperationDescription(name: "raw", method: "GET", path: "/media/{file}/raw-{size}", place: .root)
        ]
        let router = try Router.open(description)
        #expect(router.matched("/media/1", method: "GET").captures.map(\.resource) == [0])
        #expect(router.matched("/media/1", method: "DELETE").captures.map(\.resource) == [1])
        let scene = router.matched("/media/1/scene/2")
        #expect(scene.captures.map(\.resource) == [1, 3] && scene.route == "video.scene")
        #expect(router.matched("/media/1/tag").route == "photo.tag")
        let raw = router.matched("/media/1/raw-2")
        #expect(
            raw.captures.map(\.resource) == [-1, -1] && raw.captures.map(\.parameter) == [0, 1] && raw.route?.isEmpty == true)
    }
}
