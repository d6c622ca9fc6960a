/* CSystemEncode.h - percent-encoding a value at once, where the processor can. */
#ifndef CSYSTEM_ENCODE_H
#define CSYSTEM_ENCODE_H

#include <stddef.h>
#include <stdint.h>

/* Not 0 when csystem_encode may be called. */
int32_t csystem_can_encode(void);

/* Writes a text with all bytes but RFC 3986's unreserved ones as "%XX", and returns where it ends.  Stores up to 64 bytes
 * from that end on; reads no byte but the text's.  Sets `is_doubtful` when the text may not be UTF-8: for all texts of up
 * to 31 bytes that are not, and for all longer ones beyond ASCII. */
uint8_t *_Nonnull csystem_encode(
    const uint8_t *_Nonnull text, size_t count, uint8_t *_Nonnull out, int32_t *_Nonnull is_doubtful);

/* The usual case of a plan (QuickPlan.swift): a literal, and the value behind it. */
typedef struct csystem_piece { uint32_t offset; uint16_t count, flags; } csystem_piece;
enum { CSYSTEM_TAKES_TEXT = 1, CSYSTEM_TAKES_INTEGER = 2, CSYSTEM_SEGMENT = 4, CSYSTEM_OPTIONAL = 8 };
/* A routable_value. */
typedef struct csystem_view { int32_t kind, reserved; uint64_t first, second; } csystem_view;
enum { CSYSTEM_NULL = 0, CSYSTEM_TEXT = 4 };

/* Writes a URL of values that are all texts, and a NUL: as csystem_can_encode says.  `left` is the room beyond the literals
 * and 64 bytes.  Returns its length; -1 when some value is no text or may be refused. */
int64_t csystem_write_texts(
    const csystem_piece *_Nonnull pieces, const uint8_t *_Nonnull pool, uint8_t separator, const csystem_view *_Nullable ids,
    size_t id_count, const csystem_view *_Nullable query, size_t query_count, uint8_t *_Nonnull buffer, int64_t left);

#endif
