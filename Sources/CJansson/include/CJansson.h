/* CJansson.h - jansson for Swift: one typed function for each macro, and the tree as one opaque type.
 *
 * A `cjansson_value *` is a `json_t *`.  Unless a function states otherwise, it is borrowed: it is valid as long as the value that
 * it belongs to, and reading it changes no reference count, so any number of threads may read one tree. */
#ifndef ROUTABLE_CJANSSON_H
#define ROUTABLE_CJANSSON_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Opaque to Swift. */
typedef struct cjansson_value cjansson_value;

enum {
    CJANSSON_NULL = 0,
    CJANSSON_FALSE = 1,
    CJANSSON_TRUE = 2,
    CJANSSON_INTEGER = 3,
    CJANSSON_REAL = 4,
    CJANSSON_STRING = 5,
    CJANSSON_ARRAY = 6,
    CJANSSON_OBJECT = 7
};

#define CJANSSON_JSON(value) ((const json_t *)(value))
#define CJANSSON_MUTABLE(value) ((json_t *)(uintptr_t)(value))

static inline int32_t cjansson_kind(const cjansson_value *_Nonnull value)
{
    switch (json_typeof(CJANSSON_JSON(value))) {
    case JSON_FALSE: return CJANSSON_FALSE;
    case JSON_TRUE: return CJANSSON_TRUE;
    case JSON_INTEGER: return CJANSSON_INTEGER;
    case JSON_REAL: return CJANSSON_REAL;
    case JSON_STRING: return CJANSSON_STRING;
    case JSON_ARRAY: return CJANSSON_ARRAY;
    case JSON_OBJECT: return CJANSSON_OBJECT;
    default: return CJANSSON_NULL;
    }
}

/* --- Scalars: a neutral value if the kind is different --- */

static inline int64_t cjansson_integer(const cjansson_value *_Nonnull value)
{
    return json_integer_value(CJANSSON_JSON(value));
}

static inline double cjansson_real(const cjansson_value *_Nonnull value)
{
    return json_real_value(CJANSSON_JSON(value));
}

static inline const char *_Nullable cjansson_string(const cjansson_value *_Nonnull value)
{
    return json_string_value(CJANSSON_JSON(value));
}

static inline size_t cjansson_string_length(const cjansson_value *_Nonnull value)
{
    return json_string_length(CJANSSON_JSON(value));
}

/* --- Arrays --- */

static inline const cjansson_value *_Nullable cjansson_array_at(const cjansson_value *_Nonnull value, size_t index)
{
    return (const cjansson_value *)json_array_get(CJANSSON_JSON(value), index);
}

/* --- Objects: members in insertion order --- */

/* The functions of json_object_foreach: iterate from the first member to NULL. */
static inline void *_Nullable cjansson_member_first(const cjansson_value *_Nonnull value)
{
    return json_object_iter(CJANSSON_MUTABLE(value));
}

static inline void *_Nullable cjansson_member_next(const cjansson_value *_Nonnull value, void *_Nonnull member)
{
    return json_object_iter_next(CJANSSON_MUTABLE(value), member);
}

static inline const char *_Nullable cjansson_member_key(void *_Nonnull member)
{
    return json_object_iter_key(member);
}

static inline size_t cjansson_member_key_length(void *_Nonnull member) { return json_object_iter_key_len(member); }

static inline const cjansson_value *_Nullable cjansson_member_value(void *_Nonnull member)
{
    return (const cjansson_value *)json_object_iter_value(member);
}

/* --- Creating and freeing --- */

/* Parses any JSON value without duplicate keys.  Owned; NULL if jansson rejects the text. */
static inline cjansson_value *_Nullable cjansson_parse(const void *_Nonnull text, size_t length)
{
    json_error_t error;
    return (cjansson_value *)json_loadb(
        (const char *)text, length, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
}

/* Owned; jansson counts no references to it. */
static inline cjansson_value *_Nonnull cjansson_null(void) { return (cjansson_value *)json_null(); }

/* Owned; NULL if memory cannot be allocated. */
static inline cjansson_value *_Nullable cjansson_new_array(void) { return (cjansson_value *)json_array(); }

static inline cjansson_value *_Nullable cjansson_new_object(void) { return (cjansson_value *)json_object(); }

/* Both functions take over `value`, even on failure; not 0 if memory cannot be allocated. */
static inline int32_t cjansson_append(cjansson_value *_Nonnull array, cjansson_value *_Nonnull value)
{
    return json_array_append_new((json_t *)array, (json_t *)value);
}

static inline int32_t cjansson_set(
    cjansson_value *_Nonnull object, const void *_Nonnull key, size_t length, cjansson_value *_Nonnull value)
{
    return json_object_setn_new_nocheck((json_t *)object, (const char *)key, length, (json_t *)value);
}

static inline cjansson_value *_Nullable cjansson_new_integer(int64_t number)
{
    return (cjansson_value *)json_integer(number);
}

static inline cjansson_value *_Nullable cjansson_new_real(double number) { return (cjansson_value *)json_real(number); }

static inline cjansson_value *_Nullable cjansson_new_string(const void *_Nullable text, size_t length)
{
    return (cjansson_value *)json_stringn_nocheck(text ? (const char *)text : "", length);
}

static inline cjansson_value *_Nonnull cjansson_boolean(int32_t truth)
{
    return (cjansson_value *)(truth ? json_true() : json_false());
}

/* Releases an owned value. */
static inline void cjansson_free(cjansson_value *_Nonnull value) { json_decref((json_t *)value); }

#endif
