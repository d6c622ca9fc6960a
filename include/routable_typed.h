/* routable_typed.h - the base of the headers that `routable generate c` writes (docs/generate.md).
 *
 * A program includes its generated header, which includes this one.  Programs use the types for optional values and lists, and
 * the functions that make them.  Names that start with `routable_typed_` are for generated code.  All functions are inline
 * and use only routable.h, so functions that a program does not call add nothing to it.
 */
#ifndef ROUTABLE_TYPED_H
#define ROUTABLE_TYPED_H

#include "routable.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Values that may be absent or null.  A struct of zero bytes is absent.
 */

typedef ROUTABLE_ENUM(routable_presence) { ROUTABLE_ABSENT = 0, ROUTABLE_PRESENT = 1, ROUTABLE_IS_NULL = 2 } routable_presence;

/* A JSON value as a string of JSON. */
typedef struct routable_json { routable_str text; } routable_json;

typedef struct routable_maybe_string { routable_presence is; routable_str value; } routable_maybe_string;
typedef struct routable_maybe_integer { routable_presence is; int64_t value; } routable_maybe_integer;
typedef struct routable_maybe_number { routable_presence is; double value; } routable_maybe_number;
typedef struct routable_maybe_boolean { routable_presence is; bool value; } routable_maybe_boolean;
typedef struct routable_maybe_json { routable_presence is; routable_json value; } routable_maybe_json;

typedef struct routable_string_list { size_t count; const routable_str *items; } routable_string_list;
typedef struct routable_integer_list { size_t count; const int64_t *items; } routable_integer_list;
typedef struct routable_number_list { size_t count; const double *items; } routable_number_list;
typedef struct routable_boolean_list { size_t count; const bool *items; } routable_boolean_list;
typedef struct routable_json_list { size_t count; const routable_json *items; } routable_json_list;

typedef struct routable_maybe_string_list { routable_presence is; routable_string_list value; } routable_maybe_string_list;
typedef struct routable_maybe_integer_list { routable_presence is; routable_integer_list value; } routable_maybe_integer_list;
typedef struct routable_maybe_number_list { routable_presence is; routable_number_list value; } routable_maybe_number_list;
typedef struct routable_maybe_boolean_list { routable_presence is; routable_boolean_list value; } routable_maybe_boolean_list;
typedef struct routable_maybe_json_list { routable_presence is; routable_json_list value; } routable_maybe_json_list;

static inline routable_json routable_json_from(const char *json)
{
    routable_json result;
    result.text = routable_str_from(json);
    return result;
}

static inline routable_maybe_string routable_some_string(const char *text)
{
    routable_maybe_string result;
    result.is = ROUTABLE_PRESENT;
    result.value = routable_str_from(text);
    return result;
}

static inline routable_maybe_integer routable_some_integer(int64_t value)
{
    routable_maybe_integer result;
    result.is = ROUTABLE_PRESENT;
    result.value = value;
    return result;
}

static inline routable_maybe_number routable_some_number(double value)
{
    routable_maybe_number result;
    result.is = ROUTABLE_PRESENT;
    result.value = value;
    return result;
}

static inline routable_maybe_boolean routable_some_boolean(bool value)
{
    routable_maybe_boolean result;
    result.is = ROUTABLE_PRESENT;
    result.value = value;
    return result;
}

static inline routable_maybe_json routable_some_json(const char *json)
{
    routable_maybe_json result;
    result.is = ROUTABLE_PRESENT;
    result.value = routable_json_from(json);
    return result;
}

static inline routable_maybe_string routable_null_string(void)
{
    routable_maybe_string result = routable_some_string("");
    result.is = ROUTABLE_IS_NULL;
    return result;
}

static inline routable_maybe_integer routable_null_integer(void)
{
    routable_maybe_integer result = routable_some_integer(0);
    result.is = ROUTABLE_IS_NULL;
    return result;
}

static inline routable_maybe_number routable_null_number(void)
{
    routable_maybe_number result = routable_some_number(0);
    result.is = ROUTABLE_IS_NULL;
    return result;
}

static inline routable_maybe_boolean routable_null_boolean(void)
{
    routable_maybe_boolean result = routable_some_boolean(false);
    result.is = ROUTABLE_IS_NULL;
    return result;
}

/* ------------------------------------------------------------------------------------------------
 * Input and output of operations without declared types
 */

/* Free parameters, a body, or both.  The encoding of the operation determines where the parameters are written. */
typedef struct routable_open_input {
    const routable_argument *parameters; /* not NULL with a count of 0: an empty form */
    size_t parameter_count;
    routable_value body;
    const char *content_type; /* NULL: the operation's */
} routable_open_input;
#define ROUTABLE_OPEN_INPUT_INIT { NULL, 0, ROUTABLE_VALUE_INIT, NULL }

static inline routable_open_input routable_form_input(const routable_argument *parameters, size_t count)
{
    routable_open_input result;
    memset(&result, 0, sizeof result);
    result.parameters = parameters;
    result.parameter_count = count;
    return result;
}

static inline routable_open_input routable_body_input(routable_value body, const char *content_type)
{
    routable_open_input result;
    memset(&result, 0, sizeof result);
    result.body = body;
    result.content_type = content_type;
    return result;
}

/* ------------------------------------------------------------------------------------------------
 * For generated code: shapes of values
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

typedef struct routable_typed_field {
    const char *name;
    uint32_t length; /* of the name */
    uint32_t offset;
    routable_typed_kind kind;
    uint8_t maybe; /* 1: a routable_maybe_... */
    uint8_t place; /* of a parameter: a routable_location */
    const routable_typed_shape *(*shape)(void); /* of records */
} routable_typed_field;

struct routable_typed_shape {
    size_t size;
    const routable_typed_field *fields;
    size_t count;
};

typedef struct routable_typed_operation {
    const char *name;
    const routable_typed_field *parameters;
    size_t parameter_count;
    routable_typed_kind input;
    routable_typed_kind output;
    const routable_typed_shape *(*input_shape)(void);
    const routable_typed_shape *(*output_shape)(void);
} routable_typed_operation;

typedef struct routable_typed_any_list { size_t count; const void *items; } routable_typed_any_list;
typedef struct routable_typed_any_maybe { routable_presence is; const void *value; } routable_typed_any_maybe;

enum { ROUTABLE_TYPED_DEPTH = 512 };

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

static inline const char *routable_typed_at(const void *base, size_t offset)
{
    return (const char *)base + offset;
}

/* ------------------------------------------------------------------------------------------------
 * For generated code: writing values as JSON
 */

typedef struct routable_typed_writer {
    char *out; /* NULL: only count */
    size_t count;
} routable_typed_writer;

static inline void routable_typed_put(routable_typed_writer *writer, const char *bytes, size_t count)
{
    if (writer->out && count)
        memcpy(writer->out + writer->count, bytes, count);
    writer->count += count;
}

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

/* ------------------------------------------------------------------------------------------------
 * For generated code: reading values from JSON into one block of memory
 *
 * JSON is read twice: first to measure the memory of its values, then to fill it.
 */

typedef struct routable_typed_reader {
    const char *at;
    const char *end;
    char *memory; /* NULL: only count */
    size_t used;
    int depth;
} routable_typed_reader;

static inline void *routable_typed_take(routable_typed_reader *reader, size_t size)
{
    size_t start = (reader->used + 7) & ~(size_t)7;
    reader->used = start + size;
    return reader->memory ? reader->memory + start : NULL;
}

static inline char routable_typed_peek(routable_typed_reader *reader)
{
    while (reader->at < reader->end &&
           (*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\r' || *reader->at == '\t'))
        reader->at++;
    return reader->at < reader->end ? *reader->at : '\0';
}

static inline int routable_typed_accept(routable_typed_reader *reader, char wanted)
{
    if (routable_typed_peek(reader) != wanted || reader->at >= reader->end)
        return 0;
    reader->at++;
    return 1;
}

/* The content of a string, still escaped. */
static inline int routable_typed_raw_string(routable_typed_reader *reader, const char **start, size_t *length)
{
    if (!routable_typed_accept(reader, '"'))
        return 0;
    *start = reader->at;
    while (reader->at < reader->end && *reader->at != '"')
        reader->at += *reader->at == '\\' && reader->end - reader->at > 1 ? 2 : 1;
    if (reader->at >= reader->end)
        return 0;
    *length = (size_t)(reader->at++ - *start);
    return 1;
}

/* Skips one value of any kind. */
static inline int routable_typed_skip(routable_typed_reader *reader)
{
    size_t open = 0;
    do {
        const char *start;
        size_t length;
        char next = routable_typed_peek(reader);
        if (next == '"') {
            if (!routable_typed_raw_string(reader, &start, &length))
                return 0;
        } else if (next == '{' || next == '[') {
            open++;
            reader->at++;
        } else if (next == '}' || next == ']') {
            if (open == 0)
                return 0;
            open--;
            reader->at++;
        } else if (next == ',' || next == ':') {
            if (open == 0)
                return 0;
            reader->at++;
        } else {
            start = reader->at;
            while (reader->at < reader->end &&
                   ((*reader->at >= '0' && *reader->at <= '9') || (*reader->at >= 'a' && *reader->at <= 'z') ||
                    *reader->at == '-' || *reader->at == '+' || *reader->at == '.' || *reader->at == 'E'))
                reader->at++;
            if (reader->at == start)
                return 0;
        }
    } while (open > 0);
    return 1;
}

static inline unsigned routable_typed_hex(const char *digits)
{
    unsigned result = 0;
    for (int index = 0; index < 4; index++) {
        char digit = digits[index];
        result = result << 4 | (unsigned)(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
    }
    return result & 0xFFFF;
}

/* Decodes the content of a string, which does not become longer; returns the number of bytes. */
static inline size_t routable_typed_decode(const char *raw, size_t length, char *out)
{
    size_t count = 0;
    size_t index = 0;
    while (index < length) {
        char byte = raw[index++];
        unsigned code;
        if (byte != '\\' || index >= length) {
            out[count++] = byte;
            continue;
        }
        byte = raw[index++];
        switch (byte) {
        case 'b': out[count++] = '\b'; continue;
        case 'f': out[count++] = '\f'; continue;
        case 'n': out[count++] = '\n'; continue;
        case 'r': out[count++] = '\r'; continue;
        case 't': out[count++] = '\t'; continue;
        case 'u': break;
        default: out[count++] = byte; continue;
        }
        if (length - index < 4)
            return count;
        code = routable_typed_hex(raw + index);
        index += 4;
        if (code >= 0xD800 && code < 0xDC00 && length - index >= 6 && raw[index] == '\\' && raw[index + 1] == 'u') {
            unsigned low = routable_typed_hex(raw + index + 2);
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                index += 6;
            }
        }
        if (code >= 0xD800 && code < 0xE000)
            code = 0xFFFD;
        if (code < 0x80) {
            out[count++] = (char)code;
        } else if (code < 0x800) {
            out[count++] = (char)(0xC0 | code >> 6);
            out[count++] = (char)(0x80 | (code & 0x3F));
        } else if (code < 0x10000) {
            out[count++] = (char)(0xE0 | code >> 12);
            out[count++] = (char)(0x80 | (code >> 6 & 0x3F));
            out[count++] = (char)(0x80 | (code & 0x3F));
        } else {
            out[count++] = (char)(0xF0 | code >> 18);
            out[count++] = (char)(0x80 | (code >> 12 & 0x3F));
            out[count++] = (char)(0x80 | (code >> 6 & 0x3F));
            out[count++] = (char)(0x80 | (code & 0x3F));
        }
    }
    return count;
}

static inline int routable_typed_number(const char *start, size_t length, double *out)
{
    char point[8];
    char stack[64];
    char *text = length + sizeof point < sizeof stack ? stack : (char *)malloc(length + sizeof point);
    size_t count = 0;
    if (!text)
        return 0;
    (void)snprintf(point, sizeof point, "%.1f", 0.5); /* "0.5", or with the decimal separator of the locale */
    for (size_t index = 0; index < length; index++) {
        if (start[index] != '.')
            text[count++] = start[index];
        else
            for (size_t each = 1; point[each] && point[each] != '5'; each++)
                text[count++] = point[each];
    }
    text[count] = '\0';
    *out = strtod(text, NULL);
    if (text != stack)
        free(text);
    return 1;
}

static inline int routable_typed_integer(const char *start, size_t length, int64_t *out)
{
    size_t index = length > 0 && start[0] == '-';
    uint64_t limit = index ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    uint64_t value = 0;
    double number;
    for (; index < length && start[index] >= '0' && start[index] <= '9'; index++) {
        uint64_t digit = (uint64_t)(start[index] - '0');
        if (value > (limit - digit) / 10)
            return 0;
        value = value * 10 + digit;
    }
    if (index == length) {
        *out = start[0] == '-' ? (int64_t)(0 - value) : (int64_t)value;
        return length > 0;
    }
    /* 1.0 and 1e2 are integers too. */
    if (!routable_typed_number(start, length, &number) || number < -9007199254740992.0 || number > 9007199254740992.0)
        return 0;
    *out = (int64_t)number;
    return (double)*out == number;
}

static inline int routable_typed_get_value(
    routable_typed_reader *reader, routable_typed_kind kind, const routable_typed_shape *shape, void *target);

static inline int routable_typed_is_null(routable_typed_reader *reader)
{
    if (routable_typed_peek(reader) != 'n')
        return 0;
    return routable_typed_skip(reader);
}

static inline int routable_typed_get_field(routable_typed_reader *reader, const routable_typed_field *field, char *record)
{
    char *target = record ? record + field->offset : NULL;
    routable_presence is = ROUTABLE_PRESENT;
    const routable_typed_shape *shape = field->shape ? field->shape() : NULL;
    if (!field->maybe)
        return routable_typed_get_value(reader, field->kind, shape, target);
    if (field->kind != ROUTABLE_TYPED_JSON && routable_typed_is_null(reader))
        is = ROUTABLE_IS_NULL;
    else if (!routable_typed_get_value(
                 reader, field->kind, shape, target ? target + routable_typed_value_offset(field->kind) : NULL))
        return 0;
    if (target)
        memcpy(target, &is, sizeof is);
    return 1;
}

/* `record` is zero on entry. */
static inline int routable_typed_get_record(routable_typed_reader *reader, const routable_typed_shape *shape, char *record)
{
    uint32_t seen[32] = { 0 }; /* of the first 1024 fields */
    if (!routable_typed_accept(reader, '{') || reader->depth >= ROUTABLE_TYPED_DEPTH)
        return 0;
    reader->depth++;
    if (routable_typed_peek(reader) == '}') {
        reader->at++;
    } else {
        do {
            const char *name;
            size_t length;
            size_t index = 0;
            if (routable_typed_peek(reader) != '"' || !routable_typed_raw_string(reader, &name, &length) ||
                !routable_typed_accept(reader, ':'))
                return 0;
            if (memchr(name, '\\', length)) { /* decoded at the end of the used memory, which is then released */
                size_t used = reader->used;
                char *decoded = (char *)malloc(length + 1);
                if (!decoded)
                    return 0;
                length = routable_typed_decode(name, length, decoded);
                for (; index < shape->count; index++)
                    if (shape->fields[index].length == length && memcmp(shape->fields[index].name, decoded, length) == 0)
                        break;
                free(decoded);
                reader->used = used;
            } else {
                for (; index < shape->count; index++)
                    if (shape->fields[index].length == length && memcmp(shape->fields[index].name, name, length) == 0)
                        break;
            }
            if (index == shape->count) {
                if (!routable_typed_skip(reader))
                    return 0;
            } else {
                if (!routable_typed_get_field(reader, &shape->fields[index], record))
                    return 0;
                if (index < 1024)
                    seen[index >> 5] |= (uint32_t)1 << (index & 31);
            }
        } while (routable_typed_accept(reader, ','));
        if (!routable_typed_accept(reader, '}'))
            return 0;
    }
    for (size_t index = 0; index < shape->count && index < 1024; index++)
        if (!shape->fields[index].maybe && !(seen[index >> 5] >> (index & 31) & 1))
            return 0;
    reader->depth--;
    return 1;
}

static inline int routable_typed_get_list(
    routable_typed_reader *reader, routable_typed_kind kind, const routable_typed_shape *shape, void *target)
{
    routable_typed_any_list list;
    routable_typed_reader ahead;
    size_t size = routable_typed_item_size(kind, shape);
    char *items;
    list.count = 0;
    if (!routable_typed_accept(reader, '[') || reader->depth >= ROUTABLE_TYPED_DEPTH)
        return 0;
    reader->depth++;
    ahead = *reader;
    if (routable_typed_peek(&ahead) != ']') {
        do {
            if (!routable_typed_skip(&ahead))
                return 0;
            list.count++;
        } while (routable_typed_accept(&ahead, ','));
    }
    items = (char *)routable_typed_take(reader, list.count * size);
    if (items && list.count)
        memset(items, 0, list.count * size);
    for (size_t index = 0; index < list.count; index++) {
        char *item = items ? items + index * size : NULL;
        if (index > 0 && !routable_typed_accept(reader, ','))
            return 0;
        if ((kind & 7) == ROUTABLE_TYPED_RECORD ? !routable_typed_get_record(reader, shape, item)
                                                : !routable_typed_get_value(reader, kind & 7, shape, item))
            return 0;
    }
    if (!routable_typed_accept(reader, ']'))
        return 0;
    list.items = items;
    if (target)
        memcpy(target, &list, sizeof list);
    reader->depth--;
    return 1;
}

/* Reads a value into `target`, which is NULL while memory is counted. */
static inline int routable_typed_get_value(
    routable_typed_reader *reader, routable_typed_kind kind, const routable_typed_shape *shape, void *target)
{
    const char *start;
    size_t length;
    char next = routable_typed_peek(reader);
    if (kind & ROUTABLE_TYPED_LIST)
        return routable_typed_get_list(reader, kind, shape, target);
    if (kind == ROUTABLE_TYPED_RECORD) {
        char *record = (char *)routable_typed_take(reader, shape->size);
        const void *pointer = record;
        if (record)
            memset(record, 0, shape->size);
        if (!routable_typed_get_record(reader, shape, record))
            return 0;
        if (target)
            memcpy(target, &pointer, sizeof pointer);
        return 1;
    }
    if (kind == ROUTABLE_TYPED_STRING) {
        char *text;
        routable_str result;
        if (!routable_typed_raw_string(reader, &start, &length))
            return 0;
        text = (char *)routable_typed_take(reader, length + 1);
        if (text && target) {
            result.len = routable_typed_decode(start, length, text);
            result.ptr = text;
            text[result.len] = '\0';
            memcpy(target, &result, sizeof result);
        }
        return 1;
    }
    start = reader->at;
    if (!routable_typed_skip(reader))
        return 0;
    length = (size_t)(reader->at - start);
    switch (kind) {
    case ROUTABLE_TYPED_JSON: {
        char *text = (char *)routable_typed_take(reader, length + 1);
        routable_json result;
        if (text && target) {
            memcpy(text, start, length);
            text[length] = '\0';
            result.text.ptr = text;
            result.text.len = length;
            memcpy(target, &result, sizeof result);
        }
        return 1;
    }
    case ROUTABLE_TYPED_BOOLEAN: {
        bool truth = next == 't';
        if (target)
            memcpy(target, &truth, sizeof truth);
        return next == 't' || next == 'f';
    }
    case ROUTABLE_TYPED_INTEGER: {
        int64_t integer = 0;
        if ((next != '-' && (next < '0' || next > '9')) || !routable_typed_integer(start, length, &integer))
            return 0;
        if (target)
            memcpy(target, &integer, sizeof integer);
        return 1;
    }
    default: {
        double number = 0;
        if ((next != '-' && (next < '0' || next > '9')) || !routable_typed_number(start, length, &number))
            return 0;
        if (target)
            memcpy(target, &number, sizeof number);
        return 1;
    }
    }
}

/* Reads a whole JSON string; `*memory` is then a block to free, which begins with the value or the record.  0: the JSON does not
 * have this kind. */
static inline int routable_typed_read(
    routable_str text, routable_typed_kind kind, const routable_typed_shape *shape, void **memory)
{
    size_t head = kind == ROUTABLE_TYPED_RECORD ? shape->size : sizeof(routable_typed_any_list);
    routable_typed_reader reader;
    *memory = NULL;
    for (int pass = 0; pass < 2; pass++) {
        char *target;
        memset(&reader, 0, sizeof reader);
        reader.at = text.ptr;
        reader.end = text.ptr + text.len;
        reader.memory = (char *)*memory;
        target = (char *)routable_typed_take(&reader, head);
        if (kind == ROUTABLE_TYPED_RECORD ? !routable_typed_get_record(&reader, shape, target)
                                          : !routable_typed_get_value(&reader, kind, shape, target))
            break;
        routable_typed_peek(&reader);
        if (reader.at != reader.end)
            break;
        if (pass == 1)
            return 1;
        *memory = calloc(1, reader.used);
        if (!*memory)
            return 0;
    }
    free(*memory);
    *memory = NULL;
    return 0;
}

/* ------------------------------------------------------------------------------------------------
 * For generated code: places in the graph
 */

#define ROUTABLE_TYPED_IDS 33u /* one more than the maximum of a route, which the library rejects */
#define ROUTABLE_TYPED_PLANS 32u

typedef struct routable_typed_plan {
    routable_plan *plan;
    const routable_typed_operation *operation;
    uint32_t depth;
    uint32_t resources[ROUTABLE_TYPED_IDS + 1];
} routable_typed_plan;

/* A router with a cache of plans.  One thread at a time. */
typedef struct routable_typed_api {
    routable_router *router;
    int32_t is_owned;
    const char *const *names; /* of the resources */
    routable_typed_plan plans[ROUTABLE_TYPED_PLANS];
} routable_typed_api;
#define ROUTABLE_TYPED_API_INIT { NULL, 0, NULL, { { NULL, NULL, 0, { 0 } } } }

/* A place in the graph: the resources and the ids from the root to it. */
typedef struct routable_typed_place {
    routable_typed_api *api;
    uint32_t depth;
    uint32_t id_count;
    uint32_t resources[ROUTABLE_TYPED_IDS + 1];
    routable_value ids[ROUTABLE_TYPED_IDS];
} routable_typed_place;

static inline void routable_typed_root(routable_typed_place *place, routable_typed_api *api)
{
    memset(place, 0, sizeof *place);
    place->api = api;
}

static inline void routable_typed_step(routable_typed_place *place, uint32_t resource)
{
    if (place->depth <= ROUTABLE_TYPED_IDS)
        place->resources[place->depth++] = resource;
}

static inline void routable_typed_id(routable_typed_place *place, routable_value id)
{
    if (place->id_count < ROUTABLE_TYPED_IDS)
        place->ids[place->id_count++] = id;
}

static inline void routable_typed_member(routable_typed_place *place, uint32_t resource, routable_value id)
{
    routable_typed_step(place, resource);
    routable_typed_id(place, id);
}

static inline void routable_typed_use(routable_typed_api *api, routable_router *router, const char *const *names)
{
    memset(api, 0, sizeof *api);
    api->router = router;
    api->names = names;
}

static inline routable_status routable_typed_open_file(
    routable_typed_api *api, const char *path, const char *base, const char *const *names, routable_error **error)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    options.base = base;
    routable_typed_use(api, NULL, names);
    api->is_owned = 1;
    return routable_router_open_file(path, &options, &api->router, error);
}

/* The document in pieces, because compilers are only required to support string literals of 4095 bytes. */
static inline routable_status routable_typed_open(
    routable_typed_api *api, const char *const *pieces, size_t count, const char *base, const char *const *names,
    routable_error **error)
{
    routable_open_options options = ROUTABLE_OPEN_OPTIONS_INIT;
    routable_typed_writer writer = { NULL, 0 };
    routable_str text;
    routable_status status;
    options.base = base;
    routable_typed_use(api, NULL, names);
    api->is_owned = 1;
    for (int pass = 0; pass < 2; pass++) {
        writer.count = 0;
        for (size_t index = 0; index < count; index++)
            routable_typed_put(&writer, pieces[index], strlen(pieces[index]));
        if (pass == 0) {
            writer.out = (char *)malloc(writer.count + 1);
            if (!writer.out)
                return ROUTABLE_ERR_LIMIT;
        }
    }
    text.ptr = writer.out;
    text.len = writer.count;
    status = routable_router_open(text.ptr, text.len, &options, &api->router, error);
    free(writer.out);
    return status;
}

static inline void routable_typed_close(routable_typed_api *api)
{
    for (size_t index = 0; index < ROUTABLE_TYPED_PLANS; index++)
        routable_plan_free(api->plans[index].plan);
    if (api->is_owned)
        routable_router_free(api->router);
    memset(api, 0, sizeof *api);
}

/* The dotted route with a NUL after it, into memory to free unless it is `stack`; NULL for a standalone operation. */
static inline char *routable_typed_route(const routable_typed_place *place, char *stack, size_t capacity)
{
    routable_typed_writer writer = { NULL, 0 };
    if (place->depth == 0)
        return NULL;
    for (int pass = 0; pass < 2; pass++) {
        writer.count = 0;
        for (uint32_t index = 0; index < place->depth; index++) {
            const char *name = place->api->names[place->resources[index]];
            routable_typed_put(&writer, ".", index > 0);
            routable_typed_put(&writer, name, strlen(name));
        }
        routable_typed_put(&writer, "", 1);
        if (pass == 0) {
            writer.out = writer.count <= capacity ? stack : (char *)malloc(writer.count);
            if (!writer.out)
                abort();
        }
    }
    return writer.out;
}

/* The plan of an operation at a place; owned by the cache of the api. */
static inline routable_status routable_typed_plan_of(
    const routable_typed_place *place, const routable_typed_operation *operation, const routable_plan **out,
    routable_error **error)
{
    uint32_t hash = 2166136261u ^ (uint32_t)((uintptr_t)operation >> 4);
    routable_typed_plan *slot;
    routable_plan *plan = NULL;
    char stack[512];
    char *route;
    routable_status status;
    for (uint32_t index = 0; index < place->depth; index++)
        hash = (hash ^ place->resources[index]) * 16777619u;
    slot = &place->api->plans[(hash ^ hash >> 16) % ROUTABLE_TYPED_PLANS];
    if (slot->plan && slot->operation == operation && slot->depth == place->depth &&
        memcmp(slot->resources, place->resources, place->depth * sizeof slot->resources[0]) == 0) {
        if (error)
            *error = NULL;
        *out = slot->plan;
        return ROUTABLE_OK;
    }
    route = routable_typed_route(place, stack, sizeof stack);
    status = routable_plan_new(place->api->router, route, operation->name, &plan, error);
    if (route != stack)
        free(route);
    if (status != ROUTABLE_OK)
        return status;
    routable_plan_free(slot->plan);
    slot->plan = plan;
    slot->operation = operation;
    slot->depth = place->depth;
    memcpy(slot->resources, place->resources, place->depth * sizeof slot->resources[0]);
    *out = plan;
    return ROUTABLE_OK;
}

/* The value of a parameter; `writer` writes lists as JSON.  0: it is absent. */
static inline int routable_typed_parameter(
    const routable_typed_field *field, const void *arguments, routable_typed_writer *writer, routable_value *out)
{
    const char *value = routable_typed_at(arguments, field->offset);
    memset(out, 0, sizeof *out);
    if (field->maybe) {
        routable_presence is;
        memcpy(&is, value, sizeof is);
        if (is != ROUTABLE_PRESENT)
            return 0;
        value += routable_typed_value_offset(field->kind);
    }
    switch (field->kind) {
    case ROUTABLE_TYPED_STRING:
        out->kind = ROUTABLE_KIND_STRING;
        memcpy(&out->as.string, value, sizeof out->as.string);
        return out->as.string.ptr != NULL;
    case ROUTABLE_TYPED_JSON:
        out->kind = ROUTABLE_KIND_JSON;
        memcpy(&out->as.string, value, sizeof out->as.string);
        return out->as.string.ptr != NULL;
    case ROUTABLE_TYPED_INTEGER:
        out->kind = ROUTABLE_KIND_INTEGER;
        memcpy(&out->as.integer, value, sizeof out->as.integer);
        return 1;
    case ROUTABLE_TYPED_NUMBER:
        out->kind = ROUTABLE_KIND_REAL;
        memcpy(&out->as.real, value, sizeof out->as.real);
        return 1;
    case ROUTABLE_TYPED_BOOLEAN: {
        bool truth;
        memcpy(&truth, value, sizeof truth);
        out->kind = ROUTABLE_KIND_BOOLEAN;
        out->as.integer = truth;
        return 1;
    }
    default: {
        size_t start = writer->count;
        routable_typed_put_value(writer, field->kind, NULL, value, 0);
        out->kind = ROUTABLE_KIND_JSON;
        out->as.string.ptr = writer->out ? writer->out + start : "";
        out->as.string.len = writer->count - start;
        return 1;
    }
    }
}

/* Writes the URL: routable_plan_write.  Only for operations whose parameters are single values. */
static inline routable_status routable_typed_url(
    const routable_typed_place *place, const routable_typed_operation *operation, const void *arguments, char *buffer,
    size_t capacity, size_t *length, routable_error **error)
{
    routable_value stack[ROUTABLE_TYPED_IDS + 24];
    routable_value *values = stack;
    routable_typed_writer none = { NULL, 0 };
    const routable_plan *plan = NULL;
    size_t id_count = place->id_count < ROUTABLE_TYPED_IDS ? place->id_count : ROUTABLE_TYPED_IDS;
    size_t count = id_count + operation->parameter_count;
    size_t filled;
    routable_status status = routable_typed_plan_of(place, operation, &plan, error);
    if (status != ROUTABLE_OK)
        return status;
    if (count > sizeof stack / sizeof stack[0]) {
        values = (routable_value *)malloc(count * sizeof *values);
        if (!values)
            abort();
    }
    if (id_count)
        memcpy(values, place->ids, id_count * sizeof *values);
    filled = id_count;
    for (size_t index = 0; arguments && index < operation->parameter_count; index++) {
        const routable_typed_field *field = &operation->parameters[index];
        if (field->place == ROUTABLE_IN_HEADER || field->place == ROUTABLE_IN_COOKIE)
            continue;
        (void)routable_typed_parameter(field, arguments, &none, &values[filled++]);
        id_count += field->place == ROUTABLE_IN_PATH;
    }
    status = routable_plan_write(
        plan, values, id_count, values + id_count, filled - id_count, buffer, capacity, length, error);
    if (values != stack)
        free(values);
    return status;
}

/* The values of a request while it is built. */
typedef struct routable_typed_values {
    routable_argument *ids, *query, *headers, *cookies;
} routable_typed_values;

/* Fills the arguments of a call.  Called twice: first to count the bytes that `writer` writes, then to write them. */
static inline void routable_typed_fill(
    const routable_typed_place *place, const routable_typed_operation *operation, const void *arguments, const void *input,
    const routable_typed_values *to, routable_typed_writer *writer, routable_call *call)
{
    call->id_count = call->query_count = call->header_count = call->cookie_count = 0;
    for (uint32_t index = 0; index < place->id_count && index < ROUTABLE_TYPED_IDS; index++) {
        to->ids[call->id_count].name = NULL;
        to->ids[call->id_count++].value = place->ids[index];
    }
    for (size_t index = 0; arguments && index < operation->parameter_count; index++) {
        const routable_typed_field *field = &operation->parameters[index];
        routable_argument argument;
        argument.name = field->place == ROUTABLE_IN_PATH ? NULL : field->name;
        if (!routable_typed_parameter(field, arguments, writer, &argument.value) && field->place != ROUTABLE_IN_PATH)
            continue;
        switch (field->place) {
        case ROUTABLE_IN_PATH: to->ids[call->id_count++] = argument; break;
        case ROUTABLE_IN_QUERY: to->query[call->query_count++] = argument; break;
        case ROUTABLE_IN_HEADER: to->headers[call->header_count++] = argument; break;
        default: to->cookies[call->cookie_count++] = argument; break;
        }
    }
    call->ids = to->ids;
    call->query = to->query;
    call->headers = to->headers;
    call->cookies = to->cookies;
    if (!input)
        return;
    if (operation->input == ROUTABLE_TYPED_OPEN) {
        routable_open_input open;
        memcpy(&open, input, sizeof open);
        call->parameters = open.parameters;
        call->parameter_count = open.parameter_count;
        call->body = open.body;
        call->content_type = open.content_type;
    } else if (operation->input == ROUTABLE_TYPED_BYTES) {
        call->body.kind = ROUTABLE_KIND_STRING;
        memcpy(&call->body.as.string, input, sizeof call->body.as.string);
    } else {
        size_t start = writer->count;
        const routable_typed_shape *shape = operation->input_shape ? operation->input_shape() : NULL;
        if (operation->input == ROUTABLE_TYPED_RECORD)
            routable_typed_put_record(writer, shape, input, 0);
        else
            routable_typed_put_value(writer, operation->input, shape, input, 0);
        call->body.kind = ROUTABLE_KIND_JSON;
        call->body.as.string.ptr = writer->out ? writer->out + start : "";
        call->body.as.string.len = writer->count - start;
    }
}

/* Builds the request: routable_request_new.  `arguments` and `input` may be NULL. */
static inline routable_status routable_typed_request(
    const routable_typed_place *place, const routable_typed_operation *operation, const void *arguments, const void *input,
    routable_request **out, routable_error **error)
{
    enum { STACK = 24 };
    routable_argument stack[ROUTABLE_TYPED_IDS + STACK * 4];
    routable_argument *memory = stack;
    char name[512], text[1024];
    char *route = routable_typed_route(place, name, sizeof name);
    size_t count = operation->parameter_count;
    routable_typed_values to;
    routable_typed_writer writer = { NULL, 0 };
    routable_call call = ROUTABLE_CALL_INIT;
    routable_status status;
    if (count > STACK) {
        memory = (routable_argument *)malloc((ROUTABLE_TYPED_IDS + count * 4) * sizeof *memory);
        if (!memory)
            abort();
    }
    to.ids = memory;
    to.query = memory + ROUTABLE_TYPED_IDS + count;
    to.headers = to.query + count;
    to.cookies = to.headers + count;
    call.route = route;
    call.operation = operation->name;
    routable_typed_fill(place, operation, arguments, input, &to, &writer, &call);
    writer.out = writer.count <= sizeof text ? text : (char *)malloc(writer.count);
    if (!writer.out)
        abort();
    writer.count = 0;
    routable_typed_fill(place, operation, arguments, input, &to, &writer, &call);
    status = routable_request_new(place->api->router, &call, out, error);
    if (writer.out != text)
        free(writer.out);
    if (memory != stack)
        free(memory);
    if (route != name)
        free(route);
    return status;
}

/* ------------------------------------------------------------------------------------------------
 * For generated code: responses
 */

/* The beginning of every generated result. */
typedef struct routable_typed_result {
    int32_t http_status;
    routable_outcome outcome;
    const void *value;
    routable_response *response;
    void *memory;
} routable_typed_result;
#define ROUTABLE_TYPED_RESULT_INIT { 0, ROUTABLE_OUTCOME_EMPTY, NULL, NULL, NULL }

/* Makes a result, which takes ownership of the response. */
static inline void routable_typed_result_of(
    const routable_typed_operation *operation, routable_response *response, routable_typed_result *out)
{
    memset(out, 0, sizeof *out);
    out->response = response;
    out->http_status = routable_response_status(response);
    out->outcome = routable_response_outcome(response);
    if (out->outcome == ROUTABLE_OUTCOME_RAW || out->outcome == ROUTABLE_OUTCOME_EMPTY || !operation->output)
        return;
    if (routable_typed_read(
            routable_response_body(response), operation->output,
            operation->output_shape ? operation->output_shape() : NULL, &out->memory))
        out->value = out->memory;
}

static inline void routable_typed_result_free(routable_typed_result *result)
{
    routable_response_free(result->response);
    free(result->memory);
    memset(result, 0, sizeof *result);
}

/* Builds and performs the request, and reads the response. */
static inline routable_status routable_typed_perform(
    const routable_typed_place *place, const routable_typed_operation *operation, const void *arguments, const void *input,
    const routable_client *client, routable_typed_result *out, routable_error **error)
{
    routable_request *request = NULL;
    routable_response *response = NULL;
    routable_policy policy = ROUTABLE_POLICY_INIT;
    routable_status status = routable_typed_request(place, operation, arguments, input, &request, error);
    if (status != ROUTABLE_OK)
        return status;
    policy.flags = ROUTABLE_POLICY_CHECK_BODIES;
    status = routable_client_perform_with(client, request, &policy, &response, error);
    routable_request_free(request);
    if (status == ROUTABLE_OK)
        routable_typed_result_of(operation, response, out);
    return status;
}

#ifdef __cplusplus
}
#endif
#endif
