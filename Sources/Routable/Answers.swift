// Decodes the bodies of responses as models, as strings, or unchanged.

internal import Foundation
internal import RoutableClient
public import RoutableCore

extension Failure {
    /// The body of the response as a model; nil if there is no response, or if the body does not match.  The decoder is that of
    /// the client that performed the request.
    public func body<Model: Decodable>(as type: Model.Type) -> Model? {
        guard let response = fields.response, !response.body.isEmpty else { return nil }
        return try? Answers.decode(type, response)
    }

    /// The reason why the body of the response does not match a model; nil if it matches, or if there is no response.
    public func misfit<Model: Decodable>(as type: Model.Type) -> String? {
        guard let response = fields.response else { return nil }
        do throws(Failure) {
            _ = try Answers.decode(type, response)
            return nil
        } catch {
            return error.message.string
        }
    }
}

extension Response {
    /// The body as a model, as `Client.perform` decodes it, with the decoder of the client that performed the request.
    ///
    /// - Throws: `response` if the body does not match.
    public func decoded<Model: Decodable>(as type: Model.Type) throws(Failure) -> Model {
        try Answers.decode(type, self)
    }
}

extension Bytes: Decodable {
    /// Decodes a string as UTF-8.  The body of a response as `Bytes` is not decoded.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }
}

extension Data: RawBody {}

/// Decodes bodies as models, as strings, or unchanged.
enum Answers {
    static func decode<Output: Decodable>(_ type: Output.Type, _ response: Response) throws(Failure) -> Output {
        // A check at run time, because `Output` can be a generic parameter of the caller.
        if type == NoBody.self, let none = NoBody() as? Output { return none }
        if response.body.isEmpty,
            let none = (Output.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Output
        {
            return none
        }
        if let content = try content(as: type, response) { return content }
        if response.body.isEmpty {
            throw failure(
                "the service responded with \(response.status) and an empty body; \(name(type)) is expected", response)
        }
        let body = response.body.withoutMark
        let decoder = decoder(of: response)
        do { return try read(type, body.buffer, decoder) } catch {
            if let value = Repair.decode(type, body, response, decoder, error) { return value }
            if response.outcome == .raw, let failure = response.misfit { throw failure }
            throw failure("the response is not \(name(type)): \(reason(error))", response).with { $0.pointer = pointer(error) }
        }
    }

    /// One item of a response.
    static func decode<Output: Decodable>(
        _ type: Output.Type, json: Data, _ own: JSONDecoder?
    ) throws(Failure) -> Output {
        do { return try json.withUnsafeBytes { try read(type, $0, own) } } catch {
            throw Failure(.response, "an item of the response is not \(name(type)): \(reason(error))") {
                $0.pointer = pointer(error)
            }
        }
    }

    // MARK: Types that are not models

    /// The body as one of the types that are not decoded; nil for a model.
    private static func content<Output>(as type: Output.Type, _ response: Response) throws(Failure) -> Output? {
        if type == Data.self || type == Data?.self { return response.data as? Output }
        if type == Bytes.self || type == Bytes?.self { return response.body.bytes as? Output }
        if type == String.self || type == String?.self { return try text(response) as? Output }
        return nil
    }

    /// The value of a JSON string, or the body as a string.
    private static func text(_ response: Response) throws(Failure) -> String {
        let type = response.headers.value(of: "Content-Type")
        if type == nil || MediaRange.accepts(type, "application/json"),
            let value = try? read(String.self, response.body.buffer, decoder(of: response))
        {
            return value
        }
        guard let text = String(validating: response.body.bytes.storage, as: UTF8.self) else {
            throw failure("the body of the response is not UTF-8 text", response)
        }
        return text
    }

    // MARK: Decoders

    private static func decoder(of response: Response) -> JSONDecoder? { response.ownDecoder ?? decoder() }

    /// The decoder of the client for which a response is decoded; nil for the standard one.
    static func decoder() -> JSONDecoder? { Coders.current.decoder }

    /// Decodes JSON, with the standard decoder if `decoder` is nil.
    static func read<Output: Decodable>(
        _ type: Output.Type, _ json: UnsafeRawBufferPointer, _ decoder: JSONDecoder?
    ) throws -> Output {
        if let decoder { return try decoder.decode(type, from: Data(json)) }
        return try standardDecoder.decode(type, text: json)
    }

    private static let standardDecoder: ModelDecoder = {
        var decoder = ModelDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    // MARK: Failures

    private static func failure(_ message: Bytes, _ response: Response) -> Failure {
        Failure(.response, message) {
            $0.httpStatus = response.status
            $0.response = response
        }
    }

    /// The name of the type with its enclosing types, without modules and contexts of private types: `Array<Project.Model>`.
    private static func name(_ type: Any.Type) -> Bytes {
        let whole = String(reflecting: type)
            .replacingOccurrences(of: #"\(unknown context at \$[0-9a-f]+\)\."#, with: "", options: .regularExpression)
        return Bytes(whole.replacingOccurrences(of: #"(?<![\w.])\w+\."#, with: "", options: .regularExpression))
    }

    static func context(_ error: any Error) -> DecodingError.Context? {
        switch error as? DecodingError {
        case .keyNotFound(_, let context)?, .typeMismatch(_, let context)?, .valueNotFound(_, let context)?,
            .dataCorrupted(let context)?:
            context
        default: nil
        }
    }

    /// The position and the reason of the error.
    static func reason(_ error: any Error) -> Bytes {
        let fault: Bytes =
            switch error as? DecodingError {
            case .keyNotFound(let key, _)?: "the member \"\(Bytes(key.stringValue).printable)\" is missing"
            case .valueNotFound(let type, _)?: "null, where \(name(type)) is expected"
            default: Bytes(context(error)?.debugDescription ?? String(describing: error)).printable
            }
        guard let place = pointer(error), !place.isEmpty else { return fault }
        return "at \(place.printable): \(fault)"
    }

    /// The coding path as a JSON pointer (RFC 6901).
    static func pointer(_ error: any Error) -> Bytes? {
        guard let path = context(error)?.codingPath else { return nil }
        var pointer = Bytes()
        for key in path {
            pointer.append("/\(Bytes(key.intValue.map { String($0) } ?? key.stringValue).pointerEscaped)")
        }
        return pointer
    }
}
