/* routable_curl.h: a CURL * of the host sends a request, and its response is mapped. */
#include "support.h"

#include "routable_curl.h"

static service echo;
static routable_router *router;

static const char document[] =
    "{\"routable\":1,\"types\":{\"Named\":{\"type\":\"object\",\"required\":[\"name\"]}},"
    "\"resources\":{\"thing\":{\"path\":\"things\",\"can\":[\"list\",\"read\",\"create\",\"update\",\"patch\",\"delete\"]}},"
    "\"operations\":{\"fault\":{\"get\":\"/faults/{name*}\",\"results\":{\"200\":{\"$ref\":\"#/types/Named\"}}},"
    "\"head\":{\"head\":\"/faults/{name*}\"},\"purge\":{\"method\":\"PURGE\",\"path\":\"/purge\"}}}";

static int start(void **state)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    (void)state;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    service_start(&echo, "Tests/service/fault_service.py");
    options.base = echo.base;
    return routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &router, NULL) != ROUTABLE_OK;
}

static int stop(void **state)
{
    (void)state;
    routable_router_free(router);
    service_stop(&echo);
    curl_global_cleanup();
    return 0;
}

/* One handle for all requests: options of an earlier request must not affect a later one. */
static CURLcode perform(CURL *curl, const routable_request *request, routable_curl_response *answer)
{
    struct curl_slist *headers = NULL;
    CURLcode code = routable_curl_apply(curl, request, &headers);
    routable_curl_response_free(answer);
    if (code == CURLE_OK)
        code = routable_curl_collect(curl, answer);
    if (code == CURLE_OK)
        code = curl_easy_perform(curl);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, (struct curl_slist *)NULL);
    curl_slist_free_all(headers);
    return code;
}

static int arrived(const json_t *report, const char *name, const char *value)
{
    size_t i;
    json_t *header;
    json_array_foreach(json_object_get(report, "headers"), i, header)
        if (strcmp(json_string_value(json_array_get(header, 0)), name) == 0)
            return value == NULL || strcmp(json_string_value(json_array_get(header, 1)), value) == 0;
    return 0;
}

static void requests_arrive_as_built(void **state)
{
    static const struct { const char *call, *method, *target, *body, *type, *length; } table[] = {
        { "{\"route\":\"thing\",\"operation\":\"list\"}", "GET", "/things", "", NULL, NULL },
        { "{\"route\":\"thing\",\"operation\":\"create\",\"body\":{\"a\":1}}", "POST", "/things", "{\"a\":1}", "application/json", "7" },
        { "{\"route\":\"thing\",\"operation\":\"read\",\"ids\":[\"a/..b\"]}", "GET", "/things/a%2F..b", "", NULL, NULL },
        { "{\"route\":\"thing\",\"operation\":\"update\",\"ids\":[\"1\"],\"body\":true}", "PUT", "/things/1", "true",
          "application/json", "4" },
        { "{\"route\":\"thing\",\"operation\":\"delete\",\"ids\":[\"1\"]}", "DELETE", "/things/1", "", NULL, NULL },
        { "{\"route\":\"thing\",\"operation\":\"create\"}", "POST", "/things", "", NULL, "0" },
        { "{\"route\":\"thing\",\"operation\":\"update\",\"ids\":[\"1\"]}", "PUT", "/things/1", "", NULL, "0" },
        { "{\"route\":\"thing\",\"operation\":\"patch\",\"ids\":[\"1\"],\"body_text\":\"x\",\"content_type\":\"text/plain\"}", "PATCH",
          "/things/1", "x", "text/plain", "1" },
        { "{\"operation\":\"purge\"}", "PURGE", "/purge", "", NULL, NULL },
        { "{\"route\":\"thing\",\"operation\":\"list\",\"headers\":{\"X-A\":\"b c\",\"X-Empty\":\"\"}}", "GET", "/things", "", NULL, NULL },
    };
    CURL *const curl = curl_easy_init();
    routable_curl_response answer = ROUTABLE_CURL_RESPONSE_INIT;
    size_t i;
    (void)state;
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        routable_request *const request = build(router, table[i].call);
        json_t *report;
        assert_int_equal(perform(curl, request, &answer), CURLE_OK);
        report = json_loadb(answer.body, answer.body_length, 0, NULL);
        assert_non_null(report);
        check_text(table[i].call, routable_str_from(json_string_value(json_object_get(report, "method"))), table[i].method);
        check_text(table[i].call, routable_str_from(json_string_value(json_object_get(report, "target"))), table[i].target);
        check_text(table[i].call, routable_str_from(json_string_value(json_object_get(report, "body"))), table[i].body);
        assert_int_equal(arrived(report, "Content-Type", table[i].type), table[i].type != NULL);
        assert_int_equal(arrived(report, "Content-Length", table[i].length), table[i].length != NULL);
        assert_int_equal(arrived(report, "Expect", NULL), 0);
        assert_int_equal(arrived(report, "Transfer-Encoding", NULL), 0);
        if (i == 9) {
            assert_int_equal(arrived(report, "X-A", "b c"), 1);
            assert_int_equal(arrived(report, "X-Empty", ""), 1);
        }
        json_decref(report);
        routable_request_free(request);
    }
    routable_curl_response_free(&answer);
    curl_easy_cleanup(curl);
}

static void body_of_any_bytes(void **state)
{
    CURL *const curl = curl_easy_init();
    routable_request *const request = build(router, "{\"route\":\"thing\",\"operation\":\"create\",\"body_base64\":\"AP96\"}");
    routable_curl_response answer = ROUTABLE_CURL_RESPONSE_INIT;
    json_t *report;
    (void)state;
    assert_int_equal(perform(curl, request, &answer), CURLE_OK);
    report = json_loadb(answer.body, answer.body_length, 0, NULL);
    check_text("bytes", routable_str_from(json_string_value(json_object_get(report, "body_base64"))), "AP96");
    json_decref(report);
    routable_request_free(request);
    routable_curl_response_free(&answer);
    curl_easy_cleanup(curl);
}

static void head(void **state)
{
    CURL *const curl = curl_easy_init();
    routable_request *const head = build(router, "{\"operation\":\"head\",\"ids\":[\"ok\"]}");
    routable_request *const list = build(router, "{\"route\":\"thing\",\"operation\":\"list\"}");
    routable_curl_response answer = ROUTABLE_CURL_RESPONSE_INIT;
    (void)state;
    assert_int_equal(perform(curl, head, &answer), CURLE_OK);
    check_size("HEAD", answer.body_length, 0);
    assert_true(answer.header_count > 0);
    assert_int_equal(perform(curl, list, &answer), CURLE_OK); /* GET after HEAD has a body again */
    assert_true(answer.body_length > 0);
    routable_request_free(head);
    routable_request_free(list);
    routable_curl_response_free(&answer);
    curl_easy_cleanup(curl);
}

static void answers_are_mapped(void **state)
{
    CURL *const curl = curl_easy_init();
    routable_request *const found = build(router, "{\"operation\":\"fault\",\"ids\":[\"ok\"]}");
    routable_request *const missing = build(router, "{\"operation\":\"fault\",\"ids\":[\"not-found\"]}");
    routable_curl_response answer = ROUTABLE_CURL_RESPONSE_INIT;
    routable_response *response = NULL;
    routable_error *error = NULL;
    (void)state;
    assert_int_equal(perform(curl, found, &answer), CURLE_OK);
    check_status("ok", routable_curl_map(curl, &answer, router, NULL, "fault", &response, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_SELF);
    check_text("ok", routable_response_header(response, "content-type"), "application/json");
    check_text("ok", routable_response_body(response), "{\"name\":\"a\"}");
    routable_response_free(response);
    response = NULL;
    assert_int_equal(perform(curl, missing, &answer), CURLE_OK);
    check_status("404", routable_curl_map(curl, &answer, router, NULL, "fault", &response, &error), ROUTABLE_ERR_HTTP_STATUS,
        error);
    assert_null(response);
    assert_int_equal(routable_error_http_status(error), 404);
    routable_error_free(error);
    assert_int_equal(routable_curl_map(curl, NULL, router, NULL, "fault", &response, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_curl_map(NULL, &answer, router, NULL, "fault", &response, NULL), ROUTABLE_ERR_ARGUMENT);
    routable_request_free(found);
    routable_request_free(missing);
    routable_curl_response_free(&answer);
    curl_easy_cleanup(curl);
}

static void headers_of_the_last_answer(void **state)
{
    CURL *const curl = curl_easy_init();
    routable_request *const request = build(router, "{\"operation\":\"fault\",\"ids\":[\"redirect\"]}");
    routable_curl_response answer = ROUTABLE_CURL_RESPONSE_INIT;
    size_t i;
    (void)state;
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    assert_int_equal(perform(curl, request, &answer), CURLE_OK);
    for (i = 0; i < answer.header_count; i++)
        assert_false(routable_curl_same_name(answer.headers[i].name, "Location"));
    routable_request_free(request);
    routable_curl_response_free(&answer);
    curl_easy_cleanup(curl);
}

static void redirect_to_a_file_is_refused(void **state)
{
    CURL *const curl = curl_easy_init();
    routable_request *const request = build(router, "{\"operation\":\"fault\",\"ids\":[\"redirect-file\"]}");
    routable_curl_response answer = ROUTABLE_CURL_RESPONSE_INIT;
    (void)state;
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    assert_int_equal(perform(curl, request, &answer), CURLE_UNSUPPORTED_PROTOCOL);
    routable_request_free(request);
    routable_curl_response_free(&answer);
    curl_easy_cleanup(curl);
}

static void limit_of_an_answer(void **state)
{
    CURL *const curl = curl_easy_init();
    routable_request *const big = build(router, "{\"operation\":\"fault\",\"ids\":[\"big\"]}");
    routable_request *const small = build(router, "{\"operation\":\"fault\",\"ids\":[\"ok\"]}");
    routable_curl_response answer = ROUTABLE_CURL_RESPONSE_INIT;
    (void)state;
    answer.max_body_bytes = 12;
    assert_int_equal(perform(curl, big, &answer), CURLE_WRITE_ERROR);
    assert_int_equal(perform(curl, small, &answer), CURLE_OK);
    check_size("exactly the limit", answer.body_length, 12);
    routable_request_free(big);
    routable_request_free(small);
    routable_curl_response_free(&answer);
    curl_easy_cleanup(curl);
}

static void wrong_arguments(void **state)
{
    CURL *const curl = curl_easy_init();
    routable_request *const request = build(router, "{\"operation\":\"head\",\"ids\":[\"ok\"]}");
    struct curl_slist *headers = NULL;
    (void)state;
    assert_int_equal(routable_curl_apply(NULL, request, &headers), CURLE_BAD_FUNCTION_ARGUMENT);
    assert_int_equal(routable_curl_apply(curl, NULL, &headers), CURLE_BAD_FUNCTION_ARGUMENT);
    assert_int_equal(routable_curl_apply(curl, request, NULL), CURLE_BAD_FUNCTION_ARGUMENT);
    assert_int_equal(routable_curl_collect(NULL, NULL), CURLE_BAD_FUNCTION_ARGUMENT);
    routable_curl_response_free(NULL);
    assert_int_equal(routable_request_set_body(request, routable_str_from("x"), NULL, NULL), ROUTABLE_OK);
    assert_int_equal(routable_curl_apply(curl, request, &headers), CURLE_BAD_FUNCTION_ARGUMENT); /* HEAD with a body */
    curl_slist_free_all(headers);
    routable_request_free(request);
    curl_easy_cleanup(curl);
}

/* A streamed body would be sent as an empty one. */
static void a_body_that_is_not_in_memory(void **state)
{
    CURL *const curl = curl_easy_init();
    routable_request *const request = build(router, "{\"route\":\"thing\",\"operation\":\"create\",\"body\":1}");
    struct curl_slist *headers = NULL;
    routable_error *error = NULL;
    (void)state;
    assert_int_equal(routable_request_has_body(request), 1);
    check_status("file", routable_request_set_body_file(request, "README.md", NULL, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_request_has_body(request), 2);
    check_text("not in memory", routable_request_body(request), "");
    assert_int_equal(routable_curl_apply(curl, request, &headers), CURLE_BAD_FUNCTION_ARGUMENT);
    check_status("removed", routable_request_remove_body(request, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_request_has_body(request), 0);
    routable_request_free(request);
    curl_easy_cleanup(curl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_arrive_as_built),
        cmocka_unit_test(body_of_any_bytes),
        cmocka_unit_test(head),
        cmocka_unit_test(answers_are_mapped),
        cmocka_unit_test(headers_of_the_last_answer),
        cmocka_unit_test(redirect_to_a_file_is_refused),
        cmocka_unit_test(limit_of_an_answer),
        cmocka_unit_test(a_body_that_is_not_in_memory),
        cmocka_unit_test(wrong_arguments),
    };
    return cmocka_run_group_tests_name("curl", tests, start, stop);
}
