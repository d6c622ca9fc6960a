/* routable_coverage.h: the counts of a client and of exchanges that are added, bounded lists, and many threads. */
#include <pthread.h>

#include "support.h"

static const char document[] =
    "{\"routable\":1,\"base\":\"https://api.example.com/v1\",\"types\":{\"T\":{\"type\":\"object\",\"required\":[\"name\"],"
    "\"properties\":{\"name\":{\"type\":\"string\"},\"size\":{\"enum\":[\"small\",2,null]},"
    "\"part\":{\"anyOf\":[{\"$ref\":\"#/types/T\"},{\"type\":\"integer\"}]}}}},"
    "\"resources\":{\"user\":{\"path\":\"users\",\"id\":\"name\",\"type\":\"T\",\"can\":[\"list\",\"read\",\"create\"]}},"
    "\"operations\":{\"find\":{\"get\":\"/find\",\"query\":{\"sort\":{\"type\":\"string\",\"enum\":[\"up\",\"down\"]},\"page\":{\"type\":\"integer\",\"default\":1}},"
    "\"results\":{\"200\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/types/T\"}}}}}}";

static routable_router *api;

static routable_coverage *new_coverage(void)
{
    routable_coverage *coverage = NULL;
    routable_error *error = NULL;
    check_status("a coverage", routable_coverage_new(api, NULL, &coverage, &error), ROUTABLE_OK, error);
    return coverage;
}

static void add(routable_coverage *coverage, const char *method, const char *target, int32_t status, const char *body)
{
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_error *error = NULL;
    incoming.method = method, incoming.target = routable_str_from(target);
    check_status(target, routable_coverage_add(coverage, &incoming, status, "application/json", routable_str_from(body), &error), ROUTABLE_OK, error);
}

/* The JSON contains a string. */
static void expect(const routable_coverage *coverage, const char *text)
{
    routable_string json = ROUTABLE_STRING_INIT;
    assert_int_equal(routable_coverage_to_json(coverage, &json, NULL), ROUTABLE_OK);
    if (!strstr(json.ptr, text))
        fail_msg("%s is not in %s", text, json.ptr);
    routable_string_free(&json);
}

static void exchanges(void **state)
{
    routable_coverage *const coverage = new_coverage();
    routable_string text = ROUTABLE_STRING_INIT;
    (void)state;
    expect(coverage, "{\"percent\":0.0,\"requests\":0,");
    add(coverage, "GET", "/v1/find?sort=up&free=1", 200, "[{\"name\":\"a\",\"size\":2.0,\"part\":{\"name\":\"b\",\"part\":7}}]");
    add(coverage, "GET", "/v1/find?page=2", 0, "");
    add(coverage, "PUT", "/v1/find", 405, "");
    expect(coverage, "{\"operation\":\"find\",\"method\":\"GET\",\"path\":\"/find\",\"requests\":2,\"refused\":0,\"items\":["
                     "{\"kind\":\"status\",\"place\":\"\",\"name\":\"200\",\"count\":1},"
                     "{\"kind\":\"parameter\",\"place\":\"query\",\"name\":\"sort\",\"count\":1},"
                     "{\"kind\":\"value\",\"place\":\"query sort\",\"name\":\"up\",\"count\":1},"
                     "{\"kind\":\"value\",\"place\":\"query sort\",\"name\":\"down\",\"count\":0},"
                     "{\"kind\":\"parameter\",\"place\":\"query\",\"name\":\"page\",\"count\":1}]");
    expect(coverage, "\"parameter\":{\"names\":[{\"name\":\"free\",\"count\":1}],\"further\":0}");
    expect(coverage, "\"schemas\":[{\"kind\":\"value\",\"place\":\"#/types/T/properties/size/enum\",\"name\":\"small\",\"count\":0},"
                     "{\"kind\":\"value\",\"place\":\"#/types/T/properties/size/enum\",\"name\":2,\"count\":1},"
                     "{\"kind\":\"value\",\"place\":\"#/types/T/properties/size/enum\",\"name\":null,\"count\":0},"
                     "{\"kind\":\"branch\",\"place\":\"#/types/T/properties/part/anyOf\",\"name\":\"T\",\"count\":1},"
                     "{\"kind\":\"branch\",\"place\":\"#/types/T/properties/part/anyOf\",\"name\":\"1\",\"count\":1}]");
    expect(coverage, "\"unmatched\":{\"names\":[{\"name\":\"PUT /v1/find\",\"count\":1}],\"further\":0}");
    assert_int_equal(routable_coverage_to_text(coverage, ROUTABLE_COVERAGE_MISSING, &text, NULL), ROUTABLE_OK);
    assert_non_null(strstr(text.ptr, "never used: find query sort \"down\"\n"));
    assert_non_null(strstr(text.ptr, "never used: user.read\n"));
    routable_string_free(&text);
    routable_coverage_free(coverage);
}

static void a_client(void **state)
{
    routable_coverage *const coverage = new_coverage();
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_middleware middleware = ROUTABLE_MIDDLEWARE_INIT;
    routable_client *client = NULL;
    routable_mock *mock = NULL;
    routable_request *request = NULL;
    int i;
    (void)state;
    assert_int_equal(routable_mock_new(api, NULL, &mock, NULL), ROUTABLE_OK);
    options.transport = routable_mock_answer, options.transport_user_data = mock;
    assert_int_equal(routable_client_new(&options, &client, NULL), ROUTABLE_OK);
    middleware.after = routable_coverage_observe, middleware.user_data = coverage;
    assert_int_equal(routable_client_add_middleware(client, &middleware, NULL), ROUTABLE_OK);
    for (i = 0; i < 2; i++) {
        static const char *const calls[] = { "{\"operation\":\"find\",\"query\":{\"sort\":\"down\"}}",
                                             "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"nobody\"]}" };
        routable_response *response = NULL;
        assert_int_equal(routable_request_new_json(api, calls[i], ROUTABLE_NUL_TERMINATED, &request, NULL), ROUTABLE_OK);
        assert_int_equal(routable_client_perform(client, request, &response, NULL), i ? ROUTABLE_ERR_HTTP_STATUS : ROUTABLE_OK);
        routable_response_free(response);
        routable_request_free(request);
    }
    expect(coverage, "{\"kind\":\"value\",\"place\":\"query sort\",\"name\":\"down\",\"count\":1}");
    expect(coverage, "{\"operation\":\"user.read\",\"method\":\"GET\",\"path\":\"users/{name}\",\"requests\":1,");
    routable_client_free(client);
    routable_mock_free(mock);
    routable_coverage_free(coverage);
}

static void lists_are_bounded(void **state)
{
    routable_coverage *const coverage = new_coverage();
    char target[64];
    int i;
    (void)state;
    for (i = 0; i < 5000; i++) {
        snprintf(target, sizeof target, "/v1/none/%d", i);
        add(coverage, "GET", target, 404, "");
        snprintf(target, sizeof target, "/v1/find?p%d=1", i);
        add(coverage, "GET", target, 100 + i % 900, "{");
    }
    expect(coverage, "{\"name\":\"GET /v1/none/19\",\"count\":1}],\"further\":4980}");
    expect(coverage, "{\"name\":\"p19\",\"count\":1}],\"further\":4980}");
    expect(coverage, "\"unread\":6}"); /* those with the status 200 */
    routable_coverage_free(coverage);
}

static void what_is_refused(void **state)
{
    routable_coverage *coverage = NULL;
    routable_coverage_options options = ROUTABLE_COVERAGE_OPTIONS_INIT;
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_string text = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    (void)state;
    options.base_path = "gateway";
    check_status("a base path", routable_coverage_new(api, &options, &coverage, &error), ROUTABLE_ERR_URL, error);
    routable_error_free(error);
    options.base_path = "/gateway/";
    assert_int_equal(routable_coverage_new(api, &options, &coverage, NULL), ROUTABLE_OK);
    add(coverage, "GET", "/gateway/find", 200, "[]");
    expect(coverage, "\"unmatched\":{\"names\":[],\"further\":0}");
    incoming.method = "GET", incoming.target = ROUTABLE_STR("/find");
    check_status("a status", routable_coverage_add(coverage, &incoming, 7, NULL, ROUTABLE_STR(""), &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    check_status("a flag", routable_coverage_to_text(coverage, 2, &text, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    routable_coverage_observe(NULL, coverage);
    routable_coverage_free(coverage);
    routable_coverage_free(NULL);
}

static void *many(void *coverage)
{
    int i;
    for (i = 0; i < 500; i++)
        add(coverage, "GET", "/v1/find?sort=up", 200, "[{\"name\":\"a\",\"size\":\"small\"}]");
    return NULL;
}

static void eight_threads(void **state)
{
    routable_coverage *const coverage = new_coverage();
    pthread_t threads[8];
    int i;
    (void)state;
    for (i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, many, coverage), 0);
    for (i = 0; i < 20; i++)
        expect(coverage, "\"percent\"");
    for (i = 0; i < 8; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    expect(coverage, "\"name\":\"small\",\"count\":4000}");
    expect(coverage, "\"requests\":4000,");
    routable_coverage_free(coverage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges), cmocka_unit_test(a_client), cmocka_unit_test(lists_are_bounded), cmocka_unit_test(what_is_refused),
        cmocka_unit_test(eight_threads),
    };
    int failed;
    if (routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, &api, NULL) != ROUTABLE_OK)
        return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    routable_router_free(api);
    return failed;
}
