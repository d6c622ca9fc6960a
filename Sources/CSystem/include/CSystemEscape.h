/* CSystemEscape.h - percent-encoding a value, 16 bytes at a time while nothing has to be escaped.
 *
 * Most values are short and bare: then there is one look at them and two stores, and no branch per byte that a processor
 * could guess wrong.  From the first byte on that has to be escaped, a table says what is stored for each. */
#ifndef CSYSTEM_ESCAPE_H
#define CSYSTEM_ESCAPE_H

#include "CSystemScan.h"

typedef struct csystem_escaped {
    uint8_t *_Nonnull end;
    uint8_t seen; /* all bytes that are not bare, or'ed: below 0x80 when all is ASCII */
} csystem_escaped;

#if defined(__SSE2__)
/* Bit n for byte n that is not unreserved (RFC 3986 section 2.3). */
CSYSTEM_INLINE uint32_t csystem_not_bare(__m128i bytes)
{
#define CSYSTEM_WITHIN(value, first, count) \
    _mm_cmpeq_epi8(_mm_min_epu8(_mm_sub_epi8(value, _mm_set1_epi8(first)), _mm_set1_epi8((count) - 1)), \
        _mm_sub_epi8(value, _mm_set1_epi8(first)))
    const __m128i letters = CSYSTEM_WITHIN(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 26);
    const __m128i digits = CSYSTEM_WITHIN(bytes, '0', 10);
    const __m128i marks = CSYSTEM_WITHIN(bytes, '-', 2);
    const __m128i others = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('_')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('~')));
#undef CSYSTEM_WITHIN
    const __m128i bare = _mm_or_si128(_mm_or_si128(letters, digits), _mm_or_si128(marks, others));
    return (uint32_t)_mm_movemask_epi8(bare) ^ 0xFFFF;
}

CSYSTEM_INLINE int32_t csystem_is_bare_pair(uint64_t low, uint64_t high)
{
    return csystem_not_bare(_mm_set_epi64x((long long)high, (long long)low)) == 0;
}
#endif

/* Writes `count` bytes of `text`, escaped as `table` says, which is that of unreserved bytes: three bytes of text, low byte
 * first, and their number in the top byte.  `out` has room for three times as many and 4 bytes. */
CSYSTEM_INLINE csystem_escaped csystem_escape(
    uint8_t *_Nonnull out, const uint8_t *_Nonnull text, size_t count, const uint32_t *_Nonnull table)
{
    csystem_escaped result = { out, 0 };
    size_t index = 0;
#if defined(__SSE2__)
    if (count >= 8) {
        while (count - index > 16) {
            const __m128i block = _mm_loadu_si128((const __m128i *)(text + index));
            if (csystem_not_bare(block))
                goto bytes;
            _mm_storeu_si128((__m128i *)(result.end), block);
            result.end += 16;
            index += 16;
        }
        /* The last 8 to 16 bytes; blocks before them let the two words overlap what was written, with the same bytes. */
        uint64_t low, high;
        const size_t from = count - index < 8 ? count - 8 : index;
        memcpy(&low, text + from, 8);
        memcpy(&high, text + count - 8, 8);
        if (csystem_is_bare_pair(low, high)) {
            memcpy(out + from, &low, 8);
            memcpy(out + count - 8, &high, 8);
            result.end = out + count;
            return result;
        }
    } else if (count >= 4) {
        uint32_t low, high;
        memcpy(&low, text, 4);
        memcpy(&high, text + count - 4, 4);
        if (csystem_is_bare_pair((uint64_t)high << 32 | low, 0x6161616161616161)) {
            memcpy(out, &low, 4);
            memcpy(out + count - 4, &high, 4);
            result.end = out + count;
            return result;
        }
    }
bytes:
#endif
    for (; index < count; index++) {
        const uint32_t escape = table[text[index]];
        memcpy(result.end, &escape, 4);
        result.end += escape >> 24;
        result.seen |= text[index];
    }
    return result;
}

#endif
