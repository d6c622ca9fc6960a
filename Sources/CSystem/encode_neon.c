/* encode_neon.c - percent-encodes up to 16 bytes at a time with NEON, which every aarch64 processor has.
 *
 * Blocks without escapes, which are the most frequent, are copied; the bytes of other blocks are looked up one by one.  Blocks
 * overlap at the end of a value, so that no byte outside of the value is read: a byte without an escape may be stored twice at the
 * same place. */
#include "CSystemEncode.h"

#if CSYSTEM_HAS_NEON
#include <arm_neon.h>
#include <string.h>

#define NEON_INLINE static inline __attribute__((always_inline))

/* Whether all 16 bytes are written without escapes.  For such a byte, the bit of its high half is set in the entry of its low half:
 * 2: - . (1), 3: 0-9 (2), 4: A-O (4), 5: P-Z _ (8), 6: a-o (16), 7: p-z ~ (32). */
NEON_INLINE int is_plain(uint8x16_t bytes)
{
    static const uint8_t bit[16] = { 0, 0, 1, 2, 4, 8, 16, 32, 0, 0, 0, 0, 0, 0, 0, 0 };
    static const uint8_t bits[16] = { 2 | 8 | 32, 62, 62, 62, 62, 62, 62, 62, 62, 62, 4 | 8 | 16 | 32, 4 | 16, 4 | 16, 1 | 4 | 16,
        1 | 4 | 16 | 32, 4 | 8 | 16 };
    const uint8x16_t low = vqtbl1q_u8(vld1q_u8(bits), vandq_u8(bytes, vdupq_n_u8(15)));
    const uint8x16_t high = vqtbl1q_u8(vld1q_u8(bit), vshrq_n_u8(bytes, 4));
    return vminvq_u32(vreinterpretq_u32_u8(vtstq_u8(low, high))) == UINT32_MAX;
}

/* Looks up each byte: the bytes to store, and their number. */
NEON_INLINE uint8_t *encode_bytes(const uint8_t *text, size_t count, const uint32_t *table, uint8_t *out, uint32_t *seen)
{
    for (const uint8_t *const end = text + count; text != end; text++) {
        const uint32_t entry = table[*text];
        memcpy(out, &entry, 4);
        out += entry >> 24;
        *seen |= *text;
    }
    return out;
}

/* Encodes more than one block. */
static __attribute__((noinline)) uint8_t *encode_long(
    const uint8_t *text, size_t count, const uint32_t *table, uint8_t *out, int32_t *is_doubtful)
{
    uint32_t seen = 0;
    for (; count >= 16; text += 16, count -= 16) {
        const uint8x16_t bytes = vld1q_u8(text);
        if (is_plain(bytes)) {
            vst1q_u8(out, bytes);
            out += 16;
        } else {
            out = encode_bytes(text, 16, table, out, &seen);
        }
    }
    if (count > 0) {
        const uint8x16_t bytes = vld1q_u8(text + count - 16);
        if (is_plain(bytes)) {
            vst1q_u8(out + count - 16, bytes);
            out += count;
        } else {
            out = encode_bytes(text, count, table, out, &seen);
        }
    }
    *is_doubtful |= seen >= 0x80;
    return out;
}

NEON_INLINE uint8_t *encode(const uint8_t *text, size_t count, const uint32_t *table, uint8_t *out, int32_t *is_doubtful)
{
    uint32_t seen = 0;
    if (__builtin_expect(count > 16, 0))
        return encode_long(text, count, table, out, is_doubtful);
    if (count >= 8) {
        const uint8x8_t first = vld1_u8(text), last = vld1_u8(text + count - 8);
        if (is_plain(vcombine_u8(first, last))) {
            vst1_u8(out, first);
            vst1_u8(out + count - 8, last);
            return out + count;
        }
    }
    out = encode_bytes(text, count, table, out, &seen);
    *is_doubtful |= seen >= 0x80;
    return out;
}

uint8_t *csystem_encode(const uint8_t *text, size_t count, const uint32_t *table, uint8_t *out, int32_t *is_doubtful)
{
    return encode(text, count, table, out, is_doubtful);
}

#define ENCODER
#include "encode_texts.h"
#endif
