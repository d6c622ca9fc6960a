/* Calls of tools: any object. One that is a call builds a request within its base; one that is refused has a reason in each error. */
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char tools_document[] =
    "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"servers\":[{\"url\":\"http://h/v1\"}],"
    "\"components\":{\"schemas\":{\"T\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"},\"t\":{\"$ref\":\"#/components/schemas/T\"},"
    "\"p\":{\"type\":\"string\",\"pattern\":\"^[a-c]+$\"}},\"required\":[\"n\"]}}},"
    "\"paths\":{\"/a/{i}/b\":{\"post\":{\"operationId\":\"o\",\"parameters\":[{\"name\":\"i\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\"}},"
    "{\"name\":\"q\",\"in\":\"query\",\"schema\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}},"
    "{\"name\":\"d\",\"in\":\"query\",\"style\":\"deepObject\",\"schema\":{\"type\":\"object\"}},"
    "{\"name\":\"X-H\",\"in\":\"header\",\"schema\":{\"type\":\"string\"}},{\"name\":\"c\",\"in\":\"cookie\",\"schema\":{\"type\":\"string\"}}],"
    "\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/T\"}}}},\"responses\":{}}}}}";

static const routable_router *tools_router(void)
{
    static routable_router *router;
    if (!router) {
        FUZZ_LEAKS(disable);
        EXPECT(routable_router_open(tools_document, ROUTABLE_NUL_TERMINATED, NULL, &router, NULL) == ROUTABLE_OK, "tools: expected a router");
        FUZZ_LEAKS(enable);
    }
    return router;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    routable_string call = ROUTABLE_STRING_INIT;
    routable_request *request = NULL;
    routable_error *error = NULL;
    const routable_error *next;
    const routable_status status = routable_call_from_object(tools_router(), NULL, "o", (const char *)data, size, 8, &call, &error);
    if (status == ROUTABLE_OK) {
        const char *url, *at;
        int slashes = 0;
        EXPECT(routable_request_new_json(tools_router(), call.ptr, call.len, &request, &error) == ROUTABLE_OK,
            "tools: expected a request of %.300s, got: %s", call.ptr, routable_error_message(error).ptr);
        url = routable_request_url(request).ptr;
        EXPECT(strncmp(url, "http://h/v1/a/", 14) == 0, "tools: expected the base and the path, got %.300s", url);
        for (at = url + 11; *at && *at != '?'; at++)
            slashes += *at == '/';
        EXPECT(slashes == 3, "tools: expected three segments, got %.300s", url);
        EXPECT(strchr(url, '#') == NULL, "tools: expected no fragment, got %.300s", url);
        routable_request_free(request);
        routable_string_free(&call);
        return 0;
    }
    EXPECT(call.ptr == NULL, "tools: expected an output that is not touched");
    EXPECT(error, "tools: expected an error with %s", routable_status_name(status));
    for (next = error; next; next = routable_error_next(next))
        EXPECT(routable_error_message(next).len > 0, "tools: expected a message");
    routable_error_free(error);
    return 0;
}
