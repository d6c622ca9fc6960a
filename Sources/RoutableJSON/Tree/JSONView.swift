// One value of a tree, as the readers see it: the same for a text that was parsed and for a host's own tree.

internal import CJansson
package import RoutableCore

/// A borrowed value: it must not outlive its document, or the call that a host passed it to.
package struct JSONView {
    package enum Kind { case null, boolean, integer, real, wideNumber, text, array, object }

    private let value: OpaquePointer
    /// How many times U+0000 mark a string that stands for a wide number; 0 when there is none.
    private let numberTag: Int

    package init(_ value: OpaquePointer, numberTag: Int = 0) {
        self.value = value
        self.numberTag = numberTag
    }

    /// The address: equal for one and the same value of a tree.
    package var identity: OpaquePointer { value }

    package var tag: Int { numberTag }

    package var kind: Kind {
        switch Int(cjansson_kind(value)) {
        case CJANSSON_FALSE, CJANSSON_TRUE: .boolean
        case CJANSSON_INTEGER: .integer
        case CJANSSON_REAL: .real
        case CJANSSON_STRING: isWideNumber ? .wideNumber : .text
        case CJANSSON_ARRAY: .array
        case CJANSSON_OBJECT: .object
        default: .null
        }
    }

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

    // MARK: Scalars; the neutral value when the kind is another

    package var boolean: Bool { Int(cjansson_kind(value)) == CJANSSON_TRUE }
    package var integer: Int64 { cjansson_integer(value) }
    package var real: Double { cjansson_real(value) }

    /// The bytes of a string, U+0000 included, or the digits of a wide number.
    package var text: UnsafeRawBufferPointer {
        let all = rawText
        return numberTag > 0 && isWideNumber ? UnsafeRawBufferPointer(rebasing: all[numberTag...]) : all
    }

    private var rawText: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: cjansson_string(value), count: cjansson_string_length(value))
    }

    private var isWideNumber: Bool {
        guard numberTag > 0 else { return false }
        let all = rawText
        guard all.count > numberTag else { return false }
        for index in 0..<numberTag where all[index] != 0 { return false }
        return true
    }

    /// The value of any number; wide ones may be infinite.
    package var number: Double {
        switch kind {
        case .integer: Double(integer)
        case .real: real
        case .wideNumber: JSONNumber.value(text[...])
        default: 0
        }
    }

    // MARK: Containers

    /// How many elements or members.
    package var count: Int { kind == .object ? cjansson_object_count(value) : cjansson_array_count(value) }

    /// An element; nil beyond the end.
    package func element(_ index: Int) -> JSONView? {
        cjansson_array_at(value, index).map { JSONView($0, numberTag: numberTag) }
    }

    /// The member of that name.
    package func member(_ name: Bytes) -> JSONView? { name.storage.withUnsafeBytes { member($0) } }

    package func member(_ name: UnsafeRawBufferPointer) -> JSONView? {
        guard let start = name.baseAddress else { return nil }
        return cjansson_object_get(value, start, name.count).map { JSONView($0, numberTag: numberTag) }
    }

    /// The members in their order.
    package var members: Members { Members(object: value, next: cjansson_member_first(value), numberTag: numberTag) }

    package struct Members {
        fileprivate let object: OpaquePointer
        fileprivate var next: UnsafeMutableRawPointer?
        fileprivate let numberTag: Int

        package mutating func read() -> (name: UnsafeRawBufferPointer, value: JSONView)? {
            guard let current = next, let key = cjansson_member_key(current), let value = cjansson_member_value(current)
            else { return nil }
            next = cjansson_member_next(object, current)
            let name = UnsafeRawBufferPointer(start: key, count: cjansson_member_key_length(current))
            return (name, JSONView(value, numberTag: numberTag))
        }
    }
}
