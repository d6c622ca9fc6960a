// The same requests, built as in the articles.

import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

enum Articles {
    static let base = "https://private-85a46-routable.apiary-mock.com/"

    /// Article 000 (RoutableApp): the route as a string, appended to the base by `appendingPathComponent`.
    static func byPathComponent(_ user: String, _ status: String, _ comment: String, _ other: String) -> URLRequest? {
        let route = "users/\(user)/statuses/\(status)/comments/\(comment)/users/\(other)"
        guard let url = URL(string: base) else { return nil }
        var request = URLRequest(url: url.appendingPathComponent(route))
        request.httpMethod = "GET"
        return request
    }

    /// Article 002 (`toRequest`): the path by URLComponents, which escape its characters.
    static func byComponents(_ user: String, _ status: String, _ comment: String, _ other: String) -> URLRequest? {
        guard var components = URLComponents(string: base) else { return nil }
        for part in ["users", user, "statuses", status, "comments", comment, "users", other] {
            components.path += components.path.hasSuffix("/") ? part : "/" + part
        }
        guard let url = components.url else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = "GET"
        return request
    }
}
