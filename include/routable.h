/* routable.h - the public C interface of libroutable.  What is not declared here is not API.
 *
 * An API is described once, as a graph of nested resources that say what they may do.  From the
 * description a program builds requests, is refused what the graph does not allow before anything is
 * sent, performs them over libcurl, and gets typed outcomes.
 *
 *     routable_router *social = NULL;  routable_request *request = NULL;  routable_error *error = NULL;
 *     routable_argument ids[] = { { NULL, routable_text("initFabian") }, { NULL, routable_text("3") } };
 *     routable_call call = ROUTABLE_CALL_INIT;
 *     call.route = "user.status";  call.operation = "read";  call.ids = ids;  call.id_count = 2;
 *     if (routable_router_open_file("social.json", NULL, &social, &error) == ROUTABLE_OK &&
 *         routable_request_new(social, &call, &request, &error) == ROUTABLE_OK)
 *         puts(routable_request_url(request).ptr);    -> https://api.example.com/v1/users/initFabian/statuses/3
 *
 * Threads    A `const routable_x *` parameter: any number of threads may call at once.
 *            A plain `routable_x *` parameter: one thread at a time, any thread.
 *            No function reads or writes thread-local state.
 * Names      What a programmer writes (routes, operations, parameter and header names, file names) is
 *            a `const char *`: UTF-8 that ends in NUL.
 * Data       What a user or a peer supplies (documents, values, bodies) is a routable_str: bytes with
 *            a length; NUL is allowed inside unless a function says otherwise.  Everything passed in
 *            is copied if it is kept.
 * Ownership  A routable_str that comes back is borrowed: it lives as long as the object that it was
 *            asked of, and a NUL follows it unless a function says otherwise.  A routable_string is
 *            yours: routable_string_free.  `*_new`, `*_open`, `*_build` and `*_map` give you an
 *            object: give it back with the `*_free` of its type.  Free accepts NULL.  Objects may be
 *            freed in any order: each keeps alive what it needs.
 * Errors     The returned routable_status says what happened; the optional last parameter
 *            `routable_error **error` says why, where, and what would be allowed.  It is written by
 *            every call: an object that is yours on failure, NULL otherwise.  Pass NULL to do without.
 *            On failure no other output is touched, but for the buffer of routable_plan_write, which
 *            then holds the empty text, and its length with ROUTABLE_ERR_BUFFER.
 * NULL       NULL where an object or an output is required gives ROUTABLE_ERR_ARGUMENT; accessors
 *            give the neutral value (0, the empty string, NULL).
 * Traps      No content that goes in through this header ends the process.  Failure to allocate
 *            memory does; every allocation that outside data sizes is bounded (docs/embedding.md, "Limits").
 * Since      Everything is since 0.1.0 unless it says otherwise.
 */
#ifndef ROUTABLE_H
#define ROUTABLE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#  define ROUTABLE_API __attribute__((visibility("default")))
#  define ROUTABLE_MUST_CHECK __attribute__((warn_unused_result))
#else
#  define ROUTABLE_API
#  define ROUTABLE_MUST_CHECK
#endif

/* ------------------------------------------------------------------------------------------------
 * Version
 */

#define ROUTABLE_VERSION_MAJOR 0
#define ROUTABLE_VERSION_MINOR 1
#define ROUTABLE_VERSION_PATCH 0
#define ROUTABLE_VERSION_NUMBER \
    ((ROUTABLE_VERSION_MAJOR << 16) | (ROUTABLE_VERSION_MINOR << 8) | ROUTABLE_VERSION_PATCH)

/* The version of the loaded library, in the form of ROUTABLE_VERSION_NUMBER. */
ROUTABLE_API uint32_t routable_version(void);

/* The version of the loaded library as text, "0.1.0".  Static. */
ROUTABLE_API const char *routable_version_text(void);

/* ------------------------------------------------------------------------------------------------
 * Status: what happened.  Values are never reused.
 */

typedef int32_t routable_status;
enum {
    ROUTABLE_OK = 0,

    /* 1 to 15: expected outcomes, which never carry a routable_error. */
    ROUTABLE_NO_MATCH = 1,           /* no route has this path */
    ROUTABLE_METHOD_NOT_ALLOWED = 2, /* the path is known, the method is not */
    ROUTABLE_PENDING = 3,            /* not yet: the time was over first */
    ROUTABLE_CANCELLED = 4,          /* the transfer was cancelled */
    ROUTABLE_IDLE = 5,               /* nothing is under way that could end */

    /* 16 and up: failures. */
    ROUTABLE_ERR_ARGUMENT = 16,    /* NULL, a wrong struct size, an unknown flag: the caller's mistake */
    ROUTABLE_ERR_BUFFER = 17,      /* the caller's buffer is too small; the length needed was written */
    ROUTABLE_ERR_JSON = 18,        /* the text is not JSON */
    ROUTABLE_ERR_DOCUMENT = 19,    /* JSON, but not what is expected there: an unknown key, a wrong type */
    ROUTABLE_ERR_CONFLICT = 20,    /* two routes that cannot be told apart */
    ROUTABLE_ERR_UNSUPPORTED = 21, /* known to the grammar, without an engine in this version */
    ROUTABLE_ERR_UNKNOWN = 22,     /* no resource, route or free operation of that name */
    ROUTABLE_ERR_NOT_ALLOWED = 23, /* the resource exists and does not offer that operation, mistyped or not */
    ROUTABLE_ERR_ID = 24,          /* an id is missing, surplus, ambiguous, or of an unknown name */
    ROUTABLE_ERR_VALUE = 25,       /* a value that its parameter refuses: empty, "..", wrong type */
    ROUTABLE_ERR_SHADOWED = 26,    /* with this value another route would answer; the error names it */
    ROUTABLE_ERR_PARAMETER = 27,   /* a query, header or cookie parameter is missing or unknown */
    ROUTABLE_ERR_BODY = 28,        /* a body is missing, not allowed, or does not fit its type */
    ROUTABLE_ERR_URL = 29,         /* a base that is not an http or https URL */
    ROUTABLE_ERR_HEADER = 30,      /* a header name or value that HTTP does not allow */
    ROUTABLE_ERR_LIMIT = 31,       /* larger or deeper than a stated limit */
    ROUTABLE_ERR_FILE = 32,        /* a file cannot be read */
    ROUTABLE_ERR_NO_CURL = 33,     /* libcurl.so.4 is not installed; the message names the package */
    ROUTABLE_ERR_TRANSFER = 34,    /* the network failed: refused, reset, closed early */
    ROUTABLE_ERR_TIMEOUT = 35,     /* a deadline passed */
    ROUTABLE_ERR_TLS = 36,         /* the peer's certificate or the handshake was refused */
    ROUTABLE_ERR_HTTP_STATUS = 37, /* an answer with a status that the operation does not declare */
    ROUTABLE_ERR_RESPONSE = 38,    /* an answer that is empty or does not fit its type where it must */
    ROUTABLE_ERR_CREDENTIAL = 39,  /* the operation requires a credential that the client does not have */
    ROUTABLE_ERR_INTERNAL = 40,    /* a fault of the library: please report */
    ROUTABLE_ERR_CALLBACK = 41,    /* a function of the host failed, or is needed and was not given */
    ROUTABLE_ERR_EXCESSIVE_REFRESH = 42 /* a credential was refreshed 5 times in 30 s and is refused still */
};

/* The name of a status as in error JSON: "not_allowed".  Static, never NULL, "unknown_status" for others. */
ROUTABLE_API const char *routable_status_name(routable_status status);

/* ------------------------------------------------------------------------------------------------
 * Text
 */

typedef struct routable_str { const char *ptr; size_t len; } routable_str;    /* borrowed bytes */
typedef struct routable_string { char *ptr; size_t len; } routable_string;    /* owned bytes, NUL after len */

/* A NUL-terminated string as a routable_str; NULL gives the empty one. */
static inline routable_str routable_s(const char *text)
{
    routable_str result;
    result.ptr = text ? text : "";
    result.len = text ? strlen(text) : 0;
    return result;
}

/* Frees the text and clears the struct, so that a second call does nothing.  NULL is fine. */
ROUTABLE_API void routable_string_free(routable_string *string);

/* ------------------------------------------------------------------------------------------------
 * Values: what is put into a path, a query, a header or a form
 */

typedef int32_t routable_kind;
enum {
    ROUTABLE_NULL = 0,    /* absent */
    ROUTABLE_BOOLEAN = 1, /* as.integer: 0 or not 0; true and false in a path, per encoding in a form */
    ROUTABLE_INTEGER = 2, /* as.integer: decimal, independent of the locale */
    ROUTABLE_REAL = 3,    /* as.real: shortest text that reads back equal; not finite is refused */
    ROUTABLE_TEXT = 4,    /* as.text: UTF-8; invalid UTF-8 is refused; as a body: any bytes */
    ROUTABLE_JSON = 5     /* as.text: one JSON value, for arrays, objects and JSON bodies */
};

typedef struct routable_value {
    routable_kind kind;
    int32_t reserved; /* 0 */
    union {
        int64_t integer;
        double real;
        routable_str text;
    } as;
} routable_value;

typedef struct routable_argument {
    const char *name; /* NULL: by position (ids only) */
    routable_value value;
} routable_argument;

static inline routable_value routable_text_of(routable_str text)
{
    routable_value value;
    memset(&value, 0, sizeof value);
    value.kind = ROUTABLE_TEXT;
    value.as.text = text;
    return value;
}

static inline routable_value routable_text(const char *text) { return routable_text_of(routable_s(text)); }

static inline routable_value routable_json(const char *text)
{
    routable_value value = routable_text_of(routable_s(text));
    value.kind = ROUTABLE_JSON;
    return value;
}

static inline routable_value routable_integer(int64_t integer)
{
    routable_value value;
    memset(&value, 0, sizeof value);
    value.kind = ROUTABLE_INTEGER;
    value.as.integer = integer;
    return value;
}

static inline routable_value routable_real(double real)
{
    routable_value value;
    memset(&value, 0, sizeof value);
    value.kind = ROUTABLE_REAL;
    value.as.real = real;
    return value;
}

static inline routable_value routable_boolean(int truth)
{
    routable_value value = routable_integer(truth != 0);
    value.kind = ROUTABLE_BOOLEAN;
    return value;
}

/* ------------------------------------------------------------------------------------------------
 * Errors: why, where, and what would be allowed.  Immutable; yours to free.
 */

typedef struct routable_error routable_error;
typedef struct routable_response routable_response;

#define ROUTABLE_NO_OFFSET SIZE_MAX

ROUTABLE_API routable_status routable_error_status(const routable_error *error);
/* One sentence in English, without a secret in it: "status: update not allowed; allowed: create, delete, read". */
ROUTABLE_API routable_str routable_error_message(const routable_error *error);
/* Where in the JSON that was passed in or received (RFC 6901), "" for its root or when there is none. */
ROUTABLE_API routable_str routable_error_pointer(const routable_error *error);
/* Where in the schema of the type that a value did not fit (RFC 6901), or empty. */
ROUTABLE_API routable_str routable_error_schema_pointer(const routable_error *error);
/* Byte offset in the text that was passed in; ROUTABLE_NO_OFFSET when there is none. */
ROUTABLE_API size_t routable_error_offset(const routable_error *error);
/* Line and column (in bytes) of the offset, from 1; 0 when there is none. */
ROUTABLE_API size_t routable_error_line(const routable_error *error);
ROUTABLE_API size_t routable_error_column(const routable_error *error);
/* The route ("user.status"), the operation and the parameter that it is about, or empty. */
ROUTABLE_API routable_str routable_error_route(const routable_error *error);
ROUTABLE_API routable_str routable_error_operation(const routable_error *error);
ROUTABLE_API routable_str routable_error_parameter(const routable_error *error);
/* The names that would have been allowed, sorted by their bytes; index from 0, empty beyond the end. */
ROUTABLE_API size_t routable_error_allowed_count(const routable_error *error);
ROUTABLE_API routable_str routable_error_allowed_at(const routable_error *error, size_t index);
/* The allowed name nearest to the one given, or empty. */
ROUTABLE_API routable_str routable_error_suggestion(const routable_error *error);
/* The status of the answer, the CURLcode of the transfer; 0 when there is none. */
ROUTABLE_API int32_t routable_error_http_status(const routable_error *error);
ROUTABLE_API int32_t routable_error_curl_code(const routable_error *error);
/* The answer itself with its headers and body, or NULL.  Borrowed from the error. */
ROUTABLE_API const routable_response *routable_error_response(const routable_error *error);
/* A further error of the same call (several faults of one document), or NULL.  Borrowed. */
ROUTABLE_API const routable_error *routable_error_next(const routable_error *error);
/* All of the above as one JSON object (docs/schema/error.schema.json). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_error_to_json(const routable_error *error, routable_string *out);
ROUTABLE_API void routable_error_free(routable_error *error);

/* ------------------------------------------------------------------------------------------------
 * Router: a description, immutable once opened, shared by any number of threads
 */

typedef struct routable_router routable_router;

/* A document that references, of a schema or of an OpenAPI document, may name: its URI and its JSON text.  Nothing is
 * ever fetched. */
typedef struct routable_schema_document { routable_str uri; routable_str text; } routable_schema_document;

typedef struct routable_open_options {
    size_t size;               /* sizeof(routable_open_options) */
    size_t max_document_bytes; /* 0: 64 MiB */
    const char *base;          /* NULL: the document's; otherwise instead of it, and of all servers of OpenAPI */
    uint32_t flags;            /* 0 */
    uint32_t reserved;         /* 0 */
    const routable_schema_document *documents; /* for OpenAPI */
    size_t document_count;
    const char *uri;           /* NULL, or where an OpenAPI document comes from: relative URIs in it are relative to that */
} routable_open_options;
#define ROUTABLE_OPEN_OPTIONS_INIT { sizeof(routable_open_options), 0, NULL, 0, 0, NULL, 0, NULL }

/* Opens a route document (JSON text, docs/route-document.md), or an OpenAPI 3.0, 3.1 or 3.2 document (docs/openapi.md):
 * its own keys say which it is.  Swagger 2.0 is UNSUPPORTED.  `options` may be NULL.
 * Statuses: JSON, DOCUMENT, CONFLICT, UNSUPPORTED, LIMIT, URL, HEADER, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_open(
    routable_str document, const routable_open_options *options, routable_router **out, routable_error **error);

/* The same from a file.  Statuses: also FILE. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_open_file(
    const char *path, const routable_open_options *options, routable_router **out, routable_error **error);

ROUTABLE_API void routable_router_free(routable_router *router);

/* The name and the base of the description; empty when it has none. */
ROUTABLE_API routable_str routable_router_name(const routable_router *router);
ROUTABLE_API routable_str routable_router_base(const routable_router *router);

/* The description as a route document (JSON text), whether it came from one or from a builder; an OpenAPI document as it
 * was opened. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_document(
    const routable_router *router, routable_string *out, routable_error **error);

/* --- The road map --- */

/* One line per resource: what it can, what it has, its type. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_map(
    const routable_router *router, routable_string *out, routable_error **error);

typedef int32_t routable_routes_format;
enum {
    ROUTABLE_ROUTES_TABLE = 0, /* prefix, verb, URI pattern, resource#operation; each parent-child edge once */
    ROUTABLE_ROUTES_JSON = 1   /* an array of objects (docs/schema/routes.schema.json) */
};

/* The table of routes, with column titles; rows in declaration order. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_routes(
    const routable_router *router, routable_routes_format format, routable_string *out, routable_error **error);

/* --- Introspection: everything borrowed from the router; an index beyond the end gives NULL --- */

typedef struct routable_resource routable_resource;
typedef struct routable_operation routable_operation;
typedef struct routable_parameter routable_parameter;

enum { /* capabilities, as bits */
    ROUTABLE_CAN_LIST = 1,
    ROUTABLE_CAN_READ = 2,
    ROUTABLE_CAN_CREATE = 4,
    ROUTABLE_CAN_UPDATE = 8,
    ROUTABLE_CAN_PATCH = 16,
    ROUTABLE_CAN_DELETE = 32
};

ROUTABLE_API size_t routable_router_resource_count(const routable_router *router);
ROUTABLE_API const routable_resource *routable_router_resource_at(const routable_router *router, size_t index);
/* By name; NULL when there is none. */
ROUTABLE_API const routable_resource *routable_router_resource(const routable_router *router, const char *name);

ROUTABLE_API routable_str routable_resource_name(const routable_resource *resource);
ROUTABLE_API routable_str routable_resource_path(const routable_resource *resource);
ROUTABLE_API routable_str routable_resource_type(const routable_resource *resource);        /* or empty */
ROUTABLE_API routable_str routable_resource_description(const routable_resource *resource); /* or empty */
ROUTABLE_API uint32_t routable_resource_capabilities(const routable_resource *resource);    /* ROUTABLE_CAN_* */
ROUTABLE_API const routable_parameter *routable_resource_id(const routable_resource *resource);
ROUTABLE_API size_t routable_resource_child_count(const routable_resource *resource);
ROUTABLE_API const routable_resource *routable_resource_child_at(const routable_resource *resource, size_t index);
ROUTABLE_API int32_t routable_resource_is_root(const routable_resource *resource); /* 0 when it is only nested */
/* Its operations: one per capability (list, read, create, update, patch, delete), then the extra ones. */
ROUTABLE_API size_t routable_resource_operation_count(const routable_resource *resource);
ROUTABLE_API const routable_operation *routable_resource_operation_at(const routable_resource *resource, size_t index);
/* The value of an `x-` key as JSON text, or empty. */
ROUTABLE_API routable_str routable_resource_user_data(const routable_resource *resource, const char *key);

/* Free operations: those that belong to no resource. */
ROUTABLE_API size_t routable_router_operation_count(const routable_router *router);
ROUTABLE_API const routable_operation *routable_router_operation_at(const routable_router *router, size_t index);
ROUTABLE_API const routable_operation *routable_router_operation(const routable_router *router, const char *name);

typedef int32_t routable_place;
enum { ROUTABLE_ON_COLLECTION = 0, ROUTABLE_ON_MEMBER = 1, ROUTABLE_ON_ROOT = 2 };

ROUTABLE_API routable_str routable_operation_name(const routable_operation *operation);
ROUTABLE_API routable_str routable_operation_method(const routable_operation *operation); /* "GET" */
/* The path template from the place where it stands: "users/{username}", "/search". */
ROUTABLE_API routable_str routable_operation_path(const routable_operation *operation);
ROUTABLE_API routable_str routable_operation_description(const routable_operation *operation);
ROUTABLE_API routable_place routable_operation_place(const routable_operation *operation);
ROUTABLE_API routable_str routable_operation_body_type(const routable_operation *operation);   /* or empty */
ROUTABLE_API routable_str routable_operation_result_type(const routable_operation *operation); /* or empty */
/* The media types that a body may have, the one that is taken first; none where the document does not say. */
ROUTABLE_API size_t routable_operation_media_type_count(const routable_operation *operation);
ROUTABLE_API routable_str routable_operation_media_type_at(const routable_operation *operation, size_t index);
/* The operation as it stands in an OpenAPI document (JSON text), or empty.  No NUL follows it. */
ROUTABLE_API routable_str routable_operation_source(const routable_operation *operation);
ROUTABLE_API size_t routable_operation_parameter_count(const routable_operation *operation);
ROUTABLE_API const routable_parameter *routable_operation_parameter_at(const routable_operation *operation, size_t index);
ROUTABLE_API routable_str routable_operation_user_data(const routable_operation *operation, const char *key);

typedef int32_t routable_location;
enum { ROUTABLE_IN_PATH = 0, ROUTABLE_IN_QUERY = 1, ROUTABLE_IN_HEADER = 2, ROUTABLE_IN_COOKIE = 3 };

ROUTABLE_API routable_str routable_parameter_name(const routable_parameter *parameter);
ROUTABLE_API routable_location routable_parameter_location(const routable_parameter *parameter);
ROUTABLE_API routable_str routable_parameter_type(const routable_parameter *parameter); /* "string", "integer", ... */
ROUTABLE_API int32_t routable_parameter_is_required(const routable_parameter *parameter);
ROUTABLE_API routable_str routable_parameter_description(const routable_parameter *parameter);
/* How it is written (docs/openapi.md, "Styles"): "simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited",
 * "deepObject", "cookie", "content".  Static. */
ROUTABLE_API const char *routable_parameter_style(const routable_parameter *parameter);
/* The value that a parameter has in a text, as JSON: of a path in its segment as it was matched, of a query in the whole
 * query without the `?`, of a header in the field's value, of a cookie in the field of all cookies.  `index` is that of
 * the parameter in the operation.  Statuses: NO_MATCH (it is not there), VALUE, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_parameter_read(
    const routable_router *router, const routable_operation *operation, size_t index, routable_str text,
    routable_string *out, routable_error **error);

/* Named types: name and JSON Schema text.  No NUL follows a schema of an OpenAPI document. */
ROUTABLE_API size_t routable_router_type_count(const routable_router *router);
ROUTABLE_API routable_str routable_router_type_name_at(const routable_router *router, size_t index);
ROUTABLE_API routable_str routable_router_type_schema_at(const routable_router *router, size_t index);
/* The value of an `x-` key at the top of the document as JSON text, or empty. */
ROUTABLE_API routable_str routable_router_user_data(const routable_router *router, const char *key);

/* ------------------------------------------------------------------------------------------------
 * Builder: the same graph without JSON
 */

typedef struct routable_builder routable_builder;

enum { ROUTABLE_RESOURCE_NESTED = 1, ROUTABLE_RESOURCE_SHALLOW = 2 }; /* flags of a resource */
enum { ROUTABLE_PARAMETER_REQUIRED = 1, ROUTABLE_PARAMETER_MINIMUM = 2, ROUTABLE_PARAMETER_MAXIMUM = 4 };

/* How a form is written, into a query or a body; docs/encodings.md shows the bytes of each word.  A NULL
 * is the first word.  For one query parameter only arrays, first_index, booleans, empty_arrays, spaces,
 * escape and newlines are allowed. */
typedef struct routable_encoding_options {
    size_t size;
    const char *to;           /* "method" (query for GET, HEAD and DELETE, else body), "query", "body" */
    const char *as;           /* in a body: "form", "json" */
    const char *arrays;       /* a[]=1: "brackets", "none", "index", "comma", or a format: "{key}.{index}" */
    const char *booleans;     /* "numeric" (1, 0), "literal" (true, false) */
    const char *nulls;        /* "drop", "empty" (a=), "null" (a=null) */
    const char *empty_arrays; /* "drop", "empty" */
    const char *order;        /* of keys: "sorted" by their bytes, "given" */
    const char *key_paths;    /* "brackets" (a[b]=1), "dots" (a.b=1) */
    const char *key_case;     /* "given", "snake", "kebab", "capitalized", "upper", "lower" */
    const char *spaces;       /* "percent" (%20), "plus" (+) */
    const char *escape;       /* what stays bare: "query" (-._~/?), "unreserved" (-._~), "whatwg" (*-._ and + for a space) */
    const char *newlines;     /* "given", "crlf" */
    size_t first_index;       /* of the first element of an array; at most 1000000 */
} routable_encoding_options;

/* Begin each of the three with `= { sizeof(routable_..._options) }`: what is left out is zero, which is
 * the default. */

/* A parameter: of a resource's id, of a path, of a query, of a header. */
typedef struct routable_parameter_options {
    size_t size; /* sizeof(routable_parameter_options) */
    const char *name;
    routable_location location;
    uint32_t flags;              /* ROUTABLE_PARAMETER_* */
    const char *type;            /* NULL or "string", "integer", "number", "boolean" */
    const char *format;          /* NULL, "uuid", "date", "date-time" */
    const char *pattern;         /* NULL, or a regular expression that the whole value must match */
    const char *const *values;   /* NULL, or the values that are allowed */
    size_t value_count;
    size_t min_length;           /* in characters; 0: none */
    size_t max_length;           /* in characters; 0: none */
    double minimum, maximum;     /* in force when their flag is set */
    routable_value default_value; /* kind ROUTABLE_NULL: none */
    const routable_encoding_options *encoding; /* of a query parameter; NULL: as it is, arrays as the operation says */
} routable_parameter_options;

typedef struct routable_resource_options {
    size_t size; /* sizeof(routable_resource_options) */
    const char *name;
    const char *path;
    uint32_t can;                         /* ROUTABLE_CAN_* */
    uint32_t flags;                       /* ROUTABLE_RESOURCE_* */
    const routable_parameter_options *id; /* NULL: a string named "id" */
} routable_resource_options;

typedef struct routable_operation_options {
    size_t size; /* sizeof(routable_operation_options) */
    const char *name;
    const char *method;
    const char *path;     /* template, from the place where it stands */
    const char *resource; /* NULL: a free operation */
    routable_place place; /* with a resource: ROUTABLE_ON_COLLECTION or ROUTABLE_ON_MEMBER */
    uint32_t flags;       /* 0 */
    const routable_parameter_options *parameters;
    size_t parameter_count;
    const routable_encoding_options *encoding; /* NULL: the builder's */
} routable_operation_options;

/* `base` may be NULL: then each call names one.  Statuses: URL, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_builder_new(
    const char *name, const char *base, routable_builder **out, routable_error **error);
ROUTABLE_API void routable_builder_free(routable_builder *builder);
/* For all operations that say nothing else; NULL for the first word of each option.  Statuses: DOCUMENT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_builder_set_encoding(
    routable_builder *builder, const routable_encoding_options *encoding, routable_error **error);
/* Statuses of all three: DOCUMENT, CONFLICT, ARGUMENT, LIMIT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_builder_add_resource(
    routable_builder *builder, const routable_resource_options *resource, routable_error **error);
/* Nests a child under a parent; both are named, and may be added before or after. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_builder_nest(
    routable_builder *builder, const char *parent, const char *child, routable_error **error);
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_builder_add_operation(
    routable_builder *builder, const routable_operation_options *operation, routable_error **error);
/* The builder stays yours and stays usable. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_builder_build(
    const routable_builder *builder, routable_router **out, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Call: what to build.  The same fields as the call JSON (docs/json-tier.md), whose key for each member is its name here.
 */

typedef struct routable_call {
    size_t size;
    const char *route;     /* a walk through the graph, "user.status"; NULL for a free operation */
    const char *operation; /* "read", or the name of a free operation */
    const routable_argument *ids; /* from the outermost resource to the innermost, or all by name */
    size_t id_count;
    const routable_argument *query; /* declared query parameters */
    size_t query_count;
    const routable_argument *parameters; /* free parameters: where they go is the operation's encoding; */
    size_t parameter_count;              /* not NULL with a count of 0: an empty form, which is a body on POST */
    const routable_argument *headers; /* declared header parameters and others */
    size_t header_count;
    const routable_argument *cookies; /* declared cookie parameters */
    size_t cookie_count;
    routable_value body;      /* kind ROUTABLE_NULL: none; ROUTABLE_JSON; ROUTABLE_TEXT: bytes as they are */
    const char *content_type; /* NULL: what the operation says */
    const char *base;         /* NULL: the router's */
} routable_call;
#define ROUTABLE_CALL_INIT \
    { sizeof(routable_call), NULL, NULL, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, { 0, 0, { 0 } }, NULL, NULL }

/* ------------------------------------------------------------------------------------------------
 * Plan: a route and an operation resolved once, then used many times.  Immutable.
 */

typedef struct routable_plan routable_plan;

/* `route` is NULL for a free operation.  Statuses: UNKNOWN, NOT_ALLOWED, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_plan_new(
    const routable_router *router, const char *route, const char *operation, routable_plan **out, routable_error **error);
ROUTABLE_API void routable_plan_free(routable_plan *plan);
ROUTABLE_API routable_str routable_plan_method(const routable_plan *plan);
ROUTABLE_API size_t routable_plan_id_count(const routable_plan *plan);
/* How many query parameters are declared; their names in declaration order. */
ROUTABLE_API size_t routable_plan_query_count(const routable_plan *plan);
ROUTABLE_API routable_str routable_plan_query_name_at(const routable_plan *plan, size_t index);

/* Writes the URL with a NUL after it into `buffer`.  `ids` are all ids in order; `query` are values of
 * the declared query parameters in declaration order, kind ROUTABLE_NULL for an absent one; trailing
 * ones may be left out.  `*length` is the length without the NUL; with ROUTABLE_ERR_BUFFER it is the
 * length that would have been needed, and an `error` is made only when it is asked for.  A query parameter that
 * is left out gets its default, if one is declared.
 *
 * From C this is the fastest way to a URL.  It allocates nothing when the values are texts, integers, booleans or
 * reals of up to 15 characters without a further constraint, and `capacity` is enough for the longest URL that values of
 * these lengths can have: every byte of a value as three, with the base, the literals, the names of the query
 * and one byte more.  A smaller buffer that holds the URL works too, and costs allocations.
 * Statuses: ID, VALUE, SHADOWED, PARAMETER, BUFFER, URL, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_plan_write(
    const routable_plan *plan, const routable_value *ids, size_t id_count, const routable_value *query,
    size_t query_count, char *buffer, size_t capacity, size_t *length, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Match: from a path or a URL back to the operation and its values
 *
 * The path alone chooses the node: at each segment a literal before a mixed segment ({name}.json), that
 * before a parameter with a type, that before a plain one, that before a catch-all, with backtracking, and
 * never by the order of declaration.  Then the method chooses the operation; HEAD is a method like any
 * other.  Segments are compared decoded, so that "/%75sers" is "/users".
 */

enum {
    ROUTABLE_MATCH_ANY_SLASH = 1,     /* a slash at the end that the route has not, or lacks, is no matter */
    ROUTABLE_MATCH_FOLD_CASE = 2,     /* ASCII letters of literals match in any case; the exact one first */
    ROUTABLE_MATCH_MERGE_SLASHES = 4, /* slashes in a row count as one */
    ROUTABLE_MATCH_SUGGEST_SLASH = 8, /* on NO_MATCH, `slash` says whether one more or less would match */
    ROUTABLE_MATCH_WHOLE_PATH = 16    /* a path begins with the path of the base, as a server receives it */
};

#define ROUTABLE_MAX_CAPTURES 32
#define ROUTABLE_NO_OPERATION UINT32_MAX

/* A value of the path: bytes of the text that was matched, still percent-encoded. */
typedef struct routable_capture {
    uint32_t offset;
    uint32_t length;
    int32_t resource;  /* index of the resource whose id it is; -1 for a parameter of the operation's own path */
    int32_t parameter; /* index in the operation's parameters; -1 for the id of a resource */
} routable_capture;

/* Yours; nothing in it has to be set before, or freed after.  Of `captures` only the first
 * `capture_count` are written.  This layout is frozen. */
typedef struct routable_match {
    uint32_t operation; /* its number: those of all resources in declaration order, then the free ones */
    uint32_t capture_count;
    uint32_t node; /* 0 with NO_MATCH */
    int32_t slash; /* 0; with ANY_SLASH or SUGGEST_SLASH: 1 would match with a slash more, -1 without */
    routable_capture captures[ROUTABLE_MAX_CAPTURES];
} routable_match;

/* Matches a path from the base on, which begins with a slash, or a URL that begins with the base; a query
 * and a fragment end the path.  For the base https://h.example/v1 that is "/projects/7"; the path as a server
 * receives it, "/v1/projects/7", needs ROUTABLE_MATCH_WHOLE_PATH.  `method` is NULL for any: then GET answers, or else the first by its bytes.
 * No allocation, no lock, and time that is bounded by the length and the routes.
 * Statuses: NO_MATCH, METHOD_NOT_ALLOWED (`node` and the captures are set, `operation` is
 * ROUTABLE_NO_OPERATION), ARGUMENT. */
ROUTABLE_API routable_status routable_router_match(
    const routable_router *router, const char *method, const char *path, size_t length, uint32_t flags,
    routable_match *out);

/* What a match of this router means.  A match that is not of this router gives NULL or empty texts. */
ROUTABLE_API const routable_operation *routable_match_operation(const routable_router *router, const routable_match *match);
/* The id of a resource, or the parameter, that a capture is the value of.  Captures of ids come from the outermost
 * resource to the innermost: hand their values on as the `ids` of a call in this order, without names. */
ROUTABLE_API const routable_parameter *routable_match_parameter(
    const routable_router *router, const routable_match *match, size_t index);
/* The methods that the node has, sorted by their bytes: what an Allow header says. */
ROUTABLE_API size_t routable_match_method_count(const routable_router *router, const routable_match *match);
ROUTABLE_API routable_str routable_match_method_at(
    const routable_router *router, const routable_match *match, size_t index);
/* The dotted route of the walk, "user.status", also where the method is not allowed; empty for a free operation.
 * Statuses: NO_MATCH, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_match_route(
    const routable_router *router, const routable_match *match, routable_string *out);
/* The decoded value of a capture; `path` is the text that was matched.  Statuses: NO_MATCH, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_match_value(
    const routable_match *match, const char *path, size_t length, size_t index, routable_string *out);

/* Bytes of the table that matches read. */
ROUTABLE_API size_t routable_router_match_bytes(const routable_router *router);

/* ------------------------------------------------------------------------------------------------
 * Scratch: plans and matches whose answer is a C string, in memory that the next answer uses again
 *
 * For bindings, to which a call with few arguments that returns a text is the fastest there is; C programs do
 * better with routable_plan_write and routable_router_match.  One thread at
 * a time; what a call returns is borrowed until the next call with the same scratch.
 */

typedef struct routable_scratch routable_scratch;

ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_scratch_new(routable_scratch **out, routable_error **error);
ROUTABLE_API void routable_scratch_free(routable_scratch *scratch);

/* The URL for ids that are texts: all of them in `ids`, a NUL between two, `length` bytes; no query values.  NULL when it
 * is refused: routable_plan_write says why. */
ROUTABLE_API const char *routable_scratch_url(
    routable_scratch *scratch, const routable_plan *plan, const char *ids, size_t length);

/* What routable_router_match writes, as decimal numbers in its order with a space between two: operation, capture_count,
 * node, slash, and of each capture offset, length, resource and parameter.  Empty for NO_MATCH; NULL for any other status,
 * which routable_router_match gives. */
ROUTABLE_API const char *routable_scratch_match(
    routable_scratch *scratch, const routable_router *router, const char *method, const char *path, size_t length,
    uint32_t flags);
/* What is strange about the routes but no failure: routes that no path reaches.  Sentences. */
ROUTABLE_API size_t routable_router_warning_count(const routable_router *router);
ROUTABLE_API routable_str routable_router_warning_at(const routable_router *router, size_t index);

/* ------------------------------------------------------------------------------------------------
 * URI templates: RFC 6570, all four levels; no router is needed
 */

/* Expands "/search{?q,list*}" with values by name; arrays and objects are ROUTABLE_JSON, ROUTABLE_NULL and what is not
 * given is undefined.  Statuses: DOCUMENT (the template, with its offset), VALUE, JSON, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_template_expand(
    routable_str template_text, const routable_argument *values, size_t count, routable_string *out, routable_error **error);
/* The same with the values as one JSON object.  The empty text: none. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_template_expand_json(
    routable_str template_text, routable_str values, routable_string *out, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Request: complete and visible without being sent; headers and body may still be edited
 */

typedef struct routable_request routable_request;

typedef struct routable_header { routable_str name; routable_str value; } routable_header;

/* Statuses: UNKNOWN, NOT_ALLOWED, ID, VALUE, SHADOWED, PARAMETER, BODY, HEADER, URL, JSON, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_new(
    const routable_router *router, const routable_call *call, routable_request **out, routable_error **error);
/* The same from a call JSON: {"route":"user.status","operation":"read","ids":["initFabian","3"]}.  Also: DOCUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_new_json(
    const routable_router *router, routable_str call, routable_request **out, routable_error **error);
ROUTABLE_API void routable_request_free(routable_request *request);

ROUTABLE_API routable_str routable_request_method(const routable_request *request);
ROUTABLE_API routable_str routable_request_url(const routable_request *request);
ROUTABLE_API routable_str routable_request_route(const routable_request *request);
ROUTABLE_API routable_str routable_request_operation(const routable_request *request);
ROUTABLE_API size_t routable_request_header_count(const routable_request *request);
/* Beyond the end: two empty strings. */
ROUTABLE_API routable_header routable_request_header_at(const routable_request *request, size_t index);
/* Whether there is a body; one may be empty and present. */
ROUTABLE_API int32_t routable_request_has_body(const routable_request *request);
ROUTABLE_API routable_str routable_request_body(const routable_request *request);

/* Replaces all headers of that name (ASCII case does not matter), or adds one.  Borrowed texts of the
 * request end here.  Statuses: HEADER, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_header(
    routable_request *request, const char *name, routable_str value, routable_error **error);
/* Removes all headers of that name; none is fine. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_remove_header(
    routable_request *request, const char *name, routable_error **error);
/* Makes the request one that holds only while the resource is of a version: If-Match with the `etag` of an earlier answer
 * (routable_response_header(response, "ETag")), or If-Unmodified-Since with its `last_modified` where the first is empty or
 * no ETag (RFC 9110 section 13.1).  If it is not, the service says 412, which is ROUTABLE_ERR_HTTP_STATUS.  A weak ETag is
 * refused, since If-Match never matches it.
 * Statuses: VALUE (weak, or there is neither), HEADER, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_if_match(
    routable_request *request, routable_str etag, routable_str last_modified, routable_error **error);
/* Makes the request ask for another version: If-None-Match with the `etag`, weak or strong, or If-Modified-Since.  While
 * there is none the service says 304, which is then a response without a body and no error.
 * Statuses: VALUE (there is neither), HEADER, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_if_none_match(
    routable_request *request, routable_str etag, routable_str last_modified, routable_error **error);
/* Sets the body as it is; `content_type` NULL leaves that header alone.  Statuses: HEADER, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_body(
    routable_request *request, routable_str body, const char *content_type, routable_error **error);

/* Removes the body; its Content-Type header stays.  None is fine. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_remove_body(
    routable_request *request, routable_error **error);

/* The request as JSON (docs/schema/request.schema.json). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_to_json(
    const routable_request *request, routable_string *out, routable_error **error);

enum { ROUTABLE_SHOW_SECRETS = 1 };
/* The request as a curl command that is safe to paste into a POSIX shell.  Credentials are masked
 * unless `flags` has ROUTABLE_SHOW_SECRETS. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_to_curl(
    const routable_request *request, uint32_t flags, routable_string *out, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Response: status, headers, body, and how the body was mapped
 */

typedef int32_t routable_outcome;
enum {
    ROUTABLE_OUTCOME_EMPTY = 0,      /* no body, as 204, 205 and HEAD allow, or one of HEAD or a null result */
    ROUTABLE_OUTCOME_SELF = 1,       /* the body is one value of the declared type */
    ROUTABLE_OUTCOME_DICTIONARY = 2, /* an object whose values are all of the declared type */
    ROUTABLE_OUTCOME_ARRAY = 3,      /* an array whose elements are all of the declared type */
    ROUTABLE_OUTCOME_RAW = 4         /* anything else, and every body where no type is declared: the bytes as received */
};

/* The name of an outcome as in response JSON: "self".  Static, never NULL, "unknown_outcome" for others. */
ROUTABLE_API const char *routable_outcome_name(routable_outcome outcome);

/* Maps a response that the host fetched by its own client, as the operation says.  No client and no
 * libcurl is needed.  `http_status` is 100 to 999.  A status that the operation does not declare (default: 200 to 299) gives
 * ROUTABLE_ERR_HTTP_STATUS, and the error carries the response.
 * Statuses: UNKNOWN, NOT_ALLOWED, HTTP_STATUS, RESPONSE, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_response_map(
    const routable_router *router, const char *route, const char *operation, int32_t http_status,
    const routable_header *headers, size_t header_count, routable_str body, routable_response **out,
    routable_error **error);
ROUTABLE_API void routable_response_free(routable_response *response);

ROUTABLE_API int32_t routable_response_status(const routable_response *response);
ROUTABLE_API size_t routable_response_header_count(const routable_response *response);
ROUTABLE_API routable_header routable_response_header_at(const routable_response *response, size_t index);
/* The value of the first header of that name (ASCII case does not matter), or empty. */
ROUTABLE_API routable_str routable_response_header(const routable_response *response, const char *name);
/* The bytes as received, after content decoding.  A NUL follows that is not counted. */
ROUTABLE_API routable_str routable_response_body(const routable_response *response);
ROUTABLE_API routable_outcome routable_response_outcome(const routable_response *response);
/* The name of the type that the body was held against; empty when it has none. */
ROUTABLE_API routable_str routable_response_type(const routable_response *response);
/* The URL that answered, after redirects; empty for a mapped one. */
ROUTABLE_API routable_str routable_response_url(const routable_response *response);

/* An answer in one look: what the functions above tell one by one.  Everything is borrowed. */
typedef struct routable_response_parts {
    int32_t http_status; /* 0 without an answer */
    routable_outcome outcome;
    routable_str headers; /* name, NUL, value, NUL, of one field after the other */
    routable_str body;
    routable_str url;
} routable_response_parts;

/* For NULL: zeroes and empty texts. */
ROUTABLE_API void routable_response_read(const routable_response *response, routable_response_parts *out);

/* The response as JSON (docs/schema/response.schema.json). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_response_to_json(
    const routable_response *response, routable_string *out, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Client: performs requests over libcurl, which is opened when the first client is made
 */

typedef struct routable_client routable_client;

typedef struct routable_client_options {
    size_t size;
    const char *base;           /* NULL: the request's own; otherwise instead of it */
    const char *user_agent;     /* NULL: "routable/0.1.0" */
    const char *ca_file;        /* NULL: the system's certificates */
    int64_t deadline_ms;        /* for a whole perform; 0: 60000; negative: none */
    int64_t connect_timeout_ms; /* 0: 10000 */
    size_t max_response_bytes;  /* after content decoding; 0: 64 MiB */
    uint32_t max_redirects;     /* 0: 10; redirects stay within http and https */
    uint32_t flags;             /* ROUTABLE_CLIENT_* */
    const char *certificate_file; /* the client's own certificate, PEM */
    const char *key_file;         /* and its key, PEM */
    const char *proxy;            /* a URL; "": none; NULL: as https_proxy and its like in the environment say */
    const char *no_proxy;         /* hosts without it, "a.test,b.test"; NULL: as no_proxy in the environment says */
    int64_t retry_delay_ms;       /* before the first retry, doubled for each that follows; 0: 500 */
    int64_t retry_longest_ms;     /* no wait is longer, also when Retry-After asks for it; 0: 60000 */
    uint32_t retries;             /* how often a request that failed is sent again, 100 at most; 0: never (see routable_policy) */
    uint32_t max_active;          /* submitted transfers that run at once; 0: 256 */
    uint32_t max_active_per_host; /* of those, to one scheme, host and port; 0: 64 */
    uint32_t max_pending;         /* submitted and not ended; 0: 1000000 */
} routable_client_options;
#define ROUTABLE_CLIENT_OPTIONS_INIT \
    { sizeof(routable_client_options), NULL, NULL, NULL, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0 }
enum {
    ROUTABLE_CLIENT_NO_REDIRECTS = 1,   /* an answer that redirects is the result */
    ROUTABLE_CLIENT_NO_COMPRESSION = 2, /* answers do not come compressed */
    ROUTABLE_CLIENT_TIMINGS = 4         /* the parts of each transfer are timed (routable_trace.h) */
};

/* `options` may be NULL.  A client belongs to the process that made it: in a forked one every call but
 * free gives ROUTABLE_ERR_ARGUMENT.  Statuses: NO_CURL, URL, HEADER, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_new(
    const routable_client_options *options, routable_client **out, routable_error **error);
/* Cancels what was submitted and has not ended; blocking calls of other threads end as they would have.
 * Called in a callback of the client, it lets that one be the last. */
ROUTABLE_API void routable_client_free(routable_client *client);

/* Performs on the calling thread and blocks until the answer is whole or the deadline has passed.
 * Connections are kept for the next call.  A status that the operation does not declare gives
 * ROUTABLE_ERR_HTTP_STATUS, and the error carries the response with its body.
 * Statuses: TRANSFER, TIMEOUT, TLS, LIMIT, HTTP_STATUS, RESPONSE, CREDENTIAL, EXCESSIVE_REFRESH, CALLBACK, URL, HEADER,
 * BODY, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_perform(
    const routable_client *client, const routable_request *request, routable_response **out, routable_error **error);

/* --- Credentials (docs/auth.md): of a scheme that the description names; never a part of it --- */

/* A refresh that a function of yours makes: yours from the call until routable_refresh_finish or _fail. */
typedef struct routable_refresh routable_refresh;
/* Gets a new token, because there is none, or the one at hand has expired or was refused.  It is called once for
 * all transfers that wait, by a thread that drives or performs, without a lock.  It may answer in the call, or
 * later from any thread; until then they wait, up to their deadlines. */
typedef void (*routable_refresh_fn)(routable_refresh *refresh, void *user_data);

/* A request that is about to go out, borrowed for the call. */
typedef struct routable_signing routable_signing;
/* Completes a request by headers, as signatures do; 0 when it has, another number fails the transfer with
 * ROUTABLE_ERR_CALLBACK.  It is called for each attempt that goes out with credentials; redirects of a signed
 * request are not followed. */
typedef int32_t (*routable_sign_fn)(routable_signing *signing, void *user_data);

/* Called once, when user data is used no more. */
typedef void (*routable_release_fn)(void *user_data);

/* Begin with ROUTABLE_CREDENTIAL_INIT; all texts are copied. */
typedef struct routable_credential {
    size_t size;
    const char *scheme;        /* its name under "auth", or among OpenAPI's securitySchemes */
    routable_str user;         /* basic */
    routable_str password;
    routable_str token;        /* the token or the key; empty: the first request waits for a refresh */
    int64_t expires_in_ms;     /* of the token; 0: not known */
    const char *token_url;     /* OAuth 2; NULL: the description's */
    const char *scope;         /* NULL: the description's */
    routable_str client_id;    /* OAuth 2, client credentials: without a refresh token */
    routable_str client_secret;
    routable_str refresh_token; /* OAuth 2, or the body of the operation that the description names for a refresh */
    routable_str refresh_body; /* instead of that body: JSON */
    const char *origin;        /* "https://api.example.com": it goes nowhere else; NULL: where the requests go */
    routable_refresh_fn refresh; /* instead of all other ways to a new token */
    routable_sign_fn sign;
    void *user_data;
    routable_release_fn release; /* or NULL */
    uint32_t flags;            /* ROUTABLE_CREDENTIAL_* */
    uint32_t reserved;         /* 0 */
} routable_credential;
#define ROUTABLE_CREDENTIAL_INIT \
    { sizeof(routable_credential), NULL, { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, 0, NULL, NULL, { NULL, 0 }, { NULL, 0 }, \
        { NULL, 0 }, { NULL, 0 }, NULL, NULL, NULL, NULL, NULL, 0, 0 }
enum { ROUTABLE_CREDENTIAL_SECRET_IN_BODY = 1 }; /* the client's secret goes into the body of a token request */

/* Sets the credential of a scheme, instead of the one that it has.  A transfer of an operation that needs a scheme
 * without one fails with ROUTABLE_ERR_CREDENTIAL before anything is sent, unless the request has its header, query
 * parameter or cookie by itself.  A 401 to a request that went out with an older token is answered by another attempt;
 * otherwise one refresh is made, for which all wait.  The sixth refresh within 30 s is refused
 * (ROUTABLE_ERR_EXCESSIVE_REFRESH); one that the service refuses is not repeated before the credential is another.
 * Any time, also while transfers are under way.  `release` is also called when this fails.
 * Statuses: URL, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_set_credential(
    const routable_client *client, const routable_credential *credential, routable_error **error);
/* None is fine. */
ROUTABLE_API void routable_client_remove_credential(const routable_client *client, const char *scheme);
/* The tokens at hand, to keep them for the next start; empty where there is none.  They are secrets.
 * Statuses: UNKNOWN, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_tokens(
    const routable_client *client, const char *scheme, routable_string *token, routable_string *refresh_token,
    routable_error **error);

/* As routable_request_to_curl: what the client makes of the request, with its base, user agent and credentials. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_to_curl(
    const routable_client *client, const routable_request *request, uint32_t flags, routable_string *out,
    routable_error **error);

/* The scheme, and the token that was refused or has expired (or empty).  Borrowed from the refresh. */
ROUTABLE_API routable_str routable_refresh_scheme(const routable_refresh *refresh);
ROUTABLE_API routable_str routable_refresh_token(const routable_refresh *refresh);
/* The new token and its time (0: not known).  Any thread.  Gives the refresh back, also with ARGUMENT for an empty
 * token or one with control bytes, which is a failure. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_refresh_finish(
    routable_refresh *refresh, routable_str token, int64_t expires_in_ms, routable_error **error);
/* There is none: those that wait fail with ROUTABLE_ERR_CREDENTIAL and this message, which has no secret in it. */
ROUTABLE_API void routable_refresh_fail(routable_refresh *refresh, routable_str message);

ROUTABLE_API routable_str routable_signing_method(const routable_signing *signing);
ROUTABLE_API routable_str routable_signing_url(const routable_signing *signing);
ROUTABLE_API routable_str routable_signing_body(const routable_signing *signing);
/* The value of the first header of that name, or empty. */
ROUTABLE_API routable_str routable_signing_header(const routable_signing *signing, const char *name);
/* Sets a header, whose value is a secret from then on.  Statuses: HEADER, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_signing_set_header(
    routable_signing *signing, const char *name, routable_str value, routable_error **error);

/* What one request says instead of its client.  0 and NULL leave what the client says.
 *
 * A retry is made when no whole answer came (name not found, refused, reset, closed early, TLS) or when it
 * was 408, 500, 502, 503 or 504, or 429 with a Retry-After; of DELETE, GET, HEAD, OPTIONS, PUT and TRACE,
 * and of any request with an Idempotency-Key header.  The wait before it doubles each time, has up to a
 * quarter added by chance, and is as long as Retry-After asks for at least.  A wait past the deadline or
 * over retry_longest_ms is not made: then the outcome is what the last attempt came to. */
typedef struct routable_policy {
    size_t size;
    int64_t deadline_ms;       /* over all attempts, and the wait for a turn; negative: none */
    size_t max_response_bytes;
    int64_t retry_delay_ms;
    int32_t retries;           /* negative: none */
    int32_t max_redirects;     /* negative: an answer that redirects is the result */
    uint32_t flags;            /* ROUTABLE_POLICY_* */
    uint32_t reserved;         /* 0 */
    const routable_credential *credential; /* for its scheme, instead of the client's */
} routable_policy;
#define ROUTABLE_POLICY_INIT { sizeof(routable_policy), 0, 0, 0, 0, 0, 0, 0, NULL }
enum {
    ROUTABLE_POLICY_UNQUEUED = 1, /* submitted without a callback, and only waited for: no queue holds it */
    ROUTABLE_POLICY_NO_AUTH = 2,  /* goes out without credentials */
    ROUTABLE_POLICY_TIMINGS = 4   /* its parts are timed (routable_trace.h) */
};

/* As routable_client_perform; `policy` may be NULL. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_perform_with(
    const routable_client *client, const routable_request *request, const routable_policy *policy,
    routable_response **out, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Transfers: many requests at once over one client (docs/client.md)
 *
 * Submitted transfers run when a thread drives the client: one that is in routable_client_next,
 * routable_client_drive or routable_transfer_wait, or the client's own after routable_client_start.
 * Each has exactly one outcome: a response, an error, or cancelled.
 */

typedef struct routable_transfer routable_transfer;

/* The end of a transfer, told by the thread that drives.  `transfer` is borrowed for the call.  It may
 * submit, cancel and free, the client too; what would wait for another end gives ROUTABLE_PENDING. */
typedef void (*routable_transfer_fn)(routable_transfer *transfer, void *user_data);

/* Queues a transfer.  Nothing is sent before a thread drives the client; routable_client_drive with 0 gets all that
 * were queued under way and returns.  The request may be edited and freed as soon as this returns.  The end is told to
 * `on_end`; when that is NULL, by routable_client_next.  `out` gives a reference of your own, which
 * routable_transfer_free gives back without ending the transfer; `policy` and `out` may be NULL.
 * Statuses: CREDENTIAL, URL, HEADER, BODY, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_submit(
    const routable_client *client, const routable_request *request, const routable_policy *policy,
    routable_transfer_fn on_end, void *user_data, routable_transfer **out, routable_error **error);

/* As routable_client_submit for `count` requests at once, all of them or none: they cost one look at the client's state, and
 * its thread wakes once.  `user_data` has one entry for each, or is NULL; so has `out`.  One request may be there more than
 * once.  Statuses: those of routable_client_submit. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_submit_many(
    const routable_client *client, const routable_request *const *requests, size_t count, const routable_policy *policy,
    routable_transfer_fn on_end, void *const *user_data, routable_transfer **out, routable_error **error);

/* Takes a transfer that has ended and has no callback: a reference that is yours.  Waits up to that time,
 * negative for any, and drives meanwhile.
 * Statuses: PENDING when the time is over, IDLE when nothing is under way, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_next(
    const routable_client *client, int64_t timeout_ms, routable_transfer **out, routable_error **error);

/* What routable_client_take gives of a transfer that has ended. */
typedef struct routable_ended {
    routable_transfer *transfer;   /* a reference that is yours */
    void *user_data;
    routable_status status;        /* what routable_transfer_result returns */
    int32_t has_trace;             /* 1: routable_transfer_trace tells of the response */
    routable_response_parts parts; /* of the response, borrowed of the transfer; also of one of a status that is an error */
} routable_ended;

/* As routable_client_next for up to `capacity` transfers at once; `count` is how many they are, 1 at least
 * with ROUTABLE_OK. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_take(
    const routable_client *client, int64_t timeout_ms, routable_ended *ended, size_t capacity, size_t *count,
    routable_error **error);

/* Does what is ready, calls callbacks, and waits up to that time when nothing is.  `pending`, which may be
 * NULL, is how many transfers have not ended.  Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_drive(
    const routable_client *client, int64_t timeout_ms, size_t *pending, routable_error **error);

/* The descriptor for a loop of your own (poll, epoll, GLib, libuv, asyncio).  When it is readable, call
 * routable_client_drive with 0, and routable_client_next with 0 until it gives no more.  Yours to watch,
 * not to read or close.  Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_descriptor(
    const routable_client *client, int *out, routable_error **error);

/* Lets a thread of the client drive from now on; callbacks run there.  Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_start(
    const routable_client *client, routable_error **error);

ROUTABLE_API void routable_transfer_free(routable_transfer *transfer);

/* The same for so many at once; each may be NULL. */
ROUTABLE_API void routable_transfer_free_many(routable_transfer *const *transfers, size_t count);

/* Any thread.  1: the cancel is the outcome, no callback runs and routable_client_next does not give it.
 * 0: it has ended already, and its callback has run, unless this is called in it. */
ROUTABLE_API int32_t routable_transfer_cancel(const routable_transfer *transfer);

/* Waits for the end, and drives meanwhile.  With ROUTABLE_OK routable_client_next does not give the
 * transfer any more.  Statuses: OK for an outcome, PENDING, CANCELLED, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_transfer_wait(
    const routable_transfer *transfer, int64_t timeout_ms, routable_error **error);

/* What it came to: a response that is yours, or why there is none.
 * Statuses: those of routable_client_perform, PENDING, CANCELLED. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_transfer_result(
    const routable_transfer *transfer, routable_response **out, routable_error **error);

/* What was passed to routable_client_submit. */
ROUTABLE_API void *routable_transfer_user_data(const routable_transfer *transfer);

/* ------------------------------------------------------------------------------------------------
 * Schema: JSON values held against JSON Schema (docs/types.md); immutable, shared by any number of threads
 */

typedef struct routable_schema routable_schema;

typedef int32_t routable_dialect;
enum {
    ROUTABLE_DIALECT_2020_12 = 0,    /* "$schema" may name an older draft, or a meta-schema among the documents */
    ROUTABLE_DIALECT_OPENAPI_30 = 1, /* nullable, boolean exclusive bounds, nothing beside $ref */
    ROUTABLE_DIALECT_OPENAPI_31 = 2
};

typedef struct routable_schema_options {
    size_t size;               /* sizeof(routable_schema_options) */
    const char *uri;           /* where the schema stands, for relative references; NULL: its "$id" alone says */
    const routable_schema_document *documents;
    size_t document_count;
    routable_dialect dialect;
    uint32_t flags;            /* ROUTABLE_SCHEMA_* */
} routable_schema_options;
#define ROUTABLE_SCHEMA_OPTIONS_INIT { sizeof(routable_schema_options), NULL, NULL, 0, 0, 0 }
enum { ROUTABLE_SCHEMA_ASSERT_FORMATS = 1 }; /* "format" refuses; otherwise it is an annotation */

/* Compiles a schema.  Nothing that was passed in is kept.  `options` may be NULL.
 * Statuses: JSON, DOCUMENT, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_schema_open(
    routable_str schema, const routable_schema_options *options, routable_schema **out, routable_error **error);
/* The schema of a named type of a router.  Statuses: UNKNOWN, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_schema_of_type(
    const routable_router *router, const char *type, routable_schema **out, routable_error **error);
ROUTABLE_API void routable_schema_free(routable_schema *schema);

/* Holds a JSON text against a schema.  BODY says that it does not fit: the error has the pointers into the
 * value and into the schema.  With `most` above 1 further reasons follow (routable_error_next), up to `most` and at
 * most 256.  Time and memory are bounded whatever the schema says: LIMIT.  Statuses: JSON, BODY, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_schema_check(
    const routable_schema *schema, routable_str json, size_t most, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * JSON tier: the whole job in one call (docs/json-tier.md)
 */

/* Call JSON in, request JSON out. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_build_json(
    const routable_router *router, routable_str call, routable_string *out, routable_error **error);
/* Call JSON in, response JSON out. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_perform_json(
    const routable_client *client, const routable_router *router, routable_str call, routable_string *out,
    routable_error **error);
/* A form that came from outside, a query or a body, as a JSON array of pairs: [["a","1"],["b","x y"]] for
 * a=1&b=x+y (WHATWG; what is not UTF-8 becomes U+FFFD).  Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_form_to_json(
    routable_str form, routable_string *out, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
