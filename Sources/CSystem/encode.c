/* encode.c - percent-encoding without a branch for the length of a value or for its bytes, as far as the processor can.
 *
 * A loop over the bytes ends at another place for each value, which costs a processor more than the work: it cannot
 * foresee that.  See encode_64.c and encode_16.c; elsewhere the caller goes byte by byte. */
#include "encode_walk.h"

/* For processors that encode bytes alone. */
static int64_t write_nothing(const csystem_plan *plan, const csystem_view *ids, const csystem_view *query, size_t query_count,
    uint8_t *buffer, size_t capacity)
{
    (void)plan;
    (void)ids;
    (void)query;
    (void)query_count;
    (void)buffer;
    (void)capacity;
    return -1;
}

#if defined(__x86_64__) && (defined(__clang__) || __GNUC__ >= 9)
#include <cpuid.h>

csystem_encoder csystem_best_encoder(void)
{
    unsigned a, b, c, d, low, high;
    const unsigned wanted_16 = 1u << 3 | 1u << 5 | 1u << 8;     /* BMI1, AVX2, BMI2 */
    const unsigned wanted_64 = 1u << 16 | 1u << 30 | 1u << 31; /* AVX-512 F, BW, VL */
    const unsigned wanted_vbmi = 1u << 1 | 1u << 6;              /* VBMI, VBMI2 */
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1u << 27) || !(c & 1u << 23)) /* XGETBV, POPCNT */
        return CSYSTEM_ENCODES_BYTES;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    /* What the system keeps of the registers counts, too. */
    if ((low & 0x06) != 0x06 || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & wanted_16) != wanted_16)
        return CSYSTEM_ENCODES_BYTES;
    return (low & 0xE0) == 0xE0 && (b & wanted_64) == wanted_64 && (c & wanted_vbmi) == wanted_vbmi ? CSYSTEM_ENCODES_64
                                                                                                    : CSYSTEM_ENCODES_16;
}

uint8_t *csystem_encode(csystem_encoder encoder, const uint8_t *text, size_t count, uint8_t *out, int32_t *is_doubtful)
{
    return encoder == CSYSTEM_ENCODES_64 ? csystem_encode_64(text, count, out, is_doubtful)
                                         : csystem_encode_16(text, count, out, is_doubtful);
}

csystem_writer *csystem_writer_of(csystem_encoder encoder)
{
    return encoder == CSYSTEM_ENCODES_64 ? csystem_write_texts_64
        : encoder == CSYSTEM_ENCODES_16  ? csystem_write_texts_16
                                         : write_nothing;
}
#else
csystem_encoder csystem_best_encoder(void)
{
    return CSYSTEM_ENCODES_BYTES;
}

uint8_t *csystem_encode(csystem_encoder encoder, const uint8_t *text, size_t count, uint8_t *out, int32_t *is_doubtful)
{
    (void)encoder;
    (void)text;
    (void)count;
    *is_doubtful = 1;
    return out;
}

csystem_writer *csystem_writer_of(csystem_encoder encoder)
{
    (void)encoder;
    return write_nothing;
}
#endif
