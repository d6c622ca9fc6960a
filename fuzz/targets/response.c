/* Response mapping: an operation, a status, headers and a body from the input. The response has the same content, mapped or
 * in the error, and a mapped body is JSON. */
#include "../fuzz.h"

#include "routable_jansson.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char response_document[] =
    "{\"routable\":1,\"base\":\"http://h\","
    "\"types\":{\"T\":{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":{\"type\":\"string\",\"maxLength\":4},"
    "\"b\":{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":0},\"maxItems\":3},\"t\":{\"$ref\":\"#/types/T\"},"
    "\"e\":{\"enum\":[1,\"x\",null]},\"n\":{\"type\":\"number\",\"exclusiveMaximum\":10}},\"additionalProperties\":false},"
    "\"N\":{\"type\":[\"integer\",\"null\"]}},"
    "\"resources\":{\"a\":{\"path\":\"as\",\"can\":[\"list\",\"read\",\"create\",\"update\",\"delete\"],\"type\":\"T\"},"
    "\"b\":{\"path\":\"bs\",\"can\":[\"read\"]}},"
    "\"operations\":{\"n\":{\"get\":\"/n\",\"results\":{\"200\":{\"$ref\":\"#/types/N\"},\"2XX\":null,\"404\":{\"type\":\"string\"}}},"
    "\"any\":{\"get\":\"/any\",\"results\":{\"default\":{\"$ref\":\"#/types/T\"}}},\"h\":{\"head\":\"/h\"}}}";

static const struct { const char *route, *operation; } response_operations[] = { { "a", "read" }, { "a", "list" },
    { "a", "create" }, { "a", "delete" }, { "b", "read" }, { NULL, "n" }, { NULL, "any" }, { NULL, "h" } };
static const int32_t response_statuses[] = { 200, 201, 204, 205, 206, 304, 404, 500, 100, 999 };

static void response_check(const routable_response *response, int32_t http_status, const routable_header *headers,
    size_t header_count, routable_str body, int decoded)
{
    routable_string out = { NULL, 0 };
    routable_error *error = NULL;
    json_t *object, *value = NULL;
    size_t i;
    const routable_outcome outcome = routable_response_outcome(response);
    const routable_str got = routable_response_body(response);
    routable_status status;
    EXPECT(routable_response_status(response) == http_status, "response: expected status %d, got %d", (int)http_status,
        (int)routable_response_status(response));
    EXPECT(fuzz_same(got, body) && got.ptr[got.len] == '\0', "response: expected the body as it was and a NUL");
    EXPECT(routable_response_header_count(response) == header_count, "response: expected %zu headers, got %zu", header_count,
        routable_response_header_count(response));
    for (i = 0; i < header_count; i++) {
        const routable_header header = routable_response_header_at(response, i);
        EXPECT(fuzz_same(header.name, headers[i].name) && fuzz_same(header.value, headers[i].value),
            "response: expected header %zu as it was, got \"%s\": \"%s\"", i, header.name.ptr, header.value.ptr);
    }
    EXPECT(outcome >= ROUTABLE_OUTCOME_EMPTY && outcome <= ROUTABLE_OUTCOME_RAW, "response: expected an outcome, got %d",
        (int)outcome);
    if (outcome == ROUTABLE_OUTCOME_EMPTY && decoded)
        EXPECT(body.len == 0, "response: expected no body that is empty, got %zu bytes", body.len);

    EXPECT(routable_response_to_json(response, &out, NULL) == ROUTABLE_OK, "response: expected JSON");
    object = fuzz_json("response", (routable_str){ out.ptr, out.len });
    if (object) {
        EXPECT(json_integer_value(json_object_get(object, "status")) == http_status, "response: expected status %d, got %s",
            (int)http_status, out.ptr);
        EXPECT(strcmp(json_string_value(json_object_get(object, "outcome")), routable_outcome_name(outcome)) == 0,
            "response: expected the outcome %s, got %s", routable_outcome_name(outcome), out.ptr);
        EXPECT((json_object_get(object, "value") != NULL) + (json_object_get(object, "body") != NULL) +
                    (json_object_get(object, "body_base64") != NULL) == (outcome != ROUTABLE_OUTCOME_EMPTY),
            "response: expected the body in one form, or in none of an empty one, got %s", out.ptr);
    }
    json_decref(object);
    routable_string_free(&out);

    status = routable_response_body_jansson(response, &value, &error);
    if (status != ROUTABLE_OK)
        EXPECT(value == NULL, "response: expected an untouched value");
    fuzz_check_error("to_jansson", status, (const routable_status[]){ ROUTABLE_ERR_RESPONSE, ROUTABLE_OK }, error, NULL);
    if (outcome != ROUTABLE_OUTCOME_RAW)
        EXPECT(status == ROUTABLE_OK, "to_jansson: expected the value of %s, got %s", routable_outcome_name(outcome),
            routable_status_name(status));
    if (outcome == ROUTABLE_OUTCOME_DICTIONARY)
        EXPECT(json_is_object(value), "response: expected an object");
    if (outcome == ROUTABLE_OUTCOME_ARRAY)
        EXPECT(json_is_array(value), "response: expected an array");
    json_decref(value);
}

/* Two bytes select the operation and the status, followed by header names and values until an empty name, and the body. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const routable_status allowed[] = { ROUTABLE_ERR_HTTP_STATUS, ROUTABLE_ERR_RESPONSE, ROUTABLE_ERR_HEADER,
        ROUTABLE_ERR_LIMIT, ROUTABLE_OK };
    static routable_router *kept;
    const routable_router *const router = fuzz_router(&kept, response_document);
    fuzz_input input = { (const char *)data, size };
    const size_t which = fuzz_byte(&input) % (sizeof response_operations / sizeof *response_operations);
    const int32_t http_status = response_statuses[fuzz_byte(&input) % (sizeof response_statuses / sizeof *response_statuses)];
    routable_header headers[8];
    size_t count = 0;
    routable_str body;
    routable_response *response = FUZZ_UNTOUCHED(routable_response);
    routable_error *error = NULL;
    routable_status status;
    for (; count < 8 && (headers[count].name = fuzz_field(&input)).len; count++)
        headers[count].value = fuzz_field(&input);
    body = fuzz_rest(&input);
    status = routable_response_map(router, response_operations[which].route, response_operations[which].operation,
        http_status, headers, count, body, &response, &error);
    if (status == ROUTABLE_OK) {
        /* HEAD, and a result that is declared as null: the body is ignored. */
        response_check(response, http_status, headers, count, body, which != 5 && which != 7);
        routable_response_free(response);
    } else {
        EXPECT(response == FUZZ_UNTOUCHED(routable_response), "response: expected an untouched output with %s",
            routable_status_name(status));
        if (status == ROUTABLE_ERR_HTTP_STATUS || status == ROUTABLE_ERR_RESPONSE)
            EXPECT(routable_error_response(error), "response: expected the answer within the error");
        if (status == ROUTABLE_ERR_HTTP_STATUS)
            EXPECT(routable_error_http_status(error) == http_status, "response: expected status %d in the error, got %d",
                (int)http_status, (int)routable_error_http_status(error));
        if (routable_error_response(error)) {
            const routable_response *const answer = routable_error_response(error);
            EXPECT(routable_response_status(answer) == http_status && fuzz_same(routable_response_body(answer), body) &&
                    routable_response_header_count(answer) == count,
                "response: expected the answer as it was within the error");
        }
    }
    fuzz_check_error("response", status, allowed, error, NULL);
    return 0;
}
