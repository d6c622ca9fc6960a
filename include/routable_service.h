/* routable_service.h - reads a request that a server has received to its call, the inverse of building, and makes the response
 * that the description allows (docs/service.md).
 *
 *     routable_incoming incoming = ROUTABLE_INCOMING_INIT;
 *     incoming.method = "GET";  incoming.target = ROUTABLE_STR("/v1/users/ann/statuses/3?page=2");
 *     if (routable_received_new(api, &incoming, NULL, &received, &error) == ROUTABLE_OK)
 *         puts(routable_received_value(received, ROUTABLE_IN_PATH, "id").as.string.ptr);     -> 3
 *     if (received && routable_answer_new(received, 0, routable_value_json("[1]"), NULL, &answer, &error) == ROUTABLE_OK)
 *         send(routable_answer_status(answer), routable_answer_body(answer));
 *     else if (routable_answer_new_refused(error, incoming.method, 0, &answer, NULL) == ROUTABLE_OK)
 *         send(routable_answer_status(answer), routable_answer_body(answer));
 *
 * For every call that a request can be built from, reading the request returns the call in its normal form; building the call
 * that was read returns the request, up to its spelling (docs/service.md, "Normal form").
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_SERVICE_H
#define ROUTABLE_SERVICE_H

#include "routable_bodies.h"
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
                                                 ROUTABLE_ERR_CREDENTIAL, which is then the only reason.  `verify` verifies the
                                                 credentials. */
};

/* Verifies a credential: the name of its scheme, and the token, the key, or "name:password".  Returns ROUTABLE_OK for a good one, and
 * ROUTABLE_ERR_CREDENTIAL for one that is not; any other status is a failure of the program, and ends the reading with
 * ROUTABLE_ERR_CALLBACK.  The strings are valid during the call. */
typedef routable_status (*routable_verify_fn)(routable_str scheme, routable_str credential, void *user_data);

/* Options for reading requests. */
typedef struct routable_receive_options {
    size_t size;           /* sizeof(routable_receive_options) */
    const char *base_path; /* the path in front of the paths of the API: "" for none, "/gateway/v1" behind a proxy with a prefix;
                              NULL: the path of the base of the description */
    size_t max_errors;     /* maximum number of errors, which are linked by routable_error_next; 0: 16; the maximum is 256 */
    size_t max_body_bytes; /* maximum size of the body, with and without its content coding; 0: 64 MiB.  A request with
                              a larger Content-Length is also refused if `body` is empty, so that a program can call the function
                              before it reads the body */
    uint32_t flags;        /* ROUTABLE_RECEIVE_* */
    routable_verify_fn verify; /* called once for each scheme that has a credential in the request and that the operation accepts, before
                              anything but the path is read; NULL: the program verifies the credentials later.  With it, a request
                              without the credentials that the operation requires is refused, and the object has the credentials of
                              the first alternative whose credentials are all good.  For a certificate, and for headers of a scheme
                              that the library does not know, the credential is empty: the program decides. */
    void *user_data;       /* of `verify` */
} routable_receive_options;
#define ROUTABLE_RECEIVE_OPTIONS_INIT { sizeof(routable_receive_options), NULL, 0, 0, 0, NULL, NULL }

/* A request that was read. */
typedef struct routable_received routable_received;

/* Reads a request: finds its operation, parses the ids, the query, the headers, the cookies and the body by the types and styles
 * that the description declares, and validates them.  A HEAD request of a path without an operation for HEAD is read as a GET
 * request.
 *
 * If the request is no call, the error lists all reasons, up to `max_errors`: each one has the pointer of its place in the JSON
 * of the call ("/query/limit", "/body/name"), and routable_error_http_status returns the HTTP status of the response that a
 * service should send: 400, 401, 404, 405 (routable_error_allowed_at lists the methods for the Allow header, with HEAD
 * if there is GET), 413, 415 or 422.
 * This function also sets `*error` for NO_MATCH and METHOD_NOT_ALLOWED.
 * Statuses: NO_MATCH, METHOD_NOT_ALLOWED, URL (the target), HEADER, CREDENTIAL, VALUE, PARAMETER, BODY, JSON, LIMIT, DOCUMENT
 * (the schema of the body is not valid), CALLBACK (`verify` failed), UNSUPPORTED, ARGUMENT.  Since 0.2.0. */
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
    routable_value value; /* a string, an integer, a boolean, or JSON: arrays, objects, and numbers that are no 64-bit integer.  Its
                             `kind` says which; an integer of the description may have any number of digits. */
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

/* The bytes of the body without its content coding (gzip or deflate), and its Content-Type.  Since 0.2.0. */
ROUTABLE_API routable_str routable_received_body(const routable_received *received);
ROUTABLE_API routable_str routable_received_content_type(const routable_received *received);
/* The value of the body: JSON, or the fields of a form or a multipart body with the types that the schema declares.  Statuses:
 * NO_MATCH (there is no body, or it is not one of these), LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_received_json_value(
    const routable_received *received, routable_json_values **out, routable_error **error);

/* The credentials of the request, for the schemes that the operation accepts: the name of the scheme, and the token, the key, or
 * "name:password".  The library knows where a credential is; the program verifies it, here or with `verify` of the options.  Since 0.2.0. */
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
 * WWW-Authenticate for 401, Accept or Accept-Encoding for 415; the strings are empty for none.  An error that no request caused
 * becomes a document with the status 500, which contains nothing of the error.
 * Statuses: ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_error_problem(
    const routable_error *error, uint32_t flags, int32_t *http_status, routable_string *header_name, routable_string *header_value,
    routable_string *json);

/* ------------------------------------------------------------------------------------------------
 * Answers: the responses of a service
 */

/* Evaluates the preconditions of the request (RFC 9110 section 13.2.2) for the current ETag of the resource, such as "\"7\"" or
 * "W/\"7\""; NULL: the resource does not exist, or has no ETag.  Call this function before the program changes the resource.
 * Sets `*http_status` to 0 if the program should continue, and otherwise to the HTTP status of the response: 412, because If-Match
 * has no ETag that is equal in the strong comparison, or because If-None-Match of a request that is neither GET nor HEAD has one
 * that is equal in the weak comparison; 304, because If-None-Match of a GET or HEAD request has one.
 * Statuses: VALUE (the ETag is not valid), ARGUMENT (also: the object is empty).  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_received_precondition(
    const routable_received *received, const char *etag, int32_t *http_status, routable_error **error);

/* Provides the next item of a body: JSON as `data`, or for EVENTS any text, and for EVENTS optionally `event` and `id`.  The
 * strings must be valid until the next call.  Returns ROUTABLE_OK, ROUTABLE_IDLE at the end, ROUTABLE_PENDING if there is no item
 * yet, or another status if the body fails. */
typedef routable_status (*routable_item_fn)(routable_stream_item *item, void *user_data);

/* Options of an answer.  At most one of file, descriptor and next may be set, and only with a value of ROUTABLE_KIND_NULL. */
typedef struct routable_answer_options {
    size_t size;                     /* sizeof(routable_answer_options) */
    const routable_header *headers;  /* further headers, except those of the connection, Content-Length and Transfer-Encoding */
    size_t header_count;
    const char *content_type;        /* NULL: the declared media type that the request prefers */
    const char *etag;                /* the ETag of the resource, "\"7\"" or "W/\"7\""; NULL: none */
    const char *location;            /* the value of Location; NULL: none */
    const char *location_route;      /* Location is the path of a request: its route ("user.note"); NULL: none */
    const char *location_operation;  /* the operation of that route; NULL: "read" */
    const routable_argument *location_ids; /* ids as in routable_call */
    size_t location_id_count;
    const char *file;                /* the body is the file with this path; NULL: none */
    int32_t descriptor;              /* the body is the rest of this regular file, which the library does not close; ROUTABLE_NONE:
                                        none */
    routable_stream_kind next_kind;  /* the body of `next`: LINES (JSON Lines) or EVENTS (server-sent events) */
    routable_item_fn next;           /* the body consists of items; NULL: none */
    void *user_data;                 /* of `next` */
    routable_release_fn release;     /* called with `user_data` when the answer is freed or routable_answer_new fails; or NULL */
    size_t max_errors;               /* maximum number of errors of a value, linked by routable_error_next; 0: 16; the maximum
                                        is 256 */
} routable_answer_options;
#define ROUTABLE_ANSWER_OPTIONS_INIT \
    { sizeof(routable_answer_options), NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, ROUTABLE_NONE, \
      ROUTABLE_STREAM_LINES, NULL, NULL, NULL, 0 }

/* A response: its status, its headers and its body.  (A routable_reply is what a transport of a client replies.) */
typedef struct routable_answer routable_answer;

/* Makes the response to a request, and validates it against the description before anything is sent.
 *
 * `http_status` is 200 to 599, or 0 for the usual status: the first success that the operation declares, if there is no body the
 * first one without a type.  A status under 400 that the operation does not declare is refused, except 304; a status from 400 is
 * allowed.
 * `value` is like the body of a routable_call.  ROUTABLE_KIND_NULL: no body, unless the options have one; JSON, numbers and
 * booleans: a JSON value, which must be valid against the type that is declared for the status and the media type; it is sent
 * without white space.  ROUTABLE_KIND_STRING: bytes, which are sent unchanged, and are validated only if their media type is JSON.
 * Files are not validated; items of JSON Lines must be JSON.
 * The media type is the declared one that the Accept header of the request prefers (RFC 9110 section 12.5.1).  If it accepts none,
 * a status under 400 of a GET or HEAD request is refused with ROUTABLE_ERR_VALUE and the HTTP status 406; other requests may have
 * changed something, and are answered with the first media type.
 * An answer to a HEAD request has no body and the Content-Length of the body.  With an `etag`, a success of a GET or HEAD request
 * becomes 304 if routable_received_precondition requires it, or is refused with ROUTABLE_ERR_VALUE and the HTTP status 412.
 * Location is a path below the base path of the received request.
 *
 * Errors have the HTTP status of the response that the service should send (routable_answer_new_refused): 406, 412, or 0 for a
 * mistake of the program, which is answered with 500.
 * Statuses: UNKNOWN (the status is not declared), BODY (the value is not valid, or a body is missing, or not allowed, or its media
 * type is not declared), JSON, VALUE, HEADER, FILE, LIMIT, DOCUMENT, those of routable_request_new for the location, ARGUMENT
 * (also: the object is empty).  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_answer_new(
    const routable_received *received, int32_t http_status, routable_value value, const routable_answer_options *options,
    routable_answer **out, routable_error **error);
/* Makes the response to a request that was refused: the problem document of routable_error_problem with its header.  `refused` is
 * an error of routable_received_new, routable_answer_new or any other function.  `method` is the method of the request.  For an
 * OPTIONS request that was refused with ROUTABLE_METHOD_NOT_ALLOWED, the response has the status 204 and Allow.  `flags`:
 * ROUTABLE_PROBLEM_400.
 * Statuses: ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_answer_new_refused(
    const routable_error *refused, const char *method, uint32_t flags, routable_answer **out, routable_error **error);
/* Makes a problem document by which the program refuses a request: `http_status` is 400 to 599, and `detail` is one sentence, or
 * empty.  `received` may be NULL.  Of the options, which may be NULL, only the headers apply.
 * Statuses: HEADER, VALUE (the detail is not UTF-8), LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_answer_new_problem(
    const routable_received *received, int32_t http_status, routable_str detail, const routable_answer_options *options,
    routable_answer **out, routable_error **error);
/* Frees the answer.  Since 0.2.0. */
ROUTABLE_API void routable_answer_free(routable_answer *answer);

/* The HTTP status; 0 for NULL.  Since 0.2.0. */
ROUTABLE_API int32_t routable_answer_status(const routable_answer *answer);
/* The headers, with Content-Type and Content-Length; both strings are empty if the index is out of range.  Since 0.2.0. */
ROUTABLE_API size_t routable_answer_header_count(const routable_answer *answer);
ROUTABLE_API routable_header routable_answer_header_at(const routable_answer *answer, size_t index);
/* The value of the first header with this name (ASCII case is ignored), or empty.  Since 0.2.0. */
ROUTABLE_API routable_str routable_answer_header(const routable_answer *answer, const char *name);
/* The body, if it is in memory; otherwise empty.  Since 0.2.0. */
ROUTABLE_API routable_str routable_answer_body(const routable_answer *answer);
/* The number of bytes to send; ROUTABLE_NONE for items, whose number is unknown.  Since 0.2.0. */
ROUTABLE_API int64_t routable_answer_body_length(const routable_answer *answer);
/* The descriptor of a body that is a file; otherwise ROUTABLE_NONE.  The body begins at its position, which routable_answer_next
 * does not change.  The answer closes a file that was given by its path.  Since 0.2.0. */
ROUTABLE_API int32_t routable_answer_descriptor(const routable_answer *answer);
/* Reads the next piece of the body, from memory, the file or the items.  `*out` is borrowed until the next call or until the answer
 * is freed.  Statuses: IDLE (the end), PENDING (there is no item yet), FILE, JSON (an item is not JSON), VALUE (an event has a
 * line break in its type or id, or is not UTF-8), CALLBACK (`next` failed), LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_answer_next(
    routable_answer *answer, routable_str *out, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
