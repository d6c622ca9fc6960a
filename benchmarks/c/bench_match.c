/* bench_match.c - matches a path to its operation and captures, compared with floor.c. */
#include "floor.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

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
            work->router, NULL, routable_str_from_bytes(work->urls.text[index], work->urls.length[index]), 0, &match);
}

static void match_get(void *context)
{
    match_work *const work = context;
    routable_match match;
    for (size_t index = 0; index < work->urls.count; index++)
        work->sum += (size_t)routable_router_match(
            work->router, "GET", routable_str_from_bytes(work->urls.text[index], work->urls.length[index]), 0, &match);
}

static void match_nothing(void *context)
{
    match_work *const work = context;
    routable_match match;
    for (size_t index = 0; index < work->urls.count; index++)
        work->sum += (size_t)routable_router_match(work->router, "GET", ROUTABLE_STR("/-/-/-/nothing"), 0, &match);
}

int bench_match(const char *routes_name, const char *urls_name)
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
        if (routable_router_match(work.router, NULL, routable_str_from_bytes(work.urls.text[index], work.urls.length[index]), 0, &match)) continue;
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

int bench_once(const char *routes_name, const char *urls_name)
{
    const lines routes = read_lines(routes_name), urls = read_lines(urls_name);
    routable_router *const router = open_routes(&routes);
    size_t found = 0;
    for (size_t index = 0; index < urls.count; index++) {
        routable_match match;
        found += !routable_router_match(router, NULL, routable_str_from_bytes(urls.text[index], urls.length[index]), 0, &match);
        found += !routable_router_match(router, "GET", routable_str_from_bytes(urls.text[index], urls.length[index]), 0, &match);
    }
    routable_router_free(router);
    printf("%zu matches\n", found);
    return found != 2 * urls.count;
}
