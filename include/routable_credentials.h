/* routable_credentials.h - credentials of the schemes that a description names (docs/auth.md).
 *
 * A credential belongs to one description, and is never sent with a request of another description, even if that description
 * declares a scheme with the same name.
 *
 * The conventions are those of routable.h.
 */
#ifndef ROUTABLE_CREDENTIALS_H
#define ROUTABLE_CREDENTIALS_H

#include "routable_client.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A refresh in progress.  The callback owns the refresh, and must pass it to routable_refresh_finish or routable_refresh_fail,
 * which free it. */
typedef struct routable_refresh routable_refresh;
/* Requests a new token, because there is none, or because the current token is about to expire or was rejected.  A thread that
 * performs a request or drives the client calls the function, once for all waiting transfers and without holding a lock.  The
 * function may finish the refresh before it returns, or let any thread finish it later.  The transfers wait until the refresh
 * is finished, but at most until their deadlines.  A refresh fails if it takes longer than the `deadline_ms` of the client, or
 * longer than 60 s if `deadline_ms` is ROUTABLE_NONE. */
typedef void (*routable_refresh_fn)(routable_refresh *refresh, void *user_data);

/* A request that is about to be sent; valid during the callback. */
typedef struct routable_signing routable_signing;
/* Adds headers to a request, such as a signature.  The library calls the function before the first attempt of a request, and
 * again after a 401 if it sends the request with a newer token; retries repeat the headers of the previous attempt.
 * routable_client_to_curl also calls the function.  If the function returns a status other than ROUTABLE_OK, the request fails
 * with ROUTABLE_ERR_CALLBACK.  The library does not follow redirects of a signed request. */
typedef routable_status (*routable_sign_fn)(routable_signing *signing, void *user_data);

/* The tokens of a credential after a refresh; valid during the callback.  Since 0.2.0. */
typedef struct routable_tokens {
    size_t size;                /* sizeof(routable_tokens) */
    routable_str scheme;        /* the scheme of the credential */
    routable_str token;         /* the new token */
    routable_str refresh_token; /* for the next refresh; may be empty */
    int64_t expires_in_ms;      /* lifetime of the token; 0: unknown */
    int32_t has_rotated;        /* 1: the service replaced the refresh token, and may no longer accept the old one */
    uint32_t reserved;          /* 0 */
} routable_tokens;
/* Receives the tokens after each refresh, so that a program can store them.  The thread that performs the refresh calls the
 * function once for each refresh, without holding a lock.  Since 0.2.0. */
typedef void (*routable_tokens_fn)(const routable_tokens *tokens, void *user_data);

enum { ROUTABLE_CREDENTIAL_SECRET_IN_BODY = 1 }; /* send the client id and secret in the body of a token request */

/* A credential of one scheme.  The library ignores members that the kind of the scheme does not use. */
struct routable_credential {
    size_t size;                 /* sizeof(routable_credential) */
    const char *scheme;          /* name of the scheme in "auth", or in OpenAPI's securitySchemes; not NULL */
    routable_str user;           /* HTTP Basic: the user name.  OAuth 2: sent to the token endpoint, and never to the service */
    routable_str password;       /* of `user` */
    routable_str token;          /* the token or the API key; if `token`, `user` and `sign` are not set, the first request
                                    waits for a refresh */
    int64_t expires_in_ms;       /* lifetime of the token; 0: unknown */
    const char *token_url;       /* OAuth 2; NULL: the URL in the description */
    const char *scope;           /* OAuth 2; NULL: the scope in the description */
    routable_str client_id;      /* OAuth 2: authenticates token requests.  The grant is refresh_token with a refresh token, otherwise
                                    password with a user, and otherwise client_credentials */
    routable_str client_secret;
    routable_str refresh_token;  /* sent in an OAuth 2 token request, or in the body of the description's refresh operation */
    routable_str refresh_body;   /* JSON; replaces the request body of the refresh operation */
    const char *origin;          /* the only origin that receives the credential, "https://api.example.com": a request to
                                    another origin fails with ROUTABLE_ERR_CREDENTIAL; NULL: the origin of each request */
    routable_refresh_fn refresh; /* replaces all other ways to obtain a new token */
    routable_sign_fn sign;
    void *user_data;             /* for all callbacks */
    routable_release_fn release; /* called once for each function that received the struct, when the credential is no longer used */
    uint32_t flags;              /* ROUTABLE_CREDENTIAL_* */
    uint32_t reserved;           /* 0 */
    const routable_router *router; /* the description that declares the scheme; only its requests receive the credential.  NULL: the
                                      description of the client, which is `router` of its options or, without it, the
                                      description of the first request of the client.  May be freed while the credential is
                                      set.  Since 0.2.0. */
    const char *audience;        /* OAuth 2: the parameter `audience` of token requests; NULL: as in the description.  Since 0.2.0. */
    const char *resource;        /* OAuth 2: the parameter `resource` of token requests (RFC 8707); NULL: as in the description.
                                    Since 0.2.0. */
    routable_tokens_fn refreshed; /* called after each refresh that returned a token.  Since 0.2.0. */
};
#define ROUTABLE_CREDENTIAL_INIT \
    { sizeof(routable_credential), NULL, { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, 0, NULL, NULL, { NULL, 0 }, { NULL, 0 }, \
        { NULL, 0 }, { NULL, 0 }, NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL }

/* Sets or replaces the credential of a scheme of a description, at any time, also while transfers are in progress.
 *
 * If neither the credential nor the options of the client name a router, the function also accepts a misspelled name of a scheme.
 * The first transfer that requires the credential then fails with ROUTABLE_ERR_CREDENTIAL, and the message lists the schemes that
 * have credentials.
 *
 * A request of another description is sent without the credential if its operation requires none; otherwise it fails with
 * ROUTABLE_ERR_CREDENTIAL before anything is sent.  A user and a password for an OAuth 2 scheme are sent only to its token endpoint,
 * and never to the service.
 *
 * If an operation requires a scheme that has no credential, its transfers fail with ROUTABLE_ERR_CREDENTIAL before anything is
 * sent, unless the request itself contains the scheme's header, query parameter or cookie.  A token is rejected by a 401, or by the
 * responses that the description states in "refresh_on".  If a request with an older token is rejected, the library sends the
 * request again with the current token.  If a request with the current token is rejected, the library refreshes the token, once for
 * all waiting transfers, and sends the request again; if there is no way to refresh the token, the response is the result.  The sixth
 * refresh within 30 s is rejected with ROUTABLE_ERR_EXCESSIVE_REFRESH; a refresh at the end of a lifetime of half a second or more
 * does not count.  A refresh that the service rejects, or that routable_refresh_fail ends, is not repeated until the credential is
 * replaced; the error contains the response of the service, in which the secrets of the credential are masked.
 * Statuses: URL, ARGUMENT (also for a scheme that the named router does not declare). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_set_credential(
    const routable_client *client, const routable_credential *credential, routable_error **error);
/* Removes the credentials of a scheme of all descriptions, if any.  Transfers that wait for its refresh then fail with ROUTABLE_ERR_CREDENTIAL when
 * the refresh is finished. */
ROUTABLE_API void routable_client_remove_credential(const routable_client *client, const char *scheme);
/* Returns the current tokens, which a program can store for its next start; a token that does not exist is empty.  Tokens are
 * secrets.  The credential is that of the client's description or, if this description has none, of the only description that has
 * one.  `token` and `refresh_token` may be NULL.
 * Statuses: UNKNOWN (the scheme has no credential), ARGUMENT (also if several other descriptions have such a credential). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_client_tokens(
    const routable_client *client, const char *scheme, routable_string *token, routable_string *refresh_token,
    routable_error **error);

/* ------------------------------------------------------------------------------------------------
 * Refresh
 */

/* The scheme, and the token that was rejected or is about to expire.  The token may be empty. */
ROUTABLE_API routable_str routable_refresh_scheme(const routable_refresh *refresh);
ROUTABLE_API routable_str routable_refresh_token(const routable_refresh *refresh);
/* The request that needs the token: its URL, route and operation. */
ROUTABLE_API routable_str routable_refresh_url(const routable_refresh *refresh);
ROUTABLE_API routable_str routable_refresh_route(const routable_refresh *refresh);
ROUTABLE_API routable_str routable_refresh_operation(const routable_refresh *refresh);
/* The WWW-Authenticate headers of the 401 that caused the refresh, joined by ", "; empty if no 401 caused it. */
ROUTABLE_API routable_str routable_refresh_challenge(const routable_refresh *refresh);
/* Finds a parameter of a challenge, such as the `realm` of `bearer`, in the value of a WWW-Authenticate header (RFC 9110
 * section 11.6.1).  If `parameter` is NULL, the function finds the token68 value that some schemes have instead of parameters;
 * this value may be empty.  The case of both names is ignored.  Returns 1, and writes a string that the caller must free.
 * Returns 0 if the header does not contain the scheme or the parameter. */
ROUTABLE_API int32_t routable_challenge_find(
    routable_str header, const char *scheme, const char *parameter, routable_string *out);
/* Completes a refresh with a new token and its lifetime (0: unknown).  A token that is empty, longer than 8 MiB, or contains a
 * control character fails the refresh.  Frees the refresh, also on failure.  Any thread may call this function.
 * Statuses: ARGUMENT (also for such a token). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_refresh_finish(
    routable_refresh *refresh, routable_str token, int64_t expires_in_ms, routable_error **error);
/* Fails a refresh, and frees it.  The waiting transfers fail with ROUTABLE_ERR_CREDENTIAL; `message` becomes a part of their
 * error message, and must not contain a secret.  Any thread may call this function. */
ROUTABLE_API void routable_refresh_fail(routable_refresh *refresh, routable_str message);

/* ------------------------------------------------------------------------------------------------
 * Signing
 */

/* The method, the whole URL and the body.  The body is the empty string if the request has none, or if it is not in memory. */
ROUTABLE_API routable_str routable_signing_method(const routable_signing *signing);
ROUTABLE_API routable_str routable_signing_url(const routable_signing *signing);
ROUTABLE_API routable_str routable_signing_body(const routable_signing *signing);
/* The value of the first header with this name (ASCII case is ignored), or empty. */
ROUTABLE_API routable_str routable_signing_header(const routable_signing *signing, const char *name);
/* Sets a header.  The library treats its value as a secret.  Statuses: HEADER, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_signing_set_header(
    routable_signing *signing, const char *name, routable_str value, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
