/* growth.c - the memory and the instructions that the library needs for inputs of n, 2n and 4n.
 *
 * Each scenario is an input that once needed time or memory out of proportion to its size.  It passes if both grow in
 * proportion, or if the call is refused with LIMIT; in either case within the bounds in its row.  Callgrind counts the
 * instructions, which do not depend on the machine or on its load; the program reads them from the file that callgrind writes.
 *
 *   growth [name...]                          the memory of all scenarios, or of these; the time is printed for information
 *   growth --count FILE [--part 0/2] [name...]     the instructions, below callgrind with --callgrind-out-file=FILE; this part */
#define _GNU_SOURCE
#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <unistd.h>
#include <valgrind/callgrind.h>

#include "routable.h"

/* --- Memory: these definitions replace those of the C library --- */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static size_t now_bytes, peak_bytes;

static void *count(void *memory)
{
    if (memory) {
        now_bytes += malloc_usable_size(memory);
        if (now_bytes > peak_bytes)
            peak_bytes = now_bytes;
    }
    return memory;
}

void *malloc(size_t size) { return count(__libc_malloc(size)); }
void *calloc(size_t n, size_t size) { return count(__libc_calloc(n, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return count(__libc_memalign(alignment, size)); }

void free(void *memory)
{
    if (memory)
        now_bytes -= malloc_usable_size(memory);
    __libc_free(memory);
}

void *realloc(void *memory, size_t size)
{
    const size_t before = memory ? malloc_usable_size(memory) : 0;
    void *const result = __libc_realloc(memory, size);
    if (result || size == 0)
        now_bytes -= before;
    return count(result);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *const memory = count(__libc_memalign(alignment, size));
    if (!memory)
        return 12;
    *out = memory;
    return 0;
}

/* --- Inputs --- */

typedef struct text { char *bytes; size_t count, capacity; } text;

static void add(text *to, const char *format, ...)
{
    va_list arguments;
    for (;;) {
        const size_t room = to->capacity - to->count;
        int written;
        va_start(arguments, format);
        written = vsnprintf(to->bytes ? to->bytes + to->count : NULL, room, format, arguments);
        va_end(arguments);
        if ((size_t)written < room) {
            to->count += (size_t)written;
            return;
        }
        to->capacity = to->capacity * 2 + (size_t)written + 64;
        to->bytes = realloc(to->bytes, to->capacity);
    }
}

static void fill(text *to, char byte, size_t n)
{
    while (n--)
        add(to, "%c", byte);
}

/* The input of a scenario: `make` fills it, and `run` uses it and returns the status. */
typedef struct input {
    text text;
    size_t n;
    size_t written; /* size of the result, if this is a product of parts of the input, up to its limit: tables */
    routable_router *router;
    routable_request *request;
} input;

static routable_status open_it(input *in, routable_router **out)
{
    return routable_router_open(in->text.bytes, in->text.count, NULL, out, NULL);
}

static routable_status run_open(input *in)
{
    routable_router *router = NULL;
    const routable_status status = open_it(in, &router);
    routable_router_free(router);
    return status;
}

static void open_now(input *in)
{
    if (open_it(in, &in->router) != ROUTABLE_OK) {
        fprintf(stderr, "the router of a scenario does not open\n");
        exit(2);
    }
}

/* --- Opening siblings --- */

static void begin_operations(input *in) { add(&in->text, "{\"routable\":1,\"operations\":{"); }
static void end_operations(input *in) { add(&in->text, "}}"); }
static const char *comma(size_t i) { return i ? "," : ""; }

static void make_siblings(input *in, const char *path, const char *rest)
{
    begin_operations(in);
    for (size_t i = 0; i < in->n; i++) {
        add(&in->text, "%s\"o%zu\":{\"get\":\"", comma(i), i);
        add(&in->text, path, i);
        add(&in->text, "\"");
        if (rest)
            add(&in->text, rest, i, i * 10, i * 10 + 9);
        add(&in->text, "}");
    }
    end_operations(in);
}

static void make_patterns(input *in) { make_siblings(in, "/a/{x}", ",\"ids\":{\"x\":{\"pattern\":\"p%zu[a-z]\"}}"); }
static void make_ranked(input *in)
{
    make_siblings(in, "/a/{x}", ",\"priority\":%1$zu,\"ids\":{\"x\":{\"pattern\":\"p%1$zu[a-z]\"}}");
}
static void make_enums(input *in) { make_siblings(in, "/a/{x}", ",\"ids\":{\"x\":{\"enum\":[\"v%zu\"]}}"); }
static void make_ranges(input *in)
{
    make_siblings(in, "/a/{x}", ",\"ids\":{\"x\":{\"type\":\"integer\",\"minimum\":%2$zu,\"maximum\":%3$zu}}");
}
static void make_endings(input *in) { make_siblings(in, "/a/{x}.p%zu", NULL); }
static void make_beginnings(input *in) { make_siblings(in, "/a/p%zu-{x}", NULL); }

/* Operations with one path and method, which a constant of the body distinguishes. */
static void make_constants(input *in)
{
    make_siblings(in, "/rpc", ",\"body\":{\"required\":[\"m\"],\"properties\":{\"m\":{\"const\":\"m%zu\"}}}");
}

/* Each operation has a server of its own. */
static void make_servers(input *in)
{
    add(&in->text, "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"servers\":[{\"url\":\"https://h\"}],\"paths\":{");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "%s\"/a%zu\":{\"get\":{\"operationId\":\"o%zu\",\"servers\":[{\"url\":\"https://h%zu\"}],\"responses\":{}}}", i ? "," : "", i, i, i);
    add(&in->text, "}}");
}

static void make_openapi(input *in)
{
    add(&in->text, "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text,
            "%s\"/a/{b}.x%zu\":{\"get\":{\"operationId\":\"o%zu\",\"parameters\":[{\"name\":\"b\",\"in\":\"path\",\"required\":true,"
            "\"schema\":{\"type\":\"string\"}}],\"responses\":{}}}",
            comma(i), i, i);
    add(&in->text, "}}");
}

/* Documents in many files, from a loader: n path items, each in its own file, and a schema that they share. */
static void make_files(input *in)
{
    add(&in->text, "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "%s\"/a%zu\":{\"$ref\":\"p/%zu.json\"}", comma(i), i, i);
    add(&in->text, "}}");
}

static routable_status load_file(routable_str uri, routable_str *out, void *user_data)
{
    static char content[512];
    unsigned long number = uri.len > 2 ? strtoul(uri.ptr + 2, NULL, 10) : 0;
    (void)user_data;
    if (uri.ptr[0] == 's')
        snprintf(content, sizeof content, "{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"../t/%lu.yaml\"}}}", number);
    else if (uri.ptr[0] == 't')
        snprintf(content, sizeof content, "type: object\nproperties:\n  a: {$ref: '../s/%lu.json'}\n", number);
    else
        snprintf(content, sizeof content,
            "{\"post\":{\"operationId\":\"o%lu\",\"requestBody\":{\"content\":{\"application/json\":{\"schema\":"
            "{\"$ref\":\"../s/%lu.json\"}}}},\"responses\":{}}}", number, number);
    *out = routable_str_from(content);
    return ROUTABLE_OK;
}

static routable_status run_files(input *in)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *router = NULL;
    routable_status status;
    options.load = load_file;
    status = routable_router_open(in->text.bytes, in->text.count, &options, &router, NULL);
    routable_router_free(router);
    return status;
}

/* YAML: n mappings, and n aliases of one of them. */
static void make_yaml(input *in)
{
    add(&in->text, "openapi: 3.1.0\ninfo: {title: t, version: 1.10}\npaths: {}\nx-base: &base {a: 1, b: [x, 'y', \"z\"]}\nx-list:\n");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "- key%zu: value %zu\n  base: *base\n  merged: {<<: *base, c: 0x1F}\n", i, i);
}

static void make_yaml_keys(input *in)
{
    add(&in->text, "openapi: 3.1.0\npaths: {}\nx-map:\n");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "  key%zu: %zu\n", i, i);
}

/* A resource whose id may be empty, nested in itself, followed by n ids in one step: each id of the path may be
 * the first of these n, so that each set of positions is a state. */
static void make_states(input *in)
{
    add(&in->text, "{\"routable\":1,\"resources\":{\"l\":{\"path\":\"\",\"id\":{\"name\":\"i\",\"allow_empty\":true},\"can\":[\"read\"],"
                   "\"has\":[\"l\",\"c\"]},\"c\":{\"path\":\"\",\"nested\":true,\"can\":[\"update\"],\"id\":[\"first\"");
    for (size_t i = 1; i < in->n; i++)
        add(&in->text, ",{\"name\":\"i%zu\",\"allow_empty\":true}", i);
    add(&in->text, "]}}}");
}

/* --- Matching similar literals --- */

static void make_alike(input *in)
{
    make_siblings(in, "/aaaaaaaa-%zu-zzzzzzzz", NULL);
    open_now(in);
}

static routable_status run_matches(input *in)
{
    for (size_t i = 0; i < in->n; i++) {
        char path[64];
        routable_match found;
        const int length = snprintf(path, sizeof path, "/aaaaaaaa-%zu-zzzzzzzz", i);
        const routable_status status = routable_router_match(in->router, "GET", routable_str_from_bytes(path, (size_t)length), 0, &found);
        if (status != ROUTABLE_OK)
            return status;
    }
    return ROUTABLE_OK;
}

/* --- Enumerations that many parameters refer to --- */

static void make_shared_enum(input *in)
{
    add(&in->text, "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{\"/a\":{\"get\":{\"operationId\":\"a\","
                   "\"responses\":{},\"parameters\":[");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "%s{\"name\":\"q%zu\",\"in\":\"query\",\"schema\":{\"$ref\":\"#/components/schemas/E\"}}", comma(i), i);
    add(&in->text, "]}}},\"components\":{\"schemas\":{\"E\":{\"type\":\"string\",\"enum\":[");
    for (size_t i = 0; i < in->n * 4; i++)
        add(&in->text, "%s\"value-number-%zu\"", comma(i), i);
    add(&in->text, "]}}}}");
}

/* --- Tables --- */

static void make_wide(input *in)
{
    begin_operations(in);
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "\"o%zu\":{\"get\":\"/a/%zu\"},", i, i);
    add(&in->text, "\"");
    fill(&in->text, 'n', in->n * 50);
    add(&in->text, "\":{\"get\":\"/wide\"}");
    end_operations(in);
    open_now(in);
}

static void make_nested(input *in)
{
    add(&in->text, "{\"routable\":1,\"resources\":{");
    for (size_t i = 0; i < in->n; i++) {
        add(&in->text, "%s\"r%zu\":{\"path\":\"r%zu\",\"can\":[\"read\"],\"has\":[", comma(i), i, i);
        for (size_t k = 0; k < in->n; k++)
            add(&in->text, "%s\"r%zu\"", comma(k), k);
        add(&in->text, "]}");
    }
    add(&in->text, "}}");
    open_now(in);
}

/* Sibling resources, resources below one of them, and operations of the latter. */
static void make_paths(input *in)
{
    add(&in->text, "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "%s\"/r%zu/{x}/{y}\":{\"get\":{}},\"/r/{x}/c%zu\":{\"get\":{}},\"/r/{x}/p%zu\":{\"post\":{}}", comma(i), i, i, i);
    add(&in->text, "}}");
    open_now(in);
}

static routable_status run_tables(input *in)
{
    routable_string out = ROUTABLE_STRING_INIT;
    routable_status status = routable_router_map(in->router, &out, NULL);
    in->written += out.len;
    routable_string_free(&out);
    if (status == ROUTABLE_OK)
        status = routable_router_routes(in->router, &out, NULL);
    in->written += out.len;
    routable_string_free(&out);
    return status;
}

/* --- Templates --- */

static void make_named(input *in)
{
    add(&in->text, "{\"");
    fill(&in->text, 'n', in->n);
    add(&in->text, "\":[0");
    for (size_t i = 1; i < in->n; i++)
        add(&in->text, ",1");
    add(&in->text, "]}");
}

static routable_status run_named(input *in)
{
    text template = {0};
    routable_string out = ROUTABLE_STRING_INIT;
    routable_status status;
    add(&template, "{?");
    fill(&template, 'n', in->n);
    add(&template, "*}");
    status = routable_template_expand_json(template.bytes, template.count, in->text.bytes, in->text.count, &out, NULL);
    routable_string_free(&out);
    free(template.bytes);
    return status;
}

static void make_variables(input *in)
{
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "{v%zu}", i);
}

static routable_status run_variables(input *in)
{
    text values = {0};
    routable_string out = ROUTABLE_STRING_INIT;
    routable_status status;
    add(&values, "{");
    for (size_t i = 0; i < in->n; i++)
        add(&values, "%s\"v%zu\":1", comma(i), i);
    add(&values, "}");
    status = routable_template_expand_json(in->text.bytes, in->text.count, values.bytes, values.count, &out, NULL);
    routable_string_free(&out);
    free(values.bytes);
    return status;
}

/* --- Parameters, headers, media types, streams --- */

static void make_reader(input *in, const char *style, const char *format)
{
    text document = {0};
    add(&document,
        "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{\"/a\":{\"get\":{\"operationId\":\"a\","
        "\"responses\":{},\"parameters\":[{\"name\":\"q\",\"in\":\"query\",\"style\":\"%s\",\"explode\":true,"
        "\"schema\":{\"type\":\"object\"}}]}}}}",
        style);
    in->text = document;
    open_now(in);
    in->text = (text){0};
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, format, comma(i)[0] ? "&" : "", i, i);
    free(document.bytes);
}

static void make_exploded(input *in) { make_reader(in, "form", "%1$sk%2$zu=%3$zu"); }
static void make_repeated(input *in) { make_reader(in, "form", "%1$sk=%3$zu"); }
static void make_deep(input *in) { make_reader(in, "deepObject", "%1$sq[a][k%2$zu]=%3$zu"); }

static routable_status run_reader(input *in)
{
    routable_string out = ROUTABLE_STRING_INIT;
    const routable_operation *const operation = routable_router_operation(in->router, "a");
    const routable_str query = routable_str_from_bytes(in->text.bytes, in->text.count);
    const routable_status status = routable_parameter_read(in->router, operation, 0, query, &out, NULL);
    routable_string_free(&out);
    return status;
}

static void make_headers(input *in)
{
    add(&in->text, "{\"routable\":1,\"base\":\"http://h\",\"operations\":{\"a\":{\"get\":\"/a\"}}}");
    open_now(in);
    if (routable_request_new_json(in->router, "{\"operation\":\"a\"}", ROUTABLE_NUL_TERMINATED, &in->request, NULL) != ROUTABLE_OK)
        exit(2);
    in->text.count = in->n * 8;
}

static routable_status run_headers(input *in)
{
    routable_status status = ROUTABLE_OK;
    char name[32];
    for (size_t i = 0; i < in->n && status == ROUTABLE_OK; i++) {
        snprintf(name, sizeof name, "x-%zu", i);
        status = routable_request_set_header(in->request, name, ROUTABLE_STR("v"), NULL);
    }
    return status;
}

static void make_media(input *in)
{
    add(&in->text, "text/plain");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, ";p%zu=1", i);
}

static routable_status run_media(input *in)
{
    routable_string out = ROUTABLE_STRING_INIT;
    const routable_status status = routable_media_type_normalize(routable_str_from_bytes(in->text.bytes, in->text.count), &out, NULL);
    routable_string_free(&out);
    return status;
}

static void make_lines(input *in)
{
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "x\n");
}

static routable_status run_lines(input *in)
{
    routable_stream_options options = ROUTABLE_STREAM_OPTIONS_INIT;
    routable_stream_item item = ROUTABLE_STREAM_ITEM_INIT;
    routable_splitter *splitter = NULL;
    routable_status status;
    options.kind = ROUTABLE_STREAM_LINES;
    status = routable_splitter_new(&options, &splitter, NULL);
    if (status == ROUTABLE_OK)
        status = routable_splitter_feed(splitter, routable_str_from_bytes(in->text.bytes, in->text.count), NULL);
    while (status == ROUTABLE_OK)
        status = routable_splitter_next(splitter, &item, NULL);
    routable_splitter_free(splitter);
    return status == ROUTABLE_IDLE ? ROUTABLE_OK : status;
}

/* --- JSON and schemas --- */

static routable_status validate(input *in, const char *schema_text, size_t max_errors)
{
    routable_schema *schema = NULL;
    routable_status status = routable_schema_open(schema_text, ROUTABLE_NUL_TERMINATED, NULL, &schema, NULL);
    routable_error *error = NULL;
    if (status != ROUTABLE_OK)
        exit(2);
    status = routable_schema_validate(schema, in->text.bytes, in->text.count, max_errors, &error);
    routable_error_free(error);
    routable_schema_free(schema);
    return status;
}

/* PCRE2 compiles a repeated group once per repetition: short patterns become much machine code. */
static void make_repeats(input *in)
{
    add(&in->text, "{\"properties\":{");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "%s\"p%zu\":{\"pattern\":\"((?=(a|(d)?|\\\\p{L}(\\\\d{1,682}|b*)a*))){1,340}%zu\"}", comma(i), i, i);
    add(&in->text, "}}");
}

static routable_status run_schema(input *in)
{
    routable_schema *schema = NULL;
    const routable_status status = routable_schema_open(in->text.bytes, in->text.count, NULL, &schema, NULL);
    routable_schema_free(schema);
    return status;
}

/* Nested repetitions: PCRE2 compiles a group once per possible repetition, and a string can match in many ways.  The library refuses
 * three levels. */
#define NESTED_REPEATS "(?:a{1,100}){1,100}"

static void make_repeated_path(input *in)
{
    add(&in->text, "{\"routable\":1,\"operations\":{\"o\":{\"get\":\"/a/{x}\",\"ids\":{\"x\":{\"pattern\":\"" NESTED_REPEATS "\"}}}}}");
    (void)open_it(in, &in->router);
    in->text.count = 0;
    add(&in->text, "/a/");
    fill(&in->text, 'a', in->n);
    add(&in->text, "b");
}

static routable_status run_match(input *in)
{
    routable_match found;
    if (!in->router)
        return ROUTABLE_ERR_LIMIT;
    return routable_router_match(in->router, "GET", routable_str_from_bytes(in->text.bytes, in->text.count), 0, &found);
}

static void make_repeated_paths(input *in) { make_siblings(in, "/a/%1$zu/{x}", ",\"ids\":{\"x\":{\"pattern\":\"" NESTED_REPEATS "%1$zu\"}}"); }

static void make_refused_paths(input *in) { make_siblings(in, "/a/%1$zu/{x}", ",\"ids\":{\"x\":{\"pattern\":\"(?:" NESTED_REPEATS "){1,100}%1$zu\"}}"); }

static void make_repeated_text(input *in)
{
    add(&in->text, "\"");
    fill(&in->text, 'a', in->n);
    add(&in->text, "b\"");
}

static void make_list(input *in, const char *format)
{
    add(&in->text, "[0");
    for (size_t i = 1; i < in->n; i++) {
        add(&in->text, ",");
        add(&in->text, format, i);
    }
    add(&in->text, "]");
}

static void make_object(input *in, const char *format)
{
    add(&in->text, "{\"first\":0");
    for (size_t i = 1; i < in->n; i++) {
        add(&in->text, ",");
        add(&in->text, format, i);
    }
    add(&in->text, "}");
}

static void make_numbers(input *in) { make_list(in, "-%zu.5e-3"); }
static void make_strings(input *in) { make_list(in, "\"value %zu\""); }
static void make_wide_numbers(input *in) { make_list(in, "1%06zu00000000000000000000000000000000000000000000000000001"); }
static void make_escapes(input *in)
{
    add(&in->text, "[\"");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "\\u00e9\\n");
    add(&in->text, "\"]");
}
static void make_objects(input *in) { make_list(in, "{\"id\":%zu,\"name\":\"x\"}"); }
static void make_keys(input *in) { make_object(in, "\"key-%zu\":1"); }
static void make_equal_keys(input *in) { make_object(in, "\"key\":%zu"); }
static void make_escaped_keys(input *in) { make_object(in, "\"\\u006bey-%zu\":1"); }
static void make_digits(input *in)
{
    add(&in->text, "1");
    fill(&in->text, '0', in->n);
}
static void make_long_key(input *in)
{
    add(&in->text, "{\"");
    fill(&in->text, 'k', in->n);
    add(&in->text, "\":[0");
    for (size_t i = 1; i < 300; i++)
        add(&in->text, ",%zu", i);
    add(&in->text, "]}");
}

static routable_status run_any(input *in) { return validate(in, "{\"not\":{\"const\":false}}", 1); }
static routable_status run_repeated(input *in)
{
    routable_schema *schema = NULL;
    const routable_status status = routable_schema_open("{\"pattern\":\"^" NESTED_REPEATS "$\"}", ROUTABLE_NUL_TERMINATED, NULL, &schema, NULL);
    routable_schema_free(schema);
    return status == ROUTABLE_OK ? validate(in, "{\"pattern\":\"^" NESTED_REPEATS "$\"}", 1) : status;
}
/* A repeated group that contains groups: without the JIT, PCRE2 stores 2 KB for each repetition, however short the string. */
static void make_letter(input *in) { add(&in->text, "\"b\""); }
static routable_status run_groups(input *in)
{
    char schema[128];
    snprintf(schema, sizeof schema, "{\"pattern\":\"^(((?<c>(b{73}(?=user)|.?)))+){%zu}$\"}", in->n);
    return validate(in, schema, 1);
}
static routable_status run_unique(input *in) { return validate(in, "{\"uniqueItems\":true}", 1); }
static routable_status run_multiple(input *in) { return validate(in, "{\"multipleOf\":7}", 1); }
static routable_status run_wide_multiple(input *in) { return validate(in, "{\"multipleOf\":123456789012345678901234567891}", 1); }
static routable_status run_bound(input *in) { return validate(in, "{\"minimum\":2e400}", 1); }
static routable_status run_reasons(input *in)
{
    return validate(in, "{\"additionalProperties\":{\"items\":{\"type\":\"string\"}}}", 256);
}
static routable_status run_typed(input *in)
{
    return validate(in,
        "{\"items\":{\"properties\":{\"id\":{\"type\":\"integer\"},\"name\":{\"enum\":[\"x\"]}},\"required\":[\"id\"],"
        "\"unevaluatedProperties\":false},\"contains\":{\"type\":\"integer\"}}",
        1);
}
static routable_status run_members(input *in)
{
    return validate(in, "{\"patternProperties\":{\"^k\":{\"type\":\"integer\"}},\"propertyNames\":{\"maxLength\":99}}", 1);
}

/* --- Responses of a declared type --- */

static void make_response(input *in, const char *items)
{
    text document = {0};
    add(&document,
        "{\"routable\":1,\"base\":\"http://h\",\"types\":{\"T\":{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\"}},"
        "\"required\":%s}},\"resources\":{\"item\":{\"path\":\"items\",\"can\":[\"list\"],\"type\":\"T\"}}}",
        items);
    in->text = document;
    open_now(in);
    in->text = (text){0};
    free(document.bytes);
}

static void make_empty_objects(input *in)
{
    make_response(in, "[]");
    add(&in->text, "[{}");
    for (size_t i = 1; i < in->n; i++)
        add(&in->text, ",{}");
    add(&in->text, "]");
}

static void make_typed_objects(input *in)
{
    make_response(in, "[\"id\"]");
    add(&in->text, "[{\"id\":0}");
    for (size_t i = 1; i < in->n; i++)
        add(&in->text, ",{\"id\":%zu,\"name\":\"value %zu\"}", i, i);
    add(&in->text, "]");
}

static routable_status run_map(input *in)
{
    routable_response *response = NULL;
    const routable_header type = { ROUTABLE_STR("Content-Type"), ROUTABLE_STR("application/json") };
    const routable_status status = routable_response_map(
        in->router, "item", "list", 200, &type, 1, routable_str_from_bytes(in->text.bytes, in->text.count), &response, NULL);
    if (status == ROUTABLE_OK && routable_response_outcome(response) != ROUTABLE_OUTCOME_ARRAY)
        exit(2);
    routable_response_free(response);
    return status;
}

/* --- Requests that were received --- */

static void begin_received(input *in, const char *operation)
{
    add(&in->text, "{\"routable\":1,\"operations\":{\"o\":%s}}", operation);
    open_now(in);
    in->text.count = 0;
}

/* The input is the target up to a line break, the Content-Type or the Content-Encoding up to another one, and the body. */
static routable_status run_received(input *in)
{
    const char *const type = memchr(in->text.bytes, '\n', in->text.count), *const body = strchr(type + 1, '\n');
    const routable_str value = routable_str_from_bytes(type + 1, (size_t)(body - type - 1));
    const routable_header header = { routable_str_from(memchr(value.ptr, '/', value.len) ? "Content-Type" : "Content-Encoding"), value };
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_received *received = NULL;
    routable_string call = ROUTABLE_STRING_INIT;
    routable_status status;
    const size_t rest = in->text.count - (size_t)(body + 1 - in->text.bytes);
    incoming.method = rest ? "POST" : "GET";
    incoming.target = routable_str_from_bytes(in->text.bytes, (size_t)(type - in->text.bytes));
    incoming.headers = &header;
    incoming.header_count = rest ? 1 : 0;
    incoming.body = routable_str_from_bytes(body + 1, rest);
    status = routable_received_new(in->router, &incoming, NULL, &received, NULL);
    if (status == ROUTABLE_OK)
        status = routable_received_to_json(received, &call, NULL);
    routable_string_free(&call);
    routable_received_free(received);
    return status;
}

/* The text is an object of the operation "o". */
static routable_status run_tool(input *in)
{
    routable_string call = ROUTABLE_STRING_INIT;
    const routable_status status = routable_call_from_object(in->router, NULL, "o", in->text.bytes, in->text.count, 16, &call, NULL);
    routable_string_free(&call);
    return status;
}

static routable_status run_call_schema(input *in)
{
    routable_string schema = ROUTABLE_STRING_INIT;
    const routable_status status = routable_operation_call_schema(in->router, NULL, "o", 0, &schema, NULL);
    routable_string_free(&schema);
    return status;
}

/* An answer to a request with the headers Accept and If-None-Match, each of which is the text up to the first line break, and the
 * value that follows. */
static routable_status run_answer(input *in)
{
    const char *const value = memchr(in->text.bytes, '\n', in->text.count) + 1;
    const routable_str list = routable_str_from_bytes(in->text.bytes, (size_t)(value - in->text.bytes) - 1);
    const routable_header headers[] = { { ROUTABLE_STR_INIT("Accept"), list }, { ROUTABLE_STR_INIT("If-None-Match"), list } };
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_answer_options options = ROUTABLE_ANSWER_OPTIONS_INIT;
    routable_received *received = NULL;
    routable_answer *answer = NULL;
    routable_value json = routable_value_null();
    routable_status status;
    json.kind = ROUTABLE_KIND_JSON;
    json.as.string = routable_str_from_bytes(value, in->text.count - (size_t)(value - in->text.bytes));
    incoming.method = "GET";
    incoming.target = ROUTABLE_STR("/");
    incoming.headers = headers;
    incoming.header_count = 2;
    options.etag = "\"other\"";
    status = routable_received_new(in->router, &incoming, NULL, &received, NULL);
    if (status == ROUTABLE_OK)
        status = routable_answer_new(received, 0, json, &options, &answer, NULL);
    routable_answer_free(answer);
    routable_received_free(received);
    return status;
}

static void answer_with_token(routable_exchange *exchange, void *user_data)
{
    routable_reply reply = ROUTABLE_REPLY_INIT;
    char body[256];
    const char *const url = routable_exchange_url(exchange).ptr;
    reply.headers = (const routable_header *)user_data, reply.header_count = 1;
    snprintf(body, sizeof body, "{\"name\":\"a\",\"token\":\"equal-beginning-%s\",\"quoted\":\"equal-beginning-%s\"}", url, url);
    reply.body = routable_str_from(body);
    if (routable_exchange_reply(exchange, &reply, NULL) != ROUTABLE_OK)
        abort();
}

/* A mock in which each line of the input creates a member; then the members are listed. */
static routable_status run_mock(input *in)
{
    static const routable_header headers[] = { { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("application/json") } };
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_mock *mock = NULL;
    routable_answer *answer = NULL;
    routable_status status = routable_mock_new(in->router, NULL, &mock, NULL);
    const char *line = in->text.bytes;
    incoming.headers = headers;
    while (status == ROUTABLE_OK && *line) {
        const char *const end = strchr(line, '\n');
        incoming.method = "POST", incoming.target = ROUTABLE_STR("/users"), incoming.header_count = 1;
        incoming.body = routable_str_from_bytes(line, (size_t)(end - line));
        status = routable_mock_respond(mock, &incoming, &answer, NULL, NULL, NULL);
        routable_answer_free(answer);
        answer = NULL;
        line = end + 1;
    }
    incoming.method = "GET", incoming.target = ROUTABLE_STR("/users"), incoming.header_count = 0, incoming.body = ROUTABLE_STR("");
    if (status == ROUTABLE_OK)
        status = routable_mock_respond(mock, &incoming, &answer, NULL, NULL, NULL);
    routable_answer_free(answer);
    routable_mock_free(mock);
    return status;
}

/* A coverage to which each line of the input is added as the response of an operation; then the whole coverage is reported. */
static routable_status run_coverage(input *in)
{
    routable_incoming incoming = ROUTABLE_INCOMING_INIT;
    routable_string text = ROUTABLE_STRING_INIT;
    routable_coverage *coverage = NULL;
    routable_status status = routable_coverage_new(in->router, NULL, &coverage, NULL);
    const char *line = in->text.bytes;
    incoming.method = "GET", incoming.target = ROUTABLE_STR("/a");
    while (status == ROUTABLE_OK && *line) {
        const char *const end = strchr(line, '\n');
        status = routable_coverage_add(coverage, &incoming, 200, "application/json", routable_str_from_bytes(line, (size_t)(end - line)), NULL);
        line = end + 1;
    }
    if (status == ROUTABLE_OK)
        status = routable_coverage_to_json(coverage, &text, NULL);
    routable_string_free(&text);
    if (status == ROUTABLE_OK)
        status = routable_coverage_to_text(coverage, ROUTABLE_COVERAGE_MISSING, &text, NULL);
    routable_string_free(&text);
    routable_coverage_free(coverage);
    return status;
}

/* An enum with n values, n branches, and a value that has the last of each. */
static void make_coverage_values(input *in)
{
    size_t i;
    add(&in->text, "{\"openapi\":\"3.1.0\",\"paths\":{\"/a\":{\"get\":{\"responses\":{\"200\":{\"content\":{\"application/json\":{\"schema\":{\"properties\":{\"a\":{\"enum\":[");
    for (i = 0; i < in->n; i++)
        add(&in->text, "%s%zu", i ? "," : "", i);
    add(&in->text, "]},\"b\":{\"anyOf\":[");
    for (i = 0; i < in->n; i++)
        add(&in->text, "%s{\"const\":%zu}", i ? "," : "", i);
    add(&in->text, "]}}}}}}}}}}}");
    open_now(in);
    in->text.count = 0;
    for (i = 0; i < in->n; i++)
        add(&in->text, "                        "); /* as long as the document */
    add(&in->text, "{\"a\":%zu,\"b\":%zu}\n", in->n - 1, in->n - 1);
}

/* n operations with one schema, which contains itself, and a value with n elements. */
static void make_coverage_operations(input *in)
{
    size_t i;
    add(&in->text, "{\"openapi\":\"3.1.0\",\"components\":{\"schemas\":{\"T\":{\"properties\":{\"k\":{\"enum\":[1,2]},\"c\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/T\"}}}}}},\"paths\":{");
    for (i = 0; i < in->n; i++)
        add(&in->text, "%s\"/%s%.0zu\":{\"get\":{\"parameters\":[{\"name\":\"q\",\"in\":\"query\",\"schema\":{\"$ref\":\"#/components/schemas/T\"}}],\"responses\":{\"200\":{\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/T\"}}}}}}}",
            i ? "," : "", i ? "b" : "a", i);
    add(&in->text, "}}");
    open_now(in);
    in->text.count = 0;
    add(&in->text, "{\"c\":[");
    for (i = 0; i < in->n; i++)
        add(&in->text, "%s{\"k\":1}", i ? "," : "");
    add(&in->text, "]}\n");
}

/* n exchanges with undeclared members. */
static void make_coverage_exchanges(input *in)
{
    size_t i;
    add(&in->text, "{\"openapi\":\"3.1.0\",\"paths\":{\"/a\":{\"get\":{\"responses\":{\"200\":{}}}}}}");
    open_now(in);
    in->text.count = 0;
    for (i = 0; i < in->n; i++)
        add(&in->text, "{\"n\":%zu}\n", i);
}

/* A tape is recorded from n different requests, whose responses have tokens with a common prefix, and is then replayed. */
static routable_status run_tape(input *in)
{
    static const routable_header headers[] = { { ROUTABLE_STR_INIT("Content-Type"), ROUTABLE_STR_INIT("application/json") } };
    const char *const path = "/tmp/routable-growth.har";
    routable_status status = ROUTABLE_OK;
    int mode;
    for (mode = ROUTABLE_TAPE_RECORD; mode <= ROUTABLE_TAPE_REPLAY && status == ROUTABLE_OK; mode++) {
        routable_tape_options tape_options = ROUTABLE_TAPE_OPTIONS_INIT;
        routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
        routable_tape *tape = NULL;
        routable_client *client = NULL;
        size_t i;
        tape_options.mode = (routable_tape_mode)mode;
        status = routable_tape_new(in->router, path, &tape_options, &tape, NULL);
        options.tape = tape;
        options.transport = answer_with_token, options.transport_user_data = (void *)headers;
        if (status == ROUTABLE_OK)
            status = routable_client_new(&options, &client, NULL);
        for (i = 0; i < in->n && status == ROUTABLE_OK; i++) {
            char call[128];
            routable_request *request = NULL;
            routable_response *response = NULL;
            snprintf(call, sizeof call, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"n%zu\"]}", i);
            status = routable_request_new_json(in->router, call, ROUTABLE_NUL_TERMINATED, &request, NULL);
            if (status == ROUTABLE_OK)
                status = routable_client_perform(client, request, &response, NULL);
            routable_response_free(response);
            routable_request_free(request);
        }
        routable_client_free(client);
        if (status == ROUTABLE_OK)
            status = routable_tape_finish(tape, NULL);
        routable_tape_free(tape);
    }
    remove(path);
    return status;
}

static void make_mock_members(input *in)
{
    size_t i;
    add(&in->text, "{\"routable\":1,\"base\":\"https://h\",\"types\":{\"T\":{\"type\":\"object\"}},\"resources\":{\"user\":{\"path\":\"users\",\"id\":\"name\",\"type\":\"T\",\"can\":[\"list\",\"read\",\"create\"]}}}");
    open_now(in);
    in->text.count = 0;
    for (i = 0; i < in->n; i++)
        add(&in->text, "{\"name\":\"n%zu\"}\n", i);
}

/* A member of the collection with n members, none of which the response may have. */
static void make_mock_fit(input *in)
{
    size_t i;
    add(&in->text, "{\"routable\":1,\"base\":\"https://h\",\"types\":{\"T\":{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":{\"type\":\"string\"}},"
        "\"additionalProperties\":false},\"Any\":{\"type\":\"object\"}},\"operations\":{"
        "\"list\":{\"get\":\"/users\",\"results\":{\"200\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/types/T\"}}}},"
        "\"create\":{\"post\":\"/users\",\"body\":{\"$ref\":\"#/types/Any\"},\"results\":{\"200\":{\"$ref\":\"#/types/T\"}}},"
        "\"read\":{\"get\":\"/users/{name}\",\"results\":{\"200\":{\"$ref\":\"#/types/T\"}}}}}");
    open_now(in);
    in->text.count = 0;
    add(&in->text, "{\"name\":\"a\"");
    for (i = 0; i < in->n; i++)
        add(&in->text, ",\"m%zu\":%zu", i, i);
    add(&in->text, "}\n");
}

/* Two lists of n constants that apply to one value. */
static void make_sample_constants(input *in)
{
    size_t i, list;
    add(&in->text, "{\"allOf\":[");
    for (list = 0; list < 2; list++) {
        add(&in->text, "%s{\"enum\":[", list ? "," : "");
        for (i = 0; i < in->n; i++)
            add(&in->text, "%s\"c%zu\"", i ? "," : "", list ? in->n - 1 - i : i);
        add(&in->text, "]}");
    }
    add(&in->text, "]}");
}

/* A member that requires n others. */
static void make_sample_dependents(input *in)
{
    size_t i;
    add(&in->text, "{\"type\":\"object\",\"required\":[\"a\"],\"dependentRequired\":{\"a\":[");
    for (i = 0; i < in->n; i++)
        add(&in->text, "%s\"m%zu\"", i ? "," : "", i);
    add(&in->text, "]}}");
}

/* The values of a schema with n members. */
static routable_status run_sample(input *in)
{
    routable_schema *schema = NULL;
    routable_string sample = ROUTABLE_STRING_INIT;
    routable_status status = routable_schema_open(in->text.bytes, in->text.count, NULL, &schema, NULL);
    if (status == ROUTABLE_OK)
        status = routable_schema_sample(schema, 1, 0, &sample, NULL);
    routable_string_free(&sample);
    routable_schema_free(schema);
    return status;
}

static void make_sample_members(input *in)
{
    size_t i;
    add(&in->text, "{\"type\":\"object\",\"properties\":{");
    for (i = 0; i < in->n; i++)
        add(&in->text, "%s\"m%zu\":{\"type\":\"integer\"}", i ? "," : "", i);
    add(&in->text, "}}");
}

static void make_answer_accept(input *in)
{
    size_t i;
    begin_received(in, "{\"get\":\"/\"}");
    for (i = 0; i < in->n; i++)
        add(&in->text, "text/a%zu;x=\"%zu\", \"e%zu\",", i, i, i);
    add(&in->text, "*/*\n1");
}

static void make_answer_value(input *in)
{
    size_t i;
    begin_received(in, "{\"get\":\"/\",\"results\":{\"200\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}}}");
    add(&in->text, "*/*\n[");
    for (i = 0; i < in->n; i++)
        add(&in->text, "%s%zu", i ? ", " : "", i);
    add(&in->text, "]");
}

static void make_received_query(input *in)
{
    begin_received(in, "{\"get\":\"/\",\"query\":{\"tag\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}");
    add(&in->text, "/?");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "tag[]=%zu&free%zu=a&", i, i);
    add(&in->text, "\n\n");
}

static void make_tool_members(input *in)
{
    begin_received(in, "{\"post\":\"/\",\"query\":{\"q\":{}},\"body\":{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}}}}");
    add(&in->text, "{\"b\":[0");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, ",%zu", i);
    add(&in->text, "],\"q\":\"a\"}");
}

static void make_tool_unknown(input *in)
{
    begin_received(in, "{\"post\":\"/\",\"query\":{\"q\":{}}}");
    add(&in->text, "{\"q\":\"a\"");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, ",\"a%zu\":1", i);
    add(&in->text, "}");
}

/* Each type refers to the next one. */
static void make_call_schema(input *in)
{
    add(&in->text, "{\"routable\":1,\"types\":{");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "\"T%zu\":{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/types/T%zu\"},\"b\":{\"type\":\"string\"}}},", i, (i + 1) % in->n);
    add(&in->text, "\"Z\":{}},\"operations\":{\"o\":{\"post\":\"/\",\"body\":{\"$ref\":\"#/types/T0\"}}}}");
    open_now(in);  /* the text remains, as the size of the input */
}

static void make_received_ignored(input *in)
{
    begin_received(in, "{\"post\":\"/\"}");
    add(&in->text, "/?");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "free%zu=a&", i);
    add(&in->text, "\napplication/json\n{}");
}

/* Each value is a number in the schema, and a string in the form. */
static void make_received_form(input *in)
{
    begin_received(in, "{\"post\":\"/\",\"body_as\":\"form\",\"body\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"integer\"}}}");
    add(&in->text, "/\napplication/x-www-form-urlencoded\n");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "a%zu=1&", i);
}

static void make_received_parts(input *in)
{
    begin_received(in, "{\"post\":\"/\",\"body_as\":\"multipart\"}");
    add(&in->text, "/\nmultipart/form-data; boundary=b\n");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, "--b\r\nContent-Disposition: form-data; name=\"a%zu\"; filename=\"f\"\r\n\r\n\r\n\r\r\n", i);
    add(&in->text, "--b--\r\n");
}

static void make_received_json(input *in)
{
    begin_received(in, "{\"post\":\"/\",\"body\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}}");
    add(&in->text, "/\napplication/json\n[0");
    for (size_t i = 0; i < in->n; i++)
        add(&in->text, ",%zu", i);
    add(&in->text, "]");
}

/* Blocks that are not compressed (RFC 1951 section 3.2.4), with one byte each. */
static void make_received_coding(input *in)
{
    begin_received(in, "{\"post\":\"/\",\"body_as\":\"bytes\"}");
    add(&in->text, "/\ndeflate\n");
    for (size_t i = 0; i <= in->n; i++)
        add(&in->text, "%c%c%c%c%ca", i == in->n, 1, 0, 0xfe, 0xff);
}

/* --- Running --- */

typedef struct scenario {
    const char *name;
    size_t n; /* the first size; the others are twice and four times as much */
    void (*make)(input *);
    routable_status (*run)(input *);
    routable_status status; /* the expected status, if it is not LIMIT */
    size_t megabytes;       /* maximum, for the largest size */
} scenario;

static const scenario scenarios[] = {
    {"siblings: patterns", 4000, make_patterns, run_open, ROUTABLE_ERR_CONFLICT, 256},
    {"siblings: patterns with priorities", 4000, make_ranked, run_open, ROUTABLE_OK, 256},
    {"siblings: one-value enums", 4000, make_enums, run_open, ROUTABLE_OK, 256},
    {"siblings: integer ranges", 4000, make_ranges, run_open, ROUTABLE_OK, 256},
    {"siblings: {x}.p1", 4000, make_endings, run_open, ROUTABLE_OK, 256},
    {"siblings: p1-{x}", 4000, make_beginnings, run_open, ROUTABLE_OK, 256},
    {"siblings: {b}.x1 of OpenAPI", 4000, make_openapi, run_open, ROUTABLE_OK, 256},
    {"siblings: constants of the body", 2000, make_constants, run_open, ROUTABLE_OK, 256},
    {"servers of operations", 4000, make_servers, run_open, ROUTABLE_OK, 256},
    {"files of OpenAPI", 250, make_files, run_files, ROUTABLE_OK, 256},
    {"YAML: mappings and aliases", 4000, make_yaml, run_open, ROUTABLE_OK, 256},
    {"YAML: keys", 16000, make_yaml_keys, run_open, ROUTABLE_OK, 256},
    {"states of empty ids", 7, make_states, run_open, ROUTABLE_OK, 256},
    {"literals that are alike: open", 16000, make_alike, run_open, ROUTABLE_OK, 256},
    {"literals that are alike: match", 16000, make_alike, run_matches, ROUTABLE_OK, 64},
    {"enum behind a reference", 500, make_shared_enum, run_open, ROUTABLE_OK, 64},
    {"table with one wide name", 5000, make_wide, run_tables, ROUTABLE_OK, 128},
    {"table of nested resources", 50, make_nested, run_tables, ROUTABLE_OK, 512},
    {"graph of the paths of OpenAPI", 1000, make_paths, run_tables, ROUTABLE_OK, 512},
    {"template with a long name", 8000, make_named, run_named, ROUTABLE_OK, 128},
    {"template with many variables", 8000, make_variables, run_variables, ROUTABLE_OK, 128},
    {"exploded object", 16000, make_exploded, run_reader, ROUTABLE_OK, 128},
    {"exploded object, one name", 16000, make_repeated, run_reader, ROUTABLE_OK, 128},
    {"deepObject", 16000, make_deep, run_reader, ROUTABLE_OK, 128},
    {"headers of a request", 2000, make_headers, run_headers, ROUTABLE_OK, 64},
    {"patterns that repeat groups", 1000, make_repeats, run_schema, ROUTABLE_OK, 256},
    {"repeats of repeats: paths", 500, make_repeated_paths, run_open, ROUTABLE_OK, 256},
    {"repeats of repeats: three levels", 500, make_refused_paths, run_open, ROUTABLE_ERR_DOCUMENT, 64},
    {"repeats of repeats: match", 1000, make_repeated_path, run_match, ROUTABLE_NO_MATCH, 64},
    {"repeats of repeats: value", 1000, make_repeated_text, run_repeated, ROUTABLE_ERR_BODY, 64},
    {"repeats of groups: value", 156, make_letter, run_groups, ROUTABLE_OK, 1},
    {"parameters of a media type", 8000, make_media, run_media, ROUTABLE_OK, 64},
    {"lines in one piece", 1000000, make_lines, run_lines, ROUTABLE_OK, 1024},
    {"JSON: numbers", 200000, make_numbers, run_any, ROUTABLE_OK, 64},
    {"JSON: escapes", 200000, make_escapes, run_any, ROUTABLE_OK, 64},
    {"JSON: objects", 50000, make_objects, run_any, ROUTABLE_OK, 64},
    {"JSON: keys", 50000, make_keys, run_members, ROUTABLE_OK, 64},
    {"JSON: equal keys", 100000, make_equal_keys, run_members, ROUTABLE_OK, 64},
    {"JSON: escaped keys", 100000, make_escaped_keys, run_members, ROUTABLE_OK, 64},
    {"JSON: one number", 1000000, make_digits, run_any, ROUTABLE_OK, 64},
    {"schema: list of objects", 50000, make_objects, run_typed, ROUTABLE_OK, 64},
    {"schema: unique numbers", 100000, make_numbers, run_unique, ROUTABLE_OK, 128},
    {"schema: unique strings", 100000, make_strings, run_unique, ROUTABLE_OK, 128},
    {"schema: unique wide numbers", 50000, make_wide_numbers, run_unique, ROUTABLE_OK, 128},
    {"schema: unique objects", 50000, make_objects, run_unique, ROUTABLE_OK, 128},
    {"schema: multiple, many digits", 200000, make_digits, run_multiple, ROUTABLE_ERR_BODY, 64},
    {"schema: multiple of many digits", 100000, make_digits, run_wide_multiple, ROUTABLE_ERR_BODY, 64},
    {"schema: bound, many digits", 1000000, make_digits, run_bound, ROUTABLE_OK, 64},
    {"response: empty objects of a type", 250000, make_empty_objects, run_map, ROUTABLE_OK, 24},
    {"response: objects of a type", 50000, make_typed_objects, run_map, ROUTABLE_OK, 128},
    {"coverage: values and branches", 500, make_coverage_values, run_coverage, ROUTABLE_OK, 512},
    {"coverage: operations of one schema", 200, make_coverage_operations, run_coverage, ROUTABLE_OK, 2048},
    {"coverage: exchanges", 2000, make_coverage_exchanges, run_coverage, ROUTABLE_OK, 128},
    {"mock: members", 2000, make_mock_members, run_mock, ROUTABLE_OK, 128},
    {"tape: exchanges", 1000, make_mock_members, run_tape, ROUTABLE_OK, 4096},
    {"mock: members that do not fit", 4000, make_mock_fit, run_mock, ROUTABLE_OK, 256},
    {"sample: constants", 1000, make_sample_constants, run_sample, ROUTABLE_OK, 256},
    {"sample: dependents", 4000, make_sample_dependents, run_sample, ROUTABLE_OK, 256},
    {"sample: members", 4000, make_sample_members, run_sample, ROUTABLE_OK, 128},
    {"received: query", 16000, make_received_query, run_received, ROUTABLE_OK, 128},
    {"tools: members of an array", 100000, make_tool_members, run_tool, ROUTABLE_OK, 64},
    {"tools: unknown members", 16000, make_tool_unknown, run_tool, ROUTABLE_ERR_PARAMETER, 128},
    {"tools: schemas of a call", 1000, make_call_schema, run_call_schema, ROUTABLE_OK, 256},
    {"received: ignored query", 16000, make_received_ignored, run_received, ROUTABLE_OK, 128},
    {"received: form of numbers", 16000, make_received_form, run_received, ROUTABLE_OK, 64},
    {"received: parts", 16000, make_received_parts, run_received, ROUTABLE_OK, 128},
    {"received: content coding", 100000, make_received_coding, run_received, ROUTABLE_OK, 64},
    {"received: JSON", 100000, make_received_json, run_received, ROUTABLE_OK, 64},
    {"answer: lists of media ranges and of ETags", 16000, make_answer_accept, run_answer, ROUTABLE_OK, 128},
    {"answer: JSON", 100000, make_answer_value, run_answer, ROUTABLE_OK, 64},
    {"schema: reasons below a long key", 1000000, make_long_key, run_reasons, ROUTABLE_ERR_BODY, 64},
};

/* --- Measuring --- */

#define MOST_EXPONENT 1.15
/* Smaller figures are start-up costs. */
#define LEAST_INSTRUCTIONS 1e6
#define LEAST_BYTES 1e6
/* Sizes are doubled until this number of instructions. */
#define ENOUGH_INSTRUCTIONS 40e6
#define MANY_INSTRUCTIONS 400e6

typedef struct sample {
    double size, instructions, seconds, peak;
    routable_status status;
} sample;

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The name of the files that callgrind writes its counters to: the first one is NAME.1. */
static const char *counters;

static double read_instructions(void)
{
    static int number;
    char path[4096], line[4096];
    double instructions = -1;
    FILE *file;
    snprintf(path, sizeof path, "%s.%d", counters, ++number);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "totals: ", 8) == 0)
            instructions = strtod(line + 8, NULL);
    if (file)
        fclose(file);
    unlink(path);
    if (instructions >= 0)
        return instructions;
    fprintf(stderr, "callgrind has not written %s\n", path);
    exit(2);
}

static sample take(const scenario *one, size_t n)
{
    input in = {0};
    sample result = {0};
    size_t before;
    in.n = n;
    one->make(&in);
    before = now_bytes;
    peak_bytes = now_bytes;
    if (counters) {
        CALLGRIND_START_INSTRUMENTATION;
        CALLGRIND_ZERO_STATS;
    }
    result.seconds = seconds();
    result.status = one->run(&in);
    result.seconds = seconds() - result.seconds;
    if (counters) {
        CALLGRIND_DUMP_STATS;
        CALLGRIND_STOP_INSTRUMENTATION;
        result.instructions = read_instructions();
    }
    result.peak = (double)(peak_bytes - before);
    result.size = (double)(in.text.count + in.written);
    routable_request_free(in.request);
    routable_router_free(in.router);
    free(in.text.bytes);
    return result;
}

static double exponent(double from, double to, double growth) { return from > 0 && to > 0 && growth > 0 ? log2(to / from) / growth : 0; }

static const char *verdict(int is_bad) { return is_bad ? "  FAILED" : ""; }

/* Whether a call was refused with LIMIT; is_bad is set if a status is neither LIMIT nor the expected one. */
static int is_limited(const scenario *one, const sample samples[3], int *is_bad)
{
    int limited = 0;
    for (int step = 0; step < 3; step++) {
        limited |= samples[step].status == ROUTABLE_ERR_LIMIT;
        if (samples[step].status != one->status && samples[step].status != ROUTABLE_ERR_LIMIT)
            *is_bad = 1;
    }
    return limited;
}

/* Memory decides; the time is printed for information. */
static int measure_bytes(const scenario *one)
{
    sample samples[3];
    int is_bad = 0;
    for (int step = 0; step < 3; step++)
        samples[step] = take(one, one->n << step);
    const int limited = is_limited(one, samples, &is_bad);
    const double growth = log2(samples[2].size / samples[1].size);
    const double bytes = exponent(samples[1].peak, samples[2].peak, growth);
    if (!limited && samples[2].peak > LEAST_BYTES && bytes > MOST_EXPONENT)
        is_bad = 1;
    if (samples[2].peak > (double)one->megabytes * 1e6)
        is_bad = 1;
    printf("%-36s n=%-8zu %8.0f KB  ^%.2f  %7.1f bytes a byte  %7.1f %7.1f %7.1f ms  %s%s\n", one->name, one->n << 2,
        samples[2].peak / 1e3, bytes, samples[2].peak / samples[2].size, samples[0].seconds * 1e3, samples[1].seconds * 1e3,
        samples[2].seconds * 1e3, routable_status_name(samples[2].status), verdict(is_bad));
    return is_bad;
}

/* The instructions decide.  Counting is slow: a scenario begins with a quarter of its size (small ones with half or all of it), and
 * doubles it up to the full size while the number of instructions is small. */
static int measure_instructions(const scenario *one)
{
    sample samples[3];
    int is_bad = 0;
    size_t n = one->n < 40 ? one->n : one->n < 100 ? one->n / 2 : one->n / 4;
    for (int step = 0; step < 3; step++) /* a size with very many instructions is at its limit: the second size is skipped */
        samples[step] = step == 1 && samples[0].instructions > MANY_INSTRUCTIONS ? samples[0] : take(one, n << step);
    while (n < one->n && samples[2].instructions < ENOUGH_INSTRUCTIONS) {
        n *= 2;
        samples[0] = samples[1];
        samples[1] = samples[2];
        samples[2] = take(one, n << 2);
    }
    const int limited = is_limited(one, samples, &is_bad);
    const double whole = exponent(samples[0].instructions, samples[2].instructions, log2(samples[2].size / samples[0].size));
    const double last = exponent(samples[1].instructions, samples[2].instructions, log2(samples[2].size / samples[1].size));
    if (!limited && samples[2].instructions > LEAST_INSTRUCTIONS && (whole > MOST_EXPONENT || last > MOST_EXPONENT))
        is_bad = 1;
    printf("%-36s n=%-8zu %9.2f %9.2f %9.2f million instructions  ^%.2f ^%.2f  %7.1f a byte  %s%s\n", one->name, n << 2,
        samples[0].instructions / 1e6, samples[1].instructions / 1e6, samples[2].instructions / 1e6, whole, last,
        samples[2].instructions / samples[2].size, routable_status_name(samples[2].status), verdict(is_bad));
    return is_bad;
}

int main(int count, char **words)
{
    int failed = 0, first = 1;
    size_t part = 0, parts = 1;
    /* Freed memory is kept between runs, because the system would clear new pages, which costs more than the measured calls. */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    for (; first + 1 < count && strncmp(words[first], "--", 2) == 0; first += 2) {
        if (strcmp(words[first], "--count") == 0)
            counters = words[first + 1];
        else if (strcmp(words[first], "--part") == 0 && sscanf(words[first + 1], "%zu/%zu", &part, &parts) != 2)
            return 2;
    }
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        int is_wanted = first == count && i % parts == part;
        for (int name = first; name < count; name++)
            is_wanted |= strstr(scenarios[i].name, words[name]) != NULL;
        if (is_wanted)
            failed += counters ? measure_instructions(&scenarios[i]) : measure_bytes(&scenarios[i]);
        fflush(stdout);
    }
    if (failed)
        printf("%d scenarios take %s out of proportion\n", failed, counters ? "time" : "memory");
    return failed != 0;
}
