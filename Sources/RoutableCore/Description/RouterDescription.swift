// The plain description that documents, builder functions and Swift declarations produce, not yet validated as a whole.
// `Router.init` validates it and makes the router.

/// A complete API, as declared.
package struct RouterDescription: Sendable {
    package var name = Bytes()
    package var summary = Bytes()
    package var base: Bytes?
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
    /// What the reader found strange.
    package var warnings: [Bytes] = []
    /// The names of the standalone operations where who collected them kept them; held against them before it counts.
    package var operationNames: TextPool?
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
public enum Place: Int32, Sendable { case collection = 0, member = 1, root = 2 }

/// The part of a request that contains a parameter.
public enum ParameterLocation: Int32, Sendable { case path = 0, query = 1, header = 2, cookie = 3 }

/// An operation of a collection or a member, or a standalone operation.
public struct OperationDescription: Sendable {
    /// How a request body is written.
    public enum BodyForm: Sendable {
        /// As JSON.
        case json
        /// As `application/x-www-form-urlencoded`.
        case form
        /// As given.
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
    /// The path as it was parsed when it was declared; it need not be that of a path that was changed since.  One that is
    /// made of segments counts instead of the path.
    public var template: Template? {
        get { texts.template }
        set { ownTexts().template = newValue }
    }
    /// Whether it has a template that was made of segments.
    var hasMadeTemplate: Bool { texts.template?.isMade == true }
    /// Whether it belongs to the collection, a member or the root.
    public var place: Place
    /// The capability that it refines; nil for another operation.
    public var capability: Capability?
    /// How a request body is written.
    public var bodyForm = BodyForm.json
    /// Index into the types of the router.
    public var bodyType: Int?
    /// Whether a request must have a body; nil if nothing is declared.
    public var isBodyRequired: Bool?
    /// The media types of the body, the preferred one first; empty for that of `bodyForm`.
    public var bodies: [BodyDescription] {
        get { details?.bodies ?? [] }
        set { if !newValue.isEmpty || details != nil { own().bodies = newValue } }
    }
    /// Replaces the base of the router.
    public var base: Bytes? {
        get { details?.base }
        set { if newValue != nil || details != nil { own().base = newValue } }
    }
    /// Where it stands in a document.
    package var source: TextRange? {
        get { details?.source }
        set { if newValue != nil || details != nil { own().source = newValue } }
    }
    /// Requests can be built, but the path cannot be matched.
    public var isUnmatched = false
    /// Requests are built even if their URL matches another route.
    public var isShadowingAllowed = false
    /// Which of two routes counts that match the same path: the higher.
    public var priority = 0
    /// nil for what its resource or the router says.
    package var auth: AuthRequirement?
    /// JSON pointer of its declaration, for errors.
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

    /// The parameters of its own path.
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

    /// How parameters are written; nil for the encoding of the API.
    public var encoding: FormEncoding? {
        get { details?.encoding }
        set { if newValue != nil || details != nil { own().encoding = newValue } }
    }

    /// One sentence for people.
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

    /// An operation without parameters and types.
    public init(name: Bytes, method: Bytes, path: Bytes, place: Place, capability: Capability? = nil) {
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

/// One media type that the body of an operation may have.
public struct BodyDescription: Sendable {
    public var mediaType: Bytes
    public var form: OperationDescription.BodyForm
    /// Index into the types of the router.
    public var type: Int?
    /// The encodings of form properties or multipart parts that declare one.
    public var parts: [PartDescription] = []

    public init(mediaType: Bytes, form: OperationDescription.BodyForm, type: Int?) {
        self.mediaType = mediaType
        self.form = form
        self.type = type
    }
}

/// One property of a form, or one part of a multipart body.
public struct PartDescription: Sendable {
    public var name: Bytes
    /// The content type; empty for that of the value.
    public var contentType = Bytes()
    public var style: ParameterStyle?
    /// The value is bytes, usually a file.
    public var isBinary = false

    public init(name: Bytes) { self.name = name }
}

/// A status or a range of statuses, with the type of its body.
public struct ResultDescription: Sendable {
    public var lowest: Int32
    public var highest: Int32
    /// Index into the types of the router; nil for no type.
    public var type: Int?
    /// The result is declared as empty: a body is not decoded.
    public var isEmpty: Bool
    /// The type of the body of an error response.
    public var isError = false
    /// An array of values of the type, as the list of a resource is.
    package var isList = false
    /// It is JSON, typed or not.
    package var isJSON = false
    /// The other media types that it may have, whose bodies are not validated.
    package var otherMediaTypes: [Bytes] = []

    public init(lowest: Int32, highest: Int32, type: Int?, isEmpty: Bool = false) {
        self.lowest = lowest
        self.highest = highest
        self.type = type
        self.isEmpty = isEmpty
    }
}

/// A named value of a path, a query, a header or a cookie.
public struct ParameterDescription: Sendable {
    /// The name.
    public var name: Bytes
    /// Where the parameter stands.
    public var location: ParameterLocation
    /// The type of the value, and its limits.
    public var scalar = Scalar()
    /// An array of such scalars (query only, unless a style is given).
    public var isArray = false
    /// The style; nil for a plain value, or for that of `encoding`.
    public var style: ParameterStyle?
    /// Matching accepts any string in its place.
    public var matchesAnyText = false
    /// A path value of one or more segments.
    public var takesSegments = false
    /// A path value that may be the empty string.
    public var allowsEmpty = false
    /// The same number for a declaration that several operations share; 0 if it is not shared.
    public var identity = 0
    /// Replaces the encoding of the operation (query only).
    public var encoding: FormEncoding?
    /// Whether a call must have it.
    public var isRequired: Bool
    /// The value that a call without one has; nil for none.
    public var defaultValue: Value?
    /// One sentence for people.
    public var summary = Bytes()

    /// A parameter of any text.
    public init(name: Bytes, location: ParameterLocation, isRequired: Bool = false) {
        self.name = name
        self.location = location
        self.isRequired = isRequired
    }

    /// The id of a resource by its spelling: `number`, or `name...` for one that is one segment or more.
    public init(id spelling: Bytes) {
        let takesSegments = Template.takesSegments(spelling)
        self.init(
            name: takesSegments ? Bytes(spelling.storage.dropLast(3)) : spelling, location: .path, isRequired: true)
        self.takesSegments = takesSegments
    }

    /// As a template has it, and what a resource's id is declared by.
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
    /// A header with a name and a value, which are not checked.
    public init(_ name: Bytes, _ value: Bytes) {
        self.name = name
        self.value = value
    }
}
