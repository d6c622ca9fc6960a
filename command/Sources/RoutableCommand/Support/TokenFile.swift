// The file of `routable login`: the credentials of schemes by the origin of the service.

#if Command
import Glibc
import RoutableClient
import RoutableCore

/// The tokens of one scheme.
struct StoredLogin {
    var credential = Credential()
    /// When the token expires, in seconds since 1970; nil if it is unknown.
    var expires: Int64?
}

struct TokenFile {
    let path: String
    private static let limit = 4 << 20
    /// The tokens by origin, and then by scheme.
    private var origins: [Value.Member] = []

    /// `$XDG_STATE_HOME/routable/tokens.json`, the default of `--tokens`.
    static func usualPath() throws(Failure) -> String {
        if let state = getenv("XDG_STATE_HOME"), state[0] == 0x2F { return String(cString: state) + "/routable/tokens.json" }
        guard let home = getenv("HOME"), home[0] == 0x2F else {
            throw Failure(.argument, "neither XDG_STATE_HOME nor HOME is set: name a file with --tokens")
        }
        return String(cString: home) + "/.local/state/routable/tokens.json"
    }

    /// The origin of a description, which is the key of its tokens.
    static func origin(of router: Router) throws(Failure) -> Bytes {
        guard let base = router.base, base.hasHost else {
            throw Failure(.url, "the description has no base with a host: set one with --base")
        }
        let parts = URIReference(base.prefix)
        return "\(parts.scheme ?? Bytes())://\(parts.authority ?? Bytes())"
    }

    /// Reads the file; a file that does not exist has no tokens.
    ///
    /// - Throws: `file` for a file that cannot be read, that other users can read, or that has another format.
    init(reading path: String) throws(Failure) {
        self.path = path
        var status = stat()
        if stat(path, &status) != 0 {
            if errno == ENOENT { return }
            throw Failure(.file, "\(Bytes(path).printable): \(Descriptors.reason(errno))")
        }
        if status.st_mode & 0o077 != 0 {
            throw Failure(
                .file, "\(Bytes(path).printable): other users may read or write the file; chmod 600 it, or log in again")
        }
        let text = try File.read(path, limit: Self.limit)
        guard case .object(let members)? = try? Value.read(text) else {
            throw Failure(.file, "\(Bytes(path).printable): the file does not contain the tokens of routable login")
        }
        origins = members
    }

    subscript(origin: Bytes, scheme: Bytes) -> StoredLogin? {
        get {
            guard let values = Value.object(origins).member(origin)?.member(scheme), case .object = values else { return nil }
            func text(_ name: Bytes) -> Bytes { values.member(name)?.text ?? Bytes() }
            var stored = StoredLogin()
            stored.credential.tokenBytes = text("token")
            stored.credential.refreshTokenBytes = text("refresh_token")
            stored.credential.clientIdBytes = text("client_id")
            stored.credential.clientSecretBytes = text("client_secret")
            stored.credential.tokenURLBytes = text("token_url")
            stored.credential.scopeBytes = text("scope")
            stored.credential.audienceBytes = text("audience")
            stored.credential.resourceBytes = text("resource")
            stored.credential.sendsSecretInBody = text("client_authentication") == "body"
            if case .integer(let expires)? = values.member("expires_at"), expires >= 0 {
                stored.expires = expires
                // An expired token is refreshed before it is sent.
                stored.credential.lifetimeMilliseconds = max(1, min(expires - Int64(time(nil)), 1 << 40)) * 1000
                if expires <= Int64(time(nil)), !stored.credential.refreshTokenBytes.isEmpty {
                    stored.credential.tokenBytes = Bytes()
                }
            }
            return stored
        }
        set {
            var schemes = Value.object(origins).member(origin)?.members ?? []
            schemes.removeAll { $0.name == scheme }
            if let stored = newValue {
                let values = stored.credential
                var members: [Value.Member] = []
                let texts: [(Bytes, Bytes)] = [
                    ("token", values.tokenBytes), ("refresh_token", values.refreshTokenBytes),
                    ("client_id", values.clientIdBytes),
                    ("client_secret", values.clientSecretBytes), ("token_url", values.tokenURLBytes),
                    ("scope", values.scopeBytes),
                    ("audience", values.audienceBytes), ("resource", values.resourceBytes),
                    ("client_authentication", values.sendsSecretInBody ? "body" : Bytes()),
                ]
                for (name, text) in texts where !text.isEmpty { members.append(.init(name: name, value: .text(text))) }
                if let expires = stored.expires { members.append(.init(name: "expires_at", value: .integer(expires))) }
                schemes.append(.init(name: scheme, value: .object(members)))
            }
            origins.removeAll { $0.name == origin }
            if !schemes.isEmpty { origins.append(.init(name: origin, value: .object(schemes))) }
        }
    }

    /// Writes the file, which only its owner may read, and creates the folders above it.
    func write() throws(Failure) {
        var index = path.startIndex
        while let slash = path[index...].dropFirst().firstIndex(of: "/") {
            mkdir(String(path[..<slash]), 0o700)
            index = slash
        }
        var text = try Value.object(origins).json
        text.append("\n")
        try File.write(text, to: path, mode: 0o600)
    }
}

extension StoredLogin {
    /// The current tokens of a client.
    init(_ credential: Credential) {
        self.credential = credential
        expires = credential.lifetimeMilliseconds.map { Int64(time(nil)) + $0 / 1000 }
    }
}
#endif
