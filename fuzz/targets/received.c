/* Received requests: any method, target, content type and body. A request that is read builds a request, which is read
 * as the same call; a request that is refused has an HTTP status for every reason. */
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char received_document[] =
    "{\"routable\":1,\"base\":\"http://h/v1\",\"types\":{\"T\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"},"
    "\"b\":{\"type\":\"boolean\"},\"l\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}},\"o\":{\"type\":\"object\"}}}},"
    "\"resources\":{\"user\":{\"path\":\"users\",\"id\":\"name\",\"can\":[\"list\",\"read\",\"create\"],\"has\":[\"user\"],\"type\":\"T\"}},"
    "\"operations\":{"
    "\"search\":{\"get\":\"/s\",\"query\":{\"q\":{\"type\":\"string\"},\"n\":{\"type\":\"integer\",\"default\":1},\"t\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"f\":{\"type\":\"array\",\"items\":{\"type\":\"boolean\"}}},\"header\":{\"X-N\":{\"type\":\"integer\"}},\"cookie\":{\"c\":{\"type\":\"string\"}}},"
    "\"file\":{\"put\":\"/f/{path...}\",\"body_as\":\"bytes\",\"body_required\":false},"
    "\"form\":{\"post\":\"/form\",\"body_as\":\"form\",\"body\":{\"$ref\":\"#/types/T\"}},\"parts\":{\"post\":\"/parts\",\"body_as\":\"multipart\"},"
    "\"send\":{\"post\":\"/send\"}}}";

static const routable_router *received_router(void)
{
    static routable_router *router;
    if (!router) {
        FUZZ_LEAKS(disable);
        EXPECT(routable_router_open(received_document, ROUTABLE_NUL_TERMINATED, NULL, &router, NULL) == ROUTABLE_OK,
            "received: expected a router");
        FUZZ_LEAKS(enable);
    }
    return router;
}

static void received_again(const routable_received *received)
{
    routable_string call = ROUTABLE_STRING_INIT, again = ROUTABLE_STRING_INIT;
    routable_request *request = NULL;
    routable_received *second = NULL;
    json_t *first, *last;
    routable_error *error = NULL;
    routable_header headers[64];
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    size_t i;
    EXPECT(routable_received_to_json(received, &call, NULL) == ROUTABLE_OK, "received: expected a call");
    EXPECT(routable_request_new_json(received_router(), call.ptr, call.len, &request, &error) == ROUTABLE_OK,
        "received: expected a request of %.300s, got: %s", call.ptr, routable_error_message(error).ptr);
    incoming.method = routable_request_method(request).ptr;
    incoming.target = routable_request_url(request);
    incoming.body = routable_request_body(request);
    incoming.headers = headers;
    for (i = 0; i < routable_request_header_count(request) && i < 64; i++)
        headers[i] = routable_request_header_at(request, i);
    incoming.header_count = i;
    EXPECT(routable_received_new(received_router(), &incoming, NULL, &second, &error) == ROUTABLE_OK,
        "received: expected that %.300s is read again, got: %s", call.ptr, routable_error_message(error).ptr);
    EXPECT(routable_received_to_json(second, &again, NULL) == ROUTABLE_OK, "received: expected a second call");
    first = json_loadb(call.ptr, call.len, JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, NULL);
    last = json_loadb(again.ptr, again.len, JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, NULL);
    /* The members of a form are sorted when it is built. */
    EXPECT(first && last ? json_equal(first, last) : call.len == again.len, "received: expected %.400s, got %.400s", call.ptr, again.ptr);
    json_decref(first);
    json_decref(last);
    routable_received_free(second);
    routable_request_free(request);
    routable_string_free(&call);
    routable_string_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const methods[] = { "GET", "POST", "PUT", "HEAD", "PATCH" };
    static const char *const types[] = { "", "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b",
        "text/plain" };
    fuzz_input input = { (const char *)data, size };
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_receive_options options = ROUTABLE_RECEIVE_OPTIONS_INIT;
    routable_received *received = FUZZ_UNTOUCHED(routable_received);
    routable_error *error = NULL;
    routable_header headers[5];
    routable_status status;
    size_t choice, count = 0;
    if (size < 2)
        return 0;
    choice = data[0];
    options.max_errors = data[1] % 32;
    input.next += 2, input.left -= 2;
    incoming.method = methods[choice % 5];
    incoming.target = fuzz_field(&input);
    if (choice / 5 % 5)
        headers[count++] = (routable_header){ ROUTABLE_STR("Content-Type"), routable_str_from(types[choice / 5 % 5]) };
    if (choice / 25 >= 9)
        headers[count++] = (routable_header){ ROUTABLE_STR("Content-Encoding"), routable_str_from(choice / 25 == 9 ? "gzip" : "deflate") };
    headers[count++] = (routable_header){ ROUTABLE_STR("X-N"), fuzz_field(&input) };
    headers[count++] = (routable_header){ ROUTABLE_STR("Cookie"), fuzz_field(&input) };
    incoming.headers = headers;
    incoming.header_count = count;
    incoming.body = routable_str_from_bytes(input.next, input.left);
    status = routable_received_new(received_router(), &incoming, &options, &received, &error);
    if (status == ROUTABLE_OK) {
        received_again(received);
        routable_received_free(received);
    } else {
        const routable_error *next;
        EXPECT(received == FUZZ_UNTOUCHED(routable_received), "received: expected an output that is not touched");
        for (next = error; next; next = routable_error_next(next))
            EXPECT(routable_error_http_status(next) >= 400 && routable_error_http_status(next) < 500,
                "received: expected an HTTP status from 400 to 499, got %d: %s", routable_error_http_status(next),
                routable_error_message(next).ptr);
        EXPECT(error, "received: expected an error with %s", routable_status_name(status));
        routable_error_free(error);
    }
    return 0;
}
