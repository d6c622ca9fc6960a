/* Many requests at the same time over one client: each has exactly one outcome, and none after it is cancelled. */
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

static int start(void **state)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    (void)state;
    service_start(&faults, "Tests/service/fault_service.py");
    options.base = faults.base;
    return routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &router, NULL) != ROUTABLE_OK;
}

static int stop(void **state)
{
    (void)state;
    routable_router_free(router);
    service_stop(&faults);
    return 0;
}

static void rest(long for_milliseconds)
{
    const struct timespec time = { for_milliseconds / 1000, for_milliseconds % 1000 * 1000000 };
    nanosleep(&time, NULL);
}

static routable_client *new_client(const routable_client_options *options)
{
    routable_client *made = NULL;
    routable_error *error = NULL;
    check_status("client", routable_client_new(options, &made, &error), ROUTABLE_OK, error);
    return made;
}

static routable_request *request_of(const char *operation, const char *name)
{
    char call[256];
    snprintf(call, sizeof call, "{\"operation\":\"%s\",\"ids\":[\"%s\"]%s}", operation, name,
        operation[0] == 'p' ? ",\"body\":{\"a\":1}" : "");
    return build(router, call);
}

static routable_transfer *submit_with(routable_client *client, const char *operation, const char *name,
    const routable_policy *policy, routable_transfer_fn on_end, void *user_data)
{
    routable_request *const request = request_of(operation, name);
    routable_transfer *transfer = NULL;
    routable_error *error = NULL;
    check_status(name, routable_client_submit(client, request, policy, on_end, user_data, NULL, &transfer, &error), ROUTABLE_OK, error);
    routable_request_free(request);
    return transfer;
}

static routable_transfer *submit(routable_client *client, const char *name, routable_transfer_fn on_end, void *user_data)
{
    return submit_with(client, "fault", name, NULL, on_end, user_data);
}

/* Waits for the transfer, frees it, and returns what it came to. */
static routable_status ended_as(routable_transfer *transfer, int32_t *http_status)
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

/* Drives until nothing is under way. */
static void finish(routable_client *client)
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

/* --- Ways to wait --- */

static void count_call(routable_transfer *transfer, void *user_data);

static void queue(void **state)
{
    enum { COUNT = 40 };
    routable_client *const client = new_client(NULL);
    int places[COUNT] = { 0 }, i;
    routable_transfer *transfer = NULL;
    routable_error *error = NULL;
    (void)state;
    assert_int_equal(routable_client_next(client, -1, &transfer, &error), ROUTABLE_IDLE);
    for (i = 0; i < COUNT; i++)
        routable_transfer_free(submit(client, "ok", NULL, &places[i]));
    for (i = 0; i < COUNT; i++) {
        routable_response *response = NULL;
        check_status("next", routable_client_next(client, 20000, &transfer, &error), ROUTABLE_OK, error);
        check_status("result", routable_transfer_result(transfer, &response, &error), ROUTABLE_OK, error);
        check_text("ok", routable_response_body(response), "{\"name\":\"a\"}");
        assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_SELF);
        ++*(int *)routable_transfer_user_data(transfer);
        routable_response_free(response);
        routable_transfer_free(transfer);
    }
    for (i = 0; i < COUNT; i++)
        assert_int_equal(places[i], 1);
    assert_int_equal(routable_client_next(client, 0, &transfer, &error), ROUTABLE_IDLE);
    assert_null(error);
    routable_client_free(client);
}

static void many_at_once(void **state)
{
    enum { COUNT = 70 };
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_request *const request = request_of("fault", "ok");
    const routable_request *requests[COUNT + 1];
    routable_transfer *transfers[COUNT + 1] = { NULL };
    routable_completion ended[16];
    void *user_data[COUNT];
    int places[COUNT] = { 0 }, i, taken = 0, calls = 0;
    routable_client *client;
    routable_error *error = NULL;
    size_t count, pending = 1;
    (void)state;
    options.max_pending = COUNT;
    client = new_client(&options);
    for (i = 0; i < COUNT; i++) {
        requests[i] = request;
        user_data[i] = &places[i];
    }
    requests[COUNT] = request;
    check_status("none", routable_client_submit_many(client, NULL, 0, NULL, NULL, NULL, NULL, NULL, &error), ROUTABLE_OK, error);

    /* One that is refused: none is submitted, and no output is touched. */
    check_status("too many", routable_client_submit_many(client, requests, COUNT + 1, NULL, NULL, NULL, NULL, transfers, &error), ROUTABLE_ERR_LIMIT, error);
    routable_error_free(error);
    check_status("far too many", routable_client_submit_many(client, requests, SIZE_MAX, NULL, NULL, NULL, NULL, transfers, &error), ROUTABLE_ERR_LIMIT, error);
    routable_error_free(error);
    requests[COUNT - 1] = NULL;
    check_status("a NULL", routable_client_submit_many(client, requests, COUNT, NULL, NULL, NULL, NULL, transfers, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    requests[COUNT - 1] = request;
    assert_null(transfers[0]);
    check_status("drive", routable_client_drive(client, 0, &pending, &error), ROUTABLE_OK, error);
    assert_int_equal(pending, 0);

    /* Each has its own place in the queue, and one reference of ours. */
    check_status("many", routable_client_submit_many(client, requests, COUNT, NULL, NULL, user_data, NULL, transfers, &error), ROUTABLE_OK, error);
    check_status("one more", routable_client_submit(client, request, NULL, NULL, NULL, NULL, NULL, &error), ROUTABLE_ERR_LIMIT, error);
    routable_error_free(error);
    assert_int_equal(routable_transfer_cancel(transfers[3]), 1);
    while (taken < COUNT - 1) {
        check_status("take", routable_client_next_many(client, 20000, ended, 16, &count, &error), ROUTABLE_OK, error);
        for (i = 0; i < (int)count; i++, taken++) {
            int *const place = ended[i].user_data;
            assert_ptr_equal(ended[i].transfer, transfers[place - places]);
            assert_int_equal(ended[i].status, ROUTABLE_OK);
            check_text("ok", ended[i].parts.body, "{\"name\":\"a\"}");
            ++*place;
            routable_transfer_free(ended[i].transfer);
        }
    }
    for (i = 0; i < COUNT; i++)
        assert_int_equal(places[i], i != 3);
    routable_transfer_free(transfers[0]);
    transfers[0] = NULL;
    routable_transfer_free_many(transfers, COUNT);
    routable_transfer_free_many(NULL, 3);

    /* With a function, and nothing else asked for. */
    for (i = 0; i < COUNT; i++)
        user_data[i] = &calls;
    check_status("calls", routable_client_submit_many(client, requests, COUNT, NULL, count_call, user_data, NULL, NULL, &error), ROUTABLE_OK, error);
    finish(client);
    assert_int_equal(calls, COUNT);
    routable_request_free(request);
    routable_client_free(client);
}

typedef struct chain {
    routable_client *client;
    int left, calls;
} chain;

static void go_on(routable_transfer *transfer, void *user_data)
{
    chain *const it = user_data;
    routable_response *response = NULL;
    routable_error *error = NULL;
    size_t pending;
    it->calls++;
    check_status("in a callback", routable_transfer_result(transfer, &response, &error), ROUTABLE_OK, error);
    routable_response_free(response);
    assert_int_equal(routable_transfer_cancel(transfer), 0); /* it has ended; and it does not wait for itself */
    assert_int_equal(routable_transfer_wait(transfer, -1, &error), ROUTABLE_OK);
    if (it->left-- > 0) {
        routable_transfer *const next = submit(it->client, "ok", go_on, it);
        assert_int_equal(routable_transfer_wait(next, -1, &error), ROUTABLE_PENDING); /* not from here */
        assert_int_equal(routable_client_drive(it->client, -1, &pending, &error), ROUTABLE_OK);
        routable_transfer_free(next);
    }
}

static void callbacks_that_call_back(void **state)
{
    chain it = { new_client(NULL), 10, 0 };
    (void)state;
    routable_transfer_free(submit(it.client, "ok", go_on, &it));
    finish(it.client);
    assert_int_equal(it.calls, 11);
    routable_client_free(it.client);
}

static void count_call(routable_transfer *transfer, void *user_data)
{
    (void)transfer;
    __atomic_add_fetch((int *)user_data, 1, __ATOMIC_SEQ_CST);
}

static void descriptor_in_a_poll_loop(void **state)
{
    routable_client *const client = new_client(NULL);
    struct pollfd place = { -1, POLLIN, 0 };
    int calls = 0, rounds = 0, i;
    size_t pending = 1;
    (void)state;
    assert_int_equal(routable_client_descriptor(client, &place.fd, NULL), ROUTABLE_OK);
    for (i = 0; i < 30; i++)
        routable_transfer_free(submit(client, i % 3 ? "ok" : "slow/30", count_call, &calls));
    while (pending > 0) {
        assert_true(poll(&place, 1, 5000) > 0);
        assert_int_equal(routable_client_drive(client, 0, &pending, NULL), ROUTABLE_OK);
        assert_true(++rounds < 1000); /* it sleeps in between */
    }
    assert_int_equal(calls, 30);
    /* A submit wakes the loop of another time. */
    routable_transfer_free(submit(client, "ok", count_call, &calls));
    for (pending = 1; pending > 0;) {
        assert_true(poll(&place, 1, 5000) > 0);
        assert_int_equal(routable_client_drive(client, 0, &pending, NULL), ROUTABLE_OK);
    }
    assert_int_equal(calls, 31);
    routable_client_free(client);
}

static void thread_of_the_client(void **state)
{
    routable_client *const client = new_client(NULL);
    const int64_t end = milliseconds() + patience(10000);
    int calls = 0, i;
    (void)state;
    assert_int_equal(routable_client_start(client, NULL), ROUTABLE_OK);
    assert_int_equal(routable_client_start(client, NULL), ROUTABLE_OK); /* one is enough */
    for (i = 0; i < 20; i++)
        routable_transfer_free(submit(client, "ok", count_call, &calls));
    while (__atomic_load_n(&calls, __ATOMIC_SEQ_CST) < 20 && milliseconds() < end)
        rest(1);
    assert_int_equal(calls, 20);
    assert_int_equal(ended_as(submit(client, "ok", NULL, NULL), NULL), ROUTABLE_OK);
    routable_transfer_free(submit(client, "never", count_call, &calls));
    routable_client_free(client);
    assert_int_equal(calls, 20);
}

/* A transfer may end while its result is asked for: OK comes with a response, and another status leaves the output alone. */
static void results_while_they_end(void **state)
{
    routable_client *const client = new_client(NULL);
    routable_response *const untouched = (routable_response *)(void *)&client;
    int i, asked = 0;
    (void)state;
    assert_int_equal(routable_client_start(client, NULL), ROUTABLE_OK);
    for (i = 0; i < 300; i++) {
        routable_transfer *const transfer = submit(client, "ok", NULL, NULL);
        routable_response *response;
        routable_status status;
        do {
            if (++asked % 32 == 0)
                sched_yield(); /* one processor, and memcheck, which runs one thread at a time: the client's has its turn */
            response = untouched;
            status = routable_transfer_result(transfer, &response, NULL);
            if (status == ROUTABLE_PENDING)
                assert_ptr_equal(response, untouched);
        } while (status == ROUTABLE_PENDING);
        assert_int_equal(status, ROUTABLE_OK);
        assert_ptr_not_equal(response, untouched);
        check_size("body", routable_response_body(response).len > 0, 1);
        routable_response_free(response);
        routable_transfer_free(transfer);
    }
    routable_client_free(client);
}

/* --- Outcomes --- */

static void every_fault_is_one_outcome(void **state)
{
    static const struct { const char *name; routable_status status; } rows[] = {
        { "ok", ROUTABLE_OK }, { "gzip", ROUTABLE_OK }, { "redirect", ROUTABLE_OK }, { "length-short", ROUTABLE_OK },
        { "not-found", ROUTABLE_ERR_HTTP_STATUS }, { "status/503", ROUTABLE_ERR_HTTP_STATUS },
        { "close-early", ROUTABLE_ERR_TRANSFER }, { "close-chunked", ROUTABLE_ERR_TRANSFER },
        { "bad-chunk", ROUTABLE_ERR_TRANSFER }, { "length-negative", ROUTABLE_ERR_TRANSFER },
        { "garbage", ROUTABLE_ERR_TRANSFER }, { "nothing", ROUTABLE_ERR_TRANSFER },
        { "reset-head", ROUTABLE_ERR_TRANSFER }, { "reset-body", ROUTABLE_ERR_TRANSFER },
        { "redirect-loop", ROUTABLE_ERR_TRANSFER }, { "redirect-file", ROUTABLE_ERR_TRANSFER },
        { "big", ROUTABLE_ERR_LIMIT }, { "gzip-bomb", ROUTABLE_ERR_LIMIT }, { "never", ROUTABLE_ERR_TIMEOUT },
        { "half", ROUTABLE_ERR_TIMEOUT }, { "drip", ROUTABLE_ERR_TIMEOUT },
    };
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_transfer *transfers[sizeof rows / sizeof *rows];
    routable_client *client;
    routable_response *response = NULL;
    size_t i;
    (void)state;
    options.deadline_ms = patience(1500);
    options.max_response_bytes = 1 << 20;
    client = new_client(&options);
    for (i = 0; i < sizeof rows / sizeof *rows; i++)
        transfers[i] = submit(client, rows[i].name, NULL, NULL);
    assert_int_equal(routable_transfer_result(transfers[0], &response, NULL), ROUTABLE_PENDING);
    finish(client);
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        const routable_status status = ended_as(transfers[i], NULL);
        if (status != rows[i].status)
            print_error("%s\n", rows[i].name);
        assert_int_equal(status, rows[i].status);
    }
    routable_client_free(client);
}

static void refused_before_the_network(void **state)
{
    routable_client *const client = new_client(NULL);
    routable_request *const request = request_of("fault", "ok");
    routable_transfer *transfer = NULL;
    routable_error *error = NULL;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    int calls = 0;
    (void)state;
    assert_int_equal(routable_request_set_header(request, "Transfer-Encoding", routable_str_from("chunked"), NULL), ROUTABLE_OK);
    check_status("header", routable_client_submit(client, request, NULL, count_call, &calls, NULL, &transfer, &error), ROUTABLE_ERR_HEADER, error);
    check_text("header", routable_error_operation(error), "fault");
    routable_error_free(error);
    policy.size = 3;
    check_status("size", routable_client_submit(client, request, &policy, count_call, &calls, NULL, &transfer, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    assert_null(transfer);
    assert_int_equal(routable_client_next(client, -1, &transfer, NULL), ROUTABLE_IDLE);
    assert_int_equal(calls, 0);
    routable_request_free(request);
    routable_client_free(client);
}

/* --- Cancel --- */

static void check_cancelled(routable_transfer *transfer)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    assert_int_equal(routable_transfer_wait(transfer, -1, &error), ROUTABLE_CANCELLED);
    assert_int_equal(routable_transfer_result(transfer, &response, &error), ROUTABLE_CANCELLED);
    assert_null(response);
    assert_null(error);
    routable_transfer_free(transfer);
}

static void cancel_at_every_state(void **state)
{
    static const char *const names[] = { "ok", "never", "half", "drip", "big", "flaky/cancel/9/503", "close-early" };
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *client;
    routable_transfer *transfer, *other = NULL;
    int calls = 0;
    size_t i, steps;
    (void)state;
    options.retries = 5;
    options.max_active = 2;
    client = new_client(&options);
    for (i = 0; i < sizeof names / sizeof *names; i++)
        for (steps = 0; steps < 6; steps++) {
            size_t step;
            transfer = submit(client, names[i], count_call, &calls);
            calls = 0;
            for (step = 0; step < steps; step++)
                assert_int_equal(routable_client_drive(client, step == 5 ? 5 : 0, NULL, NULL), ROUTABLE_OK);
            if (routable_transfer_cancel(transfer)) {
                assert_int_equal(calls, 0);
                assert_int_equal(routable_transfer_cancel(transfer), 1); /* it stays the outcome */
                finish(client);
                assert_int_equal(calls, 0);
                check_cancelled(transfer);
            } else {
                assert_int_equal(calls, 1);
                routable_transfer_free(transfer);
            }
        }
    /* What waits for its turn: never begun. */
    routable_transfer_free(submit(client, "slow/50", NULL, NULL));
    routable_transfer_free(submit(client, "slow/50", NULL, NULL));
    transfer = submit(client, "ok", count_call, &calls);
    calls = 0;
    assert_int_equal(routable_client_drive(client, 0, NULL, NULL), ROUTABLE_OK);
    assert_int_equal(routable_transfer_cancel(transfer), 1);
    for (i = 0; i < 2; i++) {
        assert_int_equal(routable_client_next(client, 5000, &other, NULL), ROUTABLE_OK);
        routable_transfer_free(other);
    }
    assert_int_equal(routable_client_next(client, 5000, &other, NULL), ROUTABLE_IDLE);
    assert_int_equal(calls, 0);
    check_cancelled(transfer);
    /* One that has ended is in the queue, whoever cancels it now. */
    transfer = submit(client, "ok", NULL, NULL);
    finish(client);
    assert_int_equal(routable_transfer_cancel(transfer), 0);
    assert_int_equal(routable_client_next(client, 0, &other, NULL), ROUTABLE_OK);
    assert_ptr_equal(other, transfer);
    routable_transfer_free(other);
    routable_transfer_free(transfer);
    routable_client_free(client);
}

typedef struct pause {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int is_in, may_go, is_out;
} pause_point;

static void stay(routable_transfer *transfer, void *user_data)
{
    pause_point *const it = user_data;
    (void)transfer;
    pthread_mutex_lock(&it->lock);
    it->is_in = 1;
    pthread_cond_broadcast(&it->changed);
    while (!it->may_go)
        pthread_cond_wait(&it->changed, &it->lock);
    pthread_mutex_unlock(&it->lock);
    rest(20);
    __atomic_store_n(&it->is_out, 1, __ATOMIC_SEQ_CST);
}

/* A cancel that comes too late waits for the callback that runs: what it uses may be freed after. */
static void cancel_waits_for_a_running_callback(void **state)
{
    pause_point it = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0 };
    routable_client *const client = new_client(NULL);
    routable_transfer *transfer;
    (void)state;
    assert_int_equal(routable_client_start(client, NULL), ROUTABLE_OK);
    transfer = submit(client, "ok", stay, &it);
    pthread_mutex_lock(&it.lock);
    while (!it.is_in)
        pthread_cond_wait(&it.changed, &it.lock);
    it.may_go = 1;
    pthread_cond_broadcast(&it.changed);
    pthread_mutex_unlock(&it.lock);
    assert_int_equal(routable_transfer_cancel(transfer), 0);
    assert_int_equal(__atomic_load_n(&it.is_out, __ATOMIC_SEQ_CST), 1);
    routable_transfer_free(transfer);
    routable_client_free(client);
}

/* --- The end of a client --- */

static void client_freed_with_transfers_in_flight(void **state)
{
    static const char *const names[] = { "never", "half", "ok", "big", "flaky/freed/9/503" };
    routable_transfer *transfers[5];
    size_t i, steps;
    (void)state;
    for (steps = 0; steps < 4; steps++) {
        routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
        routable_client *client;
        int calls = 0;
        options.max_active = 3;
        options.retries = 3;
        client = new_client(&options);
        for (i = 0; i < 5; i++)
            transfers[i] = submit(client, names[i], i % 2 ? count_call : NULL, &calls);
        for (i = 0; i < steps; i++)
            assert_int_equal(routable_client_drive(client, 10, NULL, NULL), ROUTABLE_OK);
        calls = 0;
        routable_client_free(client);
        assert_int_equal(calls, 0);
        for (i = 0; i < 5; i++) {
            const routable_status status = routable_transfer_wait(transfers[i], -1, NULL);
            assert_true(status == ROUTABLE_CANCELLED || status == ROUTABLE_OK);
            routable_transfer_free(transfers[i]);
        }
    }
}

static void free_client(routable_transfer *transfer, void *user_data)
{
    chain *const it = user_data;
    (void)transfer;
    __atomic_add_fetch(&it->calls, 1, __ATOMIC_SEQ_CST);
    routable_client_free(it->client);
    __atomic_store_n(&it->client, NULL, __ATOMIC_SEQ_CST);
}

static void client_freed_in_a_callback(void **state)
{
    int i, threads;
    (void)state;
    for (threads = 0; threads < 2; threads++) {
        chain it = { new_client(NULL), 0, 0 };
        routable_client *const client = it.client;
        const int64_t end = milliseconds() + patience(10000);
        if (threads)
            assert_int_equal(routable_client_start(client, NULL), ROUTABLE_OK);
        for (i = 0; i < 8; i++)
            routable_transfer_free(submit(client, "slow/20", free_client, &it));
        if (!threads) {
            routable_transfer *const last = submit(client, "never", NULL, NULL);
            assert_int_equal(routable_transfer_wait(last, -1, NULL), ROUTABLE_CANCELLED);
            routable_transfer_free(last);
        }
        while (__atomic_load_n(&it.client, __ATOMIC_SEQ_CST) && milliseconds() < end)
            rest(1);
        rest(50);
        assert_int_equal(__atomic_load_n(&it.calls, __ATOMIC_SEQ_CST), 1);
    }
}

static void a_forked_process_has_no_client(void **state)
{
    routable_client *const client = new_client(NULL);
    routable_transfer *const never = submit(client, "slow/200", NULL, NULL);
    routable_request *const request = request_of("fault", "ok");
    routable_response *response = NULL;
    routable_error *error = NULL;
    pid_t child;
    int result = -1, descriptor;
    (void)state;
    assert_int_equal(routable_client_perform(client, request, &response, &error), ROUTABLE_OK);
    routable_response_free(response);
    assert_int_equal(routable_client_drive(client, 0, NULL, NULL), ROUTABLE_OK);
    child = fork();
    if (child == 0) {
        routable_transfer *transfer = NULL;
        int wrong = 0;
        alarm((unsigned)patience(60));
        wrong |= routable_client_perform(client, request, &response, NULL) != ROUTABLE_ERR_ARGUMENT;
        wrong |= (routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, NULL) != ROUTABLE_ERR_ARGUMENT) << 1;
        wrong |= (routable_client_next(client, -1, &transfer, NULL) != ROUTABLE_ERR_ARGUMENT) << 2;
        wrong |= (routable_client_descriptor(client, &descriptor, NULL) != ROUTABLE_ERR_ARGUMENT) << 3;
        wrong |= (routable_transfer_cancel(never) != 0) << 4;
        routable_transfer_free(never);
        routable_client_free(client);
        /* One of its own works. */
        {
            routable_client *own = NULL;
            wrong |= (routable_client_new(NULL, &own, NULL) != ROUTABLE_OK) << 5;
            wrong |= (routable_client_perform(own, request, &response, NULL) != ROUTABLE_OK) << 6;
            routable_response_free(response);
            routable_client_free(own);
        }
        if (!wrong)
            execlp("true", "true", (char *)NULL); /* what the client of the parent left here is no leak to report */
        _exit(wrong);
    }
    waitpid(child, &result, 0);
    assert_int_equal(WIFEXITED(result) ? WEXITSTATUS(result) : -1, 0);
    /* Nothing changed here. */
    check_status("after a fork", routable_client_perform(client, request, &response, &error), ROUTABLE_OK, error);
    routable_response_free(response);
    assert_int_equal(ended_as(never, NULL), ROUTABLE_OK);
    routable_request_free(request);
    routable_client_free(client);
}

/* --- Limits --- */

static int number_at(routable_client *client, const char *call)
{
    routable_request *const request = build(router, call);
    routable_response *response = NULL;
    routable_error *error = NULL;
    int number;
    check_status(call, routable_client_perform(client, request, &response, &error), ROUTABLE_OK, error);
    number = atoi(routable_response_body(response).ptr);
    routable_response_free(response);
    routable_request_free(request);
    return number;
}

static void so_many_at_once(void **state)
{
    int total;
    (void)state;
    for (total = 0; total < 2; total++) {
        routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
        routable_client *client;
        int calls = 0, i;
        options.max_active = total ? 3 : 100;
        options.max_active_per_host = total ? 100 : 3;
        client = new_client(&options);
        number_at(client, "{\"operation\":\"busiest\"}");
        for (i = 0; i < 20; i++)
            routable_transfer_free(submit(client, "slow/10", count_call, &calls));
        finish(client);
        assert_int_equal(calls, 20);
        assert_int_equal(number_at(client, "{\"operation\":\"busiest\"}"), 3);
        routable_client_free(client);
    }
}

static void pending_limit(void **state)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *client;
    routable_request *const request = request_of("fault", "ok");
    routable_error *error = NULL;
    (void)state;
    options.max_pending = 2;
    client = new_client(&options);
    routable_transfer_free(submit(client, "ok", NULL, NULL));
    routable_transfer_free(submit(client, "ok", NULL, NULL));
    check_status("third", routable_client_submit(client, request, NULL, NULL, NULL, NULL, NULL, &error), ROUTABLE_ERR_LIMIT, error);
    routable_error_free(error);
    finish(client);
    routable_transfer_free(submit(client, "ok", NULL, NULL));
    finish(client);
    routable_request_free(request);
    routable_client_free(client);
}

static void a_deadline_counts_the_wait_for_a_turn(void **state)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_client *client;
    routable_transfer *first, *second;
    const int64_t begun = milliseconds();
    (void)state;
    options.max_active = 1;
    options.deadline_ms = patience(600);
    policy.deadline_ms = 200;
    client = new_client(&options);
    first = submit(client, "never", NULL, NULL);
    second = submit_with(client, "fault", "ok", &policy, NULL, NULL);
    assert_int_equal(ended_as(second, NULL), ROUTABLE_ERR_TIMEOUT);
    assert_in_range(milliseconds() - begun, 190, patience(550));
    assert_int_equal(ended_as(first, NULL), ROUTABLE_ERR_TIMEOUT);
    assert_in_range(milliseconds() - begun, patience(600) - 10, patience(3000));
    routable_client_free(client);
}

/* One that waited for its turn has an alarm at its deadline, which rings when it has long ended: no other one is touched. */
static void an_alarm_rings_for_one_that_is_gone(void **state)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_client *client;
    routable_transfer *first, *second, *waited, *later[2];
    int32_t status = 0;
    size_t i, pending = 1;
    (void)state;
    options.max_active = 2;
    policy.deadline_ms = 400;
    client = new_client(&options);
    first = submit(client, "slow/20", NULL, NULL);
    second = submit(client, "slow/20", NULL, NULL);
    waited = submit_with(client, "fault", "ok", &policy, NULL, NULL);
    assert_int_equal(ended_as(first, NULL), ROUTABLE_OK);
    assert_int_equal(ended_as(second, NULL), ROUTABLE_OK);
    assert_int_equal(ended_as(waited, NULL), ROUTABLE_OK);
    for (i = 0; i < 2; i++)
        later[i] = submit(client, "slow/600", NULL, NULL);
    for (i = 0; i < 2; i++) {
        assert_int_equal(ended_as(later[i], &status), ROUTABLE_OK);
        assert_int_equal(status, 200);
    }
    assert_int_equal(routable_client_drive(client, 0, &pending, NULL), ROUTABLE_OK);
    assert_int_equal(pending, 0);
    routable_client_free(client);
}

/* Ten thousand wait for their turn; the memory stays small and so does the number of descriptors. */
static void ten_thousand(void **state)
{
    enum { COUNT = 10000 };
    routable_client *const client = new_client(NULL);
    routable_request *const request = request_of("fault", "ok");
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    long size, before = 0, after = 0;
    int calls = 0, i;
    FILE *file = fopen("/proc/self/statm", "r");
    (void)state;
    assert_int_equal(fscanf(file, "%ld %ld", &size, &before), 2);
    fclose(file);
    for (i = 0; i < COUNT; i++)
        assert_int_equal(routable_client_submit(client, request, NULL, count_call, &calls, NULL, NULL, NULL), ROUTABLE_OK);
    for (i = 0; i < 20; i++)
        assert_int_equal(routable_client_drive(client, 10, NULL, NULL), ROUTABLE_OK);
    file = fopen("/proc/self/statm", "r");
    assert_int_equal(fscanf(file, "%ld %ld", &size, &after), 2);
    fclose(file);
    if (after < before)
        after = before; /* what earlier tests had was given back meanwhile */
    print_message("           10,000 submitted: %zu KB more\n", (size_t)(after - before) * page / 1024);
    assert_true((size_t)(after - before) * page < 200u << 20);
    routable_request_free(request);
    routable_client_free(client);
    assert_true(calls < COUNT);
}

/* --- Retries --- */

static int count_of(routable_client *client, const char *key)
{
    char call[128];
    snprintf(call, sizeof call, "{\"operation\":\"count\",\"ids\":[\"%s\"]}", key);
    return number_at(client, call);
}

static void A3_retries(void **state)
{
    static const struct {
        const char *operation, *name, *key;
        int idempotency_key, retries;
        routable_status status;
        int32_t http_status;
        int count;
    } rows[] = {
        { "fault", "flaky/a%/2/503", "a", 0, 2, ROUTABLE_OK, 200, 3 },
        { "fault", "flaky/b%/3/503", "b", 0, 2, ROUTABLE_ERR_HTTP_STATUS, 503, 3 },
        { "fault", "flaky/c%/1/408", "c", 0, 2, ROUTABLE_OK, 200, 2 },
        { "fault", "flaky/d%/1/404", "d", 0, 2, ROUTABLE_ERR_HTTP_STATUS, 404, 1 },
        { "fault", "flaky/e%/1/501", "e", 0, 2, ROUTABLE_ERR_HTTP_STATUS, 501, 1 },
        { "fault", "flaky/f%/1/429", "f", 0, 2, ROUTABLE_ERR_HTTP_STATUS, 429, 1 },
        { "fault", "flaky/g%/1/429/0", "g", 0, 2, ROUTABLE_OK, 200, 2 },
        { "fault", "flaky/h%/1/503", "h", 0, -1, ROUTABLE_ERR_HTTP_STATUS, 503, 1 },
        { "put", "flaky/i%/1/500", "i", 0, 2, ROUTABLE_OK, 200, 2 },
        { "post", "flaky/j%/1/500", "j", 0, 2, ROUTABLE_ERR_HTTP_STATUS, 500, 1 },
        { "post", "flaky/k%/1/500", "k", 1, 2, ROUTABLE_OK, 200, 2 },
        { "post", "flaky/o%/1/500", "o", 2, 2, ROUTABLE_OK, 200, 2 }, /* the policy names the header */
        { "fault", "flaky/l%/1/503/9999", "l", 0, 2, ROUTABLE_ERR_HTTP_STATUS, 503, 1 },
        { "fault", "flaky/m%/1/503/Sun, 06 Nov 1994 08:49:37 GMT", "m", 0, 2, ROUTABLE_OK, 200, 2 },
        { "fault", "flaky/n%/1/503/Fri, 31 Dec 9999 23:59:59 GMT", "n", 0, 2, ROUTABLE_ERR_HTTP_STATUS, 503, 1 },
    };
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *client;
    size_t i;
    int submitted;
    (void)state;
    options.retry_delay_ms = 10;
    options.retries = 1;
    client = new_client(&options);
    for (submitted = 0; submitted < 2; submitted++)
        for (i = 0; i < sizeof rows / sizeof *rows; i++) {
            routable_policy policy = ROUTABLE_POLICY_INIT;
            char name[128], key[8];
            char *mark;
            routable_request *request;
            routable_response *response = NULL;
            routable_error *error = NULL;
            routable_status status;
            int32_t http_status;
            snprintf(name, sizeof name, "%s", rows[i].name);
            mark = strchr(name, '%');
            *mark = submitted ? '1' : '0';
            snprintf(key, sizeof key, "%s%c", rows[i].key, *mark);
            request = request_of(rows[i].operation, name);
            if (rows[i].idempotency_key == 1)
                assert_int_equal(routable_request_set_header(request, "Idempotency-Key", routable_str_from("1"), NULL), ROUTABLE_OK);
            if (rows[i].idempotency_key == 2) {
                policy.idempotency_header = ROUTABLE_STR("X Key");
                assert_int_equal(routable_client_perform_with(client, request, &policy, &response, NULL), ROUTABLE_ERR_HEADER);
                policy.idempotency_header = ROUTABLE_STR("X-Key");
            }
            policy.retries = rows[i].retries;
            if (submitted) {
                routable_transfer *transfer = NULL;
                assert_int_equal(routable_client_submit(client, request, &policy, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
                status = ended_as(transfer, &http_status);
            } else {
                status = routable_client_perform_with(client, request, &policy, &response, &error);
                http_status = response ? routable_response_status(response) : routable_error_http_status(error);
                routable_response_free(response);
                routable_error_free(error);
            }
            routable_request_free(request);
            if (status != rows[i].status || http_status != rows[i].http_status)
                print_error("%s: status %d, HTTP %d\n", name, (int)status, (int)http_status);
            assert_int_equal(status, rows[i].status);
            assert_int_equal(http_status, rows[i].http_status);
            assert_int_equal(count_of(client, key), rows[i].count);
        }
    routable_client_free(client);
}

/* Broken off and refused are tried again; the deadline is over all of it. */
static void A3_network_faults_and_deadline(void **state)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_client *client;
    routable_transfer *transfer;
    int64_t begun = milliseconds();
    int submitted;
    (void)state;
    options.retries = 2;
    options.retry_delay_ms = 100;
    client = new_client(&options);
    assert_int_equal(ended_as(submit(client, "nothing", NULL, NULL), NULL), ROUTABLE_ERR_TRANSFER);
    assert_in_range(milliseconds() - begun, 300, patience(3000)); /* 100 and 200 */
    policy.retries = 50;
    policy.deadline_ms = patience(500);
    for (submitted = 0; submitted < 2; submitted++) {
        routable_request *const request = request_of("fault", "close-early");
        routable_response *response = NULL;
        begun = milliseconds();
        transfer = NULL;
        if (submitted) {
            assert_int_equal(routable_client_submit(client, request, &policy, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
            assert_int_equal(ended_as(transfer, NULL), ROUTABLE_ERR_TRANSFER);
        } else {
            assert_int_equal(routable_client_perform_with(client, request, &policy, &response, NULL), ROUTABLE_ERR_TRANSFER);
        }
        assert_in_range(milliseconds() - begun, 250, patience(500) + patience(20));
        routable_request_free(request);
    }
    routable_client_free(client);
}

/* --- Threads and signals --- */

enum { THREADS = 8, EACH = 60 };

typedef struct crowd {
    routable_client *client;
    int submitted, called, taken, cancelled;
} crowd;

static void count_called(routable_transfer *transfer, void *user_data)
{
    (void)transfer;
    __atomic_add_fetch(&((crowd *)user_data)->called, 1, __ATOMIC_SEQ_CST);
}

static void *be_one_of_many(void *user_data)
{
    crowd *const it = user_data;
    routable_transfer *taken = NULL;
    int i;
    for (i = 0; i < EACH; i++) {
        routable_request *const request = build(router, i % 5 ? "{\"operation\":\"fault\",\"ids\":[\"ok\"]}" : "{\"operation\":\"fault\",\"ids\":[\"slow/5\"]}");
        routable_transfer *transfer = NULL;
        if (routable_client_submit(it->client, request, NULL, i % 2 ? count_called : NULL, it, NULL, &transfer, NULL) == ROUTABLE_OK) {
            __atomic_add_fetch(&it->submitted, 1, __ATOMIC_SEQ_CST);
            if (i % 7 == 0 && routable_transfer_cancel(transfer))
                __atomic_add_fetch(&it->cancelled, 1, __ATOMIC_SEQ_CST);
            if (i % 22 == 11) /* one with a callback: who waits takes the others from the queue */
                (void)!routable_transfer_wait(transfer, 5, NULL);
        }
        routable_transfer_free(transfer);
        routable_request_free(request);
        if (i % 3 == 0 && routable_client_next(it->client, 1, &taken, NULL) == ROUTABLE_OK) {
            __atomic_add_fetch(&it->taken, 1, __ATOMIC_SEQ_CST);
            routable_transfer_free(taken);
        }
        if (i % 4 == 0)
            (void)!routable_client_drive(it->client, 0, NULL, NULL);
    }
    while (routable_client_next(it->client, 5000, &taken, NULL) == ROUTABLE_OK) {
        __atomic_add_fetch(&it->taken, 1, __ATOMIC_SEQ_CST);
        routable_transfer_free(taken);
    }
    return NULL;
}

static void eight_threads(void **state)
{
    int own;
    (void)state;
    for (own = 0; own < 2; own++) {
        crowd it = { new_client(NULL), 0, 0, 0, 0 };
        pthread_t threads[THREADS];
        routable_transfer *taken = NULL;
        int i;
        if (own)
            assert_int_equal(routable_client_start(it.client, NULL), ROUTABLE_OK);
        for (i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, be_one_of_many, &it), 0);
        for (i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        finish(it.client);
        while (routable_client_next(it.client, 0, &taken, NULL) == ROUTABLE_OK) {
            it.taken++;
            routable_transfer_free(taken);
        }
        assert_int_equal(it.submitted, THREADS * EACH);
        assert_int_equal(it.called + it.taken + it.cancelled, it.submitted);
        routable_client_free(it.client);
    }
}

static volatile sig_atomic_t alarms;

static void on_alarm(int number)
{
    (void)number;
    alarms++;
}

static void signals_do_not_disturb(void **state)
{
    const struct itimerval often = { { 0, 2000 }, { 0, 2000 } }, never = { { 0, 0 }, { 0, 0 } };
    routable_client *const client = new_client(NULL);
    struct sigaction action;
    int calls = 0, i;
    (void)state;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_alarm;
    sigaction(SIGALRM, &action, NULL); /* it stays: one may be on its way yet */
    setitimer(ITIMER_REAL, &often, NULL);
    for (i = 0; i < 50; i++)
        routable_transfer_free(submit(client, i % 5 ? "ok" : "slow/20", count_call, &calls));
    finish(client);
    setitimer(ITIMER_REAL, &never, NULL);
    assert_int_equal(calls, 50);
    assert_true(alarms > 0);
    routable_client_free(client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queue),
        cmocka_unit_test(many_at_once),
        cmocka_unit_test(callbacks_that_call_back),
        cmocka_unit_test(descriptor_in_a_poll_loop),
        cmocka_unit_test(thread_of_the_client),
        cmocka_unit_test(results_while_they_end),
        cmocka_unit_test(every_fault_is_one_outcome),
        cmocka_unit_test(refused_before_the_network),
        cmocka_unit_test(cancel_at_every_state),
        cmocka_unit_test(cancel_waits_for_a_running_callback),
        cmocka_unit_test(client_freed_with_transfers_in_flight),
        cmocka_unit_test(client_freed_in_a_callback),
        cmocka_unit_test(a_forked_process_has_no_client),
        cmocka_unit_test(so_many_at_once),
        cmocka_unit_test(pending_limit),
        cmocka_unit_test(a_deadline_counts_the_wait_for_a_turn),
        cmocka_unit_test(an_alarm_rings_for_one_that_is_gone),
        cmocka_unit_test(ten_thousand),
        cmocka_unit_test(A3_retries),
        cmocka_unit_test(A3_network_faults_and_deadline),
        cmocka_unit_test(eight_threads),
        cmocka_unit_test(signals_do_not_disturb),
    };
    return cmocka_run_group_tests_name("transfers", tests, start, stop);
}
