// The encoder and the decoder of one client.

internal import Foundation
internal import RoutableCore

/// What a client has instead of the standard ones.  Requests are made and responses decoded in functions that know no client.
struct Coders: Sendable {
    @TaskLocal static var current = Coders()

    var encoder: JSONEncoder?
    var decoder: JSONDecoder?

    var isEmpty: Bool { encoder == nil && decoder == nil }

    /// Makes a request or decodes a response with them.
    func using<Result>(_ use: () throws(Failure) -> Result) throws(Failure) -> Result {
        if isEmpty { return try use() }
        return try Self.$current.withValue(self) { () -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try use()) } catch { return .failure(error) }
        }.get()
    }
}
