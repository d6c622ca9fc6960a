// Reads the types of the bodies of one operation, by status and media type, from the document, because the library keeps only the
// schemas that it validates with.

internal import RoutableCore
internal import RoutableDocuments
internal import RoutableJSON

/// The media type of a body, reduced to the properties that types depend on.
struct PayloadMedia {
    let essence: String

    init(_ name: String) {
        essence = String(name.prefix { $0 != ";" }).lowercased().filter { $0 != " " && $0 != "\t" }
    }

    var isJSON: Bool { essence == "application/json" || essence.hasSuffix("+json") || essence.hasSuffix("/json") }
    var isEvents: Bool { essence == "text/event-stream" }
    var isLines: Bool {
        ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"].contains(essence)
    }
    var isAny: Bool { essence == "*/*" || essence == "application/*" }

    /// Whether the body is lines, events or another format that is read as a string.
    var isText: Bool {
        essence.hasPrefix("text/") || essence.hasSuffix("+xml")
            || [
                "application/xml", "application/x-ndjson", "application/jsonl", "application/yaml", "application/x-yaml",
                "application/javascript", "application/graphql", "application/x-www-form-urlencoded",
            ].contains(essence)
    }
}

extension SchemaReader {
    /// The responses of an operation; nil if the document does not declare them in the form of OpenAPI 3.
    mutating func responses(of operation: Bytes, _ label: String) -> [StatusPlan]? {
        guard document.root["swagger"] == nil, let (node, pointer) = document.operation(operation),
            case .object(let members)? = node["responses"]
        else { return nil }
        var result: [StatusPlan] = []
        for member in members {
            let key = member.name.string
            let isDefault = key == "default"
            var lowest = 100, highest = 999
            if !isDefault {
                guard key.utf8.count == 3, let hundreds = Int(key.prefix(1)), hundreds > 0 else { continue }
                if key.uppercased().hasSuffix("XX") {
                    (lowest, highest) = (hundreds * 100, hundreds * 100 + 99)
                } else {
                    guard let status = Int(key) else { continue }
                    (lowest, highest) = (status, status)
                }
            }
            let place = SchemaDocument.pointed(member.name, in: pointer + "/responses")
            let word = isDefault || highest > lowest ? key.lowercased() : lowest < 300 ? "result" : key
            result.append(
                StatusPlan(lowest: lowest, highest: highest, payload: payload(member.value, place, "\(label) \(word)")))
        }
        return result
    }

    /// The body of a response; nil if it has none.
    private mutating func payload(_ reference: Value, _ pointer: String, _ label: String) -> Payload? {
        var name = label, place = pointer
        if let text = reference["$ref"]?.string, let tokens = SchemaDocument.tokens(text) {
            // A response that several operations share has its own name.
            name = tokens.last.map { "\($0.string) response" } ?? label
            place = String(text.dropFirst())
        }
        guard let response = document.resolved(reference), case .object(let content)? = response["content"], !content.isEmpty
        else { return nil }
        var other: Payload?
        var json: Payload?
        for member in content {
            let media = PayloadMedia(member.name.string)
            let schema = document.resolved(member.value)?["schema"]
            let here = SchemaDocument.pointed(member.name, in: place + "/content")
            if media.isJSON || media.isAny {
                if json != nil { continue }
                if isBinary(schema) || media.isAny && schema == nil {
                    other = other ?? .bytes
                    continue
                }
                guard let schema else {
                    json = .typed(gap(here, "the media type has no schema"))
                    continue
                }
                json = .typed(typing(schema, name, here + "/schema", 0))
            } else {
                other = other ?? (media.isText && !isBinary(schema) ? .text : .bytes)
            }
        }
        return json ?? other
    }

    /// The stream of a successful response: server-sent events, or JSON Lines; nil without a schema of the items.
    mutating func stream(of operation: Bytes, _ label: String) -> StreamPlan? {
        guard let (node, pointer) = document.operation(operation), case .object(let responses)? = node["responses"] else {
            return nil
        }
        for response in responses where response.name.string.hasPrefix("2") {
            guard case .object(let content)? = document.resolved(response.value)?["content"] else { continue }
            for member in content {
                let media = PayloadMedia(member.name.string), own = document.resolved(member.value)
                guard media.isEvents || media.isLines else { continue }
                // OpenAPI 3.2 has a schema for each item; documents of earlier versions declare it as the schema of the whole body.
                for key in ["itemSchema", "schema"] as [Bytes] {
                    guard let schema = own?[key], let resolved = document.resolved(schema) else { continue }
                    if key == "schema", resolved["type"]?.string == "string" || resolved["type"]?.string == "array" { continue }
                    let place = SchemaDocument.pointed(response.name, in: pointer + "/responses") + "/content"
                    let item = typing(
                        schema, "\(label) item", SchemaDocument.pointed(member.name, in: place) + "/" + key.string, 0)
                    if item.shape != .any { return StreamPlan(isEvents: media.isEvents, item: item) }
                }
            }
        }
        return nil
    }

    func isBinary(_ schema: Value?) -> Bool {
        guard let schema, let own = document.resolved(schema) else { return false }
        return own["format"]?.string == "binary" || own["type"]?.string == "file"
            || own["contentMediaType"] != nil && own["contentEncoding"] == nil
    }

    /// The schema of a request body of a media type, and the pointer to it.
    func bodySchema(of operation: Bytes, _ mediaType: Bytes) -> (schema: Value, pointer: String, name: String?)? {
        guard let (node, pointer) = document.operation(operation), let reference = node["requestBody"],
            let body = document.resolved(reference),
            let media = body["content"]?[mediaType], let schema = document.resolved(media)?["schema"]
        else { return nil }
        var place = pointer + "/requestBody", name: String?
        if let text = reference["$ref"]?.string {
            place = String(text.dropFirst())
            name = SchemaDocument.tokens(text)?.last.map { "\($0.string) body" }
        }
        return (schema, SchemaDocument.pointed(mediaType, in: place + "/content") + "/schema", name)
    }

    /// A multipart body: its values as a record, its files separately, and whether a value is required.
    mutating func multipart(_ schema: Value, _ pointer: String, _ label: String)
        -> (values: Typing?, files: [Field], needsValues: Bool)?
    {
        var facts = SchemaFacts()
        var seen = Set<Bytes>(), count = 0
        facts.add(schema, document, pointer, seen: &seen, count: &count, depth: 0)
        guard !facts.properties.isEmpty, facts.problem == nil else { return nil }
        var files: [Field] = []
        var left: [(name: Bytes, schemas: [Value], pointer: String)] = []
        for property in facts.properties {
            let own = document.resolved(property.schemas[0]) ?? property.schemas[0]
            let items = own["items"].flatMap { document.resolved($0) }
            if isBinary(own) || isBinary(items) {
                var shape = Shape.text([])
                if items != nil { shape = .list(Typing(shape: shape)) }
                files.append(
                    Field(
                        name: property.name.string, summary: SchemaRemark.text(property.schemas[0], own),
                        type: Typing(shape: shape),
                        isRequired: facts.required.remove(property.name) != nil))
            } else {
                left.append(property)
            }
        }
        if left.isEmpty { return (nil, files, false) }
        if files.isEmpty { return (typing(schema, label, pointer, 0), files, true) }
        facts.alternatives = []
        facts.keep(left)
        return (typing(facts, label, pointer, 0, key: nil), files, !facts.required.isEmpty)
    }
}

extension SchemaFacts {
    mutating func keep(_ left: [(name: Bytes, schemas: [Value], pointer: String)]) {
        properties = left
        kinds = ["object"]
    }
}
