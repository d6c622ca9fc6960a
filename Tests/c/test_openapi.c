/* OpenAPI documents from C: opened by the call that opens route documents, built by operationId, matched, read back;
 * hostile documents fail in bounded time with a message; URI templates. */
#include "support.h"

#include <time.h>

static const char *const pets =
    "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"Pets\",\"version\":\"1\"},\"servers\":[{\"url\":\"http://h.test/v1\"}],"
    "\"components\":{\"parameters\":{\"limit\":{\"name\":\"limit\",\"in\":\"query\",\"schema\":{\"type\":\"integer\","
    "\"maximum\":100}}},\"schemas\":{\"Pet\":{\"type\":\"object\",\"x-big\":123456789012345678901234567890}},"
    "\"securitySchemes\":{\"key\":{\"type\":\"apiKey\",\"in\":\"query\",\"name\":\"api_key\"}}},\"security\":[{\"key\":[]}],"
    "\"paths\":{\"/pets/{id}\":{\"get\":{\"operationId\":\"readPet\",\"parameters\":[{\"$ref\":\"#/components/parameters/limit\"},"
    "{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"integer\"}},"
    "{\"name\":\"fields\",\"in\":\"query\",\"explode\":false,\"schema\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}],"
    "\"responses\":{\"200\":{\"description\":\"\",\"content\":{\"application/json\":{\"schema\":"
    "{\"$ref\":\"#/components/schemas/Pet\"}}}},\"default\":{\"description\":\"wrong\"}}},"
    "\"put\":{\"operationId\":\"writePet\",\"servers\":[{\"url\":\"https://up.test\"}],\"requestBody\":{\"required\":true,"
    "\"content\":{\"application/merge-patch+json\":{\"schema\":{\"$ref\":\"#/components/schemas/Pet\"}},"
    "\"application/x-www-form-urlencoded\":{\"schema\":{\"type\":\"object\"}}}},\"responses\":{\"204\":{\"description\":\"\"}}}}}}";

static void builds_by_operation_id(void **state)
{
    routable_router *const router = open_text(pets);
    const routable_argument ids[] = { { NULL, routable_value_integer(7) } };
    const routable_argument query[] = {
        { "fields", routable_value_json("[\"a,b\",\"c\"]") }, { "limit", routable_value_integer(9) }, { "api_key", routable_value_string("k&") } };
    const routable_operation *operation = routable_router_operation(router, "readPet");
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    routable_error *error = NULL;
    (void)state;
    call.operation = "readPet";
    call.ids = ids;
    call.id_count = 1;
    call.query = query;
    call.query_count = 3;
    check_status("readPet", routable_request_new(router, &call, &request, &error), ROUTABLE_OK, error);
    check_text("readPet", routable_request_url(request), "http://h.test/v1/pets/7?limit=9&fields=a%2Cb,c&api_key=k%26");
    routable_request_free(request);
    check_text("result", routable_operation_result_type(operation), "Pet");
    check_size("types", routable_router_type_count(router), 1);
    assert_int_equal(strncmp(routable_router_type_schema_at(router, 0).ptr, "{\"type\":\"object\",\"x-big\":123456789012345678901234567890}",
        routable_router_type_schema_at(router, 0).len), 0);
    assert_true(routable_operation_source(operation).len > 100);

    memset(&call, 0, sizeof call);
    call.size = sizeof call;
    call.operation = "writePet";
    call.ids = ids;
    call.id_count = 1;
    call.body = routable_value_json("{\"name\":\"Rex & co\",\"tags\":[\"a\",\"b c\"]}");
    check_status("writePet", routable_request_new(router, &call, &request, &error), ROUTABLE_OK, error);
    check_text("a server of its own", routable_request_url(request), "https://up.test/pets/7");
    check_text("media type", routable_request_header_at(request, 0).value, "application/merge-patch+json");
    routable_request_free(request);
    call.content_type = "application/x-www-form-urlencoded";
    check_status("a form", routable_request_new(router, &call, &request, &error), ROUTABLE_OK, error);
    check_text("a form", routable_request_body(request), "name=Rex+%26+co&tags=a&tags=b+c");
    routable_request_free(request);
    memset(&call.body, 0, sizeof call.body);
    call.content_type = NULL;
    check_status("no body", routable_request_new(router, &call, &request, &error), ROUTABLE_ERR_BODY, error);
    routable_error_free(error);
    routable_router_free(router);
}

static void plans_write_styles(void **state)
{
    routable_router *const router = open_text(pets);
    const routable_value id = routable_value_integer(7);
    routable_value query[3];
    routable_plan *plan = NULL;
    char buffer[256];
    size_t length = 0;
    (void)state;
    memset(query, 0, sizeof query);
    check_status("plan", routable_plan_new(router, NULL, "readPet", &plan, NULL), ROUTABLE_OK, NULL);
    query[1] = routable_value_json("[\"x\",\"y z\"]");
    check_status("write", routable_plan_write(plan, &id, 1, query, 3, buffer, sizeof buffer, &length, NULL), ROUTABLE_OK, NULL);
    assert_string_equal(buffer, "http://h.test/v1/pets/7?fields=x,y%20z");
    routable_plan_free(plan);
    routable_router_free(router);
}

static void matches_and_reads_back(void **state)
{
    routable_router *const router = open_text(pets);
    const routable_operation *operation;
    routable_match match;
    routable_string value = { NULL, 0 };
    routable_error *error = NULL;
    (void)state;
    assert_int_equal(routable_router_match(router, "GET", ROUTABLE_STR("/pets/7"), 0, &match), ROUTABLE_OK);
    operation = routable_match_operation(router, &match);
    check_text("match", routable_operation_name(operation), "readPet");
    check_status("id", routable_parameter_read(router, operation, 0, routable_str_from("7"), &value, &error), ROUTABLE_OK, error);
    assert_string_equal(value.ptr, "7");
    routable_string_free(&value);
    check_status("not an id", routable_parameter_read(router, operation, 0, routable_str_from("x"), &value, &error), ROUTABLE_ERR_VALUE, error);
    routable_error_free(error);
    check_status("fields", routable_parameter_read(router, operation, 2, routable_str_from("limit=1&fields=a%2Cb,c"), &value, &error),
        ROUTABLE_OK, error);
    assert_string_equal(value.ptr, "[\"a,b\",\"c\"]");
    routable_string_free(&value);
    check_status("absent", routable_parameter_read(router, operation, 1, routable_str_from("a=b"), &value, &error), ROUTABLE_NO_MATCH, NULL);
    check_status("none", routable_parameter_read(router, operation, 99, routable_str_from(""), &value, &error), ROUTABLE_ERR_ARGUMENT, error);
    routable_error_free(error);
    assert_string_equal(routable_parameter_style(routable_operation_parameter_at(operation, 2)), "form");
    routable_router_free(router);
}

/* Parameters are validated against their whole schema, both when they are read and when a call is built. */
static void parameters_have_whole_schemas(void **state)
{
    routable_router *const router = open_text(
        "{\"openapi\":\"3.1.0\",\"servers\":[{\"url\":\"https://h.test\"}],\"paths\":{\"/p\":{\"get\":{\"operationId\":\"p\",\"parameters\":["
        "{\"name\":\"t\",\"in\":\"query\",\"schema\":{\"type\":\"array\",\"uniqueItems\":true,\"maxItems\":2,\"items\":{\"type\":\"integer\"}}},"
        "{\"name\":\"o\",\"in\":\"query\",\"style\":\"deepObject\",\"schema\":{\"type\":\"object\",\"required\":[\"x\"],"
        "\"properties\":{\"x\":{\"type\":\"integer\"}}}},"
        "{\"name\":\"n\",\"in\":\"query\",\"schema\":{\"type\":\"integer\",\"format\":\"int32\"}},"
        "{\"name\":\"j\",\"in\":\"query\",\"content\":{\"application/json\":{\"schema\":{\"type\":\"integer\"}}}}]}}}}");
    static const struct {
        size_t parameter;
        const char *query;
        const char *value; /* NULL: refused */
    } cases[] = {
        { 0, "t=1&t=2", "[1,2]" }, { 0, "t=1&t=1", NULL }, { 0, "t=1&t=2&t=3", NULL }, { 0, "t=x", NULL },
        { 1, "o%5Bx%5D=1", "{\"x\":\"1\"}" }, { 1, "o%5Bx%5D=a", NULL }, { 1, "o%5By%5D=1", NULL },
        { 2, "n=2147483647", "2147483647" }, { 2, "n=2147483648", NULL }, { 2, "n=-2147483648", "-2147483648" },
        { 3, "j=5", "5" }, { 3, "j=%225%22", NULL },
    };
    const routable_operation *const operation = routable_router_operation(router, "p");
    routable_plan *plan = NULL;
    char buffer[256];
    size_t length = 0;
    routable_error *error = NULL;
    (void)state;
    for (size_t index = 0; index < sizeof cases / sizeof *cases; index++) {
        routable_string value = { NULL, 0 };
        check_status(cases[index].query,
            routable_parameter_read(router, operation, cases[index].parameter, routable_str_from(cases[index].query), &value, &error),
            cases[index].value != NULL ? ROUTABLE_OK : ROUTABLE_ERR_VALUE, error);
        if (cases[index].value != NULL) assert_string_equal(value.ptr, cases[index].value);
        routable_string_free(&value);
        routable_error_free(error);
        error = NULL;
    }
    assert_int_equal(routable_plan_new(router, NULL, "p", &plan, &error), ROUTABLE_OK);
    routable_value values[4] = { routable_value_null(), routable_value_null(), routable_value_integer(INT32_MAX), routable_value_null() };
    assert_int_equal(routable_plan_write(plan, NULL, 0, values, 4, buffer, sizeof buffer, &length, &error), ROUTABLE_OK);
    assert_string_equal(buffer, "https://h.test/p?n=2147483647");
    values[2] = routable_value_integer((int64_t)INT32_MAX + 1);
    check_status("int32", routable_plan_write(plan, NULL, 0, values, 4, buffer, sizeof buffer, &length, &error), ROUTABLE_ERR_VALUE, error);
    routable_error_free(error);
    routable_plan_free(plan);
    routable_router_free(router);
}

/* The media type of a response selects its type. */
static void media_types_select_results(void **state)
{
    routable_router *const router = open_text(
        "{\"openapi\":\"3.1.0\",\"servers\":[{\"url\":\"https://h.test\"}],\"paths\":{\"/p\":{\"get\":{\"operationId\":\"p\",\"responses\":{\"200\":{"
        "\"content\":{\"application/vnd.s.v1+json\":{\"schema\":{\"$ref\":\"#/components/schemas/One\"}},"
        "\"application/vnd.s.v2+json\":{\"schema\":{\"$ref\":\"#/components/schemas/Two\"}}}}}}}},"
        "\"components\":{\"schemas\":{\"One\":{\"type\":\"object\",\"required\":[\"id\"]},\"Two\":{\"type\":\"object\",\"required\":[\"uuid\"]}}}}");
    static const struct {
        const char *given;
        const char *type;
        const char *reason; /* NULL: the outcome is self */
    } cases[] = {
        { "application/vnd.s.v1+json", "One", NULL },
        { "application/vnd.s.v2+json; charset=utf-8", "Two", "the value does not match its type" },
        { "application/vnd.s.v3+json", "One", "is not declared for the status 200" },
    };
    (void)state;
    for (size_t index = 0; index < sizeof cases / sizeof *cases; index++) {
        const routable_header header = { routable_str_from("Content-Type"), routable_str_from(cases[index].given) };
        routable_response *response = NULL;
        routable_error *error = NULL;
        check_status(cases[index].given,
            routable_response_map(router, NULL, "p", 200, &header, 1, routable_str_from("{\"id\":1}"), &response, &error), ROUTABLE_OK, error);
        check_text(cases[index].given, routable_response_type(response), cases[index].type);
        if (cases[index].reason == NULL) assert_int_equal(routable_response_outcome(response), ROUTABLE_OUTCOME_SELF);
        else {
            routable_deviation deviation = ROUTABLE_DEVIATION_INIT;
            assert_int_equal(routable_response_deviation_at(response, 0, &deviation), 1);
            assert_non_null(strstr(deviation.message.ptr, cases[index].reason));
        }
        routable_response_free(response);
    }
    routable_router_free(router);
}

static void statuses_are_those_of_the_document(void **state)
{
    routable_router *const router = open_text(pets);
    routable_response *response = NULL;
    routable_error *error = NULL;
    (void)state;
    check_status("200", routable_response_map(router, NULL, "readPet", 200, NULL, 0, routable_str_from("{}"), &response, &error),
        ROUTABLE_OK, error);
    check_text("type", routable_response_type(response), "Pet");
    routable_response_free(response);
    check_status("404", routable_response_map(router, NULL, "readPet", 404, NULL, 0, routable_str_from("{}"), &response, &error),
        ROUTABLE_ERR_HTTP_STATUS, error);
    assert_int_equal(routable_error_http_status(error), 404);
    routable_error_free(error);
    routable_router_free(router);
}

static void refuse_document(const char *text, routable_status status, const char *pointer, size_t line, const char *part)
{
    routable_router *router = NULL;
    routable_error *error = NULL;
    check_status(text, routable_router_open(text, ROUTABLE_NUL_TERMINATED, NULL, &router, &error), status, error);
    check_contains(text, routable_error_message(error), part);
    check_text(text, routable_error_pointer(error), pointer);
    check_size(text, routable_error_line(error), line);
    routable_error_free(error);
}

static void refusals_name_the_place(void **state)
{
    (void)state;
    refuse_document("{\"swagger\":\"1.2\",\"paths\":{}}", ROUTABLE_ERR_UNSUPPORTED, "/swagger", 1, "Swagger 2.0 and OpenAPI 3.0");
    refuse_document("{\"swagger\":\"2.0\",\n\"paths\":{\"/a\":{\"get\":{\"parameters\":[{\"name\":\"x\",\"in\":\"form\"}]}}}}",
        ROUTABLE_ERR_DOCUMENT, "/paths/~1a/get/parameters/0/in", 2, "formData");
    refuse_document("{\"openapi\":\"4.0.0\"}", ROUTABLE_ERR_UNSUPPORTED, "/openapi", 1, "3.0, 3.1 and 3.2");
    refuse_document("{\"openapi\":3.1}", ROUTABLE_ERR_DOCUMENT, "/openapi", 1, "a string");
    refuse_document("{\"openapi\":\"3.0.0\"}", ROUTABLE_ERR_DOCUMENT, "", 1, "paths");
    refuse_document("{\"openapi\":\"3.0.0\",\n\"paths\":{\"/a\":{\"get\":{\"parameters\":[{\"name\":\"x\",\"in\":\"body\"}]}}}}",
        ROUTABLE_ERR_DOCUMENT, "/paths/~1a/get/parameters/0/in", 2, "a parameter cannot be in \"body\"");
    refuse_document("{\"openapi\":\"3.1.0\",\"paths\":{\"/a\":{\"get\":{\"parameters\":[{\"$ref\":\"#/components/parameters/a\"}]}}},"
           "\"components\":{\"parameters\":{\"a\":{\"$ref\":\"#/components/parameters/b\"},\"b\":{\"$ref\":\"#/components/parameters/a\"}}}}",
        ROUTABLE_ERR_DOCUMENT, "/paths/~1a/get/parameters/0", 1, "back to itself");
    refuse_document("{\"openapi\":\"3.1.0\",\"paths\":{}", ROUTABLE_ERR_JSON, "", 1, "the input ends");
}

/* A long chain of references is not reported as a cycle. */
static void a_long_chain_is_a_limit(void **state)
{
    char document[16384];
    size_t length = (size_t)snprintf(document, sizeof document,
        "{\"openapi\":\"3.1.0\",\"paths\":{\"/a\":{\"get\":{\"parameters\":[{\"$ref\":\"#/components/parameters/p0\"}]}}},"
        "\"components\":{\"parameters\":{");
    int index;
    (void)state;
    for (index = 0; index < 80; index++)
        length += (size_t)snprintf(document + length, sizeof document - length, "\"p%d\":{\"$ref\":\"#/components/parameters/p%d\"},",
            index, index + 1);
    snprintf(document + length, sizeof document - length, "\"p80\":{\"name\":\"x\",\"in\":\"query\"}}}}");
    refuse_document(document, ROUTABLE_ERR_LIMIT, "/paths/~1a/get/parameters/0", 1, "64 references in a row");
}

static const char *const photos =
    "{\"swagger\":\"2.0\",\"host\":\"h.test\",\"basePath\":\"/v1\",\"schemes\":[\"http\"],\"definitions\":{\"Photo\":{\"type\":\"object\","
    "\"required\":[\"title\"]}},\"paths\":{\"/photos/{id}\":{\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"required\":true,"
    "\"type\":\"integer\"}],\"get\":{\"operationId\":\"read\",\"parameters\":[{\"name\":\"tags\",\"in\":\"query\",\"type\":\"array\","
    "\"items\":{\"type\":\"string\"}}],\"responses\":{\"200\":{\"schema\":{\"$ref\":\"#/definitions/Photo\"}}}},\"put\":{\"operationId\":"
    "\"label\",\"parameters\":[{\"name\":\"title\",\"in\":\"formData\",\"type\":\"string\",\"required\":true,\"maxLength\":5}]}}}}";

/* Swagger 2.0 without a conversion: collection formats, forms, definitions. */
static void swagger_opens(void **state)
{
    routable_router *const router = open_text(photos);
    const routable_argument ids[] = { { NULL, routable_value_integer(7) } };
    const routable_argument query[] = { { "tags", routable_value_json("[\"a\",\"b,c\"]") } };
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    routable_error *error = NULL;
    (void)state;
    check_text("base", routable_router_base(router), "http://h.test/v1");
    check_text("result", routable_operation_result_type(routable_router_operation(router, "read")), "Photo");
    call.operation = "read";
    call.ids = ids;
    call.id_count = 1;
    call.query = query;
    call.query_count = 1;
    check_status("read", routable_request_new(router, &call, &request, &error), ROUTABLE_OK, error);
    check_text("csv", routable_request_url(request), "http://h.test/v1/photos/7?tags=a,b%2Cc");
    routable_request_free(request);
    call.operation = "label";
    call.query_count = 0;
    call.body = routable_value_json("{\"title\":\"a b\"}");
    check_status("label", routable_request_new(router, &call, &request, &error), ROUTABLE_OK, error);
    check_text("a form", routable_request_body(request), "title=a+b");
    routable_request_free(request);
    call.body = routable_value_json("{\"title\":\"longer\"}");
    check_status("label", routable_request_new(router, &call, &request, &error), ROUTABLE_ERR_BODY, error);
    check_text("in the body", routable_error_pointer(error), "/body/title");
    routable_error_free(error);
    routable_router_free(router);
}

/* --- Hostile documents --- */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

typedef struct text { char *bytes; size_t length, capacity; } text;

static void add(text *it, const char *format, ...)
{
    va_list arguments;
    if (it->capacity - it->length < 1024)
        assert_non_null(it->bytes = realloc(it->bytes, it->capacity = it->capacity * 2 + 4096));
    va_start(arguments, format);
    it->length += (size_t)vsnprintf(it->bytes + it->length, it->capacity - it->length, format, arguments);
    va_end(arguments);
}

static void end_soon(const char *what, text *document)
{
    const routable_str bytes = { document->bytes, document->length };
    const double start = seconds();
    routable_router *router = NULL;
    routable_error *error = NULL;
    const routable_status status = routable_router_open(bytes.ptr, bytes.len, NULL, &router, &error);
    const double took = seconds() - start;
    print_message("%s: %s, %zu bytes, %.2f s\n", what, routable_status_name(status), document->length, took);
    if (status != ROUTABLE_OK)
        assert_true(routable_error_message(error).len > 0);
    assert_true(took * 1000 < patience(60000)); /* generous, for sanitizers and busy machines */
    routable_error_free(error);
    routable_router_free(router);
    free(document->bytes);
    memset(document, 0, sizeof *document);
}

static void hostile_documents_end(void **state)
{
    /* Valgrind preloads its library, and is fifty times slower. */
    const char *const preloaded = getenv("LD_PRELOAD");
    const int many = preloaded && strstr(preloaded, "vgpreload") ? 2000 : 100000;
    text it = { NULL, 0, 0 };
    int i;
    (void)state;
    add(&it, "{\"openapi\":\"3.1.0\",\"paths\":{},\"components\":{\"schemas\":{\"A\":{\"properties\":{");
    for (i = 0; i < many; i++) add(&it, "%s\"p%d\":{\"$ref\":\"#/components/schemas/A\"}", i ? "," : "", i);
    add(&it, "}}}}}");
    end_soon("100,000 properties", &it);

    add(&it, "{\"openapi\":\"3.1.0\",\"components\":{\"parameters\":{");
    for (i = 0; i < many; i++) add(&it, "%s\"p%d\":{\"$ref\":\"#/components/parameters/p%d\"}", i ? "," : "", i, i + 1);
    add(&it, "}},\"paths\":{\"/a\":{\"get\":{\"parameters\":[{\"$ref\":\"#/components/parameters/p0\"}]}}}}");
    end_soon("100,000 references in a row", &it);

    add(&it, "{\"openapi\":\"3.1.0\",\"components\":{\"schemas\":{");
    for (i = 0; i < many; i++) add(&it, "%s\"s%d\":{}", i ? "," : "", i);
    add(&it, "}},\"paths\":{");
    for (i = 0; i < many / 4; i++)
        add(&it, "%s\"/a%d\":{\"get\":{\"parameters\":[{\"name\":\"q\",\"in\":\"query\",\"schema\":{\"$ref\":\"#/components/schemas/s%d\"}}]}}",
            i ? "," : "", i, i);
    add(&it, "}}");
    end_soon("25,000 operations over 100,000 schemas", &it);

    add(&it, "{\"openapi\":\"3.1.0\",\"paths\":{");
    for (i = 0; i < many / 4; i++) add(&it, "%s\"/a\":{\"get\":{}}", i ? "," : "");
    add(&it, "}}");
    end_soon("25,000 times one path", &it);

    add(&it, "{\"openapi\":\"3.1.0\",\"components\":{\"schemas\":{\"A\":{\"allOf\":[");
    for (i = 0; i < 32; i++) add(&it, "%s{\"$ref\":\"#/components/schemas/A\"}", i ? "," : "");
    add(&it, "]}}},\"paths\":{\"/a\":{\"get\":{\"parameters\":[{\"name\":\"q\",\"in\":\"query\",\"schema\":{\"$ref\":\"#/components/schemas/A\"}}]}}}}");
    end_soon("a schema of itself 32 times", &it);

    add(&it, "{\"openapi\":\"3.1.0\",\"x-a\":[1e400,-1e400,1e-400,123456789012345678901234567890],\"paths\":{\"/a\":{\"get\":{\"parameters\":"
             "[{\"name\":\"q\",\"in\":\"query\",\"schema\":{\"type\":\"integer\",\"minimum\":-1e400,\"maximum\":1e400}}]}}}}");
    end_soon("1e400", &it);

    add(&it, "{\"openapi\":\"3.1.0\",\"paths\":{\"/a\":{\"get\":{\"parameters\":[");
    for (i = 0; i < many; i++) add(&it, "%s{\"name\":\"q%d\",\"in\":\"query\"}", i ? "," : "", i);
    add(&it, "]}}}}");
    end_soon("100,000 parameters", &it);

    /* One form parameter that all operations refer to: their schemas together exceed the limit of a document. */
    add(&it, "{\"swagger\":\"2.0\",\"parameters\":{\"p\":{\"name\":\"p\",\"in\":\"formData\",\"type\":\"string\",\"enum\":[0");
    for (i = 0; i < many / 10; i++) add(&it, ",%d", i);
    add(&it, "]}},\"paths\":{");
    for (i = 0; i < many / 10; i++)
        add(&it, "%s\"/a%d\":{\"put\":{\"parameters\":[{\"$ref\":\"#/parameters/p\"}]}}", i ? "," : "", i);
    add(&it, "}}");
    end_soon("10,000 times one form", &it);

    add(&it, "{\"openapi\":\"3.1.0\",\"x-a\":");
    for (i = 0; i < 5000; i++) add(&it, "[");
    end_soon("5,000 levels", &it);
}

static void templates_expand(void **state)
{
    const routable_argument values[] = { { "q", routable_value_string("a b") }, { "list", routable_value_json("[\"x\",\"y\"]") } };
    routable_string out = { NULL, 0 };
    routable_error *error = NULL;
    (void)state;
    check_status("expand", routable_template_expand(routable_str_from("/s{?q,list*,none}{#q:1}"), values, 2, &out, &error), ROUTABLE_OK, error);
    assert_string_equal(out.ptr, "/s?q=a%20b&list=x&list=y#a");
    routable_string_free(&out);
    check_status("JSON", routable_template_expand_json("{/a*}", ROUTABLE_NUL_TERMINATED, "{\"a\":{\"k\":\"v/w\"}}", ROUTABLE_NUL_TERMINATED, &out, &error),
        ROUTABLE_OK, error);
    assert_string_equal(out.ptr, "/k=v%2Fw");
    routable_string_free(&out);
    check_status("open", routable_template_expand(routable_str_from("/a{b"), NULL, 0, &out, &error), ROUTABLE_ERR_DOCUMENT, error);
    check_size("offset", routable_error_offset(error), 2);
    routable_error_free(error);
    check_status("nested", routable_template_expand_json("{a}", ROUTABLE_NUL_TERMINATED, "{\"a\":[[1]]}", ROUTABLE_NUL_TERMINATED, &out, &error),
        ROUTABLE_ERR_VALUE, error);
    routable_error_free(error);
    check_status("no object", routable_template_expand_json("{a}", ROUTABLE_NUL_TERMINATED, "[]", ROUTABLE_NUL_TERMINATED, &out, &error),
        ROUTABLE_ERR_DOCUMENT, error);
    routable_error_free(error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builds_by_operation_id), cmocka_unit_test(plans_write_styles), cmocka_unit_test(matches_and_reads_back),
        cmocka_unit_test(parameters_have_whole_schemas),
        cmocka_unit_test(media_types_select_results),
        cmocka_unit_test(statuses_are_those_of_the_document), cmocka_unit_test(refusals_name_the_place),
        cmocka_unit_test(a_long_chain_is_a_limit), cmocka_unit_test(swagger_opens),
        cmocka_unit_test(hostile_documents_end), cmocka_unit_test(templates_expand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
