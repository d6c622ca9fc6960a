// Reads the usual requests of an operation without an allocation, with data that is prepared after the first request.
//
// A usual request has scalar parameters, no cookies, no repeated header fields, credentials in headers, and no body or a body in the
// JSON media type that the operation declares first.  Requests that are not usual or not accepted are left to `Reading`, which reads
// the same values or determines the reasons of the refusal.

internal import RoutableCore
internal import RoutableJSON

/// A parameter with one scalar value.
final class QuickParameter: Sendable {
    let name: Text
    let scalar: Scalar
    let isRequired: Bool
    /// The value of an absent parameter; nil for none.
    nonisolated(unsafe) let absent: ReceivedView?
    /// The memory of `absent`.
    private let absentText: Text
    /// Whether the parameter is a whole segment of the path, which must not be `.` or `..`.
    let isWhole: Bool

    private init(_ name: Text, _ parameter: ParameterDescription, _ absent: ReceivedItem?, isWhole: Bool) {
        self.name = name
        scalar = parameter.scalar
        isRequired = parameter.isRequired
        self.absent = absent?.view(named: name)
        absentText = absent?.text ?? .empty
        self.isWhole = isWhole
    }

    /// nil for a parameter with values that cannot be read without an allocation.
    static func of(
        _ entry: ParameterEntry, named name: Bytes? = nil, isWhole: Bool = false
    ) throws(Failure) -> QuickParameter? {
        let parameter = entry.description
        if parameter.isArray || parameter.type != nil || parameter.scalar.pattern != nil { return nil }
        if let style = parameter.style {
            guard style.shape == .scalar, style.kind == .simple || style.kind == .form, !style.allowReserved else { return nil }
        }
        switch parameter.scalar.kind {
        case .string, .integer: break
        // Booleans with declared values, and booleans of the query without a style, can have other spellings.
        case .boolean:
            if !parameter.scalar.values.isEmpty || parameter.location == .query && parameter.style == nil { return nil }
        case .number: return nil
        }
        var absent: ReceivedItem?
        if let value = parameter.defaultValue {
            absent = try ReceivedItem(Value.Member(name: parameter.name, value: value), parameter.location)
        }
        return QuickParameter(name.map { Text($0) } ?? entry.name, parameter, absent, isWhole: isWhole)
    }

    /// The value of a decoded string; nil for a string that is not accepted or cannot be read here.
    @inline(__always)
    func view(_ location: ParameterLocation, _ text: UnsafeRawBufferPointer) -> ReceivedView? {
        var view = ReceivedView(location, name.buffer)
        switch scalar.kind {
        case .string:
            guard UTF8Check.isValid(text), scalar.isPlain || scalar.refusal(of: text) == nil else { return nil }
            view.kind = .text
            view.text = text
        case .integer:
            guard text.count <= 18, ScalarText.isInteger(text), let number = Decimal.parse(text),
                scalar.takesEveryInteger || scalar.takes(number)
            else { return nil }
            view.kind = .integer
            view.integer = number
        case .boolean:
            guard text.equals("true") || text.equals("false") else { return nil }
            view.kind = .boolean
            view.integer = text.count == 4 ? 1 : 0
        case .number: return nil
        }
        return view
    }
}

/// The prepared data for an operation at one node of the routes.
final class QuickReading: OperationNote, @unchecked Sendable {
    struct Scheme {
        let name: Text
        /// The word before the credential in the Authorization header; nil for a key.
        let word: Text?
        /// The header of the key; nil for other schemes.
        let header: Text
    }

    enum Body {
        /// Only requests without a body are usual.
        case none
        /// JSON of this media type.
        case json(mediaType: Bytes, (any ValueChecker)?)
    }

    let plan: Plan
    private let node: UInt32
    private let captures: [Capture]
    let ids: [QuickParameter]
    let query: [QuickParameter]
    let headers: [QuickParameter]
    let schemes: [Scheme]
    /// The schemes of each alternative, as indexes; empty if the operation requires no credentials.
    let alternatives: [[Int]]
    /// The headers that the description sends with every request, and the Accept header of the operation.
    let ownHeaders: [HeaderField]
    let body: Body
    let requiresBody: Bool

    private init(
        _ router: PlannedRouter, _ plan: Plan, _ found: Reading.Found, ids: [QuickParameter], query: [QuickParameter],
        headers: [QuickParameter], schemes: [Scheme], alternatives: [[Int]]
    ) {
        let description = plan.operation.description
        self.plan = plan
        node = found.node
        captures = found.captures
        self.ids = ids
        self.query = query
        self.headers = headers
        self.schemes = schemes
        self.alternatives = alternatives
        ownHeaders = router.router.headers + (plan.accept.map { [$0] } ?? [])
        requiresBody = description.isBodyRequired ?? (description.bodyType != nil)
        body = Self.body(router, plan.operation)
        super.init()
    }

    /// nil for an operation without usual requests.
    static func of(_ router: PlannedRouter, _ plan: Plan, _ found: Reading.Found) throws(Failure) -> QuickReading? {
        let operation = plan.operation
        guard let ids = try ids(plan), ids.count == found.captures.count, operation.description.cookies.isEmpty,
            router.router.base(of: operation)?.query.isEmpty ?? true,
            let query = try parameters(operation, .query), let headers = try parameters(operation, .header),
            let (schemes, alternatives) = schemes(router, operation),
            router.router.alternativeNumbers(ofNode: found.node, to: found.operation).isEmpty
        else { return nil }
        return QuickReading(
            router, plan, found, ids: ids, query: query, headers: headers, schemes: schemes, alternatives: alternatives)
    }

    private static func ids(_ plan: Plan) throws(Failure) -> [QuickParameter]? {
        var result: [QuickParameter] = []
        for slot in plan.readIds {
            guard let name = slot.name,
                let parameter = try QuickParameter.of(slot.parameter, named: name, isWhole: slot.isWhole)
            else { return nil }
            result.append(parameter)
        }
        return result
    }

    private static func parameters(
        _ operation: OperationEntry, _ location: ParameterLocation
    ) throws(Failure) -> [QuickParameter]? {
        var result: [QuickParameter] = []
        for entry in operation.parameters where entry.description.location == location && !entry.description.isCredential {
            guard !entry.claimsOthers, let parameter = try QuickParameter.of(entry) else { return nil }
            result.append(parameter)
        }
        return result
    }

    /// The schemes and the alternatives; nil if a scheme is not sent in a header, or not declared.
    private static func schemes(_ router: PlannedRouter, _ operation: OperationEntry) -> ([Scheme], [[Int]])? {
        if operation.description.auth?.isUnknown == true { return nil }
        let all = router.router.description.authSchemes
        var schemes: [Scheme] = []
        var numbers: [Int: Int] = [:]
        var alternatives: [[Int]] = []
        for set in operation.description.auth?.alternatives ?? [] {
            var alternative: [Int] = []
            for index in set where all.indices.contains(index) {
                let scheme = all[index]
                switch scheme.kind {
                case .basic: return nil
                case .key: if scheme.location != .header || !scheme.word.isEmpty { return nil }
                case .certificate, .custom: continue
                case .bearer, .oauth2, .digest: break
                }
                if numbers[index] == nil {
                    numbers[index] = schemes.count
                    let word: Text? =
                        scheme.kind == .key ? nil : scheme.kind == .digest ? Text("Digest") : Text(scheme.word)
                    schemes.append(Scheme(name: Text(scheme.name), word: word, header: Text(scheme.parameter)))
                }
                alternative.append(numbers[index] ?? 0)
            }
            alternatives.append(alternative)
        }
        return (schemes, alternatives)
    }

    private static func body(_ router: PlannedRouter, _ operation: OperationEntry) -> Body {
        let description = operation.description
        guard operation.allowsBody else { return .none }
        var mediaType: Bytes = "application/json"
        var (form, type) = (description.bodyForm, description.bodyType)
        if let first = description.bodies.first {
            (mediaType, form, type) = (first.mediaType, first.form, first.type)
        }
        guard form == .json, BodyWriter.isJSON(mediaType), !BodyWriter.isRange(mediaType) else { return .none }
        guard let type else { return .json(mediaType: mediaType, nil) }
        do throws(Failure) {
            guard let checker = try router.router.codec?.checker(of: type, for: .body) else { return .none }
            return .json(mediaType: mediaType, checker)
        } catch { return .none }
    }

    /// Whether the data was prepared for a match with these captures.
    @inline(__always)
    func isFor(_ node: UInt32, _ found: UnsafeBufferPointer<Capture>) -> Bool {
        guard self.node == node, found.count == captures.count else { return false }
        for index in 0..<found.count
        where found[index].resource != captures[index].resource || found[index].parameter != captures[index].parameter {
            return false
        }
        return true
    }
}
