/* CSystemScan.h - finding separators in a path, 16 bytes at a time.
 *
 * Swift has no movemask: its SIMD vectors take twice the time of these few instructions. */
#ifndef CSYSTEM_SCAN_H
#define CSYSTEM_SCAN_H

#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Of 16 bytes, the first in bit 0: which are a slash (low half of the result), and which are '%', '?' or '#'
 * (high half). */
#if defined(__SSE2__)
static inline uint64_t csystem_scan_vector(__m128i bytes)
{
    __m128i slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('/'));
    __m128i others = _mm_or_si128(
        _mm_cmpeq_epi8(bytes, _mm_set1_epi8('%')),
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('?')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('#'))));
    return (uint64_t)(uint32_t)_mm_movemask_epi8(slashes) | (uint64_t)(uint32_t)_mm_movemask_epi8(others) << 32;
}
static inline uint64_t csystem_scan(const void *_Nonnull bytes)
{
    return csystem_scan_vector(_mm_loadu_si128((const __m128i *)bytes));
}
/* The same of two words, the first byte lowest. */
static inline uint64_t csystem_scan_words(uint64_t low, uint64_t high)
{
    return csystem_scan_vector(_mm_set_epi64x((long long)high, (long long)low));
}
#else
static inline uint64_t csystem_scan(const void *_Nonnull bytes)
{
    const unsigned char *text = (const unsigned char *)bytes;
    uint64_t result = 0;
    for (int index = 0; index < 16; index++) {
        if (text[index] == '/') result |= (uint64_t)1 << index;
        if (text[index] == '%' || text[index] == '?' || text[index] == '#') result |= (uint64_t)1 << (index + 32);
    }
    return result;
}
static inline uint64_t csystem_scan_words(uint64_t low, uint64_t high)
{
    unsigned char text[16];
    for (int index = 0; index < 8; index++) {
        text[index] = (unsigned char)(low >> 8 * index);
        text[index + 8] = (unsigned char)(high >> 8 * index);
    }
    return csystem_scan(text);
}
#endif

#endif
