/* values.c - scenarios: schemas, templates, forms, JSON values, splitters. */
#include "torture.h"

#include "routable_bodies.h"

#define FREE(type, object) DO(routable_##type##_free, object)
#define TAKEN(type) ((type *)o.object)

SCENARIO(schema)
{
    static const char text[] = "{\"type\":\"object\",\"properties\":{\"a\":{\"pattern\":\"^[a-f]{2,5}$\"},\"b\":{\"enum\":[1,\"x\",{}]},"
        "\"u\":{\"uniqueItems\":true},\"f\":{\"format\":\"date\"},\"r\":{\"$ref\":\"#\"}},\"patternProperties\":{\"^x-\":{\"type\":\"integer\"}},"
        "\"unevaluatedProperties\":false}";
    routable_schema_options options = ROUTABLE_SCHEMA_OPTIONS_INIT;
    const routable_document document = { ROUTABLE_STR_INIT("https://h.test/other.json"), ROUTABLE_STR_INIT("{\"type\":\"string\"}") };
    json_t *const value = json_pack("{s:s,s:i}", "a", "abc", "x-1", 3);
    routable_schema *schema;
    options.flags = ROUTABLE_SCHEMA_ASSERT_FORMATS, options.documents = &document, options.document_count = 1;
    CALL(routable_schema_open, LIT(text), &options, OBJECT(routable_schema), &error);
    schema = TAKEN(routable_schema);
    CALL(routable_schema_validate, schema, LIT("{\"a\":\"abc\",\"b\":{},\"x-1\":3,\"u\":[1,2,[3],{\"z\":\"\\u00e9\"}],\"f\":\"2020-01-01\",\"r\":{\"a\":\"ab\"}}"), 4, &error);
    CALL(routable_schema_validate_jansson, schema, value, 4, &error);
    expected = ROUTABLE_ERR_BODY;
    CALL(routable_schema_validate, schema, LIT("{\"a\":\"xyz\",\"b\":2,\"x-1\":\"3\",\"u\":[1,1],\"f\":\"no\",\"q\":0}"), 20, &error);
    NOTE_STR(routable_error_message(error));
    NOTE_STR(routable_error_message(routable_error_next(error)));
    routable_error_free(error);
    FREE(schema, schema);
    CALL(routable_schema_of_type, social, "Status", OBJECT(routable_schema), &error);
    schema = TAKEN(routable_schema);
    CALL(routable_schema_validate, schema, LIT("{\"text\":\"abc\"}"), 0, &error);
    FREE(schema, schema);
    json_decref(value);
}

SCENARIO(templates)
{
    const routable_argument values[] = { { "q", routable_value_json("[\"x y\",2]") }, { "r", routable_value_json("{\"a\":\"b\"}") }, { "s", routable_value_string("z") } };
    json_t *const object = json_pack("{s:[s,i],s:{s:s}}", "q", "x y", 2, "r", "a", "b");
    CALL(routable_template_expand, STR("/a{?q*,r}{/s:1}{#r*}"), values, 3, &o.text, &error);
    NOTE_TEXT();
    CALL(routable_template_expand_json, LIT("/a{?q*,r}"), LIT("{\"q\":[\"x y\",2],\"r\":{\"a\":\"b\"}}"), &o.text, &error);
    NOTE_TEXT();
    CALL(routable_template_expand_jansson, LIT("/a{?q*,r}"), object, &o.text, &error);
    NOTE_TEXT();
    json_decref(object);
}

SCENARIO(forms)
{
    json_t *tree;
    CALL(routable_form_to_json, LIT("a=1&b=x+y&c=%F0&a=2"), &o.text, &error);
    NOTE_TEXT();
    CALL(routable_form_to_jansson, LIT("a=1&b=x+y&c=%F0"), OBJECT(json_t), &error);
    tree = o.object;
    NOTE_NUMBER(json_array_size(tree));
    json_decref(tree);
    CALL(routable_media_type_normalize, STR("Text/HTML; Charset=\"utf-8\""), &o.text, &error);
    NOTE_TEXT();
}

SCENARIO(json_values)
{
    static const char text[] = "{\"a\":[1,2.5,true,null,\"x\\u00e9\\n\"],\"b\":{\"c\":12345678901234567890123456789012345678901234567890123456789012345678901234567890},\"d\":\"plain\"}";
    routable_json_values *json;
    routable_json_item items[4];
    uint64_t place, list;
    CALL(routable_json_values_read, LIT(text), OBJECT(routable_json_values), &error);
    json = TAKEN(routable_json_values);
    NOTE_NUMBER(VALUE(routable_json_kind_of, json, 0));
    NOTE_NUMBER(VALUE(routable_json_count, json, 0));
    list = VALUE(routable_json_member, json, 0, STR("a"));
    for (place = VALUE(routable_json_next, json, list, ROUTABLE_JSON_NOWHERE); place != ROUTABLE_JSON_NOWHERE; place = VALUE(routable_json_next, json, list, place)) {
        NOTE_NUMBER(VALUE(routable_json_integer, json, place));
        NOTE_NUMBER(VALUE(routable_json_boolean, json, place));
        NOTE_STR(VALUE(routable_json_string, json, place));
        NOTE_STR(VALUE(routable_json_text, json, place));
        NOTE_NUMBER(VALUE(routable_json_offset, json, place));
    }
    NOTE_NUMBER(VALUE(routable_json_children, json, list, ROUTABLE_JSON_NOWHERE, items, 4));
    place = VALUE(routable_json_at, json, STR("/b/c"));
    note("%g;", VALUE(routable_json_number, json, place));
    place = VALUE(routable_json_next, json, 0, ROUTABLE_JSON_NOWHERE);
    NOTE_STR(VALUE(routable_json_key, json, place));
    NOTE_NUMBER(VALUE(routable_json_element, json, list, 3) != ROUTABLE_JSON_NOWHERE);
    FREE(json_values, json);
    expected = ROUTABLE_ERR_JSON;
    CALL(routable_json_values_read, LIT("{\"a\":[1,}"), OBJECT(routable_json_values), &error);
    NOTE_STR(routable_error_message(error));
    routable_error_free(error);
}

SCENARIO(splitter)
{
    routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
    routable_splitter *splitter;
    options.kind = ROUTABLE_STREAM_EVENTS;
    options.last_event_id = STR("0");
    CALL(routable_splitter_new, &options, OBJECT(routable_splitter), &error);
    splitter = TAKEN(routable_splitter);
    CALL(routable_splitter_feed, splitter, STR("retry: 7\nid: 3\nevent: e\ndata: one\ndata: two\n\nda"), &error);
    CALL(routable_splitter_next, splitter, &o.item, &error);
    NOTE_STR(o.item.data);
    NOTE_STR(o.item.event);
    NOTE_STR(o.item.id);
    CALL(routable_splitter_feed, splitter, STR("ta: three\n\n"), &error);
    CALL(routable_splitter_next, splitter, &o.item, &error);
    NOTE_STR(o.item.data);
    DO(routable_splitter_end, splitter);
    CALL(routable_splitter_next, splitter, &o.item, &error);
    NOTE_NUMBER(VALUE(routable_splitter_retry_ms, splitter));
    FREE(splitter, splitter);
    options.kind = ROUTABLE_STREAM_LINES;
    CALL(routable_splitter_new, &options, OBJECT(routable_splitter), &error);
    splitter = TAKEN(routable_splitter);
    CALL(routable_splitter_feed, splitter, STR("one\r\ntwo"), &error);
    CALL(routable_splitter_next, splitter, &o.item, &error);
    NOTE_STR(o.item.data);
    DO(routable_splitter_end, splitter);
    CALL(routable_splitter_next, splitter, &o.item, &error);
    NOTE_STR(o.item.data);
    FREE(splitter, splitter);
}

const scenario value_scenarios[] = {
    { "schema", schema }, { "templates", templates }, { "forms", forms }, { "JSON values", json_values }, { "splitter", splitter },
    { NULL, NULL }
};
