/* json_avx2.c - finds the tokens of a JSON text on processors with AVX2, BMI2 and carry-less multiplication.
 *
 * UTF-8 is checked by three lookups for each pair of bytes (Keiser and Lemire, "Validating UTF-8 in less than one instruction per
 * byte", 2021). */
#include "json.h"

#if CSYSTEM_HAS_AVX2
#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,pclmul")))
#define AVX2_INLINE AVX2 static inline __attribute__((always_inline))

AVX2_INLINE uint64_t bits_of(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

/* The same 16 bytes in both halves. */
#define TABLE(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)

/* For each byte, the byte that precedes it by `n`. */
#define BEFORE(bytes, last, n) \
    _mm256_alignr_epi8(bytes, _mm256_permute2x128_si256(last, bytes, 0x21), 16 - (n))

enum { TOO_SHORT = 1, TOO_LONG = 2, OVERLONG_3 = 4, TOO_LARGE = 8, SURROGATE = 16, OVERLONG_2 = 32, TOO_LARGE_1000 = 64,
    OVERLONG_4 = 64, TWO_CONTINUATIONS = -128, CARRY = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS };

/* Not zero at bytes that are not valid after the bytes before them. */
AVX2_INLINE __m256i faults_of(__m256i bytes, __m256i last)
{
    const __m256i nibble = _mm256_set1_epi8(0x0F);
    const __m256i one = BEFORE(bytes, last, 1), two = BEFORE(bytes, last, 2), three = BEFORE(bytes, last, 3);
    const __m256i first_high = _mm256_shuffle_epi8(
        TABLE(TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TWO_CONTINUATIONS,
            TWO_CONTINUATIONS, TWO_CONTINUATIONS, TWO_CONTINUATIONS, TOO_SHORT | OVERLONG_2, TOO_SHORT,
            TOO_SHORT | OVERLONG_3 | SURROGATE, (char)(TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4)),
        _mm256_and_si256(_mm256_srli_epi16(one, 4), nibble));
    const __m256i first_low = _mm256_shuffle_epi8(
        TABLE((char)(CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4), (char)(CARRY | OVERLONG_2), (char)CARRY, (char)CARRY,
            (char)(CARRY | TOO_LARGE), (char)(CARRY | TOO_LARGE | TOO_LARGE_1000), (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
            (char)(CARRY | TOO_LARGE | TOO_LARGE_1000), (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
            (char)(CARRY | TOO_LARGE | TOO_LARGE_1000), (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
            (char)(CARRY | TOO_LARGE | TOO_LARGE_1000), (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
            (char)(CARRY | TOO_LARGE | TOO_LARGE_1000 | SURROGATE), (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
            (char)(CARRY | TOO_LARGE | TOO_LARGE_1000)),
        _mm256_and_si256(one, nibble));
    const __m256i second_high = _mm256_shuffle_epi8(
        TABLE(TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
            (char)(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4),
            (char)(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | OVERLONG_3 | TOO_LARGE),
            (char)(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE),
            (char)(TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS | SURROGATE | TOO_LARGE), TOO_SHORT, TOO_SHORT, TOO_SHORT,
            TOO_SHORT),
        _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
    const __m256i special = _mm256_and_si256(_mm256_and_si256(first_high, first_low), second_high);
    /* A third or fourth byte: continuation bytes are required there, and not allowed elsewhere. */
    const __m256i must = _mm256_or_si256(_mm256_subs_epu8(two, _mm256_set1_epi8((char)(0xE0 - 0x80))),
        _mm256_subs_epu8(three, _mm256_set1_epi8((char)(0xF0 - 0x80))));
    return _mm256_xor_si256(_mm256_and_si256(must, _mm256_set1_epi8((char)0x80)), special);
}

AVX2 size_t csystem_json_index_avx2(csystem_json_scan *scan, uint32_t *offsets)
{
    const __m256i spaces = TABLE(' ', 100, 100, 100, 17, 100, 113, 2, 100, '\t', '\n', 112, 100, '\r', 100, 100);
    const __m256i structural = TABLE(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0);
    const __m256i quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\'), fold = _mm256_set1_epi8(0x20),
                  control = _mm256_set1_epi8(0x1F);
    const size_t start = scan->position;
    const size_t end = scan->count - start > CSYSTEM_JSON_CHUNK ? start + CSYSTEM_JSON_CHUNK : scan->count;
    __m256i last = _mm256_loadu_si256((const __m256i *)(scan->last + 32)), faults = _mm256_setzero_si256();
    uint32_t *out = offsets;
    csystem_json_scan own = *scan;
    size_t position = start;
    for (; position < end; position += 64) {
        uint8_t padded[64];
        const uint8_t *block = own.text + position;
        __m256i low, high;
        json_classes classes;
        uint64_t escaped, quotes, inside;
        if (end - position < 64) {
            memset(padded, ' ', sizeof padded);
            memcpy(padded, block, end - position);
            block = padded;
        }
        low = _mm256_loadu_si256((const __m256i *)block);
        high = _mm256_loadu_si256((const __m256i *)(block + 32));
#define BOTH(operation, ...) bits_of(operation(low, __VA_ARGS__), operation(high, __VA_ARGS__))
#define IN(bytes, table) _mm256_cmpeq_epi8(bytes, _mm256_shuffle_epi8(table, bytes))
#define FOLDED_IN(bytes, table) _mm256_cmpeq_epi8(_mm256_or_si256(bytes, fold), _mm256_shuffle_epi8(table, bytes))
#define AT_MOST(bytes, bound) _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, bound), bytes)
        classes.quotes = BOTH(_mm256_cmpeq_epi8, quote);
        classes.backslashes = BOTH(_mm256_cmpeq_epi8, backslash);
        classes.spaces = BOTH(IN, spaces);
        classes.structural = BOTH(FOLDED_IN, structural);
        classes.controls = BOTH(AT_MOST, control);
        classes.others = 0;
#undef BOTH
#undef IN
#undef FOLDED_IN
#undef AT_MOST
        /* ASCII needs no check, except that the last block must not end with an incomplete character. */
        if (_mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(low, high), last))) {
            faults = _mm256_or_si256(faults, _mm256_or_si256(faults_of(low, last), faults_of(high, low)));
        }
        last = high;
        escaped = json_escaped(&own, classes.backslashes);
        quotes = classes.quotes & ~escaped;
        inside = (uint64_t)_mm_cvtsi128_si64(
            _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)quotes), _mm_set1_epi8((char)0xFF), 0));
        out = json_write(out, json_tokens(&own, &classes, escaped, quotes, inside), (uint32_t)position);
    }
    own.position = end;
    _mm256_storeu_si256((__m256i *)(own.last + 32), last);
    own.is_refused |= !_mm256_testz_si256(faults, faults);
    if (end == own.count) {
        own.is_refused |= own.in_string != 0;
        /* The end is padded with spaces, so that an incomplete character was found; after a whole block there is no padding. */
        if ((end & 63) == 0 && end >= 64) {
            const __m256i nothing = _mm256_setzero_si256();
            const __m256i tail = faults_of(nothing, last);
            own.is_refused |= !_mm256_testz_si256(tail, tail);
        }
    }
    *scan = own;
    return (size_t)(out - offsets);
}
#endif
