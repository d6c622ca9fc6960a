/* routable_tools.h - operations as tools that a language model calls (docs/agents.md).
 *
 *     routable_tools_json(router, &list, &error);                                    the names and the hints
 *     routable_operation_call_schema(router, NULL, "search", 0, &schema, &error);    what a call takes
 *     routable_call_from_object(router, NULL, "search", "{\"q\":\"x\"}", ROUTABLE_NUL_TERMINATED, 16, &call, &error);
 *     routable_request_new_json(router, call.ptr, call.len, &request, &error);
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_TOOLS_H
#define ROUTABLE_TOOLS_H

#include "routable_router.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes all operations as a JSON array: those of the resources of a route document, by the routes of the route table, and the
 * standalone operations.  Each object has the members "name", "route" (absent for a standalone operation), "operation", "method",
 * "path", "description" (absent if there is none), "read_only", "destructive" and "idempotent".  A name has at most 64 characters
 * of [A-Za-z0-9_-], is unique in the list, and is the same for the same document.  The hints follow from the method and the
 * capability; the keys x-read-only, x-destructive and x-idempotent of an operation replace them.
 * Statuses: LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_tools_json(
    const routable_router *router, routable_string *out, routable_error **error);

enum { ROUTABLE_SCHEMA_FUNCTION_SUBSET = 1 }; /* only keywords that function-calling interfaces accept: no allOf, oneOf, not, if,
                                                 patternProperties and the like; calls are validated by all keywords anyway */

/* Writes the JSON Schema (draft 2020-12) of one flat object with everything that a call takes: ids, query, headers, cookies, and
 * the members of the body, or the body as the member "body" if it is not an object with declared members.  Members that are
 * readOnly, and credentials, are not among them.  A name that occurs twice has its place as a prefix ("body_id").  "$defs" has the
 * schemas that are referenced, also recursive ones.  `route` is NULL for a standalone operation.
 * Statuses: UNKNOWN, NOT_ALLOWED, LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_operation_call_schema(
    const routable_router *router, const char *route, const char *operation, uint32_t flags, routable_string *out,
    routable_error **error);

/* Converts such an object to a call as JSON, from which routable_request_new_json builds the request.  An object that the
 * description does not allow is refused: the error has the first reason, and routable_error_next the others, up to `max_errors`
 * (at least 1 and at most 256).  Each reason has a pointer into the object, and its message has the allowed names or values.
 * `route` is NULL for a standalone operation.
 * Statuses: PARAMETER (an unknown member), BODY (a value that the schema does not allow, or a missing member), JSON, DOCUMENT (a
 * member occurs twice, or the schema is not valid), VALUE, SHADOWED, ID, HEADER, UNKNOWN, NOT_ALLOWED, LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_call_from_object(
    const routable_router *router, const char *route, const char *operation, const char *object, size_t length, size_t max_errors,
    routable_string *out, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
