/* routable_pages.h - answers that come in pages (docs/pagination.md), and what a description says of performing.
 *
 *     "list": {"query": {"page": {"type": "integer"}}, "pagination": {"by": "page", "parameter": "page"}}
 *
 *     routable_pages_new(client, request, NULL, &pages, &error);
 *     while ((status = routable_pages_next(pages, NULL, NULL, &error)) == ROUTABLE_OK)
 *         while (routable_pages_item(pages, &item, NULL) == ROUTABLE_OK)
 *             printf("%.*s\n", (int)item.len, item.ptr);
 *     if (status != ROUTABLE_IDLE)
 *         ... why it ended early
 *     routable_pages_free(pages);
 *
 * Hosts with a loop or a client of their own ask for requests and give answers: routable_pages_follow.
 *
 * The end        is ROUTABLE_IDLE: no next link or cursor, an empty page (by page and offset), as many as were asked for.
 * Circles        A next link or cursor that leads to a URL that was read already is ROUTABLE_ERR_RESPONSE.
 * Origins        A next link at another scheme, host or port is ROUTABLE_ERR_URL, or is followed without credentials.
 * Failures       leave the pages where they are: the next call asks for the same page again.
 * One at a time  A routable_pages is of one thread at a time.
 * The other conventions are those of routable.h.  Since 0.1.0. */
#ifndef ROUTABLE_PAGES_H
#define ROUTABLE_PAGES_H

#include "routable_client.h"
#include "routable_introspection.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Pages of one request
 */

typedef struct routable_pages routable_pages;

typedef struct routable_pages_options {
    size_t size;             /* sizeof(routable_pages_options) */
    routable_str pagination; /* JSON, instead of what the description says: {"by":"link"}; OpenAPI documents say nothing */
    size_t max_pages;        /* 0: all; beyond 10000 of them ROUTABLE_ERR_LIMIT */
    size_t max_items;        /* 0: all; of the last page the items beyond are not given */
    int64_t page_size;       /* 0: what the request says; otherwise the value of the parameter "size" of the pagination */
    uint32_t flags;          /* ROUTABLE_PAGES_* */
    uint32_t reserved;       /* 0 */
} routable_pages_options;
#define ROUTABLE_PAGES_OPTIONS_INIT { sizeof(routable_pages_options), { NULL, 0 }, 0, 0, 0, 0, 0 }
enum { ROUTABLE_PAGES_OTHER_ORIGINS = 1 }; /* a page at another origin is read, without credentials, and so are those after it */

/* The pages from this request on, which is copied and may be edited and freed.  `client` may be NULL: then
 * routable_pages_next is of no use; otherwise its base is that of the pages.  It is kept alive, and ends as
 * routable_client_free says.  `options` may be NULL.
 * Statuses: DOCUMENT and JSON for a pagination that is none, VALUE and PARAMETER for the size of a page, URL, UNSUPPORTED,
 * ARGUMENT for an operation without pages, and for a request with a target or a body that is not in memory. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_pages_new(
    const routable_client *client, const routable_request *request, const routable_pages_options *options,
    routable_pages **out, routable_error **error);
/* What was borrowed of it ends here. */
ROUTABLE_API void routable_pages_free(routable_pages *pages);

/* Performs the request of the next page.  `out`, a response that is yours, and `policy` may be NULL.
 * Statuses: IDLE behind the last page, those of routable_client_perform, RESPONSE for a page that does not say what it
 * should or leads back, URL for one that leads to another origin, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_pages_next(
    routable_pages *pages, const routable_policy *policy, routable_response **out, routable_error **error);

/* The same without performing.  Takes the answer to the last request, and gives the request of the next page, which is
 * yours.  `response` NULL: nothing was answered yet; that gives the request of the first page, or that of the last call
 * once more.  A response of routable_response_map does: what is relative is then so to the request's URL.
 * Statuses: IDLE behind the last page, RESPONSE, URL, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_pages_follow(
    routable_pages *pages, const routable_response *response, routable_request **out, routable_error **error);

/* How many items the last page gives.  Statuses: RESPONSE when there is no array of them, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_pages_item_count(
    routable_pages *pages, size_t *out, routable_error **error);
/* The next item of the last page, as JSON text: a part of the body, borrowed until the next page.
 * Statuses: IDLE behind the last item, RESPONSE, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_pages_item(
    routable_pages *pages, routable_str *out, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * What a description says of performing an operation (docs/route-document.md, "Performing")
 */

typedef ROUTABLE_ENUM(routable_paging) {
    ROUTABLE_PAGING_NONE = 0,
    ROUTABLE_PAGING_LINK = 1,
    ROUTABLE_PAGING_CURSOR = 2,
    ROUTABLE_PAGING_PAGE = 3,
    ROUTABLE_PAGING_OFFSET = 4
} routable_paging;

/* With what the document says for all operations.  Texts are borrowed from the router.  This layout is frozen. */
typedef struct routable_rules {
    int64_t deadline_ms;         /* 0: nothing is said */
    int64_t retry_delay_ms;      /* -1: nothing is said */
    int32_t retries;             /* -1: nothing is said */
    routable_paging paging;
    routable_str key_header;     /* carries a random key, one for all attempts, unless the request has it; empty: none */
    routable_str page_parameter; /* says which page; empty: none does */
    routable_str size_parameter; /* says how large a page is; empty: none does */
    routable_str cursor;         /* JSON pointer to the cursor or the link in the body; empty: the Link header */
    routable_str items;          /* JSON pointer to the items of a page; empty: the body itself */
    int64_t first_page;          /* the number of the first page */
} routable_rules;

/* For NULL: nothing is said.  What counts is, in this order, the routable_policy of a request, this, and the options of the
 * client. */
ROUTABLE_API void routable_operation_rules(const routable_operation *operation, routable_rules *out);

#ifdef __cplusplus
}
#endif
#endif
