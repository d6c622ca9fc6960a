/* floor.h - hand-written routers and builders for comparison.  See floor.c. */
#ifndef BENCHMARKS_FLOOR_H
#define BENCHMARKS_FLOOR_H

#include <stddef.h>
#include <stdint.h>

typedef struct floor_router floor_router;
typedef struct floor_capture { uint32_t offset, length; } floor_capture;

floor_router *floor_open(char **routes, size_t count);
void floor_free(floor_router *router);
size_t floor_bytes(const floor_router *router);
/* The number of the route or -1; 64 bytes after the path must be readable. */
int32_t floor_match(const floor_router *router, const char *path, size_t length, floor_capture *captures, uint32_t *count);

/* Alternating literals and values; the literals are stored in one block that is followed by padding. */
typedef struct floor_plan { size_t count, bytes; uint32_t start[8], length[8]; char text[256]; } floor_plan;

void floor_plan_make(floor_plan *plan, const char *const *pieces, size_t count);
/* Writes the URL with the values percent-encoded; returns its length, or 0 if it may not fit. */
size_t floor_build(const floor_plan *plan, const char *const *values, const size_t *lengths, char *out, size_t capacity);

#endif
