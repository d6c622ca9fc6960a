/* routable_values.h - versions, statuses, strings, values and errors: the types that all other headers use.
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_VALUES_H
#define ROUTABLE_VALUES_H

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

/* An enumeration that is an int32_t in the ABI.  C++ and C23 can declare the underlying type.  With older versions of C,
 * compilers choose a type of the same size, because all enumerators are small. */
#if (defined(__cplusplus) && __cplusplus >= 201103L) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L) || \
    defined(__swift__)
#  define ROUTABLE_ENUM(name) enum name : int32_t
#else
#  define ROUTABLE_ENUM(name) enum name
#endif

/* An absent number where 0 is a valid value: an index, an offset, a length.  In options it means "no limit" or "never". */
#define ROUTABLE_NONE (-1)

/* The length argument for a NUL-terminated string: the library determines the length. */
#define ROUTABLE_NUL_TERMINATED ((size_t)-1)

/* ------------------------------------------------------------------------------------------------
 * Version
 */

#define ROUTABLE_VERSION_MAJOR 0
#define ROUTABLE_VERSION_MINOR 1
#define ROUTABLE_VERSION_PATCH 0
#define ROUTABLE_VERSION_NUMBER \
    ((ROUTABLE_VERSION_MAJOR << 16) | (ROUTABLE_VERSION_MINOR << 8) | ROUTABLE_VERSION_PATCH)

/* The version of the loaded library, encoded like ROUTABLE_VERSION_NUMBER. */
ROUTABLE_API uint32_t routable_version(void);

/* The version of the loaded library as a string: "0.1.0".  Static. */
ROUTABLE_API const char *routable_version_string(void);

/* ------------------------------------------------------------------------------------------------
 * Memory
 */

/* Limits the memory of the library in this process to `bytes`; 0 removes the limit.  A call that needs more memory fails with
 * ROUTABLE_ERR_MEMORY and does not change its outputs, as if the system had no memory.
 *
 * The limit includes the library's own allocations and compiled patterns.  It does not include the library's reserve of 512 KB
 * for calls that fail, the machine code of patterns, or the memory of libcurl and jansson, whose allocation functions the whole
 * process shares.  A call that fails because of the limit may exceed it until it returns, because some allocations, such as
 * that of a growing list, cannot be refused.  In a library that was built with RUNTIME=static, the limit applies only to
 * allocations of C code (docs/safety.md, "A limit").
 *
 * Call this function before all others: the library counts only the memory that it allocates after the first call of this
 * function.  Counting adds a few nanoseconds to each allocation.  Any thread may change the limit at any time. */
ROUTABLE_API void routable_set_memory_limit(size_t bytes);

/* Returns the number of bytes that the library has allocated since the first call of routable_set_memory_limit and has not
 * freed; 0 before that call.  Any thread may call it. */
ROUTABLE_API size_t routable_memory_used(void);

/* ------------------------------------------------------------------------------------------------
 * Status: the result of a call.  Values are never reused.
 */

typedef ROUTABLE_ENUM(routable_status) {
    /* Expected outcomes.  A function that returns one of these statuses sets no routable_error. */
    ROUTABLE_OK = 0,                 /* the call succeeded */
    ROUTABLE_NO_MATCH = 1,           /* no route matches this path.  A server should respond with 404. */
    ROUTABLE_METHOD_NOT_ALLOWED = 2, /* routes match the path, but none has this method.  A server should respond with
                                        405; routable_match_method_at lists the methods for the Allow header. */
    ROUTABLE_PENDING = 3,            /* the result is not available yet.  Wait again. */
    ROUTABLE_CANCELLED = 4,          /* the transfer was cancelled */
    ROUTABLE_IDLE = 5,               /* no transfers are in progress, or a stream or a page has no more items, or there are
                                        no more pages.  Submit more requests, or stop. */
    ROUTABLE_INTERRUPTED = 6,        /* a signal or routable_client_interrupt ended the wait; transfers continue.  Call
                                        again. */

    /* Errors in the use of this interface. */
    ROUTABLE_ERR_ARGUMENT = 16, /* an argument is not valid: for example, a required pointer is NULL, a struct has a wrong
                                   size, a flag is unknown, or the client is closed.  Correct the call; initialize each
                                   struct with its _INIT macro. */
    ROUTABLE_ERR_BUFFER = 17,   /* the buffer of routable_plan_write or the array of routable_presentation_stack is too
                                   small.  Call again with the required size: `*length` and one byte for the NUL, or
                                   `*count` elements. */

    /* The description. */
    ROUTABLE_ERR_JSON = 18,        /* the input is not valid JSON.  Correct the JSON at the offset, line and column of the
                                      error. */
    ROUTABLE_ERR_DOCUMENT = 19,    /* a document, a schema, a call in JSON, or a template is not valid: for example, it has an
                                      unknown or duplicate key, or a value of a wrong type.  Correct the place at the pointer or
                                      the offset of the error, which may suggest the nearest key. */
    ROUTABLE_ERR_CONFLICT = 20,    /* two operations match the same requests, a name is already used, or a declaration in Swift
                                      code differs from the document.
                                      Change a path or a name, or give an operation a `priority`. */
    ROUTABLE_ERR_UNSUPPORTED = 21, /* the description, the options or the call require a feature that this version does not
                                      implement.  Remove the key or the option, or use a newer version. */
    ROUTABLE_ERR_FILE = 32,        /* a file cannot be read or written, or is not a valid cookie file.  The message states the
                                      reason; correct the path, the permissions or the content. */

    /* Errors in the arguments of a request.  Nothing was sent, unless the meaning below states otherwise. */
    ROUTABLE_ERR_UNKNOWN = 22,     /* no resource, route, standalone operation, type, presenter or credential has this name, no
                                      operation has a name in `only` or `except`, or the operation declares no schema for the
                                      body or for the status.  If the error lists allowed names, use one of them; the error
                                      may also suggest the nearest name. */
    ROUTABLE_ERR_NOT_ALLOWED = 23, /* the resource does not have this operation, or the operation requires another route.  Use
                                      one of the operations or resources that the error lists as allowed. */
    ROUTABLE_ERR_ID = 24,          /* an id is missing, superfluous, ambiguous or given twice, or has an unknown name.  Correct
                                      the ids that the message names; if a resource occurs twice in the route, pass all ids by
                                      position. */
    ROUTABLE_ERR_VALUE = 25,       /* a value is not allowed: for example, an empty string or ".." as a path segment, a value of
                                      a wrong type, or invalid UTF-8.  Correct the value; the error names the parameter, if the
                                      value belongs to one. */
    ROUTABLE_ERR_SHADOWED = 26,    /* with this value, the URL would match another route or no route: for example, /gists/{id}
                                      with the id "public" is the URL of the route /gists/public.  Use another value, or set
                                      `"shadowed": true` on the operation to allow the request; the error names the other
                                      route. */
    ROUTABLE_ERR_PARAMETER = 27,   /* a required query, header or cookie parameter is missing, a query or cookie parameter is
                                      unknown, or the pagination declares no parameter for the page size.  Correct the parameter
                                      that the error names; for an unknown parameter, the error lists the parameters that the
                                      operation declares. */
    ROUTABLE_ERR_BODY = 28,        /* a body is missing, not allowed, not valid against its type, or shorter than its stated
                                      length, or the request must be sent again and the body cannot be read a second time.
                                      Correct the body; if it is not valid against its type, the error has pointers into the
                                      body and into the schema. */
    ROUTABLE_ERR_HEADER = 30,      /* HTTP does not allow the name or the value of a header, or only the client can set the
                                      header.  Remove the header, or remove control characters such as CR, LF and NUL from the
                                      header. */

    /* Performing. */
    ROUTABLE_ERR_NO_CURL = 33,     /* the library libcurl.so.4 is not installed, or is too old.  Install the package that the
                                      message names, or send the request with another HTTP client and map its response with
                                      routable_response_map. */
    ROUTABLE_ERR_TRANSFER = 34,    /* no complete response was received: for example, the host was not found, the connection was
                                      refused, reset or closed early, the response is not valid HTTP, or a redirect is not
                                      allowed (too many, from https to http, or to a scheme other than http and https).  The
                                      error has the CURLcode, if there is one; the calling program decides whether to repeat the
                                      request. */
    ROUTABLE_ERR_TIMEOUT = 35,     /* the deadline, the connect timeout or the stall timeout passed.  Repeat the request
                                      only if this is safe: the service may have processed it. */
    ROUTABLE_ERR_TLS = 36,         /* the TLS handshake failed, the certificate of the service was rejected, or the file of
                                      trusted certificates cannot be read.  Set `ca_file` for a certificate authority of your
                                      own. */
    ROUTABLE_ERR_HTTP_STATUS = 37, /* the operation does not declare the status of the response as a success; if the operation
                                      declares no success, 200 to 299 are successes.  Read the response with its headers and
                                      body from the error. */
    ROUTABLE_ERR_RESPONSE = 38,    /* the response is not what the operation declares: for example, the body is empty, has
                                      another media type, or is not valid although the call requires a valid body; a page has
                                      no array of items; or a link or cursor leads to a page that was already read.  Compare
                                      the response with the description; the error contains the response, if there is one. */
    ROUTABLE_ERR_CREDENTIAL = 39,  /* the client does not have a credential that the operation requires, the refresh of the
                                      credential failed, the credential is for another origin, or the description does not
                                      declare the scheme.  The parameter of the error is the scheme: set its credential on the
                                      client. */
    ROUTABLE_ERR_EXCESSIVE_REFRESH = 42, /* a credential was refreshed 5 times in 30 s and requires another refresh.  The
                                            service rejects its own tokens, or they expire at once: set another credential. */

    /* Any call. */
    ROUTABLE_ERR_URL = 29,      /* a URL is missing, not valid or not allowed: for example, the base is not an http or https
                                   URL, or the next page has another origin.  Correct the URL that the message names, usually
                                   the base of the document, of the options or of the call.  To follow pages to another
                                   origin, set ROUTABLE_PAGES_OTHER_ORIGINS. */
    ROUTABLE_ERR_LIMIT = 31,    /* the input, a response or a computation is over a limit (docs/embedding.md, "Limits"), too
                                   many transfers are in progress, the process has no file descriptor or thread left, or the
                                   thread has too little stack.  Pass less data, wait until transfers have completed, or raise
                                   the limit. */
    ROUTABLE_ERR_CALLBACK = 41, /* a callback failed, a required callback is NULL, there is no canned response for a request, or
                                   a canned response was used fewer times than expected.  In a presentation, the route of the
                                   error is the name of the presenter.  Python raises the exception of the callback itself. */
    ROUTABLE_ERR_MEMORY = 43,   /* memory could not be allocated, or the limit of routable_set_memory_limit is reached.  Free
                                   memory or raise the limit; then call again. */
    ROUTABLE_ERR_INTERNAL = 40  /* a bug in the library.  Please report it with the error as JSON. */
} routable_status;

/* Each enumeration is an int32_t in the ABI: compile without -fshort-enums. */
#if defined(__cplusplus) && __cplusplus >= 201103L
static_assert(sizeof(routable_status) == sizeof(int32_t), "an enumeration of routable.h is not 32 bits wide");
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(routable_status) == sizeof(int32_t), "an enumeration of routable.h is not 32 bits wide");
#endif

/* The name of a status as in error JSON: "not_allowed".  Static, never NULL; "unknown_status" for other numbers. */
ROUTABLE_API const char *routable_status_name(routable_status status);

/* ------------------------------------------------------------------------------------------------
 * Strings
 */

/* Borrowed bytes.  Frozen. */
typedef struct routable_str { const char *ptr; size_t len; } routable_str;
/* Owned bytes, followed by a NUL that `len` does not include.  Frozen. */
typedef struct routable_string { char *ptr; size_t len; } routable_string;
#define ROUTABLE_STRING_INIT { NULL, 0 }

/* Initializes a routable_str, which may be static, with a string literal. */
#define ROUTABLE_STR_INIT(literal) { "" literal, sizeof(literal) - 1 }
/* A string literal as a routable_str: ROUTABLE_STR("users").  The length is a compile-time constant.  An array or a pointer does not
 * compile: use routable_str_from for a NUL-terminated string. */
#ifdef __cplusplus
#  define ROUTABLE_STR(literal) (routable_str{ "" literal, sizeof(literal) - 1 })
#else
#  define ROUTABLE_STR(literal) ((routable_str){ "" literal, sizeof(literal) - 1 })
#endif

/* Returns a routable_str that borrows a NUL-terminated string; empty for NULL. */
static inline routable_str routable_str_from(const char *string)
{
    routable_str result;
    result.ptr = string ? string : "";
    result.len = string ? strlen(string) : 0;
    return result;
}

/* Returns a routable_str that borrows `length` bytes. */
static inline routable_str routable_str_from_bytes(const char *bytes, size_t length)
{
    routable_str result;
    result.ptr = bytes;
    result.len = length;
    return result;
}

/* Frees the string and clears the struct, so that a second call does nothing. */
ROUTABLE_API void routable_string_free(routable_string *string);

/* Releases the user_data of a callback. */
typedef void (*routable_release_fn)(void *user_data);

/* ------------------------------------------------------------------------------------------------
 * Values: for a path, a query, a header, a cookie or a body
 */

/* The kind of a value. */
typedef ROUTABLE_ENUM(routable_kind) {
    ROUTABLE_KIND_NULL = 0,    /* absent; in a form, the encoding option `nulls` determines how the value is written */
    ROUTABLE_KIND_BOOLEAN = 1, /* as.integer: 0 is false, any other number is true; the encoding determines how it is written */
    ROUTABLE_KIND_INTEGER = 2, /* as.integer: decimal, independent of the locale */
    ROUTABLE_KIND_REAL = 3,    /* as.real: the shortest decimal that parses to the same double; must be finite */
    ROUTABLE_KIND_STRING = 4,  /* as.string: valid UTF-8; as a body: any bytes */
    ROUTABLE_KIND_JSON = 5     /* as.string: one JSON value, for arrays, objects and JSON bodies */
} routable_kind;

/* One value.  Frozen. */
typedef struct routable_value {
    routable_kind kind;
    int32_t reserved; /* 0 */
    union {
        int64_t integer;
        double real;
        routable_str string;
    } as;
} routable_value;
#define ROUTABLE_VALUE_INIT { ROUTABLE_KIND_NULL, 0, { 0 } }

/* A value with its name.  Frozen. */
typedef struct routable_argument {
    const char *name; /* NULL: by position (ids only) */
    routable_value value;
} routable_argument;
#define ROUTABLE_ARGUMENT_INIT { NULL, ROUTABLE_VALUE_INIT }

/* A header field.  Frozen. */
typedef struct routable_header { routable_str name; routable_str value; } routable_header;
#define ROUTABLE_HEADER_INIT { { NULL, 0 }, { NULL, 0 } }

/* The absent value. */
static inline routable_value routable_value_null(void)
{
    routable_value value;
    memset(&value, 0, sizeof value);
    return value;
}

/* A string, which is borrowed.  Use this function for strings that may contain NUL. */
static inline routable_value routable_value_str(routable_str string)
{
    routable_value value = routable_value_null();
    value.kind = ROUTABLE_KIND_STRING;
    value.as.string = string;
    return value;
}

/* A NUL-terminated string, which is borrowed; the empty string for NULL. */
static inline routable_value routable_value_string(const char *string) { return routable_value_str(routable_str_from(string)); }

/* NUL-terminated JSON, which is borrowed. */
static inline routable_value routable_value_json(const char *json)
{
    routable_value value = routable_value_string(json);
    value.kind = ROUTABLE_KIND_JSON;
    return value;
}

/* An integer. */
static inline routable_value routable_value_integer(int64_t integer)
{
    routable_value value = routable_value_null();
    value.kind = ROUTABLE_KIND_INTEGER;
    value.as.integer = integer;
    return value;
}

/* A real, which must be finite. */
static inline routable_value routable_value_real(double real)
{
    routable_value value = routable_value_null();
    value.kind = ROUTABLE_KIND_REAL;
    value.as.real = real;
    return value;
}

/* A boolean: false if `truth` is 0, otherwise true. */
static inline routable_value routable_value_boolean(int truth)
{
    routable_value value = routable_value_integer(truth != 0);
    value.kind = ROUTABLE_KIND_BOOLEAN;
    return value;
}

/* ------------------------------------------------------------------------------------------------
 * Errors: the reason, the position, and the allowed names.  Immutable.
 */

typedef struct routable_error routable_error;
typedef struct routable_response routable_response;

/* The status that the failed call returned; ROUTABLE_OK for NULL. */
ROUTABLE_API routable_status routable_error_status(const routable_error *error);
/* One English sentence: "status: update not allowed; allowed: create, delete, read".  It contains no credential that the
 * library knows. */
ROUTABLE_API routable_str routable_error_message(const routable_error *error);
/* JSON pointer (RFC 6901) into the JSON that was passed in or received, or, for a routable_call, into the JSON form of the
 * call: "/ids/0".  "" for the root of the JSON, or if there is no pointer. */
ROUTABLE_API routable_str routable_error_pointer(const routable_error *error);
/* JSON pointer to the keyword of the schema that rejected a value; may be empty. */
ROUTABLE_API routable_str routable_error_schema_pointer(const routable_error *error);
/* Byte offset, from 0, in the JSON or template that was passed in or received; ROUTABLE_NONE if there is no offset. */
ROUTABLE_API int64_t routable_error_offset(const routable_error *error);
/* Line, and column in bytes, of the offset, or of the place in a YAML document, which has no offset; both start at 1, and are 0 if
 * there is no such place. */
ROUTABLE_API size_t routable_error_line(const routable_error *error);
ROUTABLE_API size_t routable_error_column(const routable_error *error);
/* The route ("user.status"), the operation and the parameter that the error is about; each may be empty. */
ROUTABLE_API routable_str routable_error_route(const routable_error *error);
ROUTABLE_API routable_str routable_error_operation(const routable_error *error);
ROUTABLE_API routable_str routable_error_parameter(const routable_error *error);
/* The allowed names, sorted by their bytes; empty if the index is out of range. */
ROUTABLE_API size_t routable_error_allowed_count(const routable_error *error);
ROUTABLE_API routable_str routable_error_allowed_at(const routable_error *error, size_t index);
/* The allowed name that is most similar to the rejected one; may be empty. */
ROUTABLE_API routable_str routable_error_suggestion(const routable_error *error);
/* The HTTP status of the response, and the CURLcode of the transfer; 0 if there is none. */
ROUTABLE_API int32_t routable_error_http_status(const routable_error *error);
ROUTABLE_API int32_t routable_error_curl_code(const routable_error *error);
/* The response of the service with its headers and body, or NULL if there is none. */
ROUTABLE_API const routable_response *routable_error_response(const routable_error *error);
/* The next error of the same call, if a document or value has several; otherwise NULL. */
ROUTABLE_API const routable_error *routable_error_next(const routable_error *error);
/* All properties of the error as one JSON object (docs/schema/error.schema.json).  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_error_to_json(const routable_error *error, routable_string *out);
/* Frees the error and the further errors that routable_error_next returns. */
ROUTABLE_API void routable_error_free(routable_error *error);

#ifdef __cplusplus
}
#endif
#endif
