// A request that was read to its call.

package import RoutableCore
package import RoutableJSON

/// The values of one request.
package struct ReceivedCall {
    package let plan: Plan
    package var ids = Call.Ids.positional([])
    package var query: [Value.Member] = []
    /// nil for none, which differs from an empty form.
    package var parameters: [Value.Member]?
    package var headers: [Value.Member] = []
    package var cookies: [Value.Member] = []
    package var body = Body.absent
    package var files: [File] = []
    /// nil where the operation says it.
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

    /// A part of a multipart body that is no plain field.
    package struct File {
        package var name: Bytes
        package var filename: Bytes?
        package var contentType: Bytes
        /// In the body.
        package var content: Range<Int>
    }

    /// A credential that came with the request.
    package struct Credential {
        package var scheme: Bytes
        package var value: Bytes
    }

    init(_ plan: Plan) { self.plan = plan }
}

/// A value of a call by its place and its name, at addresses that do not move.
package struct ReceivedItem {
    package let location: ParameterLocation
    package let name: Text
    package let value: Value
    /// The string, or the JSON of an array or an object.
    package let text: Text
}

/// A request that was read.  It can be used for further requests, by one thread at a time.
package final class Received {
    package let router: PlannedRouter
    /// nil before the first request, and after a refusal.
    package private(set) var call: ReceivedCall?
    package private(set) var items: [ReceivedItem] = []
    package private(set) var credentials: [(scheme: Text, value: Text)] = []
    package private(set) var ignored: [Text] = []
    /// The bytes of the body as they came.
    package private(set) var body = Text.empty
    package private(set) var contentType = Text.empty
    /// What the response depends on, besides the call.
    private(set) var conditions = ReplyConditions()

    package init(_ router: PlannedRouter) { self.router = router }

    /// Reads a request.
    ///
    /// - Throws: the reasons of the refusal, each with the HTTP status of the response: `noMatch`, `methodNotAllowed` with
    ///   the methods, `url`, `header`, `credential`, `value`, `parameter`, `body`, `json`, `limit`.  Also `document` for a schema
    ///   that is not valid, `unsupported` and `memory`.  The object is empty then.
    package func read(_ incoming: Incoming, _ options: ReceiveOptions) throws(Failure) {
        call = nil
        items = []
        credentials = []
        ignored = []
        body = .empty
        contentType = .empty
        conditions = ReplyConditions()
        var reading = try Reading(router, incoming, options)
        let read = try reading.run()
        items = try Self.items(read)
        credentials = read.credentials.map { (Text($0.scheme), Text($0.value)) }
        ignored = read.ignored.map { Text($0) }
        body = Text(incoming.body)
        contentType = Text(reading.contentTypeText)
        conditions = reading.conditions
        call = read
    }

    private static func items(_ call: ReceivedCall) throws(Failure) -> [ReceivedItem] {
        var items: [ReceivedItem] = []
        switch call.ids {
        case .named(let members): try add(members, .path, &items)
        case .positional(let values):
            try add(zip(call.plan.idLabels, values).map { Value.Member(name: $0, value: $1) }, .path, &items)
        }
        try add(call.query, .query, &items)
        try add(call.headers, .header, &items)
        try add(call.cookies, .cookie, &items)
        return items
    }

    private static func add(
        _ members: [Value.Member], _ location: ParameterLocation, _ items: inout [ReceivedItem]
    ) throws(Failure) {
        for member in members {
            var text = Text.empty
            switch member.value {
            case .text(let own): text = Text(own)
            case .number(let digits): text = Text(digits)
            case .array, .object:
                var writer = JSONWriter()
                try writer.value(member.value)
                text = Text(writer.text)
            case .null, .boolean, .integer, .real: break
            }
            items.append(ReceivedItem(location: location, name: Text(member.name), value: member.value, text: text))
        }
    }

    /// The value of the body as JSON text; nil for a body that has none.
    package func bodyJSON() throws(Failure) -> Text? {
        switch call?.body {
        case .json(let text): return Text(text)
        case .value(let value):
            var writer = JSONWriter()
            try writer.value(value)
            return Text(writer.text)
        case .bytes, .absent, nil: return nil
        }
    }
}
