// Counts the allocations of one nested request (statement R10) after the first one.

import CCounting
import Routable

let expected = "https://private-85a46-routable.apiary-mock.com/users/initFabian/statuses/3/comments/32352/users/fakeUser"

// Arguments of the process, so that the compiler cannot evaluate the route.
let words = Array(CommandLine.arguments.dropFirst())
let user = User.ID(words[0])
let status = Status.ID(words[1])
let other = User.ID(words[3])

@inline(never) func build() -> Int {
    let endpoint = Social.user(user).statuses(status).comments(words[2]).users.get(other)
    return (try? endpoint.makeRequest())?.url.count ?? 0
}

let rounds = 1000
for _ in 0..<rounds where build() != expected.utf8.count { fatalError("another URL") }
let before = ccounting_allocations()
for _ in 0..<rounds { _ = build() }
print(Double(ccounting_allocations() - before) / Double(rounds))
