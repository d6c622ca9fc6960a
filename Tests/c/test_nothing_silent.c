/* What a description states is what happens: discriminators, delimiters, long numbers, names that look alike, overlays. */
#include "support.h"

static void schema_verdict(routable_dialect dialect, const char *text, const char *value, routable_status expected)
{
    routable_schema_options options = ROUTABLE_SCHEMA_OPTIONS_INIT;
    routable_schema *schema = NULL;
    routable_error *error = NULL;
    options.dialect = dialect;
    check_status(text, routable_schema_open(text, ROUTABLE_NUL_TERMINATED, &options, &schema, &error), ROUTABLE_OK, error);
    check_status(value, routable_schema_validate(schema, value, ROUTABLE_NUL_TERMINATED, 1, &error), expected, error);
    routable_error_free(error);
    routable_schema_free(schema);
}

static void numbers_are_exact(void **state)
{
    static const struct { const char *schema, *value; routable_status expected; } table[] = {
        { "{\"multipleOf\":2}", "95071870518265434373", ROUTABLE_ERR_BODY },
        { "{\"multipleOf\":2}", "95071870518265434374", ROUTABLE_OK },
        { "{\"maximum\":-9223372036854775809}", "-9223372036854775808", ROUTABLE_ERR_BODY },
        { "{\"maximum\":-9223372036854775809}", "-9223372036854775809", ROUTABLE_OK },
        { "{\"const\":18446744073709551617}", "18446744073709551616", ROUTABLE_ERR_BODY },
        { "{\"multipleOf\":0.01}", "19.99", ROUTABLE_OK },
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof table / sizeof *table; i++)
        schema_verdict(ROUTABLE_DIALECT_2020_12, table[i].schema, table[i].value, table[i].expected);
}

static const char animals[] =
    "{\"routable\":1,\"base\":\"https://h\",\"types\":{\"Cat\":{\"type\":\"object\",\"required\":[\"lives\"]},"
    "\"Dog\":{\"type\":\"object\",\"required\":[\"bark\"]},\"Animal\":{\"oneOf\":[{\"$ref\":\"#/types/Cat\"},{\"$ref\":\"#/types/Dog\"}],"
    "\"discriminator\":{\"propertyName\":\"kind\",\"mapping\":{\"cat\":\"#/types/Cat\",\"dog\":\"#/types/Dog\"}}}},"
    "\"operations\":{\"add\":{\"post\":\"/animals\",\"body\":{\"$ref\":\"#/types/Animal\"}}}}";

static void a_discriminator_selects_the_schema(void **state)
{
    routable_router *const router = open_text(animals);
    const routable_operation *const add = routable_router_operation(router, "add");
    routable_error *error = NULL;
    (void)state;
    check_status("cat", routable_operation_check_body(router, add, NULL, "{\"kind\":\"cat\",\"lives\":9}", ROUTABLE_NUL_TERMINATED, 1, &error),
        ROUTABLE_OK, error);
    assert_int_equal(routable_operation_check_body(router, add, NULL, "{\"kind\":\"dog\",\"lives\":9}", ROUTABLE_NUL_TERMINATED, 1, &error),
        ROUTABLE_ERR_BODY);
    check_text("dog", routable_error_parameter(error), "bark");
    routable_error_free(error);
    routable_router_free(router);
}

/* A refused document: its status and a part of its message. */
static void refused(const char *text, const routable_open_options *options, routable_status expected, const char *part)
{
    routable_router *router = NULL;
    routable_error *error = NULL;
    check_status(text, routable_router_open(text, ROUTABLE_NUL_TERMINATED, options, &router, &error), expected, error);
    if (!strstr(routable_error_message(error).ptr, part))
        fail_msg("%s: expected a message with %s, got %s", text, part, routable_error_message(error).ptr);
    routable_error_free(error);
}

static void names_that_look_alike(void **state)
{
    routable_router *router;
    (void)state;
    refused("{\"routable\":1,\"resources\":{\"f\":{\"path\":\"f\",\"id\":\"path*\"}}}", NULL, ROUTABLE_ERR_DOCUMENT, "path*");
    router = open_text("{\"routable\":1,\"base\":\"https://h\",\"operations\":{\"a\":{\"get\":\"/a\"},\"b\":{\"get\":\"/a \"}}}");
    check_size("a path that ends in a blank", routable_router_warning_count(router), 1);
    routable_router_free(router);
}

static const char styled[] =
    "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"servers\":[{\"url\":\"https://h\"}],\"paths\":{\"/a\":{\"get\":{"
    "\"operationId\":\"a\",\"parameters\":[{\"name\":\"X-A\",\"in\":\"header\",\"schema\":{\"type\":\"array\"}},"
    "{\"name\":\"p\",\"in\":\"query\",\"style\":\"pipeDelimited\",\"explode\":false,\"schema\":{\"type\":\"array\"}}]}},"
    "\"/b\":{\"get\":{\"operationId\":\"b\"}}}}";

static void a_value_with_its_own_delimiter(void **state)
{
    static const struct { const char *call; routable_status expected; } table[] = {
        { "{\"operation\":\"a\",\"headers\":{\"X-A\":[\"a\",\"b\"]}}", ROUTABLE_OK },
        { "{\"operation\":\"a\",\"headers\":{\"X-A\":[\"a,b\",\"c\"]}}", ROUTABLE_ERR_VALUE },
        { "{\"operation\":\"a\",\"query\":{\"p\":[\"a\",\"b\"]}}", ROUTABLE_OK },
        { "{\"operation\":\"a\",\"query\":{\"p\":[\"a|b\",\"c\"]}}", ROUTABLE_ERR_VALUE },
    };
    routable_router *const router = open_text(styled);
    size_t i;
    (void)state;
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        routable_string out = ROUTABLE_STRING_INIT;
        routable_error *error = NULL;
        check_status(table[i].call, routable_build_json(router, table[i].call, ROUTABLE_NUL_TERMINATED, &out, &error), table[i].expected, error);
        routable_string_free(&out);
        routable_error_free(error);
    }
    routable_router_free(router);
}

static void overlays_and_a_subset(void **state)
{
    const routable_str overlay = ROUTABLE_STR(
        "{\"overlay\":\"1.0.0\",\"info\":{\"title\":\"o\",\"version\":\"1\"},\"actions\":["
        "{\"target\":\"$.servers[0]\",\"update\":{\"url\":\"https://staging\"}},{\"target\":\"$.paths['/c']\",\"remove\":true}]}");
    const routable_str broken = ROUTABLE_STR("{\"overlay\":\"1.0.0\",\"actions\":[{\"target\":\"$[\",\"update\":{}}]}");
    const routable_str b = ROUTABLE_STR("b"), c = ROUTABLE_STR("c");
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *router = NULL;
    routable_error *error = NULL;
    (void)state;
    options.overlays = &overlay;
    options.overlay_count = 1;
    options.only = &b;
    options.only_count = 1;
    check_status("overlay", routable_router_open(styled, ROUTABLE_NUL_TERMINATED, &options, &router, &error), ROUTABLE_OK, error);
    check_text("the base of the overlay", routable_router_base(router), "https://staging");
    check_size("operations", routable_router_operation_count(router), 1);
    assert_non_null(routable_router_operation(router, "b"));
    check_size("a target that matches nothing is a warning", routable_router_warning_count(router), 1);
    routable_router_free(router);
    options.except = &b;
    options.except_count = 1;
    refused(styled, &options, ROUTABLE_ERR_ARGUMENT, "exclude each other");
    options.only_count = 0;
    options.except = &c;
    refused(styled, &options, ROUTABLE_ERR_UNKNOWN, "there is no operation \"c\"");
    options.except_count = 0;
    options.overlays = &broken;
    refused(styled, &options, ROUTABLE_ERR_DOCUMENT, "overlay 1: ");
    refused(animals, &options, ROUTABLE_ERR_ARGUMENT, "overlays are for OpenAPI documents");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(a_discriminator_selects_the_schema),
        cmocka_unit_test(names_that_look_alike),
        cmocka_unit_test(a_value_with_its_own_delimiter),
        cmocka_unit_test(overlays_and_a_subset),
    };
    return cmocka_run_group_tests_name("nothing is silent", tests, NULL, NULL);
}
