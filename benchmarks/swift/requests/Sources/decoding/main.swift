// Decodes 100 KB of JSON as models with ModelDecoder and with JSONDecoder, alternately in one process, and prints the ratio of the
// medians; fails if it is over 0.5.

import Foundation
import Routable

struct Owner: Codable {
    var login: String
    var id: Int
    var site_admin: Bool
    var url: String
}

struct Issue: Codable {
    var id: Int
    var number: Int
    var title: String
    var body: String?
    var state: String
    var score: Double
    var locked: Bool
    var labels: [String]
    var user: Owner
    var assignee: Owner?
}

let issues = (0..<262).map { number in
    let owner = Owner(
        login: "user\(number)", id: 1000 + number, site_admin: number % 7 == 0,
        url: "https://api.example.com/users/user\(number)")
    return Issue(
        id: 1_000_000 + number, number: number, title: "The title of issue \(number), with \"quotes\"",
        body: number % 3 == 0 ? nil : "A body of some length, which describes what was expected and what happened instead.",
        state: "open",
        score: Double(number) * 1.25, locked: number % 2 == 0, labels: ["bug", "help wanted", "area/\(number % 10)"],
        user: owner,
        assignee: number % 2 == 0 ? owner : nil)
}
let data = try JSONEncoder().encode(issues)

func measure(_ work: () throws -> [Issue]) rethrows -> Double {
    let start = ContinuousClock.now
    let count = try work().count
    precondition(count == issues.count)
    return (ContinuousClock.now - start) / .microseconds(1)
}

let (ours, foundation) = (ModelDecoder(), JSONDecoder())
var own: [Double] = [], theirs: [Double] = []
for _ in 0..<400 {
    own.append(try measure { try ours.decode([Issue].self, from: data) })
    theirs.append(try measure { try foundation.decode([Issue].self, from: data) })
}
let (median, other) = (own.sorted()[200], theirs.sorted()[200])
let ratio = median / other
print(
    "\(data.count) bytes: ModelDecoder \(Int(median)) us, JSONDecoder \(Int(other)) us, ratio \((ratio * 1000).rounded() / 1000)"
)
if ratio > 0.5 { exit(1) }
