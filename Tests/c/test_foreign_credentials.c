/* A credential belongs to one description and its origins: three descriptions, three services and schemes with the same names, with
 * redirects, links, pages, middleware and bases between them (A9).  Tests/service/origins_service.py checks every request. */
#include "support.h"

enum { COUNT = 3 };
static service services;
static routable_router *apis[COUNT];
static char hosts[COUNT][64];

static char *get(const char *path)
{
    static char body[65536];
    char document[256];
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *client = NULL;
    routable_router *router;
    routable_request *request;
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_str content;
    snprintf(document, sizeof document, "{\"routable\":1,\"base\":\"%s\",\"operations\":{\"get\":{\"get\":\"%s\"}}}", services.base, path);
    router = open_text(document);
    request = build_at(router, "{\"operation\":\"get\"}", __FILE__, __LINE__);
    check_status("client", routable_client_new(&options, &client, &error), ROUTABLE_OK, error);
    check_status(path, routable_client_perform(client, request, &response, &error), ROUTABLE_OK, error);
    content = routable_response_body(response);
    assert_true(content.len < sizeof body);
    memcpy(body, content.ptr, content.len);
    body[content.len] = 0;
    routable_response_free(response);
    routable_request_free(request);
    routable_client_free(client);
    routable_router_free(router);
    return body;
}

static long counted(const char *name)
{
    char key[32];
    const char *found;
    snprintf(key, sizeof key, "\"%s\": ", name);
    found = strstr(get("/verdict"), key);
    assert_non_null(found);
    return atol(found + strlen(key));
}

static int start(void **state)
{
    int number;
    (void)state;
    service_start(&services, "Tests/service/origins_service.py");
    for (number = 0; number < COUNT; number++) {
        char path[32];
        snprintf(path, sizeof path, "/description/%d", number);
        apis[number] = open_text(get(path));
        snprintf(hosts[number], sizeof hosts[number], "%s", text_of(routable_router_base(apis[number])));
    }
    return 0;
}

static int stop(void **state)
{
    int number;
    (void)state;
    for (number = 0; number < COUNT; number++) routable_router_free(apis[number]);
    service_stop(&services);
    return 0;
}

static routable_status sign(routable_signing *signing, void *number)
{
    char secret[32];
    snprintf(secret, sizeof secret, "SECRET-%d-signature", *(const int *)number);
    return routable_signing_set_header(signing, "X-Signature", routable_str_from(secret), NULL);
}

static const char *const schemes[] = { "session", "key", "query", "cookie", "login", "signed", "service" };
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* The way in which the description of a client's credentials is determined. */
typedef enum { BY_CLIENT, BY_CREDENTIAL, BY_FIRST_REQUEST, BY_HEADERS, WAYS } way;

static int performed(routable_client *client, routable_request *request, const routable_policy *policy, const char *what)
{
    routable_error *error = NULL;
    routable_status status = routable_client_perform_with(client, request, policy, NULL, &error);
    if (status != ROUTABLE_OK && status != ROUTABLE_ERR_CREDENTIAL && status != ROUTABLE_ERR_HTTP_STATUS)
        check_status(what, status, ROUTABLE_OK, error);
    if (error && strstr(message_of(error), "SECRET")) fail_msg("%s: %s", what, message_of(error));
    routable_error_free(error);
    routable_request_free(request);
    return status == ROUTABLE_ERR_CREDENTIAL;
}

static routable_request *request_of(int number, const char *operation, int host, int other)
{
    char call[256];
    if (host < 0)
        snprintf(call, sizeof call, "{\"operation\":\"%s\"}", operation);
    else
        snprintf(call, sizeof call, "{\"operation\":\"%s\",\"ids\":{\"host\":%d,\"other\":%d}}", operation, host, other);
    return build_at(apis[number], call, __FILE__, __LINE__);
}

static routable_client *client_of(int number, way how, const char *base)
{
    static int numbers[COUNT] = { 0, 1, 2 };
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_client *client = NULL;
    routable_error *error = NULL;
    routable_header headers[2];
    char secret[32], query[64];
    size_t scheme;
    snprintf(secret, sizeof secret, "SECRET-%d-value", number);
    snprintf(query, sizeof query, "key=%s", secret);
    options.deadline_ms = patience(20000);
    options.base = base;
    if (how == BY_CLIENT || how == BY_HEADERS) options.router = apis[number];
    if (how == BY_CREDENTIAL) options.router = apis[(number + 1) % COUNT];
    headers[0].name = routable_str_from("Authorization");
    headers[1].name = routable_str_from("X-Key");
    headers[0].value = headers[1].value = routable_str_from(secret);
    if (how == BY_HEADERS) {
        options.headers = headers;
        options.header_count = 2;
        options.query = query;
    }
    check_status("client", routable_client_new(&options, &client, &error), ROUTABLE_OK, error);
    for (scheme = 0; scheme < SCHEMES && how != BY_HEADERS; scheme++) {
        routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
        credential.scheme = schemes[scheme];
        if (how == BY_CREDENTIAL) credential.router = apis[number];
        if (!strcmp(schemes[scheme], "login")) {
            credential.user = credential.password = routable_str_from(secret);
        } else if (!strcmp(schemes[scheme], "signed")) {
            credential.sign = sign;
            credential.user_data = &numbers[number];
        } else if (!strcmp(schemes[scheme], "service")) {
            credential.client_id = credential.client_secret = credential.refresh_token = routable_str_from(secret);
        } else {
            credential.token = routable_str_from(secret);
        }
        check_status(schemes[scheme], routable_client_set_credential(client, &credential, &error), ROUTABLE_OK, error);
    }
    if (how == BY_FIRST_REQUEST) performed(client, request_of(number, "public", -1, -1), NULL, "public");
    return client;
}

static void matrix(void **state)
{
    const long leaks = counted("leaks"), own_before = counted("own");
    int own, asked, host, other, how;
    long combinations = 0, refused = 0;
    (void)state;
    for (how = 0; how < WAYS; how++)
        for (own = 0; own < COUNT; own++) {
            routable_client *const client = client_of(own, (way)how, NULL);
            for (asked = 0; asked < COUNT; asked++) {
                size_t scheme;
                for (scheme = 0; scheme < SCHEMES; scheme++, combinations++)
                    refused += performed(client, request_of(asked, schemes[scheme], -1, -1), NULL, schemes[scheme]);
                assert_false(performed(client, request_of(asked, "optional", -1, -1), NULL, "optional"));
                assert_false(performed(client, request_of(asked, "public", -1, -1), NULL, "public"));
                combinations += 2;
                for (host = 0; host < COUNT; host++)
                    for (other = 0; other < COUNT; other++) {
                        routable_link link = ROUTABLE_LINK_INIT;
                        routable_pages_options options = ROUTABLE_PAGES_OPTIONS_INIT;
                        routable_request *request = NULL;
                        routable_response *response = NULL;
                        routable_pages *pages = NULL;
                        routable_policy policy = ROUTABLE_POLICY_INIT;
                        routable_credential given = ROUTABLE_CREDENTIAL_INIT;
                        routable_error *error = NULL;
                        char token[32];
                        refused += performed(client, request_of(asked, "to", host, other), NULL, "to");
                        refused += performed(client, request_of(asked, "keyed", host, other), NULL, "keyed");
                        refused += performed(client, request_of(asked, "refused", host, other), NULL, "refused");
                        snprintf(token, sizeof token, "SECRET-%d-given", own);
                        given.scheme = "session";
                        given.token = routable_str_from(token);
                        policy.credential = &given;
                        request = request_of(own, "links", host, other);
                        check_status("links", routable_client_perform_with(client, request, &policy, &response, &error), ROUTABLE_OK, error);
                        routable_request_free(request);
                        link.response = response;
                        link.relation = "next";
                        check_status("follow", routable_router_follow(apis[asked], &link, &request, &error), ROUTABLE_OK, error);
                        refused += performed(client, request, NULL, "link");
                        routable_response_free(response);
                        options.flags = ROUTABLE_PAGES_OTHER_ORIGINS;
                        request = request_of(asked, "pages", host, other);
                        check_status("pages", routable_pages_new(client, request, &options, &pages, &error), ROUTABLE_OK, error);
                        while (routable_pages_next(pages, NULL, NULL, NULL) == ROUTABLE_OK) {
                        }
                        routable_pages_free(pages);
                        routable_request_free(request);
                        combinations += 5;
                    }
            }
            routable_client_free(client);
        }
    assert_int_equal(combinations, WAYS * 3 * 3 * (9 + 9 * 5));
    assert_true(refused > 0 && counted("own") > own_before);
    if (counted("leaks") != leaks) fail_msg("%s", get("/verdict"));
}

static void bases(void **state)
{
    const long leaks = counted("leaks"), own_before = counted("own");
    int own, asked, host, how;
    (void)state;
    for (how = 0; how < WAYS; how++)
        for (own = 0; own < COUNT; own++)
            for (host = 0; host < COUNT; host++) {
                char base[128];
                routable_client *client;
                snprintf(base, sizeof base, "%.63s/trusted", hosts[host]);
                client = client_of(own, (way)how, base);
                for (asked = 0; asked < COUNT; asked++) {
                    size_t scheme;
                    for (scheme = 0; scheme < SCHEMES; scheme++)
                        (void)performed(client, request_of(asked, schemes[scheme], -1, -1), NULL, schemes[scheme]);
                    assert_false(performed(client, request_of(asked, "public", -1, -1), NULL, "public"));
                }
                routable_client_free(client);
            }
    assert_true(counted("own") > own_before);
    if (counted("leaks") != leaks) fail_msg("%s", get("/verdict"));
}

static int given_number;

static void swap(routable_interception *interception, void *asked)
{
    routable_request *const request = request_of(*(const int *)asked, "session", -1, -1);
    check_status("swap", routable_interception_set_request(interception, request, NULL), ROUTABLE_OK, NULL);
    routable_request_free(request);
}

/* A middleware performs a request of another description instead of the one that a credential was set for. */
static void middleware(void **state)
{
    const long leaks = counted("leaks");
    int own, asked, is_submitted, refused = 0;
    (void)state;
    for (own = 0; own < COUNT; own++)
        for (asked = 0; asked < COUNT; asked++)
            for (is_submitted = 0; is_submitted < 2; is_submitted++) {
                routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
                routable_middleware added = ROUTABLE_MIDDLEWARE_INIT;
                routable_credential given = ROUTABLE_CREDENTIAL_INIT;
                routable_policy policy = ROUTABLE_POLICY_INIT;
                routable_client *client = NULL;
                routable_error *error = NULL;
                char token[32];
                snprintf(token, sizeof token, "SECRET-%d-given", own);
                given.scheme = "session";
                given.token = routable_str_from(token);
                policy.credential = &given;
                given_number = asked;
                added.before = swap;
                added.user_data = &given_number;
                check_status("client", routable_client_new(&options, &client, &error), ROUTABLE_OK, error);
                check_status("middleware", routable_client_add_middleware(client, &added, &error), ROUTABLE_OK, error);
                if (is_submitted) {
                    routable_request *const request = request_of(own, "session", -1, -1);
                    routable_transfer *transfer = NULL;
                    routable_response *response = NULL;
                    check_status("submit", routable_client_submit(client, request, &policy, NULL, NULL, NULL, &transfer, &error), ROUTABLE_OK, error);
                    while (routable_transfer_wait(transfer, 1000, NULL) == ROUTABLE_PENDING) {
                    }
                    refused += routable_transfer_result(transfer, &response, NULL) == ROUTABLE_ERR_CREDENTIAL;
                    routable_response_free(response);
                    routable_transfer_free(transfer);
                    routable_request_free(request);
                } else {
                    refused += performed(client, request_of(own, "session", -1, -1), &policy, "session");
                }
                routable_client_free(client);
            }
    assert_int_equal(refused, 12);
    if (counted("leaks") != leaks) fail_msg("%s", get("/verdict"));
}

static void names(void **state)
{
    routable_client *const client = client_of(0, BY_CLIENT, NULL);
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_request *request = request_of(1, "session", -1, -1);
    routable_string token = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    (void)state;
    assert_int_equal(routable_client_perform(client, request, NULL, &error), ROUTABLE_ERR_CREDENTIAL);
    check_contains_at("another description", routable_error_message(error), "\"session\" belongs to the description \"service0\"", __FILE__, __LINE__);
    check_contains_at("another description", routable_error_message(error), "a request of the description \"service1\"", __FILE__, __LINE__);
    routable_error_free(error);
    error = NULL;
    credential.scheme = "sesion";
    credential.token = routable_str_from("x");
    credential.router = apis[1];
    check_status("sesion", routable_client_set_credential(client, &credential, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    credential.scheme = "session";
    credential.token = routable_str_from("SECRET-1-token");
    check_status("set", routable_client_set_credential(client, &credential, NULL), ROUTABLE_OK, NULL);
    check_status("theirs", routable_client_perform(client, request, NULL, NULL), ROUTABLE_OK, NULL);
    check_status("tokens", routable_client_tokens(client, "session", &token, NULL, NULL), ROUTABLE_OK, NULL);
    assert_string_equal(token.ptr, "SECRET-0-value");
    routable_string_free(&token);
    routable_client_remove_credential(client, "session");
    assert_int_equal(routable_client_tokens(client, "session", NULL, NULL, NULL), ROUTABLE_ERR_UNKNOWN);
    assert_int_equal(routable_client_perform(client, request, NULL, NULL), ROUTABLE_ERR_CREDENTIAL);
    routable_request_free(request);
    routable_client_free(client);
}

/* The router can be freed, and another one can get its address. */
static void freed_routers(void **state)
{
    static const char mine[] =
        "{\"routable\":1,\"base\":\"http://127.0.0.1:1\",\"auth\":{\"session\":{\"scheme\":\"bearer\"}},"
        "\"operations\":{\"me\":{\"get\":\"/me\",\"auth\":\"session\"}}}";
    int round;
    (void)state;
    for (round = 0; round < 50; round++) {
        routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
        routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
        routable_router *router = open_text(mine);
        routable_client *client = NULL;
        routable_request *request;
        assert_int_equal(routable_client_new(&options, &client, NULL), ROUTABLE_OK);
        credential.scheme = "session";
        credential.token = routable_str_from("SECRET");
        credential.router = router;
        assert_int_equal(routable_client_set_credential(client, &credential, NULL), ROUTABLE_OK);
        routable_router_free(router);
        router = open_text(mine);
        request = build_at(router, "{\"operation\":\"me\"}", __FILE__, __LINE__);
        assert_int_equal(routable_client_perform(client, request, NULL, NULL), ROUTABLE_ERR_CREDENTIAL);
        routable_request_free(request);
        routable_router_free(router);
        routable_client_free(client);
    }
}

static const char password_flow[] =
    "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"servers\":[{\"url\":\"http://127.0.0.1:1\"}],"
    "\"security\":[{\"login\":[]}],\"components\":{\"securitySchemes\":{\"login\":{\"type\":\"oauth2\",\"flows\":{"
    "\"password\":{\"tokenUrl\":\"/auth/token\",\"scopes\":{}}}}}},"
    "\"paths\":{\"/me\":{\"get\":{\"operationId\":\"me\",\"responses\":{\"200\":{\"description\":\"x\"}}}}}}";

/* A user and a password for an OAuth 2 scheme are sent to its token endpoint, not to the API. */
static void passwords(void **state)
{
    routable_router *const router = open_text(password_flow);
    routable_request *const request = build_at(router, "{\"operation\":\"me\"}", __FILE__, __LINE__);
    routable_credential credential = ROUTABLE_CREDENTIAL_INIT;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    int is_given;
    (void)state;
    credential.scheme = "login";
    credential.user = routable_str_from("ada");
    credential.password = routable_str_from("SECRET");
    for (is_given = 0; is_given < 2; is_given++) {
        routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
        routable_client *client = NULL;
        routable_error *error = NULL;
        assert_int_equal(routable_client_new(&options, &client, NULL), ROUTABLE_OK);
        if (is_given)
            policy.credential = &credential;
        else
            assert_int_equal(routable_client_set_credential(client, &credential, NULL), ROUTABLE_OK);
        assert_int_equal(routable_client_perform_with(client, request, &policy, NULL, &error), ROUTABLE_ERR_CREDENTIAL);
        /* The port has no listener: the token request fails, and nothing is sent to the API. */
        check_contains_at("password", routable_error_message(error), "could not be refreshed", __FILE__, __LINE__);
        assert_null(strstr(message_of(error), "SECRET"));
        routable_error_free(error);
        routable_client_free(client);
    }
    routable_request_free(request);
    routable_router_free(router);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix),
        cmocka_unit_test(bases),
        cmocka_unit_test(middleware),
        cmocka_unit_test(names),
        cmocka_unit_test(freed_routers),
        cmocka_unit_test(passwords),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
