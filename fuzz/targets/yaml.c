/* YAML: the result is JSON; for JSON it is the same value; an error has a single line and a position. */
#define _GNU_SOURCE /* for memmem */
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* yaml.swift */
int32_t fuzz_yaml_read(const uint8_t *text, size_t count, char **json, size_t *length, size_t *line, size_t *column);
void fuzz_yaml_free(char *text);

static int yaml_has(const uint8_t *data, size_t size, const char *bytes)
{
    return memmem(data, size, bytes, strlen(bytes)) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t flags = JSON_DECODE_ANY | JSON_ALLOW_NUL;
    char *text = NULL;
    size_t length = 0, line = 0, column = 0, lines = 1, i;
    json_error_t error;
    json_t *read, *given;
    const int32_t status = fuzz_yaml_read(data, size, &text, &length, &line, &column);
    for (i = 0; i < size; i++)
        /* NEL, LS and PS also end lines */
        lines += data[i] == '\n' || data[i] == '\r' || data[i] == 0x85 || data[i] == 0xA8 || data[i] == 0xA9;
    EXPECT(line <= lines + 1, "yaml: expected a line of %zu, got %zu", lines, line);
    if (status != ROUTABLE_OK) {
        EXPECT(status == ROUTABLE_ERR_JSON || status == ROUTABLE_ERR_LIMIT, "yaml: expected JSON or LIMIT, got %s", routable_status_name(status));
        EXPECT(length > 0 && !memchr(text, '\n', length), "yaml: expected one line, got \"%s\"", text);
        EXPECT(status == ROUTABLE_ERR_LIMIT || line > 0, "yaml: expected a line for \"%s\"", text);
        fuzz_yaml_free(text);
        return 0;
    }
    read = json_loadb(text, length, flags, &error);
    EXPECT(read || json_error_code(&error) == json_error_numeric_overflow || json_error_code(&error) == json_error_null_byte_in_key,
        "yaml: expected JSON, got \"%s\": %s", text, error.text);
    /* YAML folds these line breaks within strings, and JSON does not. */
    given = yaml_has(data, size, "\xC2\x85") || yaml_has(data, size, "\xE2\x80\xA8") || yaml_has(data, size, "\xE2\x80\xA9")
        ? NULL : json_loadb((const char *)data, size, flags | JSON_REJECT_DUPLICATES, &error);
    if (read && given)
        EXPECT(json_equal(read, given), "yaml: expected the value of \"%.*s\", got \"%s\"", (int)size, (const char *)data, text);
    json_decref(given);
    json_decref(read);
    fuzz_yaml_free(text);
    return 0;
}
