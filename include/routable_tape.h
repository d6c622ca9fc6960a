/* routable_tape.h - tapes for tests (docs/tape.md): a file with the exchanges of a client, which are replayed without a network.
 *
 *     routable_tape_options tape_options = ROUTABLE_TAPE_OPTIONS_INIT;
 *     routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
 *     routable_tape_new(api, "tapes/users.har", &tape_options, &tape, &error);
 *     options.tape = tape;
 *     routable_client_new(&options, &client, &error);
 *     ...
 *     routable_client_free(client);
 *     routable_tape_finish(tape, &error);
 *
 * A tape records every attempt of a request: redirects, retries, pages and token requests.  The key of an exchange is its call: the
 * operation, ids, query and body.  The nth equal call gets the nth recorded response.  What the description declares as secret is
 * removed before the file is written.  The conventions are those of routable.h. */
#ifndef ROUTABLE_TAPE_H
#define ROUTABLE_TAPE_H

#include "routable_client.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef ROUTABLE_ENUM(routable_tape_mode) {
    ROUTABLE_TAPE_AUTO = 0, /* replay the exchanges that the tape has, record those that it lacks; if the environment variable CI is
                               set, the same as REPLAY */
    ROUTABLE_TAPE_RECORD = 1, /* record all exchanges, and replace the file */
    ROUTABLE_TAPE_REPLAY = 2, /* replay only: an exchange that the tape lacks fails */
    ROUTABLE_TAPE_CHECK = 3   /* replay, and validate all requests and responses of the tape against the description first */
} routable_tape_mode;

/* Flags of a tape. */
enum { ROUTABLE_TAPE_ALLOW_UNUSED = 1 }; /* routable_tape_finish accepts recorded exchanges that no request has used */

/* Options of a tape. */
typedef struct routable_tape_options {
    size_t size;               /* sizeof(routable_tape_options) */
    routable_tape_mode mode;
    uint32_t flags;            /* ROUTABLE_TAPE_* */
    const char *const *redact; /* names of further secrets: of headers, parameters, cookies, and members of forms and JSON bodies.
                                  Case, "-" and "_" are ignored */
    size_t redact_count;
    const routable_str *secrets; /* values that are removed wherever they occur */
    size_t secret_count;
} routable_tape_options;
#define ROUTABLE_TAPE_OPTIONS_INIT { sizeof(routable_tape_options), ROUTABLE_TAPE_AUTO, 0, NULL, 0, NULL, 0 }

/* Opens a tape, and reads its file, which must exist for REPLAY and CHECK.  `options` may be NULL.  The router must outlive the tape.
 * Any thread may use a tape, and any number of clients, one after the other or at the same time.
 * Statuses: FILE, JSON (with the line and the column), LIMIT, DOCUMENT (the file is no tape, or the description no longer allows an
 * entry; with CHECK, all reasons, linked by routable_error_next), ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_tape_new(
    const routable_router *router, const char *path, const routable_tape_options *options, routable_tape **out,
    routable_error **error);
/* Writes what was recorded since the last call, atomically and with mode 0600.  Then fails if a request was made that the tape lacks,
 * or if an exchange of the file was not used.  What was recorded is lost if this function is not called.
 * Statuses: FILE (the file cannot be written; the old file remains), LIMIT (it would be over 256 MiB), CALLBACK (a request had no
 * exchange, or an exchange was not used), ARGUMENT.  Since 0.2.0. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_tape_finish(routable_tape *tape, routable_error **error);
/* Frees the tape.  Free the clients that use it first.  Since 0.2.0. */
ROUTABLE_API void routable_tape_free(routable_tape *tape);

#ifdef __cplusplus
}
#endif
#endif
