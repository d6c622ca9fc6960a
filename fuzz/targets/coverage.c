/* A coverage: any sequence of exchanges.  The report is JSON, counts every exchange, and declares a constant number of parts of each
 * kind, of which no more are used. */
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char coverage_document[] =
    "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"servers\":[{\"url\":\"http://h/v1\"}],\"components\":{\"schemas\":{"
    "\"T\":{\"type\":[\"object\",\"null\"],\"properties\":{\"k\":{\"enum\":[\"a\",1,2.5,null,[1],{\"x\":1}]},\"t\":{\"$ref\":\"#/components/schemas/T\"},"
    "\"o\":{\"oneOf\":[{\"$ref\":\"#/components/schemas/T\"},{\"type\":\"string\"},{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/T\"}}]}},"
    "\"patternProperties\":{\"^p\":{\"anyOf\":[{\"type\":\"integer\"},{\"enum\":[true,false]}]}},\"additionalProperties\":{\"$ref\":\"#/components/schemas/U\"}},"
    "\"U\":{\"oneOf\":[{\"$ref\":\"#/components/schemas/V\"},{\"$ref\":\"#/components/schemas/W\"}],\"discriminator\":{\"propertyName\":\"d\"}},"
    "\"V\":{\"properties\":{\"d\":{\"type\":\"string\"},\"u\":{\"$ref\":\"#/components/schemas/U\"}}},"
    "\"W\":{\"allOf\":[{\"$ref\":\"#/components/schemas/V\"},{\"if\":{\"required\":[\"u\"]},\"then\":{\"properties\":{\"x\":{\"enum\":[1]}}},\"else\":{\"enum\":[{}]}}]}}},"
    "\"paths\":{\"/a/{id}\":{\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":{\"enum\":[\"a\",\"b\"]}},"
    "{\"name\":\"q\",\"in\":\"query\",\"schema\":{\"$ref\":\"#/components/schemas/T\"},\"style\":\"deepObject\"},{\"name\":\"l\",\"in\":\"query\",\"schema\":{\"type\":\"array\",\"items\":{\"enum\":[1,2]}}}],"
    "\"get\":{\"operationId\":\"g\",\"responses\":{\"200\":{\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/T\"}}}},"
    "\"default\":{\"content\":{\"text/plain\":{},\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/U\"}}}}}},"
    "\"post\":{\"operationId\":\"p\",\"requestBody\":{\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/U\"}},"
    "\"application/x-www-form-urlencoded\":{\"schema\":{\"$ref\":\"#/components/schemas/T\"}}}},\"responses\":{\"2XX\":{\"description\":\"\"}}}}}}";

static const routable_router *coverage_router(void)
{
    static routable_router *router;
    if (!router) {
        FUZZ_LEAKS(disable);
        EXPECT(routable_router_open(coverage_document, ROUTABLE_NUL_TERMINATED, NULL, &router, NULL) == ROUTABLE_OK, "coverage: expected a router");
        FUZZ_LEAKS(enable);
    }
    return router;
}

static json_int_t coverage_number(const json_t *total, const char *kind, const char *name) { return json_integer_value(json_object_get(json_object_get(total, kind), name)); }

static void coverage_check(const routable_coverage *coverage, int count)
{
    static const char *const kinds[] = { "operation", "status", "parameter", "media_type", "value", "branch" };
    static const int declared[] = { 2, 3, 6, 5, 38, 21 };
    routable_string text = ROUTABLE_STRING_INIT;
    json_t *json;
    const json_t *total;
    size_t i;
    EXPECT(routable_coverage_to_json(coverage, &text, NULL) == ROUTABLE_OK, "coverage: expected JSON");
    json = json_loadb(text.ptr, text.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    EXPECT(json, "coverage: expected JSON, got %.300s", text.ptr);
    total = json_object_get(json, "total");
    EXPECT(json_integer_value(json_object_get(json, "requests")) == count, "coverage: expected %d requests", count);
    for (i = 0; i < 6; i++) {
        EXPECT(coverage_number(total, kinds[i], "declared") == declared[i], "coverage: expected %d of %s, got %d", declared[i], kinds[i],
            (int)coverage_number(total, kinds[i], "declared"));
        EXPECT(coverage_number(total, kinds[i], "used") <= declared[i], "coverage: expected no more used than declared");
    }
    json_decref(json);
    routable_string_free(&text);
    EXPECT(routable_coverage_to_text(coverage, ROUTABLE_COVERAGE_MISSING, &text, NULL) == ROUTABLE_OK, "coverage: expected a table");
    routable_string_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const methods[] = { "GET", "POST", "HEAD", "PUT" };
    static const char *const types[] = { "application/json", "text/plain", "application/x-www-form-urlencoded", "" };
    fuzz_input input = { (const char *)data, size };
    routable_coverage *coverage = NULL;
    int count;
    EXPECT(routable_coverage_new(coverage_router(), NULL, &coverage, NULL) == ROUTABLE_OK, "coverage: expected a coverage");
    for (count = 0; input.left && count < 16; count++) {
        const unsigned choice = fuzz_byte(&input);
        routable_incoming incoming = ROUTABLE_INCOMING_INIT;
        routable_header header = { ROUTABLE_STR_INIT("Content-Type"), { NULL, 0 } };
        const int32_t status = choice & 64 ? 200 : 100 + (int32_t)fuzz_byte(&input) * 3;
        incoming.method = methods[choice % 4];
        header.value = routable_str_from(types[choice / 4 % 4]);
        incoming.headers = &header, incoming.header_count = 1;
        incoming.target = fuzz_field(&input), incoming.body = fuzz_field(&input);
        EXPECT(routable_coverage_add(coverage, &incoming, status, types[choice / 16 % 4], fuzz_field(&input), NULL) == ROUTABLE_OK,
            "coverage: expected that an exchange is counted");
    }
    coverage_check(coverage, count);
    routable_coverage_free(coverage);
    return 0;
}
