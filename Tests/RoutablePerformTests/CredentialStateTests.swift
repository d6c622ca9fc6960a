// statement A5 as tables: the decisions of a credential, without a network.

import RoutableCore
import Testing

@testable import RoutablePerform

private enum Step: Sendable {
    case admit(Int64, CredentialState.Decision)
    case refused(Int, Int64, CredentialState.Decision)
    case refreshed(Int, Int64, lifetime: Int64?, counts: Bool)
    case failed(Int, isFinal: Bool)
    case replaced(hasToken: Bool, canRefresh: Bool)
}

private struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var hasToken = true
    var canRefresh = true
    var lifetime: Int64?
    var steps: [Step]
    var testDescription: String { name }
}

private let sixRefreshes: [Step] = {
    var steps: [Step] = []
    for number in 0..<5 {
        let now = Int64(number) * 1000
        steps.append(.refused(number, now, .refresh))
        steps.append(.refreshed(number, now + 1, lifetime: nil, counts: true))
    }
    return steps + [.refused(5, 29_999, .excessive), .admit(29_999, .go(5)), .refused(5, 30_000, .refresh)]
}()

/// Tokens with a lifetime of one second, each used until it expires.
private let shortLives: [Step] = {
    var steps: [Step] = [.admit(0, .refresh), .refreshed(0, 0, lifetime: 1000, counts: true)]
    for number in 1..<20 {
        let now = Int64(number) * 1000
        steps += [.admit(now - 101, .go(number)), .admit(now, .refresh), .refreshed(number, now, lifetime: 1000, counts: true)]
    }
    return steps
}()

/// Tokens that expire before they can be used.
private let noLives: [Step] = {
    var steps: [Step] = []
    for number in 0..<5 {
        steps += [.admit(Int64(number) * 100, .refresh), .refreshed(number, Int64(number) * 100, lifetime: 0, counts: true)]
    }
    return steps + [.admit(899, .excessive)]
}()

private let rows: [Row] = [
    Row(name: "A5 a token goes out as it is", steps: [.admit(0, .go(0)), .admit(1 << 40, .go(0))]),
    Row(
        name: "A5 no token: one refresh first, and all others wait", hasToken: false,
        steps: [
            .admit(0, .refresh), .admit(1, .wait), .refused(0, 2, .wait), .refreshed(0, 3, lifetime: nil, counts: true),
            .admit(4, .go(1)),
        ]),
    Row(
        name: "A5 a token is refreshed before it expires", lifetime: 200_000,
        steps: [
            .admit(189_999, .go(0)), .admit(190_000, .refresh), .refreshed(0, 190_001, lifetime: 1000, counts: true),
            .admit(190_900, .go(1)), .admit(190_901, .refresh),
        ]),
    Row(
        name: "A5 a 401 to an older token is another attempt",
        steps: [
            .refused(0, 0, .refresh), .refreshed(0, 1, lifetime: nil, counts: true), .refused(0, 2, .go(1)),
            .refused(1, 3, .refresh),
        ]),
    Row(name: "A5 nothing to show", hasToken: false, canRefresh: false, steps: [.admit(0, .missing)]),
    Row(
        name: "A5 what cannot be refreshed is refused, and goes out also when it is stale", canRefresh: false, lifetime: 1,
        steps: [.admit(5, .go(0)), .refused(0, 6, .refused)]),
    Row(
        name: "A5 a refresh that failed is remembered for that token",
        steps: [
            .refused(0, 0, .refresh), .failed(0, isFinal: true), .refused(0, 1, .failed), .admit(2, .go(0)),
            .replaced(hasToken: true, canRefresh: true), .refused(0, 3, .go(1)), .refused(1, 4, .refresh),
        ]),
    Row(
        name: "A5 without a token it fails at once then", hasToken: false,
        steps: [.admit(0, .refresh), .failed(0, isFinal: true), .admit(1, .failed), .admit(2, .failed)]),
    Row(
        name: "A5 a failure of the network is not remembered", hasToken: false,
        steps: [.admit(0, .refresh), .failed(0, isFinal: false), .admit(1, .refresh)]),
    Row(name: "A5 the sixth refresh within 30 s is one too many; later it is not", steps: sixRefreshes),
    Row(name: "A5 a token that has reached the end of its lifetime does not count", hasToken: false, steps: shortLives),
    Row(name: "A5 tokens without a lifetime count", hasToken: false, steps: noLives),
    Row(
        name: "A5 a refresh that is repeated counts, also at the end of a lifetime", lifetime: 1000,
        steps: (0..<6).flatMap { [.admit(1000 + $0, .refresh), .failed(0, isFinal: false)] as [Step] }
            + [.admit(2000, .excessive)]),
    Row(
        name: "A5 what a refresh brings does not count when the host has set another credential",
        steps: [
            .refused(0, 0, .refresh), .replaced(hasToken: true, canRefresh: true), .admit(1, .wait),
            .refreshed(0, 2, lifetime: nil, counts: false), .admit(3, .go(1)),
        ]),
    Row(
        name: "A5 lifetimes beyond all reason", lifetime: .max,
        steps: [
            .admit(1 << 41, .go(0)), .refused(0, 0, .refresh), .refreshed(0, 0, lifetime: -5, counts: true),
            .admit(0, .refresh),
        ]),
]

@Suite("A credential")
struct CredentialStateTests {
    @Test("decides as the table says", arguments: rows)
    fileprivate func decides(_ row: Row) {
        var state = CredentialState(hasToken: row.hasToken, canRefresh: row.canRefresh, lifetime: row.lifetime)
        for (index, step) in row.steps.enumerated() {
            switch step {
            case .admit(let now, let expected): #expect(state.admit(now: now) == expected, "step \(index)")
            case .refused(let sent, let now, let expected): #expect(state.refused(sent, now: now) == expected, "step \(index)")
            case .refreshed(let old, let now, let lifetime, let counts):
                #expect(state.refreshed(old, lifetime: lifetime, now: now) == counts, "step \(index)")
            case .failed(let old, let isFinal): state.refreshFailed(old, isFinal: isFinal)
            case .replaced(let hasToken, let canRefresh):
                state.replaced(hasToken: hasToken, canRefresh: canRefresh, lifetime: nil, now: 0)
            }
        }
    }

    @Test("A5 a transfer asks for newer credentials after a 401, and only while it shows any")
    func challenge() {
        var exchange = Exchange(method: "GET", url: "http://h/a")
        exchange.isAuthorized = true
        func answer(_ state: inout TransferState, _ status: StaticString, redirect: Bytes? = nil) -> TransferState.Action {
            func tell(_ text: StaticString) {
                _ = state.receive(.line(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)))
            }
            tell(status)
            if redirect != nil { tell("Location: x\r\n") }
            tell("\r\n")
            return state.receive(.finished(0, redirect: redirect.map { Text($0) }))
        }
        var state = TransferState()
        #expect(state.receive(.begin(exchange, .init())) == .send)
        #expect(answer(&state, "HTTP/1.1 401 No\r\n") == .challenge)
        var newer = exchange
        newer.headers.set(HeaderField("Authorization", "Bearer 2"))
        #expect(state.receive(.authorized(newer)) == .send)
        #expect(state.exchange.headers.value(of: "Authorization") == "Bearer 2")
        #expect(answer(&state, "HTTP/1.1 401 No\r\n") == .challenge)
        #expect(state.receive(.enough) == .deliver)
        // The request is suspended while a refresh runs; its continuation does not count as a retry.
        #expect(state.receive(.begin(exchange, .init())) == .send)
        #expect(answer(&state, "HTTP/1.1 401 No\r\n") == .challenge)
        let suspended = state.suspend()
        #expect(state.resume(suspended) == .send)
        #expect(state.retries == 0)
        // After a redirect to another origin, no credential is sent, and a 401 is returned.
        #expect(answer(&state, "HTTP/1.1 302 There\r\n", redirect: "http://other/a") == .send)
        #expect(answer(&state, "HTTP/1.1 401 No\r\n") == .deliver)
        #expect(state.receive(.authorized(newer)) == .fail(.disorder))
    }
}
