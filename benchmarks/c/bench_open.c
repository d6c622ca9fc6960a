/* bench_open.c - a router of many routes: opened by builder calls, from a document compared with jansson's parsing of the same text,
 * and opened and freed repeatedly. */
#define _GNU_SOURCE
#include "measure.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 15, OPENINGS = 10000 };

static char *document_of(const lines *routes, size_t *length)
{
    char *text = NULL;
    FILE *const file = open_memstream(&text, length);
    fputs("{\"routable\":1,\"name\":\"bench\",\"operations\":{", file);
    for (size_t index = 0; index < routes->count; index++)
        fprintf(file, "%s\"r%zu\":{\"get\":\"%s\"}", index ? "," : "", index, routes->text[index]);
    fputs("}}", file);
    fclose(file);
    return text;
}

/* Prints the minimum and the median of a step, in ms. */
static void show(const char *what, double *times)
{
    qsort(times, TIMES, sizeof *times, ascending);
    printf("  %-34s least %7.2f  median %7.2f ms\n", what, times[0] / 1e6, times[TIMES / 2] / 1e6);
}

static void open_often(const lines *routes)
{
    size_t before = 0, after = 0;
    lines few = *routes;
    if (few.count > 20) few.count = 20;
    for (int turn = 0; turn < OPENINGS; turn++) {
        if (turn == OPENINGS / 10) before = live_blocks;
        routable_router_free(open_routes(&few));
    }
    after = live_blocks;
    printf("  opened and freed %d times: %zd blocks of memory more in use\n", OPENINGS, (ssize_t)(after - before));
    if (after > before) exit(1);
}

int bench_open(const char *routes_name)
{
    const lines routes = read_lines(routes_name);
    size_t length = 0, bytes = 0;
    char *const text = document_of(&routes, &length);
    double builder[TIMES], document[TIMES], parse[TIMES], freed[TIMES];
    for (int round = -1; round < TIMES; round++) { /* the first round allocates the memory from the system */
        double start[5];
        routable_router *router = NULL, *again = NULL;
        routable_error *error = NULL;
        start[0] = now();
        again = open_routes(&routes);
        start[1] = now();
        json_t *const parsed = json_loadb(text, length, 0, NULL);
        start[2] = now();
        if (routable_router_open(text, length, NULL, &router, &error)) fail("document", error);
        start[3] = now();
        routable_router_free(router);
        start[4] = now();
        bytes = routable_router_match_bytes(again);
        json_decref(parsed);
        routable_router_free(again);
        if (round < 0) continue;
        builder[round] = start[1] - start[0];
        parse[round] = start[2] - start[1];
        document[round] = start[3] - start[2];
        freed[round] = start[4] - start[3];
    }
    printf("%s: %zu routes, table of %zu bytes, document of %zu\n", routes_name, routes.count, bytes, length);
    show("builder calls", builder);
    show("document", document);
    show("jansson's parse of it", parse);
    printf("  %-34s least %7.2f ms\n", "document less the parse", (document[0] - parse[0]) / 1e6);
    show("freed", freed);
    open_often(&routes);
    free(text);
    return 0;
}
