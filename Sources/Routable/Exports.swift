// Exports the protocols and values of the core, so that a program needs only `import Routable`.

public import Foundation
@_exported public import struct RoutableClient.Credential
@_exported public import struct RoutableClient.Event
@_exported public import struct RoutableClient.RequestPolicy
@_exported public import class RoutableClient.Signing
@_exported public import RoutableCore

/// The error type of the library: the status, the reason, the position and the allowed names.
public typealias RoutableError = Failure

extension Failure: CustomStringConvertible, LocalizedError {
    public var description: String { "\(status.name): \(message.string)" }
    public var errorDescription: String? { message.string }
}

extension Empty: Codable {
    public init(from decoder: any Decoder) throws { self.init() }
    /// `{}`.
    public func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: NoKey.self) }

    private enum NoKey: CodingKey {}
}
