/* routable_mock.h - a mock service for tests (docs/mock.md): it responds to requests as the description says, and stores the resources
 * that requests create.
 *
 *     routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
 *     routable_mock_new(api, NULL, &mock, NULL);
 *     options.transport = routable_mock_answer;
 *     options.transport_user_data = mock;
 *     routable_client_new(&options, &client, &error);
 *
 * What a request creates can be listed, read, changed and deleted by further requests.  Requests that the description does not allow
 * are refused as a service refuses them (routable_service.h).  Everything else is answered with a generated value that is valid
 * against its schema.  The same requests give the same responses for the same seed.  The conventions are those of routable.h. */
#ifndef ROUTABLE_MOCK_H
#define ROUTABLE_MOCK_H

#include "routable_service.h"
#include "routable_transport.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A mock of one description.  Any thread may use it; requests are answered one at a time. */
typedef struct routable_mock routable_mock;

enum { ROUTABLE_MOCK_ANONYMOUS = 1 }; /* a request without the credentials that its operation requires is answered; by default, it is
                                         refused with 401.  Credentials are never verified */

/* Called with each change of the store before the response: the path of a member ("v1/users/ann", percent-encoded) and its JSON, which
 * is empty if the member is removed.  Both are valid during the call.  If the function returns anything but ROUTABLE_OK, no change of
 * the request happens, and the request fails with ROUTABLE_ERR_CALLBACK.  The function must not call a function of the mock, which
 * would wait for itself. */
typedef routable_status (*routable_mock_change_fn)(routable_str path, routable_str json, void *user_data);

/* Options of a mock. */
typedef struct routable_mock_options {
    size_t size;            /* sizeof(routable_mock_options) */
    uint64_t seed;          /* of ids and generated values */
    const char *base_path;  /* the path in front of the paths of the API; NULL: the path of the base of the description */
    const char *id_pointer; /* a JSON pointer to the id in each resource, such as "/metadata/name"; NULL: the id is found by its name */
    uint32_t flags;         /* ROUTABLE_MOCK_* */
    uint32_t reserved;      /* 0 */
    routable_mock_change_fn changed; /* called with each change; NULL: none */
    void *user_data;        /* of `changed` */
} routable_mock_options;
#define ROUTABLE_MOCK_OPTIONS_INIT { sizeof(routable_mock_options), 0, NULL, NULL, 0, 0, NULL, NULL }

/* Makes a mock with an empty store.  The router must outlive it.
 * Statuses: URL (`base_path`), LIMIT, ARGUMENT (also: `id_pointer` is no JSON pointer).  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_mock_new(
    const routable_router *router, const routable_mock_options *options, routable_mock **out, routable_error **error);
/* Frees the mock.  Free the clients that use it first.  Since 0.2.0. */
ROUTABLE_API void routable_mock_free(routable_mock *mock);

/* The transport function whose `user_data` is the mock.  It also answers the token requests of OAuth 2.  Since 0.2.0. */
ROUTABLE_API void routable_mock_answer(routable_exchange *exchange, void *user_data);
/* Answers a request that a server has received.  `curl_code` and `delay_ms` may be NULL; they are 0, or those of a fault: the code
 * of a failure that the server should imitate by closing the connection, and the delay before the response.
 * Statuses: CALLBACK (`changed` failed), LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_mock_respond(
    routable_mock *mock, const routable_incoming *incoming, routable_answer **out, int32_t *curl_code, int64_t *delay_ms,
    routable_error **error);

/* Puts a member into the store without a call of `changed`, or removes one: `path` and `json` are those of a change.
 * Statuses: JSON, LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_mock_put(
    routable_mock *mock, const char *path, const char *json, size_t length, routable_error **error);
/* Lists what is wrong with the description: examples of responses that their schemas do not allow, which the mock does not use, and
 * responses that cannot be generated, to which it answers 501.  `out` is a JSON array of objects with "operation", "status" ("200",
 * "2XX" or "default"), "pointer" into the description, and "message".  The schemas of all responses are compiled, which takes seconds
 * for a description of a thousand operations.
 * Statuses: LIMIT, ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_mock_problems(
    const routable_mock *mock, routable_string *out, routable_error **error);
/* The number of members in the store.  Since 0.2.0. */
ROUTABLE_API size_t routable_mock_count(const routable_mock *mock);
/* Removes all members, and begins again: ids and generated values repeat, and faults count from 0.  Since 0.2.0. */
ROUTABLE_API void routable_mock_reset(routable_mock *mock);

/* A fault, and the requests that get it.  It has one of `http_status`, `curl_code` and `wrong_body`, or only a delay.  Of several
 * faults, the first that is for a request and has uses left counts. */
typedef struct routable_mock_fault {
    size_t size;           /* sizeof(routable_mock_fault) */
    const char *route;     /* "user.status"; "": standalone operations; NULL: any */
    const char *operation; /* "read"; NULL: any */
    int32_t times;         /* the number of requests that get it; ROUTABLE_NONE: any number; 0: 1 */
    int32_t rate;          /* of a million requests so many get it, chosen by the seed; 0: all */
    int32_t http_status;   /* 400 to 599 instead of the usual response; 0: none */
    int32_t retry_after;   /* seconds in Retry-After, with `http_status`; ROUTABLE_NONE: no such header */
    int32_t curl_code;     /* the request fails as if libcurl had returned this CURLcode, such as 56 (reset); 0: it does not fail */
    uint32_t wrong_body;   /* 1: a JSON body is replaced by one that its schema does not allow; other bodies are unchanged */
    int64_t delay_ms;      /* delay before the response */
} routable_mock_fault;
#define ROUTABLE_MOCK_FAULT_INIT { sizeof(routable_mock_fault), NULL, NULL, 0, 0, 0, ROUTABLE_NONE, 0, 0, 0 }

/* Adds a fault.
 * Statuses: ARGUMENT (also: no effect or several, a status outside 400 to 599, a negative delay, a rate over a million).  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_mock_add_fault(
    routable_mock *mock, const routable_mock_fault *fault, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
