/* of_tests.c - reads each request that other tests build: preloaded into a C program, or loaded by the tests of the Python binding
 * (Tests/law/of_tests.sh).
 *
 * Each request is read as a call, which is built again and read again.  A line of the file LAW_RECORD has the result: "equal";
 * "streamed" for a body that is not in memory; "refused" with the reason; or "different" with both calls. */
#define _GNU_SOURCE
#include "routable.h"
#include "routable_service.h"

#include <dlfcn.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_HEADERS = 200 };

static _Thread_local int is_busy;

static void record(const char *result, const routable_request *request, const char *one, const char *other)
{
    const char *const path = getenv("LAW_RECORD");
    FILE *const file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    fprintf(file, "%s\t%s %.300s\t%.600s\t%.600s\n", result, routable_request_method(request).ptr, routable_request_url(request).ptr, one, other);
    fclose(file);
}

static routable_status read_request(
    const routable_router *router, const routable_request *request, routable_received **out, routable_error **error)
{
    routable_header headers[MAX_HEADERS];
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    size_t i;
    incoming.method = routable_request_method(request).ptr;
    incoming.target = routable_request_url(request);
    incoming.headers = headers;
    for (i = 0; i < routable_request_header_count(request) && i < MAX_HEADERS; i++)
        headers[i] = routable_request_header_at(request, i);
    incoming.header_count = i;
    incoming.body = routable_request_body(request);
    return routable_received_new(router, &incoming, NULL, out, error);
}

static int is_streamed(const routable_request *request)
{
    size_t i;
    if (routable_request_body(request).len) return 0;
    for (i = 0; i < routable_request_header_count(request); i++)
        if (!strcmp(routable_request_header_at(request, i).name.ptr, "Content-Type")) return 1;
    return 0;
}

static int is_same(const char *one, const char *other)
{
    json_t *const first = json_loads(one, JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, NULL);
    json_t *const second = json_loads(other, JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, NULL);
    const int result = !strcmp(one, other) || (first && second && json_equal(first, second));
    json_decref(first);
    json_decref(second);
    return result;
}

/* Checks for one request that reading and building are inverse. */
void law_check(const routable_router *router, const routable_request *request)
{
    routable_received *first = NULL, *second = NULL;
    routable_request *again = NULL;
    routable_error *error = NULL;
    routable_string call = ROUTABLE_STRING_INIT, other = ROUTABLE_STRING_INIT;
    if (is_busy) return;
    is_busy = 1;
    if (read_request(router, request, &first, &error) != ROUTABLE_OK)
        record(is_streamed(request) ? "streamed" : "refused", request, routable_error_message(error).ptr, routable_router_base(router).ptr);
    else if (routable_received_to_json(first, &call, &error) != ROUTABLE_OK ||
             routable_request_new_json(router, call.ptr, call.len, &again, &error) != ROUTABLE_OK ||
             read_request(router, again, &second, &error) != ROUTABLE_OK || routable_received_to_json(second, &other, &error) != ROUTABLE_OK)
        record("not built", request, call.ptr ? call.ptr : "", routable_error_message(error).ptr);
    else
        record(is_same(call.ptr, other.ptr) ? "equal" : "different", request, call.ptr, other.ptr);
    routable_string_free(&call);
    routable_string_free(&other);
    routable_error_free(error);
    routable_received_free(first);
    routable_received_free(second);
    routable_request_free(again);
    is_busy = 0;
}

/* --- Preloaded: the requests of a C test --- */

routable_status routable_request_new(
    const routable_router *router, const routable_call *call, routable_request **out, routable_error **error)
{
    static routable_status (*real)(const routable_router *, const routable_call *, routable_request **, routable_error **);
    routable_status status;
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "routable_request_new");
    status = real(router, call, out, error);
    if (status == ROUTABLE_OK) law_check(router, *out);
    return status;
}

routable_status routable_request_new_json(
    const routable_router *router, const char *json, size_t length, routable_request **out, routable_error **error)
{
    static routable_status (*real)(const routable_router *, const char *, size_t, routable_request **, routable_error **);
    routable_status status;
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "routable_request_new_json");
    status = real(router, json, length, out, error);
    if (status == ROUTABLE_OK) law_check(router, *out);
    return status;
}
