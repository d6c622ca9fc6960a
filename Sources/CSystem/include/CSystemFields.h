/* CSystemFields.h - header fields in one piece of memory, as they come off the wire.
 *
 * Each is its name, a NUL, its value, a NUL; what they are is noted beside it.  A line is read and kept in one go: a
 * response has a dozen of them, and its body often fewer bytes. */
#ifndef CSYSTEM_FIELDS_H
#define CSYSTEM_FIELDS_H

#include <stddef.h>
#include <stdint.h>

/* Where a field stands among the bytes. */
typedef struct csystem_place { size_t name, name_count, value, value_count; } csystem_place;

/* All zero: no fields, and no room for any.  The memory is the caller's, who moves it to a larger place when there is no
 * room left.  One thread at a time while it is changed. */
typedef struct csystem_fields {
    uint8_t *_Nullable bytes;
    csystem_place *_Nullable places;
    size_t count, capacity, place_count, place_capacity;
} csystem_fields;

/* Room that a field wants beside its own bytes. */
enum { CSYSTEM_FIELD_SLACK = 18 };

/* What a line is, or that nothing was done for want of room. */
enum {
    CSYSTEM_FIELD_NO_ROOM = -1,
    CSYSTEM_FIELD_NONE = 0,
    CSYSTEM_FIELD_ANY = 1,
    CSYSTEM_FIELD_LOCATION = 2,
    CSYSTEM_FIELD_CONTENT_LENGTH = 3,
    CSYSTEM_FIELD_CONTENT_ENCODING = 4
};

/* Adds a line of a head, with its end, if it is a field, and says which.  Control bytes of its value but tabs become spaces
 * (RFC 9110 section 5.5). */
int32_t csystem_fields_take(csystem_fields *_Nonnull fields, const uint8_t *_Nullable line, size_t count);
/* Adds a field as it is; 0 for want of room. */
int32_t csystem_fields_add(
    csystem_fields *_Nonnull fields, const uint8_t *_Nullable name, size_t name_count, const uint8_t *_Nullable value,
    size_t value_count);
/* More of the value of the last field, after a space when there are both; control bytes as before.  Nothing without a field;
 * 0 for want of room. */
int32_t csystem_fields_extend(csystem_fields *_Nonnull fields, const uint8_t *_Nullable text, size_t count);

#endif
