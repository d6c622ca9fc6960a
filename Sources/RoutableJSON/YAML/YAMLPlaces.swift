// The lines and columns in a YAML document of the keys and values of the JSON that it was read as.

package import RoutableCore

/// Positions in the order of the JSON, 12 bytes each.
package struct YAMLPlaces: Sendable {
    private struct Place {
        let offset: UInt32
        let line: UInt32
        let column: UInt32
    }

    private var places: [Place] = []

    package init() {}

    package var count: Int { places.count }
    var lastOffset: Int { Int(places.last?.offset ?? 0) }

    /// False if memory cannot be allocated.
    mutating func append(offset: Int, line: Int, column: Int) -> Bool {
        guard Memory.hasRoom(places) else { return false }
        places.append(
            Place(
                offset: UInt32(clamping: offset), line: UInt32(clamping: line), column: UInt32(clamping: column)))
        return true
    }

    mutating func truncate(to count: Int) { places.removeLast(max(places.count &- count, 0)) }

    /// The line and the column, both from 1, of the value or the key at this offset of the JSON, or of the one before; the column
    /// counts characters.
    package func place(of offset: Int) -> (line: Int, column: Int)? {
        var low = 0
        var high = places.count
        while low < high {
            let middle = (low &+ high) >> 1
            if Int(places[middle].offset) <= offset { low = middle &+ 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let place = places[low &- 1]
        return (Int(place.line) &+ 1, Int(place.column) &+ 1)
    }

    /// Adds the position in the YAML document to a failure with an offset of the JSON.
    package func located(_ failure: Failure) -> Failure {
        guard let offset = failure.fields.offset, let place = place(of: offset) else { return failure }
        return failure.with {
            $0.offset = nil
            $0.line = place.line
            $0.column = place.column
        }
    }
}
