/* routable_request.h - requests, which can be inspected and edited before they are sent.
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_REQUEST_H
#define ROUTABLE_REQUEST_H

#include "routable_router.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A call: the arguments of a request.  The members have the same names as the keys of a call in JSON (docs/json-tier.md). */
typedef struct routable_call {
    size_t size;           /* sizeof(routable_call) */
    const char *route;     /* a path through the graph of resources, "user.status"; NULL for a standalone operation */
    const char *operation; /* name of the operation, such as "read"; not NULL */
    const routable_argument *ids; /* ids of the resources: in the order of the route, or all by name */
    size_t id_count;
    const routable_argument *query; /* declared query parameters */
    size_t query_count;
    const routable_argument *parameters; /* undeclared parameters, written with the encoding of the operation; NULL: none; a
                                            pointer with a count of 0: an empty form, which in a body is {} with the JSON
                                            encoding, and otherwise an empty body */
    size_t parameter_count;
    const routable_argument *headers; /* declared header parameters, and any other headers; each name once */
    size_t header_count;
    const routable_argument *cookies; /* declared cookie parameters */
    size_t cookie_count;
    routable_value body;      /* ROUTABLE_KIND_NULL: no body; ROUTABLE_KIND_STRING: bytes, sent unchanged; ROUTABLE_KIND_JSON,
                                 numbers and booleans: a JSON value, encoded for the content type */
    const char *content_type; /* NULL: the content type of the operation; requires a body, and cannot replace that of a form */
    const char *base;         /* NULL: the base of the router */
    int64_t allow_empty_ids;  /* 1: each id that is a whole segment may be the empty string */
} routable_call;
#define ROUTABLE_CALL_INIT \
    { sizeof(routable_call), NULL, NULL, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, ROUTABLE_VALUE_INIT, NULL, NULL, 0 }

typedef struct routable_request routable_request;

/* Builds a request.  Unless the call or the description has a header Accept, the request asks for the media types that the
 * operation declares for its successes.
 * Statuses: UNKNOWN, NOT_ALLOWED, ID, VALUE, SHADOWED, PARAMETER, BODY, HEADER, URL, JSON, DOCUMENT (the schema of the body is
 * not valid), UNSUPPORTED (the base is a Unix socket), LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_new(
    const routable_router *router, const routable_call *call, routable_request **out, routable_error **error);
/* Copies a request.  The copy can be edited, or sent at the same time as the original.  Both share their sources, targets and
 * progress callbacks (routable_bodies.h); a request that has one of these must not be in progress at the same time as its copy.
 * Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_copy(
    const routable_request *request, routable_request **out, routable_error **error);
/* Frees the request.  A transfer of the request that is in progress continues. */
ROUTABLE_API void routable_request_free(routable_request *request);

/* The method ("GET"), the whole URL, and the route ("user.status") and the operation ("read") of the request.  Strings that are
 * borrowed from a request are valid until it is edited or freed. */
ROUTABLE_API routable_str routable_request_method(const routable_request *request);
ROUTABLE_API routable_str routable_request_url(const routable_request *request);
ROUTABLE_API routable_str routable_request_route(const routable_request *request);
ROUTABLE_API routable_str routable_request_operation(const routable_request *request);

/* The number of headers, and the name and the value of one header, in order; both are empty if the index is out of range. */
ROUTABLE_API size_t routable_request_header_count(const routable_request *request);
ROUTABLE_API routable_header routable_request_header_at(const routable_request *request, size_t index);
/* The value of the first header with this name (ASCII case is ignored); empty if there is none. */
ROUTABLE_API routable_str routable_request_header(const routable_request *request, const char *name);
/* The number of headers with this name (ASCII case is ignored), and the value of one of them, which is empty if the index is
 * out of range. */
ROUTABLE_API size_t routable_request_header_value_count(const routable_request *request, const char *name);
ROUTABLE_API routable_str routable_request_header_value_at(const routable_request *request, const char *name, size_t index);

/* routable_request_has_body returns 0 if the request has no body, 1 if the body is in memory, and 2 if the body is read from
 * files or a source while it is sent.  routable_request_body returns the body if it is in memory, and otherwise the empty
 * string. */
ROUTABLE_API int32_t routable_request_has_body(const routable_request *request);
ROUTABLE_API routable_str routable_request_body(const routable_request *request);

/* Replaces all headers with this name (ASCII case is ignored), or adds one.  Statuses: HEADER, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_header(
    routable_request *request, const char *name, routable_str value, routable_error **error);
/* Removes all headers with this name, if any.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_remove_header(
    routable_request *request, const char *name, routable_error **error);
/* Makes the request conditional on the resource being unchanged (RFC 9110 section 13.1).  Sets If-Match to `etag`, the ETag of
 * an earlier response (routable_response_header(response, "ETag")), and removes If-Unmodified-Since.  If `etag` is empty or not
 * a valid ETag, sets If-Unmodified-Since to `last_modified`, the Last-Modified of that response, and removes If-Match.  If the
 * resource has changed, the service responds with 412, and performing the request fails with ROUTABLE_ERR_HTTP_STATUS.  A weak
 * ETag is rejected, because If-Match never matches a weak ETag.
 * Statuses: VALUE (a weak ETag, or neither a valid ETag nor `last_modified`), HEADER, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_if_match(
    routable_request *request, routable_str etag, routable_str last_modified, routable_error **error);
/* Makes the request conditional on the resource having changed since an earlier response (RFC 9110 section 13.1).  Sets
 * If-None-Match to `etag`, the ETag of that response, which may be weak or strong, and removes If-Modified-Since.  If `etag` is
 * empty or not a valid ETag, sets If-Modified-Since to `last_modified`, the Last-Modified of that response, and removes
 * If-None-Match.  If the resource is unchanged, the service responds with 304, and performing the request succeeds with a
 * response without a body.
 * Statuses: VALUE (neither a valid ETag nor `last_modified`), HEADER, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_if_none_match(
    routable_request *request, routable_str etag, routable_str last_modified, routable_error **error);
/* Sets the body, which is sent unchanged.  If `content_type` is NULL, the Content-Type header does not change.
 * Statuses: HEADER, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_set_body(
    routable_request *request, routable_str body, const char *content_type, routable_error **error);
/* Removes the body, if any, but not the Content-Type header.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_remove_body(
    routable_request *request, routable_error **error);

/* The request as JSON (docs/schema/request.schema.json).  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_to_json(
    const routable_request *request, routable_string *out, routable_error **error);

enum { ROUTABLE_SHOW_SECRETS = 1 }; /* show credentials instead of masking them */
/* The request as a curl command that is safe to paste into a POSIX shell.  Credentials are masked unless `flags` has
 * ROUTABLE_SHOW_SECRETS.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_to_curl(
    const routable_request *request, uint32_t flags, routable_string *out, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
