// The output for each endpoint of the walks: method, URL and body; the route, the operation and the ids that its URL matches; and what a
// transport receives.

import Routable

/// Replies with the method, the URL and the body of the request.
let echo = TestTransport { (request) throws(Failure) in
    let body = request.body.map { " \($0.string)" } ?? ""
    return Answer(status: 200, body: "\(request.method) \(request.url)\(body)")
}

func show<Service: MatchableAPI, Output>(_ endpoint: Endpoint<Output>, of service: Service.Type) async throws
where Service.Matched == [String] {
    let request = try endpoint.makeRequest()
    let body = request.body.map { " \($0.bytes.string)" } ?? ""
    print("\(request.method.bytes.string) \(request.url.bytes.string)\(body)")
    let method = HTTPMethod(rawValue: request.method.bytes.string)
    let found = try Service.match(request.url.bytes.string, method: method)
    print("  match", endpoint.route.string, endpoint.operationName.string, found.joined(separator: " "))
    print("  perform", try await Client(transport: echo).response(to: endpoint).body.bytes.string)
}
