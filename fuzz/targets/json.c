/* JSON: jansson accepts the same strings as the library, with the same values, and rejects the same strings, except for numbers beyond
 * 64 bits and beyond a double, which only jansson rejects. */
#include "../fuzz.h"

#include "routable_jansson.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whether a value is the same; sets `wide` if there is a number that jansson cannot represent. */
static int json_same(const routable_json_values *json, uint64_t place, json_t *value)
{
    uint64_t child = ROUTABLE_JSON_NOWHERE;
    size_t count = 0;
    switch (routable_json_kind_of(json, place)) {
    case ROUTABLE_JSON_NULL: return json_is_null(value);
    case ROUTABLE_JSON_BOOLEAN: return json_is_boolean(value) && json_is_true(value) == routable_json_boolean(json, place);
    case ROUTABLE_JSON_INTEGER: return json_is_integer(value) && json_integer_value(value) == routable_json_integer(json, place);
    case ROUTABLE_JSON_REAL: return json_is_real(value) && json_real_value(value) == routable_json_number(json, place);
    case ROUTABLE_JSON_STRING: {
        const routable_str text = routable_json_string(json, place);
        return json_is_string(value) && json_string_length(value) == text.len &&
               memcmp(json_string_value(value), text.ptr, text.len) == 0;
    }
    case ROUTABLE_JSON_ARRAY:
        if (!json_is_array(value)) return 0;
        for (; (child = routable_json_next(json, place, child)) != ROUTABLE_JSON_NOWHERE; count++)
            if (!json_same(json, child, json_array_get(value, count))) return 0;
        return count == json_array_size(value) && count == routable_json_count(json, place);
    case ROUTABLE_JSON_OBJECT:
        if (!json_is_object(value)) return 0;
        for (; (child = routable_json_next(json, place, child)) != ROUTABLE_JSON_NOWHERE; count++) {
            const routable_str key = routable_json_key(json, child);
            if (!json_same(json, child, json_object_getn(value, key.ptr, key.len))) return 0;
        }
        return count == json_object_size(value) && count == routable_json_count(json, place);
    default: return 0;
    }
}

static int json_has_wide(const routable_json_values *json, uint64_t place)
{
    uint64_t child = ROUTABLE_JSON_NOWHERE;
    if (routable_json_kind_of(json, place) == ROUTABLE_JSON_WIDE)
        return 1;
    while ((child = routable_json_next(json, place, child)) != ROUTABLE_JSON_NOWHERE)
        if (json_has_wide(json, child)) return 1;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* A copy of exactly this size, so that a read out of bounds is detected. */
    char *const text = (char *)malloc(size ? size : 1);
    routable_json_values *json = NULL;
    routable_error *error = NULL;
    json_error_t reason;
    json_t *value;
    routable_status status;
    memcpy(text, data, size);
    value = json_loadb(text, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, &reason);
    status = routable_json_values_read(text, size, &json, &error);
    if (status == ROUTABLE_OK) {
        /* The number can be the value of a duplicate key, which this check does not see. */
        EXPECT(value != NULL || json_has_wide(json, 0) || json_error_code(&reason) == json_error_numeric_overflow, "json: expected a refusal as jansson's, \"%s\"", reason.text);
        EXPECT(value == NULL || json_same(json, 0, value), "json: expected jansson's values");
    } else {
        EXPECT(status == ROUTABLE_ERR_JSON || status == ROUTABLE_ERR_LIMIT, "json: expected JSON or LIMIT, got %d", (int)status);
        /* jansson ignores a NUL after a number, and allows deeper nesting. */
        EXPECT(value == NULL || status == ROUTABLE_ERR_LIMIT || memchr(text, 0, size) != NULL, "json: expected a value, got \"%s\"",
            routable_error_message(error).ptr);
        EXPECT(json == NULL, "json: expected no output of a failed call");
    }
    routable_error_free(error);
    routable_json_values_free(json);
    json_decref(value);
    free(text);
    return 0;
}
