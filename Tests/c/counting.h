/* counting.h - counts allocations: its definitions of malloc replace those of the C library.  Include it in one file of a program. */
#ifndef COUNTING_H
#define COUNTING_H

#include <stddef.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

/* A sanitizer has its own malloc, which must not be replaced. */
#if defined(__has_feature)
#  if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#    define CANNOT_COUNT 1
#  endif
#endif

/* volatile, because the compiler assumes that malloc accesses neither of them. */
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

/* Whether allocations are counted: a memory checker may have replaced malloc before. */
static int can_count(void)
{
    void *volatile memory; /* volatile, so that the compiler does not remove both calls */
    allocations = 0;
    counting = 1;
    memory = malloc(1);
    counting = 0;
    free(memory);
    return allocations == 1;
}

#endif
