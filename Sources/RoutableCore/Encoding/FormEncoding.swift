// How free parameters are written (BEHAVIOUR 3.3): Alamofire's rules by default, each of them an option.

/// The options of free parameters; the first of each is the default.
public struct FormEncoding: Sendable, Equatable {
    /// Where the parameters go: by the method (query for GET, HEAD and DELETE, else the body), or always there.
    public enum Destination: Sendable { case method, query, body }
    /// As what they are written when they go into a body.
    public enum Form: Sendable { case form, json }
    /// `foo[]=1`, `foo=1`, `foo[0]=1`.
    public enum Arrays: Sendable { case brackets, none, index }
    /// `1` and `0`, or `true` and `false`.
    public enum Booleans: Sendable { case numeric, literal }
    /// The key is dropped, `foo=`, or `foo=null`.
    public enum Nulls: Sendable { case drop, empty, null }

    public var destination = Destination.method
    public var form = Form.form
    public var arrays = Arrays.brackets
    public var booleans = Booleans.numeric
    public var nulls = Nulls.drop

    public init() {}

    /// Whether parameters of a request with this method go into its query (BEHAVIOUR U1).
    public func goesToQuery(_ method: Bytes) -> Bool {
        switch destination {
        case .method: method == "GET" || method == "HEAD" || method == "DELETE"
        case .query: true
        case .body: false
        }
    }

    /// The Content-Type of a form body (BEHAVIOUR U5).
    public static let contentType: Bytes = "application/x-www-form-urlencoded; charset=utf-8"

    /// The pairs of `parameters`, escaped and joined by `&`; empty when there are none.
    ///
    /// Keys are sorted by their bytes at every level (BEHAVIOUR U3, U15); array order is kept; null and the
    /// empty array leave no separator behind (U16, U17).
    public func encode(_ parameters: [Value.Member], leaving bare: BareSet = .form) throws(Failure) -> Bytes {
        var output = Bytes()
        for member in parameters.sorted(by: { $0.name < $1.name }) {
            try append(member.value, key: member.name, depth: 1, bare, to: &output)
        }
        return output
    }

    // Recursion is bounded by `Limits.jsonDepth`.
    private func append(
        _ value: Value, key: Bytes, depth: Int, _ bare: BareSet, to output: inout Bytes
    ) throws(Failure) {
        if depth > Limits.jsonDepth {
            throw Failure(.limit, "parameters nest deeper than \(Limits.jsonDepth) levels")
        }
        switch value {
        case .object(let members):
            for member in members.sorted(by: { $0.name < $1.name }) {
                try append(member.value, key: "\(key)[\(member.name)]", depth: depth &+ 1, bare, to: &output)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                let elementKey: Bytes =
                    switch arrays {
                    case .brackets: "\(key)[]"
                    case .none: key
                    case .index: "\(key)[\(index)]"
                    }
                try append(element, key: elementKey, depth: depth &+ 1, bare, to: &output)
            }
        case .null:
            switch nulls {
            case .drop: break
            case .empty: try appendPair(key, "", bare, to: &output)
            case .null: try appendPair(key, "null", bare, to: &output)
            }
        case .boolean(let truth):
            switch booleans {
            case .numeric: try appendPair(key, truth ? "1" : "0", bare, to: &output)
            case .literal: try appendPair(key, truth ? "true" : "false", bare, to: &output)
            }
        case .integer, .real, .number, .text:
            guard let text = value.scalarText else {
                throw Failure(.value, "the parameter \"\(key.printable)\" is not a finite number") {
                    $0.parameter = key
                }
            }
            try appendPair(key, text, bare, to: &output)
        }
    }

    private func appendPair(_ key: Bytes, _ value: Bytes, _ bare: BareSet, to output: inout Bytes) throws(Failure) {
        if !UTF8Check.isValid(key) || !UTF8Check.isValid(value) {
            throw Failure(.value, "the parameter \"\(key.printable)\" or its value is not UTF-8") { $0.parameter = key }
        }
        if !output.isEmpty { output.append(UInt8(ascii: "&")) }
        PercentCoding.append(key, bare, to: &output)
        output.append(UInt8(ascii: "="))
        PercentCoding.append(value, bare, to: &output)
    }
}
