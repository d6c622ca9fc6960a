/* routable_links.h - makes requests for the URLs in a response (docs/links.md).
 *
 *     routable_link link = ROUTABLE_LINK_INIT;
 *     link.response = response;
 *     link.relation = "next";
 *     routable_router_follow(router, &link, &request, &error);
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_LINKS_H
#define ROUTABLE_LINKS_H

#include "routable_request.h"
#include "routable_response.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A link: its URL or the position of the URL in a response, and the options of the request.  Set at most one of `url`,
 * `relation` and `pointer`; without them, the library uses the URL of the response's Location header. */
typedef struct routable_link {
    size_t size;                       /* sizeof(routable_link) */
    const routable_response *response; /* the response that contains the link; the URL of the response is the base of relative
                                          URLs, unless `relative_to` is set; NULL: `url` is required */
    routable_str url;                  /* the URL, if the program already has it */
    const char *relation;              /* the relation of a Link header (RFC 8288), such as "next" */
    const char *pointer;               /* a JSON pointer to a string in the body; "": the whole body */
    const char *method;                /* NULL: "GET" */
    const char *base;                  /* replaces the router's base: pass the base that the client or the call has; NULL: the router's base */
    const routable_argument *values;   /* not NULL: the URL is a URI template (RFC 6570), expanded with these values */
    size_t value_count;
    routable_str relative_to;          /* the base of relative URLs; empty: the URL of the response or, if there is none, the base */
} routable_link;
#define ROUTABLE_LINK_INIT { sizeof(routable_link), NULL, { NULL, 0 }, NULL, NULL, NULL, NULL, NULL, 0, { NULL, 0 } }

/* Makes the request for a link.  If the URL starts with the base, and its path and the method match an operation, the request
 * belongs to that operation: the response is decoded and validated as the operation declares, and the operation's policy
 * applies.  Otherwise the operation of the request is named "follow", the description's default policy and default credentials
 * apply, and a response with a body has the outcome ROUTABLE_OUTCOME_RAW, because no type is declared.  The credentials of
 * the client, and the `headers` and the `query` of its options, are sent only to the origin of the base.  The response may come
 * from routable_response_map.
 * Statuses: RESPONSE (the response does not have the link, or the link is not a valid http or https URL), URL (`url` is not a
 * valid http or https URL, or there is no base with a host), DOCUMENT and VALUE (the template), JSON, UNSUPPORTED (the base is
 * a Unix socket), LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_router_follow(
    const routable_router *router, const routable_link *link, routable_request **out, routable_error **error);

/* Finds the URL of the first link with this relation (ASCII case is ignored) in the value of a Link header, or in several
 * values joined by ", ".  Links with an `anchor` are ignored.  Returns 1, and writes the URL, a slice of `header`, to `*out`.
 * Returns 0 if no link has the relation; `*out` is then not written. */
ROUTABLE_API int32_t routable_link_find(routable_str header, const char *relation, routable_str *out);

#ifdef __cplusplus
}
#endif
#endif
