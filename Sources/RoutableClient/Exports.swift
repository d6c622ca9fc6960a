// What hosts of the client see of the layer that performs: the types that the client's own interface names.

@_exported public import struct RoutablePerform.ClientOptions
@_exported public import struct RoutablePerform.Credential
@_exported public import class RoutablePerform.CredentialRefresh
@_exported public import struct RoutablePerform.Event
@_exported public import class RoutablePerform.Hook
@_exported public import class RoutablePerform.Refresher
@_exported public import struct RoutablePerform.RetryRules
@_exported public import class RoutablePerform.Signer
@_exported public import class RoutablePerform.Signing
@_exported public import class RoutablePerform.SubmittedTransfer
@_exported public import class RoutablePerform.HostTransport
@_exported public import class RoutablePerform.TransportExchange
@_exported public import struct RoutablePerform.TransportReply
