// Tapes (routable_tape.h).

public import CRoutable
internal import RoutableClient
internal import RoutableCore
internal import RoutableMock

@_cdecl("routable_tape_new") @implementation
public func routable_tape_new(
    _ router: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<routable_tape_options>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.planned(router)
        let path = try nameText(path, "path")
        let given = try RoutableABI.options(options, routable_tape_options(), "options")
        try check(flags: given.flags, within: UInt32(ROUTABLE_TAPE_ALLOW_UNUSED), "options.flags")
        var made = TapeOptions()
        guard let mode = TapeMode(rawValue: given.mode.rawValue) else {
            throw Failure(.argument, "options.mode is not a mode of a tape")
        }
        made.mode = mode
        made.allowsUnused = given.flags != 0
        if given.redact_count > 10_000 || given.secret_count > 10_000 {
            throw Failure(.limit, "the options of a tape have more than 10000 names or secrets")
        }
        if given.redact_count > 0 {
            guard let names = given.redact else { throw .null("options.redact") }
            for index in 0..<given.redact_count { made.names.append(try nameText(names[index], "options.redact")) }
        }
        if given.secret_count > 0 {
            guard let secrets = given.secrets else { throw .null("options.secrets") }
            for index in 0..<given.secret_count { made.secrets.append(try secrets[index].bytes("options.secrets")) }
        }
        try Handle.give(try Tape.open(router, path, made), out)
    }
}

@_cdecl("routable_tape_finish") @implementation
public func routable_tape_finish(_ tape: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?) -> routable_status {
    attempt(error) { () throws(Failure) in try Handle.required(tape, Tape.self, "tape").finish() }
}

@_cdecl("routable_tape_free") @implementation
public func routable_tape_free(_ tape: OpaquePointer?) { Handle.free(tape, Tape.self) }
