/* Schemas: a dialect and flags, a schema, a document that it can reference, and a JSON value. A JSON string and its json_t
 * have the same result, with one reason or several, and every reason has a pointer into the value. */
#include "../fuzz.h"

#include "routable_jansson.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The number of tokens of a pointer that exist: all except the last one of a member that is not allowed or missing. */
static int schema_leads(const json_t *value, routable_str pointer)
{
    char *const path = (char *)malloc(pointer.len + 1);
    char *token, *rest = path;
    memcpy(path, pointer.ptr, pointer.len);
    path[pointer.len] = '\0';
    while (value && (token = strchr(rest, '/')) != NULL) {
        char *end = strchr(token + 1, '/'), *from, *to;
        char kept = 0;
        if (end)
            kept = *end, *end = '\0';
        for (from = to = token + 1; *from; from++)
            *to++ = from[0] == '~' && from[1] == '1' ? (from++, '/') : from[0] == '~' && from[1] == '0' ? (from++, '~') : *from;
        *to = '\0';
        value = json_is_array(value) ? json_array_get(value, (size_t)strtoul(token + 1, NULL, 10))
                                     : json_object_get(value, token + 1);
        if (!end)
            break;
        *end = kept;
        rest = end;
    }
    free(path);
    return value != NULL;
}

static void schema_check(const routable_schema *schema, routable_str text)
{
    static const routable_status allowed[] = { ROUTABLE_ERR_JSON, ROUTABLE_ERR_BODY, ROUTABLE_ERR_LIMIT, ROUTABLE_OK };
    routable_error *error = NULL;
    /* jansson ignores a NUL after a number. */
    json_t *const tree = memchr(text.ptr, 0, text.len) ? NULL : json_loadb(text.ptr, text.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    const routable_status status = routable_schema_validate(schema, text.ptr, text.len, 8, &error);
    const routable_status alone = routable_schema_validate(schema, text.ptr, text.len, 1, NULL);
    EXPECT(status == alone, "schema: expected %s whatever is asked for, got %s", routable_status_name(status),
        routable_status_name(alone));
    if (tree && status == ROUTABLE_ERR_BODY) {
        const routable_error *next;
        for (next = error; next; next = routable_error_next(next))
            EXPECT(schema_leads(tree, routable_error_pointer(next)), "schema: expected a pointer into the value, got %s",
                routable_error_pointer(next).ptr);
    }
    fuzz_check_error("schema: text", status, allowed, error, &text);
    error = NULL;
    if (tree) {
        const routable_status other = routable_schema_validate_jansson(schema, tree, 1, &error);
        EXPECT(other == status || status == ROUTABLE_ERR_LIMIT || other == ROUTABLE_ERR_LIMIT,
            "schema: expected %s from the tree too, got %s", routable_status_name(status), routable_status_name(other));
        fuzz_check_error("schema: tree", other, allowed, error, NULL);
    }
    json_decref(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const routable_status allowed[] = { ROUTABLE_ERR_JSON, ROUTABLE_ERR_DOCUMENT, ROUTABLE_ERR_LIMIT, ROUTABLE_OK };
    fuzz_input input = { (const char *)data, size };
    const unsigned choice = fuzz_byte(&input);
    const routable_str text = fuzz_field(&input), other = fuzz_field(&input), value = fuzz_rest(&input);
    routable_schema_options options = ROUTABLE_SCHEMA_OPTIONS_INIT;
    routable_document document;
    routable_schema *schema = FUZZ_UNTOUCHED(routable_schema);
    routable_error *error = NULL;
    routable_status status;
    document.uri = routable_str_from("http://h/other.json");
    document.json = other;
    options.uri = "http://h/schema.json";
    options.documents = &document;
    options.document_count = other.len > 0;
    options.dialect = (routable_dialect)(choice % 3);
    options.flags = choice & 4 ? ROUTABLE_SCHEMA_ASSERT_FORMATS : 0;
    status = routable_schema_open(text.ptr, text.len, &options, &schema, &error);
    fuzz_check_error("schema", status, allowed, error, NULL);
    if (status != ROUTABLE_OK) {
        EXPECT(schema == FUZZ_UNTOUCHED(routable_schema), "schema: expected an untouched output");
        return 0;
    }
    schema_check(schema, value);
    routable_schema_free(schema);
    return 0;
}
