/* json.c - finds the tokens of a JSON text on any processor: 16 bytes at a time with SSE2 or NEON, otherwise byte by byte.
 * json_avx2.c is used on processors with AVX2. */
#include "json.h"

#include "CSystem.h"
#include "CSystemEncode.h"
#include "CSystemMemory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

size_t csystem_check_utf8(const uint8_t *text, size_t position, size_t count)
{
    while (position < count) {
        uint8_t first, low = 0x80, high = 0xBF;
        size_t length, index;
        if (count - position >= 8) {
            uint64_t word;
            memcpy(&word, text + position, 8);
            if (!(word & UINT64_C(0x8080808080808080))) {
                position += 8;
                continue;
            }
        }
        first = text[position];
        if (first < 0x80) {
            position++;
            continue;
        }
        if (first < 0xC2 || first > 0xF4)
            return SIZE_MAX;
        length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        if (first == 0xE0) low = 0xA0;
        if (first == 0xED) high = 0x9F;
        if (first == 0xF0) low = 0x90;
        if (first == 0xF4) high = 0x8F;
        for (index = 1; index < length; index++, low = 0x80, high = 0xBF) {
            if (position + index == count)
                return position;
            if (text[position + index] < low || text[position + index] > high)
                return SIZE_MAX;
        }
        position += length;
    }
    return position;
}

#if defined(__SSE2__)
JSON_INLINE json_classes classes_of(const uint8_t *block)
{
    json_classes result = { 0, 0, 0, 0, 0, 0 };
    /* Processors without AVX2 are rare: unrolling is not worth four times the code. */
#pragma clang loop unroll(disable)
    for (int part = 0; part < 4; part++) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(block + 16 * part));
        /* '[' and '{', ']' and '}' differ in one bit. */
        const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
#define IS(bytes, byte) _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte))
#define BITS(mask) ((uint64_t)(uint32_t)_mm_movemask_epi8(mask) << 16 * part)
        result.quotes |= BITS(IS(bytes, '"'));
        result.backslashes |= BITS(IS(bytes, '\\'));
        result.spaces |= BITS(_mm_or_si128(
            _mm_or_si128(IS(bytes, ' '), IS(bytes, '\n')), _mm_or_si128(IS(bytes, '\t'), IS(bytes, '\r'))));
        result.structural |= BITS(_mm_or_si128(
            _mm_or_si128(IS(folded, '{'), IS(folded, '}')), _mm_or_si128(IS(bytes, ','), IS(bytes, ':'))));
        result.controls |= BITS(_mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes));
        result.others |= BITS(bytes);
#undef IS
#undef BITS
    }
    return result;
}
#elif defined(__aarch64__) && defined(__ARM_NEON)
/* A bit for each byte of four vectors whose bytes are 0xFF or 0. */
JSON_INLINE uint64_t bits_of(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d)
{
    const uint8x16_t place = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
    const uint8x16_t low = vpaddq_u8(vandq_u8(a, place), vandq_u8(b, place));
    const uint8x16_t high = vpaddq_u8(vandq_u8(c, place), vandq_u8(d, place));
    uint8x16_t all = vpaddq_u8(low, high);
    all = vpaddq_u8(all, all);
    return vgetq_lane_u64(vreinterpretq_u64_u8(all), 0);
}

JSON_INLINE json_classes classes_of(const uint8_t *block)
{
    uint8x16_t quotes[4], backslashes[4], spaces[4], structural[4], controls[4], others[4];
    json_classes result;
    for (int part = 0; part < 4; part++) {
        const uint8x16_t bytes = vld1q_u8(block + 16 * part), folded = vorrq_u8(bytes, vdupq_n_u8(0x20));
#define IS(bytes, byte) vceqq_u8(bytes, vdupq_n_u8(byte))
        quotes[part] = IS(bytes, '"');
        backslashes[part] = IS(bytes, '\\');
        spaces[part] = vorrq_u8(vorrq_u8(IS(bytes, ' '), IS(bytes, '\n')), vorrq_u8(IS(bytes, '\t'), IS(bytes, '\r')));
        structural[part] = vorrq_u8(vorrq_u8(IS(folded, '{'), IS(folded, '}')), vorrq_u8(IS(bytes, ','), IS(bytes, ':')));
        controls[part] = vcltq_u8(bytes, vdupq_n_u8(0x20));
        others[part] = vcgtq_u8(bytes, vdupq_n_u8(0x7F));
#undef IS
    }
#define BITS(name) result.name = bits_of(name[0], name[1], name[2], name[3])
    BITS(quotes);
    BITS(backslashes);
    BITS(spaces);
    BITS(structural);
    BITS(controls);
    BITS(others);
#undef BITS
    return result;
}
#else
JSON_INLINE json_classes classes_of(const uint8_t *block)
{
    json_classes result = { 0, 0, 0, 0, 0, 0 };
    for (int index = 0; index < 64; index++) {
        const uint8_t byte = block[index];
        const uint64_t bit = (uint64_t)1 << index;
        if (byte < 0x20) {
            result.controls |= bit;
            if (byte == '\n' || byte == '\t' || byte == '\r') result.spaces |= bit;
        } else if (byte == ' ')
            result.spaces |= bit;
        else if (byte == '"')
            result.quotes |= bit;
        else if (byte == '\\')
            result.backslashes |= bit;
        else if (byte == '{' || byte == '}' || byte == '[' || byte == ']' || byte == ',' || byte == ':')
            result.structural |= bit;
        else if (byte > 0x7F)
            result.others |= bit;
    }
    return result;
}
#endif

size_t csystem_json_index_blocks(csystem_json_scan *scan, uint32_t *offsets)
{
    const size_t start = scan->position;
    const size_t end = scan->count - start > CSYSTEM_JSON_CHUNK ? start + CSYSTEM_JSON_CHUNK : scan->count;
    uint64_t others = 0;
    uint32_t *out = offsets;
    while (scan->position < end) {
        uint8_t padded[64];
        const uint8_t *block = scan->text + scan->position;
        json_classes classes;
        uint64_t escaped, quotes, inside;
        if (end - scan->position < 64) {
            memset(padded, ' ', sizeof padded);
            memcpy(padded, block, end - scan->position);
            block = padded;
        }
        classes = classes_of(block);
        others |= classes.others;
        escaped = json_escaped(scan, classes.backslashes);
        quotes = classes.quotes & ~escaped;
        inside = quotes;
        for (int shift = 1; shift < 64; shift <<= 1)
            inside ^= inside << shift;
        out = json_write(out, json_tokens(scan, &classes, escaped, quotes, inside), (uint32_t)scan->position);
        scan->position += 64;
    }
    scan->position = end;
    if (others || scan->checked < start) {
        const size_t checked = csystem_check_utf8(scan->text, scan->checked, end);
        scan->is_refused |= checked == SIZE_MAX || (end == scan->count && checked < end);
        scan->checked = checked;
    } else
        scan->checked = end;
    if (end == scan->count)
        scan->is_refused |= scan->in_string != 0;
    return (size_t)(out - offsets);
}

#if CSYSTEM_HAS_AVX2
#include <cpuid.h>

static int multiplies_without_carry(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & 1u << 1); /* PCLMULQDQ */
}
#endif

csystem_json_indexer *csystem_best_json_indexer(void)
{
    /* Determined once: under a hypervisor, cpuid takes longer than reading a short text. */
    static _Atomic(csystem_json_indexer *) known;
    csystem_json_indexer *best = atomic_load_explicit(&known, memory_order_relaxed);
    if (!best) {
        best = csystem_json_index_blocks;
#if CSYSTEM_HAS_AVX2
        if (csystem_best_encoder() == CSYSTEM_ENCODES_BLOCKS && multiplies_without_carry())
            best = csystem_json_index_avx2;
#endif
        atomic_store_explicit(&known, best, memory_order_relaxed);
    }
    return best;
}

int32_t csystem_json_copy(const void *from, size_t count, void *to)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones * 0x80;
    uint64_t special = 0, high = 0;
    size_t index;
    for (index = 0; index < count; index += 8) {
        uint64_t word = ones * ' ', quote, backslash;
        if (count - index >= 8)
            memcpy(&word, (const char *)from + index, 8);
        else
            memcpy(&word, (const char *)from + index, count - index);
        memcpy((char *)to + index, &word, 8);
        quote = word ^ ones * '"';
        backslash = word ^ ones * '\\';
        /* The high bit of a byte is set if the byte is below 0x20 or matches; bits above such a byte may be wrong. */
        special |= ((word - ones * 0x20) & ~word) | ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash);
        high |= word;
    }
    return special & highs ? 2 : high & highs ? 1 : 0;
}

/* Clinger's fast path: integers up to 2^53 and powers of ten up to 10^22 are exact doubles, so that the result is rounded only
 * once. */
double csystem_number(const uint8_t *text, size_t count)
{
    static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    const int is_negative = count > 0 && text[0] == '-';
    size_t at = (size_t)is_negative, digits = 0;
    uint64_t mantissa = 0;
    int32_t power = 0, written = 0;
    char short_text[64], *copy;
    double result;
    for (; at < count && text[at] >= '0' && text[at] <= '9' && digits < 19; at++, digits += mantissa != 0)
        mantissa = mantissa * 10 + (uint64_t)(text[at] - '0');
    if (at < count && text[at] == '.')
        for (at++; at < count && text[at] >= '0' && text[at] <= '9' && digits < 19; at++, power--, digits += mantissa != 0)
            mantissa = mantissa * 10 + (uint64_t)(text[at] - '0');
    if (at < count && (text[at] | 0x20) == 'e') {
        const int is_down = at + 1 < count && text[at + 1] == '-';
        for (at += 1 + (size_t)(at + 1 < count && (text[at + 1] == '-' || text[at + 1] == '+')); at < count && written < 100000; at++)
            written = written * 10 + (text[at] - '0');
        power += is_down ? -written : written;
    }
    if (at == count && mantissa <= (uint64_t)1 << 53 && power >= -22 && power <= 22) {
        result = power < 0 ? (double)mantissa / powers[-power] : (double)mantissa * powers[power];
        return is_negative ? -result : result;
    }
    copy = count < sizeof short_text ? short_text : csystem_allocate_needed(count + 1);
    memcpy(copy, text, count);
    copy[count] = 0;
    result = csystem_parse_double(copy);
    if (copy != short_text)
        csystem_free(copy);
    return result;
}
