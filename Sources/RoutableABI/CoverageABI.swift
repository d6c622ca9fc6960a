// Coverage (routable_coverage.h).

public import CRoutable
internal import RoutableClient
internal import RoutableCore
internal import RoutableMock
internal import RoutableService

@_cdecl("routable_coverage_new") @implementation
public func routable_coverage_new(
    _ router: OpaquePointer?, _ options: UnsafePointer<routable_coverage_options>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.planned(router)
        let given = try RoutableABI.options(options, routable_coverage_options(), "options")
        try Handle.give(try Coverage.make(router, basePath: try ReceiveOptions.basePath(given.base_path)), out)
    }
}

@_cdecl("routable_coverage_free") @implementation
public func routable_coverage_free(_ coverage: OpaquePointer?) { Handle.free(coverage, Coverage.self) }

@_cdecl("routable_coverage_add") @implementation
public func routable_coverage_add(
    _ coverage: OpaquePointer?, _ incoming: UnsafePointer<routable_incoming>?, _ status: Int32,
    _ contentType: UnsafePointer<CChar>?, _ body: routable_str, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let coverage = try Handle.required(coverage, Coverage.self, "coverage")
        if status != 0 && !(100...999).contains(status) { throw Failure(.argument, "http_status is no status of HTTP") }
        try coverage.add(
            try Incoming(incoming), status: status, contentType: optionalName(contentType) ?? Bytes(),
            body: try body.bytes("body"))
    }
}

@_cdecl("routable_coverage_observe") @implementation
public func routable_coverage_observe(_ interception: OpaquePointer?, _ coverage: UnsafeMutableRawPointer?) {
    _ = attemptChange(nil) { () throws(Failure) in
        let interception = try Handle.required(interception, Interception.self, "interception")
        let coverage = try Handle.required(coverage.map { OpaquePointer($0) }, Coverage.self, "user_data")
        try interception.count(in: coverage)
    }
}

extension Interception {
    func count(in coverage: Coverage) throws(Failure) {
        let response = self.response ?? failure?.fields.response
        try coverage.add(
            Incoming(
                method: request.method.bytes, target: request.url.bytes, headers: request.headers.fields,
                body: request.body?.bytes ?? Bytes()),
            status: response?.status ?? 0, contentType: response?.headers.value(of: "Content-Type") ?? Bytes(),
            body: response?.body.bytes ?? Bytes())
    }
}

@_cdecl("routable_coverage_to_json") @implementation
public func routable_coverage_to_json(
    _ coverage: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try give(try Handle.required(coverage, Coverage.self, "coverage").json(), out)
    }
}

@_cdecl("routable_coverage_to_text") @implementation
public func routable_coverage_to_text(
    _ coverage: OpaquePointer?, _ flags: UInt32, _ out: UnsafeMutablePointer<routable_string>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let missing = UInt32(ROUTABLE_COVERAGE_MISSING)
        try check(flags: flags, within: missing, "flags")
        try give(try Handle.required(coverage, Coverage.self, "coverage").text(missing: flags & missing != 0), out)
    }
}
