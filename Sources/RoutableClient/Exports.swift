// Exports the types of RoutablePerform that the interface of the client uses, for layers that do not import RoutablePerform.
//
// Type aliases would export the types without their members: a member is visible only if its module is imported (SE-0444,
// MemberImportVisibility), and an exported import satisfies this.

@_exported public import struct RoutablePerform.ClientOptions
@_exported public import struct RoutablePerform.Credential
@_exported public import class RoutablePerform.CredentialRefresh
@_exported public import struct RoutablePerform.Event
@_exported public import class RoutablePerform.HandleSetup
@_exported public import class RoutablePerform.Hook
@_exported public import class RoutablePerform.HostTransport
@_exported public import struct RoutablePerform.OriginHeader
@_exported public import struct RoutablePerform.RefreshedTokens
@_exported public import class RoutablePerform.Refresher
@_exported public import struct RoutablePerform.RetryRules
@_exported public import class RoutablePerform.Signer
@_exported public import class RoutablePerform.Signing
@_exported public import class RoutablePerform.SubmittedTransfer
@_exported public import class RoutablePerform.TokenObserver
@_exported public import class RoutablePerform.TransportExchange
@_exported public import struct RoutablePerform.TransportReply
