/* Freeing a client with transfers in progress, the limits of concurrent transfers, retries, threads and signals. */
#include "transfers.h"

/* --- Freeing a client --- */

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
        /* A new client works in the child. */
        {
            routable_client *own = NULL;
            wrong |= (routable_client_new(NULL, &own, NULL) != ROUTABLE_OK) << 5;
            wrong |= (routable_client_perform(own, request, &response, NULL) != ROUTABLE_OK) << 6;
            routable_response_free(response);
            routable_client_free(own);
        }
        if (!wrong)
            execlp("true", "true", (char *)NULL); /* objects of the parent's client must not be reported as leaks in the child */
        _exit(wrong);
    }
    waitpid(child, &result, 0);
    assert_int_equal(WIFEXITED(result) ? WEXITSTATUS(result) : -1, 0);
    /* The client of the parent is unchanged. */
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

/* A queued transfer has a timer for its deadline, which fires after the transfer has completed: no other transfer is affected. */
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

/* Ten thousand queued transfers: memory and the number of descriptors stay small. */
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
        after = before; /* memory of earlier tests was released in the meantime */
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

/* Interrupted and refused connections are retried; the deadline applies to all attempts. */
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
    assert_in_range(milliseconds() - begun, 300, patience(3000)); /* delays of 100 and 200 */
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
            if (i % 22 == 11) /* one with a callback: a waiting call takes the others from the queue */
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
    sigaction(SIGALRM, &action, NULL); /* stays installed, because a signal may still be pending */
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
    return cmocka_run_group_tests_name("transfer_limits", tests, start, stop);
}
