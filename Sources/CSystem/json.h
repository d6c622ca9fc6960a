/* json.h - converts the classes of 64 bytes to the offsets of tokens: the code that is common to all processors. */
#ifndef CSYSTEM_JSON_COMMON_H
#define CSYSTEM_JSON_COMMON_H

#include "CSystemJSON.h"

/* A bit for each of 64 bytes. */
typedef struct json_classes {
    uint64_t quotes, backslashes, spaces, structural; /* structural: brackets, commas and colons, possibly control bytes */
    uint64_t controls, others;                        /* below 0x20; above 0x7F */
} json_classes;

#define JSON_INLINE static inline __attribute__((always_inline))

/* The bytes after a backslash that is not escaped itself: in a run of backslashes every second one.  The carry of an addition
 * passes through a run to its end. */
JSON_INLINE uint64_t json_escaped(csystem_json_scan *scan, uint64_t backslashes)
{
    const uint64_t even = UINT64_C(0x5555555555555555);
    uint64_t after, odd_starts, runs;
    if (!backslashes) {
        const uint64_t escaped = scan->is_escaped;
        scan->is_escaped = 0;
        return escaped;
    }
    backslashes &= ~scan->is_escaped;
    after = backslashes << 1 | scan->is_escaped;
    odd_starts = backslashes & ~even & ~after;
    scan->is_escaped = __builtin_add_overflow(odd_starts, backslashes, &runs);
    return (even ^ runs << 1) & after;
}

/* The tokens of a block.  `inside` has a bit for each byte after an opening quote, including the quote, until it is closed. */
JSON_INLINE uint64_t json_tokens(
    csystem_json_scan *scan, const json_classes *classes, uint64_t escaped, uint64_t quotes, uint64_t inside)
{
    uint64_t scalars, starts;
    inside ^= scan->in_string;
    scan->in_string = (uint64_t)((int64_t)inside >> 63);
    scan->is_refused |= (classes->controls & inside) != 0;
    scalars = ~(classes->structural | classes->spaces | quotes | inside);
    starts = scalars & ~(scalars << 1 | scan->in_scalar);
    scan->in_scalar = scalars >> 63;
    return quotes | (classes->backslashes & ~escaped & inside) | (classes->structural & ~inside) | starts;
}

/* Writes eight at a time, even if there are fewer: a branch for each bit would be mispredicted more often. */
JSON_INLINE uint32_t *json_write(uint32_t *out, uint64_t bits, uint32_t base)
{
    const int count = __builtin_popcountll(bits);
    int done;
    for (done = 0; done < count; done += 8) {
        for (int index = 0; index < 8; index++) {
            /* The offsets after the last bit are written, but never read. */
            out[done + index] = base + (uint32_t)(bits ? __builtin_ctzll(bits) : 64);
            bits &= bits - 1;
        }
    }
    return out + count;
}

#endif
