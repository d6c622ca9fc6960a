/* Each grant of OAuth 2 against two providers, authlib and django-oauth-toolkit (A5); skipped if they are not installed. */
#include "support.h"

static service both;
static const char *const names[] = { "authlib", "django" };

static const char user_document[] =
    "{\"routable\":1,\"operations\":{\"place\":{\"get\":\"/{name}\"},\"last\":{\"get\":\"/{name}/last\"},"
    "\"agree\":{\"get\":\"/{name}/agree\",\"query\":{\"url\":{}}},\"enter\":{\"get\":\"/{name}/enter\",\"query\":{\"code\":{}}}}}";
static routable_router *user;
static routable_client *browser;

/* A provider, and a description of its service. */
typedef struct provider {
    const char *name;
    routable_router *api;
    routable_client *client;
    char issuer[256], token_url[256], device_url[256];
} provider;

static routable_client *client_of(const routable_router *owner)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *made = NULL;
    routable_error *error = NULL;
    options.deadline_ms = patience(30000);
    options.router = owner;
    check_status("client", routable_client_new(&options, &made, &error), ROUTABLE_OK, error);
    return made;
}

static int start(void **state)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_error *error = NULL;
    (void)state;
    service_start(&both, "Tests/service/oauth_service.py");
    options.base = both.base;
    check_status("user", routable_router_open(user_document, ROUTABLE_NUL_TERMINATED, &options, &user, &error), ROUTABLE_OK, error);
    browser = client_of(user);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    routable_client_free(browser);
    routable_router_free(user);
    service_stop(&both);
    return 0;
}

/* Requests an action of the user of the providers, and copies the string at `pointer` of the response; "" without one. */
static int ask(const char *name, const char *operation, const char *key, const char *value, const char *pointer, char *out, size_t size)
{
    routable_call call = ROUTABLE_CALL_INIT;
    routable_argument id = { NULL, routable_value_string(name) };
    routable_argument query = { key, routable_value_string(value ? value : "") };
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_json_values *json = NULL;
    routable_error *error = NULL;
    routable_str text;
    int found = 0;
    call.operation = operation;
    call.ids = &id;
    call.id_count = 1;
    call.query = &query;
    call.query_count = key ? 1 : 0;
    check_status(operation, routable_request_new(user, &call, &request, &error), ROUTABLE_OK, error);
    if (routable_client_perform(browser, request, &response, NULL) == ROUTABLE_OK &&
        routable_response_json_value(response, &json, NULL) == ROUTABLE_OK) {
        text = routable_json_string(json, routable_json_at(json, routable_str_from(pointer)));
        snprintf(out, size, "%.*s", (int)text.len, text.ptr);
        found = 1;
    }
    routable_json_values_free(json);
    routable_response_free(response);
    routable_request_free(request);
    return found;
}

static const char *last(const provider *it, const char *pointer)
{
    static char kept[4][512];
    static size_t next;
    char *const place = kept[next++ % 4];
    assert_true(ask(it->name, "last", NULL, NULL, pointer, place, sizeof kept[0]));
    return place;
}

static provider open_provider(const char *name)
{
    static const char document[] = "{\"routable\":1,\"auth\":{\"service\":{\"scheme\":\"oauth2\",\"scope\":\"read\",\"default\":true}},"
                                   "\"operations\":{\"me\":{\"get\":\"/me\"}}}";
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_error *error = NULL;
    provider it = { name, NULL, NULL, "", "", "" };
    char base[256];
    if (!ask(name, "place", NULL, NULL, "/base", base, sizeof base))
        skip();
    ask(name, "place", NULL, NULL, "/issuer", it.issuer, sizeof it.issuer);
    ask(name, "place", NULL, NULL, "/token_url", it.token_url, sizeof it.token_url);
    ask(name, "place", NULL, NULL, "/device_url", it.device_url, sizeof it.device_url);
    options.base = base;
    check_status("api", routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &it.api, &error), ROUTABLE_OK, error);
    it.client = client_of(it.api);
    return it;
}

static void close_provider(provider *it)
{
    routable_client_free(it->client);
    routable_router_free(it->api);
}

/* Calls `me` with the credential of the client: the response has the name of the user, or the call fails with `expected`. */
static void check_me(const provider *it, routable_status expected)
{
    routable_request *const request = build(it->api, "{\"operation\":\"me\"}");
    routable_response *response = NULL;
    routable_error *error = NULL;
    check_status(it->name, routable_client_perform(it->client, request, &response, &error), expected, error);
    if (expected == ROUTABLE_OK)
        assert_non_null(strstr(routable_response_body(response).ptr, "\"ann\""));
    else
        assert_non_null(strstr(routable_error_message(error).ptr, "invalid_"));
    routable_error_free(error);
    routable_response_free(response);
    routable_request_free(request);
}

static void set(const provider *it, const routable_credential *credential)
{
    routable_error *error = NULL;
    check_status(it->name, routable_client_set_credential(it->client, credential, &error), ROUTABLE_OK, error);
}

/* The client id for a grant, because the toolkit allows only one grant for each client. */
static routable_str identity(const provider *it, const char *of_toolkit)
{
    return routable_str_from(strcmp(it->name, "authlib") == 0 ? "app" : of_toolkit);
}

static routable_credential credential_of(const provider *it)
{
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    credential.scheme = "service";
    credential.token_url = it->token_url;
    return credential;
}

static void client_credentials(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        provider it = open_provider(names[i]);
        for (uint32_t in_body = 0; in_body < 2; in_body++) {
            routable_credential credential = credential_of(&it);
            credential.client_id = ROUTABLE_STR("robot");
            credential.client_secret = ROUTABLE_STR("robot-secret");
            credential.flags = in_body ? ROUTABLE_CREDENTIAL_SECRET_IN_BODY : 0;
            set(&it, &credential);
            check_me(&it, ROUTABLE_OK);
            assert_string_equal(last(&it, "/grant_type"), "client_credentials");
            assert_string_equal(last(&it, "/client_secret"), in_body ? "robot-secret" : "");
        }
        close_provider(&it);
    }
}

static void tell(const routable_tokens *tokens, void *user_data)
{
    *(int *)user_data += tokens->has_rotated ? 1 : 100;
}

/* The password grant, and the refresh token that it returns; the service rotates it, and no longer accepts the old one. */
static void password_and_rotation(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        provider it = open_provider(names[i]);
        routable_credential credential = credential_of(&it);
        routable_string token = ROUTABLE_STRING_INIT, first = ROUTABLE_STRING_INIT, second = ROUTABLE_STRING_INIT;
        routable_error *error = NULL;
        int told = 0;
        credential.user = ROUTABLE_STR("ann");
        credential.password = ROUTABLE_STR("pass word");
        credential.client_id = identity(&it, "app-password");
        set(&it, &credential);
        check_me(&it, ROUTABLE_OK);
        assert_string_equal(last(&it, "/grant_type"), "password");
        check_status("tokens", routable_client_tokens(it.client, "service", &token, &first, &error), ROUTABLE_OK, error);
        routable_string_free(&token);
        credential.user = credential.password = ROUTABLE_STR("");
        credential.token = ROUTABLE_STR("expired");
        credential.refresh_token = routable_str_from(first.ptr);
        credential.refreshed = tell;
        credential.user_data = &told;
        set(&it, &credential);
        check_me(&it, ROUTABLE_OK);
        assert_string_equal(last(&it, "/refresh_token"), first.ptr);
        assert_int_equal(told, 1);
        check_status("tokens", routable_client_tokens(it.client, "service", &token, &second, &error), ROUTABLE_OK, error);
        assert_string_not_equal(first.ptr, second.ptr);
        credential.refresh_token = ROUTABLE_STR("no-such-refresh-token");
        set(&it, &credential);
        check_me(&it, ROUTABLE_ERR_CREDENTIAL);
        routable_string_free(&token);
        routable_string_free(&first);
        routable_string_free(&second);
        close_provider(&it);
    }
}

static routable_login *login_of(const provider *it, routable_str client_id)
{
    routable_login_options options = ROUTABLE_LOGIN_OPTIONS_INIT;
    routable_login *login = NULL;
    routable_error *error = NULL;
    options.scheme = "service";
    options.client_id = client_id;
    options.issuer = it->issuer;
    options.redirect_url = "http://127.0.0.1:8765/callback";
    options.device_url = it->device_url;
    check_status(it->name, routable_login_new(it->client, &options, &login, &error), ROUTABLE_OK, error);
    return login;
}

static void authorization_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        provider it = open_provider(names[i]);
        routable_login *const login = login_of(&it, ROUTABLE_STR("app"));
        routable_string url = ROUTABLE_STRING_INIT;
        routable_error *error = NULL;
        char redirected[2048];
        check_status("begin", routable_login_begin(login, &url, &error), ROUTABLE_OK, error);
        assert_true(ask(it.name, "agree", "url", url.ptr, "/location", redirected, sizeof redirected));
        check_status("finish", routable_login_finish(login, routable_str_from(redirected), &error), ROUTABLE_OK, error);
        assert_int_equal(strlen(last(&it, "/code_verifier")), 43);
        check_me(&it, ROUTABLE_OK);
        routable_string_free(&url);
        routable_login_free(login);
        close_provider(&it);
    }
}

static void device(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        provider it = open_provider(names[i]);
        routable_login *const login = login_of(&it, identity(&it, "app-device"));
        routable_device_code code = ROUTABLE_DEVICE_CODE_INIT;
        routable_error *error = NULL;
        routable_status status;
        int64_t wait = 0;
        char none[8];
        int asked = 0;
        check_status("device", routable_login_begin_device(login, &code, &error), ROUTABLE_OK, error);
        assert_true(ask(it.name, "enter", "code", code.user_code.ptr, "", none, sizeof none));
        while ((status = routable_login_poll(login, &wait, &error)) == ROUTABLE_IDLE && asked++ < 100)
            usleep((useconds_t)wait * 1000 + 1000);
        check_status("poll", status, ROUTABLE_OK, error);
        check_me(&it, ROUTABLE_OK);
        routable_login_free(login);
        close_provider(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(client_credentials), cmocka_unit_test(password_and_rotation),
        cmocka_unit_test(authorization_code), cmocka_unit_test(device) };
    return cmocka_run_group_tests(tests, start, stop);
}
