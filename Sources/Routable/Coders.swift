// The encoder and the decoder of a client, which its responses keep.

internal import Foundation
internal import RoutableCore

/// The encoder and the decoder that replace the default ones.  They are task-local, because the functions that use them have no client.
struct Coders: Sendable {
    @TaskLocal static var current = Coders()

    var encoder: JSONEncoder?
    var decoder: JSONDecoder?

    var isEmpty: Bool { encoder == nil && decoder == nil }

    /// Makes a request or decodes a response with this encoder and decoder.
    func using<Result>(_ use: () throws(Failure) -> Result) throws(Failure) -> Result {
        if isEmpty { return try use() }
        return try Self.$current.withValue(self) { () -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try use()) } catch { return .failure(error) }
        }.get()
    }
}

extension Response {
    /// The decoder of the client that performed the request; nil for the default decoder.
    var ownDecoder: JSONDecoder? { decoder as? JSONDecoder }

    /// The same response with this decoder.
    func decoded(by decoder: JSONDecoder?) -> Response {
        guard let decoder, self.decoder !== decoder else { return self }
        return Response(self, decoder: decoder)
    }
}

extension Failure {
    /// The same failure with this decoder for its response.
    func decoded(by decoder: JSONDecoder?) -> Failure {
        guard let response = fields.response else { return self }
        let own = response.decoded(by: decoder)
        return own === response ? self : with { $0.response = own }
    }
}
