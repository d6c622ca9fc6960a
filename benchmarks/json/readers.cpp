// JSON readers of other libraries, timed in the callee, so that all have the same overhead.
#include <jansson.h>
#include <rapidjson/document.h>
#include <simdjson.h>

#include <chrono>
#include <cstring>

extern "C" {
#include "routable_schema.h"
}

using clock_type = std::chrono::steady_clock;

template <typename Work> static double microseconds(int count, Work work)
{
    const auto start = clock_type::now();
    for (int index = 0; index < count; index++)
        if (!work()) return -1;
    return std::chrono::duration<double, std::micro>(clock_type::now() - start).count() / count;
}

extern "C" double time_jansson(const char *text, size_t length, int count)
{
    return microseconds(count, [&] {
        json_t *value = json_loadb(text, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, nullptr);
        json_decref(value);
        return value != nullptr;
    });
}

extern "C" double time_rapidjson(const char *text, size_t length, int count)
{
    return microseconds(count, [&] {
        rapidjson::Document document;
        document.Parse(text, length);
        return !document.HasParseError();
    });
}

extern "C" double time_simdjson(const char *text, size_t length, int count)
{
    simdjson::padded_string padded(text, length);
    simdjson::dom::parser parser;
    return microseconds(count, [&] { return parser.parse(padded).error() == simdjson::SUCCESS; });
}

extern "C" double time_routable(const char *text, size_t length, const char *schema_text, int count)
{
    routable_schema *schema = nullptr;
    if (routable_schema_open(schema_text, std::strlen(schema_text), nullptr, &schema, nullptr)) return -1;
    const double result = microseconds(count, [&] { return routable_schema_validate(schema, text, length, 1, nullptr) == ROUTABLE_OK; });
    routable_schema_free(schema);
    return result;
}
