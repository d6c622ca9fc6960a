/* fuzz.h - shared functions of the fuzz targets.
 *
 * A target is one LLVMFuzzerTestOneInput over the public header.  It asserts more than the survival of the process: a
 * failed call writes no output, returns one of the statuses of its declaration, and an error that is valid JSON; the
 * result of a successful call can be read back.
 *
 * Tests/c/test_fuzz_finds.c compiles the same targets into a test that replays all stored inputs; FUZZ_FAIL reports a
 * find to that test.  All names of a target begin with its own name, so that one file can contain all targets.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "routable.h"

#ifndef FUZZ_FAIL
#define FUZZ_FAIL(...) (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), abort())
#endif

/* The arguments after the condition state the expected and the actual value. */
#define EXPECT(condition, ...) \
    do { \
        if (!(condition)) \
            FUZZ_FAIL(__VA_ARGS__); \
    } while (0)

#ifdef __has_feature
#  if __has_feature(address_sanitizer)
#    include <sanitizer/lsan_interface.h>
#    define FUZZ_LEAKS(what) __lsan_##what()
#  endif
#endif
#ifndef FUZZ_LEAKS
#  define FUZZ_LEAKS(what) ((void)0)
#endif

/* The value of an output before a call that must not write it. */
#define FUZZ_UNTOUCHED(type) ((type *)(uintptr_t)0x5A5A5A5A)

/* --- Inputs of several fields: 0xFF, which never occurs in UTF-8, ends a field --- */

typedef struct fuzz_input {
    const char *next;
    size_t left;
} fuzz_input;

static inline routable_str fuzz_field(fuzz_input *input)
{
    const char *const end = input->left ? (const char *)memchr(input->next, 0xFF, input->left) : NULL;
    routable_str field;
    field.ptr = input->left ? input->next : "";
    field.len = end ? (size_t)(end - input->next) : input->left;
    input->next += field.len + (end != NULL);
    input->left -= field.len + (end != NULL);
    return field;
}

static inline routable_str fuzz_rest(const fuzz_input *input)
{
    routable_str rest;
    rest.ptr = input->left ? input->next : "";
    rest.len = input->left;
    return rest;
}

static inline unsigned fuzz_byte(fuzz_input *input)
{
    if (!input->left)
        return 0;
    input->left--;
    return (unsigned char)*input->next++;
}

/* A field as a C string, up to its first NUL.  The caller frees it. */
static inline char *fuzz_name(fuzz_input *input)
{
    const routable_str field = fuzz_field(input);
    const size_t length = strnlen(field.ptr, field.len);
    char *const name = (char *)malloc(length + 1);
    memcpy(name, field.ptr, length);
    name[length] = '\0';
    return name;
}

/* --- Errors --- */

static inline int fuzz_same(routable_str one, routable_str other)
{
    return one.len == other.len && (one.len == 0 || memcmp(one.ptr, other.ptr, one.len) == 0);
}

/* NULL for JSON with a number that jansson cannot represent. */
static inline json_t *fuzz_json(const char *what, routable_str text)
{
    json_error_t why;
    json_t *const value = json_loadb(text.ptr, text.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, &why);
    if (!value && json_error_code(&why) != json_error_numeric_overflow)
        FUZZ_FAIL("%s: expected JSON, got \"%.*s\": %s", what, (int)(text.len < 400 ? text.len : 400), text.ptr, why.text);
    return value;
}

/* Checks that a status and its error agree: one of `allowed` (which ends in ROUTABLE_OK), a message, JSON with the
 * same content, and a position within `text`.  Frees the error. */
static inline void fuzz_check_error(
    const char *what, routable_status status, const routable_status *allowed, routable_error *error, const routable_str *text)
{
    size_t i;
    if (status == ROUTABLE_OK) {
        EXPECT(!error, "%s: expected no error with ok, got one", what);
        return;
    }
    for (i = 0; allowed[i] != ROUTABLE_OK && allowed[i] != status; i++)
        continue;
    EXPECT(allowed[i] == status, "%s: expected a status that is declared, got %s: %s", what, routable_status_name(status),
        error ? routable_error_message(error).ptr : "");
    EXPECT(error, "%s: %s: expected an error object, got NULL", what, routable_status_name(status));
    if (error) {
        const int64_t offset = routable_error_offset(error);
        routable_string out = { NULL, 0 };
        json_t *object;
        EXPECT(routable_error_status(error) == status, "%s: expected an error of %s, got %s", what,
            routable_status_name(status), routable_status_name(routable_error_status(error)));
        EXPECT(routable_error_message(error).len, "%s: expected a message, got none", what);
        EXPECT(memchr(routable_error_message(error).ptr, '\n', routable_error_message(error).len) == NULL,
            "%s: expected one line, got \"%s\"", what, routable_error_message(error).ptr);
        EXPECT(routable_error_pointer(error).len == 0 || routable_error_pointer(error).ptr[0] == '/',
            "%s: expected a JSON pointer, got \"%s\"", what, routable_error_pointer(error).ptr);
        if (offset == ROUTABLE_NONE) {
            /* A position in YAML only has a line and a column. */
            EXPECT((routable_error_line(error) == 0) == (routable_error_column(error) == 0),
                "%s: expected a line and a column, or neither, got %zu:%zu", what, routable_error_line(error),
                routable_error_column(error));
        } else if (text) {
            size_t line = 1, column = 1;
            EXPECT(offset >= 0 && (uint64_t)offset <= text->len, "%s: expected an offset up to %zu, got %lld", what, text->len, (long long)offset);
            for (i = 0; i < (size_t)offset && i < text->len; i++) {
                column = text->ptr[i] == '\n' ? 1 : column + 1;
                line += text->ptr[i] == '\n';
            }
            EXPECT(routable_error_line(error) == line && routable_error_column(error) == column,
                "%s: expected line %zu, column %zu, got %zu, %zu", what, line, column, routable_error_line(error),
                routable_error_column(error));
        }
        EXPECT(routable_error_to_json(error, &out) == ROUTABLE_OK, "%s: expected the error as JSON", what);
        object = fuzz_json(what, (routable_str){ out.ptr, out.len });
        EXPECT(!object || json_integer_value(json_object_get(object, "code")) == status, "%s: expected code %d, got %s", what,
            (int)status, out.ptr);
        json_decref(object);
        routable_string_free(&out);
    }
    routable_error_free(error);
}

/* --- Descriptions --- */

/* A router that is opened once and exists as long as the process, so that inputs need no setup.
 * The leak checker must ignore it: Swift stores the case of an enum in spare bits of a pointer,
 * and the leak checker does not recognise such a pointer. */
static inline const routable_router *fuzz_router(routable_router **kept, const char *document)
{
    routable_error *error = NULL;
    if (!*kept) {
        FUZZ_LEAKS(disable);
        if (routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, kept, &error) != ROUTABLE_OK)
            FUZZ_FAIL("the target's own description: %s", routable_error_message(error).ptr);
        FUZZ_LEAKS(enable);
    }
    routable_error_free(error);
    return *kept;
}

/* The description as a document. */
static inline routable_string fuzz_document_of(const char *what, const routable_router *router)
{
    routable_string out = { NULL, 0 };
    routable_error *error = NULL;
    EXPECT(routable_router_document(router, &out, &error) == ROUTABLE_OK, "%s: expected the document, got %s", what,
        routable_error_message(error).ptr);
    routable_error_free(error);
    return out;
}

/* Checks that the written document opens again, and is written as the same bytes. */
static inline void fuzz_check_round_trip(const char *what, const routable_router *router)
{
    routable_string first = fuzz_document_of(what, router), second = { NULL, 0 };
    routable_router *again = NULL;
    routable_error *error = NULL;
    const routable_status status = routable_router_open(first.ptr, first.len, NULL, &again, &error);
    EXPECT(status == ROUTABLE_OK, "%s: expected that its own document opens, got %s: %s\n%s", what,
        routable_status_name(status), routable_error_message(error).ptr, first.ptr);
    routable_error_free(error);
    if (again) {
        second = fuzz_document_of(what, again);
        EXPECT(first.len == second.len && memcmp(first.ptr, second.ptr, first.len) == 0,
            "%s: expected the same bytes\n%s\ngot\n%s", what, first.ptr, second.ptr);
    }
    routable_string_free(&first);
    routable_string_free(&second);
    routable_router_free(again);
}

/* --- URLs --- */

/* Checks for visible ASCII without a fragment. */
static inline void fuzz_check_visible(const char *what, routable_str url)
{
    size_t i;
    EXPECT(url.ptr[url.len] == '\0', "%s: expected a NUL after the URL", what);
    for (i = 0; i < url.len; i++)
        EXPECT(url.ptr[i] > 0x20 && url.ptr[i] < 0x7F && url.ptr[i] != '#', "%s: expected visible ASCII, got \"%s\"", what,
            url.ptr);
}

/* Checks a URL that is ready to be sent: absolute, visible ASCII, no fragment. */
static inline void fuzz_check_url(const char *what, routable_str url)
{
    EXPECT(url.len > 7 && (strncmp(url.ptr, "http://", 7) == 0 || strncmp(url.ptr, "https://", 8) == 0),
        "%s: expected an http URL, got \"%s\"", what, url.ptr);
    fuzz_check_visible(what, url);
}

static inline int fuzz_is_token(routable_str text)
{
    size_t i;
    for (i = 0; i < text.len; i++)
        if (!(((unsigned char)text.ptr[i] | 32) >= 'a' && ((unsigned char)text.ptr[i] | 32) <= 'z') &&
            !(text.ptr[i] >= '0' && text.ptr[i] <= '9') && (text.ptr[i] == '\0' || !strchr("!#$%&'*+-.^_`|~", text.ptr[i])))
            return 0;
    return text.len != 0;
}

/* Checks that a header is valid, so that a peer parses the same name and value. */
static inline void fuzz_check_header(const char *what, routable_header header)
{
    size_t i;
    EXPECT(fuzz_is_token(header.name), "%s: expected a token, got the header name \"%s\"", what, header.name.ptr);
    for (i = 0; i < header.value.len; i++)
        EXPECT(((unsigned char)header.value.ptr[i] >= 0x20 || header.value.ptr[i] == '\t') && header.value.ptr[i] != 0x7F,
            "%s: expected no control byte in the header %s", what, header.name.ptr);
}

#endif
