/* Lifetimes: objects are freed in any order, and a failure writes no output. */
#include "support.h"

static routable_request *read_status(const routable_router *router)
{
    return build(router, "{\"route\":\"user.status\",\"operation\":\"read\",\"ids\":[\"a\",\"b\"]}");
}

#define READ_URL "https://api.example.com/v1/users/a/statuses/b"

static void router_first(void **state)
{
    routable_router *const router = open_social();
    routable_request *const request = read_status(router);
    routable_plan *plan = NULL;
    routable_response *response = NULL;
    const routable_value ids[] = { routable_value_string("a"), routable_value_string("b") };
    char buffer[128];
    size_t length = 0;
    routable_string text = { NULL, 0 };
    (void)state;
    assert_int_equal(routable_plan_new(router, "user.status", "read", &plan, NULL), ROUTABLE_OK);
    assert_int_equal(routable_response_map(
                         router, "status", "read", 200, NULL, 0, routable_str_from("{\"text\":\"x\"}"), &response, NULL),
        ROUTABLE_OK);
    routable_router_free(router);

    check_text("request", routable_request_url(request), READ_URL);
    check_text("request", routable_request_route(request), "user.status");
    assert_int_equal(routable_request_to_json(request, &text, NULL), ROUTABLE_OK);
    routable_string_free(&text);
    assert_int_equal(routable_plan_write(plan, ids, 2, NULL, 0, buffer, sizeof buffer, &length, NULL), ROUTABLE_OK);
    assert_string_equal(buffer, READ_URL);
    check_text("plan", routable_plan_method(plan), "GET");
    assert_int_equal(routable_response_to_json(response, &text, NULL), ROUTABLE_OK);
    check_contains("response", routable_str_from(text.ptr), "\"type\":\"Status\"");
    routable_string_free(&text);
    routable_response_free(response);
    routable_plan_free(plan);
    routable_request_free(request);
}

static void error_last(void **state)
{
    routable_router *const router = open_social();
    routable_error *const error =
        refuse(router, "{\"route\":\"status\",\"operation\":\"update\",\"ids\":[\"3\"]}", ROUTABLE_ERR_NOT_ALLOWED);
    (void)state;
    routable_router_free(router);
    check_text("error", routable_error_message(error), "status: update not allowed; allowed: create, delete, read");
    check_allowed("error", error, "create delete read");
    routable_error_free(error);
}

/* The response and the next error of an error are owned by it. */
static void error_owns_its_response(void **state)
{
    routable_router *const router = open_social();
    routable_response *response = NULL;
    routable_error *error = NULL;
    const routable_response *inside;
    (void)state;
    check_status("404",
        routable_response_map(router, "user", "read", 404, NULL, 0, routable_str_from("{\"why\":\"gone\"}"), &response, &error),
        ROUTABLE_ERR_HTTP_STATUS, error);
    assert_null(response);
    routable_router_free(router);
    inside = routable_error_response(error);
    assert_non_null(inside);
    assert_int_equal(routable_response_status(inside), 404);
    check_text("body", routable_response_body(inside), "{\"why\":\"gone\"}");
    routable_error_free(error);
}

static void builder_first(void **state)
{
    routable_builder *builder = NULL;
    routable_router *router = NULL;
    routable_resource_options user;
    char name[] = "user", path[] = "users";
    (void)state;
    memset(&user, 0, sizeof user);
    user.size = sizeof user;
    user.name = name;
    user.path = path;
    user.can = ROUTABLE_CAN_READ;
    assert_int_equal(routable_builder_new("b", "https://h", &builder, NULL), ROUTABLE_OK);
    assert_int_equal(routable_builder_add_resource(builder, &user, NULL), ROUTABLE_OK);
    memset(name, '!', 4); /* the arguments were copied */
    memset(path, '!', 5);
    assert_int_equal(routable_builder_build(builder, &router, NULL), ROUTABLE_OK);
    routable_builder_free(builder);
    check_walk(router, "user", "read", IDS("x"), "GET", "https://h/users/x");
    routable_router_free(router);
}

static void inputs_are_copied(void **state)
{
    char document[] = "{\"routable\":1,\"base\":\"https://h\",\"resources\":{\"u\":{\"path\":\"u\",\"can\":[\"create\"]}}}";
    char call[] = "{\"route\":\"u\",\"operation\":\"create\",\"body\":{\"a\":\"b\"}}";
    char body[] = "the body", type[] = "text/plain", value[] = "value";
    routable_router *const router = open_text(document);
    routable_request *request;
    (void)state;
    memset(document, ' ', sizeof document - 1);
    request = build(router, call);
    memset(call, ' ', sizeof call - 1);
    check_text("url", routable_request_url(request), "https://h/u");
    check_text("body", routable_request_body(request), "{\"a\":\"b\"}");
    assert_int_equal(routable_request_set_body(request, routable_str_from(body), type, NULL), ROUTABLE_OK);
    assert_int_equal(routable_request_set_header(request, "X", routable_str_from(value), NULL), ROUTABLE_OK);
    memset(body, '-', sizeof body - 1);
    memset(type, '-', sizeof type - 1);
    memset(value, '-', sizeof value - 1);
    check_text("body", routable_request_body(request), "the body");
    check_text("type", routable_str_from(header_of(request, "Content-Type")), "text/plain");
    check_text("header", routable_str_from(header_of(request, "X")), "value");
    /* The request's own body as the new body. */
    assert_int_equal(routable_request_set_body(request, routable_request_body(request), NULL, NULL), ROUTABLE_OK);
    check_text("own body", routable_request_body(request), "the body");
    routable_request_free(request);
    routable_router_free(router);
}

static void string_free_twice(void **state)
{
    routable_router *const router = open_social();
    routable_string text = { NULL, 0 };
    (void)state;
    routable_string_free(&text);
    assert_int_equal(routable_router_map(router, &text, NULL), ROUTABLE_OK);
    assert_non_null(text.ptr);
    assert_int_equal(text.ptr[text.len], '\0');
    routable_string_free(&text);
    assert_null(text.ptr);
    check_size("cleared", text.len, 0);
    routable_string_free(&text);
    routable_router_free(router);
}

/* Every function with an output of a string or an object leaves it unmodified on failure. */
static void failure_touches_no_output(void **state)
{
    routable_router *const router = open_social();
    char mark;
    routable_string text;
    routable_request *request = (routable_request *)(void *)&mark;
    routable_plan *plan = (routable_plan *)(void *)&mark;
    routable_response *response = (routable_response *)(void *)&mark;
    routable_router *opened = (routable_router *)(void *)&mark;
    routable_client *client = (routable_client *)(void *)&mark;
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    (void)state;
    text.ptr = &mark;
    text.len = 42;
    assert_int_equal(routable_build_json(router, "{\"operation\":\"x\"}", ROUTABLE_NUL_TERMINATED, &text, NULL), ROUTABLE_ERR_UNKNOWN);
    assert_ptr_equal(text.ptr, &mark);
    check_size("text", text.len, 42);
    assert_int_equal(routable_request_new_json(router, "{\"operation\":\"x\"}", ROUTABLE_NUL_TERMINATED, &request, NULL), ROUTABLE_ERR_UNKNOWN);
    assert_ptr_equal(request, &mark);
    assert_int_equal(routable_plan_new(router, "usr", "read", &plan, NULL), ROUTABLE_ERR_UNKNOWN);
    assert_ptr_equal(plan, &mark);
    assert_int_equal(
        routable_response_map(router, "user", "read", 500, NULL, 0, routable_str_from(""), &response, NULL), ROUTABLE_ERR_HTTP_STATUS);
    assert_ptr_equal(response, &mark);
    assert_int_equal(routable_router_open("{", ROUTABLE_NUL_TERMINATED, NULL, &opened, NULL), ROUTABLE_ERR_JSON);
    assert_ptr_equal(opened, &mark);
    options.base = "ftp://h";
    assert_true(routable_client_new(&options, &client, NULL) >= ROUTABLE_ERR_ARGUMENT);
    assert_ptr_equal(client, &mark);
    routable_router_free(router);
}

/* Every call sets the error parameter: NULL on success. */
static void success_clears_the_error(void **state)
{
    char mark;
    routable_error *error = (routable_error *)(void *)&mark;
    routable_router *router = NULL;
    routable_string text = { NULL, 0 };
    (void)state;
    assert_int_equal(routable_router_open("{\"routable\":1}", ROUTABLE_NUL_TERMINATED, NULL, &router, &error), ROUTABLE_OK);
    assert_null(error);
    error = (routable_error *)(void *)&mark;
    assert_int_equal(routable_router_map(router, &text, &error), ROUTABLE_OK);
    assert_null(error);
    routable_string_free(&text);
    routable_router_free(router);
}

/* One router, a thousand requests that are freed out of order. */
static void many_in_any_order(void **state)
{
    enum { COUNT = 1000 };
    static routable_request *requests[COUNT];
    routable_router *const router = open_social();
    size_t i;
    (void)state;
    for (i = 0; i < COUNT; i++)
        requests[i] = read_status(router);
    routable_router_free(router);
    for (i = 0; i < COUNT; i++) {
        const size_t other = (i * 617) % COUNT; /* 617 and 1000 are coprime */
        check_text("request", routable_request_url(requests[other]), READ_URL);
        routable_request_free(requests[other]);
        requests[other] = NULL;
    }
}

/* Opening documents, also with a failure, leaves no memory in use. */
static void opening_returns_all_memory(void **state)
{
    static const struct { const char *text; const char *file; routable_status expected; } cases[] = {
        { "{\"routable\":1,\"operations\":{\"a\":{\"get\":\"/a\"}}}", NULL, ROUTABLE_OK },
        { "{\"openapi\":\"3.1.0\",\"servers\":[{\"url\":\"https://a\"},{\"url\":\"https://b\"}],\"paths\":{\"/a\":{\"get\":{\"responses\":{}}}}}", NULL, ROUTABLE_OK },
        { "openapi: 3.1.0\npaths: {/a: {get: {responses: {}}}}\n", NULL, ROUTABLE_OK },
        { "{\"routable\":1,", NULL, ROUTABLE_ERR_JSON },
        { "{\"routable\":1,\"types\":{\"T\":{\"type\":\"wrong\"}}}", NULL, ROUTABLE_ERR_DOCUMENT },
        { "{\"routable\":1,\"types\":{\"T\":{\"$ref\":\"#/types/U\"}}}", NULL, ROUTABLE_ERR_DOCUMENT },
        { "{\"routable\":1,\"operations\":{\"a\":{\"get\":\"/a\"},\"b\":{\"get\":\"/a\"}}}", NULL, ROUTABLE_ERR_CONFLICT },
        { "{\"routable\":1,\"base\":\"ftp://h\"}", NULL, ROUTABLE_ERR_URL },
        { NULL, "/nowhere/api.json", ROUTABLE_ERR_FILE },
        { NULL, "examples/social.json", ROUTABLE_OK },
    };
    enum { TURNS = 100 };
    size_t i, turn;
    (void)state;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t before = 0;
        for (turn = 0; turn < 2 * TURNS; turn++) {
            routable_router *router = NULL;
            routable_error *error = NULL;
            const routable_status status = cases[i].file ? routable_router_open_file(cases[i].file, NULL, &router, &error)
                                                         : routable_router_open(cases[i].text, ROUTABLE_NUL_TERMINATED, NULL, &router, &error);
            check_status(cases[i].file ? cases[i].file : cases[i].text, status, cases[i].expected, error);
            routable_error_free(error);
            routable_router_free(router);
            if (turn == TURNS) before = routable_memory_used();
        }
        check_size(cases[i].file ? cases[i].file : cases[i].text, routable_memory_used(), before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(router_first),
        cmocka_unit_test(error_last),
        cmocka_unit_test(error_owns_its_response),
        cmocka_unit_test(builder_first),
        cmocka_unit_test(inputs_are_copied),
        cmocka_unit_test(string_free_twice),
        cmocka_unit_test(failure_touches_no_output),
        cmocka_unit_test(success_clears_the_error),
        cmocka_unit_test(many_in_any_order),
        cmocka_unit_test(opening_returns_all_memory),
    };
    routable_set_memory_limit((size_t)1 << 40); /* counts the memory in use from now on */
    return cmocka_run_group_tests_name("lifetime", tests, NULL, NULL);
}
