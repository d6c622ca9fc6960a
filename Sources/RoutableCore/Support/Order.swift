// Sorts indexes with one compiled sort.  The standard library's sort is compiled again for each element type, at 3 KB.

extension Array {
    /// The elements in order; the sort is stable.
    package func ordered(_ isBefore: (Element, Element) -> Bool) -> [Element] {
        if count < 2 { return self }
        #if hasFeature(Embedded)
        return withoutActuallyEscaping(isBefore) { isBefore in
            Order(count) { isBefore(self[$0], self[$1]) }.indices.map { self[$0] }
        }
        #else
        // Size does not matter here, and the run-time check of non-escaping closures would put the path of this file into the library.
        return sorted(by: isBefore)
        #endif
    }
}

extension Array where Element == Bytes {
    /// The texts in the order of their bytes.
    @inline(never) package func ordered() -> [Bytes] { ordered { $0 < $1 } }
}

/// Sorts elements that are identified by their indexes.
// A class with a stored closure: the optimiser cannot inline it, and so does not copy the sort into each caller.
#if hasFeature(Embedded)
private final class Order {
    private(set) var indices: [Int]
    private let isBefore: (Int, Int) -> Bool

    @inline(never) init(_ count: Int, _ isBefore: @escaping (Int, Int) -> Bool) {
        indices = Array(0..<count)
        self.isBefore = isBefore
        var other = indices
        // Runs of 1, 2, 4, ... elements are merged from one array into the other.
        var width = 1
        while width < count {
            var start = 0
            while start < count {
                let middle = Swift.min(start &+ width, count)
                merge(start, middle, Swift.min(middle &+ width, count), into: &other)
                start &+= 2 &* width
            }
            swap(&indices, &other)
            width &*= 2
        }
    }

    @inline(never) private func merge(_ start: Int, _ middle: Int, _ end: Int, into other: inout [Int]) {
        var (left, right) = (start, middle)
        for place in start..<end {
            if left < middle && (right >= end || !isBefore(indices[right], indices[left])) {
                other[place] = indices[left]  // proof: start <= left < middle <= count, and place < end <= count.
                left &+= 1
            } else {
                other[place] = indices[right]  // proof: when left is used up, right < end.
                right &+= 1
            }
        }
    }
}
#endif
