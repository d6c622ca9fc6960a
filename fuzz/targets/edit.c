/* Edits of a request: headers and bodies of any bytes, and the curl command of the result, which a shell must parse as
 * exactly the intended words. */
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char edit_document[] =
    "{\"routable\":1,\"base\":\"http://h\",\"headers\":{\"X-All\":\"1\",\"x-all-2\":\"2\"},"
    "\"operations\":{\"send\":{\"post\":\"/send\",\"body_as\":\"bytes\"}}}";

static size_t edit_count(const routable_request *request, const char *name)
{
    size_t i, found = 0;
    for (i = 0; i < routable_request_header_count(request); i++) {
        const routable_str got = routable_request_header_at(request, i).name;
        size_t k;
        for (k = 0; k < got.len && name[k]; k++) {
            const int a = got.ptr[k] >= 'A' && got.ptr[k] <= 'Z' ? got.ptr[k] + 32 : got.ptr[k];
            const int b = name[k] >= 'A' && name[k] <= 'Z' ? name[k] + 32 : name[k];
            if (a != b)
                break;
        }
        found += k == got.len && name[k] == '\0';
    }
    return found;
}

static int edit_is_field(routable_str value)
{
    size_t i;
    for (i = 0; i < value.len; i++)
        if (((unsigned char)value.ptr[i] < 0x20 && value.ptr[i] != '\t') || value.ptr[i] == 0x7F)
            return 0;
    /* White space around a value is not part of the value in HTTP: it is refused, not removed. */
    return !value.len || (!strchr(" \t", value.ptr[0]) && !strchr(" \t", value.ptr[value.len - 1]));
}

static void edit_set_header(routable_request *request, const char *name, routable_str value)
{
    static const routable_status allowed[] = { ROUTABLE_ERR_HEADER, ROUTABLE_ERR_LIMIT, ROUTABLE_OK };
    const size_t before = routable_request_header_count(request), of_name = edit_count(request, name);
    routable_error *error = NULL;
    const routable_status status = routable_request_set_header(request, name, value, &error);
    if (status == ROUTABLE_OK) {
        size_t i, found = 0;
        EXPECT(fuzz_is_token(routable_str_from(name)) && edit_is_field(value), "set: expected header, got ok for \"%s\"", name);
        EXPECT(edit_count(request, name) == 1, "set: expected one %s, got %zu", name, edit_count(request, name));
        EXPECT(routable_request_header_count(request) == before - of_name + 1, "set: expected %zu headers, got %zu",
            before - of_name + 1, routable_request_header_count(request));
        for (i = 0; i < routable_request_header_count(request); i++)
            found += fuzz_same(routable_request_header_at(request, i).name, routable_str_from(name)) &&
                fuzz_same(routable_request_header_at(request, i).value, value);
        EXPECT(found == 1, "set: expected the value of %s as it was", name);
    } else {
        EXPECT(!fuzz_is_token(routable_str_from(name)) || !edit_is_field(value) || status == ROUTABLE_ERR_LIMIT,
            "set: expected ok for \"%s\", got %s", name, routable_status_name(status));
        EXPECT(routable_request_header_count(request) == before, "set: expected no change with %s",
            routable_status_name(status));
    }
    fuzz_check_error("set", status, allowed, error, NULL);
}

static void edit_remove_header(routable_request *request, const char *name)
{
    const size_t before = routable_request_header_count(request), of_name = edit_count(request, name);
    routable_error *error = NULL;
    const routable_status status = routable_request_remove_header(request, name, &error);
    if (status == ROUTABLE_OK)
        EXPECT(routable_request_header_count(request) == before - of_name && edit_count(request, name) == 0,
            "remove: expected no %s", name);
    fuzz_check_error("remove", status, (const routable_status[]){ ROUTABLE_ERR_HEADER, ROUTABLE_OK }, error, NULL);
}

static void edit_set_body(routable_request *request, routable_str body, const char *content_type)
{
    static const routable_status allowed[] = { ROUTABLE_ERR_HEADER, ROUTABLE_ERR_LIMIT, ROUTABLE_OK };
    const routable_str was = routable_request_body(request);
    const int32_t had = routable_request_has_body(request);
    routable_error *error = NULL;
    const routable_status status = routable_request_set_body(request, body, content_type, &error);
    if (status == ROUTABLE_OK) {
        EXPECT(routable_request_has_body(request) && fuzz_same(routable_request_body(request), body),
            "body: expected the body as it was");
        if (content_type)
            EXPECT(edit_count(request, "content-type") == 1, "body: expected one Content-Type");
    } else {
        EXPECT(routable_request_has_body(request) == had && fuzz_same(routable_request_body(request), was),
            "body: expected no change with %s", routable_status_name(status));
    }
    fuzz_check_error("body", status, allowed, error, NULL);
}

/* --- The curl command, parsed like a POSIX shell --- */

/* The next word without its quotes; NULL at the end, and for any character that a shell would interpret.  The caller frees it. */
static char *edit_word(const char **at)
{
    const char *from = *at;
    char *const word = (char *)malloc(strlen(from) + 1);
    size_t length = 0;
    while (*from == ' ' || *from == '\t' || (from[0] == '\\' && from[1] == '\n'))
        from += from[0] == '\\' ? 2 : 1;
    if (!*from) {
        free(word);
        return NULL;
    }
    while (*from && *from != ' ' && *from != '\t' && !(from[0] == '\\' && from[1] == '\n')) {
        if (*from == '\'') {
            for (from++; *from != '\''; from++) {
                EXPECT(*from, "curl line: expected that a quote ends");
                word[length++] = *from;
            }
            from++;
        } else if (*from == '\\') {
            EXPECT(from[1] == '\'', "curl line: expected a quote after a backslash, got %c", from[1]);
            word[length++] = from[1];
            from += 2;
        } else {
            EXPECT(strchr("abcdefghijklmnopqrstuvwxyz-X@H|", *from), "curl line: expected no bare %c", *from);
            word[length++] = *from++;
        }
    }
    word[length] = '\0';
    *at = from;
    return word;
}

/* The words are: curl -X METHOD, -H NAME: VALUE for each header, the body, the URL. */
static void edit_check_line(const routable_request *request, uint32_t flags)
{
    routable_string line = { NULL, 0 };
    const char *at;
    char *word;
    size_t headers = 0, urls = 0, bodies = 0;
    const routable_str body = routable_request_body(request);
    const int piped = memchr(body.ptr, 0, body.len) != NULL;
    EXPECT(routable_request_to_curl(request, flags, &line, NULL) == ROUTABLE_OK, "curl line: expected one");
    EXPECT(strlen(line.ptr) == line.len, "curl line: expected no NUL");
    at = line.ptr;
    if (piped) {
        EXPECT(strncmp(at, "printf ", 7) == 0 && strstr(at, " | curl "), "curl line: expected printf, got %s", at);
        at = strstr(at, " | ") + 3; /* the octal text contains no space */
    }
    while ((word = edit_word(&at)) != NULL) {
        char *value = NULL;
        if (strcmp(word, "-H") == 0) {
            const routable_header header = routable_request_header_at(request, headers++);
            value = edit_word(&at);
            EXPECT(value && strncmp(value, header.name.ptr, header.name.len) == 0, "curl line: expected %s, got %s",
                header.name.ptr, value);
            if (header.value.len == 0)
                EXPECT(strcmp(value + header.name.len, ";") == 0 || strcmp(value + header.name.len, ": ***") == 0,
                    "curl line: expected %s;, got %s", header.name.ptr, value);
            else if (flags)
                EXPECT(strncmp(value + header.name.len, ": ", 2) == 0 &&
                        strcmp(value + header.name.len + 2, header.value.ptr) == 0,
                    "curl line: expected \"%s: %s\", got \"%s\"", header.name.ptr, header.value.ptr, value);
        } else if (strcmp(word, "--url") == 0) {
            value = edit_word(&at);
            urls += value && strcmp(value, routable_request_url(request).ptr) == 0;
        } else if (strncmp(word, "--data", 6) == 0) {
            value = edit_word(&at);
            EXPECT(value && (piped ? strcmp(value, "@-") == 0 : strcmp(value, body.ptr) == 0),
                "curl line: expected the body \"%s\", got \"%s\"", body.ptr, value);
            EXPECT(piped || strcmp(word, "--data-raw") == 0 || value[0] != '@', "curl line: expected no file, got %s", value);
            bodies++;
        }
        free(value);
        free(word);
    }
    EXPECT(headers == routable_request_header_count(request), "curl line: expected %zu headers, got %zu",
        routable_request_header_count(request), headers);
    EXPECT(urls == 1, "curl line: expected the URL once");
    EXPECT(bodies == (routable_request_has_body(request) != 0), "curl line: expected the body once");
    routable_string_free(&line);
}

/* The command is the same for every value of the secret. */
static void edit_check_secret(routable_request *request, routable_str secret)
{
    static const char *const names[] = { "Authorization", "COOKIE", "x-api-key" };
    size_t i;
    for (i = 0; i < sizeof names / sizeof *names; i++) {
        routable_string one = { NULL, 0 }, other = { NULL, 0 };
        if (routable_request_set_header(request, names[i], secret, NULL) != ROUTABLE_OK)
            continue;
        EXPECT(routable_request_to_curl(request, 0, &one, NULL) == ROUTABLE_OK, "curl line: expected one");
        EXPECT(routable_request_set_header(request, names[i], routable_str_from("x"), NULL) == ROUTABLE_OK, "secret: expected ok");
        EXPECT(routable_request_to_curl(request, 0, &other, NULL) == ROUTABLE_OK, "curl line: expected one");
        EXPECT(one.len == other.len && memcmp(one.ptr, other.ptr, one.len) == 0,
            "curl line: expected the same for every secret\n%s\ngot\n%s", other.ptr, one.ptr);
        routable_string_free(&one);
        routable_string_free(&other);
    }
}

/* A byte selects the edit: h set a header, r remove one, b set the body, t set it with a content type, n remove the body,
 * s add a secret. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static routable_router *kept;
    const routable_router *const router = fuzz_router(&kept, edit_document);
    fuzz_input input = { (const char *)data, size };
    routable_call call = ROUTABLE_CALL_INIT;
    routable_request *request = NULL;
    routable_string json = { NULL, 0 };
    size_t turn, i;
    call.operation = "send";
    EXPECT(routable_request_new(router, &call, &request, NULL) == ROUTABLE_OK, "edit: expected a request");
    for (turn = 0; turn < 16 && input.left; turn++) {
        const unsigned what = fuzz_byte(&input);
        char *const name = fuzz_name(&input);
        if (what == 'r')
            edit_remove_header(request, name);
        else if (what == 'b')
            edit_set_body(request, fuzz_field(&input), NULL);
        else if (what == 't')
            edit_set_body(request, fuzz_field(&input), name);
        else if (what == 'n')
            EXPECT(routable_request_remove_body(request, NULL) == ROUTABLE_OK && !routable_request_has_body(request),
                "edit: expected no body");
        else if (what != 's')
            edit_set_header(request, name, fuzz_field(&input));
        else
            edit_check_secret(request, routable_str_from(name));
        free(name);
    }
    for (i = 0; i < routable_request_header_count(request); i++)
        fuzz_check_header("edit", routable_request_header_at(request, i));
    edit_check_line(request, 0);
    edit_check_line(request, ROUTABLE_SHOW_SECRETS);
    EXPECT(routable_request_to_json(request, &json, NULL) == ROUTABLE_OK, "edit: expected JSON");
    json_decref(fuzz_json("edit", (routable_str){ json.ptr, json.len }));
    routable_string_free(&json);
    routable_request_free(request);
    return 0;
}
