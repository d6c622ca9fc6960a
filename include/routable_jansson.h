/* routable_jansson.h - for hosts that hold json_t values: in and out of libroutable without text between.
 *
 * Optional.  Include it beside routable.h when the program uses jansson itself (compile with
 * `pkg-config --cflags --libs routable jansson`).  routable.h does not need jansson's headers.
 *
 * The rules of routable.h hold here too.  In addition:
 *
 * Borrowed   A `const json_t *` parameter is borrowed: it is read during the call, its reference count
 *            is not touched, nothing of it is kept.  No other thread may change it meanwhile.
 * Owned      A `json_t **out` receives a new reference: give it back with json_decref.  It shares
 *            nothing with the object that it came from and may outlive it.
 * Cycles     A json_t value that contains itself gives ROUTABLE_ERR_LIMIT (nesting), never a hang.
 * Positions  Errors name a JSON pointer and no offset: there is no text.
 * Numbers    An integer beyond int64 is a JSON string of its digits in a `json_t **out`: jansson has no such number.
 * Since      Everything is since 0.1.0.
 */
#ifndef ROUTABLE_JANSSON_H
#define ROUTABLE_JANSSON_H

#include <jansson.h>

#include "routable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a route document (docs/route-document.md) that is already parsed: the counterpart of routable_router_open.
 * `options` may be NULL.  jansson has dropped duplicate keys by then: only routable_router_open can refuse them.
 * Statuses: DOCUMENT, CONFLICT, UNSUPPORTED, LIMIT, URL, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_open_jansson(
    const json_t *document, const routable_open_options *options, routable_router **out, routable_error **error);

/* --- The JSON tier: each function is that of routable_json.h for json_t values --- */

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
/* The whole response; routable_response_body_jansson gives its body alone.  Statuses: ARGUMENT. */
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

/* The body of a response as a json_t, ready for json_unpack_ex.  Yours: json_decref.
 * An empty body (ROUTABLE_OUTCOME_EMPTY) gives json_null().
 * Integers beyond 64 bits and reals beyond a double cannot be a json_t number: they come as strings
 * of their digits.
 * Statuses: RESPONSE when the body is not JSON (its bytes stay in routable_response_body), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_response_body_jansson(
    const routable_response *response, json_t **out, routable_error **error);

/* Holds a value against a schema: the twin of routable_schema_validate.  It is written as text and
 * read, which takes four times as long as routable_schema_validate does with the text at hand.
 * Statuses: BODY, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_schema_validate_jansson(
    const routable_schema *schema, const json_t *value, size_t max_errors, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
