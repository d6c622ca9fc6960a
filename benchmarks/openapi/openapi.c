/* openapi.c - measures an OpenAPI document: opening it compared with jansson's parsing of the same text, the memory that it
 * needs, and building its operations compared with the same operations of a hand-written route document.
 *
 *   openapi DOCUMENT.json [OPERATION ...]
 *
 * Rounds alternate, so that the ratios are stable on a busy machine; minima.  Without operations: each tenth of the document's
 * operations whose values are all in the path. */
#define _GNU_SOURCE
#include <jansson.h>
#include <malloc.h>
#include <routable.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 41, BUILDS = 500 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void fail(const char *what, const routable_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error ? routable_error_message(error).ptr : "failed");
    exit(1);
}

static routable_str read_file(const char *name)
{
    routable_str result = { NULL, 0 };
    FILE *const file = fopen(name, "rb");
    char *bytes;
    if (!file || fseek(file, 0, SEEK_END)) fail(name, NULL);
    result.len = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(result.len + 1);
    if (!bytes || fread(bytes, 1, result.len, file) != result.len) fail(name, NULL);
    bytes[result.len] = 0;
    fclose(file);
    result.ptr = bytes;
    return result;
}

static routable_router *open_text(routable_str text)
{
    routable_router *router = NULL;
    routable_error *error = NULL;
    if (routable_router_open(text.ptr, text.len, NULL, &router, &error) != ROUTABLE_OK) fail("open", error);
    return router;
}

static size_t held(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static long status_kb(const char *key)
{
    char line[256];
    long value = 0;
    FILE *const file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0) value = atol(line + strlen(key));
    if (file) fclose(file);
    return value;
}

/* In a new process, so that no memory is cached: opened once, measured, and freed. */
static void measure_memory(routable_str text)
{
    fflush(stdout);
    if (fork() == 0) {
        routable_router *router;
        const long before = status_kb("VmRSS:");
        const size_t heap = held();
        router = open_text(text);
        printf("  memory: %.2f x the file held once open, %.2f x at its peak\n", (double)(held() - heap) / (double)text.len,
            (double)(status_kb("VmHWM:") - before) * 1024 / (double)text.len);
        routable_router_free(router);
        exit(0);
    }
    wait(NULL);
}

/* The operation as in a hand-written route document. */
static routable_router *by_hand(const routable_operation *operation, const routable_router *from)
{
    char document[8192];
    size_t i, length;
    const routable_str path = routable_operation_path(operation);
    const char *const method = routable_operation_method(operation).ptr;
    int first = 1;
    length = (size_t)snprintf(document, sizeof document,
        "{\"routable\":1,\"base\":\"%s\",\"operations\":{\"op\":{\"method\":\"%s\",\"path\":\"%.*s\",\"shadowed\":true,\"query\":{",
        routable_router_base(from).ptr, method, (int)path.len, path.ptr);
    for (i = 0; i < routable_operation_parameter_count(operation); i++) {
        const routable_parameter *const parameter = routable_operation_parameter_at(operation, i);
        if (routable_parameter_location(parameter) != ROUTABLE_IN_QUERY) continue;
        length += (size_t)snprintf(document + length, sizeof document - length, "%s\"%s\":{\"type\":\"string\"}", first ? "" : ",",
            routable_parameter_name(parameter).ptr);
        first = 0;
    }
    snprintf(document + length, sizeof document - length, "}}}}");
    return open_text(routable_str_from(document));
}

/* ns for one request object by name, and one URL by a plan. */
static void measure_build(const routable_router *router, const char *name, size_t id_count, double *request, double *write)
{
    routable_value values[ROUTABLE_MAX_CAPTURES];
    routable_argument ids[ROUTABLE_MAX_CAPTURES];
    routable_call call = ROUTABLE_CALL_INIT;
    routable_plan *plan = NULL;
    routable_error *error = NULL;
    char buffer[2048];
    size_t i, length;
    double start, took;
    for (i = 0; i < id_count; i++) {
        values[i] = routable_value_integer((int64_t)(4711 + i));
        ids[i].name = NULL;
        ids[i].value = values[i];
    }
    call.operation = name;
    call.ids = ids;
    call.id_count = id_count;
    call.base = "https://h.test";
    start = now();
    for (i = 0; i < BUILDS; i++) {
        routable_request *built = NULL;
        if (routable_request_new(router, &call, &built, &error) != ROUTABLE_OK) fail(name, error);
        routable_request_free(built);
    }
    took = (now() - start) * 1e6 / BUILDS;
    if (took < *request) *request = took;
    if (routable_plan_new(router, NULL, name, &plan, &error) != ROUTABLE_OK) fail(name, error);
    start = now();
    for (i = 0; i < BUILDS; i++)
        if (routable_plan_write(plan, values, id_count, NULL, 0, buffer, sizeof buffer, &length, &error) != ROUTABLE_OK)
            fail(name, error);
    took = (now() - start) * 1e6 / BUILDS;
    if (took < *write) *write = took;
    routable_plan_free(plan);
}

/* Whether all values are in the path, and nothing else is required. */
static int is_simple(const routable_operation *operation, size_t *ids)
{
    size_t i;
    *ids = 0;
    if (routable_operation_media_type_count(operation)) return 0;
    for (i = 0; i < routable_operation_parameter_count(operation); i++) {
        const routable_parameter *const parameter = routable_operation_parameter_at(operation, i);
        const char *const type = routable_parameter_type(parameter).ptr;
        if (routable_parameter_location(parameter) == ROUTABLE_IN_PATH)
            ++*ids;
        else if (routable_parameter_is_required(parameter))
            return 0;
        else
            continue;
        if (strcmp(type, "string") != 0 && strcmp(type, "integer") != 0) return 0;
    }
    return *ids > 0;
}

static void compare(const routable_router *router, const routable_operation *operation, size_t ids, double *worst)
{
    routable_router *const hand = by_hand(operation, router);
    const char *const name = routable_operation_name(operation).ptr;
    double ours[2] = { 1e18, 1e18 }, theirs[2] = { 1e18, 1e18 };
    int round;
    for (round = 0; round < ROUNDS; round++) {
        measure_build(router, name, ids, &ours[0], &ours[1]);
        measure_build(hand, "op", ids, &theirs[0], &theirs[1]);
    }
    printf("  %-52.52s request %6.0f / %6.0f ns (%.2f)   URL %5.0f / %5.0f ns (%.2f)\n", name, ours[0], theirs[0],
        ours[0] / theirs[0], ours[1], theirs[1], ours[1] / theirs[1]);
    if (ours[0] / theirs[0] > worst[0]) worst[0] = ours[0] / theirs[0];
    if (ours[1] / theirs[1] > worst[1]) worst[1] = ours[1] / theirs[1];
    routable_router_free(hand);
}

int main(int count, char **arguments)
{
    double open_ms = 1e18, parse_ms = 1e18, worst[2] = { 0, 0 };
    routable_router *router;
    routable_str text;
    size_t i, simple = 0, ids;
    int round;
    if (count < 2) {
        fprintf(stderr, "usage: openapi DOCUMENT.json [OPERATION ...]\n");
        return 2;
    }
    text = read_file(arguments[1]);
    printf("%s: %zu bytes\n", arguments[1], text.len);
    measure_memory(text);
    for (round = 0; round < ROUNDS; round++) {
        json_error_t reason;
        json_t *tree;
        double start = now(), took;
        routable_router_free(open_text(text));
        took = now() - start;
        if (took < open_ms) open_ms = took;
        start = now();
        tree = json_loadb(text.ptr, text.len, JSON_ALLOW_NUL, &reason);
        json_decref(tree);
        took = now() - start;
        if (took < parse_ms) parse_ms = took;
    }
    router = open_text(text);
    printf("  open: %zu operations in %.1f ms; jansson parses the text in %.1f ms: ratio %.2f\n",
        routable_router_operation_count(router), open_ms, parse_ms, open_ms / parse_ms);
    puts("  building: as the document has it / as a route document by hand");
    for (i = 0; i < routable_router_operation_count(router); i++) {
        const routable_operation *const operation = routable_router_operation_at(router, i);
        int wanted = count == 2, named;
        for (named = 2; named < count; named++)
            wanted |= strcmp(arguments[named], routable_operation_name(operation).ptr) == 0;
        if (wanted && is_simple(operation, &ids) && (count > 2 || simple++ % 40 == 0)) compare(router, operation, ids, worst);
    }
    printf("  at most: request %.2f, URL %.2f of the one by hand\n", worst[0], worst[1]);
    routable_router_free(router);
    free((char *)(uintptr_t)text.ptr);
    return 0;
}
