/* encode_avx2.c - percent-encodes 16 bytes at a time, and writes a URL of string values, on processors with AVX2 and BMI2 (Haswell,
 * Zen and later).
 *
 * Each byte becomes three ("%XX"), and for four bytes at a time the required ones are shuffled together.  No byte after the value
 * is read: short values are assembled from overlapping words.  AVX-512 is not used: it takes a third longer for values without
 * escapes, which are the most frequent, and saves a tenth for the others. */
#include "CSystemEncode.h"

#if CSYSTEM_HAS_AVX2
#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define AVX2_INLINE AVX2 static inline __attribute__((always_inline))

static inline uint32_t word(const uint8_t *bytes)
{
    uint32_t result;
    memcpy(&result, bytes, 4);
    return result;
}

/* The last `count` bytes of a string, followed by zeros.  The string has at least 16 bytes, and `count` is less than 16. */
AVX2 static inline __m128i load_end(const uint8_t *end, size_t count)
{
    static const int8_t down[32] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
        -1, -1, -1, -1, -1, -1 };
    const __m128i last = _mm_loadu_si128((const __m128i *)(end - 16));
    return _mm_shuffle_epi8(last, _mm_loadu_si128((const __m128i *)(down + 16 - count)));
}

/* Up to 16 bytes, followed by zeros. */
AVX2_INLINE __m128i load_short(const uint8_t *text, size_t count)
{
    /* The bytes of four words (at the start, after it, before the last one, and at the end) that form a string of four or more bytes. */
    static const int8_t joined[13][16] __attribute__((aligned(16))) = {
        { 0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 3, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 3, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 3, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 3, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 3, 4, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 3, 4, 5, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 3, 4, 5, 6, 12, 13, 14, 15, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, -1, -1, -1, -1 },
        { 0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, -1, -1, -1 },
        { 0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, -1, -1 },
        { 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, -1 },
        { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 }
    };
    if (count >= 4) {
        const size_t second = count < 8 ? count - 4 : 4, third = count < 8 ? 0 : count - 8;
        __m128i words = _mm_cvtsi32_si128((int32_t)word(text));
        words = _mm_insert_epi32(words, (int32_t)word(text + second), 1);
        words = _mm_insert_epi32(words, (int32_t)word(text + third), 2);
        words = _mm_insert_epi32(words, (int32_t)word(text + count - 4), 3);
        return _mm_shuffle_epi8(words, _mm_load_si128((const __m128i *)joined[count - 4]));
    }
    if (count == 0)
        return _mm_setzero_si128();
    const size_t middle = count / 2;
    return _mm_cvtsi32_si128((int32_t)(text[0] | (uint32_t)text[middle] << middle * 8 | (uint32_t)text[count - 1] << (count - 1) * 8));
}

/* Returns a mask of the bytes of `text` that are not valid UTF-8 after the bytes of `before`: Keiser and Lemire, "Validating UTF-8
 * in less than one instruction per byte" (2020), with their tables of invalid pairs of bytes. */
AVX2 static inline __m128i wrong_utf8(__m128i text, __m128i before)
{
    enum {
        SHORT = 1, LONG = 2, OVER3 = 4, LARGE = 8, SURROGATE = 16, OVER2 = 32, LARGER = 64, OVER4 = 64, TWO = 128,
        CARRY = SHORT | LONG | TWO, BEYOND = CARRY | LARGE | LARGER
    };
    const __m128i low = _mm_set1_epi8(15);
    const __m128i first_high = _mm_setr_epi8(LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, (char)TWO, (char)TWO, (char)TWO,
        (char)TWO, SHORT | OVER2, SHORT, SHORT | OVER3 | SURROGATE, SHORT | LARGE | LARGER | OVER4);
    const __m128i first_low = _mm_setr_epi8((char)(CARRY | OVER3 | OVER2 | OVER4), (char)(CARRY | OVER2), (char)CARRY, (char)CARRY,
        (char)(CARRY | LARGE), (char)BEYOND, (char)BEYOND, (char)BEYOND, (char)BEYOND, (char)BEYOND, (char)BEYOND,
        (char)BEYOND, (char)BEYOND, (char)(BEYOND | SURROGATE), (char)BEYOND, (char)BEYOND);
    const __m128i second_high = _mm_setr_epi8(SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT,
        (char)(LONG | OVER2 | TWO | OVER3 | LARGER | OVER4), (char)(LONG | OVER2 | TWO | OVER3 | LARGE),
        (char)(LONG | OVER2 | TWO | SURROGATE | LARGE), (char)(LONG | OVER2 | TWO | SURROGATE | LARGE), SHORT, SHORT, SHORT,
        SHORT);
    const __m128i one = _mm_alignr_epi8(text, before, 15);
    const __m128i two = _mm_alignr_epi8(text, before, 14);
    const __m128i three = _mm_alignr_epi8(text, before, 13);
    const __m128i pair = _mm_and_si128(
        _mm_and_si128(_mm_shuffle_epi8(first_high, _mm_and_si128(_mm_srli_epi16(one, 4), low)),
            _mm_shuffle_epi8(first_low, _mm_and_si128(one, low))),
        _mm_shuffle_epi8(second_high, _mm_and_si128(_mm_srli_epi16(text, 4), low)));
    /* The third byte of three and the fourth of four: the check of pairs alone would report them as surplus continuation bytes. */
    const __m128i third = _mm_subs_epu8(two, _mm_set1_epi8((char)(0xE0 - 0x80)));
    const __m128i fourth = _mm_subs_epu8(three, _mm_set1_epi8((char)(0xF0 - 0x80)));
    const __m128i must = _mm_and_si128(_mm_or_si128(third, fourth), _mm_set1_epi8((char)0x80));
    return _mm_xor_si128(must, pair);
}

/* For more than 16 bytes: a zero after the last byte reveals an incomplete character. */
AVX2 static __attribute__((noinline)) int is_utf8(const uint8_t *text, size_t count)
{
    __m128i wrong = _mm_setzero_si128(), before = wrong;
    for (size_t at = 0; at <= count; at += 16) {
        const size_t left = count - at;
        const __m128i bytes = left >= 16 ? _mm_loadu_si128((const __m128i *)(text + at)) : load_end(text + count, left);
        wrong = _mm_or_si128(wrong, wrong_utf8(bytes, before));
        before = bytes;
    }
    return _mm_testz_si128(wrong, wrong);
}

/* For up to 16 bytes, followed by zeros. */
AVX2 static __attribute__((noinline)) int is_short_utf8(__m128i bytes, size_t count)
{
    const __m128i zero = _mm_setzero_si128();
    __m128i wrong = wrong_utf8(bytes, zero);
    if (count == 16)
        wrong = _mm_or_si128(wrong, wrong_utf8(zero, bytes));
    return _mm_testz_si128(wrong, wrong);
}

/* Writes the first `count` of 16 bytes; `beyond_ascii` receives a bit for each byte that is not ASCII. */
AVX2_INLINE uint8_t *encode_block(__m128i bytes, size_t count, uint8_t *out, int *beyond_ascii)
{
    /* For four bytes, each with its two digits and a fourth byte that is not used: the bytes to write for each combination of
     * escaped bytes. */
    static const int8_t pressed[16][16] __attribute__((aligned(16))) = {
        { 0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 4, 5, 6, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 4, 5, 6, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 4, 8, 9, 10, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 4, 8, 9, 10, 12, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 4, 5, 6, 8, 9, 10, 12, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, -1, -1, -1, -1, -1, -1 },
        { 0, 4, 8, 12, 13, 14, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 4, 8, 12, 13, 14, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 4, 5, 6, 8, 12, 13, 14, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 4, 5, 6, 8, 12, 13, 14, -1, -1, -1, -1, -1, -1 },
        { 0, 4, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 4, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, -1, -1 },
        { 0, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, -1, -1 },
        { 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1 }
    };
    /* A byte is not escaped if the bit of its high half is set in the entry of its low half:
     * 2: - . (1), 3: 0-9 (2), 4: A-O (4), 5: P-Z _ (8), 6: a-o (16), 7: p-z ~ (32). */
    const __m128i bit = _mm_setr_epi8(0, 0, 1, 2, 4, 8, 16, 32, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m128i bits = _mm_setr_epi8(2 | 8 | 32, 62, 62, 62, 62, 62, 62, 62, 62, 62, 4 | 8 | 16 | 32, 4 | 16, 4 | 16, 1 | 4 | 16,
        1 | 4 | 16 | 32, 4 | 8 | 16);
    const __m128i digits = _mm_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F');
    const __m128i low = _mm_set1_epi8(15);
    const __m128i high = _mm_and_si128(_mm_srli_epi16(bytes, 4), low);
    /* A byte that is not ASCII has no bit: its shuffle is 0. */
    const __m128i is_escaped = _mm_cmpeq_epi8(
        _mm_and_si128(_mm_shuffle_epi8(bits, bytes), _mm_shuffle_epi8(bit, high)), _mm_setzero_si128());
    const uint32_t escaped = _bzhi_u32((uint32_t)_mm_movemask_epi8(is_escaped), (uint32_t)count);
    if (!escaped) { /* most values */
        _mm_storeu_si128((__m128i *)out, bytes);
        return out + count;
    }
    *beyond_ascii |= _mm_movemask_epi8(bytes);
    const __m128i first = _mm_blendv_epi8(bytes, _mm_set1_epi8('%'), is_escaped);
    const __m128i second = _mm_shuffle_epi8(digits, high);
    const __m128i third = _mm_shuffle_epi8(digits, _mm_and_si128(bytes, low));
    const __m128i pairs_low = _mm_unpacklo_epi8(first, second), pairs_high = _mm_unpackhi_epi8(first, second);
    const __m128i rest_low = _mm_unpacklo_epi8(third, third), rest_high = _mm_unpackhi_epi8(third, third);
#define PRESS(fours, start) \
    _mm_storeu_si128((__m128i *)(out + (start) + 2 * __builtin_popcount(escaped & ((1u << (start)) - 1))), \
        _mm_shuffle_epi8(fours, _mm_load_si128((const __m128i *)pressed[escaped >> (start) & 15])))
    PRESS(_mm_unpacklo_epi16(pairs_low, rest_low), 0);
    PRESS(_mm_unpackhi_epi16(pairs_low, rest_low), 4);
    if (escaped >> 8) {
        PRESS(_mm_unpacklo_epi16(pairs_high, rest_high), 8);
        PRESS(_mm_unpackhi_epi16(pairs_high, rest_high), 12);
    } else {
        _mm_storeu_si128((__m128i *)(out + 8 + 2 * __builtin_popcount(escaped)), _mm_srli_si128(bytes, 8));
    }
#undef PRESS
    return out + count + 2 * (size_t)__builtin_popcount(escaped);
}

/* Encodes more than one block. */
AVX2 static __attribute__((noinline)) uint8_t *encode_long(
    const uint8_t *text, size_t count, uint8_t *out, int32_t *is_doubtful)
{
    int beyond_ascii = 0;
    for (size_t left = count; left > 0;) {
        const size_t taken = left < 16 ? left : 16;
        const __m128i bytes =
            left < 16 ? load_end(text + count, left) : _mm_loadu_si128((const __m128i *)(text + count - left));
        out = encode_block(bytes, taken, out, &beyond_ascii);
        left -= taken;
    }
    if (beyond_ascii)
        *is_doubtful |= !is_utf8(text, count);
    return out;
}

AVX2_INLINE uint8_t *encode(const uint8_t *text, size_t count, const uint32_t *table, uint8_t *out, int32_t *is_doubtful)
{
    (void)table;
    if (__builtin_expect(count > 16, 0))
        return encode_long(text, count, out, is_doubtful);
    int beyond_ascii = 0;
    const __m128i bytes = load_short(text, count);
    out = encode_block(bytes, count, out, &beyond_ascii);
    if (__builtin_expect(beyond_ascii != 0, 0))
        *is_doubtful |= !is_short_utf8(bytes, count);
    return out;
}

AVX2 uint8_t *csystem_encode(const uint8_t *text, size_t count, const uint32_t *table, uint8_t *out, int32_t *is_doubtful)
{
    return encode(text, count, table, out, is_doubtful);
}

#define ENCODER AVX2
#include "encode_texts.h"
#endif
