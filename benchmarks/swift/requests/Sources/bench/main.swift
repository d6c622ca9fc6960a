// Builds one nested request (statement R10) in each way, in alternation, and checks the documented limits: at most three
// allocations, and ten times as fast as URLComponents.

import CCounting
import Foundation
import Routable

let expected = "https://private-85a46-routable.apiary-mock.com/users/initFabian/statuses/3/comments/32352/users/fakeUser"

/// Arguments of the process, so that the compiler cannot evaluate the values.
let words = CommandLine.arguments.dropFirst()
let ids = words.count == 4 ? Array(words) : ["initFabian", "3", "32352", "fakeUser"]
let user = User.ID(ids[0])
let status = Status.ID(ids[1])
let other = User.ID(ids[3])

func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("\(reason)\n".utf8))
    exit(1)
}

@inline(never) func endpoint() -> Endpoint<User.Model> { Social.user(user).statuses(status).comments(ids[2]).users.get(other) }

@inline(never) func ours() -> Int {
    guard let request = try? endpoint().makeRequest() else { fail("refused") }
    return request.url.count
}

@inline(never) func oursAsURLRequest() -> Int { (try? endpoint().asURLRequest())?.url == nil ? 0 : expected.utf8.count }
@inline(never) func components() -> Int { Articles.byComponents(ids[0], ids[1], ids[2], ids[3])?.url == nil ? 0 : expected.utf8.count }
@inline(never) func pathComponent() -> Int {
    Articles.byPathComponent(ids[0], ids[1], ids[2], ids[3])?.url == nil ? 0 : expected.utf8.count
}

struct Way {
    let name: String
    let rounds: Int
    let build: () -> Int
    var best = Double.infinity
    var allocations: Double = 0
}

var ways = [
    Way(name: "Social.user(a).statuses(b).comments(c).users.get(d)", rounds: 2_000, build: ours),
    Way(name: "the same, as URLRequest", rounds: 1_000, build: oursAsURLRequest),
    Way(name: "URLComponents (article 002)", rounds: 1_000, build: components),
    Way(name: "appendingPathComponent (article 000)", rounds: 1_000, build: pathComponent),
]

guard (try? endpoint().makeRequest())?.url.bytes.string == expected,
    Articles.byComponents(ids[0], ids[1], ids[2], ids[3])?.url?.absoluteString == expected,
    Articles.byPathComponent(ids[0], ids[1], ids[2], ids[3])?.url?.absoluteString == expected
else { fail("the ways do not build the same URL") }

let clock = ContinuousClock()
for _ in 0..<100 {
    for index in ways.indices {
        let way = ways[index]
        var sum = 0
        let before = ccounting_allocations()
        let time = clock.measure { for _ in 0..<way.rounds { sum &+= way.build() } }
        let after = ccounting_allocations()
        guard sum == way.rounds * expected.utf8.count else { fail("\(way.name): another length") }
        let nanoseconds = Double(time.components.attoseconds) / 1e9 + Double(time.components.seconds) * 1e9
        ways[index].best = min(way.best, nanoseconds / Double(way.rounds))
        ways[index].allocations = Double(after - before) / Double(way.rounds)
    }
}

print("one nested request from Swift (R10)                       least     allocations")
for way in ways {
    let name = way.name.padding(toLength: 52, withPad: " ", startingAt: 0)
    print(name + String(format: "%8.0f ns   %9.1f", way.best, way.allocations))
}
let ratio = ways[2].best / ways[0].best
print(String(format: "%.1f times as fast as URLComponents", ratio))
if ways[0].allocations > 3.01 { fail("more than 3 allocations") }
if ratio < 10 { fail("less than 10 times as fast") }
