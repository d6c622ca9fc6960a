/* PCRE2 for Swift: its names are macros over a code unit width, which Swift does not import. */
#ifndef ROUTABLE_CPCRE2_H
#define ROUTABLE_CPCRE2_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stddef.h>
#include <stdint.h>

#include "CSystemMemory.h"

/* Opaque to Swift. */
typedef struct routable_pcre2_code routable_pcre2_code;

static inline void *routable_pcre2_allocate(size_t size, void *data)
{
    (void)data;
    return csystem_allocate(size);
}

static inline void routable_pcre2_release(void *block, void *data)
{
    (void)data;
    csystem_free(block);
}

/* Compiles with UTF and, where it is present and not out of proportion, the JIT; `whole` not 0: for the whole string.  NULL on failure, with
 * the PCRE2 error code and the byte offset of the fault. */
routable_pcre2_code *routable_pcre2_compile(
    const uint8_t *pattern, size_t length, int32_t whole, int32_t *error, size_t *offset);

static inline void routable_pcre2_free(routable_pcre2_code *code) { pcre2_code_free((pcre2_code *)code); }

/* The bytes of a compiled pattern. */
size_t routable_pcre2_size(const routable_pcre2_code *code);

/* Options of pcre2_match: compiled code wants 32 KB of stack, and a thread that has less left goes without. */
uint32_t routable_pcre2_options(void);

/* What a match may have without compiled code, which a pattern of 60 bytes can use up: enough for texts as long as the 32 KB of stack of
 * compiled code allow, or longer. */
#define ROUTABLE_PCRE2_HEAP_KB 512

/* Memory for the few small objects of one match, on the stack: a match allocates nothing. */
typedef struct routable_pcre2_arena {
    size_t used;
    _Alignas(16) unsigned char bytes[2032];
} routable_pcre2_arena;

static inline void *routable_pcre2_take(size_t size, void *data)
{
    routable_pcre2_arena *const arena = (routable_pcre2_arena *)data;
    const size_t rounded = (size + 15) & ~(size_t)15;
    if (rounded < size || rounded > sizeof arena->bytes - arena->used)
        return csystem_allocate(size);
    arena->used += rounded;
    return arena->bytes + arena->used - rounded;
}

static inline void routable_pcre2_give(void *block, void *data)
{
    routable_pcre2_arena *const arena = (routable_pcre2_arena *)data;
    const uintptr_t address = (uintptr_t)block, first = (uintptr_t)arena->bytes;
    if (address < first || address >= first + sizeof arena->bytes)
        csystem_free(block);
}

/* 1: matches, 0: does not, negative: a PCRE2 error such as a limit that was reached.  The subject is
 * valid UTF-8.  The match limit bounds the interpreter and the JIT alike. */
static inline int32_t routable_pcre2_matches(
    const routable_pcre2_code *code, const uint8_t *subject, size_t length, uint32_t match_limit)
{
    routable_pcre2_arena arena;
    arena.used = 0;
    pcre2_general_context *general = pcre2_general_context_create(routable_pcre2_take, routable_pcre2_give, &arena);
    pcre2_match_data *data = general ? pcre2_match_data_create(1, general) : NULL;
    pcre2_match_context *context = general ? pcre2_match_context_create(general) : NULL;
    int result = PCRE2_ERROR_NOMEMORY;
    if (data && context) {
        pcre2_set_match_limit(context, match_limit);
        pcre2_set_heap_limit(context, ROUTABLE_PCRE2_HEAP_KB);
        result = pcre2_match((const pcre2_code *)code, subject, length, 0, routable_pcre2_options(), data, context);
    }
    pcre2_match_context_free(context);
    pcre2_match_data_free(data);
    pcre2_general_context_free(general);
    return result >= 0 ? 1 : result == PCRE2_ERROR_NOMATCH ? 0 : result;
}

/* The same, and where each group matched: two offsets for the whole and two for each group, SIZE_MAX for a group
 * that took no part.  `capacity` counts offsets. */
static inline int32_t routable_pcre2_groups(
    const routable_pcre2_code *code, const uint8_t *subject, size_t length, uint32_t match_limit, size_t *offsets,
    size_t capacity)
{
    pcre2_general_context *general = pcre2_general_context_create(routable_pcre2_allocate, routable_pcre2_release, NULL);
    pcre2_match_data *data = general ? pcre2_match_data_create_from_pattern((const pcre2_code *)code, general) : NULL;
    pcre2_match_context *context = general ? pcre2_match_context_create(general) : NULL;
    int result = PCRE2_ERROR_NOMEMORY;
    size_t index;
    for (index = 0; index < capacity; index++)
        offsets[index] = SIZE_MAX;
    if (data && context) {
        pcre2_set_match_limit(context, match_limit);
        pcre2_set_heap_limit(context, ROUTABLE_PCRE2_HEAP_KB);
        result = pcre2_match((const pcre2_code *)code, subject, length, 0, routable_pcre2_options(), data, context);
    }
    if (result > 0) {
        const PCRE2_SIZE *const found = pcre2_get_ovector_pointer(data);
        for (index = 0; index < capacity && index < 2 * (size_t)result; index++)
            offsets[index] = found[index];
    }
    pcre2_match_context_free(context);
    pcre2_match_data_free(data);
    pcre2_general_context_free(general);
    return result >= 0 ? 1 : result == PCRE2_ERROR_NOMATCH ? 0 : result;
}

/* How many groups a pattern has, the whole not counted. */
static inline uint32_t routable_pcre2_group_count(const routable_pcre2_code *code)
{
    uint32_t count = 0;
    (void)pcre2_pattern_info((const pcre2_code *)code, PCRE2_INFO_CAPTURECOUNT, &count);
    return count;
}

/* The name at `index` in the pattern's table of names, NUL-terminated and borrowed, and the number of its group;
 * NULL out of range. */
static inline const uint8_t *routable_pcre2_group_name_at(
    const routable_pcre2_code *code, uint32_t index, uint32_t *group)
{
    uint32_t count = 0, size = 0;
    PCRE2_SPTR table = NULL;
    (void)pcre2_pattern_info((const pcre2_code *)code, PCRE2_INFO_NAMECOUNT, &count);
    (void)pcre2_pattern_info((const pcre2_code *)code, PCRE2_INFO_NAMEENTRYSIZE, &size);
    (void)pcre2_pattern_info((const pcre2_code *)code, PCRE2_INFO_NAMETABLE, &table);
    if (index >= count || !table)
        return NULL;
    table += (size_t)index * size;
    *group = (uint32_t)table[0] << 8 | table[1];
    return table + 2;
}

/* The sentence of a PCRE2 error; returns its length. */
static inline size_t routable_pcre2_message(int32_t error, uint8_t *buffer, size_t capacity)
{
    int length = pcre2_get_error_message(error, buffer, capacity);
    return length > 0 ? (size_t)length : 0;
}

#endif
