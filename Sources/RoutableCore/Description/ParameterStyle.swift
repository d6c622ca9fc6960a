// The parameter styles of OpenAPI (Encoding/ParameterWriting.swift writes them).

/// The style of a parameter with its options.
public struct ParameterStyle: Sendable, Equatable {
    /// The style of OpenAPI.
    public enum Kind: UInt8, Sendable {
        /// Values with commas: `1,2`.
        case simple
        /// Values with dots: `.1.2`.
        case label
        /// Values with semicolons and names: `;a=1`.
        case matrix
        /// Values of a query: `a=1&a=2`.
        case form
        /// Values with spaces: `a=1%202`.
        case spaceDelimited
        /// Values with pipes: `a=1|2`.
        case pipeDelimited
        /// Members in brackets: `a[b]=1`.
        case deepObject
        /// OpenAPI 3.2: pairs in the form of a cookie, not escaped.
        case cookie
        /// `content`: the value as JSON.
        case json
        /// `content` of any other type: a string, not encoded.
        case text
        /// OpenAPI 3.2 `in: querystring`: the whole query is a form.
        case queryForm
        /// OpenAPI 3.2 `in: querystring`: the whole query is JSON.
        case queryJSON
    }

    /// The shape of the value, as its schema declares it.
    public enum Shape: UInt8, Sendable {
        /// A string, a number or a boolean.
        case scalar
        /// An array.
        case array
        /// An object.
        case object
        /// A value of any type.
        case any
    }

    /// The style of OpenAPI.
    public var kind: Kind
    /// Whether each element of an array or member of an object is a separate parameter or segment.
    public var explode: Bool
    /// Whether reserved characters are written without percent-encoding.
    public var allowReserved: Bool
    /// The type of the values.
    public var shape: Shape

    /// Creates a style.  If `explode` is nil, it has the default of the style.
    public init(_ kind: Kind, explode: Bool? = nil, allowReserved: Bool = false, shape: Shape = .any) {
        self.kind = kind
        self.explode = explode ?? (kind == .form || kind == .cookie)
        self.allowReserved = allowReserved
        self.shape = shape
    }

    /// Whether a single value is written like a plain parameter at this location, so that no style is needed.
    public func isPlain(_ location: ParameterLocation) -> Bool {
        guard shape == .scalar, !allowReserved else { return false }
        switch location {
        case .path, .header: return kind == .simple
        case .query, .cookie: return kind == .form
        }
    }

    /// The name in OpenAPI documents.
    public var name: StaticString {
        switch kind {
        case .simple: "simple"
        case .label: "label"
        case .matrix: "matrix"
        case .form: "form"
        case .spaceDelimited: "spaceDelimited"
        case .pipeDelimited: "pipeDelimited"
        case .deepObject: "deepObject"
        case .cookie: "cookie"
        case .json, .text, .queryForm, .queryJSON: "content"
        }
    }

    /// The style with the name that OpenAPI documents use; nil for other names.
    public static func named(_ word: Bytes) -> Kind? {
        switch word {
        case "simple": .simple
        case "label": .label
        case "matrix": .matrix
        case "form": .form
        case "spaceDelimited": .spaceDelimited
        case "pipeDelimited": .pipeDelimited
        case "deepObject": .deepObject
        case "cookie": .cookie
        default: nil
        }
    }

    /// Whether OpenAPI allows the style at this location.
    public static func isAllowed(_ kind: Kind, in location: ParameterLocation) -> Bool {
        switch kind {
        case .simple: location == .path || location == .header
        case .label, .matrix: location == .path
        case .form: location == .query || location == .cookie
        case .spaceDelimited, .pipeDelimited, .deepObject, .queryForm, .queryJSON: location == .query
        case .cookie: location == .cookie
        case .json, .text: true
        }
    }
}

extension ParameterDescription {
    /// The declared style, or the equivalent one for a parameter without a style.
    var effectiveStyle: ParameterStyle {
        style
            ?? ParameterStyle(
                location == .path || location == .header ? .simple : .form, shape: isArray ? .array : .scalar)
    }

    /// The name of the OpenAPI style, such as `form`.
    public var styleName: StaticString { effectiveStyle.name }
}
