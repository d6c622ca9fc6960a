/* Responses of a service: any Accept, If-Match, If-None-Match, value, media type and item. A response has a status, and headers that
 * cannot be split; the size of its pieces is its Content-Length; a refusal is 406, 412 or an error of the program. */
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char answer_document[] =
    "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{\"/r\":{\"get\":{\"operationId\":\"r\",\"responses\":{"
    "\"200\":{\"description\":\"r\",\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"a\"]}},"
    "\"application/vnd.b+json;v=1\":{\"schema\":{\"type\":\"array\"}},\"text/csv\":{},\"text/event-stream\":{},\"application/jsonl\":{}}},"
    "\"204\":{\"description\":\"n\"},\"409\":{\"description\":\"e\",\"content\":{\"*/*\":{\"schema\":{\"type\":\"object\"}}}}}}}}}";

static const routable_router *answer_router(void)
{
    static routable_router *router;
    if (!router) {
        FUZZ_LEAKS(disable);
        EXPECT(routable_router_open(answer_document, ROUTABLE_NUL_TERMINATED, NULL, &router, NULL) == ROUTABLE_OK,
            "answer: expected a router");
        FUZZ_LEAKS(enable);
    }
    return router;
}

static routable_status answer_item(routable_stream_item *item, void *user_data)
{
    routable_str *const left = user_data;
    if (!left->len)
        return ROUTABLE_IDLE;
    item->data = item->event = item->id = *left;
    left->len = 0;
    return ROUTABLE_OK;
}

static void answer_read(routable_answer *answer, int is_head)
{
    const int64_t length = routable_answer_body_length(answer);
    int64_t count = 0;
    size_t index;
    routable_str piece;
    routable_status status;
    routable_error *error = NULL;
    EXPECT(routable_answer_status(answer) >= 200 && routable_answer_status(answer) <= 599, "answer: expected an HTTP status");
    for (index = 0; index < routable_answer_header_count(answer); index++) {
        const routable_header header = routable_answer_header_at(answer, index);
        EXPECT(header.name.len && !memchr(header.value.ptr, '\n', header.value.len) && !memchr(header.value.ptr, '\r', header.value.len)
                && !memchr(header.value.ptr, 0, header.value.len),
            "answer: expected that no header is split: %s", header.name.ptr);
    }
    while ((status = routable_answer_next(answer, &piece, &error)) == ROUTABLE_OK)
        count += (int64_t)piece.len;
    if (length != ROUTABLE_NONE)
        EXPECT(status == ROUTABLE_IDLE && count == length, "answer: expected %lld bytes, got %lld", (long long)length, (long long)count);
    EXPECT(!is_head || !count, "answer: expected no body for HEAD");
    routable_error_free(error);
    routable_answer_free(answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "Accept", "If-Match", "If-None-Match" };
    static const int32_t statuses[] = { 0, 200, 204, 304, 409, 418, 201, 302 };
    fuzz_input input = { (const char *)data, size };
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    routable_received *received = NULL;
    routable_answer *answer = FUZZ_UNTOUCHED(routable_answer);
    routable_error *error = NULL;
    routable_header headers[3], own;
    routable_value value = routable_value_null();
    routable_status status;
    routable_str items;
    char type[64], etag[64];
    size_t choice, index, count = 0;
    if (size < 2)
        return 0;
    choice = data[0] | (size_t)data[1] << 8;
    input.next += 2, input.left -= 2;
    incoming.method = choice & 1 ? "HEAD" : "GET";
    incoming.target = ROUTABLE_STR("/r");
    for (index = 0; index < 3; index++) {
        headers[count].name = routable_str_from(names[index]);
        headers[count].value = fuzz_field(&input);
        if (choice >> (1 + index) & 1)
            count++;
    }
    incoming.headers = headers;
    incoming.header_count = count;
    if (routable_received_new(answer_router(), &incoming, NULL, &received, NULL) != ROUTABLE_OK)
        return 0;
    own.name = fuzz_field(&input), own.value = fuzz_field(&input);
    options.headers = &own, options.header_count = choice >> 4 & 1;
    items = fuzz_field(&input);
    snprintf(type, sizeof type, "%.*s", (int)(items.len < 63 ? items.len : 63), items.ptr);
    options.content_type = choice >> 5 & 1 ? type : NULL;
    items = fuzz_field(&input);
    snprintf(etag, sizeof etag, "\"%.*s\"", (int)(items.len < 60 ? items.len : 60), items.ptr);
    options.etag = choice >> 6 & 1 ? etag : NULL;
    items = routable_str_from_bytes(input.next, input.left);
    if (choice >> 7 & 1) {
        options.next = answer_item, options.user_data = &items;
        options.next_kind = choice >> 8 & 1 ? ROUTABLE_STREAM_EVENTS : ROUTABLE_STREAM_LINES;
    } else if (choice >> 8 & 3) {
        value.kind = choice >> 8 & 1 ? ROUTABLE_KIND_JSON : ROUTABLE_KIND_STRING;
        value.as.string = items;
    }
    status = routable_answer_new(received, statuses[choice >> 10 & 7], value, &options, &answer, &error);
    if (status == ROUTABLE_OK) {
        answer_read(answer, choice & 1);
    } else {
        const int32_t http = routable_error_http_status(error);
        routable_answer *problem = NULL;
        EXPECT(answer == FUZZ_UNTOUCHED(routable_answer), "answer: expected an output that is not touched");
        EXPECT(http == 0 || http == 406 || http == 412, "answer: expected 0, 406 or 412, got %d", http);
        EXPECT(routable_answer_new_refused(error, incoming.method, 0, &problem, NULL) == ROUTABLE_OK, "answer: expected a problem document");
        EXPECT(routable_answer_status(problem) == (http ? http : 500), "answer: expected the status of the error");
        answer_read(problem, choice & 1);
        routable_error_free(error);
    }
    routable_received_free(received);
    return 0;
}
