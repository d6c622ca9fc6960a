/* transfers.h - shared by the tests of transfers: the operations of the fault service, and functions that submit and wait. */
#ifndef TESTS_C_TRANSFERS_H
#define TESTS_C_TRANSFERS_H

#include "support.h"

#include <poll.h>
#include <sched.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

static service faults;
static routable_router *router;

static const char document[] =
    "{\"routable\":1,\"types\":{\"Named\":{\"type\":\"object\",\"required\":[\"name\"],"
    "\"properties\":{\"name\":{\"type\":\"string\"}}}},\"operations\":{"
    "\"fault\":{\"get\":\"/faults/{name*}\",\"results\":{\"2XX\":{\"$ref\":\"#/types/Named\"}}},"
    "\"post\":{\"post\":\"/faults/{name*}\",\"body\":{}},"
    "\"put\":{\"put\":\"/faults/{name*}\",\"body\":{}},"
    "\"count\":{\"get\":\"/count/{key}\"},\"busiest\":{\"get\":\"/busiest\"}}}";

static inline int start(void **state)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    (void)state;
    service_start(&faults, "Tests/service/fault_service.py");
    options.base = faults.base;
    return routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &router, NULL) != ROUTABLE_OK;
}

static inline int stop(void **state)
{
    (void)state;
    routable_router_free(router);
    service_stop(&faults);
    return 0;
}

static inline void rest(long for_milliseconds)
{
    const struct timespec time = { for_milliseconds / 1000, for_milliseconds % 1000 * 1000000 };
    nanosleep(&time, NULL);
}

static inline routable_client *new_client(const routable_client_options *options)
{
    routable_client *made = NULL;
    routable_error *error = NULL;
    check_status("client", routable_client_new(options, &made, &error), ROUTABLE_OK, error);
    return made;
}

static inline routable_request *request_of(const char *operation, const char *name)
{
    char call[256];
    snprintf(call, sizeof call, "{\"operation\":\"%s\",\"ids\":[\"%s\"]%s}", operation, name,
        operation[0] == 'p' ? ",\"body\":{\"a\":1}" : "");
    return build(router, call);
}

static inline routable_transfer *submit_with(routable_client *client, const char *operation, const char *name,
    const routable_policy *policy, routable_transfer_fn on_end, void *user_data)
{
    routable_request *const request = request_of(operation, name);
    routable_transfer *transfer = NULL;
    routable_error *error = NULL;
    check_status(name, routable_client_submit(client, request, policy, on_end, user_data, NULL, &transfer, &error), ROUTABLE_OK, error);
    routable_request_free(request);
    return transfer;
}

static inline routable_transfer *submit(routable_client *client, const char *name, routable_transfer_fn on_end, void *user_data)
{
    return submit_with(client, "fault", name, NULL, on_end, user_data);
}

/* Waits for the transfer, frees it, and returns its status. */
static inline routable_status ended_as(routable_transfer *transfer, int32_t *http_status)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_status status;
    check_status("wait", routable_transfer_wait(transfer, 20000, &error), ROUTABLE_OK, error);
    status = routable_transfer_result(transfer, &response, &error);
    if (http_status)
        *http_status = response ? routable_response_status(response) : routable_error_http_status(error);
    assert_int_equal(status == ROUTABLE_OK, response != NULL);
    assert_int_equal(status == ROUTABLE_OK, error == NULL);
    routable_response_free(response);
    routable_error_free(error);
    routable_transfer_free(transfer);
    return status;
}

/* Drives the client until no transfer is in progress. */
static inline void finish(routable_client *client)
{
    const int64_t end = milliseconds() + patience(20000);
    size_t pending = 1;
    while (pending > 0) {
        routable_error *error = NULL;
        const routable_status status = routable_client_drive(client, 1000, &pending, &error);
        if (status != ROUTABLE_INTERRUPTED)
            check_status("drive", status, ROUTABLE_OK, error);
        assert_true(milliseconds() < end);
    }
}

/* The state of a callback that submits further requests. */
typedef struct chain {
    routable_client *client;
    int left, calls;
} chain;

/* Counts the calls of a callback. */
static inline void count_call(routable_transfer *transfer, void *user_data)
{
    (void)transfer;
    __atomic_add_fetch((int *)user_data, 1, __ATOMIC_SEQ_CST);
}

#endif
