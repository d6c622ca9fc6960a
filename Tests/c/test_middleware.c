/* Middleware: functions of the host around each request, in order, for perform, submit and streams; they modify the request, reply to it
 * and make it fail. */
#include "support.h"

#include <pthread.h>

#include "routable_bodies.h"
#include "routable_credentials.h"
#include "routable_middleware.h"
#include "routable_pages.h"

static routable_router *router;
static const char document[] =
    "{\"routable\":1,\"base\":\"https://api.test/v1\",\"auth\":{\"session\":{\"scheme\":\"bearer\"}},"
    "\"resources\":{\"user\":{\"path\":\"users\",\"can\":[\"read\",\"create\"],\"type\":\"User\"}},"
    "\"types\":{\"User\":{\"type\":\"object\",\"required\":[\"name\"]}},"
    "\"operations\":{\"secret\":{\"get\":\"/secret\",\"auth\":\"session\"},\"lines\":{\"get\":\"/lines\"},"
    "\"pages\":{\"get\":\"/pages\",\"query\":{\"page\":{\"type\":\"integer\"}},\"pagination\":{\"by\":\"page\",\"parameter\":\"page\"}}}}";
static const char read_user[] = "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[1]}";

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

/* --- A client over canned responses, and the actions of its middleware --- */

static routable_responses *responses;
static char order[256]; /* the calls */

static routable_client *client_over_canned(void)
{
    static const routable_header headers[] = { { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("application/json") } };
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_canned canned = ROUTABLE_CANNED_INIT;
    routable_reply reply = ROUTABLE_REPLY_INIT;
    routable_client *client = NULL;
    order[0] = '\0';
    assert_int_equal(routable_responses_new(&responses, NULL), ROUTABLE_OK);
    reply.body = ROUTABLE_STR("{\"name\":\"ann\"}");
    reply.headers = headers;
    reply.header_count = 1;
    canned.operation = "read";
    canned.times = ROUTABLE_NONE;
    canned.reply = &reply;
    assert_int_equal(routable_responses_add(responses, &canned, NULL), ROUTABLE_OK);
    reply.body = ROUTABLE_STR("one\ntwo\n");
    canned.operation = "lines";
    assert_int_equal(routable_responses_add(responses, &canned, NULL), ROUTABLE_OK);
    reply.body = ROUTABLE_STR("[]");
    canned.operation = "pages";
    assert_int_equal(routable_responses_add(responses, &canned, NULL), ROUTABLE_OK);
    options.transport = routable_responses_answer;
    options.transport_user_data = responses;
    assert_int_equal(routable_client_new(&options, &client, NULL), ROUTABLE_OK);
    return client;
}

typedef struct host {
    const char *name;
    const char *header;             /* set in `before` */
    const char *body;               /* reply of `before`, with `http_status` */
    int32_t http_status;
    const char *late_body;          /* reply of `after` */
    routable_status failure;        /* of `before` */
    routable_status late_failure;   /* of `after` */
    const char *instead;            /* another request, set in `before` */
    routable_client *own;           /* `before` performs a request with it, which is refused */
    routable_status status_of_own;
    char message_of_own[256];
    routable_status status_of_reply;
    int released, data_released, seen_status;
    routable_status seen_failure;
    char seen_url[128];
} host;

static void note_order(const host *it, const char *what)
{
    const size_t length = strlen(order);
    snprintf(order + length, sizeof order - length, "%s%s ", it->name, what);
}

static void release_host(void *data) { ((host *)data)->released++; }
static void release_data(void *data) { ((host *)data)->data_released++; }

static void answer(routable_interception *interception, host *it, const char *body, routable_status failure)
{
    routable_reply reply = ROUTABLE_REPLY_INIT;
    if (!body && !failure)
        return;
    reply.http_status = it->http_status;
    reply.body = routable_str_from(body);
    reply.failure = failure;
    if (failure)
        reply.message = ROUTABLE_STR("the quota of today is used up");
    it->status_of_reply = routable_interception_reply(interception, &reply, NULL);
}

static void before(routable_interception *interception, void *data)
{
    host *const it = (host *)data;
    routable_request *const request = routable_interception_request(interception);
    note_order(it, "<");
    snprintf(it->seen_url, sizeof it->seen_url, "%s %s", text_of(routable_request_operation(request)), text_of(routable_request_url(request)));
    assert_null(routable_interception_response(interception));
    assert_null(routable_interception_error(interception));
    routable_interception_set_data(interception, it, release_data);
    if (it->header)
        assert_int_equal(routable_request_set_header(request, "X-Trace", routable_str_from(it->header), NULL), ROUTABLE_OK);
    if (it->instead) {
        routable_request *const other = build(router, it->instead);
        assert_int_equal(routable_interception_set_request(interception, other, NULL), ROUTABLE_OK);
        routable_request_free(other);
    }
    if (it->own) {
        routable_error *error = NULL;
        it->status_of_own = routable_client_perform(it->own, request, NULL, &error);
        snprintf(it->message_of_own, sizeof it->message_of_own, "%s", text_of(routable_error_message(error)));
        routable_error_free(error);
        assert_int_equal(routable_client_submit(it->own, request, NULL, NULL, NULL, NULL, NULL, NULL), it->status_of_own);
    }
    answer(interception, it, it->body, it->failure);
}

static void after(routable_interception *interception, void *data)
{
    host *const it = (host *)data;
    const routable_response *const response = routable_interception_response(interception);
    const routable_error *const error = routable_interception_error(interception);
    note_order(it, ">");
    assert_true((response == NULL) != (error == NULL));
    assert_ptr_equal(routable_interception_data(interception), it);
    it->seen_status = response ? routable_response_status(response) : routable_error_http_status(error);
    it->seen_failure = error ? routable_error_status(error) : ROUTABLE_OK;
    assert_int_equal(routable_interception_set_request(interception, routable_interception_request(interception), NULL), ROUTABLE_ERR_ARGUMENT);
    answer(interception, it, it->late_body, it->late_failure);
}

static void add(routable_client *client, host *it)
{
    routable_middleware middleware = ROUTABLE_MIDDLEWARE_INIT;
    routable_error *error = NULL;
    middleware.before = before;
    middleware.after = after;
    middleware.user_data = it;
    middleware.release = release_host;
    check_status("add", routable_client_add_middleware(client, &middleware, &error), ROUTABLE_OK, error);
}

enum { BY_PERFORM, BY_SUBMIT, BY_QUEUE, BY_MANY, WAYS };

static routable_status perform(routable_client *client, const char *call, int way, routable_response **out, routable_error **error)
{
    routable_request *const request = build(router, call);
    const routable_request *const requests[] = { request };
    routable_transfer *transfer = NULL, *taken = NULL;
    routable_status status;
    if (way == BY_PERFORM) {
        status = routable_client_perform(client, request, out, error);
        routable_request_free(request);
        return status;
    }
    if (way == BY_MANY)
        status = routable_client_submit_many(client, requests, 1, NULL, NULL, NULL, NULL, &transfer, error);
    else
        status = routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, error);
    routable_request_free(request); /* the transfer continues */
    assert_int_equal(status, ROUTABLE_OK);
    if (way == BY_SUBMIT) {
        while ((status = routable_transfer_wait(transfer, -1, NULL)) == ROUTABLE_INTERRUPTED)
            ;
    } else {
        while ((status = routable_client_next(client, -1, &taken, NULL)) == ROUTABLE_INTERRUPTED)
            ;
        assert_ptr_equal(taken, transfer);
        routable_transfer_free(taken);
    }
    assert_int_equal(status, ROUTABLE_OK);
    status = routable_transfer_result(transfer, out, error);
    routable_transfer_free(transfer);
    return status;
}

static const char *sent_header(size_t index, const char *name)
{
    return text_of(routable_exchange_header(routable_responses_request_at(responses, index), name));
}

static void finish(routable_client *client)
{
    routable_client_free(client);
    routable_responses_free(responses);
}

/* --- Tests --- */

static void order_and_changes(void **state)
{
    int way;
    (void)state;
    for (way = 0; way < WAYS; way++) {
        host first = { .name = "a", .header = "1" }, second = { .name = "b", .header = "2" };
        routable_client *const client = client_over_canned();
        routable_response *response = NULL;
        routable_error *error = NULL;
        add(client, &first);
        add(client, &second);
        check_status("perform", perform(client, read_user, way, &response, &error), ROUTABLE_OK, error);
        assert_string_equal(order, "a< b< b> a> ");
        assert_string_equal(first.seen_url, "read https://api.test/v1/users/1");
        assert_int_equal(first.seen_status, 200);
        assert_string_equal(sent_header(0, "x-trace"), "2");
        assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_SELF);
        assert_int_equal(first.data_released, 1);
        assert_int_equal(first.released, 0);
        routable_response_free(response);
        finish(client);
        assert_int_equal(first.released, 1);
        assert_int_equal(second.released, 1);
    }
}

static void replies_without_sending(void **state)
{
    int way;
    (void)state;
    for (way = 0; way < WAYS; way++) {
        host outer = { .name = "a" }, replier = { .name = "b", .body = "{\"name\":\"kept\"}" }, inner = { .name = "c" };
        routable_client *const client = client_over_canned();
        routable_response *response = NULL;
        routable_error *error = NULL;
        add(client, &outer);
        add(client, &replier);
        add(client, &inner);
        check_status("reply", perform(client, read_user, way, &response, &error), ROUTABLE_OK, error);
        assert_string_equal(order, "a< b< a> ");
        assert_string_equal(text_of(routable_response_body(response)), "{\"name\":\"kept\"}");
        assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_SELF); /* mapped for the operation */
        assert_int_equal(routable_responses_request_count(responses), 0);
        routable_response_free(response);
        response = NULL;

        replier.http_status = 404; /* an error of the service is also an error of the typed call */
        order[0] = '\0';
        assert_int_equal(perform(client, read_user, way, &response, &error), ROUTABLE_ERR_HTTP_STATUS);
        assert_null(response);
        assert_int_equal(outer.seen_status, 404);
        assert_int_equal(outer.seen_failure, ROUTABLE_ERR_HTTP_STATUS);
        assert_string_equal(text_of(routable_response_body(routable_error_response(error))), "{\"name\":\"kept\"}");
        routable_error_free(error);
        finish(client);
        assert_int_equal(replier.data_released, 2);
        assert_int_equal(inner.data_released, 0);
    }
}

static void failures(void **state)
{
    int way;
    (void)state;
    for (way = 0; way < WAYS; way++) {
        host outer = { .name = "a" }, failing = { .name = "b", .failure = ROUTABLE_ERR_LIMIT };
        routable_client *const client = client_over_canned();
        routable_response *response = NULL;
        routable_error *error = NULL;
        add(client, &outer);
        add(client, &failing);
        assert_int_equal(perform(client, read_user, way, &response, &error), ROUTABLE_ERR_LIMIT);
        check_text("message", routable_error_message(error), "the quota of today is used up");
        check_text("operation", routable_error_operation(error), "read");
        check_text("route", routable_error_route(error), "user");
        assert_int_equal(outer.seen_failure, ROUTABLE_ERR_LIMIT);
        assert_int_equal(routable_responses_request_count(responses), 0);
        routable_error_free(error);
        error = NULL;

        outer.late_body = "{\"name\":\"rescued\"}"; /* a failure of the inner middleware becomes a response */
        check_status("rescued", perform(client, read_user, way, &response, &error), ROUTABLE_OK, error);
        assert_string_equal(text_of(routable_response_body(response)), "{\"name\":\"rescued\"}");
        routable_response_free(response);
        response = NULL;

        failing.failure = ROUTABLE_OK;
        failing.late_failure = ROUTABLE_ERR_RESPONSE; /* a response becomes a failure, which the outer middleware replaces */
        check_status("replaced", perform(client, read_user, way, &response, &error), ROUTABLE_OK, error);
        assert_int_equal(outer.seen_failure, ROUTABLE_ERR_RESPONSE);
        routable_response_free(response);
        finish(client);
    }
}

static void failures_of_the_client(void **state)
{
    int way;
    (void)state;
    for (way = 0; way < WAYS; way++) { /* without a credential, submit reports the failure as the outcome, so that `after` is called */
        host it = { .name = "a" };
        routable_client *const client = client_over_canned();
        routable_response *response = NULL;
        routable_error *error = NULL;
        add(client, &it);
        assert_int_equal(perform(client, "{\"operation\":\"secret\"}", way, &response, &error), ROUTABLE_ERR_CREDENTIAL);
        assert_int_equal(it.seen_failure, ROUTABLE_ERR_CREDENTIAL);
        assert_string_equal(order, "a< a> ");
        routable_error_free(error);
        finish(client);
    }
}

static void another_request(void **state)
{
    int way;
    (void)state;
    for (way = 0; way < WAYS; way++) {
        host first = { .name = "a", .instead = "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"other\"]}" }, second = { .name = "b" };
        routable_client *const client = client_over_canned();
        routable_response *response = NULL;
        routable_error *error = NULL;
        add(client, &first);
        add(client, &second);
        check_status("instead", perform(client, "{\"operation\":\"pages\"}", way, &response, &error), ROUTABLE_OK, error);
        assert_string_equal(second.seen_url, "read https://api.test/v1/users/other");
        check_text("sent", routable_exchange_url(routable_responses_request_at(responses, 0)), "https://api.test/v1/users/other");
        assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_SELF); /* typed by the operation that was performed */
        routable_response_free(response);
        finish(client);
    }
}

static void its_own_client(void **state)
{
    int way;
    (void)state;
    for (way = 0; way < WAYS; way++) {
        host it = { .name = "a" }, other = { .name = "b" };
        routable_client *const client = client_over_canned();
        routable_responses *const kept = responses;
        routable_client *const second = client_over_canned();
        routable_response *response = NULL;
        routable_error *error = NULL;
        it.own = client;
        add(client, &it);
        add(second, &other);
        check_status("own", perform(client, read_user, way, &response, &error), ROUTABLE_OK, error);
        assert_int_equal(it.status_of_own, ROUTABLE_ERR_ARGUMENT);
        assert_string_equal(it.message_of_own, "a middleware cannot perform requests with its own client, which would call it again; use another client");
        assert_string_equal(order, "a< a> ");
        routable_response_free(response);
        it.own = second; /* another client with its own middleware is allowed */
        response = NULL;
        it.status_of_own = ROUTABLE_OK;
        check_status("other", perform(client, read_user, BY_PERFORM, &response, &error), ROUTABLE_OK, error);
        assert_int_equal(it.status_of_own, ROUTABLE_OK);
        assert_string_equal(it.message_of_own, "");
        routable_response_free(response);
        routable_client_free(client);
        routable_responses_free(kept);
        finish(second);
    }
}

static void streams_and_pages(void **state)
{
    routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
    routable_stream_item item = ROUTABLE_STREAM_ITEM_INIT;
    routable_request *const request = build(router, "{\"operation\":\"lines\"}"), *const paged = build(router, "{\"operation\":\"pages\"}");
    host it = { .name = "a", .header = "1" };
    routable_client *const client = client_over_canned();
    routable_stream *stream = NULL;
    routable_pages *pages = NULL;
    routable_response *page = NULL;
    routable_error *error = NULL;
    routable_status status;
    int lines = 0;
    (void)state;
    add(client, &it);
    options.kind = ROUTABLE_STREAM_LINES;
    check_status("stream", routable_stream_open(client, request, &options, NULL, &stream, &error), ROUTABLE_OK, error);
    while ((status = routable_stream_next(stream, -1, &item, NULL)) == ROUTABLE_OK || status == ROUTABLE_INTERRUPTED)
        lines += status == ROUTABLE_OK;
    assert_int_equal(status, ROUTABLE_IDLE);
    assert_int_equal(lines, 2);
    assert_string_equal(sent_header(0, "x-trace"), "1");
    assert_string_equal(order, "a< a> ");
    routable_stream_free(stream);

    it.body = "one\n"; /* the body of a stream is read in parts */
    assert_int_equal(routable_stream_open(client, request, &options, NULL, &stream, &error), ROUTABLE_OK);
    assert_int_equal(it.status_of_reply, ROUTABLE_ERR_UNSUPPORTED);
    routable_stream_free(stream);
    it.body = NULL;
    it.failure = ROUTABLE_ERR_LIMIT;
    stream = NULL;
    assert_int_equal(routable_stream_open(client, request, &options, NULL, &stream, &error), ROUTABLE_ERR_LIMIT);
    assert_null(stream);
    check_text("message", routable_error_message(error), "the quota of today is used up");
    routable_error_free(error);
    error = NULL;

    it.failure = ROUTABLE_OK;
    order[0] = '\0';
    assert_int_equal(routable_pages_new(client, paged, NULL, &pages, NULL), ROUTABLE_OK);
    check_status("page", routable_pages_next(pages, NULL, &page, &error), ROUTABLE_OK, error);
    assert_string_equal(order, "a< a> ");
    routable_response_free(page);
    routable_pages_free(pages);
    routable_request_free(request);
    routable_request_free(paged);
    finish(client);
}

static void cancelled(void **state)
{
    host it = { .name = "a" };
    routable_client *const client = client_over_canned();
    routable_request *const request = build(router, read_user);
    routable_transfer *transfer = NULL;
    (void)state;
    add(client, &it);
    assert_int_equal(routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
    assert_int_equal(routable_transfer_cancel(transfer), 1);
    assert_string_equal(order, "a< ");
    routable_transfer_free(transfer);
    routable_request_free(request);
    finish(client);
    assert_int_equal(it.data_released, 1); /* the data of `before` is released without a call of `after` */
    assert_int_equal(it.released, 1);
}

static void bad_input(void **state)
{
    routable_client *const client = client_over_canned();
    routable_middleware middleware = ROUTABLE_MIDDLEWARE_INIT;
    routable_error *error = NULL;
    host it = { .name = "a" };
    int i;
    (void)state;
    assert_int_equal(routable_client_add_middleware(client, NULL, &error), ROUTABLE_ERR_ARGUMENT);
    routable_error_free(error);
    middleware.user_data = &it;
    middleware.release = release_host;
    assert_int_equal(routable_client_add_middleware(client, &middleware, &error), ROUTABLE_ERR_ARGUMENT);
    check_text("message", routable_error_message(error), "the middleware has neither `before` nor `after`");
    assert_int_equal(it.released, 1);
    routable_error_free(error);
    error = NULL;
    middleware.after = after;
    assert_int_equal(routable_client_add_middleware(NULL, &middleware, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(it.released, 2);
    for (i = 0; i < 32; i++)
        assert_int_equal(routable_client_add_middleware(client, &middleware, NULL), ROUTABLE_OK);
    assert_int_equal(routable_client_add_middleware(client, &middleware, &error), ROUTABLE_ERR_LIMIT);
    check_text("message", routable_error_message(error), "a client can have at most 32 middleware");
    routable_error_free(error);
    assert_int_equal(it.released, 3);
    finish(client);
    assert_int_equal(it.released, 35);
}

static void refused_replies(routable_interception *interception, void *data)
{
    routable_reply reply = ROUTABLE_REPLY_INIT;
    const routable_header broken = { ROUTABLE_STR_INIT("a b"), ROUTABLE_STR_INIT("c") };
    (void)data;
    assert_int_equal(routable_interception_reply(interception, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    reply.http_status = 99;
    assert_int_equal(routable_interception_reply(interception, &reply, NULL), ROUTABLE_ERR_ARGUMENT);
    reply.http_status = 200;
    reply.delay_ms = 5;
    assert_int_equal(routable_interception_reply(interception, &reply, NULL), ROUTABLE_ERR_ARGUMENT);
    reply.delay_ms = 0;
    reply.curl_code = 7;
    assert_int_equal(routable_interception_reply(interception, &reply, NULL), ROUTABLE_ERR_ARGUMENT);
    reply.curl_code = 0;
    reply.headers = &broken;
    reply.header_count = 1;
    assert_int_equal(routable_interception_reply(interception, &reply, NULL), ROUTABLE_ERR_HEADER);
}

static void replies_that_are_refused(void **state)
{
    routable_client *const client = client_over_canned();
    routable_middleware middleware = ROUTABLE_MIDDLEWARE_INIT;
    routable_response *response = NULL;
    routable_error *error = NULL;
    (void)state;
    middleware.before = middleware.after = refused_replies;
    assert_int_equal(routable_client_add_middleware(client, &middleware, NULL), ROUTABLE_OK);
    check_status("unchanged", perform(client, read_user, BY_PERFORM, &response, &error), ROUTABLE_OK, error);
    assert_string_equal(text_of(routable_response_body(response)), "{\"name\":\"ann\"}");
    routable_response_free(response);
    finish(client);
}

/* --- Threads --- */

static int counted[2];
static void count(routable_interception *interception, void *data)
{
    (void)data;
    __atomic_add_fetch(&counted[routable_interception_response(interception) != NULL], 1, __ATOMIC_RELAXED);
}

static void *perform_some(void *argument)
{
    int i;
    for (i = 0; i < 50; i++) {
        routable_response *response = NULL;
        if (perform((routable_client *)argument, read_user, i % 2 ? BY_SUBMIT : BY_PERFORM, &response, NULL) != ROUTABLE_OK)
            abort();
        routable_response_free(response);
    }
    return NULL;
}

static void threads(void **state)
{
    routable_client *const client = client_over_canned();
    routable_middleware middleware = ROUTABLE_MIDDLEWARE_INIT;
    pthread_t made[4];
    int i;
    (void)state;
    middleware.before = middleware.after = count;
    assert_int_equal(routable_client_add_middleware(client, &middleware, NULL), ROUTABLE_OK);
    for (i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&made[i], NULL, perform_some, client), 0);
    for (i = 0; i < 20; i++) /* while requests are performed; each has the middleware that existed at its start */
        assert_int_equal(routable_client_add_middleware(client, &(routable_middleware) { sizeof middleware, refused_replies, NULL, NULL, NULL }, NULL), ROUTABLE_OK);
    for (i = 0; i < 4; i++)
        pthread_join(made[i], NULL);
    assert_int_equal(counted[0], 200);
    assert_int_equal(counted[1], 200);
    finish(client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_and_changes), cmocka_unit_test(replies_without_sending), cmocka_unit_test(failures),
        cmocka_unit_test(failures_of_the_client), cmocka_unit_test(another_request), cmocka_unit_test(its_own_client),
        cmocka_unit_test(streams_and_pages), cmocka_unit_test(cancelled), cmocka_unit_test(bad_input),
        cmocka_unit_test(replies_that_are_refused), cmocka_unit_test(threads),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
