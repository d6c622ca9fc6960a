// Proves facts about two scalars without listed values: that no string is valid for both, or that one accepts all strings of
// the other.  `RouteProofs` calls it, and handles scalars with listed values.
//
// Both return false if a fact is not proved.  Two patterns in one state that are not proved to be disjoint need a priority.

extension Scalar {
    func accepts(_ text: Bytes) -> Bool { text.storage.withUnsafeBytes { refusal(of: $0) } == nil }

    var isNumeric: Bool { kind == .integer || kind == .number }

    /// The lengths in characters that an accepted text can have.
    var lengths: ClosedRange<Int> {
        var low = max(minimumLength ?? 1, 1)
        var high = maximumLength ?? Int.max
        switch format {
        case nil: break
        case .uuid: (low, high) = (max(low, 36), min(high, 36))
        case .date: (low, high) = (max(low, 10), min(high, 10))
        case .dateTime: low = max(low, 20)
        }
        return low <= high ? low...high : low...low
    }

    /// Whether a byte can occur in an accepted text.
    func canContain(_ byte: UInt8) -> Bool {
        if isNumeric {
            if ASCII.isDigit(byte) || byte == UInt8(ascii: "-") { return true }
            return kind == .number
                && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+") || byte | 0x20 == UInt8(ascii: "e"))
        }
        switch format {
        case .uuid?: return ASCII.hexValue(byte) != nil || byte == UInt8(ascii: "-")
        case .date?: return ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
        default: return true
        }
    }

    /// Whether it is proved that no text is a value of both.
    func isDisjoint(from other: Scalar) -> Bool {
        // No number is a UUID, a date or a time; and their different lengths distinguish these three.
        if isNumeric && other.format != nil || other.isNumeric && format != nil { return true }
        if let format, let otherFormat = other.format, format != otherFormat { return true }
        if isNumeric && other.isNumeric {
            if let minimum, let maximum = other.maximum, maximum < minimum { return true }
            if let maximum, let minimum = other.minimum, maximum < minimum { return true }
        }
        return !lengths.overlaps(other.lengths)
    }

    /// Whether it is proved that `other` accepts all strings that `self` accepts.
    func isPart(of other: Scalar) -> Bool {
        if other.isPlain { return true }
        guard other.multipleOf == nil || other.multipleOf == multipleOf else { return false }
        guard other.pattern == nil, other.values.isEmpty, other.format == nil || other.format == format else { return false }
        let isKind = kind == other.kind || kind == .integer && other.kind == .number || other.kind == .string
        guard isKind else { return false }
        if let bound = other.minimum, other.kind != .string {
            guard let minimum, minimum >= bound else { return false }
        }
        if let bound = other.maximum, other.kind != .string {
            guard let maximum, maximum <= bound else { return false }
        }
        if other.minimumLength == nil && other.maximumLength == nil { return true }
        return lengths.lowerBound >= other.lengths.lowerBound && lengths.upperBound <= other.lengths.upperBound
    }
}
