/* validate.c - measures the validation of a JSON object against a schema, compared with the minimum of work.
 *
 *   validate SCHEMA OBJECT
 *
 * From a json_t: compared with a walk that visits every member and element of the same tree and sums their types.  From
 * a string: compared with jansson's parsing of that text, and freeing the tree.  The two of a pair alternate, so that
 * the ratio is stable on a busy machine; minimum and median over the rounds. */
#define _GNU_SOURCE
#include <jansson.h>
#include <routable.h>
#include <routable_jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* --- Counting allocations: these definitions replace those of the C library --- */

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

/* --- The four jobs --- */

static json_t *tree;
static char *text;
static size_t length;
static routable_schema *schema;
static volatile size_t sink;

static size_t walk(json_t *value)
{
    size_t sum = (size_t)json_typeof(value), index;
    json_t *child;
    const char *key;
    if (json_is_object(value)) {
        json_object_foreach(value, key, child)
            sum += (size_t)*key + walk(child);
    } else if (json_is_array(value)) {
        json_array_foreach(value, index, child)
            sum += walk(child);
    }
    return sum;
}

static void fail(const char *what, routable_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error ? routable_error_message(error).ptr : "failed");
    exit(1);
}

static void job_walk(void) { sink += walk(tree); }

static void job_check_tree(void)
{
    if (routable_schema_validate_jansson(schema, tree, 1, NULL) != ROUTABLE_OK) fail("check of the tree", NULL);
}

static void job_parse(void)
{
    json_t *const parsed = json_loadb(text, length, 0, NULL);
    if (!parsed) fail("parse", NULL);
    json_decref(parsed);
}

static void job_check_text(void)
{
    const routable_str given = { text, length };
    if (routable_schema_validate(schema, given.ptr, given.len, 1, NULL) != ROUTABLE_OK) fail("check of the text", NULL);
}

/* --- Rounds --- */

enum { ROUNDS = 401, ROUND_NS = 200000 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double timed(void (*job)(void), size_t count)
{
    const double start = now();
    for (size_t index = 0; index < count; index++) job();
    return (now() - start) / (double)count;
}

static int by_value(const void *left, const void *right)
{
    const double one = *(const double *)left, two = *(const double *)right;
    return (one > two) - (one < two);
}

static void compare(const char *floor_name, void (*floor)(void), const char *name, void (*ours)(void))
{
    static double floors[ROUNDS], own[ROUNDS], ratios[ROUNDS];
    const size_t count = (size_t)(ROUND_NS / timed(ours, 100)) + 1;
    size_t before, counted;
    for (int round = 0; round < ROUNDS; round++) {
        floors[round] = timed(floor, count);
        own[round] = timed(ours, count);
        ratios[round] = own[round] / floors[round];
    }
    before = allocations;
    timed(ours, 1000);
    counted = allocations - before;
    before = allocations;
    timed(floor, 1000);
    qsort(floors, ROUNDS, sizeof *floors, by_value);
    qsort(own, ROUNDS, sizeof *own, by_value);
    qsort(ratios, ROUNDS, sizeof *ratios, by_value);
    printf("%-34s min %8.1f ns  median %8.1f ns  allocations %.2f\n", floor_name, floors[0], floors[ROUNDS / 2],
           (double)(allocations - before) / 1000);
    printf("%-34s min %8.1f ns  median %8.1f ns  allocations %.2f\n", name, own[0], own[ROUNDS / 2], (double)counted / 1000);
    printf("%-34s min %8.2f     median %8.2f\n", "  ratio", own[0] / floors[0], ratios[ROUNDS / 2]);
}

static char *read_file(const char *name, size_t *count)
{
    FILE *const file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END)) fail(name, NULL);
    *count = (size_t)ftell(file);
    char *const all = calloc(1, *count + 1);
    rewind(file);
    if (fread(all, 1, *count, file) != *count) fail(name, NULL);
    fclose(file);
    return all;
}

int main(int count, char **arguments)
{
    routable_schema_options options = ROUTABLE_SCHEMA_OPTIONS_INIT;
    routable_error *error = NULL;
    routable_str source;
    if (count != 3) {
        fprintf(stderr, "usage: validate SCHEMA OBJECT\n");
        return 2;
    }
    source.ptr = read_file(arguments[1], &source.len);
    text = read_file(arguments[2], &length);
    if (routable_schema_open(source.ptr, source.len, &options, &schema, &error)) fail(arguments[1], error);
    tree = json_loadb(text, length, 0, NULL);
    if (!tree || routable_schema_validate_jansson(schema, tree, 1, &error)) fail(arguments[2], error);
    compare("walk over the json_t", job_walk, "routable, from the json_t", job_check_tree);
    compare("jansson's parsing of the text", job_parse, "routable, from the text", job_check_text);
    json_decref(tree);
    routable_schema_free(schema);
    return 0;
}
