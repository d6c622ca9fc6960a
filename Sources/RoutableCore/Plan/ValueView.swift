// A value of the C interface, read in place.

/// The layout of `routable_value` in routable.h: 24 bytes.  The text is memory of the caller, who keeps it
/// allocated and unchanged during the call.
package struct ValueView {
    package enum Kind {
        package static let null: Int32 = 0
        package static let boolean: Int32 = 1
        package static let integer: Int32 = 2
        package static let real: Int32 = 3
        package static let text: Int32 = 4
        package static let json: Int32 = 5
    }

    package var kind: Int32
    package var reserved: Int32 = 0
    /// The integer, the bits of the real, or the address of the text.
    package var first: UInt64
    /// The length of the text.
    package var second: UInt64

    @inlinable package init(kind: Int32, first: UInt64, second: UInt64) {
        self.kind = kind
        self.first = first
        self.second = second
    }

    package static var absent: ValueView { ValueView(kind: Kind.null, first: 0, second: 0) }

    @inlinable package var isAbsent: Bool { kind == Kind.null }
    @inlinable package var integer: Int64 { Int64(bitPattern: first) }
    @inlinable package var real: Double { Double(bitPattern: first) }

    /// Whether the text has a length and no address, which is a mistake of the caller.
    @inlinable package var isNullText: Bool { first == 0 && second != 0 }

    @inlinable package var text: UnsafeRawBufferPointer {
        guard let start = UnsafeRawPointer(bitPattern: UInt(first)) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: start, count: Int(truncatingIfNeeded: second & 0x7FFF_FFFF_FFFF_FFFF))
    }
}

/// Values with their strings in one allocation, so that all callers build through the same code.
struct ValueArena {
    private var bytes: [UInt8] = []
    private var views: [ValueView] = []

    /// Adds a value; nil adds an absent one.  Arrays and objects are not scalars.
    ///
    /// - Returns: false if the value is not a scalar.
    mutating func add(_ value: Value?) -> Bool {
        switch value {
        case nil, .null: views.append(.absent)
        case .boolean(let truth): views.append(ValueView(kind: ValueView.Kind.boolean, first: truth ? 1 : 0, second: 0))
        case .integer(let number):
            views.append(ValueView(kind: ValueView.Kind.integer, first: UInt64(bitPattern: number), second: 0))
        case .real(let number):
            views.append(ValueView(kind: ValueView.Kind.real, first: number.bitPattern, second: 0))
        case .number(let text), .text(let text):
            // Offsets for now; addresses when the memory no longer moves.
            views.append(
                ValueView(kind: ValueView.Kind.text, first: UInt64(bytes.count), second: UInt64(text.count)))
            bytes.append(contentsOf: text.storage)
        case .array, .object: return false
        }
        return true
    }

    /// Adds a view of a caller; its text is not copied.
    mutating func add(_ view: ValueView) {
        var view = view
        if view.kind == ValueView.Kind.text {
            let text = view.text
            view.first = UInt64(bytes.count)
            bytes.append(contentsOf: text)
        }
        views.append(view)
    }

    /// Adds query items that are already encoded, with their names, or a part of the path.
    mutating func addEncoded(_ items: Bytes, isPiece: Bool = false) {
        if items.isEmpty && !isPiece {
            views.append(.absent)
            return
        }
        views.append(ValueView(kind: ValueView.encoded, first: UInt64(bytes.count), second: UInt64(items.count)))
        bytes.append(contentsOf: items.storage)
    }

    func withViews<Result>(_ use: (UnsafeBufferPointer<ValueView>) throws(Failure) -> Result) throws(Failure) -> Result {
        // Copied once to a separate address: closures of the standard library do not support typed errors.
        let storage = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count &+ 1)
        defer { storage.deallocate() }
        var index = 0
        for byte in bytes {
            storage[index] = byte
            index &+= 1
        }
        let copies = UnsafeMutablePointer<ValueView>.allocate(capacity: views.count &+ 1)
        defer { copies.deallocate() }
        index = 0
        for view in views {
            var copy = view
            if view.kind == ValueView.Kind.text || view.kind == ValueView.encoded {
                copy.first &+= UInt64(UInt(bitPattern: storage))
            }
            (copies + index).initialize(to: copy)
            index &+= 1
        }
        return try use(UnsafeBufferPointer(start: copies, count: views.count))
    }
}
