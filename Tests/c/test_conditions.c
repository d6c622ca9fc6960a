/* Conditional requests (RFC 9110 section 13), and the media types that an Accept header allows (A1). */
#include "bodies.h"

static routable_status condition(int is_match, routable_request *request, const routable_response *response, routable_error **error)
{
    return (is_match ? routable_request_if_match : routable_request_if_none_match)(
        request, routable_response_header(response, "ETag"), routable_response_header(response, "Last-Modified"), error);
}

/* A response that the host makes, with this header. */
static routable_response *answered_with(const char *name, const char *value)
{
    routable_header header;
    routable_response *response = NULL;
    header.name = routable_str_from(name);
    header.value = routable_str_from(value);
    assert_int_equal(
        routable_response_map(router, NULL, "get", 200, &header, 1, routable_str_from("x"), &response, NULL), ROUTABLE_OK);
    return response;
}

static void headers_of_a_condition(void **state)
{
    static const char date[] = "Sun, 06 Nov 1994 08:49:37 GMT";
    static const struct { const char *name, *value, *match, *none_match, *since; } rows[] = {
        { "ETag", "\"a\"", "\"a\"", "\"a\"", NULL },
        { "etag", "\"\"", "\"\"", "\"\"", NULL },
        { "ETag", "W/\"a\"", NULL, "W/\"a\"", NULL }, /* weak: never equal in If-Match */
        { "Last-Modified", date, NULL, NULL, date },
        { "ETag", "a", NULL, NULL, NULL },            /* not a valid ETag */
        { "ETag", "\"a", NULL, NULL, NULL },
        { "ETag", "w/\"a\"", NULL, NULL, NULL },
        { "ETag", "\"a\", \"b\"", NULL, NULL, NULL },
        { "X-Other", "1", NULL, NULL, NULL },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        routable_response *const response = answered_with(rows[i].name, rows[i].value);
        routable_request *const request = request_of("get", "version/x");
        routable_error *error = NULL;
        const routable_status expected = rows[i].match || rows[i].since ? ROUTABLE_OK : ROUTABLE_ERR_VALUE;
        const char *found;
        check_status(rows[i].value, condition(1, request, response, &error), expected, error);
        if (expected != ROUTABLE_OK)
            check_contains(rows[i].value, routable_error_message(error), rows[i].none_match ? "is weak" : "neither an ETag nor a Last-Modified");
        routable_error_free(error);
        found = header_of(request, "If-Match");
        assert_int_equal(found != NULL, rows[i].match != NULL);
        assert_true(!found || strcmp(found, rows[i].match) == 0);
        found = header_of(request, "If-Unmodified-Since");
        assert_int_equal(found != NULL, rows[i].since != NULL);
        check_status(rows[i].value, condition(0, request, response, &error),
            rows[i].none_match || rows[i].since ? ROUTABLE_OK : ROUTABLE_ERR_VALUE, error);
        routable_error_free(error);
        found = header_of(request, "If-None-Match");
        assert_int_equal(found != NULL, rows[i].none_match != NULL);
        assert_true(!found || strcmp(found, rows[i].none_match) == 0);
        found = header_of(request, "If-Modified-Since");
        assert_true(rows[i].since ? found && strcmp(found, rows[i].since) == 0 : !found);
        routable_request_free(request);
        routable_response_free(response);
    }
}

/* The validator of a later response replaces that of an earlier one, also if it has another kind. */
static void the_last_condition_counts(void **state)
{
    routable_response *const tagged = answered_with("ETag", "\"a\"");
    routable_response *const dated = answered_with("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT");
    routable_request *const request = request_of("get", "version/x");
    (void)state;
    assert_int_equal(condition(0, request, tagged, NULL), ROUTABLE_OK);
    assert_int_equal(condition(0, request, dated, NULL), ROUTABLE_OK);
    assert_null(header_of(request, "If-None-Match"));
    assert_non_null(header_of(request, "If-Modified-Since"));
    assert_int_equal(condition(1, request, dated, NULL), ROUTABLE_OK);
    assert_int_equal(condition(1, request, tagged, NULL), ROUTABLE_OK);
    assert_null(header_of(request, "If-Unmodified-Since"));
    assert_non_null(header_of(request, "If-Match"));
    routable_request_free(request);
    routable_response_free(tagged);
    routable_response_free(dated);
}

/* A request without a condition, and then another one with the validator of its response. */
static void not_modified_and_failed(void **state)
{
    static const struct { const char *first, *then; int is_match; int32_t http_status; } rows[] = {
        { "version/\"v1\"", "version/\"v1\"", 0, 304 },
        { "version/W/\"v1\"", "version/W/\"v1\"", 0, 304 },
        { "version/date", "version/date", 0, 304 },
        { "version/\"v1\"", "version/\"v2\"", 0, 200 },
        { "version/\"v1\"", "version/\"v1\"", 1, 200 },
        { "version/date", "version/date", 1, 200 },
        { "version/\"v1\"", "version/\"v2\"", 1, 412 },
    };
    int submitted;
    size_t i;
    (void)state;
    for (submitted = 0; submitted < 2; submitted++)
        for (i = 0; i < sizeof rows / sizeof *rows; i++) {
            char body[256];
            routable_response *first = NULL;
            routable_request *request = request_of("get", rows[i].first);
            int32_t http_status;
            routable_status status;
            assert_int_equal(routable_client_perform(client, request, &first, NULL), ROUTABLE_OK);
            routable_request_free(request);
            request = request_of("get", rows[i].then);
            assert_int_equal(condition(rows[i].is_match, request, first, NULL), ROUTABLE_OK);
            status = perform_as(submitted, request, NULL, &http_status, body, sizeof body);
            if (http_status != rows[i].http_status)
                print_error("%s, then %s: %s\n", rows[i].first, rows[i].then, body);
            assert_int_equal(http_status, rows[i].http_status);
            assert_int_equal(status, http_status == 412 ? ROUTABLE_ERR_HTTP_STATUS : ROUTABLE_OK);
            if (http_status == 304)
                assert_string_equal(body, "");
            routable_response_free(first);
        }
}

/* A 304 response to an unconditional request is an error. */
static void a_304_without_a_condition(void **state)
{
    int32_t http_status;
    (void)state;
    assert_int_equal(perform_as(0, request_of("get", "faults/status/304"), NULL, &http_status, NULL, 0), ROUTABLE_ERR_HTTP_STATUS);
    assert_int_equal(http_status, 304);
}

/* A structured suffix (RFC 6839) is ignored in both directions. */
static void A1_structured_suffixes(void **state)
{
    static const struct { const char *accept, *type; routable_status expected; } rows[] = {
        { "application/json", "application/vnd.github+json", ROUTABLE_OK },
        { "application/json", "application/vnd.github+json; charset=utf-8", ROUTABLE_OK },
        { "application/vnd.github+json", "application/json", ROUTABLE_OK },
        { "text/html, application/json", "application/problem+JSON", ROUTABLE_OK },
        { "application/json", "application/vnd.github+xml", ROUTABLE_ERR_RESPONSE },
        { "application/json", "text/vnd.github+json", ROUTABLE_ERR_RESPONSE },
        { "application/json", "application/xjson", ROUTABLE_ERR_RESPONSE },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        routable_router *asking;
        routable_response *response = NULL;
        routable_error *error = NULL;
        routable_header header;
        header.name = routable_str_from("Content-Type");
        header.value = routable_str_from(rows[i].type);
        snprintf(text, sizeof text, "{\"routable\":1,\"headers\":{\"Accept\":\"%s\"},\"operations\":{\"get\":{\"get\":\"/x\"}}}", rows[i].accept);
        asking = open_text(text);
        check_status(rows[i].type, routable_response_map(asking, NULL, "get", 200, &header, 1, routable_str_from("{}"), &response, &error),
            ROUTABLE_OK, error);
        check_size(rows[i].type, routable_response_deviation_count(response), rows[i].expected == ROUTABLE_OK ? 0 : 1);
        routable_response_free(response);
        routable_error_free(error);
        routable_router_free(asking);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_of_a_condition),
        cmocka_unit_test(the_last_condition_counts),
        cmocka_unit_test(not_modified_and_failed),
        cmocka_unit_test(a_304_without_a_condition),
        cmocka_unit_test(A1_structured_suffixes),
    };
    return cmocka_run_group_tests_name("conditions", tests, start_bodies, stop_bodies);
}
