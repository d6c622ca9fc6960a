/* Small stacks: every reader with deeply nested inputs, on a thread with 64 KiB; and a transfer on a thread with too small a stack.
 *
 * The stack is filled with a pattern before and checked afterwards, so that the test reports its use. test_hostile.c calls every exported
 * function on such threads. */
#define _GNU_SOURCE /* for memfd_create */
#include "support.h"

#include <pthread.h>
#include <sys/mman.h>

#include "../../fuzz/readers/documents.c"
#include "../../fuzz/readers/messages.c"
#include "../../fuzz/readers/values.c"

enum { SMALL = 64 << 10, TOO_SMALL = 40 << 10 };

/* Frames are several times larger with a sanitizer, and without optimization. */
#ifdef UNOPTIMIZED
#  define FACTOR 64
#endif
#ifdef __has_feature
#  if !defined(FACTOR) && (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#    define FACTOR 64
#  endif
#endif
#ifndef FACTOR
#  define FACTOR 1
#endif

/* 64 KiB, or the minimum of the system: 128 KiB on arm64. */
static size_t small_stack(void)
{
    const long least = sysconf(_SC_THREAD_STACK_MIN);
    return least > SMALL * FACTOR ? (size_t)least : SMALL * FACTOR;
}

/* Runs the function on a thread with a filled stack above an inaccessible page; returns the number of overwritten bytes.  The pattern is
 * read through a second mapping, because valgrind treats the first one as the stack of a thread that has ended. */
static size_t on_stack(size_t size, void *(*body)(void *), void *argument)
{
    const int file = memfd_create("stack", 0);
    const int can_grow = file >= 0 && ftruncate(file, (off_t)size + 4096) == 0;
    unsigned char *const memory = (unsigned char *)mmap(NULL, size + 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    unsigned char *const view = (unsigned char *)mmap(NULL, size + 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    unsigned char *const low = memory + 4096;
    pthread_attr_t attributes;
    pthread_t thread;
    size_t untouched = 0;
    assert_true(can_grow && memory != MAP_FAILED && view != MAP_FAILED);
    close(file);
    assert_int_equal(mprotect(memory, 4096, PROT_NONE), 0);
    memset(view + 4096, 0xA5, size);
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstack(&attributes, low, size), 0);
    assert_int_equal(pthread_create(&thread, &attributes, body, argument), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    while (untouched < size && view[4096 + untouched] == 0xA5)
        untouched++;
    munmap(memory, size + 4096);
    munmap(view, size + 4096);
    return size - untouched;
}

/* --- Deep inputs: `before`, then levels of `open`, the core, `close` for each level, and `after` --- */

typedef struct deep { const char *reader, *before, *open, *core, *close, *after; size_t levels; } deep;

static const deep inputs[] = {
    { "document", "{\"routable\":1,\"types\":{\"A\":", "{\"items\":", "true", "}", "}}", 500 },
    { "document", "{\"routable\":1,\"types\":{\"A\":", "{\"allOf\":[", "true", "]}", "}}", 250 },
    { "document", "{\"routable\":1,\"x-a\":", "[", "", "]", "}", 510 },
    { "document", "{\"routable\":1,\"operations\":{\"a\":{\"get\":\"/a\",\"body\":", "{\"items\":", "true", "}", "}}}", 500 },
    { "document", "{\"routable\":1,\"operations\":{\"a\":{\"get\":\"/{x}\",\"ids\":{\"x\":{\"pattern\":\"", "(", "a", ")*", "\"}}}}}", 240 },
    { "document", "{\"routable\":1,\"operations\":{\"a\":{\"get\":\"", "/s", "", "", "\"}}}", 4000 },
    { "document", "", "[", "", "]", "", 100000 },
    { "openapi", "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"paths\":{\"/a\":{\"get\":{\"parameters\":[{\"name\":\"q\",\"in\":\"query\",\"schema\":",
        "{\"allOf\":[", "true", "]}", "}]}}}}", 240 },
    { "overlay", "{\"overlay\":\"1.0.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"actions\":[{\"target\":\"$\",\"update\":", "{\"a\":", "1", "}", "}]}", 500 },
    { "overlay", "{\"overlay\":\"1.0.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"actions\":[{\"target\":\"$[?", "(", "@.a", ")", "]\",\"remove\":true}]}", 1000 },
    { "overlay", "{\"overlay\":\"1.0.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"actions\":[{\"target\":\"$", "..*", "", "", "\",\"remove\":true}]}", 1000 },
    { "presentation", "{\"routable_presentation\":1,\"root\":", "{\"presenter\":\"n0\",\"junction\":[", "", "]}", "}", 200 },
    { "presentation", "{\"routable_presentation\":1,\"root\":{\"presenter\":\"n0\",\"pattern\":\"", "(", "a", ")*", "\"}}", 240 },
    { "schema", "", "{\"items\":", "true", "}", "", 510 },
    { "schema", "", "{\"not\":", "true", "}", "", 510 },
    { "schema", "", "{\"oneOf\":[", "true", "]}", "", 254 },
    { "schema", "", "{\"unevaluatedProperties\":", "true", "}", "", 510 },
    { "schema", "{\"const\":", "[", "1", "]", "}", 510 },
    { "schema", "{\"pattern\":\"", "(", "a", ")", "\"}", 190 },
    { "schema", "{\"pattern\":\"", "(?=", "a", ")", "\"}", 190 },
    { "schema", "{\"pattern\":\"", "(?:a|", "a", ")*", "\"}", 190 },
    { "schema", "{\"anyOf\":[{\"not\":{\"$ref\":\"#\"}},{\"type\":\"integer\"}]", "", "", "", "}", 1 },
    { "schema", "", "{\"items\":", "{\"pattern\":\"((((((((((((((((((((((((((((((a))))))))))))))))))))))))))))))\"}", "}", "", 510 },
    { "schema", "", "{\"not\":", "{\"anyOf\":[{\"unevaluatedItems\":{\"pattern\":\"((((a))))\"}}]}", "}", "", 500 },
    { "value", "a", "[", "", "]", "", 511 },
    { "value", "i", "[", "", "]", "", 511 },
    { "value", "k", "[", "", "]", "", 511 },
    { "value", "j", "{\"a\":", "1", "}", "", 511 },
    { "value", "b[", "[1,{\"a\":", "1", "}]", "]", 250 },
    { "json", "", "[", "", "]", "", 511 },
    { "json", "", "{\"a\":", "1", "}", "", 511 },
    { "form", "", "a[", "", "]", "=1", 10000 },
    { "parameter", "dq", "[a]", "", "", "=1", 10000 },
    { "parameter", "ij=", "[", "", "]", "", 511 },
    { "template", "{a}\xFF{\"a\":", "[", "", "]", "}", 510 },
    { "path", "\x01", "/users/a/posts/1", "", "", "", 4000 },
    { "captures", "\x04", "/rest//", "", "", "", 4000 },
    { "call", "{\"operation\":\"send\",\"body\":", "[", "", "]", "}", 509 },
    { "call", "{\"operation\":\"send\",\"body\":", "{\"a\":", "1", "}", "}", 2040 },
    { "call", "{\"operation\":\"form\",\"parameters\":{\"a\":", "{\"b\":", "1", "}", "}}", 508 },
    { "call", "{\"operation\":\"form\",\"parameters\":{\"a\":", "[", "1", "]", "}}", 508 },
    { "response", "fContent-Type: application/json\n\n", "[", "", "]", "", 511 },
    { "page", "dContent-Type: application/json\n\n{\"items\":", "[", "", "]", "}", 510 },
    { "answer", "fContent-Type: application/json\n\n", "[", "", "]", "", 511 },
};

static const reader *reader_named(const char *name)
{
    static const reader *const all[] = { document_readers, value_readers, message_readers };
    size_t i;
    for (i = 0; i < 3; i++) {
        const reader *each = all[i];
        for (; each->name; each++)
            if (strcmp(each->name, name) == 0)
                return each;
    }
    fail_msg("no reader %s", name);
    return NULL;
}

typedef struct task { const reader *reader; char *bytes; size_t count; routable_status status; } task;

static void *read_task(void *given)
{
    task *const it = (task *)given;
    it->status = it->reader->read(it->bytes, it->count);
    return NULL;
}

static void append(task *to, const char *text)
{
    memcpy(to->bytes + to->count, text, strlen(text));
    to->count += strlen(text);
}

static task make(const deep *from, size_t levels)
{
    task made = { reader_named(from->reader), NULL, 0, ROUTABLE_OK };
    size_t i;
    made.bytes = (char *)malloc(strlen(from->before) + (strlen(from->open) + strlen(from->close)) * levels + strlen(from->core) + strlen(from->after) + 1);
    append(&made, from->before);
    for (i = 0; i < levels; i++)
        append(&made, from->open);
    append(&made, from->core);
    for (i = 0; i < levels; i++)
        append(&made, from->close);
    append(&made, from->after);
    return made;
}

static void deep_inputs_on_small_stacks(void **state)
{
    size_t i, most = 0;
    (void)state;
    for (i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        static const size_t levels[] = { 20, 28, 32, 36, 40, 44, 48, 52, 56, 64, 80, 96, 128, 200, SIZE_MAX };
        size_t turn, deepest = 0;
        routable_status status = ROUTABLE_OK;
        for (turn = 0; turn < sizeof levels / sizeof *levels; turn++) {
            task it = make(&inputs[i], levels[turn] < inputs[i].levels ? levels[turn] : inputs[i].levels);
            routable_status expected;
            size_t used;
            read_task(&it); /* also creates the objects that are cached */
            expected = it.status;
            used = on_stack(small_stack(), read_task, &it);
            status = it.status;
            deepest = used > deepest ? used : deepest;
            if (turn == 0 && status != expected)
                fail_msg("%s %s: expected %s on 64 KiB for 20 levels, got %s", inputs[i].reader, inputs[i].open, routable_status_name(expected),
                    routable_status_name(status));
            free(it.bytes);
        }
        print_message("%-13s up to %6zu of %-14s %6zu bytes of stack, %s\n", inputs[i].reader, inputs[i].levels, inputs[i].open, deepest,
            routable_status_name(status));
        most = deepest > most ? deepest : most;
    }
    print_message("at most %zu bytes of stack\n", most);
}

/* A schema with references to others: each level of the validation needs stack, whatever the value is. */
static void *validate_references(void *given)
{
    static char text[200000];
    routable_schema *schema = NULL;
    size_t count = 0, i;
    routable_status *const status = (routable_status *)given;
    count = (size_t)snprintf(text, sizeof text, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (i = 0; i < 1000; i++)
        count += (size_t)snprintf(text + count, sizeof text - count,
            "\"d%zu\":{\"anyOf\":[{\"$ref\":\"#/$defs/d%zu\"},{\"type\":\"null\"}],\"unevaluatedProperties\":false},", i, i + 1);
    count += (size_t)snprintf(text + count, sizeof text - count, "\"d%zu\":{\"pattern\":\"^(a+)+$\"}}}", i);
    *status = routable_schema_open(text, count, NULL, &schema, NULL);
    if (*status == ROUTABLE_OK)
        *status = routable_schema_validate(schema, "\"aaaa\"", ROUTABLE_NUL_TERMINATED, 4, NULL);
    routable_schema_free(schema);
    return NULL;
}

static void references_on_small_stacks(void **state)
{
    routable_status status = ROUTABLE_OK;
    (void)state;
    on_stack(small_stack(), validate_references, &status);
    if (small_stack() == SMALL)
        assert_int_equal(status, ROUTABLE_ERR_LIMIT);
    on_stack((1 << 20) * FACTOR, validate_references, &status);
    assert_int_equal(status, ROUTABLE_OK);
}

/* --- Transfers --- */

typedef struct transfer { routable_client *client; routable_request *request; routable_status status; char message[200]; } transfer;

static void *perform(void *given)
{
    transfer *const it = (transfer *)given;
    routable_response *response = NULL;
    routable_error *error = NULL;
    it->status = routable_client_perform(it->client, it->request, &response, &error);
    snprintf(it->message, sizeof it->message, "%s", routable_error_message(error).len ? routable_error_message(error).ptr : "");
    routable_error_free(error);
    routable_response_free(response);
    return NULL;
}

static void *drive(void *given)
{
    transfer *const it = (transfer *)given;
    it->status = routable_client_drive(it->client, 0, NULL, NULL);
    return NULL;
}

static void transfers_on_small_stacks(void **state)
{
    transfer it = { NULL, some_request(), ROUTABLE_OK, "" };
    routable_client_options options = ROUTABLE_CLIENT_OPTIONS_INIT;
    routable_responses *responses = NULL;
    routable_canned canned = ROUTABLE_CANNED_INIT;
    (void)state;
    assert_int_equal(routable_responses_new(&responses, NULL), ROUTABLE_OK);
    canned.times = ROUTABLE_NONE;
    assert_int_equal(routable_responses_add(responses, &canned, NULL), ROUTABLE_OK);
    options.transport = routable_responses_answer;
    options.transport_user_data = responses;
    assert_int_equal(routable_client_new(&options, &it.client, NULL), ROUTABLE_OK);
    on_stack(small_stack(), perform, &it);
    assert_string_equal(it.message, "");
    assert_int_equal(it.status, ROUTABLE_OK);
    if (small_stack() == SMALL) {
        on_stack(TOO_SMALL, perform, &it);
        assert_int_equal(it.status, ROUTABLE_ERR_LIMIT);
        assert_non_null(strstr(it.message, "a transfer needs 40960 bytes of stack"));
        on_stack(TOO_SMALL, drive, &it);
        assert_int_equal(it.status, ROUTABLE_ERR_LIMIT);
    }
    routable_request_free(it.request);
    routable_client_free(it.client);
    routable_responses_free(responses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_inputs_on_small_stacks),
        cmocka_unit_test(references_on_small_stacks),
        cmocka_unit_test(transfers_on_small_stacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
