// The results of a match, in the layout of the C header.

/// A captured value of the path: its range in the caller's bytes, and its parameter.
///
/// The layout of `routable_capture` in routable.h: 16 bytes.
package struct Capture: Equatable, Sendable {
    /// The offset in the path, in bytes.
    package var offset: UInt32
    /// The length in the path, in bytes.
    package var length: UInt32
    /// The index of the resource of the id, or -1 for a parameter of the operation's own path.
    package var resource: Int32
    /// The index of the id in the resource, or of the parameter in the operation.
    package var parameter: Int32

    /// Creates a capture.
    package init(offset: UInt32, length: UInt32, resource: Int32, parameter: Int32) {
        self.offset = offset
        self.length = length
        self.resource = resource
        self.parameter = parameter
    }
}

/// The options of a match; the bits are those of `ROUTABLE_MATCH_*`.
package struct MatchOptions: OptionSet, Sendable {
    /// One bit for each option.
    package let rawValue: UInt32
    /// Creates options from their bits.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Ignores a missing or additional trailing slash.
    package static let anySlash = MatchOptions(rawValue: 1)
    /// Ignores the case of ASCII letters in literals.
    package static let foldCase = MatchOptions(rawValue: 2)
    /// Treats several slashes in a row as one.
    package static let mergeSlashes = MatchOptions(rawValue: 4)
    /// If nothing matches, reports whether the path would match with one trailing slash added or removed.
    package static let suggestSlash = MatchOptions(rawValue: 8)
    /// The path begins with the path of the base, as a server receives it.
    package static let wholePath = MatchOptions(rawValue: 16)

    /// All options.
    package static let all = MatchOptions(rawValue: 31)
}

/// The parameter of a capture, which the graph determines independently of any path.
struct CaptureIdentity: Equatable, Sendable {
    var resource: Int32
    var parameter: Int32

    static let none = CaptureIdentity(resource: -1, parameter: -1)

    init(resource: Int, parameter: Int) {
        self.resource = Int32(truncatingIfNeeded: resource)
        self.parameter = Int32(truncatingIfNeeded: parameter)
    }
}

extension Limits {
    /// The maximum number of segments of a route; a catch-all counts as none.
    package static let segmentsPerRoute = 255
    /// The maximum number of states of a router's match table.
    package static let matchStates = 1 << 20
    /// The maximum number of steps for comparing routes that overlap, in addition to the steps for each node and edge.
    package static let overlapSteps = 1 << 22
    /// The maximum length of one literal segment, in bytes.
    package static let literalBytes = 4096
}
