/* NULL for every pointer of every function: a status or a neutral value, never a crash. */
#include "routable_jansson.h"
#include "support.h"

static routable_router *router;
static routable_request *request;
static routable_plan *plan;
static routable_builder *builder;
static routable_response *response;
static routable_client *client; /* NULL if libcurl is not installed */

static int open_all(void **state)
{
    routable_error *error = NULL;
    (void)state;
    router = open_social();
    request = build(router, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"a\"]}");
    return routable_plan_new(router, "user", "read", &plan, NULL) != ROUTABLE_OK ||
           routable_builder_new("b", "https://h", &builder, NULL) != ROUTABLE_OK ||
           routable_response_map(router, "user", "read", 200, NULL, 0, routable_str_from("{}"), &response, NULL) != ROUTABLE_OK ||
           (routable_client_new(NULL, &client, &error) != ROUTABLE_OK && (routable_error_free(error), 0));
}

static int close_all(void **state)
{
    (void)state;
    routable_client_free(client);
    routable_response_free(response);
    routable_builder_free(builder);
    routable_plan_free(plan);
    routable_request_free(request);
    routable_router_free(router);
    return 0;
}

/* Evaluates the expression twice: with an error output and without.  `error` is in scope of the expression. */
#define ARGUMENT(expression) \
    do { \
        routable_error *mine = NULL; \
        routable_error **error = &mine; \
        routable_status status = (expression); \
        check_status(#expression, status, ROUTABLE_ERR_ARGUMENT, mine); \
        routable_error_free(mine); \
        error = NULL; \
        status = (expression); \
        if (status != ROUTABLE_ERR_ARGUMENT) \
            fail_msg("%s\nwithout an error to write: %s", #expression, routable_status_name(status)); \
        (void)error; \
    } while (0)

/* The same for functions without an error parameter. */
#define PLAIN_ARGUMENT(expression) \
    do { \
        const routable_status status = (expression); \
        if (status != ROUTABLE_ERR_ARGUMENT) \
            fail_msg("%s\nexpected: argument\ngot: %s", #expression, routable_status_name(status)); \
    } while (0)

#define EMPTY(expression) check_text(#expression, expression, "")
#define ZERO(expression) \
    do { \
        if ((expression) != 0) \
            fail_msg("%s\nexpected: 0", #expression); \
    } while (0)

static void free_accepts_NULL(void **state)
{
    (void)state;
    routable_string_free(NULL);
    routable_error_free(NULL);
    routable_router_free(NULL);
    routable_builder_free(NULL);
    routable_plan_free(NULL);
    routable_request_free(NULL);
    routable_response_free(NULL);
    routable_client_free(NULL);
}

static void tools(void **state)
{
    routable_string text = { NULL, 0 };
    (void)state;
    ARGUMENT(routable_tools_json(NULL, &text, error));
    ARGUMENT(routable_tools_json(router, NULL, error));
    ARGUMENT(routable_operation_call_schema(NULL, "user", "read", 0, &text, error));
    ARGUMENT(routable_operation_call_schema(router, "user", NULL, 0, &text, error));
    ARGUMENT(routable_operation_call_schema(router, "user", "read", 8, &text, error));
    ARGUMENT(routable_operation_call_schema(router, "user", "read", 0, NULL, error));
    ARGUMENT(routable_call_from_object(NULL, "user", "read", "{}", 2, 1, &text, error));
    ARGUMENT(routable_call_from_object(router, "user", NULL, "{}", 2, 1, &text, error));
    ARGUMENT(routable_call_from_object(router, "user", "read", NULL, 2, 1, &text, error));
    ARGUMENT(routable_call_from_object(router, "user", "read", "{}", 2, 1, NULL, error));
}

static void received(void **state)
{
    routable_received *out = NULL;
    routable_json_values *json = NULL;
    routable_string text = { NULL, 0 };
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    (void)state;
    incoming.target = ROUTABLE_STR("/v1/users");
    ARGUMENT(routable_received_new(router, NULL, NULL, &out, error));
    ARGUMENT(routable_received_new(router, &incoming, NULL, &out, error)); /* no method */
    incoming.method = "GET";
    ARGUMENT(routable_received_new(NULL, &incoming, NULL, &out, error));
    ARGUMENT(routable_received_new(router, &incoming, NULL, NULL, error));
    incoming.header_count = 1;
    ARGUMENT(routable_received_new(router, &incoming, NULL, &out, error));
    incoming.header_count = 0;
    ARGUMENT(routable_received_reset(NULL, &incoming, NULL, error));
    routable_received_free(NULL);
    EMPTY(routable_received_route(NULL));
    assert_null(routable_received_operation(NULL));
    ZERO(routable_received_value_count(NULL));
    EMPTY(routable_received_value_at(NULL, 0).name);
    ZERO(routable_received_value(NULL, ROUTABLE_IN_PATH, "a").kind);
    EMPTY(routable_received_body(NULL));
    EMPTY(routable_received_content_type(NULL));
    ARGUMENT(routable_received_json_value(NULL, &json, error));
    ZERO(routable_received_credential_count(NULL));
    EMPTY(routable_received_credential_scheme_at(NULL, 0));
    EMPTY(routable_received_credential_at(NULL, 0));
    ZERO(routable_received_ignored_count(NULL));
    EMPTY(routable_received_ignored_at(NULL, 0));
    ARGUMENT(routable_received_to_json(NULL, &text, error));
    assert_int_equal(routable_received_new(router, &incoming, NULL, &out, NULL), ROUTABLE_OK);
    ZERO(routable_received_value(out, ROUTABLE_IN_PATH, NULL).kind);
    ARGUMENT(routable_received_json_value(out, NULL, error));
    ARGUMENT(routable_received_to_json(out, NULL, error));
    ARGUMENT(routable_received_reset(out, NULL, NULL, error));
    routable_received_free(out);
}

static void answers(void **state)
{
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    const routable_value value = routable_value_null();
    routable_received *received = NULL;
    routable_answer *out = NULL;
    routable_error *refused = NULL;
    routable_str piece;
    int32_t http_status = 0;
    (void)state;
    incoming.method = "GET", incoming.target = ROUTABLE_STR("/v1/users/a");
    assert_int_equal(routable_received_new(router, &incoming, NULL, &received, NULL), ROUTABLE_OK);
    incoming.target = ROUTABLE_STR("/nothing");
    ARGUMENT(routable_received_precondition(NULL, NULL, &http_status, error));
    ARGUMENT(routable_received_precondition(received, NULL, NULL, error));
    ARGUMENT(routable_answer_new(NULL, 204, value, NULL, &out, error));
    ARGUMENT(routable_answer_new(received, 204, value, NULL, NULL, error));
    options.header_count = 1;
    ARGUMENT(routable_answer_new(received, 204, value, &options, &out, error));
    ARGUMENT(routable_answer_new_problem(received, 400, piece = ROUTABLE_STR(""), &options, &out, error));
    options.header_count = 0, options.location_route = "user", options.location_id_count = 1;
    ARGUMENT(routable_answer_new(received, 204, value, &options, &out, error));
    ARGUMENT(routable_answer_new_problem(received, 400, piece = ROUTABLE_STR(""), NULL, NULL, error));
    ARGUMENT(routable_answer_new_refused(NULL, "GET", 0, &out, error));
    {
        routable_received *none = NULL;
        assert_int_equal(routable_received_new(router, &incoming, NULL, &none, &refused), ROUTABLE_NO_MATCH);
    }
    ARGUMENT(routable_answer_new_refused(refused, NULL, 0, &out, error));
    ARGUMENT(routable_answer_new_refused(refused, "GET", 2, &out, error));
    ARGUMENT(routable_answer_new_refused(refused, "GET", 0, NULL, error));
    routable_error_free(refused);
    routable_answer_free(NULL);
    ZERO(routable_answer_status(NULL));
    ZERO(routable_answer_header_count(NULL));
    EMPTY(routable_answer_header_at(NULL, 0).name);
    EMPTY(routable_answer_header(NULL, "a"));
    EMPTY(routable_answer_body(NULL));
    ZERO(routable_answer_body_length(NULL));
    assert_int_equal(routable_answer_descriptor(NULL), ROUTABLE_NONE);
    ARGUMENT(routable_answer_next(NULL, &piece, error));
    assert_int_equal(routable_answer_new(received, 204, value, NULL, &out, NULL), ROUTABLE_OK);
    EMPTY(routable_answer_header(out, NULL));
    EMPTY(routable_answer_header_at(out, 9).value);
    ARGUMENT(routable_answer_next(out, NULL, error));
    routable_answer_free(out);
    routable_received_free(received);
}

static void errors(void **state)
{
    routable_string text = { NULL, 0 };
    routable_error *error = refuse(router, "{}", ROUTABLE_ERR_DOCUMENT);
    (void)state;
    ZERO(routable_error_status(NULL));
    EMPTY(routable_error_message(NULL));
    EMPTY(routable_error_pointer(NULL));
    EMPTY(routable_error_schema_pointer(NULL));
    assert_true(routable_error_offset(NULL) == ROUTABLE_NONE);
    ZERO(routable_error_line(NULL));
    ZERO(routable_error_column(NULL));
    EMPTY(routable_error_route(NULL));
    EMPTY(routable_error_operation(NULL));
    EMPTY(routable_error_parameter(NULL));
    ZERO(routable_error_allowed_count(NULL));
    EMPTY(routable_error_allowed_at(NULL, 0));
    EMPTY(routable_error_suggestion(NULL));
    ZERO(routable_error_http_status(NULL));
    ZERO(routable_error_curl_code(NULL));
    assert_null(routable_error_response(NULL));
    assert_null(routable_error_next(NULL));
    PLAIN_ARGUMENT(routable_error_to_json(NULL, &text));
    PLAIN_ARGUMENT(routable_error_to_json(error, NULL));
    PLAIN_ARGUMENT(routable_error_problem(NULL, 0, NULL, NULL, NULL, &text));
    PLAIN_ARGUMENT(routable_error_problem(error, 0, NULL, NULL, NULL, NULL));
    assert_null(text.ptr);
    EMPTY(routable_error_allowed_at(error, SIZE_MAX));
    routable_error_free(error);
}

static void routers(void **state)
{
    routable_router *out = NULL;
    routable_string text = { NULL, 0 };
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    const routable_str document = { "{\"routable\":1}", 14 };
    const routable_str broken = { NULL, 5 };
    (void)state;
    ARGUMENT(routable_router_open(document.ptr, document.len, NULL, NULL, error));
    ARGUMENT(routable_router_open(broken.ptr, broken.len, NULL, &out, error));
    ARGUMENT(routable_router_open_file(NULL, NULL, &out, error));
    ARGUMENT(routable_router_open_file("x.json", NULL, NULL, error));
    options.size = 0;
    ARGUMENT(routable_router_open(document.ptr, document.len, &options, &out, error));
    options.size = 3;
    ARGUMENT(routable_router_open(document.ptr, document.len, &options, &out, error));
    options.size = 20; /* `base` would be half a pointer */
    ARGUMENT(routable_router_open(document.ptr, document.len, &options, &out, error));
    options.size = sizeof options;
    options.flags = 0x80000000u;
    ARGUMENT(routable_router_open(document.ptr, document.len, &options, &out, error));
    assert_null(out);
    EMPTY(routable_router_name(NULL));
    EMPTY(routable_router_base(NULL));
    ARGUMENT(routable_router_document(NULL, &text, error));
    ARGUMENT(routable_router_document(router, NULL, error));
    ARGUMENT(routable_router_map(NULL, &text, error));
    ARGUMENT(routable_router_map(router, NULL, error));
    ARGUMENT(routable_router_routes(NULL, &text, error));
    ARGUMENT(routable_router_routes(router, NULL, error));
    ARGUMENT(routable_router_routes_json(NULL, &text, error));
    ARGUMENT(routable_router_routes_json(router, NULL, error));
    ARGUMENT(routable_router_types_json(NULL, &text, error));
    ARGUMENT(routable_router_types_json(router, NULL, error));
    assert_null(text.ptr);
}

static void introspection(void **state)
{
    const routable_resource *const user = routable_router_resource(router, "user");
    (void)state;
    ZERO(routable_router_resource_count(NULL));
    assert_null(routable_router_resource_at(NULL, 0));
    assert_null(routable_router_resource_at(router, 999));
    assert_null(routable_router_resource_at(router, SIZE_MAX));
    assert_null(routable_router_resource(NULL, "user"));
    assert_null(routable_router_resource(router, NULL));
    assert_null(routable_router_resource(router, "nobody"));
    EMPTY(routable_resource_name(NULL));
    EMPTY(routable_resource_path(NULL));
    EMPTY(routable_resource_type(NULL));
    EMPTY(routable_resource_description(NULL));
    ZERO(routable_resource_capabilities(NULL));
    assert_int_equal(routable_resource_id_count(NULL), 0);
    assert_null(routable_resource_id_at(NULL, 0));
    assert_int_equal(routable_parameter_takes_segments(NULL), 0);
    assert_int_equal(routable_parameter_allows_empty(NULL), 0);
    ZERO(routable_resource_child_count(NULL));
    assert_null(routable_resource_child_at(NULL, 0));
    assert_null(routable_resource_child_at(user, SIZE_MAX));
    ZERO(routable_resource_is_root(NULL));
    EMPTY(routable_resource_route(NULL));
    assert_int_equal(routable_resource_place(NULL), ROUTABLE_ON_COLLECTION);
    ZERO(routable_router_derives_resources(NULL));
    assert_null(routable_router_resource_operation(NULL, "list"));
    assert_null(routable_router_resource_operation(router, NULL));
    assert_null(routable_router_resource_operation(router, "list"));
    EMPTY(routable_operation_standalone_name(NULL));
    ZERO(routable_resource_operation_count(NULL));
    assert_null(routable_resource_operation_at(NULL, 0));
    assert_null(routable_resource_operation_at(user, SIZE_MAX));
    EMPTY(routable_resource_user_data(NULL, "x-a"));
    EMPTY(routable_resource_user_data(user, NULL));
    EMPTY(routable_resource_user_data(user, "x-a"));
    ZERO(routable_router_operation_count(NULL));
    assert_null(routable_router_operation_at(NULL, 0));
    assert_null(routable_router_operation_at(router, SIZE_MAX));
    assert_null(routable_router_operation(NULL, "search"));
    assert_null(routable_router_operation(router, NULL));
    assert_null(routable_router_operation(router, "read"));
    EMPTY(routable_operation_name(NULL));
    EMPTY(routable_operation_method(NULL));
    EMPTY(routable_operation_path(NULL));
    EMPTY(routable_operation_description(NULL));
    ZERO(routable_operation_place(NULL));
    EMPTY(routable_operation_body_type(NULL));
    EMPTY(routable_operation_result_type(NULL));
    ZERO(routable_operation_parameter_count(NULL));
    assert_null(routable_operation_parameter_at(NULL, 0));
    assert_null(routable_operation_parameter_at(routable_router_operation(router, "search"), SIZE_MAX));
    EMPTY(routable_operation_user_data(NULL, "x-a"));
    EMPTY(routable_operation_user_data(routable_router_operation(router, "search"), NULL));
    EMPTY(routable_parameter_name(NULL));
    ZERO(routable_parameter_location(NULL));
    EMPTY(routable_parameter_type(NULL));
    ZERO(routable_parameter_is_required(NULL));
    EMPTY(routable_parameter_description(NULL));
    ZERO(routable_router_type_count(NULL));
    EMPTY(routable_router_type_name_at(NULL, 0));
    EMPTY(routable_router_type_name_at(router, SIZE_MAX));
    EMPTY(routable_router_type_schema_at(NULL, 0));
    EMPTY(routable_router_type_schema_at(router, SIZE_MAX));
    EMPTY(routable_router_user_data(NULL, "x-a"));
    EMPTY(routable_router_user_data(router, NULL));
}

static void builders(void **state)
{
    routable_builder *out = NULL;
    routable_router *built = NULL;
    routable_resource_options resource;
    routable_operation_options operation;
    (void)state;
    memset(&resource, 0, sizeof resource);
    memset(&operation, 0, sizeof operation);
    ARGUMENT(routable_builder_new(NULL, "https://h", &out, error));
    ARGUMENT(routable_builder_new("b", "https://h", NULL, error));
    assert_null(out);
    ARGUMENT(routable_builder_add_resource(NULL, &resource, error));
    ARGUMENT(routable_builder_add_resource(builder, NULL, error));
    ARGUMENT(routable_builder_add_resource(builder, &resource, error)); /* size 0 */
    resource.size = sizeof resource;
    ARGUMENT(routable_builder_add_resource(builder, &resource, error)); /* no name */
    resource.name = "a";
    ARGUMENT(routable_builder_add_resource(builder, &resource, error)); /* no path */
    resource.path = "a";
    resource.can = 0x40000000u;
    ARGUMENT(routable_builder_add_resource(builder, &resource, error));
    resource.can = 0;
    resource.flags = 0x40000000u;
    ARGUMENT(routable_builder_add_resource(builder, &resource, error));
    ARGUMENT(routable_builder_nest(NULL, "a", "b", error));
    ARGUMENT(routable_builder_nest(builder, NULL, "b", error));
    ARGUMENT(routable_builder_nest(builder, "a", NULL, error));
    ARGUMENT(routable_builder_add_operation(NULL, &operation, error));
    ARGUMENT(routable_builder_add_operation(builder, NULL, error));
    ARGUMENT(routable_builder_add_operation(builder, &operation, error));
    operation.size = sizeof operation;
    ARGUMENT(routable_builder_add_operation(builder, &operation, error));
    operation.name = "o";
    ARGUMENT(routable_builder_add_operation(builder, &operation, error));
    operation.method = "GET";
    ARGUMENT(routable_builder_add_operation(builder, &operation, error));
    operation.path = "/o";
    operation.parameter_count = 1; /* of NULL */
    ARGUMENT(routable_builder_add_operation(builder, &operation, error));
    ARGUMENT(routable_builder_build(NULL, &built, error));
    ARGUMENT(routable_builder_build(builder, NULL, error));
    assert_null(built);
}

static void plans(void **state)
{
    routable_plan *out = NULL;
    const routable_value id = routable_value_string("a");
    char buffer[64];
    size_t length = 0;
    (void)state;
    ARGUMENT(routable_plan_new(NULL, "user", "read", &out, error));
    ARGUMENT(routable_plan_new(router, "user", NULL, &out, error));
    ARGUMENT(routable_plan_new(router, "user", "read", NULL, error));
    assert_null(out);
    EMPTY(routable_plan_method(NULL));
    ZERO(routable_plan_id_count(NULL));
    ZERO(routable_plan_query_count(NULL));
    EMPTY(routable_plan_query_name_at(NULL, 0));
    EMPTY(routable_plan_query_name_at(plan, SIZE_MAX));
    ARGUMENT(routable_plan_write(NULL, &id, 1, NULL, 0, buffer, sizeof buffer, &length, error));
    ARGUMENT(routable_plan_write(plan, NULL, 1, NULL, 0, buffer, sizeof buffer, &length, error));
    ARGUMENT(routable_plan_write(plan, &id, 1, NULL, 1, buffer, sizeof buffer, &length, error));
    ARGUMENT(routable_plan_write(plan, &id, 1, NULL, 0, NULL, sizeof buffer, &length, error));
    ARGUMENT(routable_plan_write(plan, &id, 1, NULL, 0, buffer, sizeof buffer, NULL, error));
    check_size("untouched", length, 0);
}

static void requests(void **state)
{
    routable_request *out = NULL;
    routable_string text = { NULL, 0 };
    routable_call call = ROUTABLE_CALL_INIT;
    const routable_str json = { "{}", 2 }, broken = { NULL, 5 };
    (void)state;
    call.operation = "list";
    call.route = "user";
    ARGUMENT(routable_request_new(NULL, &call, &out, error));
    ARGUMENT(routable_request_new(router, NULL, &out, error));
    ARGUMENT(routable_request_new(router, &call, NULL, error));
    call.operation = NULL;
    ARGUMENT(routable_request_new(router, &call, &out, error));
    call.operation = "list";
    call.size = 0;
    ARGUMENT(routable_request_new(router, &call, &out, error));
    call.size = sizeof call;
    call.id_count = 1;
    ARGUMENT(routable_request_new(router, &call, &out, error));
    call.id_count = 0;
    call.query_count = 1;
    ARGUMENT(routable_request_new(router, &call, &out, error));
    call.query_count = 0;
    call.parameter_count = 1;
    ARGUMENT(routable_request_new(router, &call, &out, error));
    call.parameter_count = 0;
    call.header_count = 1;
    ARGUMENT(routable_request_new(router, &call, &out, error));
    call.header_count = 0;
    call.cookie_count = 1;
    ARGUMENT(routable_request_new(router, &call, &out, error));
    ARGUMENT(routable_request_new_json(NULL, json.ptr, json.len, &out, error));
    ARGUMENT(routable_request_new_json(router, broken.ptr, broken.len, &out, error));
    ARGUMENT(routable_request_new_json(router, json.ptr, json.len, NULL, error));
    assert_null(out);
    EMPTY(routable_request_method(NULL));
    EMPTY(routable_request_url(NULL));
    EMPTY(routable_request_route(NULL));
    EMPTY(routable_request_operation(NULL));
    ZERO(routable_request_header_count(NULL));
    EMPTY(routable_request_header_at(NULL, 0).name);
    EMPTY(routable_request_header_at(NULL, 0).value);
    ZERO(routable_request_has_body(NULL));
    EMPTY(routable_request_body(NULL));
    ARGUMENT(routable_request_set_header(NULL, "X", json, error));
    ARGUMENT(routable_request_set_header(request, NULL, json, error));
    ARGUMENT(routable_request_set_header(request, "X", broken, error));
    ARGUMENT(routable_request_remove_header(NULL, "X", error));
    ARGUMENT(routable_request_remove_header(request, NULL, error));
    ARGUMENT(routable_request_if_match(NULL, json, json, error));
    ARGUMENT(routable_request_if_match(request, broken, json, error));
    ARGUMENT(routable_request_if_match(request, json, broken, error));
    ARGUMENT(routable_request_if_none_match(NULL, json, json, error));
    ARGUMENT(routable_request_if_none_match(request, broken, json, error));
    ARGUMENT(routable_request_if_none_match(request, json, broken, error));
    ARGUMENT(routable_request_set_body(NULL, json, NULL, error));
    ARGUMENT(routable_request_set_body(request, broken, NULL, error));
    ARGUMENT(routable_request_to_json(NULL, &text, error));
    ARGUMENT(routable_request_to_json(request, NULL, error));
    ARGUMENT(routable_request_to_curl(NULL, 0, &text, error));
    ARGUMENT(routable_request_to_curl(request, 0, NULL, error));
    ARGUMENT(routable_request_to_curl(request, 0x80000000u, &text, error));
    assert_null(text.ptr);
}

static void responses(void **state)
{
    routable_response *out = NULL;
    routable_string text = { NULL, 0 };
    const routable_str body = { "{}", 2 }, broken = { NULL, 5 };
    (void)state;
    ARGUMENT(routable_response_map(NULL, "user", "read", 200, NULL, 0, body, &out, error));
    ARGUMENT(routable_response_map(router, "user", NULL, 200, NULL, 0, body, &out, error));
    ARGUMENT(routable_response_map(router, "user", "read", 200, NULL, 1, body, &out, error));
    ARGUMENT(routable_response_map(router, "user", "read", 200, NULL, 0, broken, &out, error));
    ARGUMENT(routable_response_map(router, "user", "read", 200, NULL, 0, body, NULL, error));
    assert_null(out);
    ZERO(routable_response_status(NULL));
    ZERO(routable_response_header_count(NULL));
    EMPTY(routable_response_header_at(NULL, 0).name);
    EMPTY(routable_response_header_at(response, SIZE_MAX).value);
    EMPTY(routable_response_header(NULL, "X"));
    EMPTY(routable_response_header(response, NULL));
    EMPTY(routable_response_body(NULL));
    ZERO(routable_response_outcome(NULL));
    EMPTY(routable_response_url(NULL));
    ARGUMENT(routable_response_to_json(NULL, &text, error));
    ARGUMENT(routable_response_to_json(response, NULL, error));
    assert_null(text.ptr);
}

static void clients(void **state)
{
    routable_client *out = NULL;
    routable_response *answer = NULL;
    routable_string text = { NULL, 0 };
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    const routable_str call = { "{}", 2 }, broken = { NULL, 5 };
    (void)state;
    ARGUMENT(routable_client_new(NULL, NULL, error));
    options.size = 0;
    ARGUMENT(routable_client_new(&options, &out, error));
    options.size = sizeof options;
    options.flags = 0x80000000u;
    ARGUMENT(routable_client_new(&options, &out, error));
    assert_null(out);
    ARGUMENT(routable_client_perform(NULL, request, &answer, error));
    ARGUMENT(routable_build_json(NULL, call.ptr, call.len, &text, error));
    ARGUMENT(routable_build_json(router, broken.ptr, broken.len, &text, error));
    ARGUMENT(routable_build_json(router, call.ptr, call.len, NULL, error));
    ARGUMENT(routable_perform_json(NULL, router, call.ptr, call.len, &text, error));
    if (client) {
        ARGUMENT(routable_client_perform(client, NULL, &answer, error));
        ARGUMENT(routable_perform_json(client, NULL, call.ptr, call.len, &text, error));
        ARGUMENT(routable_perform_json(client, router, broken.ptr, broken.len, &text, error));
        ARGUMENT(routable_perform_json(client, router, call.ptr, call.len, NULL, error));
    }
    assert_null(answer);
    assert_null(text.ptr);
}

static void jansson(void **state)
{
    routable_router *opened = NULL;
    routable_request *made = NULL;
    json_t *out = NULL, *const object = json_object();
    routable_error *const some = refuse(router, "{}", ROUTABLE_ERR_DOCUMENT);
    (void)state;
    ARGUMENT(routable_router_open_jansson(NULL, NULL, &opened, error));
    ARGUMENT(routable_router_open_jansson(object, NULL, NULL, error));
    ARGUMENT(routable_request_new_jansson(NULL, object, &made, error));
    ARGUMENT(routable_request_new_jansson(router, NULL, &made, error));
    ARGUMENT(routable_request_new_jansson(router, object, NULL, error));
    ARGUMENT(routable_response_body_jansson(NULL, &out, error));
    ARGUMENT(routable_response_body_jansson(response, NULL, error));
    PLAIN_ARGUMENT(routable_error_to_jansson(NULL, &out));
    PLAIN_ARGUMENT(routable_error_to_jansson(some, NULL));
    assert_null(opened);
    assert_null(made);
    assert_null(out);
    json_decref(object);
    routable_error_free(some);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_accepts_NULL),
        cmocka_unit_test(tools), cmocka_unit_test(received), cmocka_unit_test(answers), cmocka_unit_test(errors),
        cmocka_unit_test(routers),
        cmocka_unit_test(introspection),
        cmocka_unit_test(builders),
        cmocka_unit_test(plans),
        cmocka_unit_test(requests),
        cmocka_unit_test(responses),
        cmocka_unit_test(clients),
        cmocka_unit_test(jansson),
    };
    return cmocka_run_group_tests_name("NULL", tests, open_all, close_all);
}
