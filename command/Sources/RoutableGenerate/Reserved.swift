// Reserved words of the generated languages, and names that their headers and modules define.

enum Reserved {
    /// Reserved words of C up to C23 and of C++ up to C++26, and lower-case macros of the headers of C, POSIX and glibc.
    static let c: Set<String> = [
        "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
        "char8_t", "char16_t", "char32_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const",
        "const_cast", "consteval", "constexpr", "constinit", "continue", "contract_assert", "decltype", "default", "delete",
        "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend",
        "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
        "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires", "restrict",
        "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template",
        "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "typeof_unqual", "union",
        "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "final", "override",
        "import", "module", "noreturn", "fortran", "complex", "imaginary",
        "errno", "stdin", "stdout", "stderr", "assert", "environ", "unix", "linux", "i386", "major", "minor", "makedev",
        "offsetof", "setjmp", "va_start", "va_end", "va_arg", "va_copy", "signbit", "isnan", "isinf", "isfinite",
        "isnormal", "fpclassify", "isgreater", "isless", "math_errhandling", "atomic_init", "st_atime", "st_mtime",
        "st_ctime", "sa_handler", "sa_sigaction", "si_pid", "si_uid", "si_addr", "si_status", "si_band", "si_fd",
        "si_value", "si_int", "si_ptr", "si_code", "s6_addr", "h_addr", "h_errno", "d_fileno", "ut_name", "ut_time",
        "sin_zero", "ifr_name", "sched_priority", "sigev_notify_function", "getc", "putc", "tolower", "toupper", "isalpha",
        "isdigit", "int64_t", "size_t", "memcpy", "memset", "strcpy", "strlen", "min", "max",
    ]

    /// Prefixes that belong to other libraries or to the system.
    static let cPrefixes: Set<String> = [
        "routable", "json", "curl", "pthread", "posix", "std", "str", "mem", "is", "to", "wcs", "sem", "sig", "va", "mbs",
        "atomic", "cnd", "mtx", "thrd", "tss", "pcre2", "uv", "g", "gtk", "png", "sqlite3", "ssl", "xml", "zlib", "errno",
        "unix", "linux",
        // Parameters and variables of generated functions, which would hide the type of the API.
        "names", "fields", "parameters", "operation", "shape", "shapes", "pieces", "members", "status", "count", "index",
        "inner", "tell", "problems", "answer", "item", "here", "ids", "key", "api", "place", "at", "below", "id", "body",
        "client", "out", "error", "arguments", "input", "bytes", "buffer", "capacity", "length", "base", "path", "router",
        "result", "response", "value", "text", "choice", "resource",
    ]

    static let python: Set<String> = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
        "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or",
        "pass", "raise", "return", "try", "while", "with", "yield",
    ]

    /// Names that generated Python modules define or import.
    static let pythonTop: Set<String> = [
        "Any", "Dict", "List", "Literal", "Mapping", "NewType", "Optional", "TypedDict", "Union", "Call", "Api", "Place",
        "routable", "annotations", "TYPE_CHECKING", "NotRequired", "TypeAlias", "FileLike", "CallWithErrors", "overload",
        "Using", "str", "int", "float", "bool", "bytes", "object", "property", "self", "typed", "open",
        "DOCUMENT", "NotImplemented", "Ellipsis", "Exception", "BaseException", "Warning",
    ]

    /// Names that, in a class, would hide the types in its annotations.
    static let pythonMembers: Set<String> = [
        "str", "int", "float", "bool", "bytes", "object", "property", "self", "mro", "routable",
    ]

    /// Names that generated dataclasses use, in addition to the above.
    static let pythonRecords: Set<String> = ["ABSENT", "Absent", "DataRecord", "Told", "spelled"]

    /// Members of every generated dataclass, in addition to those of its type.
    static let pythonRecordMembers: Set<String> = ["extra", "from_json", "to_json", "spelled"]

    static let swift: Set<String> = [
        "Any", "Self", "Type", "Protocol", "actor", "any", "as", "associatedtype", "async", "await", "borrowing", "break",
        "case", "catch", "class", "consuming", "continue", "default", "defer", "deinit", "didSet", "do", "dynamic", "else",
        "enum", "extension", "fallthrough", "false", "fileprivate", "final", "for", "func", "get", "guard", "if", "import",
        "in", "indirect", "infix", "init", "inout", "internal", "is", "isolated", "lazy", "left", "let", "macro", "mutating",
        "nil", "none", "nonisolated", "nonmutating", "open", "operator", "optional", "override", "package", "postfix",
        "precedence", "precedencegroup", "prefix", "private", "protocol", "public", "repeat", "required", "rethrows",
        "return", "right", "self", "set", "some", "static", "struct", "subscript", "super", "switch", "throw", "throws",
        "true", "try", "typealias", "unowned", "var", "weak", "where", "while", "willSet", "each", "sending", "then",
        "hashValue", "description", "debugDescription", "encode", "hash",
    ]

    /// Types that generated Swift uses, which no generated type may hide.
    static let swiftTypes: Set<String> = [
        "Any", "Self", "Type", "Protocol", "String", "Int64", "Double", "Bool", "Bytes", "Value", "JSON", "Codable", "Sendable",
        "Encoder", "Decoder", "CodingKey", "CodingKeys", "Resource", "ResourceCollection", "ResourceMember", "ResourceID",
        "IntegerID", "AnyResource", "API", "Endpoint", "NoBody", "Untyped", "ParameterDescription", "OperationDescription",
        "Failure", "Listable", "Readable", "Creatable", "Updatable", "Patchable", "Deletable", "Equatable", "Optional", "Array",
        "Dictionary", "Error", "Never", "Void", "Swift", "Routable", "Foundation", "Model", "Body", "ID", "Hashable",
        "Int", "APIResponse", "StatusResult",
    ]
}
