/* measure.h - inputs, alternating rounds, and a count of every allocation of the process. */
#ifndef BENCHMARKS_MEASURE_H
#define BENCHMARKS_MEASURE_H

#include <routable.h>
#include <stddef.h>

enum { ROUNDS = 201, ROUND_NS = 400000 };

/* The number of allocations so far. */
extern size_t allocations;
/* The number of allocated blocks. */
extern size_t live_blocks;

double now(void); /* ns */
void fail(const char *what, const routable_error *error) __attribute__((noreturn));

typedef struct lines { char **text; size_t *length; size_t count; } lines;

/* All lines in one block of memory, with readable padding after the last one. */
lines read_lines(const char *name);

typedef struct contender {
    const char *name;
    void (*run)(void *context); /* one pass over all inputs */
    double rounds[ROUNDS];
} contender;

/* Measures all contenders in alternating rounds, and prints each with its ratio to the first. */
void compete(contender *contenders, size_t count, void *context, size_t operations);

int ascending(const void *left, const void *right); /* doubles */

/* A router of standalone operations r0, r1, ... with these paths. */
routable_router *open_routes(const lines *routes);

/* The benchmarks; each returns 0 if the library meets its requirements. */
int bench_match(const char *routes_name, const char *urls_name);
int bench_build(const char *rows_name, const char *expect_name);
int bench_open(const char *routes_name);
/* Matches each path twice, for external counters. */
int bench_once(const char *routes_name, const char *urls_name);

#endif
