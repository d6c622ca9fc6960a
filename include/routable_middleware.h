/* routable_middleware.h - functions of yours around each request of a client (docs/client.md, "Middleware").
 *
 *     routable_middleware middleware = ROUTABLE_MIDDLEWARE_INIT;
 *     middleware.before = add_a_header;
 *     status = routable_client_add_middleware(client, &middleware, &error);
 *
 * A hook (routable_trace.h) observes each attempt, and a transport (routable_transport.h) replies to each attempt.  A middleware sees a
 * request once, with all its attempts, redirects and refreshed credentials, and its outcome as it is mapped.
 * The other conventions are those of routable.h. */
#ifndef ROUTABLE_MIDDLEWARE_H
#define ROUTABLE_MIDDLEWARE_H

#include "routable_transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One request at one middleware.  Borrowed for the function. */
typedef struct routable_interception routable_interception;

/* Called without a lock.  It may submit and perform with other clients, cancel and free; performing or submitting with its own client,
 * which would call it again, returns ROUTABLE_ERR_ARGUMENT. */
typedef void (*routable_middleware_fn)(routable_interception *interception, void *user_data);

/* Two functions around each request; either may be NULL. */
typedef struct routable_middleware {
    size_t size;                  /* sizeof(routable_middleware) */
    routable_middleware_fn before; /* before the request is sent, by the thread that performs or submits it */
    routable_middleware_fn after;  /* when the outcome is known, by the thread that performs or drives, before any callback */
    void *user_data;
    routable_release_fn release;  /* called after the client and its transfers, or if routable_client_add_middleware fails */
} routable_middleware;
#define ROUTABLE_MIDDLEWARE_INIT { sizeof(routable_middleware), NULL, NULL, NULL, NULL }

/* Adds a middleware within those that were added before, for all requests that are performed, submitted and streamed from now on.
 * `before` is called in the order of adding, and `after` in the reverse order.  A reply of `before` ends the request: the functions
 * within are not called, and `after` of those around it is.  A cancelled transfer has no `after`.  Any thread.
 * Statuses: LIMIT (more than 32), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_add_middleware(
    const routable_client *client, const routable_middleware *middleware, routable_error **error);

/* The request, a copy for this transfer: `before` may set its headers and its body; edits in `after` have no effect.  The
 * credentials and headers of the client are added later. */
ROUTABLE_API routable_request *routable_interception_request(routable_interception *interception);
/* Performs a copy of another request instead, in `before`.  Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_interception_set_request(
    routable_interception *interception, const routable_request *request, routable_error **error);

/* The outcome, in `after`: either the response or the error, and NULL for the other.  For an error status such as 404 it is the error,
 * which contains the response (routable_error_response).  Both are borrowed for the function. */
ROUTABLE_API const routable_response *routable_interception_response(const routable_interception *interception);
ROUTABLE_API const routable_error *routable_interception_error(const routable_interception *interception);

/* Ends the request with this response, or failure, in `before`; replaces the outcome in `after`.  A response is mapped by the operation.
 * It must not have delay_ms or curl_code.  If a function replies more than once, the last reply is used.  A stream accepts only a
 * failure.  Statuses: HEADER, UNSUPPORTED (a response for a stream), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_interception_reply(
    routable_interception *interception, const routable_reply *reply, routable_error **error);

/* Keeps data of `before` for `after` of the same middleware and request.  It is released after the request, and if another one
 * replaces it. */
ROUTABLE_API void routable_interception_set_data(
    routable_interception *interception, void *data, routable_release_fn release);
/* That data, or NULL. */
ROUTABLE_API void *routable_interception_data(const routable_interception *interception);

#ifdef __cplusplus
}
#endif
#endif
