// Values by key, and sets of numbers.
//
// The compiler makes a copy of the code of a hash table, about 3 kB, for each type of keys and values.  These types have few: a
// dictionary from keys to indexes, and a set of pairs of numbers.

/// Values by key, in the order in which the keys were added.
package struct KeyedValues<Key: Hashable, Value> {
    private var places: [Key: Int] = [:]
    /// The values; a key keeps its index.
    package var values: [Value] = []

    package init() {}

    package var isEmpty: Bool { values.isEmpty }

    /// The keys, in no particular order.
    package var keys: [Key] { Array(places.keys) }

    /// The value of a key, or nil.
    package subscript(key: Key) -> Value? {
        guard let place = places[key], place < values.count else { return nil }
        return values[place]
    }

    /// The place of a key in `values`; nil when it has none.
    package func place(of key: Key) -> Int? { places[key] }

    /// The index of a key in `values`; `initial` is added for a new key.
    package mutating func place(of key: Key, adding initial: @autoclosure () -> Value) -> Int {
        if let place = places[key] { return place }
        places[key] = values.count
        values.append(initial())
        return values.count &- 1
    }

    package mutating func set(_ value: Value, for key: Key) { values[place(of: key, adding: value)] = value }

    /// Adds a value at the end, also for a key that has one; the former value stays in `values` without a key.
    package mutating func append(_ value: Value, for key: Key) {
        places[key] = values.count
        values.append(value)
    }
}

extension KeyedValues: Sendable where Key: Sendable, Value: Sendable {}

/// Two numbers, as an element of a set.
package struct NumberPair: Hashable {
    package let first: Int
    package let second: Int

    package init(_ first: Int, _ second: Int) {
        self.first = first
        self.second = second
    }
}
