/* Faulty route documents: each kind has a status and an error with the position and the remedy. */
#include "support.h"

#define HEAD "{\"routable\":1,\"base\":\"https://h\","

typedef struct bad_document {
    const char *document;
    routable_status status;
    const char *pointer;    /* NULL: not compared */
    const char *place;      /* the offset is within the first occurrence of this string in the document; NULL: not compared */
    const char *suggestion; /* NULL: not compared */
} bad_document;

/* Line and column, from 1, of a byte offset. */
static void check_position(const char *document, const routable_error *error)
{
    const size_t offset = routable_error_offset(error);
    size_t line = 1, column = 1, i;
    for (i = 0; i < offset; i++) {
        column = document[i] == '\n' ? 1 : column + 1;
        line += document[i] == '\n';
    }
    check_size(document, routable_error_line(error), line);
    check_size(document, routable_error_column(error), column);
}

/* Opens an invalid document: checks the status, the unmodified output and the message; the caller frees the error. */
static routable_error *open_bad(const char *bytes, size_t length, routable_status expected)
{
    routable_router *const untouched = (routable_router *)(void *)&length;
    routable_router *router = untouched;
    routable_error *error = NULL;
    routable_str document;
    document.ptr = bytes;
    document.len = length;
    check_status(bytes, routable_router_open(document.ptr, document.len, NULL, &router, &error), expected, error);
    if (router != untouched)
        fail_msg("input: %.200s\nthe output was touched", bytes);
    if (routable_error_message(error).len == 0)
        fail_msg("input: %.200s\nno message", bytes);
    return error;
}

static void check_bad(const bad_document *bad)
{
    routable_error *const error = open_bad(bad->document, strlen(bad->document), bad->status);
    if (bad->pointer)
        check_text(bad->document, routable_error_pointer(error), bad->pointer);
    if (bad->suggestion)
        check_text(bad->document, routable_error_suggestion(error), bad->suggestion);
    if (bad->place) {
        const size_t from = (size_t)(strstr(bad->document, bad->place) - bad->document);
        const int64_t offset = routable_error_offset(error);
        if (offset < (int64_t)from || offset > (int64_t)(from + strlen(bad->place)))
            fail_msg("input:    %s\nexpected: an offset from %zu to %zu (%s)\ngot:      %lld: %s", bad->document, from,
                from + strlen(bad->place), bad->place, (long long)offset, message_of(error));
        check_position(bad->document, error);
    }
    routable_error_free(error);
}

static void check_all(const bad_document *table, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++)
        check_bad(&table[i]);
}
#define CHECK_ALL(table) check_all(table, sizeof table / sizeof *table)

static void not_json(void **state)
{
    static const bad_document table[] = {
        { "", ROUTABLE_ERR_JSON, NULL, NULL, NULL },
        { " ", ROUTABLE_ERR_JSON, NULL, NULL, NULL },
        { "{", ROUTABLE_ERR_JSON, NULL, "{", NULL },
        { "{\"routable\":1", ROUTABLE_ERR_JSON, NULL, "1", NULL },
        { "{\"routable\":1,}", ROUTABLE_ERR_JSON, NULL, ",}", NULL },
        { "{\"routable\":01}", ROUTABLE_ERR_JSON, NULL, "01}", NULL },
        { "{\"routable\":1} x", ROUTABLE_ERR_JSON, NULL, "} x", NULL },
        { "{\n \"routable\": 1,\n \"name\": nul\n}", ROUTABLE_ERR_JSON, NULL, "nul\n", NULL },
        { "{'routable':1}", ROUTABLE_ERR_JSON, NULL, "{'", NULL },
        { "nonsense", ROUTABLE_ERR_JSON, NULL, "nonsense", NULL },
        /* Three digits: not half of a surrogate pair, but an invalid escape. */
        { "{\"routable\":1,\"name\":\"\\udab\"  \"}", ROUTABLE_ERR_JSON, NULL, NULL, NULL },
    };
    (void)state;
    CHECK_ALL(table);
}

static void truncated_anywhere(void **state)
{
    size_t length, cut;
    char *const whole = read_file("examples/social.json", &length);
    (void)state;
    while (length && (whole[length - 1] == '\n' || whole[length - 1] == ' '))
        length--;
    for (cut = 0; cut < length; cut++) {
        char *const part = (char *)malloc(cut + 1); /* exactly this long, so that a read out of bounds is detected */
        routable_error *error;
        memcpy(part, whole, cut);
        part[cut] = '\0';
        error = open_bad(part, cut, ROUTABLE_ERR_JSON);
        if (routable_error_offset(error) < 0 || routable_error_offset(error) > (int64_t)cut)
            fail_msg("cut at %zu: offset %lld", cut, (long long)routable_error_offset(error));
        routable_error_free(error);
        free(part);
    }
    free(whole);
}

static void wrong_roots(void **state)
{
    static const bad_document table[] = {
        { "[]", ROUTABLE_ERR_DOCUMENT, "", "[]", NULL },
        { "1", ROUTABLE_ERR_DOCUMENT, "", NULL, NULL },
        { "null", ROUTABLE_ERR_DOCUMENT, "", NULL, NULL },
        { "\"routable\"", ROUTABLE_ERR_DOCUMENT, "", NULL, NULL },
        { "{}", ROUTABLE_ERR_DOCUMENT, "", "{}", NULL },
    };
    (void)state;
    CHECK_ALL(table);
}

static void deep(void **state)
{
    static const size_t depths[] = { 1000, 100000, 1000000 };
    size_t i, k;
    (void)state;
    for (i = 0; i < sizeof depths / sizeof *depths; i++) {
        const size_t depth = depths[i];
        char *const text = (char *)malloc(depth * 2 + 64);
        size_t length = (size_t)sprintf(text, "{\"routable\":1,\"x-deep\":");
        memset(text + length, '[', depth);
        length += depth;
        memset(text + length, ']', depth);
        length += depth;
        text[length++] = '}';
        text[length] = '\0';
        routable_error_free(open_bad(text, length, ROUTABLE_ERR_LIMIT));
        free(text);
    }
    for (k = 0; k < 2; k++) { /* and never closed */
        char *const text = (char *)malloc(200001);
        routable_router *router = NULL;
        routable_error *error = NULL;
        memset(text, k ? '[' : '{', 200000);
        text[200000] = '\0';
        assert_true(routable_router_open(text, ROUTABLE_NUL_TERMINATED, NULL, &router, &error) >= ROUTABLE_ERR_ARGUMENT);
        assert_null(router);
        routable_error_free(error);
        free(text);
    }
}

static void larger_than_the_limit(void **state)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_router *router = NULL;
    routable_error *error = NULL;
    const char *const document = HEAD "\"resources\":{}}";
    (void)state;
    options.max_document_bytes = strlen(document) - 1;
    check_status(document, routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &router, &error), ROUTABLE_ERR_LIMIT, error);
    assert_null(router);
    routable_error_free(error);
    check_status("file", routable_router_open_file(path_below_root("examples/social.json"), &options, &router, &error),
        ROUTABLE_ERR_LIMIT, error);
    assert_null(router);
    routable_error_free(error);
    options.max_document_bytes = strlen(document);
    check_status(document, routable_router_open(document, ROUTABLE_NUL_TERMINATED, &options, &router, &error), ROUTABLE_OK, error);
    routable_router_free(router);
}

/* 64 MiB and one byte: refused before it is parsed. */
static void huge(void **state)
{
    const size_t length = ((size_t)64 << 20) + 1;
    char *const text = (char *)malloc(length);
    (void)state;
    assert_non_null(text);
    memset(text, ' ', length);
    routable_error_free(open_bad(text, length, ROUTABLE_ERR_LIMIT));
    free(text);
}

/* Wide instead of deep: a document with 2000 resources opens, and each one is found. */
static void wide(void **state)
{
    char *const text = (char *)malloc(2000 * 64 + 64);
    size_t length = (size_t)sprintf(text, HEAD "\"resources\":{"), i;
    routable_router *router;
    (void)state;
    for (i = 0; i < 2000; i++)
        length += (size_t)sprintf(text + length, "%s\"r%zu\":{\"path\":\"p%zu\",\"can\":[\"read\"]}", i ? "," : "", i, i);
    strcpy(text + length, "}}");
    router = open_text(text);
    check_size("wide", routable_router_resource_count(router), 2000);
    check_walk(router, "r1999", "read", IDS("x"), "GET", "https://h/p1999/x");
    routable_router_free(router);
    free(text);
}

static void duplicate_keys(void **state)
{
    static const bad_document table[] = {
        { "{\"routable\":1,\"routable\":1}", ROUTABLE_ERR_DOCUMENT, "/routable", ",\"routable\":1}", NULL },
        { HEAD "\"resources\":{\"a\":{\"path\":\"p\",\"path\":\"q\",\"can\":[\"read\"]}}}", ROUTABLE_ERR_DOCUMENT,
          "/resources/a/path", "\"path\":\"q\"", NULL },
        { HEAD "\"resources\":{\"a\":{\"path\":\"p\"},\"a\":{\"path\":\"q\"}}}", ROUTABLE_ERR_DOCUMENT, "/resources/a",
          "\"a\":{\"path\":\"q\"}", NULL },
        { HEAD "\"resources\":{\"a\":{\"path\":\"p\"},\"\\u0061\":{\"path\":\"q\"}}}", ROUTABLE_ERR_DOCUMENT,
          "/resources/a", "\"\\u0061\":{\"path\":\"q\"}", NULL },
    };
    (void)state;
    CHECK_ALL(table);
}

static void not_utf8(void **state)
{
    static const char *const bytes[] = { "\xFF", "\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE9" };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        char text[128];
        routable_error *error;
        sprintf(text, "{\"routable\":1,\n\"name\":\"a%sb\"}", bytes[i]);
        error = open_bad(text, strlen(text), ROUTABLE_ERR_JSON);
        check_size("offset is in the second line", routable_error_line(error), 2);
        check_position(text, error);
        routable_error_free(error);
    }
}

static void with_nul(void **state)
{
    static const char inside[] = "{\"routable\":1,\"name\":\"a\0b\"}";
    static const char escaped_name[] = "{\"routable\":1,\"resources\":{\"a\\u0000b\":{\"path\":\"p\"}}}";
    static const char after[] = "{\"routable\":1}\0";
    routable_router *router = NULL;
    routable_error *error = NULL;
    (void)state;
    routable_error_free(open_bad(inside, sizeof inside - 1, ROUTABLE_ERR_JSON));
    routable_error_free(open_bad(after, sizeof after - 1, ROUTABLE_ERR_JSON));
    assert_true(routable_router_open(escaped_name, ROUTABLE_NUL_TERMINATED, NULL, &router, &error) >= ROUTABLE_ERR_ARGUMENT);
    assert_null(router);
    routable_error_free(error);
}

static void unknown_keys(void **state)
{
    static const bad_document table[] = {
        { HEAD "\"resourcs\":{}}", ROUTABLE_ERR_DOCUMENT, "/resourcs", "\"resourcs\":{}", "resources" },
        { HEAD "\"resources\":{\"a\":{\"path\":\"p\",\"cann\":[]}}}", ROUTABLE_ERR_DOCUMENT, "/resources/a/cann",
          "\"cann\":[]", "can" },
        { HEAD "\"operations\":{\"s\":{\"get\":\"/s\",\"qery\":{}}}}", ROUTABLE_ERR_DOCUMENT, "/operations/s/qery",
          "\"qery\":{}", "query" },
        { HEAD "\"resources\":{\"a\":{\"path\":\"p\",\"can\":[\"raed\"]}}}", ROUTABLE_ERR_DOCUMENT, "/resources/a/can/0",
          "\"raed\"", "read" },
        { HEAD "\"resources\":{\"user\":{\"path\":\"p\",\"has\":[\"statu\"]},\"status\":{\"path\":\"q\"}}}",
          ROUTABLE_ERR_DOCUMENT, "/resources/user/has/0", "\"statu\"", "status" },
        { HEAD "\"types\":{\"Status\":{}},\"resources\":{\"a\":{\"path\":\"p\",\"type\":\"Statu\"}}}",
          ROUTABLE_ERR_DOCUMENT, "/resources/a/type", "\"Statu\"", "Status" },
        { HEAD "\"resources\":{\"a/b~c\":{\"path\":\"p\",\"cann\":[]}}}", ROUTABLE_ERR_DOCUMENT, NULL, NULL, NULL },
        { HEAD "\"encoding\":{\"too\":\"query\"}}", ROUTABLE_ERR_DOCUMENT, "/encoding/too", "\"too\":\"query\"", "to" },
        { HEAD "\"encoding\":{\"to\":\"quer\"}}", ROUTABLE_ERR_DOCUMENT, "/encoding/to", "\"quer\"", "query" },
        { HEAD "\"operations\":{\"s\":{\"get\":\"/s\",\"query\":{\"q\":{\"type\":\"strin\"}}}}}", ROUTABLE_ERR_DOCUMENT,
          "/operations/s/query/q/type", "\"strin\"", "string" },
        { "{\n  \"routable\": 1,\n  \"resources\": {\n    \"a\": { \"pathh\": \"p\" }\n  }\n}", ROUTABLE_ERR_DOCUMENT,
          "/resources/a/pathh", "\"pathh\": \"p\"", "path" },
    };
    routable_router *router;
    (void)state;
    CHECK_ALL(table);
    router = open_text(HEAD "\"x-mine\":{\"a\":[1]},\"resources\":{\"a\":{\"path\":\"p\",\"x-b\":null}}}");
    routable_router_free(router);
}

static void wrong_types(void **state)
{
    static const bad_document table[] = {
        { "{\"routable\":\"1\"}", ROUTABLE_ERR_DOCUMENT, "/routable", "\"1\"", NULL },
        { "{\"routable\":1.5}", ROUTABLE_ERR_DOCUMENT, "/routable", "1.5", NULL },
        { "{\"routable\":0}", ROUTABLE_ERR_DOCUMENT, "/routable", "0", NULL },
        { "{\"routable\":1,\"name\":7}", ROUTABLE_ERR_DOCUMENT, "/name", "7", NULL },
        { "{\"routable\":1,\"base\":[]}", ROUTABLE_ERR_DOCUMENT, "/base", "[]", NULL },
        { "{\"routable\":1,\"resources\":[]}", ROUTABLE_ERR_DOCUMENT, "/resources", "[]", NULL },
        { HEAD "\"resources\":{\"a\":[]}}", ROUTABLE_ERR_DOCUMENT, "/resources/a", "[]", NULL },
        { HEAD "\"resources\":{\"a\":{}}}", ROUTABLE_ERR_DOCUMENT, "/resources/a", "{}", NULL },
        { HEAD "\"resources\":{\"a\":{\"path\":5}}}", ROUTABLE_ERR_DOCUMENT, "/resources/a/path", "5", NULL },
        { HEAD "\"resources\":{\"a\":{\"path\":\"a//b\"}}}", ROUTABLE_ERR_DOCUMENT, "/resources/a/path", "\"a//b\"}", NULL },
        { HEAD "\"resources\":{\"a\":{\"path\":\"p\",\"can\":\"read\"}}}", ROUTABLE_ERR_DOCUMENT, "/resources/a/can",
          "\"read\"", NULL },
        { HEAD "\"resources\":{\"a\":{\"path\":\"p\",\"can\":[1]}}}", ROUTABLE_ERR_DOCUMENT, "/resources/a/can/0", "1]",
          NULL },
        { HEAD "\"resources\":{\"a\":{\"path\":\"p\",\"nested\":\"yes\"}}}", ROUTABLE_ERR_DOCUMENT,
          "/resources/a/nested", "\"yes\"", NULL },
        { HEAD "\"resources\":{\"a\":{\"path\":\"p\",\"id\":{\"type\":\"string\"}}}}", ROUTABLE_ERR_DOCUMENT,
          "/resources/a/id", "{\"type\":\"string\"}", NULL },
        { HEAD "\"resources\":{\"a\":{\"path\":\"p\",\"id\":\"integer\"}}}", ROUTABLE_ERR_DOCUMENT, "/resources/a/id",
          "\"integer\"}", NULL },
        { HEAD "\"operations\":{\"s\":{}}}", ROUTABLE_ERR_DOCUMENT, "/operations/s", "{}", NULL },
        { HEAD "\"operations\":{\"s\":{\"get\":\"/a\",\"put\":\"/a\"}}}", ROUTABLE_ERR_DOCUMENT, NULL, NULL, NULL },
        { HEAD "\"operations\":{\"s\":{\"get\":\"/a/{\"}}}", ROUTABLE_ERR_DOCUMENT, "/operations/s/get", "\"/a/{\"", NULL },
        { HEAD "\"operations\":{\"s\":{\"get\":\"/{a}/{a}\"}}}", ROUTABLE_ERR_DOCUMENT, "/operations/s/get",
          "\"/{a}/{a}\"", NULL },
        { HEAD "\"operations\":{\"s\":{\"get\":\"/{a*}/b\"}}}", ROUTABLE_ERR_DOCUMENT, "/operations/s/get",
          "\"/{a*}/b\"", NULL },
        { HEAD "\"operations\":{\"s\":{\"get\":\"/../b\"}}}", ROUTABLE_ERR_DOCUMENT, "/operations/s/get", "\"/../b\"", NULL },
        { HEAD "\"headers\":{\"X\":1}}", ROUTABLE_ERR_DOCUMENT, "/headers/X", "1}", NULL },
    };
    (void)state;
    CHECK_ALL(table);
}

static void headers_that_http_refuses(void **state)
{
    static const char *const documents[] = {
        HEAD "\"headers\":{\"X\":\"a\\r\\nY: b\"}}",
        HEAD "\"headers\":{\"X\\r\\nY\":\"a\"}}",
        HEAD "\"headers\":{\"X Y\":\"a\"}}",
        HEAD "\"headers\":{\"\":\"a\"}}",
        HEAD "\"headers\":{\"X:\":\"a\"}}",
    };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof documents / sizeof *documents; i++) {
        routable_router *router = NULL;
        routable_error *error = NULL;
        const routable_status status = routable_router_open(documents[i], ROUTABLE_NUL_TERMINATED, NULL, &router, &error);
        if (status != ROUTABLE_ERR_DOCUMENT && status != ROUTABLE_ERR_HEADER)
            fail_msg("input: %s\nexpected: document or header\ngot: %s", documents[i], routable_status_name(status));
        routable_error_free(error);
    }
}

static void bases_that_are_not_http(void **state)
{
    static const char *const bases[] = { "ftp://h", "file:///etc/passwd", "h", "v1", "/../v1", "//h/v1", "https://", "https:///v1",
        "javascript:alert(1)", "https://h:99999", "https://h:port", "https://h /v1", "https://h\\r\\n/v1", "https://[::1",
        "https://h/#f", "https://h/a b", "https://h/?q=a b" };
    size_t i;
    (void)state;
    for (i = 0; i < sizeof bases / sizeof *bases; i++) {
        char text[128];
        routable_error *error;
        sprintf(text, "{\"routable\":1,\"base\":\"%s\"}", bases[i]);
        error = open_bad(text, strlen(text), ROUTABLE_ERR_URL);
        check_text(text, routable_error_pointer(error), "/base");
        routable_error_free(error);
    }
}

static void conflicts(void **state)
{
    static const bad_document table[] = {
        { HEAD "\"operations\":{\"a\":{\"get\":\"/x/{p}\"},\"b\":{\"get\":\"/x/{q}\"}}}", ROUTABLE_ERR_CONFLICT, NULL, NULL,
          NULL },
        { HEAD "\"operations\":{\"a\":{\"get\":\"/x\"},\"b\":{\"get\":\"x\"}}}", ROUTABLE_ERR_CONFLICT, NULL, NULL, NULL },
        { HEAD "\"resources\":{\"a\":{\"path\":\"p\",\"can\":[\"read\"]},\"b\":{\"path\":\"p\",\"can\":[\"read\"]}}}",
          ROUTABLE_ERR_CONFLICT, NULL, NULL, NULL },
        { HEAD "\"resources\":{\"a\":{\"path\":\"p\",\"can\":[\"read\"]}},\"operations\":{\"b\":{\"get\":\"/p/{x}\"}}}",
          ROUTABLE_ERR_CONFLICT, NULL, NULL, NULL },
    };
    size_t i;
    routable_router *router;
    (void)state;
    for (i = 0; i < sizeof table / sizeof *table; i++) {
        routable_error *const error = open_bad(table[i].document, strlen(table[i].document), table[i].status);
        check_contains(table[i].document, routable_error_message(error), "a"); /* the message contains both names */
        check_contains(table[i].document, routable_error_message(error), "b");
        routable_error_free(error);
    }
    router = open_text(HEAD "\"operations\":{\"a\":{\"get\":\"/x/{p}\"},\"b\":{\"put\":\"/x/{q}\"}}}");
    routable_router_free(router);
}

static void unsupported_keys(void **state)
{
    static const bad_document table[] = {
        { HEAD "\"resources\":{\"a\":{\"path\":\"p\",\"auth\":\"s\"}}}", ROUTABLE_ERR_DOCUMENT, "/resources/a/auth",
          "\"s\"", NULL },
        { HEAD "\"operations\":{\"a\":{\"get\":\"/\",\"query\":{\"q\":{\"style\":\"form\"}}}}}", ROUTABLE_ERR_UNSUPPORTED,
          "/operations/a/query/q/style", NULL, NULL },
    };
    (void)state;
    CHECK_ALL(table);
}

static void newer_version(void **state)
{
    static const bad_document table[] = {
        { "{\"routable\":2}", ROUTABLE_ERR_UNSUPPORTED, "/routable", "2", NULL },
        { "{\"routable\":2,\"unheard-of\":{}}", ROUTABLE_ERR_UNSUPPORTED, "/routable", "2", NULL },
    };
    routable_error *error;
    (void)state;
    CHECK_ALL(table);
    error = open_bad(table[0].document, strlen(table[0].document), ROUTABLE_ERR_UNSUPPORTED);
    check_contains(table[0].document, routable_error_message(error), "2");
    routable_error_free(error);
}

static void files(void **state)
{
    routable_router *router = NULL;
    routable_error *error = NULL;
    (void)state;
    check_status("no such file", routable_router_open_file("/nonexistent/x.json", NULL, &router, &error),
        ROUTABLE_ERR_FILE, error);
    check_contains("no such file", routable_error_message(error), "/nonexistent/x.json");
    routable_error_free(error);
    check_status("a folder", routable_router_open_file("/", NULL, &router, &error), ROUTABLE_ERR_FILE, error);
    routable_error_free(error);
    check_status("no name", routable_router_open_file("", NULL, &router, &error), ROUTABLE_ERR_FILE, error);
    routable_error_free(error);
    /* The message of an invalid file begins with its path; positions are those in the file. */
    check_status("not JSON", routable_router_open_file(path_below_root("README.md"), NULL, &router, &error), ROUTABLE_ERR_JSON, error);
    assert_memory_equal(routable_error_message(error).ptr, path_below_root("README.md"), strlen(path_below_root("README.md")));
    assert_int_equal(routable_error_line(error), 1);
    routable_error_free(error);
    assert_null(router);
}

/* The document that a router returns can be opened, and its router returns the same bytes. */
static void document_round_trip(void **state)
{
    routable_router *const social = open_social();
    routable_router *again;
    routable_string first = { NULL, 0 }, second = { NULL, 0 };
    (void)state;
    assert_int_equal(routable_router_document(social, &first, NULL), ROUTABLE_OK);
    again = open_text(first.ptr);
    assert_int_equal(routable_router_document(again, &second, NULL), ROUTABLE_OK);
    check_text("document of a document", routable_str_from(second.ptr), first.ptr);
    check_walk(again, "user.status", "read", IDS("a", "b"), "GET", "https://api.example.com/v1/users/a/statuses/b");
    routable_string_free(&first);
    routable_string_free(&second);
    routable_router_free(again);
    routable_router_free(social);
}

static void empty_document(void **state)
{
    routable_router *const router = open_text("{\"routable\":1}");
    routable_error *error;
    (void)state;
    check_text("name", routable_router_name(router), "");
    check_text("base", routable_router_base(router), "");
    check_size("resources", routable_router_resource_count(router), 0);
    error = refuse(router, "{\"operation\":\"x\"}", ROUTABLE_ERR_UNKNOWN);
    check_size("allowed", routable_error_allowed_count(error), 0);
    routable_error_free(error);
    routable_router_free(router);
}

static void without_a_base_each_call_names_one(void **state)
{
    routable_router *const router =
        open_text("{\"routable\":1,\"resources\":{\"a\":{\"path\":\"p\",\"can\":[\"read\"]}}}");
    (void)state;
    check_refused(router, "{\"route\":\"a\",\"operation\":\"read\",\"ids\":[\"1\"]}", ROUTABLE_ERR_URL);
    check_url(router, "{\"route\":\"a\",\"operation\":\"read\",\"ids\":[\"1\"],\"base\":\"https://h\"}", "https://h/p/1");
    routable_router_free(router);
}

/* Errors as JSON: the same fields with the same names. */
static void errors_as_json(void **state)
{
    static const char document[] = "{\"routable\":1,\n \"resourcs\":{}}";
    routable_error *const error = open_bad(document, strlen(document), ROUTABLE_ERR_DOCUMENT);
    routable_string text = { NULL, 0 };
    json_t *json;
    (void)state;
    assert_int_equal(routable_error_to_json(error, &text), ROUTABLE_OK);
    json = json_loadb(text.ptr, text.len, 0, NULL);
    assert_non_null(json);
    assert_string_equal(json_string_value(json_object_get(json, "status")), "document");
    assert_int_equal(json_integer_value(json_object_get(json, "code")), ROUTABLE_ERR_DOCUMENT);
    assert_string_equal(json_string_value(json_object_get(json, "message")), routable_error_message(error).ptr);
    assert_string_equal(json_string_value(json_object_get(json, "pointer")), "/resourcs");
    assert_int_equal(json_integer_value(json_object_get(json, "offset")), routable_error_offset(error));
    assert_int_equal(json_integer_value(json_object_get(json, "line")), 2);
    assert_int_equal(json_integer_value(json_object_get(json, "column")), routable_error_column(error));
    assert_string_equal(json_string_value(json_object_get(json, "suggestion")), "resources");
    json_decref(json);
    routable_string_free(&text);
    routable_error_free(error);
}

static void status_names(void **state)
{
    static const char *const names[] = { "argument", "buffer", "json", "document", "conflict", "unsupported", "unknown",
        "not_allowed", "id", "value", "shadowed", "parameter", "body", "url", "header", "limit", "file", "no_curl",
        "transfer", "timeout", "tls", "http_status", "response", "credential", "internal",
        "callback", "excessive_refresh", "memory" };
    size_t i;
    (void)state;
    assert_string_equal(routable_status_name(ROUTABLE_OK), "ok");
    assert_string_equal(routable_status_name(ROUTABLE_NO_MATCH), "no_match");
    assert_string_equal(routable_status_name(ROUTABLE_METHOD_NOT_ALLOWED), "method_not_allowed");
    for (i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(routable_status_name(ROUTABLE_ERR_ARGUMENT + (routable_status)i), names[i]);
    assert_string_equal(routable_status_name(ROUTABLE_PENDING), "pending");
    assert_string_equal(routable_status_name(ROUTABLE_CANCELLED), "cancelled");
    assert_string_equal(routable_status_name(ROUTABLE_IDLE), "idle");
    assert_string_equal(routable_status_name(15), "unknown_status");
    assert_string_equal(routable_status_name(-1), "unknown_status");
    assert_string_equal(routable_status_name(ROUTABLE_ERR_MEMORY + 1), "unknown_status");
    assert_string_equal(routable_status_name(INT32_MIN), "unknown_status");
}

static void version(void **state)
{
    char text[32];
    (void)state;
    assert_int_equal(routable_version(), ROUTABLE_VERSION_NUMBER);
    sprintf(text, "%d.%d.%d", ROUTABLE_VERSION_MAJOR, ROUTABLE_VERSION_MINOR, ROUTABLE_VERSION_PATCH);
    assert_string_equal(routable_version_string(), text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_json),
        cmocka_unit_test(truncated_anywhere),
        cmocka_unit_test(wrong_roots),
        cmocka_unit_test(deep),
        cmocka_unit_test(larger_than_the_limit),
        cmocka_unit_test(huge),
        cmocka_unit_test(wide),
        cmocka_unit_test(duplicate_keys),
        cmocka_unit_test(not_utf8),
        cmocka_unit_test(with_nul),
        cmocka_unit_test(unknown_keys),
        cmocka_unit_test(wrong_types),
        cmocka_unit_test(headers_that_http_refuses),
        cmocka_unit_test(bases_that_are_not_http),
        cmocka_unit_test(conflicts),
        cmocka_unit_test(unsupported_keys),
        cmocka_unit_test(newer_version),
        cmocka_unit_test(files),
        cmocka_unit_test(document_round_trip),
        cmocka_unit_test(empty_document),
        cmocka_unit_test(without_a_base_each_call_names_one),
        cmocka_unit_test(errors_as_json),
        cmocka_unit_test(status_names),
        cmocka_unit_test(version),
    };
    return cmocka_run_group_tests_name("documents", tests, NULL, NULL);
}
