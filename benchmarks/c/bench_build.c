/* bench_build.c - builds a URL of three path values and two query values, compared with floor_build.c and with the usual code of programs:
 * curl_easy_escape and snprintf. */
#include "floor.h"
#include "measure.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 5 };
static const char *const pieces[VALUES] = { "https://api.example.com/orgs/", "/projects/", "/files/", "?q=", "&lang=" };

/* The values in the form of each contender, prepared before the measurement. */
typedef struct build_work {
    size_t count;
    const char *(*values)[VALUES];
    size_t (*lengths)[VALUES];
    routable_value (*views)[VALUES];
    floor_plan floor;
    routable_plan *plan;
    CURL *curl;
    size_t sum;
} build_work;

static void build_by_floor(void *context)
{
    build_work *const work = context;
    char out[4096];
    for (size_t row = 0; row < work->count; row++)
        work->sum += floor_build(&work->floor, work->values[row], work->lengths[row], out, sizeof out);
}

static void build_by_plan(void *context)
{
    build_work *const work = context;
    char out[4096];
    for (size_t row = 0; row < work->count; row++) {
        const routable_value *const values = work->views[row];
        size_t length = 0;
        if (routable_plan_write(work->plan, values, 3, values + 3, 2, out, sizeof out, &length, NULL)) fail("write", NULL);
        work->sum += length;
    }
}

static void build_by_curl(void *context)
{
    build_work *const work = context;
    char out[4096], *escaped[VALUES];
    for (size_t row = 0; row < work->count; row++) {
        for (int index = 0; index < VALUES; index++)
            escaped[index] = curl_easy_escape(work->curl, work->values[row][index], (int)work->lengths[row][index]);
        work->sum += (size_t)snprintf(out, sizeof out, "https://api.example.com/orgs/%s/projects/%s/files/%s?q=%s&lang=%s",
            escaped[0], escaped[1], escaped[2], escaped[3], escaped[4]);
        for (int index = 0; index < VALUES; index++) curl_free(escaped[index]);
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

static build_work open_rows(const lines *rows)
{
    build_work work = { rows->count, calloc(rows->count, sizeof *work.values), calloc(rows->count, sizeof *work.lengths),
        calloc(rows->count, sizeof *work.views), { 0 }, open_plan(), curl_easy_init(), 0 };
    floor_plan_make(&work.floor, pieces, VALUES);
    for (size_t row = 0; row < rows->count; row++) {
        char *at = rows->text[row];
        for (int index = 0; index < VALUES; index++) {
            char *const end = at + strcspn(at, "\t");
            work.values[row][index] = at;
            work.lengths[row][index] = (size_t)(end - at);
            work.views[row][index] = routable_value_str((routable_str) { at, (size_t)(end - at) });
            at = *end ? end + 1 : end;
        }
    }
    return work;
}

/* The number of rows with a wrong URL, by the plan or by hand. */
static size_t wrong_rows(const build_work *work, const lines *expected)
{
    size_t wrong = 0;
    for (size_t row = 0; row < work->count; row++) {
        char out[4096], by_hand[4096];
        size_t length = 0;
        const routable_value *const values = work->views[row];
        const routable_status status = routable_plan_write(work->plan, values, 3, values + 3, 2, out, sizeof out, &length, NULL);
        floor_build(&work->floor, work->values[row], work->lengths[row], by_hand, sizeof by_hand);
        wrong += status || strcmp(out, by_hand) || length != strlen(out)
            || (expected && (row >= expected->count || strcmp(out, expected->text[row])));
    }
    return wrong;
}

int bench_build(const char *rows_name, const char *expect_name)
{
    const lines rows = read_lines(rows_name);
    lines expected = { NULL, NULL, 0 };
    build_work work = open_rows(&rows);
    contender contenders[] = { { "by hand", build_by_floor, { 0 } }, { "routable plan", build_by_plan, { 0 } },
        { "snprintf, curl escapes", build_by_curl, { 0 } } };
    if (expect_name) expected = read_lines(expect_name);
    const size_t wrong = wrong_rows(&work, expect_name ? &expected : NULL);
    const size_t before = allocations;
    build_by_plan(&work);
    const size_t during = allocations - before;
    printf("%s: %zu rows, %zu differ from what is expected; %zu allocations\n", rows_name, rows.count, wrong, during);
    compete(contenders, 3, &work, work.count);
    routable_plan_free(work.plan);
    curl_easy_cleanup(work.curl);
    return wrong != 0 || during != 0;
}
