// Requests and responses of swift-http-types, enabled by the trait HTTPTypes.

#if HTTPTypes
public import HTTPTypes
internal import RoutableCore

extension Service {
    /// Answers a request of swift-http-types, so that any server can run the service.
    public func respond(to request: HTTPRequest, body: [UInt8] = []) async -> (response: HTTPResponse, body: [UInt8]) {
        let headers = request.headerFields.map { HeaderField(Bytes($0.name.rawName), Bytes($0.value)) }
        let answer = await respond(
            method: request.method.rawValue, target: request.path ?? "", headers: headers, body: Bytes(body))
        var response = HTTPResponse(status: HTTPResponse.Status(code: Int(answer.status)))
        for field in answer.headers.fields {
            // The library has already checked the names of its headers.
            guard let name = HTTPField.Name(field.name.string) else { continue }
            response.headerFields.append(HTTPField(name: name, value: field.value.string))
        }
        return (response, answer.body.bytes.storage)
    }
}
#endif
