// Hostile paths: bounded time, and no read out of bounds.

import Foundation
import Testing

@testable import RoutableCore

@Suite("A hostile path")
struct HostilePathTests {
    private let router: Router

    init() throws {
        router = try RoutableCoreTests.router([
            "GET /users/{id}", "GET /users/me/{x}", "GET /users/{n}/posts/{post}", "GET /longer-than-sixteen-bytes/{x}.json",
            "GET /longer-than-sixteen-byteS", "GET /f/{rest*}", "GET /a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p", "GET /{a}-{b}-{c}/{d}",
            "GET /trailing/", "GET /",
        ]) { $0[2].ids = [typed("n", scalar(.integer))] }
    }

    /// Bytes at the end of a page that is followed by a protected page, and bytes at the start of a page that follows one.
    private struct GuardedPages {
        let start: UnsafeMutableRawPointer
        let size = 4 << 20
        private let page = 4096

        init() throws {
            let all = try #require(mmap(nil, size + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
            try #require(
                all != MAP_FAILED && mprotect(all, page, PROT_NONE) == 0 && mprotect(all + page + size, page, PROT_NONE) == 0)
            start = all + page
        }

        func atEnd(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
            let target = start + size - bytes.count
            bytes.withUnsafeBytes {
                target.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(target), byteCount: bytes.count)
            }
            return UnsafeRawBufferPointer(start: target, count: bytes.count)
        }

        func atStart(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
            bytes.withUnsafeBytes { start.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(start), byteCount: bytes.count) }
            return UnsafeRawBufferPointer(start: start, count: bytes.count)
        }

        func free() { munmap(start - page, size + 2 * page) }
    }

    @Test("is read within its bounds: paths at the edge of memory match as others do")
    func guardPages() throws {
        let pages = try GuardedPages()
        defer { pages.free() }
        let result = UnsafeMutableRawPointer.allocate(byteCount: MatchLayout.byteCount, alignment: 8)
        defer { result.deallocate() }
        var generator = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
        let texts = [
            "users", "me", "7", "posts", "a", "b", "f", "longer-than-sixteen-bytes", "x.json", "a-b-c", "%75sers", "", "?q",
            "trailing", "%", "%4",
        ]
        var paths = (0..<20_000).map { _ in
            Array((0..<generator.below(9)).map { _ in "/" + generator.pick(texts) }.joined().utf8)
        }
        for count in 0..<200 { paths.append(Array(("/" + String(repeating: "x", count: count)).utf8)) }
        for count in 0..<200 { paths.append([UInt8](repeating: 0x2F, count: count)) }
        for path in paths {
            let expected = router.matched(bytes: path)
            for text in [pages.atEnd(path), pages.atStart(path)] {
                for options: MatchOptions in [[], [.anySlash, .foldCase, .mergeSlashes]] {
                    let status = router.matchStatus(of: nil, text, options, result)
                    if options.isEmpty { #expect(status == expected.status, "\(String(decoding: path, as: UTF8.self))") }
                }
            }
        }
    }

    @Test(
        "of any shape costs a bounded time",
        arguments: [
            "slashes", "one segment", "ten thousand segments", "NUL", "not UTF-8", "escapes", "no slash", "dashes", "captures",
        ])
    func shapes(name: String) {
        let megabyte = 1 << 20
        let path: [UInt8] =
            switch name {
            case "slashes": [UInt8](repeating: 0x2F, count: megabyte)
            case "one segment": Array("/users/".utf8) + [UInt8](repeating: 0x78, count: megabyte)
            case "ten thousand segments": Array(String(repeating: "/a", count: 10_000).utf8)
            case "NUL": Array("/users/\0\0".utf8)
            case "not UTF-8": Array("/users/".utf8) + [0xFF, 0xC0, 0x80]
            case "escapes": Array(("/users/" + String(repeating: "%2F", count: megabyte / 3)).utf8)
            case "no slash": [UInt8](repeating: 0x78, count: megabyte)
            case "dashes": Array("/".utf8) + [UInt8](repeating: 0x2D, count: megabyte) + Array("/x".utf8)
            default: Array("/f/".utf8) + Array(String(repeating: "x/", count: megabyte / 2).utf8) + [0x78]
            }
        let expected: [String: RoutableCore.Status] = [
            "one segment": .ok, "NUL": .ok, "not UTF-8": .ok, "escapes": .ok, "dashes": .ok, "captures": .ok,
        ]
        let clock = ContinuousClock()
        for options: MatchOptions in [[], .all.subtracting(.wholePath)] {
            var status = RoutableCore.Status.internal
            let time = clock.measure { status = router.matched(bytes: path, options).status }
            if options.isEmpty { #expect(status == expected[name] ?? .noMatch, "\(name)") }
            #expect(time < .seconds(2), "\(name) \(options) took \(time)")
        }
    }

    @Test("that could be walked in 2^30 ways is answered, and right")
    func exponential() throws {
        // Two resources with one path, distinguished only by their priorities: each step has two alternatives.
        var description = RouterDescription()
        for (name, pattern) in [("a", "[a-m0]+"), ("b", "[0-z]+")] {
            var resource = ResourceDescription(name: Bytes(name), path: "x")
            resource.ids[0].scalar.pattern = try Pattern.compile(Bytes(pattern))
            resource.children = ["a", "b"]
            var both = OperationDescription(name: "both", method: "GET", path: "/end", place: .member)
            both.priority = name == "a" ? 1 : 0
            resource.operations = [
                both, OperationDescription(name: "one", method: "GET", path: Bytes("/end/" + name), place: .member),
            ]
            description.resources.append(resource)
        }
        let router = try Router.open(description)
        let clock = ContinuousClock()
        var got = router.matched("/")
        let time = clock.measure {
            got = router.matched(String(repeating: "/x/0", count: 30) + "/end/c")
            #expect(got.status == .noMatch)
            got = router.matched(String(repeating: "/x/0", count: 30) + "/end/b")
        }
        #expect(got.status == .ok && got.captures.count == 30)
        #expect(got.captures.last?.resource == 1)
        #expect(time < .seconds(5), "\(time)")
    }

    @Test("is checked against types as building checks values")
    func checks() throws {
        var generator = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
        let pieces = [
            "1", "0", "-", "9223372036854775807", ".", "5", "e+2", "true", "false", "a", "é", "2020-02-29", "2021-02-29",
            "T01:02:03Z", "0c7e6a40-1111-4222-8333-944455556666", "\u{1F600}",
        ]
        var scalars = [scalar(.integer), scalar(.number), scalar(.boolean)]
        scalars.append(scalar(.integer) { ($0.minimum, $0.maximum) = (-3, 90) })
        scalars.append(scalar(.number) { $0.minimum = 0.5 })
        scalars.append(scalar(.string) { ($0.minimumLength, $0.maximumLength) = (2, 3) })
        for format in [Scalar.Format.uuid, .date, .dateTime] { scalars.append(scalar(.string) { $0.format = format }) }
        scalars.append(scalar(.string) { $0.values = ["1", "true", "é"] })
        let digits = try Pattern.compile("[0-9a]{1,3}")
        scalars.append(scalar(.string) { $0.pattern = digits })
        for scalar in scalars {
            let router = try RoutableCoreTests.router(["GET /{x}"]) { $0[0].ids = [typed("x", scalar)] }
            for _ in 0..<500 {
                let text = Bytes((0..<(1 + generator.below(3))).map { _ in generator.pick(pieces) }.joined())
                let got = router.matched(bytes: [0x2F] + PercentCoding.encode(text, .unreserved).storage)
                #expect((got.status == .ok) == scalar.accepts(text), "\(scalar.kindName) \(text)")
            }
        }
    }
}
