// Programs write names and strings as strings; the library stores bytes.

import Routable
import Testing

private enum Gateway: API {
    static let name = "gateway"
    static let base = "https://gateway.test"
    static var resources: [AnyResource] { [AnyResource(Job.self)] }
    static let document = #"""
        {"routable": 1, "name": "gateway", "base": "https://gateway.test", "auth": {"session": {"scheme": "bearer"}},
         "types": {"Named": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 3}}}},
         "resources": {"job": {"path": "jobs", "id": "job", "can": ["read"],
                               "member": {"log": {"get": "logs/{day}/{number}"}}}},
         "operations": {"export": {"put": "/export/{name}"}, "count": {"get": "/count/{at}/{number}"},
                        "rename": {"put": "/rename", "body": {"$ref": "#/types/Named"}}}}
        """#
    static var job: ResourceCollection<Job> { collection() }
}

private enum Job: Readable {
    static let name = "job"
    static let path = "jobs"
    static var id: ParameterDescription { id(named: "job") }
}

private func url(_ endpoint: Endpoint<Untyped>) throws -> String { try endpoint.makeRequest().url.bytes.string }

@Suite("Strings where a programmer writes a name")
struct StringsTests {
    @Test("An additional operation takes the values of its path as they are")
    func endpoints() throws {
        let name = "a b"
        #expect(try url(Gateway.endpoint("export", name)) == "https://gateway.test/export/a%20b")
        #expect(try url(Gateway.endpoint("count", name, 7)) == "https://gateway.test/count/a%20b/7")
        #expect(try url(Gateway.job("x").endpoint("log", "monday", 3)) == "https://gateway.test/jobs/x/logs/monday/3")
        #expect(
            try url(Gateway.job("x").endpoint("log", Value.text("monday"), true))
                == "https://gateway.test/jobs/x/logs/monday/true")
        #expect(throws: Failure.self) { try url(Gateway.endpoint("count", name)) }
        // An array is one value.
        #expect(throws: Failure.self) { try url(Gateway.endpoint("count", ["a", "b"])) }
    }

    @Test("A failure has a sentence, which a program composes of any strings")
    func failures() {
        let what = "tea"
        let size: UInt8 = 7
        #expect(Failure(.argument, what).message == "tea")
        #expect(Failure(.argument, "no \(what) of \(size)").message == "no tea of 7")
        #expect(Failure(.argument, "no tea").message == "no tea")
    }

    @Test("The parts of a credential")
    func credentials() throws {
        let texts = ["user", "secret", "token", "refresh", "id", "client secret", "https://h/token", "all", "{}", "https://h"]
        var credential = Credential()
        credential.user = texts[0]
        credential.password = texts[1]
        credential.token = texts[2]
        credential.refreshToken = texts[3]
        credential.clientID = texts[4]
        credential.clientSecret = texts[5]
        credential.tokenURL = texts[6]
        credential.scope = texts[7]
        credential.refreshBody = texts[8]
        credential.origin = texts[9]
        credential.lifetime = .seconds(3)
        let read: [String?] = [
            credential.user, credential.password, credential.token, credential.refreshToken, credential.clientID,
            credential.clientSecret, credential.tokenURL, credential.scope, credential.refreshBody, credential.origin,
        ]
        #expect(read == texts.map { Optional($0) } && credential.lifetime == .seconds(3))
        let client = Client(transport: TestTransport())
        try client.setCredential("session", .token("one"))
        #expect(try client.storedCredential("session")?.token == "one")
        var policy = RequestPolicy()
        let scheme = "session"
        try policy.setCredential(scheme, .token("two"))
        #expect(throws: Failure.self) { try policy.setIdempotencyHeader("a b") }
    }

    @Test("Conditions, headers and bodies of a request")
    func requests() throws {
        let (tag, name) = (#""v1""#, "X-Tea")
        let request = try Gateway.job.get("x").makeRequest()
        try request.ifMatch(tag)
        #expect(request.headers["If-Match"] == tag)
        try request.ifNoneMatch("", modified: "Tue, 15 Nov 1994 12:45:26 GMT")
        #expect(request.headers["If-Modified-Since"]?.hasPrefix("Tue") == true)
        try request.setHeader(name, tag)
        request.removeHeader(name)
        #expect(request.headers[name] == nil)
        try request.setBody(Bytes([1, 2]), contentType: "image/png")
        #expect(request.headers["content-type"] == "image/png")
    }

    @Test("The schemas of an operation")
    func schemas() throws {
        let router = try Gateway.opened()
        let (json, operation) = (#"{"name": "tea time"}"#, "rename")
        let failure = #expect(throws: Failure.self) { try router.checkBody(json, route: "", operation: operation) }
        #expect(failure?.status == .body && failure?.fields.pointer == "/name")
        #expect(try router.bodySchema(route: "", operation: operation).contains("maxLength"))
    }
}
