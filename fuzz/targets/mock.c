/* A mock: any sequence of requests.  Every request gets a response with a status, whose body is JSON if its media type is JSON; a
 * created resource can be read at its Location. */
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char mock_document[] =
    "{\"routable\":1,\"base\":\"http://h/v1\",\"types\":{\"T\":{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":{\"type\":\"string\"},"
    "\"n\":{\"type\":\"integer\"},\"l\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/types/T\"}}}}},"
    "\"resources\":{\"user\":{\"path\":\"users\",\"id\":\"name\",\"can\":[\"list\",\"read\",\"create\",\"update\",\"patch\",\"delete\"],\"has\":[\"user\"],\"type\":\"T\"},"
    "\"thing\":{\"path\":\"things\",\"id\":{\"name\":\"n\",\"type\":\"integer\"},\"can\":[\"list\",\"read\"],\"type\":\"T\"}},"
    "\"operations\":{\"me\":{\"get\":\"/me\",\"results\":{\"200\":{\"$ref\":\"#/types/T\"}}},\"set\":{\"put\":\"/me\",\"body\":{\"$ref\":\"#/types/T\"}},"
    "\"act\":{\"post\":\"/users/{name}/act\",\"results\":{\"200\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}}}}}}";

static const routable_router *mock_router(void)
{
    static routable_router *router;
    if (!router) {
        FUZZ_LEAKS(disable);
        EXPECT(routable_router_open(mock_document, ROUTABLE_NUL_TERMINATED, NULL, &router, NULL) == ROUTABLE_OK, "mock: expected a router");
        FUZZ_LEAKS(enable);
    }
    return router;
}

static routable_answer *mock_ask(routable_mock *mock, const char *method, routable_str target, routable_str body)
{
    static const routable_header headers[] = { { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("application/json") } };
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_answer *answer = NULL;
    routable_error *error = NULL;
    incoming.method = method;
    incoming.target = target;
    incoming.headers = headers;
    incoming.header_count = body.len != 0;
    incoming.body = body;
    EXPECT(routable_mock_respond(mock, &incoming, &answer, NULL, NULL, &error) == ROUTABLE_OK, "mock: expected a response, got %s",
        routable_error_message(error).ptr);
    EXPECT(routable_answer_status(answer) >= 200 && routable_answer_status(answer) <= 599, "mock: expected a status");
    EXPECT(routable_answer_status(answer) != 500, "mock: expected no failure of its own: %.300s", routable_answer_body(answer).ptr);
    body = routable_answer_body(answer);
    if (body.len && strstr(routable_answer_header(answer, "content-type").ptr, "json")) {
        json_t *const json = json_loadb(body.ptr, body.len, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
        EXPECT(json, "mock: expected JSON, got %.300s", body.ptr);
        json_decref(json);
    }
    return answer;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const methods[] = { "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD" };
    fuzz_input input = { (const char *)data, size };
    routable_mock *mock = NULL;
    int count;
    EXPECT(routable_mock_new(mock_router(), NULL, &mock, NULL) == ROUTABLE_OK, "mock: expected a mock");
    for (count = 0; input.left && count < 16; count++) {
        const char *const method = methods[fuzz_byte(&input) % 6];
        const routable_str target = fuzz_field(&input), body = fuzz_field(&input);
        routable_answer *const answer = mock_ask(mock, method, target, body);
        const routable_str location = routable_answer_header(answer, "location");
        if (location.len && routable_answer_status(answer) < 300) {
            routable_answer *const read = mock_ask(mock, "GET", location, ROUTABLE_STR(""));
            EXPECT(routable_answer_status(read) == 200, "mock: expected %.200s, got %d", location.ptr, routable_answer_status(read));
            routable_answer_free(read);
        }
        routable_answer_free(answer);
    }
    routable_mock_reset(mock);
    EXPECT(routable_mock_count(mock) == 0, "mock: expected an empty store");
    routable_mock_free(mock);
    return 0;
}
