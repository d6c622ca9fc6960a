// The capabilities of a resource.  Each capability becomes an operation.

/// One of the six standard operations of a resource.
public enum Capability: Int, Sendable, CaseIterable {
    /// GET on the collection.
    case list
    /// GET on a member.
    case read
    /// POST on the collection.
    case create
    /// PUT on a member.
    case update
    /// PATCH on a member.
    case patch
    /// DELETE on a member.
    case delete

    /// The name in route documents and calls, such as `read`.
    public var name: Bytes {
        switch self {
        case .list: "list"
        case .read: "read"
        case .create: "create"
        case .update: "update"
        case .patch: "patch"
        case .delete: "delete"
        }
    }

    /// The HTTP method of the capability (statement R1; `patch` is an addition).
    public var method: Bytes {
        switch self {
        case .list, .read: "GET"
        case .create: "POST"
        case .update: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        }
    }

    /// Whether an operation that a document declares with a method has this capability: some services update with POST.
    package func isMethod(_ method: Bytes) -> Bool { method == self.method || self == .update && method == "POST" }

    /// Whether the operation belongs to the collection or to a member.
    public var place: Place {
        switch self {
        case .list, .create: .collection
        case .read, .update, .patch, .delete: .member
        }
    }

    /// The capability with this name; nil if there is none.
    public static func named(_ name: Bytes) -> Capability? { allCases.first { $0.name == name } }
}

/// A set of capabilities; the bits are those of `ROUTABLE_CAN_*`.
public struct Capabilities: OptionSet, Sendable {
    /// One bit for each capability.
    public let rawValue: UInt32
    /// Creates a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Creates a set of one capability.
    public init(_ capability: Capability) { rawValue = 1 << UInt32(capability.rawValue) }

    /// GET on the collection.
    public static let list = Capabilities(.list)
    /// GET on a member.
    public static let read = Capabilities(.read)
    /// POST on the collection.
    public static let create = Capabilities(.create)
    /// PUT on a member.
    public static let update = Capabilities(.update)
    /// PATCH on a member.
    public static let patch = Capabilities(.patch)
    /// DELETE on a member.
    public static let delete = Capabilities(.delete)
    /// All capabilities.
    public static let all = Capabilities(rawValue: 63)

    /// The capabilities in the set, in the order list, read, create, update, patch, delete.
    public var members: [Capability] { Capability.allCases.filter { contains(Capabilities($0)) } }
}
