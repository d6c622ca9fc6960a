// statements A1, A2: the responses that are a success.

import RoutableClient
import RoutableCore
import Testing

private func mapped(
    _ status: Int32, _ body: Bytes = "x", type: Bytes? = nil, accept: Bytes? = nil, method: Bytes = "GET",
    results: [ResultDescription] = []
) -> String {
    var description = RouterDescription()
    description.types = [TypeDescription(name: "T", schema: "{}")]
    if let accept { description.headers = [HeaderField("Accept", accept)] }
    var operation = OperationDescription(name: "get", method: method, path: "x", place: .root)
    operation.results = results
    description.operations = [operation]
    let headers = type.map { [HeaderField("Content-Type", $0)] } ?? []
    do {
        let router = try Router.open(description)
        let response = try router.map(Answer(status: status, headers: headers, body: body), route: "", operation: "get")
        let count = response.deviations.count
        return count == 0 ? "\(response.outcome)" : "\(response.outcome), \(count) deviation"
    } catch {
        let failure: Failure? = error
        let kept = failure?.fields.response?.body.bytes
        return failure.map { "\($0.status) \(kept?.string ?? "-")" } ?? "?"
    }
}

/// The message of the failure.
private func message(_ status: Int32, _ body: Bytes) -> String {
    var description = RouterDescription()
    description.operations = [OperationDescription(name: "x", method: "GET", path: "x", place: .root)]
    do {
        let router = try Router.open(description)
        _ = try router.map(Answer(status: status, headers: [], body: body), route: "", operation: "x")
        return "-"
    } catch { return error.message.string }
}

@Suite("Answers that are a success, and those that are not")
struct ResponseMappingTests {
    @Test(
        "A1: 200 to 299 are a success; any other status is an error that keeps its body",
        arguments: [
            (200, "raw"), (299, "raw"), (300, "httpStatus x"), (199, "httpStatus x"), (404, "httpStatus x"),
        ])
    func A1_statuses(status: Int32, expected: String) { #expect(mapped(status) == expected) }

    @Test("A1: the article's behaviour, any status a success, is a declaration")
    func A1_opt_out() {
        #expect(mapped(404, results: [ResultDescription(lowest: 100, highest: 999, type: nil)]) == "raw")
    }

    @Test(
        "A1: an answer of a type that the Accept header does not allow is raw, and listed",
        arguments: [
            ("image/*", "image/png", "raw"), ("image/*", "text/plain", "raw, 1 deviation"),
            ("*/json", "application/json", "raw"),
            ("*/*", "text/plain", "raw"), ("text/html, application/json;q=0.5", "application/json; charset=utf-8", "raw"),
            ("application/json", "APPLICATION/JSON", "raw"), ("application/json", "application/vnd.github+json", "raw"),
            ("application/vnd.github+json", "application/json", "raw"),
            ("application/json", "application/vnd.github+xml", "raw, 1 deviation"),
            ("application/json", "application/xjson", "raw, 1 deviation"),
            ("text/json", "application/vnd.github+json", "raw, 1 deviation"),
        ])
    func A1_types(accept: String, type: String, expected: String) {
        #expect(mapped(200, type: Bytes(type), accept: Bytes(accept)) == expected)
    }

    @Test("A1: a missing type is no deviation; an empty body is not looked at")
    func A1_missing_type() {
        #expect(mapped(200, accept: "*/*") == "raw")
        #expect(mapped(200, accept: "application/json") == "raw")
        #expect(mapped(200, "", accept: "application/json") == "empty")
    }

    @Test("A2: an empty body deviates where a type is declared, but for 204, 205 and HEAD")
    func A2_empty() {
        let typed = [ResultDescription(lowest: 200, highest: 299, type: 0)]
        #expect(mapped(200, "", results: typed) == "empty, 1 deviation")
        #expect(mapped(204, "", results: typed) == "empty")
        #expect(mapped(205, "", results: typed) == "empty")
        #expect(mapped(200, "", method: "HEAD", results: typed) == "empty")
        #expect(mapped(200, "") == "empty")
    }

    @Test("A1: the message of an error status has the beginning of the body, without control characters")
    func A1_excerpt() {
        #expect(
            message(404, "{\"error\":\n  \"gone\"}\u{1b}[31m")
                == "the service responded with 404 to x, which is not a success: {\"error\": \"gone\"} [31m")
        #expect(message(500, "") == "the service responded with 500 to x, which is not a success")
        #expect(message(500, "\0\u{1}") == "the service responded with 500 to x, which is not a success")
    }

    @Test("L2: a result declared empty is not decoded")
    func L2_empty() {
        #expect(mapped(200, results: [ResultDescription(lowest: 200, highest: 299, type: nil, isEmpty: true)]) == "empty")
    }
}
