/* Performing requests with a service that produces the requested fault (Tests/service/fault_service.py). */
#include "support.h"

#include "routable_jansson.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>

static const char *program; /* the path of this program */
static service faults;
static routable_router *router;
static routable_client *client;

static const char document[] =
    "{\"routable\":1,\"types\":{\"Named\":{\"type\":\"object\",\"required\":[\"name\"],"
    "\"properties\":{\"name\":{\"type\":\"string\"}}}},"
    "\"resources\":{\"thing\":{\"path\":\"things\",\"can\":[\"list\",\"read\",\"create\",\"update\",\"patch\",\"delete\"]}},"
    "\"operations\":{"
    "\"fault\":{\"get\":\"/faults/{name*}\",\"outcome\":\"any\",\"shadowed\":true,\"results\":{\"2XX\":{\"$ref\":\"#/types/Named\"}}},"
    "\"head\":{\"head\":\"/faults/{name*}\"},"
    "\"model\":{\"get\":\"/faults/json/{json}\",\"results\":{\"200\":{\"$ref\":\"#/types/Named\"}}},"
    "\"connections\":{\"get\":\"/connections\"},"
    "\"sum\":{\"method\":\"PURGE\",\"path\":\"/sum\"}}}";

static routable_client *new_client(const routable_client_options *options)
{
    routable_client *made = NULL;
    routable_error *error = NULL;
    check_status("client", routable_client_new(options, &made, &error), ROUTABLE_OK, error);
    return made;
}

static int start(void **state)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    (void)state;
    service_start(&faults, "Tests/service/fault_service.py");
    options.base = faults.base;
    if (routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &router, NULL) != ROUTABLE_OK)
        return 1;
    client = new_client(NULL);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    routable_client_free(client);
    routable_router_free(router);
    service_stop(&faults);
    return 0;
}

static routable_status perform_by(
    const routable_client *by, const char *call, routable_response **response, routable_error **error)
{
    routable_request *const request = build(router, call);
    const routable_status status = routable_client_perform(by, request, response, error);
    routable_request_free(request);
    return status;
}

static routable_status fault_by(
    const routable_client *by, const char *name, routable_response **response, routable_error **error)
{
    char call[256];
    sprintf(call, "{\"operation\":\"fault\",\"ids\":[\"%s\"]}", name);
    return perform_by(by, call, response, error);
}

/* Checks that the fault gives a response with this outcome and body. */
static void check_answer(const char *name, int32_t http_status, routable_outcome outcome, const char *body)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    check_status(name, fault_by(client, name, &response, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_response_status(response), http_status);
    assert_int_equal(routable_response_outcome(response), outcome);
    if (body)
        check_text(name, routable_response_body(response), body);
    routable_response_free(response);
}

/* Checks that the fault gives an error with this status, that the output is unmodified, and that the next call works. */
static void check_failure(const routable_client *by, const char *name, routable_status expected)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    check_status(name, fault_by(by, name, &response, &error), expected, error);
    assert_null(response);
    assert_true(routable_error_message(error).len > 0);
    check_text(name, routable_error_operation(error), "fault");
    routable_error_free(error);
    check_status("the next call", fault_by(by, "ok", &response, &error), ROUTABLE_OK, error);
    check_text("the next call", routable_response_body(response), "{\"name\":\"a\"}");
    routable_response_free(response);
}

static void ok(void **state)
{
    char url[128];
    routable_response *response = NULL;
    routable_error *error = NULL;
    (void)state;
    check_status("ok", fault_by(client, "ok", &response, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_response_status(response), 200);
    assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_SELF);
    check_text("ok", routable_response_body(response), "{\"name\":\"a\"}");
    check_text("ok", routable_response_header(response, "content-type"), "application/json");
    sprintf(url, "%s/faults/ok", faults.base);
    check_text("ok", routable_response_url(response), url);
    routable_response_free(response);
}

/* docs/statements.md, M, over a connection. */
static void outcomes(void **state)
{
    (void)state;
    check_answer("json/{\\\"name\\\":\\\"a\\\"}", 200, ROUTABLE_OUTCOME_SELF, "{\"name\":\"a\"}");
    check_answer("json/{\\\"x\\\":{\\\"name\\\":\\\"a\\\"}}", 200, ROUTABLE_OUTCOME_DICTIONARY, NULL);
    check_answer("json/[{\\\"name\\\":\\\"a\\\"}]", 200, ROUTABLE_OUTCOME_ARRAY, NULL);
    check_answer("json/[]", 200, ROUTABLE_OUTCOME_ARRAY, "[]");
    check_answer("json/[1,2]", 200, ROUTABLE_OUTCOME_RAW, "[1,2]");
    check_answer("text", 200, ROUTABLE_OUTCOME_RAW, "hello");
    check_answer("gzip", 200, ROUTABLE_OUTCOME_SELF, "{\"name\":\"a\"}");
    check_answer("many-headers", 200, ROUTABLE_OUTCOME_SELF, NULL);
    check_answer("redirect", 200, ROUTABLE_OUTCOME_SELF, NULL);
}

static void count_deviations(const routable_response *response, routable_str route, routable_str operation, void *user_data)
{
    routable_deviation deviation = ROUTABLE_DEVIATION_INIT;
    assert_int_equal(routable_response_deviation_at(response, 0, &deviation), 1);
    check_text("hook", deviation.pointer, "/name");
    check_text("hook", route, "");
    check_text("hook", operation, "model");
    ++*(int *)user_data;
}

/* A body that deviates from the declaration lists its deviations, and is an error if the policy requires it. */
static void declared_bodies(void **state)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_request *const request = build(router, "{\"operation\":\"model\",\"ids\":[\"{\\\"name\\\":1}\"]}");
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_client *strict;
    routable_deviation deviation = ROUTABLE_DEVIATION_INIT;
    int calls = 0;
    (void)state;
    check_status("plain", routable_client_perform(client, request, &response, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_SELF);
    check_size("plain", routable_response_deviation_count(response), 1);
    assert_int_equal(routable_response_deviation_at(response, 1, &deviation), 0);
    assert_int_equal(routable_response_deviation_at(response, 0, &deviation), 1);
    check_text("plain", deviation.pointer, "/name");
    check_text("plain", deviation.schema_pointer, "/properties/name/type");
    check_text("plain", deviation.message, "/name does not match its type: string is expected, not an integer");
    check_text("plain", deviation.found, "1");
    check_text("name of 0.1.0", routable_response_reason(response), "/name does not match its type: string is expected, not an integer");
    check_text("name of 0.1.0", routable_response_reason_pointer(response), "/name");
    check_text("name of 0.1.0", routable_response_reason_schema_pointer(response), "/properties/name/type");
    check_status("check", routable_response_check(response, &error), ROUTABLE_ERR_RESPONSE, error);
    check_text("check", routable_error_pointer(error), "/name");
    routable_error_free(error);
    error = NULL;
    routable_response_free(response);
    policy.deviations = ROUTABLE_DEVIATIONS_IGNORE;
    check_status("ignore", routable_client_perform_with(client, request, &policy, &response, &error), ROUTABLE_OK, error);
    check_size("ignore", routable_response_deviation_count(response), 0);
    check_text("name of 0.1.0", routable_response_reason(response), "");
    check_status("ignore", routable_response_check(response, &error), ROUTABLE_OK, error);
    routable_response_free(response);
    policy.flags = ROUTABLE_POLICY_ANY_STATUS;
    {
        routable_request *const missing = build(router, "{\"operation\":\"fault\",\"ids\":[\"status/404\"]}");
        check_status("any status", routable_client_perform_with(client, missing, &policy, &response, &error), ROUTABLE_OK, error);
        assert_int_equal(routable_response_status(response), 404);
        routable_response_free(response);
        routable_request_free(missing);
    }
    policy.flags = ROUTABLE_POLICY_CHECK_BODIES; /* the name of RAISE in 0.1.0, which another policy overrides */
    check_status("flag", routable_client_perform_with(client, request, &policy, NULL, &error), ROUTABLE_OK, error);
    policy.deviations = ROUTABLE_DEVIATIONS_DEFAULT;
    check_status("flag", routable_client_perform_with(client, request, &policy, NULL, &error), ROUTABLE_ERR_RESPONSE, error);
    routable_error_free(error);
    error = NULL;
    policy.flags = 0;
    for (int number = -1; number <= 4; number += 5) {
        policy.deviations = (routable_deviation_policy)number;
        check_status("no policy", routable_client_perform_with(client, request, &policy, NULL, &error), ROUTABLE_ERR_ARGUMENT, error);
        routable_error_free(error);
        error = NULL;
    }
    response = NULL;
    check_status("no output", routable_client_perform(client, request, NULL, &error), ROUTABLE_OK, error);
    policy.deviations = ROUTABLE_DEVIATIONS_RAISE;
    check_status("no output", routable_client_perform_with(client, request, &policy, NULL, &error), ROUTABLE_ERR_RESPONSE, error);
    routable_error_free(error);
    check_status("policy", routable_client_perform_with(client, request, &policy, &response, &error), ROUTABLE_ERR_RESPONSE, error);
    assert_null(response);
    check_text("policy", routable_error_message(error),
        "the body does not match its declared type Named: /name does not match its type: string is expected, not an integer");
    check_text("policy", routable_error_pointer(error), "/name");
    check_text("policy", routable_error_schema_pointer(error), "/properties/name/type");
    check_text("policy", routable_response_body(routable_error_response(error)), "{\"name\":1}");
    routable_error_free(error);
    options.flags = ROUTABLE_CLIENT_CHECK_BODIES;
    strict = new_client(&options);
    check_status("flag", routable_client_perform(strict, request, NULL, &error), ROUTABLE_ERR_RESPONSE, error);
    routable_error_free(error);
    error = NULL;
    routable_client_free(strict);
    options.flags = 0;
    options.deviations = ROUTABLE_DEVIATIONS_RAISE;
    strict = new_client(&options);
    check_status("hook", routable_client_set_deviation_hook(strict, count_deviations, &calls, NULL, &error), ROUTABLE_OK, error);
    check_status("client", routable_client_perform(strict, request, &response, &error), ROUTABLE_ERR_RESPONSE, error);
    routable_error_free(error);
    error = NULL;
    assert_int_equal(calls, 0);
    policy.deviations = ROUTABLE_DEVIATIONS_REPORT;
    check_status("report", routable_client_perform_with(strict, request, &policy, &response, &error), ROUTABLE_OK, error);
    assert_int_equal(calls, 1);
    routable_response_free(response);
    routable_client_free(strict);
    routable_request_free(request);
}

/* ROUTABLE_POLICY_KEEP_JSON: the parsed body can be taken once, and outlives the response. */
static void kept_json(void **state)
{
    static const char *const calls[] = {
        "{\"operation\":\"model\",\"ids\":[\"{\\\"name\\\":\\\"x\\\"}\"]}", "{\"operation\":\"model\",\"ids\":[\"{\\\"name\\\":1}\"]}"
    };
    (void)state;
    for (size_t index = 0; index < 2; index++) { /* a valid body, and an invalid one, which is not kept */
        routable_request *const request = build(router, calls[index]);
        routable_policy policy = ROUTABLE_POLICY_INIT;
        routable_response *response = NULL, *unread = NULL;
        routable_json_values *first = NULL, *second = NULL;
        routable_error *error = NULL;
        policy.flags = ROUTABLE_POLICY_KEEP_JSON;
        check_status(calls[index], routable_client_perform_with(client, request, &policy, &response, &error), ROUTABLE_OK, error);
        check_status(calls[index], routable_client_perform_with(client, request, &policy, &unread, &error), ROUTABLE_OK, error);
        check_status("first", routable_response_json_value(response, &first, &error), ROUTABLE_OK, error);
        check_status("second", routable_response_json_value(response, &second, &error), ROUTABLE_OK, error);
        routable_response_free(response);
        routable_response_free(unread); /* also frees the document that was not taken */
        check_text("first", routable_json_text(first, routable_json_at(first, ROUTABLE_STR("/name"))), index ? "1" : "\"x\"");
        check_text("second", routable_json_text(second, 0), index ? "{\"name\":1}" : "{\"name\":\"x\"}");
        routable_json_values_free(first);
        routable_json_values_free(second);
        routable_request_free(request);
    }
}

static void A2_empty(void **state)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    (void)state;
    check_answer("no-content", 204, ROUTABLE_OUTCOME_EMPTY, "");
    check_answer("reset-content", 205, ROUTABLE_OUTCOME_EMPTY, "");
    check_answer("empty", 200, ROUTABLE_OUTCOME_EMPTY, "");
    check_status("HEAD", perform_by(client, "{\"operation\":\"head\",\"ids\":[\"ok\"]}", &response, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_EMPTY);
    check_text("HEAD", routable_response_header(response, "Content-Length"), "12");
    routable_response_free(response);
}

static void M2_bytes_as_received(void **state)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    (void)state;
    check_status("bytes", fault_by(client, "bytes", &response, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_RAW);
    check_size("bytes", routable_response_body(response).len, 5);
    assert_memory_equal(routable_response_body(response).ptr, "\0\xFF\xFE\0a", 6);
    routable_response_free(response);
}

static void refused_status_keeps_the_body(void **state)
{
    static const int32_t codes[] = { 300, 400, 401, 404, 410, 418, 429, 500, 503 };
    routable_response *response = NULL;
    routable_error *error = NULL;
    size_t i;
    (void)state;
    check_status("404", fault_by(client, "not-found", &response, &error), ROUTABLE_ERR_HTTP_STATUS, error);
    assert_null(response);
    assert_int_equal(routable_error_http_status(error), 404);
    check_text("404", routable_response_body(routable_error_response(error)), "{\"name\":\"gone\"}");
    check_text("404", routable_response_header(routable_error_response(error), "content-type"), "application/json");
    routable_error_free(error);
    for (i = 0; i < sizeof codes / sizeof *codes; i++) {
        char name[32];
        sprintf(name, "status/%d", (int)codes[i]);
        check_status(name, fault_by(client, name, &response, &error), ROUTABLE_ERR_HTTP_STATUS, error);
        assert_int_equal(routable_error_http_status(error), codes[i]);
        check_text(name, routable_response_body(routable_error_response(error)), "{\"name\":\"a\"}");
        routable_error_free(error);
    }
}

static void broken_answers(void **state)
{
    static const char *const names[] = { "close-early", "close-chunked", "bad-chunk", "length-long", "length-negative",
        "garbage", "nothing" };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof names / sizeof *names; i++)
        check_failure(client, names[i], ROUTABLE_ERR_TRANSFER);
}

/* Content-Length is smaller than the body: the response has that length, and the rest does not reach the next call. */
static void content_length_too_short(void **state)
{
    (void)state;
    check_answer("length-short", 200, ROUTABLE_OUTCOME_RAW, "{\"nam");
    check_answer("ok", 200, ROUTABLE_OUTCOME_SELF, "{\"name\":\"a\"}");
}

/* Two values of Content-Length: the end of the response is not known. */
static void content_length_twice(void **state)
{
    (void)state;
    check_failure(client, "length-twice", ROUTABLE_ERR_TRANSFER);
}

static void refused_connection(void **state)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *elsewhere;
    routable_response *response = NULL;
    routable_error *error = NULL;
    char base[64];
    (void)state;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0); /* bound, but not listening */
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    sprintf(base, "http://127.0.0.1:%d", ntohs(address.sin_port));
    options.base = base;
    elsewhere = new_client(&options);
    check_status(base, fault_by(elsewhere, "ok", &response, &error), ROUTABLE_ERR_TRANSFER, error);
    assert_int_equal(routable_error_curl_code(error), 7); /* CURLE_COULDNT_CONNECT */
    assert_int_equal(routable_error_http_status(error), 0);
    assert_null(routable_error_response(error));
    assert_null(response);
    routable_error_free(error);
    routable_client_free(elsewhere);
    close(listener);
}

static void deadlines(void **state)
{
    static const char *const names[] = { "never", "half" };
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *hurried;
    size_t i;
    (void)state;
    options.deadline_ms = 400;
    hurried = new_client(&options);
    for (i = 0; i < 2; i++) {
        const int64_t before = milliseconds();
        int64_t took;
        check_failure(hurried, names[i], ROUTABLE_ERR_TIMEOUT);
        took = milliseconds() - before;
        if (took < 350 || took > patience(5000))
            fail_msg("%s: a deadline of 400 ms took %ld ms", names[i], (long)took);
    }
    routable_client_free(hurried);
}

static void larger_than_the_limit(void **state)
{
    static const char *const names[] = { "big", "length-huge", "gzip-bomb" };
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *small;
    routable_response *response = NULL;
    routable_error *error = NULL;
    size_t i;
    (void)state;
    options.max_response_bytes = 1 << 20;
    small = new_client(&options);
    for (i = 0; i < sizeof names / sizeof *names; i++)
        check_failure(small, names[i], ROUTABLE_ERR_LIMIT);
    routable_client_free(small);
    options.max_response_bytes = 12; /* exactly the size of the response */
    small = new_client(&options);
    check_status("12 of 12", fault_by(small, "ok", &response, &error), ROUTABLE_OK, error);
    routable_response_free(response);
    response = NULL;
    routable_client_free(small);
    options.max_response_bytes = 11;
    small = new_client(&options);
    check_status("12 of 11", fault_by(small, "ok", &response, &error), ROUTABLE_ERR_LIMIT, error);
    assert_null(response);
    routable_error_free(error);
    routable_client_free(small);
}

static void redirects(void **state)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *still;
    routable_response *response = NULL;
    routable_error *error = NULL;
    char url[128];
    (void)state;
    check_failure(client, "redirect-file", ROUTABLE_ERR_TRANSFER);
    check_failure(client, "redirect-ftp", ROUTABLE_ERR_TRANSFER);
    check_failure(client, "redirect-loop", ROUTABLE_ERR_TRANSFER);
    check_status("followed", fault_by(client, "redirect", &response, &error), ROUTABLE_OK, error);
    sprintf(url, "%s/faults/ok", faults.base);
    check_text("followed", routable_response_url(response), url);
    routable_response_free(response);
    response = NULL;
    options.flags = ROUTABLE_CLIENT_NO_REDIRECTS;
    still = new_client(&options);
    check_status("not followed", fault_by(still, "redirect", &response, &error), ROUTABLE_ERR_HTTP_STATUS, error);
    assert_int_equal(routable_error_http_status(error), 302);
    check_text("not followed", routable_response_header(routable_error_response(error), "location"), "/faults/ok");
    routable_error_free(error);
    routable_client_free(still);
}

/* The options of one request override those of its client; a declared redirect is the result. */
static void redirects_of_one_request(void **state)
{
    static const char *const document =
        "{\"routable\":1,\"base\":\"%s\",\"operations\":{"
        "\"declared\":{\"get\":\"/faults/redirect\",\"results\":{\"302\":null}}}}";
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_request *request = build(router, "{\"operation\":\"fault\",\"ids\":[\"redirect\"]}");
    routable_router *api = NULL;
    routable_client *still;
    routable_response *response = NULL;
    routable_error *error = NULL;
    char text[512];
    (void)state;
    policy.max_redirects = ROUTABLE_NONE;
    check_status("none", routable_client_perform_with(client, request, &policy, &response, &error), ROUTABLE_ERR_HTTP_STATUS, error);
    assert_int_equal(routable_error_http_status(error), 302);
    routable_error_free(error);
    error = NULL;
    options.flags = ROUTABLE_CLIENT_NO_REDIRECTS;
    still = new_client(&options);
    policy.max_redirects = 1;
    check_status("one", routable_client_perform_with(still, request, &policy, &response, &error), ROUTABLE_OK, error);
    sprintf(text, "%s/faults/ok", faults.base);
    check_text("one", routable_response_url(response), text);
    routable_response_free(response);
    routable_request_free(request);
    routable_client_free(still);
    sprintf(text, document, faults.base);
    check_status("declared", routable_router_open(text, strlen(text), NULL, &api, &error), ROUTABLE_OK, error);
    request = build(api, "{\"operation\":\"declared\"}");
    check_status("declared", routable_client_perform(client, request, &response, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_response_status(response), 302);
    check_text("declared", routable_response_header(response, "location"), "/faults/ok");
    routable_response_free(response);
    routable_request_free(request);
    routable_router_free(api);
}

static void tls_with_a_plain_peer(void **state)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *secure;
    routable_response *response = NULL;
    routable_error *error = NULL;
    char base[64];
    (void)state;
    sprintf(base, "https://127.0.0.1:%d", faults.port);
    options.base = base;
    secure = new_client(&options);
    check_status(base, fault_by(secure, "ok", &response, &error), ROUTABLE_ERR_TLS, error);
    assert_null(response);
    routable_error_free(error);
    routable_client_free(secure);
}

/* --- Requests as the service receives them --- */

/* The echo of a call, which the caller must decref. */
static json_t *echo(const char *call)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    json_t *report;
    check_status(call, perform_by(client, call, &response, &error), ROUTABLE_OK, error);
    report = json_loadb(routable_response_body(response).ptr, routable_response_body(response).len, 0, NULL);
    routable_response_free(response);
    assert_non_null(report);
    return report;
}

static const char *text_at(const json_t *report, const char *key)
{
    const char *const text = json_string_value(json_object_get(report, key));
    return text ? text : "(none)";
}

/* The value of the first header with this name that the service received, compared with case, or NULL. */
static const char *arrived(const json_t *report, const char *name)
{
    size_t i;
    json_t *header;
    json_array_foreach(json_object_get(report, "headers"), i, header)
        if (strcmp(json_string_value(json_array_get(header, 0)), name) == 0)
            return json_string_value(json_array_get(header, 1));
    return NULL;
}

static void requests_arrive_as_built(void **state)
{
    static const struct { const char *call, *method, *target, *body, *type; } table[] = {
        { "{\"route\":\"thing\",\"operation\":\"list\"}", "GET", "/things", "", NULL },
        { "{\"route\":\"thing\",\"operation\":\"read\",\"ids\":[\"a/b ..%2e\"]}", "GET", "/things/a%2Fb%20..%252e", "", NULL },
        { "{\"route\":\"thing\",\"operation\":\"read\",\"ids\":[\"...\"]}", "GET", "/things/...", "", NULL },
        { "{\"route\":\"thing\",\"operation\":\"create\",\"body\":{\"a\":[1,2.5,null]}}", "POST", "/things",
          "{\"a\":[1,2.5,null]}", "application/json" },
        { "{\"route\":\"thing\",\"operation\":\"create\",\"parameters\":{\"b\":[1,2],\"a\":\"x y\"}}", "POST", "/things",
          "a=x%20y&b%5B%5D=1&b%5B%5D=2", "application/x-www-form-urlencoded" },
        { "{\"route\":\"thing\",\"operation\":\"create\"}", "POST", "/things", "", NULL },
        { "{\"route\":\"thing\",\"operation\":\"update\",\"ids\":[\"1\"],\"body\":true}", "PUT", "/things/1", "true",
          "application/json" },
        { "{\"route\":\"thing\",\"operation\":\"patch\",\"ids\":[\"1\"],\"body\":{}}", "PATCH", "/things/1", "{}",
          "application/json" },
        { "{\"route\":\"thing\",\"operation\":\"delete\",\"ids\":[\"1\"]}", "DELETE", "/things/1", "", NULL },
        { "{\"operation\":\"sum\"}", "PURGE", "/sum", "", NULL },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        json_t *const report = echo(table[i].call);
        check_text(table[i].call, routable_str_from(text_at(report, "method")), table[i].method);
        check_text(table[i].call, routable_str_from(text_at(report, "target")), table[i].target);
        check_text(table[i].call, routable_str_from(text_at(report, "body")), table[i].body);
        if (table[i].type)
            check_text(table[i].call, routable_str_from(arrived(report, "Content-Type")), table[i].type);
        else if (arrived(report, "Content-Type"))
            fail_msg("input: %s\nexpected: no Content-Type\ngot: %s", table[i].call, arrived(report, "Content-Type"));
        assert_null(arrived(report, "Expect"));
        check_text(table[i].call, routable_str_from(arrived(report, "User-Agent")), "routable/0.1.0");
        json_decref(report);
    }
}

static void edited_requests(void **state)
{
    routable_request *const request = build(router, "{\"route\":\"thing\",\"operation\":\"create\",\"headers\":{\"X-A\":\"1\"}}");
    routable_str body = { "\0\xFFz", 3 };
    routable_response *response = NULL;
    routable_error *error = NULL;
    json_t *report;
    (void)state;
    assert_int_equal(routable_request_set_body(request, body, "application/octet-stream", NULL), ROUTABLE_OK);
    assert_int_equal(routable_request_set_header(request, "X-A", routable_str_from("2"), NULL), ROUTABLE_OK);
    assert_int_equal(routable_request_set_header(request, "X-Empty", routable_str_from(""), NULL), ROUTABLE_OK);
    assert_int_equal(routable_request_set_header(request, "User-Agent", routable_str_from("mine"), NULL), ROUTABLE_OK);
    check_status("edited", routable_client_perform(client, request, &response, &error), ROUTABLE_OK, error);
    report = json_loads(routable_response_body(response).ptr, 0, NULL);
    check_text("body", routable_str_from(text_at(report, "body_base64")), "AP96");
    check_text("X-A", routable_str_from(arrived(report, "X-A")), "2");
    check_text("X-Empty", routable_str_from(arrived(report, "X-Empty")), "");
    check_text("User-Agent", routable_str_from(arrived(report, "User-Agent")), "mine");
    json_decref(report);
    routable_response_free(response);
    routable_request_free(request);
}

/* A copy is edited and freed independently, and is performed like the original. */
static void copied_requests(void **state)
{
    routable_request *const request = build(router, "{\"operation\":\"fault\",\"ids\":[\"ok\"],\"headers\":{\"X-A\":\"1\"}}");
    routable_request *copy = NULL;
    routable_response *response = NULL;
    routable_error *error = NULL;
    (void)state;
    check_status("copy", routable_request_copy(request, &copy, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_request_set_header(copy, "X-A", routable_str_from("2"), NULL), ROUTABLE_OK);
    check_text("first", routable_request_header(request, "X-A"), "1");
    routable_request_free(request);
    check_text("copy", routable_request_header(copy, "X-A"), "2");
    check_status("perform", routable_client_perform(client, copy, &response, &error), ROUTABLE_OK, error);
    check_text("body", routable_response_body(response), "{\"name\":\"a\"}");
    check_text("operation", routable_request_operation(copy), "fault");
    routable_response_free(response);
    routable_request_free(copy);
    assert_int_equal(routable_request_copy(NULL, &copy, NULL), ROUTABLE_ERR_ARGUMENT);
}

/* A body of a megabyte in both directions. */
static void large_body(void **state)
{
    const size_t length = 1000000;
    char *const bytes = (char *)malloc(length + 1);
    routable_request *const request = build(router, "{\"route\":\"thing\",\"operation\":\"create\"}");
    routable_response *response = NULL;
    routable_error *error = NULL;
    json_t *report;
    (void)state;
    memset(bytes, 'z', length);
    bytes[length] = '\0';
    assert_int_equal(routable_request_set_body(request, routable_str_from(bytes), "text/plain", NULL), ROUTABLE_OK);
    check_status("large", routable_client_perform(client, request, &response, &error), ROUTABLE_OK, error);
    report = json_loads(routable_response_body(response).ptr, 0, NULL);
    check_size("large", json_string_length(json_object_get(report, "body")), length);
    json_decref(report);
    routable_response_free(response);
    routable_request_free(request);
    free(bytes);
}

static void connections_are_kept(void **state)
{
    routable_client *const own = new_client(NULL);
    json_int_t first = 0;
    int i;
    (void)state;
    for (i = 0; i < 20; i++) {
        routable_response *response = NULL;
        routable_error *error = NULL;
        json_t *report;
        json_int_t connection;
        check_status("list", perform_by(own, "{\"route\":\"thing\",\"operation\":\"list\"}", &response, &error), ROUTABLE_OK, error);
        report = json_loads(routable_response_body(response).ptr, 0, NULL);
        connection = json_integer_value(json_object_get(report, "connection"));
        assert_true(connection > 0);
        if (i == 0)
            first = connection;
        assert_int_equal(connection, first);
        json_decref(report);
        routable_response_free(response);
    }
    routable_client_free(own);
}

static void options(void **state)
{
    routable_client_options choice = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *made = NULL;
    routable_error *error = NULL;
    routable_response *response = NULL;
    json_t *report;
    (void)state;
    choice.base = "ftp://h";
    check_status("base", routable_client_new(&choice, &made, &error), ROUTABLE_ERR_URL, error);
    routable_error_free(error);
    choice.base = NULL;
    choice.user_agent = "a\r\nX: y";
    check_status("user agent", routable_client_new(&choice, &made, &error), ROUTABLE_ERR_HEADER, error);
    routable_error_free(error);
    assert_null(made);
    choice.user_agent = "demo/1";
    made = new_client(&choice);
    check_status("list", perform_by(made, "{\"route\":\"thing\",\"operation\":\"list\"}", &response, &error), ROUTABLE_OK, error);
    report = json_loads(routable_response_body(response).ptr, 0, NULL);
    check_text("user agent", routable_str_from(arrived(report, "User-Agent")), "demo/1");
    json_decref(report);
    routable_response_free(response);
    routable_client_free(made);
}

static void json_tier(void **state)
{
    routable_string text = { NULL, 0 };
    routable_error *error = NULL;
    json_t *json, *call, *tree = NULL;
    (void)state;
    check_status("ok", routable_perform_json(client, router, "{\"operation\":\"fault\",\"ids\":[\"ok\"]}", ROUTABLE_NUL_TERMINATED, &text, &error),
        ROUTABLE_OK, error);
    json = json_loadb(text.ptr, text.len, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(json, "status")), 200);
    assert_string_equal(json_string_value(json_object_get(json, "outcome")), "self");
    assert_string_equal(json_string_value(json_object_get(json, "type")), "Named");
    assert_string_equal(json_string_value(json_object_get(json_object_get(json, "value"), "name")), "a");
    routable_string_free(&text);

    call = json_pack("{s:s,s:[s]}", "operation", "fault", "ids", "ok");
    check_status("json_t", routable_perform_jansson(client, router, call, &tree, &error), ROUTABLE_OK, error);
    json_object_del(json, "headers"); /* they contain the date */
    json_object_del(tree, "headers");
    assert_true(json_equal(json, tree));
    json_decref(tree);
    json_decref(call);
    json_decref(json);

    check_status("404", routable_perform_json(client, router, "{\"operation\":\"fault\",\"ids\":[\"not-found\"]}", ROUTABLE_NUL_TERMINATED, &text, &error),
        ROUTABLE_ERR_HTTP_STATUS, error);
    assert_null(text.ptr);
    assert_int_equal(routable_error_to_json(error, &text), ROUTABLE_OK);
    json = json_loadb(text.ptr, text.len, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(json, "http_status")), 404);
    json_decref(json);
    routable_string_free(&text);
    routable_error_free(error);
    check_status("refused", routable_perform_json(client, router, "{\"operation\":\"nothing\"}", ROUTABLE_NUL_TERMINATED, &text, &error),
        ROUTABLE_ERR_UNKNOWN, error);
    routable_error_free(error);
}

/* A response outlives its client and its request. */
static void free_in_any_order(void **state)
{
    routable_client *const own = new_client(NULL);
    routable_request *const request = build(router, "{\"operation\":\"fault\",\"ids\":[\"ok\"]}");
    routable_response *response = NULL;
    (void)state;
    assert_int_equal(routable_client_perform(own, request, &response, NULL), ROUTABLE_OK);
    routable_request_free(request);
    routable_client_free(own);
    check_text("response", routable_response_body(response), "{\"name\":\"a\"}");
    routable_response_free(response);
}

/* --- Without libcurl: this program again, with an invalid libcurl.so.4 in front of the real one --- */

static int without_curl(void)
{
    routable_client *none = NULL;
    routable_error *error = NULL;
    const routable_status status = routable_client_new(NULL, &none, &error);
    if (status != ROUTABLE_ERR_NO_CURL || none || !error || !strstr(routable_error_message(error).ptr, "libcurl4")) {
        fprintf(stderr, "expected: no_curl and a message with libcurl4\ngot: %s: %s\n", routable_status_name(status),
            message_of(error));
        return 1;
    }
    routable_error_free(error);
    return 0;
}

static void no_curl(void **state)
{
    char folder[1024], file[1040], path[4096];
    const char *const before = getenv("LD_LIBRARY_PATH");
    FILE *empty;
    pid_t child;
    int result = 1;
    (void)state;
    assert_true(make_folder(folder, sizeof folder));
    snprintf(file, sizeof file, "%s/libcurl.so.4", folder);
    empty = fopen(file, "w");
    assert_non_null(empty);
    fclose(empty);
    snprintf(path, sizeof path, "%s:%s", folder, before ? before : "");
    child = fork();
    if (child == 0) {
        setenv("LD_LIBRARY_PATH", path, 1);
        if (getenv("ROUTABLE_TEST_EMULATOR"))
            execlp(getenv("ROUTABLE_TEST_EMULATOR"), "emulator", program, "without-curl", (char *)NULL);
        execl(program, program, "without-curl", (char *)NULL);
        _exit(2);
    }
    waitpid(child, &result, 0);
    unlink(file);
    rmdir(folder);
    assert_int_equal(WIFEXITED(result) ? WEXITSTATUS(result) : -1, 0);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ok),
        cmocka_unit_test(outcomes),
        cmocka_unit_test(declared_bodies), cmocka_unit_test(kept_json), cmocka_unit_test(A2_empty),
        cmocka_unit_test(M2_bytes_as_received),
        cmocka_unit_test(refused_status_keeps_the_body),
        cmocka_unit_test(broken_answers),
        cmocka_unit_test(content_length_too_short),
        cmocka_unit_test(content_length_twice),
        cmocka_unit_test(refused_connection),
        cmocka_unit_test(deadlines),
        cmocka_unit_test(larger_than_the_limit),
        cmocka_unit_test(redirects),
        cmocka_unit_test(redirects_of_one_request),
        cmocka_unit_test(tls_with_a_plain_peer),
        cmocka_unit_test(requests_arrive_as_built),
        cmocka_unit_test(edited_requests),
        cmocka_unit_test(copied_requests),
        cmocka_unit_test(large_body),
        cmocka_unit_test(connections_are_kept),
        cmocka_unit_test(options),
        cmocka_unit_test(json_tier),
        cmocka_unit_test(free_in_any_order),
        cmocka_unit_test(no_curl),
    };
    program = arguments[0];
    if (count > 1 && strcmp(arguments[1], "without-curl") == 0)
        return without_curl();
    return cmocka_run_group_tests_name("perform", tests, start, stop);
}
