/* Traces: timings, attempts, and the events that a hook receives. */
#include "bodies.h"

#include <pthread.h>

#include "routable_trace.h"

/* Performs a request in one of two ways.  The caller owns the response or the error. */
static routable_status came_to(routable_client *by, int submitted, routable_request *request, const routable_policy *policy,
    routable_response **response, routable_error **error)
{
    routable_status status;
    *response = NULL;
    *error = NULL;
    if (submitted) {
        routable_transfer *transfer = NULL;
        status = routable_client_submit(by, request, policy, NULL, NULL, NULL, &transfer, error);
        if (status == ROUTABLE_OK) {
            assert_null(routable_transfer_trace(transfer)); /* not before the end */
            assert_int_equal(routable_transfer_wait(transfer, 20000, NULL), ROUTABLE_OK);
            status = routable_transfer_result(transfer, response, error);
            assert_ptr_equal(routable_transfer_trace(transfer), *response ? routable_response_trace(*response) : routable_error_trace(*error));
            routable_transfer_free(transfer);
        }
    } else {
        status = routable_client_perform_with(by, request, policy, response, error);
    }
    routable_request_free(request);
    return status;
}

static routable_client *client_with(uint32_t flags, uint32_t retries)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *made = NULL;
    options.flags = flags;
    options.retries = retries;
    options.retry_delay_ms = 10;
    options.deadline_ms = patience(20000);
    assert_int_equal(routable_client_new(&options, &made, NULL), ROUTABLE_OK);
    return made;
}

static void check_times(const routable_timings *it, int submitted, int is_new)
{
    const int good = it->queued_us >= 0 && it->queued_us <= it->elapsed_us && it->connections == is_new &&
        (!is_new || (it->connect_us > 0 && it->name_lookup_us <= it->connect_us)) && it->tls_us == 0 &&
        it->connect_us <= it->first_byte_us && it->first_byte_us > 0 && it->first_byte_us <= it->attempt_us &&
        it->attempt_us <= it->elapsed_us;
    if (!good)
        print_error("%d: queued %lld, lookup %lld, connect %lld, tls %lld, first %lld, attempt %lld, elapsed %lld; %d connections\n", submitted,
            (long long)it->queued_us, (long long)it->name_lookup_us, (long long)it->connect_us, (long long)it->tls_us,
            (long long)it->first_byte_us, (long long)it->attempt_us, (long long)it->elapsed_us, (int)it->connections);
    assert_true(good);
}

static void times_are_taken_when_asked_for(void **state)
{
    routable_client *const timed = client_with(ROUTABLE_CLIENT_TIMINGS, 0);
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_timings timings = ROUTABLE_TIMINGS_INIT;
    routable_response *response;
    routable_error *error;
    int submitted, i;
    (void)state;
    for (submitted = 0; submitted < 2; submitted++) {
        for (i = 0; i < 2; i++) {
            assert_int_equal(came_to(timed, submitted, request_of("get", "faults/slow/20"), NULL, &response, &error), ROUTABLE_OK);
            assert_int_equal(routable_trace_timings(routable_response_trace(response), &timings), 1);
            check_times(&timings, submitted, i == 0);
            assert_true(timings.first_byte_us >= 20000);
            routable_response_free(response);
        }
        assert_int_equal(came_to(client, submitted, request_of("get", "faults/ok"), NULL, &response, &error), ROUTABLE_OK);
        assert_null(routable_response_trace(response)); /* not requested */
        routable_response_free(response);
        policy.flags = ROUTABLE_POLICY_TIMINGS;
        assert_int_equal(came_to(client, submitted, request_of("get", "faults/not-found"), &policy, &response, &error), ROUTABLE_ERR_HTTP_STATUS);
        assert_ptr_equal(routable_error_trace(error), routable_response_trace(routable_error_response(error)));
        assert_int_equal(routable_trace_timings(routable_error_trace(error), &timings), 1);
        assert_true(timings.elapsed_us > 0);
        routable_error_free(error);
    }
    routable_client_free(timed);
}

static void times_of_what_failed(void **state)
{
    routable_client *const timed = client_with(ROUTABLE_CLIENT_TIMINGS, 0);
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_timings timings = ROUTABLE_TIMINGS_INIT;
    routable_response *response;
    routable_error *error;
    int submitted;
    (void)state;
    policy.deadline_ms = 100;
    for (submitted = 0; submitted < 2; submitted++) {
        assert_int_equal(came_to(timed, submitted, request_of("get", "faults/never"), &policy, &response, &error), ROUTABLE_ERR_TIMEOUT);
        assert_int_equal(routable_trace_timings(routable_error_trace(error), &timings), 1);
        assert_int_equal(timings.first_byte_us, 0);
        assert_true(timings.connect_us > 0 && timings.attempt_us >= 90000 && timings.elapsed_us >= timings.attempt_us);
        routable_error_free(error);
    }
    routable_client_free(timed);
}

/* A caller that was compiled with a smaller or a larger struct. */
static void structs_of_any_age(void **state)
{
    struct { routable_timings known; int64_t later; } longer;
    routable_client *const timed = client_with(ROUTABLE_CLIENT_TIMINGS, 0);
    routable_timings timings;
    routable_attempt step = ROUTABLE_ATTEMPT_INIT;
    routable_response *response;
    routable_error *error;
    (void)state;
    assert_int_equal(came_to(timed, 0, request_of("get", "faults/redirect"), NULL, &response, &error), ROUTABLE_OK);
    memset(&timings, 0x5a, sizeof timings);
    timings.size = offsetof(routable_timings, connect_us);
    assert_int_equal(routable_trace_timings(routable_response_trace(response), &timings), 1);
    assert_true(timings.queued_us < 1000000 && timings.connect_us == 0x5a5a5a5a5a5a5a5a);
    assert_int_equal(timings.size, offsetof(routable_timings, connect_us));
    memset(&longer, 0x5a, sizeof longer);
    longer.known.size = sizeof longer;
    assert_int_equal(routable_trace_timings(routable_response_trace(response), &longer.known), 1);
    assert_true(longer.known.elapsed_us < patience(10000) * 1000 && longer.later == 0x5a5a5a5a5a5a5a5a);
    timings.size = 3;
    assert_int_equal(routable_trace_timings(routable_response_trace(response), &timings), 0);
    timings.size = 0;
    assert_int_equal(routable_trace_timings(routable_response_trace(response), &timings), 0);
    assert_int_equal(routable_trace_timings(routable_response_trace(response), NULL), 0);
    assert_int_equal(routable_trace_timings(NULL, &timings), 0);
    assert_int_equal(routable_trace_attempt_at(routable_response_trace(response), 0, NULL), 0);
    assert_int_equal(routable_trace_attempt_at(routable_response_trace(response), 1, &step), 0);
    assert_int_equal(routable_trace_attempt_at(routable_response_trace(response), SIZE_MAX, &step), 0);
    assert_int_equal(routable_trace_attempt_at(NULL, 0, &step), 0);
    assert_int_equal(routable_trace_attempt_count(NULL), 0);
    assert_null(routable_response_trace(NULL));
    assert_null(routable_error_trace(NULL));
    assert_null(routable_transfer_trace(NULL));
    routable_response_free(response);
    routable_client_free(timed);
}

/* --- Steps: recorded when they happen, with and without timings --- */

/* "redirect 302 /faults/ok; retry 503 +; ": + stands for a delay. */
static const char *steps_of(const routable_trace *trace)
{
    static const char *const kinds[] = { "queued", "attempt", "retry", "redirect", "refused", "resumed" };
    static char text[1024];
    size_t i, length = 0;
    text[0] = '\0';
    for (i = 0; i < routable_trace_attempt_count(trace); i++) {
        routable_attempt step = ROUTABLE_ATTEMPT_INIT;
        const char *path;
        assert_int_equal(routable_trace_attempt_at(trace, i, &step), 1);
        path = step.url.len ? strstr(step.url.ptr + 8, "/") : "";
        length += (size_t)snprintf(text + length, sizeof text - length, "%s %d%s%s%s%s; ", kinds[step.kind], (int)(step.http_status ? step.http_status : -step.curl_code),
            step.wait_ms >= 10 ? " +" : "", *path ? " " : "", path, step.drops_credentials ? " dropped" : "");
    }
    return text;
}

static void steps(void **state)
{
    static const struct { const char *path; routable_status status; const char *steps; } rows[] = {
        { "faults/ok", ROUTABLE_OK, "" },
        { "faults/flaky/trace%/2/503", ROUTABLE_OK, "retry 503 +; retry 503 +; " },
        { "faults/flaky/again%/9/503", ROUTABLE_ERR_HTTP_STATUS, "retry 503 +; retry 503 +; " },
        { "faults/redirect", ROUTABLE_OK, "redirect 302 /faults/ok; " },
        { "faults/redirect-see", ROUTABLE_OK, "redirect 303 /echo; " },
        { "faults/reset-head", ROUTABLE_ERR_TRANSFER, "retry -56 +; retry -56 +; " },
        { "faults/close-early", ROUTABLE_ERR_TRANSFER, "retry -18 +; retry -18 +; " },
        { "faults/redirect-file", ROUTABLE_ERR_TRANSFER, "" },
        { "faults/never", ROUTABLE_ERR_TIMEOUT, "" },
    };
    routable_policy policy = ROUTABLE_POLICY_INIT;
    int submitted;
    size_t i;
    (void)state;
    for (submitted = 0; submitted < 2; submitted++)
        for (i = 0; i < sizeof rows / sizeof *rows; i++) {
            char path[64], *mark;
            const char *got;
            routable_response *response;
            routable_error *error;
            snprintf(path, sizeof path, "%s", rows[i].path);
            if ((mark = strchr(path, '%')))
                *mark = (char)('0' + submitted);
            policy.deadline_ms = rows[i].status == ROUTABLE_ERR_TIMEOUT ? 50 : 0;
            check_status(path, came_to(client, submitted, request_of("get", path), &policy, &response, &error), rows[i].status, error);
            got = steps_of(response ? routable_response_trace(response) : routable_error_trace(error));
            if (strcmp(got, rows[i].steps) != 0)
                print_error("%s, submitted %d\nexpected: %s\ngot:      %s\n", path, submitted, rows[i].steps, got);
            assert_string_equal(got, rows[i].steps);
            routable_response_free(response);
            routable_error_free(error);
        }
}

static void a_download_that_goes_on(void **state)
{
    routable_request *const request = request_of("get", "file/trace/100000/strong/2");
    routable_response *response;
    routable_error *error;
    (void)state;
    assert_int_equal(routable_request_set_target_file(request, path_in_folder("trace"), 0, NULL), ROUTABLE_OK);
    check_status("download", came_to(client, 1, request, NULL, &response, &error), ROUTABLE_OK, error);
    assert_string_equal(steps_of(routable_response_trace(response)), "retry -18 +; retry -18 +; ");
    routable_response_free(response);
}

/* The trace is available at the end: each attempt except the last one was interrupted. */
static void a_stream_that_ended(void **state)
{
    routable_client *const timed = client_with(ROUTABLE_CLIENT_TIMINGS, 0);
    routable_request *const request = request_of("get", "events/again");
    routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
    routable_timings timings = ROUTABLE_TIMINGS_INIT;
    routable_attempt step = ROUTABLE_ATTEMPT_INIT;
    routable_stream *stream = NULL;
    routable_response *response = NULL;
    routable_stream_item item;
    const routable_trace *trace;
    routable_status status;
    (void)state;
    options.kind = ROUTABLE_STREAM_EVENTS;
    options.reconnects = 2;
    options.retry_ms = 10;
    options.last_event_id = routable_str_from("z");
    assert_int_equal(routable_stream_open(timed, request, &options, NULL, &stream, NULL), ROUTABLE_OK);
    assert_int_equal(routable_stream_response(stream, 20000, &response, NULL), ROUTABLE_OK);
    assert_null(routable_response_trace(response)); /* it is still in progress */
    routable_response_free(response);
    response = NULL;
    while ((status = routable_stream_next(stream, 20000, &item, NULL)) == ROUTABLE_OK) {
    }
    assert_int_equal(status, ROUTABLE_IDLE);
    assert_int_equal(routable_stream_response(stream, -1, &response, NULL), ROUTABLE_OK);
    routable_stream_free(stream);
    assert_int_equal(routable_response_body(response).len, 0);
    trace = routable_response_trace(response);
    assert_non_null(trace);
    assert_int_equal(routable_trace_timings(trace, &timings), 1);
    assert_true(timings.first_byte_us > 0 && timings.attempt_us >= timings.first_byte_us);
    assert_int_equal(routable_trace_attempt_count(trace), 3);
    assert_int_equal(routable_trace_attempt_at(trace, 0, &step), 1);
    assert_int_equal(step.kind, ROUTABLE_EVENT_RESUMED);
    assert_true(step.wait_ms >= 10); /* as configured, and up to a quarter longer */
    assert_true(timings.elapsed_us >= timings.attempt_us + 30000);
    routable_response_free(response);
    routable_request_free(request);
    routable_client_free(timed);
}

static void in_the_json_when_asked_for(void **state)
{
    routable_client *const timed = client_with(ROUTABLE_CLIENT_TIMINGS, 0);
    routable_string text = { NULL, 0 };
    routable_error *error = NULL;
    json_t *got, *trace;
    (void)state;
    assert_int_equal(routable_perform_json(timed, router, "{\"operation\":\"get\",\"ids\":[\"faults/redirect\"]}", ROUTABLE_NUL_TERMINATED, &text, &error), ROUTABLE_OK);
    got = json_loadb(text.ptr, text.len, 0, NULL);
    trace = json_object_get(got, "trace");
    assert_true(json_integer_value(json_object_get(trace, "elapsed_us")) > 0);
    assert_int_equal(json_array_size(json_object_get(trace, "steps")), 1);
    check_text("kind", routable_str_from(json_string_value(json_object_get(json_array_get(json_object_get(trace, "steps"), 0), "kind"))), "redirect");
    json_decref(got);
    routable_string_free(&text);
    assert_int_equal(routable_perform_json(timed, router, "{\"operation\":\"get\",\"ids\":[\"faults/reset-head\"]}", ROUTABLE_NUL_TERMINATED, &text, &error), ROUTABLE_ERR_TRANSFER);
    assert_int_equal(routable_error_to_json(error, &text), ROUTABLE_OK);
    check_contains("error", text_in(text), "\"trace\":{\"queued_us\":");
    routable_error_free(error);
    routable_string_free(&text);
    assert_int_equal(routable_perform_json(client, router, "{\"operation\":\"get\",\"ids\":[\"faults/redirect\"]}", ROUTABLE_NUL_TERMINATED, &text, &error), ROUTABLE_OK);
    assert_null(strstr(text.ptr, "\"trace\""));
    routable_string_free(&text);
    routable_client_free(timed);
}

/* --- The hook --- */

typedef struct heard {
    char text[2048];
    size_t length;
    int released, calls;
    routable_client *to_free;
    routable_transfer **to_cancel;
    int64_t transfer; /* 0: the number of the first event */
} heard;

static void hear(const routable_event *event, void *user_data)
{
    static const char *const kinds[] = { "queued", "attempt", "retry", "redirect", "refused", "resumed", "refresh", "end" };
    heard *const it = (heard *)user_data;
    const char *const path = event->url.len ? strstr(event->url.ptr + 8, "/") : "";
    assert_true(event->size == sizeof *event && event->transfer > 0);
    it->calls++;
    if (!it->transfer)
        it->transfer = event->transfer;
    assert_int_equal(event->transfer, it->transfer);
    /* The request for a token belongs to no operation. */
    assert_true(event->kind == ROUTABLE_EVENT_ATTEMPT ? event->operation.len == 0 || *event->path_template.ptr == '/' : event->path_template.len == 0);
    it->length += (size_t)snprintf(it->text + it->length, sizeof it->text - it->length, "%s%s%s%s%s%s%s ", kinds[event->kind],
        event->method.len ? " " : "", event->method.ptr, *path ? " " : "", path, event->scheme.len ? " " : "", event->scheme.ptr);
    if (event->http_status || event->curl_code)
        it->length += (size_t)snprintf(it->text + it->length, sizeof it->text - it->length, "%d ", (int)(event->http_status ? event->http_status : -event->curl_code));
    if (event->drops_credentials)
        it->length += (size_t)snprintf(it->text + it->length, sizeof it->text - it->length, "dropped ");
    if (event->kind == ROUTABLE_EVENT_END) {
        it->length += (size_t)snprintf(it->text + it->length, sizeof it->text - it->length, "%s of %d; ", routable_status_name(event->status), (int)event->attempt);
        assert_non_null(event->trace);
        it->transfer = 0;
    }
    if (it->to_cancel && event->kind == ROUTABLE_EVENT_ATTEMPT)
        assert_int_equal(routable_transfer_cancel(*it->to_cancel), 1);
    if (it->to_free && event->kind == ROUTABLE_EVENT_ATTEMPT) {
        routable_client *const client_to_free = it->to_free;
        it->to_free = NULL;
        routable_client_free(client_to_free);
    }
}

static void forget(void *user_data) { ((heard *)user_data)->released++; }

static routable_client *heard_by(heard *it, uint32_t retries)
{
    routable_client *const made = client_with(0, retries);
    routable_error *error = NULL;
    check_status("hook", routable_client_set_hook(made, hear, it, forget, &error), ROUTABLE_OK, error);
    return made;
}

static void the_hook_hears_it_all(void **state)
{
    static const struct { const char *path, *text; } rows[] = {
        { "faults/ok", "attempt GET /faults/ok end 200 ok of 1; " },
        { "faults/not-found", "attempt GET /faults/not-found end 404 ok of 1; " },
        { "faults/redirect", "attempt GET /faults/redirect redirect /faults/ok 302 attempt GET /faults/ok end 200 ok of 2; " },
        { "faults/flaky/heard%/1/503", "attempt GET /faults/flaky/heard%/1/503 retry 503 attempt GET /faults/flaky/heard%/1/503 end 200 ok of 2; " },
        { "faults/reset-head", "attempt GET /faults/reset-head retry -56 attempt GET /faults/reset-head end -56 transfer of 2; " },
    };
    int submitted;
    size_t i;
    (void)state;
    for (submitted = 0; submitted < 2; submitted++) {
        heard it = { "", 0, 0, 0, NULL, NULL, 0 };
        routable_client *const told = heard_by(&it, 1);
        routable_error *error = NULL;
        for (i = 0; i < sizeof rows / sizeof *rows; i++) {
            char path[64], expected[512], *mark;
            routable_response *response;
            snprintf(path, sizeof path, "%s", rows[i].path);
            snprintf(expected, sizeof expected, "%s%s", submitted ? "queued " : "", rows[i].text);
            for (mark = path; (mark = strchr(mark, '%')); )
                *mark = (char)('0' + submitted);
            for (mark = expected; (mark = strchr(mark, '%')); )
                *mark = (char)('0' + submitted);
            it.length = 0;
    it.text[0] = '\0';
            came_to(told, submitted, request_of("get", path), NULL, &response, &error);
            assert_string_equal(it.text, expected);
            routable_response_free(response);
            routable_error_free(error);
        }
        error = NULL;
        check_status("again", routable_client_set_hook(told, hear, &it, forget, &error), ROUTABLE_ERR_ARGUMENT, error);
        routable_error_free(error);
        assert_int_equal(it.released, 1); /* of the call that failed */
        routable_client_free(told);
        assert_int_equal(it.released, 2);
    }
}

static void the_hook_that_is_none(void **state)
{
    heard it = { "", 0, 0, 0, NULL, NULL, 0 };
    (void)state;
    assert_int_equal(routable_client_set_hook(client, NULL, &it, forget, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_client_set_hook(NULL, hear, &it, forget, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(it.released, 2);
}

static void cancelled_and_closed(void **state)
{
    heard it = { "", 0, 0, 0, NULL, NULL, 0 };
    routable_client *const told = heard_by(&it, 0);
    routable_request *const request = request_of("get", "faults/never");
    routable_transfer *transfer = NULL;
    (void)state;
    assert_int_equal(routable_client_submit(told, request, NULL, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
    assert_int_equal(routable_client_drive(told, 0, NULL, NULL), ROUTABLE_OK);
    assert_int_equal(routable_transfer_cancel(transfer), 1);
    assert_string_equal(it.text, "queued attempt GET /faults/never "); /* the driving thread reports it */
    assert_int_equal(routable_client_drive(told, 0, NULL, NULL), ROUTABLE_OK);
    assert_string_equal(it.text, "queued attempt GET /faults/never end cancelled of 1; ");
    routable_transfer_free(transfer);
    /* The transfer is cancelled in the hook. */
    it.length = 0;
    it.text[0] = '\0';
    it.to_cancel = &transfer;
    assert_int_equal(routable_client_submit(told, request, NULL, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
    while (!strstr(it.text, "cancelled"))
        assert_int_equal(routable_client_drive(told, 100, NULL, NULL), ROUTABLE_OK);
    assert_string_equal(it.text, "queued attempt GET /faults/never end cancelled of 1; ");
    routable_transfer_free(transfer);
    it.to_cancel = NULL;
    /* Transfers that are cancelled when the client is freed are not reported. */
    it.length = 0;
    it.text[0] = '\0';
    assert_int_equal(routable_client_submit(told, request, NULL, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
    assert_int_equal(routable_client_drive(told, 0, NULL, NULL), ROUTABLE_OK);
    routable_client_free(told);
    assert_string_equal(it.text, "queued attempt GET /faults/never ");
    assert_int_equal(it.released, 1);
    routable_transfer_free(transfer);
    routable_request_free(request);
}

/* A hook that frees the client: a blocking call completes normally, a submitted transfer is cancelled. */
static void the_client_freed_in_the_hook(void **state)
{
    int submitted;
    (void)state;
    for (submitted = 0; submitted < 2; submitted++) {
        heard it = { "", 0, 0, 0, NULL, NULL, 0 };
        routable_client *const told = heard_by(&it, 0);
        routable_request *const request = request_of("get", "faults/ok");
        routable_response *response = NULL;
        it.to_free = told;
        if (submitted) {
            routable_transfer *transfer = NULL;
            assert_int_equal(routable_client_submit(told, request, NULL, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
            assert_int_equal(routable_transfer_wait(transfer, 20000, NULL), ROUTABLE_CANCELLED);
            routable_transfer_free(transfer);
        } else {
            assert_int_equal(routable_client_perform(told, request, &response, NULL), ROUTABLE_OK);
            routable_response_free(response);
        }
        routable_request_free(request);
        assert_null(it.to_free);
        assert_int_equal(it.released, 1);
    }
}

/* --- Threads --- */

enum { MOST = 2000, THREADS = 8, EACH = 40 };

static struct { int64_t first; int begun[MOST], ended[MOST]; } tally;

static void count_event(const routable_event *event, void *user_data)
{
    int64_t none = 0;
    size_t place;
    (void)user_data;
    __atomic_compare_exchange_n(&tally.first, &none, event->transfer, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    /* Numbers are assigned in the order in which transfers are created; events arrive in another order. */
    place = (size_t)(event->transfer - __atomic_load_n(&tally.first, __ATOMIC_SEQ_CST) + MOST / 2) % MOST;
    __atomic_add_fetch(event->kind == ROUTABLE_EVENT_END ? &tally.ended[place] : &tally.begun[place], 1, __ATOMIC_SEQ_CST);
}

static void *use_the_client(void *argument)
{
    routable_client *const told = (routable_client *)argument;
    int i;
    for (i = 0; i < EACH; i++) {
        routable_request *const request = request_of("get", i % 4 == 3 ? "faults/redirect" : "faults/ok");
        routable_response *response = NULL;
        routable_transfer *transfer = NULL;
        if (i % 2) {
            assert_int_equal(routable_client_perform(told, request, &response, NULL), ROUTABLE_OK);
            routable_response_free(response);
        } else {
            assert_int_equal(routable_client_submit(told, request, NULL, NULL, NULL, NULL, &transfer, NULL), ROUTABLE_OK);
            if (i % 8 == 2)
                routable_transfer_cancel(transfer);
            (void)!routable_transfer_wait(transfer, 20000, NULL);
            (void)routable_transfer_trace(transfer);
            routable_transfer_free(transfer);
        }
        routable_request_free(request);
    }
    return NULL;
}

/* Each transfer with an event has exactly one end, whichever thread performs, drives and cancels. */
static void one_end_each_among_threads(void **state)
{
    routable_client *const told = client_with(ROUTABLE_CLIENT_TIMINGS, 0);
    pthread_t threads[THREADS];
    size_t pending = 1;
    int i, heard_of = 0;
    (void)state;
    assert_int_equal(routable_client_set_hook(told, count_event, NULL, NULL, NULL), ROUTABLE_OK);
    for (i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_the_client, told), 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    while (pending)
        assert_int_equal(routable_client_drive(told, 100, &pending, NULL), ROUTABLE_OK);
    for (i = 0; i < MOST; i++) {
        assert_int_equal(tally.ended[i], tally.begun[i] > 0);
        heard_of += tally.ended[i];
    }
    assert_true(heard_of >= THREADS * EACH * 3 / 4);
    routable_client_free(told);
}

/* --- Credentials --- */

static void secrets_are_not_told(void **state)
{
    heard it = { "", 0, 0, 0, NULL, NULL, 0 };
    routable_client *const told = heard_by(&it, 0);
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_router *keyed = NULL;
    routable_request *request;
    routable_response *response;
    routable_error *error = NULL;
    (void)state;
    options.base = faults.base;
    check_status("router", routable_router_open("{\"routable\":1,\"auth\":{\"key\":{\"scheme\":\"key\",\"in\":\"query\",\"name\":\"key\"}},"
        "\"operations\":{\"get\":{\"get\":\"/faults/ok\",\"auth\":\"key\",\"query\":{\"key\":{}}},\"open\":{\"get\":\"/faults/gzip\",\"query\":{\"key\":{}}}}}", ROUTABLE_NUL_TERMINATED,
        &options, &keyed, &error), ROUTABLE_OK, error);
    credential.scheme = "key";
    credential.token = routable_str_from("s3cret");
    assert_int_equal(routable_client_set_credential(told, &credential, NULL), ROUTABLE_OK);
    request = build(keyed, "{\"operation\":\"get\"}");
    assert_int_equal(came_to(told, 0, request, NULL, &response, &error), ROUTABLE_OK);
    routable_response_free(response);
    request = build(keyed, "{\"operation\":\"open\",\"query\":{\"key\":\"s3cret\"}}");
    assert_int_equal(came_to(told, 0, request, NULL, &response, &error), ROUTABLE_OK);
    routable_response_free(response);
    assert_string_equal(it.text, "attempt GET /faults/ok end 200 ok of 1; attempt GET /faults/gzip?key=*** end 200 ok of 1; ");
    routable_client_free(told);
    routable_router_free(keyed);
}

static void get_token(routable_refresh *refresh, void *user_data)
{
    (void)user_data;
    assert_int_equal(routable_refresh_finish(refresh, routable_str_from("gate-1"), 0, NULL), ROUTABLE_OK);
}

/* A rejected token, its refresh, and a redirect to another origin, which does not receive the new token. */
static void refreshes_and_dropped_credentials(void **state)
{
    service gate;
    char document_text[512], to[128];
    int submitted;
    (void)state;
    service_start(&gate, "Tests/service/auth_service.py");
    snprintf(to, sizeof to, "%s/faults/ok", faults.base);
    snprintf(document_text, sizeof document_text, "{\"routable\":1,\"base\":\"%s\",\"auth\":{\"session\":{\"scheme\":\"bearer\"}},\"operations\":{"
        "\"secret\":{\"get\":\"/secret/gate\",\"auth\":\"session\"},\"away\":{\"get\":\"/redirect\",\"auth\":\"session\",\"query\":{\"to\":{}}}}}", gate.base);
    for (submitted = 0; submitted < 2; submitted++) {
        heard it = { "", 0, 0, 0, NULL, NULL, 0 };
        routable_client *const told = heard_by(&it, 0);
        routable_router *const guarded = open_text(document_text);
        routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
        routable_response *response;
        routable_error *error = NULL;
        char call[256];
        const char *got;
        credential.scheme = "session";
        credential.token = routable_str_from("old");
        credential.refresh = get_token;
        assert_int_equal(routable_client_set_credential(told, &credential, NULL), ROUTABLE_OK);
        check_status("secret", came_to(told, submitted, build(guarded, "{\"operation\":\"secret\"}"), NULL, &response, &error), ROUTABLE_OK, error);
        assert_string_equal(steps_of(routable_response_trace(response)), "refused 401; ");
        assert_string_equal(it.text + (submitted ? strlen("queued ") : 0),
            "attempt GET /secret/gate refresh session refused 401 attempt GET /secret/gate end 200 ok of 2; ");
        routable_response_free(response);
        snprintf(call, sizeof call, "{\"operation\":\"away\",\"query\":{\"to\":\"%s\"}}", to);
        it.length = 0;
    it.text[0] = '\0';
        check_status("away", came_to(told, submitted, build(guarded, call), NULL, &response, &error), ROUTABLE_OK, error);
        got = steps_of(routable_response_trace(response));
        assert_string_equal(got, "redirect 302 /faults/ok dropped; ");
        assert_non_null(strstr(it.text, "redirect /faults/ok 302 dropped attempt GET /faults/ok end 200 ok of 2; "));
        routable_response_free(response);
        routable_client_free(told);
        routable_router_free(guarded);
    }
    service_stop(&gate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_taken_when_asked_for),
        cmocka_unit_test(times_of_what_failed),
        cmocka_unit_test(structs_of_any_age),
        cmocka_unit_test(steps),
        cmocka_unit_test(a_download_that_goes_on),
        cmocka_unit_test(a_stream_that_ended),
        cmocka_unit_test(in_the_json_when_asked_for),
        cmocka_unit_test(the_hook_hears_it_all),
        cmocka_unit_test(the_hook_that_is_none),
        cmocka_unit_test(cancelled_and_closed),
        cmocka_unit_test(the_client_freed_in_the_hook),
        cmocka_unit_test(one_end_each_among_threads),
        cmocka_unit_test(secrets_are_not_told),
        cmocka_unit_test(refreshes_and_dropped_credentials),
    };
    return cmocka_run_group_tests_name("trace", tests, start_bodies, stop_bodies);
}
