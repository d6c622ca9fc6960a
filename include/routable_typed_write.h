/* routable_typed_write.h - describes generated structs with tables of their members, and writes them as JSON.
 *
 * For generated code: programs do not call these functions.  They are inline, and no struct of this header is passed to the
 * library, so that its layout is no part of the binary interface.
 */
#ifndef ROUTABLE_TYPED_WRITE_H
#define ROUTABLE_TYPED_WRITE_H

#include "routable_typed_values.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Shapes of values
 */

typedef uint8_t routable_typed_kind;
enum {
    ROUTABLE_TYPED_NONE = 0,
    ROUTABLE_TYPED_STRING = 1,
    ROUTABLE_TYPED_INTEGER = 2,
    ROUTABLE_TYPED_NUMBER = 3,
    ROUTABLE_TYPED_BOOLEAN = 4,
    ROUTABLE_TYPED_JSON = 5,
    ROUTABLE_TYPED_RECORD = 6, /* a pointer to the record */
    ROUTABLE_TYPED_LIST = 8,   /* added to one of the kinds above; lists contain records, not pointers */
    ROUTABLE_TYPED_OPEN = 16,  /* an input: routable_open_input */
    ROUTABLE_TYPED_BYTES = 17  /* an input: routable_str */
};

typedef struct routable_typed_shape routable_typed_shape;

/* A member of a record, or a parameter of an operation. */
typedef struct routable_typed_field {
    const char *name;
    uint32_t length; /* of the name */
    uint32_t offset;
    routable_typed_kind kind;
    uint8_t maybe; /* 1: a routable_maybe_... */
    uint8_t place; /* of a parameter: a routable_location */
    const routable_typed_shape *(*shape)(void); /* of records */
} routable_typed_field;

/* A record: its size and its members. */
struct routable_typed_shape {
    size_t size;
    const routable_typed_field *fields;
    size_t count;
};

/* An operation: its parameters, and the kinds of its input and output. */
typedef struct routable_typed_operation {
    const char *name;
    const routable_typed_field *parameters;
    size_t parameter_count;
    routable_typed_kind input;
    routable_typed_kind output;
    const routable_typed_shape *(*input_shape)(void);
    const routable_typed_shape *(*output_shape)(void);
} routable_typed_operation;

/* The layout of every list, and of every optional record. */
typedef struct routable_typed_any_list { size_t count; const void *items; } routable_typed_any_list;
typedef struct routable_typed_any_maybe { routable_presence is; const void *value; } routable_typed_any_maybe;

enum { ROUTABLE_TYPED_DEPTH = 512 }; /* maximum nesting of JSON */

/* The offset of the value in a routable_maybe_... */
static inline size_t routable_typed_value_offset(routable_typed_kind kind)
{
    switch (kind) {
    case ROUTABLE_TYPED_STRING: return offsetof(routable_maybe_string, value);
    case ROUTABLE_TYPED_INTEGER: return offsetof(routable_maybe_integer, value);
    case ROUTABLE_TYPED_NUMBER: return offsetof(routable_maybe_number, value);
    case ROUTABLE_TYPED_BOOLEAN: return offsetof(routable_maybe_boolean, value);
    case ROUTABLE_TYPED_JSON: return offsetof(routable_maybe_json, value);
    case ROUTABLE_TYPED_RECORD: return offsetof(routable_typed_any_maybe, value);
    default: return offsetof(routable_maybe_string_list, value);
    }
}

/* The size of one element of a list. */
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

/* The member at an offset. */
static inline const char *routable_typed_at(const void *base, size_t offset)
{
    return (const char *)base + offset;
}

/* ------------------------------------------------------------------------------------------------
 * Writing values as JSON
 */

/* Output: first counted, then written. */
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

/* Appends a string as JSON. */
static inline void routable_typed_put_string(routable_typed_writer *writer, const char *text, size_t length)
{
    static const char digits[] = "0123456789abcdef";
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
        escape[1] = byte < 0x20 ? 'u' : (char)byte;
        escape[2] = escape[3] = '0';
        escape[4] = digits[byte >> 4];
        escape[5] = digits[byte & 15];
        routable_typed_put(writer, escape, byte < 0x20 ? 6 : 2);
    }
    routable_typed_put(writer, text + start, length - start);
    routable_typed_put(writer, "\"", 1);
}

/* The output of printf, with a point as decimal separator in every locale. */
static inline void routable_typed_put_number(routable_typed_writer *writer, double number)
{
    char text[64];
    int length = snprintf(text, sizeof text, "%.17g", number);
    int has_point = 0;
    for (int index = 0; index < length; index++) {
        char each = text[index];
        int is_plain = (each >= '0' && each <= '9') || each == '-' || each == '+' || (each >= 'a' && each <= 'z');
        if (is_plain)
            routable_typed_put(writer, &each, 1);
        else if (!has_point++)
            routable_typed_put(writer, ".", 1);
    }
}

static inline void routable_typed_put_value(
    routable_typed_writer *writer, routable_typed_kind kind, const routable_typed_shape *shape, const void *value, int depth);

/* Appends a record as a JSON object. */
static inline void routable_typed_put_record(
    routable_typed_writer *writer, const routable_typed_shape *shape, const void *record, int depth)
{
    int is_first = 1;
    if (!record || depth > ROUTABLE_TYPED_DEPTH) { /* the library rejects invalid JSON */
        routable_typed_put(writer, record ? "(too deep)" : "null", record ? 10 : 4);
        return;
    }
    routable_typed_put(writer, "{", 1);
    for (size_t index = 0; index < shape->count; index++) {
        const routable_typed_field *field = &shape->fields[index];
        const char *value = routable_typed_at(record, field->offset);
        routable_presence is = ROUTABLE_PRESENT;
        if (field->maybe) {
            memcpy(&is, value, sizeof is);
            value += routable_typed_value_offset(field->kind);
        } else if (
            field->kind == ROUTABLE_TYPED_STRING || field->kind == ROUTABLE_TYPED_JSON || field->kind == ROUTABLE_TYPED_RECORD) {
            const void *pointer; /* the first member of each; the library rejects a value without a required one */
            memcpy(&pointer, value, sizeof pointer);
            is = pointer ? ROUTABLE_PRESENT : ROUTABLE_ABSENT;
        }
        if (is == ROUTABLE_ABSENT)
            continue;
        routable_typed_put(writer, ",", is_first ? 0 : 1);
        is_first = 0;
        routable_typed_put_string(writer, field->name, field->length);
        routable_typed_put(writer, ":", 1);
        if (is == ROUTABLE_IS_NULL)
            routable_typed_put(writer, "null", 4);
        else
            routable_typed_put_value(writer, field->kind, field->shape ? field->shape() : NULL, value, depth + 1);
    }
    routable_typed_put(writer, "}", 1);
}

/* Appends a value of any kind as JSON. */
static inline void routable_typed_put_value(
    routable_typed_writer *writer, routable_typed_kind kind, const routable_typed_shape *shape, const void *value, int depth)
{
    if (kind & ROUTABLE_TYPED_LIST) {
        routable_typed_any_list list;
        size_t size = routable_typed_item_size(kind, shape);
        memcpy(&list, value, sizeof list);
        routable_typed_put(writer, "[", 1);
        for (size_t index = 0; index < list.count; index++) {
            const char *item = routable_typed_at(list.items, index * size);
            routable_typed_put(writer, ",", index > 0);
            if ((kind & 7) == ROUTABLE_TYPED_RECORD)
                routable_typed_put_record(writer, shape, item, depth + 1);
            else
                routable_typed_put_value(writer, kind & 7, shape, item, depth + 1);
        }
        routable_typed_put(writer, "]", 1);
        return;
    }
    switch (kind) {
    case ROUTABLE_TYPED_STRING: {
        routable_str text;
        memcpy(&text, value, sizeof text);
        routable_typed_put_string(writer, text.ptr ? text.ptr : "", text.ptr ? text.len : 0);
        break;
    }
    case ROUTABLE_TYPED_JSON: {
        routable_json json;
        memcpy(&json, value, sizeof json);
        routable_typed_put(writer, json.text.ptr ? json.text.ptr : "null", json.text.ptr ? json.text.len : 4);
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
