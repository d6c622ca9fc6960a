// The encoding of undeclared parameters (docs/statements.md, U): the rules of Alamofire by default, each of which is an option.

/// The options of a form.  The first case of each is the default; docs/encodings.md shows the output of each.
public struct FormEncoding: Sendable, Equatable {
    /// Where parameters are written: depending on the method (query for GET, HEAD and DELETE, otherwise body), or always in the
    /// query or the body.
    public enum Destination: Int, Sendable {
        /// The query for GET, HEAD and DELETE, otherwise the body.
        case method
        /// The query.
        case query
        /// The body.
        case body
    }
    /// The format of parameters in a body.
    public enum Form: Int, Sendable {
        /// A form.
        case form
        /// JSON.
        case json
    }
    /// `foo[]=1`, `foo=1`, `foo[0]=1`, `foo=1,2`, or the format in `arrayFormat`.
    public enum Arrays: Int, Sendable {
        /// `foo[]=1`.
        case brackets
        /// `foo=1`.
        case none
        /// `foo[0]=1`.
        case index
        /// `foo=1,2`.
        case comma
        /// The format in `arrayFormat`.
        case format
    }
    /// `1` and `0`, or `true` and `false`.
    public enum Booleans: Int, Sendable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case literal
    }
    /// Omitted, `foo=`, or `foo=null`.
    public enum Nulls: Int, Sendable {
        /// Omitted.
        case drop
        /// `foo=`.
        case empty
        /// `foo=null`.
        case null
    }
    /// An empty array is omitted, or written as one item without a value.
    public enum EmptyArrays: Int, Sendable {
        /// Omitted.
        case drop
        /// One item without a value.
        case empty
    }
    /// Sorted by the bytes of the keys at every level, or in the given order.
    public enum Order: Int, Sendable {
        /// Sorted by the bytes of the keys at every level.
        case sorted
        /// The given order.
        case given
    }
    /// `a[b]=1`, or `a.b=1`.
    public enum KeyPaths: Int, Sendable {
        /// `a[b]=1`.
        case brackets
        /// `a.b=1`.
        case dots
    }
    /// The case of a key such as `oneTwoThree`: unchanged, `one_two_three`, `one-two-three`, `OneTwoThree`, `ONETWOTHREE`,
    /// `onetwothree`.
    public enum KeyCase: Int, Sendable {
        /// Unchanged.
        case given
        /// `one_two_three`.
        case snake
        /// `one-two-three`.
        case kebab
        /// `OneTwoThree`.
        case capitalized
        /// `ONETWOTHREE`.
        case upper
        /// `onetwothree`.
        case lower
    }
    /// `%20`, or `+`.
    public enum Spaces: Int, Sendable {
        /// `%20`.
        case percent
        /// `+`.
        case plus
    }
    /// The characters besides letters and digits that are not escaped: `-._~/?`; `-._~`; or `*-._` with a space as `+`.
    public enum Escape: Int, Sendable {
        /// All except letters, digits and `-._~/?`.
        case query
        /// All except letters, digits and `-._~`.
        case unreserved
        /// All except letters, digits and `*-._`; a space is `+`.
        case whatwg
    }
    /// Unchanged, or each line break as CR LF, as in an HTML form.
    public enum Newlines: Int, Sendable {
        /// Unchanged.
        case given
        /// Each line break as CR LF, as in an HTML form.
        case crlf
    }

    /// The options by their names in documents and in C.
    public enum Option: Int, CaseIterable, Sendable {
        /// `FormEncoding.destination`.
        case to
        /// `FormEncoding.form`.
        case `as`
        /// The format of arrays.
        case arrays
        /// `FormEncoding.booleans`.
        case booleans
        /// `FormEncoding.nulls`.
        case nulls
        /// `FormEncoding.emptyArrays`.
        case emptyArrays
        /// `FormEncoding.order`.
        case order
        /// `FormEncoding.keyPaths`.
        case keyPaths
        /// `FormEncoding.keyCase`.
        case keyCase
        /// `FormEncoding.spaces`.
        case spaces
        /// `FormEncoding.escape`.
        case escape
        /// `FormEncoding.newlines`.
        case newlines
    }

    // Four bits for each option, so that copies and comparisons are those of one word.
    private var bits: UInt64 = 0
    /// The key of an element with `{key}` and `{index}` in it, for `Arrays.format`.
    public private(set) var arrayFormat = Bytes()
    /// The index of an array's first element.
    public var firstIndex = 0

    /// Creates the default encoding.
    public init() {}

    /// The index of the selected case.
    public func choice(_ option: Option) -> Int { Int(truncatingIfNeeded: bits >> Self.shift(option) & 15) }

    private mutating func choose(_ option: Option, _ choice: Int) {
        bits = bits & ~(15 << Self.shift(option)) | UInt64(truncatingIfNeeded: choice & 15) << Self.shift(option)
    }

    private static func shift(_ option: Option) -> UInt64 { UInt64(truncatingIfNeeded: option.rawValue &* 4) }

    /// Whether the parameters are written into the query or the body.
    public var destination: Destination {
        get { Destination(rawValue: choice(.to)) ?? .method }
        set { choose(.to, newValue.rawValue) }
    }
    /// The format of a body.
    public var form: Form {
        get { Form(rawValue: choice(.as)) ?? .form }
        set { choose(.as, newValue.rawValue) }
    }
    /// Without an `arrayFormat`, `format` is `brackets`.
    public var arrays: Arrays {
        get { Arrays(rawValue: choice(.arrays)) ?? .brackets }
        set {
            choose(.arrays, newValue == .format && arrayFormat.isEmpty ? 0 : newValue.rawValue)
            if newValue != .format { arrayFormat = Bytes() }
        }
    }
    /// The text of a boolean.
    public var booleans: Booleans {
        get { Booleans(rawValue: choice(.booleans)) ?? .numeric }
        set { choose(.booleans, newValue.rawValue) }
    }
    /// The text of a null.
    public var nulls: Nulls {
        get { Nulls(rawValue: choice(.nulls)) ?? .drop }
        set { choose(.nulls, newValue.rawValue) }
    }
    /// How an empty array is written.
    public var emptyArrays: EmptyArrays {
        get { EmptyArrays(rawValue: choice(.emptyArrays)) ?? .drop }
        set { choose(.emptyArrays, newValue.rawValue) }
    }
    /// The order of the parameters.
    public var order: Order {
        get { Order(rawValue: choice(.order)) ?? .sorted }
        set { choose(.order, newValue.rawValue) }
    }
    /// How the name of a nested member is written.
    public var keyPaths: KeyPaths {
        get { KeyPaths(rawValue: choice(.keyPaths)) ?? .brackets }
        set { choose(.keyPaths, newValue.rawValue) }
    }
    /// The conversion of the names of members.
    public var keyCase: KeyCase {
        get { KeyCase(rawValue: choice(.keyCase)) ?? .given }
        set { choose(.keyCase, newValue.rawValue) }
    }
    /// How a space is written.
    public var spaces: Spaces {
        get { Spaces(rawValue: choice(.spaces)) ?? .percent }
        set { choose(.spaces, newValue.rawValue) }
    }
    /// The characters that are percent-encoded.
    public var escape: Escape {
        get { Escape(rawValue: choice(.escape)) ?? .query }
        set { choose(.escape, newValue.rawValue) }
    }
    /// The conversion of line breaks.
    public var newlines: Newlines {
        get { Newlines(rawValue: choice(.newlines)) ?? .given }
        set { choose(.newlines, newValue.rawValue) }
    }

    /// Selects a case of an option by its name; for arrays also a format that contains `{key}`.
    ///
    /// - Throws: `document`, with the allowed words.
    public mutating func choose(_ option: Option, _ word: Bytes) throws(Failure) {
        if let index = option.words.firstIndex(where: { $0 == word }) {
            choose(option, index)
            if option == .arrays { arrayFormat = Bytes() }
        } else if option == .arrays && word.storage.contains(UInt8(ascii: "{")) {
            if !ArrayFormat.isValid(word) {
                throw Failure(
                    .document,
                    "the array key format \"\(word.printable)\" must contain {key} once, {index} at most once, and no other braces"
                )
            }
            arrayFormat = word
            choose(.arrays, Arrays.format.rawValue)
        } else {
            throw Failure.unknownName(
                .document, "\"\(Bytes(static: option.name))\" of an encoding cannot be", word,
                among: option.words)
        }
    }

    /// The options that a declared parameter may set.  The others do not apply: its location and its name are declared, and its
    /// elements are never null.
    public static let parameterOptions: [Option] = [.arrays, .booleans, .emptyArrays, .spaces, .escape, .newlines]

    /// Whether all options that are set are in `parameterOptions`.
    public var isForParameter: Bool {
        Option.allCases.allSatisfy { choice($0) == 0 || Self.parameterOptions.contains($0) }
    }

    /// The name of the selected case, or the format of array keys.
    public func word(_ option: Option) -> Bytes {
        if option == .arrays && arrays == .format { return arrayFormat }
        let words = option.words
        let choice = choice(option)
        return choice < words.count ? words[choice] : Bytes()
    }

    /// Whether the parameters of a request with this method are written into the query (docs/statements.md, U1).
    public func goesToQuery(_ method: Bytes) -> Bool {
        switch destination {
        case .method: method == "GET" || method == "HEAD" || method == "DELETE"
        case .query: true
        case .body: false
        }
    }

    /// The Content-Type of a form body.
    public static let contentType: Bytes = "application/x-www-form-urlencoded"

    /// The allowed values of `firstIndex`.
    public static let firstIndexes: ClosedRange<Int64> = 0...1_000_000
}

extension FormEncoding.Option {
    /// The name in route documents.
    public var name: StaticString {
        switch self {
        case .to: "to"
        case .as: "as"
        case .arrays: "arrays"
        case .booleans: "booleans"
        case .nulls: "nulls"
        case .emptyArrays: "empty_arrays"
        case .order: "order"
        case .keyPaths: "key_paths"
        case .keyCase: "key_case"
        case .spaces: "spaces"
        case .escape: "escape"
        case .newlines: "newlines"
        }
    }

    /// In the order of the cases of its type.
    public var words: [Bytes] { Bytes(static: staticWords).split(on: UInt8(ascii: " ")) }

    private var staticWords: StaticString {
        switch self {
        case .to: "method query body"
        case .as: "form json"
        case .arrays: "brackets none index comma"
        case .booleans: "numeric literal"
        case .nulls: "drop empty null"
        case .emptyArrays: "drop empty"
        case .order: "sorted given"
        case .keyPaths: "brackets dots"
        case .keyCase: "given snake kebab capitalized upper lower"
        case .spaces: "percent plus"
        case .escape: "query unreserved whatwg"
        case .newlines: "given crlf"
        }
    }
}
