/* failing.c - counts the allocations of the whole process, and makes each fail in turn. */
#define _GNU_SOURCE
#include "torture.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

volatile int torture_is_armed, torture_forever;
const void *volatile torture_caller;
volatile long torture_seen, torture_refuse, torture_refused, torture_live;

static int is_refused(const void *caller)
{
    long now;
    if (!torture_is_armed)
        return 0;
    now = __atomic_add_fetch(&torture_seen, 1, __ATOMIC_RELAXED);
    if (torture_refuse == 0 || (torture_forever ? now < torture_refuse : now != torture_refuse))
        return 0;
    __atomic_add_fetch(&torture_refused, 1, __ATOMIC_RELAXED);
    torture_caller = caller;
    errno = ENOMEM;
    return 1;
}

static void *had(void *memory)
{
    if (memory)
        __atomic_add_fetch(&torture_live, 1, __ATOMIC_RELAXED);
    return memory;
}

void *malloc(size_t size) { return is_refused(__builtin_return_address(0)) ? NULL : had(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return is_refused(__builtin_return_address(0)) ? NULL : had(__libc_calloc(count, size)); }

void *realloc(void *memory, size_t size)
{
    if (is_refused(__builtin_return_address(0)))
        return NULL;
    return memory ? __libc_realloc(memory, size) : had(__libc_malloc(size));
}

void *aligned_alloc(size_t alignment, size_t size) { return is_refused(__builtin_return_address(0)) ? NULL : had(__libc_memalign(alignment, size)); }
void *memalign(size_t alignment, size_t size) { return is_refused(__builtin_return_address(0)) ? NULL : had(__libc_memalign(alignment, size)); }

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *const memory = is_refused(__builtin_return_address(0)) ? NULL : had(__libc_memalign(alignment, size));
    if (!memory)
        return ENOMEM;
    *out = memory;
    return 0;
}

void free(void *memory)
{
    if (memory)
        __atomic_sub_fetch(&torture_live, 1, __ATOMIC_RELAXED);
    __libc_free(memory);
}

/* The library maps its reserve; the C library maps memory with an internal function. */
void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    if (is_refused(__builtin_return_address(0)))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset);
}
