/* CSystemEncode.h - percent-encoding a value at once, where the processor can. */
#ifndef CSYSTEM_ENCODE_H
#define CSYSTEM_ENCODE_H

#include <stddef.h>
#include <stdint.h>

/* Whether the compiler can write code for AVX2 (encode_avx2.c); whether the processor has it is asked at run time. */
#if defined(__x86_64__) && (defined(__clang__) || __GNUC__ >= 9)
#define CSYSTEM_HAS_AVX2 1
#else
#define CSYSTEM_HAS_AVX2 0
#endif

/* NEON is a part of every processor of aarch64. */
#if defined(__aarch64__) && defined(__ARM_NEON)
#define CSYSTEM_HAS_NEON 1
#else
#define CSYSTEM_HAS_NEON 0
#endif

/* How values are encoded: byte by byte, or in blocks of 16. */
typedef int32_t csystem_encoder;
enum { CSYSTEM_ENCODES_BYTES = 0, CSYSTEM_ENCODES_BLOCKS = 1 };

/* The best encoder of the processor that this runs on. */
csystem_encoder csystem_best_encoder(void);

/* Where the encoder is CSYSTEM_ENCODES_BLOCKS: writes a string with all bytes but RFC 3986's unreserved ones as "%XX", and
 * returns its end; `table` is the one of a plan.  Stores up to CSYSTEM_SLACK bytes from that end on; reads no byte but the string's.  Sets `is_doubtful`
 * when the string may not be UTF-8: for all strings that are not, and for some that are. */
uint8_t *_Nonnull csystem_encode(
    const uint8_t *_Nonnull text, size_t count, const uint32_t *_Nonnull table, uint8_t *_Nonnull out, int32_t *_Nonnull is_doubtful);

/* The usual case of a plan (QuickPlan.swift): a literal, and the value behind it. */
typedef struct csystem_piece { uint32_t offset; uint16_t count, flags; } csystem_piece;
enum { CSYSTEM_TAKES_TEXT = 1, CSYSTEM_TAKES_INTEGER = 2, CSYSTEM_SEGMENT = 4, CSYSTEM_OPTIONAL = 8 };
/* A routable_value. */
typedef struct csystem_view { int32_t kind, reserved; uint64_t first, second; } csystem_view;
enum { CSYSTEM_NULL = 0, CSYSTEM_TEXT = 4 };

typedef struct csystem_plan csystem_plan;
/* Writes a URL of values that are all texts, and a NUL.  Returns its length; -1 when some value is no text or may be
 * refused, there may be too little room, or the processor encodes bytes alone.  The ids are as many as the plan's. */
typedef int64_t csystem_writer(const csystem_plan *_Nonnull plan, const csystem_view *_Nullable ids,
    const csystem_view *_Nullable query, size_t query_count, uint8_t *_Nonnull buffer, size_t capacity);

/* A plan of such pieces, which lie behind it: one for each id, the end of the path, one for each query parameter. */
struct csystem_plan {
    csystem_writer *_Nonnull write; /* csystem_writer_of the encoder */
    const uint8_t *_Nonnull pool; /* the literals, and CSYSTEM_SLACK bytes behind them */
    const uint32_t *_Nonnull table; /* what each byte is stored as, where bytes are encoded one by one (PercentCoding.swift) */
    uint32_t pool_count;
    uint32_t id_count;
    uint32_t query_count, required_count; /* declared, and up to the last that cannot be left out */
    csystem_encoder encoder;
    uint8_t separator; /* before the first query parameter */
};

/* Bytes that may be stored after the last byte of a value, or read after the literals. */
enum { CSYSTEM_SLACK = 32 };

csystem_writer *_Nonnull csystem_writer_of(csystem_encoder encoder);
#if CSYSTEM_HAS_AVX2 || CSYSTEM_HAS_NEON
csystem_writer csystem_write_texts; /* of CSYSTEM_ENCODES_BLOCKS */
#endif

#endif
