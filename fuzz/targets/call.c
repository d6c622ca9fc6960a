/* The call JSON: any bytes to routable_request_new_json with a description that uses every feature. A request that is built
 * is safe to send and to print, and both functions of the JSON tier agree. */
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char call_document[] =
    "{\"routable\":1,\"base\":\"https://h/v1?key=1\",\"headers\":{\"X-All\":\"1\"},"
    "\"types\":{\"T\":{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":{\"type\":\"string\",\"maxLength\":4},"
    "\"b\":{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":0}}},\"additionalProperties\":false}},"
    "\"resources\":{"
    "\"a\":{\"path\":\"as\",\"can\":[\"list\",\"read\",\"create\",\"update\",\"patch\",\"delete\"],\"has\":[\"b\",\"c\"],\"type\":\"T\","
    "\"member\":{\"star\":{\"put\":\"star\"}},\"collection\":{\"new\":{\"get\":\"new\"}}},"
    "\"b\":{\"path\":\"bs\",\"id\":{\"name\":\"number\",\"type\":\"integer\",\"minimum\":-3,\"maximum\":99},"
    "\"can\":[\"read\",\"create\"],\"has\":[\"c\"]},"
    "\"c\":{\"path\":\"cs\",\"id\":{\"name\":\"day\",\"format\":\"date\"},\"can\":[\"read\",\"create\",\"delete\"],\"has\":[\"a\"]}},"
    "\"operations\":{"
    "\"find\":{\"get\":\"/find\",\"query\":{\"q\":{\"required\":true},\"n\":{\"type\":\"integer\",\"default\":1},"
    "\"r\":{\"type\":\"number\"},\"f\":{\"type\":\"boolean\"},\"w\":{\"enum\":[\"x\",\"y\"]},\"u\":{\"format\":\"uuid\"},"
    "\"p\":{\"pattern\":\"[a-z]+[0-9]?\"},\"l\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"minLength\":1}}},"
    "\"header\":{\"X-One\":{\"required\":false}},\"cookie\":{\"sid\":{}}},"
    "\"file\":{\"get\":\"/files/{dir}/{name}.json/{rest*}\"},"
    "\"form\":{\"post\":\"/form\",\"encoding\":{\"to\":\"body\",\"arrays\":\"index\",\"nulls\":\"empty\",\"booleans\":\"literal\"}},"
    "\"raw\":{\"put\":\"/raw/{n}\",\"ids\":{\"n\":{\"type\":\"integer\"}},\"body_as\":\"bytes\"}}}";

static void call_check_request(const routable_request *request)
{
    const routable_str url = routable_request_url(request);
    size_t i;
    routable_string line = { NULL, 0 };
    EXPECT(fuzz_is_token(routable_request_method(request)), "call: expected a method, got \"%s\"",
        routable_request_method(request).ptr);
    fuzz_check_url("call", url);
    EXPECT(strlen(url.ptr) == url.len, "call: expected no NUL in the URL");
    for (i = 0; i < routable_request_header_count(request); i++)
        fuzz_check_header("call", routable_request_header_at(request, i));
    if (!routable_request_has_body(request))
        EXPECT(routable_request_body(request).len == 0, "call: expected no bytes without a body");
    EXPECT(routable_request_to_curl(request, 0, &line, NULL) == ROUTABLE_OK && line.len, "call: expected a curl line");
    EXPECT(strlen(line.ptr) == line.len, "call: expected a curl line without NUL");
    routable_string_free(&line);
}

/* The request as JSON has the same content as its accessors. */
static void call_check_json(const routable_router *router, routable_str call, const routable_request *request)
{
    routable_string shown = { NULL, 0 }, built = { NULL, 0 };
    json_t *object;
    EXPECT(routable_request_to_json(request, &shown, NULL) == ROUTABLE_OK, "call: expected the request as JSON");
    EXPECT(routable_build_json(router, call.ptr, call.len, &built, NULL) == ROUTABLE_OK, "call: expected that build_json agrees");
    EXPECT(shown.len == built.len && memcmp(shown.ptr, built.ptr, shown.len) == 0,
        "call: expected the same bytes\n%s\ngot\n%s", shown.ptr, built.ptr);
    object = fuzz_json("call: the request", (routable_str){ shown.ptr, shown.len });
    if (object) {
        EXPECT(strcmp(json_string_value(json_object_get(object, "url")), routable_request_url(request).ptr) == 0,
            "call: expected the URL %s, got %s", routable_request_url(request).ptr, shown.ptr);
        EXPECT(json_array_size(json_object_get(object, "headers")) == routable_request_header_count(request),
            "call: expected %zu headers, got %s", routable_request_header_count(request), shown.ptr);
        EXPECT((json_object_get(object, "body") || json_object_get(object, "body_base64")) ==
                (routable_request_has_body(request) != 0), "call: expected has_body %d, got %s",
            (int)routable_request_has_body(request), shown.ptr);
    }
    json_decref(object);
    routable_string_free(&shown);
    routable_string_free(&built);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const routable_status allowed[] = { ROUTABLE_ERR_UNKNOWN, ROUTABLE_ERR_NOT_ALLOWED, ROUTABLE_ERR_ID,
        ROUTABLE_ERR_VALUE, ROUTABLE_ERR_SHADOWED, ROUTABLE_ERR_PARAMETER, ROUTABLE_ERR_BODY, ROUTABLE_ERR_HEADER,
        ROUTABLE_ERR_URL, ROUTABLE_ERR_JSON, ROUTABLE_ERR_LIMIT, ROUTABLE_ERR_DOCUMENT, ROUTABLE_ERR_UNSUPPORTED,
        ROUTABLE_OK };
    static routable_router *kept;
    const routable_router *const router = fuzz_router(&kept, call_document);
    const routable_str call = { (const char *)data, size };
    routable_request *request = FUZZ_UNTOUCHED(routable_request);
    routable_error *error = NULL;
    const routable_status status = routable_request_new_json(router, call.ptr, call.len, &request, &error);
    if (status != ROUTABLE_OK) {
        routable_string built = { FUZZ_UNTOUCHED(char), 5 };
        EXPECT(request == FUZZ_UNTOUCHED(routable_request), "call: expected an untouched output with %s",
            routable_status_name(status));
        EXPECT(routable_build_json(router, call.ptr, call.len, &built, NULL) == status, "call: expected that build_json gives %s too",
            routable_status_name(status));
        EXPECT(built.ptr == FUZZ_UNTOUCHED(char) && built.len == 5, "call: expected an untouched text with %s",
            routable_status_name(status));
    }
    fuzz_check_error("call", status, allowed, error, &call);
    if (status != ROUTABLE_OK)
        return 0;
    call_check_request(request);
    call_check_json(router, call, request);
    routable_request_free(request);
    return 0;
}
