// The problems of a description for a mock: invalid examples, and results for which no value can be generated.

package import RoutableCore
internal import RoutableJSON
internal import RoutableService

extension Mock {
    /// A JSON array of objects with `operation`, `status`, `pointer` and `message`.  The function compiles the schemas of all results.
    ///
    /// - Throws: `memory`.
    package func problems() throws(Failure) -> Bytes {
        var writer = JSONWriter()
        writer.open("[")
        for operation in router.router.operations { try add(operation, "", &writer) }
        for resource in router.router.resources {
            for operation in resource.operations { try add(operation, "\(resource.name.bytes).", &writer) }
        }
        writer.close("]")
        return writer.text
    }

    private func add(_ operation: OperationEntry, _ prefix: Bytes, _ writer: inout JSONWriter) throws(Failure) {
        var isUsual = true
        for result in operation.description.results where result.type != nil {
            try Memory.check()
            func add(_ pointer: Bytes, _ message: Bytes) {
                writer.open("{")
                writer.member("operation", "\(prefix)\(operation.name.bytes)")
                writer.member("status", result.statuses)
                writer.member("pointer", pointer)
                writer.member("message", message)
                writer.close("}")
            }
            do throws(Failure) {
                let schema = try operation.resultSchema(result.lowest)
                let checker = try router.router.checker(of: schema)
                let codec = router.router.codec
                var examples = codec?.examples(of: schema.type) ?? []
                if let place = result.examples { examples += codec?.examples(of: place) ?? [] }
                for example in examples {
                    do throws(Failure) {
                        try example.json.withBuffer { (json) throws(Failure) in try checker.check(json: json, maximumErrors: 1)
                        }
                    } catch { add(example.pointer, "the example is not valid: \(error.message)") }
                }
                // The mock sends only the usual result, and no declared errors.
                if result.isSuccess && isUsual { _ = try makeShape(operation, result, options.seed) }
            } catch {
                if error.status == .memory { throw error }
                add(error.fields.pointer ?? Bytes(), error.message)
            }
            if result.isSuccess { isUsual = false }
        }
    }
}
