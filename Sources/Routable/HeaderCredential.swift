// A credential in one header, for services whose description declares no scheme.

internal import Foundation
public import RoutableCore

/// Adds a header to each request of the client's API that does not have it, over any transport.
///
/// The header belongs to the API of the client and its origins: `Client(Social.self)` or, without an API, the API of the first
/// request.  If the client has a base, the header is sent only to the origin of the base.  Requests of another API do not receive the
/// header.
///
/// For a scheme that the description declares, use `Client.setCredential`, which also refreshes tokens.
public struct HeaderCredential: Sendable {
    private let make: @Sendable () async throws(Failure) -> HeaderField

    /// A header that a function returns for each request, for example from a store.
    public init(_ header: @escaping @Sendable () async throws(Failure) -> HeaderField) { make = header }

    /// `Authorization: Bearer` with this token.
    public static func bearer(_ token: String) -> HeaderCredential {
        HeaderCredential { () throws(Failure) in try HeaderField.checked("Authorization", "Bearer \(Bytes(token))") }
    }

    /// `Authorization: Basic` with the name and the password of a user.
    public static func basic(user: String, password: String) -> HeaderCredential {
        HeaderCredential { () throws(Failure) in
            // RFC 7617 section 2: the user name ends at the first colon.
            if user.utf8.contains(UInt8(ascii: ":")) {
                throw Failure(.credential, "the user name contains a colon, which basic authentication does not allow")
            }
            return HeaderField(
                "Authorization", "Basic \(Bytes(Data((user + ":" + password).utf8).base64EncodedString()))")
        }
    }

    /// A key in a header of the given name.
    public static func header(_ name: String, _ key: String) -> HeaderCredential {
        HeaderCredential { () throws(Failure) in try HeaderField.checked(Bytes(name), Bytes(key)) }
    }

    func header() async throws(Failure) -> HeaderField { try await make() }
}

extension Request {
    /// Adds the header of a credential, which is always treated as a secret: messages mask it, and other origins do not receive it.
    func setCredential(_ field: HeaderField) throws(Failure) {
        guard !isElsewhere, headers.value(of: field.name) == nil else { return }
        try setHeader(field.name, field.value)
        secretHeaders.append(field.name)
    }
}
