// What is generated, free of any language: resources, actions and records, read from an opened router.

internal import RoutableCore

/// One API.
struct Blueprint {
    var name = ""
    var summary = ""
    var base = ""
    /// What it was generated from, as a reader would call it: the name of the file.
    var source = ""
    /// The library that exports the router, by the name that the linker knows; nil where the file contains the document.
    var library: String?
    /// The route document, written without white space; nil for an OpenAPI document.
    var document: Bytes?
    var records: [Record] = []
    var resources: [ResourcePlan] = []
    /// Standalone operations.
    var actions: [Action] = []

    /// What a reader calls it.
    var title: String { name.isEmpty ? source : name }

    /// The document, if the file contains it: it must be short enough.
    var shortDocument: Bytes? { library != nil ? nil : document.flatMap { $0.count <= 1 << 16 ? $0 : nil } }
}

/// An object with named members.
struct Record {
    /// As in the description, or for an inline schema made of the names around it.
    var name: String
    var summary = ""
    var fields: [Field] = []
}

struct Field {
    var name: String
    var summary: String
    var type: Typing
    var isRequired: Bool
}

/// What a value is.
indirect enum Shape: Equatable, Sendable {
    /// Not empty: the texts that are allowed.
    case text([String])
    case integer, number, boolean
    /// Any JSON.
    case any
    /// Index into the records.
    case record(Int)
    case list(Typing)
    case map(Typing)
}

struct Typing: Equatable, Sendable {
    var shape: Shape
    var isNullable = false

    static let any = Typing(shape: .any)

    /// A comment on a value of it: the summary, and the first of the texts that are allowed.
    func remark(on summary: String) -> String {
        guard case .text(let values) = shape, !values.isEmpty else { return summary }
        let list = values.prefix(20).joined(separator: ", ") + (values.count > 20 ? ", ..." : "")
        return summary.isEmpty ? "One of: \(list)" : "\(summary)  One of: \(list)"
    }
}

struct ResourcePlan {
    var name: String
    var path: String
    var summary: String
    /// Of a member, from left to right; the collection has all of them but the last.
    var ids: [Parameter]
    var children: [Int]
    /// Whether its collection stands at the root.
    var isRoot: Bool
    /// Whether its members do.
    var hasRootMembers: Bool
    /// Whether its members do, wherever its collection stands.
    var isShallow: Bool
    var actions: [Action]
}

extension ResourcePlan {
    /// What stands before the last id.
    var scope: ArraySlice<Parameter> { ids.dropLast() }
}

enum Spot { case path, query, header, cookie }

struct Parameter {
    var name: String
    var spot: Spot
    var type: Typing
    var isRequired: Bool
    var summary: String
    /// Of a path: it is one segment or more.
    var takesSegments = false
    /// Whether a plan can write it: one value as it is.
    var isPlain: Bool
}

enum ActionPlace { case collection, member, root }

/// An operation.
struct Action {
    /// As in the description.
    var name: String
    var method: String
    var path: String
    var summary: String
    var place: ActionPlace
    /// Of its own path, then query, header and cookie; the ids of its place are not among them.
    var parameters: [Parameter]
    var input: Input
    var output: Output

    /// Whether a plan can write its URL.
    var canPlan: Bool { parameters.allSatisfy { $0.isPlain || $0.spot == .header || $0.spot == .cookie } }
}

enum Input {
    case none
    /// A body of no declared type, or free parameters.
    case open
    /// JSON, a form, or multipart.
    case typed(Typing, isRequired: Bool)
    case bytes(isRequired: Bool)
}

enum Output {
    /// Nothing is declared, or several types: the response itself.
    case response
    /// A success may also carry nothing.
    case typed(Typing, mayBeEmpty: Bool)
}
