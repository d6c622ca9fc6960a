/* routable.h - the public C interface of libroutable: conventions, and the headers in the order to read them.
 *
 * Routable turns one description of an HTTP API into a client.  It builds each request, rejects calls that the
 * description does not allow before anything is sent, performs them over libcurl, and validates the responses.
 *
 *     routable_router *social = NULL;  routable_request *request = NULL;  routable_error *error = NULL;
 *     routable_argument ids[] = { { NULL, routable_value_string("initFabian") }, { NULL, routable_value_integer(3) } };
 *     routable_call call = ROUTABLE_CALL_INIT;
 *     call.route = "user.status";  call.operation = "read";  call.ids = ids;  call.id_count = 2;
 *     if (routable_router_open_file("social.json", NULL, &social, &error) == ROUTABLE_OK &&
 *         routable_request_new(social, &call, &request, &error) == ROUTABLE_OK)
 *         puts(routable_request_url(request).ptr);    -> https://api.example.com/v1/users/initFabian/statuses/3
 *
 * These conventions answer six questions for every function; its own comment states only what differs.
 *
 * NULL         A NULL handle, output, or required name gives ROUTABLE_ERR_ARGUMENT; an accessor of a NULL handle returns
 *              the neutral value (0, the empty string, NULL).  `error` and `options` may always be NULL.
 *              `*_free(NULL)` does nothing.
 * Ownership    An object that arrives through `**out` is yours: give it back with the `*_free` of its type.  A
 *              routable_string is yours: routable_string_free.  A returned pointer or routable_str is borrowed.
 *              What you pass in is copied if it is kept.
 * Lifetime     A borrowed string or object lives as long as the object that returned it.  A NUL follows a borrowed string
 *              unless the comment of the function states otherwise.  Objects may be freed in any order: each keeps alive
 *              what it needs.
 * Threads      A `const routable_x *` parameter: any number of threads may call at the same time.  A plain `routable_x *`:
 *              one thread at a time, any thread.  Nothing of a call stays with its thread.
 * Statuses     A function that can fail returns routable_status and lists the failures, without the prefix
 *              ROUTABLE_ERR_.  On failure `*error` is an object with the reason and the place, which is yours; on success it is
 *              NULL.  No other output is written on failure, except where its comment states so.
 * Since        0.1.0, unless a comment states otherwise.
 *
 * Strings      Names that a programmer writes (routes, operations, headers, files) are `const char *`: UTF-8 that ends
 *              in NUL.  Bytes that a user or a peer supplies (paths, values, bodies) are a routable_str with a length, in
 *              which NUL is allowed unless a comment states otherwise.  Functions for FFIs that cannot pass a struct by value
 *              (whole documents, the JSON tier, routable_workspace_*) take a pointer and a length instead.
 * None         A pointer that refers to nothing is NULL, a string that is absent is empty.  A number that is absent is
 *              ROUTABLE_NONE (-1) where 0 is a value (an index, an offset, a length), and 0 where it is not (a status, a
 *              line).  In options 0 and NULL are the default, and ROUTABLE_NONE means "no limit" or "never".
 * Structs      Initialize every struct with its ROUTABLE_..._INIT.  A struct that starts with `size` grows at its end; all
 *              others are frozen, or are only made by the library.
 * Callbacks    `user_data` is the last parameter.  A callback that can fail returns routable_status: ROUTABLE_OK to continue,
 *              other values as its type documents, anything else fails the call or transfer with ROUTABLE_ERR_CALLBACK.
 *              A stored callback is given as (function, user_data, release).  `release` may be NULL; it is called exactly
 *              once, when user_data is no longer used, and also if the function that it was given to fails.
 *              Callbacks must not unwind (C++ exceptions, longjmp) through the library.
 * Memory       A call that cannot allocate memory fails with ROUTABLE_ERR_MEMORY, which the lists of statuses do not repeat
 *              (docs/safety.md, "Memory").
 * Traps        No content that goes in through this header ends the process.
 *
 * Each header also compiles alone.  Headers that need those of another library are not included here:
 * routable_jansson.h (json_t in and out), routable_curl.h (requests on the host's own CURL *), and routable_typed.h (the base
 * of generated code).
 */
#ifndef ROUTABLE_H
#define ROUTABLE_H

/* To start with. */
#include "routable_values.h"   /* versions, statuses, strings, values, errors */
#include "routable_router.h"   /* open a description */
#include "routable_request.h"  /* build a request */
#include "routable_response.h" /* read a response */
#include "routable_client.h"   /* perform a request */

/* When they are needed. */
#include "routable_json.h"          /* the whole job in one call, JSON in and out */
#include "routable_transfers.h"     /* many requests at once, event loops, threads */
#include "routable_credentials.h"   /* tokens, OAuth 2, signatures */
#include "routable_bodies.h"        /* files, multipart, streams, progress */
#include "routable_pages.h"         /* paginated responses */
#include "routable_links.h"         /* the URLs in a response, followed */
#include "routable_trace.h"         /* timings, attempts, hooks */
#include "routable_transport.h"     /* responses from a function of yours, for tests */
#include "routable_introspection.h" /* resources, operations and parameters of a description */
#include "routable_match.h"         /* plans: the fastest way to a URL; matching: back from a URL */
#include "routable_builder.h"       /* a description without JSON */
#include "routable_schema.h"        /* JSON Schema */
#include "routable_template.h"      /* URI templates */
#include "routable_json_value.h"    /* values out of JSON, without a JSON library */
#include "routable_presentation.h"  /* screens by path */

#endif
