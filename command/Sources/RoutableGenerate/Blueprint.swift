// The model of what is generated, independent of the language: resources, operations and types.

internal import RoutableCore

/// One API.
struct Blueprint {
    var name = ""
    var summary = ""
    var base = ""
    /// The name of the file that it was generated from.
    var source = ""
    /// The library that exports the router, by the name that the linker knows; nil where the file contains the document.
    var library: String?
    /// The route document, written without white space; nil for an OpenAPI document.
    var document: Bytes?
    /// The OpenAPI document with what a router of these operations reads, written without white space, if the output contains it; nil for
    /// a route document.
    var openAPI: Bytes?
    /// The operations that were selected of the document, as `API.only` names them; nil for all.
    var only: [String]?
    var records: [Record] = []
    var choices: [Choice] = []
    var unions: [Union] = []
    var resources: [ResourcePlan] = []
    /// Standalone operations.
    var actions: [Action] = []
    /// The resources of an OpenAPI document, whose operations are standalone operations.
    var walks: [WalkPlan] = []
    /// Values that have no type in any language.
    var gaps: [Gap] = []

    /// The name of the API.
    var title: String { name.isEmpty ? source : name }

    /// The document, if the file contains it: it must be short enough.
    var shortDocument: Bytes? { library != nil ? nil : document.flatMap { $0.count <= 1 << 16 ? $0 : nil } }

    var allActions: [Action] { resources.flatMap { $0.actions } + actions }
}

/// A value that is any JSON in the generated code, and why.
struct Gap {
    /// The JSON pointer into the document; empty if it has none.
    var pointer: String
    var reason: String
}

/// An object with named members.
struct Record {
    /// The name in the description, or one derived from the enclosing names for an inline schema.
    var name: String
    var summary = ""
    var fields: [Field] = []
}

struct Field {
    var name: String
    var summary: String
    var type: Typing
    var isRequired: Bool
    /// Only in responses.
    var isReadOnly = false
    /// Only in requests.
    var isWriteOnly = false
}

/// A string that is one of several.
struct Choice {
    var name: String
    var summary = ""
    var values: [String]
}

/// A value of one of several types.
struct Union {
    var name: String
    var summary = ""
    /// Tried in this order if the discriminator does not decide.
    var options: [Option] = []
    var discriminator: Discriminator?

    struct Option {
        var name: String
        var type: Typing
    }

    struct Discriminator {
        var property: String
        /// The values of the property, and the option of each.
        var values: [(value: String, option: Int)]
    }
}

/// What a value is.
indirect enum Shape: Hashable, Sendable {
    /// Not empty: the texts that are allowed.
    case text([String])
    /// Index into the choices.
    case choice(Int)
    /// Not empty: the integers that are allowed.
    case integer([Int64])
    case number, boolean
    /// Any JSON.
    case any
    /// Index into the records.
    case record(Int)
    /// Index into the unions.
    case union(Int)
    case list(Typing)
    case map(Typing)
}

struct Typing: Hashable, Sendable {
    var shape: Shape
    var isNullable = false

    static let any = Typing(shape: .any)

    /// A comment on a value of it: the summary, and the first of the texts that are allowed.
    func remark(on summary: String) -> String {
        var all: [String]
        switch shape {
        case .text(let values): all = values
        case .integer(let values): all = values.map { String($0) }
        default: all = []
        }
        if all.isEmpty { return summary }
        let list = all.prefix(20).joined(separator: ", ") + (all.count > 20 ? ", ..." : "")
        return summary.isEmpty ? "One of: \(list)" : "\(summary)  One of: \(list)"
    }
}

struct ResourcePlan {
    var name: String
    var path: String
    var summary: String
    /// The ids of a member, from left to right; the collection has all of them but the last.
    var ids: [Parameter]
    var children: [Int]
    /// Whether its collection is at the root.
    var isRoot: Bool
    /// Whether its members do.
    var hasRootMembers: Bool
    /// Whether its members do, wherever its collection stands.
    var isShallow: Bool
    var actions: [Action]
}

extension ResourcePlan {
    /// The ids before the last one.
    var scope: ArraySlice<Parameter> { ids.dropLast() }
}

enum Spot {
    case path, query, header, cookie

    /// As in an OpenAPI document.
    var word: String {
        switch self {
        case .path: "path"
        case .query: "query"
        case .header: "header"
        case .cookie: "cookie"
        }
    }
}

struct Parameter {
    var name: String
    var spot: Spot
    var type: Typing
    var isRequired: Bool
    var summary: String
    /// Whether it is a path parameter of one or more segments.
    var takesSegments = false
    /// Whether a plan can write it: it is one value.
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
    /// Parameters of its own path, then query, header and cookie; without the ids of its resource.
    var parameters: [Parameter]
    var input: Input
    /// The result of a success.
    var output: Output
    /// The types of error bodies.
    var errors: [StatusPlan] = []
    /// All declared responses.
    var statuses: [StatusPlan] = []
    /// The items of its pages, for an operation that can have pages.
    var item: Typing?
    /// What its response contains one after another.
    var stream: StreamPlan?
    /// JSON pointer of its declaration.
    var pointer = ""

    /// Whether a plan can write its URL.
    var canPlan: Bool { parameters.allSatisfy { $0.isPlain || $0.spot == .header || $0.spot == .cookie } }
}

enum Input {
    case none
    /// A body of no declared type, or free parameters.
    case open
    /// JSON or a form.
    case typed(Typing, isRequired: Bool)
    /// A multipart body: the members that are values, whether these are required, and the members that are files.
    case multipart(Typing?, files: [Field], isRequired: Bool)
    case bytes(isRequired: Bool)
}

/// What the body of a response is.
enum Payload: Hashable {
    /// JSON.
    case typed(Typing)
    /// Text that is not JSON, such as text/plain.
    case text
    case bytes
}

enum Output {
    /// Nothing is declared, or nothing that has a type: the response itself.
    case response
    /// Successes carry nothing.
    case empty
    /// A success may also carry nothing.
    case typed(Payload, mayBeEmpty: Bool)
}

/// A response of many values, which can be read while it arrives.
struct StreamPlan {
    /// Server-sent events; otherwise JSON Lines.
    var isEvents: Bool
    /// The type of each value: of the data of an event, or of a line.
    var item: Typing
}

/// The body of the responses with some statuses.
struct StatusPlan {
    var lowest: Int
    var highest: Int
    var payload: Payload?
}
