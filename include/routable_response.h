/* routable_response.h - a response: status, headers, body, and the outcome of mapping the body.  Immutable.
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_RESPONSE_H
#define ROUTABLE_RESPONSE_H

#include "routable_router.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The result of mapping the body to the declared type. */
typedef ROUTABLE_ENUM(routable_outcome) {
    ROUTABLE_OUTCOME_EMPTY = 0,      /* no body; a response to HEAD; a body that was written to a target (routable_bodies.h) and is
                                        therefore not in the response; or a result that is declared as null */
    ROUTABLE_OUTCOME_SELF = 1,       /* the body is one value of the declared kind, such as an object; routable_response_deviation_at
                                        states where it is not valid against the declared type */
    ROUTABLE_OUTCOME_DICTIONARY = 2, /* an object whose values all have the declared type; only with "outcome": "any" */
    ROUTABLE_OUTCOME_ARRAY = 3,      /* an array, for lists; with "outcome": "any", an array whose elements all have the declared type */
    ROUTABLE_OUTCOME_RAW = 4         /* the body has another kind, such as an array where an object is declared, is not JSON, has
                                        another media type, or was not validated: for example, no type is declared */
} routable_outcome;

/* The name of an outcome as in the JSON of a response: "self".  Static, never NULL; "unknown_outcome" for other numbers. */
ROUTABLE_API const char *routable_outcome_name(routable_outcome outcome);

/* Maps a response that another HTTP client has received to the declared type of the operation.  Neither a routable_client nor
 * libcurl is required.  `http_status` must be 100 to 999.  If the operation does not declare the status as a success (default:
 * 200 to 299), the function returns ROUTABLE_ERR_HTTP_STATUS, and the error contains the response.  `route` is NULL for a
 * standalone operation.
 * Statuses: UNKNOWN, NOT_ALLOWED, HTTP_STATUS, HEADER, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_response_map(
    const routable_router *router, const char *route, const char *operation, int32_t http_status,
    const routable_header *headers, size_t header_count, routable_str body, routable_response **out,
    routable_error **error);
/* Frees the response.  JSON values that were made from it remain valid: they hold a reference to the body. */
ROUTABLE_API void routable_response_free(routable_response *response);

/* The HTTP status. */
ROUTABLE_API int32_t routable_response_status(const routable_response *response);

/* All headers in order; two empty strings if the index is out of range. */
ROUTABLE_API size_t routable_response_header_count(const routable_response *response);
ROUTABLE_API routable_header routable_response_header_at(const routable_response *response, size_t index);
/* The value of the first header with this name (ASCII case is ignored), or empty. */
ROUTABLE_API routable_str routable_response_header(const routable_response *response, const char *name);
/* All values of the header with this name (ASCII case is ignored), which can be repeated, such as Set-Cookie; empty if the
 * index is out of range. */
ROUTABLE_API size_t routable_response_header_value_count(const routable_response *response, const char *name);
ROUTABLE_API routable_str routable_response_header_value_at(
    const routable_response *response, const char *name, size_t index);

/* The bytes of the body, after content decoding; empty if the body was written to a target (routable_bodies.h). */
ROUTABLE_API routable_str routable_response_body(const routable_response *response);
/* The outcome of mapping the body; ROUTABLE_OUTCOME_EMPTY for NULL. */
ROUTABLE_API routable_outcome routable_response_outcome(const routable_response *response);
/* One place where a response deviates from its description.  Strings are borrowed from the response.  Since 0.2.0. */
typedef struct routable_deviation {
    size_t size;                 /* sizeof(routable_deviation) */
    routable_str pointer;        /* JSON pointer (RFC 6901) to the value in the body; empty: the whole body, or its headers */
    routable_str schema_pointer; /* JSON pointer to the keyword of the schema that rejects the value; empty if no schema is
                                    involved: the body is empty, is not JSON, or has another media type or character set */
    routable_str message;        /* what the description states, as one sentence */
    routable_str found;          /* what the service sent: the JSON of the value, or the beginning of a long one; empty for a
                                    missing member, and if the body is not JSON.  May contain secrets of the service */
} routable_deviation;
#define ROUTABLE_DEVIATION_INIT { sizeof(routable_deviation), { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 } }

/* The number of places where the response deviates from its description, at most 100: the last one then states that there are
 * more.  0 if the response deviates nowhere, and for a client or request with ROUTABLE_DEVIATIONS_IGNORE (routable_client.h).
 * Since 0.2.0. */
ROUTABLE_API size_t routable_response_deviation_count(const routable_response *response);
/* Writes a deviation and returns 1.  Returns 0, and writes nothing, if the index is out of range or `out->size` is wrong.  Since
 * 0.2.0. */
ROUTABLE_API int32_t routable_response_deviation_at(const routable_response *response, size_t index, routable_deviation *out);
/* Returns ROUTABLE_ERR_RESPONSE if the response deviates from its description, and ROUTABLE_OK otherwise.  The error contains the
 * response, and the pointers of its first deviation.  Since 0.2.0.
 * Statuses: RESPONSE, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_response_check(const routable_response *response, routable_error **error);
/* The first deviation, for programs that were compiled with 0.1.0; others call routable_response_deviation_at.  Its message, the
 * pointer to the value in the body, and the pointer to the keyword of the schema; empty if the response does not deviate. */
ROUTABLE_API routable_str routable_response_reason(const routable_response *response);
ROUTABLE_API routable_str routable_response_reason_pointer(const routable_response *response);
ROUTABLE_API routable_str routable_response_reason_schema_pointer(const routable_response *response);
/* The name of the type that the operation declares for a response with this status; for the operation list, the type of the
 * elements.  Empty if no type is declared, or if the type has no name. */
ROUTABLE_API routable_str routable_response_type(const routable_response *response);
/* The URL of the response, after redirects; empty for a response from routable_response_map, and from routable_stream_response
 * before the end of the stream. */
ROUTABLE_API routable_str routable_response_url(const routable_response *response);

/* The version of HTTP: 10, 11, 20 or 30; 0 for a response from a transport, a middleware or routable_response_map, and from
 * routable_stream_response before the end of the stream. */
ROUTABLE_API int32_t routable_response_http_version(const routable_response *response);

/* Details of a response that further functions return. */
enum {
    ROUTABLE_RESPONSE_HAS_DEVIATIONS = 1, /* routable_response_deviation_count is not 0 */
    ROUTABLE_RESPONSE_HAS_REASON = 1,     /* the name in 0.1.0 */
    ROUTABLE_RESPONSE_HAS_TRACE = 2       /* routable_response_trace is not NULL */
};

/* The parts of a response in one call, for bindings.  Everything is borrowed.  Frozen. */
typedef struct routable_response_parts {
    int32_t http_status; /* 0: no response */
    routable_outcome outcome;
    routable_str headers; /* for each field: name, NUL, value, NUL */
    routable_str body;
    routable_str url;
    routable_str type;    /* see routable_response_type */
    int32_t http_version; /* see routable_response_http_version */
    uint32_t details;     /* ROUTABLE_RESPONSE_HAS_* flags */
} routable_response_parts;
#define ROUTABLE_RESPONSE_PARTS_INIT { 0, ROUTABLE_OUTCOME_EMPTY, { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, 0, 0 }

/* Writes the parts of a response to `*out`; zeros and empty strings if the response is NULL. */
ROUTABLE_API void routable_response_read(const routable_response *response, routable_response_parts *out);

/* The response as JSON (docs/schema/response.schema.json).  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_response_to_json(
    const routable_response *response, routable_string *out, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
