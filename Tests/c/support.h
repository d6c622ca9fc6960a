/* support.h - shared by the C tests: cmocka, the sample descriptions, checks that print the input, the expected and
 * the actual value, the same call through every tier of the interface, and the loopback services. */
#ifndef TESTS_C_SUPPORT_H
#define TESTS_C_SUPPORT_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* for P_tmpdir */
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "routable.h"

/* --- Time --- */

/* The time of a monotonic clock. */
static inline int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The time limit for an operation that takes at most `maximum` milliseconds on an ordinary machine, multiplied by
 * ROUTABLE_TEST_SLOWNESS, which is about 10 under emulation. */
static inline int64_t patience(int64_t maximum)
{
    const char *const slowness = getenv("ROUTABLE_TEST_SLOWNESS");
    const int64_t times = slowness ? strtol(slowness, NULL, 10) : 1;
    return maximum * (times > 1 ? times : 1);
}

/* --- Strings --- */

/* A copy of a string of any length for the message of a failing check.  It is valid until the sixteenth call after this one. */
static inline char *text_of(routable_str text)
{
    static char kept[16][2048];
    static size_t next;
    char *const place = kept[next++ % 16];
    const size_t shown = text.len < 1900 ? text.len : 1900;
    memcpy(place, text.ptr ? text.ptr : "", text.ptr ? shown : 0);
    place[shown] = '\0';
    if (shown < text.len)
        sprintf(place + shown, "... (%zu bytes)", text.len);
    return place;
}

static inline char *message_of(const routable_error *error) { return text_of(routable_error_message(error)); }

static inline int same_text(routable_str got, const char *expected)
{
    return got.ptr != NULL && got.len == strlen(expected) && memcmp(got.ptr, expected, got.len) == 0;
}

#define check_text(input, got, expected) check_text_at(input, got, expected, __FILE__, __LINE__)
static inline void check_text_at(const char *input, routable_str got, const char *expected, const char *file, int line)
{
    if (!same_text(got, expected)) {
        print_error("input:    %s\nexpected: %s\ngot:      %s\n", input, expected, text_of(got));
        _fail(file, line);
    }
}

#define check_contains(input, got, part) check_contains_at(input, got, part, __FILE__, __LINE__)
static inline void check_contains_at(const char *input, routable_str got, const char *part, const char *file, int line)
{
    if (!got.ptr || !strstr(got.ptr, part)) { /* strings that the library returns are followed by a NUL */
        print_error("input:    %s\nexpected: a text with \"%s\"\ngot:      %s\n", input, part, text_of(got));
        _fail(file, line);
    }
}

#define check_size(input, got, expected) check_size_at(input, got, expected, __FILE__, __LINE__)
static inline void check_size_at(const char *input, size_t got, size_t expected, const char *file, int line)
{
    if (got != expected) {
        print_error("input:    %s\nexpected: %zu\ngot:      %zu\n", input, expected, got);
        _fail(file, line);
    }
}

/* `got` can be the call that sets `error`: it is evaluated first. */
#define check_status(input, got, expected, error) \
    do { \
        const routable_status got_first = (got); \
        check_status_at(input, got_first, expected, error, __FILE__, __LINE__); \
    } while (0)
static inline void check_status_at(
    const char *input, routable_status got, routable_status expected, const routable_error *error, const char *file, int line)
{
    if (got != expected) {
        print_error("input:    %.1000s\nexpected: %s\ngot:      %s%s%s\n", input, routable_status_name(expected),
            routable_status_name(got), error ? ": " : "", error ? message_of(error) : "");
        _fail(file, line);
    }
    if ((error != NULL) != (got >= ROUTABLE_ERR_ARGUMENT)) {
        print_error("input:    %.1000s\nstatus:   %s\nexpected: %s\n", input, routable_status_name(got),
            got >= ROUTABLE_ERR_ARGUMENT ? "an error object" : "no error object");
        _fail(file, line);
    }
    if (error && routable_error_status(error) != got) {
        print_error("input:    %.1000s\nreturned: %s\nin the error: %s\n", input, routable_status_name(got),
            routable_status_name(routable_error_status(error)));
        _fail(file, line);
    }
}

/* --- Files --- */

/* The root of the sources: the working directory, unless ROUTABLE_ROOT is set. */
static inline const char *path_below_root(const char *path)
{
    static char place[4][1024];
    static size_t next;
    char *const whole = place[next++ % 4];
    const char *root = getenv("ROUTABLE_ROOT");
    snprintf(whole, sizeof place[0], "%s/%s", root ? root : ".", path);
    return whole;
}

static inline char *read_file(const char *path, size_t *length)
{
    FILE *const file = fopen(path_below_root(path), "rb");
    char *bytes;
    long size;
    *length = 0;
    if (!file) {
        print_error("cannot read %s\n", path_below_root(path));
        fail();
        return NULL;
    }
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size = ftell(file);
    rewind(file);
    bytes = (char *)malloc((size_t)size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)size, file), size);
    bytes[size] = '\0';
    fclose(file);
    *length = (size_t)size;
    return bytes;
}

/* Makes a new folder below TMPDIR, or below the system's folder for temporary files, and writes its path to `place`. */
static inline int make_folder(char *place, size_t capacity)
{
    enum { CHOSEN = 6 }; /* number of X at the end of mkdtemp's template, which it replaces */
    const char *const temporary = getenv("TMPDIR");
    const int length = snprintf(place, capacity, "%s/routable-", temporary ? temporary : P_tmpdir);
    if (length < 0 || (size_t)length + CHOSEN >= capacity) {
        return 0;
    }
    memset(place + length, 'X', CHOSEN);
    place[length + CHOSEN] = '\0';
    return mkdtemp(place) != NULL;
}

/* --- Descriptions --- */

static inline routable_router *open_text(const char *document)
{
    routable_router *router = NULL;
    routable_error *error = NULL;
    const routable_status status = routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, &router, &error);
    check_status(document, status, ROUTABLE_OK, error);
    assert_non_null(router);
    return router;
}

/* examples/social.json */
static inline routable_router *open_social(void)
{
    routable_router *router = NULL;
    routable_error *error = NULL;
    const routable_status status =
        routable_router_open_file(path_below_root("examples/social.json"), NULL, &router, &error);
    check_status("examples/social.json", status, ROUTABLE_OK, error);
    assert_non_null(router);
    return router;
}

/* The graph of the article: untyped, and every id is "id" (statement R14). */
#define ARTICLE_BASE "https://private-85a46-routable.apiary-mock.com/"
#define ARTICLE_RESOURCES \
    "\"user\":{\"path\":\"users\",\"can\":[\"read\",\"create\",\"update\"],\"has\":[\"status\",\"picture\",\"post\"]}," \
    "\"status\":{\"path\":\"statuses\",\"can\":[\"read\",\"create\",\"delete\"],\"has\":[\"comment\"]}," \
    "\"picture\":{\"path\":\"pictures\",\"can\":[\"read\",\"create\",\"update\",\"delete\"],\"has\":[\"comment\"]}," \
    "\"comment\":{\"path\":\"comments\",\"can\":[\"read\",\"create\",\"update\",\"delete\"],\"has\":[\"user\"]}," \
    "\"post\":{\"path\":\"posts\",\"can\":[\"read\",\"create\",\"update\",\"delete\"],\"has\":[\"comment\"]}"

static inline routable_router *open_article(const char *base)
{
    char document[2048];
    snprintf(document, sizeof document,
        "{\"routable\":1,\"name\":\"article\",\"base\":\"%s\",\"resources\":{" ARTICLE_RESOURCES "}}", base);
    return open_text(document);
}

/* --- The same call through every tier --- */

#define IDS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define NO_IDS ((const char *const[]){ NULL })

/* Returns {"route":..., "operation":..., "ids":[...]}, which the caller frees. */
static inline char *call_text(const char *route, const char *operation, const char *const *ids)
{
    json_t *const call = json_object();
    json_t *const list = json_array();
    char *text;
    if (route)
        json_object_set_new(call, "route", json_string(route));
    json_object_set_new(call, "operation", json_string(operation));
    for (; *ids; ids++)
        json_array_append_new(list, json_string(*ids));
    json_object_set_new(call, "ids", list);
    text = json_dumps(call, JSON_COMPACT);
    json_decref(call);
    assert_non_null(text);
    return text;
}

/* Checks that the object tier, the JSON tier, build_json and a plan give the same method and URL. */
#define check_walk(router, route, operation, ids, method, url) \
    check_walk_at(router, route, operation, ids, method, url, __FILE__, __LINE__)
static inline void check_walk_at(const routable_router *router, const char *route, const char *operation,
    const char *const *ids, const char *method, const char *url, const char *file, int line)
{
    routable_argument arguments[40];
    routable_value values[40];
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    routable_plan *plan = NULL;
    routable_error *error = NULL;
    routable_string json = { NULL, 0 };
    json_t *built;
    char buffer[4096];
    size_t length = 0;
    routable_status status;
    char *const text = call_text(route, operation, ids);

    for (; ids[call.id_count]; call.id_count++) {
        values[call.id_count] = routable_value_string(ids[call.id_count]);
        arguments[call.id_count].name = NULL;
        arguments[call.id_count].value = values[call.id_count];
    }
    call.route = route;
    call.operation = operation;
    call.ids = arguments;

    status = routable_request_new(router, &call, &request, &error);
    check_status_at(text, status, ROUTABLE_OK, error, file, line);
    check_text_at(text, routable_request_method(request), method, file, line);
    check_text_at(text, routable_request_url(request), url, file, line);
    check_text_at(text, routable_request_route(request), route ? route : "", file, line);
    check_text_at(text, routable_request_operation(request), operation, file, line);
    routable_request_free(request);

    status = routable_request_new_json(router, text, ROUTABLE_NUL_TERMINATED, &request, &error);
    check_status_at(text, status, ROUTABLE_OK, error, file, line);
    check_text_at(text, routable_request_method(request), method, file, line);
    check_text_at(text, routable_request_url(request), url, file, line);
    routable_request_free(request);

    status = routable_build_json(router, text, ROUTABLE_NUL_TERMINATED, &json, &error);
    check_status_at(text, status, ROUTABLE_OK, error, file, line);
    built = json_loadb(json.ptr, json.len, 0, NULL);
    assert_non_null(built);
    check_text_at(text, routable_str_from(json_string_value(json_object_get(built, "method"))), method, file, line);
    check_text_at(text, routable_str_from(json_string_value(json_object_get(built, "url"))), url, file, line);
    json_decref(built);
    routable_string_free(&json);

    status = routable_plan_new(router, route, operation, &plan, &error);
    check_status_at(text, status, ROUTABLE_OK, error, file, line);
    check_text_at(text, routable_plan_method(plan), method, file, line);
    check_size_at(text, routable_plan_id_count(plan), call.id_count, file, line);
    status = routable_plan_write(plan, values, call.id_count, NULL, 0, buffer, sizeof buffer, &length, &error);
    check_status_at(text, status, ROUTABLE_OK, error, file, line);
    check_text_at(text, routable_str_from(buffer), url, file, line);
    check_size_at(text, length, strlen(url), file, line);
    routable_plan_free(plan);
    free(text);
}

/* --- Call JSON: built or refused --- */

#define build(router, call) build_at(router, call, __FILE__, __LINE__)
static inline routable_request *build_at(const routable_router *router, const char *call, const char *file, int line)
{
    routable_request *request = NULL;
    routable_error *error = NULL;
    const routable_status status = routable_request_new_json(router, call, ROUTABLE_NUL_TERMINATED, &request, &error);
    check_status_at(call, status, ROUTABLE_OK, error, file, line);
    return request;
}

#define check_url(router, call, url) check_url_at(router, call, url, __FILE__, __LINE__)
static inline void check_url_at(
    const routable_router *router, const char *call, const char *url, const char *file, int line)
{
    routable_request *const request = build_at(router, call, file, line);
    check_text_at(call, routable_request_url(request), url, file, line);
    routable_request_free(request);
}

/* Checks that the call fails with this status and writes no output; the caller frees the error. */
#define refuse(router, call, expected) refuse_at(router, call, strlen(call), expected, __FILE__, __LINE__)
#define refuse_bytes(router, call, length, expected) refuse_at(router, call, length, expected, __FILE__, __LINE__)
static inline routable_error *refuse_at(const routable_router *router, const char *call, size_t length,
    routable_status expected, const char *file, int line)
{
    routable_request *const untouched = (routable_request *)(void *)&expected;
    routable_request *request = untouched;
    routable_error *error = NULL;
    routable_str text;
    routable_status status;
    text.ptr = call;
    text.len = length;
    status = routable_request_new_json(router, text.ptr, text.len, &request, &error);
    check_status_at(call, status, expected, error, file, line);
    if (request != untouched) {
        print_error("input:    %s\nexpected: the output as it was\ngot:      another value\n", call);
        _fail(file, line);
    }
    if (routable_error_message(error).len == 0) {
        print_error("input:    %s\nexpected: a message\ngot:      none\n", call);
        _fail(file, line);
    }
    return error;
}

#define check_refused(router, call, expected) \
    routable_error_free(refuse_at(router, call, strlen(call), expected, __FILE__, __LINE__))

/* Compares the allowed names, joined by spaces. */
#define check_allowed(input, error, expected) check_allowed_at(input, error, expected, __FILE__, __LINE__)
static inline void check_allowed_at(
    const char *input, const routable_error *error, const char *expected, const char *file, int line)
{
    char joined[2048] = "";
    size_t i, length = 0;
    for (i = 0; i < routable_error_allowed_count(error); i++) {
        const routable_str name = routable_error_allowed_at(error, i);
        if (length + name.len + 2 > sizeof joined)
            break;
        if (i)
            joined[length++] = ' ';
        memcpy(joined + length, name.ptr, name.len);
        joined[length += name.len] = '\0';
    }
    check_text_at(input, routable_str_from(joined), expected, file, line);
    check_text_at(input, routable_error_allowed_at(error, i), "", file, line);
}

/* The value of the first header with this name, or NULL. */
static inline const char *header_of(const routable_request *request, const char *name)
{
    size_t i;
    for (i = 0; i < routable_request_header_count(request); i++)
        if (same_text(routable_request_header_at(request, i).name, name))
            return routable_request_header_at(request, i).value.ptr;
    return NULL;
}

/* --- Services: a child process that prints its port, and exits when its standard input is closed --- */

typedef struct service {
    pid_t process;
    int standard_input;
    int port;
    char base[64]; /* http://127.0.0.1:PORT */
} service;

static inline void service_start(service *it, const char *script)
{
    int in[2], out[2];
    char line[16] = "";
    size_t length = 0;
    const char *const path = path_below_root(script);
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    it->process = fork();
    assert_true(it->process >= 0);
    if (it->process == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[0]);
        close(in[1]);
        close(out[0]);
        close(out[1]);
        execlp("python3", "python3", path, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    it->standard_input = in[1];
    while (length < sizeof line - 1 && read(out[0], line + length, 1) == 1 && line[length] != '\n')
        length++;
    close(out[0]);
    it->port = atoi(line);
    if (it->port <= 0) {
        print_error("%s did not print its port\n", path);
        fail();
    }
    sprintf(it->base, "http://127.0.0.1:%d", it->port);
}

static inline void service_stop(service *it)
{
    int status;
    close(it->standard_input);
    waitpid(it->process, &status, 0);
}

#endif
