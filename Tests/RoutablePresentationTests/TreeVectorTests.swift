// Trees of presenters from Tests/conformance/own, or from the folder that ROUTABLE_DATA names.

import Foundation
import RoutableCore
import Testing

@testable import RoutablePresentation

@Suite("Featherweight Router's trees")
struct TreeVectorTests {
    struct Vectors: Decodable {
        var vectors: [Vector]
    }

    struct Vector: Decodable, CustomTestStringConvertible {
        var tree: Node
        var handles: [String: Bool]
        var stack: [String: [String]?]?
        var setRoute: [String: Outcome]

        enum CodingKeys: String, CodingKey {
            case tree, handles, stack
            case setRoute = "set_route"
        }

        var testDescription: String { "\(tree.kind) \(tree.id)" }
    }

    struct Node: Decodable {
        var kind: String
        var id: String
        var predicate: String?
        var children: [Node]?
    }

    struct Outcome: Decodable {
        var result: Bool
        var child: String?
        var hasChild: Bool
        var children: [String]?

        enum CodingKeys: String, CodingKey {
            case result, children
            case child = "active_child"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            result = try values.decode(Bool.self, forKey: .result)
            hasChild = values.contains(.child)
            child = try values.decodeIfPresent(String.self, forKey: .child)
            children = try values.decodeIfPresent([String].self, forKey: .children)
        }
    }

    static let vectors: [Vector] = {
        let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../conformance/own")
            .standardized
        let folder = ProcessInfo.processInfo.environment["ROUTABLE_DATA"].map { URL(fileURLWithPath: $0) } ?? own
        let file = folder.appendingPathComponent("routing/featherweightrouter-trees.json")
        do {
            let data = try Data(contentsOf: file)
            return try JSONDecoder().decode(Vectors.self, from: data).vectors
        } catch {
            Issue.record("\(file.path): \(error)")
            return []
        }
    }()

    /// The last child that the root was set to.
    final class Screen {
        var child: String?
        var children: [String]?
    }

    private func tree(_ node: Node, _ root: Screen?) throws -> Tree {
        let presenter = Presenter<String, String>(
            Bytes(node.id), presentable: { node.id }, setChild: { root?.child = $0 }, setChildren: { root?.children = $0 })
        let children = try (node.children ?? []).map { try tree($0, nil) }
        switch node.kind {
        case "junction": return try Tree(presenter).junction(children)
        case "stack": return try Tree(presenter).stack(children)
        case "route": return try Tree(presenter).route(Bytes(node.predicate ?? ""), children: children)
        default: return Tree(presenter)
        }
    }

    @Test("handles, stacks and sets as it does", arguments: vectors)
    func conformance(_ vector: Vector) throws {
        let screen = Screen()
        let tree = try tree(vector.tree, screen)
        for (path, expected) in vector.handles {
            #expect(try tree.handles(path) == expected, "handles \(path)")
        }
        for (path, expected) in vector.stack ?? [:] {
            #expect(try tree.stack(path) == expected, "stack \(path)")
        }
        for (path, expected) in vector.setRoute {
            screen.child = nil
            screen.children = nil
            #expect(try tree.set(path) == expected.result, "set \(path)")
            if expected.hasChild { #expect(screen.child == expected.child, "active child of \(path)") }
            if let children = expected.children { #expect(screen.children == children, "children of \(path)") }
        }
    }
}
