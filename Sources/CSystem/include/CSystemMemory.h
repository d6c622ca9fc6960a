/* CSystemMemory.h - the allocator of the library, which handles a lack of memory in the system or by the limit of the program.
 *
 * Swift code cannot handle a failed allocation, so allocations for Swift never fail: a small block is allocated from a reserve, and
 * a flag of the thread is set.  Loops check the flag in their steps, and the end of each exported call converts it to the status
 * ROUTABLE_ERR_MEMORY.  Allocations of C code return NULL, and set the flag, too. */
#ifndef CSYSTEM_MEMORY_H
#define CSYSTEM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* A few bytes for each thread, at an offset that is known when the library is loaded: access needs no function call, and the
 * library does not need the dynamic linker as a library (__tls_get_addr). */
#define CSYSTEM_THREAD_LOCAL __attribute__((tls_model("initial-exec"))) _Thread_local

/* 0 in the usual case.  Otherwise the sum of: the blocks in the reserve, the prepared blocks, the threads whose memory failed, and 1
 * if memory is counted. */
extern int64_t csystem_memory_special __attribute__((visibility("hidden")));

#define CSYSTEM_IS_USUAL() __builtin_expect(__atomic_load_n(&csystem_memory_special, __ATOMIC_RELAXED) == 0, 1)

#ifdef ROUTABLE_EMBEDDED
/* Replaces `posix_memalign` of Swift code (Makefile).  The result is never NULL: without a reserve the process ends. */
int csystem_allocate_object(void *_Nullable *_Nonnull out, size_t alignment, size_t size);
#endif
/* For C code, and for sizes that depend on external data: returns NULL if there is no memory. */
void *_Nullable csystem_allocate(size_t size);
void *_Nullable csystem_allocate_zeros(size_t size);
/* If the result is NULL, `memory` is not changed. */
void *_Nullable csystem_resize(void *_Nullable memory, size_t size);
void csystem_free(void *_Nullable memory);
/* Allocates like an object of Swift: the result is never NULL. */
void *_Nonnull csystem_allocate_needed(size_t size);

/* Whether memory failed on this thread since its call began. */
int32_t csystem_memory_failed_here(void);
static inline _Bool csystem_memory_failed(void) { return !CSYSTEM_IS_USUAL() && csystem_memory_failed_here() != 0; }
/* Sets the flag of this thread, as for an allocation that failed with a loss of data. */
void csystem_memory_fail(void);

/* Reserves memory for one allocation of Swift code whose size depends on external data; returns 0, and sets the flag, if there is
 * none.  The next allocation of about this size on this thread uses the memory. */
int32_t csystem_memory_prepare_slowly(size_t size);
static inline _Bool csystem_memory_prepare(size_t size)
{
    return __builtin_expect(size < 32768, 1) || csystem_memory_prepare_slowly(size);
}

/* Whether the limit and the system allow allocating this number of bytes now. */
int32_t csystem_memory_admits(size_t size);

/* Begins a call: resets the flag of the thread, and fills the reserve, or sets the flag if this fails.  The result is passed to
 * csystem_call_end. */
int32_t csystem_call_begin_slowly(void);
static inline int32_t csystem_call_begin(void) { return CSYSTEM_IS_USUAL() ? 0 : csystem_call_begin_slowly(); }
/* Ends the call.  Returns 0 if memory did not fail during the call, 1 if the reserve was sufficient, 2 if data was lost. */
int32_t csystem_call_end_slowly(int32_t before);
static inline int32_t csystem_call_end(int32_t before) { return CSYSTEM_IS_USUAL() ? 0 : csystem_call_end_slowly(before); }

/* Sets the limit of the program in bytes; 0: none.  Memory is counted from the first call on. */
void csystem_memory_limit(size_t bytes);
size_t csystem_memory_used(void);

#endif
