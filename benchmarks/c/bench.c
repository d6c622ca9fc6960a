/* bench.c - how fast the library matches and builds, through the shared library and the public header.
 *
 *   bench match ROUTES URLS     one route per line (":name" or "{name}" is a parameter), one path per line
 *   bench build TSV [EXPECT]    three path values and two query values per line; EXPECT has the URLs
 *
 * Each figure is measured in rounds that alternate with the same work by hand in C (floor.c), so that the ratio
 * holds on a busy machine: minimum and median over the rounds, in ns per operation. */
#define _GNU_SOURCE
#include "floor.h"

#include <routable.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* --- Counting allocations: every call of the process comes through here --- */

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
static size_t allocations;

void *malloc(size_t size) { allocations++; return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { allocations++; return __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { allocations++; return __libc_realloc(old, size); }
int posix_memalign(void **out, size_t alignment, size_t size)
{
    allocations++;
    return (*out = __libc_memalign(alignment, size)) ? 0 : 12;
}
void *aligned_alloc(size_t alignment, size_t size) { allocations++; return __libc_memalign(alignment, size); }

/* --- Helpers --- */

enum { ROUNDS = 201, ROUND_NS = 400000 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void fail(const char *what, routable_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error ? routable_error_message(error).ptr : "failed");
    exit(1);
}

typedef struct lines { char **text; size_t *length; size_t count; } lines;

/* All lines in one piece of memory, with room to read behind the last. */
static lines read_lines(const char *name)
{
    lines result = { NULL, NULL, 0 };
    FILE *const file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END)) fail(name, NULL);
    const size_t size = (size_t)ftell(file);
    char *const all = calloc(1, size + 128);
    rewind(file);
    if (fread(all, 1, size, file) != size) fail(name, NULL);
    fclose(file);
    for (char *at = all, *end; at < all + size; at = end + 1) {
        end = memchr(at, '\n', (size_t)(all + size - at));
        if (!end) end = all + size;
        *end = 0;
        if (end == at) continue;
        result.text = realloc(result.text, (result.count + 1) * sizeof(char *));
        result.length = realloc(result.length, (result.count + 1) * sizeof(size_t));
        result.text[result.count] = at;
        result.length[result.count++] = (size_t)(end - at);
    }
    if (!result.count) fail(name, NULL);
    return result;
}

static int ascending(const void *left, const void *right)
{
    const double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

typedef struct contender {
    const char *name;
    void (*run)(void *context); /* once over all inputs */
    double rounds[ROUNDS];
} contender;

/* Measures all in turn, and prints each with its ratio to the first. */
static void compete(contender *contenders, size_t count, void *context, size_t operations)
{
    for (int round = -1; round < ROUNDS; round++) {
        for (size_t index = 0; index < count; index++) {
            size_t repeats = 0;
            const double start = now();
            double stop;
            do {
                contenders[index].run(context);
                repeats++;
                stop = now();
            } while (stop - start < ROUND_NS);
            if (round >= 0) contenders[index].rounds[round] = (stop - start) / (double)(repeats * operations);
        }
    }
    for (size_t index = 0; index < count; index++) qsort(contenders[index].rounds, ROUNDS, sizeof(double), ascending);
    for (size_t index = 0; index < count; index++) {
        const double *const rounds = contenders[index].rounds;
        printf("  %-24s min %7.1f  median %7.1f ns   ratio %.2f (median %.2f)\n", contenders[index].name, rounds[0],
               rounds[ROUNDS / 2], rounds[0] / contenders[0].rounds[0], rounds[ROUNDS / 2] / contenders[0].rounds[ROUNDS / 2]);
    }
}

/* --- Matching --- */

typedef struct match_work {
    lines urls;
    floor_router *floor;
    routable_router *router;
    size_t sum;
} match_work;

static void match_by_floor(void *context)
{
    match_work *const work = context;
    floor_capture captures[ROUTABLE_MAX_CAPTURES];
    uint32_t count;
    for (size_t index = 0; index < work->urls.count; index++)
        work->sum += (size_t)floor_match(work->floor, work->urls.text[index], work->urls.length[index], captures, &count);
}

static void match_any(void *context)
{
    match_work *const work = context;
    routable_match match;
    for (size_t index = 0; index < work->urls.count; index++)
        work->sum += (size_t)routable_router_match(
            work->router, NULL, work->urls.text[index], work->urls.length[index], 0, &match);
}

static void match_get(void *context)
{
    match_work *const work = context;
    routable_match match;
    for (size_t index = 0; index < work->urls.count; index++)
        work->sum += (size_t)routable_router_match(
            work->router, "GET", work->urls.text[index], work->urls.length[index], 0, &match);
}

static void match_nothing(void *context)
{
    match_work *const work = context;
    routable_match match;
    for (size_t index = 0; index < work->urls.count; index++)
        work->sum += (size_t)routable_router_match(work->router, "GET", "/-/-/-/nothing", 14, 0, &match);
}

static routable_router *open_routes(const lines *routes)
{
    routable_builder *builder = NULL;
    routable_router *router = NULL;
    routable_error *error = NULL;
    char name[32];
    if (routable_builder_new("bench", NULL, &builder, &error)) fail("builder", error);
    for (size_t index = 0; index < routes->count; index++) {
        routable_operation_options options = { 0 };
        options.size = sizeof options;
        sprintf(name, "r%zu", index);
        options.name = name;
        options.method = "GET";
        options.path = routes->text[index];
        if (routable_builder_add_operation(builder, &options, &error)) fail(routes->text[index], error);
    }
    if (routable_builder_build(builder, &router, &error)) fail("build", error);
    routable_builder_free(builder);
    return router;
}

static int bench_match(const char *routes_name, const char *urls_name)
{
    const lines routes = read_lines(routes_name);
    match_work work = { read_lines(urls_name), NULL, NULL, 0 };
    routable_match match;
    double opened[5];
    size_t found = 0, captured = 0, same = 0, during;
    work.floor = floor_open(routes.text, routes.count);
    for (int round = 0; round < 5; round++) {
        const double start = now();
        routable_router *const router = open_routes(&routes);
        opened[round] = (now() - start) / 1e6;
        if (work.router) routable_router_free(work.router);
        work.router = router;
    }
    qsort(opened, 5, sizeof(double), ascending);
    const size_t before = allocations;
    for (size_t index = 0; index < work.urls.count; index++) {
        floor_capture captures[ROUTABLE_MAX_CAPTURES];
        uint32_t count = 0;
        if (routable_router_match(work.router, NULL, work.urls.text[index], work.urls.length[index], 0, &match)) continue;
        found++;
        captured += match.capture_count;
        const int32_t route = floor_match(work.floor, work.urls.text[index], work.urls.length[index], captures, &count);
        int is_same = route == (int32_t)match.operation && count == match.capture_count;
        for (uint32_t capture = 0; is_same && capture < count; capture++)
            is_same = captures[capture].offset == match.captures[capture].offset
                && captures[capture].length == match.captures[capture].length;
        same += (size_t)is_same;
    }
    during = allocations - before;
    printf("%s, %s: %zu routes, %zu paths\n", routes_name, urls_name, routes.count, work.urls.count);
    printf("  %zu matched with %zu captures, %zu of them as by hand; %zu allocations\n", found, captured, same, during);
    printf("  opened by the builder in %.2f ms (median %.2f); table %zu bytes, by hand %zu\n", opened[0], opened[2],
           routable_router_match_bytes(work.router), floor_bytes(work.floor));
    contender contenders[] = {
        { "by hand", match_by_floor, { 0 } }, { "routable", match_any, { 0 } },
        { "routable with a method", match_get, { 0 } }, { "routable, no match", match_nothing, { 0 } }
    };
    compete(contenders, 4, &work, work.urls.count);
    routable_router_free(work.router);
    floor_free(work.floor);
    return found != work.urls.count || during != 0;
}

/* --- Building --- */

enum { VALUES = 5 };
static const char *const pieces[VALUES] = { "https://api.example.com/orgs/", "/projects/", "/files/", "?q=", "&lang=" };

typedef struct build_work {
    size_t count;
    const char *(*values)[VALUES];
    size_t (*lengths)[VALUES];
    routable_plan *plan;
    size_t sum;
} build_work;

static void build_by_floor(void *context)
{
    build_work *const work = context;
    char out[4096];
    for (size_t row = 0; row < work->count; row++)
        work->sum += floor_build(pieces, work->values[row], work->lengths[row], VALUES, out);
}

static void build_by_plan(void *context)
{
    build_work *const work = context;
    char out[4096];
    for (size_t row = 0; row < work->count; row++) {
        routable_value values[VALUES];
        size_t length = 0;
        for (int index = 0; index < VALUES; index++) {
            routable_str text;
            text.ptr = work->values[row][index];
            text.len = work->lengths[row][index];
            values[index] = routable_text_of(text);
        }
        if (routable_plan_write(work->plan, values, 3, values + 3, 2, out, sizeof out, &length, NULL)) fail("write", NULL);
        work->sum += length;
    }
}

static routable_plan *open_plan(void)
{
    routable_builder *builder = NULL;
    routable_router *router = NULL;
    routable_error *error = NULL;
    routable_plan *plan = NULL;
    routable_operation_options options = { 0 };
    routable_parameter_options query[2];
    memset(query, 0, sizeof query);
    for (int index = 0; index < 2; index++) {
        query[index].size = sizeof query[index];
        query[index].location = ROUTABLE_IN_QUERY;
        query[index].name = index ? "lang" : "q";
    }
    options.size = sizeof options;
    options.name = "file";
    options.method = "GET";
    options.path = "/orgs/{org}/projects/{project}/files/{file}";
    options.parameters = query;
    options.parameter_count = 2;
    if (routable_builder_new("bench", "https://api.example.com", &builder, &error)
        || routable_builder_add_operation(builder, &options, &error) || routable_builder_build(builder, &router, &error)
        || routable_plan_new(router, NULL, "file", &plan, &error))
        fail("plan", error);
    routable_builder_free(builder);
    routable_router_free(router);
    return plan;
}

static int bench_build(const char *rows_name, const char *expect_name)
{
    const lines rows = read_lines(rows_name);
    build_work work = { rows.count, calloc(rows.count, sizeof *work.values), calloc(rows.count, sizeof *work.lengths), NULL, 0 };
    size_t wrong = 0, before;
    work.plan = open_plan();
    for (size_t row = 0; row < rows.count; row++) {
        char *at = rows.text[row];
        for (int index = 0; index < VALUES; index++) {
            char *end = strchr(at, '\t');
            if (!end) end = at + strlen(at);
            work.values[row][index] = at;
            work.lengths[row][index] = (size_t)(end - at);
            at = *end ? end + 1 : end;
        }
    }
    if (expect_name) {
        const lines expected = read_lines(expect_name);
        for (size_t row = 0; row < rows.count; row++) {
            char out[4096];
            size_t length = 0;
            routable_value values[VALUES];
            for (int index = 0; index < VALUES; index++) {
                routable_str text;
                text.ptr = work.values[row][index];
                text.len = work.lengths[row][index];
                values[index] = routable_text_of(text);
            }
            if (routable_plan_write(work.plan, values, 3, values + 3, 2, out, sizeof out, &length, NULL)
                || row >= expected.count || strcmp(out, expected.text[row]))
                wrong++;
        }
    }
    before = allocations;
    build_by_plan(&work);
    printf("%s: %zu rows, %zu differ from what is expected; %zu allocations\n", rows_name, rows.count, wrong,
           allocations - before);
    contender contenders[] = { { "by hand", build_by_floor, { 0 } }, { "routable plan", build_by_plan, { 0 } } };
    compete(contenders, 2, &work, work.count);
    routable_plan_free(work.plan);
    return wrong != 0;
}

int main(int count, char **arguments)
{
    if (count == 4 && !strcmp(arguments[1], "match")) return bench_match(arguments[2], arguments[3]);
    if (count >= 3 && !strcmp(arguments[1], "build")) return bench_build(arguments[2], count > 3 ? arguments[3] : NULL);
    fprintf(stderr, "usage: %s match ROUTES URLS | build TSV [EXPECT]\n", arguments[0]);
    return 2;
}
