/* encode_64.c - percent-encoding up to 21 bytes at once, on processors with AVX-512 and VBMI2 (Ice Lake, Zen 4).
 *
 * The bytes are loaded under a mask, each is made three ("%XX"), and those that are wanted are pressed together; nothing
 * behind the value is read. */
#include "encode_walk.h"

#if defined(__x86_64__) && (defined(__clang__) || __GNUC__ >= 9)
#include <immintrin.h>

enum {
    STEP = 21,   /* bytes of which 64 hold the threefold */
    CHECKED = 31 /* bytes that are held against UTF-8 at once, with a zero behind them */
};

#define WIDE __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi,bmi2,popcnt")))
#define TWICE(...) _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__))

/* Whether up to 31 bytes, with zeros behind them, are UTF-8: Keiser and Lemire, "Validating UTF-8 in less than one
 * instruction per byte" (2020), with their tables of what two bytes in a row cannot be. */
WIDE static inline int is_utf8(__m256i text)
{
    enum {
        SHORT = 1, LONG = 2, OVER3 = 4, LARGE = 8, SURROGATE = 16, OVER2 = 32, LARGER = 64, OVER4 = 64, TWO = 128,
        CARRY = SHORT | LONG | TWO, BEYOND = CARRY | LARGE | LARGER
    };
    const __m256i before = _mm256_setr_epi8(-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
        21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i first_high = TWICE(LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, (char)TWO, (char)TWO, (char)TWO,
        (char)TWO, SHORT | OVER2, SHORT, SHORT | OVER3 | SURROGATE, SHORT | LARGE | LARGER | OVER4);
    const __m256i first_low = TWICE((char)(CARRY | OVER3 | OVER2 | OVER4), (char)(CARRY | OVER2), (char)CARRY, (char)CARRY,
        (char)(CARRY | LARGE), (char)BEYOND, (char)BEYOND, (char)BEYOND, (char)BEYOND, (char)BEYOND, (char)BEYOND,
        (char)BEYOND, (char)BEYOND, (char)(BEYOND | SURROGATE), (char)BEYOND, (char)BEYOND);
    const __m256i second_high = TWICE(SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT,
        (char)(LONG | OVER2 | TWO | OVER3 | LARGER | OVER4), (char)(LONG | OVER2 | TWO | OVER3 | LARGE),
        (char)(LONG | OVER2 | TWO | SURROGATE | LARGE), (char)(LONG | OVER2 | TWO | SURROGATE | LARGE), SHORT, SHORT, SHORT,
        SHORT);
    const __m256i one = _mm256_maskz_permutexvar_epi8(0xFFFFFFFEu, before, text);
    const __m256i two = _mm256_maskz_permutexvar_epi8(0xFFFFFFFEu, before, one);
    const __m256i three = _mm256_maskz_permutexvar_epi8(0xFFFFFFFEu, before, two);
    const __m256i pair = _mm256_and_si256(
        _mm256_and_si256(_mm256_shuffle_epi8(first_high, _mm256_and_si256(_mm256_srli_epi16(one, 4), low)),
            _mm256_shuffle_epi8(first_low, _mm256_and_si256(one, low))),
        _mm256_shuffle_epi8(second_high, _mm256_and_si256(_mm256_srli_epi16(text, 4), low)));
    /* The third byte of three and the fourth of four: the pair alone would call them one too many. */
    const __m256i third = _mm256_subs_epu8(two, _mm256_set1_epi8((char)(0xE0 - 0x80)));
    const __m256i fourth = _mm256_subs_epu8(three, _mm256_set1_epi8((char)(0xF0 - 0x80)));
    const __m256i must = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
    const __m256i wrong = _mm256_xor_si256(must, pair);
    return _mm256_testz_si256(wrong, wrong);
}

WIDE static inline uint8_t *encode(
    const uint8_t *text, size_t count, uint8_t *out, int32_t *is_doubtful)
{
    static const uint8_t threefold[64] __attribute__((aligned(64))) = {
        0, 32, 64, 1, 33, 65, 2, 34, 66, 3, 35, 67, 4, 36, 68, 5, 37, 69, 6, 38, 70, 7, 39, 71, 8, 40, 72, 9, 41, 73, 10, 42,
        74, 11, 43, 75, 12, 44, 76, 13, 45, 77, 14, 46, 78, 15, 47, 79, 16, 48, 80, 17, 49, 81, 18, 50, 82, 19, 51, 83, 20, 52, 84
    };
    const uint64_t every_third = 0x1249249249249249u; /* 21 bits */
    /* A byte stays as it is when the bit of its high half is set at its low half:
     * 2: - . (1), 3: 0-9 (2), 4: A-O (4), 5: P-Z _ (8), 6: a-o (16), 7: p-z ~ (32). */
    const __m256i bit = TWICE(0, 0, 1, 2, 4, 8, 16, 32, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i bits = TWICE(2 | 8 | 32, 62, 62, 62, 62, 62, 62, 62, 62, 62, 4 | 8 | 16 | 32, 4 | 16, 4 | 16, 1 | 4 | 16,
        1 | 4 | 16 | 32, 4 | 8 | 16);
    const __m256i digits = TWICE('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F');
    const __m256i low = _mm256_set1_epi8(15);
    const uint8_t *const start = text;
    for (size_t left = count;; text += STEP, left -= STEP) {
        const uint32_t there = _bzhi_u32(~0u, left < STEP ? (uint32_t)left : STEP);
        const __m256i bytes = _mm256_maskz_loadu_epi8(there, text);
        const __m256i high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), low);
        /* A byte beyond ASCII has no bit: its shuffle gives 0. */
        const uint32_t bare =
            _mm256_mask_test_epi8_mask(there, _mm256_shuffle_epi8(bits, bytes), _mm256_shuffle_epi8(bit, high));
        const __m256i first = _mm256_mask_blend_epi8(bare, _mm256_set1_epi8('%'), bytes);
        const __m512i two = _mm512_inserti64x4(_mm512_castsi256_si512(first), _mm256_shuffle_epi8(digits, high), 1);
        const __m512i third = _mm512_castsi256_si512(_mm256_shuffle_epi8(digits, _mm256_and_si256(bytes, low)));
        const __m512i all = _mm512_permutex2var_epi8(two, _mm512_load_si512(threefold), third);
        const uint64_t escaped = _pdep_u64(there & ~bare, every_third);
        const uint64_t wanted = _pdep_u64(there, every_third) | escaped << 1 | escaped << 2;
        const __m512i written = _mm512_maskz_compress_epi8(wanted, all);
        const uint64_t length = (uint64_t)_mm_popcnt_u64(wanted);
        /* A store of 64 bytes would nearly always cross a line of the cache. */
        _mm256_storeu_si256((__m256i *)out, _mm512_castsi512_si256(written));
        if (__builtin_expect(length > 32, 0))
            _mm256_storeu_si256((__m256i *)(out + 32), _mm512_extracti64x4_epi64(written, 1));
        out += length;
        if (_mm256_movemask_epi8(bytes))
            *is_doubtful |= count > CHECKED || !is_utf8(_mm256_maskz_loadu_epi8(_bzhi_u32(~0u, (uint32_t)count), start));
        if (left <= STEP)
            return out;
    }
}

WIDE uint8_t *csystem_encode_64(const uint8_t *text, size_t count, uint8_t *out, int32_t *is_doubtful)
{
    return encode(text, count, out, is_doubtful);
}

WIDE int64_t csystem_write_texts_64(
    const csystem_plan *plan, const csystem_view *ids, const csystem_view *query, size_t query_count, uint8_t *buffer,
    size_t capacity)
{
    return write_texts(plan, ids, query, query_count, buffer, capacity, encode);
}
#endif
