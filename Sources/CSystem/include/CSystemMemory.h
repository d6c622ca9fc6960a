/* CSystemMemory.h - the library's allocator: what happens when the system, or the limit of the host, gives no memory.
 *
 * Swift's code cannot answer a failed allocation, so it never sees one: a small one is served from a reserve, and the thread
 * remembers that memory failed.  Loops look at that where they count their steps, and the end of each exported call makes it
 * the status ROUTABLE_ERR_MEMORY.  C's allocations return NULL, and the thread remembers it as well. */
#ifndef CSYSTEM_MEMORY_H
#define CSYSTEM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* A few bytes for each thread, at an offset that is known when the library is loaded: an access calls no function, and the
 * library does not need the dynamic linker as a library (__tls_get_addr). */
#define CSYSTEM_THREAD_LOCAL __attribute__((tls_model("initial-exec"))) _Thread_local

/* 0 in the usual case.  Otherwise: blocks that live in the reserve, threads whose memory failed, memory that is counted. */
extern int64_t csystem_memory_special __attribute__((visibility("hidden")));

#define CSYSTEM_IS_USUAL() __builtin_expect(__atomic_load_n(&csystem_memory_special, __ATOMIC_RELAXED) == 0, 1)

#ifdef ROUTABLE_EMBEDDED
/* Where `posix_memalign` and `free` of Swift's code lead (Makefile).  Never NULL: without a reserve the process ends. */
int csystem_allocate_object(void *_Nullable *_Nonnull out, size_t alignment, size_t size);
#endif
/* For C, and for what outside data sizes: NULL when there is no memory. */
void *_Nullable csystem_allocate(size_t size);
void *_Nullable csystem_allocate_zeros(size_t size);
/* NULL leaves `memory` as it was. */
void *_Nullable csystem_resize(void *_Nullable memory, size_t size);
void csystem_free(void *_Nullable memory);
/* As an object of Swift: never NULL. */
void *_Nonnull csystem_allocate_needed(size_t size);

/* Whether memory failed on this thread since its call began. */
int32_t csystem_memory_failed_here(void);
static inline _Bool csystem_memory_failed(void) { return !CSYSTEM_IS_USUAL() && csystem_memory_failed_here() != 0; }
/* As if memory had failed, and something were lost by it. */
void csystem_memory_fail(void);

/* Room for one allocation of Swift's that outside data sizes; 0: there is none, and memory has failed.  The next one on
 * this thread that is as large takes it. */
int32_t csystem_memory_prepare_slowly(size_t size);
static inline _Bool csystem_memory_prepare(size_t size)
{
    return __builtin_expect(size < 32768, 1) || csystem_memory_prepare_slowly(size);
}

/* Whether the limit and the system would give so many bytes now. */
int32_t csystem_memory_admits(size_t size);

/* A call begins: forgets what failed before it, and fills the reserve, or lets memory have failed in it.  The result is for
 * csystem_call_end. */
int32_t csystem_call_begin_slowly(void);
static inline int32_t csystem_call_begin(void) { return CSYSTEM_IS_USUAL() ? 0 : csystem_call_begin_slowly(); }
/* It ends.  0: memory did not fail in it; 1: the reserve served; 2: something is lost. */
int32_t csystem_call_end_slowly(int32_t before);
static inline int32_t csystem_call_end(int32_t before) { return CSYSTEM_IS_USUAL() ? 0 : csystem_call_end_slowly(before); }

/* The host's limit in bytes; 0: none.  Memory is counted from the first call on. */
void csystem_memory_limit(size_t bytes);
size_t csystem_memory_used(void);

#endif
