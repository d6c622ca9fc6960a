/* routable_trace.h - the trace of a transfer (docs/observe.md): timings and attempts, and a hook that receives events.
 *
 *     routable_timings timings = ROUTABLE_TIMINGS_INIT;
 *     if (routable_trace_timings(routable_response_trace(response), &timings))
 *         printf("%lld us\n", (long long)timings.elapsed_us);
 *
 * The conventions are those of routable.h. */
#ifndef ROUTABLE_TRACE_H
#define ROUTABLE_TRACE_H

#include "routable_transfers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Trace: the record of one transfer.  Borrowed, immutable.
 */

typedef struct routable_trace routable_trace;

/* The trace of a response; NULL if there was only one attempt, no timings were requested, and the client has no hook. */
ROUTABLE_API const routable_trace *routable_response_trace(const routable_response *response);
/* The trace of the transfer that failed with this error, or NULL. */
ROUTABLE_API const routable_trace *routable_error_trace(const routable_error *error);
/* The trace of a completed transfer's response or error; NULL before the transfer has completed. */
ROUTABLE_API const routable_trace *routable_transfer_trace(const routable_transfer *transfer);

/* Times in microseconds.  The phases of the last attempt are measured from its start, as in libcurl: each includes the phases
 * before it.  With a reused connection, connect_us and tls_us are 0, and name_lookup_us is 0 or a few microseconds. */
typedef struct routable_timings {
    size_t size;            /* sizeof(routable_timings) */
    int64_t queued_us;      /* time from the call until the start of the first attempt */
    int64_t name_lookup_us; /* last attempt: time until the name of the host is resolved */
    int64_t connect_us;     /* last attempt: time until the connection is established */
    int64_t tls_us;         /* last attempt: time until the TLS handshake is complete */
    int64_t first_byte_us;  /* last attempt: time until the first byte of the response */
    int64_t attempt_us;     /* last attempt: time until the attempt is complete */
    int64_t elapsed_us;     /* time from the call until completion, including all attempts and delays */
    int32_t connections;    /* connections that the last attempt opened; 0: the attempt reused one */
    int32_t reserved;
} routable_timings;
#define ROUTABLE_TIMINGS_INIT { sizeof(routable_timings), 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* Writes the timings and returns 1.  Returns 0, and writes nothing, if they were not requested (ROUTABLE_CLIENT_TIMINGS,
 * ROUTABLE_POLICY_TIMINGS) or `out->size` is wrong. */
ROUTABLE_API int32_t routable_trace_timings(const routable_trace *trace, routable_timings *out);

/* The kind of an event of a transfer. */
typedef ROUTABLE_ENUM(routable_event_kind) {
    ROUTABLE_EVENT_QUEUED = 0,   /* the thread that drives the client accepted a submitted transfer */
    ROUTABLE_EVENT_ATTEMPT = 1,  /* an attempt starts */
    ROUTABLE_EVENT_RETRY = 2,    /* an attempt failed; another follows after a delay */
    ROUTABLE_EVENT_REDIRECT = 3, /* the library follows a redirect */
    ROUTABLE_EVENT_REFUSED = 4,  /* the service rejected the credentials (401); another attempt follows with newer ones */
    ROUTABLE_EVENT_RESUMED = 5,  /* an event stream ended or broke off, or the service did not continue the earlier part of a
                                    file; another attempt follows */
    ROUTABLE_EVENT_REFRESH = 6,  /* a credential is refreshed, and the transfer waits */
    ROUTABLE_EVENT_END = 7       /* the transfer has completed */
} routable_event_kind;

/* An attempt that was followed by another one. */
typedef struct routable_attempt {
    size_t size;               /* sizeof(routable_attempt) */
    routable_event_kind kind;  /* the reason for the next attempt: RETRY, REDIRECT, REFUSED or RESUMED */
    int32_t http_status;       /* HTTP status of the response; 0 for a RETRY if no complete response arrived */
    int32_t curl_code;         /* RETRY: libcurl's CURLcode if no complete response arrived; otherwise 0 */
    int32_t drops_credentials; /* 1: the redirect leads to another origin; credentials and secret headers are not sent to it */
    int64_t wait_ms;           /* RETRY, RESUMED: delay before the next attempt, in milliseconds */
    routable_str url;          /* REDIRECT: absolute URL of the target, not masked; may contain secrets of the service */
} routable_attempt;
#define ROUTABLE_ATTEMPT_INIT { sizeof(routable_attempt), ROUTABLE_EVENT_QUEUED, 0, 0, 0, 0, { NULL, 0 } }

/* The number of attempts in the trace: all except the last one, but at most the first 1000. */
ROUTABLE_API size_t routable_trace_attempt_count(const routable_trace *trace);
/* Writes an attempt and returns 1.  Returns 0, and writes nothing, if the index is out of range or `out->size` is wrong. */
ROUTABLE_API int32_t routable_trace_attempt_at(const routable_trace *trace, size_t index, routable_attempt *out);

/* ------------------------------------------------------------------------------------------------
 * Hook
 */

/* One event of a transfer.  Strings are valid during the callback, and empty if they do not apply.  They contain no secrets
 * that the library knows: API keys that the description declares in the query are masked, and headers and bodies are not
 * reported.  Only the library creates this struct; later versions may append members. */
typedef struct routable_event {
    size_t size;               /* size of the library's struct: do not read members beyond it */
    routable_event_kind kind;
    int32_t attempt;           /* number of attempts that have started */
    int64_t transfer;          /* unique for each transfer */
    routable_str route;        /* all events: the route of the request, such as "user.status" */
    routable_str operation;    /* all events: the operation of the request, such as "read" */
    routable_str method;       /* ATTEMPT: method of the request */
    routable_str url;          /* ATTEMPT: URL of the request; REDIRECT: URL of the target */
    routable_str scheme;       /* REFRESH: the scheme of the credential */
    routable_status status;    /* END: ROUTABLE_OK for any response, ROUTABLE_CANCELLED, or the status of the failure */
    int32_t http_status;       /* RETRY, REDIRECT, REFUSED, RESUMED, END: HTTP status of the response; 0 for none */
    int32_t curl_code;         /* RETRY, END: libcurl's CURLcode; 0 for none */
    int32_t drops_credentials; /* REDIRECT: as in routable_attempt */
    int64_t wait_ms;           /* RETRY, RESUMED: delay before the next attempt, in milliseconds */
    const routable_trace *trace; /* END: the trace of the transfer; otherwise NULL */
    routable_str path_template; /* ATTEMPT: "/users/:username/statuses", path relative to the base, with the names of the ids;
                                    identical for all requests with the same route and operation */
} routable_event;

/* Reports an event.  The thread that performs the request or drives the client calls the function, and the library holds no
 * lock during the call.  The function may submit and cancel transfers, and free any object, including the client, but must not
 * wait for a transfer. */
typedef void (*routable_event_fn)(const routable_event *event, void *user_data);

/* Sets the hook of a client; a client can have only one.  The hook receives the events of each transfer that starts from now
 * on: QUEUED if it was submitted, then the events of its attempts, and END last, before the callback of the transfer is called.
 * Transfers that routable_client_free cancels have no END event, and requests to which a middleware replies have no events.
 * The user_data is released after the client has been freed and its transfers have ended.  Any thread may call this function.
 * Statuses: ARGUMENT (also: the client already has a hook). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_set_hook(
    const routable_client *client, routable_event_fn hook, void *user_data, routable_release_fn release,
    routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
