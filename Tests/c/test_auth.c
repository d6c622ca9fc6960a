/* Credentials: sent as their scheme specifies, refreshed once for all waiting requests, and never sent to other origins (A5,
 * L8). */
#include "auth_gate.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>

static const char document[] =
    "{\"routable\":1,\"auth\":{"
    "\"bearer\":{\"scheme\":\"bearer\"},\"basic\":{\"scheme\":\"basic\"},"
    "\"token\":{\"scheme\":\"bearer\",\"word\":\"Token\"},"
    "\"header\":{\"scheme\":\"key\",\"name\":\"X-Shop\"},\"query\":{\"scheme\":\"key\",\"in\":\"query\",\"name\":\"the key\"},"
    "\"cookie\":{\"scheme\":\"key\",\"in\":\"cookie\",\"name\":\"sid\"},"
    "\"oauth\":{\"scheme\":\"oauth2\",\"scope\":\"read write\"},"
    "\"session\":{\"scheme\":\"bearer\",\"refresh\":\"renew\",\"token\":\"/auth/token\",\"expires_in\":\"/auth/seconds\"},"
    "\"custom\":{\"scheme\":\"custom\"}},"
    "\"resources\":{\"thing\":{\"path\":\"echo\",\"can\":[\"list\",\"read\"],\"auth\":\"bearer\","
    "\"operations\":{\"list\":{\"auth\":false}}}},"
    "\"operations\":{"
    "\"bearer\":{\"get\":\"/echo/bearer\",\"auth\":\"bearer\"},\"basic\":{\"get\":\"/echo/basic\",\"auth\":\"basic\"},"
    "\"token\":{\"get\":\"/echo/token\",\"auth\":\"token\"},"
    "\"header\":{\"get\":\"/echo/header\",\"auth\":\"header\"},\"query\":{\"get\":\"/echo/query\",\"auth\":\"query\",\"query\":{\"a\":{}}},"
    "\"cookie\":{\"get\":\"/echo/cookie\",\"auth\":\"cookie\",\"cookie\":{\"other\":{}}},"
    "\"both\":{\"get\":\"/echo/both\",\"auth\":[[\"header\",\"basic\"],\"cookie\"]},"
    "\"maybe\":{\"get\":\"/echo/maybe\",\"auth\":[\"bearer\",[]]},\"custom\":{\"post\":\"/echo/custom\",\"auth\":\"custom\",\"body\":{}},"
    "\"secret\":{\"get\":\"/secret/{realm}\",\"auth\":[\"oauth\"]},\"moved\":{\"get\":\"/moved/{realm}\",\"auth\":\"oauth\"},"
    "\"private\":{\"get\":\"/secret/{realm}/private\",\"auth\":\"session\"},\"renew\":{\"post\":\"/session/s\",\"body\":{}},"
    "\"away\":{\"get\":\"/redirect\",\"query\":{\"to\":{}},\"auth\":[[\"header\",\"bearer\"]]},"
    "\"revoke\":{\"post\":\"/revoke/{realm}\"},\"count\":{\"get\":\"/count/{realm}\"}}}";

static int start(void **state)
{
    (void)state;
    return start_gate(document);
}

static routable_client *new_client(void) { return client_of(NULL); }

static void set(routable_client *client, const routable_credential *credential)
{
    routable_error *error = NULL;
    check_status(credential->scheme, routable_client_set_credential(client, credential, &error), ROUTABLE_OK, error);
}

static routable_credential token_of(const char *scheme, const char *token)
{
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    credential.scheme = scheme;
    credential.token = routable_str_from(token);
    return credential;
}

/* Performs the call, and returns the body, or the message of the error with its status. */
static char *perform_with(routable_client *client, const char *call, const routable_policy *policy, routable_status expected)
{
    routable_request *const request = build(router, call);
    routable_response *response = NULL;
    routable_error *error = NULL;
    static char kept[8][4096];
    static size_t next;
    char *const place = kept[next++ % 8];
    const routable_status status = routable_client_perform_with(client, request, policy, &response, &error);
    check_status(call, status, expected, error);
    snprintf(place, sizeof kept[0], "%s", status == ROUTABLE_OK ? routable_response_body(response).ptr : routable_error_message(error).ptr);
    routable_response_free(response);
    routable_error_free(error);
    routable_request_free(request);
    return place;
}

static char *perform(routable_client *client, const char *call) { return perform_with(client, call, NULL, ROUTABLE_OK); }

/* A header that /echo received, or "none". */
static const char *echoed(const char *body, const char *header)
{
    static char kept[4][512];
    static size_t next;
    char *const place = kept[next++ % 4];
    json_t *const root = json_loads(body, 0, NULL);
    const char *const value = json_string_value(json_object_get(json_object_get(root, "headers"), header));
    snprintf(place, sizeof kept[0], "%s", value ? value : "none");
    json_decref(root);
    return place;
}

static const char *target(const char *body)
{
    static char place[512];
    json_t *const root = json_loads(body, 0, NULL);
    snprintf(place, sizeof place, "%s", json_string_value(json_object_get(root, "target")));
    json_decref(root);
    return place;
}

static int count_of(routable_client *client, const char *realm, const char *what)
{
    char call[128];
    json_t *root;
    int count;
    snprintf(call, sizeof call, "{\"operation\":\"count\",\"ids\":[\"%s\"]}", realm);
    root = json_loads(perform(client, call), 0, NULL);
    count = (int)json_integer_value(json_object_get(root, what));
    json_decref(root);
    return count;
}

static const char *list_of(routable_client *client, const char *realm, const char *what)
{
    static char place[512];
    char call[128];
    json_t *root, *item;
    size_t i;
    snprintf(call, sizeof call, "{\"operation\":\"count\",\"ids\":[\"%s\"]}", realm);
    root = json_loads(perform(client, call), 0, NULL);
    place[0] = '\0';
    json_array_foreach(json_object_get(root, what), i, item) {
        strcat(place, i ? "; " : "");
        strcat(place, json_string_value(item));
    }
    json_decref(root);
    return place;
}

/* --- Locations of credentials --- */

static void places(void **state)
{
    routable_client *const client = new_client();
    routable_credential basic = ROUTABLE_CREDENTIAL_INIT, credential;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    char *body;
    (void)state;
    basic.scheme = "basic";
    basic.user = routable_str_from("Aladdin");
    basic.password = routable_str_from("open sesame");
    set(client, &basic);
    assert_string_equal(echoed(perform(client, "{\"operation\":\"basic\"}"), "authorization"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    credential = token_of("bearer", "t 1");
    set(client, &credential);
    assert_string_equal(echoed(perform(client, "{\"operation\":\"bearer\"}"), "authorization"), "Bearer t 1");
    credential = token_of("token", "t2");
    set(client, &credential);
    assert_string_equal(echoed(perform(client, "{\"operation\":\"token\"}"), "authorization"), "Token t2");
    credential = token_of("header", "k1");
    set(client, &credential);
    assert_string_equal(echoed(perform(client, "{\"operation\":\"header\"}"), "x-shop"), "k1");
    credential = token_of("query", "a&b=c#d");
    set(client, &credential);
    assert_string_equal(target(perform(client, "{\"operation\":\"query\"}")), "/echo/query?the%20key=a%26b%3Dc%23d");
    assert_string_equal(target(perform(client, "{\"operation\":\"query\",\"query\":{\"a\":\"1\"}}")), "/echo/query?a=1&the%20key=a%26b%3Dc%23d");
    credential = token_of("cookie", "s1");
    set(client, &credential);
    assert_string_equal(echoed(perform(client, "{\"operation\":\"cookie\"}"), "cookie"), "sid=s1");
    assert_string_equal(echoed(perform(client, "{\"operation\":\"cookie\",\"cookies\":{\"other\":\"x\"}}"), "cookie"), "other=x; sid=s1");
    /* all credentials of an alternative; the first complete alternative */
    body = perform(client, "{\"operation\":\"both\"}");
    assert_string_equal(echoed(body, "x-shop"), "k1");
    assert_string_equal(echoed(body, "authorization"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    assert_string_equal(echoed(body, "cookie"), "none");
    routable_client_remove_credential(client, "basic");
    body = perform(client, "{\"operation\":\"both\"}");
    assert_string_equal(echoed(body, "x-shop"), "none");
    assert_string_equal(echoed(body, "cookie"), "sid=s1");
    /* the credential of a resource, but not for an operation or a request that opts out */
    assert_string_equal(echoed(perform(client, "{\"route\":\"thing\",\"operation\":\"read\",\"ids\":[\"1\"]}"), "authorization"), "Bearer t 1");
    assert_string_equal(echoed(perform(client, "{\"route\":\"thing\",\"operation\":\"list\"}"), "authorization"), "none");
    policy.flags = ROUTABLE_POLICY_NO_AUTH;
    assert_string_equal(echoed(perform_with(client, "{\"operation\":\"bearer\"}", &policy, ROUTABLE_OK), "authorization"), "none");
    /* another credential for one request, and the request's own header */
    policy = (routable_policy)ROUTABLE_POLICY_INIT;
    credential = token_of("bearer", "own");
    policy.credential = &credential;
    assert_string_equal(echoed(perform_with(client, "{\"operation\":\"bearer\"}", &policy, ROUTABLE_OK), "authorization"), "Bearer own");
    assert_string_equal(
        echoed(perform(client, "{\"operation\":\"bearer\",\"headers\":{\"Authorization\":\"Mine 1\"}}"), "authorization"), "Mine 1");
    assert_string_equal(echoed(perform(client, "{\"operation\":\"bearer\"}"), "authorization"), "Bearer t 1");
    routable_client_free(client);
}

/* ROUTABLE_CLIENT_NO_AUTH, and a netrc file, which is read only on request. */
static void no_credentials_and_netrc(void **state)
{
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_credential credential = token_of("bearer", "t 1");
    routable_client *client;
    char folder[256], path[300];
    int file;
    static const char lines[] = "machine 127.0.0.1 login ann password pw\nmachine other.test login x password y\n";
    (void)state;
    options.flags = ROUTABLE_CLIENT_NO_AUTH;
    options.router = router;
    assert_int_equal(routable_client_new(&options, &client, NULL), ROUTABLE_OK);
    set(client, &credential);
    assert_string_equal(echoed(perform(client, "{\"operation\":\"bearer\"}"), "authorization"), "none");
    credential = token_of("bearer", "own");
    policy.credential = &credential;
    assert_string_equal(echoed(perform_with(client, "{\"operation\":\"bearer\"}", &policy, ROUTABLE_OK), "authorization"), "Bearer own");
    routable_client_free(client);

    assert_true(make_folder(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/netrc", folder);
    file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_int_equal(write(file, lines, sizeof lines - 1), (ssize_t)sizeof lines - 1);
    close(file);
    options = (routable_client_options)ROUTABLE_CLIENT_OPTIONS_INIT;
    options.netrc_file = path;
    assert_int_equal(routable_client_new(&options, &client, NULL), ROUTABLE_OK);
    assert_string_equal(
        echoed(perform(client, "{\"route\":\"thing\",\"operation\":\"list\"}"), "authorization"), "Basic YW5uOnB3");
    assert_string_equal(
        echoed(perform(client, "{\"route\":\"thing\",\"operation\":\"list\",\"headers\":{\"Authorization\":\"Mine 1\"}}"),
            "authorization"), "Mine 1");
    routable_client_free(client);
    client = new_client();
    assert_string_equal(echoed(perform(client, "{\"route\":\"thing\",\"operation\":\"list\"}"), "authorization"), "none");
    routable_client_free(client);
    unlink(path);
    rmdir(folder);
}

static void l8_missing(void **state)
{
    routable_client *const client = new_client();
    routable_request *const request = build(router, "{\"operation\":\"both\"}");
    routable_transfer *transfer = NULL;
    routable_error *error = NULL;
    routable_credential empty = ROUTABLE_CREDENTIAL_INIT;
    routable_credential credential;
    (void)state;
    check_status("submit", routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, &error), ROUTABLE_ERR_CREDENTIAL, error);
    assert_null(transfer);
    check_allowed("both", error, "basic cookie header");
    check_text("both", routable_error_operation(error), "both");
    check_contains("both", routable_error_message(error), "no credential is set");
    routable_error_free(error);
    error = NULL;
    credential = token_of("headr", "a"); /* a misspelled name */
    check_status("set", routable_client_set_credential(client, &credential, NULL), ROUTABLE_OK, NULL);
    check_status("submit", routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfer, &error), ROUTABLE_ERR_CREDENTIAL, error);
    check_contains("both", routable_error_message(error), "; it has: headr");
    routable_error_free(error);
    routable_request_free(request);
    perform_with(client, "{\"operation\":\"secret\",\"ids\":[\"l8\"]}", NULL, ROUTABLE_ERR_CREDENTIAL);
    assert_int_equal(count_of(client, "l8", "refused"), 0); /* nothing was sent */
    assert_string_equal(echoed(perform(client, "{\"operation\":\"maybe\"}"), "authorization"), "none");
    /* values that cannot be a credential */
    empty.scheme = "bearer";
    check_status("empty", routable_client_set_credential(client, &empty, &error), ROUTABLE_ERR_ARGUMENT, error);
    check_text("scheme", routable_error_parameter(error), "bearer");
    routable_error_free(error);
    empty.token = routable_str_from("a\r\nX: y");
    check_status("header", routable_client_set_credential(client, &empty, &error), ROUTABLE_ERR_ARGUMENT, error);
    assert_null(strstr(routable_error_message(error).ptr, "X: y"));
    routable_error_free(error);
    empty = token_of("bearer", "t");
    empty.token_url = "ftp://h/token";
    check_status("URL", routable_client_set_credential(client, &empty, &error), ROUTABLE_ERR_URL, error);
    routable_error_free(error);
    routable_client_free(client);
}

static void kept_from_others(void **state)
{
    service other;
    routable_client *const client = new_client();
    routable_credential credential = token_of("header", "k1");
    char call[256], *body;
    (void)state;
    service_start(&other, "Tests/service/auth_service.py");
    set(client, &credential);
    credential = token_of("bearer", "t1");
    set(client, &credential);
    snprintf(call, sizeof call, "{\"operation\":\"away\",\"query\":{\"to\":\"%s/echo\"}}", gate.base);
    body = perform(client, call);
    assert_string_equal(echoed(body, "x-shop"), "k1");
    assert_string_equal(echoed(body, "authorization"), "Bearer t1");
    snprintf(call, sizeof call, "{\"operation\":\"away\",\"query\":{\"to\":\"%s/echo\"}}", other.base);
    body = perform(client, call);
    assert_string_equal(echoed(body, "x-shop"), "none");
    assert_string_equal(echoed(body, "authorization"), "none");
    /* a header that the host sets is also a secret */
    routable_client_remove_credential(client, "header");
    snprintf(call, sizeof call, "{\"operation\":\"away\",\"query\":{\"to\":\"%s/echo\"},\"headers\":{\"X-Shop\":\"mine\"}}", other.base);
    assert_string_equal(echoed(perform(client, call), "x-shop"), "none");
    /* a credential with an origin is not sent to any other origin */
    credential = token_of("bearer", "t1");
    credential.origin = "https://api.example.com";
    set(client, &credential);
    body = perform_with(client, "{\"operation\":\"bearer\"}", NULL, ROUTABLE_ERR_CREDENTIAL);
    assert_non_null(strstr(body, "for api.example.com:443, but the request is sent to 127.0.0.1:"));
    credential.origin = gate.base;
    set(client, &credential);
    assert_string_equal(echoed(perform(client, "{\"operation\":\"bearer\"}"), "authorization"), "Bearer t1");
    routable_client_free(client);
    service_stop(&other);
}

static void nothing_is_told(void **state)
{
    routable_client *const client = new_client();
    routable_credential credential = token_of("query", "TOPSECRET");
    routable_request *const request = build(router, "{\"operation\":\"query\",\"query\":{\"a\":\"1\"}}");
    routable_response *response = NULL;
    routable_string text = { NULL, 0 };
    routable_error *error = NULL;
    char expected[128];
    (void)state;
    set(client, &credential);
    check_status("perform", routable_client_perform(client, request, &response, &error), ROUTABLE_OK, error);
    snprintf(expected, sizeof expected, "%s/echo/query?a=1", gate.base);
    check_text("url", routable_response_url(response), expected);
    routable_response_free(response);
    routable_request_free(request);
    credential = token_of("bearer", "TOPSECRET");
    set(client, &credential);
    assert_null(strstr(perform_with(client, "{\"operation\":\"bearer\",\"base\":\"http://127.0.0.1:1\"}", NULL, ROUTABLE_ERR_TRANSFER), "TOPSECRET"));
    check_status("tokens", routable_client_tokens(client, "bearer", &text, NULL, &error), ROUTABLE_OK, error);
    assert_string_equal(text.ptr, "TOPSECRET");
    routable_string_free(&text);
    check_status("tokens", routable_client_tokens(client, "other", &text, NULL, &error), ROUTABLE_ERR_UNKNOWN, error);
    routable_error_free(error);
    routable_client_free(client);
}

/* --- Refresh (A5) --- */

static routable_credential oauth(const char *realm, const char *query, const char *token)
{
    static char url[4][256];
    static size_t next;
    char *const place = url[next++ % 4];
    routable_credential credential = token_of("oauth", token);
    snprintf(place, sizeof url[0], "%s/token/%s?%s", gate.base, realm, query);
    credential.token_url = place;
    credential.client_id = routable_str_from("me & you");
    credential.client_secret = routable_str_from("s:1");
    return credential;
}

static void a5_first_token(void **state)
{
    routable_client *const client = new_client();
    routable_credential credential = oauth("first", "life=3600", "");
    routable_string token = { NULL, 0 }, refresh = { NULL, 0 };
    (void)state;
    set(client, &credential);
    perform(client, "{\"operation\":\"secret\",\"ids\":[\"first\"]}");
    perform(client, "{\"operation\":\"secret\",\"ids\":[\"first\"]}");
    assert_int_equal(count_of(client, "first", "refreshes"), 1);
    assert_int_equal(count_of(client, "first", "refused"), 0); /* refreshed before it was sent */
    assert_string_equal(list_of(client, "first", "grants"), "grant_type=client_credentials scope=read write");
    assert_string_equal(list_of(client, "first", "clients"), "me%20%26%20you:s%3A1");
    /* a refresh token that the service rotates; the secret in the body */
    credential = oauth("rotate", "rotate&life=0.2", "");
    credential.refresh_token = routable_str_from("r0");
    credential.flags = ROUTABLE_CREDENTIAL_SECRET_IN_BODY;
    credential.scope = "all";
    set(client, &credential);
    perform(client, "{\"operation\":\"secret\",\"ids\":[\"rotate\"]}");
    while (count_of(client, "rotate", "refreshes") < 2) /* until the token expires */
        perform(client, "{\"operation\":\"secret\",\"ids\":[\"rotate\"]}");
    assert_int_equal(count_of(client, "rotate", "refused"), 0);
    assert_string_equal(list_of(client, "rotate", "grants"),
        "grant_type=refresh_token refresh_token=r0 scope=all; grant_type=refresh_token refresh_token=rotate-r2 scope=all");
    assert_string_equal(list_of(client, "rotate", "clients"), "me & you:s:1 in body; me & you:s:1 in body");
    assert_int_equal(routable_client_tokens(client, "oauth", &token, &refresh, NULL), ROUTABLE_OK);
    assert_string_equal(token.ptr, "rotate-3");
    assert_string_equal(refresh.ptr, "rotate-r3");
    routable_string_free(&token);
    routable_string_free(&refresh);
    routable_client_free(client);
}

static void a5_refused_then_refreshed(void **state)
{
    routable_client *const client = new_client();
    routable_credential credential = oauth("old", "", "expired");
    (void)state;
    set(client, &credential);
    perform(client, "{\"operation\":\"secret\",\"ids\":[\"old\"]}");
    assert_int_equal(count_of(client, "old", "refreshes"), 1);
    assert_int_equal(count_of(client, "old", "refused"), 1);
    perform(client, "{\"operation\":\"revoke\",\"ids\":[\"old\"]}");
    perform(client, "{\"operation\":\"moved\",\"ids\":[\"old\"]}"); /* after a redirect within the same origin */
    assert_int_equal(count_of(client, "old", "refreshes"), 2);
    assert_int_equal(count_of(client, "old", "served"), 2);
    /* the token cannot be refreshed: the response is the outcome */
    credential = token_of("oauth", "static");
    set(client, &credential);
    perform_with(client, "{\"operation\":\"secret\",\"ids\":[\"old\"]}", NULL, ROUTABLE_ERR_HTTP_STATUS);
    assert_int_equal(count_of(client, "old", "refreshes"), 2);
    routable_client_free(client);
}

static void a5_by_an_operation(void **state)
{
    routable_client *const client = new_client();
    routable_credential credential = token_of("session", "");
    (void)state;
    credential.refresh_body = routable_str_from("{\"user\":\"u\",\"password\":\"p\"}");
    set(client, &credential);
    perform(client, "{\"operation\":\"private\",\"ids\":[\"s\"]}");
    perform(client, "{\"operation\":\"revoke\",\"ids\":[\"s\"]}");
    perform(client, "{\"operation\":\"private\",\"ids\":[\"s\"]}");
    assert_string_equal(list_of(client, "s", "grants"),
        "{\"password\": \"p\", \"user\": \"u\"}; {\"password\": \"p\", \"user\": \"u\"}");
    /* a refusal is remembered: there is no further attempt until the credential is replaced */
    credential.refresh_body = routable_str_from("{\"user\":\"u\",\"password\":\"wrong\"}");
    set(client, &credential);
    assert_non_null(strstr(perform_with(client, "{\"operation\":\"private\",\"ids\":[\"s\"]}", NULL, ROUTABLE_ERR_CREDENTIAL), "responded with 403: wrong"));
    assert_non_null(strstr(perform_with(client, "{\"operation\":\"private\",\"ids\":[\"s\"]}", NULL, ROUTABLE_ERR_CREDENTIAL), "responded with 403: wrong"));
    assert_int_equal(count_of(client, "s", "refreshes"), 3);
    credential.refresh_body = routable_str_from("{\"user\":\"u\",\"password\":\"p\"}");
    set(client, &credential);
    perform(client, "{\"operation\":\"private\",\"ids\":[\"s\"]}");
    assert_int_equal(count_of(client, "s", "refreshes"), 4);
    routable_client_free(client);
}

static void a5_failed_refresh(void **state)
{
    routable_client *const client = new_client();
    routable_credential credential = oauth("failed", "status=400&error=invalid_grant", "");
    routable_error *error = NULL;
    routable_response *response = NULL;
    routable_request *const request = build(router, "{\"operation\":\"secret\",\"ids\":[\"failed\"]}");
    int i;
    (void)state;
    set(client, &credential);
    for (i = 0; i < 3; i++) {
        check_status("failed", routable_client_perform(client, request, &response, &error), ROUTABLE_ERR_CREDENTIAL, error);
        check_text("failed", routable_error_message(error), "the credential \"oauth\" could not be refreshed: the service responded with 400: invalid_grant");
        check_text("failed", routable_error_parameter(error), "oauth");
        assert_int_equal(routable_error_http_status(error), 400);
        routable_error_free(error);
    }
    assert_int_equal(count_of(client, "failed", "refreshes"), 1);
    /* after a 503, the next request tries again */
    credential = oauth("down", "status=503", "");
    set(client, &credential);
    for (i = 0; i < 2; i++)
        perform_with(client, "{\"operation\":\"secret\",\"ids\":[\"down\"]}", NULL, ROUTABLE_ERR_CREDENTIAL);
    assert_int_equal(count_of(client, "down", "refreshes"), 2);
    credential = oauth("down", "", "");
    credential.token_url = "http://127.0.0.1:1/token";
    set(client, &credential);
    check_status("refused", routable_client_perform(client, request, &response, &error), ROUTABLE_ERR_CREDENTIAL, error);
    assert_int_equal(routable_error_curl_code(error), 7);
    assert_int_equal(routable_error_status(routable_error_next(error)), ROUTABLE_ERR_TRANSFER);
    routable_error_free(error);
    routable_request_free(request);
    routable_client_free(client);
}

static void a5_excessive(void **state)
{
    routable_client *const client = new_client();
    routable_credential credential = oauth("liar", "stale", "x");
    char *message;
    (void)state;
    set(client, &credential);
    message = perform_with(client, "{\"operation\":\"secret\",\"ids\":[\"liar\"]}", NULL, ROUTABLE_ERR_EXCESSIVE_REFRESH);
    assert_string_equal(message, "the credential \"oauth\" was refreshed 5 times in 30 s, and requires another refresh");
    assert_int_equal(count_of(client, "liar", "refreshes"), 5);
    assert_int_equal(count_of(client, "liar", "refused"), 6);
    routable_client_free(client);
}

enum { STORM = 100 };

/* A hundred concurrent requests: each gets a 401, one refresh takes place, and all succeed. */
static void a5_storm(void **state)
{
    routable_client *const client = new_client();
    routable_credential credential = oauth("storm", "after=50", "");
    routable_request *const request = build(router, "{\"operation\":\"secret\",\"ids\":[\"storm\"]}");
    routable_completion ended[STORM];
    routable_error *error = NULL;
    size_t count, i, served = 0;
    int round;
    (void)state;
    set(client, &credential);
    for (round = 1; round <= 3; round++) {
        for (i = 0; i < STORM; i++)
            check_status("submit", routable_client_submit(client, request, NULL, NULL, NULL, NULL, NULL, &error), ROUTABLE_OK, error);
        for (served = 0; served < STORM;) {
            check_status("take", routable_client_next_many(client, 20000, ended, STORM, &count, &error), ROUTABLE_OK, error);
            for (i = 0; i < count; i++) {
                assert_int_equal(ended[i].status, ROUTABLE_OK);
                routable_transfer_free(ended[i].transfer);
            }
            served += count;
        }
        assert_int_equal(count_of(client, "storm", "refreshes"), round);
        assert_int_equal(count_of(client, "storm", "served"), round * STORM);
        perform(client, "{\"operation\":\"revoke\",\"ids\":[\"storm\"]}");
    }
    assert_int_equal(routable_client_next(client, 0, &ended[0].transfer, NULL), ROUTABLE_IDLE);
    routable_request_free(request);
    routable_client_free(client);
}

static void *perform_one(void *argument)
{
    routable_request *const request = build(router, "{\"operation\":\"secret\",\"ids\":[\"threads\"]}");
    routable_response *response = NULL;
    routable_status *const status = malloc(sizeof *status);
    *status = routable_client_perform(argument, request, &response, NULL);
    routable_response_free(response);
    routable_request_free(request);
    return status;
}

/* The same with blocking threads, while other threads drive the client. */
static void a5_storm_of_threads(void **state)
{
    enum { THREADS = 32, SUBMITTED = 32 };
    routable_client *const client = new_client();
    routable_credential credential = oauth("threads", "after=50", "");
    routable_request *const request = build(router, "{\"operation\":\"secret\",\"ids\":[\"threads\"]}");
    pthread_t threads[THREADS];
    routable_transfer *transfers[SUBMITTED];
    routable_error *error = NULL;
    int i, round;
    (void)state;
    set(client, &credential);
    for (round = 1; round <= 3; round++) {
        for (i = 0; i < SUBMITTED; i++)
            check_status("submit", routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfers[i], &error), ROUTABLE_OK, error);
        for (i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, perform_one, client), 0);
        for (i = 0; i < THREADS; i++) {
            void *status;
            pthread_join(threads[i], &status);
            assert_int_equal(*(routable_status *)status, ROUTABLE_OK);
            free(status);
        }
        for (i = 0; i < SUBMITTED; i++) {
            check_status("wait", routable_transfer_wait(transfers[i], 20000, &error), ROUTABLE_OK, error);
            routable_transfer_free(transfers[i]);
        }
        assert_int_equal(count_of(client, "threads", "refreshes"), round);
        assert_int_equal(count_of(client, "threads", "served"), round * (THREADS + SUBMITTED));
        perform(client, "{\"operation\":\"revoke\",\"ids\":[\"threads\"]}");
    }
    routable_request_free(request);
    routable_client_free(client);
}

/* --- Functions of the host --- */

typedef struct host {
    int calls, released;
    const char *token;        /* NULL: the function fails */
    routable_refresh *kept;   /* to be finished later */
    int keeps;
    char old[64];
} host;

static void refresh(routable_refresh *it, void *user_data)
{
    host *const me = user_data;
    me->calls++;
    check_text("scheme", routable_refresh_scheme(it), "oauth");
    snprintf(me->old, sizeof me->old, "%s", routable_refresh_token(it).ptr);
    if (me->keeps)
        me->kept = it;
    else if (me->token)
        assert_int_equal(routable_refresh_finish(it, routable_str_from(me->token), 0, NULL), ROUTABLE_OK);
    else
        routable_refresh_fail(it, routable_str_from("nobody\nat home"));
}

static void released(void *user_data) { ((host *)user_data)->released++; }

static void host_refreshes(void **state)
{
    routable_client *const client = new_client();
    routable_credential credential = token_of("oauth", "x");
    routable_request *const request = build(router, "{\"operation\":\"secret\",\"ids\":[\"host\"]}");
    routable_transfer *transfers[3];
    routable_error *error = NULL;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    size_t pending = 0;
    host me = { 0, 0, "host-1", NULL, 0, "" };
    int i;
    (void)state;
    credential.refresh = refresh;
    credential.user_data = &me;
    credential.release = released;
    set(client, &credential);
    perform(client, "{\"operation\":\"secret\",\"ids\":[\"host\"]}");
    assert_int_equal(me.calls, 1);
    assert_string_equal(me.old, "x");
    /* the refresh fails, and the failure is remembered */
    perform(client, "{\"operation\":\"revoke\",\"ids\":[\"host\"]}");
    me.token = NULL;
    for (i = 0; i < 2; i++)
        assert_string_equal(perform_with(client, "{\"operation\":\"secret\",\"ids\":[\"host\"]}", NULL, ROUTABLE_ERR_CREDENTIAL),
            "the credential \"oauth\" could not be refreshed: nobody?at home");
    assert_int_equal(me.calls, 2);
    assert_int_equal(me.released, 0);
    set(client, &credential); /* releases the first credential, which has the same user data */
    assert_int_equal(me.released, 1);
    /* finished later; one of the waiting transfers is cancelled, and the deadline of another one passes first */
    me.keeps = 1;
    for (i = 0; i < 3; i++) {
        policy.deadline_ms = i == 1 ? 100 : 0;
        check_status("submit", routable_client_submit(client, request, &policy, NULL, NULL, NULL, &transfers[i], &error), ROUTABLE_OK, error);
    }
    assert_int_equal(routable_transfer_wait(transfers[1], 20000, &error), ROUTABLE_OK);
    assert_int_equal(routable_transfer_result(transfers[1], NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(me.calls, 3);
    assert_non_null(me.kept);
    assert_int_equal(routable_transfer_cancel(transfers[2]), 1);
    assert_int_equal(routable_transfer_wait(transfers[0], 50, NULL), ROUTABLE_PENDING);
    assert_int_equal(routable_refresh_finish(me.kept, routable_str_from(""), 0, &error), ROUTABLE_ERR_ARGUMENT);
    routable_error_free(error);
    assert_int_equal(routable_transfer_wait(transfers[0], 20000, NULL), ROUTABLE_OK);
    for (i = 0; i < 3; i++) {
        routable_response *response = NULL;
        const routable_status status = routable_transfer_result(transfers[i], &response, NULL);
        assert_int_equal(status, i == 0 ? ROUTABLE_ERR_CREDENTIAL : i == 1 ? ROUTABLE_ERR_TIMEOUT : ROUTABLE_CANCELLED);
        routable_transfer_free(transfers[i]);
    }
    check_status("drive", routable_client_drive(client, 0, &pending, &error), ROUTABLE_OK, error);
    assert_int_equal(pending, 0);
    /* the client is freed while the refresh is pending; it is finished afterwards */
    set(client, &credential);
    me.kept = NULL;
    check_status("submit", routable_client_submit(client, request, NULL, NULL, NULL, NULL, &transfers[0], &error), ROUTABLE_OK, error);
    while (!me.kept)
        check_status("drive", routable_client_drive(client, 100, &pending, &error), ROUTABLE_OK, error);
    routable_client_free(client);
    assert_int_equal(routable_transfer_wait(transfers[0], 0, NULL), ROUTABLE_CANCELLED);
    routable_transfer_free(transfers[0]);
    assert_int_equal(routable_refresh_finish(me.kept, routable_str_from("late"), 0, NULL), ROUTABLE_OK);
    assert_int_equal(me.released, 3);
    routable_request_free(request);
}

static routable_status sign(routable_signing *it, void *user_data)
{
    char text[512];
    host *const me = user_data;
    me->calls++;
    snprintf(text, sizeof text, "%s %s %s %s", routable_signing_method(it).ptr, strrchr(routable_signing_url(it).ptr, '/'),
        routable_signing_body(it).ptr, routable_signing_header(it, "content-type").ptr);
    if (!me->token)
        return ROUTABLE_ERR_FILE;
    assert_int_equal(routable_signing_set_header(it, "X-Bad\n", routable_str_from(text), NULL), ROUTABLE_ERR_HEADER);
    return routable_signing_set_header(it, "X-Signature", routable_str_from(text), NULL);
}

static void host_signs(void **state)
{
    routable_client *const client = new_client();
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    host me = { 0, 0, "", NULL, 0, "" };
    (void)state;
    credential.scheme = "custom";
    credential.sign = sign;
    credential.user_data = &me;
    credential.release = released;
    set(client, &credential);
    assert_string_equal(echoed(perform(client, "{\"operation\":\"custom\",\"body\":[1]}"), "x-signature"), "POST /custom [1] application/json");
    me.token = NULL;
    assert_string_equal(perform_with(client, "{\"operation\":\"custom\",\"body\":[1]}", NULL, ROUTABLE_ERR_CALLBACK),
        "the function sign failed with file");
    assert_int_equal(me.calls, 2);
    routable_client_free(client);
    assert_int_equal(me.released, 1);
}

static void count_release(void *user_data) { ++*(int *)user_data; }

/* The credential of a policy is released once by each function that received it, also if the function fails immediately. */
static void released_by_a_call_that_fails(void **state)
{
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_response *response = NULL;
    routable_stream *stream = NULL;
    int released = 0;
    (void)state;
    credential.scheme = "bearer";
    credential.token = routable_str_from("x");
    credential.user_data = &released;
    credential.release = count_release;
    policy.credential = &credential;
    assert_int_equal(routable_client_perform_with(NULL, NULL, &policy, &response, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(released, 1);
    assert_int_equal(routable_client_submit(NULL, NULL, &policy, NULL, NULL, NULL, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(released, 2);
    assert_int_equal(routable_client_submit_many(NULL, NULL, 1, &policy, NULL, NULL, NULL, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(released, 3);
    assert_int_equal(routable_stream_open(NULL, NULL, NULL, &policy, &stream, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(released, 4);
    assert_int_equal(routable_pages_next(NULL, &policy, &response, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(released, 5);
    policy.flags = 1u << 31;
    assert_int_equal(routable_client_perform_with(NULL, NULL, &policy, &response, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(released, 6);
}

static void null_arguments(void **state)
{
    (void)state;
    assert_int_equal(routable_client_set_credential(NULL, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    routable_client_remove_credential(NULL, NULL);
    assert_int_equal(routable_client_tokens(NULL, NULL, NULL, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_refresh_finish(NULL, routable_str_from("x"), 0, NULL), ROUTABLE_ERR_ARGUMENT);
    routable_refresh_fail(NULL, routable_str_from("x"));
    assert_string_equal(routable_refresh_scheme(NULL).ptr, "");
    assert_string_equal(routable_signing_url(NULL).ptr, "");
    assert_int_equal(routable_signing_set_header(NULL, "a", routable_str_from("x"), NULL), ROUTABLE_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(no_credentials_and_netrc),
        cmocka_unit_test(l8_missing),
        cmocka_unit_test(kept_from_others),
        cmocka_unit_test(nothing_is_told),
        cmocka_unit_test(a5_first_token),
        cmocka_unit_test(a5_refused_then_refreshed),
        cmocka_unit_test(a5_by_an_operation),
        cmocka_unit_test(a5_failed_refresh),
        cmocka_unit_test(a5_excessive),
        cmocka_unit_test(a5_storm),
        cmocka_unit_test(a5_storm_of_threads),
        cmocka_unit_test(host_refreshes),
        cmocka_unit_test(host_signs),
        cmocka_unit_test(released_by_a_call_that_fails),
        cmocka_unit_test(null_arguments),
    };
    return cmocka_run_group_tests_name("auth", tests, start, stop);
}
