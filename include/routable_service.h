/* routable_service.h - reads a request that a server has received to its call: the inverse of building (docs/service.md).
 *
 *     routable_incoming incoming = ROUTABLE_INCOMING_INIT;
 *     incoming.method = "GET";  incoming.target = ROUTABLE_STR("/v1/users/ann/statuses/3?page=2");
 *     if (routable_received_new(api, &incoming, NULL, &received, &error) == ROUTABLE_OK)
 *         puts(routable_received_value(received, ROUTABLE_IN_PATH, "id").as.string.ptr);     -> 3
 *     else
 *         answer(routable_error_http_status(error), routable_error_message(error));
 *
 * For every call that a request can be built from, reading the request returns the call in its normal form; building the call
 * that was read returns the request, up to its spelling (docs/service.md, "Normal form").
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_SERVICE_H
#define ROUTABLE_SERVICE_H

#include "routable_introspection.h"
#include "routable_json_value.h"
#include "routable_request.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A request as a server has received it. */
typedef struct routable_incoming {
    size_t size;        /* sizeof(routable_incoming) */
    const char *method; /* "GET" */
    routable_str target; /* the path and the query ("/v1/users?page=2"), or a URL, whose scheme and host are ignored */
    const routable_header *headers;
    size_t header_count;
    routable_str body;  /* without a transfer coding; empty for none */
} routable_incoming;
#define ROUTABLE_INCOMING_INIT { sizeof(routable_incoming), NULL, { NULL, 0 }, NULL, 0, { NULL, 0 } }

enum {
    ROUTABLE_RECEIVE_REFUSE_UNDECLARED = 1,   /* query parameters and headers that the call cannot hold are errors; by default,
                                                 routable_received_ignored_at lists them */
    ROUTABLE_RECEIVE_REQUIRE_CREDENTIALS = 2  /* a request without the credentials that the operation requires is refused with
                                                 ROUTABLE_ERR_CREDENTIAL.  The library does not verify credentials. */
};

/* Options for reading requests. */
typedef struct routable_receive_options {
    size_t size;           /* sizeof(routable_receive_options) */
    const char *base_path; /* the path in front of the paths of the API: "" for none, "/gateway/v1" behind a proxy with a prefix;
                              NULL: the path of the base of the description */
    size_t max_errors;     /* maximum number of errors, which are linked by routable_error_next; 0: 16; the maximum is 256 */
    size_t max_body_bytes; /* maximum size of the body; 0: 64 MiB */
    uint32_t flags;        /* ROUTABLE_RECEIVE_* */
} routable_receive_options;
#define ROUTABLE_RECEIVE_OPTIONS_INIT { sizeof(routable_receive_options), NULL, 0, 0, 0 }

/* A request that was read. */
typedef struct routable_received routable_received;

/* Reads a request: finds its operation, parses the ids, the query, the headers, the cookies and the body by the types and styles
 * that the description declares, and validates them.  A HEAD request of a path without an operation for HEAD is read as a GET
 * request.
 *
 * If the request is no call, the error lists all reasons, up to `max_errors`: each one has the pointer of its place in the JSON
 * of the call ("/query/limit", "/body/name"), and routable_error_http_status returns the HTTP status of the response that a
 * service should send: 400, 401, 404, 405 (routable_error_allowed_at lists the methods for the Allow header), 413, 415 or 422.
 * This function also sets `*error` for NO_MATCH and METHOD_NOT_ALLOWED.
 * Statuses: NO_MATCH, METHOD_NOT_ALLOWED, URL (the target), HEADER, CREDENTIAL, VALUE, PARAMETER, BODY, JSON, LIMIT, DOCUMENT
 * (the schema of the body is not valid), UNSUPPORTED, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_received_new(
    const routable_router *router, const routable_incoming *incoming, const routable_receive_options *options,
    routable_received **out, routable_error **error);
/* Reads another request of the same description into the object, which requires fewer allocations than a new object.  Strings
 * that were borrowed from the object are then no longer valid.  If the request is refused, the object is empty: its strings are
 * empty, and its counts are 0.  Otherwise like routable_received_new.
 * Statuses: those of routable_received_new.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_received_reset(
    routable_received *received, const routable_incoming *incoming, const routable_receive_options *options,
    routable_error **error);
/* Frees the object.  Since 0.2.0. */
ROUTABLE_API void routable_received_free(routable_received *received);

/* The route ("user.status"), which is empty for a standalone operation, and the operation.  The operation is borrowed from the
 * router; it is NULL if the object is empty.  Since 0.2.0. */
ROUTABLE_API routable_str routable_received_route(const routable_received *received);
ROUTABLE_API const routable_operation *routable_received_operation(const routable_received *received);

/* A value with its place and its name.  Frozen. */
typedef struct routable_received_item {
    routable_location location;
    int32_t reserved;     /* 0 */
    routable_str name;    /* of an id: the name that calls use, "user_id" or "id" */
    routable_value value; /* a string, an integer, a boolean, or JSON: arrays, objects and other numbers */
} routable_received_item;
#define ROUTABLE_RECEIVED_ITEM_INIT { ROUTABLE_IN_PATH, 0, { NULL, 0 }, ROUTABLE_VALUE_INIT }

/* The values of the path, the query, the headers and the cookies, in this order, with the declared defaults of absent
 * parameters.  Undeclared headers are included, except those of the connection, the credentials and the headers that the
 * description sends with every request.  If the index is out of range, the kind is ROUTABLE_KIND_NULL.  Since 0.2.0. */
ROUTABLE_API size_t routable_received_value_count(const routable_received *received);
ROUTABLE_API routable_received_item routable_received_value_at(const routable_received *received, size_t index);
/* The value with this name in one part of the request (the ASCII case of header names is ignored); ROUTABLE_KIND_NULL if there is
 * none.  Since 0.2.0. */
ROUTABLE_API routable_value routable_received_value(
    const routable_received *received, routable_location location, const char *name);

/* The bytes of the body as they were received, and its Content-Type.  Since 0.2.0. */
ROUTABLE_API routable_str routable_received_body(const routable_received *received);
ROUTABLE_API routable_str routable_received_content_type(const routable_received *received);
/* The value of the body: JSON, or the fields of a form or a multipart body with the types that the schema declares.  Statuses:
 * NO_MATCH (there is no body, or it is not one of these), LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_received_json_value(
    const routable_received *received, routable_json_values **out, routable_error **error);

/* The credentials of the request, for the schemes that the operation accepts: the name of the scheme, and the token, the key, or
 * "name:password".  The library knows where a credential is; the program verifies it.  Since 0.2.0. */
ROUTABLE_API size_t routable_received_credential_count(const routable_received *received);
ROUTABLE_API routable_str routable_received_credential_scheme_at(const routable_received *received, size_t index);
ROUTABLE_API routable_str routable_received_credential_at(const routable_received *received, size_t index);

/* The names of query parameters and headers of the request that the call does not hold: parameters that are not declared, if the
 * operation writes undeclared parameters into its body, and headers that are not UTF-8.  Since 0.2.0. */
ROUTABLE_API size_t routable_received_ignored_count(const routable_received *received);
ROUTABLE_API routable_str routable_received_ignored_at(const routable_received *received, size_t index);

/* The call as JSON (docs/schema/call.schema.json), from which routable_request_new_json builds the request again.
 * Statuses: NO_MATCH (the object is empty), LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_received_to_json(
    const routable_received *received, routable_string *out, routable_error **error);

enum { ROUTABLE_PROBLEM_400 = 1 }; /* the HTTP status is 400 instead of 422 */

/* The response to a request that was refused, as a problem document (RFC 9457, application/problem+json): "status", "title",
 * "detail", and "errors", a list of all reasons, each with "detail", and with "pointer" (into the body), or "parameter" and "in".
 * `http_status`, `header_name` and `header_value` may be NULL.  The header is one that the status requires: Allow for 405,
 * WWW-Authenticate for 401, Accept for 415; the strings are empty for none.  An error that no request caused becomes a document
 * with the status 500, which contains nothing of the error.
 * Statuses: ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_error_problem(
    const routable_error *error, uint32_t flags, int32_t *http_status, routable_string *header_name, routable_string *header_value,
    routable_string *json);

#ifdef __cplusplus
}
#endif
#endif
