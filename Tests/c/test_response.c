/* The outcome of a body: the table of docs/statements.md, M row by row, M1, M2, A1 and A2, for responses that the host
 * received.  No client, no network, no libcurl. */
#include "support.h"

#define OUTCOMES_DOCUMENT \
    "{\"routable\":1,\"base\":\"https://h\",\"types\":{" \
    "\"Named\":{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":{\"type\":\"string\"}}}," \
    "\"Loose\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}}," \
    "\"resources\":{\"named\":{\"path\":\"named\",\"can\":[\"read\",\"delete\"],\"type\":\"Named\"}," \
    "\"loose\":{\"path\":\"loose\",\"can\":[\"list\",\"read\"],\"type\":\"Loose\"}," \
    "\"article\":{\"path\":\"article\",\"can\":[\"read\"],\"type\":\"Named\"," \
    "\"operations\":{\"read\":{\"outcome\":\"any\"}}}," \
    "\"plain\":{\"path\":\"plain\",\"can\":[\"list\",\"read\"]}}," \
    "\"operations\":{" \
    "\"head\":{\"head\":\"/head\"}," \
    "\"made\":{\"post\":\"/made\",\"results\":{\"201\":{\"$ref\":\"#/types/Named\"},\"204\":null}}," \
    "\"all\":{\"get\":\"/all\",\"results\":{\"2XX\":{\"$ref\":\"#/types/Named\"},\"404\":null}}," \
    "\"any\":{\"get\":\"/any\",\"results\":{\"default\":{\"$ref\":\"#/types/Named\"}}}," \
    "\"names\":{\"get\":\"/names\",\"results\":{\"200\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/types/Named\"}}}}}}"

static routable_router *router;

static int open_router(void **state)
{
    (void)state;
    router = open_text(OUTCOMES_DOCUMENT);
    return 0;
}

static int close_router(void **state)
{
    (void)state;
    routable_router_free(router);
    return 0;
}

static routable_status map_bytes(const char *route, const char *operation, int32_t http_status, const char *bytes,
    size_t length, routable_response **response, routable_error **error)
{
    routable_str body;
    body.ptr = bytes;
    body.len = length;
    return routable_response_map(router, route, operation, http_status, NULL, 0, body, response, error);
}

static routable_status map(const char *route, const char *operation, int32_t http_status, const char *body,
    routable_response **response, routable_error **error)
{
    return map_bytes(route, operation, http_status, body, strlen(body), response, error);
}

static const char *outcome_name(routable_outcome outcome)
{
    static const char *const names[] = { "empty", "self", "dictionary", "array", "raw" };
    return outcome >= 0 && outcome <= 4 ? names[outcome] : "?";
}

/* Checks the outcome of a 200 response with this body, and the unmodified bytes. */
static void check_outcome(const char *route, const char *body, routable_outcome expected)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    check_status(body, map(route, "read", 200, body, &response, &error), ROUTABLE_OK, error);
    if (routable_response_outcome(response) != expected)
        fail_msg("input:    %s\nexpected: %s\ngot:      %s", body, outcome_name(expected),
            outcome_name(routable_response_outcome(response)));
    check_text(body, routable_response_body(response), body);
    assert_int_equal(routable_response_status(response), 200);
    routable_response_free(response);
}

static void M3_mapping_table_self(void **state)
{
    (void)state;
    check_outcome("named", "{\"name\":\"a\"}", ROUTABLE_OUTCOME_SELF);
    check_outcome("named", "{\"name\":\"a\",\"more\":1}", ROUTABLE_OUTCOME_SELF);
    check_outcome("named", " {\"name\" : \"a\"}\n", ROUTABLE_OUTCOME_SELF);
}

static void M3_mapping_table_dictionary(void **state)
{
    (void)state;
    check_outcome("article", "{\"x\":{\"name\":\"a\"},\"y\":{\"name\":\"b\"}}", ROUTABLE_OUTCOME_DICTIONARY);
    check_outcome("article", "{}", ROUTABLE_OUTCOME_DICTIONARY);
}

static void M3_mapping_table_array(void **state)
{
    (void)state;
    check_outcome("article", "[{\"name\":\"a\"}]", ROUTABLE_OUTCOME_ARRAY);
    check_outcome("article", "[]", ROUTABLE_OUTCOME_ARRAY);
}

static void M3_mapping_table_raw(void **state)
{
    static const char *const bodies[] = { "{\"x\":{\"name\":\"a\"},\"n\":1}", "{\"x\":{\"name\":\"a\"},\"y\":{}}",
        "{\"error\":\"no\"}", "[{\"name\":\"a\"},{}]", "[1,2]", "\"hi\"", "1", "null", "true", "{\"name\":1}",
        "[[{\"name\":\"a\"}]]" };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof bodies / sizeof *bodies; i++)
        check_outcome("article", bodies[i], ROUTABLE_OUTCOME_RAW);
}

/* Checks that a 200 response with this body has this outcome and one deviation. */
static void check_deviation(const char *route, const char *operation, const char *body, routable_outcome expected,
    const char *says, const char *pointer, const char *schema_pointer, const char *found)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_deviation deviation = ROUTABLE_DEVIATION_INIT;
    check_status(body, map(route, operation, 200, body, &response, &error), ROUTABLE_OK, error);
    if (routable_response_outcome(response) != expected)
        fail_msg("input:    %s\nexpected: %s\ngot:      %s", body, outcome_name(expected),
            outcome_name(routable_response_outcome(response)));
    check_size(body, routable_response_deviation_count(response), 1);
    assert_int_equal(routable_response_deviation_at(response, 0, &deviation), 1);
    check_contains(body, deviation.message, says);
    check_text(body, deviation.pointer, pointer);
    check_text(body, deviation.schema_pointer, schema_pointer);
    check_text(body, deviation.found, found);
    routable_response_free(response);
}

/* The kind of the root decides the outcome; every invalid value below it is listed. */
static void outcomes_follow_the_description(void **state)
{
    routable_response *response = NULL;
    routable_deviation deviation = ROUTABLE_DEVIATION_INIT;
    (void)state;
    check_outcome("named", "{\"name\":\"a\"}", ROUTABLE_OUTCOME_SELF);
    check_deviation("named", "read", "{}", ROUTABLE_OUTCOME_SELF, "\"name\" is missing", "", "/required", "");
    check_deviation("named", "read", "{\"name\":null}", ROUTABLE_OUTCOME_SELF, "string is expected, not null", "/name",
        "/properties/name/type", "null");
    check_deviation("named", "read", "{\"name\":1}", ROUTABLE_OUTCOME_SELF, "/name does not match its type: string", "/name",
        "/properties/name/type", "1");
    check_deviation("named", "read", "[]", ROUTABLE_OUTCOME_RAW, "object is expected, not an array", "", "/type", "[]");
    check_deviation("named", "read", "[{\"name\":\"a\"}]", ROUTABLE_OUTCOME_RAW, "object is expected", "", "/type",
        "[{\"name\":\"a\"}]");
    check_deviation("named", "read", "null", ROUTABLE_OUTCOME_RAW, "object is expected, not null", "", "/type", "null");
    check_deviation("named", "read", "<html>", ROUTABLE_OUTCOME_RAW, "", "", "", "");
    check_deviation("loose", "list", "{}", ROUTABLE_OUTCOME_RAW, "an array of values is expected, not an object", "", "", "{}");
    check_deviation("loose", "list", "[{},{\"name\":1}]", ROUTABLE_OUTCOME_ARRAY, "/1/name does not match", "/1/name",
        "/properties/name/type", "1");
    check_deviation("named", "read", "", ROUTABLE_OUTCOME_EMPTY, "the body is empty", "", "", "");
    check_deviation("named", "read", "\xEF\xBB\xBF{\"name\":\"a\"}", ROUTABLE_OUTCOME_SELF, "byte order mark", "", "", "");
    assert_int_equal(map("loose", "list", 200, "[{},{\"name\":\"a\"}]", &response, NULL), ROUTABLE_OK);
    assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_ARRAY);
    check_size("array", routable_response_deviation_count(response), 0);
    routable_response_free(response);
    /* Without a declaration, there is no deviation. */
    assert_int_equal(map("plain", "read", 200, "[1]", &response, NULL), ROUTABLE_OK);
    assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_RAW);
    check_size("plain", routable_response_deviation_count(response), 0);
    routable_response_free(response);
    check_size("NULL", routable_response_deviation_count(NULL), 0);
    assert_int_equal(routable_response_deviation_at(NULL, 0, &deviation), 0);
}

/* All deviations are listed in the order of the body, up to 100, and a long value is truncated. */
static void many_deviations(void **state)
{
    enum { ELEMENTS = 300 };
    char body[ELEMENTS * 12 + 400] = "[";
    routable_response *response = NULL;
    routable_deviation deviation = ROUTABLE_DEVIATION_INIT;
    (void)state;
    strcat(body, "{\"name\":[");
    for (int index = 0; index < 50; index++)
        strcat(body, "7777,");
    strcat(body, "0]}");
    for (int index = 1; index < ELEMENTS; index++)
        strcat(body, ",{\"name\":1}");
    strcat(body, "]");
    assert_int_equal(map("loose", "list", 200, body, &response, NULL), ROUTABLE_OK);
    assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_ARRAY);
    check_size("many", routable_response_deviation_count(response), 100);
    assert_int_equal(routable_response_deviation_at(response, 0, &deviation), 1);
    if (deviation.found.len < 80 || deviation.found.len > 100)
        fail_msg("expected: 80 to 100 bytes\ngot: %zu: %s", deviation.found.len, deviation.found.ptr);
    assert_int_equal(routable_response_deviation_at(response, 98, &deviation), 1);
    check_text("many", deviation.pointer, "/98/name");
    assert_int_equal(routable_response_deviation_at(response, 99, &deviation), 1);
    check_text("many", deviation.message, "there are further deviations, which are not listed");
    routable_response_free(response);
}

/* The library reads no byte beyond a value whose length is near the limits at which `found` is truncated. */
static void lengths_of_what_was_found(void **state)
{
    char body[256];
    (void)state;
    for (size_t length = 70; length < 180; length++) {
        routable_response *response = NULL;
        routable_deviation deviation = ROUTABLE_DEVIATION_INIT;
        body[0] = body[length - 1] = '"';
        memset(body + 1, 'x', length - 2);
        body[length] = 0;
        assert_int_equal(map("named", "read", 200, body, &response, NULL), ROUTABLE_OK);
        assert_int_equal(routable_response_deviation_at(response, 0, &deviation), 1);
        if (deviation.found.len != (length <= 80 ? length : 83) || memcmp(deviation.found.ptr, body, 80 < length ? 80 : length) != 0)
            fail_msg("input: a string of %zu bytes\ngot:   %s", length, deviation.found.ptr);
        routable_response_free(response);
    }
}

/* The media type of the response never turns a success into an error. */
static void media_types(void **state)
{
    static const struct { const char *type, *body; routable_outcome outcome; const char *says; } table[] = {
        { "text/html; charset=utf-8", "<html>maintenance</html>", ROUTABLE_OUTCOME_RAW,
            "the body is text/html; charset=utf-8, where JSON is declared" },
        { "text/plain", "{\"name\":\"a\"}", ROUTABLE_OUTCOME_SELF, "the body is JSON, and its media type is text/plain" },
        { "application/problem+json", "{\"name\":\"a\"}", ROUTABLE_OUTCOME_SELF, NULL },
        { "application/json; charset=\"UTF-8\"", "{\"name\":\"\xC3\xA9\"}", ROUTABLE_OUTCOME_SELF, NULL },
        { "application/json; charset=iso-8859-1", "{\"name\":\"a\"}", ROUTABLE_OUTCOME_SELF, NULL },
        { "application/json; charset=iso-8859-1", "{\"name\":\"\xC3\xA9\"}", ROUTABLE_OUTCOME_RAW,
            "the body has the character set iso-8859-1; JSON is read as UTF-8" },
    };
    (void)state;
    for (size_t index = 0; index < sizeof table / sizeof *table; index++) {
        const routable_header type = { routable_str_from("Content-Type"), routable_str_from(table[index].type) };
        routable_response *response = NULL;
        routable_deviation deviation = ROUTABLE_DEVIATION_INIT;
        routable_string text = { NULL, 0 };
        assert_int_equal(routable_response_map(router, "named", "read", 200, &type, 1, routable_str_from(table[index].body),
                             &response, NULL), ROUTABLE_OK);
        if (routable_response_outcome(response) != table[index].outcome)
            fail_msg("input:    %s %s\nexpected: %s\ngot:      %s", table[index].type, table[index].body,
                outcome_name(table[index].outcome), outcome_name(routable_response_outcome(response)));
        check_size(table[index].type, routable_response_deviation_count(response), table[index].says ? 1 : 0);
        if (table[index].says) {
            assert_int_equal(routable_response_deviation_at(response, 0, &deviation), 1);
            check_text(table[index].type, deviation.message, table[index].says);
        }
        assert_int_equal(routable_response_to_json(response, &text, NULL), ROUTABLE_OK);
        if (table[index].says)
            check_contains(table[index].type, routable_str_from(text.ptr), "\"deviations\":[{\"pointer\":\"\",\"message\":\"the body ");
        routable_string_free(&text);
        routable_response_free(response);
    }
}

static void M3_mapping_table_empty_object_of_optionals(void **state)
{
    (void)state;
    check_outcome("loose", "{}", ROUTABLE_OUTCOME_SELF);
    check_outcome("loose", "[{}]", ROUTABLE_OUTCOME_RAW);
}

static void M3_mapping_table_not_json(void **state)
{
    static const char *const bodies[] = { "hello", "{\"name\":", "<html>", "{\"name\":\"a\"} x", "{\"name\":\"\xFF\"}", " " };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof bodies / sizeof *bodies; i++)
        check_outcome("named", bodies[i], ROUTABLE_OUTCOME_RAW);
}

static void M3_mapping_table_204_and_205(void **state)
{
    static const int32_t statuses[] = { 204, 205 };
    size_t i;
    (void)state;
    for (i = 0; i < 2; i++) {
        routable_response *response = NULL;
        routable_error *error = NULL;
        check_status("204, 205", map("named", "delete", statuses[i], "", &response, &error), ROUTABLE_OK, error);
        assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_EMPTY);
        check_text("body", routable_response_body(response), "");
        routable_response_free(response);
    }
}

static void M3_mapping_table_404_with_json(void **state)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_string text = { NULL, 0 };
    json_t *json;
    (void)state;
    check_status("404", map("named", "read", 404, "{\"name\":\"gone\"}", &response, &error), ROUTABLE_ERR_HTTP_STATUS, error);
    assert_null(response);
    assert_int_equal(routable_error_http_status(error), 404);
    check_text("404", routable_error_message(error), "the service responded with 404 to read of named, which is not a success: {\"name\":\"gone\"}");
    check_text("404", routable_error_route(error), "named");
    check_text("404", routable_error_operation(error), "read");
    assert_non_null(routable_error_response(error));
    assert_int_equal(routable_response_status(routable_error_response(error)), 404);
    check_text("404", routable_response_body(routable_error_response(error)), "{\"name\":\"gone\"}");
    assert_int_equal(routable_error_to_json(error, &text), ROUTABLE_OK);
    json = json_loadb(text.ptr, text.len, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(json, "http_status")), 404);
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(json_object_get(json, "response"), "value"), "name")), "gone");
    json_decref(json);
    routable_string_free(&text);
    routable_error_free(error);
    /* The exception: an operation that declares the status. */
    check_status("404 declared", map(NULL, "all", 404, "", &response, &error), ROUTABLE_OK, error);
    routable_response_free(response);
}

/* M1: exactly one of a response and an error is returned. */
static void M1_one_outcome(void **state)
{
    static const struct { int32_t status; const char *body; } table[] = { { 200, "{\"name\":\"a\"}" }, { 200, "" },
        { 204, "" }, { 404, "{}" }, { 500, "" }, { 301, "" }, { 200, "x" }, { 100, "" }, { 999, "" }, { 0, "" }, { -1, "" } };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        routable_response *response = NULL;
        routable_error *error = NULL;
        const routable_status status = map("named", "read", table[i].status, table[i].body, &response, &error);
        if ((status == ROUTABLE_OK) != (response != NULL) || (response != NULL) == (error != NULL))
            fail_msg("input: %d %s\ngot: %s, %s response, %s error", table[i].status, table[i].body,
                routable_status_name(status), response ? "a" : "no", error ? "an" : "no");
        routable_response_free(response);
        routable_error_free(error);
    }
}

static void M2_raw_bytes(void **state)
{
    static const char bytes[] = "\0\xFF\r\n\0a";
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_string text = { NULL, 0 };
    (void)state;
    check_status("bytes", map_bytes("named", "read", 200, bytes, 6, &response, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_RAW);
    check_size("bytes", routable_response_body(response).len, 6);
    assert_memory_equal(routable_response_body(response).ptr, bytes, 7); /* a NUL follows */
    assert_int_equal(routable_response_to_json(response, &text, NULL), ROUTABLE_OK);
    check_contains("bytes", routable_str_from(text.ptr), "\"body_base64\":\"AP8NCgBh\"");
    routable_string_free(&text);
    routable_response_free(response);
}

/* A declared type for the body of an error types the body; the response is still an error. */
static void a_typed_error_stays_an_error(void **state)
{
    routable_router *const typed = open_text(
        "{\"routable\":1,\"base\":\"https://h\",\"types\":{\"Wrong\":{\"type\":\"object\",\"required\":[\"code\"]},"
        "\"Item\":{\"type\":\"object\",\"required\":[\"name\"]}},\"resources\":{\"item\":{\"path\":\"items\",\"can\":[\"read\"],"
        "\"type\":\"Item\",\"operations\":{\"read\":{\"results\":{\"4XX\":{\"$ref\":\"#/types/Wrong\"}}}}}}}");
    routable_response *response = NULL;
    routable_error *error = NULL;
    const routable_response *found;
    (void)state;
    check_status("404", routable_response_map(typed, "item", "read", 404, NULL, 0, routable_str_from("{\"code\":1}"), &response, &error),
        ROUTABLE_ERR_HTTP_STATUS, error);
    found = routable_error_response(error);
    assert_non_null(found);
    check_text("the type of the error", routable_response_type(found), "Wrong");
    assert_int_equal(routable_response_outcome(found), ROUTABLE_OUTCOME_SELF);
    routable_error_free(error);
    error = NULL;
    check_status("200", routable_response_map(typed, "item", "read", 200, NULL, 0, routable_str_from("{\"name\":\"a\"}"), &response, &error),
        ROUTABLE_OK, error);
    check_text("the type of the resource", routable_response_type(response), "Item");
    routable_response_free(response);
    routable_router_free(typed);
}

/* A1: without a declaration, every status from 200 to 299 is a success, and no other is. */
static void A1_which_statuses_are_a_success(void **state)
{
    static const struct { const char *operation; int32_t status; int success; } table[] = {
        { "all", 200, 1 }, { "all", 299, 1 }, { "all", 300, 0 }, { "all", 404, 1 }, { "all", 500, 0 }, { "made", 201, 1 },
        { "made", 200, 0 }, { "any", 200, 1 }, { "any", 500, 0 }, { "names", 200, 1 }, { "names", 201, 0 },
    };
    int32_t code;
    size_t i;
    (void)state;
    for (code = 200; code < 600; code += 33) {
        routable_response *response = NULL;
        routable_error *error = NULL;
        check_status("plain", map("plain", "read", code, "{}", &response, &error),
            code < 300 ? ROUTABLE_OK : ROUTABLE_ERR_HTTP_STATUS, error);
        routable_response_free(response);
        routable_error_free(error);
    }
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        routable_response *response = NULL;
        routable_error *error = NULL;
        const routable_status status = map(NULL, table[i].operation, table[i].status, "{\"name\":\"a\"}", &response, &error);
        const routable_status expected = table[i].success ? ROUTABLE_OK : ROUTABLE_ERR_HTTP_STATUS;
        if (status != expected)
            fail_msg("input: %s %d\nexpected: %s\ngot: %s", table[i].operation, table[i].status,
                routable_status_name(expected), routable_status_name(status));
        routable_response_free(response);
        routable_error_free(error);
    }
}

static void A2_empty_bodies(void **state)
{
    static const struct { const char *route, *operation; int32_t status; size_t deviations; } table[] = {
        { "named", "read", 200, 1 }, { "named", "read", 204, 0 }, { "named", "read", 205, 0 }, { NULL, "head", 200, 0 },
        { NULL, "made", 204, 0 }, { NULL, "made", 201, 1 },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        routable_response *response = NULL;
        routable_error *error = NULL;
        check_status(table[i].operation, map(table[i].route, table[i].operation, table[i].status, "", &response, &error),
            ROUTABLE_OK, error);
        assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_EMPTY);
        check_size(table[i].operation, routable_response_deviation_count(response), table[i].deviations);
        routable_response_free(response);
    }
}

/* L2: a result that is declared as null has no value, whatever the body is. */
static void L2_declared_empty(void **state)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    (void)state;
    check_status("204", map(NULL, "made", 204, "", &response, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_EMPTY);
    routable_response_free(response);
}

static void headers_and_urls(void **state)
{
    const routable_header headers[] = { { routable_str_from("Content-Type"), routable_str_from("application/json") },
        { routable_str_from("X-A"), routable_str_from("1") }, { routable_str_from("x-a"), routable_str_from("2") } };
    routable_response *response = NULL;
    routable_error *error = NULL;
    (void)state;
    check_status("headers", routable_response_map(router, "named", "read", 200, headers, 3, routable_str_from("{\"name\":\"a\"}"),
                                &response, &error), ROUTABLE_OK, error);
    check_size("headers", routable_response_header_count(response), 3);
    check_text("X-A", routable_response_header(response, "X-A"), "1");
    check_text("x-A", routable_response_header(response, "x-A"), "1");
    check_text("content-type", routable_response_header(response, "content-type"), "application/json");
    check_text("none", routable_response_header(response, "X-None"), "");
    check_text("at", routable_response_header_at(response, 2).name, "x-a");
    check_text("at", routable_response_header_at(response, 2).value, "2");
    check_text("beyond", routable_response_header_at(response, 3).name, "");
    check_text("url", routable_response_url(response), "");
    routable_response_free(response);
}

static void unknown_and_refused(void **state)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    (void)state;
    check_status("route", map("namd", "read", 200, "{}", &response, &error), ROUTABLE_ERR_UNKNOWN, error);
    check_text("route", routable_error_suggestion(error), "named");
    routable_error_free(error);
    check_status("operation", map("named", "update", 200, "{}", &response, &error), ROUTABLE_ERR_NOT_ALLOWED, error);
    check_allowed("operation", error, "delete read");
    routable_error_free(error);
    check_status("free", map(NULL, "hed", 200, "{}", &response, &error), ROUTABLE_ERR_UNKNOWN, error);
    routable_error_free(error);
    assert_null(response);
}

/* A hostile body is raw or an error, in bounded time. */
static void hostile_bodies(void **state)
{
    const size_t depth = 200000;
    char *const text = (char *)malloc(depth * 2);
    routable_response *response = NULL;
    routable_error *error = NULL;
    routable_status status;
    (void)state;
    memset(text, '[', depth);
    memset(text + depth, ']', depth);
    status = map_bytes("named", "read", 200, text, depth * 2, &response, &error);
    if (status == ROUTABLE_OK)
        assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_RAW);
    routable_response_free(response);
    routable_error_free(error);
    free(text);
    check_outcome("named", "{\"name\":\"a\",\"n\":12345678901234567890}", ROUTABLE_OUTCOME_SELF);
    check_outcome("named", "{\"name\":\"a\",\"n\":1e400}", ROUTABLE_OUTCOME_SELF);
}

static void as_json(void **state)
{
    static const char value[] = "{\"name\":\"a\",\"n\":100.10,\"big\":12345678901234567890}";
    static const char words[] = "hello \xC3\xA9";
    routable_response *response = NULL;
    routable_string text = { NULL, 0 };
    json_t *json;
    (void)state;
    assert_int_equal(map("named", "read", 200, value, &response, NULL), ROUTABLE_OK);
    assert_int_equal(routable_response_to_json(response, &text, NULL), ROUTABLE_OK);
    check_contains(value, routable_str_from(text.ptr), "\"outcome\":\"self\"");
    check_contains(value, routable_str_from(text.ptr), "\"type\":\"Named\"");
    check_contains(value, routable_str_from(text.ptr), "12345678901234567890"); /* its digits are kept */
    assert_null(strstr(text.ptr, "99999"));                              /* and 100.10 gains none */
    routable_string_free(&text);
    routable_response_free(response);

    response = NULL;
    assert_int_equal(map("named", "read", 200, words, &response, NULL), ROUTABLE_OK);
    assert_int_equal(routable_response_to_json(response, &text, NULL), ROUTABLE_OK);
    json = json_loadb(text.ptr, text.len, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(json, "status")), 200);
    assert_string_equal(json_string_value(json_object_get(json, "outcome")), "raw");
    assert_string_equal(json_string_value(json_object_get(json, "body")), words);
    assert_null(json_object_get(json, "value"));
    assert_null(json_object_get(json, "body_base64"));
    json_decref(json);
    routable_string_free(&text);
    routable_response_free(response);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(M3_mapping_table_self),
        cmocka_unit_test(M3_mapping_table_dictionary),
        cmocka_unit_test(M3_mapping_table_array),
        cmocka_unit_test(M3_mapping_table_raw),
        cmocka_unit_test(outcomes_follow_the_description), cmocka_unit_test(media_types), cmocka_unit_test(many_deviations),
        cmocka_unit_test(lengths_of_what_was_found),
        cmocka_unit_test(M3_mapping_table_empty_object_of_optionals),
        cmocka_unit_test(M3_mapping_table_not_json),
        cmocka_unit_test(M3_mapping_table_204_and_205),
        cmocka_unit_test(M3_mapping_table_404_with_json),
        cmocka_unit_test(M1_one_outcome),
        cmocka_unit_test(M2_raw_bytes),
        cmocka_unit_test(a_typed_error_stays_an_error), cmocka_unit_test(A1_which_statuses_are_a_success),
        cmocka_unit_test(A2_empty_bodies),
        cmocka_unit_test(L2_declared_empty),
        cmocka_unit_test(headers_and_urls),
        cmocka_unit_test(unknown_and_refused),
        cmocka_unit_test(hostile_bodies),
        cmocka_unit_test(as_json),
    };
    return cmocka_run_group_tests_name("response", tests, open_router, close_router);
}
