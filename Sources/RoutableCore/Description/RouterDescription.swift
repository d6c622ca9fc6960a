// The plain description that documents, builder functions and Swift declarations produce, not yet validated as a whole.
// `Router.open` validates it and makes the router.

/// A complete API, as declared.
package struct RouterDescription: Sendable {
    package var name = Bytes()
    package var summary = Bytes()
    package var base: Bytes?
    /// All servers, for matching; empty if the base is the only one.  The byte 0 is the placeholder of a variable.
    package var servers: [Bytes] = []
    /// The reason why there is no base although the description declares servers.
    package var baseProblem = Bytes()
    /// Headers that are sent with every request, in this order.
    package var headers: [HeaderField] = []
    package var encoding = FormEncoding()
    package var types: [TypeDescription] = []
    package var resources: [ResourceDescription] = []
    /// Standalone operations.
    package var operations: [OperationDescription] = []
    package var userData: [UserData] = []
    package var authSchemes: [AuthScheme] = []
    /// The requirement of operations without one, if their resource has none either.
    package var auth: AuthRequirement?
    /// The default for all operations.
    package var rules: OperationRules?
    /// Whether routes that cannot be distinguished are warnings: requests of each one can be built by its name.
    package var toleratesConflicts = false
    /// Whether the description is that of a single URL template, which no API declares.
    package var isAnonymous = false
    /// Warnings of the reader of the document.
    package var warnings: [Bytes] = []
    /// The names of the standalone operations, if the reader collected them; they are compared with the operations before they are used.
    package var operationNames: TextPool?
    /// Derives resources from the paths of the operations, if no resources are declared.
    package var graph: (any GraphSource)?
    /// The document itself, if the description refers to parts of it.
    package var source: Text?

    package init() {}
}

/// A named type, or an inline one, with an empty name.  The schema is JSON.
package struct TypeDescription: Sendable {
    package var name: Bytes
    package var schema: Bytes
    /// The part of a document that contains the schema, instead of `schema`.
    package var slice: TextRange?
    package init(name: Bytes, schema: Bytes) {
        self.name = name
        self.schema = schema
    }
    package init(name: Bytes, slice: TextRange) {
        self.name = name
        self.schema = Bytes()
        self.slice = slice
    }
}

/// The value of an `x-` key, as JSON.
package struct UserData: Sendable {
    package var key: Bytes
    package var json: Bytes
    package init(key: Bytes, json: Bytes) {
        self.key = key
        self.json = json
    }
}

extension [UserData] {
    package func value(of key: Bytes) -> Bytes? { first { $0.key == key }?.json }
}

/// A resource: a collection and its members, their operations, and the nested resources.
package struct ResourceDescription: Sendable {
    package var name: Bytes
    /// The literals of its collection, below its parent; empty for none: `/v2/{name}`.
    package var path: Bytes
    /// The ids of a member, from left to right; a collection has all of them but the last.
    package var ids = [ParameterDescription(id: "id")]
    package var capabilities: Capabilities = []
    /// The names of the resources that are nested in a member.
    package var children: [Bytes] = []
    package var isNested = false
    package var isShallow = false
    /// The index of the type in the router.
    package var type: Int?
    /// Whether a value of a model that is declared in Swift, and that the library does not know, is read from its responses.
    package var hasModel = false
    package var summary = Bytes()
    /// The requirement of its operations; nil for that of the router.
    package var auth: AuthRequirement?
    /// Refined capabilities (those with a `capability`), then extra operations.
    package var operations: [OperationDescription] = []
    package var userData: [UserData] = []
    /// The JSON pointer of its declaration, for errors.
    package var pointer = Bytes()

    package init(name: Bytes, path: Bytes) {
        self.name = name
        self.path = path
    }
}

/// The collection, member or root that an operation belongs to.
public enum Place: Int32, Sendable {
    /// The collection of a resource.
    case collection = 0
    /// A member of a resource.
    case member = 1
    /// No resource: a standalone operation.
    case root = 2
}

/// The part of a request that contains a parameter.
public enum ParameterLocation: Int32, Sendable {
    /// The path.
    case path = 0
    /// The query.
    case query = 1
    /// A header.
    case header = 2
    /// A cookie.
    case cookie = 3
}

/// An operation of a collection or a member, or a standalone operation.
public struct OperationDescription: Sendable {
    /// How a request body is written.
    public enum BodyForm: Sendable {
        /// As JSON.
        case json
        /// As `application/x-www-form-urlencoded`.
        case form
        /// As bytes, sent unchanged.
        case bytes
        /// As a form with files.
        case multipart
    }

    /// The name, which is unique in its resource.
    public var name: Bytes {
        get { texts.name.bytes }
        set {
            if texts.isPointerOfName { pointer = pointer }
            ownTexts().name = Text(newValue)
        }
    }
    /// The same text as in the entry of the operation.
    var nameText: Text { texts.name }
    /// The method.
    public var method: Bytes {
        get { texts.method }
        set { ownTexts().method = newValue }
    }
    /// A path template, relative to the collection, the member or the root.
    public var path: Bytes {
        get { texts.path.bytes }
        set { ownTexts().path = Text(newValue) }
    }
    /// The same text as in the entry of an operation whose path begins at the root.
    var pathText: Text { texts.path }
    /// The parsed path; ignored if `path` has changed since it was parsed.  A template that was created from segments replaces
    /// `path`.
    public var template: Template? {
        get { texts.template }
        set { ownTexts().template = newValue }
    }
    /// Whether it has a template that was made from segments.
    var hasMadeTemplate: Bool { texts.template?.isMade == true }
    /// The place of the operation: the collection, a member or the root.
    public var place: Place
    /// The capability that the operation refines; nil for other operations.
    public var capability: Capability?
    /// How a request body is written.
    public var bodyForm = BodyForm.json
    /// The type of the request body, as an index into the types of the router.
    public var bodyType: Int?
    /// Whether a request must have a body; nil if nothing is declared.
    public var isBodyRequired: Bool?
    /// The media types of the body, preferred first; empty for the media type of `bodyForm`.
    public var bodies: [BodyDescription] {
        get { details?.bodies ?? [] }
        set { if !newValue.isEmpty || details != nil { own().bodies = newValue } }
    }
    /// Replaces the base of the router.
    public var base: Bytes? {
        get { details?.base }
        set { if newValue != nil || details != nil { own().base = newValue } }
    }
    /// The servers of an operation with a base, to match URLs with; empty if the base is the only one.
    package var servers: [Bytes] {
        get { details?.servers ?? [] }
        set { if !newValue.isEmpty || details != nil { own().servers = newValue } }
    }
    /// The reason why the servers of the operation cannot be used; then the base of the router is not used either.
    package var baseProblem: Bytes {
        get { details?.baseProblem ?? Bytes() }
        set { if !newValue.isEmpty || details != nil { own().baseProblem = newValue } }
    }
    /// The part of a document that contains the operation.
    package var source: TextRange? {
        get { details?.source }
        set { if newValue != nil || details != nil { own().source = newValue } }
    }
    /// Whether the path is never matched; requests can be built.
    public var isUnmatched = false
    /// Whether requests are built even if their URL matches another route.
    public var isShadowingAllowed = false
    /// The priority: if two operations match the same path, the one with the higher priority is selected.
    public var priority = 0
    /// The requirement; nil for that of its resource or of the router.
    package var auth: AuthRequirement?
    /// The JSON pointer of the declaration, for errors.
    public var pointer: Bytes {
        get { texts.isPointerOfName ? "/operations/\(texts.name.bytes.pointerEscaped)" : texts.pointer }
        set {
            let own = ownTexts()
            own.pointer = newValue
            own.isPointerOfName = false
        }
    }

    /// The strings of an operation in one object: a router copies descriptions, and each copy needs only one retain for them.
    private var texts: Texts

    private final class Texts: @unchecked Sendable {
        // Changed only while a single description refers to it.
        var name: Text
        var method: Bytes
        var path: Text
        var template: Template?
        var pointer = Bytes()
        /// Whether the pointer is that of a standalone operation with this name in a route document.
        var isPointerOfName = false

        init(_ name: Text, _ method: Bytes, _ path: Text, _ template: Template?) {
            self.name = name
            self.method = method
            self.path = path
            self.template = template
        }

        convenience init(_ other: Texts) {
            self.init(other.name, other.method, other.path, other.template)
            pointer = other.pointer
            isPointerOfName = other.isPointerOfName
        }
    }

    /// The strings; copied first if another description shares them.
    private mutating func ownTexts() -> Texts {
        if !isKnownUniquelyReferenced(&texts) { texts = Texts(texts) }
        return texts
    }

    /// Data that few operations of a large table have; nil if there is none.
    private var details: Details?

    private final class Details: @unchecked Sendable {
        // Changed only while a single description refers to it.
        var ids: [ParameterDescription] = []
        var query: [ParameterDescription] = []
        var headers: [ParameterDescription] = []
        var cookies: [ParameterDescription] = []
        var bodies: [BodyDescription] = []
        var results: [ResultDescription] = []
        var hasModel = false
        var base: Bytes?
        var servers: [Bytes] = []
        var baseProblem = Bytes()
        var source: TextRange?
        var encoding: FormEncoding?
        var summary = Bytes()
        var userData: [UserData] = []
        var rules: OperationRules?

        init() {}

        init(_ other: Details) {
            ids = other.ids
            query = other.query
            headers = other.headers
            cookies = other.cookies
            bodies = other.bodies
            results = other.results
            hasModel = other.hasModel
            base = other.base
            servers = other.servers
            baseProblem = other.baseProblem
            source = other.source
            encoding = other.encoding
            summary = other.summary
            userData = other.userData
            rules = other.rules
        }
    }

    /// Whether no details were set.
    var isBare: Bool { details == nil }

    /// The details; copied first if another description shares them.
    private mutating func own() -> Details {
        if isKnownUniquelyReferenced(&details), let details { return details }
        let own = details.map { Details($0) } ?? Details()
        details = own
        return own
    }

    /// The parameters of the operation's own path.
    public var ids: [ParameterDescription] {
        get { details?.ids ?? [] }
        set { if !newValue.isEmpty || details != nil { own().ids = newValue } }
    }

    /// The declared query parameters.
    public var query: [ParameterDescription] {
        get { details?.query ?? [] }
        set { if !newValue.isEmpty || details != nil { own().query = newValue } }
    }

    /// Whether a model that is declared in Swift, and that the library does not know, is decoded from JSON.
    package var hasModel: Bool {
        get { details?.hasModel ?? false }
        set { if newValue { own().hasModel = true } }
    }

    /// The declared headers.
    public var headers: [ParameterDescription] {
        get { details?.headers ?? [] }
        set { if !newValue.isEmpty || details != nil { own().headers = newValue } }
    }

    /// The declared cookies.
    public var cookies: [ParameterDescription] {
        get { details?.cookies ?? [] }
        set { if !newValue.isEmpty || details != nil { own().cookies = newValue } }
    }

    /// The declared responses.
    public var results: [ResultDescription] {
        get { details?.results ?? [] }
        set { if !newValue.isEmpty || details != nil { own().results = newValue } }
    }

    /// The encoding of parameters; nil for the encoding of the API.
    public var encoding: FormEncoding? {
        get { details?.encoding }
        set { if newValue != nil || details != nil { own().encoding = newValue } }
    }

    /// The description of the operation, for readers.
    public var summary: Bytes {
        get { details?.summary ?? Bytes() }
        set { if !newValue.isEmpty || details != nil { own().summary = newValue } }
    }

    package var userData: [UserData] {
        get { details?.userData ?? [] }
        set { if !newValue.isEmpty || details != nil { own().userData = newValue } }
    }

    /// Retries, deadlines and pagination; nil for those of the API.
    public var rules: OperationRules? {
        get { details?.rules }
        set { if newValue != nil || details != nil { own().rules = newValue } }
    }

    /// Creates an operation without parameters and types.
    public init(name: Bytes, method: Bytes, path: Bytes, place: Place = .root, capability: Capability? = nil) {
        texts = Texts(Text(name), method, Text(path), nil)
        self.place = place
        self.capability = capability
    }

    /// Creates an operation whose strings are shared with its entry.
    package init(name: Text, method: Bytes, path: Text, place: Place) {
        texts = Texts(name, method, path, nil)
        self.place = place
    }

    /// Creates a standalone operation of a route document that has only a method and a path, which is already parsed.
    package init(name: Text, method: Bytes, path: Text, template: Template) {
        texts = Texts(name, method, path, template)
        texts.isPointerOfName = true
        place = .root
    }
}

/// A media type of a request body.
public struct BodyDescription: Sendable {
    /// The media type.
    public var mediaType: Bytes
    /// The format of the body.
    public var form: OperationDescription.BodyForm
    /// The type of the body, as an index into the types of the router; nil for no type.
    public var type: Int?
    /// The encodings of form properties or multipart parts that declare one.
    public var parts: [PartDescription] = []

    /// Creates a body of a media type.
    public init(mediaType: Bytes, form: OperationDescription.BodyForm, type: Int?) {
        self.mediaType = mediaType
        self.form = form
        self.type = type
    }
}

/// One property of a form, or one part of a multipart body.
public struct PartDescription: Sendable {
    /// The name of the property or the part.
    public var name: Bytes
    /// The content type; empty for the content type of the value.
    public var contentType = Bytes()
    /// The style of an OpenAPI parameter; nil for the encoding of the operation.
    public var style: ParameterStyle?
    /// Whether the value is bytes, usually a file.
    public var isBinary = false
    /// Headers of the part whose values are declared.
    package var headers: [HeaderField] = []

    /// Creates a property or a part with this name.
    public init(name: Bytes) { self.name = name }
}

/// A status or a range of statuses, with the type of its body.
public struct ResultDescription: Sendable {
    /// The lowest status.
    public var lowest: Int32
    /// The highest status.
    public var highest: Int32
    /// The type of the body, as an index into the types of the router; nil for no type.
    public var type: Int?
    /// Whether the result is declared as empty: a body is not decoded.
    public var isEmpty: Bool
    /// Whether the statuses are errors, so that `type` is the type of an error body.
    public var isError = false
    /// Whether the body is an array of values of the type, like the list of a resource.
    package var isList = false
    /// Whether the body is JSON, with or without a type.
    package var isJSON = false
    /// Whether the statuses are the successes that the document does not declare, in addition to those that it declares.
    package var isUndeclared = false
    /// Whether the document does not declare the statuses by themselves: successes for which it has `default`, or nothing.
    package var isImplied = false
    /// Whether the document declares the success without content.
    package var hasNoContent = false
    /// The other media types of the body, for which it is not validated.
    package var otherMediaTypes: [Bytes] = []
    /// All media types of the body, in the order of the document, each with its type; empty if the description does not
    /// distinguish them.
    package var contents: [ResultContent] = []
    /// The place of its examples in the document (`BodyCodec.examples`); nil for none.
    package var examples: Int?
    /// The media types of the body, if the description declares them separately from schemas, and not only JSON (Swagger 2.0).
    package var produced: [Bytes] = []

    /// Creates a result for a range of statuses.
    public init(lowest: Int32, highest: Int32, type: Int?, isEmpty: Bool = false) {
        self.lowest = lowest
        self.highest = highest
        self.type = type
        self.isEmpty = isEmpty
    }
}

/// One of the media types that are declared for a response.
package struct ResultContent: Sendable {
    /// The media type as it is declared.
    package let mediaType: Bytes
    /// The type of the body, as an index into the types of the router; nil for none.
    package let type: Int?
    /// `type/subtype` in lower case.
    let essence: Bytes
    let hasParameters: Bool

    package init(mediaType: Bytes, type: Int?) {
        self.mediaType = mediaType
        self.type = type
        let end = mediaType.storage.firstIndex(of: UInt8(ascii: ";"))
        hasParameters = end != nil
        let first = mediaType.storage[..<(end ?? mediaType.count)]
        essence = Bytes(first.filter { $0 != 0x20 && $0 != 0x09 }).lowercased
    }
}

/// A named value of a path, a query, a header or a cookie.
public struct ParameterDescription: Sendable {
    /// The name.
    public var name: Bytes
    /// The part of the request that contains the parameter.
    public var location: ParameterLocation
    /// The type of the value, with its constraints.
    public var scalar = Scalar()
    /// Whether the value is an array of such scalars (query only, unless a style is set).
    public var isArray = false
    /// The style; nil for a plain value, or if `encoding` applies.
    public var style: ParameterStyle?
    /// The schema against which the whole value is validated, as an index for the codec; nil if `scalar` is the whole schema.
    package var type: Int?
    /// Whether matching accepts any string for the parameter.
    public var matchesAnyText = false
    /// Whether a path value may have several segments.
    public var takesSegments = false
    /// Whether a path value may be the empty string.
    public var allowsEmpty = false
    /// The number of a declaration that several operations share; 0 for a declaration that is not shared.
    public var identity = 0
    /// Whether it is the key of a security scheme, which a call may pass, and which a service reads as a credential only.
    package var isCredential = false
    /// Whether it is a parameter of the query that the path of a description contains.
    package var isInPath = false
    /// The encoding of the parameter, which replaces that of the operation (query only).
    public var encoding: FormEncoding?
    /// Whether calls must pass the parameter.
    public var isRequired: Bool
    /// The default value; nil if there is none.
    public var defaultValue: Value?
    /// The description of the parameter, for readers.
    public var summary = Bytes()

    /// Creates a parameter that accepts any string.
    public init(name: Bytes, location: ParameterLocation, isRequired: Bool = false) {
        self.name = name
        self.location = location
        self.isRequired = isRequired
    }

    /// Creates an id of a resource: `number`, or `name...` for an id of one or more segments.
    public init(id spelling: Bytes) {
        let takesSegments = Template.takesSegments(spelling)
        self.init(
            name: takesSegments ? Bytes(spelling.storage.dropLast(3)) : spelling, location: .path, isRequired: true)
        self.takesSegments = takesSegments
    }

    /// The name as in a template: `number`, or `name...` if the value may have several segments.
    public var spelling: Bytes { takesSegments ? "\(name)..." : name }

    /// "string", "integer", ..., "array".
    public var typeName: Bytes {
        switch style?.shape {
        case .array?: "array"
        case .object?: "object"
        case .any?: "any"
        default: isArray ? "array" : scalar.kindName
        }
    }

    /// The scalar that distinguishes its segment from others in matching.
    var matchScalar: Scalar { matchesAnyText ? Scalar() : scalar }
}

/// One header field.
public struct HeaderField: Sendable {
    /// The name.
    public var name: Bytes
    /// The value.
    public var value: Bytes
    /// Creates a header.  The name and the value are not checked.
    public init(_ name: Bytes, _ value: Bytes) {
        self.name = name
        self.value = value
    }
}
