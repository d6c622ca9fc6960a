/* values.c - readers of values: JSON, forms, parameters, URI templates, paths, media types, streams. */
#include "readers.h"

static unsigned chosen(char byte, unsigned count) { return (unsigned)((unsigned char)byte - 'a') % count; }

/* --- JSON --- */

static routable_status read_value(const char *bytes, size_t count)
{
    static const char *const texts[] = { "{\"not\":{\"const\":false}}", "{\"uniqueItems\":true}", "{\"multipleOf\":7}",
        "{\"multipleOf\":123456789012345678901234567891}", "{\"minimum\":2e400}", "{\"additionalProperties\":{\"items\":{\"type\":\"string\"}}}",
        "{\"items\":{\"properties\":{\"id\":{\"type\":\"integer\"},\"name\":{\"enum\":[\"x\"]}},\"required\":[\"id\"],\"unevaluatedProperties\":false}}",
        "{\"patternProperties\":{\"^k\":{\"type\":\"integer\"}},\"propertyNames\":{\"maxLength\":9}}", "{\"anyOf\":[{\"items\":{\"$ref\":\"#\"}},{\"type\":\"null\"}]}",
        "{\"enum\":[[1,{\"a\":2}],\"x\",1e400,{}]}", "{\"format\":\"date-time\",\"pattern\":\"^(a+)+$\"}",
        "{\"unevaluatedItems\":{\"type\":\"array\"},\"prefixItems\":[true,false],\"maxProperties\":3,\"dependentRequired\":{\"a\":[\"b\"]}}" };
    static routable_schema *kept[sizeof texts / sizeof *texts];
    const unsigned which = count ? chosen(*bytes, sizeof texts / sizeof *texts) : 0;
    const routable_str text = routable_str_from_bytes(bytes + (count != 0), count - (count != 0));
    routable_error *error = NULL;
    if (!kept[which]) {
        FUZZ_LEAKS(disable);
        EXPECT(routable_schema_open(texts[which], ROUTABLE_NUL_TERMINATED, NULL, &kept[which], NULL) == ROUTABLE_OK, "value: expected a schema");
        FUZZ_LEAKS(enable);
    }
    return reader_end("validate", routable_schema_validate(kept[which], text.ptr, text.len, which == 5 ? 256 : 1, &error), &error, &text);
}

static routable_status read_json(const char *bytes, size_t count)
{
    const routable_str text = routable_str_from_bytes(bytes, count);
    routable_json_values *json = NULL;
    routable_error *error = NULL;
    const routable_status status = reader_end("json", routable_json_values_read(bytes, count, &json, &error), &error, &text);
    uint64_t child = ROUTABLE_JSON_NOWHERE;
    if (status == ROUTABLE_OK) {
        while ((child = routable_json_next(json, 0, child)) != ROUTABLE_JSON_NOWHERE) {
            EXPECT(routable_json_kind_of(json, child) != ROUTABLE_JSON_NONE, "json: expected a kind");
            routable_json_key(json, child);
            routable_json_string(json, child);
            routable_json_number(json, child);
            EXPECT(routable_json_text(json, child).len <= count, "json: expected text inside of %zu bytes", count);
        }
        routable_json_at(json, ROUTABLE_STR("/a/0/b"));
    }
    routable_json_values_free(json);
    return status;
}

/* --- Forms, parameters, templates --- */

static routable_status read_form(const char *bytes, size_t count)
{
    routable_string out = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    const routable_status status = reader_end("form", routable_form_to_json(bytes, count, &out, &error), &error, NULL);
    routable_string_free(&out);
    return status;
}

static const char parameters[] =
    "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"servers\":[{\"url\":\"http://h\"}],\"paths\":{\"/a/{p}/{m}/{l}\":{\"get\":{"
    "\"operationId\":\"a\",\"responses\":{},\"parameters\":["
    "{\"name\":\"p\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}},"
    "{\"name\":\"m\",\"in\":\"path\",\"required\":true,\"style\":\"matrix\",\"explode\":true,\"schema\":{\"type\":\"object\"}},"
    "{\"name\":\"l\",\"in\":\"path\",\"required\":true,\"style\":\"label\",\"explode\":true,\"schema\":{\"type\":\"object\"}},"
    "{\"name\":\"q\",\"in\":\"query\",\"style\":\"deepObject\",\"explode\":true,\"schema\":{\"type\":\"object\"}},"
    "{\"name\":\"k\",\"in\":\"query\",\"explode\":true,\"schema\":{\"type\":\"object\"}},"
    "{\"name\":\"x\",\"in\":\"query\",\"style\":\"pipeDelimited\",\"explode\":false,\"schema\":{\"type\":\"array\"}},"
    "{\"name\":\"y\",\"in\":\"query\",\"style\":\"spaceDelimited\",\"explode\":false,\"schema\":{\"type\":\"object\"}},"
    "{\"name\":\"z\",\"in\":\"query\",\"schema\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}}},"
    "{\"name\":\"j\",\"in\":\"query\",\"content\":{\"application/json\":{}}},"
    "{\"name\":\"h\",\"in\":\"header\",\"explode\":true,\"schema\":{\"type\":\"object\"}},"
    "{\"name\":\"i\",\"in\":\"header\",\"schema\":{\"type\":\"array\"}},"
    "{\"name\":\"c\",\"in\":\"cookie\",\"schema\":{\"type\":\"array\"}}]}}}}";

static routable_status read_parameter(const char *bytes, size_t count)
{
    static routable_router *kept;
    const routable_router *const router = fuzz_router(&kept, parameters);
    const routable_operation *const operation = routable_router_operation_at(router, 0);
    const size_t index = count ? chosen(*bytes, 12) : 0;
    routable_string out = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    routable_status status = routable_parameter_read(
        router, operation, index, routable_str_from_bytes(bytes + (count != 0), count - (count != 0)), &out, &error);
    if (status != ROUTABLE_NO_MATCH)
        status = reader_end("parameter", status, &error, NULL);
    routable_string_free(&out);
    return status;
}

static routable_status read_template(const char *bytes, size_t count)
{
    fuzz_input input = { bytes, count };
    const routable_str template = fuzz_field(&input), values = fuzz_rest(&input);
    routable_string out = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    const routable_status status = reader_end(
        "template", routable_template_expand_json(template.ptr, template.len, values.ptr, values.len, &out, &error), &error, NULL);
    routable_string_free(&out);
    return status;
}

/* --- Paths, media types, streams --- */

static const char paths[] =
    "{\"routable\":1,\"base\":\"http://h/v1\",\"resources\":{"
    "\"user\":{\"path\":\"users\",\"id\":\"name\",\"can\":[\"list\",\"read\",\"create\",\"update\",\"delete\"],\"has\":[\"post\"],"
    "\"collection\":{\"new\":{\"get\":\"new\"}}},"
    "\"post\":{\"path\":\"posts\",\"id\":{\"name\":\"n\",\"type\":\"integer\"},\"can\":[\"list\",\"read\"],\"has\":[\"user\"]}},"
    "\"operations\":{\"file\":{\"get\":\"/files/{name}.json\"},\"pair\":{\"get\":\"/pairs/{a}-{b}\"},"
    "\"span\":{\"get\":\"/spans/{base}...{head}\"},\"rest\":{\"get\":\"/rest/{path*}\"},\"all\":{\"post\":\"/{path*}\"},"
    "\"mid\":{\"get\":\"/mid/{path...}/end\"},\"uuid\":{\"get\":\"/ids/{u}\",\"ids\":{\"u\":{\"format\":\"uuid\"}}},\"id\":{\"get\":\"/ids/{x}\"}}}";

static routable_status read_path(const char *bytes, size_t count)
{
    static routable_router *kept;
    const routable_router *const router = fuzz_router(&kept, paths);
    const uint32_t flags = count ? (unsigned char)*bytes & 31 : 0;
    const routable_str path = routable_str_from_bytes(bytes + (count != 0), count - (count != 0));
    routable_match match;
    uint32_t i;
    const routable_status status = routable_router_match(router, NULL, path, flags, &match);
    if (status == ROUTABLE_OK)
        for (i = 0; i < match.capture_count; i++)
            EXPECT(match.captures[i].offset <= path.len && match.captures[i].length <= path.len - match.captures[i].offset,
                "path: expected a capture inside of %zu bytes", path.len);
    return status;
}

/* The same, with the values of the captures. */
static routable_status read_captures(const char *bytes, size_t count)
{
    static routable_router *kept;
    const routable_router *const router = fuzz_router(&kept, paths);
    const uint32_t flags = count ? (unsigned char)*bytes & 31 : 0;
    const routable_str path = routable_str_from_bytes(bytes + (count != 0), count - (count != 0));
    routable_match match;
    uint32_t i;
    const routable_status status = routable_router_match(router, NULL, path, flags, &match);
    for (i = 0; status == ROUTABLE_OK && i < match.capture_count; i++) {
        routable_string value = ROUTABLE_STRING_INIT;
        EXPECT(routable_match_value(&match, path, i, &value) == ROUTABLE_OK, "path: expected the value of a capture");
        routable_string_free(&value);
    }
    return status;
}

static routable_status read_media(const char *bytes, size_t count)
{
    routable_string out = ROUTABLE_STRING_INIT;
    routable_error *error = NULL;
    const routable_status status =
        reader_end("media", routable_media_type_normalize(routable_str_from_bytes(bytes, count), &out, &error), &error, NULL);
    routable_string_free(&out);
    return status;
}

static routable_status read_stream(const char *bytes, size_t count)
{
    routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
    routable_splitter *splitter = NULL;
    routable_stream_item item = ROUTABLE_STREAM_ITEM_INIT;
    routable_error *error = NULL;
    routable_status status;
    options.kind = (routable_stream_kind)(count ? chosen(*bytes, 3) : 0);
    EXPECT(routable_splitter_new(&options, &splitter, NULL) == ROUTABLE_OK, "stream: expected a splitter");
    status = reader_end(
        "stream", routable_splitter_feed(splitter, routable_str_from_bytes(bytes + (count != 0), count - (count != 0)), &error), &error, NULL);
    routable_splitter_end(splitter);
    while (status == ROUTABLE_OK)
        status = routable_splitter_next(splitter, &item, NULL);
    routable_splitter_free(splitter);
    return status;
}

const reader value_readers[] = {
    { "value", "value", "routable_schema_validate", read_value, 0 },
    { "json", "json", "routable_json_values_read", read_json, 0 },
    { "form", "form", "routable_form_to_json", read_form, 0 },
    { "parameter", "parameter", "routable_parameter_read", read_parameter, 0 },
    { "template", "template", "routable_template_expand_json", read_template, 0 },
    { "path", "path", "routable_router_match", read_path, 0 },
    { "captures", "path", "routable_match_value", read_captures, 0 },
    { "media", "media", "routable_media_type_normalize", read_media, 0 },
    { "stream", "stream", "routable_splitter_feed, next", read_stream, 0 },
    { NULL, NULL, NULL, NULL, 0 },
};
