/* CSystemText.h - operations on short strings within arrays, a word at a time.
 *
 * Opening a router with tens of thousands of routes mainly hashes, compares and splits such strings.  Swift passes an array to a C
 * parameter without a closure, which access to its bytes in Swift needs.  The caller must pass valid ranges. */
#ifndef CSYSTEM_TEXT_H
#define CSYSTEM_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* The bytes from `start` to `end`, which are at most 8, as a number; the first byte is the lowest. */
uint64_t csystem_word(const uint8_t *_Nonnull bytes, size_t start, size_t end);

/* A hash of the bytes from `start` to `end`, which differs between processes. */
uint32_t csystem_hash(const uint8_t *_Nonnull bytes, size_t start, size_t end);

/* Whether `count` bytes are equal. */
int32_t csystem_equal_ranges(
    const uint8_t *_Nonnull left, size_t left_start, const uint8_t *_Nonnull right, size_t right_start, size_t count);

/* The index of a byte among `count` bytes, or `count`. */
size_t csystem_index(const uint8_t *_Nonnull bytes, size_t count, uint8_t byte);

/* One segment of a path template, as a range of the template's bytes. */
typedef struct csystem_segment { uint32_t start, end; int32_t is_parameter; } csystem_segment;

/* Splits a template whose segments are literals and whole parameters (":name", "{name}") of ASCII letters, digits and "-._".
 * Returns the number of segments, or -1 for any other template and for one with more than `capacity` segments. */
int32_t csystem_cut_template(
    const uint8_t *_Nonnull text, size_t count, csystem_segment *_Nonnull segments, size_t capacity,
    int32_t *_Nonnull ends_in_slash);

/* Writes numbers in decimal, separated by spaces, with a NUL after the last; `out` has space for 12 bytes for each number, and four
 * more. */
void csystem_write_numbers(const int32_t *_Nonnull numbers, size_t count, char *_Nonnull out);

/* The number of bytes before the NUL. */
size_t csystem_length(const char *_Nonnull text);

#endif
