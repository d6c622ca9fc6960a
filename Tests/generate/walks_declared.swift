// RoutableApp's requests R7 to R12 (docs/statements.md, R) by the handwritten declaration, built, matched and performed.

import Routable

extension Social: MatchableAPI {
    public static let cases: [MatchCase<[String]>] = [
        .collection(Status.self, of: User.self) { ["\($0)"] },
        .member(User.self, Status.self) { ["\($0)", "\($1)"] },
        .member(Post.self, Comment.self) { ["\($0)", "\($1)"] },
        .member(User.self, Picture.self, Comment.self) { ["\($0)", "\($1)", "\($2)"] },
        .member(User.self, Status.self, Comment.self, User.self) { ["\($0)", "\($1)", "\($2)", "\($3)"] },
        .member(
            User.self, Picture.self, Comment.self, User.self, Status.self, Comment.self, User.self, Post.self,
            Comment.self, User.self, Status.self
        ) {
            ["\($0)", "\($1)", "\($2)", "\($3)", "\($4)", "\($5)", "\($6)", "\($7)", "\($8)", "\($9)", "\($10)"]
        },
    ]
}

@main
struct Program {
    static func main() async throws {
        let fabian = Social.user("initFabian")
        let longest = fabian.pictures("3").comments("507f191e810c19729de860ea").users("43").statuses("firstStatus")
            .comments("27").users("63").posts("4d6e5acebcd1b3fac9000002").comments("82").users("21").statuses.get("1")
        try await show(Social.user("2").statuses.get("2"), of: Social.self)
        try await show(Social.post("54").comments.get("43"), of: Social.self)
        try await show(fabian.statuses.get("2"), of: Social.self)
        try await show(fabian.pictures("2").comments.get("3"), of: Social.self)
        try await show(fabian.statuses("3").comments("32352").users.get("fakeUser"), of: Social.self)
        try await show(longest, of: Social.self)
        try await show(fabian.statuses.create(parameters: ["t": 1]), of: Social.self)
    }
}
