/* Encodings of one query parameter, the same in requests and plans; invalid encodings; forms that are read. */
#include "encodings.h"

/* --- One parameter --- */

static routable_parameter_options query_parameter(const char *name, const char *type, const routable_encoding_options *encoding)
{
    routable_parameter_options parameter;
    memset(&parameter, 0, sizeof parameter);
    parameter.size = sizeof parameter;
    parameter.name = name;
    parameter.location = ROUTABLE_IN_QUERY;
    parameter.type = type;
    parameter.encoding = encoding;
    return parameter;
}

static void one_parameter_through_request_and_plan(void **state)
{
    routable_encoding_options encodings[2];
    routable_operation_options operation = operation_of("GET");
    routable_parameter_options parameters[3];
    routable_argument arguments[3];
    routable_value values[3];
    routable_call call = ROUTABLE_CALL_INIT;
    routable_builder *const builder = new_builder("http://h");
    routable_router *router;
    routable_request *request = NULL;
    routable_plan *plan = NULL;
    routable_error *error = NULL;
    char buffer[256];
    size_t i, length = 0;
    (void)state;
    memset(encodings, 0, sizeof encodings);
    encodings[0].size = encodings[1].size = sizeof *encodings;
    encodings[0].booleans = "numeric";
    encodings[1].escape = "whatwg";
    parameters[0] = query_parameter("a", "boolean", &encodings[0]);
    parameters[1] = query_parameter("b", NULL, &encodings[1]);
    parameters[2] = query_parameter("c", NULL, NULL);
    operation.parameters = parameters;
    operation.parameter_count = 3;
    check_status("add", routable_builder_add_operation(builder, &operation, &error), ROUTABLE_OK, error);
    router = built_router(builder);

    values[0] = routable_value_boolean(1);
    values[1] = routable_value_string("~ *");
    values[2] = routable_value_string("~ *");
    for (i = 0; i < 3; i++) {
        arguments[i].name = parameters[i].name;
        arguments[i].value = values[i];
    }
    call.operation = "op";
    call.query = arguments;
    call.query_count = 3;
    check_status("new", routable_request_new(router, &call, &request, &error), ROUTABLE_OK, error);
    check_text("request", routable_request_url(request), "http://h/p?a=1&b=%7E+*&c=~%20%2A");
    check_status("plan", routable_plan_new(router, NULL, "op", &plan, &error), ROUTABLE_OK, error);
    check_status("write",
        routable_plan_write(plan, NULL, 0, values, 3, buffer, sizeof buffer, &length, &error), ROUTABLE_OK, error);
    check_text("plan", routable_str_from(buffer), "http://h/p?a=1&b=%7E+*&c=~%20%2A");
    check_status("one is left out",
        routable_plan_write(plan, NULL, 0, values, 1, buffer, sizeof buffer, &length, &error), ROUTABLE_OK, error);
    check_text("plan", routable_str_from(buffer), "http://h/p?a=1");
    check_status("four",
        routable_plan_write(plan, NULL, 0, values, 4, buffer, sizeof buffer, &length, &error), ROUTABLE_ERR_PARAMETER, error);
    routable_error_free(error);
    values[0] = routable_value_string("yes");
    check_status("not a boolean",
        routable_plan_write(plan, NULL, 0, values, 3, buffer, sizeof buffer, &length, &error), ROUTABLE_ERR_VALUE, error);
    routable_error_free(error);
    routable_plan_free(plan);
    routable_request_free(request);
    routable_router_free(router);
}

static void arrays_of_a_document_through_a_plan(void **state)
{
    routable_router *const router = open_text(
        "{\"routable\":1,\"base\":\"http://h\",\"operations\":{\"op\":{\"get\":\"/p\",\"query\":{\"t\":{\"type\":\"array\","
        "\"items\":{\"type\":\"integer\"}}}}}}");
    routable_value value = routable_value_integer(7);
    routable_plan *plan = NULL;
    routable_error *error = NULL;
    char buffer[64];
    size_t length;
    (void)state;
    check_url(router, "{\"operation\":\"op\",\"query\":{\"t\":7}}", "http://h/p?t%5B%5D=7");
    check_url(router, "{\"operation\":\"op\",\"query\":{\"t\":[7,8]}}", "http://h/p?t%5B%5D=7&t%5B%5D=8");
    check_url(router, "{\"operation\":\"op\",\"query\":{\"t\":[]}}", "http://h/p");
    check_refused(router, "{\"operation\":\"op\",\"query\":{\"t\":[\"x\"]}}", ROUTABLE_ERR_VALUE);
    check_status("plan", routable_plan_new(router, NULL, "op", &plan, &error), ROUTABLE_OK, error);
    check_status("write", routable_plan_write(plan, NULL, 0, &value, 1, buffer, sizeof buffer, &length, &error), ROUTABLE_OK, error);
    check_text("plan", routable_str_from(buffer), "http://h/p?t%5B%5D=7");
    check_status("short", routable_plan_write(plan, NULL, 0, &value, 1, buffer, 4, &length, &error), ROUTABLE_ERR_BUFFER, error);
    routable_error_free(error);
    check_size("needed", length, strlen("http://h/p?t%5B%5D=7"));
    routable_plan_free(plan);
    routable_router_free(router);
}

/* An invalid kind of value is refused. */
static void a_made_up_kind(void **state)
{
    routable_router *const router = open_text(
        "{\"routable\":1,\"base\":\"http://h\",\"operations\":{\"plain\":{\"get\":\"/p\",\"query\":{\"a\":{}}},"
        "\"array\":{\"get\":\"/q\",\"query\":{\"a\":{\"type\":\"array\",\"items\":{}}}}}}");
    const char *const operations[] = { "plain", "array" };
    routable_value value = routable_value_string("x&evil=1");
    size_t i, length;
    char buffer[64];
    (void)state;
    for (i = 0; i < 2; i++)
        for (value.kind = 5; value.kind < 256; value.kind++) {
            routable_plan *plan = NULL;
            routable_error *error = NULL;
            check_status("plan", routable_plan_new(router, NULL, operations[i], &plan, &error), ROUTABLE_OK, error);
            check_status(operations[i], routable_plan_write(plan, NULL, 0, &value, 1, buffer, sizeof buffer, &length, &error),
                value.kind == ROUTABLE_KIND_JSON ? ROUTABLE_ERR_VALUE : ROUTABLE_ERR_ARGUMENT, error);
            routable_error_free(error);
            routable_plan_free(plan);
        }
    routable_router_free(router);
}

/* --- Invalid encodings --- */

static void check_builder_refuses(const char *what, const routable_encoding_options *encoding, routable_status expected)
{
    routable_builder *const builder = new_builder("http://h");
    routable_operation_options operation = operation_of("GET");
    routable_error *error = NULL;
    operation.encoding = encoding;
    check_status(what, routable_builder_add_operation(builder, &operation, &error), expected, error);
    routable_error_free(error);
    check_status(what, routable_builder_set_encoding(builder, encoding, &error), expected, error);
    routable_error_free(error);
    routable_builder_free(builder);
}

static void refused(void **state)
{
    routable_encoding_options encoding = encoding_of(NULL);
    routable_builder *const builder = new_builder("http://h");
    routable_operation_options operation = operation_of("GET");
    routable_parameter_options parameter = query_parameter("q", NULL, &encoding);
    routable_error *error = NULL;
    (void)state;
    encoding.arrays = "bracket";
    check_status("bracket", routable_builder_set_encoding(builder, &encoding, &error), ROUTABLE_ERR_DOCUMENT, error);
    check_text("bracket", routable_error_suggestion(error), "brackets");
    check_allowed("bracket", error, "brackets comma index none");
    routable_error_free(error);
    check_builder_refuses("bracket", &encoding, ROUTABLE_ERR_DOCUMENT);
    encoding.arrays = "{key}{index}{index}";
    check_builder_refuses("two indexes", &encoding, ROUTABLE_ERR_DOCUMENT);
    encoding.arrays = NULL;
    encoding.first_index = SIZE_MAX;
    check_builder_refuses("first index", &encoding, ROUTABLE_ERR_DOCUMENT);
    encoding.first_index = 0;
    encoding.size = 3;
    check_builder_refuses("size", &encoding, ROUTABLE_ERR_ARGUMENT);
    encoding.size = sizeof encoding;

    operation.parameters = &parameter;
    operation.parameter_count = 1;
    encoding.to = "body";
    check_status("to", routable_builder_add_operation(builder, &operation, &error), ROUTABLE_ERR_DOCUMENT, error);
    check_text("to", routable_error_parameter(error), "q");
    routable_error_free(error);
    encoding.to = NULL;
    parameter.location = ROUTABLE_IN_HEADER;
    check_status("header", routable_builder_add_operation(builder, &operation, &error), ROUTABLE_ERR_DOCUMENT, error);
    routable_error_free(error);
    check_status("NULL", routable_builder_set_encoding(builder, NULL, &error), ROUTABLE_OK, error);
    check_status("NULL", routable_builder_set_encoding(NULL, NULL, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    routable_builder_free(builder);
}

/* --- Reading --- */

static void check_form(const char *form, size_t length, const char *expected)
{
    routable_string out = { NULL, 0 };
    routable_error *error = NULL;
    const routable_str text = { form, length };
    routable_str got;
    check_status(form, routable_form_to_json(text.ptr, text.len, &out, &error), ROUTABLE_OK, error);
    got.ptr = out.ptr;
    got.len = out.len;
    check_text(form, got, expected);
    routable_string_free(&out);
}

static void reading_a_form(void **state)
{
    static const char nul[] = "a=b\0c";
    routable_error *error = NULL;
    routable_string out = { NULL, 0 };
    routable_str broken = { NULL, 3 };
    (void)state;
    check_form("", 0, "[]");
    check_form("a=1&b=x+y&a=%C3%A9&&c&=d&e=f=g", 30, "[[\"a\",\"1\"],[\"b\",\"x y\"],[\"a\",\"\xC3\xA9\"],[\"c\",\"\"],[\"\",\"d\"],[\"e\",\"f=g\"]]");
    check_form(nul, 5, "[[\"a\",\"b\\u0000c\"]]");
    check_form("%FE%FF=%C2x%&%zz", 16, "[[\"\xEF\xBF\xBD\xEF\xBF\xBD\",\"\xEF\xBF\xBDx%\"],[\"%zz\",\"\"]]");
    check_status("NULL", routable_form_to_json("a", ROUTABLE_NUL_TERMINATED, NULL, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    check_status("NULL with a length", routable_form_to_json(broken.ptr, broken.len, &out, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_parameter_through_request_and_plan),
        cmocka_unit_test(arrays_of_a_document_through_a_plan),
        cmocka_unit_test(a_made_up_kind),
        cmocka_unit_test(refused),
        cmocka_unit_test(reading_a_form),
    };
    return cmocka_run_group_tests_name("encoding options", tests, NULL, NULL);
}
