/* routable_typed_write.h - describes generated structs with tables of their members, and writes them as JSON.
 *
 * For generated code: programs must not call these functions.  They are inline, and no struct of this header is passed to the
 * library, so the layout of the structs is not part of the ABI.  A record is the generated struct of a JSON object, and an
 * option is one of the alternatives of a union.
 */
#ifndef ROUTABLE_TYPED_WRITE_H
#define ROUTABLE_TYPED_WRITE_H

#include "routable_typed_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Shapes of values
 */

/* A zeroed struct: all optional members are absent. */
#ifdef __cplusplus
#  define ROUTABLE_TYPED_ZERO {}
#else
#  define ROUTABLE_TYPED_ZERO { 0 }
#endif

typedef uint8_t routable_typed_kind;
enum {
    ROUTABLE_TYPED_NONE = 0,
    ROUTABLE_TYPED_STRING = 1, /* a routable_str, or a struct whose only member is a routable_str */
    ROUTABLE_TYPED_INTEGER = 2,
    ROUTABLE_TYPED_NUMBER = 3,
    ROUTABLE_TYPED_BOOLEAN = 4,
    ROUTABLE_TYPED_JSON = 5,
    ROUTABLE_TYPED_RECORD = 6, /* a pointer to the record */
    ROUTABLE_TYPED_UNION = 7,  /* a pointer to the union */
    ROUTABLE_TYPED_LIST = 8,   /* added to one of the kinds above; a list contains its records and unions, not pointers to them */
    ROUTABLE_TYPED_MAP = 24,   /* a list of entries, whose shape has two fields: the key and the value */
    ROUTABLE_TYPED_OPEN = 32,  /* an input: routable_open_input */
    ROUTABLE_TYPED_BYTES = 33  /* an input: routable_str */
};

/* The kinds of shapes. */
enum {
    ROUTABLE_TYPED_OBJECT = 0,
    ROUTABLE_TYPED_OPTIONS = 1, /* a union: a tag, then a field for each option; the tag is the number of the present field,
                                   counted from 1, or 0 if the union contains JSON */
    ROUTABLE_TYPED_VALUE = 2,   /* one value, described by the only field */
    ROUTABLE_TYPED_ENTRY = 3    /* an entry of a map */
};

typedef struct routable_typed_shape routable_typed_shape;
typedef const routable_typed_shape *(*routable_typed_shape_of)(void);

/* A member of a record, an option of a union, or a parameter of an operation. */
typedef struct routable_typed_field {
    uint32_t offset;
    uint16_t inner; /* position of the field's own shape in `inner` of the shape that contains the field, from 1; 0: none */
    routable_typed_kind kind;
    uint8_t flags; /* 1: a routable_maybe_...; for a member of a record, 128: required; for a parameter, also its
                      routable_location * 2 */
} routable_typed_field;

/* The string member that selects the option of a union (the discriminator). */
typedef struct routable_typed_tell {
    const char *member;
    const char *values; /* the values of the member, each followed by a NUL */
    const uint16_t *options;
    uint32_t count;
} routable_typed_tell;

/* The layout of a record, a union, a single value or an entry of a map. */
struct routable_typed_shape {
    const char *names; /* the names of the fields, each followed by a NUL */
    const routable_typed_field *fields;
    const routable_typed_shape_of *inner;
    const routable_typed_tell *tell;
    uint32_t size;
    uint32_t count;
    uint8_t form;
};

/* An operation: its parameters, and the kinds of its input and output. */
typedef struct routable_typed_operation {
    const char *name;
    const routable_typed_shape *parameters;
    routable_typed_shape_of input_shape;
    routable_typed_shape_of output_shape;
    uint32_t number; /* the number of the operation within its API */
    routable_typed_kind input;
    routable_typed_kind output;
} routable_typed_operation;

/* The layout of every list, and of every optional record or union. */
typedef struct routable_typed_any_list { size_t count; const void *items; } routable_typed_any_list;
typedef struct routable_typed_any_maybe { routable_presence is; const void *value; } routable_typed_any_maybe;

enum { ROUTABLE_TYPED_DEPTH = 512 };

/* Returns the shape that a field refers to; NULL if the field has none. */
static inline const routable_typed_shape *routable_typed_inner(const routable_typed_shape *shape, const routable_typed_field *field)
{
    return field->inner ? shape->inner[field->inner - 1]() : NULL;
}

/* Returns the offset of `value` in the struct routable_maybe_... for values of this kind. */
static inline size_t routable_typed_value_offset(routable_typed_kind kind)
{
    switch (kind) {
    case ROUTABLE_TYPED_STRING: return offsetof(routable_maybe_string, value);
    case ROUTABLE_TYPED_INTEGER: return offsetof(routable_maybe_integer, value);
    case ROUTABLE_TYPED_NUMBER: return offsetof(routable_maybe_number, value);
    case ROUTABLE_TYPED_BOOLEAN: return offsetof(routable_maybe_boolean, value);
    case ROUTABLE_TYPED_JSON: return offsetof(routable_maybe_json, value);
    case ROUTABLE_TYPED_RECORD:
    case ROUTABLE_TYPED_UNION: return offsetof(routable_typed_any_maybe, value);
    default: return offsetof(routable_maybe_string_list, value);
    }
}

/* Returns the size in bytes of one element of a list. */
static inline size_t routable_typed_item_size(routable_typed_kind kind, const routable_typed_shape *shape)
{
    switch (kind & 7) {
    case ROUTABLE_TYPED_STRING: return sizeof(routable_str);
    case ROUTABLE_TYPED_INTEGER: return sizeof(int64_t);
    case ROUTABLE_TYPED_NUMBER: return sizeof(double);
    case ROUTABLE_TYPED_BOOLEAN: return sizeof(bool);
    case ROUTABLE_TYPED_JSON: return sizeof(routable_json);
    default: return shape ? shape->size : 0;
    }
}

/* Returns a pointer to the member that starts `offset` bytes after `base`. */
static inline const char *routable_typed_at(const void *base, size_t offset)
{
    return (const char *)base + offset;
}

/* Returns the string at position `value` of `strings`, counted from 1; an empty string if `value` is not from 1 to `count`. */
static inline routable_str routable_typed_choice(const char *const *strings, int32_t count, int32_t value)
{
    routable_str none = { NULL, 0 };
    return value > 0 && value <= count ? routable_str_from(strings[value - 1]) : none;
}

/* Returns the position of `string` in `strings`, counted from 1, or 0 if `strings` does not contain it.  NULL ends `strings`. */
static inline int32_t routable_typed_chosen(const char *const *strings, routable_str string)
{
    for (int32_t index = 0; string.ptr && strings[index]; index++)
        if (strlen(strings[index]) == string.len && memcmp(strings[index], string.ptr, string.len) == 0)
            return index + 1;
    return 0;
}

/* ------------------------------------------------------------------------------------------------
 * Writes values as JSON
 */

/* The output.  A first pass counts the bytes of the output, and a second pass writes them. */
typedef struct routable_typed_writer {
    char *out; /* NULL: only count */
    size_t count;
} routable_typed_writer;

/* Appends bytes. */
static inline void routable_typed_put(routable_typed_writer *writer, const char *bytes, size_t count)
{
    if (writer->out && count)
        memcpy(writer->out + writer->count, bytes, count);
    writer->count += count;
}

/* Appends a string as JSON, with the escapes that the library writes. */
static inline void routable_typed_put_string(routable_typed_writer *writer, const char *text, size_t length)
{
    static const char digits[] = "0123456789ABCDEF";
    static const char escapes[] = "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu"; /* of the bytes below 0x20 */
    size_t start = 0;
    routable_typed_put(writer, "\"", 1);
    for (size_t index = 0; index < length; index++) {
        unsigned char byte = (unsigned char)text[index];
        char escape[6];
        if (byte >= 0x20 && byte != '"' && byte != '\\')
            continue;
        routable_typed_put(writer, text + start, index - start);
        start = index + 1;
        escape[0] = '\\';
        escape[1] = byte < 0x20 ? escapes[byte] : (char)byte;
        escape[2] = escape[3] = '0';
        escape[4] = digits[byte >> 4];
        escape[5] = digits[byte & 15];
        routable_typed_put(writer, escape, escape[1] == 'u' ? 6 : 2);
    }
    routable_typed_put(writer, text + start, length - start);
    routable_typed_put(writer, "\"", 1);
}

/* Writes the significant digits of a finite number to `digits`: as few as possible that read back as the same number, without
 * trailing zeros.  Returns their count, and writes the power of ten of the first digit to `exponent`. */
static inline int routable_typed_digits(double number, char digits[17], int *exponent)
{
    const double size = number < 0 ? -number : number;
    int wanted = size >= 2.2250738585072014e-308 ? 15 : 1; /* DBL_DIG; numbers below DBL_MIN may have fewer digits */
    int count = 0;
    char text[32];
    do
        snprintf(text, sizeof text, "%.*e", wanted - 1, size);
    while (strtod(text, NULL) != size && ++wanted <= 17);
    for (const char *next = text; *next && *next != 'e'; next++)
        if (*next >= '0' && *next <= '9' && count < 17) /* the decimal separator depends on the locale */
            digits[count++] = *next;
    *exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
    while (count > 1 && digits[count - 1] == '0')
        count--;
    return count;
}

/* Appends a number as the library writes it: 0.1, 1.0, 1e+20.  For a number that is not finite, appends NaN, which is not
 * JSON, so the library rejects the body. */
static inline void routable_typed_put_number(routable_typed_writer *writer, double number)
{
    char digits[17], text[32];
    int exponent;
    const double size = number < 0 ? -number : number;
    if (!(size <= 1.7976931348623157e308)) {
        routable_typed_put(writer, "NaN", 3);
        return;
    }
    const int count = routable_typed_digits(number, digits, &exponent);
    if (signbit(number))
        routable_typed_put(writer, "-", 1);
    if ((size != 0 && exponent < -4) || size > 9007199254740992.0) { /* 2 to the power of 53 */
        routable_typed_put(writer, digits, 1);
        if (count > 1) {
            routable_typed_put(writer, ".", 1);
            routable_typed_put(writer, digits + 1, (size_t)(count - 1));
        }
        routable_typed_put(writer, text, (size_t)snprintf(text, sizeof text, "e%+03d", exponent));
        return;
    }
    if (exponent < 0)
        routable_typed_put(writer, "0.0000", (size_t)(1 - exponent));
    for (int index = 0; index < count || index <= exponent; index++) {
        routable_typed_put(writer, index < count ? digits + index : "0", 1);
        if (index == exponent)
            routable_typed_put(writer, ".", 1);
    }
    if (count <= exponent + 1)
        routable_typed_put(writer, "0", 1);
}

static inline void routable_typed_put_value(
    routable_typed_writer *writer, routable_typed_kind kind, const routable_typed_shape *shape, const void *value, int depth);

/* Appends the value of a field, preceded by `name` unless `name` is NULL, and returns 1.  If the value is absent and `name` is
 * not NULL, appends nothing and returns 0.  If the value is absent and `name` is NULL, appends null. */
static inline int routable_typed_put_field(
    routable_typed_writer *writer, const routable_typed_shape *shape, const routable_typed_field *field, const void *record,
    const char *name, int is_first, int depth)
{
    const char *value = routable_typed_at(record, field->offset);
    routable_presence is = ROUTABLE_PRESENT;
    if (field->flags & 1) {
        memcpy(&is, value, sizeof is);
        value += routable_typed_value_offset(field->kind);
    } else if (
        field->kind == ROUTABLE_TYPED_STRING || (field->kind >= ROUTABLE_TYPED_JSON && field->kind <= ROUTABLE_TYPED_UNION)) {
        const void *pointer; /* these values start with a pointer, which is NULL if the value is absent; the library rejects
                                an object without a required member */
        memcpy(&pointer, value, sizeof pointer);
        is = pointer ? ROUTABLE_PRESENT : ROUTABLE_ABSENT;
    }
    if (name) {
        if (is == ROUTABLE_ABSENT)
            return 0;
        routable_typed_put(writer, ",", is_first ? 0 : 1);
        routable_typed_put_string(writer, name, strlen(name));
        routable_typed_put(writer, ":", 1);
    }
    if (is != ROUTABLE_PRESENT)
        routable_typed_put(writer, "null", 4);
    else
        routable_typed_put_value(writer, field->kind, routable_typed_inner(shape, field), value, depth + 1);
    return 1;
}

/* Appends the record, the union or the single value that `record` points to. */
static inline void routable_typed_put_record(
    routable_typed_writer *writer, const routable_typed_shape *shape, const void *record, int depth)
{
    const char *name;
    int is_first = 1;
    if (!record || !shape || depth > ROUTABLE_TYPED_DEPTH) { /* the library rejects invalid JSON */
        routable_typed_put(writer, record ? "(too deep)" : "null", record ? 10 : 4);
        return;
    }
    name = shape->names;
    if (shape->form == ROUTABLE_TYPED_VALUE) {
        (void)routable_typed_put_field(writer, shape, shape->fields, record, NULL, 1, depth);
        return;
    }
    if (shape->form == ROUTABLE_TYPED_OPTIONS) {
        uint32_t is;
        memcpy(&is, record, sizeof is);
        if (is - 1 < shape->count)
            (void)routable_typed_put_field(writer, shape, &shape->fields[is - 1], record, NULL, 1, depth);
        else
            routable_typed_put_value(writer, ROUTABLE_TYPED_JSON, NULL, routable_typed_at(record, shape->fields->offset), depth);
        return;
    }
    routable_typed_put(writer, "{", 1);
    for (uint32_t index = 0; index < shape->count; index++) {
        if (routable_typed_put_field(writer, shape, &shape->fields[index], record, name, is_first, depth))
            is_first = 0;
        name += strlen(name) + 1;
    }
    routable_typed_put(writer, "}", 1);
}

/* Appends a list or a map. */
static inline void routable_typed_put_list(
    routable_typed_writer *writer, routable_typed_kind kind, const routable_typed_shape *shape, const void *value, int depth)
{
    int is_map = (kind & ROUTABLE_TYPED_MAP) == ROUTABLE_TYPED_MAP;
    size_t size = routable_typed_item_size(kind, shape);
    routable_typed_any_list list;
    memcpy(&list, value, sizeof list);
    routable_typed_put(writer, is_map ? "{" : "[", 1);
    for (size_t index = 0; index < list.count; index++) {
        const char *item = routable_typed_at(list.items, index * size);
        routable_typed_put(writer, ",", index > 0);
        if (is_map) {
            routable_typed_put_value(writer, ROUTABLE_TYPED_STRING, NULL, item, depth + 1);
            routable_typed_put(writer, ":", 1);
            (void)routable_typed_put_field(writer, shape, &shape->fields[1], item, NULL, 1, depth);
        } else if ((kind & 7) >= ROUTABLE_TYPED_RECORD) {
            routable_typed_put_record(writer, shape, item, depth + 1);
        } else {
            routable_typed_put_value(writer, kind & 7, shape, item, depth + 1);
        }
    }
    routable_typed_put(writer, is_map ? "}" : "]", 1);
}

/* Appends one value of the kind `kind`. */
static inline void routable_typed_put_value(
    routable_typed_writer *writer, routable_typed_kind kind, const routable_typed_shape *shape, const void *value, int depth)
{
    if (kind & ROUTABLE_TYPED_LIST) {
        routable_typed_put_list(writer, kind, shape, value, depth);
        return;
    }
    switch (kind) {
    case ROUTABLE_TYPED_STRING:
    case ROUTABLE_TYPED_JSON: {
        routable_str text;
        memcpy(&text, value, sizeof text);
        if (kind == ROUTABLE_TYPED_STRING)
            routable_typed_put_string(writer, text.ptr, text.ptr ? text.len : 0);
        else
            routable_typed_put(writer, text.ptr ? text.ptr : "null", text.ptr ? text.len : 4);
        break;
    }
    case ROUTABLE_TYPED_INTEGER: {
        int64_t integer;
        char text[24];
        memcpy(&integer, value, sizeof integer);
        routable_typed_put(writer, text, (size_t)snprintf(text, sizeof text, "%lld", (long long)integer));
        break;
    }
    case ROUTABLE_TYPED_NUMBER: {
        double number;
        memcpy(&number, value, sizeof number);
        routable_typed_put_number(writer, number);
        break;
    }
    case ROUTABLE_TYPED_BOOLEAN: {
        bool truth;
        memcpy(&truth, value, sizeof truth);
        routable_typed_put(writer, truth ? "true" : "false", truth ? 4 : 5);
        break;
    }
    default: {
        const void *record;
        memcpy(&record, value, sizeof record);
        routable_typed_put_record(writer, shape, record, depth);
        break;
    }
    }
}

#ifdef __cplusplus
}
#endif
#endif
