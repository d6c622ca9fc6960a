/* routable_json.h - the JSON tier: the whole job in one call (docs/json-tier.md).
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_JSON_H
#define ROUTABLE_JSON_H

#include "routable_client.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Builds a request from call JSON: {"route":"user.status","operation":"read","ids":["initFabian","3"]}.
 * Statuses: those of routable_request_new, DOCUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_request_new_json(
    const routable_router *router, routable_str call, routable_request **out, routable_error **error);
/* Builds a request: call JSON in, request JSON out.  Statuses: those of routable_request_new_json. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_build_json(
    const routable_router *router, routable_str call, routable_string *out, routable_error **error);
/* Builds and performs a request: call JSON in, response JSON out.
 * Statuses: those of routable_request_new_json and routable_client_perform. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_perform_json(
    const routable_client *client, const routable_router *router, routable_str call, routable_string *out,
    routable_error **error);
/* Expands a URI template (routable_template_expand) with the values as one JSON object, or the empty string for none.
 * Statuses: those of routable_template_expand. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_template_expand_json(
    routable_str uri_template, routable_str values, routable_string *out, routable_error **error);
/* Parses a form that was received, a query or a body, into a JSON array of pairs: [["a","1"],["b","x y"]] for a=1&b=x+y
 * (WHATWG; bytes that are not UTF-8 become U+FFFD).  Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_form_to_json(
    routable_str form, routable_string *out, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
