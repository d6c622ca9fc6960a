// The items of pages and of streams as models, and the reasons why the body of an error is not decoded as one.

import Routable
import Testing

@Suite("Items as models")
struct TypedItemsTests {
    @Test("of pages")
    func pages() async throws {
        let transport = TestTransport { (request) throws(Failure) in
            let isFirst = !request.url.contains("page=2")
            return Answer(
                status: 200, headers: isFirst ? [HeaderField("Link", "</users?page=2>; rel=\"next\"")] : [],
                body: isFirst ? #"[{"username":"a"},{"username":"b","age":3}]"# : #"[{"username":"c"}]"#)
        }
        let client = Client(transport: transport)
        var names = ""
        for try await user in client.items(of: Social.user.list(), by: .link()) { names += user.username }
        #expect(names == "abc" && transport.requests.count == 2)
        names = ""
        for try await user in client.items(of: Social.user.list(), by: .link(), maximumPages: 1) { names += user.username }
        #expect(names == "ab")
        var failure: Failure?
        do {
            for try await _ in Client(transport: TestTransport(body: #"[{"name":"a"}]"#)).items(
                of: Social.user.list(), by: .link())
            {}
        } catch { failure = error }
        #expect(failure?.status == .response && failure?.message.string.contains("username") == true)
    }

    @Test("of events")
    func events() async throws {
        struct Part: Codable, Sendable { var n: Int }
        let responses = CannedResponses()
        let type = HeaderField("Content-Type", "text/event-stream")
        try responses.add(headers: [type], body: "data: {\"n\":1}\n\ndata: {\"n\":2}\n\ndata: [DONE]\n\ndata: {\"n\":3}\n\n")
        try responses.add(headers: [type], body: "data: {\"m\":1}\n\n")
        let client = Client(transport: responses)
        var sum = 0
        for try await part in client.events(of: Social.user.list()).values(as: Part.self) { sum += part.n }
        #expect(sum == 3)
        var failure: Failure?
        do { for try await _ in client.events(of: Social.user.list()).values(as: Part.self) {} } catch {
            failure = error
        }
        #expect(failure?.status == .response && failure?.message.string.contains("Part") == true)
    }

    @Test("why the body of an error is not a model")
    func misfit() async throws {
        struct Problem: Codable, Sendable { var code: Int }
        for (body, isFit, why) in [(#"{"code":7}"#, true, ""), (#"{"code":"7"}"#, false, "Problem"), ("", false, "empty")] {
            let client = Client(transport: TestTransport(status: 404, body: body))
            do throws(Failure) {
                _ = try await client.perform(Social.user("x").read())
                Issue.record("404 is an error")
            } catch {
                #expect((error.body(as: Problem.self)?.code == 7) == isFit)
                #expect((error.misfit(as: Problem.self) == nil) == isFit)
                #expect(isFit || error.misfit(as: Problem.self)?.contains(why) == true)
            }
        }
        #expect(Failure(.timeout, "none").misfit(as: Problem.self) == nil)
    }
}
