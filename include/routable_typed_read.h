/* routable_typed_read.h - reads JSON into generated structs.
 *
 * For generated code: programs must not call these functions.  They are inline, and no struct of this header is passed to the
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
 * Reading JSON values into newly allocated memory
 *
 * No value is read twice, and the structs never move.  The memory is bounded relative to the length of the JSON, because a
 * few bytes of JSON can describe a large struct.
 */

#define ROUTABLE_TYPED_MEMORY ((size_t)16 << 20) /* maximum memory of a value in bytes, plus 64 for each byte of its JSON */

/* A block of memory, with a link to the previous one. */
typedef struct routable_typed_block {
    struct routable_typed_block *before;
    size_t size;
} routable_typed_block;

/* The parsed JSON, and the memory for the structs. */
typedef struct routable_typed_reader {
    const routable_json_values *json;
    routable_typed_block *block;
    size_t used;   /* bytes of the block that are in use, including the header of the block */
    size_t budget; /* memory that may still be allocated */
    int depth;
    int is_lenient; /* 1: a member that is not required and does not have its type is absent */
    int is_over;    /* 1: a limit was reached, or memory could not be allocated */
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

/* Allocates aligned, zeroed memory.  Returns NULL if memory cannot be allocated, or if the value would require more than its
 * maximum (ROUTABLE_TYPED_MEMORY). */
static inline void *routable_typed_take(routable_typed_reader *reader, size_t size)
{
    size_t start = (reader->used + 7) & ~(size_t)7;
    if (!reader->block || start > reader->block->size || size > reader->block->size - start) {
        routable_typed_block *block;
        size_t wanted = reader->block ? reader->block->size * 2 : 4096;
        start = (sizeof *block + 7) & ~(size_t)7;
        if (size > reader->budget) {
            reader->is_over = 1;
            return NULL;
        }
        if (wanted > reader->budget)
            wanted = reader->budget;
        if (wanted < size)
            wanted = size;
        block = (routable_typed_block *)calloc(1, start + wanted);
        if (!block) {
            reader->is_over = 1;
            return NULL;
        }
        reader->budget -= wanted;
        block->before = reader->block;
        block->size = start + wanted;
        reader->block = block;
    }
    reader->used = start + size;
    return (char *)reader->block + start;
}

/* Copies a string, appends a NUL, and writes the copy as a routable_str to `target`.  Returns 0 if routable_typed_take
 * fails. */
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

/* An iterator over the elements or members of a value.  Each call of routable_json_children gets up to 8 of them. */
typedef struct routable_typed_walk {
    uint64_t container;
    uint64_t last;
    size_t left; /* children that the library has not returned yet */
    size_t index, count;
    routable_json_item items[8];
} routable_typed_walk;

/* Initializes `walk` to start at the first element or member of `item`. */
static inline void routable_typed_begin(routable_typed_walk *walk, const routable_json_item *item)
{
    walk->container = item->place;
    walk->last = ROUTABLE_JSON_NOWHERE;
    walk->left = item->count;
    walk->index = walk->count = 0;
}

/* Returns the next element or member; NULL after the last. */
static inline const routable_json_item *routable_typed_step(const routable_json_values *json, routable_typed_walk *walk)
{
    if (walk->index == walk->count) {
        if (walk->left == 0)
            return NULL;
        walk->count =
            routable_json_children(json, walk->container, walk->last, walk->items, sizeof walk->items / sizeof walk->items[0]);
        if (walk->count == 0)
            return NULL;
        walk->left = walk->left > walk->count ? walk->left - walk->count : 0;
        walk->last = walk->items[walk->count - 1].place;
        walk->index = 0;
    }
    return &walk->items[walk->index++];
}

/* Returns the value at a place (routable_json_value.h) as an item.  Place 0 is the whole document. */
static inline routable_json_item routable_typed_item(const routable_json_values *json, uint64_t place)
{
    routable_json_item item = ROUTABLE_JSON_ITEM_INIT;
    item.place = place;
    item.text = routable_json_text(json, place);
    item.kind = routable_json_kind_of(json, place);
    item.count = routable_json_count(json, place);
    return item;
}

/* Returns the contents of a string, without quotes and escapes. */
static inline routable_str routable_typed_string(const routable_json_values *json, const routable_json_item *item)
{
    routable_str text = item->text;
    if (!item->is_plain)
        return routable_json_string(json, item->place);
    text.ptr++; /* without the quotes */
    text.len -= 2;
    return text;
}

/* Reads an integer.  Returns 0 if the value is not an integer, or is out of range.  The range is that of an int64_t; for a
 * number with a fraction or an exponent, such as 1.0 or 1e2, the range is -2^53 to 2^53. */
static inline int routable_typed_integer(const routable_json_values *json, const routable_json_item *item, int64_t *out)
{
    double number;
    if (item->kind == ROUTABLE_JSON_INTEGER) {
        size_t is_negative = *item->text.ptr == '-';
        uint64_t digits = 0; /* never overflows: the integer fits in an int64_t */
        for (size_t index = is_negative; index < item->text.len; index++)
            digits = digits * 10 + (uint64_t)(item->text.ptr[index] - '0');
        digits = is_negative ? 0 - digits : digits;
        memcpy(out, &digits, sizeof digits);
        return 1;
    }
    /* 1.0 and 1e2 are integers, too. */
    number = item->kind == ROUTABLE_JSON_REAL ? routable_json_number(json, item->place) : 0.5;
    if (!(number >= -9007199254740992.0 && number <= 9007199254740992.0))
        return 0;
    *out = (int64_t)number;
    return (double)*out >= number && (double)*out <= number;
}

/* Returns whether a string is equal to the `length` bytes at `wanted`. */
static inline int routable_typed_is(routable_str text, const char *wanted, size_t length)
{
    return text.len == length && memcmp(text.ptr, wanted, length) == 0;
}

/* Finds the field with the name `key`; returns NULL if there is none.  Tries the field at `*index` first, because members usually
 * have the order of the fields; `*name` must be the name of this field.  If the field is found, `*index` and `*name` are set to
 * the next field. */
static inline const routable_typed_field *routable_typed_find(
    const routable_typed_shape *shape, routable_str key, uint32_t *index, const char **name)
{
    uint32_t place = *index;
    const char *at = *name;
    for (uint32_t count = 0; count < shape->count; count++) {
        size_t same = 0;
        if (place >= shape->count) {
            place = 0;
            at = shape->names;
        }
        while (same < key.len && at[same] == key.ptr[same] && at[same])
            same++;
        at += same;
        if (same == key.len && !*at) {
            *index = place + 1;
            *name = at + 1;
            return &shape->fields[place];
        }
        at += strlen(at) + 1;
        place++;
    }
    return NULL;
}

/* Returns whether a value matches a kind, without checking its elements or members. */
static inline int routable_typed_looks(const routable_json_values *json, const routable_json_item *item, routable_typed_kind kind)
{
    routable_json_kind is = item->kind;
    int64_t integer;
    if (kind & ROUTABLE_TYPED_LIST)
        return is == ((kind & ROUTABLE_TYPED_MAP) == ROUTABLE_TYPED_MAP ? ROUTABLE_JSON_OBJECT : ROUTABLE_JSON_ARRAY);
    switch (kind) {
    case ROUTABLE_TYPED_STRING: return is == ROUTABLE_JSON_STRING;
    case ROUTABLE_TYPED_INTEGER: return routable_typed_integer(json, item, &integer);
    case ROUTABLE_TYPED_NUMBER: return is >= ROUTABLE_JSON_INTEGER && is <= ROUTABLE_JSON_WIDE;
    case ROUTABLE_TYPED_BOOLEAN: return is == ROUTABLE_JSON_BOOLEAN;
    case ROUTABLE_TYPED_RECORD: return is == ROUTABLE_JSON_OBJECT;
    default: return 1;
    }
}

static inline int routable_typed_fits(
    const routable_json_values *json, const routable_json_item *item, routable_typed_kind kind, const routable_typed_shape *shape,
    int exactly, int depth);

/* Returns whether an object has the required members of a record, and whether each of its members for which the record has a
 * field matches the kind of this field.  Elements and members of these values are not checked.  If `exactly` is not 0, the
 * record must have a field for each member of the object. */
static inline int routable_typed_fits_record(
    const routable_json_values *json, const routable_json_item *item, const routable_typed_shape *shape, int exactly)
{
    routable_typed_walk walk;
    const routable_json_item *member;
    uint32_t index = 0, required = 0, found = 0;
    const char *name = shape->names;
    routable_typed_begin(&walk, item);
    for (uint32_t each = 0; each < shape->count; each++)
        required += shape->fields[each].flags >> 7;
    while ((member = routable_typed_step(json, &walk)) != NULL) {
        const routable_typed_field *field = routable_typed_find(shape, member->key, &index, &name);
        if (!field && exactly)
            return 0;
        if (!field)
            continue;
        if (!routable_typed_looks(json, member, field->kind) && !((field->flags & 1) && member->kind == ROUTABLE_JSON_NULL))
            return 0;
        found += field->flags >> 7;
    }
    return found >= required;
}

/* Returns whether a value matches a kind.  Checks the members of a record and the first element of a list, but no value of a
 * map and nothing below 8 levels. */
static inline int routable_typed_fits(
    const routable_json_values *json, const routable_json_item *item, routable_typed_kind kind, const routable_typed_shape *shape,
    int exactly, int depth)
{
    if (!routable_typed_looks(json, item, kind))
        return 0;
    if (!shape || depth > 8)
        return 1;
    if (kind & ROUTABLE_TYPED_LIST) {
        routable_json_item first;
        if (shape->form == ROUTABLE_TYPED_ENTRY || !routable_json_children(json, item->place, ROUTABLE_JSON_NOWHERE, &first, 1))
            return 1;
        return routable_typed_fits(json, &first, kind & 7, shape, exactly, depth + 1);
    }
    if (shape->form == ROUTABLE_TYPED_VALUE)
        return routable_typed_fits(json, item, shape->fields->kind, routable_typed_inner(shape, shape->fields), exactly, depth + 1);
    if (shape->form == ROUTABLE_TYPED_OPTIONS) {
        for (uint32_t each = 0; each < shape->count; each++)
            if (routable_typed_fits(
                    json, item, shape->fields[each].kind, routable_typed_inner(shape, &shape->fields[each]), exactly, depth + 1))
                return 1;
        return 0;
    }
    return routable_typed_fits_record(json, item, shape, exactly);
}

/* Returns whether an object has a discriminator that is a string.  If the discriminator selects an option of the union, writes
 * the number of the option, from 1, to `*option`. */
static inline int routable_typed_told(
    const routable_json_values *json, const routable_json_item *item, const routable_typed_tell *tell, uint32_t *option)
{
    routable_typed_walk walk;
    const routable_json_item *member;
    const char *value = tell->values;
    routable_str text = { NULL, 0 };
    size_t length = strlen(tell->member);
    routable_typed_begin(&walk, item);
    while ((member = routable_typed_step(json, &walk)) != NULL)
        if (routable_typed_is(member->key, tell->member, length)) {
            if (member->kind == ROUTABLE_JSON_STRING)
                text = routable_typed_string(json, member);
            break;
        }
    for (uint32_t each = 0; text.ptr && each < tell->count; each++) {
        length = strlen(value);
        if (routable_typed_is(text, value, length)) {
            *option = (uint32_t)tell->options[each] + 1;
            break;
        }
        value += length + 1;
    }
    return text.ptr != NULL;
}

/* Returns the number of the option of a union for a value, from 1; 0 if none matches.  The option is selected before the value
 * is read, so that no value is read twice.  If the value has a discriminator, only the discriminator selects the option.
 * Otherwise, the function selects the first option that matches the value and has a field for each member of the value or, if
 * there is none, the first option that matches. */
static inline uint32_t routable_typed_option(
    const routable_json_values *json, const routable_json_item *item, const routable_typed_shape *shape)
{
    uint32_t option = 0;
    if (shape->tell && item->kind == ROUTABLE_JSON_OBJECT && routable_typed_told(json, item, shape->tell, &option))
        return option;
    for (int exactly = 1; exactly >= 0; exactly--)
        for (uint32_t each = 0; each < shape->count; each++)
            if (routable_typed_fits(
                    json, item, shape->fields[each].kind, routable_typed_inner(shape, &shape->fields[each]), exactly, 0))
                return each + 1;
    return option;
}

/* This function and the following ones return 1 on success.  They return 0 if the JSON does not have the expected kind, has an
 * integer out of range, lacks a required member, is nested too deeply (ROUTABLE_TYPED_DEPTH), or requires too much memory. */
static inline int routable_typed_get_value(
    routable_typed_reader *reader, const routable_json_item *item, routable_typed_kind kind, const routable_typed_shape *shape,
    char *target);

/* Reads the value of a field.  A lenient reader marks a value of another type as absent, if the field can be absent. */
static inline int routable_typed_get_field(
    routable_typed_reader *reader, const routable_json_item *item, const routable_typed_shape *shape,
    const routable_typed_field *field, char *record)
{
    char *target = record + field->offset;
    if (field->flags & 1) {
        routable_presence is = ROUTABLE_PRESENT;
        if (field->kind != ROUTABLE_TYPED_JSON && item->kind == ROUTABLE_JSON_NULL)
            is = ROUTABLE_IS_NULL;
        memcpy(target, &is, sizeof is);
        if (is == ROUTABLE_IS_NULL)
            return 1;
        target += routable_typed_value_offset(field->kind);
        if (reader->is_lenient) {
            int depth = reader->depth;
            if (routable_typed_get_value(reader, item, field->kind, routable_typed_inner(shape, field), target))
                return 1;
            if (reader->is_over)
                return 0;
            reader->depth = depth;
            is = ROUTABLE_ABSENT;
            memcpy(record + field->offset, &is, sizeof is);
            return 1;
        }
    }
    return routable_typed_get_value(reader, item, field->kind, routable_typed_inner(shape, field), target);
}

/* Reads the members of an object into `record`, which must be zeroed. */
static inline int routable_typed_get_members(
    routable_typed_reader *reader, const routable_json_item *item, const routable_typed_shape *shape, char *record)
{
    uint32_t seen[32]; /* one bit for each of the first 1024 fields */
    uint32_t index = 0;
    const char *name = shape->names;
    routable_typed_walk walk;
    const routable_json_item *member;
    memset(seen, 0, shape->count < 1024 ? (shape->count / 32 + 1) * sizeof *seen : sizeof seen);
    routable_typed_begin(&walk, item);
    while ((member = routable_typed_step(reader->json, &walk)) != NULL) {
        const routable_typed_field *field = routable_typed_find(shape, member->key, &index, &name);
        if (!field)
            continue;
        if (!routable_typed_get_field(reader, member, shape, field, record))
            return 0;
        if (index <= 1024)
            seen[(index - 1) >> 5] |= (uint32_t)1 << ((index - 1) & 31);
    }
    for (index = 0; index < shape->count && index < 1024; index++)
        if (!(shape->fields[index].flags & 1) && !(seen[index >> 5] >> (index & 31) & 1))
            return 0;
    return 1;
}

/* Reads a union: the tag and the option.  If no option matches, or if the selected option cannot be read, the tag is 0 and the
 * union contains the JSON. */
static inline int routable_typed_get_union(
    routable_typed_reader *reader, const routable_json_item *item, const routable_typed_shape *shape, char *target)
{
    uint32_t option = routable_typed_option(reader->json, item, shape);
    int depth = reader->depth;
    if (!option || !routable_typed_get_field(reader, item, shape, &shape->fields[option - 1], target)) {
        reader->depth = depth;
        option = 0;
        if (!routable_typed_keep(reader, item->text, target + shape->fields->offset))
            return 0;
    }
    memcpy(target, &option, sizeof option);
    return 1;
}

/* Reads an object, a union or a single value into the memory that `record` points to. */
static inline int routable_typed_get_record(
    routable_typed_reader *reader, const routable_json_item *item, const routable_typed_shape *shape, char *record)
{
    int is_read;
    if (reader->depth >= ROUTABLE_TYPED_DEPTH) {
        reader->is_over = 1;
        return 0;
    }
    reader->depth++;
    if (shape->form == ROUTABLE_TYPED_VALUE)
        is_read = routable_typed_get_field(reader, item, shape, shape->fields, record);
    else if (shape->form == ROUTABLE_TYPED_OPTIONS)
        is_read = routable_typed_get_union(reader, item, shape, record);
    else
        is_read = item->kind == ROUTABLE_JSON_OBJECT && routable_typed_get_members(reader, item, shape, record);
    reader->depth--;
    return is_read;
}

/* Reads a list or a map. */
static inline int routable_typed_get_list(
    routable_typed_reader *reader, const routable_json_item *value, routable_typed_kind kind, const routable_typed_shape *shape,
    char *target)
{
    int is_map = (kind & ROUTABLE_TYPED_MAP) == ROUTABLE_TYPED_MAP;
    size_t size = routable_typed_item_size(kind, shape);
    routable_typed_any_list list;
    routable_typed_walk walk;
    const routable_json_item *element;
    char *item;
    if (reader->depth >= ROUTABLE_TYPED_DEPTH)
        reader->is_over = 1;
    if (!routable_typed_looks(reader->json, value, kind) || reader->is_over)
        return 0;
    routable_typed_begin(&walk, value);
    if (value->count > SIZE_MAX / 2 / (size + 1))
        return 0;
    item = (char *)routable_typed_take(reader, value->count * size);
    if (!item)
        return 0;
    list.items = item;
    list.count = 0;
    reader->depth++;
    while ((element = routable_typed_step(reader->json, &walk)) != NULL) {
        if (is_map) {
            if (!routable_typed_keep(reader, element->key, item) ||
                !routable_typed_get_field(reader, element, shape, &shape->fields[1], item))
                return 0;
        } else if ((kind & 7) >= ROUTABLE_TYPED_RECORD) {
            if (!routable_typed_get_record(reader, element, shape, item))
                return 0;
        } else if (!routable_typed_get_value(reader, element, kind & 7, shape, item)) {
            return 0;
        }
        item += size;
        list.count++;
    }
    reader->depth--;
    memcpy(target, &list, sizeof list);
    return 1;
}

/* Reads a value into `target`. */
static inline int routable_typed_get_value(
    routable_typed_reader *reader, const routable_json_item *item, routable_typed_kind kind, const routable_typed_shape *shape,
    char *target)
{
    if (kind & ROUTABLE_TYPED_LIST)
        return routable_typed_get_list(reader, item, kind, shape, target);
    if (kind == ROUTABLE_TYPED_JSON)
        return routable_typed_keep(reader, item->text, target);
    if (kind >= ROUTABLE_TYPED_RECORD) {
        char *record = (char *)routable_typed_take(reader, shape->size);
        if (!record)
            return 0;
        memcpy(target, &record, sizeof record);
        return routable_typed_get_record(reader, item, shape, record);
    }
    if (kind == ROUTABLE_TYPED_INTEGER) {
        int64_t integer;
        if (!routable_typed_integer(reader->json, item, &integer))
            return 0;
        memcpy(target, &integer, sizeof integer);
        return 1;
    }
    if (!routable_typed_looks(reader->json, item, kind))
        return 0;
    if (kind == ROUTABLE_TYPED_STRING)
        return routable_typed_keep(reader, routable_typed_string(reader->json, item), target);
    if (kind == ROUTABLE_TYPED_NUMBER) {
        double number = routable_json_number(reader->json, item->place);
        memcpy(target, &number, sizeof number);
    } else {
        bool truth = *item->text.ptr == 't';
        memcpy(target, &truth, sizeof truth);
    }
    return 1;
}

/* Reads a JSON document.  `*value` points to the value, the record or the union, which is stored in `*memory`.  The caller must
 * free `*memory` with routable_typed_free.  If `is_lenient` is not 0, a member of a record that can be absent or null is absent
 * if it does not have its type.  On failure, the function returns 0, and both are NULL. */
static inline int routable_typed_read(
    const routable_json_values *json, routable_typed_kind kind, const routable_typed_shape *shape, int is_lenient,
    const void **value, void **memory)
{
    int is_inside = kind == ROUTABLE_TYPED_RECORD || kind == ROUTABLE_TYPED_UNION;
    routable_json_item root = routable_typed_item(json, 0);
    size_t length = root.text.len;
    routable_typed_reader reader;
    char *target;
    int is_read;
    memset(&reader, 0, sizeof reader);
    reader.json = json;
    reader.is_lenient = is_lenient;
    reader.budget = ROUTABLE_TYPED_MEMORY + (length < SIZE_MAX / 128 ? length * 64 : SIZE_MAX / 2);
    target = (char *)routable_typed_take(&reader, is_inside ? shape->size : sizeof(routable_typed_any_list));
    is_read = target && (is_inside ? routable_typed_get_record(&reader, &root, shape, target)
                                   : routable_typed_get_value(&reader, &root, kind, shape, target));
    if (!is_read)
        routable_typed_free(reader.block);
    *value = is_read ? target : NULL;
    *memory = is_read ? reader.block : NULL;
    return is_read;
}

/* Reads the body of a response, like routable_typed_read; lenient if the response deviates from its description.  Also returns 0
 * if the body is not JSON. */
static inline int routable_typed_read_body(
    const routable_response *response, routable_typed_kind kind, const routable_typed_shape *shape, const void **value, void **memory)
{
    routable_json_values *json = NULL;
    int is_read = 0;
    *value = NULL;
    *memory = NULL;
    if (routable_response_json_value(response, &json, NULL) == ROUTABLE_OK)
        is_read =
            routable_typed_read(json, kind, shape, routable_response_deviation_count(response) > 0, value, memory);
    routable_json_values_free(json);
    return is_read;
}

#ifdef __cplusplus
}
#endif
#endif
