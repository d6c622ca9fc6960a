// The kinds of objects in an OpenAPI document by key, which determine where a reference is allowed.

internal import RoutableCore
internal import RoutableJSON

/// A kind of object, map or list of OpenAPI.
enum DocumentKind: UInt8 {
    case root, paths, pathItem, operations, operation, parameters, parameter, requestBodies, requestBody, responses, response
    case content, mediaType, encodings, encoding, headers, header, examples, example, links, link, callbacks, callback
    case components, schemas, schema, securitySchemes, securityScheme, discriminator
    /// Any other value in which references are followed, such as an extension.
    case other
    /// Values of the API, in which "$ref" is an ordinary member.
    case data

    /// The bit of the kind in a set of kinds.
    var bit: UInt32 { 1 << UInt32(rawValue) }

    /// The part of `components` that contains objects of this kind; nil for kinds without a part, whose objects are copied to the place
    /// of their reference.
    func section(isSwagger: Bool) -> StaticString? {
        switch self {
        case .schema: isSwagger ? "definitions" : "schemas"
        case .parameter: "parameters"
        case .response: "responses"
        case .securityScheme: isSwagger ? "securityDefinitions" : "securitySchemes"
        case .requestBody where !isSwagger: "requestBodies"
        case .header where !isSwagger: "headers"
        case .example where !isSwagger: "examples"
        case .link where !isSwagger: "links"
        case .callback where !isSwagger: "callbacks"
        default: nil
        }
    }

    /// The kind of the value of a key.
    func kind(of key: TapeNode, isSwagger: Bool) -> DocumentKind {
        let name = key.string
        switch self {
        case .data: return .data
        case .other: return .other
        case .root: return Self.ofRoot(name, isSwagger)
        case .components: return Self.ofComponents(name)
        case .schema: return Self.ofSchema(name)
        case .operation: return Self.ofOperation(name)
        case .parameter, .header, .mediaType, .response, .requestBody, .encoding: return Self.ofContent(name, self, isSwagger)
        case .pathItem:
            switch name {
            case "parameters": return .parameters
            case "additionalOperations": return .operations
            case "get", "put", "post", "delete", "options", "head", "patch", "trace", "query": return .operation
            default: return .other
            }
        case .example: return name == "value" || name == "dataValue" || name == "serializedValue" ? .data : .other
        case .link: return name == "parameters" || name == "requestBody" ? .data : .other
        case .discriminator, .securityScheme: return .other
        case .paths, .callback: return name.hasPrefix("x-") ? .other : .pathItem
        case .responses: return name.hasPrefix("x-") ? .other : .response
        default: return element
        }
    }

    /// The kind of the members of a map and of the elements of a list.
    var element: DocumentKind {
        switch self {
        case .paths, .callback: .pathItem
        case .operations: .operation
        case .parameters: .parameter
        case .requestBodies: .requestBody
        case .responses: .response
        case .content: .mediaType
        case .encodings: .encoding
        case .headers: .header
        case .examples: .example
        case .links: .link
        case .callbacks: .callback
        case .schemas, .schema: .schema
        case .securitySchemes: .securityScheme
        case .data: .data
        default: .other
        }
    }

    private static func ofRoot(_ name: Bytes, _ isSwagger: Bool) -> DocumentKind {
        switch name {
        case "paths", "webhooks": .paths
        case "components" where !isSwagger: .components
        case "definitions": .schemas
        case "parameters" where isSwagger: .parameters
        case "responses" where isSwagger: .responses
        case "securityDefinitions": .securitySchemes
        default: .other
        }
    }

    /// The kind of a part of `components`.
    static func ofComponents(_ name: Bytes) -> DocumentKind {
        switch name {
        case "schemas": .schemas
        case "responses": .responses
        case "parameters": .parameters
        case "examples": .examples
        case "requestBodies": .requestBodies
        case "headers": .headers
        case "securitySchemes": .securitySchemes
        case "links": .links
        case "callbacks": .callbacks
        case "pathItems": .paths
        case "mediaTypes": .content
        default: .other
        }
    }

    private static func ofOperation(_ name: Bytes) -> DocumentKind {
        switch name {
        case "parameters": .parameters
        case "requestBody": .requestBody
        case "responses": .responses
        case "callbacks": .callbacks
        default: .other
        }
    }

    private static func ofContent(_ name: Bytes, _ owner: DocumentKind, _ isSwagger: Bool) -> DocumentKind {
        switch name {
        case "schema", "itemSchema": .schema
        case "items" where isSwagger: .schema
        case "default", "enum", "example": .data
        case "examples": isSwagger && owner == .response ? .data : .examples
        case "content": .content
        case "headers": .headers
        case "links": .links
        case "encoding", "prefixEncoding": .encodings
        case "itemEncoding": .encoding
        default: .other
        }
    }

    private static func ofSchema(_ name: Bytes) -> DocumentKind {
        switch name {
        case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies": .schemas
        case "allOf", "anyOf", "oneOf", "prefixItems": .schemas
        case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems",
            "unevaluatedProperties", "contentSchema", "additionalItems":
            .schema
        case "discriminator": .discriminator
        case "example", "examples", "default", "enum", "const": .data
        default: .other
        }
    }
}
