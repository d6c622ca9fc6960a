/* PCRE2 for Swift: its names are macros that depend on the code unit width, which Swift does not import. */
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

/* Compiles with UTF and, if it is available and its size is not disproportionate, the JIT; `whole` not 0: the pattern must match
 * the whole string.  NULL on failure, with the PCRE2 error code and the byte offset of the error. */
routable_pcre2_code *routable_pcre2_compile(
    const uint8_t *pattern, size_t length, int32_t whole, int32_t *error, size_t *offset);

static inline void routable_pcre2_free(routable_pcre2_code *code) { pcre2_code_free((pcre2_code *)code); }

/* The size of a compiled pattern in bytes. */
size_t routable_pcre2_size(const routable_pcre2_code *code);

/* Options of pcre2_match: JIT code needs 32 KB of stack, and is not used on a thread with less. */
uint32_t routable_pcre2_options(void);

/* The heap limit of a match without the JIT, which a pattern of 60 bytes can use up: sufficient for strings that are at least as long
 * as those that the 32 KB of stack of the JIT allow. */
#define ROUTABLE_PCRE2_HEAP_KB 512

/* Memory for the few small objects of one match, on the stack, so that a match allocates nothing. */
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

/* 1: matches, 0: does not match, negative: a PCRE2 error such as a limit that was reached.  The subject must be valid UTF-8.  The
 * match limit applies to the interpreter and the JIT. */
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

/* Like routable_pcre2_matches, and writes the offsets of each group: two offsets for the whole match and two for each group,
 * SIZE_MAX for a group that did not participate.  `capacity` is the number of offsets. */
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

/* The number of groups of a pattern, without the whole match. */
static inline uint32_t routable_pcre2_group_count(const routable_pcre2_code *code)
{
    uint32_t count = 0;
    (void)pcre2_pattern_info((const pcre2_code *)code, PCRE2_INFO_CAPTURECOUNT, &count);
    return count;
}

/* The name at `index` in the pattern's table of names, NUL-terminated and borrowed, and the number of its group; NULL if the index
 * is out of range. */
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

/* Writes the text of a PCRE2 error; returns its length. */
static inline size_t routable_pcre2_message(int32_t error, uint8_t *buffer, size_t capacity)
{
    int length = pcre2_get_error_message(error, buffer, capacity);
    return length > 0 ? (size_t)length : 0;
}

#endif
