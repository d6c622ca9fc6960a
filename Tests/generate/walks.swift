// RoutableApp's requests R7 to R12 (docs/statements.md, R) by the generated Swift file: method, URL and body of each.

import Routable

@main
struct Program {
    static func main() throws {
        let router = try Social.router()
        let fabian = Social.user("initFabian")
        let longest = fabian.picture("3").comment("507f191e810c19729de860ea").user("43").status("firstStatus")
            .comment("27").user("63").post("4d6e5acebcd1b3fac9000002").comment("82").user("21").status.get("1")
        let endpoints = [
            Social.user("2").status.get("2"), Social.post("54").comment.get("43"), fabian.status.get("2"),
            fabian.picture("2").comment.get("3"), fabian.status("3").comment("32352").user.get("fakeUser"), longest,
            fabian.status.create(parameters: [Value.Member(name: "t", value: .integer(1))]),
        ]
        for endpoint in endpoints { print(try line(endpoint, router)) }
    }

    static func line(_ endpoint: Endpoint<Untyped>, _ router: APIRouter) throws -> String {
        let request = try router.request(for: endpoint)
        let body = request.body.map { " \($0.bytes.string)" } ?? ""
        return "\(request.method.bytes.string) \(request.url.bytes.string)\(body)"
    }
}
