/* routable_middleware.h - your own functions around each request of a client (docs/client.md, "Middleware").
 *
 *     routable_middleware middleware = ROUTABLE_MIDDLEWARE_INIT;
 *     middleware.before = add_a_header;
 *     status = routable_client_add_middleware(client, &middleware, &error);
 *
 * A hook (routable_trace.h) observes each attempt, and a transport (routable_transport.h) replies to each attempt.  A middleware
 * runs once for a request with all its attempts, redirects and refreshed credentials, and receives the mapped outcome.
 * The conventions are those of routable.h. */
#ifndef ROUTABLE_MIDDLEWARE_H
#define ROUTABLE_MIDDLEWARE_H

#include "routable_transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One request in a function of a middleware.  Valid until the function returns. */
typedef struct routable_interception routable_interception;

/* A function of a middleware.  The library calls it without holding a lock.  The function may cancel transfers, free objects,
 * and perform and submit requests with other clients.  If the function performs or submits a request, or opens a
 * stream, with its own client, which would call the function again, that call returns ROUTABLE_ERR_ARGUMENT. */
typedef void (*routable_middleware_fn)(routable_interception *interception, void *user_data);

/* Two functions around each request: `before` and `after`.  One of them may be NULL. */
typedef struct routable_middleware {
    size_t size;                  /* sizeof(routable_middleware) */
    routable_middleware_fn before; /* called before the request is sent, by the thread that performs, submits or streams it */
    routable_middleware_fn after;  /* called with the outcome, before the completion callback, by the thread that performs the
                                      request or drives the client */
    void *user_data;
    routable_release_fn release;  /* called after the client has been freed and its transfers have ended, or if
                                     routable_client_add_middleware fails */
} routable_middleware;
#define ROUTABLE_MIDDLEWARE_INIT { sizeof(routable_middleware), NULL, NULL, NULL, NULL }

/* Adds a middleware for all requests that are performed, submitted or streamed from now on.  The library calls the `before`
 * functions in the order in which they were added, and the `after` functions in the reverse order.  If a `before` function
 * replies, the request is not sent: the library calls only the `after` functions that were added by earlier calls.  The library
 * calls no `after` function for a cancelled transfer.  Any thread may call this function.
 * Statuses: LIMIT (more than 32), ARGUMENT (also: both functions are NULL). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_add_middleware(
    const routable_client *client, const routable_middleware *middleware, routable_error **error);

/* The request, which is a copy for this transfer.  `before` may set its headers and its body; edits in `after` have no effect.
 * The library adds the credentials and headers of the client later. */
ROUTABLE_API routable_request *routable_interception_request(routable_interception *interception);
/* Replaces the request with a copy of another request.  Only `before` may call this function.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_interception_set_request(
    routable_interception *interception, const routable_request *request, routable_error **error);

/* The outcome, for `after`: one of the two functions returns the response or the error, and the other function returns NULL.
 * For an error status such as 404, the outcome is an error, which contains the response (routable_error_response).  The
 * returned object is valid until `after` returns.  In `before`, both functions return NULL. */
ROUTABLE_API const routable_response *routable_interception_response(const routable_interception *interception);
ROUTABLE_API const routable_error *routable_interception_error(const routable_interception *interception);

/* In `before`, ends the request with a response or a failure; in `after`, replaces the outcome.  The library maps a response to
 * an outcome as the operation declares it.  The members `delay_ms` and `curl_code` of the reply must be 0.  If a function
 * replies more than once, the last reply is used.  For a stream, the reply must be a failure.
 * Statuses: HEADER, LIMIT, UNSUPPORTED (a response for a stream), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_interception_reply(
    routable_interception *interception, const routable_reply *reply, routable_error **error);

/* Stores data in `before` for `after` of the same middleware and request.  The library releases the data when the request has
 * ended, or when other data replaces it. */
ROUTABLE_API void routable_interception_set_data(
    routable_interception *interception, void *data, routable_release_fn release);
/* The data that routable_interception_set_data has stored, or NULL. */
ROUTABLE_API void *routable_interception_data(const routable_interception *interception);

#ifdef __cplusplus
}
#endif
#endif
