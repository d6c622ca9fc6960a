// docs/statements.md, A10: the Accept header of a request, built in the quick and in the general way.

import Testing

@testable import RoutableCore

private let json: Bytes = "application/json"

/// The header of the only operation of a description, whose results have these media types.
private func accept(_ results: [(lowest: Int32, highest: Int32, types: [Bytes])], isTyped: Bool = false) throws -> Bytes? {
    var description = RouterDescription()
    description.base = "https://h"
    description.types = [TypeDescription(name: "T", schema: "{}")]
    var operation = OperationDescription(name: "get", method: "GET", path: "x", place: .root)
    for each in results {
        var result = ResultDescription(lowest: each.lowest, highest: each.highest, type: isTyped ? 0 : nil)
        result.contents = each.types.map { ResultContent(mediaType: $0, type: nil) }
        operation.results.append(result)
    }
    description.operations = [operation]
    return try Router.open(description).request(for: Call(operation: "get")).headers.value(of: "Accept")
}

@Suite("A10: the header Accept asks for the media types of successes")
struct AcceptedTypesTests {
    @Test(
        "JSON is first, ranges are last, and each has less weight than the one before it",
        arguments: [
            (["application/json"], "application/json"), (["a/b", "c/d+json"], "c/d+json, a/b;q=0.9"),
            (["*/*", "a/*", "a/b", "c/json"], "c/json, a/b;q=0.9, */*;q=0.8, a/*;q=0.7"),
            (["a/b;charset=x", "a/b", "A/B"], "a/b"), (["a/b;v=\"1,2\""], "a/b;v=\"1,2\""), (["*/b", "a", ""], nil),
        ] as [([Bytes], Bytes?)])
    func order(types: [Bytes], expected: Bytes?) throws { #expect(try accept([(200, 200, types)]) == expected) }

    @Test("at most 16 are named, with weights that stay above 0")
    func limit() throws {
        let types = (0..<1000).map { Bytes("a/b\($0)") }
        let ranges = try accept([(200, 200, types)])?.split(on: UInt8(ascii: ",")) ?? []
        let weights = ranges.map { $0.split(on: UInt8(ascii: ";")).dropFirst().first?.string }
        #expect(weights.count == 16 && weights.first == .some(nil))
        #expect(weights.dropFirst().map { $0 ?? "" } == (1...15).map { "q=0.\(max(1, 10 - $0))" })
    }

    @Test("other statuses count where no success has a body")
    func statuses() throws {
        #expect(try accept([(204, 204, [json]), (302, 302, ["a/b"]), (400, 499, [json])]) == "a/b")
        #expect(try accept([(200, 299, ["c/d"]), (302, 302, ["a/b"])]) == "c/d")
        #expect(try accept([(100, 999, ["a/b"])]) == "a/b")
        #expect(try accept([(100, 199, ["a/b"]), (205, 205, ["a/b"]), (304, 304, ["a/b"])]) == nil)
        #expect(try accept([(200, 200, [])], isTyped: true) == json)
        #expect(try accept([(204, 204, [])], isTyped: true) == nil)
    }

    @Test("endpoints of a declared resource have it, whether they are built in the usual or in the general way")
    func endpoints() throws {
        var description = try Social.described()
        description.types = [TypeDescription(name: "T", schema: "{}")]
        for index in description.resources.indices where description.resources[index].name == "status" {
            description.resources[index].type = 0
        }
        let planned = PlannedRouter(try Router.open(description))
        for _ in 0..<3 {
            let read = try Social.user("a").statuses.get("1").request(of: planned)
            #expect(read.headers.value(of: "Accept") == json && read.headers.count == 1)
            #expect(try User.get("a").request(of: planned).headers.isEmpty)
            let own = try Social.user("a").statuses.get("1").header("accept", "a/b").request(of: planned)
            #expect(own.headers.count == 1 && own.headers.value(of: "Accept") == "a/b" && own.hasOwnAccept)
            #expect(!read.hasOwnAccept && read.copy().hasOwnAccept == false)
            let edited = read.copy()
            edited.removeHeader("ACCEPT")
            #expect(edited.headers.isEmpty && edited.hasOwnAccept && read.headers.count == 1)
        }
    }
}
