/* Requests that are read in the usual way, without an allocation, have the same values as those that are read in the general
 * way (Sources/RoutableService/QuickReading.swift). */
#include "counting.h"
#include "support.h"

static const char document[] =
    "{\"routable\":1,\"base\":\"https://api.example.com/v1\",\"headers\":{\"X-Client\":\"own\"},"
    "\"types\":{\"Note\":{\"type\":\"object\",\"required\":[\"text\"],\"properties\":{\"text\":{\"type\":\"string\",\"minLength\":1},"
    "\"stars\":{\"type\":\"integer\",\"maximum\":5}}}},"
    "\"auth\":{\"session\":{\"scheme\":\"bearer\"},\"key\":{\"scheme\":\"key\",\"in\":\"header\",\"name\":\"X-Key\"}},"
    "\"resources\":{"
    "\"user\":{\"path\":\"users\",\"id\":\"name\",\"can\":[\"list\",\"read\"],\"has\":[\"user\",\"note\"]},"
    "\"note\":{\"path\":\"notes\",\"id\":{\"name\":\"number\",\"type\":\"integer\",\"maximum\":100},\"nested\":true,\"type\":\"Note\","
    "\"can\":[\"list\",\"read\",\"create\"]}},"
    "\"operations\":{"
    "\"search\":{\"get\":\"/search\",\"query\":{\"q\":{\"type\":\"string\",\"required\":true,\"maxLength\":20},"
    "\"limit\":{\"type\":\"integer\",\"default\":10},\"kind\":{\"type\":\"string\",\"enum\":[\"a\",\"b\"]}},"
    "\"header\":{\"X-Depth\":{\"type\":\"integer\"},\"X-Open\":{\"type\":\"boolean\",\"default\":true}}},"
    "\"send\":{\"post\":\"/send\"},\"any\":{\"post\":\"/any\",\"body\":{}},"
    "\"secret\":{\"get\":\"/secret\",\"auth\":[\"session\",\"key\"]},\"both\":{\"get\":\"/both\",\"auth\":[[\"session\",\"key\"]]}}}";

static routable_router *api;

static int open_api(void **state)
{
    routable_error *error = NULL;
    (void)state;
    if (routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, &api, &error) == ROUTABLE_OK)
        return 0;
    fprintf(stderr, "%s\n", message_of(error));
    return 1;
}

static int close_api(void **state)
{
    (void)state;
    routable_router_free(api);
    return 0;
}

enum { HEADERS = 8 };
typedef struct request_case {
    const char *method, *target, *body;
    routable_header headers[HEADERS - 2];
} request_case;

#define H(name, value) { ROUTABLE_STR(name), ROUTABLE_STR(value) }
#define JSON H("Content-Type", "application/json")
static const request_case cases[] = {
    { "GET", "/v1/users", "", { { { NULL, 0 }, { NULL, 0 } } } },
    { "GET", "/v1/users/ann", "", { H("Host", "api.example.com"), H("Accept", "*/*"), H("X-Client", "own") } },
    { "GET", "/v1/users/a%20n+n", "", { H("X-Client", "another") } },
    { "GET", "/v1/users/%2E%2e", "", { H("Accept", "*/*") } },
    { "GET", "/v1/users/%zz", "", { H("Accept", "*/*") } },
    { "GET", "/v1/users/%FF", "", { H("Accept", "*/*") } },
    { "GET", "/v1/users/ann/users/bob", "", { H("Accept", "*/*") } },
    { "GET", "/v1/users/ann/notes/7", "", { H("Accept", "\tapplication/json ") } },
    { "GET", "/v1/users/ann/notes/-0", "", { H("Accept", "*/*") } },
    { "GET", "/v1/users/ann/notes/101", "", { H("Accept", "*/*") } },
    { "GET", "/v1/users/ann/notes/12345678901234567890", "", { H("Accept", "*/*") } },
    { "GET", "https://api.example.com/v1/users/ann/notes/7", "", { H("Accept", "*/*") } },
    { "HEAD", "/v1/users/ann", "", { H("Accept", "*/*") } },
    { "DELETE", "/v1/users/ann", "", { H("Accept", "*/*") } },
    { "GET", "/v1/users/ann", "{}", { JSON } },
    { "POST", "/v1/users/ann/notes", "{\"text\":\"hi\",\"stars\":4}", { JSON } },
    { "POST", "/v1/users/ann/notes", " { \"text\" : \"hi\" } ", { JSON, H("Content-Length", "18") } },
    { "POST", "/v1/users/ann/notes", "{\"text\":\"\",\"stars\":6}", { JSON } },
    { "POST", "/v1/users/ann/notes", "{\"text\":\"a\",\"text\":\"b\"}", { JSON } },
    { "POST", "/v1/users/ann/notes", "{\"text\":", { JSON } },
    { "POST", "/v1/users/ann/notes", "{\"text\":\"hi\"}", { H("Content-Type", "Application/JSON") } },
    { "POST", "/v1/users/ann/notes", "{\"text\":\"hi\"}", { H("Content-Type", "text/plain") } },
    { "POST", "/v1/users/ann/notes", "{\"text\":\"hi\"}", { JSON, H("Content-Encoding", "gzip") } },
    { "POST", "/v1/users/ann/notes", "", { JSON } },
    { "POST", "/v1/users/ann/notes", "", { H("Accept", "*/*") } },
    { "POST", "/v1/any", "[1, 2.50, {\"a\": null}]", { JSON } },
    { "POST", "/v1/send", "a=1&b=2", { H("Content-Type", "application/x-www-form-urlencoded") } },
    { "GET", "/v1/search?q=swift%20router+x&limit=3", "", { H("Accept", "*/*"), H("x-depth", "3") } },
    { "GET", "/v1/search?q=", "", { H("X-Open", "false") } },
    { "GET", "/v1/search?q", "", { H("X-Open", "1") } },
    { "GET", "/v1/search?q=a&&kind=b&", "", { H("X-Depth", " 7\t") } },
    { "GET", "/v1/search?q=a&kind=c", "", { H("Accept", "*/*") } },
    { "GET", "/v1/search?q=a&q=b", "", { H("Accept", "*/*") } },
    { "GET", "/v1/search?q=a&other=1", "", { H("Accept", "*/*") } },
    { "GET", "/v1/search?%71=a", "", { H("Accept", "*/*") } },
    { "GET", "/v1/search?=a&q=b", "", { H("Accept", "*/*") } },
    { "GET", "/v1/search?limit=3", "", { H("Accept", "*/*") } },
    { "GET", "/v1/search?q=123456789012345678901", "", { H("Accept", "*/*") } },
    { "GET", "/v1/search?q=a", "", { H("Cookie", "theme=dark") } },
    { "GET", "/v1/search?q=a", "", { H("X-Text", "\xC3\xA4") } },
    { "GET", "/v1/search?q=a", "", { H("X-Text", "\xFF") } },
    { "GET", "/v1/search?q=a", "", { H("X Text", "a") } },
    { "GET", "/v1/search?q=a", "", { H("X-Text", "a\x01") } },
    { "GET", "/v1/secret", "", { H("Authorization", "bearer  t 1") } },
    { "GET", "/v1/secret", "", { H("Authorization", "Basic YTpi") } },
    { "GET", "/v1/secret", "", { H("X-KEY", "k") } },
    { "GET", "/v1/secret", "", { H("X-Key", "") } },
    { "GET", "/v1/secret", "", { H("Accept", "*/*") } },
    { "GET", "/v1/both", "", { H("Authorization", "Bearer t") } },
    { "GET", "/v1/both", "", { H("Authorization", "Bearer t"), H("X-Key", "k") } },
};

static routable_incoming incoming_of(const request_case *given, routable_header headers[HEADERS], int general)
{
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    incoming.method = given->method;
    incoming.target = routable_str_from(given->target);
    incoming.body = routable_str_from(given->body);
    incoming.headers = headers;
    while (incoming.header_count < HEADERS - 2 && given->headers[incoming.header_count].name.len) {
        headers[incoming.header_count] = given->headers[incoming.header_count];
        incoming.header_count++;
    }
    /* Repeated fields require the general way; these fields are not part of a call. */
    for (int index = 0; general && index < 2; index++)
        headers[incoming.header_count++] = (routable_header)H("TE", "trailers");
    return incoming;
}

/* All values of a request that was read, as a string. */
static char *all_of(const routable_received *received)
{
    char *text = NULL;
    size_t length = 0, index;
    routable_string call = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    FILE *const out = open_memstream(&text, &length);
    const routable_operation *const operation = routable_received_operation(received);
    fprintf(out, "%s %s\n", routable_received_route(received).ptr, operation ? routable_operation_name(operation).ptr : "none");
    for (index = 0; index < routable_received_value_count(received); index++) {
        const routable_received_item item = routable_received_value_at(received, index);
        fprintf(out, "%d %s %d ", (int)item.location, item.name.ptr, (int)item.value.kind);
        if (item.value.kind == ROUTABLE_KIND_STRING || item.value.kind == ROUTABLE_KIND_JSON)
            fprintf(out, "%zu %s\n", item.value.as.string.len, item.value.as.string.ptr);
        else
            fprintf(out, "%lld\n", (long long)item.value.as.integer);
    }
    for (index = 0; index < routable_received_credential_count(received); index++)
        fprintf(out, "credential %s %s\n", routable_received_credential_scheme_at(received, index).ptr,
            routable_received_credential_at(received, index).ptr);
    for (index = 0; index < routable_received_ignored_count(received); index++)
        fprintf(out, "ignored %s\n", routable_received_ignored_at(received, index).ptr);
    fprintf(out, "body %zu %s %s\n", routable_received_body(received).len, routable_received_body(received).ptr,
        routable_received_content_type(received).ptr);
    check_status("to_json", routable_received_to_json(received, &call, &error), ROUTABLE_OK, error);
    fprintf(out, "%s\n", call.ptr);
    routable_string_free(&call);
    fclose(out);
    return text;
}

static char *outcome(const request_case *given, const routable_receive_options *options, int general)
{
    routable_header headers[HEADERS];
    const routable_incoming incoming = incoming_of(given, headers, general);
    routable_received *received = NULL;
    routable_error *error = NULL;
    char *text;
    if (routable_received_new(api, &incoming, options, &received, &error) == ROUTABLE_OK) {
        text = all_of(received);
        routable_received_free(received);
        return text;
    }
    text = strdup(message_of(error));
    routable_error_free(error);
    return text;
}

static void test_both_ways_are_equal(void **state)
{
    const size_t count = sizeof cases / sizeof *cases;
    size_t round, index;
    (void)state;
    for (round = 0; round < 6; round++) {
        routable_receive_options options = ROUTABLE_RECEIVE_OPTIONS_INIT;
        if (round >= 2) options.flags = ROUTABLE_RECEIVE_REQUIRE_CREDENTIALS;
        if (round >= 4) options.base_path = "/v1", options.flags |= ROUTABLE_RECEIVE_REFUSE_UNDECLARED;
        /* After the first round, the data of the operations is prepared. */
        for (index = 0; index < count; index++) {
            char *const general = outcome(&cases[index], &options, 1), *const usual = outcome(&cases[index], &options, 0);
            if (strcmp(general, usual))
                fail_msg("%s %s, round %zu: expected\n%sgot\n%s", cases[index].method, cases[index].target, round, general, usual);
            free(general);
            free(usual);
        }
    }
}

static void test_usual_requests_use_no_memory(void **state)
{
    routable_header headers[HEADERS];
    routable_received *received = NULL;
    routable_error *error = NULL;
    size_t index, round, usual = 0;
    (void)state;
#ifdef UNOPTIMIZED
    skip();
#endif
    for (index = 0; index < sizeof cases / sizeof *cases; index++) {
        const routable_incoming incoming = incoming_of(&cases[index], headers, 0);
        if (incoming.body.len || strcmp(incoming.method, "GET")) continue;
        if (routable_received_new(api, &incoming, NULL, &received, NULL) != ROUTABLE_OK) continue;
        for (round = 0; round < 4; round++) {
            if (round == 2) {
                counting = can_count();
                allocations = 0;
            }
            check_status("reset", routable_received_reset(received, &incoming, NULL, &error), ROUTABLE_OK, error);
        }
        counting = 0;
        /* A cookie, an id that occurs in two places, bytes that are not UTF-8, an escape in a name, and Basic credentials. */
        if (allocations == 0) usual++;
        else print_message("%s: %zu allocations\n", cases[index].target, allocations / 2);
        routable_received_free(received);
    }
    if (can_count()) check_size("requests without an allocation", usual, 17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_both_ways_are_equal, open_api, close_api),
        cmocka_unit_test_setup_teardown(test_usual_requests_use_no_memory, open_api, close_api),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
