/* measure.h - inputs, rounds that take turns, and a count of every allocation of the process. */
#ifndef BENCHMARKS_MEASURE_H
#define BENCHMARKS_MEASURE_H

#include <routable.h>
#include <stddef.h>

enum { ROUNDS = 201, ROUND_NS = 400000 };

/* All that malloc and its kin were asked for so far. */
extern size_t allocations;
/* Those of it that were not given back. */
extern size_t live_blocks;

double now(void); /* ns */
void fail(const char *what, const routable_error *error) __attribute__((noreturn));

typedef struct lines { char **text; size_t *length; size_t count; } lines;

/* All lines in one piece of memory, with room to read behind the last. */
lines read_lines(const char *name);

typedef struct contender {
    const char *name;
    void (*run)(void *context); /* once over all inputs */
    double rounds[ROUNDS];
} contender;

/* Measures all in turn, and prints each with its ratio to the first. */
void compete(contender *contenders, size_t count, void *context, size_t operations);

int ascending(const void *left, const void *right); /* doubles */

/* A router of standalone operations r0, r1, ... with these paths. */
routable_router *open_routes(const lines *routes);

/* The benchmarks; each returns 0 when what it holds the library to is so. */
int bench_match(const char *routes_name, const char *urls_name);
int bench_build(const char *rows_name, const char *expect_name);
int bench_open(const char *routes_name);
/* Each path twice, for whoever counts what that takes. */
int bench_once(const char *routes_name, const char *urls_name);

#endif
