/* The schemas of an operation: inline ones as text, and JSON and json_t values validated against them, with all reasons. */
#include "support.h"

#include "routable_jansson.h"

static const char document[] =
    "{\"routable\":1,\"base\":\"https://h\",\"types\":{\"Note\":{\"type\":\"object\",\"required\":[\"id\",\"text\",\"secret\"],"
    "\"properties\":{\"id\":{\"type\":\"integer\",\"readOnly\":true},\"text\":{\"type\":\"string\"},"
    "\"secret\":{\"type\":\"string\",\"writeOnly\":true}}}},"
    "\"resources\":{\"note\":{\"path\":\"notes\",\"can\":[\"list\",\"create\"],\"type\":\"Note\"}},"
    "\"operations\":{\"rename\":{\"post\":\"/rename\",\"body\":{\"type\":\"object\",\"required\":[\"name\"],"
    "\"properties\":{\"name\":{\"maxLength\":2}}},\"results\":{\"200\":{\"type\":\"integer\"},\"4XX\":{\"type\":\"string\"}}},"
    "\"ping\":{\"get\":\"/ping\"}}}";

static routable_router *router;
static const routable_operation *list, *create, *renaming, *ping;

static int open_router(void **state)
{
    const routable_resource *note;
    (void)state;
    router = open_text(document);
    note = routable_router_resource(router, "note");
    list = routable_resource_operation_at(note, 0);
    create = routable_resource_operation_at(note, 1);
    renaming = routable_router_operation(router, "rename");
    ping = routable_router_operation(router, "ping");
    return 0;
}

static int close_router(void **state)
{
    (void)state;
    routable_router_free(router);
    return 0;
}

static void texts(void **state)
{
    static const struct { const routable_operation **operation; int32_t status; const char *schema; } table[] = {
        { &create, 0, "{\"type\":\"object\",\"required\":[\"id\",\"text\",\"secret\"],\"properties\":{\"id\":{\"type\":\"integer\","
            "\"readOnly\":true},\"text\":{\"type\":\"string\"},\"secret\":{\"type\":\"string\",\"writeOnly\":true}}}" },
        { &renaming, 0, "{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":{\"maxLength\":2}}}" },
        { &renaming, 200, "{\"type\":\"integer\"}" },
        { &renaming, 418, "{\"type\":\"string\"}" },
        { &ping, 0, NULL },
        { &ping, 200, NULL },
        { &renaming, 500, NULL },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        routable_string text = ROUTABLE_STRING_INIT;
        routable_error *error = NULL;
        const routable_status expected = table[i].schema ? ROUTABLE_OK : ROUTABLE_ERR_UNKNOWN;
        const routable_status got = table[i].status
            ? routable_operation_result_schema(router, *table[i].operation, table[i].status, &text, &error)
            : routable_operation_body_schema(router, *table[i].operation, NULL, &text, &error);
        check_status(table[i].schema ? table[i].schema : "no schema", got, expected, error);
        if (table[i].schema)
            check_text("schema", routable_str_from(text.ptr), table[i].schema);
        routable_string_free(&text);
        routable_error_free(error);
    }
}

static void an_array_of_a_named_type(void **state)
{
    routable_string text = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    (void)state;
    check_status("list", routable_operation_result_schema(router, list, 200, &text, &error), ROUTABLE_OK, error);
    assert_memory_equal(text.ptr, "{\"type\":\"array\",\"items\":{\"type\":\"object\"", 40);
    routable_string_free(&text);
    assert_int_equal(routable_operation_check_result(
        router, list, 200, "[{\"id\":1,\"text\":\"a\"},{\"id\":\"2\",\"text\":3}]", ROUTABLE_NUL_TERMINATED, 9, &error),
        ROUTABLE_ERR_BODY);
    check_text("first", routable_error_pointer(error), "/1/id");
    check_text("first", routable_error_schema_pointer(error), "/properties/id/type");
    check_text("second", routable_error_pointer(routable_error_next(error)), "/1/text");
    assert_null(routable_error_next(routable_error_next(error)));
    routable_error_free(error);
}

/* Validates a body as JSON and as a json_t: the result must be the same. */
static void check_body(const routable_operation *operation, const char *json, routable_status expected, const char *pointer)
{
    json_t *const tree = json_loads(json, JSON_DECODE_ANY, NULL);
    routable_error *error = NULL, *second = NULL;
    check_status(json, routable_operation_check_body(router, operation, NULL, json, ROUTABLE_NUL_TERMINATED, 1, &error), expected, error);
    check_status(json, routable_operation_check_body_jansson(router, operation, NULL, tree, 1, &second), expected, second);
    if (error) {
        check_text(json, routable_error_pointer(error), pointer);
        check_text(json, routable_error_pointer(second), pointer);
    }
    routable_error_free(error);
    routable_error_free(second);
    json_decref(tree);
}

static void bodies(void **state)
{
    routable_error *error = NULL;
    (void)state;
    check_body(create, "{\"text\":\"a\",\"secret\":\"b\"}", ROUTABLE_OK, NULL); /* the id is readOnly */
    check_body(create, "{\"id\":1,\"text\":\"a\"}", ROUTABLE_ERR_BODY, "");
    check_body(renaming, "{\"name\":\"ab\"}", ROUTABLE_OK, NULL);
    check_body(renaming, "{\"name\":\"abc\"}", ROUTABLE_ERR_BODY, "/name");
    check_body(ping, "{}", ROUTABLE_ERR_UNKNOWN, "");
    assert_int_equal(routable_operation_check_body(router, renaming, NULL, "{", 1, 1, &error), ROUTABLE_ERR_JSON);
    routable_error_free(error);
    assert_int_equal(routable_operation_check_body_jansson(router, renaming, NULL, NULL, 1, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_operation_check_body(NULL, renaming, NULL, "{}", 2, 1, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_operation_check_body(router, NULL, NULL, "{}", 2, 1, NULL), ROUTABLE_ERR_ARGUMENT);
}

static void results(void **state)
{
    json_t *const seven = json_integer(7), *const text = json_string("7");
    routable_error *error = NULL;
    (void)state;
    check_status("7", routable_operation_check_result(router, renaming, 200, "7", 1, 1, &error), ROUTABLE_OK, error);
    check_status("7", routable_operation_check_result_jansson(router, renaming, 200, seven, 1, &error), ROUTABLE_OK, error);
    check_status("404", routable_operation_check_result_jansson(router, renaming, 404, text, 1, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_operation_check_result_jansson(router, renaming, 200, text, 1, NULL), ROUTABLE_ERR_BODY);
    assert_int_equal(routable_operation_check_result(router, renaming, 500, "7", 1, 1, &error), ROUTABLE_ERR_UNKNOWN);
    check_text("500", routable_error_message(error), "rename declares no schema for the status 500; there are schemas for: 200, 4XX");
    check_text("500", routable_error_allowed_at(error, 0), "200");
    check_text("500", routable_error_allowed_at(error, 1), "4XX");
    routable_error_free(error);
    json_decref(seven);
    json_decref(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(an_array_of_a_named_type),
        cmocka_unit_test(bodies),
        cmocka_unit_test(results),
    };
    return cmocka_run_group_tests_name("the schemas of operations", tests, open_router, close_router);
}
