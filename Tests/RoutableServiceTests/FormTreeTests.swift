// The names of form fields as steps.

import RoutableCore
import Testing

@testable import RoutableService

@Suite struct FormTreeTests {
    private func steps(_ name: Bytes, dots: Bool = false) -> [String] {
        var encoding = FormEncoding()
        encoding.keyPaths = dots ? .dots : .brackets
        return FormTree.path(name, encoding).map {
            switch $0 {
            case .member(let name): name.string
            case .element: "[]"
            }
        }
    }

    @Test func brackets() {
        #expect(steps("a") == ["a"])
        #expect(steps("a[b][]") == ["a", "b", "[]"])
        #expect(steps("a[]") == ["a", "[]"])
        #expect(steps("[a]") == ["", "a"])
        #expect(steps("[]") == ["", "[]"])
        #expect(steps("a[b") == ["a[b"])
        #expect(steps("a[b[]") == ["a[b", "[]"])
        #expect(steps("a[]b") == ["a[]b"])
        #expect(steps("a[]b[]") == ["a[]b", "[]"])
        #expect(steps("a[b[c]") == ["a", "b[c"])
        #expect(steps("a[b]c]") == ["a[b]c]"])
    }

    @Test func dots() {
        #expect(steps("a.b[]", dots: true) == ["a", "b", "[]"])
        #expect(steps("a[b]", dots: true) == ["a[b]"])
    }

    @Test func targets() throws {
        func target(_ text: StaticString) throws -> Target {
            try Target(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
        let absolute = try target("https://h.example?a=1")
        #expect(absolute.path.isEmpty)
        #expect(absolute.query == 18..<21)
        #expect(try target("/a?b?c").query == 3..<6)
        #expect(throws: Failure.self) { _ = try target("a") }
        #expect(throws: Failure.self) { _ = try target("ftp://h/a") }
        #expect(throws: Failure.self) { _ = try target("/a b") }
    }
}
