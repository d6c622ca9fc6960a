// Credentials: set on a client, refreshed and signed by functions of the program.

public import CRoutable
internal import RoutableClient
internal import RoutableCore

/// A refresh, at the address that the program has.
private final class RefreshObject {
    let refresh: CredentialRefresh
    let scheme: Text
    let token: Text
    let challenge: Text

    init(_ refresh: CredentialRefresh) {
        challenge = Text(refresh.challenge)
        self.refresh = refresh
        scheme = Text(refresh.scheme)
        token = Text(refresh.oldToken)
    }
}

/// A request to be signed, with strings at stable addresses.
private final class SigningObject {
    let signing: Signing
    let method: Text
    init(_ signing: Signing) {
        self.signing = signing
        method = Text(signing.methodText)
    }
}

extension Credential {
    init(_ given: routable_credential) throws(Failure) {
        self.init()
        let user = HostData(given.user_data, given.release)
        try check(flags: given.flags, within: UInt32(ROUTABLE_CREDENTIAL_SECRET_IN_BODY), "credential.flags")
        userBytes = try given.user.bytes("credential.user")
        passwordBytes = try given.password.bytes("credential.password")
        tokenBytes = try given.token.bytes("credential.token")
        if given.expires_in_ms > 0 { lifetimeMilliseconds = given.expires_in_ms }
        clientIdBytes = try given.client_id.bytes("credential.client_id")
        clientSecretBytes = try given.client_secret.bytes("credential.client_secret")
        refreshTokenBytes = try given.refresh_token.bytes("credential.refresh_token")
        refreshBodyBytes = try given.refresh_body.bytes("credential.refresh_body")
        tokenURLBytes = optionalName(given.token_url) ?? Bytes()
        scopeBytes = optionalName(given.scope) ?? Bytes()
        audienceBytes = optionalName(given.audience) ?? Bytes()
        resourceBytes = optionalName(given.resource) ?? Bytes()
        originBytes = optionalName(given.origin)
        sendsSecretInBody = given.flags & UInt32(ROUTABLE_CREDENTIAL_SECRET_IN_BODY) != 0
        if let function = given.refresh {
            refresher = Refresher { function(Handle.make(RefreshObject($0)), user.pointer) }
        }
        if let function = given.sign {
            signer = Signer { (signing) throws(Failure) in
                let object = SigningObject(signing)
                let code = function(Handle.borrow(object), user.pointer)
                withExtendedLifetime(object) {}
                if code != ROUTABLE_OK { throw failed("sign", code) }
            }
        }
        if let function = given.refreshed {
            observer = TokenObserver { tokens in
                let texts = [Text(tokens.scheme), Text(tokens.token), Text(tokens.refreshToken)]
                var told = routable_tokens()
                told.size = MemoryLayout<routable_tokens>.size
                told.scheme = routable_str(texts[0])
                told.token = routable_str(texts[1])
                told.refresh_token = routable_str(texts[2])
                told.expires_in_ms = tokens.lifetimeMilliseconds ?? 0
                told.has_rotated = tokens.hasRotated ? 1 : 0
                function(&told, user.pointer)
                withExtendedLifetime(texts) {}
            }
        }
        if refresher == nil && signer == nil && observer == nil { withExtendedLifetime(user) {} }
    }
}

@_cdecl("routable_client_set_credential") @implementation
public func routable_client_set_credential(
    _ client: OpaquePointer?, _ credential: UnsafePointer<routable_credential>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        if credential == nil { throw .null("credential") }
        let given = try options(credential, routable_credential(), "credential")
        let values = try Credential(given)
        let client = try Handle.required(client, ClientCore.self, "client")
        let scheme = try nameText(given.scheme, "credential.scheme")
        try Memory.check()
        try client.setCredential(scheme, values, of: given.router.map { Handle.knownRouter($0) })
    }
}

@_cdecl("routable_client_remove_credential") @implementation
public func routable_client_remove_credential(_ client: OpaquePointer?, _ scheme: UnsafePointer<CChar>?) {
    guard let client, let name = optionalName(scheme) else { return }
    Handle.object(client, ClientCore.self).removeCredential(name)
}

@_cdecl("routable_client_tokens") @implementation
public func routable_client_tokens(
    _ client: OpaquePointer?, _ scheme: UnsafePointer<CChar>?, _ token: UnsafeMutablePointer<routable_string>?,
    _ refresh_token: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let client = try Handle.required(client, ClientCore.self, "client")
        let name = try nameText(scheme, "scheme")
        guard let values = try client.credential(name) else {
            throw Failure(.unknown, "the client has no credential for \"\(name.printable)\"") { $0.parameter = name }
        }
        let (one, other) = (routable_string(copying: values.tokenBytes), routable_string(copying: values.refreshTokenBytes))
        let hasFailed = Memory.hasFailed
        if let token, !hasFailed { token.pointee = one } else { one.ptr?.deallocate() }
        if let refresh_token, !hasFailed { refresh_token.pointee = other } else { other.ptr?.deallocate() }
    }
}

// MARK: - Refresh

private func refresh(_ handle: OpaquePointer?) -> RefreshObject? { handle.map { Handle.object($0, RefreshObject.self) } }

@_cdecl("routable_refresh_scheme") @implementation
public func routable_refresh_scheme(_ handle: OpaquePointer?) -> routable_str {
    refresh(handle).map { routable_str($0.scheme) } ?? .empty
}

@_cdecl("routable_refresh_token") @implementation
public func routable_refresh_token(_ handle: OpaquePointer?) -> routable_str {
    refresh(handle).map { routable_str($0.token) } ?? .empty
}

@_cdecl("routable_refresh_url") @implementation
public func routable_refresh_url(_ handle: OpaquePointer?) -> routable_str {
    refresh(handle).map { routable_str($0.refresh.url) } ?? .empty
}

@_cdecl("routable_refresh_route") @implementation
public func routable_refresh_route(_ handle: OpaquePointer?) -> routable_str {
    refresh(handle)?.refresh.plan.map { routable_str($0.route) } ?? .empty
}

@_cdecl("routable_refresh_operation") @implementation
public func routable_refresh_operation(_ handle: OpaquePointer?) -> routable_str {
    refresh(handle)?.refresh.plan.map { routable_str($0.operation.name) } ?? .empty
}

@_cdecl("routable_refresh_challenge") @implementation
public func routable_refresh_challenge(_ handle: OpaquePointer?) -> routable_str {
    refresh(handle).map { routable_str($0.challenge) } ?? .empty
}

@_cdecl("routable_challenge_find") @implementation
public func routable_challenge_find(
    _ header: routable_str, _ scheme: UnsafePointer<CChar>?, _ parameter: UnsafePointer<CChar>?,
    _ out: UnsafeMutablePointer<routable_string>?
) -> Int32 {
    guard let scheme, let out, let text = try? header.buffer("header"),
        let found = ChallengeHeader.find(Bytes(cString: scheme), optionalName(parameter), in: text)
    else { return 0 }
    out.pointee = routable_string(copying: found)
    return 1
}

@_cdecl("routable_refresh_finish") @implementation
public func routable_refresh_finish(
    _ handle: OpaquePointer?, _ token: routable_str, _ expires_in_ms: Int64, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let object = try Handle.required(handle, RefreshObject.self, "refresh")
        defer { Handle.free(handle, RefreshObject.self) }
        try object.refresh.finish(try token.bytes("token"), lifetimeMilliseconds: expires_in_ms > 0 ? expires_in_ms : nil)
    }
}

@_cdecl("routable_refresh_fail") @implementation
public func routable_refresh_fail(_ handle: OpaquePointer?, _ message: routable_str) {
    guard let object = refresh(handle) else { return }
    object.refresh.fail((try? message.bytes("message"))?.printable ?? Bytes())
    Handle.free(handle, RefreshObject.self)
}

// MARK: - Signing

private func signing(_ handle: OpaquePointer?) -> SigningObject? { handle.map { Handle.object($0, SigningObject.self) } }

@_cdecl("routable_signing_method") @implementation
public func routable_signing_method(_ handle: OpaquePointer?) -> routable_str {
    signing(handle).map { routable_str($0.method) } ?? .empty
}

@_cdecl("routable_signing_url") @implementation
public func routable_signing_url(_ handle: OpaquePointer?) -> routable_str {
    signing(handle).map { routable_str($0.signing.urlText) } ?? .empty
}

@_cdecl("routable_signing_body") @implementation
public func routable_signing_body(_ handle: OpaquePointer?) -> routable_str {
    signing(handle)?.signing.bodyText.map { routable_str($0) } ?? .empty
}

@_cdecl("routable_signing_header") @implementation
public func routable_signing_header(_ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> routable_str {
    guard let name, let headers = signing(handle)?.signing.headerBlock,
        let index = Bytes(cString: name).storage.withUnsafeBytes({ headers.index(of: $0) })
    else { return .empty }
    return routable_str(headers.value(index))
}

@_cdecl("routable_signing_set_header") @implementation
public func routable_signing_set_header(
    _ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ value: routable_str,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let object = try Handle.required(handle, SigningObject.self, "signing")
        let (name, value) = (try nameText(name, "name"), try value.bytes("value"))
        try Memory.check()
        try object.signing.set(name, value)
    }
}
