/* routable_client.h - the client, which performs requests over libcurl.
 *
 * The library opens libcurl when the program creates its first client without a transport.
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_CLIENT_H
#define ROUTABLE_CLIENT_H

#include "routable_introspection.h"
#include "routable_request.h"
#include "routable_response.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routable_client routable_client;

/* A file that records and replays the exchanges of clients, for tests (routable_tape.h).  Since 0.2.0. */
typedef struct routable_tape routable_tape;

/* One attempt of a request, for a transport (routable_transport.h).  The transport owns the exchange, and must pass it to
 * routable_exchange_reply, which frees it. */
typedef struct routable_exchange routable_exchange;
/* Replies to an attempt, in place of libcurl.  The function must call routable_exchange_reply before it returns, or the program
 * must call it later, on any thread.  The thread that performs the request or drives the client calls the function without
 * holding a lock, so the function may submit and cancel transfers. */
typedef void (*routable_transport_fn)(routable_exchange *exchange, void *user_data);

/* What happens with a successful response that deviates from its description, for example with null where a string is declared
 * (routable_response_deviation_at).  Since 0.2.0. */
typedef ROUTABLE_ENUM(routable_deviation_policy) {
    ROUTABLE_DEVIATIONS_DEFAULT = 0, /* of a client: report; of a request: as the client */
    ROUTABLE_DEVIATIONS_REPORT = 1,  /* the response is returned, and lists its deviations */
    ROUTABLE_DEVIATIONS_RAISE = 2,   /* the request fails with ROUTABLE_ERR_RESPONSE; the error contains the response */
    ROUTABLE_DEVIATIONS_IGNORE = 3   /* the response is returned, and lists no deviations */
} routable_deviation_policy;

/* A header that the client adds to the requests to one origin. */
typedef struct routable_origin_header {
    const char *origin; /* "https://api.example.com" */
    routable_str name;
    routable_str value;
} routable_origin_header;
#define ROUTABLE_ORIGIN_HEADER_INIT { NULL, { NULL, 0 }, { NULL, 0 } }

/* A pointer to curl_easy_setopt of the libcurl that the library opened.  Cast it to CURLcode (*)(CURL *, CURLoption, ...) before
 * the call. */
typedef void (*routable_setopt_fn)(void);
/* Sets options of a new libcurl handle (CURL *), such as the interface, ciphers, or addresses of host names.  The library calls
 * the function once for each handle: for the first one in routable_client_new, and for others in the thread that performs a
 * request or drives the client.  If the function returns a status other than ROUTABLE_OK, routable_client_new or the request
 * fails with ROUTABLE_ERR_CALLBACK.  The function must not change options that the library sets: URL, method, headers, bodies,
 * callbacks, timeouts. */
typedef routable_status (*routable_setup_fn)(void *handle, routable_setopt_fn setopt, void *user_data);

/* Options of a client.  0 and NULL select the default. */
typedef struct routable_client_options {
    size_t size;                /* sizeof(routable_client_options) */
    const char *base;           /* replaces the base of each request; NULL: do not replace it */
    const char *user_agent;     /* NULL: "routable/0.1.0"; "": no User-Agent header */
    const char *ca_file;        /* file of trusted certificates, PEM; NULL: SSL_CERT_FILE and SSL_CERT_DIR of the
                                   environment, or the system's certificates */
    int64_t deadline_ms;        /* time limit for a request with all its attempts and the validation of its response, but not
                                   for streams; 0: 60000; ROUTABLE_NONE: no limit */
    int64_t connect_timeout_ms; /* time limit for opening a connection; 0: 10000 */
    size_t max_response_bytes;  /* maximum size of a response body in memory, after content decoding; 0: 64 MiB */
    uint32_t max_redirects;     /* maximum number of redirects of a request, only to http and https URLs; 0: 10 */
    uint32_t flags;             /* ROUTABLE_CLIENT_* */
    const char *certificate_file; /* client certificate, PEM */
    const char *key_file;         /* private key of the client certificate, PEM */
    const char *proxy;            /* a URL; "": none; NULL: https_proxy, http_proxy and all_proxy of the environment */
    const char *no_proxy;         /* hosts to reach directly, "a.test,b.test"; NULL: no_proxy of the environment */
    int64_t retry_delay_ms;       /* delay before the first retry; doubles with each further retry; 0: 500 */
    int64_t max_retry_delay_ms;   /* maximum delay, before jitter; a longer Retry-After ends the retries; 0: 60000 */
    uint32_t retries;             /* maximum number of retries of a request, up to 100; 0: none (see routable_policy) */
    uint32_t max_active;          /* maximum number of submitted transfers that run at the same time; 0: 256 */
    uint32_t max_active_per_host; /* maximum number of submitted transfers that run at the same time for one scheme, host and port; 0: 64 */
    uint32_t max_pending;         /* maximum number of submitted transfers that are not completed; 0: 1000000 */
    int64_t stall_timeout_ms;     /* maximum time without a byte sent or received, rounded up to whole seconds; 0: 120000 for streams, else no limit; ROUTABLE_NONE: no limit */
    const routable_header *headers; /* added to each request of the client's description (`router`), unless it already has a header
                                       with the same name; masked in curl commands; not sent to another origin to which a
                                       redirect or a link leads */
    size_t header_count;
    routable_transport_fn transport; /* replies to requests instead of libcurl (routable_transport.h); NULL: libcurl */
    void *transport_user_data;
    routable_release_fn transport_release; /* called after the client has been freed and its transfers have ended, or if
                                              routable_client_new fails */
    const routable_origin_header *origin_headers; /* added to requests to their origin, unless a request already has a header
                                                     with the same name; masked in curl commands */
    size_t origin_header_count;
    const char *query;            /* percent-encoded, "key=a&b=c": added to the query of each request of the client's description (`router`), except links to another origin; not a secret */
    const char *unix_socket;      /* path of a socket to connect to instead of the host of the URL; proxies are not used */
    const char *cookie_file;      /* file for cookies: read if it exists, written by routable_client_save_cookies; "": in memory only; NULL: none */
    routable_setup_fn setup;      /* sets options of each libcurl handle */
    void *setup_user_data;
    routable_release_fn setup_release; /* called after the client has been freed and its transfers have ended, or if
                                          routable_client_new fails */
    const routable_router *router; /* the description of the client: its requests, and no others, receive `headers`, `query` and the
                                      credentials that name no router.  NULL: the description of the first request that the
                                      client performs.  May be freed before the client.  Since 0.2.0. */
    routable_deviation_policy deviations; /* what happens with a response that deviates from its description; 0: report.
                                             Since 0.2.0. */
    const char *netrc_file;        /* file with users and passwords of hosts, in the format of curl and ftp: libcurl sends them in
                                      a Basic header with requests that have no Authorization header, to their host alone; "":
                                      ~/.netrc; NULL: none.  Since 0.2.0. */
    const routable_tape *tape;     /* records and replays what `transport` or libcurl performs (routable_tape.h).  The client must be
                                      freed before it.  NULL: none.  Since 0.2.0. */
} routable_client_options;
#define ROUTABLE_CLIENT_OPTIONS_INIT \
    { sizeof(routable_client_options), NULL, NULL, NULL, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, NULL, 0, \
        NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, ROUTABLE_DEVIATIONS_DEFAULT, NULL, NULL }
enum {
    ROUTABLE_CLIENT_NO_REDIRECTS = 1,   /* do not follow redirects: a redirect fails with ROUTABLE_ERR_HTTP_STATUS, unless the
                                           operation declares the status of the redirect as a success */
    ROUTABLE_CLIENT_NO_COMPRESSION = 2, /* do not ask for compressed responses */
    ROUTABLE_CLIENT_TIMINGS = 4,        /* measure the phases of each transfer (routable_trace.h) */
    ROUTABLE_CLIENT_CHECK_BODIES = 8,   /* the name of ROUTABLE_DEVIATIONS_RAISE in 0.1.0; ignored if `deviations` is not 0 */
    ROUTABLE_CLIENT_INSECURE_REDIRECTS = 16, /* follow redirects from https to http */
    ROUTABLE_CLIENT_NO_VERIFY = 32,          /* accept any certificate of the service; for tests only */
    ROUTABLE_CLIENT_NO_AUTH = 64             /* send all requests without credentials, except those with a credential of their own
                                                (routable_policy).  Since 0.2.0. */
};

/* Creates a client.  Only the process that created the client can send requests with it.  In a forked child, functions that
 * perform or submit a request, open a stream, wait for a transfer or drive the client return ROUTABLE_ERR_ARGUMENT.
 * routable_client_descriptor, routable_client_start and routable_client_save_cookies also return this status.  In the child,
 * transfers and streams of the parent fail with ROUTABLE_ERR_ARGUMENT or ROUTABLE_CANCELLED.  Other functions, such as
 * routable_client_set_credential, routable_client_to_curl and routable_client_free, work in the child.
 * Statuses: NO_CURL, URL, HEADER, FILE (the cookie file), CALLBACK (the setup), UNSUPPORTED (cookies or a netrc file with a
 * transport, or a base that is a Unix socket), LIMIT (too many headers, or a header or base that is too long), ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_new(
    const routable_client_options *options, routable_client **out, routable_error **error);
/* Frees the client and cancels all transfers that are not completed.  A call of routable_client_perform in another thread
 * completes normally, unless it waits for the refresh of a credential; it then fails with ROUTABLE_ERR_ARGUMENT.  A callback of
 * the client may call this function.  No completion callback is called afterwards.  Other callbacks, such as events of a hook,
 * can follow, until the function `release` of that callback is called. */
ROUTABLE_API void routable_client_free(routable_client *client);

/* Writes the cookies to `cookie_file` in the Netscape format, which curl can read.  The file is replaced atomically and has
 * mode 0600.
 * Statuses: FILE, ARGUMENT (the client has no cookie file). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_save_cookies(const routable_client *client, routable_error **error);

/* Returns all cookies as lines of a cookie file in the Netscape format: domain, whether subdomains receive the cookie, path, whether
 * it requires TLS, expiry in seconds since 1970 (0: end of the session), name and value, separated by tabs; "#HttpOnly_" stands
 * before the domain of a cookie that scripts must not read.  The caller must free the string.  Cookies may be secrets.
 * Statuses: ARGUMENT (also: a client without cookies).  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_cookies(
    const routable_client *client, routable_string *out, routable_error **error);
/* Sets a cookie: one line in the format of routable_client_cookies.  Statuses: ARGUMENT (also: a client without cookies, or text
 * that is not such a line).  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_set_cookie(
    const routable_client *client, routable_str line, routable_error **error);
/* Removes all cookies from the memory of the client, but not from its file.  Statuses: ARGUMENT (also: a client without cookies).
 * Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_clear_cookies(
    const routable_client *client, routable_error **error);

/* Performs a request on the calling thread; blocks until the response is complete or the request has failed.  Connections are
 * reused for further requests.  If the operation does not declare the HTTP status as a success, the function returns
 * ROUTABLE_ERR_HTTP_STATUS, and the error contains the response with its body.  If the operation declares no success, 200 to
 * 299 are successes.  A 304 response to a request with If-None-Match or If-Modified-Since is a success, too.
 * `out` may be NULL.
 * Statuses: TRANSFER, TIMEOUT, TLS, LIMIT, HTTP_STATUS, RESPONSE, CREDENTIAL, EXCESSIVE_REFRESH, CALLBACK, FILE, URL, HEADER,
 * BODY, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_perform(
    const routable_client *client, const routable_request *request, routable_response **out, routable_error **error);

typedef struct routable_credential routable_credential; /* routable_credentials.h */

enum {
    ROUTABLE_POLICY_UNQUEUED = 1, /* routable_client_next does not return the transfer, even if it has no callback */
    ROUTABLE_POLICY_NO_AUTH = 2,  /* send without credentials */
    ROUTABLE_POLICY_TIMINGS = 4,  /* measure the phases of the transfer (routable_trace.h) */
    /* Keep the parsed JSON of a valid body with the response, for the first call of routable_response_json_value, which then
     * does not parse the body again.  The parsed JSON takes up to 8 times the memory of the body. */
    ROUTABLE_POLICY_CHECK_BODIES = 8, /* the name of ROUTABLE_DEVIATIONS_RAISE in 0.1.0; ignored if `deviations` is not 0 */
    ROUTABLE_POLICY_KEEP_JSON = 16,
    ROUTABLE_POLICY_ANY_STATUS = 32 /* return the response with any status, instead of ROUTABLE_ERR_HTTP_STATUS.  Since 0.2.0. */
};

/* Overrides of the client's options, for one request or, in a description, for one operation.  0, NULL and the empty string
 * keep the value of the operation or, if it declares none, of the client.
 *
 * With `retries`, the library sends a request again if no complete response arrived (name not found, connection refused, reset
 * or closed early, or a failed TLS handshake, but not a rejected certificate), or if the status is 408, 500, 502, 503 or 504.
 * It does not retry after the deadline or a timeout (ROUTABLE_ERR_TIMEOUT).  The method must be DELETE, GET, HEAD, OPTIONS, PUT
 * or TRACE, or the request must have an idempotency key (in the header Idempotency-Key or `idempotency_header`).  After a 429
 * with a Retry-After header, the library retries requests of all methods.  A request is not retried if its body cannot be sent
 * again, or if its target, a callback or a descriptor, has received a byte (routable_bodies.h).  The delay doubles with each
 * retry up to the maximum, is never shorter than Retry-After, and has up to 25 % of jitter in addition.  If Retry-After exceeds
 * the maximum, or if the delay exceeds the time until the deadline, there is no further attempt, and the result of the last
 * attempt is the result of the request. */
typedef struct routable_policy {
    size_t size;               /* sizeof(routable_policy) */
    int64_t deadline_ms;       /* time limit for all attempts, the time in the queue and the validation of the response;
                                  ROUTABLE_NONE: no limit */
    size_t max_response_bytes; /* maximum size of the response body after content decoding, also in a stream or a target */
    int64_t retry_delay_ms;    /* delay before the first retry; ROUTABLE_NONE: no delay */
    int32_t retries;           /* maximum number of retries, up to 100; ROUTABLE_NONE: none */
    int32_t max_redirects;     /* maximum number of redirects; ROUTABLE_NONE: as with ROUTABLE_CLIENT_NO_REDIRECTS */
    uint32_t flags;            /* ROUTABLE_POLICY_* */
    routable_deviation_policy deviations; /* what happens with a response that deviates from its description.  Since 0.2.0. */
    const routable_credential *credential; /* replaces the client's credential of the same scheme; sent even if the operation does not require the scheme.
                                              Without `router`, it belongs to the description of the first request with this policy */
    routable_str idempotency_header; /* name of a header with a random key, which the library adds to a request that does not
                                        have the header; all attempts send the same key, so requests of any method can be
                                        retried */
    int64_t stall_timeout_ms;  /* maximum time without a byte sent or received, rounded up to whole seconds; ROUTABLE_NONE: no limit */
    const routable_request *credential_request; /* the request that `credential` was given for, if a middleware of the program performs
                                                   another request in its place; NULL: the request that is performed.  Since
                                                   0.2.0. */
} routable_policy;
#define ROUTABLE_POLICY_INIT { sizeof(routable_policy), 0, 0, 0, 0, 0, 0, ROUTABLE_DEVIATIONS_DEFAULT, NULL, { NULL, 0 }, 0, NULL }

/* Writes the policy that the description declares for an operation (docs/route-document.md, "Performing"), including the
 * defaults of the document, and returns 1.  Returns 0, and writes nothing, if the description declares no policy or `out->size`
 * is wrong.  The description's policy overrides the options of the client, and the policy of a request overrides both.  The
 * deadline of the description does not apply to streams. */
ROUTABLE_API int32_t routable_operation_policy(const routable_operation *operation, routable_policy *out);

/* Performs a request with overrides; `policy` and `out` may be NULL.  Statuses: those of routable_client_perform. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_perform_with(
    const routable_client *client, const routable_request *request, const routable_policy *policy,
    routable_response **out, routable_error **error);

/* Receives a response that deviates from its description.  `route` and `operation` are those of its request.  Everything is
 * borrowed for the duration of the call.  The thread that performs the request or drives the client calls the function, and the
 * library holds no lock during the call.  The function must not wait for a transfer.  Since 0.2.0. */
typedef void (*routable_deviation_fn)(
    const routable_response *response, routable_str route, routable_str operation, void *user_data);

/* Sets the function that receives the responses that deviate from their descriptions; a client can have only one.  It receives
 * each of them once, after the middleware and before the response is returned or the callback of the transfer is called.  The
 * user_data is released after the client has been freed and its transfers have ended.  Any thread may call this function.  Since
 * 0.2.0.
 * Statuses: ARGUMENT (also: the client already has such a function). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_set_deviation_hook(
    const routable_client *client, routable_deviation_fn hook, void *user_data, routable_release_fn release,
    routable_error **error);

/* The request as a curl command (routable_request_to_curl) with the client's base, headers, query and user agent, and with the
 * current credentials.  If a credential that the operation requires is not set, the command has no credentials.
 * Statuses: ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_to_curl(
    const routable_client *client, const routable_request *request, uint32_t flags, routable_string *out,
    routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
