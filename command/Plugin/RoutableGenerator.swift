// The build plugin: generates Swift code from the descriptions in a target, whenever they change (docs/generate.md).

import Foundation
import PackagePlugin

@main
struct RoutableGenerator: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let module = target as? any SourceModuleTarget else { return [] }
        let documents = module.sourceFiles.map { $0.url }.filter { Self.isDescription($0.lastPathComponent) }
        if documents.isEmpty {
            Diagnostics.error(
                "\(target.name) has no description: add a file openapi.yaml, routes.json, or NAME.openapi.json")
            return []
        }
        let command = try context.tool(named: "RoutableCommand").url
        return documents.map { document in
            let name = document.lastPathComponent
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name.prefix { $0 != "." }).swift")
            var words = ["generate", "swift", document.path, "--output", output.path]
            // `Shop.openapi.yaml` is the API Shop.
            let parts = name.split(separator: ".")
            if parts.count == 3 { words += ["--name", String(parts[0])] }
            return .buildCommand(
                displayName: "Generating Swift from \(name)", executable: command, arguments: words,
                inputFiles: [document], outputFiles: [output])
        }
    }

    /// `openapi.yaml`, `routes.json`, and the same with a name before them: `Shop.openapi.yaml`.
    private static func isDescription(_ file: String) -> Bool {
        let parts = file.lowercased().split(separator: ".")
        guard parts.count == 2 || parts.count == 3, let ending = parts.last, ["json", "yaml", "yml"].contains(ending)
        else { return false }
        return ["openapi", "routes"].contains(parts[parts.count - 2])
    }
}
