/* CSystemFields.h - header fields in one block of memory, in the order of the response.
 *
 * Each field is its name, a NUL, its value, a NUL; their offsets are in a separate array.  A line is parsed and stored in one pass:
 * a response has a dozen lines, and its body is often shorter. */
#ifndef CSYSTEM_FIELDS_H
#define CSYSTEM_FIELDS_H

#include <stddef.h>
#include <stdint.h>

/* The offsets and lengths of a field in the bytes. */
typedef struct csystem_place { size_t name, name_count, value, value_count; } csystem_place;

/* If all members are 0, there are no fields and no space.  The caller owns the memory, and reallocates it if there is no space
 * left.  Only one thread at a time may use it while it is changed. */
typedef struct csystem_fields {
    uint8_t *_Nullable bytes;
    csystem_place *_Nullable places;
    size_t count, capacity, place_count, place_capacity;
} csystem_fields;

/* The space that a field needs in addition to its bytes. */
enum { CSYSTEM_FIELD_SLACK = 18 };

/* The kind of a line, or NO_ROOM if there was no space and nothing was changed. */
enum {
    CSYSTEM_FIELD_NO_ROOM = -1,
    CSYSTEM_FIELD_NONE = 0,
    CSYSTEM_FIELD_ANY = 1,
    CSYSTEM_FIELD_LOCATION = 2,
    CSYSTEM_FIELD_CONTENT_LENGTH = 3,
    CSYSTEM_FIELD_CONTENT_ENCODING = 4
};

/* Adds a line of a head, with its line break, if it is a field, and returns its kind.  Control bytes in its value, except tabs, are
 * replaced by spaces (RFC 9110 section 5.5). */
int32_t csystem_fields_take(csystem_fields *_Nonnull fields, const uint8_t *_Nullable line, size_t count);
/* Adds a field without changes; returns 0 if there is no space. */
int32_t csystem_fields_add(
    csystem_fields *_Nonnull fields, const uint8_t *_Nullable name, size_t name_count, const uint8_t *_Nullable value,
    size_t value_count);
/* Appends to the value of the last field, after a space if neither is empty; control bytes are replaced.  Does nothing if there is
 * no field; returns 0 if there is no space. */
int32_t csystem_fields_extend(csystem_fields *_Nonnull fields, const uint8_t *_Nullable text, size_t count);

#endif
