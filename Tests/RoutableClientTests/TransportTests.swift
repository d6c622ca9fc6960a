// A client over a transport: credentials, policy, retries and pages without a network.

import RoutableClient
import RoutableCore
import RoutableDocuments
import Testing

private let document: Bytes = #"""
    {"routable": 1, "base": "https://api.test/v1", "auth": {"session": {"scheme": "bearer"}},
     "types": {"User": {"type": "object", "required": ["name"]}},
     "resources": {"user": {"path": "users", "can": ["read", "create"], "type": "User", "auth": "session"}},
     "operations": {"numbers": {"get": "/numbers", "pagination": {"by": "link"}, "retry": {"times": 1, "delay": 0.001}}}}
    """#

private func router() throws -> Router {
    try document.storage.withUnsafeBytes { try Router.open(RouteDocument.read($0, limit: 1 << 20)) }
}

private func request(_ operation: Bytes, _ route: Bytes = "", _ ids: [Value] = []) throws -> Request {
    var call = Call(operation: operation)
    call.route = route
    call.ids = .positional(ids)
    return try router().request(for: call)
}

private func client(_ replies: CannedReplies, _ change: (inout ClientOptions) -> Void = { _ in }) throws(Failure) -> ClientCore
{
    var options = ClientOptions()
    options.transport = replies.transport
    change(&options)
    return try ClientCore.make(options)
}

private func reply(_ status: Int32 = 200, _ body: Bytes = "", _ headers: [HeaderField] = []) -> TransportReply {
    TransportReply(Answer(status: status, headers: headers, body: body))
}

@Suite("A client over a transport")
struct TransportTests {
    @Test("A credential is refreshed once after a 401, and the request is sent again")
    func credentials() throws {
        let replies = CannedReplies()
        try replies.add(CannedReplies.Rule(reply(401)))
        try replies.add(CannedReplies.Rule(reply(200, #"{"name": "x"}"#)))
        let client = try client(replies)
        defer { client.close() }
        let read = try request("read", "user", [.integer(1)])
        let first = read.copy()
        #expect(throws: Failure.self) { try client.perform(first) }
        #expect(replies.requests.isEmpty, "without a credential nothing is sent")
        var credential = Credential()
        credential.tokenBytes = "old"
        credential.refresher = Refresher { refresh in try? refresh.finish("new", lifetimeMilliseconds: nil) }
        try client.setCredential("session", credential)
        let response = try client.perform(read)
        #expect(response.status == 200)
        #expect(replies.requests.map { $0.headers.value(of: "Authorization") } == ["Bearer old", "Bearer new"])
        try replies.check()
    }

    @Test("Headers of the client go out where the request has none of that name")
    func headers() throws {
        let replies = CannedReplies()
        var rule = CannedReplies.Rule(reply())
        rule.times = nil
        try replies.add(rule)
        let client = try client(replies) { $0.headers = [HeaderField("X-Team", "blue")] }
        defer { client.close() }
        let plain = try request("numbers")
        _ = try client.perform(plain)
        let own = plain.copy()
        try own.setHeader("x-team", "red")
        _ = try client.perform(own)
        #expect(replies.requests.map { $0.headers.value(of: "X-Team") } == ["blue", "red"])
        #expect(try !client.curlLine(plain, showsSecrets: false).string.contains("blue"))
    }

    @Test("The rules of an operation count, and the policy of a request before them")
    func policy() throws {
        let replies = CannedReplies()
        try replies.add(CannedReplies.Rule(reply(503)))
        try replies.add(CannedReplies.Rule(reply(200, "[]")))
        try replies.add(CannedReplies.Rule(reply(503)))
        let client = try client(replies)
        defer { client.close() }
        #expect(try client.perform(request("numbers")).status == 200)
        var none = RequestPolicy()
        none.retries = 0
        #expect(throws: Failure.self) { try client.perform(request("numbers"), none) }
        try replies.check()
    }

    @Test("Pages: each is asked for by the client, and one that fails is asked for again")
    func pages() throws {
        let replies = CannedReplies()
        try replies.add(CannedReplies.Rule(reply(200, "[1, 2]", [HeaderField("Link", "<numbers?p=2>; rel=next")])))
        try replies.add(CannedReplies.Rule(reply(404)))
        try replies.add(CannedReplies.Rule(reply(200, "[3]")))
        let pages = try ClientPages.make(request("numbers"), over: client(replies), PageOptions())
        #expect(try pages.next(nil)?.body.bytes == "[1, 2]")
        #expect(throws: Failure.self) { try pages.next(nil) }
        #expect(try pages.next(nil)?.body.bytes == "[3]")
        #expect(try pages.itemCount() == 1)
        #expect(try pages.next(nil) == nil)
        #expect(replies.requests.map { $0.url.bytes.string.suffix(11) } == ["/v1/numbers", "numbers?p=2", "numbers?p=2"])
        let alone = try ClientPages.make(request("numbers"), over: nil, PageOptions())
        #expect(throws: Failure.self) { try alone.next(nil) }
        #expect(try alone.following(nil)?.url.bytes == "https://api.test/v1/numbers")
    }

    @Test("A request without a reply, and a reply that is not used, are failures")
    func strictness() throws {
        let replies = CannedReplies()
        var rule = CannedReplies.Rule(reply())
        rule.operation = "create"
        try replies.add(rule)
        let client = try client(replies)
        defer { client.close() }
        do {
            _ = try client.perform(request("numbers"))
            Issue.record("it was answered")
        } catch let failure as Failure { #expect(failure.status == .callback && failure.message.string.contains("numbers")) }
        #expect(throws: Failure.self) { try replies.check() }
        #expect(throws: Failure.self) { try replies.add(CannedReplies.Rule(reply(99))) }
    }
}
