// Exports the protocols and values of the core, so that a program needs only `import Routable`.
//
// Single types are exported, because `import Routable` must not make `Request` or `Response` of Vapor, `Text` of SwiftUI or
// `Capture` of RegexBuilder ambiguous (Tests/names).  The members of a type that is not exported can still be used.

public import Foundation
public import RoutableCore

@_exported public import struct RoutableClient.Credential
@_exported public import struct RoutableClient.Event
@_exported public import struct RoutableClient.RequestPolicy
@_exported public import class RoutableClient.Signing
@_exported public import protocol RoutableCore.API
@_exported public import struct RoutableCore.Answer
@_exported public import struct RoutableCore.AnyResource
@_exported public import class RoutableCore.BodySource
@_exported public import struct RoutableCore.Bytes
@_exported public import protocol RoutableCore.Creatable
@_exported public import protocol RoutableCore.Deletable
@_exported public import struct RoutableCore.Deviation
@_exported public import enum RoutableCore.DeviationPolicy
@_exported public import struct RoutableCore.Endpoint
@_exported public import struct RoutableCore.Failure
@_exported public import struct RoutableCore.HeaderField
@_exported public import struct RoutableCore.IntegerID
@_exported public import protocol RoutableCore.Listable
@_exported public import struct RoutableCore.NoBody
@_exported public import struct RoutableCore.OperationDescription
@_exported public import class RoutableCore.Pagination
@_exported public import struct RoutableCore.ParameterDescription
@_exported public import protocol RoutableCore.Patchable
@_exported public import protocol RoutableCore.Readable
@_exported public import protocol RoutableCore.Resource
@_exported public import struct RoutableCore.ResourceCollection
@_exported public import struct RoutableCore.ResourceID
@_exported public import struct RoutableCore.ResourceMember
@_exported public import protocol RoutableCore.ResourceScope
@_exported public import struct RoutableCore.ResourceScoped
@_exported public import protocol RoutableCore.Scoped
@_exported public import struct RoutableCore.Untyped
@_exported public import protocol RoutableCore.Updatable
@_exported public import enum RoutableCore.Value
@_exported public import protocol RoutableCore.ValueConvertible

/// A complete request, which has not been sent.
public typealias APIRequest = Request

/// A response, with its body after content decoding.
public typealias APIResponse = Response

/// An opened API: for matching, tables and introspection.
public typealias APIRouter = Router

extension Failure {
    /// The status of an error, which names its cause.
    public typealias Status = RoutableCore.Status
}

/// The error type of the library: the status, the reason, the position and the allowed names.
public typealias RoutableError = Failure

extension Failure: CustomStringConvertible, LocalizedError {
    public var description: String { "\(status.name): \(message.string)" }
    public var errorDescription: String? { message.string }
}

extension NoBody: Codable {
    public init(from decoder: any Decoder) throws { self.init() }
    /// Encodes an empty object.
    public func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: NoKey.self) }

    private enum NoKey: CodingKey {}
}
