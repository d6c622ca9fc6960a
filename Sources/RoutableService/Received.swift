// A request that was read.

package import RoutableCore
internal import RoutableJSON

/// The values of one request.
package struct ReceivedCall {
    package let plan: Plan
    package var ids = Call.Ids.positional([])
    package var query: [Value.Member] = []
    /// nil for no parameters, which differs from an empty form.
    package var parameters: [Value.Member]?
    package var headers: [Value.Member] = []
    package var cookies: [Value.Member] = []
    package var body = Body.absent
    package var files: [File] = []
    /// nil if the content type is that of the operation.
    package var contentType: Bytes?
    package var credentials: [Credential] = []
    /// Names of query parameters and headers that the call does not hold.
    package var ignored: [Bytes] = []

    /// A body.
    package enum Body {
        case absent
        /// JSON text without white space.
        case json(Bytes)
        /// The value of a form or of the fields of a multipart body.
        case value(Value)
        /// Any other body.
        case bytes
    }

    /// A part of a multipart body that is not a plain field.
    package struct File {
        package var name: Bytes
        package var filename: Bytes?
        package var contentType: Bytes
        /// The range of its content in the body.
        package var content: Range<Int>
    }

    /// A credential of the request.
    package struct Credential {
        package var scheme: Bytes
        package var value: Bytes
    }

    init(_ plan: Plan) { self.plan = plan }

    /// The ids by the names that calls use.
    package var pathValues: [Value.Member] {
        switch ids {
        case .named(let members): members
        case .positional(let values): zip(plan.idLabels, values).map { Value.Member(name: $0, value: $1) }
        }
    }
}

/// A value of a call with its location and its name, at stable addresses.
package struct ReceivedItem {
    package let location: ParameterLocation
    package let name: Text
    package let value: Value
    /// The string, or the JSON of an array or an object.
    package let text: Text

    init(_ member: Value.Member, _ location: ParameterLocation) throws(Failure) {
        self.location = location
        name = Text(member.name)
        value = member.value
        switch member.value {
        case .text(let own): text = Text(own)
        case .number(let digits): text = Text(digits)
        case .array, .object:
            var writer = JSONWriter()
            try writer.value(member.value)
            text = Text(writer.text)
        case .null, .boolean, .integer, .real: text = .empty
        }
    }

    /// A view that is valid as long as the item.
    func view(named name: Text) -> ReceivedView {
        var view = ReceivedView(location, name.buffer)
        switch value {
        case .null: view.kind = .null
        case .boolean(let truth): (view.kind, view.integer) = (.boolean, truth ? 1 : 0)
        case .integer(let number): (view.kind, view.integer) = (.integer, number)
        case .real(let number): (view.kind, view.real) = (.real, number)
        case .text: (view.kind, view.text) = (.text, text.buffer)
        case .number, .array, .object: (view.kind, view.text) = (.json, text.buffer)
        }
        return view
    }
}

/// A request that was read.  It can be used for further requests, by one thread at a time.
///
/// A usual request is stored in `memory` by `quick`; any other is stored as a `ReceivedCall`.
package final class Received {
    package let router: PlannedRouter
    /// The prepared data with which the request in `memory` was read; the router owns it.
    var quick: Unmanaged<QuickReading>?
    var memory = ReceivedMemory()
    /// The options of the last request, without the function that verifies credentials.
    package internal(set) var options = ReceiveOptions()
    /// Whether the members below belong to the current request; otherwise all are empty.
    private var isGeneral = false
    /// The call; nil for a usual request, before the first request, and after a refusal.
    private var general: ReceivedCall?
    private var items: [ReceivedItem] = []
    private var credentials: [(scheme: Text, value: Text)] = []
    private var ignored: [Text] = []
    private var ownBody = Text.empty
    private var ownContentType = Text.empty
    private var ownConditions = ReplyConditions()

    package init(_ router: PlannedRouter) { self.router = router }

    deinit { memory.free() }

    /// Reads a request that is not usual, or determines the reasons of its refusal.
    ///
    /// - Throws: the reasons of the refusal, each with the HTTP status of the response: `noMatch`, `methodNotAllowed` with
    ///   the methods, `url`, `header`, `credential`, `value`, `parameter`, `body`, `json`, `limit`.  Also `document` for a schema
    ///   that is not valid, `unsupported` and `memory`.  The object is empty then.
    package func read(_ incoming: Incoming, _ options: ReceiveOptions) throws(Failure) {
        clear()
        self.options = options
        self.options.verify = nil
        var reading = try Reading(router, incoming, options)
        isGeneral = true
        let read = try reading.run()
        items = try Self.items(read)
        credentials = read.credentials.map { (Text($0.scheme), Text($0.value)) }
        ignored = read.ignored.map { Text($0) }
        ownBody = Text(reading.incoming.body)
        ownContentType = Text(reading.contentTypeText)
        ownConditions = reading.conditions
        general = read
        if let found = reading.selected { prepare(read.plan, found) }
    }

    /// Clears the object.
    package func clear() {
        quick = nil
        if !isGeneral { return }
        isGeneral = false
        general = nil
        items = []
        credentials = []
        ignored = []
        ownBody = .empty
        ownContentType = .empty
        ownConditions = ReplyConditions()
    }

    /// Prepares the data for further usual requests of an operation, once.
    private func prepare(_ plan: Plan, _ found: Reading.Found) {
        let known = found.captures.withUnsafeBufferPointer { captures in
            router.notes.find(found.operation) { unsafeDowncast($0, to: QuickReading.self).isFor(found.node, captures) }
        }
        if known != nil { return }
        do throws(Failure) {
            if let note = try QuickReading.of(router, plan, found) { router.notes.add(note, to: found.operation) }
        } catch {
            // The failure is ignored, because the data only makes reading faster.
        }
    }

    private static func items(_ call: ReceivedCall) throws(Failure) -> [ReceivedItem] {
        var items: [ReceivedItem] = []
        for member in call.pathValues { items.append(try ReceivedItem(member, .path)) }
        for member in call.query { items.append(try ReceivedItem(member, .query)) }
        for member in call.headers { items.append(try ReceivedItem(member, .header)) }
        for member in call.cookies { items.append(try ReceivedItem(member, .cookie)) }
        return items
    }

    // MARK: - The request

    /// The plan of the operation; nil before the first request, and after a refusal.
    package var plan: Plan? { quick?._withUnsafeGuaranteedRef { $0.plan } ?? general?.plan }

    /// The properties of the request that the response depends on, besides the call.
    var conditions: ReplyConditions {
        guard let quick else { return ownConditions }
        return ReplyConditions(
            method: quick._withUnsafeGuaranteedRef { $0.plan.operation.method.bytes }, accept: field("accept") ?? Bytes(),
            ifMatch: field("if-match"), ifNoneMatch: field("if-none-match"), basePath: options.basePath)
    }

    /// The whole call; nil if there is none.
    package func call() throws(Failure) -> ReceivedCall? {
        guard let quick else { return general }
        var headers: [HeaderField] = []
        for index in 0..<memory.headerCount {
            if let (name, value) = memory.header(index) { headers.append(HeaderField(Bytes(name), Bytes(value))) }
        }
        let incoming = Incoming(
            method: quick._withUnsafeGuaranteedRef { $0.plan.operation.method.bytes }, target: Bytes(memory.target),
            headers: headers, body: Bytes(memory.body))
        var reading = try Reading(router, incoming, options)
        return try reading.run()
    }

    package var valueCount: Int { quick != nil ? memory.valueCount : items.count }

    package func value(_ index: Int) -> ReceivedView? {
        if quick != nil { return memory.value(index) }
        return items.indices.contains(index) ? items[index].view(named: items[index].name) : nil
    }

    package var credentialCount: Int { quick != nil ? memory.credentialCount : credentials.count }

    package func credential(_ index: Int) -> (scheme: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
        if quick != nil { return memory.credential(index).map { ($0.name, $0.text) } }
        return credentials.indices.contains(index) ? (credentials[index].scheme.buffer, credentials[index].value.buffer) : nil
    }

    package var ignoredCount: Int { ignored.count }

    package func ignored(_ index: Int) -> UnsafeRawBufferPointer? {
        ignored.indices.contains(index) ? ignored[index].buffer : nil
    }

    /// The bytes of the body without its content coding.
    package var body: UnsafeRawBufferPointer { quick != nil ? memory.body : ownBody.buffer }
    package var contentType: UnsafeRawBufferPointer { quick != nil ? memory.contentType : ownContentType.buffer }

    /// The value of the body as JSON text; nil for a body without a value.
    package func bodyJSON() throws(Failure) -> Text? {
        switch try call()?.body {
        case .json(let text): return Text(text)
        case .value(let value):
            var writer = JSONWriter()
            try writer.value(value)
            return Text(writer.text)
        case .bytes, .absent, nil: return nil
        }
    }
}
