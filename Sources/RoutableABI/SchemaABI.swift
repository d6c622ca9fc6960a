// Schemas and the types of a router, for values of a program.

public import CRoutable
internal import RoutableCore
internal import RoutableSchema

/// A schema, at the address that the program has.
private final class SchemaObject {
    let checker: any ValueChecker
    init(_ checker: any ValueChecker) { self.checker = checker }
}

@_cdecl("routable_schema_open") @implementation
public func routable_schema_open(
    _ schema: UnsafePointer<CChar>?, _ length: Int, _ options: UnsafePointer<routable_schema_options>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let text = try input(schema, length, "schema", perByte: Memory.perDocumentByte)
        let given = try RoutableABI.options(options, routable_schema_options(), "options")
        let formats = UInt32(ROUTABLE_SCHEMA_ASSERT_FORMATS)
        try check(flags: given.flags, within: formats, "options.flags")
        var documents: [JSONSchema.Document] = []
        if given.document_count != 0 {
            guard let first = given.documents else { throw .null("options.documents") }
            guard (1...(1 << 16)).contains(given.document_count) else {
                throw Failure(.limit, "at most \(1 << 16) documents are allowed")
            }
            for index in 0..<given.document_count {
                documents.append(
                    JSONSchema.Document(
                        uri: try first[index].uri.bytes("options.documents.uri"),
                        text: try first[index].json.bytes("options.documents.json")))
            }
        }
        let dialect: JSONSchema.Dialect
        switch given.dialect {
        case ROUTABLE_DIALECT_2020_12: dialect = .draft202012
        case ROUTABLE_DIALECT_OPENAPI_30: dialect = .openAPI30
        case ROUTABLE_DIALECT_OPENAPI_31: dialect = .openAPI31
        default: throw Failure(.argument, "options.dialect is not one of ROUTABLE_DIALECT_*")
        }
        let compiled = try JSONSchema.open(
            text, uri: optionalName(given.uri) ?? Bytes(), documents: documents, dialect: dialect,
            assertsFormats: given.flags & formats != 0)
        try Handle.give(SchemaObject(compiled), out)
    }
}

@_cdecl("routable_schema_of_type") @implementation
public func routable_schema_of_type(
    _ router: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.router(router)
        try Handle.give(SchemaObject(try router.checker(ofType: try nameText(type, "type"))), out)
    }
}

@_cdecl("routable_schema_free") @implementation
public func routable_schema_free(_ schema: OpaquePointer?) { Handle.free(schema, SchemaObject.self) }

@_cdecl("routable_schema_validate") @implementation
public func routable_schema_validate(
    _ schema: OpaquePointer?, _ json: UnsafePointer<CChar>?, _ length: Int, _ maximum: Int,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let schema = try Handle.required(schema, SchemaObject.self, "schema")
        try schema.checker.check(json: try input(json, length, "json"), maximumErrors: maximum)
    }
}

@_cdecl("routable_schema_validate_jansson") @implementation
public func routable_schema_validate_jansson(
    _ schema: OpaquePointer?, _ value: UnsafePointer<json_t>?, _ maximum: Int,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    // A valid value needs no reference counting and no reason.
    if let schema, let value {
        let object = Unmanaged<SchemaObject>.fromOpaque(UnsafeRawPointer(schema))
        if object._withUnsafeGuaranteedRef({ $0.checker.fits(tree: OpaquePointer(value)) == true }) {
            error?.pointee = nil
            return Status.ok.code
        }
    }
    return attempt(error) { () throws(Failure) in
        let schema = try Handle.required(schema, SchemaObject.self, "schema")
        guard let value else { throw .null("value") }
        try schema.checker.check(tree: OpaquePointer(value), maximumErrors: maximum)
    }
}

// MARK: - The schemas of an operation

private func bodySchema(
    _ router: OpaquePointer?, _ operation: OpaquePointer?, _ mediaType: UnsafePointer<CChar>?
) throws(Failure) -> (Router, OperationSchema) {
    let router = try Handle.router(router)
    let operation = try Handle.required(operation, OperationEntry.self, "operation")
    return (router, try operation.bodySchema(optionalName(mediaType)))
}

private func resultSchema(
    _ router: OpaquePointer?, _ operation: OpaquePointer?, _ status: Int32
) throws(Failure) -> (Router, OperationSchema) {
    let router = try Handle.router(router)
    let operation = try Handle.required(operation, OperationEntry.self, "operation")
    return (router, try operation.resultSchema(status))
}

private func check(
    _ found: (Router, OperationSchema), _ json: UnsafePointer<CChar>?, _ length: Int, _ maximum: Int
) throws(Failure) {
    try found.0.checker(of: found.1).check(json: try input(json, length, "json"), maximumErrors: maximum)
}

private func check(
    _ found: (Router, OperationSchema), _ value: UnsafePointer<json_t>?, _ maximum: Int
) throws(Failure) {
    guard let value else { throw .null("value") }
    try found.0.checker(of: found.1).check(tree: OpaquePointer(value), maximumErrors: maximum)
}

@_cdecl("routable_operation_check_body") @implementation
public func routable_operation_check_body(
    _ router: OpaquePointer?, _ operation: OpaquePointer?, _ mediaType: UnsafePointer<CChar>?,
    _ json: UnsafePointer<CChar>?, _ length: Int, _ maximum: Int, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in try check(try bodySchema(router, operation, mediaType), json, length, maximum) }
}

@_cdecl("routable_operation_check_result") @implementation
public func routable_operation_check_result(
    _ router: OpaquePointer?, _ operation: OpaquePointer?, _ status: Int32,
    _ json: UnsafePointer<CChar>?, _ length: Int, _ maximum: Int, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in try check(try resultSchema(router, operation, status), json, length, maximum) }
}

@_cdecl("routable_operation_check_body_jansson") @implementation
public func routable_operation_check_body_jansson(
    _ router: OpaquePointer?, _ operation: OpaquePointer?, _ mediaType: UnsafePointer<CChar>?,
    _ value: UnsafePointer<json_t>?, _ maximum: Int, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in try check(try bodySchema(router, operation, mediaType), value, maximum) }
}

@_cdecl("routable_operation_check_result_jansson") @implementation
public func routable_operation_check_result_jansson(
    _ router: OpaquePointer?, _ operation: OpaquePointer?, _ status: Int32,
    _ value: UnsafePointer<json_t>?, _ maximum: Int, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in try check(try resultSchema(router, operation, status), value, maximum) }
}

@_cdecl("routable_operation_body_schema") @implementation
public func routable_operation_body_schema(
    _ router: OpaquePointer?, _ operation: OpaquePointer?, _ mediaType: UnsafePointer<CChar>?,
    _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let found = try bodySchema(router, operation, mediaType)
        try give(found.0.text(of: found.1), out)
    }
}

@_cdecl("routable_operation_result_schema") @implementation
public func routable_operation_result_schema(
    _ router: OpaquePointer?, _ operation: OpaquePointer?, _ status: Int32,
    _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let found = try resultSchema(router, operation, status)
        try give(found.0.text(of: found.1), out)
    }
}

// MARK: - Generated values

private func sample(
    _ checker: any ValueChecker, _ seed: UInt64, _ flags: UInt32, _ out: UnsafeMutablePointer<routable_string>?
) throws(Failure) {
    let out = try required(out, "out")
    let varied = UInt32(ROUTABLE_SAMPLE_VARIED)
    try check(flags: flags, within: varied, "flags")
    guard let text = try checker.sampleText(seed: seed, style: flags & varied == 0 ? .plain : .varied) else {
        throw Failure(.unsupported, "no valid value was found for the schema")
    }
    try give(text, out)
}

@_cdecl("routable_schema_sample") @implementation
public func routable_schema_sample(
    _ schema: OpaquePointer?, _ seed: UInt64, _ flags: UInt32, _ out: UnsafeMutablePointer<routable_string>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        try sample(try Handle.required(schema, SchemaObject.self, "schema").checker, seed, flags, out)
    }
}

@_cdecl("routable_operation_sample_body") @implementation
public func routable_operation_sample_body(
    _ router: OpaquePointer?, _ operation: OpaquePointer?, _ mediaType: UnsafePointer<CChar>?, _ seed: UInt64, _ flags: UInt32,
    _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let found = try bodySchema(router, operation, mediaType)
        try sample(try found.0.checker(of: found.1), seed, flags, out)
    }
}

@_cdecl("routable_operation_sample_result") @implementation
public func routable_operation_sample_result(
    _ router: OpaquePointer?, _ operation: OpaquePointer?, _ status: Int32, _ seed: UInt64, _ flags: UInt32,
    _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let found = try resultSchema(router, operation, status)
        try sample(try found.0.checker(of: found.1), seed, flags, out)
    }
}
