// The grammar of path templates, which is the same for parsing in one call and in parts.

import Testing

@testable import RoutableCore

@Suite("A path template")
struct TemplateTests {
    /// The segments as a string: literals unchanged, `{name}`, `{name*}`; a bar between segments; a trailing slash.
    private func shown(_ source: String) -> String {
        do {
            let template = try Template(Bytes(source))
            let segments = template.segments.map { segment in
                segment.pieces.map { piece -> String in
                    switch piece {
                    case .literal(let text): text.string
                    case .parameter(let name): "{\(name)}"
                    case .catchAll(let name): "{\(name)*}"
                    }
                }.joined(separator: "+")
            }
            #expect(template.segmentCount == segments.count && template.parameterCount == template.parameterNames.count)
            return segments.joined(separator: "|") + (template.hasTrailingSlash ? "/" : "")
        } catch {
            return "refused"
        }
    }

    @Test(
        "is cut into segments and pieces",
        arguments: [
            ("", ""), ("/", ""), ("//", "refused"), ("/a", "a"), ("a/b", "a|b"), ("/a/", "a/"), ("/a//", "refused"),
            ("/a//b", "refused"), ("/:id", "{id}"), ("/:a-b", ":a-b"), ("/:", ":"), ("/a:b", "a:b"), ("/{a-b.c}", "{a-b.c}"),
            ("/{id}/x", "{id}|x"), ("/{id}.json", "{id}+.json"), ("/{a}...{b}", "{a}+...+{b}"), ("/{a}{b}", "refused"),
            ("/{rest*}", "{rest*}"), ("/x{rest*}", "refused"), ("/{rest*}x", "refused"), ("/{rest*}/x", "refused"),
            ("/{rest*}/", "refused"), ("/{{x}}", "{x}"), ("/{x", "refused"), ("/x}", "refused"), ("/{}", "refused"),
            ("/{a b}", "refused"), ("/%75sers", "users"), ("/%7", "refused"), ("/a%2Fb", "a/b"), ("/%00", "refused"),
            ("/.", "refused"), ("/a/..", "refused"), ("/...", "..."), ("/%2E%2E", "refused"), ("/.{a}", ".+{a}"),
            ("/{a}/{a}", "refused"), ("/:a/{a}", "refused"), ("/{a}/{b}/", "{a}|{b}/"), ("/a?b", "refused"),
            ("/a#b", "refused"),
            ("/\u{E9}", "\u{E9}"), ("/a\u{1}", "refused"), ("/~a!$", "~a!$"),
        ])
    func pieces(source: String, expected: String) { #expect(shown(source) == expected, "\(source)") }

    @Test("has no more than its limit of parameters")
    func limit() {
        let many = (0...Limits.idsPerRoute).map { "/{p\($0)}" }.joined()
        #expect(shown(many) == "refused")
        #expect(shown(String(many.dropLast(6))) != "refused")
    }

    @Test("says where its literals are, written as they are or not")
    func text() throws {
        for source in ["/users/{id}", "/%75sers/{id}", "/us{{ers/{id}", "/{id}.json/x"] {
            let template = try Template(Bytes(source))
            #expect(template.isOf(Bytes(source)))
            #expect(!template.isOf(Bytes(source + "x")))
            #expect(template.parts.last?.isLast == true)
        }
    }
}
