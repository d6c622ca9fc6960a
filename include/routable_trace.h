/* routable_trace.h - what happened on the way to an answer (docs/observe.md): times, attempts that were not the last, and a
 * function that is told meanwhile.
 *
 *     routable_timings timings = ROUTABLE_TIMINGS_INIT;
 *     if (routable_trace_timings(routable_response_trace(response), &timings))
 *         printf("%lld us\n", (long long)timings.elapsed_us);
 *
 * The conventions are those of routable.h.  Since 0.1.0. */
#ifndef ROUTABLE_TRACE_H
#define ROUTABLE_TRACE_H

#include "routable_transfers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Afterwards
 */

/* What was noted of one transfer; borrowed, immutable. */
typedef struct routable_trace routable_trace;

/* NULL when there is nothing to tell: no times were asked for, and the first attempt was the last. */
ROUTABLE_API const routable_trace *routable_response_trace(const routable_response *response);
/* Of the response of the error, or of a transfer that came to none. */
ROUTABLE_API const routable_trace *routable_error_trace(const routable_error *error);
/* Of the response or the error of a transfer that has ended; NULL before. */
ROUTABLE_API const routable_trace *routable_transfer_trace(const routable_transfer *transfer);

/* Microseconds.  Those of the last attempt count from its begin, each with those before it; 0 for what it did without: a
 * kept connection needs no lookup, connect or TLS. */
typedef struct routable_timings {
    size_t size;            /* sizeof(routable_timings): no more is written */
    int64_t queued_us;      /* from the call of the host until the first attempt began */
    int64_t name_lookup_us; /* of the last attempt, here and below */
    int64_t connect_us;
    int64_t tls_us;
    int64_t first_byte_us;
    int64_t attempt_us;
    int64_t elapsed_us;     /* from the call of the host until the end, with all attempts and waits */
    int32_t connections;    /* that the last attempt made; 0: it used a kept one */
    int32_t reserved;
} routable_timings;
#define ROUTABLE_TIMINGS_INIT { sizeof(routable_timings), 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* 1, and the times; or 0, and nothing, when they were not asked for (ROUTABLE_CLIENT_TIMINGS, ROUTABLE_POLICY_TIMINGS) or
 * `out->size` is no size of the struct. */
ROUTABLE_API int32_t routable_trace_timings(const routable_trace *trace, routable_timings *out);

typedef ROUTABLE_ENUM(routable_event_kind) {
    ROUTABLE_EVENT_QUEUED = 0,   /* a submitted transfer was taken in by the thread that drives */
    ROUTABLE_EVENT_ATTEMPT = 1,  /* an attempt begins */
    ROUTABLE_EVENT_RETRY = 2,    /* an attempt failed; another one follows after a wait */
    ROUTABLE_EVENT_REDIRECT = 3, /* another one follows elsewhere */
    ROUTABLE_EVENT_REFUSED = 4,  /* 401; another one follows with newer credentials */
    ROUTABLE_EVENT_RESUMED = 5,  /* an event stream broke off, or a part of a file did not fit; another one goes on */
    ROUTABLE_EVENT_REFRESH = 6,  /* a credential is refreshed, for which the transfer waits */
    ROUTABLE_EVENT_END = 7
} routable_event_kind;

/* An attempt that was followed by another one. */
typedef struct routable_step {
    size_t size;               /* sizeof(routable_step): no more is written */
    routable_event_kind kind;  /* RETRY, REDIRECT, REFUSED or RESUMED */
    int32_t http_status;       /* of the answer, which was whole; 0: none was */
    int32_t curl_code;         /* why none was, or 0 */
    int32_t drops_credentials; /* 1: they do not go where the redirect leads, another origin */
    int64_t wait_ms;           /* before the attempt that follows */
    routable_str url;          /* where a redirect leads, as the service said it; may hold what is secret to the service */
} routable_step;
#define ROUTABLE_STEP_INIT { sizeof(routable_step), ROUTABLE_EVENT_QUEUED, 0, 0, 0, 0, { NULL, 0 } }

/* One less than there were attempts; at most 1000 are kept. */
ROUTABLE_API size_t routable_trace_step_count(const routable_trace *trace);
/* 1, and the step; or 0, and nothing, beyond the end. */
ROUTABLE_API int32_t routable_trace_step_at(const routable_trace *trace, size_t index, routable_step *out);

/* ------------------------------------------------------------------------------------------------
 * Meanwhile
 */

/* Texts are borrowed for the call, and empty where they do not apply.  None holds a secret that the library knows of:
 * values of keys in a query are masked, and headers and bodies are not told. */
typedef struct routable_event {
    size_t size;               /* of the library's struct: what lies beyond it is not there */
    routable_event_kind kind;
    int32_t attempt;           /* how many attempts have begun */
    int64_t transfer;          /* events of one transfer have the same number, those of another one another */
    routable_str route;        /* "user.status" */
    routable_str operation;    /* "read" */
    routable_str method;       /* ATTEMPT */
    routable_str url;          /* ATTEMPT; REDIRECT: where it leads */
    routable_str scheme;       /* REFRESH: of the credential */
    routable_status status;    /* END: OK when an answer came, whatever it says; CANCELLED, or why there is none */
    int32_t http_status;       /* of the answer: RETRY, REDIRECT, REFUSED, RESUMED, END */
    int32_t curl_code;         /* RETRY, END */
    int32_t drops_credentials; /* REDIRECT */
    int64_t wait_ms;           /* RETRY, RESUMED: before the attempt that follows */
    const routable_trace *trace; /* END */
} routable_event;

/* Called without a lock, by the thread that performs or drives.  It may submit, cancel and free, the client too; it must
 * not wait for a transfer, unwind or longjmp. */
typedef void (*routable_event_fn)(const routable_event *event, void *user_data);

/* Tells `hook` of each transfer that begins from now on: QUEUED if it was submitted, then what happens, and END as the last,
 * before its callback; what the client's end cancels has no END.  Once for a client.  `release` is called once, when the
 * client and its transfers have ended, or this fails.  Any thread.  Statuses: ARGUMENT (also: it has a hook). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_set_hook(
    const routable_client *client, routable_event_fn hook, routable_release_fn release, void *user_data,
    routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
