// How the API of a C header is opened: over its own document, a file, or a router.

internal import RoutableCore

extension CHeader {
    mutating func apiSection() {
        code.lines([
            "/* The description, opened; one thread at a time.  Another thread has one of its own over the same router:",
            " * \(prefix)_use(&mine, theirs.typed.router). */",
            "typedef struct \(prefix) { routable_typed_api typed; } \(prefix);",
            "#define \(Self.upper(prefix))_INIT { ROUTABLE_TYPED_API_INIT }", "",
        ])
        function("const char *const *", "\(prefix)_names", [])
        code.line("    static const char *const names[] = {")
        for resource in blueprint.resources { code.line("        \(Texts.cLiteral(resource.name)),") }
        code.lines(["        NULL", "    };", "    return names;", "}", ""])
        if let document = blueprint.shortDocument {
            code.line("/* Opens the description that this header was made from; `base` may be NULL: the description's. */")
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
                "/* Opens the API that the library of this header, lib\(library).so, declares.  The router is yours; free it with",
                " * routable_router_free.  `base` may be NULL: the declaration's.  Any thread may call it.  Statuses: URL, CONFLICT, LIMIT,",
                " * ARGUMENT. */",
                "ROUTABLE_API ROUTABLE_MUST_CHECK routable_status \(router)(",
                "    const char *base, routable_router **out, routable_error **error);", "",
                "/* Opens the API over that router; `base` may be NULL: the declaration's. */",
            ])
            function("routable_status", "\(prefix)_open", ["\(prefix) *api", "const char *base", "routable_error **error"])
            code.lines([
                "    routable_typed_use(&api->typed, NULL, \(prefix)_names());", "    api->typed.is_owned = 1;",
                "    return \(router)(base, &api->typed.router, error);", "}", "",
            ])
        }
        code.line("/* The same from a file, which should be the one that this header was made from. */")
        function(
            "routable_status", "\(prefix)_open_file",
            ["\(prefix) *api", "const char *path", "const char *base", "routable_error **error"])
        code.lines(["    return routable_typed_open_file(&api->typed, path, base, \(prefix)_names(), error);", "}", ""])
        code.line("/* Over a router that is open already, and stays yours. */")
        function("void", "\(prefix)_use", ["\(prefix) *api", "routable_router *router"])
        code.lines(["    routable_typed_use(&api->typed, router, \(prefix)_names());", "}", ""])
        function("void", "\(prefix)_close", ["\(prefix) *api"])
        code.lines(["    routable_typed_close(&api->typed);", "}", ""])
        code.line("/* The result of an operation that declares no type: the response with its body. */")
        code.lines([
            "typedef routable_typed_result \(prefix)_result;",
            "#define \(Self.upper(prefix))_RESULT_INIT ROUTABLE_TYPED_RESULT_INIT", "",
        ])
        function("void", "\(prefix)_result_free", ["\(prefix)_result *result"])
        code.lines(["    routable_typed_result_free(result);", "}", ""])
    }

    /// The function that a library of a declared API exports.
    static func exportedRouter(_ library: String) -> String { "\(library)_router" }

    /// Literals of some 90 bytes each.
    private static func pieces(_ document: Bytes) -> [String] {
        var pieces: [String] = []
        var rest = document.storage[...]
        while !rest.isEmpty {
            var end = min(rest.startIndex + 90, rest.endIndex)
            // Not within a character: nobody reads half of one.
            while end < rest.endIndex && rest[end] & 0xC0 == 0x80 { end += 1 }
            pieces.append("\"" + Texts.cLiteral(Bytes(rest[..<end])) + "\"")
            rest = rest[end...]
        }
        return pieces
    }
}
