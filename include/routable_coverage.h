/* routable_coverage.h - which parts of a description requests and responses have used (docs/coverage.md).
 *
 *     routable_coverage_new(api, NULL, &coverage, NULL);
 *     middleware.after = routable_coverage_observe;
 *     middleware.user_data = coverage;
 *     routable_client_add_middleware(client, &middleware, &error);
 *     ...
 *     routable_coverage_to_text(coverage, ROUTABLE_COVERAGE_MISSING, &text, &error);
 *
 * Counted are the operations, their statuses, parameters and media types, the values of `enum`, and the branches of `oneOf` and
 * `anyOf`.  The memory of a coverage depends on the description, and not on the number of requests.  The conventions are those of
 * routable.h. */
#ifndef ROUTABLE_COVERAGE_H
#define ROUTABLE_COVERAGE_H

#include "routable_middleware.h"
#include "routable_service.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The coverage of one description.  Any thread may use it. */
typedef struct routable_coverage routable_coverage;

/* Options of a coverage. */
typedef struct routable_coverage_options {
    size_t size;           /* sizeof(routable_coverage_options) */
    const char *base_path; /* the path in front of the paths of the API; NULL: the path of the base of the description */
} routable_coverage_options;
#define ROUTABLE_COVERAGE_OPTIONS_INIT { sizeof(routable_coverage_options), NULL }

/* Makes a coverage that has counted nothing.  The router must outlive it.
 * Statuses: URL (`base_path`), DOCUMENT, LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_coverage_new(
    const routable_router *router, const routable_coverage_options *options, routable_coverage **out, routable_error **error);
/* Frees the coverage.  Free the clients that use it first.  Since 0.2.0. */
ROUTABLE_API void routable_coverage_free(routable_coverage *coverage);

/* Counts a request and its response.  A request that no operation has is counted by its method and path.  `http_status` is 0 if there
 * was no response.  `content_type` may be NULL.  `body` has no content coding.
 * Statuses: LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_coverage_add(
    routable_coverage *coverage, const routable_incoming *incoming, int32_t http_status, const char *content_type,
    routable_str body, routable_error **error);
/* The function `after` of a middleware whose `user_data` is the coverage: it counts each request of the client.  Since 0.2.0. */
ROUTABLE_API void routable_coverage_observe(routable_interception *interception, void *user_data);

/* The counts as JSON (docs/coverage.md, "JSON").  Statuses: LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_coverage_to_json(
    const routable_coverage *coverage, routable_string *out, routable_error **error);

enum { ROUTABLE_COVERAGE_MISSING = 1 }; /* the table is followed by a line for each part that was never used */

/* The counts as a table for readers.  Statuses: LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_coverage_to_text(
    const routable_coverage *coverage, uint32_t flags, routable_string *out, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
