/* CSystemJSON.h - finds the tokens of a JSON text, 64 bytes at a time.
 *
 * Swift has no movemask and no shuffle of bytes.  The code that needs them is here: it finds quotes, brackets, commas and colons,
 * determines which of them are within strings, and checks whether the text is UTF-8.  JSONReader.swift checks the grammar. */
#ifndef CSYSTEM_JSON_H
#define CSYSTEM_JSON_H

#include "CSystemEncode.h"

#include <stddef.h>
#include <stdint.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/* The number of bytes that one call reads, and the maximum number of offsets that it writes: one for each byte, and space after
 * them. */
enum { CSYSTEM_JSON_CHUNK = 4096, CSYSTEM_JSON_OFFSETS = CSYSTEM_JSON_CHUNK + 64 };

typedef struct csystem_json_scan csystem_json_scan;
/* Writes the offsets of the tokens of the next CSYSTEM_JSON_CHUNK bytes, and returns their number; 0 only at the end.  Tokens are:
 * quotes that begin and end strings, escapes within strings (their backslashes), brackets, commas, colons, and the first byte of
 * any other sequence outside of strings that is not white space. */
typedef size_t csystem_json_indexer(csystem_json_scan *_Nonnull scan, uint32_t *_Nonnull offsets);

struct csystem_json_scan {
    csystem_json_indexer *_Nonnull index; /* csystem_best_json_indexer */
    const uint8_t *_Nonnull text;
    size_t count; /* below 4 GB */
    size_t position;
    uint64_t in_string;  /* all bits, if the last byte was within a string */
    uint64_t is_escaped; /* 1 if the next byte is */
    uint64_t in_scalar;  /* 1 if the last byte was within a number or a literal */
    size_t checked;      /* the number of bytes that were checked for UTF-8 */
    uint8_t last[64];    /* the last block: a character may continue in the next one */
    int32_t is_refused;  /* not UTF-8, or a control byte in a string; at the end also an unterminated string */
};

csystem_json_indexer *_Nonnull csystem_best_json_indexer(void);
csystem_json_indexer csystem_json_index_blocks; /* for any processor */
#if CSYSTEM_HAS_AVX2
csystem_json_indexer csystem_json_index_avx2;
#endif

/* Initializes a scan. */
static inline csystem_json_scan csystem_json_start(const uint8_t *_Nonnull text, size_t count)
{
    return (csystem_json_scan){ .index = csystem_best_json_indexer(), .text = text, .count = count };
}

/* Checks whether the bytes from `position` to `count` are UTF-8, except for an incomplete character at the end.  Returns the offset
 * of that character, or `count`; SIZE_MAX if the text is not UTF-8. */
size_t csystem_check_utf8(const uint8_t *_Nonnull text, size_t position, size_t count);


/* Copies a string that needs no escapes in JSON.  Returns 0 for ASCII, 1 for bytes that may be UTF-8, 2 if a byte needs an escape.
 * Up to 8 bytes after the copy are overwritten. */
int32_t csystem_json_copy(const void *_Nonnull from, size_t count, void *_Nonnull to);

/* The value of a number with the grammar of JSON; infinite if it exceeds a double. */
double csystem_number(const uint8_t *_Nonnull text, size_t count);

/* A bit for each of 32 bytes that is not a digit; the lowest bit is that of the first byte. */
static inline uint32_t csystem_not_digits(const uint8_t *_Nonnull text)
{
#if defined(__SSE2__)
    const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
    const __m128i low = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)text), zero);
    const __m128i high = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(text + 16)), zero);
    const uint32_t low_digits = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(low, nine), low));
    const uint32_t high_digits = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(high, nine), high));
    return ~(low_digits | high_digits << 16);
#elif defined(__aarch64__) && defined(__ARM_NEON)
    const uint8x16_t place = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
    const uint8x16_t zero = vdupq_n_u8('0'), nine = vdupq_n_u8(9);
    const uint8x16_t low = vandq_u8(vcgtq_u8(vsubq_u8(vld1q_u8(text), zero), nine), place);
    const uint8x16_t high = vandq_u8(vcgtq_u8(vsubq_u8(vld1q_u8(text + 16), zero), nine), place);
    uint8x16_t all = vpaddq_u8(low, high);
    all = vpaddq_u8(all, all);
    all = vpaddq_u8(all, all);
    return vgetq_lane_u32(vreinterpretq_u32_u8(all), 0);
#else
    uint32_t result = 0;
    for (int index = 0; index < 32; index++)
        result |= (uint32_t)((uint8_t)(text[index] - '0') > 9) << index;
    return result;
#endif
}

/* The offset of the end of the digits that begin at `place`. */
static inline size_t csystem_digits_end(const uint8_t *_Nonnull text, size_t place, size_t count)
{
    for (; place + 32 <= count; place += 32) {
        const uint32_t others = csystem_not_digits(text + place);
        if (others) return place + (size_t)__builtin_ctz(others);
    }
    while (place < count && (uint8_t)(text[place] - '0') < 10) place++;
    return place;
}

/* The index of the first mark from `start` on that is equal to `wanted`, or `count`. */
static inline size_t csystem_find_mark(const uint16_t *_Nonnull marks, size_t start, size_t count, uint16_t wanted)
{
#if defined(__SSE2__)
    const __m128i all = _mm_set1_epi16((short)wanted);
    for (; start + 8 <= count; start += 8) {
        const int found = _mm_movemask_epi8(_mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)(marks + start)), all));
        if (found) return start + (size_t)__builtin_ctz((unsigned)found) / 2;
    }
#endif
    while (start < count && marks[start] != wanted) start++;
    return start;
}

#endif
