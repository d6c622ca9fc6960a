/* routable_credentials.h - credentials of the schemes that a description names (docs/auth.md).
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_CREDENTIALS_H
#define ROUTABLE_CREDENTIALS_H

#include "routable_client.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Credentials (docs/auth.md): of a scheme that the description names; never a part of it --- */

/* A refresh that a function of yours makes: yours from the call until routable_refresh_finish or _fail. */
typedef struct routable_refresh routable_refresh;
/* Gets a new token, because there is none, or the one at hand has expired or was refused.  It is called once for
 * all transfers that wait, by a thread that drives or performs, without a lock.  It may answer in the call, or
 * later from any thread; until then they wait, up to their deadlines. */
typedef void (*routable_refresh_fn)(routable_refresh *refresh, void *user_data);

/* A request that is about to go out, borrowed for the call. */
typedef struct routable_signing routable_signing;
/* Completes a request by headers, as signatures do; 0 when it has, another number fails the transfer with
 * ROUTABLE_ERR_CALLBACK.  It is called for each attempt that goes out with credentials; redirects of a signed
 * request are not followed. */
typedef int32_t (*routable_sign_fn)(routable_signing *signing, void *user_data);

/* Begin with ROUTABLE_CREDENTIAL_INIT; all texts are copied. */
struct routable_credential {
    size_t size;
    const char *scheme;        /* its name under "auth", or among OpenAPI's securitySchemes */
    routable_str user;         /* basic */
    routable_str password;
    routable_str token;        /* the token or the key; empty: the first request waits for a refresh */
    int64_t expires_in_ms;     /* of the token; 0: not known */
    const char *token_url;     /* OAuth 2; NULL: the description's */
    const char *scope;         /* NULL: the description's */
    routable_str client_id;    /* OAuth 2, client credentials: without a refresh token */
    routable_str client_secret;
    routable_str refresh_token; /* OAuth 2, or the body of the operation that the description names for a refresh */
    routable_str refresh_body; /* instead of that body: JSON */
    const char *origin;        /* "https://api.example.com": it goes nowhere else; NULL: where the requests go */
    routable_refresh_fn refresh; /* instead of all other ways to a new token */
    routable_sign_fn sign;
    void *user_data;
    routable_release_fn release; /* or NULL */
    uint32_t flags;            /* ROUTABLE_CREDENTIAL_* */
    uint32_t reserved;         /* 0 */
};
#define ROUTABLE_CREDENTIAL_INIT \
    { sizeof(routable_credential), NULL, { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, 0, NULL, NULL, { NULL, 0 }, { NULL, 0 }, \
        { NULL, 0 }, { NULL, 0 }, NULL, NULL, NULL, NULL, NULL, 0, 0 }
enum { ROUTABLE_CREDENTIAL_SECRET_IN_BODY = 1 }; /* the client's secret goes into the body of a token request */

/* Sets the credential of a scheme, instead of the one that it has.  A transfer of an operation that needs a scheme
 * without one fails with ROUTABLE_ERR_CREDENTIAL before anything is sent, unless the request has its header, query
 * parameter or cookie by itself.  A 401 to a request that went out with an older token is answered by another attempt;
 * otherwise one refresh is made, for which all wait.  The sixth refresh within 30 s is refused
 * (ROUTABLE_ERR_EXCESSIVE_REFRESH); one that the service refuses is not repeated before the credential is another.
 * Any time, also while transfers are under way.  `release` is also called when this fails.
 * Statuses: URL, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_set_credential(
    const routable_client *client, const routable_credential *credential, routable_error **error);
/* None is fine. */
ROUTABLE_API void routable_client_remove_credential(const routable_client *client, const char *scheme);
/* The tokens at hand, to keep them for the next start; empty where there is none.  They are secrets.
 * Statuses: UNKNOWN, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_tokens(
    const routable_client *client, const char *scheme, routable_string *token, routable_string *refresh_token,
    routable_error **error);

/* The scheme, and the token that was refused or has expired (or empty).  Borrowed from the refresh. */
ROUTABLE_API routable_str routable_refresh_scheme(const routable_refresh *refresh);
ROUTABLE_API routable_str routable_refresh_token(const routable_refresh *refresh);
/* The new token and its time (0: not known).  Any thread.  Gives the refresh back, also with ARGUMENT for an empty
 * token or one with control bytes, which is a failure. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_refresh_finish(
    routable_refresh *refresh, routable_str token, int64_t expires_in_ms, routable_error **error);
/* There is none: those that wait fail with ROUTABLE_ERR_CREDENTIAL and this message, which has no secret in it. */
ROUTABLE_API void routable_refresh_fail(routable_refresh *refresh, routable_str message);

ROUTABLE_API routable_str routable_signing_method(const routable_signing *signing);
ROUTABLE_API routable_str routable_signing_url(const routable_signing *signing);
ROUTABLE_API routable_str routable_signing_body(const routable_signing *signing);
/* The value of the first header of that name, or empty. */
ROUTABLE_API routable_str routable_signing_header(const routable_signing *signing, const char *name);
/* Sets a header, whose value is a secret from then on.  Statuses: HEADER, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_signing_set_header(
    routable_signing *signing, const char *name, routable_str value, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
