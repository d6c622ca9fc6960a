/* routable_tools.h: names and hints, the schemas of calls, and objects that are calls or are refused with all reasons. */
#include "support.h"

#include <routable_tools.h>

static const char document[] =
    "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"servers\":[{\"url\":\"https://h.test/v1\"}],"
    "\"components\":{\"schemas\":{\"Node\":{\"type\":\"object\",\"required\":[\"id\",\"name\"],\"properties\":{"
    "\"id\":{\"type\":\"integer\",\"readOnly\":true},\"name\":{\"type\":\"string\",\"nullable\":true},"
    "\"next\":{\"$ref\":\"#/components/schemas/Node\"}}}}},"
    "\"paths\":{\"/nodes/{id}\":{\"put\":{\"operationId\":\"putNode\",\"parameters\":["
    "{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"integer\",\"minimum\":1}},"
    "{\"name\":\"name\",\"in\":\"query\",\"schema\":{\"type\":\"string\",\"enum\":[\"a\",\"b\"]}}],"
    "\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Node\"}}}},"
    "\"responses\":{\"204\":{\"description\":\"x\"}}}},"
    "\"/a\":{\"get\":{\"operationId\":\"a b\",\"x-destructive\":true,\"responses\":{}}},"
    "\"/b\":{\"post\":{\"operationId\":\"a/b\",\"x-read-only\":true,\"responses\":{}}}}}";

static routable_router *router;

static int start(void **state)
{
    routable_error *error = NULL;
    (void)state;
    check_status("document", routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, &router, &error), ROUTABLE_OK, error);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    routable_router_free(router);
    return 0;
}

static void names_are_unique(void **state)
{
    routable_string text = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    (void)state;
    check_status("list", routable_tools_json(router, &text, &error), ROUTABLE_OK, error);
    assert_string_equal(text.ptr,
        "[{\"name\":\"putNode\",\"operation\":\"putNode\",\"method\":\"PUT\",\"path\":\"/nodes/{id}\",\"read_only\":false,\"destructive\":true,"
        "\"idempotent\":true},"
        "{\"name\":\"a_b\",\"operation\":\"a b\",\"method\":\"GET\",\"path\":\"/a\",\"read_only\":true,\"destructive\":true,\"idempotent\":true},"
        "{\"name\":\"a_b_16FC8640\",\"operation\":\"a/b\",\"method\":\"POST\",\"path\":\"/b\",\"read_only\":true,\"destructive\":false,"
        "\"idempotent\":true}]");
    routable_string_free(&text);
}

static void a_schema_is_flat(void **state)
{
    routable_string text = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    (void)state;
    check_status("schema", routable_operation_call_schema(router, NULL, "putNode", 0, &text, &error), ROUTABLE_OK, error);
    assert_string_equal(text.ptr,
        "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\",\"minimum\":1},\"name\":{\"type\":\"string\",\"enum\":[\"a\",\"b\"]},"
        "\"body_name\":{\"type\":[\"string\",\"null\"]},\"next\":{\"$ref\":\"#/$defs/Node\"}},\"required\":[\"id\",\"body_name\"],"
        "\"additionalProperties\":false,\"$defs\":{\"Node\":{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{"
        "\"name\":{\"type\":[\"string\",\"null\"]},\"next\":{\"$ref\":\"#/$defs/Node\"}}}}}");
    routable_string_free(&text);
    check_status("none", routable_operation_call_schema(router, NULL, "putNod", 0, &text, &error), ROUTABLE_ERR_UNKNOWN, error);
    assert_string_equal(routable_error_suggestion(error).ptr, "putNode");
    routable_error_free(error);
}

static void an_object_is_a_call(void **state)
{
    static const char object[] = "{\"id\":7,\"name\":null,\"body_name\":null,\"next\":{\"name\":\"x\"}}";
    routable_string text = ROUTABLE_STRING_INIT;
    routable_request *request = NULL;
    routable_error *error = NULL;
    (void)state;
    check_status("call", routable_call_from_object(router, NULL, "putNode", object, sizeof object - 1, 16, &text, &error), ROUTABLE_OK, error);
    assert_string_equal(text.ptr, "{\"operation\":\"putNode\",\"ids\":[7],\"body\":{\"name\":null,\"next\":{\"name\":\"x\"}}}");
    check_status("request", routable_request_new_json(router, text.ptr, text.len, &request, &error), ROUTABLE_OK, error);
    assert_string_equal(routable_request_url(request).ptr, "https://h.test/v1/nodes/7");
    routable_request_free(request);
    routable_string_free(&text);
}

static void all_reasons_are_found_at_once(void **state)
{
    static const char object[] = "{\"id\":0,\"name\":\"c\",\"next\":{\"name\":1},\"body_nam\":\"x\"}";
    static const char *const messages[] = {
        "putNode: no argument \"body_nam\"; did you mean \"body_name\"?; allowed: body_name, id, name, next",
        "putNode: /id does not match its type: at least 1 is expected",
        "putNode: /name does not match its type: one of these is expected: \"a\", \"b\"",
        "putNode: /next/name does not match its type: null, string is expected, not an integer",
        "putNode: the value does not match its type: \"body_name\" is missing",
    };
    static const char *const pointers[] = { "/body_nam", "/id", "/name", "/next/name", "" };
    routable_string text = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    const routable_error *next;
    size_t count = 0;
    (void)state;
    assert_int_equal(routable_call_from_object(router, NULL, "putNode", object, sizeof object - 1, 16, &text, &error), ROUTABLE_ERR_PARAMETER);
    assert_null(text.ptr);
    for (next = error; next; next = routable_error_next(next), count++) {
        assert_true(count < 5);
        assert_string_equal(routable_error_message(next).ptr, messages[count]);
        assert_string_equal(routable_error_pointer(next).ptr, pointers[count]);
        assert_string_equal(routable_error_operation(next).ptr, "putNode");
    }
    assert_int_equal(count, 5);
    routable_error_free(error);
    check_status("kind", routable_call_from_object(router, NULL, "putNode", "[]", 2, 16, &text, &error), ROUTABLE_ERR_VALUE, error);
    routable_error_free(error);
    check_status("twice", routable_call_from_object(router, NULL, "putNode", "{\"id\":1,\"id\":2}", ROUTABLE_NUL_TERMINATED, 16, &text, &error),
        ROUTABLE_ERR_DOCUMENT, error);
    routable_error_free(error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(a_schema_is_flat),
        cmocka_unit_test(an_object_is_a_call),
        cmocka_unit_test(all_reasons_are_found_at_once),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
