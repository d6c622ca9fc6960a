/* CSystemEscape.h - percent-encoding a value, 16 bytes at a time while nothing has to be escaped.
 *
 * Most values are short and bare: then there is one look at them and two stores, and no branch per byte that a processor
 * could guess wrong.  From the first byte on that has to be escaped, a table says what is stored for each. */
#ifndef CSYSTEM_ESCAPE_H
#define CSYSTEM_ESCAPE_H

#include "CSystemScan.h"

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
 * first, and their number in the top byte.  `out` has room for three times as many and 4 bytes.  Returns the end;
 * `seen` becomes 0x80 or more when some byte is not ASCII. */
CSYSTEM_INLINE uint8_t *_Nonnull csystem_escape(
    uint8_t *_Nonnull out, const uint8_t *_Nonnull text, size_t count, const uint32_t *_Nonnull table,
    uint32_t *_Nonnull seen)
{
    const uint8_t *next = text, *const end = text + count;
    uint32_t all = 0;
    *seen = 0;
#if defined(__SSE2__)
    if (count >= 8) {
        uint64_t low, high;
        while (end - next > 16) {
            const __m128i block = _mm_loadu_si128((const __m128i *)next);
            if (csystem_not_bare(block))
                goto bytes;
            _mm_storeu_si128((__m128i *)out, block);
            out += 16;
            next += 16;
        }
        /* The last 1 to 16 bytes, as two words that may overlap: each other, and what was written already. */
        memcpy(&low, end - next < 8 ? end - 8 : next, 8);
        memcpy(&high, end - 8, 8);
        if (csystem_is_bare_pair(low, high)) {
            memcpy(out + (end - next < 8 ? end - next - 8 : 0), &low, 8);
            memcpy(out + (end - next) - 8, &high, 8);
            return out + (end - next);
        }
    } else if (count >= 4) {
        uint32_t low, high;
        memcpy(&low, text, 4);
        memcpy(&high, end - 4, 4);
        if (csystem_is_bare_pair((uint64_t)high << 32 | low, 0x6161616161616161)) {
            memcpy(out, &low, 4);
            memcpy(out + count - 4, &high, 4);
            return out + count;
        }
    }
bytes:
#endif
    for (; next < end; next++) {
        const uint32_t byte = *next, escape = table[byte];
        memcpy(out, &escape, 4);
        out += escape >> 24;
        all |= byte;
    }
    *seen = all;
    return out;
}

#endif
