/* routable_typed_read.h - reads JSON into generated structs.
 *
 * For generated code: programs do not call these functions.  They are inline, and no struct of this header is passed to the
 * library, so that its layout is no part of the binary interface.
 */
#ifndef ROUTABLE_TYPED_READ_H
#define ROUTABLE_TYPED_READ_H

#include "routable_typed_write.h"

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Reading values from JSON into one block of memory
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

/* Reserves aligned memory; NULL while memory is only counted. */
static inline void *routable_typed_reserve(routable_typed_reader *reader, size_t size)
{
    size_t start = (reader->used + 7) & ~(size_t)7;
    reader->used = start + size;
    return reader->memory ? reader->memory + start : NULL;
}

/* The next byte after white space; 0 at the end. */
static inline char routable_typed_peek(routable_typed_reader *reader)
{
    while (reader->at < reader->end &&
           (*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\r' || *reader->at == '\t'))
        reader->at++;
    return reader->at < reader->end ? *reader->at : '\0';
}

/* Consumes a byte if it is next. */
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

/* The value of the four digits of \uXXXX. */
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

/* Parses a number with strtod, in every locale. */
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

/* Parses an integer.  0: it is not one, or does not fit 64 bits. */
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

/* Consumes a null if it is next. */
static inline int routable_typed_is_null(routable_typed_reader *reader)
{
    if (routable_typed_peek(reader) != 'n')
        return 0;
    return routable_typed_skip(reader);
}

/* Reads a member, with its presence, into `record`, which is NULL while memory is counted. */
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

/* Writes the index of the field with a name, which is still escaped, or the number of fields if there is none.  0: no memory. */
static inline int routable_typed_find_field(
    const routable_typed_shape *shape, const char *name, size_t length, size_t *index)
{
    char *decoded = NULL;
    if (length && memchr(name, '\\', length)) {
        decoded = (char *)malloc(length);
        if (!decoded)
            return 0;
        length = routable_typed_decode(name, length, decoded);
        name = decoded;
    }
    for (*index = 0; *index < shape->count; (*index)++)
        if (shape->fields[*index].length == length && memcmp(shape->fields[*index].name, name, length) == 0)
            break;
    free(decoded);
    return 1;
}

/* Reads an object into `record`, which is zero on entry. */
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
            if (!routable_typed_find_field(shape, name, length, &index))
                return 0;
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

/* Reads an array; its elements are counted first. */
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
    items = (char *)routable_typed_reserve(reader, list.count * size);
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
        char *record = (char *)routable_typed_reserve(reader, shape->size);
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
        text = (char *)routable_typed_reserve(reader, length + 1);
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
        char *text = (char *)routable_typed_reserve(reader, length + 1);
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
        target = (char *)routable_typed_reserve(&reader, head);
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

#ifdef __cplusplus
}
#endif
#endif
