// The resources that `routable map` shows: all of a small graph, the first levels of a large one.

import RoutableCore

/// A part of the graph of a router.
struct MapSelection {
    /// All resources; `ResourceEntry.children` are indexes of this array.
    let all: [ResourceEntry]
    /// The indexes of the resources at the root of the map.
    let roots: [Int]
    /// The indexes of the resources that are shown, in the order of the description.
    let shown: [Int]
    /// Whether a resource is shown.
    let isShown: [Bool]
    /// For each shown resource, the number of resources below it that are not shown.
    let below: [Int: Int]
    /// The number of levels that are shown because the graph is large; nil if nothing was omitted for this reason.
    let folded: Int?

    /// The maximum number of resources that are all shown without `depth`.
    static let largest = 60

    /// - Parameters:
    ///   - from: A route, or the name of a declared resource; nil: the whole graph.
    ///   - depth: The number of levels below the first resources that are shown; nil: all of a small graph, one of a large one.
    init(_ router: Router, from: Bytes?, depth: Int?) throws(Failure) {
        let all = try router.graphResources
        self.all = all
        if let from {
            guard let first = try router.resource(route: from) else {
                throw Failure.unknownName(.unknown, "there is no resource", from, among: all.map { Router.mapLabel($0) })
            }
            roots = [first.index]
        } else {
            roots = all.indices.filter { all[$0].isRoot }
        }
        var levels = Self.levels(all, roots)
        // Unreachable resources are also shown.
        if from == nil { for place in all.indices where levels[place] == nil { levels[place] = 0 } }
        let isLarge = levels.count > Self.largest && depth == nil
        var limit = depth ?? .max
        if isLarge {
            // The largest number of levels below the limit, and at least the first one.
            limit = 0
            while levels.values.count(where: { $0 <= limit + 1 }) <= Self.largest { limit += 1 }
        }
        shown = all.indices.filter { place in levels[place].map { $0 <= limit } ?? false }
        var isShown = [Bool](repeating: false, count: all.count)
        for place in shown { isShown[place] = true }
        self.isShown = isShown
        folded = isLarge && shown.count < levels.count ? limit + 1 : nil
        var below: [Int: Int] = [:]
        for place in shown where levels[place] == limit {
            let count = Self.levels(all, [place]).keys.count { !isShown[$0] }
            if count > 0 { below[place] = count }
        }
        self.below = below
    }

    var resources: [ResourceEntry] { shown.map { all[$0] } }

    /// The number of steps from the first resources to each reachable resource.
    private static func levels(_ all: [ResourceEntry], _ roots: [Int]) -> [Int: Int] {
        var result: [Int: Int] = [:]
        var level = roots
        var steps = 0
        while !level.isEmpty {
            for place in level { result[place] = result[place] ?? steps }
            level = level.flatMap { all[$0].children }.filter { all.indices.contains($0) && result[$0] == nil }
            steps += 1
        }
        return result
    }
}
