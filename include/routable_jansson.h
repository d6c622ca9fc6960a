/* routable_jansson.h - calls, responses and documents as json_t values, which a program does not have to serialize or parse.
 *
 * Optional: routable.h does not include this header.  A program that uses jansson includes this header, which includes
 * routable.h and jansson.h, and compiles with `pkg-config --cflags --libs routable jansson`.
 *
 * In addition to the conventions of routable.h:
 *
 * Borrowed   A `const json_t *` parameter is borrowed: the function reads the value, and holds no reference to it after the
 *            call.  No other thread may change the value during the call.
 * Owned      A `json_t **out` receives a new reference, which the caller must release with json_decref.  The value is
 *            independent of the object that it was made from.
 * Cycles     A json_t value that contains itself is rejected with ROUTABLE_ERR_LIMIT, because its nesting exceeds the limit.
 * Positions  An error about a value in a json_t has a JSON pointer, but no offset, line or column, because there is no JSON
 *            string.
 * Numbers    jansson has no integers beyond the range of int64 and no reals beyond the range of double.  A `json_t **out`
 *            contains the digits of such a number as a string.
 * Since      All functions are available since 0.1.0.
 */
#ifndef ROUTABLE_JANSSON_H
#define ROUTABLE_JANSSON_H

#include <jansson.h>

#include "routable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a parsed route document (docs/route-document.md), like routable_router_open, but rejects OpenAPI and Swagger documents
 * with DOCUMENT.  The function cannot reject duplicate keys, because jansson has removed them.
 * Statuses: those of routable_router_open, except JSON. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_open_jansson(
    const json_t *document, const routable_open_options *options, routable_router **out, routable_error **error);

/* --- The JSON tier for json_t values: each routable_..._jansson does the same as routable_..._json --- */

/* Statuses: those of routable_build_json. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_build_jansson(
    const routable_router *router, const json_t *call, json_t **out, routable_error **error);
/* Statuses: those of routable_perform_json. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_perform_jansson(
    const routable_client *client, const routable_router *router, const json_t *call, json_t **out, routable_error **error);
/* Statuses: those of routable_request_new_json. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_new_jansson(
    const routable_router *router, const json_t *call, routable_request **out, routable_error **error);
/* Statuses: those of routable_request_to_json. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_to_jansson(
    const routable_request *request, json_t **out, routable_error **error);
/* Returns the response with its status, headers and body; routable_response_body_jansson returns only the body.
 * Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_response_to_jansson(
    const routable_response *response, json_t **out, routable_error **error);
/* Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_error_to_jansson(const routable_error *error, json_t **out);
/* Statuses: those of routable_router_routes_json. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_routes_jansson(
    const routable_router *router, json_t **out, routable_error **error);
/* Statuses: those of routable_router_types_json. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_types_jansson(
    const routable_router *router, json_t **out, routable_error **error);
/* Statuses: those of routable_form_to_json. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_form_to_jansson(
    const char *form, size_t length, json_t **out, routable_error **error);
/* `values` is an object, or NULL for no values.  Statuses: those of routable_template_expand_json. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_template_expand_jansson(
    const char *uri_template, size_t template_length, const json_t *values, routable_string *out, routable_error **error);

/* --- Values --- */

/* The body of a response as a json_t, for example for json_unpack_ex.  The value of an empty body (ROUTABLE_OUTCOME_EMPTY) is
 * json_null().
 * Statuses: RESPONSE (the body is not JSON; routable_response_body has its bytes), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_response_body_jansson(
    const routable_response *response, json_t **out, routable_error **error);

/* Validates a value against a schema, like routable_schema_validate.  The function copies the value and validates the copy.
 * Statuses: BODY, DOCUMENT (a string or a key is not UTF-8, or a key contains U+0000), LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_schema_validate_jansson(
    const routable_schema *schema, const json_t *value, size_t max_errors, routable_error **error);

/* Validates a value against the schema of the request body, like routable_operation_check_body.  `media_type` may be NULL.
 * Statuses: BODY, UNKNOWN, DOCUMENT (the schema is not valid, a string or a key of the value is not UTF-8, or a key contains
 * U+0000), LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_operation_check_body_jansson(
    const routable_router *router, const routable_operation *operation, const char *media_type, const json_t *value,
    size_t max_errors, routable_error **error);
/* Validates a value against the schema of the response body for a status, like routable_operation_check_result.
 * Statuses: those of routable_operation_check_body_jansson. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_operation_check_result_jansson(
    const routable_router *router, const routable_operation *operation, int32_t status, const json_t *value,
    size_t max_errors, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
