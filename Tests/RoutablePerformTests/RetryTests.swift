// Retries and Retry-After.

import RoutableCore
import Testing

@testable import RoutablePerform

private func after(_ text: String) -> RetryAfter? { Array(text.utf8).withUnsafeBytes { RetryAfter($0) } }

@Suite("Retry-After is seconds or a date, and anything else is nothing")
struct RetryAfterTests {
    @Test(
        "forms",
        arguments: [
            ("0", 0), ("120", 120), ("99999999999", 99_999_999_999),
            // A delay above any limit must not be read as no delay.
            ("99999999999999999999", .max), ("9223372036854775808", .max),
        ])
    func seconds(_ text: String, _ wanted: Int64) { #expect(after(text) == .seconds(wanted)) }

    @Test(
        "dates",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2028 12:00:00 GMT", 1_835_438_400), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ])
    func dates(_ text: String, _ wanted: Int64) { #expect(after(text) == .date(wanted)) }

    @Test(
        "nothing",
        arguments: [
            "", "-1", "1.5", "1 s", "soon", "Sun", "Sun, 06 Nov", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1960 08:49:37 GMT",
            "99999999999999999999 s", "Sun, 06 Nov 19940 08:49:37 GMT", "\u{0}",
        ])
    func nothing(_ text: String) { #expect(after(text) == nil) }

    @Test("any bytes are read, and a date is one that the calendar has")
    func anyBytes() {
        let alphabet = Array("Sun, 06 Nov 1994 08:49:37 GMT-0123456789:\0".utf8)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            if case .date(let seconds)? = bytes.withUnsafeBytes({ RetryAfter($0) }) {
                #expect(seconds >= 0 && seconds < 253_402_300_800 + 86_400)
            }
        }
    }
}

@Suite("A3 a wait doubles, is as long as the service asks, and never longer than allowed")
struct RetryTests {
    private let rules = RetryRules(limit: 9, delayMilliseconds: 500, maximumDelayMilliseconds: 4000)

    private func head(_ after: String?) -> ResponseHead {
        var head = ResponseHead()
        head.begin(503)
        if let after {
            let line = Array("Retry-After: \(after)".utf8)
            let isField = line.withUnsafeBytes { head.add($0) }
            #expect(isField)
        }
        return head
    }

    @Test("delays", arguments: [(1, 500), (2, 1000), (3, 2000), (4, 4000), (5, 4000), (99, 4000)])
    func delays(_ attempts: Int, _ wanted: Int64) { #expect(rules.retry(after: attempts, nil).delay == wanted) }

    @Test("a quarter by chance, at most")
    func chance() {
        let retry = rules.retry(after: 1, nil)
        #expect(retry.milliseconds(wallSeconds: 0, random: 0) == 500)
        let most = retry.milliseconds(wallSeconds: 0, random: .max)
        #expect(most == 624)
    }

    @Test(
        "what the service asks for",
        arguments: [
            ("0", 500), ("1", 1000), ("4", 4000), ("5", nil), ("Sun, 06 Nov 1994 08:49:40 GMT", 3000),
            ("Sun, 06 Nov 1994 08:00:00 GMT", 500), ("Sun, 06 Nov 1994 08:59:37 GMT", nil), ("soon", 500),
        ] as [(String, Int64?)])
    func asked(_ text: String, _ wanted: Int64?) {
        #expect(rules.retry(after: 1, head(text)).milliseconds(wallSeconds: 784_111_777, random: 0) == wanted)
    }
}
