/* Failing allocations in C code within the library: jansson's values, PCRE2's patterns, the bytes of a file,
 * libcurl's handles.  Each scenario runs once to count these allocations, and then once for each of them with that allocation
 * failing: it returns a status with an error, or the same result as before; no memory leaks into the next run.
 *
 * Swift's own allocations do not fail: Swift cannot handle a failure (docs/safety.md, "Memory"). */
#define _GNU_SOURCE
#include "routable_jansson.h"
#include "routable_presentation.h"
#include "support.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

/* --- Allocations by their caller --- */

static struct { uintptr_t start, end; } asked_by[64]; /* code of the libraries whose allocations fail */
static size_t asked_by_count;
static uintptr_t own_start, own_end;                  /* code of libroutable */
static uintptr_t swift_site;                          /* return address of Swift's allocations, within libroutable */
static struct { uintptr_t site; size_t count; } sites[64];

static volatile int counting; /* 1: allocations are counted; 2: the return addresses within libroutable are */
static volatile size_t seen, refused;
static volatile int for_good; /* this allocation and all later ones fail */
static volatile pthread_t counting_thread;

static int is_its_turn(void)
{
    seen++;
    return refused && (for_good ? seen >= refused : seen == refused);
}

__attribute__((unused)) static int is_refused(void *site)
{
    const uintptr_t at = (uintptr_t)site;
    size_t i;
    if (!counting || !pthread_equal(counting_thread, pthread_self()))
        return 0;
    if (at >= own_start && at < own_end) {
        if (counting == 2) {
            for (i = 0; i < 64 && sites[i].site && sites[i].site != at; i++)
                continue;
            if (i < 64)
                sites[i].site = at, sites[i].count++;
        }
        return at != swift_site && swift_site && is_its_turn();
    }
    for (i = 0; i < asked_by_count; i++)
        if (at >= asked_by[i].start && at < asked_by[i].end)
            return is_its_turn();
    return 0;
}

/* A sanitizer has its own malloc, which must not be replaced. */
#if defined(__has_feature)
#  if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#    define CANNOT_REFUSE 1
#  endif
#endif
#ifndef CANNOT_REFUSE
void *malloc(size_t size) { return is_refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return is_refused(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { return is_refused(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size); }
#endif

static int learn(struct dl_phdr_info *info, size_t size, void *unused)
{
    static const char *const refused_in[] = { "libjansson", "libpcre2", "libcurl" };
    size_t i, part;
    (void)size;
    (void)unused;
    for (part = 0; part < info->dlpi_phnum; part++) {
        const uintptr_t start = info->dlpi_addr + info->dlpi_phdr[part].p_vaddr, end = start + info->dlpi_phdr[part].p_memsz;
        if (info->dlpi_phdr[part].p_type != PT_LOAD || !(info->dlpi_phdr[part].p_flags & PF_X))
            continue;
        if (strstr(info->dlpi_name, "libroutable")) {
            own_start = start;
            own_end = end;
        }
        for (i = 0; i < 3; i++)
            if (strstr(info->dlpi_name, refused_in[i])) {
                asked_by[asked_by_count].start = start;
                asked_by[asked_by_count++].end = end;
            }
    }
    return 0;
}

/* --- Scenarios: a status, and the result as a string --- */

typedef struct outcome { routable_status status; char text[4000]; int has_error; } outcome;

static void note(outcome *out, routable_str text) { snprintf(out->text, sizeof out->text, "%.*s", (int)text.len, text.ptr ? text.ptr : ""); }

static routable_router *social;
static routable_client *client;

#define BEGIN(out) routable_error *error = NULL; routable_string text = { NULL, 0 }; memset(out, 0, sizeof *out)
#define END(out) \
    do { \
        if (text.ptr) note(out, (routable_str) { text.ptr, text.len }); \
        (out)->has_error = error != NULL; \
        if (error && routable_error_message(error).len == 0) fail_msg("an error without a message"); \
        routable_string_free(&text); \
        routable_error_free(error); \
    } while (0)

static void open_file(outcome *out)
{
    routable_router *router = NULL;
    BEGIN(out);
    out->status = routable_router_open_file(path_below_root("examples/social.json"), NULL, &router, &error);
    if (out->status == ROUTABLE_OK) out->status = routable_router_map(router, &text, &error);
    END(out);
    routable_router_free(router);
}

static void open_openapi(outcome *out)
{
    static const char document[] = "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"servers\":[{\"url\":\"https://h/v1\"}],"
        "\"paths\":{\"/pets/{id}\":{\"put\":{\"operationId\":\"put\",\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"required\":true,"
        "\"schema\":{\"type\":\"string\",\"pattern\":\"^[a-z]+$\"}}],\"requestBody\":{\"content\":{\"application/json\":{\"schema\":"
        "{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":{\"type\":\"string\",\"pattern\":\"^b\"}}}}}},"
        "\"responses\":{\"200\":{\"description\":\"ok\"}}}}}}";
    routable_router *router = NULL;
    BEGIN(out);
    out->status = routable_router_open(document, ROUTABLE_NUL_TERMINATED, NULL, &router, &error);
    if (out->status == ROUTABLE_OK)
        out->status = routable_build_json(router, "{\"operation\":\"put\",\"ids\":{\"id\":\"x\"},\"body\":{\"a\":\"bc\"}}", ROUTABLE_NUL_TERMINATED, &text, &error);
    END(out);
    routable_router_free(router);
}

static void open_jansson(outcome *out)
{
    json_t *const document = json_pack("{s:i,s:s,s:{s:{s:s,s:[s]}}}", "routable", 1, "base", "https://h", "resources", "user", "path", "users", "can", "read");
    routable_router *router = NULL;
    BEGIN(out);
    out->status = document ? routable_router_open_jansson(document, NULL, &router, &error) : ROUTABLE_ERR_INTERNAL;
    if (!document) error = NULL, out->has_error = 1;
    if (out->status == ROUTABLE_OK) out->status = routable_router_document(router, &text, &error);
    END(out);
    out->has_error |= !document;
    routable_router_free(router);
    json_decref(document);
}

static void build_call(outcome *out)
{
    routable_request *request = NULL;
    BEGIN(out);
    out->status = routable_request_new_json(social, "{\"route\":\"user.status\",\"operation\":\"create\",\"ids\":[\"a\"],\"body\":"
        "{\"text\":\"b\",\"more\":[1,2.5,true,null,{\"c\":\"d\"}]},\"headers\":{\"X-A\":\"1\"}}", ROUTABLE_NUL_TERMINATED, &request, &error);
    if (out->status == ROUTABLE_OK) out->status = routable_request_to_json(request, &text, &error);
    END(out);
    routable_request_free(request);
}

static void map_answer(outcome *out)
{
    static const routable_header headers[] = { { { "Content-Type", 12 }, { "application/json", 16 } } };
    routable_response *response = NULL;
    json_t *value = NULL;
    BEGIN(out);
    out->status = routable_response_map(social, "status", "read", 200, headers, 1, routable_str_from("{\"text\":\"a\",\"b\":[1,{\"c\":1.5}]}"), &response, &error);
    if (out->status == ROUTABLE_OK) out->status = routable_response_to_json(response, &text, &error);
    if (out->status == ROUTABLE_OK) out->status = routable_response_body_jansson(response, &value, &error);
    END(out);
    json_decref(value);
    routable_response_free(response);
}

static void refused_answer(outcome *out)
{
    routable_response *response = NULL;
    routable_error *first = NULL;
    BEGIN(out);
    /* The failure is the expected result: its JSON is the outcome. */
    if (routable_response_map(social, "status", "read", 404, NULL, 0, routable_str_from("{\"error\":\"gone\"}"), &response, &first) == ROUTABLE_OK)
        fail_msg("404 is no success");
    out->status = routable_error_to_json(first, &text);
    out->has_error = 1;
    END(out);
    out->has_error = out->status != ROUTABLE_OK;
    routable_error_free(first);
    routable_response_free(response);
}

static void check_schema(outcome *out)
{
    routable_schema *schema = NULL;
    BEGIN(out);
    out->status = routable_schema_open("{\"type\":\"object\",\"properties\":{\"a\":{\"pattern\":\"^[a-f]{2,5}$\"},\"b\":{\"enum\":[1,\"x\",{}]}},"
        "\"patternProperties\":{\"^x-\":{\"type\":\"integer\"}},\"unevaluatedProperties\":false}", ROUTABLE_NUL_TERMINATED, NULL, &schema, &error);
    if (out->status == ROUTABLE_OK)
        out->status = routable_schema_validate(schema, "{\"a\":\"abc\",\"b\":{},\"x-1\":3}", ROUTABLE_NUL_TERMINATED, 4, &error);
    END(out);
    routable_schema_free(schema);
}

static void expand(outcome *out)
{
    BEGIN(out);
    out->status = routable_template_expand_json("/a{?q*,r}", ROUTABLE_NUL_TERMINATED, "{\"q\":[\"x y\",2],\"r\":{\"a\":\"b\"}}", ROUTABLE_NUL_TERMINATED, &text, &error);
    END(out);
}

static void read_form(outcome *out)
{
    BEGIN(out);
    out->status = routable_form_to_json("a=1&b=x+y&c=%F0", ROUTABLE_NUL_TERMINATED, &text, &error);
    END(out);
}

static void present(outcome *out)
{
    routable_presentation_builder *builder = NULL;
    routable_presentation *presentation = NULL;
    routable_presenter root = ROUTABLE_PRESENTER_INIT;
    BEGIN(out);
    root.name = "root";
    out->status = routable_presentation_builder_new(&builder, &error);
    if (out->status == ROUTABLE_OK)
        out->status = routable_presentation_builder_add_pattern(builder, NULL, &root, "^users/(?<id>[0-9]+)$", 0, &error);
    if (out->status == ROUTABLE_OK) out->status = routable_presentation_builder_build(builder, &presentation, &error);
    if (out->status == ROUTABLE_OK) out->status = routable_presentation_handles(presentation, routable_str_from("users/7"), &error);
    END(out);
    routable_presentation_free(presentation);
    routable_presentation_builder_free(builder);
}

static void make_client(outcome *out)
{
    routable_client *made = NULL;
    BEGIN(out);
    out->status = routable_client_new(NULL, &made, &error);
    END(out);
    routable_client_free(made);
}

/* A request to a port without a listener: the expected result is that status. */
static void perform(outcome *out)
{
    routable_request *request = NULL;
    routable_response *response = NULL;
    BEGIN(out);
    out->status = routable_request_new_json(social, "{\"route\":\"user\",\"operation\":\"read\",\"ids\":[\"a\"],\"base\":\"http://127.0.0.1:1\"}", ROUTABLE_NUL_TERMINATED, &request, &error);
    if (out->status == ROUTABLE_OK) {
        out->status = routable_client_perform(client, request, &response, &error);
        if (out->status == ROUTABLE_ERR_TRANSFER && routable_error_curl_code(error) == 7) {
            out->status = ROUTABLE_OK;
            routable_error_free(error);
            error = NULL;
        }
    }
    END(out);
    routable_response_free(response);
    routable_request_free(request);
}

/* --- The test --- */

static void run(void (*scenario)(outcome *), outcome *out, int how)
{
    seen = 0;
    counting_thread = pthread_self();
    counting = how;
    scenario(out);
    counting = 0;
}

static size_t total;

static void refuse_each(const char *name, void (*scenario)(outcome *))
{
    outcome normal, got;
    size_t count, refusal, answered = 0, answered_for_good = 0;
    refused = 0;
    run(scenario, &normal, 1); /* creates the objects that are cached */
    run(scenario, &normal, 1);
    count = seen;
    if (normal.status != ROUTABLE_OK)
        fail_msg("%s: %s without any refusal", name, routable_status_name(normal.status));
    for (refusal = 1; refusal <= 2 * count; refusal++) {
        for_good = refusal > count;
        refused = for_good ? refusal - count : refusal;
        run(scenario, &got, 1);
        if (got.status == ROUTABLE_OK ? strcmp(got.text, normal.text) != 0 : !got.has_error)
            fail_msg("%s, allocation %zu of %zu refused%s: %s, \"%s\", expected a failure with an error, or \"%s\"", name, refused, count,
                for_good ? " for good" : "", routable_status_name(got.status), got.text, normal.text);
        *(for_good ? &answered_for_good : &answered) += got.status != ROUTABLE_OK;
        refused = 0;
        run(scenario, &got, 1);
        if (got.status != ROUTABLE_OK || strcmp(got.text, normal.text) != 0)
            fail_msg("%s, behind the refusal of allocation %zu: %s, \"%s\"", name, refusal, routable_status_name(got.status), got.text);
    }
    print_message("%-14s %4zu allocations: a status for %4zu when it alone is refused, for %4zu when all that follow are too\n", name, count, answered,
        answered_for_good);
    assert_true(count == 0 || answered_for_good > 0);
    total += count;
}

static void every_allocation_refused_in_turn(void **state)
{
    outcome out;
    void *volatile memory;
    size_t i, most = 0;
    (void)state;
    counting_thread = pthread_self();
    own_start = (uintptr_t)every_allocation_refused_in_turn & ~(uintptr_t)0xFFFF; /* to check whether malloc is replaced */
    own_end = own_start + 0x40000;
    counting = 2;
    memory = malloc(1);
    counting = 0;
    free(memory);
    if (!sites[0].count) {
        print_message("allocations cannot be refused here\n");
        skip();
    }
    memset(sites, 0, sizeof sites);
    if ((memory = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD))) {
        dlclose(memory);
        print_message("Swift's ordinary runtime is inside: its allocations cannot be told apart\n");
        skip();
    }

    social = open_social();
    if (routable_client_new(NULL, &client, NULL) != ROUTABLE_OK)
        client = NULL;
    own_start = own_end = 0;
    dl_iterate_phdr(learn, NULL);
    if (!own_end) {
        print_message("libroutable is a part of this program: its allocations cannot be told apart\n");
        routable_client_free(client);
        routable_router_free(social);
        skip();
    }
    /* Swift's allocations have a single return address, which is the most frequent one. */
    run(open_file, &out, 2);
    for (i = 0; i < 64; i++)
        if (sites[i].count > most)
            most = sites[i].count, swift_site = sites[i].site;
    assert_true(most > 50);

    refuse_each("open file", open_file);
    refuse_each("open OpenAPI", open_openapi);
    refuse_each("open json_t", open_jansson);
    refuse_each("build", build_call);
    refuse_each("map", map_answer);
    refuse_each("error", refused_answer);
    refuse_each("schema", check_schema);
    refuse_each("template", expand);
    refuse_each("form", read_form);
    refuse_each("presentation", present);
    if (client) {
        refuse_each("client", make_client);
        refuse_each("perform", perform);
    }
    print_message("%zu allocations\n", total);
    routable_client_free(client);
    routable_router_free(social);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_allocation_refused_in_turn) };
    unsetenv("http_proxy");
    unsetenv("all_proxy");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
