// Property tests with random routers: the engine agrees with the naive matcher, and building agrees with matching.

import Foundation
import Testing

@testable import RoutableCore

@Suite("Matching, over random routers")
struct MatchPropertyTests {
    /// The number that `make check` sets; the seed of a failure repeats it.
    private static let cases = Int(ProcessInfo.processInfo.environment["ROUTABLE_CASES"] ?? "") ?? 200_000
    private static let seed =
        UInt64(ProcessInfo.processInfo.environment["ROUTABLE_SEED"] ?? "") ?? UInt64.random(in: 0...UInt64.max)

    @Test("answers as a naive matcher does")
    func sameAsNaive() throws {
        print("seed \(Self.seed)")
        var routes = RandomRoutes(generator: SeededGenerator(seed: Self.seed))
        var counts = (cases: 0, found: 0, conflicts: 0, routers: 0, other: 0)
        while counts.cases < Self.cases {
            let router: Router
            do { router = try Router.open(routes.description()) } catch {
                if error.status == .conflict { counts.conflicts += 1 } else { counts.other += 1 }
                continue
            }
            counts.routers += 1
            let naive = NaiveMatcher(router)
            for _ in 0..<25 {
                counts.cases += 1
                let path = routes.path(router)
                let expected = naive.answer(path)
                let got = router.matched(bytes: path)
                if !expected.candidates.isEmpty { counts.found += 1 }
                guard isSame(router, path, expected, got) else {
                    Issue.record(
                        """
                        seed \(Self.seed), case \(counts.cases)
                        routes:   \(lines(router))
                        input:    \(String(decoding: path, as: UTF8.self))
                        expected: \(expected)
                        got:      \(got)
                        """)
                    return
                }
            }
        }
        print("\(counts)")
        #expect(counts.found > counts.cases / 10)
        #expect(counts.routers > counts.conflicts / 20)
    }

    private func isSame(_ router: Router, _ path: [UInt8], _ expected: NaiveMatcher.Answer, _ got: Matched) -> Bool {
        if expected.isOpen { return got.status == .ok }
        if expected.isAmbiguous { return false }
        guard !expected.candidates.isEmpty else { return got.status == .noMatch && got.captures.isEmpty }
        let methods = expected.candidates.map(\.method).sorted { Bytes($0) < Bytes($1) }
        guard got.status == .ok, got.methods == methods, Set(methods).count == methods.count else { return false }
        for candidate in expected.candidates {
            let one = router.matched(bytes: path, method: candidate.method)
            guard one.status == .ok, one.operation == candidate.operation, one.captures == candidate.captures else {
                return false
            }
        }
        let other = router.matched(bytes: path, method: "GETS")
        return other.status == .methodNotAllowed && other.methods == methods && other.operation == nil
    }

    @Test("is the inverse of building, or building refuses; and no value changes the shape of a URL")
    func inverse() throws {
        print("seed \(Self.seed)")
        var routes = RandomRoutes(generator: SeededGenerator(seed: Self.seed &+ 1))
        var counts = (built: 0, shadowed: 0, refused: 0, plans: 0)
        while counts.built + counts.shadowed + counts.refused < Self.cases / 10 {
            var description = routes.description()
            description.base = "http://h"
            guard let router = try? Router.open(description) else { continue }
            for _ in 0..<10 {
                guard let plan = randomPlan(router, &routes) else { continue }
                counts.plans += 1
                for _ in 0..<5 {
                    let values = (0..<plan.idCount).map { _ in routes.value() }
                    switch try check(router, plan, values) {
                    case .ok: counts.built += 1
                    case .shadowed: counts.shadowed += 1
                    default: counts.refused += 1
                    }
                }
            }
        }
        print("\(counts)")
        #expect(counts.built > counts.refused / 10)
        #expect(counts.shadowed > 0)
    }

    private func randomPlan(_ router: Router, _ routes: inout RandomRoutes) -> Plan? {
        if let free = router.operations.randomElement(using: &routes.generator), routes.generator.chance(40) {
            return try? Plan.make(router, route: "", operation: free.name.bytes)
        }
        guard var resource = router.resources.randomElement(using: &routes.generator) else { return nil }
        var names = [resource.name.bytes]
        while let child = resource.children.randomElement(using: &routes.generator), routes.generator.chance(50) {
            resource = router.resources[child]
            names.append(resource.name.bytes)
        }
        guard let operation = resource.operations.randomElement(using: &routes.generator) else { return nil }
        return try? Plan.make(router, route: names.joined(by: "."), operation: operation.name.bytes)
    }

    private func check(_ router: Router, _ plan: Plan, _ values: [Bytes]) throws -> RoutableCore.Status {
        let what = "seed \(Self.seed), \(lines(router)), \(plan.label) with \(values)"
        let url: Bytes
        do { url = try written(plan, values) } catch {
            guard error.status == .shadowed else { return error.status }
            #expect(!error.fields.allowed.isEmpty, "\(what)")
            return error.status
        }
        let prefix: Bytes = "http://h"
        let path = Array(url.storage[prefix.count...])
        let got = router.matched(bytes: Array(url.storage), method: plan.method.bytes.string)
        let read = got.captures.map { capture in
            let range = Int(capture.offset)..<Int(capture.offset + capture.length)
            return url.storage[range].withUnsafeBytes { PercentCoding.decode($0) }
        }
        // A catch-all keeps the slashes of its value, as documented.
        #expect(
            got.status == .ok && got.operation == router.label(plan.operation) && read == values
                && got.route == plan.route.bytes.string,
            "\(what)\ninput: \(url)\ngot: \(got) \(got.route ?? "-")")
        for byte in path {
            #expect(byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#"), "\(what): \(url)")
        }
        return .ok
    }

    private func lines(_ router: Router) -> String {
        let resources = router.description.resources.map { resource in
            let operations = resource.operations.map { "\($0.place) \($0.method) \($0.path)" }
            return
                "\(resource.name): \(resource.path)/\(resource.ids.map { "{\($0.spelling) \($0.scalar.kind) \($0.scalar.values) \($0.allowsEmpty)}" }) can \(resource.capabilities.rawValue) has \(resource.children) nested \(resource.isNested) shallow \(resource.isShallow) \(operations)"
        }
        let free = router.description.operations.map { operation in
            let types = operation.ids.map { "\($0.scalar.kind) \($0.scalar.values)\($0.scalar.pattern?.source ?? "")" }
            return "\(operation.name): \(operation.method) \(operation.path) \(types) priority \(operation.priority)"
        }
        return (resources + free).joined(separator: "\n")
    }
}

/// The URL of a plan with string values, on the base `http://h`.
func written(_ plan: Plan, _ values: [Bytes]) throws(Failure) -> Bytes {
    var arena = ValueArena()
    for value in values { _ = arena.add(.text(value)) }
    let base = try Base("http://h")
    return try arena.withViews { (views) throws(Failure) -> Bytes in
        let query = UnsafeBufferPointer<ValueView>(start: nil, count: 0)
        let bound = plan.bound(base, views, query) ?? 0
        let output = UnsafeMutablePointer<UInt8>.allocate(capacity: bound + 1)
        defer { output.deallocate() }
        let result = try plan.write(base, views, query, to: output)
        return Bytes(UnsafeRawBufferPointer(start: output, count: result.end))
    }
}
