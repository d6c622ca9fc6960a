/* routable_login.h - logins of OAuth 2 that a user takes part in (docs/auth.md, "Logins").
 *
 *     routable_login_new(client, &options, &login, &error);
 *     routable_login_begin(login, &url, &error);             ... show the URL to the user, and wait for the redirect
 *     routable_login_finish(login, redirected, &error);      ... the client has the credential
 *     routable_login_free(login);
 *
 * The library makes the URL, the state and the PKCE verifier, and exchanges the code.  It opens no browser, and it does not listen
 * for the redirect.
 *
 * Threads    One thread at a time may use a login.
 * Secrets    Codes, verifiers and tokens are in no error message.  The response of an error contains a mask in place of those that
 *            were sent.  The requests of a login are not passed to hooks, and the library does not follow their redirects.
 * Since      All functions of this header: since 0.2.0.
 * The other conventions are those of routable.h.
 */
#ifndef ROUTABLE_LOGIN_H
#define ROUTABLE_LOGIN_H

#include "routable_credentials.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct routable_login routable_login;

enum { ROUTABLE_LOGIN_DISCOVER = 2 }; /* read the metadata of the issuer that the description names */

/* Options of routable_login_new.  NULL and the empty string: as in the metadata or, without it, in the description. */
typedef struct routable_login_options {
    size_t size;                   /* sizeof(routable_login_options) */
    const char *scheme;            /* name of a scheme of the kind oauth2 or bearer; not NULL */
    const routable_router *router; /* the description that declares the scheme; NULL: that of the client */
    routable_str client_id;        /* not empty */
    routable_str client_secret;    /* empty for a client that cannot keep a secret, such as a program of a user */
    const char *redirect_url;      /* where the browser is sent after the login; for routable_login_begin */
    const char *scope;
    const char *audience;          /* the parameter `audience`, which some services require */
    const char *resource;          /* the parameter `resource` (RFC 8707) */
    const char *issuer;            /* reads the metadata of this issuer (OpenID Connect Discovery, RFC 8414), or at this URL */
    const char *authorization_url;
    const char *device_url;
    const char *token_url;
    uint32_t flags;                /* ROUTABLE_LOGIN_DISCOVER, ROUTABLE_CREDENTIAL_SECRET_IN_BODY */
    uint32_t reserved;             /* 0 */
} routable_login_options;
#define ROUTABLE_LOGIN_OPTIONS_INIT \
    { sizeof(routable_login_options), NULL, NULL, { NULL, 0 }, { NULL, 0 }, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0 }

/* Makes a login, and reads the metadata if an issuer or ROUTABLE_LOGIN_DISCOVER is set.  The issuer in the metadata must be the
 * issuer that was asked for, and metadata that was read over https must name only https endpoints.  The login holds a reference to
 * the client.
 * Statuses: URL (a URL of the options or the description), CREDENTIAL (the metadata), TRANSFER, TIMEOUT, TLS, LIMIT, ARGUMENT (also for
 * a scheme that the description does not declare). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_login_new(
    const routable_client *client, const routable_login_options *options, routable_login **out, routable_error **error);
/* Frees the login.  The credential that it has set remains. */
ROUTABLE_API void routable_login_free(routable_login *login);

/* Begins a login by the browser: writes the URL to open, with a new state and a new PKCE challenge.  The caller must free the
 * string.  A further call begins again.
 * Statuses: ARGUMENT (also: no authorization URL, token URL or redirect URL is known). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_login_begin(
    routable_login *login, routable_string *out, routable_error **error);
/* Finishes a login by the browser: checks the state in `redirected`, the URL that the browser was sent to, or its query; exchanges
 * the code for tokens; and sets the credential of the scheme.  After a status other than ARGUMENT, the state is used up, unless the
 * redirect contains another state.
 * Statuses: CREDENTIAL (another state or issuer, a refusal of the user or of the service), TRANSFER, TIMEOUT, TLS, LIMIT, ARGUMENT
 * (also: the login has not begun). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_login_finish(
    routable_login *login, routable_str redirected, routable_error **error);

/* What a program shows to the user of a device.  The strings are valid until the next call of routable_login_begin_device, or until
 * the login is freed. */
typedef struct routable_device_code {
    size_t size;               /* sizeof(routable_device_code) */
    routable_str user_code;    /* the code that the user enters */
    routable_str url;          /* where the user enters the code */
    routable_str complete_url; /* the same with the code in it, for a QR code; may be empty */
    int64_t expires_in_ms;     /* lifetime of the code */
    int64_t interval_ms;       /* time between two calls of routable_login_poll */
} routable_device_code;
#define ROUTABLE_DEVICE_CODE_INIT { sizeof(routable_device_code), { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, 0, 0 }

/* Begins a login on another device (RFC 8628): requests a code for the user.  A further call begins again.
 * Statuses: CREDENTIAL (a refusal, or an incomplete response), TRANSFER, TIMEOUT, TLS, LIMIT, ARGUMENT (also: no device URL or token
 * URL is known). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_login_begin_device(
    routable_login *login, routable_device_code *out, routable_error **error);
/* Asks the service once whether the user has entered the code, and sets the credential of the scheme if so.  Otherwise the function
 * returns ROUTABLE_IDLE, and writes to `wait_ms`, which may be NULL, how long to wait before the next call; a call before that time
 * sends nothing.
 * Statuses: IDLE (the user has not entered the code yet), CREDENTIAL (a refusal, or an expired code), TRANSFER, TIMEOUT, TLS, LIMIT,
 * ARGUMENT (also: the login has not begun, or has ended). */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_login_poll(
    routable_login *login, int64_t *wait_ms, routable_error **error);

#ifdef __cplusplus
}
#endif
#endif
