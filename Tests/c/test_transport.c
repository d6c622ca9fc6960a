/* Transports: a function of the host replies instead of libcurl; all other functions of a client are unchanged. */
#include "support.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

static routable_router *router;

static const char document[] =
    "{\"routable\":1,\"base\":\"https://api.test/v1\",\"auth\":{\"session\":{\"scheme\":\"bearer\",\"refresh\":\"renew\"}},"
    "\"resources\":{\"user\":{\"path\":\"users\",\"can\":[\"read\",\"create\"],\"type\":\"User\"}},"
    "\"types\":{\"User\":{\"type\":\"object\",\"required\":[\"name\"]}},"
    "\"operations\":{\"secret\":{\"get\":\"/secret\",\"auth\":\"session\"},\"renew\":{\"post\":\"/renew\",\"body\":{}},"
    "\"pages\":{\"get\":\"/pages\",\"pagination\":{\"by\":\"link\"}},\"lines\":{\"get\":\"/lines\"},\"upload\":{\"post\":\"/upload\",\"body\":{}}}}";

static int start(void **state)
{
    (void)state;
    return routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, &router, NULL) != ROUTABLE_OK;
}

static int stop(void **state)
{
    (void)state;
    routable_router_free(router);
    return 0;
}

/* --- A transport of the test --- */

typedef struct host {
    int calls, released;
    int fail_first;         /* number of attempts without a response */
    const char *location;   /* not NULL: the first response redirects to it */
    int32_t status;         /* of the other responses; 0: 200 */
    const char *body;
    const char *header, *value; /* of a response, or NULL */
    int late;               /* another thread replies, which the test joins */
    pthread_t thread;
    int never;
    char seen[8][256];      /* the method, the URL and Authorization of each call */
} host;

static void *reply_later(void *argument)
{
    routable_reply reply = ROUTABLE_REPLY_INIT;
    const struct timespec moment = { 0, 20000000 };
    nanosleep(&moment, NULL);
    reply.body = ROUTABLE_STR("{\"name\":\"late\"}");
    assert_int_equal(routable_exchange_reply((routable_exchange *)argument, &reply, NULL), ROUTABLE_OK);
    return NULL;
}

static void answer(routable_exchange *exchange, void *user_data)
{
    host *const it = (host *)user_data;
    routable_reply reply = ROUTABLE_REPLY_INIT;
    routable_header header = ROUTABLE_HEADER_INIT;
    if (it->calls < 8)
        snprintf(it->seen[it->calls], sizeof it->seen[0], "%s %s %s", text_of(routable_exchange_method(exchange)),
            text_of(routable_exchange_url(exchange)), text_of(routable_exchange_header(exchange, "authorization")));
    it->calls++;
    if (it->never)
        return; /* the test replies to the exchange later */
    if (it->late) {
        assert_int_equal(pthread_create(&it->thread, NULL, reply_later, exchange), 0);
        return;
    }
    if (it->calls <= it->fail_first)
        reply.curl_code = 7;
    reply.http_status = it->status;
    reply.body = routable_str_from(it->body);
    if (it->location && it->calls == 1) {
        reply.http_status = 302;
        header.name = ROUTABLE_STR("Location");
        header.value = routable_str_from(it->location);
        reply.headers = &header;
        reply.header_count = 1;
    } else if (it->header) {
        header.name = routable_str_from(it->header);
        header.value = routable_str_from(it->value);
        reply.headers = &header;
        reply.header_count = 1;
    }
    assert_int_equal(routable_exchange_reply(exchange, &reply, NULL), ROUTABLE_OK);
}

static void released(void *user_data) { ((host *)user_data)->released++; }

static routable_client *client_over(routable_transport_fn transport, void *user_data, uint32_t retries, int64_t deadline)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *client = NULL;
    routable_error *error = NULL;
    options.transport = transport;
    options.transport_user_data = user_data;
    options.transport_release = transport == answer ? released : NULL;
    options.retries = retries;
    options.retry_delay_ms = 1;
    options.deadline_ms = deadline;
    check_status("client", routable_client_new(&options, &client, &error), ROUTABLE_OK, error);
    return client;
}

static routable_status perform(routable_client *client, const char *call, int by_queue, routable_response **out, routable_error **error)
{
    routable_request *const request = build(router, call);
    routable_transfer *transfer = NULL;
    routable_status status;
    if (!by_queue) {
        status = routable_client_perform(client, request, out, error);
    } else {
        status = routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, error);
        while (status == ROUTABLE_OK && (status = routable_transfer_wait(transfer, -1, NULL)) == ROUTABLE_INTERRUPTED)
            status = ROUTABLE_OK;
        if (status == ROUTABLE_OK)
            status = routable_transfer_result(transfer, out, error);
        routable_transfer_free(transfer);
    }
    routable_request_free(request);
    return status;
}

static const char read_user[] = "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[1]}";

static void responses_redirects_and_retries(void **state)
{
    int by_queue;
    (void)state;
    for (by_queue = 0; by_queue < 2; by_queue++) {
        host it = { .fail_first = 0 };
        routable_client *client;
        routable_response *response = NULL;
        routable_error *error = NULL;

        it.body = "{\"name\":\"Fabian\"}";
        it.location = "../../v2/users/1";
        client = client_over(answer, &it, 0, 0);
        check_status("redirect", perform(client, read_user, by_queue, &response, &error), ROUTABLE_OK, error);
        assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_SELF);
        check_text("url", routable_response_url(response), "https://api.test/v2/users/1");
        assert_string_equal(it.seen[0], "GET https://api.test/v1/users/1 ");
        routable_response_free(response);
        routable_client_free(client);
        assert_int_equal(it.released, 1);

        it = (host) { .fail_first = 2, .body = "{\"name\":\"x\"}" };
        client = client_over(answer, &it, 2, 0);
        check_status("retries", perform(client, read_user, by_queue, &response, &error), ROUTABLE_OK, error);
        assert_int_equal(it.calls, 3);
        routable_response_free(response);
        it.fail_first = 100;
        check_status("no more", perform(client, read_user, by_queue, &response, &error), ROUTABLE_ERR_TRANSFER, error);
        assert_int_equal(routable_error_curl_code(error), 7);
        assert_int_equal(it.calls, 6);
        routable_error_free(error);
        routable_client_free(client);

        it = (host) { .late = 1 };
        client = client_over(answer, &it, 0, 0);
        check_status("late", perform(client, read_user, by_queue, &response, &error), ROUTABLE_OK, error);
        check_text("late", routable_response_body(response), "{\"name\":\"late\"}");
        routable_response_free(response);
        routable_client_free(client);
        pthread_join(it.thread, NULL); /* the thread can hold the last reference to the transport, and then releases it */
        assert_int_equal(it.released, 1);

        it = (host) { .status = 404, .body = "{\"name\":\"gone\"}" };
        client = client_over(answer, &it, 0, 0);
        check_status("404", perform(client, read_user, by_queue, &response, &error), ROUTABLE_ERR_HTTP_STATUS, error);
        assert_int_equal(routable_error_http_status(error), 404);
        routable_error_free(error);
        routable_client_free(client);
    }
}

static routable_exchange *kept;

static void keep(routable_exchange *exchange, void *user_data)
{
    (void)user_data;
    kept = exchange;
}

static void deadlines_and_late_replies(void **state)
{
    int by_queue;
    (void)state;
    for (by_queue = 0; by_queue < 2; by_queue++) {
        routable_client *const client = client_over(keep, NULL, 0, 60);
        routable_response *response = NULL;
        routable_error *error = NULL;
        routable_reply reply = ROUTABLE_REPLY_INIT;
        const int64_t before = milliseconds();
        check_status("never", perform(client, read_user, by_queue, &response, &error), ROUTABLE_ERR_TIMEOUT, error);
        assert_in_range(milliseconds() - before, 50, 2000);
        routable_error_free(error);
        assert_in_range(routable_exchange_timeout_ms(kept), 1, 60);
        /* The reply is ignored. */
        assert_int_equal(routable_exchange_reply(kept, &reply, NULL), ROUTABLE_OK);
        routable_client_free(client);
    }
}

static void replies_that_no_service_sends(void **state)
{
    static const host rows[] = {
        { .status = 99 }, { .status = 150 }, { .status = 1000 }, { .header = "A b", .value = "c" }, { .header = "A", .value = "b\r\nC: d" },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        routable_client *const client = client_over(keep, NULL, 0, 2000);
        routable_request *const request = build(router, read_user);
        routable_reply reply = ROUTABLE_REPLY_INIT;
        routable_header header = ROUTABLE_HEADER_INIT;
        routable_transfer *transfer = NULL;
        routable_response *response = NULL;
        routable_error *error = NULL;
        const routable_status wanted = rows[i].header ? ROUTABLE_ERR_HEADER : ROUTABLE_ERR_ARGUMENT;
        assert_int_equal(routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
        assert_int_equal(routable_client_drive(client, 0, NULL, NULL), ROUTABLE_OK);
        reply.http_status = rows[i].status;
        if (rows[i].header) {
            header.name = routable_str_from(rows[i].header);
            header.value = routable_str_from(rows[i].value);
            reply.headers = &header;
            reply.header_count = 1;
        }
        check_status("reply", routable_exchange_reply(kept, &reply, &error), wanted, error);
        routable_error_free(error);
        assert_int_equal(routable_transfer_wait(transfer, 2000, NULL), ROUTABLE_OK);
        check_status("result", routable_transfer_result(transfer, &response, &error), wanted, error);
        routable_error_free(error);
        routable_transfer_free(transfer);
        routable_request_free(request);
        routable_client_free(client);
    }
}

/* --- Canned responses --- */

static void add(routable_responses *responses, const char *route, const char *operation, int32_t status, const char *body, int32_t times)
{
    routable_canned canned = ROUTABLE_CANNED_INIT;
    routable_reply reply = ROUTABLE_REPLY_INIT;
    routable_error *error = NULL;
    reply.http_status = status;
    reply.body = routable_str_from(body);
    canned.route = route;
    canned.operation = operation;
    canned.times = times;
    canned.reply = &reply;
    check_status("add", routable_responses_add(responses, &canned, &error), ROUTABLE_OK, error);
}

static void credentials_pages_and_streams(void **state)
{
    routable_responses *responses = NULL;
    routable_client *client;
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_request *request;
    routable_pages *pages = NULL;
    routable_stream *stream = NULL;
    routable_stream_item item;
    routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
    routable_canned canned = ROUTABLE_CANNED_INIT;
    routable_reply reply = ROUTABLE_REPLY_INIT;
    routable_header link = ROUTABLE_HEADER_INIT;
    (void)state;
    assert_int_equal(routable_responses_new(&responses, NULL), ROUTABLE_OK);
    client = client_over(routable_responses_answer, responses, 0, 0);

    /* A 401, then a refresh by an operation of the description, then the request again. */
    add(responses, "", "secret", 401, "", 1);
    add(responses, "", "secret", 200, "{}", 1);
    add(responses, NULL, NULL, 200, "{\"access_token\":\"new\",\"token\":\"new\"}", 1);
    credential.scheme = "session";
    credential.token = ROUTABLE_STR("old");
    credential.refresh_body = ROUTABLE_STR("{}");
    assert_int_equal(routable_client_set_credential(client, &credential, NULL), ROUTABLE_OK);
    check_status("secret", perform(client, "{\"operation\":\"secret\"}", 0, &response, &error), ROUTABLE_OK, error);
    routable_response_free(response);
    check_status("all used", routable_responses_check(responses, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_responses_request_count(responses), 3);
    check_text("first", routable_exchange_header(routable_responses_request_at(responses, 0), "Authorization"), "Bearer old");
    check_text("refresh", routable_exchange_method(routable_responses_request_at(responses, 1)), "POST");
    check_text("last", routable_exchange_header(routable_responses_request_at(responses, 2), "Authorization"), "Bearer new");
    check_text("operation", routable_exchange_operation(routable_responses_request_at(responses, 2)), "secret");
    assert_null(routable_responses_request_at(responses, 3));

    link.name = ROUTABLE_STR("Link");
    link.value = ROUTABLE_STR("<pages?p=2>; rel=\"next\"");
    reply.headers = &link;
    reply.header_count = 1;
    reply.body = ROUTABLE_STR("[1,2]");
    canned.operation = "pages";
    canned.reply = &reply;
    assert_int_equal(routable_responses_add(responses, &canned, NULL), ROUTABLE_OK);
    add(responses, NULL, "pages", 200, "[3]", 1);
    request = build(router, "{\"operation\":\"pages\"}");
    assert_int_equal(routable_pages_new(client, request, NULL, &pages, NULL), ROUTABLE_OK);
    check_status("page", routable_pages_next(pages, NULL, NULL, &error), ROUTABLE_OK, error);
    check_status("page", routable_pages_next(pages, NULL, NULL, &error), ROUTABLE_OK, error);
    check_status("page", routable_pages_next(pages, NULL, NULL, &error), ROUTABLE_IDLE, error);
    check_text("second", routable_exchange_url(routable_responses_request_at(responses, 4)), "https://api.test/v1/pages?p=2");
    routable_pages_free(pages);
    routable_request_free(request);

    /* More data than the buffer: the transfer pauses, and continues when lines are read. */
    {
        static char many[400000];
        size_t i, lines = 0;
        int64_t before;
        routable_status status;
        for (i = 0; i < sizeof many - 1; i++)
            many[i] = i % 100 == 99 ? '\n' : 'x';
        add(responses, NULL, "lines", 200, many, 1);
        request = build(router, "{\"operation\":\"lines\"}");
        options.kind = ROUTABLE_STREAM_LINES;
        options.max_buffered_bytes = 10000;
        check_status("stream", routable_stream_open(client, request, &options, NULL, &stream, &error), ROUTABLE_OK, error);
        before = milliseconds();
        while ((status = routable_stream_next(stream, 5000, &item, &error)) == ROUTABLE_OK)
            lines++;
        check_status("end", status, ROUTABLE_IDLE, error);
        assert_in_range(milliseconds() - before, 0, 4999); /* no wait lasts until its timeout */
        check_size("lines", lines, 4000);
        routable_stream_free(stream);
        routable_request_free(request);
    }

    check_status("nothing left", routable_responses_check(responses, &error), ROUTABLE_OK, error);
    check_status("unexpected", perform(client, read_user, 1, &response, &error), ROUTABLE_ERR_CALLBACK, error);
    check_text("why", routable_error_message(error), "there is no canned response for read of user");
    routable_error_free(error);
    check_status("unexpected", routable_responses_check(responses, &error), ROUTABLE_ERR_CALLBACK, error);
    routable_error_free(error);
    routable_client_free(client);
    routable_responses_free(responses);
}

static void unused_delayed_and_uploaded(void **state)
{
    routable_responses *responses = NULL;
    routable_client *client;
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_canned canned = ROUTABLE_CANNED_INIT;
    routable_reply reply = ROUTABLE_REPLY_INIT;
    routable_request *request;
    int64_t before;
    int by_queue;
    (void)state;
    assert_int_equal(routable_responses_new(&responses, NULL), ROUTABLE_OK);
    client = client_over(routable_responses_answer, responses, 0, 400);
    for (by_queue = 0; by_queue < 2; by_queue++) {
        reply.delay_ms = 50;
        reply.body = ROUTABLE_STR("{\"name\":\"x\"}");
        canned.reply = &reply;
        canned.times = 1;
        assert_int_equal(routable_responses_add(responses, &canned, NULL), ROUTABLE_OK);
        before = milliseconds();
        check_status("delayed", perform(client, read_user, by_queue, &response, &error), ROUTABLE_OK, error);
        assert_in_range(milliseconds() - before, 45, 390);
        routable_response_free(response);
        reply.delay_ms = 10000;
        assert_int_equal(routable_responses_add(responses, &canned, NULL), ROUTABLE_OK);
        before = milliseconds();
        check_status("too late", perform(client, read_user, by_queue, &response, &error), ROUTABLE_ERR_TIMEOUT, error);
        assert_in_range(milliseconds() - before, 300, 3000);
        routable_error_free(error);
    }

    request = build(router, "{\"operation\":\"upload\",\"body\":1}");
    assert_int_equal(routable_request_set_body_file(request, path_below_root("Tests/golden/social.map.txt"), NULL, NULL), ROUTABLE_OK);
    add(responses, NULL, "upload", 200, "ok", 2);
    check_status("upload", routable_client_perform(client, request, &response, &error), ROUTABLE_OK, error);
    routable_response_free(response);
    assert_true(routable_exchange_body(routable_responses_request_at(responses, 4)).len > 10);
    routable_request_free(request);
    check_status("unused", routable_responses_check(responses, &error), ROUTABLE_ERR_CALLBACK, error);
    check_contains("unused", routable_error_message(error), "for upload was used 1 times; expected: 2");
    routable_error_free(error);
    routable_client_free(client);
    routable_responses_free(responses);
}

/* --- Interrupted waits --- */

static routable_client *interrupted;
static void interrupt(int number)
{
    (void)number;
    routable_client_interrupt(interrupted);
}
static void nothing(int number) { (void)number; }

static void after(long microseconds, void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    ualarm((useconds_t)microseconds, 0);
}

static void *wait_elsewhere(void *argument)
{
    return (void *)(intptr_t)routable_transfer_wait((routable_transfer *)argument, 5000, NULL);
}

static void waits_are_interrupted(void **state)
{
    routable_client *const client = client_over(keep, NULL, 0, 20000);
    routable_request *const request = build(router, read_user);
    routable_transfer *transfer = NULL, *next = NULL;
    routable_response *response = NULL;
    routable_reply reply = ROUTABLE_REPLY_INIT;
    int64_t before;
    pthread_t thread;
    void *result = NULL;
    routable_status status;
    int i;
    (void)state;
    interrupted = client;
    assert_int_equal(routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
    for (i = 0; i < 2; i++) {
        void (*const handler)(int) = i ? interrupt : nothing;
        before = milliseconds();
        after(20000, handler);
        assert_int_equal(routable_transfer_wait(transfer, 5000, NULL), ROUTABLE_INTERRUPTED);
        after(20000, handler);
        assert_int_equal(routable_client_next(client, 5000, &next, NULL), ROUTABLE_INTERRUPTED);
        after(20000, handler);
        /* A call that the interruption has woken before returns OK at once. */
        while ((status = routable_client_drive(client, 5000, NULL, NULL)) == ROUTABLE_OK)
            assert_true(milliseconds() - before < 1000);
        assert_int_equal(status, ROUTABLE_INTERRUPTED);
        assert_in_range(milliseconds() - before, 50, 1000);
    }
    /* One thread drives, the other waits for it: both return. */
    assert_int_equal(pthread_create(&thread, NULL, wait_elsewhere, transfer), 0);
    after(50000, interrupt);
    before = milliseconds();
    assert_int_equal(routable_transfer_wait(transfer, 5000, NULL), ROUTABLE_INTERRUPTED);
    pthread_join(thread, &result);
    assert_int_equal((intptr_t)result, ROUTABLE_INTERRUPTED);
    assert_in_range(milliseconds() - before, 20, 1000);
    /* The transfer continued. */
    reply.body = ROUTABLE_STR("{\"name\":\"x\"}");
    assert_int_equal(routable_exchange_reply(kept, &reply, NULL), ROUTABLE_OK);
    assert_int_equal(routable_transfer_wait(transfer, 5000, NULL), ROUTABLE_OK);
    assert_int_equal(routable_transfer_result(transfer, &response, NULL), ROUTABLE_OK);
    routable_client_interrupt(NULL);
    routable_response_free(response);
    routable_transfer_free(transfer);
    routable_request_free(request);
    routable_client_free(client);
}

/* --- The user data of a submit --- */

static int releases;
static void count_release(void *user_data) { releases += user_data == &releases; }

static void user_data_is_released_once(void **state)
{
    host it = { .body = "{\"name\":\"x\"}" };
    routable_client *const client = client_over(answer, &it, 0, 0);
    routable_request *const request = build(router, read_user);
    const routable_request *const requests[] = { request, request };
    const routable_request *const broken[] = { request, NULL };
    void *data[] = { &releases, &releases };
    routable_transfer *transfer = NULL, *transfers[2];
    (void)state;
    releases = 0;
    assert_int_equal(routable_client_submit(client, request, NULL, NULL, &releases, count_release, &transfer, NULL), ROUTABLE_OK);
    assert_int_equal(routable_transfer_wait(transfer, 5000, NULL), ROUTABLE_OK);
    assert_int_equal(releases, 0);
    routable_transfer_free(transfer);
    assert_int_equal(releases, 1);
    assert_int_equal(routable_client_submit(NULL, request, NULL, NULL, &releases, count_release, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_client_submit(client, NULL, NULL, NULL, &releases, count_release, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(releases, 3);
    assert_int_equal(routable_client_submit_many(client, requests, 2, NULL, NULL, data, count_release, transfers, NULL), ROUTABLE_OK);
    assert_int_equal(routable_transfer_wait(transfers[0], 5000, NULL), ROUTABLE_OK);
    assert_int_equal(routable_transfer_wait(transfers[1], 5000, NULL), ROUTABLE_OK);
    routable_transfer_free_many(transfers, 2);
    assert_int_equal(releases, 5);
    assert_int_equal(routable_client_submit_many(client, broken, 2, NULL, NULL, data, count_release, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(releases, 7);
    routable_request_free(request);
    routable_client_free(client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses_redirects_and_retries),
        cmocka_unit_test(deadlines_and_late_replies),
        cmocka_unit_test(replies_that_no_service_sends),
        cmocka_unit_test(credentials_pages_and_streams),
        cmocka_unit_test(unused_delayed_and_uploaded),
        cmocka_unit_test(waits_are_interrupted),
        cmocka_unit_test(user_data_is_released_once),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
