/* counting.h - counts allocations: the program's own definitions stand before the C library's.  In one file per program. */
#ifndef COUNTING_H
#define COUNTING_H

#include <stddef.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

/* A sanitizer has a malloc of its own, which must not be stood in front of. */
#if defined(__has_feature)
#  if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#    define CANNOT_COUNT 1
#  endif
#endif

/* volatile: the compiler takes malloc for a function that looks at neither. */
static volatile int counting;
static volatile size_t allocations;

#ifndef CANNOT_COUNT

void *malloc(size_t size)
{
    allocations += counting != 0;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations += counting != 0;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    allocations += counting != 0;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    allocations += counting != 0;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *const memory = __libc_memalign(alignment, size);
    allocations += counting != 0;
    if (!memory)
        return 12;
    *out = memory;
    return 0;
}

#endif

/* Whether anything is counted: a checker of memory may have put its own malloc in front of ours. */
static int can_count(void)
{
    void *volatile memory; /* or the compiler leaves both calls out */
    allocations = 0;
    counting = 1;
    memory = malloc(1);
    counting = 0;
    free(memory);
    return allocations == 1;
}

#endif
