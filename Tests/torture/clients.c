/* clients.c - scenarios: clients over canned responses, over a transport of the host, and over libcurl with a service on the loopback interface. */
#define _GNU_SOURCE
#include "torture.h"

#include "routable_bodies.h"
#include "routable_middleware.h"
#include "routable_coverage.h"
#include "routable_mock.h"
#include "routable_tape.h"

#include <unistd.h>
#include "routable_pages.h"
#include "routable_trace.h"
#include "routable_transport.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define FREE(type, object) DO(routable_##type##_free, object)
#define TAKEN(type) ((type *)o.object)

static const char document[] =
    "{\"routable\":1,\"base\":\"https://api.test/v1\",\"auth\":{\"session\":{\"scheme\":\"bearer\"}},"
    "\"resources\":{\"user\":{\"path\":\"users\",\"can\":[\"list\",\"read\",\"create\"],\"type\":\"User\"}},"
    "\"types\":{\"User\":{\"type\":\"object\",\"required\":[\"name\"]}},"
    "\"operations\":{\"secret\":{\"get\":\"/secret\",\"auth\":\"session\"},\"pages\":{\"get\":\"/pages\",\"query\":{\"page\":{\"type\":\"integer\"}},"
    "\"pagination\":{\"by\":\"page\",\"parameter\":\"page\"}},\"lines\":{\"get\":\"/lines\"},\"upload\":{\"post\":\"/upload\",\"body\":{}}}}";
static routable_router *api;
static char own_base[64];

static routable_request *request_of(const char *call)
{
    routable_request *request = NULL;
    if (routable_request_new_json(api, call, ROUTABLE_NUL_TERMINATED, &request, NULL) != ROUTABLE_OK)
        abort();
    return request;
}

static void can(routable_responses *responses, const char *operation, int32_t http_status, const char *body, int32_t times)
{
    static const routable_header headers[] = { { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("application/json") } };
    routable_canned canned = ROUTABLE_CANNED_INIT;
    routable_reply reply = ROUTABLE_REPLY_INIT;
    reply.http_status = http_status, reply.body = routable_str_from(body), reply.headers = headers, reply.header_count = 1;
    canned.operation = operation, canned.times = times, canned.reply = &reply;
    CALL(routable_responses_add, responses, &canned, &error);
}

static routable_client *canned_client(routable_responses **responses)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    CALL(routable_responses_new, OBJECT(routable_responses), &error);
    *responses = TAKEN(routable_responses);
    can(*responses, "read", 200, "{\"name\":\"ann\"}", ROUTABLE_NONE);
    can(*responses, "secret", 200, "{}", ROUTABLE_NONE);
    can(*responses, "pages", 200, "[1,2]", ROUTABLE_NONE);
    can(*responses, "lines", 200, "one\ntwo\n", ROUTABLE_NONE);
    options.transport = routable_responses_answer, options.transport_user_data = *responses;
    torture_slot("routable_responses_answer"); /* called by the client */
    options.flags = ROUTABLE_CLIENT_TIMINGS;
    CALL(routable_client_new, &options, OBJECT(routable_client), &error);
    return TAKEN(routable_client);
}

static void note_response(const routable_response *response)
{
    NOTE_NUMBER(routable_response_status(response));
    NOTE_STR(routable_response_body(response));
    NOTE_NUMBER(routable_response_outcome(response));
}

SCENARIO(canned_perform)
{
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_request *const request = request_of("{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"a\"]}");
    json_t *const call = json_pack("{s:s,s:s,s:[s]}", "route", "user", "operation", "read", "ids", "a"), *tree;
    routable_responses *responses;
    routable_client *const client = canned_client(&responses);
    const routable_exchange *exchange;
    routable_response *response;
    routable_timings timings = ROUTABLE_TIMINGS_INIT;
    routable_attempt attempt = ROUTABLE_ATTEMPT_INIT;
    CALL(routable_client_perform, client, request, OBJECT(routable_response), &error);
    response = TAKEN(routable_response);
    note_response(response);
    NOTE_NUMBER(VALUE(routable_trace_timings, VALUE(routable_response_trace, response), &timings));
    NOTE_NUMBER(VALUE(routable_trace_attempt_count, routable_response_trace(response)));
    NOTE_NUMBER(VALUE(routable_trace_attempt_at, routable_response_trace(response), 0, &attempt));
    NOTE_NUMBER(VALUE(routable_response_http_version, response));
    FREE(response, response);
    NOTE_NUMBER(VALUE(routable_challenge_find, STR("Bearer realm=\"a\""), "bearer", "realm", &o.text));
    NOTE_TEXT();
    expected = ROUTABLE_ERR_ARGUMENT; /* the client has no cookie file */
    CALL(routable_client_save_cookies, client, &error);
    if (error)
        NOTE_STR(routable_error_message(error));
    routable_error_free(error);
    error = NULL;
    expected = ROUTABLE_ERR_ARGUMENT;
    CALL(routable_client_cookies, client, &o.text, &error);
    routable_error_free(error);
    error = NULL;
    expected = ROUTABLE_ERR_ARGUMENT;
    CALL(routable_client_set_cookie, client, STR("a"), &error);
    routable_error_free(error);
    error = NULL;
    expected = ROUTABLE_ERR_ARGUMENT;
    CALL(routable_client_clear_cookies, client, &error);
    routable_error_free(error);
    error = NULL;
    policy.deadline_ms = 5000;
    CALL(routable_client_perform_with, client, request, &policy, OBJECT(routable_response), &error);
    response = TAKEN(routable_response);
    note_response(response);
    FREE(response, response);
    CALL(routable_perform_json, client, api, LIT("{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"a\"]}"), &o.text, &error);
    NOTE_NUMBER(o.text.len > 20);
    DO(routable_string_free, &o.text);
    CALL(routable_perform_jansson, client, api, call, OBJECT(json_t), &error);
    tree = o.object;
    NOTE_NUMBER(json_object_size(tree) > 2);
    json_decref(tree);
    json_decref(call);
    CALL(routable_client_to_curl, client, request, 0, &o.text, &error);
    NOTE_TEXT();
    NOTE_NUMBER(VALUE(routable_responses_request_count, responses) >= 4);
    exchange = VALUE(routable_responses_request_at, responses, 0);
    NOTE_STR(VALUE(routable_exchange_route, exchange));
    NOTE_STR(VALUE(routable_exchange_operation, exchange));
    NOTE_STR(VALUE(routable_exchange_method, exchange));
    NOTE_STR(VALUE(routable_exchange_url, exchange));
    NOTE_NUMBER(VALUE(routable_exchange_header_count, exchange));
    NOTE_STR(VALUE(routable_exchange_header_at, exchange, 0).name);
    NOTE_STR(VALUE(routable_exchange_header, exchange, "accept"));
    NOTE_NUMBER(VALUE(routable_exchange_has_body, exchange));
    NOTE_STR(VALUE(routable_exchange_body, exchange));
    NOTE_NUMBER(VALUE(routable_exchange_timeout_ms, exchange) > 0);
    NOTE_NUMBER(VALUE(routable_error_trace, NULL) != NULL);
    CALL(routable_responses_check, responses, &error);
    FREE(client, client);
    FREE(responses, responses);
    FREE(request, request);
}

static int ended;
static void on_end(routable_transfer *transfer, void *user_data) { (void)transfer; (void)user_data; ended++; }
static void on_deviation(const routable_response *response, routable_str route, routable_str operation, void *user_data)
{
    (void)response;
    (void)route;
    (void)operation;
    (void)user_data;
}

static void on_event(const routable_event *event, void *user_data) { (void)event; (void)user_data; }

SCENARIO(mocked_client)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_request *const read = request_of("{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"ann\"]}");
    routable_middleware middleware = ROUTABLE_MIDDLEWARE_INIT;
    routable_coverage *coverage;
    routable_mock *mock;
    routable_client *client;
    CALL(routable_coverage_new, api, NULL, OBJECT(routable_coverage), &error);
    coverage = TAKEN(routable_coverage);
    CALL(routable_mock_new, api, NULL, OBJECT(routable_mock), &error);
    mock = TAKEN(routable_mock);
    options.transport = routable_mock_answer, options.transport_user_data = mock;
    torture_slot("routable_mock_answer"); /* called by the client */
    CALL(routable_client_new, &options, OBJECT(routable_client), &error);
    client = TAKEN(routable_client);
    torture_slot("routable_coverage_observe"); /* which the client calls, too */
    middleware.after = routable_coverage_observe, middleware.user_data = coverage;
    CALL(routable_client_add_middleware, client, &middleware, &error);
    CALL(routable_mock_put, mock, "v1/users/ann", LIT("{\"name\":\"ann\"}"), &error);
    CALL(routable_client_perform, client, read, OBJECT(routable_response), &error);
    note_response(TAKEN(routable_response));
    FREE(response, TAKEN(routable_response));
    FREE(client, client);
    FREE(mock, mock);
    FREE(coverage, coverage);
    routable_request_free(read);
}

/* One call is replayed, and another one recorded over a mock.  A request that failed for memory has used an entry: the tape has one more
 * for its repetition. */
SCENARIO(taped_client)
{
    static const char entry[] =
        "{\"_operation\":\"user.read\",\"request\":{\"method\":\"GET\",\"url\":\"https://api.test/v1/users/bob\",\"headers\":[]},\"response\":"
        "{\"status\":200,\"headers\":[{\"name\":\"Content-Type\",\"value\":\"application/json\"}],\"content\":{\"_json\":{\"name\":\"bob\"}}}}";
    static const char *const names[] = { "x-secret" };
    const routable_str secrets[] = { ROUTABLE_STR_INIT("sesame-open") };
    static const char *const calls[] = { "bob", "ann" };
    routable_tape_options tape_options = ROUTABLE_TAPE_OPTIONS_INIT;
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    char path[64], call[96];
    routable_mock *mock = NULL;
    routable_tape *tape;
    routable_client *client;
    size_t i;
    FILE *file;
    unsetenv("CI");
    snprintf(path, sizeof path, "/tmp/routable-torture-%ld.har", (long)getpid());
    file = fopen(path, "w");
    fprintf(file, "{\"log\":{\"entries\":[%s,%s]}}", entry, entry);
    fclose(file);
    tape_options.flags = ROUTABLE_TAPE_ALLOW_UNUSED;
    tape_options.redact = names, tape_options.redact_count = 1, tape_options.secrets = secrets, tape_options.secret_count = 1;
    CALL(routable_tape_new, api, path, &tape_options, OBJECT(routable_tape), &error);
    tape = TAKEN(routable_tape);
    CALL(routable_mock_new, api, NULL, OBJECT(routable_mock), &error);
    mock = TAKEN(routable_mock);
    CALL(routable_mock_put, mock, "v1/users/ann", LIT("{\"name\":\"ann\"}"), &error);
    options.transport = routable_mock_answer, options.transport_user_data = mock;
    options.tape = tape;
    CALL(routable_client_new, &options, OBJECT(routable_client), &error);
    client = TAKEN(routable_client);
    for (i = 0; i < 2; i++) {
        routable_request *read;
        snprintf(call, sizeof call, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"%s\"]}", calls[i]);
        read = request_of(call);
        CALL(routable_client_perform, client, read, OBJECT(routable_response), &error);
        note_response(TAKEN(routable_response));
        FREE(response, TAKEN(routable_response));
        routable_request_free(read);
    }
    FREE(client, client);
    CALL(routable_tape_finish, tape, &error);
    FREE(tape, tape);
    FREE(mock, mock);
    unlink(path);
}

SCENARIO(canned_transfers)
{
    routable_request *const request = request_of("{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"a\"]}");
    const routable_request *const requests[] = { request, request };
    routable_responses *responses;
    routable_client *const client = canned_client(&responses);
    routable_transfer *transfer, *several[2];
    routable_response *response;
    CALL(routable_client_set_hook, client, on_event, NULL, NULL, &error);
    CALL(routable_client_set_deviation_hook, client, on_deviation, NULL, NULL, &error);
    CALL(routable_client_submit, client, request, NULL, NULL, client, NULL, OBJECT(routable_transfer), &error);
    transfer = TAKEN(routable_transfer);
    NOTE_NUMBER(VALUE(routable_transfer_user_data, transfer) == client);
    NOTE_NUMBER(VALUE(routable_transfer_pause, transfer));
    NOTE_NUMBER(VALUE(routable_transfer_resume, transfer));
    CALL(routable_transfer_wait, transfer, 5000, &error);
    torture_may_fail = 1; /* the transfer failed if an allocation failed while it was driven */
    CALL(routable_transfer_result, transfer, OBJECT(routable_response), &error);
    if (!torture_is_cut) {
        response = TAKEN(routable_response);
        note_response(response);
        NOTE_NUMBER(VALUE(routable_transfer_trace, transfer) != NULL);
        FREE(response, response);
    }
    FREE(transfer, transfer);
    CALL(routable_client_submit_many, client, requests, 2, NULL, NULL, NULL, NULL, (routable_transfer **)o.objects, &error);
    several[0] = o.objects[0], several[1] = o.objects[1];
    CALL(routable_client_next, client, 5000, OBJECT(routable_transfer), &error);
    transfer = TAKEN(routable_transfer);
    FREE(transfer, transfer);
    CALL(routable_client_next_many, client, 5000, o.completions, 2, &o.number, &error);
    NOTE_NUMBER(o.number);
    transfer = o.completions[0].transfer;
    FREE(transfer, transfer);
    DO(routable_transfer_free_many, several, 2);
    ended = 0;
    CALL(routable_client_submit, client, request, NULL, on_end, NULL, NULL, OBJECT(routable_transfer), &error);
    transfer = TAKEN(routable_transfer);
    CALL(routable_client_drive, client, 1000, &o.number, &error);
    NOTE_NUMBER(ended);
    FREE(transfer, transfer);
    CALL(routable_client_submit, client, request, NULL, NULL, NULL, NULL, OBJECT(routable_transfer), &error);
    transfer = TAKEN(routable_transfer);
    NOTE_NUMBER(VALUE(routable_transfer_cancel, transfer));
    FREE(transfer, transfer);
    CALL(routable_client_descriptor, client, &o.descriptor, &error);
    NOTE_NUMBER(o.descriptor >= 0);
    DO(routable_client_interrupt, client);
    FREE(client, client);
    FREE(responses, responses);
    FREE(request, request);
}

SCENARIO(client_with_thread)
{
    routable_request *const request = request_of("{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"a\"]}");
    routable_responses *responses;
    routable_client *const client = canned_client(&responses);
    routable_transfer *transfer;
    CALL(routable_client_start, client, &error);
    CALL(routable_client_submit, client, request, NULL, NULL, NULL, NULL, OBJECT(routable_transfer), &error);
    transfer = TAKEN(routable_transfer);
    CALL(routable_transfer_wait, transfer, 5000, &error);
    FREE(transfer, transfer);
    FREE(client, client);
    FREE(responses, responses);
    FREE(request, request);
}

SCENARIO(pages_of_client)
{
    routable_request *const request = request_of("{\"operation\":\"pages\"}");
    routable_pages_options options = ROUTABLE_PAGES_OPTIONS_INIT;
    routable_responses *responses;
    routable_client *const client = canned_client(&responses);
    routable_pages *pages;
    routable_response *response;
    routable_request *next;
    routable_pagination pagination = ROUTABLE_PAGINATION_INIT;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    const routable_operation *const operation = routable_router_operation(api, "pages");
    NOTE_NUMBER(VALUE(routable_operation_pagination, operation, &pagination));
    NOTE_NUMBER(VALUE(routable_operation_policy, operation, &policy));
    options.max_pages = 2;
    options.pagination = STR("{\"by\":\"page\",\"parameter\":\"page\",\"start\":1}");
    CALL(routable_pages_new, client, request, &options, OBJECT(routable_pages), &error);
    pages = TAKEN(routable_pages);
    CALL(routable_pages_next, pages, NULL, OBJECT(routable_response), &error);
    response = TAKEN(routable_response);
    note_response(response);
    CALL(routable_pages_item_count, pages, &o.number, &error);
    NOTE_NUMBER(o.number);
    CALL(routable_pages_item, pages, &o.str, &error);
    NOTE_STR(o.str);
    FREE(response, response);
    CALL(routable_pages_next, pages, NULL, OBJECT(routable_response), &error);
    response = TAKEN(routable_response);
    FREE(response, response);
    CALL(routable_pages_next, pages, NULL, OBJECT(routable_response), &error);
    FREE(pages, pages);
    CALL(routable_pages_new, NULL, request, &options, OBJECT(routable_pages), &error);
    pages = TAKEN(routable_pages);
    CALL(routable_pages_follow, pages, NULL, OBJECT(routable_request), &error);
    next = TAKEN(routable_request);
    NOTE_STR(routable_request_url(next));
    FREE(request, next);
    FREE(pages, pages);
    FREE(client, client);
    FREE(responses, responses);
    FREE(request, request);
}

/* All items in one call, and the position after them. */
SCENARIO(items_of_client)
{
    routable_request *const request = request_of("{\"operation\":\"pages\"}");
    routable_pages_options options = ROUTABLE_PAGES_OPTIONS_INIT;
    routable_responses *responses;
    routable_client *const client = canned_client(&responses);
    routable_pages *pages;
    routable_str item = { NULL, 0 };
    options.max_items = 3, options.position = STR("2");
    CALL(routable_pages_new, client, request, &options, OBJECT(routable_pages), &error);
    pages = TAKEN(routable_pages);
    CALL(routable_pages_next_item, pages, NULL, &item, &error);
    NOTE_STR(item);
    CALL(routable_pages_position, pages, &o.text, &error);
    NOTE_TEXT();
    NOTE_NUMBER(VALUE(routable_pages_end_with, pages, 404));
    FREE(pages, pages);
    FREE(client, client);
    FREE(responses, responses);
    FREE(request, request);
}

SCENARIO(stream_of_client)
{
    routable_request *const request = request_of("{\"operation\":\"lines\"}");
    routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
    routable_responses *responses;
    routable_client *const client = canned_client(&responses);
    routable_stream *stream;
    routable_response *response;
    options.kind = ROUTABLE_STREAM_LINES;
    CALL(routable_stream_open, client, request, &options, NULL, OBJECT(routable_stream), &error);
    stream = TAKEN(routable_stream);
    torture_may_fail = 1;
    CALL(routable_stream_response, stream, 5000, OBJECT(routable_response), &error);
    if (torture_is_cut)
        goto end;
    response = TAKEN(routable_response);
    NOTE_NUMBER(routable_response_status(response));
    FREE(response, response);
    torture_may_fail = 1;
    CALL(routable_stream_next, stream, 5000, &o.item, &error);
    if (torture_is_cut)
        goto end;
    NOTE_STR(o.item.data);
    torture_may_fail = 1;
    CALL(routable_stream_next, stream, 5000, &o.item, &error);
    if (torture_is_cut)
        goto end;
    NOTE_STR(o.item.data);
    NOTE_NUMBER(VALUE(routable_stream_cancel, stream));
end:
    FREE(stream, stream);
    FREE(client, client);
    FREE(responses, responses);
    FREE(request, request);
}

static routable_refresh *asked;
static int credentials_released;
static void on_refresh(routable_refresh *refresh, void *user_data) { (void)user_data; asked = refresh; }
static void on_release(void *user_data) { (void)user_data; credentials_released++; }
static int is_signing;
static routable_status on_sign(routable_signing *signing, void *user_data)
{
    routable_status got;
    (void)user_data;
    is_signing++;
    /* Calls inside of another call; torture_slot records that they are called. */
    torture_slot("routable_signing_method"), torture_slot("routable_signing_url"), torture_slot("routable_signing_body");
    torture_slot("routable_signing_header"), torture_slot("routable_signing_set_header");
    if (routable_signing_method(signing).len == 0 || routable_signing_url(signing).len == 0 || routable_signing_body(signing).len != 0)
        abort();
    (void)routable_signing_header(signing, "accept");
    got = routable_signing_set_header(signing, "X-Signature", STR("s"), NULL);
    if (got != ROUTABLE_OK && got != ROUTABLE_ERR_MEMORY)
        abort();
    return got;
}

SCENARIO(credentials)
{
    routable_request *const request = request_of("{\"operation\":\"secret\"}");
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_responses *responses;
    routable_client *const client = canned_client(&responses);
    routable_transfer *transfer;
    routable_response *response;
    int turn;
    credentials_released = 0;
    credential.scheme = "session", credential.token = STR("t"), credential.refresh_token = STR("r");
    CALL(routable_client_set_credential, client, &credential, &error);
    CALL(routable_client_tokens, client, "session", &o.text, &o.second, &error);
    note("%s;%s;", o.text.ptr, o.second.ptr);
    DO(routable_string_free, &o.second);
    DO(routable_string_free, &o.text);
    CALL(routable_client_perform, client, request, OBJECT(routable_response), &error);
    response = TAKEN(routable_response);
    FREE(response, response);
    DO(routable_client_remove_credential, client, "session");
    credential.token = credential.refresh_token = STR("");
    credential.refresh = on_refresh, credential.release = on_release;
    for (turn = 0; turn < 2; turn++) {
        CALL(routable_client_set_credential, client, &credential, &error); /* without a token */
        asked = NULL;
        CALL(routable_client_submit, client, request, NULL, NULL, NULL, NULL, OBJECT(routable_transfer), &error);
        transfer = TAKEN(routable_transfer);
        CALL(routable_client_drive, client, 0, &o.number, &error);
        if (asked) {
            NOTE_STR(VALUE(routable_refresh_scheme, asked));
            NOTE_STR(VALUE(routable_refresh_token, asked));
            NOTE_STR(VALUE(routable_refresh_url, asked));
            NOTE_STR(VALUE(routable_refresh_route, asked));
            NOTE_STR(VALUE(routable_refresh_operation, asked));
            NOTE_STR(VALUE(routable_refresh_challenge, asked));
            if (turn == 1)
                DO(routable_refresh_fail, asked, STR("no"));
            else {
                torture_may_fail = 1; /* freed also on failure */
                CALL(routable_refresh_finish, asked, STR("fresh"), 0, &error);
            }
        }
        CALL(routable_transfer_wait, transfer, 5000, &error);
        FREE(transfer, transfer);
    }
    FREE(client, client);
    FREE(responses, responses);
    FREE(request, request);
}

/* A call that is refused. */
#define REFUSED(status, ...) do { expected = (status); CALL(__VA_ARGS__); routable_error_free(error); error = NULL; } while (0)

SCENARIO(logins)
{
    routable_login_options options = ROUTABLE_LOGIN_OPTIONS_INIT;
    routable_device_code code = ROUTABLE_DEVICE_CODE_INIT;
    routable_responses *responses;
    routable_client *const client = canned_client(&responses);
    routable_login *login;
    options.scheme = "session", options.router = api, options.client_id = STR("app"), options.redirect_url = "http://127.0.0.1:1/";
    options.authorization_url = "https://login.test/authorize", options.token_url = "https://login.test/token";
    CALL(routable_login_new, client, &options, OBJECT(routable_login), &error);
    login = TAKEN(routable_login);
    CALL(routable_login_begin, login, &o.text, &error);
    NOTE_NUMBER(o.text.len); /* its content is random */
    DO(routable_string_free, &o.text);
    REFUSED(ROUTABLE_ERR_CREDENTIAL, routable_login_finish, login, STR("?code=a&state=b"), &error);
    REFUSED(ROUTABLE_ERR_ARGUMENT, routable_login_begin_device, login, &code, &error);
    REFUSED(ROUTABLE_ERR_ARGUMENT, routable_login_poll, login, NULL, &error);
    FREE(login, login);
    FREE(client, client);
    FREE(responses, responses);
}

SCENARIO(signatures)
{
    routable_request *const request = request_of("{\"operation\":\"secret\"}");
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_responses *responses;
    routable_client *const client = canned_client(&responses);
    routable_response *response;
    is_signing = 0;
    credential.scheme = "session", credential.token = STR("t"), credential.sign = on_sign;
    CALL(routable_client_set_credential, client, &credential, &error);
    CALL(routable_client_perform, client, request, OBJECT(routable_response), &error);
    response = TAKEN(routable_response);
    NOTE_NUMBER(is_signing > 0);
    FREE(response, response);
    FREE(client, client);
    FREE(responses, responses);
    FREE(request, request);
}

static routable_exchange *given;
static void on_exchange(routable_exchange *exchange, void *user_data) { (void)user_data; given = exchange; }

SCENARIO(own_transport)
{
    routable_request *const request = request_of("{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"a\"]}");
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_reply reply = ROUTABLE_REPLY_INIT;
    routable_client *client;
    routable_transfer *transfer;
    options.transport = on_exchange;
    CALL(routable_client_new, &options, OBJECT(routable_client), &error);
    client = TAKEN(routable_client);
    given = NULL;
    CALL(routable_client_submit, client, request, NULL, NULL, NULL, NULL, OBJECT(routable_transfer), &error);
    transfer = TAKEN(routable_transfer);
    CALL(routable_client_drive, client, 0, &o.number, &error);
    reply.body = STR("{\"name\":\"x\"}");
    if (given) {
        torture_may_fail = 1; /* freed also on failure */
        CALL(routable_exchange_reply, given, &reply, &error);
    }
    CALL(routable_transfer_wait, transfer, 5000, &error);
    FREE(transfer, transfer);
    FREE(client, client);
    FREE(request, request);
}

/* --- Middleware: its functions run within the call that performs the request --- */

static int kept_data;
static void on_data(void *data) { *(int *)data += 1; }

static void on_before(routable_interception *interception, void *user_data)
{
    routable_request *const request = routable_interception_request(interception);
    (void)user_data;
    routable_interception_set_data(interception, &kept_data, on_data);
    (void)!routable_request_set_header(request, "X-Trace", STR("1"), NULL);
    (void)!routable_interception_set_request(interception, request, NULL);
}

static void on_after(routable_interception *interception, void *user_data)
{
    routable_reply reply = ROUTABLE_REPLY_INIT;
    (void)user_data;
    reply.body = STR("{\"name\":\"bea\"}");
    if (routable_interception_data(interception) && routable_interception_response(interception) && !routable_interception_error(interception))
        (void)!routable_interception_reply(interception, &reply, NULL);
}

SCENARIO(middleware_of_client)
{
    routable_request *const request = request_of("{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"a\"]}");
    routable_responses *responses;
    routable_client *const client = canned_client(&responses);
    routable_middleware middleware = ROUTABLE_MIDDLEWARE_INIT;
    routable_response *response;
    routable_transfer *transfer;
    torture_slot("routable_interception_request"), torture_slot("routable_interception_set_request");
    torture_slot("routable_interception_response"), torture_slot("routable_interception_error");
    torture_slot("routable_interception_reply"), torture_slot("routable_interception_set_data"), torture_slot("routable_interception_data");
    middleware.before = on_before, middleware.after = on_after;
    CALL(routable_client_add_middleware, client, &middleware, &error);
    CALL(routable_client_perform, client, request, OBJECT(routable_response), &error);
    response = TAKEN(routable_response);
    note_response(response);
    FREE(response, response);
    CALL(routable_client_submit, client, request, NULL, NULL, NULL, NULL, OBJECT(routable_transfer), &error);
    transfer = TAKEN(routable_transfer);
    CALL(routable_transfer_wait, transfer, 5000, &error);
    torture_may_fail = 1; /* the transfer failed if an allocation failed while it was driven */
    CALL(routable_transfer_result, transfer, OBJECT(routable_response), &error);
    if (!torture_is_cut) {
        response = TAKEN(routable_response);
        note_response(response);
        FREE(response, response);
    }
    FREE(transfer, transfer);
    FREE(client, client);
    FREE(responses, responses);
    FREE(request, request);
}

/* --- libcurl --- */

static void serve(int socket)
{
    char text[4096];
    size_t have = 0;
    for (;;) {
        static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\nETag: \"e\"\r\n\r\n{\"name\": \"ann\"}";
        const ssize_t got = read(socket, text + have, sizeof text - 1 - have);
        if (got <= 0)
            _exit(0);
        have += (size_t)got;
        text[have] = 0;
        if (!strstr(text, "\r\n\r\n"))
            continue;
        if (write(socket, answer, sizeof answer - 1) < 0)
            _exit(0);
        have = 0;
    }
}

void make_service(void)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof address;
    const int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listening, (struct sockaddr *)&address, sizeof address) != 0 || listen(listening, 128) != 0 ||
        getsockname(listening, (struct sockaddr *)&address, &length) != 0)
        abort();
    snprintf(own_base, sizeof own_base, "http://127.0.0.1:%d", ntohs(address.sin_port));
    const pid_t parent = getpid();
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* ends with the program that it serves */
        signal(SIGCHLD, SIG_IGN);
        close(0), close(1), close(2);
        while (getppid() == parent) {
            const int one = accept(listening, NULL, NULL);
            if (one >= 0 && fork() == 0)
                serve(one);
            close(one);
        }
        _exit(0);
    }
    close(listening);
    api = torture_open(document);
}

SCENARIO(curl_perform)
{
    routable_request *const request = request_of("{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"a\"]}");
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *client;
    routable_response *response;
    options.base = own_base, options.proxy = "", options.deadline_ms = 400; /* for a socket that libcurl could not add to its table */
    torture_tolerates = 1;
    CALL(routable_client_new, &options, OBJECT(routable_client), &error);
    client = TAKEN(routable_client);
    CALL(routable_client_perform, client, request, OBJECT(routable_response), &error);
    response = TAKEN(routable_response);
    note_response(response);
    FREE(response, response);
    CALL(routable_client_perform, client, request, OBJECT(routable_response), &error);
    response = TAKEN(routable_response);
    note_response(response);
    FREE(response, response);
    FREE(client, client);
    FREE(request, request);
}

SCENARIO(curl_transfers)
{
    routable_request *const request = request_of("{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"a\"]}");
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *client;
    routable_transfer *transfers[3];
    int i;
    options.base = own_base, options.proxy = "", options.deadline_ms = 400; /* for a socket that libcurl could not add to its table */
    torture_tolerates = 1;
    CALL(routable_client_new, &options, OBJECT(routable_client), &error);
    client = TAKEN(routable_client);
    for (i = 0; i < 3; i++) {
        CALL(routable_client_submit, client, request, NULL, NULL, NULL, NULL, OBJECT(routable_transfer), &error);
        transfers[i] = TAKEN(routable_transfer);
    }
    for (i = 0; i < 3; i++)
        CALL(routable_transfer_wait, transfers[i], 2000, &error);
    for (i = 0; i < 3; i++) {
        torture_may_fail = 1;
        CALL(routable_transfer_result, transfers[i], OBJECT(routable_response), &error);
        if (status == ROUTABLE_OK) {
            routable_response *const response = TAKEN(routable_response);
            note_response(response);
            FREE(response, response);
        }
        FREE(transfer, transfers[i]);
    }
    FREE(client, client);
    FREE(request, request);
}

const scenario client_scenarios[] = {
    { "canned perform", canned_perform }, { "mocked client", mocked_client }, { "taped client", taped_client }, { "canned transfers", canned_transfers }, { "client with a thread", client_with_thread },
    { "pages", pages_of_client }, { "items", items_of_client }, { "stream", stream_of_client }, { "credentials", credentials }, { "logins", logins }, { "signatures", signatures },
    { "own transport", own_transport }, { "middleware", middleware_of_client }, { "curl perform", curl_perform }, { "curl transfers", curl_transfers }, { NULL, NULL }
};
