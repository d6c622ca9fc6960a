/* routable_json_value.h - reads the values of a JSON text (docs/json-values.md): of a response, or of any bytes.
 *
 *     routable_json_values *json = NULL;
 *     if (routable_response_json_value(response, &json, &error) == ROUTABLE_OK) {
 *         uint64_t labels = routable_json_at(json, ROUTABLE_STR("/0/labels")), label = ROUTABLE_JSON_NOWHERE;
 *         while ((label = routable_json_next(json, labels, label)) != ROUTABLE_JSON_NOWHERE)
 *             use(routable_json_string(json, routable_json_member(json, label, ROUTABLE_STR("name"))));
 *     }
 *     routable_json_values_free(json);
 *
 * A value is a place, a number: 0 is the value of the whole text.  No memory is allocated for it, and nothing is decoded
 * before it is asked for.  Of equal keys in one object the last one counts.  A number that is no place is as
 * ROUTABLE_JSON_NOWHERE, of which every function returns the neutral value.  The conventions are those of routable.h.
 */
#ifndef ROUTABLE_JSON_VALUE_H
#define ROUTABLE_JSON_VALUE_H

#include "routable_response.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A JSON text that has been read.  Immutable; any number of threads may read it. */
typedef struct routable_json_values routable_json_values;
/* Values are numbers, which mean nothing to another routable_json_values; this one is none. */
#define ROUTABLE_JSON_NOWHERE UINT64_MAX

typedef ROUTABLE_ENUM(routable_json_kind) {
    ROUTABLE_JSON_NONE = 0,    /* of ROUTABLE_JSON_NOWHERE */
    ROUTABLE_JSON_NULL = 1,
    ROUTABLE_JSON_BOOLEAN = 2,
    ROUTABLE_JSON_INTEGER = 3, /* 64 bits hold it */
    ROUTABLE_JSON_REAL = 4,    /* a double holds it, perhaps rounded */
    ROUTABLE_JSON_WIDE = 5,    /* a number beyond both: its text says it */
    ROUTABLE_JSON_STRING = 6,
    ROUTABLE_JSON_ARRAY = 7,
    ROUTABLE_JSON_OBJECT = 8
} routable_json_kind;

/* Reads a copy of a text.  Statuses: JSON (with offset, line and column), LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_json_values_read(
    const char *json, size_t length, routable_json_values **out, routable_error **error);
/* Reads the body of a response, which is not copied and lives as long as `*out`.  Statuses: JSON, LIMIT, ARGUMENT. */
ROUTABLE_API ROUTABLE_MUST_CHECK routable_status routable_response_json_value(
    const routable_response *response, routable_json_values **out, routable_error **error);
ROUTABLE_API void routable_json_values_free(routable_json_values *json);

/* What a value is. */
ROUTABLE_API routable_json_kind routable_json_kind_of(const routable_json_values *json, uint64_t place);
/* How many elements or members it has. */
ROUTABLE_API size_t routable_json_count(const routable_json_values *json, uint64_t place);

/* The element or member behind `child`, the first one for ROUTABLE_JSON_NOWHERE; NOWHERE behind the last.  In the order of
 * the text. */
ROUTABLE_API uint64_t routable_json_next(
    const routable_json_values *json, uint64_t container, uint64_t child);
/* The key of a member that routable_json_next returned; empty for anything else.  No NUL follows it. */
ROUTABLE_API routable_str routable_json_key(const routable_json_values *json, uint64_t member);
/* The member of that name, the element at that index, and what a JSON pointer (RFC 6901) leads to; NOWHERE when it is not
 * there.  Each looks at what stands before it. */
ROUTABLE_API uint64_t routable_json_member(
    const routable_json_values *json, uint64_t object, routable_str name);
ROUTABLE_API uint64_t routable_json_element(
    const routable_json_values *json, uint64_t array, size_t index);
ROUTABLE_API uint64_t routable_json_at(const routable_json_values *json, routable_str pointer);

/* 1 for true; 0 for anything else. */
ROUTABLE_API int32_t routable_json_boolean(const routable_json_values *json, uint64_t place);
/* An integer; 0 for anything else. */
ROUTABLE_API int64_t routable_json_integer(const routable_json_values *json, uint64_t place);
/* Any number, rounded to a double, infinite beyond one; 0 for anything else. */
ROUTABLE_API double routable_json_number(const routable_json_values *json, uint64_t place);
/* The characters of a string; empty for anything else.  No NUL follows them.  They are copied only where the string has
 * escapes, the first time. */
ROUTABLE_API routable_str routable_json_string(const routable_json_values *json, uint64_t place);
/* The value as it stands in the text, with its quotes, escapes and digits.  No NUL follows it. */
ROUTABLE_API routable_str routable_json_text(const routable_json_values *json, uint64_t place);
/* Where it begins in the text; ROUTABLE_NONE for NOWHERE. */
ROUTABLE_API int64_t routable_json_offset(const routable_json_values *json, uint64_t place);

#ifdef __cplusplus
}
#endif
#endif
