/* fields.c - implements CSystemFields.h. */
#include "CSystemFields.h"

#include <string.h>

/* A field and its two NULs are followed by 16 bytes, because values are stored in whole vectors. */
static inline int has_room(const csystem_fields *fields, size_t count)
{
    const size_t left = fields->capacity - fields->count;
    return left >= CSYSTEM_FIELD_SLACK && count <= left - CSYSTEM_FIELD_SLACK && fields->place_count < fields->place_capacity;
}

/* --- Sixteen bytes at a time: vector types of the compiler, for any processor --- */

typedef uint8_t sixteen __attribute__((vector_size(16)));
typedef uint64_t halves __attribute__((vector_size(16)));

static inline uint64_t word(const uint8_t *bytes)
{
    uint64_t result;
    memcpy(&result, bytes, 8);
    return result;
}

/* The index, in memory order, of the first byte of a word that is not 0. */
static inline size_t first(uint64_t marks)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (size_t)__builtin_ctzll(marks) >> 3;
#else
    return (size_t)__builtin_clzll(marks) >> 3;
#endif
}

/* Moves the bytes of a word after its first `count` bytes, in memory order, to its start; `count` is less than 8. */
static inline uint64_t behind(uint64_t bytes, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return bytes >> count * 8;
#else
    return bytes << count * 8;
#endif
}

/* 0xFF for each byte that is not a letter, a digit, '-' or '.': most names have no other bytes. */
static inline sixteen unusual(sixteen bytes)
{
    const sixteen letter = (bytes | 0x20) - 'a', other = bytes - '-';
    return (sixteen)((letter >= 26) & ((other >= 13) | (bytes == '/')));
}

/* 0xFF for each control byte except tabs. */
static inline sixteen controls(sixteen bytes)
{
    return (sixteen)(((bytes < ' ') & (bytes != '\t')) | (bytes == 0x7F));
}

static inline int is_any(sixteen marks)
{
    const halves both = (halves)marks;
    return (both[0] | both[1]) != 0;
}

/* --- Reading a line --- */

static const uint8_t is_token[256] = {
    ['!'] = 1, ['#'] = 1, ['$'] = 1, ['%'] = 1, ['&'] = 1, ['\''] = 1, ['*'] = 1, ['+'] = 1, ['-'] = 1, ['.'] = 1,
    ['0' ... '9'] = 1, ['A' ... 'Z'] = 1, ['^'] = 1, ['_'] = 1, ['`'] = 1, ['a' ... 'z'] = 1, ['|'] = 1, ['~'] = 1,
};

/* Copies the token (RFC 9110 section 5.6.2) at the start of the text, and up to 16 bytes more; returns the length of the token. */
static inline size_t copy_token(uint8_t *to, const uint8_t *text, size_t count)
{
    size_t length = 0;
    sixteen bytes;
    while (count - length >= 16) {
        halves marks;
        memcpy(&bytes, text + length, 16);
        memcpy(to + length, &bytes, 16);
        marks = (halves)unusual(bytes);
        if (marks[0]) {
            length += first(marks[0]);
            break;
        }
        if (marks[1]) {
            length += 8 + first(marks[1]);
            break;
        }
        length += 16;
    }
    for (; length < count && is_token[text[length]]; length++)
        to[length] = text[length];
    return length;
}

static void clean(uint8_t *text, size_t count)
{
    for (; count > 0; count--, text++)
        if ((*text < ' ' && *text != '\t') || *text == 0x7F)
            *text = ' ';
}

/* Copies a value, and replaces its control bytes by spaces.  It is preceded by `before` bytes of its line, none of which is a
 * control byte other than a tab. */
static inline void copy_value(uint8_t *to, const uint8_t *text, size_t count, size_t before)
{
    sixteen found = { 0 }, bytes;
    size_t i;
    if (count >= 16) {
        for (i = 0; i + 16 < count; i += 16) {
            memcpy(&bytes, text + i, 16);
            memcpy(to + i, &bytes, 16);
            found |= controls(bytes);
        }
        memcpy(&bytes, text + count - 16, 16);
        memcpy(to + count - 16, &bytes, 16);
        found |= controls(bytes);
    } else if (count >= 8) {
        const halves ends = { word(text), word(text + count - 8) };
        memcpy(to, text, 8);
        memcpy(to + count - 8, text + count - 8, 8);
        found = controls((sixteen)ends);
    } else if (count > 0 && count + before >= 8) {
        const uint64_t last = word(text + count - 8), value = behind(last, 8 - count);
        const halves ends = { last, last };
        memcpy(to, &value, 8);
        found = controls((sixteen)ends);
    } else {
        for (i = 0; i < count; i++)
            to[i] = text[i];
        clean(to, count);
    }
    if (is_any(found))
        clean(to, count);
}

/* Compares letters without case: no other byte of a token is changed to a letter by this bit. */
static inline int is_named(const uint8_t *name, const char *lower)
{
    return (word(name) | UINT64_C(0x2020202020202020)) == word((const uint8_t *)lower);
}

static inline int32_t kind(const uint8_t *name, size_t count)
{
    if (count == 8 && is_named(name, "location"))
        return CSYSTEM_FIELD_LOCATION;
    if (count == 14 && is_named(name, "content-") && is_named(name + 6, "t-length"))
        return CSYSTEM_FIELD_CONTENT_LENGTH;
    if (count == 16 && is_named(name, "content-") && is_named(name + 8, "encoding"))
        return CSYSTEM_FIELD_CONTENT_ENCODING;
    return CSYSTEM_FIELD_ANY;
}

/* Adds a field: its bytes have been written at the end. */
static inline void commit(csystem_fields *fields, size_t name_count, size_t value_count)
{
    uint8_t *const name = fields->bytes + fields->count;
    csystem_place *const place = fields->places + fields->place_count++;
    place->name = fields->count;
    place->name_count = name_count;
    place->value = fields->count + name_count + 1;
    place->value_count = value_count;
    name[name_count] = 0;
    name[name_count + 1 + value_count] = 0;
    fields->count += name_count + value_count + 2;
}

int32_t csystem_fields_take(csystem_fields *fields, const uint8_t *line, size_t count)
{
    uint8_t *name;
    size_t length, start;
    while (count > 0 && (line[count - 1] == '\n' || line[count - 1] == '\r'))
        count--;
    if (count == 0)
        return CSYSTEM_FIELD_NONE;
    if (!has_room(fields, count))
        return CSYSTEM_FIELD_NO_ROOM;
    name = fields->bytes + fields->count;
    length = copy_token(name, line, count);
    if (length == 0 || length == count || line[length] != ':')
        return CSYSTEM_FIELD_NONE;
    start = length + 1;
    while (start < count && (line[start] == ' ' || line[start] == '\t'))
        start++;
    while (start < count && (line[count - 1] == ' ' || line[count - 1] == '\t'))
        count--;
    copy_value(name + length + 1, line + start, count - start, start);
    commit(fields, length, count - start);
    return kind(line, length);
}

/* --- Other functions --- */

int32_t csystem_fields_add(
    csystem_fields *fields, const uint8_t *name, size_t name_count, const uint8_t *value, size_t value_count)
{
    uint8_t *place;
    if (!has_room(fields, name_count + value_count)) /* both are lengths of strings in memory, so that the sum cannot overflow */
        return 0;
    place = fields->bytes + fields->count;
    if (name_count)
        memcpy(place, name, name_count);
    if (value_count)
        memcpy(place + name_count + 1, value, value_count);
    commit(fields, name_count, value_count);
    return 1;
}

int32_t csystem_fields_extend(csystem_fields *fields, const uint8_t *text, size_t count)
{
    csystem_place *last;
    size_t space;
    uint8_t *end;
    if (fields->place_count == 0)
        return 1;
    if (!has_room(fields, count))
        return 0;
    last = fields->places + fields->place_count - 1;
    space = last->value_count > 0 && count > 0;
    end = fields->bytes + last->value + last->value_count;
    if (space)
        *end = ' ';
    if (count)
        memcpy(end + space, text, count);
    clean(end + space, count);
    end[space + count] = 0;
    last->value_count += space + count;
    fields->count += space + count;
    return 1;
}
