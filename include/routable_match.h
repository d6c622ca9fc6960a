/* routable_match.h - plans, which write URLs, and matching, which finds the operation of a URL.
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_MATCH_H
#define ROUTABLE_MATCH_H

#include "routable_introspection.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Plan: a route and an operation, resolved once to write many URLs.  Immutable.
 */

typedef struct routable_plan routable_plan;

/* Makes a plan.  `route` is NULL for a standalone operation.  Statuses: UNKNOWN, NOT_ALLOWED, LIMIT (the route has too many ids
 * or segments), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_plan_new(
    const routable_router *router, const char *route, const char *operation, routable_plan **out, routable_error **error);
/* Frees the plan. */
ROUTABLE_API void routable_plan_free(routable_plan *plan);
/* The method of the request, and the number of ids that routable_plan_write requires. */
ROUTABLE_API routable_str routable_plan_method(const routable_plan *plan);
ROUTABLE_API size_t routable_plan_id_count(const routable_plan *plan);
/* The declared query parameters, in declaration order. */
ROUTABLE_API size_t routable_plan_query_count(const routable_plan *plan);
ROUTABLE_API routable_str routable_plan_query_name_at(const routable_plan *plan, size_t index);

/* Writes the URL and a NUL into `buffer`.  `ids` contains all ids in order.  `query` contains the values of the declared query
 * parameters in declaration order, with ROUTABLE_KIND_NULL for an absent value; absent values at the end may be omitted.  An
 * absent parameter is written with its declared default, if a default is declared.  `*length` is the length without the NUL.
 *
 * On failure `buffer` contains the empty string; with ROUTABLE_ERR_BUFFER `*length` is the length of the URL.
 *
 * This is the fastest way to write a URL from C.  The call is allocation-free under the conditions in docs/safety.md
 * (Memory).  One of them is that `capacity` is at least the sum of these lengths: the base; the literals of the path; "name="
 * for each declared query parameter, and "name=default" for each default; 3 n + 2 bytes for each string of n bytes; 42 bytes
 * for each other value; and 10 bytes.  With a smaller buffer, the call allocates memory, and succeeds if the URL fits.
 * Statuses: ID, VALUE, SHADOWED, PARAMETER, JSON, BUFFER, URL, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_plan_write(
    const routable_plan *plan, const routable_value *ids, size_t id_count, const routable_value *query,
    size_t query_count, char *buffer, size_t capacity, size_t *length, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Match: finds the operation and the values of a path or a URL
 *
 * First, the path selects a node, which is a set of operations with the same path.  At each segment, the library tries a
 * literal first, then a mixed segment ({name}.json), a parameter with a type, a pattern or a list of values, a parameter that
 * accepts any string, and last a value of several segments ({name...}).  The search backtracks, and its result does not depend
 * on the order of declaration.  A value of several segments is as long as the rest of the route allows.  Then the method
 * selects the operation of the node; a GET operation does not match HEAD.  The library decodes segments before it compares
 * them: "/%75sers" is "/users".
 */

enum {
    ROUTABLE_MATCH_IGNORE_SLASH = 1,  /* ignore a missing or additional trailing slash */
    ROUTABLE_MATCH_IGNORE_CASE = 2,   /* ignore the case of ASCII letters in literals; an exact match is preferred */
    ROUTABLE_MATCH_MERGE_SLASHES = 4, /* treat several slashes in a row as one */
    ROUTABLE_MATCH_SUGGEST_SLASH = 8, /* on NO_MATCH, set `slash` if the path would match with a trailing slash added or
                                         removed */
    ROUTABLE_MATCH_WHOLE_PATH = 16    /* the path starts with the path of the base, like the path of a request that a server
                                         receives */
};

#define ROUTABLE_MAX_CAPTURES 32 /* maximum number of captures of a match */

/* A value in the path: a range of the bytes that were matched, still percent-encoded.  Frozen. */
typedef struct routable_capture {
    uint32_t offset; /* in the string that was matched, in bytes */
    uint32_t length;
    int32_t resource;  /* index of the resource if the value is an id; ROUTABLE_NONE for a parameter of the operation's own
                          path */
    int32_t parameter; /* the index of the id in the resource, or of the parameter in the operation */
} routable_capture;
#define ROUTABLE_CAPTURE_INIT { 0, 0, 0, 0 }

/* The result of a match.  It does not have to be initialized or freed.  Frozen. */
typedef struct routable_match {
    int32_t operation;  /* index of the operation: first the operations of all resources, in declaration order, then the
                           standalone operations; ROUTABLE_NONE: none */
    uint32_t capture_count;
    uint32_t node;      /* number of the node that the path selects; 0 with NO_MATCH */
    int32_t slash;      /* with IGNORE_SLASH or SUGGEST_SLASH: 1 if the path lacks a trailing slash, -1 if it has one too many; else 0 */
    routable_capture captures[ROUTABLE_MAX_CAPTURES]; /* only the first capture_count are written */
} routable_match;
#define ROUTABLE_MATCH_INIT { ROUTABLE_NONE, 0, 0, 0, { ROUTABLE_CAPTURE_INIT } }

/* Matches a path that is relative to the base and starts with a slash, or a URL that starts with the base.  A query and a
 * fragment are ignored.  With the base https://h.example/v1 the path is "/projects/7"; the path as a server receives it,
 * "/v1/projects/7", requires ROUTABLE_MATCH_WHOLE_PATH.  If `method` is NULL, the function selects the operation for GET or, if
 * there is none, for the first method in byte order.  Under the conditions in docs/safety.md, "Memory", the call
 * takes no lock and allocates no memory.  A maximum number of steps bounds the time for every path (docs/matching.md).
 * Statuses: NO_MATCH, METHOD_NOT_ALLOWED (`node` and the captures are set), ARGUMENT. */
ROUTABLE_API routable_status routable_router_match(
    const routable_router *router, const char *method, routable_str path, uint32_t flags, routable_match *out);

/* The operation of a match.  For this function and the functions below, `router` must be the router that was matched: with
 * another router, they return NULL, empty strings or values that do not belong to the path. */
ROUTABLE_API const routable_operation *routable_match_operation(const routable_router *router, const routable_match *match);
/* The id or the parameter of a capture.  Captures of ids are ordered from the outermost resource to the
 * innermost, like the `ids` of a call by position. */
ROUTABLE_API const routable_parameter *routable_match_parameter(
    const routable_router *router, const routable_match *match, size_t index);
/* The methods of the node, sorted by their bytes, for the value of an Allow header. */
ROUTABLE_API size_t routable_match_method_count(const routable_router *router, const routable_match *match);
ROUTABLE_API routable_str routable_match_method_at(
    const routable_router *router, const routable_match *match, size_t index);
/* The other operations with the same path and method, in declaration order.  A declared constant of the request tells them
 * apart (docs/matching.md, "Operations that share a path"); a match reads only the path, and returns the first.  Since 0.2.0. */
ROUTABLE_API size_t routable_match_alternative_count(const routable_router *router, const routable_match *match);
/* NULL if there is no such operation.  It is valid as long as the router.  Since 0.2.0. */
ROUTABLE_API const routable_operation *routable_match_alternative_at(
    const routable_router *router, const routable_match *match, size_t index);
/* The dotted route, "user.status", also if the method is not allowed; empty for a standalone operation.
 * Statuses: NO_MATCH, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_match_route(
    const routable_router *router, const routable_match *match, routable_string *out);
/* The decoded value of a capture; `path` is the string that was matched.  Statuses: NO_MATCH (no such capture), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_match_value(
    const routable_match *match, routable_str path, size_t index, routable_string *out);

/* The size in bytes of the table that routable_router_match reads. */
ROUTABLE_API size_t routable_router_match_bytes(const routable_router *router);

/* ------------------------------------------------------------------------------------------------
 * Workspace: URLs and matches as C strings in reused memory, for bindings
 *
 * These functions are for FFIs in which calls with few arguments that return a string are fastest.  C programs should use
 * routable_plan_write and routable_router_match instead.  A result is valid until the next call with the same workspace.
 */

typedef struct routable_workspace routable_workspace;

/* Makes a workspace.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_workspace_new(routable_workspace **out, routable_error **error);
/* Frees the workspace and its last result. */
ROUTABLE_API void routable_workspace_free(routable_workspace *workspace);

/* Returns the URL for string ids.  Query parameters have their declared defaults or are absent.  `ids` contains all ids,
 * separated by NUL, in `length` bytes.  Returns NULL on failure; call routable_plan_write for the reason. */
ROUTABLE_API const char *routable_workspace_url(
    routable_workspace *workspace, const routable_plan *plan, const char *ids, size_t length);

/* Matches a path or a URL and returns the members of the routable_match as decimal numbers, separated by spaces: operation,
 * capture_count, node, slash, and offset, length, resource and parameter of each capture.  Returns the empty string for
 * NO_MATCH, and NULL for METHOD_NOT_ALLOWED and ARGUMENT; call routable_router_match for the status. */
ROUTABLE_API const char *routable_workspace_match(
    routable_workspace *workspace, const routable_router *router, const char *method, const char *path, size_t length,
    uint32_t flags);

#ifdef __cplusplus
}
#endif
#endif
