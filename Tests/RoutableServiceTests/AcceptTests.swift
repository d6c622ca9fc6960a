// The choice of a media type, and lists in headers: every edge case of RFC 9110 sections 5.6.1, 12.5.1 and 13.1.

import RoutableCore
import Testing

@testable import RoutableService

@Suite struct AcceptTests {
    static let offers: [Bytes] = ["application/json", "application/vnd.b+json;v=1", "text/csv"]

    @Test(
        arguments: [
            ("", 0), (" , ,", 0), ("*/*", 0), ("text/*", 2), ("text/*;q=0.2, */*;q=0.1", 2), ("TEXT/CSV", 2),
            ("text/csv;q=0.999, application/json;q=1.000", 0), ("text/csv;q=0.5,application/json;q=0.50", 0),
            ("application/vnd.b+json", 1), ("application/vnd.b+json;v=1", 1), ("application/vnd.b+json;v=2", nil),
            ("application/vnd.b+json;v=2, */*;q=0.1", 0), ("application/vnd.b+json;v=1;q=0, application/vnd.b+json", nil),
            ("application/json;q=0, application/*", 1), ("application/json;charset=\"utf-8\"", 0), ("image/png", nil),
            ("*/*;q=0", nil),
            ("*/*;q=0.000", nil), ("text/csv;q=1.1", 0), ("text/csv;q=0.0000, text/*", 2), ("text/csv;q=", 2), ("*/csv", nil),
            ("text/csv;q=0.9;ext=\"a,b\"", 2), ("a/b;x=\"\\\"\", text/csv", 2), ("a/b;x=\", text/csv", nil),
            ("a/b;x=\"\\", nil),
        ] as [(String, Int?)])
    func choice(accept: String, expected: Int?) {
        let offers = Self.offers.map { MediaOffer($0, nil) }
        #expect(Accept.choose(Bytes(accept), offers) == expected, "Accept: \(accept)")
    }

    @Test(
        arguments: [
            ("a", ["a"]), (" a , b,", ["a", "b"]), ("\"a,b\",c", ["\"a,b\"", "c"]), ("\"a\\\",b", ["\"a\\\"", "b"]),
            ("\"a, b", ["\"a, b"]),
        ] as [(String, [String])])
    func elements(header: String, expected: [String]) {
        var found: [String] = []
        ListElements.each(Bytes(header), escapes: false) { found.append($0.string) }
        #expect(found == expected, "header: \(header)")
    }

    @Test(
        arguments: [
            ("GET", nil, "\"1\"", "\"1\"", 304), ("GET", nil, "W/\"1\"", "W/\"1\"", 304), ("PUT", nil, "*", "\"1\"", 412),
            ("PUT", nil, "*", nil, 0), ("PUT", "*", nil, nil, 412), ("PUT", "\"1\"", nil, "\"1\"", 0),
            ("PUT", "W/\"1\"", nil, "\"1\"", 412),
            ("HEAD", "\"2\"", "\"1\"", "\"1\"", 412), ("GET", "", nil, "\"1\"", 412),
        ] as [(String, String?, String?, String?, Int32)])
    func conditions(method: String, ifMatch: String?, ifNoneMatch: String?, etag: String?, expected: Int32) {
        let conditions = ReplyConditions(
            method: Bytes(method), ifMatch: ifMatch.map { Bytes($0) }, ifNoneMatch: ifNoneMatch.map { Bytes($0) })
        #expect(conditions.status(etag.map { Bytes($0) }) == expected)
    }
}
