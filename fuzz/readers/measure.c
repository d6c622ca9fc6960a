/* measure.c - see measure.h. Memory is counted unless a sanitizer has its own allocator; steps are counted if the library was compiled
 * with libFuzzer's coverage, which calls a function at each comparison. */
#define _GNU_SOURCE
#include "measure.h"

#include <malloc.h>
#include <stdint.h>

static size_t now_bytes, peak_bytes, start_bytes, steps_now;

void measure_start(void)
{
    start_bytes = peak_bytes = now_bytes;
    steps_now = 0;
}

void measure_end(size_t *peak, size_t *steps)
{
    *peak = peak_bytes - start_bytes;
    *steps = steps_now;
}

/* --- Memory: these definitions replace those of the C library --- */

#if !defined(__SANITIZE_ADDRESS__) && !(defined(__has_feature) && __has_feature(address_sanitizer))
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static void *count(void *memory)
{
    if (memory) {
        now_bytes += malloc_usable_size(memory);
        if (now_bytes > peak_bytes)
            peak_bytes = now_bytes;
    }
    return memory;
}

void *malloc(size_t size) { return count(__libc_malloc(size)); }
void *calloc(size_t n, size_t size) { return count(__libc_calloc(n, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return count(__libc_memalign(alignment, size)); }
void *memalign(size_t alignment, size_t size) { return count(__libc_memalign(alignment, size)); }

void free(void *memory)
{
    if (memory)
        now_bytes -= malloc_usable_size(memory);
    __libc_free(memory);
}

void *realloc(void *memory, size_t size)
{
    const size_t before = memory ? malloc_usable_size(memory) : 0;
    void *const result = __libc_realloc(memory, size);
    if (result || size == 0)
        now_bytes -= before;
    return count(result);
}

/* The library has its own definition, which calls malloc. */
__attribute__((weak)) int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *const memory = count(__libc_memalign(alignment, size));
    if (!memory)
        return 12;
    *out = memory;
    return 0;
}
#endif

/* --- Steps --- */

#ifdef COUNT_STEPS
__thread uintptr_t __sancov_lowest_stack; /* the instrumented code writes it */
void __sanitizer_cov_trace_cmp1(uint8_t a, uint8_t b) { (void)a, (void)b, steps_now++; }
void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) { (void)a, (void)b, steps_now++; }
void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) { (void)a, (void)b, steps_now++; }
void __sanitizer_cov_trace_cmp8(uint64_t a, uint64_t b) { (void)a, (void)b, steps_now++; }
void __sanitizer_cov_trace_const_cmp1(uint8_t a, uint8_t b) { (void)a, (void)b, steps_now++; }
void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b) { (void)a, (void)b, steps_now++; }
void __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b) { (void)a, (void)b, steps_now++; }
void __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b) { (void)a, (void)b, steps_now++; }
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) { (void)value, (void)cases, steps_now++; }
void __sanitizer_cov_trace_div4(uint32_t value) { (void)value; }
void __sanitizer_cov_trace_div8(uint64_t value) { (void)value; }
void __sanitizer_cov_trace_gep(uintptr_t index) { (void)index; }
void __sanitizer_cov_trace_pc_indir(uintptr_t callee) { (void)callee, steps_now++; }
#endif
