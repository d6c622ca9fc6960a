/* Hostile values: whatever they contain, a URL gets no additional segment, query item, header or host. */
#include "support.h"

static routable_router *router;

static int open_router(void **state)
{
    (void)state;
    router = open_text("{\"routable\":1,\"base\":\"https://h/v1\",\"resources\":{"
                       "\"user\":{\"path\":\"users\",\"can\":[\"read\",\"create\"],\"has\":[\"status\"]},"
                       "\"status\":{\"path\":\"statuses\",\"can\":[\"read\"]},"
                       "\"number\":{\"path\":\"numbers\",\"id\":{\"name\":\"n\",\"type\":\"integer\"},\"can\":[\"read\"]}},"
                       "\"operations\":{\"search\":{\"get\":\"/search\",\"query\":{\"q\":{\"type\":\"string\"},"
                       "\"page\":{\"type\":\"integer\"},\"exact\":{\"type\":\"boolean\"},\"near\":{\"type\":\"number\"}}},"
                       "\"tagged\":{\"get\":\"/t\",\"header\":{\"X-Tag\":{\"type\":\"string\"}}}}}");
    return 0;
}

static int close_router(void **state)
{
    (void)state;
    routable_router_free(router);
    return 0;
}

/* Builds users/ID with the object tier. */
static routable_status read_user(routable_value id, routable_request **request, routable_error **error)
{
    routable_argument argument;
    routable_call call = ROUTABLE_CALL_INIT;
    argument.name = NULL;
    argument.value = id;
    call.route = "user";
    call.operation = "read";
    call.ids = &argument;
    call.id_count = 1;
    return routable_request_new(router, &call, request, error);
}

static void check_id(const char *shown, routable_value id, const char *url)
{
    routable_request *request = NULL;
    routable_error *error = NULL;
    check_status(shown, read_user(id, &request, &error), ROUTABLE_OK, error);
    check_text(shown, routable_request_url(request), url);
    routable_request_free(request);
}

static void check_id_refused(const char *shown, routable_value id, routable_status expected)
{
    routable_request *request = NULL;
    routable_error *error = NULL;
    char buffer[64] = "as it was";
    size_t length = 77;
    routable_plan *plan = NULL;
    check_status(shown, read_user(id, &request, &error), expected, error);
    assert_null(request);
    if (expected == ROUTABLE_ERR_VALUE)
        check_text(shown, routable_error_route(error), "user");
    routable_error_free(error);
    assert_int_equal(routable_plan_new(router, "user", "read", &plan, NULL), ROUTABLE_OK);
    check_status(shown, routable_plan_write(plan, &id, 1, NULL, 0, buffer, sizeof buffer, &length, &error), expected, error);
    check_text("a refused URL leaves the empty text", routable_str_from(buffer), "");
    check_size(shown, length, 77);
    routable_error_free(error);
    routable_plan_free(plan);
}

static routable_value bytes(const char *text, size_t length)
{
    routable_str it;
    it.ptr = text;
    it.len = length;
    return routable_value_str(it);
}

static void slash_stays_in_its_segment(void **state)
{
    (void)state;
    check_id("/", routable_value_string("/"), "https://h/v1/users/%2F");
    check_id("../..", routable_value_string("../.."), "https://h/v1/users/..%2F..");
    check_id("//evil", routable_value_string("//evil"), "https://h/v1/users/%2F%2Fevil");
    check_id("@evil", routable_value_string("@evil"), "https://h/v1/users/%40evil");
}

static void dots(void **state)
{
    (void)state;
    check_id_refused(".", routable_value_string("."), ROUTABLE_ERR_VALUE);
    check_id_refused("..", routable_value_string(".."), ROUTABLE_ERR_VALUE);
    check_id("...", routable_value_string("..."), "https://h/v1/users/...");
    check_id("%2e%2e", routable_value_string("%2e%2e"), "https://h/v1/users/%252e%252e");
    check_id("%2E%2E", routable_value_string("%2E%2E"), "https://h/v1/users/%252E%252E");
    check_id("%2f", routable_value_string("%2f"), "https://h/v1/users/%252f");
}

static void empty_and_null(void **state)
{
    routable_value none;
    (void)state;
    check_id_refused("empty", routable_value_string(""), ROUTABLE_ERR_VALUE);
    check_id_refused("NULL, 0", bytes(NULL, 0), ROUTABLE_ERR_VALUE);
    memset(&none, 0, sizeof none);
    {
        routable_request *request = NULL;
        routable_error *error = NULL;
        const routable_status status = read_user(none, &request, &error);
        if (status != ROUTABLE_ERR_ID && status != ROUTABLE_ERR_VALUE)
            fail_msg("input: a null id\nexpected: id or value\ngot: %s", routable_status_name(status));
        routable_error_free(error);
    }
}

static void NULL_with_a_length(void **state)
{
    (void)state;
    check_id_refused("NULL, 5", bytes(NULL, 5), ROUTABLE_ERR_ARGUMENT);
}

static void control_bytes(void **state)
{
    (void)state;
    check_id("CR LF", routable_value_string("a\r\nHost: evil"), "https://h/v1/users/a%0D%0AHost%3A%20evil");
    check_id("NUL", bytes("a\0b", 3), "https://h/v1/users/a%00b");
    check_id("NUL alone", bytes("\0", 1), "https://h/v1/users/%00");
    check_id("tab, DEL", routable_value_string("\t\x7F"), "https://h/v1/users/%09%7F");
    check_url(router, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"a\\r\\nb\"]}", "https://h/v1/users/a%0D%0Ab");
    check_url(router, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"a\\u0000b\"]}", "https://h/v1/users/a%00b");
}

static void invalid_utf8(void **state)
{
    static const char *const values[] = { "\xFF", "a\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80", "\xE2\x82" };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof values / sizeof *values; i++) {
        char call[128];
        check_id_refused("invalid UTF-8", routable_value_string(values[i]), ROUTABLE_ERR_VALUE);
        sprintf(call, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"%s\"]}", values[i]);
        check_refused(router, call, ROUTABLE_ERR_JSON);
    }
}

/* Every single byte, and every value of one segment: no raw delimiter after the prefix. */
static void each_byte(void **state)
{
    static const char prefix[] = "https://h/v1/users/x";
    int byte;
    (void)state;
    for (byte = 0; byte < 128; byte++) {
        char value[2];
        routable_request *request = NULL;
        routable_str url;
        size_t i;
        value[0] = 'x';
        value[1] = (char)byte;
        assert_int_equal(read_user(bytes(value, 2), &request, NULL), ROUTABLE_OK);
        url = routable_request_url(request);
        assert_memory_equal(url.ptr, prefix, strlen(prefix));
        for (i = strlen(prefix); i < url.len; i++)
            if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%", url.ptr[i]))
                fail_msg("byte %d is raw in %s", byte, url.ptr);
        routable_request_free(request);
    }
}

/* 1 MB of bytes that are kept, and of bytes that triple: the exact result, or a refusal. */
static void a_megabyte(void **state)
{
    static const char fill[] = { 'a', '/' };
    const size_t length = 1000000;
    size_t k;
    (void)state;
    for (k = 0; k < 2; k++) {
        char *const value = (char *)malloc(length);
        routable_request *request = NULL;
        routable_error *error = NULL;
        routable_status status;
        memset(value, fill[k], length);
        status = read_user(bytes(value, length), &request, &error);
        if (status == ROUTABLE_OK)
            check_size("1 MB", routable_request_url(request).len, strlen("https://h/v1/users/") + length * (k ? 3 : 1));
        else if (status != ROUTABLE_ERR_LIMIT && status != ROUTABLE_ERR_VALUE)
            fail_msg("1 MB: %s", routable_status_name(status));
        routable_request_free(request);
        routable_error_free(error);
        free(value);
    }
}

static void integers(void **state)
{
    (void)state;
    check_id("0", routable_value_integer(0), "https://h/v1/users/0");
    check_id("-1", routable_value_integer(-1), "https://h/v1/users/-1");
    check_id("INT64_MAX", routable_value_integer(INT64_MAX), "https://h/v1/users/9223372036854775807");
    check_id("INT64_MIN", routable_value_integer(INT64_MIN), "https://h/v1/users/-9223372036854775808");
    check_url(router, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[9223372036854775807]}",
        "https://h/v1/users/9223372036854775807");
    check_url(router, "{\"route\":\"number\",\"operation\":\"read\",\"ids\":[-5]}", "https://h/v1/numbers/-5");
    check_url(router, "{\"route\":\"number\",\"operation\":\"read\",\"ids\":[\"12\"]}", "https://h/v1/numbers/12");
    check_refused(router, "{\"route\":\"number\",\"operation\":\"read\",\"ids\":[\"1a\"]}", ROUTABLE_ERR_VALUE);
    check_refused(router, "{\"route\":\"number\",\"operation\":\"read\",\"ids\":[1.5]}", ROUTABLE_ERR_VALUE);
    check_refused(router, "{\"route\":\"number\",\"operation\":\"read\",\"ids\":[\"\"]}", ROUTABLE_ERR_VALUE);
    check_refused(router, "{\"route\":\"number\",\"operation\":\"read\",\"ids\":[true]}", ROUTABLE_ERR_VALUE);
}

static void reals(void **state)
{
    const double zero = 0.0;
    (void)state;
    check_id("1.5", routable_value_real(1.5), "https://h/v1/users/1.5");
    check_id("0.1", routable_value_real(0.1), "https://h/v1/users/0.1");
    check_id("100.10", routable_value_real(100.10), "https://h/v1/users/100.1");
    check_id("1.0", routable_value_real(1.0), "https://h/v1/users/1.0");
    check_id("-0.0", routable_value_real(-zero), "https://h/v1/users/-0.0");
    check_id("1e20", routable_value_real(1e20), "https://h/v1/users/1e%2B20");
    check_id("5e-324", routable_value_real(5e-324), "https://h/v1/users/5e-324");
    check_id_refused("inf", routable_value_real(1e300 * 1e300), ROUTABLE_ERR_VALUE);
    check_id_refused("nan", routable_value_real(zero / zero), ROUTABLE_ERR_VALUE);
    check_url(router, "{\"operation\":\"search\",\"query\":{\"near\":100.10}}", "https://h/v1/search?near=100.1");
}

static void booleans_and_kinds(void **state)
{
    routable_value odd;
    (void)state;
    check_id("true", routable_value_boolean(7), "https://h/v1/users/true");
    check_id("false", routable_value_boolean(0), "https://h/v1/users/false");
    memset(&odd, 0, sizeof odd);
    odd.kind = 99;
    check_id_refused("kind 99", odd, ROUTABLE_ERR_ARGUMENT);
    odd.kind = -1;
    check_id_refused("kind -1", odd, ROUTABLE_ERR_ARGUMENT);
    check_refused(router, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[[1]]}", ROUTABLE_ERR_VALUE);
    check_refused(router, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[{\"a\":1}]}", ROUTABLE_ERR_VALUE);
}

static void queries(void **state)
{
    (void)state;
    check_url(router, "{\"operation\":\"search\",\"query\":{\"q\":\"a&b=c#d?e/f+g h\"}}",
        "https://h/v1/search?q=a%26b%3Dc%23d%3Fe%2Ff%2Bg%20h");
    check_url(router, "{\"operation\":\"search\",\"query\":{\"page\":2,\"q\":\"x\"}}", "https://h/v1/search?q=x&page=2");
    check_url(router, "{\"operation\":\"search\",\"query\":{\"q\":null,\"page\":2}}", "https://h/v1/search?page=2");
    check_url(router, "{\"operation\":\"search\",\"query\":{\"q\":\"\"}}", "https://h/v1/search?q=");
    check_url(router, "{\"operation\":\"search\",\"query\":{\"q\":\"a\\u0000\\r\\nb\"}}", "https://h/v1/search?q=a%00%0D%0Ab");
    check_url(router, "{\"operation\":\"search\",\"query\":{\"exact\":true}}", "https://h/v1/search?exact=true");
    check_url(router, "{\"operation\":\"search\"}", "https://h/v1/search");
    check_refused(router, "{\"operation\":\"search\",\"query\":{\"page\":\"two\"}}", ROUTABLE_ERR_VALUE);
    {
        static const char call[] = "{\"operation\":\"search\",\"query\":{\"pag\":2}}";
        routable_error *const error = refuse(router, call, ROUTABLE_ERR_PARAMETER);
        check_text(call, routable_error_suggestion(error), "page");
        check_text(call, routable_error_pointer(error), "/query/pag");
        check_allowed(call, error, "exact near page q");
        routable_error_free(error);
    }
}

static void defaults_and_required(void **state)
{
    static const char call[] = "{\"operation\":\"search\",\"query\":{\"page\":2}}";
    routable_router *const social = open_social();
    routable_error *error;
    (void)state;
    check_url(social, "{\"operation\":\"search\",\"query\":{\"q\":\"x\"}}", "https://api.example.com/v1/search?q=x&page=1");
    check_url(social, "{\"operation\":\"search\",\"query\":{\"q\":\"x\",\"page\":3}}",
        "https://api.example.com/v1/search?q=x&page=3");
    error = refuse(social, call, ROUTABLE_ERR_PARAMETER);
    check_text(call, routable_error_parameter(error), "q");
    check_contains(call, routable_error_message(error), "q");
    routable_error_free(error);
    routable_router_free(social);
}

static void headers(void **state)
{
    static const char *const bad[] = {
        "{\"operation\":\"tagged\",\"headers\":{\"X-Tag\":\"a\\r\\nX-Evil: 1\"}}",
        "{\"operation\":\"tagged\",\"headers\":{\"X-Tag\":\"a\\u0000b\"}}",
        "{\"operation\":\"tagged\",\"headers\":{\"X-Other\":\"a\\nb\"}}",
        "{\"operation\":\"tagged\",\"headers\":{\"X-Other\\r\\nY\":\"a\"}}",
        "{\"operation\":\"tagged\",\"headers\":{\"X Other\":\"a\"}}",
        "{\"operation\":\"tagged\",\"headers\":{\"\":\"a\"}}",
        "{\"operation\":\"tagged\",\"headers\":{\"X:\":\"a\"}}",
        "{\"operation\":\"tagged\",\"headers\":{\"X-Other\":\"\\u007f\"}}",
    };
    routable_request *request;
    routable_error *error = NULL;
    size_t i;
    (void)state;
    for (i = 0; i < sizeof bad / sizeof *bad; i++)
        check_refused(router, bad[i], ROUTABLE_ERR_HEADER);
    request = build(router, "{\"operation\":\"tagged\",\"headers\":{\"X-Tag\":\"a\",\"X-Other\":\"b c\"}}");
    check_text("X-Tag", routable_str_from(header_of(request, "X-Tag")), "a");
    check_text("X-Other", routable_str_from(header_of(request, "X-Other")), "b c");

    check_status("name", routable_request_set_header(request, "X Y", routable_str_from("a"), &error), ROUTABLE_ERR_HEADER, error);
    routable_error_free(error);
    check_status("value", routable_request_set_header(request, "X", routable_str_from("a\nb"), &error), ROUTABLE_ERR_HEADER, error);
    routable_error_free(error);
    check_status("type", routable_request_set_body(request, routable_str_from("b"), "a/b\r\nX: y", &error), ROUTABLE_ERR_HEADER,
        error);
    routable_error_free(error);
    assert_int_equal(routable_request_has_body(request), 0);
    check_status("case", routable_request_set_header(request, "x-tag", routable_str_from("z"), &error), ROUTABLE_OK, error);
    assert_null(header_of(request, "X-Tag"));
    check_text("replaced", routable_str_from(header_of(request, "x-tag")), "z");
    check_status("remove", routable_request_remove_header(request, "X-TAG", &error), ROUTABLE_OK, error);
    assert_null(header_of(request, "x-tag"));
    check_status("remove again", routable_request_remove_header(request, "X-TAG", &error), ROUTABLE_OK, error);
    check_text("beyond", routable_request_header_at(request, 999).name, "");
    check_text("beyond", routable_request_header_at(request, 999).value, "");
    routable_request_free(request);
}

static void bodies(void **state)
{
    static const char raw[] = "{\"route\":\"user\",\"operation\":\"create\",\"body_text\":\"h\\u00e9\",\"content_type\":\"text/plain\"}";
    static const char base64[] =
        "{\"route\":\"user\",\"operation\":\"create\",\"body_base64\":\"AP8A\",\"content_type\":\"application/octet-stream\"}";
    routable_request *request = build(router, raw);
    (void)state;
    check_text(raw, routable_request_body(request), "h\xC3\xA9");
    check_text(raw, routable_str_from(header_of(request, "Content-Type")), "text/plain");
    routable_request_free(request);
    request = build(router, base64);
    check_size(base64, routable_request_body(request).len, 3);
    assert_memory_equal(routable_request_body(request).ptr, "\0\xFF\0", 3);
    routable_request_free(request);
    check_refused(router, "{\"route\":\"user\",\"operation\":\"create\",\"body_base64\":\"AP8\"}", ROUTABLE_ERR_DOCUMENT);
    check_refused(router, "{\"route\":\"user\",\"operation\":\"create\",\"body\":1,\"body_text\":\"\"}", ROUTABLE_ERR_DOCUMENT);
    check_refused(router, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"1\"],\"body\":{}}", ROUTABLE_ERR_BODY);
}

/* J4: numbers of a JSON body keep their value and gain no digits. */
static void J4_numbers_in_bodies(void **state)
{
    static const char call[] = "{\"route\":\"user\",\"operation\":\"create\",\"body\":[0.1,100.10,1.0,9223372036854775807,-5]}";
    routable_request *const request = build(router, call);
    (void)state;
    check_text(call, routable_request_body(request), "[0.1,100.1,1.0,9223372036854775807,-5]");
    routable_request_free(request);
}

static void bad_calls(void **state)
{
    static const struct { const char *call; routable_status status; const char *pointer; } table[] = {
        { "", ROUTABLE_ERR_JSON, "" },
        { "{\"operation\":", ROUTABLE_ERR_JSON, "" },
        { "[]", ROUTABLE_ERR_DOCUMENT, "" },
        { "{}", ROUTABLE_ERR_DOCUMENT, "" },
        { "{\"route\":\"user\"}", ROUTABLE_ERR_DOCUMENT, "" },
        { "{\"operation\":1}", ROUTABLE_ERR_DOCUMENT, "/operation" },
        { "{\"operation\":\"search\",\"route\":5}", ROUTABLE_ERR_DOCUMENT, "/route" },
        { "{\"operation\":\"search\",\"ids\":\"x\"}", ROUTABLE_ERR_DOCUMENT, "/ids" },
        { "{\"operation\":\"search\",\"query\":[]}", ROUTABLE_ERR_DOCUMENT, "/query" },
        { "{\"operation\":\"search\",\"qury\":{}}", ROUTABLE_ERR_DOCUMENT, "/qury" },
        { "{\"operation\":\"search\",\"operation\":\"search\"}", ROUTABLE_ERR_DOCUMENT, "/operation" },
        { "{\"operation\":\"serch\"}", ROUTABLE_ERR_UNKNOWN, "/operation" },
        { "{\"route\":\"usr\",\"operation\":\"read\"}", ROUTABLE_ERR_UNKNOWN, "/route" },
        { "{\"route\":\".\",\"operation\":\"read\"}", ROUTABLE_ERR_UNKNOWN, "/route" },
        { "{\"route\":\"user.\",\"operation\":\"read\"}", ROUTABLE_ERR_UNKNOWN, "/route" },
        { "{\"route\":\"user\",\"operation\":\"raed\"}", ROUTABLE_ERR_NOT_ALLOWED, "/operation" },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        routable_error *const error = refuse(router, table[i].call, table[i].status);
        check_text(table[i].call, routable_error_pointer(error), table[i].pointer);
        routable_error_free(error);
    }
    {
        routable_error *error = refuse(router, "{\"operation\":\"serch\"}", ROUTABLE_ERR_UNKNOWN);
        check_text("serch", routable_error_suggestion(error), "search");
        check_allowed("serch", error, "search tagged");
        routable_error_free(error);
        error = refuse(router, "{\"route\":\"usr\",\"operation\":\"read\"}", ROUTABLE_ERR_UNKNOWN);
        check_text("usr", routable_error_suggestion(error), "user");
        routable_error_free(error);
    }
}

/* More ids than the documented limit of a route, which is 32. */
static void walks_have_a_limit(void **state)
{
    routable_router *const cycle = open_text("{\"routable\":1,\"base\":\"https://h\",\"resources\":{"
                                             "\"a\":{\"path\":\"a\",\"can\":[\"read\"],\"has\":[\"a\"]}}}");
    char route[256] = "a";
    char call[2048];
    int depth;
    (void)state;
    for (depth = 2; depth <= 33; depth++) {
        int i;
        strcat(route, ".a");
        sprintf(call, "{\"route\":\"%s\",\"operation\":\"read\",\"ids\":[\"1\"", route);
        for (i = 1; i < depth; i++)
            strcat(call, ",\"1\"");
        strcat(call, "]}");
        if (depth <= 32)
            routable_request_free(build(cycle, call));
        else
            check_refused(cycle, call, ROUTABLE_ERR_LIMIT);
    }
    routable_router_free(cycle);
}

static void shadowed_values(void **state)
{
    static const char call[] = "{\"operation\":\"gist\",\"ids\":[\"public\"]}";
    routable_router *const gists = open_text("{\"routable\":1,\"base\":\"https://h\",\"operations\":{"
                                             "\"gist\":{\"get\":\"/gists/{id}\"},\"public\":{\"get\":\"/gists/public\"},"
                                             "\"drop\":{\"delete\":\"/gists/{id}\",\"shadowed\":true}}}");
    routable_error *const error = refuse(gists, call, ROUTABLE_ERR_SHADOWED);
    (void)state;
    check_contains(call, routable_error_message(error), "public");
    routable_error_free(error);
    check_url(gists, "{\"operation\":\"gist\",\"ids\":[\"Public\"]}", "https://h/gists/Public");
    check_url(gists, "{\"operation\":\"drop\",\"ids\":[\"public\"]}", "https://h/gists/public");
    routable_router_free(gists);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slash_stays_in_its_segment),
        cmocka_unit_test(dots),
        cmocka_unit_test(empty_and_null),
        cmocka_unit_test(NULL_with_a_length),
        cmocka_unit_test(control_bytes),
        cmocka_unit_test(invalid_utf8),
        cmocka_unit_test(each_byte),
        cmocka_unit_test(a_megabyte),
        cmocka_unit_test(integers),
        cmocka_unit_test(reals),
        cmocka_unit_test(booleans_and_kinds),
        cmocka_unit_test(queries),
        cmocka_unit_test(defaults_and_required),
        cmocka_unit_test(headers),
        cmocka_unit_test(bodies),
        cmocka_unit_test(J4_numbers_in_bodies),
        cmocka_unit_test(bad_calls),
        cmocka_unit_test(walks_have_a_limit),
        cmocka_unit_test(shadowed_values),
    };
    return cmocka_run_group_tests_name("values", tests, open_router, close_router);
}
