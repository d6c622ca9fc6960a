// Logins of OAuth 2 by a browser or a code.

public import CRoutable
internal import RoutableClient
internal import RoutableCore

/// A login with the strings of `routable_device_code`, which are valid as long as the login.
private final class LoginObject {
    let login: Login
    var shown = DeviceCode()
    init(_ login: Login) { self.login = login }
}

extension LoginOptions {
    fileprivate init(_ given: routable_login_options) throws(Failure) {
        self.init()
        try check(
            flags: given.flags, within: UInt32(ROUTABLE_LOGIN_DISCOVER) | UInt32(ROUTABLE_CREDENTIAL_SECRET_IN_BODY),
            "options.flags")
        scheme = try nameText(given.scheme, "options.scheme")
        router = given.router.map { Handle.knownRouter($0) }
        values.clientIdBytes = try given.client_id.bytes("options.client_id")
        values.clientSecretBytes = try given.client_secret.bytes("options.client_secret")
        values.scopeBytes = optionalName(given.scope) ?? Bytes()
        values.audienceBytes = optionalName(given.audience) ?? Bytes()
        values.resourceBytes = optionalName(given.resource) ?? Bytes()
        values.tokenURLBytes = optionalName(given.token_url) ?? Bytes()
        values.sendsSecretInBody = given.flags & UInt32(ROUTABLE_CREDENTIAL_SECRET_IN_BODY) != 0
        redirectURL = optionalName(given.redirect_url) ?? Bytes()
        authorizationURL = optionalName(given.authorization_url) ?? Bytes()
        deviceURL = optionalName(given.device_url) ?? Bytes()
        issuer = optionalName(given.issuer) ?? Bytes()
        discovers = given.flags & UInt32(ROUTABLE_LOGIN_DISCOVER) != 0
    }
}

@_cdecl("routable_login_new") @implementation
public func routable_login_new(
    _ client: OpaquePointer?, _ given: UnsafePointer<routable_login_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let client = try Handle.required(client, ClientCore.self, "client")
        if given == nil { throw .null("options") }
        let choices = try LoginOptions(try options(given, routable_login_options(), "options"))
        try Handle.give(LoginObject(try Login.make(client, choices)), out)
    }
}

@_cdecl("routable_login_free") @implementation
public func routable_login_free(_ login: OpaquePointer?) { Handle.free(login, LoginObject.self) }

@_cdecl("routable_login_begin") @implementation
public func routable_login_begin(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let object = try Handle.required(handle, LoginObject.self, "login")
        let out = try required(out, "out")
        try give(try object.login.begin(), out)
    }
}

@_cdecl("routable_login_finish") @implementation
public func routable_login_finish(
    _ handle: OpaquePointer?, _ redirected: routable_str, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let object = try Handle.required(handle, LoginObject.self, "login")
        let text = try redirected.bytes("redirected")
        try Memory.check()
        try object.login.finish(text)
    }
}

@_cdecl("routable_login_begin_device") @implementation
public func routable_login_begin_device(
    _ handle: OpaquePointer?, _ out: UnsafeMutablePointer<routable_device_code>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let object = try Handle.required(handle, LoginObject.self, "login")
        let out = try required(out, "out")
        if out.pointee.size != MemoryLayout<routable_device_code>.size {
            throw Failure(.argument, "out.size must be sizeof(routable_device_code)")
        }
        object.shown = try object.login.beginDevice()
        try Memory.check()
        let shown = object.shown
        out.pointee.user_code = routable_str(shown.userCode)
        out.pointee.url = routable_str(shown.url)
        out.pointee.complete_url = routable_str(shown.completeURL)
        out.pointee.expires_in_ms = shown.lifetimeMilliseconds
        out.pointee.interval_ms = shown.intervalMilliseconds
    }
}

@_cdecl("routable_login_poll") @implementation
public func routable_login_poll(
    _ handle: OpaquePointer?, _ wait_ms: UnsafeMutablePointer<Int64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptTaking(error) { () throws(Failure) -> Status in
        let object = try Handle.required(handle, LoginObject.self, "login")
        guard let wait = try object.login.poll() else { return .ok }
        wait_ms?.pointee = wait
        return .idle
    }
}
