/* bodies.h - shared by the tests of bodies: a description of the paths of the service, and a folder for files. */
#ifndef TESTS_C_BODIES_H
#define TESTS_C_BODIES_H

#include "support.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "routable_bodies.h"

static service faults;
static routable_router *router;
static routable_client *client;
static char folder[256];

static const char document[] =
    "{\"routable\":1,\"types\":{\"Named\":{\"type\":\"object\",\"required\":[\"name\"]}},\"operations\":{"
    "\"typed\":{\"get\":\"/faults/ok\",\"results\":{\"2XX\":{\"$ref\":\"#/types/Named\"}}},"
    "\"get\":{\"get\":\"/{path*}\",\"shadowed\":true},"
    "\"post\":{\"post\":\"/{path*}\",\"body_required\":false,\"body_as\":\"bytes\"},"
    "\"put\":{\"put\":\"/{path*}\",\"body_required\":false,\"body_as\":\"bytes\"}}}";

static inline int start_bodies(void **state)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_client_options choices = ROUTABLE_CLIENT_OPTIONS_INIT;
    (void)state;
    service_start(&faults, "Tests/service/fault_service.py");
    options.base = faults.base;
    choices.retries = 2;
    choices.retry_delay_ms = 10;
    choices.deadline_ms = patience(20000);
    return !make_folder(folder, sizeof folder) || routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &router, NULL) != ROUTABLE_OK ||
        routable_client_new(&choices, &client, NULL) != ROUTABLE_OK;
}

static inline int stop_bodies(void **state)
{
    char command[300];
    (void)state;
    routable_client_free(client);
    routable_router_free(router);
    service_stop(&faults);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static inline routable_request *request_of(const char *operation, const char *path)
{
    char call[512];
    json_t *const text = json_string(path);
    char *const quoted = json_dumps(text, JSON_ENCODE_ANY);
    snprintf(call, sizeof call, "{\"operation\":\"%s\",\"ids\":[%s]}", operation, quoted);
    free(quoted);
    json_decref(text);
    return build(router, call);
}

static inline routable_str text_in(routable_string text)
{
    routable_str result;
    result.ptr = text.ptr;
    result.len = text.len;
    return result;
}

/* Performs the request in one of two ways and frees it.  Returns the status; the body is copied to `body` unless that is NULL. */
static inline routable_status perform_as(
    int submitted, routable_request *request, const routable_policy *policy, int32_t *http_status, char *body, size_t capacity)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_status status;
    if (body)
        *body = '\0';
    if (submitted) {
        routable_transfer *transfer = NULL;
        status = routable_client_submit(client, request, policy, NULL, NULL, NULL, &transfer, &error);
        routable_request_free(request); /* no longer needed */
        if (status == ROUTABLE_OK) {
            assert_int_equal(routable_transfer_wait(transfer, 20000, NULL), ROUTABLE_OK);
            status = routable_transfer_result(transfer, &response, &error);
            routable_transfer_free(transfer);
        }
    } else {
        status = routable_client_perform_with(client, request, policy, &response, &error);
        routable_request_free(request);
    }
    assert_int_equal(status == ROUTABLE_OK, response != NULL);
    assert_int_equal(status == ROUTABLE_OK, error == NULL);
    if (http_status)
        *http_status = response ? routable_response_status(response) : routable_error_http_status(error);
    if (body)
        snprintf(body, capacity, "%s", response ? routable_response_body(response).ptr : message_of(error));
    routable_response_free(response);
    routable_error_free(error);
    return status;
}

static inline char *path_in_folder(const char *name)
{
    static char place[4][400];
    static size_t next;
    char *const whole = place[next++ % 4];
    snprintf(whole, sizeof place[0], "%s/%s", folder, name);
    return whole;
}

static inline void write_bytes(const char *path, const void *bytes, size_t count)
{
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

/* The size of a file; -1 if it does not exist. */
static inline long size_of(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? (long)status.st_size : -1;
}

/* Whether a file has the content that the service sends for /file/. */
static inline int is_content(const char *path, size_t size, unsigned version)
{
    FILE *const file = fopen(path, "rb");
    size_t i;
    int byte, same = file != NULL;
    for (i = 0; same && i < size; i++) {
        byte = fgetc(file);
        same = byte == (int)((i % 251 * 7 + version) % 251);
    }
    same = same && fgetc(file) == EOF;
    if (file)
        fclose(file);
    return same;
}

#endif
