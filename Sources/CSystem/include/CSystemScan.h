/* CSystemScan.h - finds separators in a path, 16 bytes at a time with SSE2 or NEON, otherwise byte by byte.
 *
 * Swift has no movemask: with its SIMD vectors, the same work takes twice the time. */
#ifndef CSYSTEM_SCAN_H
#define CSYSTEM_SCAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/* Inlined regardless of the optimization of the caller. */
#define CSYSTEM_INLINE static inline __attribute__((always_inline))

typedef struct csystem_separators {
    uint64_t slashes; /* bit n for byte n */
    uint32_t others;  /* not 0 if there is a '%', a '?' or a '#'; may also be set for a '!' or a '\'' */
} csystem_separators;

/* The index of the lowest bit that is set; `bits` is not 0. */
CSYSTEM_INLINE size_t csystem_lowest_bit(uint64_t bits)
{
    return (size_t)__builtin_ctzll(bits);
}

/* Masks for a segment of a certain length, for the words at its start and at its end. */
typedef struct csystem_word_masks {
    uint64_t first; /* the lowest bytes, up to eight */
    uint64_t last;  /* all bits if the length is at least eight, otherwise 0 */
} csystem_word_masks;

CSYSTEM_INLINE csystem_word_masks csystem_masks(size_t length)
{
    static const csystem_word_masks masks[9] = {
        { 0, 0 }, { 0xFF, 0 }, { 0xFFFF, 0 }, { 0xFFFFFF, 0 }, { 0xFFFFFFFF, 0 }, { 0xFFFFFFFFFF, 0 },
        { 0xFFFFFFFFFFFF, 0 }, { 0xFFFFFFFFFFFFFF, 0 }, { UINT64_MAX, UINT64_MAX }
    };
    return masks[length < 8 ? length : 8];
}

/* The separators among `count` bytes, which is 8 to 64; reads only these bytes.  Blocks overlap at the end: the same bits are then
 * set twice. */
#if defined(__SSE2__)
CSYSTEM_INLINE csystem_separators csystem_scan(const void *_Nonnull bytes, size_t count)
{
    const char *const text = (const char *)bytes;
    /* '#' and '%' differ in two bits; without these bits they are equal, and so are '!' and '\''. */
    const __m128i slash = _mm_set1_epi8('/'), query = _mm_set1_epi8('?'), kept = _mm_set1_epi8((char)0xF9),
                  left = _mm_set1_epi8(0x21);
    csystem_separators result;
    __m128i block, others;
#define CSYSTEM_OTHERS \
    _mm_or_si128(_mm_cmpeq_epi8(_mm_and_si128(block, kept), left), _mm_cmpeq_epi8(block, query))
#define CSYSTEM_SLASHES ((uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, slash)))
    if (count < 16) {
        uint64_t low, high;
        memcpy(&low, text, 8);
        memcpy(&high, text + count - 8, 8);
        /* Its first bytes are also in `low`. */
        high = count == 8 ? 0 : high >> (16 - count) * 8;
        block = _mm_set_epi64x((long long)high, (long long)low);
        others = CSYSTEM_OTHERS;
        result.slashes = CSYSTEM_SLASHES;
    } else {
        const size_t last = count - 16;
        block = _mm_loadu_si128((const __m128i *)text);
        others = CSYSTEM_OTHERS;
        result.slashes = CSYSTEM_SLASHES;
        if (count > 32) {
            const size_t third = last < 32 ? last : 32;
            block = _mm_loadu_si128((const __m128i *)(text + 16));
            others = _mm_or_si128(others, CSYSTEM_OTHERS);
            result.slashes |= CSYSTEM_SLASHES << 16;
            block = _mm_loadu_si128((const __m128i *)(text + third));
            others = _mm_or_si128(others, CSYSTEM_OTHERS);
            result.slashes |= CSYSTEM_SLASHES << third;
        }
        block = _mm_loadu_si128((const __m128i *)(text + last));
        others = _mm_or_si128(others, CSYSTEM_OTHERS);
        result.slashes |= CSYSTEM_SLASHES << last;
    }
#undef CSYSTEM_OTHERS
#undef CSYSTEM_SLASHES
    result.others = (uint32_t)_mm_movemask_epi8(others);
    return result;
}
#elif defined(__aarch64__) && defined(__ARM_NEON)
/* As above: without two bits '#' and '%' are equal, and so are '!' and '\''. */
CSYSTEM_INLINE uint8x16_t csystem_others(uint8x16_t block)
{
    return vorrq_u8(vceqq_u8(vandq_u8(block, vdupq_n_u8(0xF9)), vdupq_n_u8(0x21)), vceqq_u8(block, vdupq_n_u8('?')));
}

/* NEON has no movemask.  Each slash keeps the bit of its position among eight bytes; sums of neighbours collect the bits. */
CSYSTEM_INLINE uint8x16_t csystem_slash_bits(uint8x16_t block)
{
    return vandq_u8(vceqq_u8(block, vdupq_n_u8('/')), vreinterpretq_u8_u64(vdupq_n_u64(UINT64_C(0x8040201008040201))));
}

CSYSTEM_INLINE csystem_separators csystem_scan(const void *_Nonnull bytes, size_t count)
{
    const uint8_t *const text = (const uint8_t *)bytes;
    csystem_separators result;
    uint8x16_t others;
    if (count < 16) {
        const uint8x16_t block = vcombine_u8(vld1_u8(text), vld1_u8(text + count - 8));
        uint8x16_t sums = csystem_slash_bits(block);
        uint64_t bits;
        sums = vpaddq_u8(sums, sums);
        sums = vpaddq_u8(sums, sums);
        bits = vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
        others = csystem_others(block);
        result.slashes = (bits & 0xFF) | (bits >> 8 & 0xFF) << (count - 8);
    } else {
        const size_t last = count - 16, second = last < 16 ? last : 16, third = last < 32 ? last : 32;
        const uint8x16_t a = vld1q_u8(text), b = vld1q_u8(text + second), c = vld1q_u8(text + third), d = vld1q_u8(text + last);
        uint8x16_t sums = vpaddq_u8(vpaddq_u8(csystem_slash_bits(a), csystem_slash_bits(b)),
            vpaddq_u8(csystem_slash_bits(c), csystem_slash_bits(d)));
        const uint64_t bits = vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
        others = vorrq_u8(vorrq_u8(csystem_others(a), csystem_others(b)), vorrq_u8(csystem_others(c), csystem_others(d)));
        /* Each block has 16 bits; four whole blocks are adjacent. */
        result.slashes = count == 64 ? bits
                                     : (bits & 0xFFFF) | (bits >> 16 & 0xFFFF) << second | (bits >> 32 & 0xFFFF) << third | bits >> 48 << last;
    }
    result.others = vmaxvq_u32(vreinterpretq_u32_u8(others));
    return result;
}
#else
CSYSTEM_INLINE csystem_separators csystem_scan(const void *_Nonnull bytes, size_t count)
{
    const unsigned char *const text = (const unsigned char *)bytes;
    csystem_separators result = { 0, 0 };
    for (size_t index = 0; index < count; index++) {
        if (text[index] == '/') result.slashes |= (uint64_t)1 << index;
        result.others |= text[index] == '%' || text[index] == '?' || text[index] == '#';
    }
    return result;
}
#endif

/* Whether two byte sequences are equal, and their order (below 0, 0, above 0). */
CSYSTEM_INLINE int32_t csystem_equal(const void *_Nonnull left, const void *_Nonnull right, size_t count)
{
    return memcmp(left, right, count) == 0;
}

CSYSTEM_INLINE int32_t csystem_order(const void *_Nonnull left, const void *_Nonnull right, size_t count)
{
    return memcmp(left, right, count);
}

#endif
