// The shortest walks through a state graph, for messages and comparisons, computed once for all states.

/// The shortest walks from the root to each state, and from each state to an operation.
final class StateWalks {
    private struct Step {
        var state: Int32 = -1
        var identity = CaptureIdentity.none
    }

    /// For each state: the step that leads to it from the previous state.
    private var incoming: [Step]
    /// For each state: the step towards the nearest operation, and that operation.
    private var outgoing: [Step]
    private var nearest: [Int32]

    init(_ states: StateGraph) {
        incoming = [Step](repeating: Step(), count: states.count)
        outgoing = incoming
        nearest = [Int32](repeating: -1, count: states.count)
        var order: [Int] = [0]
        var isSeen = [Bool](repeating: false, count: states.count)
        isSeen[0] = true
        var index = 0
        while index < order.count {
            let state = order[index]
            for edge in states.edges[states.edgeRange(state)] where !isSeen[Int(edge.target)] {
                isSeen[Int(edge.target)] = true
                incoming[Int(edge.target)] = Step(state: Int32(truncatingIfNeeded: state), identity: edge.identity)
                order.append(Int(edge.target))
            }
            index &+= 1
        }
        let distances = Self.distances(states)
        for state in order where distances[state] == 0 {
            nearest[state] = Int32(truncatingIfNeeded: states.operations[states.operationRange(state).lowerBound])
        }
        for state in order where distances[state] > 0 {
            let wanted = distances[state] &- 1
            guard let edge = states.edges[states.edgeRange(state)].first(where: { distances[Int($0.target)] == wanted })
            else { continue }
            outgoing[state] = Step(state: Int32(truncatingIfNeeded: edge.target), identity: edge.identity)
        }
    }

    /// The number of segments between each state and the nearest operation; -1 if there is none.
    private static func distances(_ states: StateGraph) -> [Int32] {
        var result = [Int32](repeating: -1, count: states.count)
        var order: [Int] = []
        for state in 0..<states.count where states.hasOperations(state) {
            result[state] = 0
            order.append(state)
        }
        let sources = states.sources()
        var index = 0
        while index < order.count {
            let state = order[index]
            for source in sources.of(state) where result[Int(source)] < 0 {
                result[Int(source)] = result[state] &+ 1
                order.append(Int(source))
            }
            index &+= 1
        }
        return result
    }

    /// The identities of the captures of the shortest walk from the root to a state.
    func walk(to state: Int) -> [CaptureIdentity] {
        var walk: [CaptureIdentity] = []
        var state = state
        while incoming[state].state >= 0 {
            walk.append(incoming[state].identity)
            state = Int(incoming[state].state)
        }
        return walk.reversed()
    }

    /// An operation in a state or reachable from it, and the walk to it.
    func firstOperation(from state: Int) -> (operation: Int, walk: [CaptureIdentity])? {
        var walk: [CaptureIdentity] = []
        var state = state
        while nearest[state] < 0 {
            if outgoing[state].state < 0 { return nil }
            walk.append(outgoing[state].identity)
            state = Int(outgoing[state].state)
        }
        return (Int(nearest[state]), walk)
    }
}
