/* routable.h - the public C interface of libroutable: conventions, and the headers in the order to read them.
 *
 * Routable turns one description of an HTTP API into a client.  It builds each request, performs it over libcurl, and validates
 * the response.  Before it sends anything, it rejects calls that the description does not allow.
 *
 *     routable_router *social = NULL;  routable_request *request = NULL;  routable_error *error = NULL;
 *     routable_argument ids[] = { { NULL, routable_value_string("initFabian") }, { NULL, routable_value_integer(3) } };
 *     routable_call call = ROUTABLE_CALL_INIT;
 *     call.route = "user.status";  call.operation = "read";  call.ids = ids;  call.id_count = 2;
 *     if (routable_router_open_file("social.json", NULL, &social, &error) == ROUTABLE_OK &&
 *         routable_request_new(social, &call, &request, &error) == ROUTABLE_OK)
 *         puts(routable_request_url(request).ptr);    -> https://api.example.com/v1/users/initFabian/statuses/3
 *
 * These conventions apply to every function.  The comment of a function states only its exceptions to them.
 *
 * NULL         A function returns ROUTABLE_ERR_ARGUMENT if a handle, an output or a required name is NULL.  An accessor (a
 *              function that returns a value instead of a status) returns 0, ROUTABLE_NONE, the empty string or NULL if its
 *              handle is NULL.  `error` and `options` may always be NULL.  `*_free(NULL)` does nothing.
 * Ownership    The caller owns an object that it receives through `**out`, and must free it with the `*_free` function of its
 *              type.  The caller also owns each routable_string, and must free it with routable_string_free.  A returned
 *              pointer or routable_str is borrowed: do not free it.  Arguments are borrowed for the call; the library copies
 *              the data that it needs later.
 * Lifetime     A borrowed string or object is valid until the object that it belongs to is freed.  A borrowed string is
 *              NUL-terminated unless the comment of the function states otherwise.  Objects may be freed in any order unless a
 *              comment states otherwise: each one holds references to the objects that it needs.
 * Threads      Any number of threads may use the object of a `const routable_x *` parameter at the same time.  Only one thread
 *              at a time may use the object of a plain `routable_x *` parameter.  Errors are returned only through `error`:
 *              there is no per-thread "last error".
 * Statuses     A function that can fail returns routable_status.  The comment of the function lists the possible statuses other
 *              than ROUTABLE_OK, without their prefixes (ROUTABLE_ERR_ or ROUTABLE_).  If a function returns a ROUTABLE_ERR_
 *              status, it sets `*error` to an error object, which the caller must free; otherwise it sets `*error` to NULL.
 *              Other outputs are not written on failure, unless the comment states otherwise.
 * Since        Functions are available since 0.1.0, unless a comment states otherwise.
 *
 * Strings      Names that usually are literals in the program (routes, operations, headers, files) are NUL-terminated UTF-8:
 *              `const char *`.  Data from users and peers (paths, values, bodies) is a routable_str: a pointer and a length.
 *              Such data may contain NUL unless a comment states otherwise.  For FFIs that cannot pass a struct by value, some
 *              functions take a pointer and a length instead: routable_workspace_*, and functions that read a document or other
 *              JSON, such as routable_router_open, routable_schema_validate and the functions of routable_json.h.
 * Numbers      Indexes and offsets start at 0; line and column numbers start at 1.
 * None         An absent pointer is NULL, and an absent string is empty.  An absent number is ROUTABLE_NONE (-1) if 0 is a
 *              valid value (an index, an offset, a length), and otherwise 0 (a status, a line).  In options, 0 and NULL select
 *              the default.  The comment of a member states whether ROUTABLE_NONE is allowed, and what it means.
 * Structs      Initialize every struct with its ROUTABLE_..._INIT macro.  Later versions may append members to a struct that
 *              starts with `size`; an older library returns ROUTABLE_ERR_UNSUPPORTED if such a member is not 0.  All other
 *              structs are frozen (no version changes them), or only the library creates them.
 * Callbacks    `user_data` is the last parameter of every callback.  A callback that can fail returns routable_status:
 *              ROUTABLE_OK to continue, or a value that its type documents.  Any other value fails the call or transfer with
 *              ROUTABLE_ERR_CALLBACK.  A callback that the library stores is passed as (function, user_data, release).
 *              `release` may be NULL.  Otherwise the library calls `release` exactly once: when user_data is no longer used, or
 *              when the function that received user_data fails.  Exception: the library cannot release the user_data of a
 *              struct with a wrong size.  Callbacks must not unwind the stack (C++ exceptions, longjmp) through the library.
 * Memory       A call that cannot allocate memory fails with ROUTABLE_ERR_MEMORY, which the lists of statuses do not repeat
 *              (docs/safety.md, "Memory").
 * Traps        The data that a program passes to these functions cannot abort the process, whatever its content.  Invalid
 *              pointers can abort it, and so can an allocation that neither the system nor the library's reserve of 512 KB can
 *              provide (docs/safety.md, "Memory").
 *
 * Each header also compiles alone.  This header does not include routable_jansson.h (functions with json_t values; includes
 * jansson.h), routable_curl.h (requests on your own CURL *; includes curl/curl.h), and routable_typed.h (the base of generated
 * code).
 */
#ifndef ROUTABLE_H
#define ROUTABLE_H

/* The headers that most programs use. */
#include "routable_values.h"   /* versions, statuses, strings, values, errors */
#include "routable_router.h"   /* open a description */
#include "routable_request.h"  /* build a request */
#include "routable_response.h" /* read a response */
#include "routable_client.h"   /* perform a request */

/* The headers for further features. */
#include "routable_json.h"          /* build or perform a request in one call, with JSON as input and output */
#include "routable_transfers.h"     /* many requests at once, event loops, threads */
#include "routable_credentials.h"   /* tokens, OAuth 2, signatures */
#include "routable_login.h"         /* OAuth 2 logins by a browser or a code */
#include "routable_bodies.h"        /* files, multipart, streams, progress */
#include "routable_pages.h"         /* paginated responses */
#include "routable_links.h"         /* follow the URLs in a response */
#include "routable_trace.h"         /* timings, attempts, hooks */
#include "routable_transport.h"     /* responses from your own function, for tests */
#include "routable_mock.h"          /* a mock service, for tests */
#include "routable_coverage.h"      /* which parts of a description were used */
#include "routable_tape.h"          /* recorded responses, for tests */
#include "routable_middleware.h"    /* your own functions around each request */
#include "routable_introspection.h" /* resources, operations and parameters of a description */
#include "routable_match.h"         /* write URLs fast (plans), and find the operation of a URL (matching) */
#include "routable_service.h"       /* read the requests that a server receives */
#include "routable_tools.h"         /* operations as tools of a language model */
#include "routable_builder.h"       /* build a description without JSON */
#include "routable_schema.h"        /* JSON Schema */
#include "routable_template.h"      /* URI templates */
#include "routable_json_value.h"    /* read JSON values without a JSON library */
#include "routable_presentation.h"  /* select the screens of a user interface by path */

#endif
