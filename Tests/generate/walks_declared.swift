// RoutableApp's requests R7 to R12 (docs/statements.md, R) by the declaration that was written by hand: method, URL and body of each.

import RoutableCore

@main
struct Program {
    static func main() throws {
        let router = try Social.router()
        let fabian = Social.user("initFabian")
        let longest = fabian.pictures("3").comments("507f191e810c19729de860ea").users("43").statuses("firstStatus")
            .comments("27").users("63").posts("4d6e5acebcd1b3fac9000002").comments("82").users("21").statuses.get("1")
        print(try line(Social.user("2").statuses.get("2"), router))
        print(try line(Social.post("54").comments.get("43"), router))
        print(try line(fabian.statuses.get("2"), router))
        print(try line(fabian.pictures("2").comments.get("3"), router))
        print(try line(fabian.statuses("3").comments("32352").users.get("fakeUser"), router))
        print(try line(longest, router))
        print(try line(fabian.statuses.create(parameters: [Value.Member(name: "t", value: .integer(1))]), router))
    }

    static func line<Output>(_ endpoint: Endpoint<Output>, _ router: Router) throws -> String {
        let request = try router.request(for: endpoint)
        let body = request.body.map { " \($0.bytes.string)" } ?? ""
        return "\(request.method.bytes.string) \(request.url.bytes.string)\(body)"
    }
}
