// The parts of an opened router, each at a fixed address, for introspection.
//
// All of them are immutable once the router is open, and live as long as it does.

/// A parameter of the introspection interface.
package final class ParameterEntry: Sendable {
    package let description: ParameterDescription
    package let name: Text
    package let typeName: Text
    package let summary: Text
    /// How its items are written in a query; nil for one value as it is.
    let encoding: FormEncoding?
    /// Whether it has neither a type nor a condition.
    let takesAnyText: Bool
    /// Whether a value of it is written before the URL is.
    let isEncoded: Bool

    private static let string = Text("string")

    /// `inherited` is the encoding of its operation.
    package init(_ description: ParameterDescription, inherited: FormEncoding = FormEncoding()) {
        self.description = description
        encoding = description.encoding ?? (description.isArray && description.style == nil ? inherited : nil)
        isEncoded = encoding != nil || description.style != nil || description.type != nil
        takesAnyText =
            description.type == nil && description.scalar.isPlain && description.scalar.minimum == nil
            && description.scalar.maximum == nil
        name = Text(description.name)
        typeName = takesAnyText && !description.isArray && description.style == nil ? Self.string : Text(description.typeName)
        summary = Text(description.summary)
    }
}

/// The value of an `x-` key.
package struct UserDataEntry: Sendable {
    package let key: Bytes
    package let json: Text

    init(_ data: UserData) {
        key = data.key
        json = Text(data.json)
    }
}

extension [UserDataEntry] {
    package func value(of key: Bytes) -> Text? { first { $0.key == key }?.json }
}

/// An operation, for introspection and for plans.
package final class OperationEntry: Sendable {
    package let description: OperationDescription
    /// From the place where it stands: `users/{username}/publish`.
    package var template: Template { description.template ?? Template() }
    /// The index of its resource, or nil for a standalone operation.
    package let resource: Int?
    package let name: Text
    /// Of the operation of a derived resource: its name as a standalone operation, which its document gives; empty for others.
    package let standaloneName: Text
    package let method: Text
    package let path: Text
    package var summary: Text { details?.summary ?? .empty }
    package var bodyTypeName: Text { details?.bodyTypeName ?? .empty }
    package var resultTypeName: Text { details?.resultTypeName ?? .empty }
    /// Path, query, header and cookie parameters, in this order.
    package let parameters: [ParameterEntry]
    package let query: [ParameterEntry]
    package var userData: [UserDataEntry] { details?.userData ?? [] }
    /// Of its bodies, the one that is taken first.
    package var mediaTypes: [Text] { details?.mediaTypes ?? [] }
    package let encoding: FormEncoding
    /// Whether any query or path parameter has an encoding or a style.
    let hasEncodedValues: Bool
    /// Whether a redirect is the result: one is declared, and no other success.
    package let isRedirect: Bool
    /// Instead of the router's.
    package var base: Base? { details?.base }
    /// How its requests are performed and its pages follow each other; nil where nothing is said.
    package var rules: OperationRules? { details?.rules }

    /// What few operations of a large table have; nil for none of it.
    private let details: Details?

    private final class Details: Sendable {
        let summary: Text
        let bodyTypeName: Text
        let resultTypeName: Text
        let userData: [UserDataEntry]
        let mediaTypes: [Text]
        let base: Base?
        let rules: OperationRules?

        init(
            _ description: borrowing OperationDescription, _ types: [TypeDescription], _ base: Base?, _ rules: OperationRules?
        ) {
            func typeName(_ index: Int?) -> Text {
                guard let index, types.indices.contains(index) else { return .empty }
                return Text(types[index].name)
            }
            summary = Text(description.summary)
            bodyTypeName = typeName(description.bodyType ?? description.bodies.first?.type)
            resultTypeName = typeName(description.results.first { $0.type != nil && !$0.isError }?.type)
            userData = description.userData.map { UserDataEntry($0) }
            mediaTypes = description.bodies.map { Text($0.mediaType) }
            self.base = base
            self.rules = rules
        }
    }

    init(
        _ description: consuming OperationDescription, path: Text, method: Text, resource: Int?,
        pathParameters: [ParameterEntry], types: [TypeDescription], defaultEncoding: FormEncoding,
        base: Base? = nil, rules: OperationRules?, shared: inout KeyedValues<Int, ParameterEntry>
    ) {
        self.resource = resource
        name = description.nameText
        standaloneName = .empty
        self.method = method
        self.path = path
        // Nearly all of a large table are a method and a path: nothing else is looked for then.
        if description.isBare && description.bodyType == nil && base == nil && rules == nil {
            details = nil
            encoding = defaultEncoding
            query = []
            hasEncodedValues = pathParameters.contains { $0.isEncoded }
            isRedirect = false
            parameters = pathParameters
            self.description = description
            return
        }
        details = Details(description, types, base, rules)
        isRedirect = description.isRedirect
        let encoding = description.encoding ?? defaultEncoding
        self.encoding = encoding
        query = description.query.map { Self.entry($0, encoding, &shared) }
        var parameters = pathParameters + query
        hasEncodedValues = parameters.contains { $0.isEncoded }
        for header in description.headers { parameters.append(Self.entry(header, FormEncoding(), &shared)) }
        for cookie in description.cookies { parameters.append(Self.entry(cookie, FormEncoding(), &shared)) }
        self.parameters = parameters
        self.description = description
    }

    /// The same operation with the name that it has at the end of a walk through the paths of a document.
    init(_ other: OperationEntry, as derived: DerivedOperation, resource: Int) {
        var description = other.description
        description.name = derived.name
        description.place = derived.place
        description.capability = derived.capability
        self.description = description
        self.resource = resource
        name = description.nameText
        standaloneName = other.name
        method = other.method
        path = other.path
        parameters = other.parameters
        query = other.query
        encoding = other.encoding
        hasEncodedValues = other.hasEncodedValues
        details = other.details
        isRedirect = other.isRedirect
    }

    /// The entry of a parameter that several operations share is made once.
    static func entry(
        _ description: ParameterDescription, _ inherited: FormEncoding, _ shared: inout KeyedValues<Int, ParameterEntry>
    ) -> ParameterEntry {
        if description.identity == 0 { return ParameterEntry(description, inherited: inherited) }
        if let known = shared[description.identity] { return known }
        let made = ParameterEntry(description, inherited: inherited)
        shared.set(made, for: description.identity)
        return made
    }

    /// Whether a request of it may have a body (statement J3: not on GET and HEAD unless it is declared).
    package var allowsBody: Bool {
        description.bodyType != nil || description.isBodyRequired != nil || !description.bodies.isEmpty
            || !(description.method == "GET" || description.method == "HEAD" || description.method == "TRACE")
    }

    /// What is declared for an error of the service, if anything is.
    package func errorResult(for status: Int32) -> ResultDescription? {
        guard let declared = declaredResult(for: status), declared.isError(at: status) else { return nil }
        return declared
    }

    /// What a status means: the declared result, or nil when the status is an error.
    package func result(for status: Int32) -> ResultDescription? {
        if description.results.allSatisfy({ $0.isError }), status >= 200 && status <= 299 {
            return ResultDescription(lowest: 200, highest: 299, type: nil)
        }
        guard let declared = declaredResult(for: status), !declared.isError(at: status) else { return nil }
        return declared
    }

    /// The narrower declaration wins: 201 before 2XX before default.
    package func declaredResult(for status: Int32) -> ResultDescription? {
        var best: ResultDescription?
        for result in description.results where result.lowest <= status && status <= result.highest {
            if best.map({ result.highest &- result.lowest < $0.highest &- $0.lowest }) ?? true { best = result }
        }
        return best
    }
}

extension ResultDescription {
    /// Whether it types what comes with an error: one that is declared for all statuses makes no success of those.
    fileprivate func isError(at status: Int32) -> Bool { isError || status >= 400 && type != nil && lowest < 400 }
}

/// A resource, for introspection and for resolving routes.
package final class ResourceEntry: Sendable {
    package let description: ResourceDescription
    package let index: Int
    package let name: Text
    package let path: Text
    package let typeName: Text
    package let summary: Text
    package let ids: [ParameterEntry]
    /// Of each id.
    let idNames: [IdNames]
    /// The decoded segments of its path.
    package let segments: [Bytes]
    /// The place of its parent among the resources, where it has one only: for a derived resource.
    package let parent: Int?
    /// Whether it stands at the root, or below the collection or a member of its parent.
    package let place: Place
    /// The walk that leads to it; empty where there may be several.
    package let route: Text
    /// Indices of the resources that nest in it.
    package let children: [Int]
    package let operations: [OperationEntry]
    package let userData: [UserDataEntry]
    /// The children themselves, for hosts that walk down.  Not retained: the router holds all of them, and a
    /// graph may have cycles.  Set once, before the entry is shared.
    nonisolated(unsafe) private(set) var childEntries: [Unmanaged<ResourceEntry>] = []

    package func child(at index: Int) -> Unmanaged<ResourceEntry>? {
        childEntries.indices.contains(index) ? childEntries[index] : nil
    }

    /// The names of its children, as the map shows them: one that stands below the collection of a resource with ids has a slash.
    package var childNames: [Bytes] {
        childEntries.map { child in
            let child = child.takeUnretainedValue()
            return isBesideIDs(child.place) ? "/\(child.name.bytes)" : child.name.bytes
        }
    }

    /// Whether the walk to a child at this place takes none of its ids, although it has some.
    func isBesideIDs(_ place: Place) -> Bool { place == .collection && !ids.isEmpty }

    func link(_ entries: [ResourceEntry]) {
        childEntries = children.map { Unmanaged.passUnretained(entries[$0]) }
    }

    init(
        _ description: ResourceDescription, index: Int, segments: [Bytes], children: [Int],
        operations: [OperationEntry], types: [TypeDescription]
    ) {
        self.description = description
        self.index = index
        self.segments = segments
        self.children = children
        self.operations = operations
        name = Text(description.name)
        path = Text(description.path)
        typeName = Text(
            description.type.flatMap { types.indices.contains($0) ? types[$0].name : nil } ?? Bytes())
        summary = Text(description.summary)
        ids = description.ids.map { ParameterEntry($0) }
        idNames = description.ids.map { IdNames($0.name, of: description) }
        userData = description.userData.map { UserDataEntry($0) }
        parent = nil
        place = description.isNested ? .member : .root
        route = description.isNested ? .empty : name
    }

    /// A resource that is derived from paths: its type is that of what reads it, of what it lists, or of what creates or updates it.
    init(
        _ description: ResourceDescription, index: Int, children: [Int], operations: [OperationEntry], parent: Int?,
        place: Place, route: Bytes, elementType: Bytes
    ) {
        self.description = description
        self.index = index
        self.children = children
        self.operations = operations
        self.parent = parent
        self.place = place
        self.route = Text(route)
        segments = description.path.isEmpty ? [] : [description.path]
        name = Text(description.name)
        path = Text(description.path)
        var typeName = Text.empty
        for capability in [Capability.read, .create, .update, .patch] where typeName.isEmpty {
            let found = operations.first { $0.description.capability == capability }
            typeName = found?.resultTypeName ?? .empty
            if capability == .read && typeName.isEmpty { typeName = Text(elementType) }
        }
        self.typeName = typeName
        summary = .empty
        ids = description.ids.map { ParameterEntry($0) }
        idNames = description.ids.map { IdNames($0.name, of: description) }
        userData = []
    }

    /// The ids of a walk that ends at a place of it; those below it have all of them.
    func ids(to place: Place) -> ArraySlice<ParameterEntry> { place == .member ? ids[...] : ids.dropLast() }

    /// What messages and tables call its ids on a walk that continues, in the order of `ids`.
    package var idLabels: [Bytes] { idNames.map { $0.label } }

    /// Whether its collection stands at the root.
    package var isRoot: Bool { !description.isNested }

    /// Whether its members stand at the root.
    package var hasRootMembers: Bool { !description.isNested || description.isShallow }

    func operation(_ name: Bytes) -> OperationEntry? { operations.first { $0.description.name == name } }
}

/// The names of an id in calls and messages, made once for all plans.
struct IdNames: Sendable {
    /// Of an id of the last resource of a route: its own name.  The only id of a resource is its `id`, too.
    let own: [Bytes]
    /// Of an id of a resource further out: with the resource's name in front.
    let outer: [Bytes]
    /// What messages and tables call one further out: `user_id`, or `repository_owner` where the resource has several.
    let label: Bytes

    init(_ name: Bytes, of resource: ResourceDescription) {
        let isOnly = resource.ids.count == 1
        own = isOnly && name != "id" ? [name, "id"] : [name]
        outer = own.map { "\(resource.name)_\($0)" }
        label = "\(resource.name)_\(isOnly ? "id" : name)"
    }
}

/// A named type.
package final class TypeEntry: Sendable {
    package let name: Text
    private let text: Text
    private let offset: Int
    private let count: Int

    init(_ description: TypeDescription) {
        name = Text(description.name)
        text = description.slice?.text ?? Text(description.schema)
        offset = description.slice?.offset ?? 0
        count = description.slice?.count ?? text.count
    }

    /// Lives as long as the entry.
    package var schema: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: text.start + offset, count: count) }
}

extension OperationDescription {
    /// Whether it declares a redirect, and no other success.
    fileprivate var isRedirect: Bool {
        var found = false
        for result in results where !result.isError {
            if result.lowest < 300 { return false }
            if result.lowest == result.highest && [301, 302, 303, 307, 308].contains(result.lowest) { found = true }
        }
        return found
    }
}
