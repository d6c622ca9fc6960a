// Reads policy, pagination and outcomes from keys that begin with x-routable in an OpenAPI document, its operations and its
// security schemes.

internal import RoutableCore
internal import RoutableJSON
internal import RoutableSchema

extension OpenAPIReader {
    private typealias Key = (own: StaticString, plain: StaticString)

    private static let ruleKeys: [Key] = [
        ("x-routable-deadline", "deadline"), ("x-routable-retry", "retry"), ("x-routable-idempotency", "idempotency"),
        ("x-routable-pagination", "pagination"), ("x-routable-outcome", "outcome"),
    ]
    /// The keys of an operation; those that a route document does not have are read elsewhere.
    private static let operationKeys: [Key] = ruleKeys + [(resourceKey, ""), (nameKey, "")]
    private static let schemeKeys: [Key] = [
        ("x-routable-refresh", "refresh"), ("x-routable-token", "token"), ("x-routable-expires-in", "expires_in"),
        ("x-routable-refresh-token", "refresh_token"), ("x-routable-refresh-on", "refresh_on"), ("x-routable-word", "word"),
        ("x-routable-issuer", "issuer"),
    ]

    /// The rules of the document or of an operation; nil for none.
    func rules(_ node: TapeNode, ofOperation: Bool = false) throws(Failure) -> OperationRules? {
        guard let text = try ownKeys(node, ofOperation ? Self.operationKeys : Self.ruleKeys) else { return nil }
        let document = try text.parsed()
        defer { withExtendedLifetime(document) {} }
        do { return try RouteDocumentReader().rules(Node(document.view)) } catch { throw relocated(error, node, Self.ruleKeys) }
    }

    /// Reads the rules of an operation, and validates them with the operation.
    func readRules(_ operation: inout OperationDescription, _ node: TapeNode) throws(Failure) {
        guard let rules = try rules(node, ofOperation: true) else { return }
        operation.rules = rules
        guard let pagination = rules.pagination else { return }
        do { try pagination.check(operation) } catch { throw relocated(error, node, Self.ruleKeys) }
    }

    /// Reads how the tokens of a scheme are obtained.
    func readRefresh(_ scheme: inout AuthScheme, _ node: TapeNode) throws(Failure) {
        guard let text = try ownKeys(node, Self.schemeKeys) else { return }
        let document = try text.parsed()
        defer { withExtendedLifetime(document) {} }
        let found = Node(document.view)
        do throws(Failure) {
            if scheme.kind == .basic || scheme.kind == .digest || scheme.kind == .certificate {
                throw found.failure("a scheme of this kind has no tokens to refresh")
            }
            if let member = found.member("refresh") {
                if scheme.kind == .oauth2 { throw member.failure("an oauth2 scheme is refreshed at its tokenUrl") }
                scheme.refresh = try member.name("\"x-routable-refresh\"")
            }
            if let member = found.member("token") { scheme.tokenPointer = try RouteDocumentReader.pointer(member) }
            if let member = found.member("expires_in") { scheme.lifetimePointer = try RouteDocumentReader.pointer(member) }
            if let member = found.member("refresh_token") {
                scheme.refreshTokenPointer = try RouteDocumentReader.pointer(member)
            }
            if let member = found.member("refresh_on") { scheme.refreshOn = try RouteDocumentReader.rejections(member) }
            if let member = found.member("word") {
                guard scheme.kind == .key, scheme.location == .header else {
                    throw member.failure("only an apiKey in a header has \"x-routable-word\"")
                }
                scheme.word = try member.name("\"x-routable-word\"")
                if !scheme.word.storage.allSatisfy(ASCII.isToken) {
                    throw member.failure("\"x-routable-word\" is not a valid HTTP token")
                }
            }
            if let member = found.member("issuer") {
                if scheme.kind != .oauth2 && scheme.kind != .bearer {
                    throw member.failure("only an oauth2 or a bearer scheme has \"x-routable-issuer\"")
                }
                scheme.issuer = try member.name("\"x-routable-issuer\"")
            }
        } catch { throw relocated(error, node, Self.schemeKeys) }
    }

    /// Checks that the refresh operation of each scheme exists.
    func checkRefreshes(_ schemes: TapeNode?) throws(Failure) {
        for scheme in description.authSchemes where !scheme.refresh.isEmpty {
            if description.operations.contains(where: { $0.name == scheme.refresh }) { continue }
            let node = schemes?.member(named: scheme.name)
            let named = node.flatMap { $0.member("$ref") == nil ? $0.member("x-routable-refresh") : nil } ?? node ?? main.root
            throw unknown(named, "there is no operation", scheme.refresh, among: description.operations.map { $0.name })
        }
    }

    /// Rejects keys of this library in places in which they are not read.
    func refuseOwnKey(_ key: TapeNode, _ value: TapeNode) throws(Failure) {
        if Self.isOwn(key) {
            throw failure(
                value,
                "\"\(key.string.printable)\" is allowed in the document, in an operation or in a security scheme, but not here; a path has \"x-routable-resource\""
            )
        }
    }

    private static func isOwn(_ key: TapeNode) -> Bool {
        let raw = key.rawText
        return raw.count >= 10 && raw[0] == UInt8(ascii: "x") && raw.has("x-routable", at: 0)
    }

    /// The keys of this library in a value, as an object with the names of the route document.
    private func ownKeys(_ node: TapeNode, _ keys: [Key]) throws(Failure) -> Bytes? {
        var writer: JSONWriter?
        var children = node.children
        while let child = children.read() {
            guard Self.isOwn(child.key) else { continue }
            let name = child.name
            guard let key = keys.first(where: { name.equals($0.own) }) else {
                throw unknown(child.value, "there is no key", name, among: keys.map { Bytes(staticText: $0.own) })
            }
            if key.plain.utf8CodeUnitCount == 0 { continue }
            if writer == nil {
                writer = JSONWriter()
                writer?.open("{")
            }
            let tape = tape(of: child.value)
            writer?.key(key.plain)
            writer?.raw(Bytes(UnsafeRawBufferPointer(rebasing: tape.text.buffer[tape.range(of: child.value)])))
        }
        writer?.close("}")
        return writer?.text
    }

    /// A failure in the text that was made from such keys, moved to its position in the document.
    private func relocated(_ error: Failure, _ node: TapeNode, _ keys: [Key]) -> Failure {
        var current = node
        for (depth, token) in JSONPointer.tokens(error.fields.pointer ?? Bytes()).enumerated() {
            var name = token
            if depth == 0, let key = keys.first(where: { token.equals($0.plain) }) { name = Bytes(staticText: key.own) }
            guard let next = current.isObject ? current.member(named: name) : current.element(name) else { break }
            current = next
        }
        if let key = error.fields.parameter.isEmpty ? nil : current.member(named: error.fields.parameter) { current = key }
        return failure(current, error.message, error.status).with {
            $0.allowed = error.fields.allowed
            $0.suggestion = error.fields.suggestion
        }
    }
}
