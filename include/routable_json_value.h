/* routable_json_value.h - reads values from the JSON of a response, or of any bytes (docs/json-values.md).
 *
 *     routable_json_values *json = NULL;
 *     if (routable_response_json_value(response, &json, &error) == ROUTABLE_OK) {
 *         uint64_t labels = routable_json_at(json, ROUTABLE_STR("/0/labels")), label = ROUTABLE_JSON_NOWHERE;
 *         while ((label = routable_json_next(json, labels, label)) != ROUTABLE_JSON_NOWHERE)
 *             use(routable_json_string(json, routable_json_member(json, label, ROUTABLE_STR("name"))));
 *     }
 *     routable_json_values_free(json);
 *
 * Each value is identified by a number, its place; place 0 is the whole document.  A place is valid only for the
 * routable_json_values that returned it.  Values are decoded on access and do not have to be freed.  If several members of an
 * object have the same key, only the last of these members is returned and counted.  For ROUTABLE_JSON_NOWHERE and for invalid
 * places, functions return 0, the empty string, ROUTABLE_JSON_NOWHERE or ROUTABLE_NONE.
 * The other conventions are those of routable.h.
 */
#ifndef ROUTABLE_JSON_VALUE_H
#define ROUTABLE_JSON_VALUE_H

#include "routable_response.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A parsed JSON document.  Immutable; any number of threads may read it. */
typedef struct routable_json_values routable_json_values;
/* The place of no value: for example, of a member that an object does not have. */
#define ROUTABLE_JSON_NOWHERE UINT64_MAX

/* The kind of a value. */
typedef ROUTABLE_ENUM(routable_json_kind) {
    ROUTABLE_JSON_NONE = 0,    /* no value: ROUTABLE_JSON_NOWHERE */
    ROUTABLE_JSON_NULL = 1,
    ROUTABLE_JSON_BOOLEAN = 2,
    ROUTABLE_JSON_INTEGER = 3, /* a number without a fraction or an exponent that fits in an int64_t */
    ROUTABLE_JSON_REAL = 4,    /* a number with a fraction or an exponent, within the range of a double; its value may be rounded */
    ROUTABLE_JSON_WIDE = 5,    /* any other number, such as 1e400 or 9223372036854775808; routable_json_text returns its digits */
    ROUTABLE_JSON_STRING = 6,
    ROUTABLE_JSON_ARRAY = 7,
    ROUTABLE_JSON_OBJECT = 8
} routable_json_kind;

/* Parses a copy of the JSON.  Statuses: JSON (with offset, line and column), LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_json_values_read(
    const char *json, size_t length, routable_json_values **out, routable_error **error);
/* Parses the body of a response.  The body is not copied: `*out` holds a reference to it.  Statuses: JSON, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_response_json_value(
    const routable_response *response, routable_json_values **out, routable_error **error);
/* Frees the document; strings that were borrowed from it are then no longer valid. */
ROUTABLE_API void routable_json_values_free(routable_json_values *json);

/* The kind of a value. */
ROUTABLE_API routable_json_kind routable_json_kind_of(const routable_json_values *json, uint64_t place);
/* The number of elements of an array, or members of an object; 0 for a value of another kind. */
ROUTABLE_API size_t routable_json_count(const routable_json_values *json, uint64_t place);

/* Returns the element or member of `container` after `child`, in document order; the first one if `child` is
 * ROUTABLE_JSON_NOWHERE.  Returns ROUTABLE_JSON_NOWHERE after the last one, and if `container` is not an array or object. */
ROUTABLE_API uint64_t routable_json_next(
    const routable_json_values *json, uint64_t container, uint64_t child);
/* One element or member.  Frozen. */
typedef struct routable_json_item {
    uint64_t place;
    routable_str key;  /* the result of routable_json_key */
    routable_str text; /* the result of routable_json_text */
    routable_json_kind kind;
    int32_t is_plain; /* 1 for a string without escapes, whose contents are `text` without the quotes; otherwise 0 */
    size_t count;     /* the result of routable_json_count */
} routable_json_item;
#define ROUTABLE_JSON_ITEM_INIT { 0, { NULL, 0 }, { NULL, 0 }, ROUTABLE_JSON_NONE, 0, 0 }
/* Writes up to `capacity` elements or members of `container` to `items`, and returns their number: those after `child`, or the
 * first ones if `child` is ROUTABLE_JSON_NOWHERE.  If the number is less than `capacity`, no more elements or members follow.
 * Returns 0 if `container` is not an array or object.  One call is several times as fast as calls of
 * routable_json_next, routable_json_key and routable_json_text for each element or member. */
ROUTABLE_API size_t routable_json_children(
    const routable_json_values *json, uint64_t container, uint64_t child, routable_json_item *items, size_t capacity);
/* The key, if the place is a member of an object; otherwise empty.  Not NUL-terminated. */
ROUTABLE_API routable_str routable_json_key(const routable_json_values *json, uint64_t member);
/* The member with a name, the element at an index, and the value at a JSON pointer (RFC 6901); ROUTABLE_JSON_NOWHERE if there
 * is no such value, or if `object` is not an object or `array` is not an array.  Each call scans the container from its
 * beginning; routable_json_at scans each container on the path. */
ROUTABLE_API uint64_t routable_json_member(
    const routable_json_values *json, uint64_t object, routable_str name);
ROUTABLE_API uint64_t routable_json_element(
    const routable_json_values *json, uint64_t array, size_t index);
ROUTABLE_API uint64_t routable_json_at(const routable_json_values *json, routable_str pointer);

/* 1 for true; 0 for false and for a value of another kind. */
ROUTABLE_API int32_t routable_json_boolean(const routable_json_values *json, uint64_t place);
/* The value of an integer; 0 for a value of another kind. */
ROUTABLE_API int64_t routable_json_integer(const routable_json_values *json, uint64_t place);
/* The value of any number as a double, rounded, or infinite if it is too large; 0 for a value of another kind. */
ROUTABLE_API double routable_json_number(const routable_json_values *json, uint64_t place);
/* The contents of a string; empty for a value of another kind.  Not NUL-terminated.  A string with escapes is decoded and
 * copied on first use. */
ROUTABLE_API routable_str routable_json_string(const routable_json_values *json, uint64_t place);
/* The JSON of the value, with its quotes, escapes and digits.  Not NUL-terminated. */
ROUTABLE_API routable_str routable_json_text(const routable_json_values *json, uint64_t place);
/* The byte offset of the value in the JSON; ROUTABLE_NONE for ROUTABLE_JSON_NOWHERE. */
ROUTABLE_API int64_t routable_json_offset(const routable_json_values *json, uint64_t place);

#ifdef __cplusplus
}
#endif
#endif
