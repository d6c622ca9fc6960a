// What a value of JSON says, whoever holds it: a tape, or jansson.

package import RoutableCore

package enum JSONKind { case null, boolean, integer, real, wideNumber, text, array, object }

/// A borrowed value.
package protocol JSONReadable {
    associatedtype Elements: JSONElements where Elements.View == Self
    associatedtype Members: JSONMembers where Members.View == Self

    var kind: JSONKind { get }
    // The neutral value when the kind is another.
    var boolean: Bool { get }
    var integer: Int64 { get }
    var real: Double { get }
    /// The characters of a string, U+0000 included, or the digits of a wide number.
    var content: Bytes { get }
    /// How many elements or members.
    var count: Int { get }
    var elements: Elements { get }
    /// In the order of the text; of equal names the last one counts.
    var members: Members { get }
    func member(_ name: UnsafeRawBufferPointer) -> Self?
    /// Whether it is this string.
    func equals(_ word: StaticString) -> Bool
}

package protocol JSONElements {
    associatedtype View
    mutating func read() -> View?
}

package protocol JSONMembers {
    associatedtype View
    mutating func read() -> (name: UnsafeRawBufferPointer, value: View)?
}

extension JSONReadable {
    /// What a message calls it.
    package var kindName: Bytes {
        switch kind {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .real, .wideNumber: "a number"
        case .text: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value of any number; wide ones may be infinite.
    package var number: Double {
        switch kind {
        case .integer: Double(integer)
        case .real: real
        case .wideNumber: content.storage.withUnsafeBytes { JSONNumber.value($0) }
        default: 0
        }
    }

    package func member(_ name: Bytes) -> Self? { name.storage.withUnsafeBytes { member($0) } }

    package func element(_ index: Int) -> Self? {
        guard index >= 0, index < count else { return nil }
        var elements = elements
        for _ in 0..<index { _ = elements.read() }
        return elements.read()
    }
}
