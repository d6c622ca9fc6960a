/* WWW-Authenticate: its parts, and the arguments of a refresh function; functions that set options of libcurl. */
#include "support.h"

#include <curl/curl.h>
#include <routable_credentials.h>
#include <routable_transport.h>

static void parts(void **state)
{
    static const struct {
        const char *header, *scheme, *parameter, *expected;
    } rows[] = {
        { "Bearer realm=\"https://a/t\",service=\"r\", scope=\"repository:x:pull\"", "bearer", "realm", "https://a/t" },
        { "Bearer realm=\"https://a/t\",service=\"r\", scope=\"repository:x:pull\"", "BEARER", "Scope", "repository:x:pull" },
        { "Bearer realm=\"x\"", "bearer", "scope", NULL },
        { "Basic realm=\"a, \\\"b\\\" = c\", charset=UTF-8 , NewAuth p1=1", "basic", "realm", "a, \"b\" = c" },
        { "Basic realm=\"a, \\\"b\\\" = c\", charset=UTF-8 , NewAuth p1=1", "basic", "charset", "UTF-8" },
        { "Basic realm=\"a\", charset=UTF-8 , NewAuth p1=1", "newauth", "p1", "1" },
        { "Basic realm=\"a\", NewAuth p1=1", "basic", "p1", NULL },
        { "Negotiate, Basic realm=x", "negotiate", NULL, "" },
        { "Negotiate, Basic realm=x", "basic", "realm", "x" },
        { "NTLM TlRMTVNT==, Basic realm=x", "ntlm", NULL, "TlRMTVNT==" },
        { "NTLM TlRMTVNT==, Basic realm=x", "basic", "realm", "x" },
        { "Digest REALM = \"x\" , realm=\"y\"", "digest", "realm", "x" },
        { "Bearer realm=\"unterminated", "bearer", "realm", "unterminated" },
        { "", "bearer", NULL, NULL },
        { ", ,", "bearer", NULL, NULL },
        { "\"", "bearer", NULL, NULL },
        { "Basic", "bearer", NULL, NULL },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        routable_string found = ROUTABLE_STRING_INIT;
        const int32_t is_there = routable_challenge_find(routable_str_from(rows[i].header), rows[i].scheme, rows[i].parameter, &found);
        if (is_there != (rows[i].expected != NULL) || (is_there && strcmp(found.ptr, rows[i].expected)))
            fail_msg("%s, %s of %s: got %s, expected %s", rows[i].header, rows[i].parameter ? rows[i].parameter : "-", rows[i].scheme,
                is_there ? found.ptr : "nothing", rows[i].expected ? rows[i].expected : "nothing");
        routable_string_free(&found);
    }
}

static void time_is_linear(void **state)
{
    static char text[200001];
    routable_string found = ROUTABLE_STRING_INIT;
    static const char *const units[] = { "a=\"", "a ", "b=c,", "a=\\", ", ", "A b, " };
    size_t i, j;
    (void)state;
    for (i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t length = strlen(units[i]);
        for (j = 0; j + length < sizeof text; j += length)
            memcpy(text + j, units[i], length);
        text[j] = 0;
        assert_int_equal(routable_challenge_find(routable_str_from(text), "bearer", "realm", &found), 0);
    }
}

struct told {
    char url[100], challenge[200], names[60];
    int count;
};

static void renew(routable_refresh *refresh, void *user_data)
{
    struct told *const told = user_data;
    told->count++;
    snprintf(told->url, sizeof told->url, "%s", routable_refresh_url(refresh).ptr);
    snprintf(told->challenge, sizeof told->challenge, "%s", routable_refresh_challenge(refresh).ptr);
    snprintf(told->names, sizeof told->names, "%s %s", routable_refresh_route(refresh).ptr, routable_refresh_operation(refresh).ptr);
    assert_int_equal(routable_refresh_finish(refresh, routable_str_from("fresh"), 0, NULL), ROUTABLE_OK);
}

static void what_a_refresh_is_told(void **state)
{
    static const char document[] =
        "{\"routable\":1,\"base\":\"https://api.test\",\"auth\":{\"s\":{\"scheme\":\"bearer\",\"default\":true}},"
        "\"resources\":{\"user\":{\"path\":\"users\",\"can\":[\"read\"]}}}";
    int submitted;
    (void)state;
    for (submitted = 0; submitted < 2; submitted++) {
        struct told told = { "", "", "", 0 };
        routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
        routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
        routable_canned canned = ROUTABLE_CANNED_INIT;
        routable_reply reply = ROUTABLE_REPLY_INIT;
        routable_header headers[2];
        routable_responses *responses = NULL;
        routable_router *router = NULL;
        routable_client *client = NULL;
        routable_request *request;
        routable_transfer *transfer = NULL;
        routable_response *response = NULL;
        routable_error *error = NULL;
        check_status("open", routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, &router, &error), ROUTABLE_OK, error);
        assert_int_equal(routable_responses_new(&responses, NULL), ROUTABLE_OK);
        headers[0].name = headers[1].name = routable_str_from("WWW-Authenticate");
        headers[0].value = routable_str_from("Bearer scope=\"a\"");
        headers[1].value = routable_str_from("Basic realm=x");
        reply.http_status = 401;
        reply.headers = headers;
        reply.header_count = 2;
        canned.reply = &reply;
        assert_int_equal(routable_responses_add(responses, &canned, NULL), ROUTABLE_OK);
        canned.reply = NULL;
        assert_int_equal(routable_responses_add(responses, &canned, NULL), ROUTABLE_OK);
        options.transport = routable_responses_answer;
        options.transport_user_data = responses;
        assert_int_equal(routable_client_new(&options, &client, NULL), ROUTABLE_OK);
        credential.scheme = "s";
        credential.token = routable_str_from("old");
        credential.refresh = renew;
        credential.user_data = &told;
        assert_int_equal(routable_client_set_credential(client, &credential, NULL), ROUTABLE_OK);
        request = build(router, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"x\"]}");
        if (submitted) {
            check_status("submit", routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, &error), ROUTABLE_OK, error);
            assert_int_equal(routable_transfer_wait(transfer, -1, NULL), ROUTABLE_OK);
            check_status("result", routable_transfer_result(transfer, &response, &error), ROUTABLE_OK, error);
            routable_transfer_free(transfer);
        } else {
            check_status("perform", routable_client_perform(client, request, NULL, &error), ROUTABLE_OK, error);
        }
        routable_response_free(response);
        assert_int_equal(told.count, 1);
        assert_string_equal(told.url, "https://api.test/users/x");
        assert_string_equal(told.challenge, "Bearer scope=\"a\", Basic realm=x");
        assert_string_equal(told.names, "user read");
        routable_request_free(request);
        routable_client_free(client);
        routable_responses_free(responses);
        routable_router_free(router);
    }
}

static int set_up_count, released;

static routable_status set_up(void *handle, routable_setopt_fn setopt, void *user_data)
{
    CURLcode (*const set)(CURL *, CURLoption, ...) = (CURLcode(*)(CURL *, CURLoption, ...))setopt;
    set_up_count++;
    return set(handle, CURLOPT_REFERER, (const char *)user_data) == CURLE_OK ? ROUTABLE_OK : ROUTABLE_ERR_CALLBACK;
}

static routable_status fails(void *handle, routable_setopt_fn setopt, void *user_data)
{
    (void)handle;
    (void)setopt;
    (void)user_data;
    return ROUTABLE_ERR_CALLBACK;
}

static void release(void *user_data)
{
    (void)user_data;
    released++;
}

static void handles_are_set_up(void **state)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *client = NULL;
    routable_error *error = NULL;
    (void)state;
    options.setup = set_up;
    options.setup_user_data = (void *)"https://from.test/";
    options.setup_release = release;
    check_status("client", routable_client_new(&options, &client, &error), ROUTABLE_OK, error);
    assert_int_equal(set_up_count, 1);
    assert_int_equal(released, 0);
    routable_client_free(client);
    assert_int_equal(released, 1);
    client = NULL;
    options.setup = fails;
    assert_int_equal(routable_client_new(&options, &client, &error), ROUTABLE_ERR_CALLBACK);
    assert_null(client);
    assert_int_equal(released, 2);
    routable_error_free(error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts),
        cmocka_unit_test(time_is_linear),
        cmocka_unit_test(what_a_refresh_is_told),
        cmocka_unit_test(handles_are_set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
