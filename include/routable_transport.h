/* routable_transport.h - transports, which reply to requests in place of libcurl, and canned responses for tests
 * (docs/testing.md).
 *
 *     routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
 *     routable_responses_new(&responses, NULL);
 *     options.transport = routable_responses_answer;
 *     options.transport_user_data = responses;
 *     routable_client_new(&options, &client, &error);
 *
 * Credentials, redirects, retries, deadlines, limits, pages, streams, mapping and hooks work as with libcurl.  With a
 * transport, the library neither opens nor requires libcurl, does not decompress the body of a reply, has no stall timeout, and
 * reads a request body from a source or a file into memory first, up to 64 MiB.  The conventions are those of routable.h. */
#ifndef ROUTABLE_TRANSPORT_H
#define ROUTABLE_TRANSPORT_H

#include "routable_client.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Exchange: one attempt of a request.  Immutable; any thread may use it.  Strings are borrowed from the exchange.
 */

/* The route ("user.status"; empty for a standalone operation), the operation ("read") and the method ("GET").  For an OAuth 2
 * token request, the route and the operation are empty. */
ROUTABLE_API routable_str routable_exchange_route(const routable_exchange *exchange);
ROUTABLE_API routable_str routable_exchange_operation(const routable_exchange *exchange);
ROUTABLE_API routable_str routable_exchange_method(const routable_exchange *exchange);
/* The whole URL, including a key that a credential adds. */
ROUTABLE_API routable_str routable_exchange_url(const routable_exchange *exchange);
/* All headers in order, with credentials; two empty strings if the index is out of range. */
ROUTABLE_API size_t routable_exchange_header_count(const routable_exchange *exchange);
ROUTABLE_API routable_header routable_exchange_header_at(const routable_exchange *exchange, size_t index);
/* The value of the first header with this name (ASCII case is ignored), or empty. */
ROUTABLE_API routable_str routable_exchange_header(const routable_exchange *exchange, const char *name);
/* routable_exchange_has_body returns 1 if the request has a body, otherwise 0.  routable_exchange_body returns the body, which
 * may be empty. */
ROUTABLE_API int32_t routable_exchange_has_body(const routable_exchange *exchange);
ROUTABLE_API routable_str routable_exchange_body(const routable_exchange *exchange);
/* The time until the deadline, or ROUTABLE_NONE if there is no deadline.  The library ends the attempt at the deadline; a
 * transport that blocks must return by then. */
ROUTABLE_API int64_t routable_exchange_timeout_ms(const routable_exchange *exchange);

/* A response, or the failure of an attempt. */
typedef struct routable_reply {
    size_t size;             /* sizeof(routable_reply) */
    int32_t http_status;     /* 200 to 999; 0: 200 */
    int32_t curl_code;       /* not 0: the attempt fails as if libcurl had returned this CURLcode, such as 7 (no connection) */
    const routable_header *headers;
    size_t header_count;
    routable_str body;       /* after content decoding */
    int64_t delay_ms;        /* delay before the reply arrives */
    routable_status failure; /* not ROUTABLE_OK: the attempt fails with this status; ROUTABLE_ERR_TRANSFER is retried like a lost connection */
    uint32_t reserved;       /* 0 */
    routable_str message;    /* message of the failure: one sentence without a secret */
} routable_reply;
#define ROUTABLE_REPLY_INIT { sizeof(routable_reply), 0, 0, NULL, 0, { NULL, 0 }, 0, ROUTABLE_OK, 0, { NULL, 0 } }

/* Replies to an attempt, and frees the exchange, also on failure.  The reply is copied.  Any thread may call this function.
 * If the attempt has already ended because of its deadline or a cancellation, the library discards the reply.  If the reply is
 * invalid, the attempt fails with the error that this function returns.
 * Statuses: HEADER, LIMIT, ARGUMENT (also: a status outside 200 to 999, or a negative delay). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_exchange_reply(
    routable_exchange *exchange, const routable_reply *reply, routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Canned responses: a transport for tests.  Any thread may use it.
 */

typedef struct routable_responses routable_responses;

/* Makes an empty set of canned responses.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_responses_new(routable_responses **out, routable_error **error);
/* Frees the canned responses.  Free the clients that use them first. */
ROUTABLE_API void routable_responses_free(routable_responses *responses);

/* A canned reply, and the requests that receive it. */
typedef struct routable_canned {
    size_t size;                 /* sizeof(routable_canned) */
    const char *route;           /* "user.status"; "": standalone operations; NULL: any */
    const char *operation;       /* "read"; NULL: any */
    const char *url;             /* a string that the URL contains; NULL: any */
    int32_t times;               /* expected number of uses; ROUTABLE_NONE: any number, including none; 0: 1 */
    uint32_t reserved;           /* 0 */
    const routable_reply *reply; /* NULL: a response with status 200 and no body */
} routable_canned;
#define ROUTABLE_CANNED_INIT { sizeof(routable_canned), NULL, NULL, NULL, 0, 0, NULL }

/* Adds a canned reply.  For each attempt of a request, the library tries the replies in the order in which they were added, and
 * sends the first one that matches the request and has uses left.
 * Statuses: HEADER, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_responses_add(
    routable_responses *responses, const routable_canned *canned, routable_error **error);
/* The transport function that sends the canned replies; its `user_data` is the routable_responses.  If no reply with
 * uses left matches a request, the request and routable_responses_check fail with ROUTABLE_ERR_CALLBACK. */
ROUTABLE_API void routable_responses_answer(routable_exchange *exchange, void *user_data);
/* Returns ROUTABLE_ERR_CALLBACK if a reply was used fewer than `times` times, or if there was no reply for a request.
 * Statuses: CALLBACK, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_responses_check(
    const routable_responses *responses, routable_error **error);
/* All attempts in order, including those for which there was no reply.  routable_responses_request_at returns NULL if the index
 * is out of range; an exchange is valid until the responses are freed. */
ROUTABLE_API size_t routable_responses_request_count(const routable_responses *responses);
ROUTABLE_API const routable_exchange *routable_responses_request_at(const routable_responses *responses, size_t index);

#ifdef __cplusplus
}
#endif
#endif
