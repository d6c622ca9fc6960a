/* routable_json.h - the JSON tier: functions whose input and output are JSON (docs/json-tier.md).
 *
 * One function call builds a request, or builds and performs it.  All parameters are pointers, lengths and integers, never a
 * struct by value, so any foreign function interface can use this header with routable_router_open, routable_client_new and the
 * `*_free` functions:
 *
 *     routable_string json = ROUTABLE_STRING_INIT;
 *     if (routable_build_json(api, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"ann\"]}", ROUTABLE_NUL_TERMINATED,
 *             &json, &error) == ROUTABLE_OK)
 *         puts(json.ptr);
 *     routable_string_free(&json);
 *
 * Input      `const char *` with a length in bytes, or ROUTABLE_NUL_TERMINATED.  The library reads the string only during the
 *            call.
 * Output     `routable_string *` receives a pointer and a length, which the caller must free with routable_string_free.
 * Errors     Positions (pointer, offset, line, column) refer to the JSON that was passed in; for ROUTABLE_ERR_RESPONSE, the
 *            pointer refers to the body of the response.
 * See also   routable_request_to_json, routable_response_to_json and routable_error_to_json, in the headers of their objects.
 * json_t     routable_jansson.h has the same functions for programs that use jansson.
 *
 * The other conventions are those of routable.h. */
#ifndef ROUTABLE_JSON_H
#define ROUTABLE_JSON_H

#include "routable_client.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Builds the request of a call and returns the request as JSON.  The call is a JSON object with the route, the operation and the
 * values (docs/schema/call.schema.json); the result conforms to docs/schema/request.schema.json.
 * Statuses: JSON, DOCUMENT, UNKNOWN, NOT_ALLOWED, ID, VALUE, SHADOWED, PARAMETER, BODY, HEADER, URL, UNSUPPORTED (the base is a
 * Unix socket), LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_build_json(
    const routable_router *router, const char *call, size_t length, routable_string *out, routable_error **error);

/* Builds the request of a call, performs it, waits for the response and returns the response as JSON
 * (docs/schema/response.schema.json).
 * Statuses: those of routable_build_json and of routable_client_perform. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_perform_json(
    const routable_client *client, const routable_router *router, const char *call, size_t length, routable_string *out,
    routable_error **error);

/* Builds the request of a call.  The program can edit, submit or stream the request, and must free it with routable_request_free.
 * Statuses: those of routable_build_json. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_new_json(
    const routable_router *router, const char *call, size_t length, routable_request **out, routable_error **error);

/* The rows of the route table as a JSON array (docs/schema/routes.schema.json).  Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_routes_json(
    const routable_router *router, routable_string *out, routable_error **error);

/* The named types as one JSON object: each key is the name of a type, and each value is the JSON Schema of this type.
 * Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_types_json(
    const routable_router *router, routable_string *out, routable_error **error);

/* Parses a form (the query of a URL, or a form body) into a JSON array of pairs: [["a","1"],["b","x y"]] for a=1&b=x+y (WHATWG
 * URL section 5.1; bytes that are not UTF-8 become U+FFFD).  Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_form_to_json(
    const char *form, size_t length, routable_string *out, routable_error **error);

/* Expands a URI template (RFC 6570) with the members of the JSON object `values`.  If `values` is empty, all variables are
 * undefined.
 * Statuses: DOCUMENT (the template is not valid, or `values` is not an object), VALUE, JSON, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_template_expand_json(
    const char *uri_template, size_t template_length, const char *values, size_t values_length, routable_string *out,
    routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
