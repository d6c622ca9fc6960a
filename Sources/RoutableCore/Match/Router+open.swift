// Opens a router from a description: validates it as a whole and compiles its routes for matching.

extension Router {
    /// Checks a description as a whole and prepares it for use.
    ///
    /// A function and not an `init`: in the Embedded mode, an object whose `init` throws is leaked.
    ///
    /// Failures have the statuses `document` (names that do not exist, invalid paths), `conflict`, `url`,
    /// `header` and `limit`, with the JSON pointer of the declaration if there is one.
    package static func open(_ description: RouterDescription, codec: (any BodyCodec)? = nil) throws(Failure) -> Router {
        var base: Base?
        if let source = description.base {
            do { base = try Base(source) } catch { throw error.at("/base") }
        }
        var headers: [HeaderField] = []
        for field in description.headers {
            do { headers.append(try HeaderField.checked(field.name, field.value)) } catch {
                throw error.at("/headers/\(field.name.pointerEscaped)")
            }
        }
        var assembly = RouterAssembly(description)
        try assembly.run()
        let matcher = try Matcher.compile(
            assembly.resources, assembly.operations, conflictsAreWarnings: description.toleratesConflicts,
            constants: OperationConstants(description.types, codec))
        var warnings = matcher.warningTexts
        let servers = ServerTable.make(description, base, matcher.operations, &warnings)
        return Router(description, base, servers, headers, assembly, matcher, matcher.tablePointer, warnings, codec)
    }

    // proof: every router is made by `open`.
    var matcher: Matcher { unsafeDowncast(index, to: Matcher.self) }

    @inline(__always)
    var tablePointer: UnsafePointer<MatchTable> { matchTable.assumingMemoryBound(to: MatchTable.self) }

    var table: MatchTable { tablePointer.pointee }
}
