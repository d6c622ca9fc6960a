// The parts of a credential, as strings.

public import RoutableClient
internal import RoutableCore

extension Credential {
    /// The name of the user; empty for none.
    public var user: String {
        get { userBytes.string }
        set { userBytes = Bytes(newValue) }
    }
    /// The password of the user.
    public var password: String {
        get { passwordBytes.string }
        set { passwordBytes = Bytes(newValue) }
    }
    /// The token, or the key; empty for none.
    public var token: String {
        get { tokenBytes.string }
        set { tokenBytes = Bytes(newValue) }
    }
    /// The lifetime of the token; nil if it is unknown.
    public var lifetime: Duration? {
        get { lifetimeMilliseconds.map { .milliseconds($0) } }
        set { lifetimeMilliseconds = newValue?.milliseconds }
    }
    /// The refresh token of OAuth 2; empty for none.
    public var refreshToken: String {
        get { refreshTokenBytes.string }
        set { refreshTokenBytes = Bytes(newValue) }
    }
    /// The client id of OAuth 2; empty for none.
    public var clientID: String {
        get { clientIdBytes.string }
        set { clientIdBytes = Bytes(newValue) }
    }
    /// The client secret of OAuth 2; empty for none.
    public var clientSecret: String {
        get { clientSecretBytes.string }
        set { clientSecretBytes = Bytes(newValue) }
    }
    /// The token URL of OAuth 2; empty for the URL in the description.
    public var tokenURL: String {
        get { tokenURLBytes.string }
        set { tokenURLBytes = Bytes(newValue) }
    }
    /// The scope of OAuth 2; empty for the scope in the description.
    public var scope: String {
        get { scopeBytes.string }
        set { scopeBytes = Bytes(newValue) }
    }
    /// The parameter `audience` of OAuth 2 token requests; empty for the audience in the description.
    public var audience: String {
        get { audienceBytes.string }
        set { audienceBytes = Bytes(newValue) }
    }
    /// The parameter `resource` of OAuth 2 token requests (RFC 8707); empty for the resource in the description.
    public var resource: String {
        get { resourceBytes.string }
        set { resourceBytes = Bytes(newValue) }
    }
    /// The JSON body of the refresh operation; empty for a body that contains the refresh token.
    public var refreshBody: String {
        get { refreshBodyBytes.string }
        set { refreshBodyBytes = Bytes(newValue) }
    }
    /// The only origin that receives the credential, such as `https://api.example.com`; nil for the origin of each request.
    public var origin: String? {
        get { originBytes?.string }
        set { originBytes = newValue.map { Bytes($0) } }
    }
}
