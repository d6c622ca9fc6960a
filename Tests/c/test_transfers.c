/* Many requests at the same time over one client: each has exactly one outcome, and none after it is cancelled. */
#include "transfers.h"

/* --- Waiting --- */

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

    /* If one request is refused, none is submitted, and no output is written. */
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

    /* Each transfer has an entry in the queue, and one reference of the test. */
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

    /* With a callback, and without outputs. */
    for (i = 0; i < COUNT; i++)
        user_data[i] = &calls;
    check_status("calls", routable_client_submit_many(client, requests, COUNT, NULL, count_call, user_data, NULL, NULL, &error), ROUTABLE_OK, error);
    finish(client);
    assert_int_equal(calls, COUNT);
    routable_request_free(request);
    routable_client_free(client);
}

static void go_on(routable_transfer *transfer, void *user_data)
{
    chain *const it = user_data;
    routable_response *response = NULL;
    routable_error *error = NULL;
    size_t pending;
    it->calls++;
    check_status("in a callback", routable_transfer_result(transfer, &response, &error), ROUTABLE_OK, error);
    routable_response_free(response);
    assert_int_equal(routable_transfer_cancel(transfer), 0); /* it has completed; and the callback does not wait for itself */
    assert_int_equal(routable_transfer_wait(transfer, -1, &error), ROUTABLE_OK);
    if (it->left-- > 0) {
        routable_transfer *const next = submit(it->client, "ok", go_on, it);
        assert_int_equal(routable_transfer_wait(next, -1, &error), ROUTABLE_PENDING); /* not allowed inside a callback */
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
        assert_true(++rounds < 1000); /* it blocks in between */
    }
    assert_int_equal(calls, 30);
    /* A submit wakes the loop again. */
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
    assert_int_equal(routable_client_start(client, NULL), ROUTABLE_OK); /* one thread is sufficient */
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

/* A transfer can complete while its result is requested: OK has a response, and any other status leaves the output unmodified. */
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
                sched_yield(); /* with one processor, and under memcheck, which runs one thread at a time, the client's thread can run */
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
    /* A queued transfer is never started. */
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
    /* A completed transfer stays in the queue, even if it is cancelled now. */
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

/* A cancellation that is too late waits for the running callback, so that the caller can free its data afterwards. */
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
    };
    return cmocka_run_group_tests_name("transfers", tests, start, stop);
}
