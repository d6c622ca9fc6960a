// RoutableApp's requests R7 to R12 (docs/statements.md, R) by the generated Swift file, built, matched and performed.

import Routable

extension Social: MatchableAPI {
    public static let cases: [MatchCase<[String]>] = [
        .collection(Social.Status.self, of: Social.User.self) { ["\($0)"] },
        .member(Social.User.self, Social.Status.self) { ["\($0)", "\($1)"] },
        .member(Social.Post.self, Social.Comment.self) { ["\($0)", "\($1)"] },
        .member(Social.User.self, Social.Picture.self, Social.Comment.self) { ["\($0)", "\($1)", "\($2)"] },
        .member(Social.User.self, Social.Status.self, Social.Comment.self, Social.User.self) {
            ["\($0)", "\($1)", "\($2)", "\($3)"]
        },
        .member(
            Social.User.self, Social.Picture.self, Social.Comment.self, Social.User.self, Social.Status.self,
            Social.Comment.self, Social.User.self, Social.Post.self,
            Social.Comment.self, Social.User.self, Social.Status.self
        ) {
            ["\($0)", "\($1)", "\($2)", "\($3)", "\($4)", "\($5)", "\($6)", "\($7)", "\($8)", "\($9)", "\($10)"]
        },
    ]
}

@main
struct Program {
    static func main() async throws {
        let fabian = Social.user("initFabian")
        let longest = fabian.picture("3").comment("507f191e810c19729de860ea").user("43").status("firstStatus")
            .comment("27").user("63").post("4d6e5acebcd1b3fac9000002").comment("82").user("21").status.get("1")
        let endpoints = [
            Social.user("2").status.get("2"), Social.post("54").comment.get("43"), fabian.status.get("2"),
            fabian.picture("2").comment.get("3"), fabian.status("3").comment("32352").user.get("fakeUser"), longest,
            fabian.status.create(parameters: ["t": 1]),
        ]
        for endpoint in endpoints { try await show(endpoint, of: Social.self) }
    }
}
