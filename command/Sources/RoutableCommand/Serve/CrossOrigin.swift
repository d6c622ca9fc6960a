// The headers that allow pages of other origins to call the mock (Fetch standard, section 3.2).

import RoutableCore
import RoutableService

/// The response headers for the origin of a request.
struct CrossOrigin {
    private let origin: Bytes
    /// The response to a preflight request; nil for any other request.
    let preflight: Reply?

    /// nil for a request without an origin.
    init?(_ incoming: Incoming) {
        func value(_ name: Bytes) -> Bytes? { incoming.headers.first { $0.name.equalsIgnoringCase(name) }?.value }
        guard let origin = value("Origin") else { return nil }
        self.origin = origin
        guard incoming.method == "OPTIONS", let method = value("Access-Control-Request-Method") else {
            preflight = nil
            return
        }
        // Any method and any header is allowed, so that the page can read the response to the request itself, also with 404 or 405.
        var headers = [HeaderField("Access-Control-Allow-Methods", method), HeaderField("Access-Control-Max-Age", "600")]
        if let names = value("Access-Control-Request-Headers") {
            headers.append(HeaderField("Access-Control-Allow-Headers", names))
        }
        if value("Access-Control-Request-Private-Network") != nil {
            headers.append(HeaderField("Access-Control-Allow-Private-Network", "true"))
        }
        preflight = Reply.empty(204, headers)
    }

    /// The headers of any response to the origin.  Credentials are allowed, so neither value can be `*`.
    func headers(for reply: Reply) -> [HeaderField] {
        var names: [Bytes] = []
        for field in reply.headers.fields where !names.contains(where: { $0.equalsIgnoringCase(field.name) }) {
            names.append(field.name)
        }
        var headers = [
            HeaderField("Access-Control-Allow-Origin", origin), HeaderField("Access-Control-Allow-Credentials", "true"),
            HeaderField("Vary", "Origin"),
        ]
        if preflight == nil && !names.isEmpty {
            headers.append(HeaderField("Access-Control-Expose-Headers", names.joined(by: ", ")))
        }
        return headers
    }
}
