// The options of the engine are those of C and Python: none of them is missing.

import FaultService
import Foundation
import Routable
import RoutableClient
import Testing

/// An operation whose result is declared as a string, and whose response is an object.
private enum Checked: API {
    static let name = "checked"
    static let base = "http://127.0.0.1:1"
    static var resources: [AnyResource] { [] }
    static let document = #"""
        {"routable": 1, "base": "http://127.0.0.1:1",
         "operations": {"echo": {"get": "/echo", "results": {"200": {"type": "string"}}}}}
        """#
}

/// A file of the package.
private func file(_ path: String) throws -> Data {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    return try Data(contentsOf: root.appendingPathComponent(path))
}

/// The `name` members of an array of objects.
private func names(_ list: Any?) -> [String] { (list as? [[String: Any]] ?? []).compactMap { $0["name"] as? String } }

/// The items of all headers that `docs/interface.json` describes.
private func items() throws -> [[String: Any]] {
    let interface = try JSONSerialization.jsonObject(with: file("docs/interface.json")) as? [String: Any]
    let headers = interface?["headers"] as? [[String: Any]] ?? []
    let sections = headers.flatMap { $0["sections"] as? [[String: Any]] ?? [] }
    return sections.flatMap { $0["items"] as? [[String: Any]] ?? [] }
}

/// The names in code spans.
private func spans(_ cell: Substring) -> [String] { cell.matches(of: /`([\w.]+)`/).map { String($0.1) } }

/// The table "Options" of docs/client.md: the names in C, and the cell for Swift.
private func table() throws -> [(names: [String], swift: Substring)] {
    let page = String(decoding: try file("docs/client.md"), as: UTF8.self)
    let rows = page.split(separator: "\n", omittingEmptySubsequences: false)
        .drop { !$0.hasPrefix("| C, `routable_client_options`") }.dropFirst(2).prefix { $0.hasPrefix("|") }
    return rows.map { row in
        let cells = row.split(separator: " | ")
        return (spans(cells.first ?? ""), cells.count > 2 ? cells[2] : "")
    }
}

@Suite("Options of the engine")
struct OptionsTests {
    private let members = Mirror(reflecting: EngineTransport.Options()).children.compactMap { $0.label }

    @Test("Each option of C is in the table of docs/client.md, with its Swift form or the reason why there is none")
    func optionsOfC() throws {
        let items = try items()
        let options = try #require(items.first { $0["name"] as? String == "routable_client_options" })
        let flags = items.flatMap { names($0["constants"]) }.filter { $0.hasPrefix("ROUTABLE_CLIENT_") }
        #expect(flags.count >= 6)
        let rows = try table()
        for option in names(options["fields"]) + flags where option != "size" && option != "flags" {
            let row = rows.first { $0.names.contains(option) }
            #expect(row != nil, "docs/client.md has no row for \(option)")
        }
        for row in rows {
            let forms = spans(row.swift)
            #expect(!forms.isEmpty || row.swift.hasPrefix("none: "), "\(row.names) has neither a Swift form nor a reason")
            for form in forms where !form.hasPrefix("Client.") {
                #expect(members.contains(form), "EngineTransport.Options has no \(form)")
            }
        }
        let documented = Set(rows.flatMap { spans($0.swift) })
        for member in members { #expect(documented.contains(member), "docs/client.md does not have \(member)") }
    }

    @Test("Each option reaches the client that C and Python use")
    func optionsReachTheClient() throws {
        typealias Change = (inout EngineTransport.Options) -> Void
        let changes: [(String, Change)] = [
            ("deadline", { $0.deadline = .milliseconds(1) }), ("connectTimeout", { $0.connectTimeout = .milliseconds(1) }),
            ("stallTimeout", { $0.stallTimeout = .seconds(1) }), ("maximumResponseBytes", { $0.maximumResponseBytes = 1 }),
            ("retries", { $0.retries = 1 }), ("retryDelay", { $0.retryDelay = .milliseconds(1) }),
            ("maximumRetryDelay", { $0.maximumRetryDelay = .milliseconds(1) }),
            ("followsRedirects", { $0.followsRedirects = false }), ("maximumRedirects", { $0.maximumRedirects = 1 }),
            ("allowsInsecureRedirects", { $0.allowsInsecureRedirects = true }), ("userAgent", { $0.userAgent = "tea" }),
            ("headers", { $0.headers = [HeaderField("X-One", "1")] }),
            ("originHeaders", { $0.originHeaders = [("https://cdn.example", HeaderField("X-One", "1"))] }),
            ("query", { $0.query = "one=1" }), ("cookieFile", { $0.cookieFile = "" }),
            ("requestsCompression", { $0.requestsCompression = false }), ("deviations", { $0.deviations = .raise }),
            ("takesTimes", { $0.takesTimes = true }), ("certificateAuthorities", { $0.certificateAuthorities = "ca.pem" }),
            ("certificateFile", { $0.certificateFile = "one.pem" }), ("keyFile", { $0.keyFile = "one.key" }),
            ("verifiesCertificates", { $0.verifiesCertificates = false }), ("proxy", { $0.proxy = "http://proxy" }),
            ("noProxy", { $0.noProxy = "a.test" }), ("unixSocket", { $0.unixSocket = "/socket" }),
            ("maximumActive", { $0.maximumActive = 1 }), ("maximumActivePerHost", { $0.maximumActivePerHost = 1 }),
            ("maximumPending", { $0.maximumPending = 1 }), ("sendsCredentials", { $0.sendsCredentials = false }),
            ("netrcFile", { $0.netrcFile = "" }),
        ]
        #expect(changes.map { $0.0 }.sorted() == members.sorted())
        func described(_ options: EngineTransport.Options) -> String {
            var text = ""
            dump(options.forClient, to: &text)
            return text
        }
        let standard = described(EngineTransport.Options())
        var seen: Set<String> = [standard]
        for (name, change) in changes {
            var options = EngineTransport.Options()
            change(&options)
            #expect(seen.insert(described(options)).inserted, "\(name) changes nothing, or the same as another option")
        }
    }

    @Test("Default headers are sent, and a response that is not of its type is refused")
    func headersAndBodies() async throws {
        let service = try FaultService.shared.get().base
        var options = EngineTransport.Options()
        options.headers = [HeaderField("X-Default", "tea")]
        let client = Client(base: service, transport: try EngineTransport.make(options))
        let echo = try await client.response(to: Checked.endpoint("echo"))
        #expect(echo.body.bytes.string.contains(#"["X-Default", "tea"]"#))
        options.deviations = .raise
        let strict = Client(base: service, transport: try EngineTransport.make(options))
        do {
            _ = try await strict.response(to: Checked.endpoint("echo"))
            Issue.record("the body was not checked")
        } catch { #expect(error.status == .response) }
    }
}
