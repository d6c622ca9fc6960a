// Warns about members that OpenAPI does not define for an object, and that are therefore ignored.

internal import RoutableCore
internal import RoutableJSON

/// The objects whose members OpenAPI defines exhaustively, and that the library reads.
enum FixedObject {
    case document, components, pathItem, operation, parameter, requestBody, mediaType, response, encoding

    var noun: StaticString {
        switch self {
        case .document: "an OpenAPI document"
        case .components: "\"components\""
        case .pathItem: "a path item"
        case .operation: "an operation"
        case .parameter: "a parameter"
        case .requestBody: "a request body"
        case .mediaType: "a media type"
        case .response: "a response"
        case .encoding: "an encoding"
        }
    }

    /// The members in OpenAPI 3; those of later versions are last.
    var names: [StaticString] {
        switch self {
        case .document:
            [
                "openapi", "info", "servers", "paths", "components", "security", "tags", "externalDocs", "webhooks",
                "jsonSchemaDialect", "$self",
            ]
        case .components:
            [
                "schemas", "responses", "parameters", "examples", "requestBodies", "headers", "securitySchemes", "links",
                "callbacks", "pathItems", "mediaTypes",
            ]
        case .pathItem:
            [
                "get", "put", "post", "delete", "options", "head", "patch", "trace", "parameters", "summary", "description",
                "servers", "$ref", "query", "additionalOperations",
            ]
        case .operation:
            [
                "operationId", "summary", "description", "tags", "parameters", "requestBody", "responses", "security",
                "deprecated", "servers", "callbacks", "externalDocs",
            ]
        case .parameter:
            [
                "name", "in", "description", "required", "schema", "style", "explode", "example", "examples", "content",
                "deprecated", "allowEmptyValue", "allowReserved",
            ]
        case .requestBody: ["content", "description", "required"]
        case .mediaType:
            ["schema", "example", "examples", "encoding", "itemSchema", "prefixEncoding", "itemEncoding", "description"]
        case .response: ["description", "content", "headers", "links", "summary"]
        case .encoding:
            [
                "contentType", "headers", "style", "explode", "allowReserved", "encoding", "prefixEncoding", "itemEncoding",
            ]
        }
    }

    /// The members in Swagger 2.0.
    var swaggerNames: [StaticString] {
        switch self {
        case .document:
            [
                "swagger", "info", "host", "basePath", "schemes", "consumes", "produces", "paths", "definitions",
                "parameters", "responses", "securityDefinitions", "security", "tags", "externalDocs",
            ]
        case .pathItem:
            [
                "get", "put", "post", "delete", "options", "head", "patch", "parameters", "$ref", "summary", "description",
            ]
        case .operation:
            [
                "operationId", "summary", "description", "tags", "parameters", "responses", "consumes", "produces",
                "schemes", "security", "deprecated", "externalDocs",
            ]
        case .parameter:
            [
                "name", "in", "type", "description", "required", "format", "schema", "enum", "items", "collectionFormat",
                "default", "allowEmptyValue", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength",
                "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "multipleOf", "example",
            ]
        case .response: ["description", "schema", "headers", "examples"]
        default: []
        }
    }
}

extension OpenAPIReader {
    /// Warns once of each member that the object does not have in the version of the document.
    @inline(never)
    mutating func warnOfUnknownMembers(_ node: TapeNode, _ kind: FixedObject) {
        let names = isSwagger ? kind.swaggerNames : kind.names
        if names.isEmpty || !node.isObject { return }
        var members = node.children
        while let member = members.read() {
            let raw = member.key.rawText
            if raw.count > 1, raw[0] == UInt8(ascii: "x"), raw[1] == UInt8(ascii: "-") { continue }
            if names.contains(where: { member.key.equals($0) }) { continue }
            if !warnedMembers.insert(member.key.identity).inserted { continue }
            let name = member.name
            var message: Bytes =
                "\"\(name.printable)\" is not a member of \(isSwagger && kind == .document ? "a Swagger document" : kind.noun) and is ignored"
            if kind == .parameter && FixedObject.parameter.isMemberOfSchema(name) {
                message.append("; it belongs into its \"schema\"")
            } else if kind == .requestBody && name == "schema" || kind == .response && name == "schema" {
                message.append("; it belongs into a media type of its \"content\"")
            } else if let nearest = NearestName.find(name, among: names.map { Bytes(staticText: $0) }) {
                message.append("; did you mean \"\(nearest)\"?")
            }
            warn(member.value, message)
        }
    }
}

extension FixedObject {
    /// Whether the name is a keyword that is often written beside the schema of a parameter by mistake.
    fileprivate func isMemberOfSchema(_ name: Bytes) -> Bool {
        FixedObject.parameter.swaggerNames.contains { name.equals($0) }
            || ["nullable", "default", "oneOf", "anyOf", "allOf", "properties"].contains { (word: Bytes) in word == name }
    }
}
