// One value of jansson's: of a call, which goes in through jansson, as text and as a host's own tree.

internal import CJansson
package import RoutableCore

/// A borrowed value: it must not outlive its document, or the call that a host passed it to.
package struct JanssonView: JSONReadable {
    private let value: OpaquePointer
    /// How many times U+0000 mark a string that stands for a wide number; 0 when there is none.
    private let numberTag: Int

    package init(_ value: OpaquePointer, numberTag: Int = 0) {
        self.value = value
        self.numberTag = numberTag
    }

    package var kind: JSONKind {
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

    // MARK: Scalars; the neutral value when the kind is another

    package var boolean: Bool { Int(cjansson_kind(value)) == CJANSSON_TRUE }
    package var integer: Int64 { cjansson_integer(value) }
    package var real: Double { cjansson_real(value) }

    /// The bytes of a string, U+0000 included, or the digits of a wide number.
    private var text: UnsafeRawBufferPointer {
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

    package var content: Bytes { Bytes(text) }

    package func equals(_ word: StaticString) -> Bool { kind == .text && text.equals(word) }

    // MARK: Containers

    /// How many elements or members.
    package var count: Int { kind == .object ? cjansson_object_count(value) : cjansson_array_count(value) }

    /// An element; nil beyond the end.
    private func at(_ index: Int) -> JanssonView? {
        cjansson_array_at(value, index).map { JanssonView($0, numberTag: numberTag) }
    }

    /// The elements in their order.
    package var elements: Elements { Elements(array: self) }

    package struct Elements: JSONElements {
        fileprivate let array: JanssonView
        private var index = 0

        fileprivate init(array: JanssonView) { self.array = array }

        package mutating func read() -> JanssonView? {
            defer { index &+= 1 }
            return array.at(index)
        }
    }

    package func member(_ name: UnsafeRawBufferPointer) -> JanssonView? {
        guard let start = name.baseAddress else { return nil }
        return cjansson_object_get(value, start, name.count).map { JanssonView($0, numberTag: numberTag) }
    }

    /// The members in their order.
    package var members: Members { Members(object: value, next: cjansson_member_first(value), numberTag: numberTag) }

    package struct Members: JSONMembers {
        fileprivate let object: OpaquePointer
        fileprivate var next: UnsafeMutableRawPointer?
        fileprivate let numberTag: Int

        package mutating func read() -> (name: UnsafeRawBufferPointer, value: JanssonView)? {
            guard let current = next, let key = cjansson_member_key(current), let value = cjansson_member_value(current)
            else { return nil }
            next = cjansson_member_next(object, current)
            let name = UnsafeRawBufferPointer(start: key, count: cjansson_member_key_length(current))
            return (name, JanssonView(value, numberTag: numberTag))
        }
    }
}

extension JanssonView {
    /// The values of a tree from a host, whose size no text bounds: a value that occurs twice counts twice.
    private static let valueLimit = Limits.documentBytes / 16

    /// Takes a host's tree: a cycle or a tree that unfolds without end is refused, and so are texts that are
    /// not UTF-8 and keys with U+0000.
    package static func admit(_ value: OpaquePointer) throws(Failure) -> JanssonView {
        let view = JanssonView(value)
        var budget = valueLimit
        try view.check(depth: 0, &budget)
        return view
    }

    private func check(depth: Int, _ budget: inout Int) throws(Failure) {
        // proof: the recursion ends at the limit of nesting.
        budget &-= 1
        if budget < 0 { throw Failure(.limit, "the JSON has more than \(Self.valueLimit) values") }
        switch kind {
        case .null, .boolean, .integer, .real, .wideNumber: break
        case .text:
            guard UTF8Check.isValid(text) else { throw Failure(.document, "a string is not UTF-8") }
        case .array, .object:
            if depth >= Limits.jsonDepth {
                throw Failure(.limit, "the JSON nests deeper than \(Limits.jsonDepth) levels, or contains itself")
            }
            var index = 0
            while let element = at(index) {
                do { try element.check(depth: depth &+ 1, &budget) } catch { throw error.below("\(index)") }
                index &+= 1
            }
            guard kind == .object else { return }
            var members = members
            while let (name, value) = members.read() {
                guard UTF8Check.isValid(name), !name.contains(0) else {
                    throw Failure(.document, "a key is not UTF-8, or has U+0000")
                }
                do { try value.check(depth: depth &+ 1, &budget) } catch { throw error.below(Bytes(name)) }
            }
        }
    }
}
