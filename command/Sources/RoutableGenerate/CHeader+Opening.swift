// The functions of a C header that open the API from its own document, from a file, or for a router.

internal import RoutableCore

extension CHeader {
    mutating func apiSection() {
        code.lines([
            "/* The opened description.  Only one thread at a time may use this struct; for another thread, fill a second struct with the",
            " * same router: \(prefix)_use(&second, first.typed.router). */",
            "typedef struct \(prefix) { routable_typed_api typed; } \(prefix);",
            "#define \(Self.upper(prefix))_INIT { ROUTABLE_TYPED_API_INIT }", "",
        ])
        function("const char *const *", "\(prefix)_names", [])
        code.line("    static const char *const names[] = {")
        for resource in blueprint.resources { code.line("        \(Texts.cLiteral(resource.name)),") }
        code.lines(["        NULL", "    };", "    return names;", "}", ""])
        if let document = blueprint.shortDocument {
            code.line("/* Opens the description from which this header was generated.  If `base` is NULL, its base is used. */")
            function("routable_status", "\(prefix)_open", ["\(prefix) *api", "const char *base", "routable_error **error"])
            code.line("    static const char *const document[] = {")
            for piece in Self.pieces(document) { code.line("        \(piece),") }
            code.line("    };")
            code.line("    return routable_typed_open(")
            code.line("        &api->typed, document, sizeof document / sizeof document[0], base, \(prefix)_names(), error);")
            code.lines(["}", ""])
        }
        if let library = blueprint.library {
            let router = Self.exportedRouter(library)
            code.lines([
                "/* Opens the API that the library of this header, lib\(library).so, declares.  Free the router with",
                " * routable_router_free.  If `base` is NULL, the base of the declaration is used.  Any thread may call this function.  Statuses: URL, CONFLICT, LIMIT,",
                " * ARGUMENT. */",
                "ROUTABLE_API ROUTABLE_MUST_CHECK routable_status \(router)(",
                "    const char *base, routable_router **out, routable_error **error);", "",
                "/* Opens the API with that router.  If `base` is NULL, the base of the declaration is used. */",
            ])
            function("routable_status", "\(prefix)_open", ["\(prefix) *api", "const char *base", "routable_error **error"])
            code.lines([
                "    routable_typed_use(&api->typed, NULL, \(prefix)_names());", "    api->typed.is_owned = 1;",
                "    return \(router)(base, &api->typed.router, error);", "}", "",
            ])
        }
        code.line("/* Opens the description in a file, which must be the description from which this header was generated. */")
        function(
            "routable_status", "\(prefix)_open_file",
            ["\(prefix) *api", "const char *path", "const char *base", "routable_error **error"])
        code.lines(["    return routable_typed_open_file(&api->typed, path, base, \(prefix)_names(), error);", "}", ""])
        code.line(
            "/* Uses a router that is already open.  The program must keep the router while it uses the struct, and free it. */"
        )
        function("void", "\(prefix)_use", ["\(prefix) *api", "routable_router *router"])
        code.lines(["    routable_typed_use(&api->typed, router, \(prefix)_names());", "}", ""])
        function("void", "\(prefix)_close", ["\(prefix) *api"])
        code.lines(["    routable_typed_close(&api->typed);", "}", ""])
        code.line("/* The result of an operation that declares no type: the response and its body. */")
        code.lines([
            "typedef routable_typed_result \(prefix)_result;",
            "#define \(Self.upper(prefix))_RESULT_INIT ROUTABLE_TYPED_RESULT_INIT", "",
        ])
        function("void", "\(prefix)_result_free", ["\(prefix)_result *result"])
        code.lines(["    routable_typed_result_free(result);", "}", ""])
    }

    /// The function that a library of a declared API exports.
    static func exportedRouter(_ library: String) -> String { "\(library)_router" }

    /// The document as literals of about 90 bytes each.
    private static func pieces(_ document: Bytes) -> [String] {
        var pieces: [String] = []
        var rest = document.storage[...]
        while !rest.isEmpty {
            var end = min(rest.startIndex + 90, rest.endIndex)
            // A literal does not end within a character, so that each line of the output is readable.
            while end < rest.endIndex && rest[end] & 0xC0 == 0x80 { end += 1 }
            pieces.append("\"" + Texts.cLiteral(Bytes(rest[..<end])) + "\"")
            rest = rest[end...]
        }
        return pieces
    }
}
