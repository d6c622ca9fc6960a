/* measure.c - the functions of measure.h. */
#define _GNU_SOURCE
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- Counting allocations: these definitions replace those of the C library --- */

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);
size_t allocations;
size_t live_blocks;

static void *counted(void *block)
{
    allocations++;
    live_blocks += block != NULL;
    return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }
void *realloc(void *old, size_t size)
{
    void *const block = counted(__libc_realloc(old, size));
    live_blocks -= old && (block || !size);
    return block;
}
int posix_memalign(void **out, size_t alignment, size_t size)
{
    return (*out = counted(__libc_memalign(alignment, size))) ? 0 : 12;
}
void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }
void free(void *block)
{
    live_blocks -= block != NULL;
    __libc_free(block);
}

double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

void fail(const char *what, const routable_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error ? routable_error_message(error).ptr : "failed");
    exit(1);
}

lines read_lines(const char *name)
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

int ascending(const void *left, const void *right)
{
    const double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

void compete(contender *contenders, size_t count, void *context, size_t operations)
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

routable_router *open_routes(const lines *routes)
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
