/* routable_template.h - URI templates (RFC 6570, all four levels).  They do not require a router.
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_TEMPLATE_H
#define ROUTABLE_TEMPLATE_H

#include "routable_values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Expands "/search{?q,list*}" with values by name.  Arrays and objects are ROUTABLE_KIND_JSON; a value that is missing or
 * ROUTABLE_KIND_NULL is undefined.
 * Statuses: DOCUMENT (the template is not valid; the error has the offset), VALUE, JSON, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_template_expand(
    routable_str uri_template, const routable_argument *values, size_t count, routable_string *out, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
