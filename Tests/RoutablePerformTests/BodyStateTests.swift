// The decisions of the state machine about bodies that are not in memory, and the Content-Range header.

import RoutableCore
import Testing

@testable import RoutablePerform

/// A request whose body can be read once, or again.
private func exchange(_ method: Bytes = "PUT", canRewind: Bool, isRead: Bool) -> Exchange {
    let source = BodySource(length: nil, read: { _ in .bytes(0) }, rewind: canRewind ? { true } : nil, release: nil)
    let streams = TransferStreams(receiver: nil, progress: nil)
    var exchange = Exchange(method: method, url: "http://h/a")
    exchange.streams = streams
    exchange.upload = Upload(StreamedBody([.init(source: source)]), streams)
    if isRead {
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(exchange.upload?.begin() == true)
        buffer.withUnsafeMutableBytes { _ = exchange.upload?.step(into: $0) }
    }
    return exchange
}

private let redirected = "HTTP/1.1 307 Temporary Redirect\r\nLocation: /b\r\n\r\n"

private func state(after text: String, _ exchange: Exchange, _ rules: TransferState.Rules = .init()) -> TransferState {
    var state = TransferState()
    #expect(state.receive(.begin(exchange, rules)) == .send)
    for line in text.split(separator: "\r\n", omittingEmptySubsequences: false).dropLast() {
        Array("\(line)\r\n".utf8).withUnsafeBytes { _ = state.receive(.line($0)) }
    }
    return state
}

@Suite struct BodyStateTests {
    @Test(arguments: [(true, true, true), (true, false, true), (false, false, true), (false, true, false)])
    func repeatable(_ canRewind: Bool, _ isRead: Bool, _ expected: Bool) {
        let exchange = exchange(canRewind: canRewind, isRead: isRead)
        #expect(RetryRules.isRepeatable(exchange) == expected)
        var state = state(after: redirected, exchange)
        let action = state.receive(.finished(0, redirect: "http://h/b"))
        #expect(action == (expected ? .send : .fail(.bodySpent)))
    }

    @Test func aRedirectWithoutTheBody() {
        var state = state(
            after: "HTTP/1.1 303 See Other\r\nLocation: /b\r\n\r\n", exchange("POST", canRewind: false, isRead: true))
        #expect(state.receive(.finished(0, redirect: "http://h/b")) == .send)
        #expect(state.exchange.upload == nil)
    }

    @Test func anotherAttemptAtOnce() {
        var state = state(after: "HTTP/1.1 416 Range Not Satisfiable\r\n\r\n", Exchange(method: "GET", url: "http://h/a"))
        #expect(state.receive(.repeated) == .send)
        #expect(state.retries == 0)
    }

    @Test func anotherAttemptAfterAWait() {
        var state = state(after: "HTTP/1.1 200 OK\r\n\r\n", Exchange(method: "GET", url: "http://h/a"))
        let wait = Retry(delay: 10, maximumDelay: .max)
        #expect(state.receive(.interrupted(wait, 0)) == .retry(wait))
        let suspended = state.suspend()
        #expect(state.resume(suspended) == .send)
        #expect(state.receive(.interrupted(wait, 0)) == .retry(wait))
        #expect(state.receive(.enough) == .deliver)
    }

    /// An interrupted response is not returned if there is no time for another attempt; a response over the limit is not requested again.
    @Test func noOtherAttempt() {
        let wait = Retry(delay: 10, maximumDelay: .max)
        for code in [7, 28, 56] as [Int32] {
            var state = state(after: "HTTP/1.1 200 OK\r\n\r\n", Exchange(method: "GET", url: "http://h/a"))
            #expect(state.receive(.interrupted(wait, code)) == .retry(wait))
            #expect(state.receive(.enough) == .fail(.curl(code)))
        }
        var large = state(
            after: "HTTP/1.1 404 Not Found\r\n\r\n", Exchange(method: "GET", url: "http://h/a"), .init(bodyBytes: 10))
        #expect(large.receive(.body(11)) == .stop)
        #expect(large.receive(.interrupted(wait, 23)) == .fail(.bodyTooLarge))
    }

    @Test func limits() {
        var rules = TransferState.Rules(bodyBytes: 10)
        var exchange = Exchange(method: "GET", url: "http://h/a")
        exchange.streams = TransferStreams(receiver: Receiver(), progress: nil)
        var unlimited = state(after: "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", exchange, rules)
        #expect(unlimited.receive(.body(1000)) == .keep)
        rules.streamBytes = 500
        var limited = state(after: "HTTP/1.1 200 OK\r\n\r\n", exchange, rules)
        #expect(limited.receive(.body(500)) == .keep)
        #expect(limited.receive(.body(1)) == .stop)
        #expect(limited.receive(.finished(23, redirect: nil)) == .fail(.bodyTooLarge))
        var failed = state(after: "HTTP/1.1 404 Not Found\r\n\r\n", exchange, rules)  // in memory, with its limit
        #expect(failed.receive(.body(11)) == .stop)
    }

    @Test(arguments: [
        ("bytes 0-9/10", 0, 9, 10), ("bytes 0-8/10", 0, 8, 10), ("bytes 5-9/*", 5, 9, -1), ("Bytes 5-5/6", 5, 5, 6),
        ("bytes */10", -1, -1, -1),
        ("bytes 9-5/10", -1, -1, -1), ("bytes 0-10/10", -1, -1, -1), ("bytes 0-9", -1, -1, -1), ("items 0-9/10", -1, -1, -1),
        ("bytes -1-9/10", -1, -1, -1), ("bytes 0-9/10/11", -1, -1, -1), ("bytes 99999999999999999999-9/10", -1, -1, -1),
        ("", -1, -1, -1),
    ])
    func contentRange(_ text: String, _ first: Int64, _ last: Int64, _ total: Int64) {
        let range = ContentRange(Bytes(text))
        #expect(range?.first == (first < 0 ? nil : first))
        #expect(range?.last == (first < 0 ? nil : last))
        #expect(range?.total == (total < 0 ? nil : total))
        #expect((range?.isLast ?? false) == (total > 0 && last == total - 1))
    }
}
