// The model of the generated code, independent of the language: resources, operations and types.

internal import RoutableCore

/// One API.
struct Blueprint {
    var name = ""
    var summary = ""
    var base = ""
    /// The name of the file from which the code is generated.
    var source = ""
    /// The library that exports the router, by its name for the linker; nil if the output contains the document.
    var library: String?
    /// The route document without white space; nil for an OpenAPI document.
    var document: Bytes?
    /// The parts of the OpenAPI document that a router of these operations reads, without white space, if the output contains them; nil
    /// for a route document.
    var openAPI: Bytes?
    /// The selected operations of the document, in the syntax of `API.only`; nil for all.
    var only: [String]?
    var records: [Record] = []
    var choices: [Choice] = []
    var unions: [Union] = []
    var resources: [ResourcePlan] = []
    /// Standalone operations.
    var actions: [Action] = []
    /// The resources of an OpenAPI document, whose operations are standalone operations.
    var walks: [WalkPlan] = []
    /// Values that have no type in the generated code.
    var gaps: [Gap] = []

    /// The name of the API.
    var title: String { name.isEmpty ? source : name }

    /// The document, if the output contains it and it is short enough.
    var shortDocument: Bytes? { library != nil ? nil : document.flatMap { $0.count <= 1 << 16 ? $0 : nil } }

    var allActions: [Action] { resources.flatMap { $0.actions } + actions }
}

/// A value that is arbitrary JSON in the generated code, and the reason.
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
    /// Whether only responses have the member.
    var isReadOnly = false
    /// Whether only requests have the member.
    var isWriteOnly = false
}

/// A string with a fixed set of values.
struct Choice {
    var name: String
    var summary = ""
    var values: [String]
}

/// A value of one of several types.
struct Union {
    var name: String
    var summary = ""
    /// The options, which are tried in this order if the discriminator does not decide.
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

/// The type of a value, without its nullability.
indirect enum Shape: Hashable, Sendable {
    /// A string.  If the list is not empty, it contains the allowed values.
    case text([String])
    /// Index into the choices.
    case choice(Int)
    /// An integer.  If the list is not empty, it contains the allowed values.
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

    /// A comment for a value of this type: the summary, and the first allowed values.
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
    /// The ids of a member, from left to right; the path of the collection has all of them except the last one.
    var ids: [Parameter]
    var children: [Int]
    /// Whether the path of the collection starts at the root.
    var isRoot: Bool
    /// Whether the paths of the members start at the root.
    var hasRootMembers: Bool
    /// Whether the paths of the members start at the root, independently of the path of the collection.
    var isShallow: Bool
    var actions: [Action]
}

extension ResourcePlan {
    /// The ids before the last one.
    var scope: ArraySlice<Parameter> { ids.dropLast() }
}

enum Spot {
    case path, query, header, cookie

    /// The name of the location in OpenAPI documents.
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
    /// Whether the parameter is a path parameter of one or more segments.
    var takesSegments = false
    /// Whether a plan can write the parameter: it has a single value.
    var isPlain: Bool
}

enum ActionPlace { case collection, member, root }

/// An operation.
struct Action {
    /// The name in the description.
    var name: String
    var method: String
    var path: String
    var summary: String
    var place: ActionPlace
    /// The path parameters of the operation itself, followed by its query, header and cookie parameters; without the ids of its resource.
    var parameters: [Parameter]
    var input: Input
    /// The result of a successful response.
    var output: Output
    /// The types of error bodies.
    var errors: [StatusPlan] = []
    /// All declared responses.
    var statuses: [StatusPlan] = []
    /// The type of the items of its pages, if the operation can be paginated.
    var item: Typing?
    /// The stream of values in its response, if there is one.
    var stream: StreamPlan?
    /// The JSON pointer of its declaration.
    var pointer = ""

    /// Whether a plan can write the URL of the operation.
    var canPlan: Bool { parameters.allSatisfy { $0.isPlain || $0.spot == .header || $0.spot == .cookie } }
}

enum Input {
    case none
    /// A body without a declared type, or undeclared parameters.
    case open
    /// A body that is JSON or a form.
    case typed(Typing, isRequired: Bool)
    /// A multipart body: the type of the members that are values, whether these are required, and the members that are files.
    case multipart(Typing?, files: [Field], isRequired: Bool)
    case bytes(isRequired: Bool)
}

/// The body of a response.
enum Payload: Hashable {
    /// JSON.
    case typed(Typing)
    /// Text that is not JSON, such as text/plain.
    case text
    case bytes
}

enum Output {
    /// The response itself: no result is declared, or none with a type.
    case response
    /// Successful responses have no body.
    case empty
    /// A value; successful responses may also have no body.
    case typed(Payload, mayBeEmpty: Bool)
}

/// A response of several values, which can be read while it arrives.
struct StreamPlan {
    /// Whether the response has server-sent events; otherwise it has JSON Lines.
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
