/* routable_transfers.h - many requests at the same time over one client (docs/client.md).
 *
 * A submitted transfer makes progress while a thread drives its client: one that is in routable_client_next,
 * routable_client_drive or routable_transfer_wait, or the client's own thread after routable_client_start.  Each transfer has
 * exactly one outcome: a response, an error, or cancelled.
 *
 * A `timeout_ms` of 0 does not wait; ROUTABLE_NONE waits without a limit.  A wait that a signal handler or
 * routable_client_interrupt interrupts returns ROUTABLE_INTERRUPTED; nothing is lost, call again.  The other conventions are
 * those of routable.h.
 */
#ifndef ROUTABLE_TRANSFERS_H
#define ROUTABLE_TRANSFERS_H

#include "routable_client.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routable_transfer routable_transfer;

/* Reports that a transfer has completed; called by the thread that drives.  `transfer` is borrowed for the callback.  It may
 * submit, cancel and free, the client included; a wait for another transfer gives ROUTABLE_PENDING.  It is called exactly
 * once, or never if routable_transfer_cancel returned 1. */
typedef void (*routable_transfer_fn)(routable_transfer *transfer, void *user_data);

/* Queues a transfer.  Nothing is sent before a thread drives the client; routable_client_drive with 0 starts all queued
 * transfers and returns.  The request may be edited and freed as soon as this returns.  Completion is reported to
 * `on_complete`, or, if that is NULL, by routable_client_next.  `*out` is a reference of your own; freeing it does not end the
 * transfer.  `policy` and `out` may be NULL.  The user_data is released with the last reference to the transfer.
 * Statuses: CREDENTIAL, URL, HEADER, BODY, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_submit(
    const routable_client *client, const routable_request *request, const routable_policy *policy,
    routable_transfer_fn on_complete, void *user_data, routable_release_fn release, routable_transfer **out,
    routable_error **error);

/* Queues `count` transfers, all or none, which is faster than one by one.  `user_data` and `out` are NULL or have one entry
 * for each; `release` is called for each.  A request may occur more than once.  Statuses: those of routable_client_submit. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_submit_many(
    const routable_client *client, const routable_request *const *requests, size_t count, const routable_policy *policy,
    routable_transfer_fn on_complete, void *const *user_data, routable_release_fn release, routable_transfer **out,
    routable_error **error);

/* Waits for the next completed transfer that has no callback; the call drives the transfers until then.
 * Statuses: PENDING (the timeout passed), IDLE (no transfers are in progress), INTERRUPTED, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_next(
    const routable_client *client, int64_t timeout_ms, routable_transfer **out, routable_error **error);

/* A completed transfer with its facts, for bindings.  Frozen: further facts have functions. */
typedef struct routable_completion {
    routable_transfer *transfer;   /* a reference that is yours */
    void *user_data;
    routable_status status;        /* what routable_transfer_result returns */
    int32_t has_trace;             /* 1: routable_transfer_trace returns a trace of the response */
    routable_response_parts parts; /* of the response, or of the error's response; borrowed from the transfer */
} routable_completion;
#define ROUTABLE_COMPLETION_INIT { NULL, NULL, ROUTABLE_OK, 0, ROUTABLE_RESPONSE_PARTS_INIT }

/* Waits like routable_client_next for up to `capacity` completed transfers.  With ROUTABLE_OK `*count` is at least 1.
 * Statuses: those of routable_client_next. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_next_many(
    const routable_client *client, int64_t timeout_ms, routable_completion *completions, size_t capacity, size_t *count,
    routable_error **error);

/* Processes ready sockets and timers, calls callbacks, and waits up to the timeout if none are ready.  `*pending` is the number
 * of transfers that are not completed, and may be NULL.  Statuses: INTERRUPTED, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_drive(
    const routable_client *client, int64_t timeout_ms, size_t *pending, routable_error **error);

/* The descriptor for your own event loop (poll, epoll, GLib, libuv, asyncio).  When it is readable, call routable_client_drive
 * with 0, and routable_client_next with 0 until it returns another status than ROUTABLE_OK.  Watch it; do not read or close it.
 * Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_descriptor(
    const routable_client *client, int32_t *out, routable_error **error);

/* Interrupts the waits of all threads in functions with a `timeout_ms`, and in streams: each returns ROUTABLE_INTERRUPTED.  Waits
 * that begin later are not interrupted, and routable_client_perform never is: submit and wait instead.  Async-signal-safe. */
ROUTABLE_API void routable_client_interrupt(const routable_client *client);

/* Starts a thread of the client, which drives it from now on; callbacks run there.  Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_start(
    const routable_client *client, routable_error **error);

/* Gives a reference back; the transfer continues. */
ROUTABLE_API void routable_transfer_free(routable_transfer *transfer);

/* Frees `count` transfers, each of which may be NULL. */
ROUTABLE_API void routable_transfer_free_many(routable_transfer *const *transfers, size_t count);

/* Cancels a transfer; any thread.  1: cancelled is its outcome, no callback is called and routable_client_next does not return
 * it.  0: it had completed already, and its callback has returned, unless this is called from it. */
ROUTABLE_API int32_t routable_transfer_cancel(const routable_transfer *transfer);

/* Waits until a transfer has completed; the call drives the transfers until then.  After ROUTABLE_OK routable_client_next does
 * not return it.
 * Statuses: PENDING, CANCELLED, INTERRUPTED, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_transfer_wait(
    const routable_transfer *transfer, int64_t timeout_ms, routable_error **error);

/* Returns the response, which you own, or the error.  Statuses: those of routable_client_perform, PENDING, CANCELLED. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_transfer_result(
    const routable_transfer *transfer, routable_response **out, routable_error **error);

/* The user_data that was passed to routable_client_submit. */
ROUTABLE_API void *routable_transfer_user_data(const routable_transfer *transfer);

#ifdef __cplusplus
}
#endif
#endif
