/* routable_pages.h - responses that come in pages (docs/pagination.md).
 *
 *     "list": {"query": {"page": {"type": "integer"}}, "pagination": {"by": "page", "parameter": "page"}}
 *
 *     routable_pages_new(client, request, NULL, &pages, &error);
 *     while ((status = routable_pages_next(pages, NULL, NULL, &error)) == ROUTABLE_OK)
 *         while (routable_pages_item(pages, &item, NULL) == ROUTABLE_OK)
 *             printf("%.*s\n", (int)item.len, item.ptr);
 *     if (status != ROUTABLE_IDLE)
 *         ... it ended early: see error
 *     routable_pages_free(pages);
 *
 * If you send the requests with your own event loop or HTTP client, call routable_pages_follow instead of routable_pages_next.
 *
 * End        Both functions return ROUTABLE_IDLE if there is no next link or cursor, after an empty page (pagination by page or
 *            offset), after a page that the pagination declares to be the last one ("total", "pages", "more", "short", "empty",
 *            "status"), or when `max_pages` or `max_items` is reached.
 * Cycles     If a next link or cursor leads to a URL that was already read, the call fails with ROUTABLE_ERR_RESPONSE.
 * Origins    If a next link leads to another scheme, host or port, the call fails with ROUTABLE_ERR_URL.  With
 *            ROUTABLE_PAGES_OTHER_ORIGINS, the library follows the link without credentials.
 * Failures   do not change the position: if the request of a page fails, the next call sends this request again.
 * The other conventions are those of routable.h. */
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

enum {
    ROUTABLE_PAGES_OTHER_ORIGINS = 1, /* follow a link to another origin, without credentials from then on */
    ROUTABLE_PAGES_BACKWARDS = 2      /* read the page before each page, until the first one.  Since 0.2.0. */
};

/* Options of routable_pages_new. */
typedef struct routable_pages_options {
    size_t size;             /* sizeof(routable_pages_options) */
    routable_str pagination; /* the pagination as JSON, such as {"by":"link"}; empty: the pagination that the description
                                declares for the operation */
    size_t max_pages;        /* maximum number of pages; 0: all, but more than 10000 pages fail with ROUTABLE_ERR_LIMIT */
    size_t max_items;        /* maximum number of items; items of the last page beyond it are omitted; 0: all */
    int64_t page_size;       /* items per page, for the parameter that the pagination names as "size"; 0: as in the request */
    uint32_t flags;          /* ROUTABLE_PAGES_* */
    uint32_t reserved;       /* 0 */
    routable_str position;   /* where to begin: what routable_pages_position returned; empty: the request as it is.  Since 0.2.0. */
} routable_pages_options;
#define ROUTABLE_PAGES_OPTIONS_INIT { sizeof(routable_pages_options), { NULL, 0 }, 0, 0, 0, 0, 0, { NULL, 0 } }

/* Makes an iterator over the pages.  The iterator copies `request`, the request of the first page.  If `client` is NULL,
 * routable_pages_next fails with ROUTABLE_ERR_ARGUMENT.  Otherwise the iterator holds a reference to the client, so the
 * iterator can be used after routable_client_free; the base of the client, if it has one, replaces the base of the request.
 * Statuses: DOCUMENT (an invalid `pagination`, or one for a method other than GET that is not in the body), JSON (`pagination`,
 * `position`), RESPONSE (`position`), VALUE (the parameter
 * does not allow the page size), PARAMETER (the pagination does not declare "size"), URL, UNSUPPORTED, ARGUMENT (also: an
 * operation without pagination, one without a way back, or a request with a target or with a body that is not in memory). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_pages_new(
    const routable_client *client, const routable_request *request, const routable_pages_options *options,
    routable_pages **out, routable_error **error);
/* Frees the iterator, and with it the string that routable_pages_item returned.  Responses remain valid. */
ROUTABLE_API void routable_pages_free(routable_pages *pages);

/* Performs the request of the next page.  `*out` receives the response, which the caller must free.  `policy` and `out` may be
 * NULL.
 * Statuses: IDLE (after the last page), those of routable_client_perform, RESPONSE (a page without the expected data, or a
 * cycle), URL (a link to another origin), LIMIT, ARGUMENT (also: the page number or offset in the query is not an integer). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_pages_next(
    routable_pages *pages, const routable_policy *policy, routable_response **out, routable_error **error);

/* Returns the request of the next page without performing it.  The caller must free the request.  `response` is the response
 * to the last request.  If it is NULL, the function returns the first request or, if the last request has no response yet, the
 * last request again; after routable_pages_next it returns the request of the following page.  The response may come from
 * routable_response_map; relative links are then relative to the request's URL.
 * Statuses: IDLE (after the last page), RESPONSE, URL, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_pages_follow(
    routable_pages *pages, const routable_response *response, routable_request **out, routable_error **error);

/* The number of items of the last page, without those beyond `max_items`; 0 before the first page, if the
 * body is empty, and if the JSON pointer `items` of the pagination points to null or to no value.  Statuses: RESPONSE (the body
 * is not JSON, or the value is neither an array nor null), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_pages_item_count(
    routable_pages *pages, size_t *out, routable_error **error);
/* Returns the next item of the last page, as JSON.  The string is valid until the next page is received or the iterator is
 * freed.
 * Statuses: IDLE (after the last item of the page), RESPONSE, ARGUMENT (also: no page was received yet, since 0.2.0; before, IDLE). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_pages_item(
    routable_pages *pages, routable_str *out, routable_error **error);

/* Returns the next item of all pages, as JSON, and performs the requests of the pages as they are needed: the only call of a loop
 * over all items.  The string is valid until the next call for these pages.  `policy` may be NULL.
 * Statuses: IDLE (after the last item), those of routable_pages_next and routable_pages_item.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_pages_next_item(
    routable_pages *pages, const routable_policy *policy, routable_str *out, routable_error **error);

/* Returns what continues with the next page in another run, as `position` of the options: the value of the parameter or, for
 * pagination by link, the URL.  The caller must free the string; it is empty if the next request is the first one.  The string may
 * be a secret if the cursors of the service are.
 * Statuses: IDLE (after the last page), RESPONSE, URL, LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_pages_position(
    routable_pages *pages, routable_string *out, routable_error **error);

/* Returns 1 if the pagination declares that a request after the last page receives this HTTP status ("status"); the pages have then
 * ended.  Returns 0 otherwise, also for the first page.  For programs that call routable_pages_follow; routable_pages_next
 * calls the function itself.  Since 0.2.0. */
ROUTABLE_API int32_t routable_pages_end_with(routable_pages *pages, int32_t http_status);

/* ------------------------------------------------------------------------------------------------
 * The pagination of an operation (docs/route-document.md, "Performing")
 */

/* The way in which the library determines the next page. */
typedef ROUTABLE_ENUM(routable_paging) {
    ROUTABLE_PAGING_NONE = 0,
    ROUTABLE_PAGING_LINK = 1,
    ROUTABLE_PAGING_CURSOR = 2,
    ROUTABLE_PAGING_PAGE = 3,
    ROUTABLE_PAGING_OFFSET = 4
} routable_paging;

/* The pagination of an operation.  Strings are borrowed from the router. */
typedef struct routable_pagination {
    size_t size;                 /* sizeof(routable_pagination) */
    routable_paging by;
    uint32_t reserved;           /* 0 */
    routable_str page_parameter; /* query parameter for the page number, offset or cursor; empty for links */
    routable_str size_parameter; /* query parameter for the page size; may be empty */
    routable_str cursor;         /* JSON pointer to the cursor or the link in the body; empty: the link is in the Link header */
    routable_str items;          /* JSON pointer to the items of a page; empty: the body itself */
    int64_t first_page;          /* ROUTABLE_PAGING_PAGE: the number of the first page */
} routable_pagination;
#define ROUTABLE_PAGINATION_INIT \
    { sizeof(routable_pagination), ROUTABLE_PAGING_NONE, 0, { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, 1 }

/* Writes the pagination and returns 1.  Returns 0, and writes nothing, if the operation has no pagination or
 * `out->size` is wrong. */
ROUTABLE_API int32_t routable_operation_pagination(const routable_operation *operation, routable_pagination *out);

#ifdef __cplusplus
}
#endif
#endif
