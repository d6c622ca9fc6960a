/* routable_transfers.h - many requests at the same time over one client (docs/client.md).
 *
 * A submitted transfer makes progress while a thread drives its client: one that is in routable_client_next,
 * routable_client_drive or routable_transfer_wait, or the client's own thread after routable_client_start.  Each transfer has
 * exactly one outcome: a response, an error, or cancelled.
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_TRANSFERS_H
#define ROUTABLE_TRANSFERS_H

#include "routable_client.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routable_transfer routable_transfer;

/* The end of a transfer, told by the thread that drives.  `transfer` is borrowed for the call.  It may
 * submit, cancel and free, the client too; what would wait for another end gives ROUTABLE_PENDING. */
typedef void (*routable_transfer_fn)(routable_transfer *transfer, void *user_data);

/* Queues a transfer.  Nothing is sent before a thread drives the client; routable_client_drive with 0 gets all that
 * were queued under way and returns.  The request may be edited and freed as soon as this returns.  The end is told to
 * `on_end`; when that is NULL, by routable_client_next.  `out` gives a reference of your own, which
 * routable_transfer_free gives back without ending the transfer; `policy` and `out` may be NULL.
 * Statuses: CREDENTIAL, URL, HEADER, BODY, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_submit(
    const routable_client *client, const routable_request *request, const routable_policy *policy,
    routable_transfer_fn on_end, void *user_data, routable_transfer **out, routable_error **error);

/* As routable_client_submit for `count` requests at once, all of them or none: they cost one look at the client's state, and
 * its thread wakes once.  `user_data` has one entry for each, or is NULL; so has `out`.  One request may be there more than
 * once.  Statuses: those of routable_client_submit. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_submit_many(
    const routable_client *client, const routable_request *const *requests, size_t count, const routable_policy *policy,
    routable_transfer_fn on_end, void *const *user_data, routable_transfer **out, routable_error **error);

/* Takes a transfer that has ended and has no callback: a reference that is yours.  Waits up to that time,
 * negative for any, and drives meanwhile.
 * Statuses: PENDING when the time is over, IDLE when nothing is under way, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_next(
    const routable_client *client, int64_t timeout_ms, routable_transfer **out, routable_error **error);

/* What routable_client_take gives of a transfer that has ended. */
typedef struct routable_ended {
    routable_transfer *transfer;   /* a reference that is yours */
    void *user_data;
    routable_status status;        /* what routable_transfer_result returns */
    int32_t has_trace;             /* 1: routable_transfer_trace tells of the response */
    routable_response_parts parts; /* of the response, borrowed of the transfer; also of one of a status that is an error */
} routable_ended;

/* As routable_client_next for up to `capacity` transfers at once; `count` is how many they are, 1 at least
 * with ROUTABLE_OK. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_take(
    const routable_client *client, int64_t timeout_ms, routable_ended *ended, size_t capacity, size_t *count,
    routable_error **error);

/* Does what is ready, calls callbacks, and waits up to that time when nothing is.  `pending`, which may be
 * NULL, is how many transfers have not ended.  Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_drive(
    const routable_client *client, int64_t timeout_ms, size_t *pending, routable_error **error);

/* The descriptor for a loop of your own (poll, epoll, GLib, libuv, asyncio).  When it is readable, call
 * routable_client_drive with 0, and routable_client_next with 0 until it gives no more.  Yours to watch,
 * not to read or close.  Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_descriptor(
    const routable_client *client, int *out, routable_error **error);

/* Lets a thread of the client drive from now on; callbacks run there.  Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_start(
    const routable_client *client, routable_error **error);

ROUTABLE_API void routable_transfer_free(routable_transfer *transfer);

/* The same for so many at once; each may be NULL. */
ROUTABLE_API void routable_transfer_free_many(routable_transfer *const *transfers, size_t count);

/* Any thread.  1: the cancel is the outcome, no callback runs and routable_client_next does not give it.
 * 0: it has ended already, and its callback has run, unless this is called in it. */
ROUTABLE_API int32_t routable_transfer_cancel(const routable_transfer *transfer);

/* Waits for the end, and drives meanwhile.  With ROUTABLE_OK routable_client_next does not give the
 * transfer any more.  Statuses: OK for an outcome, PENDING, CANCELLED, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_transfer_wait(
    const routable_transfer *transfer, int64_t timeout_ms, routable_error **error);

/* What it came to: a response that is yours, or why there is none.
 * Statuses: those of routable_client_perform, PENDING, CANCELLED. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_transfer_result(
    const routable_transfer *transfer, routable_response **out, routable_error **error);

/* What was passed to routable_client_submit. */
ROUTABLE_API void *routable_transfer_user_data(const routable_transfer *transfer);

#ifdef __cplusplus
}
#endif
#endif
