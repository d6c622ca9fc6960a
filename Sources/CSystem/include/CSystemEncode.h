/* CSystemEncode.h - percent-encoding a value at once, where the processor can. */
#ifndef CSYSTEM_ENCODE_H
#define CSYSTEM_ENCODE_H

#include <stddef.h>
#include <stdint.h>

/* Not 0 when csystem_encode may be called. */
int32_t csystem_can_encode(void);

/* Writes a text with all bytes but RFC 3986's unreserved ones as "%XX", and returns where it ends.  Stores up to 64 bytes
 * from that end on; reads no byte but the text's.  Sets `is_doubtful` when the text may not be UTF-8: for all texts of up
 * to 21 bytes that are not, and for all longer ones beyond ASCII. */
uint8_t *_Nonnull csystem_encode(
    const uint8_t *_Nonnull text, size_t count, uint8_t *_Nonnull out, int32_t *_Nonnull is_doubtful);

#endif
