/* OpenAPI documents: any bytes to routable_router_open. A document that opens can be inspected and planned; each operation
 * builds visible ASCII from some values or rejects them; a body is validated against its schema; parameters are read back. */
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void openapi_check_url(const char *name, routable_str url)
{
    size_t i;
    for (i = 0; i < url.len; i++)
        EXPECT(url.ptr[i] > 0x20 && url.ptr[i] < 0x7F, "openapi: expected visible ASCII from %s, got %s", name, url.ptr);
}

static void openapi_check_build(const routable_router *router, const routable_operation *operation, const char *body)
{
    static const routable_status allowed[] = { ROUTABLE_ERR_ID, ROUTABLE_ERR_VALUE, ROUTABLE_ERR_PARAMETER, ROUTABLE_ERR_BODY,
        ROUTABLE_ERR_HEADER, ROUTABLE_ERR_URL, ROUTABLE_ERR_LIMIT, ROUTABLE_ERR_DOCUMENT, ROUTABLE_OK };
    static const char *const values[] = { "7", "true", "\"a b/\\u00e9\"", "[1,\"x,y\"]", "{\"k\":\"v&\",\"o\":{\"p\":[1,2]}}" };
    routable_argument ids[ROUTABLE_MAX_CAPTURES], query[64], headers[64], cookies[64];
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = FUZZ_UNTOUCHED(routable_request);
    routable_error *error = NULL;
    routable_status status;
    size_t i, k, count = routable_operation_parameter_count(operation);
    for (k = 0; k < sizeof values / sizeof *values; k++) {
        call.id_count = call.query_count = call.header_count = call.cookie_count = 0;
        for (i = 0; i < count; i++) {
            const routable_parameter *const parameter = routable_operation_parameter_at(operation, i);
            const routable_argument argument = { routable_parameter_name(parameter).ptr, routable_value_json(values[(k + i) % 5]) };
            switch (routable_parameter_location(parameter)) {
            case ROUTABLE_IN_PATH:
                if (call.id_count < ROUTABLE_MAX_CAPTURES) {
                    ids[call.id_count] = argument;
                    ids[call.id_count++].name = NULL;
                }
                break;
            case ROUTABLE_IN_QUERY:
                if (call.query_count < 64) query[call.query_count++] = argument;
                break;
            case ROUTABLE_IN_HEADER:
                if (call.header_count < 64) headers[call.header_count++] = argument;
                break;
            default:
                if (call.cookie_count < 64) cookies[call.cookie_count++] = argument;
            }
        }
        call.operation = routable_operation_name(operation).ptr;
        call.ids = ids;
        call.query = query;
        call.headers = headers;
        call.cookies = cookies;
        call.base = k & 1 ? "http://h.test" : NULL;
        if (body) call.body = routable_value_json(body);
        if (routable_operation_media_type_count(operation) > 1 && k & 1)
            call.content_type = routable_operation_media_type_at(operation, 1).ptr;
        status = routable_request_new(router, &call, &request, &error);
        if (status != ROUTABLE_OK)
            EXPECT(request == FUZZ_UNTOUCHED(routable_request), "openapi: expected an untouched output");
        fuzz_check_error("openapi: build", status, allowed, error, NULL);
        if (status == ROUTABLE_OK) {
            openapi_check_url(call.operation, routable_request_url(request));
            routable_request_free(request);
        }
        request = FUZZ_UNTOUCHED(routable_request);
    }
}

static void openapi_check_operation(const routable_router *router, const routable_operation *operation)
{
    const char *const name = routable_operation_name(operation).ptr;
    routable_plan *plan = NULL;
    routable_error *error = NULL;
    routable_response *response = NULL;
    size_t i;
    if (routable_plan_new(router, NULL, name, &plan, &error) != ROUTABLE_OK)
        EXPECT(routable_error_status(error) == ROUTABLE_ERR_LIMIT, "openapi: expected a plan of %s, got %s", name,
            routable_error_message(error).ptr);
    routable_error_free(error);
    routable_plan_free(plan);
    openapi_check_build(router, operation, NULL);
    if (routable_operation_media_type_count(operation))
        openapi_check_build(router, operation, "{\"a\":1,\"b\":[\"x\",{\"c\":null}],\"f\":{\"base64\":\"AAA=\",\"filename\":\"n\"}}");
    for (i = 0; i < routable_operation_parameter_count(operation) && i < 16; i++) {
        routable_string value = { NULL, 0 };
        const routable_status status =
            routable_parameter_read(router, operation, i, routable_str_from("a=1&b=x,y;k=v&c%5Bd%5D=%20"), &value, &error);
        EXPECT(status == ROUTABLE_OK || status == ROUTABLE_NO_MATCH || status == ROUTABLE_ERR_VALUE || status == ROUTABLE_ERR_LIMIT,
            "openapi: expected a value of %s or none, got %s", name, routable_status_name(status));
        routable_string_free(&value);
        if (status != ROUTABLE_NO_MATCH) routable_error_free(error);
        error = NULL;
    }
    if (routable_response_map(router, NULL, name, 200, NULL, 0, routable_str_from("{\"a\":[1,{}]}"), &response, NULL) == ROUTABLE_OK)
        routable_response_free(response);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const routable_status allowed[] = { ROUTABLE_ERR_JSON, ROUTABLE_ERR_DOCUMENT, ROUTABLE_ERR_CONFLICT,
        ROUTABLE_ERR_UNSUPPORTED, ROUTABLE_ERR_LIMIT, ROUTABLE_ERR_URL, ROUTABLE_ERR_HEADER, ROUTABLE_OK };
    fuzz_input input = { (const char *)data, size };
    routable_document other = { { "other.json", 10 }, { NULL, 0 } };
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *router = FUZZ_UNTOUCHED(routable_router);
    routable_error *error = NULL;
    routable_string table = { NULL, 0 };
    routable_match match;
    routable_status status;
    size_t i;
    /* A second document follows the byte 0xFF. */
    const routable_str text = fuzz_field(&input);
    other.json = fuzz_rest(&input);
    if (other.json.len) {
        options.documents = &other;
        options.document_count = 1;
        options.uri = "http://h.test/v1/doc.json";
    }
    status = routable_router_open(text.ptr, text.len, &options, &router, &error);
    if (status != ROUTABLE_OK)
        EXPECT(router == FUZZ_UNTOUCHED(routable_router), "openapi: expected an untouched output with %s", routable_status_name(status));
    fuzz_check_error("openapi", status, allowed, error, NULL);
    if (status != ROUTABLE_OK)
        return 0;
    EXPECT(routable_router_routes(router, &table, NULL) == ROUTABLE_OK, "openapi: expected a table");
    routable_string_free(&table);
    EXPECT(routable_router_map(router, &table, NULL) == ROUTABLE_OK, "openapi: expected a map");
    routable_string_free(&table);
    for (i = 0; i < routable_router_resource_count(router) && i < 8; i++) {
        const routable_resource *const resource = routable_router_resource_at(router, i);
        EXPECT(routable_router_resource(router, routable_resource_route(resource).ptr) == resource, "openapi: expected the resource of its route");
    }
    for (i = 0; i < routable_router_operation_count(router) && i < 8; i++)
        openapi_check_operation(router, routable_router_operation_at(router, i));
    for (i = 0; i < routable_router_warning_count(router); i++)
        EXPECT(routable_router_warning_at(router, i).len, "openapi: expected a sentence");
    (void)routable_router_match(router, "GET", ROUTABLE_STR("/a/b;k=v/c"), 0, &match);
    routable_router_free(router);
    return 0;
}
