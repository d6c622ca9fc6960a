/* CSystemEncode.h - percent-encodes values in blocks, on processors that support it. */
#ifndef CSYSTEM_ENCODE_H
#define CSYSTEM_ENCODE_H

#include <stddef.h>
#include <stdint.h>

/* Whether the compiler supports AVX2 (encode_avx2.c); whether the processor supports it is checked at run time. */
#if defined(__x86_64__) && (defined(__clang__) || __GNUC__ >= 9)
#define CSYSTEM_HAS_AVX2 1
#else
#define CSYSTEM_HAS_AVX2 0
#endif

/* Every aarch64 processor supports NEON. */
#if defined(__aarch64__) && defined(__ARM_NEON)
#define CSYSTEM_HAS_NEON 1
#else
#define CSYSTEM_HAS_NEON 0
#endif

/* How values are encoded: byte by byte, or in blocks of 16. */
typedef int32_t csystem_encoder;
enum { CSYSTEM_ENCODES_BYTES = 0, CSYSTEM_ENCODES_BLOCKS = 1 };

/* The best encoder for this processor. */
csystem_encoder csystem_best_encoder(void);

/* For CSYSTEM_ENCODES_BLOCKS: writes a string with all bytes except the unreserved ones of RFC 3986 as "%XX", and returns the end
 * of the output; `table` is that of a plan.  Stores up to CSYSTEM_SLACK bytes after the end; reads only the bytes of the string.
 * Sets `is_doubtful` if the string may not be UTF-8: for all strings that are not, and for some that are. */
uint8_t *_Nonnull csystem_encode(
    const uint8_t *_Nonnull text, size_t count, const uint32_t *_Nonnull table, uint8_t *_Nonnull out, int32_t *_Nonnull is_doubtful);

/* A piece of a plan in the usual case (QuickPlan.swift): a literal, and the value after it. */
typedef struct csystem_piece { uint32_t offset; uint16_t count, flags; } csystem_piece;
enum { CSYSTEM_TAKES_TEXT = 1, CSYSTEM_TAKES_INTEGER = 2, CSYSTEM_SEGMENT = 4, CSYSTEM_OPTIONAL = 8 };
/* A routable_value. */
typedef struct csystem_view { int32_t kind, reserved; uint64_t first, second; } csystem_view;
enum { CSYSTEM_NULL = 0, CSYSTEM_TEXT = 4 };

typedef struct csystem_plan csystem_plan;
/* Writes a URL whose values are all strings, and a NUL.  Returns its length; -1 if a value is not a string or may be refused, if
 * there may be too little space, or if the processor encodes byte by byte.  The number of ids is that of the plan. */
typedef int64_t csystem_writer(const csystem_plan *_Nonnull plan, const csystem_view *_Nullable ids,
    const csystem_view *_Nullable query, size_t query_count, uint8_t *_Nonnull buffer, size_t capacity);

/* A plan.  Its pieces follow it in memory: one for each id, the end of the path, one for each query parameter. */
struct csystem_plan {
    csystem_writer *_Nonnull write; /* csystem_writer_of of the encoder */
    const uint8_t *_Nonnull pool; /* the literals, followed by CSYSTEM_SLACK bytes */
    const uint32_t *_Nonnull table; /* the output for each byte, if bytes are encoded one by one (PercentCoding.swift) */
    uint32_t pool_count;
    uint32_t id_count;
    uint32_t query_count, required_count; /* the number of declared parameters, and the number up to the last required one */
    csystem_encoder encoder;
    uint8_t separator; /* before the first query parameter */
};

/* The number of bytes that may be stored after the last byte of a value, or read after the literals. */
enum { CSYSTEM_SLACK = 32 };

csystem_writer *_Nonnull csystem_writer_of(csystem_encoder encoder);
#if CSYSTEM_HAS_AVX2 || CSYSTEM_HAS_NEON
csystem_writer csystem_write_texts; /* for CSYSTEM_ENCODES_BLOCKS */
#endif

#endif
