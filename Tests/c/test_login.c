/* OAuth 2 logins in a browser and with a code, the password grant, and the responses that reject a token (A5). */
#include "auth_gate.h"

#include <poll.h>

static const char document[] =
    "{\"routable\":1,\"auth\":{"
    "\"oauth\":{\"scheme\":\"oauth2\",\"scope\":\"read write\",\"audience\":\"api\"},"
    "\"strict\":{\"scheme\":\"oauth2\",\"refresh_on\":[403,{\"status\":400,\"at\":\"/error/code\",\"is\":\"expired\"}]},"
    "\"word\":{\"scheme\":\"key\",\"name\":\"X-Key\",\"word\":\"Token\"}},"
    "\"operations\":{\"secret\":{\"get\":\"/secret/{realm}\",\"auth\":\"oauth\"},"
    "\"strict\":{\"get\":\"/secret/{realm}/strict\",\"query\":{\"reject\":{},\"code\":{}},\"auth\":\"strict\"},"
    "\"word\":{\"get\":\"/echo/word\",\"auth\":\"word\"},"
    "\"count\":{\"get\":\"/count/{realm}\"}}}";

static int start(void **state)
{
    (void)state;
    return start_gate(document);
}

static routable_client *new_client(void) { return client_of(router); }

/* The body of a call, or the message of its error; valid until the fourth call after this one. */
static const char *perform(routable_client *client, const char *call, routable_status expected)
{
    routable_request *const request = build(router, call);
    routable_response *response = NULL;
    routable_error *error = NULL;
    static char kept[4][4096];
    static size_t next;
    char *const place = kept[next++ % 4];
    const routable_status status = routable_client_perform(client, request, &response, &error);
    check_status(call, status, expected, error);
    snprintf(place, sizeof kept[0], "%s", status == ROUTABLE_OK ? routable_response_body(response).ptr : routable_error_message(error).ptr);
    routable_response_free(response);
    routable_error_free(error);
    routable_request_free(request);
    return place;
}

static const char *url_of(const char *path)
{
    static char kept[4][256];
    static size_t next;
    char *const place = kept[next++ % 4];
    snprintf(place, sizeof kept[0], "%s%s", gate.base, path);
    return place;
}

static routable_login *new_login(routable_client *client, const char *issuer)
{
    routable_login_options options = ROUTABLE_LOGIN_OPTIONS_INIT;
    routable_login *login = NULL;
    routable_error *error = NULL;
    options.scheme = "oauth";
    options.client_id = ROUTABLE_STR("app");
    options.redirect_url = "http://127.0.0.1:1/done";
    options.issuer = issuer;
    check_status("login", routable_login_new(client, &options, &login, &error), ROUTABLE_OK, error);
    return login;
}

/* The value of a parameter of a query. */
static const char *parameter(const char *url, const char *name)
{
    static char kept[4][256];
    static size_t next;
    char *const place = kept[next++ % 4];
    const char *found = strstr(url, name);
    size_t length = 0;
    assert_non_null(found);
    found += strlen(name) + 1;
    while (found[length] && found[length] != '&')
        length++;
    snprintf(place, sizeof kept[0], "%.*s", (int)length, found);
    return place;
}

static void browser(void **state)
{
    routable_client *const client = new_client();
    routable_login *const login = new_login(client, url_of("/issuer/browser"));
    routable_string url = ROUTABLE_STRING_INIT, again = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    char redirected[512];
    (void)state;
    check_status("begin", routable_login_begin(login, &again, &error), ROUTABLE_OK, error);
    check_status("begin", routable_login_begin(login, &url, &error), ROUTABLE_OK, error);
    assert_string_not_equal(url.ptr, again.ptr);
    assert_int_equal(strlen(parameter(url.ptr, "state")), 43);
    assert_int_equal(strlen(parameter(url.ptr, "code_challenge")), 43);
    assert_string_equal(parameter(url.ptr, "code_challenge_method"), "S256");
    assert_string_equal(parameter(url.ptr, "redirect_uri"), "http%3A%2F%2F127.0.0.1%3A1%2Fdone");
    assert_string_equal(parameter(url.ptr, "scope"), "read%20write");
    assert_string_equal(parameter(url.ptr, "audience"), "api");
    /* The state of an earlier login, no state, and a state with the same beginning. */
    snprintf(redirected, sizeof redirected, "http://127.0.0.1:1/done?code=c&state=%s", parameter(again.ptr, "state"));
    check_status("state", routable_login_finish(login, routable_str_from(redirected), &error), ROUTABLE_ERR_CREDENTIAL, error);
    routable_error_free(error);
    check_status("state", routable_login_finish(login, ROUTABLE_STR("code=c"), &error), ROUTABLE_ERR_CREDENTIAL, error);
    routable_error_free(error);
    snprintf(redirected, sizeof redirected, "code=c&state=%.10s", parameter(url.ptr, "state"));
    check_status("state", routable_login_finish(login, routable_str_from(redirected), &error), ROUTABLE_ERR_CREDENTIAL, error);
    routable_error_free(error);
    error = NULL;
    snprintf(redirected, sizeof redirected, "http://127.0.0.1:1/done?code=c%%2F1&state=%s#x", parameter(url.ptr, "state"));
    check_status("finish", routable_login_finish(login, routable_str_from(redirected), &error), ROUTABLE_OK, error);
    assert_string_equal(perform(client, "{\"operation\":\"secret\",\"ids\":{\"realm\":\"browser\"}}", ROUTABLE_OK), "{\"name\": \"a\"}");
    assert_non_null(strstr(perform(client, "{\"operation\":\"count\",\"ids\":{\"realm\":\"browser\"}}", ROUTABLE_OK), "code=c/1 code_verifier="));
    check_status("used", routable_login_finish(login, routable_str_from(redirected), &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    routable_string_free(&url);
    routable_string_free(&again);
    routable_login_free(login);
    routable_client_free(client);
}

static void device(void **state)
{
    routable_client *const client = new_client();
    routable_login *const login = new_login(client, url_of("/issuer/device"));
    routable_device_code shown = ROUTABLE_DEVICE_CODE_INIT;
    routable_error *error = NULL;
    routable_status status;
    int64_t wait = 0;
    int polls = 0;
    (void)state;
    check_status("poll", routable_login_poll(login, NULL, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    error = NULL;
    check_status("device", routable_login_begin_device(login, &shown, &error), ROUTABLE_OK, error);
    assert_string_equal(shown.user_code.ptr, "ABCD-EFGH");
    assert_string_equal(shown.url.ptr, url_of("/activate"));
    assert_int_equal(shown.interval_ms, 1000);
    assert_int_equal(shown.expires_in_ms, 60000);
    assert_int_equal(shown.complete_url.len, 0);
    while ((status = routable_login_poll(login, &wait, &error)) == ROUTABLE_IDLE) {
        polls++;
        assert_true(wait > 0 && wait <= 1000);
        poll(NULL, 0, (int)wait);
    }
    check_status("poll", status, ROUTABLE_OK, error);
    assert_int_equal(polls, 2); /* too early, and pending */
    perform(client, "{\"operation\":\"secret\",\"ids\":{\"realm\":\"device\"}}", ROUTABLE_OK);
    routable_login_free(login);
    routable_client_free(client);
}

static void metadata_of_another_issuer(void **state)
{
    routable_client *const client = new_client();
    routable_login_options options = ROUTABLE_LOGIN_OPTIONS_INIT;
    routable_login *login = NULL;
    routable_error *error = NULL;
    static const struct { const char *issuer; routable_status status; } cases[] = {
        { "/issuer/a/../b", ROUTABLE_ERR_CREDENTIAL }, { "/nothing", ROUTABLE_ERR_CREDENTIAL }, { "/issuer?a=b", ROUTABLE_ERR_URL },
    };
    size_t index;
    (void)state;
    options.scheme = "oauth";
    options.client_id = ROUTABLE_STR("app");
    for (index = 0; index < sizeof cases / sizeof *cases; index++) {
        options.issuer = url_of(cases[index].issuer);
        check_status(cases[index].issuer, routable_login_new(client, &options, &login, &error), cases[index].status, error);
        routable_error_free(error);
        error = NULL;
    }
    options.issuer = NULL;
    options.flags = ROUTABLE_LOGIN_DISCOVER;
    check_status("none", routable_login_new(client, &options, &login, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    routable_client_free(client);
}

static char told[512];

static void tell(const routable_tokens *tokens, void *user_data)
{
    snprintf(told, sizeof told, "%.*s %.*s %.*s %d %d", (int)tokens->scheme.len, tokens->scheme.ptr, (int)tokens->token.len,
        tokens->token.ptr, (int)tokens->refresh_token.len, tokens->refresh_token.ptr, (int)tokens->has_rotated, *(int *)user_data);
}

static void password(void **state)
{
    routable_client *const client = new_client();
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_error *error = NULL;
    int number = 7;
    (void)state;
    credential.scheme = "oauth";
    credential.user = ROUTABLE_STR("ann");
    credential.password = ROUTABLE_STR("the pass");
    credential.client_id = ROUTABLE_STR("app");
    credential.resource = "https://api.example/";
    credential.refreshed = tell;
    credential.user_data = &number;
    /* Without a token endpoint, nothing is sent. */
    check_status("set", routable_client_set_credential(client, &credential, &error), ROUTABLE_OK, error);
    assert_non_null(strstr(perform(client, "{\"operation\":\"secret\",\"ids\":{\"realm\":\"pass\"}}", ROUTABLE_ERR_CREDENTIAL), "set token_url"));
    credential.token_url = url_of("/token/pass?rotate&life=3600");
    check_status("set", routable_client_set_credential(client, &credential, &error), ROUTABLE_OK, error);
    perform(client, "{\"operation\":\"secret\",\"ids\":{\"realm\":\"pass\"}}", ROUTABLE_OK);
    assert_string_equal(told, "oauth pass-2 pass-r2 1 7");
    assert_non_null(strstr(perform(client, "{\"operation\":\"count\",\"ids\":{\"realm\":\"pass\"}}", ROUTABLE_OK),
        "audience=api grant_type=password password=the pass resource=https://api.example/ scope=read write username=ann"));
    routable_client_free(client);
}

static void failed_refresh_has_the_response(void **state)
{
    routable_client *const client = new_client();
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_request *const request = build(router, "{\"operation\":\"secret\",\"ids\":{\"realm\":\"failed\"}}");
    routable_error *error = NULL;
    (void)state;
    credential.scheme = "oauth";
    credential.token = ROUTABLE_STR("old");
    credential.refresh_token = ROUTABLE_STR("the-refresh-token");
    /* The response contains the strings of the request. */
    credential.token_url = url_of("/token/failed?status=400&error=the-refresh-token");
    check_status("set", routable_client_set_credential(client, &credential, &error), ROUTABLE_OK, error);
    check_status("perform", routable_client_perform(client, request, NULL, &error), ROUTABLE_ERR_CREDENTIAL, error);
    assert_non_null(routable_error_response(error));
    assert_int_equal(routable_response_status(routable_error_response(error)), 400);
    assert_string_equal(routable_response_body(routable_error_response(error)).ptr, "{\"error\": \"***\"}");
    routable_error_free(error);
    routable_request_free(request);
    routable_client_free(client);
}

static void rejections(void **state)
{
    static const struct { const char *query; int refreshes; routable_status status; } cases[] = {
        { "\"reject\":\"403\"", 1, ROUTABLE_OK },
        { "\"reject\":\"400\",\"code\":\"expired\"", 1, ROUTABLE_OK },
        { "\"reject\":\"400\",\"code\":\"other\"", 0, ROUTABLE_ERR_HTTP_STATUS },
        { "\"reject\":\"400\"", 0, ROUTABLE_ERR_HTTP_STATUS },
        { "\"reject\":\"401\"", 0, ROUTABLE_ERR_HTTP_STATUS },
    };
    size_t index;
    (void)state;
    for (index = 0; index < sizeof cases / sizeof *cases; index++) {
        routable_client *const client = new_client();
        routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
        routable_error *error = NULL;
        char call[256], path[64], counted[32];
        credential.scheme = "strict";
        credential.token = ROUTABLE_STR("old");
        credential.client_id = ROUTABLE_STR("app");
        snprintf(path, sizeof path, "/token/rejected-%d", (int)index);
        credential.token_url = url_of(path);
        check_status("set", routable_client_set_credential(client, &credential, &error), ROUTABLE_OK, error);
        snprintf(call, sizeof call, "{\"operation\":\"strict\",\"ids\":{\"realm\":\"rejected-%d\"},\"query\":{%s}}", (int)index, cases[index].query);
        perform(client, call, cases[index].status);
        snprintf(call, sizeof call, "{\"operation\":\"count\",\"ids\":{\"realm\":\"rejected-%d\"}}", (int)index);
        snprintf(counted, sizeof counted, "\"refreshes\": %d,", cases[index].refreshes);
        if (!strstr(perform(client, call, ROUTABLE_OK), counted))
            fail_msg("%s: %d refreshes are expected: %s", cases[index].query, cases[index].refreshes, perform(client, call, ROUTABLE_OK));
        routable_client_free(client);
    }
}

static void word_of_a_key(void **state)
{
    routable_client *const client = new_client();
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_error *error = NULL;
    (void)state;
    credential.scheme = "word";
    credential.token = ROUTABLE_STR("abc");
    check_status("set", routable_client_set_credential(client, &credential, &error), ROUTABLE_OK, error);
    assert_non_null(strstr(perform(client, "{\"operation\":\"word\"}", ROUTABLE_OK), "\"x-key\": \"Token abc\""));
    routable_client_free(client);
}

static void null_pointers(void **state)
{
    routable_client *const client = new_client();
    routable_login *const login = new_login(client, NULL);
    routable_login_options options = ROUTABLE_LOGIN_OPTIONS_INIT;
    routable_device_code code = ROUTABLE_DEVICE_CODE_INIT;
    routable_string url = ROUTABLE_STRING_INIT;
    routable_login *made = NULL;
    const routable_str broken = { NULL, 5 };
    (void)state;
    assert_int_equal(routable_login_new(NULL, &options, &made, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_login_new(client, NULL, &made, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_login_new(client, &options, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_login_new(client, &options, &made, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_login_begin(NULL, &url, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_login_begin(login, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_login_begin(login, &url, NULL), ROUTABLE_ERR_ARGUMENT); /* no authorization URL */
    assert_int_equal(routable_login_finish(NULL, ROUTABLE_STR(""), NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_login_finish(login, broken, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_login_begin_device(NULL, &code, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_login_begin_device(login, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    code.size = 0;
    assert_int_equal(routable_login_begin_device(login, &code, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_login_poll(NULL, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_null(made);
    routable_login_free(NULL);
    routable_login_free(login);
    routable_client_free(client);
}

static void documents(void **state)
{
    static const struct { const char *scheme; const char *message; } cases[] = {
        { "{\"scheme\":\"oauth2\",\"refresh_on\":[99]}", "status" },
        { "{\"scheme\":\"oauth2\",\"refresh_on\":[{}]}", "neither" },
        { "{\"scheme\":\"oauth2\",\"refresh_on\":[{\"at\":\"/a\"}]}", "belong together" },
        { "{\"scheme\":\"oauth2\",\"refresh_on\":[{\"at\":\"/a\",\"is\":true}]}", "is" },
        { "{\"scheme\":\"basic\",\"refresh_on\":[403]}", "refresh_on" },
        { "{\"scheme\":\"key\",\"name\":\"k\",\"in\":\"query\",\"word\":\"Token\"}", "header" },
        { "{\"scheme\":\"bearer\",\"device_url\":\"https://a.test\"}", "device_url" },
    };
    size_t index;
    (void)state;
    for (index = 0; index < sizeof cases / sizeof *cases; index++) {
        char text[512];
        routable_router *made = NULL;
        routable_error *error = NULL;
        snprintf(text, sizeof text, "{\"routable\":1,\"auth\":{\"a\":%s}}", cases[index].scheme);
        check_status(text, routable_router_open(text, ROUTABLE_NUL_TERMINATED, NULL, &made, &error), ROUTABLE_ERR_DOCUMENT, error);
        if (!strstr(routable_error_message(error).ptr, cases[index].message))
            fail_msg("%s: got \"%s\", expected \"%s\" in it", text, routable_error_message(error).ptr, cases[index].message);
        routable_error_free(error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(browser), cmocka_unit_test(device), cmocka_unit_test(metadata_of_another_issuer), cmocka_unit_test(password),
        cmocka_unit_test(failed_refresh_has_the_response), cmocka_unit_test(rejections), cmocka_unit_test(word_of_a_key),
        cmocka_unit_test(null_pointers), cmocka_unit_test(documents),
    };
    return cmocka_run_group_tests_name("login", tests, start, stop);
}
