/* requests.c - scenarios: requests, responses, the JSON tier, bodies that are not in memory. */
#include "torture.h"

#include "routable_bodies.h"
#include "routable_links.h"

#define FREE(type, object) DO(routable_##type##_free, object)
#define TAKEN(type) ((type *)o.object)
static const char call_text[] =
    "{\"route\":\"user.status\",\"operation\":\"create\",\"ids\":[\"a\"],\"body\":{\"text\":\"b\",\"more\":[1,2.5,true,null,{\"c\":\"d\"}]},"
    "\"headers\":{\"X-A\":\"1\"}}";

static routable_request *new_request(void)
{
    CALL(routable_request_new_json, social, LIT(call_text), OBJECT(routable_request), &error);
    return TAKEN(routable_request);
}

static void note_request(const routable_request *request)
{
    size_t i;
    NOTE_STR(routable_request_url(request));
    NOTE_STR(routable_request_body(request));
    for (i = 0; i < routable_request_header_count(request); i++) {
        NOTE_STR(routable_request_header_at(request, i).name);
        NOTE_STR(routable_request_header_at(request, i).value);
    }
}

SCENARIO(usual_call)
{
    routable_call call = ROUTABLE_CALL_INIT;
    const routable_argument ids[] = { { NULL, routable_value_string("x y") } };
    routable_request *request;
    call.route = "user.status", call.operation = "create", call.ids = ids, call.id_count = 1;
    call.body = routable_value_json("{\"text\":\"hello\"}");
    CALL(routable_request_new, social, &call, OBJECT(routable_request), &error);
    request = TAKEN(routable_request);
    note_request(request);
    FREE(request, request);
}

SCENARIO(any_call)
{
    routable_call call = ROUTABLE_CALL_INIT;
    const routable_argument query[] = { { "q", routable_value_string("a&b") }, { "page", routable_value_integer(7) } };
    const routable_argument parameters[] = { { "z", routable_value_json("[1,{\"a\":[true]}]") }, { "y", routable_value_real(2.5) } };
    const routable_argument headers[] = { { "X-H", routable_value_string("v") } };
    routable_request *request;
    call.operation = "search", call.query = query, call.query_count = 2, call.parameters = parameters, call.parameter_count = 2;
    call.headers = headers, call.header_count = 1, call.base = "https://other.test/x";
    CALL(routable_request_new, social, &call, OBJECT(routable_request), &error);
    request = TAKEN(routable_request);
    note_request(request);
    FREE(request, request);
}

SCENARIO(wrong_call)
{
    expected = ROUTABLE_ERR_NOT_ALLOWED;
    CALL(routable_build_json, social, LIT("{\"route\":\"user.status\",\"operation\":\"update\",\"ids\":[\"a\",1]}"), &o.text, &error);
    NOTE_STR(routable_error_message(error));
    routable_error_free(error);
    expected = ROUTABLE_ERR_BODY;
    CALL(routable_build_json, social, LIT("{\"route\":\"user.status\",\"operation\":\"create\",\"ids\":[\"a\"],\"body\":{\"text\":7}}"), &o.text, &error);
    NOTE_STR(routable_error_message(error));
    NOTE_STR(routable_error_pointer(error));
    routable_error_free(error);
}

SCENARIO(request_texts)
{
    routable_request *const request = new_request();
    routable_request *copy;
    json_t *tree, *call;
    NOTE_STR(VALUE(routable_request_method, request));
    NOTE_STR(VALUE(routable_request_url, request));
    NOTE_STR(VALUE(routable_request_route, request));
    NOTE_STR(VALUE(routable_request_operation, request));
    NOTE_NUMBER(VALUE(routable_request_header_count, request));
    NOTE_STR(VALUE(routable_request_header_at, request, 0).name);
    NOTE_STR(VALUE(routable_request_header, request, "x-a"));
    NOTE_NUMBER(VALUE(routable_request_header_value_count, request, "x-a"));
    NOTE_STR(VALUE(routable_request_header_value_at, request, "x-a", 0));
    NOTE_NUMBER(VALUE(routable_request_has_body, request));
    NOTE_STR(VALUE(routable_request_body, request));
    CALL(routable_request_to_json, request, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_request_to_curl, request, 0, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_request_to_jansson, request, OBJECT(json_t), &error);
    tree = o.object;
    NOTE_NUMBER(json_object_size(tree));
    json_decref(tree);
    CALL(routable_request_copy, request, OBJECT(routable_request), &error);
    copy = TAKEN(routable_request);
    note_request(copy);
    FREE(request, copy);
    FREE(request, request);
    CALL(routable_build_json, social, LIT(call_text), &o.text, &error);
    NOTE_TEXT();
    call = json_loads(call_text, 0, NULL);
    CALL(routable_build_jansson, social, call, OBJECT(json_t), &error);
    tree = o.object;
    NOTE_NUMBER(json_object_size(tree));
    json_decref(tree);
    CALL(routable_request_new_jansson, social, call, OBJECT(routable_request), &error);
    copy = TAKEN(routable_request);
    FREE(request, copy);
    json_decref(call);
}

SCENARIO(edited_request)
{
    routable_request *const request = new_request();
    CALL(routable_request_set_header, request, "X-B", STR("two"), &error);
    note_request(request);
    CALL(routable_request_set_header, request, "X-B", STR("three"), &error);
    CALL(routable_request_remove_header, request, "X-A", &error);
    note_request(request);
    CALL(routable_request_if_match, request, STR("\"e\""), STR(""), &error);
    CALL(routable_request_if_none_match, request, STR("W/\"e\""), STR(""), &error);
    note_request(request);
    CALL(routable_request_set_body, request, STR("other bytes"), "text/plain", &error);
    note_request(request);
    CALL(routable_request_remove_body, request, &error);
    note_request(request);
    FREE(request, request);
}

static int released;
static void on_release(void *user_data) { (void)user_data; released++; }
static routable_status on_read(char *buffer, size_t capacity, size_t *count, void *user_data)
{
    int *const left = user_data;
    *count = *left && capacity ? 1 : 0;
    if (*count) { *buffer = 'x'; --*left; }
    return ROUTABLE_OK;
}
static routable_status on_write(routable_str bytes, void *user_data) { (void)bytes; (void)user_data; return ROUTABLE_OK; }
static routable_status on_progress(const routable_progress *progress, void *user_data) { (void)progress; (void)user_data; return ROUTABLE_OK; }

SCENARIO(bodies)
{
    routable_request *const request = new_request();
    routable_source source = ROUTABLE_SOURCE_INIT;
    routable_target target = ROUTABLE_TARGET_INIT;
    routable_part parts[2] = { ROUTABLE_PART_INIT, ROUTABLE_PART_INIT };
    int left = 3;
    released = 0;
    source.read = on_read, source.user_data = &left, source.release = on_release, source.length = ROUTABLE_NONE;
    CALL(routable_request_set_body_source, request, &source, "text/plain", &error);
    CALL(routable_request_set_body_file, request, "examples/social.json", NULL, &error);
    parts[0].name = STR("a"), parts[0].content = STR("one");
    parts[1].name = STR("b"), parts[1].content = STR("{}"), parts[1].filename = "b.json";
    CALL(routable_request_set_multipart, request, parts, 2, 0, &error);
    NOTE_NUMBER(VALUE(routable_request_body, request).len);
    target.write = on_write, target.release = on_release;
    CALL(routable_request_set_target, request, &target, &error);
    CALL(routable_request_set_target_descriptor, request, 1, &error);
    CALL(routable_request_set_target_file, request, "/tmp/routable-torture-target", 0, &error);
    CALL(routable_request_set_progress, request, on_progress, NULL, on_release, &error);
    FREE(request, request);
    /* Includes the user data of calls that failed. */
    NOTE_NUMBER(released >= 3);
}

static const routable_header json_header[] = { { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("application/json") }, { ROUTABLE_STR_INIT("ETag"), ROUTABLE_STR_INIT("\"e\"") } };

SCENARIO(mapped_response)
{
    routable_response *response;
    routable_response_parts got;
    routable_json_values *values;
    json_t *tree;
    CALL(routable_response_map, social, "status", "read", 200, json_header, 2, STR("{\"text\":\"a\",\"b\":[1,{\"c\":1.5}]}"), OBJECT(routable_response), &error);
    response = TAKEN(routable_response);
    NOTE_NUMBER(VALUE(routable_response_status, response));
    NOTE_NUMBER(VALUE(routable_response_header_count, response));
    NOTE_STR(VALUE(routable_response_header_at, response, 1).value);
    NOTE_STR(VALUE(routable_response_header, response, "etag"));
    NOTE_NUMBER(VALUE(routable_response_header_value_count, response, "etag"));
    NOTE_STR(VALUE(routable_response_header_value_at, response, "etag", 0));
    NOTE_STR(VALUE(routable_response_body, response));
    NOTE_NUMBER(VALUE(routable_response_outcome, response));
    NOTE_NUMBER(VALUE(routable_response_deviation_count, response));
    CALL(routable_response_check, response, &error);
    NOTE_STR(VALUE(routable_response_type, response));
    NOTE_STR(VALUE(routable_response_url, response));
    DO(routable_response_read, response, &got);
    NOTE_STR(got.body);
    CALL(routable_response_to_json, response, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_response_to_jansson, response, OBJECT(json_t), &error);
    tree = o.object;
    NOTE_NUMBER(json_object_size(tree));
    json_decref(tree);
    CALL(routable_response_body_jansson, response, OBJECT(json_t), &error);
    tree = o.object;
    NOTE_NUMBER(json_object_size(tree));
    json_decref(tree);
    CALL(routable_response_json_value, response, OBJECT(routable_json_values), &error);
    values = TAKEN(routable_json_values);
    FREE(json_values, values);
    FREE(response, response);
}

SCENARIO(refused_response)
{
    routable_response *response;
    routable_deviation deviation = ROUTABLE_DEVIATION_INIT;
    expected = ROUTABLE_ERR_HTTP_STATUS;
    CALL(routable_response_map, social, "status", "read", 404, json_header, 2, STR("{\"error\":\"gone\"}"), OBJECT(routable_response), &error);
    NOTE_STR(routable_error_message(error));
    NOTE_STR(VALUE(routable_response_body, VALUE(routable_error_response, error)));
    NOTE_NUMBER(VALUE(routable_error_http_status, error));
    routable_error_free(error);
    CALL(routable_response_map, social, "status", "read", 200, json_header, 2, STR("{\"text\":7}"), OBJECT(routable_response), &error);
    response = TAKEN(routable_response);
    NOTE_NUMBER(VALUE(routable_response_deviation_at, response, 0, &deviation));
    NOTE_STR(deviation.message);
    NOTE_STR(VALUE(routable_response_reason, response));
    NOTE_STR(VALUE(routable_response_reason_pointer, response));
    NOTE_STR(VALUE(routable_response_reason_schema_pointer, response));
    FREE(response, response);
}

SCENARIO(links)
{
    static const routable_header headers[] = { { ROUTABLE_STR_INIT("Link"), ROUTABLE_STR_INIT("</v1/users/b>; rel=\"next\"") } };
    routable_link link = ROUTABLE_LINK_INIT;
    const routable_argument values[] = { { "id", routable_value_string("x y") } };
    routable_response *response;
    routable_request *request;
    CALL(routable_response_map, social, NULL, "search", 200, headers, 1, STR("{\"url\":\"https://other.test/{id}\"}"), OBJECT(routable_response), &error);
    response = TAKEN(routable_response);
    link.response = response, link.relation = "next";
    CALL(routable_router_follow, social, &link, OBJECT(routable_request), &error);
    request = TAKEN(routable_request);
    note_request(request);
    FREE(request, request);
    link.relation = NULL, link.pointer = "/url", link.values = values, link.value_count = 1;
    CALL(routable_router_follow, social, &link, OBJECT(routable_request), &error);
    request = TAKEN(routable_request);
    note_request(request);
    FREE(request, request);
    NOTE_NUMBER(VALUE(routable_link_find, headers[0].value, "next", &o.str));
    NOTE_STR(o.str);
    FREE(response, response);
}

SCENARIO(received)
{
    static const routable_header headers[] = { { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("application/json") },
        { ROUTABLE_STR_INIT("X-A"), ROUTABLE_STR_INIT("1") } };
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_received *received;
    routable_json_values *json;
    size_t i;
    incoming.method = "POST", incoming.target = STR("/v1/users/a%20b/statuses?x=1"), incoming.headers = headers, incoming.header_count = 2;
    incoming.body = STR("{\"text\":\"b\",\"more\":[1,2.5,{\"c\":\"d\"}]}");
    CALL(routable_received_new, social, &incoming, NULL, OBJECT(routable_received), &error);
    received = TAKEN(routable_received);
    NOTE_STR(VALUE(routable_received_route, received));
    NOTE_STR(VALUE(routable_operation_name, VALUE(routable_received_operation, received)));
    for (i = 0; i < VALUE(routable_received_value_count, received); i++)
        NOTE_STR(VALUE(routable_received_value_at, received, i).name);
    NOTE_NUMBER(VALUE(routable_received_value, received, ROUTABLE_IN_HEADER, "x-a").kind);
    NOTE_STR(VALUE(routable_received_body, received));
    NOTE_STR(VALUE(routable_received_content_type, received));
    NOTE_NUMBER(VALUE(routable_received_credential_count, received));
    NOTE_STR(VALUE(routable_received_credential_scheme_at, received, 0));
    NOTE_STR(VALUE(routable_received_credential_at, received, 0));
    NOTE_NUMBER(VALUE(routable_received_ignored_count, received));
    NOTE_STR(VALUE(routable_received_ignored_at, received, 0));
    CALL(routable_received_to_json, received, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_received_json_value, received, OBJECT(routable_json_values), &error);
    json = TAKEN(routable_json_values);
    NOTE_STR(VALUE(routable_json_text, json, 0));
    FREE(json_values, json);
    incoming.method = "GET", incoming.target = STR("/v1/search?q=a%20b&page=2"), incoming.header_count = 0, incoming.body = STR("");
    CALL(routable_received_reset, received, &incoming, NULL, &error);
    CALL(routable_received_to_json, received, &o.text, &error);
    NOTE_TEXT();
    {
        /* {"text":"hi"} */
        static const char zipped[] = "\037\213\010\000\000\000\000\000\002\003\253\126\052\111\255\050\121\262\122\312\310\124\252\005\000\330\304\107\312\015\000\000\000";
        static const routable_header coding[] = { { ROUTABLE_STR_INIT("Content-Encoding"), ROUTABLE_STR_INIT("gzip") } };
        incoming.method = "POST", incoming.target = STR("/v1/users/a/statuses"), incoming.headers = coding, incoming.header_count = 1;
        incoming.body = routable_str_from_bytes(zipped, sizeof zipped - 1);
        CALL(routable_received_reset, received, &incoming, NULL, &error);
        NOTE_STR(VALUE(routable_received_body, received));
    }
    FREE(received, received);
}

SCENARIO(tools)
{
    CALL(routable_tools_json, social, &o.text, &error);
    NOTE_TEXT();
}

SCENARIO(call_schemas)
{
    CALL(routable_operation_call_schema, social, "user.status", "create", 0, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_operation_call_schema, social, NULL, "search", ROUTABLE_SCHEMA_FUNCTION_SUBSET, &o.text, &error);
    NOTE_TEXT();
}

SCENARIO(call_objects)
{
    static const char wrong[] = "{\"q\":1,\"pge\":2,\"page\":\"a\"}";
    const routable_error *next;
    CALL(routable_call_from_object, social, "user.status", "create", "{\"user_id\":\"a\",\"text\":\"b\"}", ROUTABLE_NUL_TERMINATED, 16, &o.text, &error);
    NOTE_TEXT();
    expected = ROUTABLE_ERR_PARAMETER;
    CALL(routable_call_from_object, social, NULL, "search", wrong, sizeof wrong - 1, 16, &o.text, &error);
    for (next = error; next; next = routable_error_next(next))
        NOTE_STR(routable_error_message(next));
    routable_error_free(error);
    expected = ROUTABLE_OK;
}

SCENARIO(refused_received)
{
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_error *refused;
    incoming.method = "GET", incoming.target = STR("/v1/search?page=x");
    expected = ROUTABLE_ERR_PARAMETER;
    CALL(routable_received_new, social, &incoming, NULL, OBJECT(routable_received), &error);
    NOTE_STR(routable_error_message(error));
    NOTE_STR(routable_error_message(routable_error_next(error)));
    refused = error;
    expected = ROUTABLE_OK;
    CALL(routable_error_problem, refused, 0, NULL, NULL, NULL, &o.text);
    NOTE_TEXT();
    routable_error_free(refused);
}

static void note_answer(routable_answer *answer)
{
    size_t i;
    NOTE_NUMBER(VALUE(routable_answer_status, answer));
    for (i = 0; i < VALUE(routable_answer_header_count, answer); i++)
        NOTE_STR(VALUE(routable_answer_header_at, answer, i).value);
    NOTE_STR(VALUE(routable_answer_header, answer, "content-type"));
    NOTE_STR(VALUE(routable_answer_body, answer));
    NOTE_NUMBER((size_t)VALUE(routable_answer_body_length, answer));
    NOTE_NUMBER(VALUE(routable_answer_descriptor, answer) >= 0);
    CALL(routable_answer_next, answer, &o.str, &error);
    NOTE_STR(o.str);
    expected = ROUTABLE_IDLE;
    CALL(routable_answer_next, answer, &o.str, &error);
    expected = ROUTABLE_OK;
    FREE(answer, answer);
}

static routable_status mock_changed(routable_str path, routable_str json, void *user_data)
{
    (void)path, (void)json, (void)user_data;
    return ROUTABLE_OK;
}

static void mocked(routable_mock *mock, const char *method, const char *target, const char *body)
{
    static const routable_header headers[] = { { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("application/json") } };
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    incoming.method = method, incoming.target = routable_str_from(target), incoming.headers = headers, incoming.header_count = *body != 0;
    incoming.body = routable_str_from(body);
    CALL(routable_mock_respond, mock, &incoming, OBJECT(routable_answer), NULL, NULL, &error);
    NOTE_NUMBER(VALUE(routable_answer_status, TAKEN(routable_answer)));
    NOTE_STR(VALUE(routable_answer_body, TAKEN(routable_answer)));
    FREE(answer, TAKEN(routable_answer));
}

SCENARIO(a_mock)
{
    routable_mock_options options = ROUTABLE_MOCK_OPTIONS_INIT;
    routable_mock_fault fault = ROUTABLE_MOCK_FAULT_INIT;
    routable_mock *mock;
    options.changed = mock_changed;
    CALL(routable_mock_new, social, &options, OBJECT(routable_mock), &error);
    mock = TAKEN(routable_mock);
    CALL(routable_mock_put, mock, "v1/users/ann", LIT("{\"name\":\"ann\"}"), &error);
    mocked(mock, "POST", "/v1/users/ann/statuses", "{\"text\":\"tea\"}");
    mocked(mock, "GET", "/v1/users/ann/statuses", "");
    mocked(mock, "GET", "/v1/users/ann", "");
    mocked(mock, "GET", "/v1/search?q=a", "");
    fault.http_status = 503, fault.retry_after = 1;
    CALL(routable_mock_add_fault, mock, &fault, &error);
    mocked(mock, "GET", "/v1/search?q=a", "");
    mocked(mock, "PATCH", "/v1/nothing", "");
    CALL(routable_mock_problems, mock, &o.text, &error);
    NOTE_TEXT();
    NOTE_NUMBER(VALUE(routable_mock_count, mock));
    DO(routable_mock_reset, mock);
    NOTE_NUMBER(VALUE(routable_mock_count, mock));
    FREE(mock, mock);
}

SCENARIO(a_coverage)
{
    static const routable_header headers[] = { { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("application/json") } };
    routable_coverage_options options = ROUTABLE_COVERAGE_OPTIONS_INIT;
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_coverage *coverage;
    options.base_path = "/v1";
    CALL(routable_coverage_new, social, &options, OBJECT(routable_coverage), &error);
    coverage = TAKEN(routable_coverage);
    incoming.method = "POST", incoming.target = ROUTABLE_STR("/v1/users/ann/statuses?free=1"), incoming.headers = headers, incoming.header_count = 1;
    incoming.body = ROUTABLE_STR("{\"text\":\"tea\"}");
    CALL(routable_coverage_add, coverage, &incoming, 201, "application/json", ROUTABLE_STR("{\"text\":\"tea\"}"), &error);
    incoming.method = "GET", incoming.target = ROUTABLE_STR("/nothing"), incoming.body = ROUTABLE_STR(""), incoming.header_count = 0;
    CALL(routable_coverage_add, coverage, &incoming, 0, NULL, ROUTABLE_STR(""), &error);
    CALL(routable_coverage_to_json, coverage, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_coverage_to_text, coverage, ROUTABLE_COVERAGE_MISSING, &o.text, &error);
    NOTE_TEXT();
    FREE(coverage, coverage);
}

static routable_mock *mock_of(const char *text, routable_router **router)
{
    CALL(routable_router_open, text, ROUTABLE_NUL_TERMINATED, NULL, OBJECT(routable_router), &error);
    *router = TAKEN(routable_router);
    CALL(routable_mock_new, *router, NULL, OBJECT(routable_mock), &error);
    return TAKEN(routable_mock);
}

SCENARIO(a_patched_mock)
{
    static const char text[] =
        "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{\"/a/{id}.json\":{\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\"}}],\"patch\":{\"requestBody\":{\"content\":{"
        "\"application/json-patch+json\":{}}},\"responses\":{\"200\":{\"description\":\"d\",\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\"}}}}}}}}}";
    static const routable_header headers[] = { { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("application/json-patch+json") } };
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_router *router;
    routable_mock *const mock = mock_of(text, &router);
    incoming.method = "PATCH", incoming.target = STR("/a/1.json"), incoming.headers = headers, incoming.header_count = 1;
    incoming.body = STR("[{\"op\":\"copy\",\"from\":\"\",\"path\":\"/c\"},{\"op\":\"move\",\"from\":\"/c\",\"path\":\"/e\"}]");
    CALL(routable_mock_respond, mock, &incoming, OBJECT(routable_answer), NULL, NULL, &error);
    NOTE_STR(VALUE(routable_answer_body, TAKEN(routable_answer)));
    FREE(answer, TAKEN(routable_answer));
    FREE(mock, mock);
    FREE(router, router);
}

/* Examples of the document, and what cannot be generated. */
SCENARIO(a_mock_with_problems)
{
    static const char text[] =
        "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{\"/a\":{\"get\":{\"responses\":{\"200\":{\"description\":\"d\",\"content\":{\"application/json\":{\"schema\":{\"type\":\"integer\"},"
        "\"examples\":{\"a\":{\"value\":\"x\"},\"b\":{\"value\":1}}}}}}}},\"/b\":{\"get\":{\"responses\":{\"200\":{\"description\":\"d\",\"content\":{"
        "\"application/json\":{\"schema\":{\"not\":{}}}}}}}}}}";
    routable_router *router;
    routable_mock *const mock = mock_of(text, &router);
    mocked(mock, "GET", "/a", "");
    CALL(routable_mock_problems, mock, &o.text, &error);
    NOTE_TEXT();
    FREE(mock, mock);
    FREE(router, router);
}

SCENARIO(samples)
{
    static const char text[] = "{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":{\"type\":\"array\",\"minItems\":2,\"items\":{\"type\":\"string\","
        "\"pattern\":\"^[a-z]{3}(-[0-9]+)?$\"}},\"b\":{\"oneOf\":[{\"type\":\"integer\"},{\"enum\":[\"x\",null]}]}}}";
    routable_schema *schema;
    CALL(routable_schema_open, LIT(text), NULL, OBJECT(routable_schema), &error);
    schema = TAKEN(routable_schema);
    CALL(routable_schema_sample, schema, 7, 0, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_schema_sample, schema, 7, ROUTABLE_SAMPLE_VARIED, &o.text, &error);
    NOTE_TEXT();
    FREE(schema, schema);
}

static routable_status one_item(routable_stream_item *item, void *user_data)
{
    int *const left = user_data;
    if (!*left)
        return ROUTABLE_IDLE;
    --*left;
    item->data = STR("{ \"a\": [1, \"b\"] }");
    return ROUTABLE_OK;
}

SCENARIO(answers)
{
    static const routable_header headers[] = { { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("application/json") },
        { ROUTABLE_STR_INIT("Accept"), ROUTABLE_STR_INIT("text/html;q=0.5, application/*") }, { ROUTABLE_STR_INIT("If-None-Match"), ROUTABLE_STR_INIT("\"a\", W/\"b\"") } };
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    routable_argument ids[] = { { NULL, routable_value_string("a b") }, { NULL, routable_value_string("7") } };
    routable_received *received;
    int left = 1;
    incoming.method = "GET", incoming.target = STR("/v1/search?q=a"), incoming.headers = headers + 1, incoming.header_count = 2;
    CALL(routable_received_new, social, &incoming, NULL, OBJECT(routable_received), &error);
    received = TAKEN(routable_received);
    CALL(routable_received_precondition, received, "\"b\"", &o.descriptor, &error);
    NOTE_NUMBER(o.descriptor);
    options.headers = headers, options.header_count = 0, options.etag = "\"c\"";
    options.location_route = "user.status", options.location_ids = ids, options.location_id_count = 2;
    CALL(routable_answer_new, received, 0, routable_value_json("[{\"a\": 1}]"), &options, OBJECT(routable_answer), &error);
    note_answer(TAKEN(routable_answer));
    options = (routable_answer_options)ROUTABLE_ANSWER_OPTIONS_INIT;
    options.file = "/proc/self/exe";
    options.content_type = "application/json";
    CALL(routable_answer_new, received, 0, routable_value_null(), &options, OBJECT(routable_answer), &error);
    {
        routable_answer *const answer = TAKEN(routable_answer);
        CALL(routable_answer_next, answer, &o.str, &error);
        NOTE_NUMBER(o.str.len);
        FREE(answer, answer);
    }
    options = (routable_answer_options)ROUTABLE_ANSWER_OPTIONS_INIT;
    options.next = one_item, options.user_data = &left, options.content_type = "application/jsonl";
    CALL(routable_answer_new, received, 404, routable_value_null(), &options, OBJECT(routable_answer), &error);
    note_answer(TAKEN(routable_answer));
    CALL(routable_answer_new_problem, received, 403, STR("no"), NULL, OBJECT(routable_answer), &error);
    note_answer(TAKEN(routable_answer));
    FREE(received, received);
}

SCENARIO(refused_answers)
{
    static const routable_header accept = { ROUTABLE_STR_INIT("Accept"), ROUTABLE_STR_INIT("text/html") };
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_received *received;
    routable_error *refused;
    incoming.method = "GET", incoming.target = STR("/v1/search?q=a"), incoming.headers = &accept, incoming.header_count = 1;
    CALL(routable_received_new, social, &incoming, NULL, OBJECT(routable_received), &error);
    received = TAKEN(routable_received);
    expected = ROUTABLE_ERR_VALUE;
    CALL(routable_answer_new, received, 0, routable_value_json("[{\"a\": 1}]"), NULL, OBJECT(routable_answer), &error);
    NOTE_STR(routable_error_message(error));
    refused = error;
    expected = ROUTABLE_OK;
    CALL(routable_answer_new_refused, refused, "GET", 0, OBJECT(routable_answer), &error);
    note_answer(TAKEN(routable_answer));
    routable_error_free(refused);
    FREE(received, received);
}

const scenario request_scenarios[] = {
    { "a mock", a_mock }, { "a coverage", a_coverage }, { "a patched mock", a_patched_mock }, { "a mock with problems", a_mock_with_problems },
    { "samples", samples },
    { "usual call", usual_call }, { "any call", any_call }, { "wrong call", wrong_call }, { "texts of a request", request_texts },
    { "edited request", edited_request }, { "bodies", bodies }, { "links", links }, { "mapped response", mapped_response },
    { "refused response", refused_response },
    { "tools", tools }, { "schemas of calls", call_schemas }, { "objects that are calls", call_objects }, { "received request", received }, { "refused request", refused_received },
    { "answers", answers }, { "refused answers", refused_answers }, { NULL, NULL }
};
