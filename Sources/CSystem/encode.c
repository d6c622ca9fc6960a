/* encode.c - selects the processors on which values are percent-encoded in blocks.
 *
 * A loop over the bytes has a different number of iterations for each value, which the branch predictor cannot predict; the
 * mispredictions cost more than the work.  encode_avx2.c has no branch that depends on the length of a value or on its bytes;
 * encode_neon.c copies bytes without escapes in blocks.  On other processors the caller encodes byte by byte (QuickPlan.swift). */
#include "CSystemEncode.h"

#if CSYSTEM_HAS_AVX2
#include <cpuid.h>

csystem_encoder csystem_best_encoder(void)
{
    unsigned a, b, c, d, low, high;
    const unsigned wanted = 1u << 3 | 1u << 5 | 1u << 8; /* BMI1, AVX2, BMI2 */
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1u << 27) || !(c & 1u << 23)) /* XGETBV, POPCNT */
        return CSYSTEM_ENCODES_BYTES;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    /* The operating system must also save the registers. */
    return (low & 0x06) == 0x06 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & wanted) == wanted ? CSYSTEM_ENCODES_BLOCKS
                                                                                                     : CSYSTEM_ENCODES_BYTES;
}
#elif CSYSTEM_HAS_NEON
csystem_encoder csystem_best_encoder(void)
{
    return CSYSTEM_ENCODES_BLOCKS;
}
#else
csystem_encoder csystem_best_encoder(void)
{
    return CSYSTEM_ENCODES_BYTES;
}

uint8_t *csystem_encode(const uint8_t *text, size_t count, const uint32_t *table, uint8_t *out, int32_t *is_doubtful)
{
    (void)text;
    (void)count;
    (void)table;
    *is_doubtful = 1;
    return out;
}
#endif

/* For processors that encode byte by byte. */
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

csystem_writer *csystem_writer_of(csystem_encoder encoder)
{
#if CSYSTEM_HAS_AVX2 || CSYSTEM_HAS_NEON
    if (encoder == CSYSTEM_ENCODES_BLOCKS)
        return csystem_write_texts;
#endif
    (void)encoder;
    return write_nothing;
}
