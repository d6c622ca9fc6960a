/* CSystemText.h - short texts inside arrays, a word at a time.
 *
 * Opening a router of tens of thousands of routes is hashing, comparing and cutting of such texts.  Swift hands an array
 * to a C parameter without a closure, which its own way to the bytes needs.  The caller vouches for the range. */
#ifndef CSYSTEM_TEXT_H
#define CSYSTEM_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* The bytes from `start` to `end`, which are at most 8, as a number; the first byte is the lowest. */
uint64_t csystem_word(const uint8_t *_Nonnull bytes, size_t start, size_t end);

/* A hash of the bytes from `start` to `end`.  Not seeded. */
uint32_t csystem_hash(const uint8_t *_Nonnull bytes, size_t start, size_t end);

/* Whether `count` bytes are the same. */
int32_t csystem_equal_ranges(
    const uint8_t *_Nonnull left, size_t left_start, const uint8_t *_Nonnull right, size_t right_start, size_t count);

/* How many of them are `byte`. */
size_t csystem_count(const uint8_t *_Nonnull bytes, size_t count, uint8_t byte);

/* The first place from `start` on that is not an ASCII letter, a digit or one of "-._", or `end`. */
size_t csystem_plain_end(const uint8_t *_Nonnull bytes, size_t start, size_t end);

/* Bytes before the NUL. */
size_t csystem_length(const char *_Nonnull text);

#endif
