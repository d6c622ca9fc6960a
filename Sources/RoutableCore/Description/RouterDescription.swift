// The plain description that documents, builder functions and Swift declarations produce, not yet validated as a whole.
// `Router.init` validates it and makes the router.

/// A complete API, as declared.
package struct RouterDescription: Sendable {
    package var name = Bytes()
    package var summary = Bytes()
    package var base: Bytes?
    /// All servers, for matching; empty if the base is the only one.  The byte 0 is the placeholder of a variable.
    package var servers: [Bytes] = []
    /// Why there is no base although the description declares servers.
    package var baseProblem = Bytes()
    /// Sent with every request, in this order.
    package var headers: [HeaderField] = []
    package var encoding = FormEncoding()
    package var types: [TypeDescription] = []
    package var resources: [ResourceDescription] = []
    /// Standalone operations.
    package var operations: [OperationDescription] = []
    package var userData: [UserData] = []
    package var authSchemes: [AuthScheme] = []
    /// What operations need that say nothing of their own, and whose resource says nothing.
    package var auth: AuthRequirement?
    /// The default for all operations.
    package var rules: OperationRules?
    /// Routes that cannot be told apart are warnings: each stays buildable by its name.
    package var toleratesConflicts = false
    /// Of a URL template alone, which no API declares.
    package var isAnonymous = false
    /// What the reader found strange.
    package var warnings: [Bytes] = []
    /// The names of the standalone operations where who collected them kept them; held against them before it counts.
    package var operationNames: TextPool?
    /// Derives resources from the paths of the operations, where none are declared.
    package var graph: (any GraphSource)?
    /// The document itself, where the description only points into it.
    package var source: Text?

    package init() {}
}

/// A named type, or an inline one, whose name is empty.  The schema is JSON.
package struct TypeDescription: Sendable {
    package var name: Bytes
    package var schema: Bytes
    /// Instead of `schema`: where it stands in a document.
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
    /// What stands for a member, from left to right; a collection has all of them but the last.
    package var ids = [ParameterDescription(id: "id")]
    package var capabilities: Capabilities = []
    /// Names of the resources that nest below a member.
    package var children: [Bytes] = []
    package var isNested = false
    package var isShallow = false
    /// Index into the types of the router.
    package var type: Int?
    package var summary = Bytes()
    /// What its operations need; nil for what the router says.
    package var auth: AuthRequirement?
    /// Refined capabilities (those with a `capability`), then extra operations.
    package var operations: [OperationDescription] = []
    package var userData: [UserData] = []
    /// JSON pointer of its declaration, for errors.
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
    /// The name as the entry of the operation has it.
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
    /// The path as the entry of an operation has it whose path is written from the root.
    var pathText: Text { texts.path }
    /// The parsed path; ignored if `path` has changed since it was parsed.  A template that was created from segments replaces
    /// `path`.
    public var template: Template? {
        get { texts.template }
        set { ownTexts().template = newValue }
    }
    /// Whether it has a template that was made of segments.
    var hasMadeTemplate: Bool { texts.template?.isMade == true }
    /// Whether it belongs to the collection, a member or the root.
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
    /// Why its own servers cannot be used; then the base of the router is not used either.
    package var baseProblem: Bytes {
        get { details?.baseProblem ?? Bytes() }
        set { if !newValue.isEmpty || details != nil { own().baseProblem = newValue } }
    }
    /// Where it stands in a document.
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
    /// nil for what its resource or the router says.
    package var auth: AuthRequirement?
    /// JSON pointer to the declaration, for errors.
    public var pointer: Bytes {
        get { texts.isPointerOfName ? "/operations/\(texts.name.bytes.pointerEscaped)" : texts.pointer }
        set {
            let own = ownTexts()
            own.pointer = newValue
            own.isPointerOfName = false
        }
    }

    /// What every operation has, in one object: a router copies descriptions, and counts one reference for it.
    private var texts: Texts

    private final class Texts: @unchecked Sendable {
        // Changed only while one description has it.
        var name: Text
        var method: Bytes
        var path: Text
        var template: Template?
        var pointer = Bytes()
        /// The pointer is that of a standalone operation of this name in a route document.
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

    /// The texts, not shared with another description.
    private mutating func ownTexts() -> Texts {
        if !isKnownUniquelyReferenced(&texts) { texts = Texts(texts) }
        return texts
    }

    /// What few operations of a large table have; nil for none of it.
    private var details: Details?

    private final class Details: @unchecked Sendable {
        // Changed only while one description has it.
        var ids: [ParameterDescription] = []
        var query: [ParameterDescription] = []
        var headers: [ParameterDescription] = []
        var cookies: [ParameterDescription] = []
        var bodies: [BodyDescription] = []
        var results: [ResultDescription] = []
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

    /// Whether none of the details was ever said.
    var isBare: Bool { details == nil }

    /// The details, not shared with another description.
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

    /// An operation whose texts are those of its entry, too.
    package init(name: Text, method: Bytes, path: Text, place: Place) {
        texts = Texts(name, method, path, nil)
        self.place = place
    }

    /// A standalone operation of a route document that is a method and a path, which is parsed already.
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
    /// An array of values of the type, as the list of a resource is.
    package var isList = false
    /// It is JSON, typed or not.
    package var isJSON = false
    /// The successes that the document does not declare, beside others that it does.
    package var isUndeclared = false
    /// The other media types that it may have, whose bodies are not validated.
    package var otherMediaTypes: [Bytes] = []
    /// All media types that it may have, in the order of the document, each with its type; empty if the description does not
    /// distinguish them.
    package var contents: [ResultContent] = []
    /// The place of its examples in the document (`BodyCodec.examples`); nil for none.
    package var examples: Int?
    /// Its media types, if the description states them apart from schemas, and they say more than that it is JSON (Swagger 2.0).
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
    /// As the description has it.
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
    /// The schema against which the whole value is validated, as an index for the codec; nil if `scalar` says all of it.
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

    /// What tells its segment from others.
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
