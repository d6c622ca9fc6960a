/* routable_transfers.h - many requests at the same time over one client (docs/client.md).
 *
 * A submitted transfer makes progress only while a thread drives its client.  A thread drives the client while the thread is in
 * routable_client_drive, or waits in another function with a `timeout_ms`, such as routable_client_next.  routable_client_start
 * starts a thread of the library that drives the client all the time.  Each transfer has exactly one result: a response, an
 * error, or ROUTABLE_CANCELLED.
 *
 * With a `timeout_ms` of 0, a function does not wait; with ROUTABLE_NONE, it waits without a limit.  If a signal handler or
 * routable_client_interrupt interrupts a wait, the function returns ROUTABLE_INTERRUPTED; the transfers are not affected, and
 * the function can be called again.  The other conventions are those of routable.h.
 */
#ifndef ROUTABLE_TRANSFERS_H
#define ROUTABLE_TRANSFERS_H

#include "routable_client.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routable_transfer routable_transfer;

/* Reports that a transfer has completed.  The thread that drives the client calls the function exactly once, or never if the
 * transfer is cancelled.  `transfer` is valid during the callback.  The callback may submit and cancel transfers, and free any
 * object, including the client.  In the callback, routable_transfer_wait for another transfer that is in progress returns
 * ROUTABLE_PENDING. */
typedef void (*routable_transfer_fn)(routable_transfer *transfer, void *user_data);

/* Queues a transfer.  Nothing is sent before a thread drives the client; routable_client_drive with a timeout of 0 starts the
 * queued transfers, up to `max_active` of the client, and returns.  The request may be edited and freed when this function has
 * returned.  When the transfer has completed, the library calls `on_complete`, or routable_client_next returns the transfer if
 * `on_complete` is NULL and the policy does not have ROUTABLE_POLICY_UNQUEUED.  `*out` is a reference that the caller must
 * free; freeing it does not cancel the transfer.  `policy` and `out` may be NULL.  The user_data is released with the last
 * reference to the transfer.
 * Statuses: CREDENTIAL, URL, HEADER, BODY, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_submit(
    const routable_client *client, const routable_request *request, const routable_policy *policy,
    routable_transfer_fn on_complete, void *user_data, routable_release_fn release, routable_transfer **out,
    routable_error **error);

/* Queues `count` transfers; on failure, none of them is queued.  This is faster than one call of routable_client_submit for
 * each transfer.  `user_data` and `out` are NULL or have one entry for each transfer; `release` is called once for each
 * transfer.  A request may occur more than once.  Statuses: those of routable_client_submit. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_submit_many(
    const routable_client *client, const routable_request *const *requests, size_t count, const routable_policy *policy,
    routable_transfer_fn on_complete, void *const *user_data, routable_release_fn release, routable_transfer **out,
    routable_error **error);

/* Waits for the next completed transfer that has neither a callback nor the flag ROUTABLE_POLICY_UNQUEUED, and returns it in
 * `*out`, a reference that the caller must free.  The waiting thread drives the client.
 * Statuses: PENDING (the timeout passed), IDLE (no transfers are in progress), INTERRUPTED, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_next(
    const routable_client *client, int64_t timeout_ms, routable_transfer **out, routable_error **error);

/* A completed transfer and its result, for bindings.  Frozen. */
typedef struct routable_completion {
    routable_transfer *transfer;   /* a reference that the caller must free */
    void *user_data;
    routable_status status;        /* the status that routable_transfer_result returns */
    uint32_t reserved0;            /* 0 */
    routable_response_parts parts; /* parts of the response, or of the error's response; borrowed from the transfer */
} routable_completion;
#define ROUTABLE_COMPLETION_INIT { NULL, NULL, ROUTABLE_OK, 0, ROUTABLE_RESPONSE_PARTS_INIT }

/* Waits like routable_client_next, and returns up to `capacity` completed transfers.  If the function returns ROUTABLE_OK,
 * `*count` is at least 1.
 * Statuses: those of routable_client_next. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_next_many(
    const routable_client *client, int64_t timeout_ms, routable_completion *completions, size_t capacity, size_t *count,
    routable_error **error);

/* Processes ready sockets and timers, calls callbacks, and waits up to the timeout if none are ready.  `*pending` is the number
 * of transfers that are not completed; `pending` may be NULL.  Statuses: INTERRUPTED, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_drive(
    const routable_client *client, int64_t timeout_ms, size_t *pending, routable_error **error);

/* The descriptor for your own event loop (poll, epoll, GLib, libuv, asyncio).  When it is readable, call routable_client_drive
 * with a timeout of 0, and then routable_client_next with a timeout of 0 until it returns a status other than ROUTABLE_OK.  Do
 * not read from the descriptor or close it.
 * Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_descriptor(
    const routable_client *client, int32_t *out, routable_error **error);

/* Interrupts all threads that wait in functions with a `timeout_ms`, including the functions of streams: these functions return
 * ROUTABLE_INTERRUPTED.  Waits that begin later are not interrupted.  routable_client_perform cannot be interrupted: submit the
 * request and wait instead.  This function is async-signal-safe. */
ROUTABLE_API void routable_client_interrupt(const routable_client *client);

/* Starts a thread that drives the client from now on and calls the callbacks.  Statuses: LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_start(
    const routable_client *client, routable_error **error);

/* Frees a reference to a transfer.  The transfer continues. */
ROUTABLE_API void routable_transfer_free(routable_transfer *transfer);

/* Frees `count` transfers, each of which may be NULL. */
ROUTABLE_API void routable_transfer_free_many(routable_transfer *const *transfers, size_t count);

/* Cancels a transfer.  Any thread may call this function.  Returns 1 if the transfer is now cancelled: its callback is not
 * called, and routable_client_next does not return it.  Returns 0 if the transfer had already completed: its callback has
 * returned, unless the callback itself made this call. */
ROUTABLE_API int32_t routable_transfer_cancel(const routable_transfer *transfer);

/* Waits until the transfer has completed.  The waiting thread drives the client.  After ROUTABLE_OK, routable_client_next does
 * not return the transfer.
 * Statuses: PENDING, CANCELLED, INTERRUPTED, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_transfer_wait(
    const routable_transfer *transfer, int64_t timeout_ms, routable_error **error);

/* Returns the response, which the caller must free, or the error.  Statuses: those of routable_client_perform, PENDING,
 * CANCELLED. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_transfer_result(
    const routable_transfer *transfer, routable_response **out, routable_error **error);

/* The user_data that was passed to routable_client_submit or routable_client_submit_many for this transfer. */
ROUTABLE_API void *routable_transfer_user_data(const routable_transfer *transfer);

#ifdef __cplusplus
}
#endif
#endif
