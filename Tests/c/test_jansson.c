/* routable_jansson.h: json_t arguments are borrowed, results are new references, ready for json_unpack_ex. */
#include "support.h"

#include "routable_jansson.h"

static json_t *load(const char *text)
{
    json_t *const value = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    return value;
}

static const char document[] =
    "{\"routable\":1,\"base\":\"https://h\",\"types\":{\"Named\":{\"type\":\"object\",\"required\":[\"name\"]}},"
    "\"resources\":{\"user\":{\"path\":\"users\",\"can\":[\"read\",\"create\",\"delete\"],\"type\":\"Named\"}}}";

static void open_and_build(void **state)
{
    json_t *const description = load(document);
    json_t *const call = json_pack("{s:s,s:s,s:[I]}", "route", "user", "operation", "read", "ids", (json_int_t)-9);
    routable_router *router = NULL;
    routable_request *request = NULL;
    routable_error *error = NULL;
    (void)state;
    check_status(document, routable_router_open_jansson(description, NULL, &router, &error), ROUTABLE_OK, error);
    assert_int_equal(description->refcount, 1);
    json_decref(description);
    check_status("call", routable_request_new_jansson(router, call, &request, &error), ROUTABLE_OK, error);
    assert_int_equal(call->refcount, 1);
    json_decref(call);
    check_text("call", routable_request_url(request), "https://h/users/-9");
    routable_request_free(request);
    routable_router_free(router);
}

static void same_bytes_as_text(void **state)
{
    static const char text[] = "{\"route\":\"user\",\"operation\":\"create\",\"body\":{\"name\":\"\\u00e9\",\"z\":[1,2.5,0.1],\"a\":null}}";
    json_t *const description = load(document), *const call = load(text);
    routable_router *router = NULL;
    routable_request *ours = NULL, *theirs;
    routable_error *error = NULL;
    (void)state;
    check_status(document, routable_router_open_jansson(description, NULL, &router, &error), ROUTABLE_OK, error);
    check_status(text, routable_request_new_jansson(router, call, &ours, &error), ROUTABLE_OK, error);
    theirs = build(router, text);
    check_text(text, routable_request_body(ours), routable_request_body(theirs).ptr);
    check_text(text, routable_request_body(ours), "{\"name\":\"\xC3\xA9\",\"z\":[1,2.5,0.1],\"a\":null}");
    routable_request_free(ours);
    routable_request_free(theirs);
    routable_router_free(router);
    json_decref(call);
    json_decref(description);
}

static void errors(void **state)
{
    json_t *description = load("{\"routable\":1,\"resourcs\":{}}"), *json = NULL, *call;
    routable_router *router = NULL;
    routable_request *request = NULL;
    routable_error *error = NULL;
    const char *status = NULL, *pointer = NULL, *suggestion = NULL;
    int code = 0;
    json_error_t why;
    (void)state;
    check_status("resourcs", routable_router_open_jansson(description, NULL, &router, &error), ROUTABLE_ERR_DOCUMENT, error);
    assert_null(router);
    assert_true(routable_error_offset(error) == ROUTABLE_NONE);
    check_size("line", routable_error_line(error), 0);
    assert_int_equal(routable_error_to_jansson(error, &json), ROUTABLE_OK);
    routable_error_free(error);
    if (json_unpack_ex(json, &why, 0, "{s:s,s:i,s:s,s:s}", "status", &status, "code", &code, "pointer", &pointer,
            "suggestion", &suggestion) != 0)
        fail_msg("%s", why.text);
    assert_string_equal(status, "document");
    assert_int_equal(code, ROUTABLE_ERR_DOCUMENT);
    assert_string_equal(pointer, "/resourcs");
    assert_string_equal(suggestion, "resources");
    json_decref(json);
    json_decref(description);

    description = load("[]");
    check_status("[]", routable_router_open_jansson(description, NULL, &router, &error), ROUTABLE_ERR_DOCUMENT, error);
    routable_error_free(error);
    json_decref(description);

    description = load(document);
    assert_int_equal(routable_router_open_jansson(description, NULL, &router, NULL), ROUTABLE_OK);
    call = json_pack("{s:s,s:s}", "route", "user", "operation", "update");
    check_status("update", routable_request_new_jansson(router, call, &request, &error), ROUTABLE_ERR_NOT_ALLOWED, error);
    check_allowed("update", error, "create delete read");
    assert_null(request);
    routable_error_free(error);
    json_decref(call);
    json_decref(description);
    routable_router_free(router);
}

/* jansson allows a value that contains itself indirectly: this is an error, and does not hang. */
static void a_value_that_contains_itself(void **state)
{
    json_t *const outer = json_object(), *const inner = json_array();
    routable_router *router = NULL;
    routable_error *error = NULL;
    (void)state;
    json_object_set_new(outer, "routable", json_integer(1));
    json_object_set_new(outer, "x-inner", inner);
    json_array_append(inner, outer);
    check_status("a cycle", routable_router_open_jansson(outer, NULL, &router, &error), ROUTABLE_ERR_LIMIT, error);
    assert_null(router);
    routable_error_free(error);
    json_array_clear(inner);
    json_decref(outer);
}

static routable_response *map(const routable_router *router, const char *operation, int32_t status, const char *body)
{
    routable_response *response = NULL;
    routable_error *error = NULL;
    check_status(body, routable_response_map(router, "user", operation, status, NULL, 0, routable_str_from(body), &response, &error),
        ROUTABLE_OK, error);
    return response;
}

static void responses(void **state)
{
    routable_router *const router = open_text(document);
    routable_response *response = map(router, "read", 200, "{\"name\":\"ann\",\"age\":41,\"tags\":[\"a\",\"b\"],"
                                                           "\"big\":12345678901234567890,\"small\":1e400,\"half\":0.5}");
    json_t *value = NULL;
    routable_error *error = NULL;
    const char *name = NULL, *tag = NULL;
    int age = 0;
    double half = 0;
    json_error_t why;
    (void)state;
    check_status("body", routable_response_body_jansson(response, &value, &error), ROUTABLE_OK, error);
    routable_response_free(response); /* the value outlives the response */
    if (json_unpack_ex(value, &why, 0, "{s:s,s:i,s:[s*],s:f}", "name", &name, "age", &age, "tags", &tag, "half", &half) != 0)
        fail_msg("%s", why.text);
    assert_string_equal(name, "ann");
    assert_string_equal(tag, "a");
    assert_int_equal(age, 41);
    assert_true(half == 0.5);
    assert_string_equal(json_string_value(json_object_get(value, "big")), "12345678901234567890");
    assert_string_equal(json_string_value(json_object_get(value, "small")), "1e400");
    assert_int_equal(value->refcount, 1);
    json_decref(value);
    value = NULL;

    response = map(router, "delete", 204, "");
    check_status("204", routable_response_body_jansson(response, &value, &error), ROUTABLE_OK, error);
    assert_true(json_is_null(value));
    json_decref(value);
    value = NULL;
    routable_response_free(response);

    response = map(router, "read", 200, "not json");
    check_status("not json", routable_response_body_jansson(response, &value, &error), ROUTABLE_ERR_RESPONSE, error);
    assert_null(value);
    routable_error_free(error);
    routable_response_free(response);

    response = map(router, "read", 200, "\"text\"");
    check_status("a scalar", routable_response_body_jansson(response, &value, &error), ROUTABLE_OK, error);
    assert_string_equal(json_string_value(value), "text");
    json_decref(value);
    routable_response_free(response);
    routable_router_free(router);
}

/* Each message as text, parsed by jansson, is equal to the json_t of the corresponding function. */
static void same_messages_as_text(void **state)
{
    routable_router *const router = open_text(document);
    json_t *const call = json_pack("{s:s,s:s,s:{s:s}}", "route", "user", "operation", "create", "body", "name", "b");
    char *const call_text = json_dumps(call, 0);
    json_t *const values = json_pack("{s:[s,i]}", "q", "x y", 2);
    char *const values_text = json_dumps(values, 0);
    routable_request *const request = build(router, call_text);
    routable_response *const response = map(router, "read", 200, "{\"name\":\"ann\",\"n\":12345678901234567890}");
    routable_string text = ROUTABLE_STRING_INIT, other = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    json_t *tree = NULL;
    json_t *nested[2];
    (void)state;
#define SAME(what, as_text, as_tree) \
    do { \
        json_t *read; \
        assert_int_equal(as_text, ROUTABLE_OK); \
        assert_int_equal(as_tree, ROUTABLE_OK); \
        read = json_loadb(text.ptr, text.len, JSON_ALLOW_NUL, NULL); \
        if (!json_equal(read, tree)) fail_msg("%s: %s is not %s", what, json_dumps(tree, 0), text.ptr); \
        assert_int_equal(tree->refcount, 1); \
        json_decref(read); \
        json_decref(tree); \
        tree = NULL; \
        routable_string_free(&text); \
    } while (0)
    SAME("build", routable_build_json(router, call_text, strlen(call_text), &text, NULL), routable_build_jansson(router, call, &tree, NULL));
    SAME("request", routable_request_to_json(request, &text, NULL), routable_request_to_jansson(request, &tree, NULL));
    SAME("routes", routable_router_routes_json(router, &text, NULL), routable_router_routes_jansson(router, &tree, NULL));
    SAME("types", routable_router_types_json(router, &text, NULL), routable_router_types_jansson(router, &tree, NULL));
    SAME("form", routable_form_to_json("a=1&b=x+y&a=%C3%A9", ROUTABLE_NUL_TERMINATED, &text, NULL),
        routable_form_to_jansson("a=1&b=x+y&a=%C3%A9", 18, &tree, NULL));
    assert_int_equal(routable_request_new_json(router, "{\"operation\":\"no\"}", ROUTABLE_NUL_TERMINATED, NULL, &error), ROUTABLE_ERR_ARGUMENT);
    SAME("error", routable_error_to_json(error, &text), routable_error_to_jansson(error, &tree));
    routable_error_free(error);

    /* A number that jansson cannot represent is a string of its digits. */
    assert_int_equal(routable_response_to_jansson(response, &tree, NULL), ROUTABLE_OK);
    nested[0] = json_object_get(tree, "value");
    assert_string_equal(json_string_value(json_object_get(nested[0], "n")), "12345678901234567890");
    assert_int_equal(json_integer_value(json_object_get(tree, "status")), 200);
    json_decref(tree);

    assert_int_equal(routable_template_expand_jansson("/a{?q*}", ROUTABLE_NUL_TERMINATED, values, &text, NULL), ROUTABLE_OK);
    assert_int_equal(routable_template_expand_json("/a{?q*}", 7, values_text, strlen(values_text), &other, NULL), ROUTABLE_OK);
    assert_string_equal(text.ptr, "/a?q=x%20y&q=2");
    assert_string_equal(other.ptr, text.ptr);
    routable_string_free(&other);
    routable_string_free(&text);
    assert_int_equal(routable_template_expand_jansson("/a{?q*}", 7, NULL, &text, NULL), ROUTABLE_OK);
    assert_string_equal(text.ptr, "/a");
    routable_string_free(&text);
    assert_int_equal(routable_template_expand_jansson("{a}", 3, json_object_get(values, "q"), &text, &error), ROUTABLE_ERR_DOCUMENT);
    routable_error_free(error);

    free(call_text);
    free(values_text);
    json_decref(call);
    json_decref(values);
    routable_request_free(request);
    routable_response_free(response);
    routable_router_free(router);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_and_build),
        cmocka_unit_test(same_bytes_as_text),
        cmocka_unit_test(errors),
        cmocka_unit_test(a_value_that_contains_itself),
        cmocka_unit_test(responses),
        cmocka_unit_test(same_messages_as_text),
    };
    return cmocka_run_group_tests_name("jansson", tests, NULL, NULL);
}
