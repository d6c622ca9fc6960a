/* Secrets in C: none appears in the message of an error, in the error as JSON, in an event of the hook, or in a curl command.
 * bindings/python/tests/test_secrets.py tests more places. */
#define _GNU_SOURCE /* for memmem */
#include "support.h"

#include "routable_bodies.h"
#include "routable_credentials.h"
#include "routable_json.h"
#include "routable_middleware.h"
#include "routable_pages.h"
#include "routable_schema.h"
#include "routable_trace.h"
#include "routable_transport.h"

#define SECRET "Zq7wPlanted4Kx"

static const char description[] =
    "{\"routable\":1,\"base\":\"https://api.test/v1\",\"auth\":{\"bearer\":{\"scheme\":\"bearer\"},\"basic\":{\"scheme\":\"basic\"},"
    "\"query\":{\"scheme\":\"key\",\"in\":\"query\",\"name\":\"key\"},\"cookie\":{\"scheme\":\"key\",\"in\":\"cookie\",\"name\":\"sid\"},"
    "\"oauth\":{\"scheme\":\"oauth2\",\"token_url\":\"https://login.test/token\"}},"
    "\"types\":{\"Login\":{\"type\":\"object\",\"properties\":{\"password\":{\"type\":\"string\",\"maxLength\":4},\"pin\":{\"enum\":[1]}}}},"
    "\"operations\":{\"bearer\":{\"get\":\"/a\",\"auth\":\"bearer\"},\"basic\":{\"get\":\"/b\",\"auth\":\"basic\"},\"query\":{\"get\":\"/q\",\"auth\":\"query\"},"
    "\"cookie\":{\"get\":\"/c\",\"auth\":\"cookie\"},\"oauth\":{\"get\":\"/o\",\"auth\":\"oauth\"},\"open\":{\"get\":\"/open\",\"query\":{\"key\":{}}},"
    "\"login\":{\"post\":\"/login\",\"body\":{\"$ref\":\"#/types/Login\"},\"results\":{\"200\":{\"$ref\":\"#/types/Login\"}}},"
    "\"list\":{\"get\":\"/list\",\"pagination\":{\"by\":\"link\"}}}}";

static routable_router *router;
static size_t looked_at;

static void check_hidden(const char *what, const char *text, size_t length)
{
    looked_at++;
    if (text && memmem(text, length, SECRET, strlen(SECRET)))
        fail_msg("%s: expected no secret, got %.*s", what, (int)length, text);
}

/* Checks the message and the JSON of an error without its response, which the service has written.  Frees it. */
static void check_error(const char *what, routable_error *error)
{
    const routable_error *each = error;
    for (; each; each = routable_error_next(each)) {
        const routable_str message = routable_error_message(each);
        routable_string out = ROUTABLE_STRING_INIT;
        check_hidden(what, message.ptr, message.len);
        if (routable_error_response(each))
            continue;
        assert_int_equal(routable_error_to_json(each, &out), ROUTABLE_OK);
        check_hidden(what, out.ptr, out.len);
        routable_string_free(&out);
    }
    routable_error_free(error);
}

static void on_event(const routable_event *event, void *user_data)
{
    (void)user_data;
    check_hidden("event", event->url.ptr, event->url.len);
}

/* A middleware: adds a secret to the request, and receives the outcome. */
static void before(routable_interception *interception, void *user_data)
{
    (void)user_data;
    assert_int_equal(routable_request_set_header(routable_interception_request(interception), "X-Api-Key", ROUTABLE_STR(SECRET), NULL), ROUTABLE_OK);
}

static void after(routable_interception *interception, void *user_data)
{
    const routable_str message = routable_error_message(routable_interception_error(interception));
    (void)user_data;
    check_hidden("error for a middleware", message.ptr, message.len);
}

/* --- Documents and URLs --- */

static void bases_and_documents(void **state)
{
    static const char *const bases[] = { "https://u:" SECRET "@h.test", "https://" SECRET "@h.test/v1", "http://u:" SECRET "@h:port/", "http://u:" SECRET "@h h/",
        "http://u:" SECRET "@[::1", "ftp://u:" SECRET "@h/" };
    static const char *const documents[] = { "{\"routable\":1,\"base\":\"https://u:" SECRET "@h\"}", "{\"routable\":1,\"x-a\":\"" SECRET, "{\"routable\":1,\"password\":\"" SECRET "\"}",
        "{\"routable\":1,\"deadline\":\"" SECRET "\"}", "{\"routable\":1,\"headers\":{\"Authorization\":\"" SECRET "\\n\"}}",
        "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"servers\":[{\"url\":\"https://u:" SECRET "@h\"}],\"paths\":{}}",
        "{\"routable\":1,\"auth\":{\"o\":{\"scheme\":\"oauth2\",\"token_url\":\"https://u:" SECRET "@h\"}}}" };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof bases / sizeof *bases; i++) {
        routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
        routable_client_options client_options = ROUTABLE_CLIENT_OPTIONS_INIT;
        routable_call call = ROUTABLE_CALL_INIT;
        routable_router *opened = NULL;
        routable_client *client = NULL;
        routable_request *request = NULL;
        routable_error *error = NULL;
        options.base = client_options.base = client_options.proxy = call.base = bases[i];
        call.operation = "open";
        assert_int_not_equal(routable_router_open(description, ROUTABLE_NUL_TERMINATED, &options, &opened, &error), ROUTABLE_OK);
        check_error("base of open", error);
        error = NULL;
        assert_int_not_equal(routable_client_new(&client_options, &client, &error), ROUTABLE_OK);
        check_error("base of a client", error);
        error = NULL;
        assert_int_not_equal(routable_request_new(router, &call, &request, &error), ROUTABLE_OK);
        check_error("base of a call", error);
    }
    for (i = 0; i < sizeof documents / sizeof *documents; i++) {
        routable_router *opened = NULL;
        routable_error *error = NULL;
        (void)!routable_router_open(documents[i], ROUTABLE_NUL_TERMINATED, NULL, &opened, &error);
        check_error("document", error);
        routable_router_free(opened);
    }
}

static void bodies_and_calls(void **state)
{
    static const char *const calls[] = { "{\"operation\":\"login\",\"body\":{\"password\":\"" SECRET "\"}}", "{\"operation\":\"login\",\"body\":{\"pin\":\"" SECRET "\"}}",
        "{\"operation\":\"login\",\"body\":\"" SECRET "\"}", "{\"operation\":\"login\",\"body\":{\"password\":\"" SECRET, "{\"operation\":\"login\",\"body_base64\":\"" SECRET "!\"}",
        "{\"operation\":\"open\",\"headers\":{\"Authorization\":\"" SECRET "\\n\"}}", "{\"operation\":\"open\",\"cookies\":{\"a\":\"" SECRET "\"}}",
        "{\"operation\":\"open\",\"base\":\"http://u:" SECRET "@h\"}" };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof calls / sizeof *calls; i++) {
        routable_request *request = NULL;
        routable_error *error = NULL;
        (void)!routable_request_new_json(router, calls[i], ROUTABLE_NUL_TERMINATED, &request, &error);
        check_error("call", error);
        routable_request_free(request);
    }
}

/* --- Transfers --- */

static void perform_with(const char *scheme, routable_credential credential, const char *operation, int32_t http_status, const char *name, const char *value)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    const routable_header own = { ROUTABLE_STR("X-Team-Key"), ROUTABLE_STR(SECRET) };
    const routable_header answer = { routable_str_from(name), routable_str_from(value) };
    const routable_origin_header of_origin = { "https://api.test", ROUTABLE_STR("X-Origin-Key"), ROUTABLE_STR(SECRET) };
    routable_middleware middleware = ROUTABLE_MIDDLEWARE_INIT;
    routable_responses *responses = NULL;
    routable_canned canned = ROUTABLE_CANNED_INIT;
    routable_reply reply = ROUTABLE_REPLY_INIT;
    routable_client *client = NULL;
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_string line = ROUTABLE_STRING_INIT;
    char call[64];
    snprintf(call, sizeof call, "{\"operation\":\"%s\"}", operation);
    assert_int_equal(routable_responses_new(&responses, NULL), ROUTABLE_OK);
    reply.http_status = http_status;
    reply.headers = &answer;
    reply.header_count = 1;
    reply.body = ROUTABLE_STR("{\"access_token\":\"" SECRET "\\n\",\"error\":\"invalid\"}");
    canned.reply = &reply;
    canned.times = ROUTABLE_NONE;
    assert_int_equal(routable_responses_add(responses, &canned, NULL), ROUTABLE_OK);
    options.transport = routable_responses_answer;
    options.transport_user_data = responses;
    options.headers = &own;
    options.header_count = 1;
    options.origin_headers = &of_origin;
    options.origin_header_count = 1;
    options.query = "key=" SECRET;
    assert_int_equal(routable_client_new(&options, &client, NULL), ROUTABLE_OK);
    middleware.before = before;
    middleware.after = after;
    assert_int_equal(routable_client_add_middleware(client, &middleware, NULL), ROUTABLE_OK);
    assert_int_equal(routable_client_set_hook(client, on_event, NULL, NULL, NULL), ROUTABLE_OK);
    if (scheme) {
        credential.scheme = scheme;
        (void)!routable_client_set_credential(client, &credential, &error);
        check_error("credential", error);
        error = NULL;
    }
    assert_int_equal(routable_request_new_json(router, call, ROUTABLE_NUL_TERMINATED, &request, NULL), ROUTABLE_OK);
    if (routable_client_to_curl(client, request, 0, &line, &error) == ROUTABLE_OK)
        check_hidden("curl", line.ptr, line.len);
    routable_string_free(&line);
    check_error("curl", error);
    error = NULL;
    (void)!routable_client_perform(client, request, &response, &error);
    check_error(operation, error);
    routable_response_free(response);
    routable_request_free(request);
    routable_client_free(client);
    routable_responses_free(responses);
}

static void credentials_and_peers(void **state)
{
    static const int32_t statuses[] = { 200, 400, 401, 500 };
    routable_credential token = ROUTABLE_CREDENTIAL_INIT, broken = ROUTABLE_CREDENTIAL_INIT, password = ROUTABLE_CREDENTIAL_INIT, client = ROUTABLE_CREDENTIAL_INIT;
    size_t i;
    (void)state;
    token.token = ROUTABLE_STR(SECRET);
    broken.token = ROUTABLE_STR(SECRET "; admin=1\r\n");
    password.user = ROUTABLE_STR("u");
    password.password = ROUTABLE_STR(SECRET);
    client.client_id = ROUTABLE_STR("c");
    client.client_secret = ROUTABLE_STR(SECRET);
    for (i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        perform_with("bearer", token, "bearer", statuses[i], "WWW-Authenticate", "Bearer realm=\"" SECRET "\"");
        perform_with("bearer", broken, "bearer", statuses[i], "A", "b");
        perform_with("basic", password, "basic", statuses[i], "Set-Cookie", "sid=" SECRET);
        perform_with("query", token, "query", statuses[i], "A", "b");
        perform_with("query", broken, "query", statuses[i], "A", "b");
        perform_with("cookie", token, "cookie", statuses[i], "A", "b");
        perform_with("cookie", broken, "cookie", statuses[i], "A", "b");
        perform_with("oauth", client, "oauth", statuses[i], "A", "b");
    }
    perform_with("query", token, "query", 302, "Location", "/v1/q");
    perform_with("query", token, "query", 302, "Location", "https://u:" SECRET "@other.test/");
    perform_with("query", token, "query", 302, "Location", "https://other.test/?key=" SECRET);
    perform_with(NULL, token, "open", 302, "Location", "ftp://u:" SECRET "@other.test/");
    client.token_url = "https://u:" SECRET "@login.test/";
    perform_with("oauth", client, "oauth", 200, "A", "b");
    token.origin = "https://u:" SECRET "@h.test";
    perform_with("bearer", token, "bearer", 200, "A", "b");
}

/* Options that are refused, or whose service does not exist. */
static void sessions(void **state)
{
    static const char cookies[] = "secret-cookies.txt";
    static const char *const lines[] = { "sid=" SECRET "\n", "127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t" SECRET "\n", "127.0.0.1\tFALSE\t/\tFALSE\tx\tsid\t" SECRET "\n" };
    const routable_header broken = { ROUTABLE_STR("X-Team-Key"), ROUTABLE_STR(SECRET "\n") };
    const routable_origin_header origins[] = { { "https://u:" SECRET "@api.test", ROUTABLE_STR("A"), ROUTABLE_STR("b") },
        { "https://api.test", ROUTABLE_STR("A"), ROUTABLE_STR(SECRET "\n") }, { "https://api.test", ROUTABLE_STR("A B"), ROUTABLE_STR(SECRET) } };
    routable_request *request = NULL;
    size_t i;
    (void)state;
    assert_int_equal(routable_request_new_json(router, "{\"operation\":\"open\",\"base\":\"http://127.0.0.1:1\"}", ROUTABLE_NUL_TERMINATED, &request, NULL), ROUTABLE_OK);
    for (i = 0; i < 9; i++) {
        routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
        routable_client *client = NULL;
        routable_error *error = NULL;
        routable_string line = ROUTABLE_STRING_INIT;
        options.deadline_ms = 5000;
        if (i < 3) {
            FILE *const file = fopen(cookies, "w");
            assert_non_null(file);
            fprintf(file, "# Netscape HTTP Cookie File\n%s", lines[i]);
            fclose(file);
            options.cookie_file = cookies;
        } else if (i < 6) {
            options.origin_headers = &origins[i - 3];
            options.origin_header_count = 1;
        } else if (i == 6) {
            options.headers = &broken;
            options.header_count = 1;
        } else {
            options.query = i == 7 ? "key=" SECRET " x" : "key=" SECRET;
            options.unix_socket = "/nobody/serves/this";
        }
        if (routable_client_new(&options, &client, &error) == ROUTABLE_OK) {
            if (routable_client_to_curl(client, request, 0, &line, &error) == ROUTABLE_OK)
                check_hidden("curl", line.ptr, line.len);
            routable_string_free(&line);
            assert_int_not_equal(routable_client_perform(client, request, NULL, &error), ROUTABLE_OK);
        }
        check_error("session", error);
        routable_client_free(client);
    }
    routable_request_free(request);
    remove(cookies);
}

static void links(void **state)
{
    static const char *const values[] = { "<https://u:" SECRET "@other.test/>; rel=next", "<https://other.test/?key=" SECRET ">; rel=next", "<http://u:" SECRET "@[/>; rel=next" };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof values / sizeof *values; i++) {
        const routable_header header = { ROUTABLE_STR("Link"), routable_str_from(values[i]) };
        routable_request *request = NULL, *next = NULL;
        routable_response *response = NULL;
        routable_pages *pages = NULL;
        routable_error *error = NULL;
        assert_int_equal(routable_request_new_json(router, "{\"operation\":\"list\"}", ROUTABLE_NUL_TERMINATED, &request, NULL), ROUTABLE_OK);
        assert_int_equal(routable_pages_new(NULL, request, NULL, &pages, NULL), ROUTABLE_OK);
        assert_int_equal(routable_pages_follow(pages, NULL, &next, NULL), ROUTABLE_OK);
        routable_request_free(next);
        assert_int_equal(routable_response_map(router, NULL, "list", 200, &header, 1, ROUTABLE_STR("[1]"), &response, NULL), ROUTABLE_OK);
        assert_int_not_equal(routable_pages_follow(pages, response, &next, &error), ROUTABLE_OK);
        check_error("link", error);
        routable_response_free(response);
        routable_pages_free(pages);
        routable_request_free(request);
    }
}

static int open_router(void **state)
{
    (void)state;
    return routable_router_open(description, ROUTABLE_NUL_TERMINATED, NULL, &router, NULL) != ROUTABLE_OK;
}

static int close_router(void **state)
{
    (void)state;
    routable_router_free(router);
    print_message("%zu texts\n", looked_at);
    return 0;
}

/* --- Responses --- */

/* The response of an error keeps its headers; the error as JSON masks the secret ones. */
static void headers_of_an_error(void **state)
{
    const routable_header headers[] = { { routable_str_from("set-cookie"), routable_str_from("sid=" SECRET) }, { routable_str_from("X-Id"), routable_str_from("7") } };
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_string json = ROUTABLE_STRING_INIT;
    (void)state;
    assert_int_equal(routable_response_map(router, NULL, "open", 404, headers, 2, ROUTABLE_STR(""), &response, &error), ROUTABLE_ERR_HTTP_STATUS);
    check_text("response", routable_response_header(routable_error_response(error), "Set-Cookie"), "sid=" SECRET);
    assert_int_equal(routable_error_to_json(error, &json), ROUTABLE_OK);
    check_hidden("error as JSON", json.ptr, json.len);
    assert_non_null(strstr(json.ptr, "[[\"set-cookie\",\"***\"],[\"X-Id\",\"7\"]]"));
    routable_string_free(&json);
    routable_error_free(error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bases_and_documents),
        cmocka_unit_test(bodies_and_calls),
        cmocka_unit_test(credentials_and_peers),
        cmocka_unit_test(sessions),
        cmocka_unit_test(links),
        cmocka_unit_test(headers_of_an_error),
    };
    return cmocka_run_group_tests(tests, open_router, close_router);
}
