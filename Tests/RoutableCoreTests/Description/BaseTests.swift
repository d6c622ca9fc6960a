// statements R5, R6, R21, U4, U18: joining paths to a base, and writing values.

import RoutableCore
import Testing

private func url(_ base: Bytes, id: Value = .text("2"), parameters: [Value.Member]? = nil) -> String {
    var description = RouterDescription()
    description.base = base
    var user = ResourceDescription(name: "user", path: "users")
    user.capabilities = [.read]
    description.resources = [user]
    var call = Call(operation: "read")
    call.route = "user"
    call.ids = .positional([id])
    call.parameters = parameters
    do { return try Router.open(description).request(for: call).url.bytes.string } catch {
        let failure: Failure? = error
        return failure.map { "\($0.status)" } ?? "?"
    }
}

@Suite("Bases and path values")
struct BaseTests {
    @Test("R5: exactly one slash", arguments: ["https://h", "https://h/", "https://h//"])
    func R5_one_slash(base: String) { #expect(url(Bytes(base)) == "https://h/users/2") }

    @Test(
        "R6: the base's path and query are kept",
        arguments: [
            ("https://h/v1", "https://h/v1/users/2"), ("https://h/v1/", "https://h/v1/users/2"),
            ("https://h/v1?token=x", "https://h/v1/users/2?token=x"), ("http://[::1]:8080/", "http://[::1]:8080/users/2"),
            ("HTTPS://Example.COM", "https://example.com/users/2"),
        ])
    func R6_kept(base: String, expected: String) { #expect(url(Bytes(base)) == expected) }

    @Test("U4, U18: the base's query comes first, its raw brackets escaped")
    func U4_U18_query() {
        let page = [Value.Member(name: "page", value: .integer(0))]
        #expect(url("https://h/?hd=[1]", parameters: page) == "https://h/users/2?hd=%5B1%5D&page=0")
    }

    @Test(
        "A base that is none is refused",
        arguments: [
            "", "h/v1", "ftp://h", "https://", "https://u:p@h", "https://h:0", "https://h:99999", "https://h/#f",
            "https://h/a b",
            "https://h/../x", "https://h/%2e%2e/x", "https://h/%zz", "https://é.example", "https://[::1", "https://h\r\nX: y",
        ])
    func refused(base: String) { #expect(url(Bytes(base)) == "url") }

    @Test(
        "R21: a value is one segment",
        arguments: [
            ("a b", "a%20b"), ("é", "%C3%A9"), ("a?x=1", "a%3Fx%3D1"), ("a#f", "a%23f"), ("100%", "100%25"), ("%41", "%2541"),
            ("a/b", "a%2Fb"), ("\u{0}", "%00"), ("...", "..."), ("-._~", "-._~"),
            ("a;b:c@d&e=f+g,h", "a%3Bb%3Ac%40d%26e%3Df%2Bg%2Ch"),
        ])
    func R21_values(value: String, expected: String) {
        #expect(url("https://h", id: .text(Bytes(value))) == "https://h/users/\(expected)")
    }

    @Test("R21: dot segments and the empty text are refused", arguments: ["", ".", ".."])
    func R21_refused(value: String) { #expect(url("https://h", id: .text(Bytes(value))) == "value") }
}
