// Reports the parts of an OpenAPI document that are only for readers or services and that a route document has no keys for, each once.

import RoutableCore

extension OpenAPIImport {
    private static let infoKeys: [Bytes] = ["version", "summary", "termsOfService", "contact", "license"]
    private static let componentKeys: [Bytes] = ["callbacks", "links", "examples", "headers"]
    private static let methods: [Bytes] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    mutating func sayWhatIsForPeople(_ document: Value) {
        let info = Self.infoKeys.filter { document.member("info")?.member($0) != nil }
        if !info.isEmpty { remarks.add("#/info", "\(info)") }
        for key in ["tags", "externalDocs", "jsonSchemaDialect"] as [Bytes] where document.member(key) != nil {
            remarks.add("#/\(key)", "it describes the document")
        }
        for key in ["callbacks", "webhooks"] as [Bytes] where document.member(key) != nil {
            remarks.add("#/\(key)", "it describes calls that the service makes")
        }
        let servers = document.member("servers")?.elements ?? []
        if servers.count > 1 { remarks.add("#/servers", "all but the first") }
        if let variables = servers.first?.member("variables")?.members, !variables.isEmpty {
            remarks.add("#/servers/0/variables", "the base contains their defaults")
        }
        for key in Self.componentKeys where document.member("components")?.member(key) != nil {
            remarks.add("#/components/\(key)", "route documents cannot refer to it")
        }
        for path in document.member("paths")?.members ?? [] {
            for key in ["summary", "description"] as [Bytes] where path.value.member(key) != nil {
                remarks.count("\(key) of a path")
            }
            for operation in path.value.members where Self.methods.contains(operation.name) { say(operation.value) }
        }
    }

    private mutating func say(_ operation: Value) {
        for key in ["tags", "deprecated", "externalDocs", "callbacks"] as [Bytes] where operation.member(key) != nil {
            remarks.count("\(key) of an operation")
        }
        if operation.member("summary") != nil && operation.member("description") != nil {
            remarks.count("description of an operation: its summary is kept")
        }
        for response in operation.member("responses")?.members ?? [] {
            for key in ["headers", "links"] as [Bytes] where response.value.member(key) != nil {
                remarks.count("\(key) of a response")
            }
        }
    }
}
