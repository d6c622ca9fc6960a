/* Every declaration of a description has its effect: discriminators, delimiters, long numbers, similar names, overlays. */
#include "support.h"

#include <routable_jansson.h>

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

/* Options for OpenAPI documents are refused with a route document, as text and as json_t. */
static void options_of_other_documents(void **state)
{
    const routable_str overlay = ROUTABLE_STR("{}");
    const routable_document further = { ROUTABLE_STR("https://h/a"), ROUTABLE_STR("{}") };
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    json_t *const json = json_loads(animals, 0, NULL);
    int i;
    (void)state;
    for (i = 0; i < 2; i++) {
        const char *const part = i ? "overlays are for OpenAPI documents" : "further documents are for OpenAPI documents";
        routable_router *router = NULL;
        routable_error *error = NULL;
        options.overlays = i ? &overlay : NULL;
        options.overlay_count = i ? 1 : 0;
        options.documents = i ? NULL : &further;
        options.document_count = i ? 0 : 1;
        refused(animals, &options, ROUTABLE_ERR_ARGUMENT, part);
        assert_int_equal(routable_router_open_jansson(json, &options, &router, &error), ROUTABLE_ERR_ARGUMENT);
        assert_non_null(strstr(routable_error_message(error).ptr, part));
        assert_null(router);
        routable_error_free(error);
    }
    json_decref(json);
}

/* A call can have at most 1,000 header fields, because each is compared with all fields before it. */
static void header_fields_of_a_call(void **state)
{
    static const char document[] = "{\"routable\":1,\"base\":\"https://h\",\"operations\":{\"o\":{\"get\":\"/o\"}}}";
    enum { MOST = 1000 };
    routable_router *const router = open_text(document);
    static routable_argument headers[MOST + 1];
    static char names[MOST + 1][16];
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    routable_error *error = NULL;
    int i;
    (void)state;
    for (i = 0; i <= MOST; i++) {
        snprintf(names[i], sizeof names[i], "X-%d", i);
        headers[i].name = names[i];
        headers[i].value = routable_value_string("v");
    }
    call.operation = "o";
    call.headers = headers;
    call.header_count = MOST;
    check_status("1,000 fields", routable_request_new(router, &call, &request, &error), ROUTABLE_OK, error);
    check_size("fields", routable_request_header_count(request), MOST);
    routable_request_free(request);
    call.header_count = MOST + 1;
    check_status("1,001 fields", routable_request_new(router, &call, &request, &error), ROUTABLE_ERR_LIMIT, error);
    check_text("the first that is too many", routable_error_pointer(error), "/headers/X-1000");
    routable_error_free(error);
    routable_router_free(router);
}

/* A form whose last value is too long is also refused. */
static void a_form_that_is_too_long(void **state)
{
    static const char document[] = "{\"routable\":1,\"base\":\"https://h\",\"operations\":{\"o\":{\"post\":\"/o\"}}}";
    const size_t length = (64u << 20) + 1;
    routable_router *const router = open_text(document);
    char *const text = malloc(length);
    routable_argument argument = { "a", { 0, 0, { 0 } } };
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    routable_error *error = NULL;
    (void)state;
    assert_non_null(text);
    memset(text, 'a', length);
    argument.value.kind = ROUTABLE_KIND_STRING;
    argument.value.as.string.ptr = text;
    argument.value.as.string.len = length;
    call.operation = "o";
    call.parameters = &argument;
    call.parameter_count = 1;
    check_status("a value over 64 MiB", routable_request_new(router, &call, &request, &error), ROUTABLE_ERR_LIMIT, error);
    routable_error_free(error);
    routable_router_free(router);
    free(text);
}

/* An empty value that matching accepts is read back, whatever the constraints of other values are. */
static void an_empty_value_is_read_back(void **state)
{
    routable_router *const router = open_text(
        "{\"routable\":1,\"base\":\"https://h\",\"operations\":{\"o\":{\"get\":\"/c/{x}\",\"ids\":{\"x\":"
        "{\"allow_empty\":true,\"minLength\":4}}}}}");
    const routable_operation *const o = routable_router_operation(router, "o");
    routable_string value = { NULL, 0 };
    routable_error *error = NULL;
    (void)state;
    check_status("empty", routable_parameter_read(router, o, 0, routable_str_from(""), &value, &error), ROUTABLE_OK, error);
    assert_string_equal(value.ptr, "\"\"");
    routable_string_free(&value);
    check_status("short", routable_parameter_read(router, o, 0, routable_str_from("abc"), &value, &error), ROUTABLE_ERR_VALUE, error);
    routable_error_free(error);
    routable_router_free(router);
}

/* The message for a pagination that no operation can have states this, instead of a parameter without a name. */
static void a_pagination_without_an_operation(void **state)
{
    (void)state;
    refused("{\"routable\":1,\"base\":\"https://h\",\"pagination\":{\"by\":\"link\"},\"operations\":{\"o\":{\"post\":\"/o\"}}}", NULL,
        ROUTABLE_ERR_DOCUMENT, "no GET operation has the query parameters");
    refused("{\"routable\":1,\"base\":\"https://h\",\"pagination\":{\"by\":\"link\",\"size\":\"n\"},\"operations\":{\"o\":{\"get\":\"/o\"}}}",
        NULL, ROUTABLE_ERR_DOCUMENT, "undeclared query parameter \"n\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(a_discriminator_selects_the_schema),
        cmocka_unit_test(names_that_look_alike),
        cmocka_unit_test(a_value_with_its_own_delimiter),
        cmocka_unit_test(overlays_and_a_subset),
        cmocka_unit_test(options_of_other_documents),
        cmocka_unit_test(header_fields_of_a_call),
        cmocka_unit_test(a_form_that_is_too_long),
        cmocka_unit_test(an_empty_value_is_read_back),
        cmocka_unit_test(a_pagination_without_an_operation),
    };
    return cmocka_run_group_tests_name("nothing is silent", tests, NULL, NULL);
}
