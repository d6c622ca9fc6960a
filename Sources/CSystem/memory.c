/* memory.c - implements CSystemMemory.h. */
#define _GNU_SOURCE
#include "CSystemMemory.h"

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* For code that runs only with a limit or without memory, and for functions that mainly call the system. */
#ifdef __clang__
#define SLOW __attribute__((noinline, cold, minsize))
#define SMALL __attribute__((minsize))
#else
#define SLOW __attribute__((noinline, cold))
#define SMALL
#endif

/* One more than the sum in CSystemMemory.h, until the reserve is created. */
#ifdef ROUTABLE_EMBEDDED
int64_t csystem_memory_special = 1;
#else
int64_t csystem_memory_special;
#endif

static CSYSTEM_THREAD_LOCAL int32_t failed;
static CSYSTEM_THREAD_LOCAL struct { void *memory; size_t size; } prepared;

static void add_special(int64_t count) { __atomic_add_fetch(&csystem_memory_special, count, __ATOMIC_RELAXED); }

/* Sets the flag of the thread.  1: the reserve was sufficient; 2: data was lost. */
static void fail(int32_t how)
{
    if (!failed)
        add_special(1);
    if (failed < how)
        failed = how;
}

void csystem_memory_fail(void) { fail(2); }

int32_t csystem_memory_failed_here(void) { return failed; }

/* --- The limit of the program --- */

static int32_t is_counting;
static int64_t used;
static size_t limit;

void csystem_memory_limit(size_t bytes)
{
    __atomic_store_n(&limit, bytes, __ATOMIC_RELAXED);
    if (!__atomic_exchange_n(&is_counting, 1, __ATOMIC_RELAXED))
        add_special(1);
}

size_t csystem_memory_used(void)
{
    const int64_t bytes = __atomic_load_n(&used, __ATOMIC_RELAXED);
    return bytes > 0 ? (size_t)bytes : 0;
}

/* Counts an allocated block, or frees it if it exceeds the limit. */
static void *count(void *memory, int is_needed)
{
    size_t most;
    int64_t size, now;
    if (!memory || !__atomic_load_n(&is_counting, __ATOMIC_RELAXED))
        return memory;
    most = __atomic_load_n(&limit, __ATOMIC_RELAXED);
    size = (int64_t)malloc_usable_size(memory);
    now = __atomic_add_fetch(&used, size, __ATOMIC_RELAXED);
    if (most == 0 || is_needed || now <= (int64_t)most)
        return memory;
    __atomic_sub_fetch(&used, size, __ATOMIC_RELAXED);
    free(memory);
    return NULL;
}

static void free_counted(void *memory)
{
    if (memory && __atomic_load_n(&is_counting, __ATOMIC_RELAXED))
        __atomic_sub_fetch(&used, (int64_t)malloc_usable_size(memory), __ATOMIC_RELAXED);
    free(memory);
}

/* --- The reserve --- */

#ifdef ROUTABLE_EMBEDDED

/* Regions of memory that is not touched in advance: the first is static memory of the library, so that it always exists; the others
 * are mapped.  One of them is current; the others contain blocks that outlived their calls. */
enum { REGION = 512 << 10, LEAST = REGION / 4 * 3, REGIONS = 16, UNIT = 16 };
/* The header before each block: the size with the header.  `back` is the distance from the header of an aligned block to that of
 * the whole block. */
typedef struct block { uint32_t size, is_used; uint64_t back; } block;
static struct region { char *start; size_t used, next; int64_t blocks; } regions[REGIONS];
static _Alignas(UNIT) char own[REGION];
static int32_t current = -1;
static int64_t live;     /* the number of blocks in all regions */
static size_t most_used; /* read by Tests/torture */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static block *at(struct region *region, size_t offset) { return (block *)(region->start + offset); }

static SLOW void clear(struct region *region)
{
    *at(region, 0) = (block) { .size = REGION };
    region->used = region->next = 0;
}

/* Takes the first free block that is large enough, searching from the last one that was found; adjacent free blocks are merged. */
static SLOW void *take(struct region *region, size_t size)
{
    size_t offset = region->next, looked = 0, step;
    while (looked < 2 * (size_t)REGION) {
        block *const here = at(region, offset);
        while (!here->is_used && offset + here->size < REGION && !at(region, offset + here->size)->is_used)
            here->size += at(region, offset + here->size)->size;
        step = here->size;
        if (!here->is_used && here->size >= size) {
            if (here->size - size >= 2 * sizeof(block)) {
                *at(region, offset + size) = (block) { .size = here->size - (uint32_t)size };
                here->size = (uint32_t)size;
            }
            here->is_used = 1;
            here->back = 0;
            region->next = offset + here->size < REGION ? offset + here->size : 0;
            region->used += here->size;
            region->blocks++;
            __atomic_add_fetch(&live, 1, __ATOMIC_RELAXED);
            add_special(1);
            if (region->used > most_used)
                most_used = region->used;
            return here + 1;
        }
        looked += step;
        offset = offset + step < REGION ? offset + step : 0;
    }
    return NULL;
}

static SLOW int is_ready(void)
{
    int32_t index, spare = -1;
    if (current >= 0 && REGION - regions[current].used >= LEAST)
        return 1;
    for (index = 0; index < REGIONS; index++) {
        if (regions[index].start && regions[index].blocks == 0) {
            __atomic_store_n(&current, index, __ATOMIC_RELAXED);
            return 1;
        }
        if (!regions[index].start && spare < 0)
            spare = index;
    }
    if (spare >= 0) {
        void *const memory = spare == 0 ? own : mmap(NULL, REGION, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory != MAP_FAILED) {
            regions[spare].start = memory;
            clear(&regions[spare]);
            if (current < 0)
                add_special(-1);
            __atomic_store_n(&current, spare, __ATOMIC_RELAXED);
            return 1;
        }
    }
    return 0;
}

static void make_ready(void)
{
    pthread_mutex_lock(&lock);
    is_ready();
    pthread_mutex_unlock(&lock);
}

static struct region *region_of(const void *memory)
{
    int32_t index;
    for (index = 0; index < REGIONS; index++)
        if (regions[index].start && (uintptr_t)memory - (uintptr_t)regions[index].start < REGION)
            return &regions[index];
    return NULL;
}

/* Frees a block if it is in the reserve; returns whether it is. */
static SLOW int give(void *memory)
{
    struct region *region;
    pthread_mutex_lock(&lock);
    region = region_of(memory);
    if (region) {
        block *here = (block *)memory - 1;
        here = (block *)((char *)here - here->back);
        here->is_used = 0;
        region->used -= here->size;
        __atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
        add_special(-1);
        if (--region->blocks == 0) {
            clear(region);
            if (region != &regions[current]) {
                if (region->start != own)
                    munmap(region->start, REGION);
                region->start = NULL;
            }
        }
    }
    pthread_mutex_unlock(&lock);
    return region != NULL;
}

/* Swift's `allocate` does not check its result, and would write to NULL. */
static _Noreturn void end_without_memory(size_t size)
{
    char line[80];
    const int length = snprintf(line, sizeof line, "routable: out of memory: %zu bytes\n", size);
    if (length > 0 && write(STDERR_FILENO, line, (size_t)length) < 0) {
        /* The process ends in any case. */
    }
    abort();
}

static void *of_system(size_t alignment, size_t size)
{
    if (alignment <= _Alignof(max_align_t))
        return malloc(size);
    if (size > SIZE_MAX - alignment)
        return NULL;
    return aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1)); /* C11 requires a multiple */
}

static void *of_reserve(size_t alignment, size_t size)
{
    const size_t more = alignment > UNIT ? alignment : 0;
    char *memory = NULL;
    int32_t index;
    fail(1);
    if (size > REGION)
        return NULL;
    pthread_mutex_lock(&lock);
    is_ready();
    size = (size + UNIT - 1 & ~(size_t)(UNIT - 1)) + sizeof(block) + more;
    if (current >= 0)
        memory = take(&regions[current], size);
    for (index = 0; index < REGIONS && !memory; index++)
        if (regions[index].start)
            memory = take(&regions[index], size);
    if (memory && more) {
        char *const aligned = (char *)(((uintptr_t)memory + alignment - 1) & ~(uintptr_t)(alignment - 1));
        if (aligned != memory)
            ((block *)aligned)[-1] = (block) { .back = (uint64_t)(aligned - memory) };
        memory = aligned;
    }
    pthread_mutex_unlock(&lock);
    return memory;
}

static SLOW void *allocate_slowly(size_t alignment, size_t size)
{
    void *memory;
    if (__atomic_load_n(&current, __ATOMIC_RELAXED) < 0)
        make_ready();
    if (prepared.memory && alignment <= _Alignof(max_align_t) && size > prepared.size / 2 && size <= prepared.size) {
        memory = prepared.memory;
        prepared.memory = NULL;
        add_special(-1);
        return memory;
    }
    memory = count(of_system(alignment, size), 0);
    if (!memory)
        memory = of_reserve(alignment, size);
    /* Exceeds the limit if there is nothing else: the call ends soon, and frees the memory. */
    if (!memory && __atomic_load_n(&is_counting, __ATOMIC_RELAXED))
        memory = count(of_system(alignment, size), 1);
    if (!memory)
        end_without_memory(size);
    return memory;
}

/* The Embedded Swift runtime allocates all memory with an alignment, usually one that malloc also provides, and malloc is faster. */
int csystem_allocate_object(void **out, size_t alignment, size_t size)
{
    void *memory = NULL;
    if (CSYSTEM_IS_USUAL() && alignment <= _Alignof(max_align_t))
        memory = malloc(size);
    if (__builtin_expect(!memory, 0))
        memory = allocate_slowly(alignment, size);
    *out = memory;
    return 0;
}

#endif

/* --- Allocations of C code, and prepared memory --- */

void *csystem_allocate_needed(size_t size)
{
    void *memory = NULL;
#ifdef ROUTABLE_EMBEDDED
    csystem_allocate_object(&memory, _Alignof(max_align_t), size);
#else
    memory = malloc(size);
    if (!memory)
        abort();
#endif
    return memory;
}

void *csystem_allocate(size_t size)
{
    void *const memory = count(malloc(size ? size : 1), 0);
    if (!memory)
        fail(1);
    return memory;
}

SMALL void *csystem_allocate_zeros(size_t size)
{
    void *const memory = csystem_allocate(size);
    if (memory)
        memset(memory, 0, size);
    return memory;
}

SMALL void *csystem_resize(void *memory, size_t size)
{
    void *larger;
    if (!memory)
        return csystem_allocate(size);
    if (CSYSTEM_IS_USUAL()) {
        larger = realloc(memory, size ? size : 1);
        if (!larger)
            fail(1);
        return larger;
    }
    larger = csystem_allocate(size);
    if (larger) {
        const size_t had = malloc_usable_size(memory);
        memcpy(larger, memory, had < size ? had : size);
        csystem_free(memory);
    }
    return larger;
}

static SLOW void free_slowly(void *memory)
{
#ifdef ROUTABLE_EMBEDDED
    if (memory && __atomic_load_n(&live, __ATOMIC_RELAXED) != 0 && give(memory))
        return;
#endif
    free_counted(memory);
}

void csystem_free(void *memory)
{
    if (CSYSTEM_IS_USUAL())
        free(memory);
    else
        free_slowly(memory);
}

#ifdef ROUTABLE_EMBEDDED
/* glibc trims its heap when the last block in it is freed, and the next block of 100 KB gets new pages, which takes longer than
 * receiving the block.  This ends once the process has freed a block that had its own mapping.  Therefore such a block is allocated
 * and freed before the first large block; the values of a program that set M_TRIM_THRESHOLD or M_MMAP_THRESHOLD are not changed. */
static void keep_heap(void)
{
    static int32_t is_done;
    void *volatile block;
    if (__atomic_exchange_n(&is_done, 1, __ATOMIC_RELAXED))
        return;
    block = malloc(REGION);
    free(block);
}
#endif

SLOW int32_t csystem_memory_prepare_slowly(size_t size)
{
#ifdef ROUTABLE_EMBEDDED
    void *memory;
    keep_heap();
    size += 64; /* the header of an array or an object */
    if (prepared.memory) {
        if (size <= prepared.size && size > prepared.size / 2)
            return 1;
        free_counted(prepared.memory);
        prepared.memory = NULL;
        add_special(-1);
    }
    memory = csystem_allocate(size);
    if (!memory) {
        fail(2);
        return 0;
    }
    prepared.memory = memory;
    prepared.size = size;
    add_special(1);
#else
    (void)size;
#endif
    return 1;
}

int32_t csystem_memory_admits(size_t size)
{
    const size_t most = __atomic_load_n(&limit, __ATOMIC_RELAXED), now = csystem_memory_used();
    void *probe;
    if (most != 0 && (now > most || size > most - now))
        return 0;
    /* malloc is not used, because it takes larger blocks from its heap once such a block was freed. */
    probe = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED)
        return 0;
    munmap(probe, size);
    return 1;
}

/* --- Calls --- */

static SLOW int32_t forget(void)
{
    const int32_t before = failed;
    if (failed) {
        failed = 0;
        add_special(-1);
    }
    if (prepared.memory) {
        free_counted(prepared.memory);
        prepared.memory = NULL;
        add_special(-1);
    }
    return before;
}

/* Data that an outer call lost is still lost after an inner call. */
SLOW int32_t csystem_call_begin_slowly(void)
{
    const int32_t before = forget();
#ifdef ROUTABLE_EMBEDDED
    int ready = 0;
    if (__atomic_load_n(&current, __ATOMIC_RELAXED) >= 0 && __atomic_load_n(&live, __ATOMIC_RELAXED) == 0)
        return before;
    pthread_mutex_lock(&lock);
    ready = is_ready();
    pthread_mutex_unlock(&lock);
    if (!ready)
        fail(1);
#endif
    return before;
}

SLOW int32_t csystem_call_end_slowly(int32_t before)
{
    const int32_t now = forget();
    if (before == 2)
        fail(2);
    return now;
}
