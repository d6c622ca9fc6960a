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

    /// Its kind as a bit: object 1, array 2, string 4, integer 8, real 16, true 32, false 64, null 128.  Wide numbers
    /// count as integers.
    package var bit: UInt8 { isWideNumber ? 8 : UInt8(truncatingIfNeeded: 1 << cjansson_type(value)) }

    /// Not a wide number.
    package var isPlain: Bool { !isWideNumber }

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

    /// The bytes of a plain string.
    package var plainText: UnsafeRawBufferPointer { rawText }

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

    /// The elements in their order.
    package var elements: Elements { Elements(array: self) }

    package struct Elements {
        fileprivate let array: JSONView
        private var index = 0

        fileprivate init(array: JSONView) { self.array = array }

        package mutating func read() -> JSONView? {
            defer { index &+= 1 }
            return array.element(index)
        }
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

// MARK: - Values that no document holds

extension JSONView {
    /// What a text is taken for.
    package enum Scalar { case null, boolean, number, text }

    /// A string, for as long as `use` runs.
    package static func with<Result>(text: UnsafeRawBufferPointer, _ use: (JSONView) -> Result) -> Result {
        with(.text, text, use)
    }

    /// The value that a text stands for, which has the grammar of `scalar`.
    package static func with<Result>(
        _ scalar: Scalar, _ text: UnsafeRawBufferPointer, _ use: (JSONView) -> Result
    ) -> Result {
        guard let (value, tag) = made(scalar, text) else { return use(JSONView(cjansson_null())) }
        defer { cjansson_free(value) }
        return use(JSONView(value, numberTag: tag))
    }

    private static func made(_ scalar: Scalar, _ text: UnsafeRawBufferPointer) -> (OpaquePointer, Int)? {
        switch scalar {
        case .null: return (cjansson_null(), 0)
        case .boolean: return (cjansson_boolean(text.count == 4 ? 1 : 0), 0)
        case .text: return cjansson_new_string(text.baseAddress, text.count).map { ($0, 0) }
        case .number:
            if let whole = Decimal.parse(text) { return cjansson_new_integer(whole).map { ($0, 0) } }
            let real = ScalarText.number(text)
            if real.isFinite && !ScalarText.isInteger(text) { return cjansson_new_real(real).map { ($0, 0) } }
            let tagged = [0] + Array(text)
            return tagged.withUnsafeBytes { cjansson_new_string($0.baseAddress, $0.count) }.map { ($0, 1) }
        }
    }

    /// A copy that lives by itself.
    package func copy() throws(Failure) -> JSONDocument {
        guard let copy = cjansson_copy(value) else { throw Failure(.limit, "out of memory") }
        return JSONDocument(copy, numberTag: numberTag)
    }
}
