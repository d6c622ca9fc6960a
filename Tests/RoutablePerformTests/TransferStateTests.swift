// The state machine as tables: events in, actions out, without libcurl.

import RoutableCore
import Testing

@testable import RoutablePerform

private typealias Action = TransferState.Action

/// An event that owns its bytes.
private enum Step: Sendable {
    case begin
    case line(StaticString)
    case body(Int)
    case finished(Int32, redirect: Bytes?)
    case again
    case enough

    func tell(_ state: inout TransferState, _ exchange: Exchange, _ rules: TransferState.Rules = .init(bodyBytes: 10)) -> Action
    {
        switch self {
        case .begin: state.receive(.begin(exchange, rules))
        case .line(let text):
            state.receive(.line(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)))
        case .body(let count): state.receive(.body(count))
        case .finished(let code, let redirect): state.receive(.finished(code, redirect: redirect.map { Text($0) }))
        case .again: state.receive(.again)
        case .enough: state.receive(.enough)
        }
    }
}

private func line(_ text: StaticString) -> Step { .line(text) }

private let ok = line("HTTP/1.1 200 OK\r\n")
private let blank = line("\r\n")
private let done = Step.finished(0, redirect: nil)

private struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var method: Bytes = "GET"
    var body: Bytes?
    var rules = TransferState.Rules(bodyBytes: 100, headBytes: 200, redirects: 2)
    var steps: [(Step, Action)]
    var status: Int32 = 200
    var headers: [String] = []
    var sent = "GET http://h/a"

    var testDescription: String { name }
}

private func moved(_ status: Step, _ place: StaticString) -> [(Step, Action)] {
    [
        (status, .proceed), (line("Location: x\r\n"), .proceed), (blank, .expect(0)), (.body(5), .proceed),
        (.finished(0, redirect: Bytes(stringLiteral: place)), .send),
    ]
}

private let found = line("HTTP/1.1 302 Found\r\n")
private let seeOther = line("HTTP/1.1 303 See Other\r\n")
private let temporary = line("HTTP/1.1 307 Temporary Redirect\r\n")
private let noFollow = TransferState.Rules(bodyBytes: 100, followsRedirects: false)

private let later = line("HTTP/1.1 503 Later\r\n")
private let retried = TransferState.Rules(bodyBytes: 100, retry: RetryRules(limit: 2, maximumDelayMilliseconds: 4000))
private func wait(_ delay: Int64, _ after: RetryAfter? = nil) -> Action {
    .retry(Retry(delay: delay, maximumDelay: 4000, after: after))
}

private let rows: [Row] = [
    Row(
        name: "A3 so many retries, each after twice the time; then the answer is the outcome", rules: retried,
        steps: [
            (later, .proceed), (blank, .expect(0)), (.body(3), .keep), (done, wait(500)), (.again, .send),
            (.finished(7, redirect: nil), wait(1000)), (.again, .send),
            (later, .proceed), (blank, .expect(0)), (.body(2), .keep), (done, .deliver),
        ], status: 503),
    Row(
        name: "A3 a wait that is too long is not made: the answer", rules: retried,
        steps: [
            (later, .proceed), (line("Retry-After: 7\r\n"), .proceed), (blank, .expect(0)),
            (done, wait(500, .seconds(7))), (.enough, .deliver),
        ], status: 503, headers: ["Retry-After: 7"]),
    Row(
        name: "A3 or the failure", rules: retried,
        steps: [(.finished(56, redirect: nil), wait(500)), (.enough, .fail(.curl(56)))], status: 0),
    Row(
        name: "A3 what nobody can mend is not sent again", rules: retried,
        steps: [(.finished(60, redirect: nil), .fail(.curl(60)))], status: 0),
    Row(
        name: "A3 a deadline is not", rules: retried, steps: [(.finished(28, redirect: nil), .fail(.curl(28)))],
        status: 0),
    Row(
        name: "A3 never POST", method: "POST", rules: retried,
        steps: [(later, .proceed), (blank, .expect(0)), (done, .deliver)], status: 503, sent: "POST http://h/a"),
    Row(
        name: "A3 while it waits nothing else is right", rules: retried,
        steps: [(.finished(7, redirect: nil), wait(500)), (.body(1), .fail(.disorder)), (.again, .fail(.disorder))],
        status: 0),
    Row(
        name: "A3 a redirect that fails is sent again, not the first request", rules: retried,
        steps: moved(found, "http://h/b") + [
            (.finished(7, redirect: nil), wait(500)), (.again, .send), (ok, .proceed), (blank, .expect(0)),
            (done, .deliver),
        ], sent: "GET http://h/b"),
    Row(
        name: "a whole answer",
        steps: [
            (ok, .proceed), (line("A: 1\r\n"), .proceed), (line("Content-Length: 7\r\n"), .proceed),
            (blank, .expect(7)),
            (.body(3), .keep), (.body(4), .keep), (done, .deliver),
        ], headers: ["A: 1", "Content-Length: 7"]),
    Row(
        name: "no body", steps: [(line("HTTP/2 204\r\n"), .proceed), (blank, .expect(0)), (done, .deliver)], status: 204
    ),
    Row(
        name: "interim heads leave nothing",
        steps: [
            (line("HTTP/1.1 103 Early Hints\r\n"), .proceed), (line("Link: x\r\n"), .proceed), (blank, .proceed),
            (line("HTTP/1.1 100 Continue\r\n"), .proceed), (blank, .proceed),
            (ok, .proceed), (line("B: 2\r\n"), .proceed), (blank, .expect(0)), (done, .deliver),
        ], headers: ["B: 2"]),
    Row(
        name: "trailers are ignored",
        steps: [
            (ok, .proceed), (line("A: 1\r\n"), .proceed), (blank, .expect(0)), (.body(1), .keep),
            (line("T: 1\r\n"), .proceed), (blank, .proceed), (done, .deliver),
        ], headers: ["A: 1"]),
    Row(
        name: "a second head replaces the first",
        steps: [
            (line("HTTP/1.1 417 Expectation Failed\r\n"), .proceed), (line("A: 1\r\n"), .proceed), (blank, .expect(0)),
            (.body(9), .keep), (ok, .proceed), (line("B: 2\r\n"), .proceed), (blank, .expect(0)), (done, .deliver),
        ], headers: ["B: 2"]),
    Row(
        name: "folded lines join, junk is dropped",
        steps: [
            (ok, .proceed), (line("A: 1\r\n"), .proceed), (line("  2 \r\n"), .proceed), (line("\t3\r\n"), .proceed),
            (line("no colon\r\n"), .proceed), (line(" after junk\r\n"), .proceed), (line("B b: 1\r\n"), .proceed),
            (line("HTTP/1.1 500 within\r\n"), .proceed), (blank, .expect(0)), (done, .deliver),
        ], headers: ["A: 1 2 3"]),
    Row(
        name: "the limit counts what came",
        steps: [
            (ok, .proceed), (blank, .expect(0)), (.body(60), .keep), (.body(40), .keep), (.body(1), .stop),
            (.body(1), .stop),
            (.finished(23, redirect: nil), .fail(.bodyTooLarge)),
        ]),
    Row(
        name: "a stated length over the limit is not waited for",
        steps: [
            (ok, .proceed), (line("content-length: 101\r\n"), .proceed), (blank, .stop),
            (.finished(23, redirect: nil), .fail(.bodyTooLarge)),
        ], headers: ["content-length: 101"]),
    Row(
        name: "a stated length that no integer holds leaves open where the answer ends",
        steps: [
            (ok, .proceed), (line("Content-Length: 99999999999999999999\r\n"), .proceed), (blank, .stop),
            (.finished(23, redirect: nil), .fail(.unclearLength)),
        ], headers: ["Content-Length: 99999999999999999999"]),
    Row(
        name: "so do two lengths that differ",
        steps: [
            (ok, .proceed), (line("Content-Length: 2\r\n"), .proceed), (line("Content-Length: 3\r\n"), .proceed),
            (blank, .stop),
            (.finished(23, redirect: nil), .fail(.unclearLength)),
        ], headers: ["Content-Length: 2", "Content-Length: 3"]),
    Row(
        name: "and two that are equal do not",
        steps: [
            (ok, .proceed), (line("Content-Length: 2\r\n"), .proceed), (line("Content-Length: 2\r\n"), .proceed),
            (blank, .expect(2)),
            (.body(2), .keep), (done, .deliver),
        ], headers: ["Content-Length: 2", "Content-Length: 2"]),
    Row(
        name: "an encoded length is not the decoded one",
        steps: [
            (ok, .proceed), (line("Content-Length: 500\r\n"), .proceed), (line("Content-Encoding: gzip\r\n"), .proceed),
            (blank, .expect(0)), (.body(9), .keep), (done, .deliver),
        ], headers: ["Content-Length: 500", "Content-Encoding: gzip"]),
    Row(
        name: "a HEAD states a length that does not come", method: "HEAD",
        steps: [(ok, .proceed), (line("Content-Length: 500\r\n"), .proceed), (blank, .expect(0)), (done, .deliver)],
        headers: ["Content-Length: 500"], sent: "HEAD http://h/a"),
    Row(
        name: "a head over the limit", rules: .init(bodyBytes: 100, headBytes: 30),
        steps: [
            (ok, .proceed), (line("A: 0123456789012345\r\n"), .stop), (blank, .stop),
            (.finished(23, redirect: nil), .fail(.headTooLarge)),
        ]),
    Row(
        name: "interim heads count to the same limit", rules: .init(bodyBytes: 100, headBytes: 30),
        steps: [
            (line("HTTP/1.1 100 Continue\r\n"), .proceed), (blank, .proceed),
            (line("HTTP/1.1 100 Continue\r\n"), .stop),
            (.finished(23, redirect: nil), .fail(.headTooLarge)),
        ], status: 100),
    Row(name: "no answer", steps: [(done, .fail(.noAnswer))], status: 0),
    Row(
        name: "an interim head only",
        steps: [(line("HTTP/1.1 100 Continue\r\n"), .proceed), (blank, .proceed), (done, .fail(.noAnswer))], status: 100
    ),
    Row(
        name: "half a head", steps: [(ok, .proceed), (line("A: 1\r\n"), .proceed), (done, .fail(.noAnswer))],
        headers: ["A: 1"]),
    Row(
        name: "a body without a head", steps: [(.body(3), .stop), (.finished(23, redirect: nil), .fail(.notHTTP))],
        status: 0),
    Row(name: "a failure of libcurl", steps: [(.finished(7, redirect: nil), .fail(.curl(7)))], status: 0),
    Row(
        name: "a failure within the body",
        steps: [
            (ok, .proceed), (blank, .expect(0)), (.body(3), .keep), (.finished(18, redirect: nil), .fail(.curl(18))),
        ]),
    Row(
        name: "two outcomes cannot be",
        steps: [(.finished(7, redirect: nil), .fail(.curl(7))), (done, .fail(.disorder))], status: 0),
    Row(name: "nor two beginnings", steps: [(.begin, .fail(.disorder))], status: 0),

    Row(
        name: "A6 a redirect is followed, its body dropped",
        steps: moved(found, "http://h/b") + [(ok, .proceed), (blank, .expect(0)), (done, .deliver)],
        sent: "GET http://h/b"),
    Row(
        name: "A6 not followed, the redirect is the answer", rules: noFollow,
        steps: [
            (found, .proceed), (line("Location: /b\r\n"), .proceed), (blank, .expect(0)), (.body(5), .keep),
            (done, .deliver),
        ], status: 302, headers: ["Location: /b"]),
    Row(
        name: "A6 without a place it is the answer",
        steps: [
            (found, .proceed), (line("Location:\r\n"), .proceed), (blank, .expect(0)), (.body(5), .keep),
            (done, .deliver),
        ],
        status: 302, headers: ["Location: "]),
    Row(
        name: "A6 304 is the answer",
        steps: [
            (line("HTTP/1.1 304 Not Modified\r\n"), .proceed), (line("Location: /b\r\n"), .proceed),
            (blank, .expect(0)),
            (done, .deliver),
        ], status: 304, headers: ["Location: /b"]),
    Row(
        name: "A6 too many",
        steps: moved(found, "http://h/b") + moved(found, "http://h/c") + moved(found, "http://h/d").dropLast() + [
            (.finished(0, redirect: "http://h/d"), .fail(.tooManyRedirects))
        ], status: 302, headers: ["Location: x"], sent: "GET http://h/c"),
    Row(
        name: "A6 to a file",
        steps: moved(found, "http://h/b").dropLast() + [
            (.finished(0, redirect: "file:///etc/passwd"), .fail(.redirectRefused))
        ],
        status: 302, headers: ["Location: x"]),
    Row(
        name: "A6 a redirect's body counts to the limit",
        steps: moved(found, "http://h/b").dropLast() + [
            (.body(96), .stop), (.finished(23, redirect: nil), .fail(.bodyTooLarge)),
        ], status: 302, headers: ["Location: x"]),
    Row(
        name: "A6 POST and 302 become GET", method: "POST", body: "x",
        steps: moved(found, "http://h/b") + [(ok, .proceed), (blank, .expect(0)), (done, .deliver)],
        sent: "GET http://h/b"),
    Row(
        name: "A6 POST and 307 stay", method: "POST", body: "x",
        steps: moved(temporary, "http://h/b") + [(ok, .proceed), (blank, .expect(0)), (done, .deliver)],
        sent: "POST http://h/b x"),
    Row(
        name: "A6 PUT and 302 stay", method: "PUT", body: "x",
        steps: moved(found, "http://h/b") + [(ok, .proceed), (blank, .expect(0)), (done, .deliver)],
        sent: "PUT http://h/b x"),
    Row(
        name: "A6 DELETE and 303 become GET", method: "DELETE",
        steps: moved(seeOther, "http://h/b") + [(ok, .proceed), (blank, .expect(0)), (done, .deliver)],
        sent: "GET http://h/b"),
    Row(
        name: "A6 HEAD and 303 stay", method: "HEAD",
        steps: moved(seeOther, "http://h/b") + [(ok, .proceed), (blank, .expect(0)), (done, .deliver)],
        sent: "HEAD http://h/b"),
]

@Suite("A transfer has exactly one outcome")
struct TransferStateTests {
    @Test("each row", arguments: rows)
    private func row(_ row: Row) {
        let exchange = Exchange(method: row.method, url: "http://h/a", body: row.body)
        var state = TransferState()
        #expect(state.receive(.begin(exchange, row.rules)) == .send)
        for (index, (step, wanted)) in row.steps.enumerated() {
            let got = step.tell(&state, exchange, row.rules)
            #expect(got == wanted, "\(row.name): step \(index)")
        }
        #expect(state.head.status == row.status)
        #expect(state.head.headers.fields.map { "\($0.name): \($0.value)" as String } == row.headers)
        let sent = state.exchange
        #expect(([sent.method, sent.url.bytes] + (sent.body.map { [$0.bytes] } ?? [])).joined(by: " ").string == row.sent)
    }

    @Test("one machine serves one transfer after the other, with nothing kept")
    func again() {
        var state = TransferState()
        let exchange = Exchange(method: "GET", url: "http://h/a")
        for _ in 0..<2 {
            let steps: [(Step, Action)] = [
                (.begin, .send), (ok, .proceed), (line("A: 1\r\n"), .proceed), (blank, .expect(0)), (.body(10), .keep),
                (done, .deliver), (.begin, .send), (ok, .proceed), (blank, .expect(0)), (.body(11), .stop),
                (.finished(23, redirect: nil), .fail(.bodyTooLarge)), (.begin, .send), (done, .fail(.noAnswer)),
            ]
            for (step, wanted) in steps { #expect(step.tell(&state, exchange) == wanted) }
        }
        #expect(state.head.headers.isEmpty && state.bodyCount == 0)
    }

    @Test("what is noted: each attempt that another one follows, with why; nothing of the only one")
    func noted() {
        var state = TransferState()
        let exchange = Exchange(method: "GET", url: "http://h/a", headers: [HeaderField("Authorization", "x")])
        #expect(state.receive(.begin(exchange, retried)) == .send)
        for (step, action) in moved(found, "http://other/b") { #expect(step.tell(&state, exchange) == action) }
        for step in [later, blank] { _ = step.tell(&state, exchange) }
        #expect(done.tell(&state, exchange) == wait(500))
        state.noteWait(501)
        #expect(Step.again.tell(&state, exchange) == .send)
        #expect(Step.finished(7, redirect: nil).tell(&state, exchange) == wait(1000))
        state.noteWait(1001)
        let steps = state.recorder?.trace.steps ?? []
        #expect(steps.map { $0.reason } == [.redirect, .retry, .retry])
        #expect(steps.map { $0.httpStatus } == [302, 503, 0])
        #expect(steps.map { $0.curlCode } == [0, 0, 7])
        #expect(steps.map { $0.waitMilliseconds } == [0, 501, 1001])
        #expect(steps.map { $0.dropsCredentials } == [true, false, false])
        #expect(steps.map { $0.url.bytes.string } == ["http://other/b", "", ""])
        state.abandon()
        #expect(state.receive(.begin(exchange, retried)) == .send && state.recorder == nil)
    }

    @Test("events in any order never trap, and each beginning has at most one outcome")
    func anyOrder() {
        let steps: [Step] = [
            .begin, ok, blank, found, line("Location: /b\r\n"), line("Content-Length: -5\r\n"), line(" x\r\n"),
            line(""),
            .body(0), .body(7), .body(-1), .body(Int.max), .finished(0, redirect: "http://h/b"),
            .finished(23, redirect: nil), .finished(7, redirect: nil), done, .again, .enough,
            line("HTTP/1.1 503 Later\r\n"),
        ]
        let exchange = Exchange(method: "GET", url: "http://h/a")
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var state = TransferState()
            var begun = 0
            var outcomes = 0
            for _ in 0..<24 {
                let step = steps.randomElement(using: &random) ?? .begin
                let action = step.tell(&state, exchange, .init(bodyBytes: 50, retry: RetryRules(limit: 2)))
                if case .begin = step, action == .send { begun += 1 }
                switch action {
                case .deliver: outcomes += 1
                case .fail(let fault) where fault != .disorder: outcomes += 1
                default: break
                }
            }
            #expect(outcomes <= begun)
        }
    }
}
