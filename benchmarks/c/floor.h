/* floor.h - hand-written routers and builders to compare with.  See floor.c. */
#ifndef BENCHMARKS_FLOOR_H
#define BENCHMARKS_FLOOR_H

#include <stddef.h>
#include <stdint.h>

typedef struct floor_router floor_router;
typedef struct floor_capture { uint32_t offset, length; } floor_capture;

floor_router *floor_open(char **routes, size_t count);
void floor_free(floor_router *router);
size_t floor_bytes(const floor_router *router);
/* The number of the route or -1; 64 bytes behind the path can be read. */
int32_t floor_match(const floor_router *router, const char *path, size_t length, floor_capture *captures, uint32_t *count);

/* A URL from packed literals: `pieces` and `values` in turn, values percent-encoded.  Returns the length. */
size_t floor_build(const char *const *pieces, const char *const *values, const size_t *lengths, size_t count, char *out);

#endif
