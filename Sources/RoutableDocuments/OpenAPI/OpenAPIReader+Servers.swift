// Reads servers: the base of the requests, and the patterns of all URLs that match.

internal import RoutableCore
internal import RoutableJSON

extension OpenAPIReader {
    /// A server as a base, or the reason why it cannot be used.
    private enum Server {
        /// The URL of the server, and the patterns of the URLs with other values of its variables (`ServerPattern`).
        case base(Bytes, patterns: [Bytes])
        case unusable(TapeNode, reason: Bytes, advice: Bytes)
    }

    /// Returns the URL of the first usable server, with the defaults of its variables, and the patterns of all servers, empty if the
    /// URL is sufficient.  Reports a warning for each server that cannot be used; if all are unusable, returns the reason of the first.
    mutating func serverURL(_ servers: TapeNode) -> (url: Bytes?, patterns: [Bytes], problem: Bytes) {
        var children = servers.children
        guard servers.kind == .array, !servers.isEmpty else {
            warn(servers, "the server has no URL: a base must be set")
            return (nil, [], "the description has no server with a URL")
        }
        var problems: [(node: TapeNode, reason: Bytes, advice: Bytes)] = []
        var found: Bytes?
        var patterns: [Bytes] = []
        var used = servers
        var count = 0
        while count < Self.serverLimit, let child = children.read() {
            count &+= 1
            switch server(child.value) {
            case .base(let url, let more):
                patterns += [url] + more
                if found == nil {
                    found = url
                    used = child.value.member("url") ?? child.value
                }
            case .unusable(let node, let reason, let advice): problems.append((node, reason, advice))
            }
        }
        for problem in problems {
            warn(problem.node, "\(problem.reason)\(found == nil ? problem.advice : "; another server is used")")
        }
        if children.read() != nil { warn(servers, "only the first \(Self.serverLimit) servers are used") }
        if let found { warnOfMissingHost(found, used) }
        return (
            found, patterns.count > 1 ? patterns : [], found == nil ? problems.first?.reason ?? Bytes() : Bytes()
        )
    }

    /// The maximum number of servers, and of patterns for one server.
    private static let (serverLimit, patternLimit) = (64, 64)

    private func server(_ server: TapeNode) -> Server {
        guard let node = server.member("url"), node.kind == .text else {
            return .unusable(server, reason: "the server has no URL", advice: ": a base must be set")
        }
        var url = Bytes()
        var rest = node.string.storage[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")), let close = rest[open...].firstIndex(of: UInt8(ascii: "}")) {
            let name = Bytes(rest[(open &+ 1)..<close])
            let value = server.member("variables")?.member(named: name)?.member("default")
            guard let value, value.kind == .text else {
                let what: Bytes = value.map { "a default that is not a string but \($0.kindName)" } ?? "no default"
                return .unusable(
                    server, reason: "the variable \"\(name.printable)\" of the server \"\(node.string.printable)\" has \(what)",
                    advice: ": a base must be set")
            }
            url.append(Bytes(rest[..<open]))
            url.append(value.string)
            rest = rest[(close &+ 1)...]
            if url.count > Limits.valueBytes {
                return .unusable(node, reason: "the URL of the server is too long", advice: ": a base must be set")
            }
        }
        url.append(Bytes(rest))
        guard let absolute = absolute(url) ?? (Self.isPathAlone(url) ? url : nil) else {
            return .unusable(
                node, reason: "the server \"\(url.printable)\" is relative",
                advice: ": a base, or the URI of the document, must be set")
        }
        do { _ = try Base(absolute) } catch {
            return .unusable(node, reason: error.message, advice: "; another base must be set")
        }
        return .base(absolute, patterns: patterns(node.string, server.member("variables")).filter { $0 != absolute })
    }

    /// The patterns of a server with variables: one for each listed value; a variable without a list is a placeholder.
    private func patterns(_ url: Bytes, _ variables: TapeNode?) -> [Bytes] {
        var results = [Bytes()]
        var rest = url.storage[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")), let close = rest[open...].firstIndex(of: UInt8(ascii: "}")) {
            let variable = variables?.member(named: Bytes(rest[(open &+ 1)..<close]))
            var values: [Bytes] = []
            if let list = variable?.member("enum"), list.kind == .array {
                var children = list.children
                while values.count <= Self.patternLimit, let child = children.read() {
                    if child.value.kind == .text { values.append(child.value.string) }
                }
                if let usual = variable?.member("default"), usual.kind == .text, !values.contains(usual.string) {
                    values.append(usual.string)
                }
            }
            // Without a list, or with too many values, the variable is a placeholder, or has its default if it begins the URL.
            if values.isEmpty || values.count > Self.patternLimit / results.count {
                values = open == 0 ? variable?.member("default").map { [$0.string] } ?? [] : [Bytes([0])]
            }
            let literal = Bytes(rest[..<open])
            var next: [Bytes] = []
            for result in results {
                for value in values where result.count < Limits.valueBytes { next.append("\(result)\(literal)\(value)") }
            }
            results = next
            rest = rest[(close &+ 1)...]
        }
        if rest.count == url.count { return [] }
        return results.compactMap { absolute("\($0)\(Bytes(rest))") ?? (Self.isPathAlone($0) ? "\($0)\(Bytes(rest))" : nil) }
    }

    /// The path of a server without a host, which is sufficient to match and to write links.
    mutating func pathAlone(_ url: Bytes, _ node: TapeNode) -> Bytes? {
        guard Self.isPathAlone(url) else { return nil }
        warnOfMissingHost(url, node)
        return url
    }

    private static func isPathAlone(_ url: Bytes) -> Bool {
        url.storage.first == UInt8(ascii: "/") && url.storage.dropFirst().first != UInt8(ascii: "/")
    }

    private mutating func warnOfMissingHost(_ url: Bytes, _ node: TapeNode) {
        guard Self.isPathAlone(url) else { return }
        warn(node, "\"\(url.printable)\" has no host: to send requests, set a base or the document's URI")
    }

    /// The URL of a server, resolved against the URI of the document.
    func absolute(_ url: Bytes) -> Bytes? {
        let reference = URIReference(url)
        if reference.scheme != nil { return url }
        guard let scheme = URIReference(choices.uri).scheme?.lowercased, scheme == "http" || scheme == "https" else {
            return nil
        }
        return reference.resolved(against: choices.uri)
    }
}
