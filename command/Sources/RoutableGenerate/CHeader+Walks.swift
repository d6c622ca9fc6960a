// Writes functions for the operations of an OpenAPI document that are named by their resources: they call the functions named by the
// operationIds, with the same arguments.

internal import RoutableCore

extension CHeader {
    mutating func writeWalks() {
        if !walks.contains(where: { $0.contains { $0 != nil } }) { return }
        rule("Operations by their resources")
        for (walk, names) in zip(blueprint.walks, walks) {
            for (step, name) in zip(walk.steps, names) {
                if let name { write(blueprint.actions[step.action], named: name, calling: free[step.action]) }
            }
        }
    }

    private mutating func write(_ action: Action, named name: String, calling called: String) {
        code.line("/* \(called), by its resource. */")
        var arguments: [String] = []
        if !action.parameters.isEmpty {
            code.line("typedef \(called)_arguments \(name)_arguments;")
            code.lines(["#define \(Self.upper("\(name)_arguments"))_INIT ROUTABLE_TYPED_ZERO", ""])
            arguments = ["const \(name)_arguments *arguments"]
        }
        let place = ["\(prefix) *api"] + arguments
        let body = body(of: action).map { [$0] } ?? [], error = "routable_error **error"
        if action.canPlan {
            write(
                "\(name)_url", "\(called)_url", place + ["char *buffer", "size_t capacity", "size_t *length", error])
        }
        write("\(name)_request", "\(called)_request", place + body + ["routable_request **out", error])
        write(name, called, place + body + ["const routable_client *client", "\(result(of: action)) *out", error])
    }

    private mutating func write(_ name: String, _ called: String, _ parameters: [String]) {
        function("routable_status", name, parameters)
        let values = parameters.map { $0.split(whereSeparator: { $0 == " " || $0 == "*" }).last ?? "" }
        code.lines(["    return \(called)(\(values.joined(separator: ", ")));", "}", ""])
    }
}
