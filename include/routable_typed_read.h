/* routable_typed_read.h - reads JSON into generated structs.
 *
 * For generated code: programs do not call these functions.  They are inline, and no struct of this header is passed to the
 * library, so the layout of the structs is not part of the ABI.
 */
#ifndef ROUTABLE_TYPED_READ_H
#define ROUTABLE_TYPED_READ_H

#include "routable_typed_write.h"

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Reads JSON values into newly allocated memory
 *
 * Every value is visited once, and the structs never move.  The memory is bounded relative to the length of the JSON, because a
 * few bytes of JSON can describe a large struct.
 */

#define ROUTABLE_TYPED_MEMORY ((size_t)16 << 20) /* maximum memory of a value, plus 64 bytes for each byte of its JSON */

/* A block of memory, with a link to the previous one. */
typedef struct routable_typed_block {
    struct routable_typed_block *before;
    size_t size;
} routable_typed_block;

/* The parsed JSON, and the memory for the structs. */
typedef struct routable_typed_reader {
    const routable_json_values *json;
    routable_typed_block *block;
    size_t used;   /* bytes of the block in use, including its header */
    size_t budget; /* memory that may still be allocated */
    int depth;
} routable_typed_reader;

/* Frees the memory of a value. */
static inline void routable_typed_free(void *memory)
{
    routable_typed_block *block = (routable_typed_block *)memory;
    while (block) {
        routable_typed_block *before = block->before;
        free(block);
        block = before;
    }
}

/* Allocates aligned, zeroed memory.  Returns NULL if there is no memory, or if the value exceeds its bound. */
static inline void *routable_typed_take(routable_typed_reader *reader, size_t size)
{
    size_t start = (reader->used + 7) & ~(size_t)7;
    if (!reader->block || start > reader->block->size || size > reader->block->size - start) {
        routable_typed_block *block;
        size_t wanted = reader->block ? reader->block->size * 2 : 4096;
        start = (sizeof *block + 7) & ~(size_t)7;
        if (size > reader->budget)
            return NULL;
        if (wanted > reader->budget)
            wanted = reader->budget;
        if (wanted < size)
            wanted = size;
        block = (routable_typed_block *)malloc(start + wanted);
        if (!block)
            return NULL;
        reader->budget -= wanted;
        block->before = reader->block;
        block->size = start + wanted;
        reader->block = block;
    }
    reader->used = start + size;
    return memset((char *)reader->block + start, 0, size);
}

/* Copies a string and a NUL.  Returns 0 if there is no memory. */
static inline int routable_typed_keep(routable_typed_reader *reader, routable_str text, void *target)
{
    char *copy;
    if (reader->block && text.len < reader->block->size - reader->used) { /* bytes need no alignment */
        copy = (char *)reader->block + reader->used;
        reader->used += text.len + 1;
    } else {
        copy = (char *)routable_typed_take(reader, text.len + 1);
        if (!copy)
            return 0;
    }
    if (text.len)
        memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    text.ptr = copy;
    memcpy(target, &text, sizeof text);
    return 1;
}

/* Reads an integer.  Returns 0 if the value is not an integer or is out of range. */
static inline int routable_typed_integer(const routable_json_values *json, uint64_t place, int64_t *out)
{
    double number;
    if (routable_json_kind_of(json, place) == ROUTABLE_JSON_INTEGER) {
        *out = routable_json_integer(json, place);
        return 1;
    }
    /* 1.0 and 1e2 are integers too. */
    number = routable_json_kind_of(json, place) == ROUTABLE_JSON_REAL ? routable_json_number(json, place) : 0.5;
    if (!(number >= -9007199254740992.0 && number <= 9007199254740992.0))
        return 0;
    *out = (int64_t)number;
    return (double)*out >= number && (double)*out <= number;
}

/* Returns whether a string consists of these bytes. */
static inline int routable_typed_is(routable_str text, const char *wanted, size_t length)
{
    return text.len == length && memcmp(text.ptr, wanted, length) == 0;
}

/* Finds a field by its name.  Tries the field at `*index` first, because members usually have the order of the fields. */
static inline int routable_typed_find(const routable_typed_shape *shape, routable_str key, uint32_t *index, const char **name)
{
    uint32_t place = *index;
    const char *at = *name;
    for (uint32_t count = 0; count < shape->count; count++) {
        size_t length;
        if (place >= shape->count) {
            place = 0;
            at = shape->names;
        }
        length = strlen(at);
        if (routable_typed_is(key, at, length)) {
            *index = place;
            *name = at;
            return 1;
        }
        at += length + 1;
        place++;
    }
    return 0;
}

/* Returns whether a value matches a kind, without checking its elements or members. */
static inline int routable_typed_looks(const routable_json_values *json, uint64_t place, routable_typed_kind kind)
{
    routable_json_kind is = routable_json_kind_of(json, place);
    int64_t integer;
    if (kind & ROUTABLE_TYPED_LIST)
        return is == ((kind & ROUTABLE_TYPED_MAP) == ROUTABLE_TYPED_MAP ? ROUTABLE_JSON_OBJECT : ROUTABLE_JSON_ARRAY);
    switch (kind) {
    case ROUTABLE_TYPED_STRING: return is == ROUTABLE_JSON_STRING;
    case ROUTABLE_TYPED_INTEGER: return routable_typed_integer(json, place, &integer);
    case ROUTABLE_TYPED_NUMBER: return is >= ROUTABLE_JSON_INTEGER && is <= ROUTABLE_JSON_WIDE;
    case ROUTABLE_TYPED_BOOLEAN: return is == ROUTABLE_JSON_BOOLEAN;
    case ROUTABLE_TYPED_RECORD: return is == ROUTABLE_JSON_OBJECT;
    default: return 1;
    }
}

static inline int routable_typed_fits(
    const routable_json_values *json, uint64_t place, routable_typed_kind kind, const routable_typed_shape *shape, int depth);

/* Returns whether an object has the members of a record, without checking the elements or members of their values. */
static inline int routable_typed_fits_record(const routable_json_values *json, uint64_t place, const routable_typed_shape *shape)
{
    uint64_t member = ROUTABLE_JSON_NOWHERE;
    uint32_t index = 0, required = 0, found = 0;
    const char *name = shape->names;
    for (uint32_t each = 0; each < shape->count; each++)
        required += shape->fields[each].flags >> 7;
    while ((member = routable_json_next(json, place, member)) != ROUTABLE_JSON_NOWHERE) {
        const routable_typed_field *field;
        if (!routable_typed_find(shape, routable_json_key(json, member), &index, &name))
            continue;
        field = &shape->fields[index];
        if (!routable_typed_looks(json, member, field->kind) &&
            !((field->flags & 1) && routable_json_kind_of(json, member) == ROUTABLE_JSON_NULL))
            return 0;
        found += field->flags >> 7;
    }
    return found >= required;
}

/* Returns whether a value matches a kind, checking one level of elements or members. */
static inline int routable_typed_fits(
    const routable_json_values *json, uint64_t place, routable_typed_kind kind, const routable_typed_shape *shape, int depth)
{
    if (!routable_typed_looks(json, place, kind))
        return 0;
    if (!shape || depth > 8)
        return 1;
    if (kind & ROUTABLE_TYPED_LIST) {
        uint64_t first = routable_json_next(json, place, ROUTABLE_JSON_NOWHERE);
        if (first == ROUTABLE_JSON_NOWHERE || shape->form == ROUTABLE_TYPED_ENTRY)
            return 1;
        return routable_typed_fits(json, first, kind & 7, shape, depth + 1);
    }
    if (shape->form == ROUTABLE_TYPED_VALUE)
        return routable_typed_fits(json, place, shape->fields->kind, routable_typed_inner(shape, shape->fields), depth + 1);
    if (shape->form == ROUTABLE_TYPED_OPTIONS) {
        for (uint32_t each = 0; each < shape->count; each++)
            if (routable_typed_fits(json, place, shape->fields[each].kind, routable_typed_inner(shape, &shape->fields[each]), depth + 1))
                return 1;
        return 0;
    }
    return routable_typed_fits_record(json, place, shape);
}

/* Returns the option of a union for a value, from 1; 0 if none matches.  The option is selected before the value is read, so
 * that no value is read twice. */
static inline uint32_t routable_typed_option(const routable_json_values *json, uint64_t place, const routable_typed_shape *shape)
{
    if (shape->tell && routable_json_kind_of(json, place) == ROUTABLE_JSON_OBJECT) {
        uint64_t member = ROUTABLE_JSON_NOWHERE, found = ROUTABLE_JSON_NOWHERE;
        const char *value = shape->tell->values;
        routable_str text = routable_str_from(shape->tell->member);
        while ((member = routable_json_next(json, place, member)) != ROUTABLE_JSON_NOWHERE)
            if (routable_typed_is(routable_json_key(json, member), text.ptr, text.len))
                found = member;
        text = routable_json_string(json, found);
        if (routable_json_kind_of(json, found) != ROUTABLE_JSON_STRING)
            return 0;
        for (uint32_t each = 0; each < shape->tell->count; each++) {
            size_t length = strlen(value);
            if (routable_typed_is(text, value, length))
                return (uint32_t)shape->tell->options[each] + 1;
            value += length + 1;
        }
        return 0;
    }
    for (uint32_t each = 0; each < shape->count; each++)
        if (routable_typed_fits(json, place, shape->fields[each].kind, routable_typed_inner(shape, &shape->fields[each]), 0))
            return each + 1;
    return 0;
}

static inline int routable_typed_get_value(
    routable_typed_reader *reader, uint64_t place, routable_typed_kind kind, const routable_typed_shape *shape, char *target);

/* Reads the value of a field. */
static inline int routable_typed_get_field(
    routable_typed_reader *reader, uint64_t place, const routable_typed_shape *shape, const routable_typed_field *field, char *record)
{
    char *target = record + field->offset;
    if (field->flags & 1) {
        routable_presence is = ROUTABLE_PRESENT;
        if (field->kind != ROUTABLE_TYPED_JSON && routable_json_kind_of(reader->json, place) == ROUTABLE_JSON_NULL)
            is = ROUTABLE_IS_NULL;
        memcpy(target, &is, sizeof is);
        if (is == ROUTABLE_IS_NULL)
            return 1;
        target += routable_typed_value_offset(field->kind);
    }
    return routable_typed_get_value(reader, place, field->kind, routable_typed_inner(shape, field), target);
}

/* Reads the members of an object into `record`, which must be zeroed. */
static inline int routable_typed_get_members(
    routable_typed_reader *reader, uint64_t place, const routable_typed_shape *shape, char *record)
{
    uint32_t seen[32] = { 0 }; /* one bit for each of the first 1024 fields */
    uint32_t index = 0;
    const char *name = shape->names;
    uint64_t member = ROUTABLE_JSON_NOWHERE;
    while ((member = routable_json_next(reader->json, place, member)) != ROUTABLE_JSON_NOWHERE) {
        if (!routable_typed_find(shape, routable_json_key(reader->json, member), &index, &name))
            continue;
        if (!routable_typed_get_field(reader, member, shape, &shape->fields[index], record))
            return 0;
        if (index < 1024)
            seen[index >> 5] |= (uint32_t)1 << (index & 31);
        name += strlen(name) + 1;
        index++;
    }
    for (index = 0; index < shape->count && index < 1024; index++)
        if (!(shape->fields[index].flags & 1) && !(seen[index >> 5] >> (index & 31) & 1))
            return 0;
    return 1;
}

/* Reads a union: the tag and the option.  Stores the JSON if no option matches, or if reading the selected option fails. */
static inline int routable_typed_get_union(
    routable_typed_reader *reader, uint64_t place, const routable_typed_shape *shape, char *target)
{
    uint32_t option = routable_typed_option(reader->json, place, shape);
    int depth = reader->depth;
    if (!option || !routable_typed_get_field(reader, place, shape, &shape->fields[option - 1], target)) {
        reader->depth = depth;
        option = 0;
        if (!routable_typed_keep(reader, routable_json_text(reader->json, place), target + shape->fields->offset))
            return 0;
    }
    memcpy(target, &option, sizeof option);
    return 1;
}

/* Reads an object, a union or a value of a shape, in place. */
static inline int routable_typed_get_record(
    routable_typed_reader *reader, uint64_t place, const routable_typed_shape *shape, char *record)
{
    int is_read;
    if (reader->depth >= ROUTABLE_TYPED_DEPTH)
        return 0;
    reader->depth++;
    if (shape->form == ROUTABLE_TYPED_VALUE)
        is_read = routable_typed_get_field(reader, place, shape, shape->fields, record);
    else if (shape->form == ROUTABLE_TYPED_OPTIONS)
        is_read = routable_typed_get_union(reader, place, shape, record);
    else
        is_read = routable_json_kind_of(reader->json, place) == ROUTABLE_JSON_OBJECT &&
                  routable_typed_get_members(reader, place, shape, record);
    reader->depth--;
    return is_read;
}

/* Reads a list or a map. */
static inline int routable_typed_get_list(
    routable_typed_reader *reader, uint64_t place, routable_typed_kind kind, const routable_typed_shape *shape, char *target)
{
    int is_map = (kind & ROUTABLE_TYPED_MAP) == ROUTABLE_TYPED_MAP;
    size_t size = routable_typed_item_size(kind, shape);
    routable_typed_any_list list;
    uint64_t element = ROUTABLE_JSON_NOWHERE;
    char *item;
    if (!routable_typed_looks(reader->json, place, kind) || reader->depth >= ROUTABLE_TYPED_DEPTH)
        return 0;
    list.count = routable_json_count(reader->json, place);
    if (list.count > SIZE_MAX / 2 / (size + 1))
        return 0;
    item = (char *)routable_typed_take(reader, list.count * size);
    if (!item)
        return 0;
    list.items = item;
    memcpy(target, &list, sizeof list);
    reader->depth++;
    while ((element = routable_json_next(reader->json, place, element)) != ROUTABLE_JSON_NOWHERE) {
        if (is_map) {
            if (!routable_typed_keep(reader, routable_json_key(reader->json, element), item) ||
                !routable_typed_get_field(reader, element, shape, &shape->fields[1], item))
                return 0;
        } else if ((kind & 7) >= ROUTABLE_TYPED_RECORD) {
            if (!routable_typed_get_record(reader, element, shape, item))
                return 0;
        } else if (!routable_typed_get_value(reader, element, kind & 7, shape, item)) {
            return 0;
        }
        item += size;
    }
    reader->depth--;
    return 1;
}

/* Reads a value into `target`. */
static inline int routable_typed_get_value(
    routable_typed_reader *reader, uint64_t place, routable_typed_kind kind, const routable_typed_shape *shape, char *target)
{
    if (kind & ROUTABLE_TYPED_LIST)
        return routable_typed_get_list(reader, place, kind, shape, target);
    if (kind == ROUTABLE_TYPED_JSON)
        return routable_typed_keep(reader, routable_json_text(reader->json, place), target);
    if (kind >= ROUTABLE_TYPED_RECORD) {
        char *record = (char *)routable_typed_take(reader, shape->size);
        if (!record)
            return 0;
        memcpy(target, &record, sizeof record);
        return routable_typed_get_record(reader, place, shape, record);
    }
    if (kind == ROUTABLE_TYPED_INTEGER) {
        int64_t integer;
        if (!routable_typed_integer(reader->json, place, &integer))
            return 0;
        memcpy(target, &integer, sizeof integer);
        return 1;
    }
    if (!routable_typed_looks(reader->json, place, kind))
        return 0;
    if (kind == ROUTABLE_TYPED_STRING)
        return routable_typed_keep(reader, routable_json_string(reader->json, place), target);
    if (kind == ROUTABLE_TYPED_NUMBER) {
        double number = routable_json_number(reader->json, place);
        memcpy(target, &number, sizeof number);
    } else {
        bool truth = *routable_json_text(reader->json, place).ptr == 't';
        memcpy(target, &truth, sizeof truth);
    }
    return 1;
}

/* Reads a document.  `*value` is the value, the record or the union, in `*memory`, which routable_typed_free frees.  Returns 0 if
 * the JSON does not have this kind or requires too much memory. */
static inline int routable_typed_read(
    const routable_json_values *json, routable_typed_kind kind, const routable_typed_shape *shape, const void **value, void **memory)
{
    int is_inside = kind == ROUTABLE_TYPED_RECORD || kind == ROUTABLE_TYPED_UNION;
    size_t length = routable_json_text(json, 0).len;
    routable_typed_reader reader;
    char *target;
    int is_read;
    memset(&reader, 0, sizeof reader);
    reader.json = json;
    reader.budget = ROUTABLE_TYPED_MEMORY + (length < SIZE_MAX / 128 ? length * 64 : SIZE_MAX / 2);
    target = (char *)routable_typed_take(&reader, is_inside ? shape->size : sizeof(routable_typed_any_list));
    is_read = target && (is_inside ? routable_typed_get_record(&reader, 0, shape, target)
                                   : routable_typed_get_value(&reader, 0, kind, shape, target));
    if (!is_read)
        routable_typed_free(reader.block);
    *value = is_read ? target : NULL;
    *memory = is_read ? reader.block : NULL;
    return is_read;
}

/* Reads the body of a response, like routable_typed_read. */
static inline int routable_typed_read_body(
    const routable_response *response, routable_typed_kind kind, const routable_typed_shape *shape, const void **value, void **memory)
{
    routable_json_values *json = NULL;
    int is_read = 0;
    *value = NULL;
    *memory = NULL;
    if (routable_response_json_value(response, &json, NULL) == ROUTABLE_OK)
        is_read = routable_typed_read(json, kind, shape, value, memory);
    routable_json_values_free(json);
    return is_read;
}

#ifdef __cplusplus
}
#endif
#endif
