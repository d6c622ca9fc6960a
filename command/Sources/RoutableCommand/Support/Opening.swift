// The options for opening a description: its base, the overlays that change it, and the selected operations.

import RoutableCore
import RoutableDocuments

struct Opening {
    var base: Bytes?
    /// References to files below this folder are allowed; nil: below the folder of the document.
    var folder: Bytes?
    var overlays: [SourceText] = []
    var selection = OperationSelection()
    /// Whether to report each `nullable` that OpenAPI 3.0.3 interprets differently.
    var namesNullable = false

    init() {}

    init(base: Bytes?, folder: Bytes?, overlays: [SourceText], only: [Bytes], except: [Bytes]) throws(Failure) {
        self.base = base
        self.folder = folder
        self.overlays = overlays
        selection = try OperationSelection(only: only.isEmpty ? nil : only, except: except.isEmpty ? nil : except)
    }

    /// Calls `use` with the choices for an OpenAPI document, which are valid during the call.
    func withChoices<Result>(_ use: (OpenAPIDocument.Choices) throws(Failure) -> Result) throws(Failure) -> Result {
        var choices = OpenAPIDocument.Choices()
        choices.base = base
        choices.selection = selection
        choices.namesNullable = namesNullable
        return try Self.adding(overlays[...], &choices, use)
    }

    private static func adding<Result>(
        _ overlays: ArraySlice<SourceText>, _ choices: inout OpenAPIDocument.Choices,
        _ use: (OpenAPIDocument.Choices) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // proof: the recursion is bounded by the number of arguments of the command line.
        guard let first = overlays.first else { return try use(choices) }
        return try first.json.withBuffer { (buffer) throws(Failure) in
            choices.overlays.append(buffer)
            return try adding(overlays.dropFirst(), &choices, use)
        }
    }

    func open(_ json: Bytes) throws(Failure) -> Router {
        try json.withBuffer { (text) throws(Failure) in
            do throws(Failure) {
                if OpenAPIDocument.recognises(text) {
                    return try withChoices { (choices) throws(Failure) in
                        let read = try OpenAPIDocument.read(text, choices)
                        return try Router.open(read.description, codec: read.codec)
                    }
                }
                if !overlays.isEmpty {
                    throw Failure(.argument, "overlays are for OpenAPI documents, and this is a route document")
                }
                var description = try selection.narrowed(try RouteDocument.read(text, limit: Limits.documentBytes))
                if let base { description.base = base }
                return try Router.open(withTypesOf: description)
            } catch { throw overlay(of: error) == nil ? RouteDocument.locate(error, in: text) : error }
        }
    }

    /// The overlay that contains a failure, and the failure without the overlay's number.
    func overlay(of failure: Failure) -> (source: SourceText, failure: Failure)? {
        for (index, source) in overlays.enumerated() {
            let start: Bytes = "overlay \(index + 1): "
            guard failure.message.hasPrefix(start) else { continue }
            return (source, failure.with { $0.message = Bytes($0.message.storage[start.count...]) })
        }
        return nil
    }
}
