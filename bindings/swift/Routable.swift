// The module `Routable` for a declaration that becomes a C library (`make ROUTES=FILE`, docs/swift-to-c.md): the protocols
// and values of the core, without the client and without Foundation, so that the same file compiles in a Swift package and
// as Embedded Swift.
//
// Embedded Swift has no Codable.  A C library needs none: its bodies are JSON, which the types of a route document validate.
// The protocols below let a model be declared all the same.

@_exported public import RoutableCore

public protocol Encodable {}
public protocol Decodable {}
public typealias Codable = Encodable & Decodable
public protocol CodingKey {}
