// Indexes of large objects and arrays that are read repeatedly, because a tape is sequential.

internal import CSystem
package import RoutableCore

/// The positions of the members or elements of one container.
package struct JSONIndex {
    private let view: JSONView
    /// For an object, a hash table of its keys; for an array, its elements.  Each is the number of words from the word of the container; 0 for
    /// an empty slot.
    private var places: [UInt32]

    package init(_ view: JSONView) {
        self.view = view
        places = []
        if view.kind == .array {
            places.reserveCapacity(view.count)
            var elements = view.elements
            while let element = elements.read() { places.append(place(element)) }
            return
        }
        var size = 16
        while size < view.count &* 2 { size &*= 2 }
        places = [UInt32](repeating: 0, count: size)
        var members = view.members
        while let (name, key) = members.readKey() {
            // proof: the table has at least twice as many slots as there are members.
            var slot = Self.hash(name) & (size &- 1)
            while places[slot] != 0 { slot = (slot &+ 1) & (size &- 1) }
            places[slot] = UInt32(truncatingIfNeeded: key - view.word)
        }
    }

    private func place(_ other: JSONView) -> UInt32 { UInt32(truncatingIfNeeded: other.word - view.word) }

    private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
        guard let start = name.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
        return Int(csystem_hash(start, 0, name.count))
    }

    package func member(_ name: UnsafeRawBufferPointer) -> JSONView? {
        guard view.kind == .object else { return nil }
        var slot = Self.hash(name) & (places.count &- 1)
        while places[slot] != 0 {
            let key = view.word + Int(places[slot])
            let own = JSONView.name(view.start, key)
            if own.elementsEqual(name) { return JSONView(view.start, key + JSONWord.keyWidth(key)) }
            slot = (slot &+ 1) & (places.count &- 1)
        }
        return nil
    }

    package func element(_ index: Int) -> JSONView? {
        guard view.kind == .array, places.indices.contains(index) else { return nil }
        return JSONView(view.start, view.word + Int(places[index]))
    }
}

/// Indexes of the large containers of a document, each created on first use.
package final class JSONIndexes {
    private static let least = 32
    /// The number of the index of each container that was searched.
    private var known: [Int: Int] = [:]
    private var list: [JSONIndex] = []

    package init() {}

    private func index(_ view: JSONView) -> JSONIndex {
        // proof: the numbers are indices of the list.
        if let number = known[view.identity] { return list[number] }
        let index = JSONIndex(view)
        known[view.identity] = list.count
        list.append(index)
        return index
    }

    package func member(_ name: Bytes, of view: JSONView) -> JSONView? {
        view.count < Self.least ? view.member(name) : name.storage.withUnsafeBytes { index(view).member($0) }
    }

    package func element(_ position: Int, of view: JSONView) -> JSONView? {
        view.count < Self.least ? view.element(position) : index(view).element(position)
    }
}
