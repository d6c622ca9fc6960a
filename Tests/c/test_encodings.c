/* Encodings: the vectors of statements U1 to U18, J1 and J4 (Tests/golden/encodings.json) through a document and
 * the JSON tier, and through the builder and the object tier. */
#include "encodings.h"

static json_t *vectors;

static int read_vectors(void **state)
{
    size_t length;
    char *const text = read_file("Tests/golden/encodings.json", &length);
    (void)state;
    vectors = json_loadb(text, length, 0, NULL);
    free(text);
    return json_is_array(vectors) ? 0 : -1;
}

static int drop_vectors(void **state)
{
    (void)state;
    json_decref(vectors);
    return 0;
}

/* --- One vector --- */

/* The base without its path: the operation has the path. */
static void base_of(const json_t *vector, char *base, size_t capacity)
{
    const char *const whole = text_at(vector, "base");
    const char *const path = strstr(whole, "/p");
    snprintf(base, capacity, "%.*s%s", (int)(path - whole), whole, path + 2);
}

static routable_router *router_of_document(const json_t *vector)
{
    char base[256], document[1024];
    char *encoding = json_dumps(json_object_get(vector, "encoding"), JSON_COMPACT | JSON_ENCODE_ANY);
    base_of(vector, base, sizeof base);
    snprintf(document, sizeof document,
        "{\"routable\":1,\"base\":\"%s\",\"operations\":{\"op\":{\"method\":\"%s\",\"path\":\"/p\",\"encoding\":%s}}}", base,
        text_at(vector, "method"), encoding ? encoding : "{}");
    free(encoding);
    return open_text(document);
}

/* `whose` 0: the encoding of the operation; 1: the encoding of the builder. */
static routable_router *router_of_builder(const json_t *vector, int whose)
{
    char base[256];
    const routable_encoding_options encoding = encoding_of(json_object_get(vector, "encoding"));
    routable_operation_options operation = operation_of(text_at(vector, "method"));
    routable_error *error = NULL;
    routable_builder *builder;
    base_of(vector, base, sizeof base);
    builder = new_builder(base);
    if (whose == 0)
        operation.encoding = &encoding;
    else
        check_status("set", routable_builder_set_encoding(builder, &encoding, &error), ROUTABLE_OK, error);
    check_status("add", routable_builder_add_operation(builder, &operation, &error), ROUTABLE_OK, error);
    return built_router(builder);
}

static void check_request(const json_t *vector, routable_request *request)
{
    const char *const input = text_at(vector, "parameters");
    const char *const body = text_at(vector, "body"), *const type = text_at(vector, "type");
    const char *const got = header_of(request, "Content-Type") ? header_of(request, "Content-Type")
                                                                : header_of(request, "content-type");
    check_text(input ? input : "no parameters", routable_request_url(request), text_at(vector, "url"));
    check_text(input ? input : "no parameters", routable_request_body(request), body ? body : "");
    assert_int_equal(routable_request_has_body(request), body != NULL);
    check_text("Content-Type", routable_str_from(got), type ? type : "");
    routable_request_free(request);
}

static void check_json_tier(const json_t *vector)
{
    const char *const parameters = text_at(vector, "parameters");
    char *const headers = json_dumps(json_object_get(vector, "headers"), JSON_COMPACT);
    char call[1024];
    routable_router *const router = router_of_document(vector);
    snprintf(call, sizeof call, "{\"operation\":\"op\"%s%s%s%s}", headers ? ",\"headers\":" : "", headers ? headers : "",
        parameters ? ",\"parameters\":" : "", parameters ? parameters : "");
    check_request(vector, build(router, call));
    free(headers);
    routable_router_free(router);
}

static void check_object_tier(const json_t *vector, int whose)
{
    const char *const parameters = text_at(vector, "parameters");
    json_t *const members = parameters ? json_loads(parameters, JSON_DECODE_ANY, NULL) : NULL;
    routable_argument arguments[16], header;
    char *texts[16];
    routable_call call = ROUTABLE_CALL_INIT;
    routable_router *const router = router_of_builder(vector, whose);
    routable_request *request = NULL;
    routable_error *error = NULL;
    const char *name;
    json_t *value;
    size_t count = 0;

    call.operation = "op";
    call.parameters = members ? arguments : NULL;
    json_object_foreach(members, name, value)
    {
        assert_true(count < 16);
        texts[count] = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        arguments[count].name = name;
        arguments[count].value = routable_value_json(texts[count]);
        if (json_is_string(value))
            arguments[count].value = routable_value_string(json_string_value(value));
        else if (json_is_real(value))
            arguments[count].value = routable_value_real(json_real_value(value));
        else if (json_is_boolean(value))
            arguments[count].value = routable_value_boolean(json_is_true(value));
        count++;
    }
    call.parameter_count = count;
    if (json_object_get(vector, "headers")) {
        header.name = json_object_iter_key(json_object_iter(json_object_get(vector, "headers")));
        header.value = routable_value_string(text_at(json_object_get(vector, "headers"), header.name));
        call.headers = &header;
        call.header_count = 1;
    }
    check_status(parameters, routable_request_new(router, &call, &request, &error), ROUTABLE_OK, error);
    check_request(vector, request);
    while (count > 0)
        free(texts[--count]);
    json_decref(members);
    routable_router_free(router);
}

static void run(const char *id)
{
    size_t index, ran = 0;
    json_t *vector;
    json_array_foreach(vectors, index, vector)
    {
        if (strcmp(text_at(vector, "id"), id) != 0)
            continue;
        check_json_tier(vector);
        check_object_tier(vector, 0);
        check_object_tier(vector, 1);
        ran++;
    }
    assert_true(ran > 0);
}

#define VECTORS(id, name) static void id##_##name(void **state) { (void)state; run(#id); }
VECTORS(U1, destination)
VECTORS(U2, nothing_and_empty)
VECTORS(U3, sorted)
VECTORS(U4, query_of_the_base)
VECTORS(U5, content_type)
VECTORS(U6, query_or_body)
VECTORS(U7, arrays)
VECTORS(U8, nested)
VECTORS(U9, indexes)
VECTORS(U10, booleans)
VECTORS(U11, whole_reals)
VECTORS(U12, bare_bytes)
VECTORS(U13, keys_are_escaped)
VECTORS(U14, unicode)
VECTORS(U15, sorted_at_every_level)
VECTORS(U16, nulls)
VECTORS(U17, empty_arrays)
VECTORS(U18, brackets_in_the_base)
VECTORS(J1, content_type_of_json)
VECTORS(J4, numbers)

static void other_options(void **state)
{
    static const char *const ids[] = { "key_paths", "key_case", "order", "spaces", "escape", "newlines" };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof ids / sizeof *ids; i++)
        run(ids[i]);
}

/* --- JSON bodies --- */

static void J2_root_and_what_json_cannot_hold(void **state)
{
    routable_router *const router =
        open_text("{\"routable\":1,\"base\":\"http://h\",\"operations\":{\"op\":{\"post\":\"/\",\"encoding\":{\"as\":\"json\"}}}}");
    const char *const bodies[] = { "{\"a\":1}", "[1,null]", "[]", "{}",
        /* the text is sent byte for byte */ "{ \"a\" : 100.10,\n \"b\":[1, 2e0] }" };
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    routable_error *error = NULL;
    routable_argument argument;
    size_t i;
    (void)state;
    call.operation = "op";
    for (i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        call.body = routable_value_json(bodies[i]);
        check_status(bodies[i], routable_request_new(router, &call, &request, &error), ROUTABLE_OK, error);
        check_text(bodies[i], routable_request_body(request), bodies[i]);
        routable_request_free(request);
    }
    call.body = routable_value_json("{\"a\":NaN}");
    check_status("NaN", routable_request_new(router, &call, &request, &error), ROUTABLE_ERR_JSON, error);
    routable_error_free(error);
    memset(&call.body, 0, sizeof call.body);
    argument.name = "a";
    argument.value = routable_value_real(1e308 * 10);
    call.parameters = &argument;
    call.parameter_count = 1;
    check_status("infinity", routable_request_new(router, &call, &request, &error), ROUTABLE_ERR_VALUE, error);
    routable_error_free(error);
    routable_router_free(router);
}

static void J3_body_on_get(void **state)
{
    routable_router *const router = open_text(
        "{\"routable\":1,\"base\":\"http://h\",\"operations\":{\"no\":{\"get\":\"/\",\"encoding\":{\"to\":\"body\"}},"
        "\"yes\":{\"get\":\"/yes\",\"encoding\":{\"to\":\"body\"},\"body_required\":false}}}");
    routable_request *request;
    (void)state;
    check_refused(router, "{\"operation\":\"no\",\"body\":{\"a\":1}}", ROUTABLE_ERR_BODY);
    check_refused(router, "{\"operation\":\"no\",\"parameters\":{\"a\":1}}", ROUTABLE_ERR_BODY);
    request = build(router, "{\"operation\":\"yes\",\"parameters\":{\"a\":1}}");
    check_text("yes", routable_request_body(request), "a=1");
    routable_request_free(request);
    routable_router_free(router);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(U1_destination),
        cmocka_unit_test(U2_nothing_and_empty),
        cmocka_unit_test(U3_sorted),
        cmocka_unit_test(U4_query_of_the_base),
        cmocka_unit_test(U5_content_type),
        cmocka_unit_test(U6_query_or_body),
        cmocka_unit_test(U7_arrays),
        cmocka_unit_test(U8_nested),
        cmocka_unit_test(U9_indexes),
        cmocka_unit_test(U10_booleans),
        cmocka_unit_test(U11_whole_reals),
        cmocka_unit_test(U12_bare_bytes),
        cmocka_unit_test(U13_keys_are_escaped),
        cmocka_unit_test(U14_unicode),
        cmocka_unit_test(U15_sorted_at_every_level),
        cmocka_unit_test(U16_nulls),
        cmocka_unit_test(U17_empty_arrays),
        cmocka_unit_test(U18_brackets_in_the_base),
        cmocka_unit_test(J1_content_type_of_json),
        cmocka_unit_test(J2_root_and_what_json_cannot_hold),
        cmocka_unit_test(J3_body_on_get),
        cmocka_unit_test(J4_numbers),
        cmocka_unit_test(other_options),
    };
    return cmocka_run_group_tests_name("encodings", tests, read_vectors, drop_vectors);
}
