/* Schemas: JSON strings and json_t values validated with JSON Schema, through routable.h and routable_jansson.h. */
#include "support.h"

#include "routable_jansson.h"

static routable_schema *opened(const char *text, const routable_schema_options *options)
{
    routable_schema *schema = NULL;
    routable_error *error = NULL;
    check_status(text, routable_schema_open(text, ROUTABLE_NUL_TERMINATED, options, &schema, &error), ROUTABLE_OK, error);
    return schema;
}

static const char order[] =
    "{\"type\":\"object\",\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":\"integer\",\"minimum\":1},"
    "\"tags\":{\"items\":{\"pattern\":\"^[a-z]+$\"}},\"kind\":{\"enum\":[\"a\",\"b\"]}}}";

static void a_text(void **state)
{
    routable_schema *const schema = opened(order, NULL);
    routable_error *error = NULL;
    (void)state;
    check_status("fits", routable_schema_validate(schema, "{\"id\":7,\"tags\":[\"x\"]}", ROUTABLE_NUL_TERMINATED, 1, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_schema_validate(schema, "{\"id\":0}", ROUTABLE_NUL_TERMINATED, 1, &error), ROUTABLE_ERR_BODY);
    check_text("id", routable_error_pointer(error), "/id");
    check_text("id", routable_error_schema_pointer(error), "/properties/id/minimum");
    check_text("id", routable_error_message(error), "/id does not match its type: at least 1 is expected");
    assert_null(routable_error_next(error));
    routable_error_free(error);
    assert_int_equal(routable_schema_validate(schema, "{\"id\":", ROUTABLE_NUL_TERMINATED, 1, &error), ROUTABLE_ERR_JSON);
    routable_error_free(error);
    assert_int_equal(routable_schema_validate(schema, "{}", ROUTABLE_NUL_TERMINATED, 1, NULL), ROUTABLE_ERR_BODY);
    assert_int_equal(routable_schema_validate(NULL, "{}", ROUTABLE_NUL_TERMINATED, 1, NULL), ROUTABLE_ERR_ARGUMENT);
    routable_schema_free(schema);
    routable_schema_free(NULL);
}

static void all_reasons(void **state)
{
    routable_schema *const schema = opened(order, NULL);
    routable_error *error = NULL;
    const routable_error *next;
    size_t count = 0;
    (void)state;
    assert_int_equal(
        routable_schema_validate(schema, "{\"tags\":[\"A\",\"b\",\"C\"],\"kind\":\"c\"}", ROUTABLE_NUL_TERMINATED, 3, &error), ROUTABLE_ERR_BODY);
    for (next = error; next; next = routable_error_next(next))
        count++;
    assert_int_equal(count, 3);
    check_text("first", routable_error_pointer(error), "/tags/0");
    routable_error_free(error);
    routable_schema_free(schema);
}

static void a_tree(void **state)
{
    routable_schema *const schema = opened(order, NULL);
    routable_error *error = NULL;
    json_t *const fits = json_pack("{s:i,s:[s,s]}", "id", 3, "tags", "x", "yz");
    json_t *const circle = json_array(), *const other = json_pack("{s:s}", "id", "3");
    routable_schema *const endless = opened("{\"items\":{\"$ref\":\"#\"}}", NULL);
    (void)state;
    check_status("fits", routable_schema_validate_jansson(schema, fits, 1, &error), ROUTABLE_OK, error);
    assert_int_equal(fits->refcount, 1);
    assert_int_equal(routable_schema_validate_jansson(schema, other, 1, &error), ROUTABLE_ERR_BODY);
    check_text("type", routable_error_schema_pointer(error), "/properties/id/type");
    routable_error_free(error);
    json_array_append(circle, circle); /* jansson refuses this, */
    json_array_append_new(circle, json_pack("[O]", circle)); /* but not this */
    assert_int_equal(routable_schema_validate_jansson(endless, circle, 1, &error), ROUTABLE_ERR_LIMIT);
    routable_error_free(error);
    assert_int_equal(routable_schema_validate_jansson(endless, NULL, 1, NULL), ROUTABLE_ERR_ARGUMENT);
    json_array_clear(json_array_get(circle, 0));
    json_decref(circle);
    json_decref(other);
    json_decref(fits);
    routable_schema_free(endless);
    routable_schema_free(schema);
}

/* Strings and keys that JSON writes with escapes, and each kind of value. */
static void a_tree_with_escapes(void **state)
{
    routable_schema *const schema = opened("{\"required\":[\"a\\\"b\\n\"],\"properties\":{\"a\\\"b\\n\":{\"const\":\"x\\ty\\u0000\"},"
        "\"real\":{\"maximum\":0.5},\"least\":{\"minimum\":-9223372036854775808,\"type\":\"integer\"},\"all\":"
        "{\"const\":[null,true,false,[],{},{\"\\\\\":[1]},\"\"]}},\"additionalProperties\":false}", NULL);
    routable_error *error = NULL;
    json_t *const object = json_object();
    (void)state;
    assert_int_equal(json_object_set_new(object, "a\"b\n", json_stringn("x\ty\0", 4)), 0);
    json_object_set_new(object, "real", json_real(0.5));
    json_object_set_new(object, "least", json_integer(INT64_MIN));
    json_object_set_new(object, "all", json_pack("[n,b,b,[],{},{s:[i]},s]", 1, 0, "\\", 1, ""));
    check_status("fits", routable_schema_validate_jansson(schema, object, 1, &error), ROUTABLE_OK, error);
    json_object_set_new(object, "a\"b\n", json_string("x\ty"));
    assert_int_equal(routable_schema_validate_jansson(schema, object, 1, &error), ROUTABLE_ERR_BODY);
    check_text("key", routable_error_pointer(error), "/a\"b\n");
    routable_error_free(error);
    json_object_set_new(object, "a\"b\n", json_stringn_nocheck("\xFF", 1));
    assert_int_equal(routable_schema_validate_jansson(schema, object, 1, &error), ROUTABLE_ERR_DOCUMENT);
    check_text("not UTF-8", routable_error_pointer(error), "/a\"b\n");
    routable_error_free(error);
    json_decref(object);
    routable_schema_free(schema);
}

static void options(void **state)
{
    const routable_document documents[] = { { routable_str_from("http://h/b.json"), routable_str_from("{\"format\":\"ipv4\"}") } };
    routable_schema_options given = ROUTABLE_SCHEMA_OPTIONS_INIT;
    routable_schema *schema = (routable_schema *)(uintptr_t)1;
    routable_error *error = NULL;
    (void)state;
    given.uri = "http://h/a.json";
    given.documents = documents;
    given.document_count = 1;
    given.flags = ROUTABLE_SCHEMA_ASSERT_FORMATS;
    routable_schema *const referring = opened("{\"$ref\":\"b.json\"}", &given);
    assert_int_equal(routable_schema_validate(referring, "\"1.2.3.4\"", ROUTABLE_NUL_TERMINATED, 1, NULL), ROUTABLE_OK);
    assert_int_equal(routable_schema_validate(referring, "\"1.2.3\"", ROUTABLE_NUL_TERMINATED, 1, NULL), ROUTABLE_ERR_BODY);
    routable_schema_free(referring);
    given.flags = 1u << 31;
    assert_int_equal(routable_schema_open("{}", ROUTABLE_NUL_TERMINATED, &given, &schema, &error), ROUTABLE_ERR_ARGUMENT);
    routable_error_free(error);
    given.flags = 0;
    given.dialect = 9;
    assert_int_equal(routable_schema_open("{}", ROUTABLE_NUL_TERMINATED, &given, &schema, NULL), ROUTABLE_ERR_ARGUMENT);
    given.dialect = ROUTABLE_DIALECT_OPENAPI_30;
    given.documents = NULL;
    assert_int_equal(routable_schema_open("{}", ROUTABLE_NUL_TERMINATED, &given, &schema, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_int_equal(routable_schema_open("{", ROUTABLE_NUL_TERMINATED, NULL, &schema, NULL), ROUTABLE_ERR_JSON);
    assert_int_equal(routable_schema_open("[]", ROUTABLE_NUL_TERMINATED, NULL, &schema, &error), ROUTABLE_ERR_DOCUMENT);
    routable_error_free(error);
    assert_int_equal(routable_schema_open("{}", ROUTABLE_NUL_TERMINATED, NULL, NULL, NULL), ROUTABLE_ERR_ARGUMENT);
    assert_ptr_equal(schema, (routable_schema *)(uintptr_t)1);
}

static void of_a_router(void **state)
{
    routable_router *router = NULL;
    routable_schema *schema = NULL;
    routable_error *error = NULL;
    const routable_str document = routable_str_from("{\"routable\":1,\"types\":{\"Name\":{\"type\":\"string\",\"maxLength\":3}}}");
    (void)state;
    check_status("open", routable_router_open(document.ptr, document.len, NULL, &router, &error), ROUTABLE_OK, error);
    assert_int_equal(routable_schema_of_type(router, "Nme", &schema, &error), ROUTABLE_ERR_UNKNOWN);
    check_text("Nme", routable_error_suggestion(error), "Name");
    routable_error_free(error);
    check_status("Name", routable_schema_of_type(router, "Name", &schema, &error), ROUTABLE_OK, error);
    routable_router_free(router);
    assert_int_equal(routable_schema_validate(schema, "\"\xC3\xA9\xC3\xA9\xC3\xA9\"", ROUTABLE_NUL_TERMINATED, 1, NULL), ROUTABLE_OK);
    assert_int_equal(routable_schema_validate(schema, "\"abcd\"", ROUTABLE_NUL_TERMINATED, 1, NULL), ROUTABLE_ERR_BODY);
    routable_schema_free(schema);
    assert_int_equal(routable_schema_of_type(NULL, "Name", &schema, NULL), ROUTABLE_ERR_ARGUMENT);
}

/* One invalid element at each index of arrays of each length: elements of a simple type are validated in groups. */
static void elements(void **state)
{
    static const struct { const char *schema, *wrong; } cases[] = {
        { "{\"items\":{\"type\":\"integer\"}}", "1.5" },
        { "{\"items\":{\"type\":\"integer\"}}", "\"\\u0031\"" },
        { "{\"items\":{\"type\":[\"number\",\"null\"]}}", "[]" },
        { "{\"items\":{\"type\":\"number\"}}", "{}" },
        { "{\"prefixItems\":[{\"type\":\"integer\"}],\"items\":{\"type\":\"integer\"}}", "true" },
        { "{\"contains\":{\"type\":\"integer\"},\"items\":{\"type\":\"integer\"},\"unevaluatedItems\":false}", "\"1\"" },
    };
    size_t index;
    int length, wrong;
    (void)state;
    for (index = 0; index < sizeof cases / sizeof *cases; index++) {
        routable_schema *const schema = opened(cases[index].schema, NULL);
        for (length = 1; length <= 20; length++) {
            for (wrong = 0; wrong <= length; wrong++) { /* in the last iteration, all are valid */
                char text[512] = "[", pointer[16];
                routable_error *error = NULL;
                int at;
                for (at = 0; at < length; at++)
                    sprintf(text + strlen(text), "%s%s", at ? "," : "", at == wrong ? cases[index].wrong : at % 3 ? "-17" : "123456789012345678");
                strcat(text, "]");
                snprintf(pointer, sizeof pointer, "/%d", wrong);
                check_status(text, routable_schema_validate(schema, text, ROUTABLE_NUL_TERMINATED, 1, &error),
                    wrong == length ? ROUTABLE_OK : ROUTABLE_ERR_BODY, error);
                if (wrong < length && !strstr(cases[index].schema, "contains"))
                    check_text(text, routable_error_pointer(error), pointer);
                routable_error_free(error);
                assert_int_equal(routable_schema_validate(schema, text, ROUTABLE_NUL_TERMINATED, 0, NULL), wrong == length ? ROUTABLE_OK : ROUTABLE_ERR_BODY);
            }
        }
        routable_schema_free(schema);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text), cmocka_unit_test(all_reasons), cmocka_unit_test(a_tree),
        cmocka_unit_test(a_tree_with_escapes), cmocka_unit_test(options),
        cmocka_unit_test(of_a_router), cmocka_unit_test(elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
