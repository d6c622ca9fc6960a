/* routable_typed_values.h - optional values and lists in generated structs, and the inputs of operations without declared types.
 *
 * The structs are frozen.  No function that the library exports has a parameter of these types.  The other conventions are
 * those of routable.h.
 */
#ifndef ROUTABLE_TYPED_VALUES_H
#define ROUTABLE_TYPED_VALUES_H

#include "routable.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Values that may be absent or null, and lists
 */

typedef ROUTABLE_ENUM(routable_presence) {
    ROUTABLE_ABSENT = 0,  /* the member or the parameter is omitted */
    ROUTABLE_PRESENT = 1, /* `value` is set */
    ROUTABLE_IS_NULL = 2  /* the member has the value null; a parameter is omitted */
} routable_presence;

/* A JSON value in serialized form. */
typedef struct routable_json { routable_str text; } routable_json;
#define ROUTABLE_JSON_INIT { { NULL, 0 } }

/* A value that may be absent or null; absent if the struct is zeroed. */
typedef struct routable_maybe_string { routable_presence is; routable_str value; } routable_maybe_string;
typedef struct routable_maybe_integer { routable_presence is; int64_t value; } routable_maybe_integer;
typedef struct routable_maybe_number { routable_presence is; double value; } routable_maybe_number;
typedef struct routable_maybe_boolean { routable_presence is; bool value; } routable_maybe_boolean;
typedef struct routable_maybe_json { routable_presence is; routable_json value; } routable_maybe_json;
#define ROUTABLE_MAYBE_STRING_INIT { ROUTABLE_ABSENT, { NULL, 0 } }
#define ROUTABLE_MAYBE_INTEGER_INIT { ROUTABLE_ABSENT, 0 }
#define ROUTABLE_MAYBE_NUMBER_INIT { ROUTABLE_ABSENT, 0 }
#define ROUTABLE_MAYBE_BOOLEAN_INIT { ROUTABLE_ABSENT, false }
#define ROUTABLE_MAYBE_JSON_INIT { ROUTABLE_ABSENT, ROUTABLE_JSON_INIT }

/* A list that borrows its values.  A list in a result is valid as long as the result. */
typedef struct routable_string_list { size_t count; const routable_str *items; } routable_string_list;
typedef struct routable_integer_list { size_t count; const int64_t *items; } routable_integer_list;
typedef struct routable_number_list { size_t count; const double *items; } routable_number_list;
typedef struct routable_boolean_list { size_t count; const bool *items; } routable_boolean_list;
typedef struct routable_json_list { size_t count; const routable_json *items; } routable_json_list;
#define ROUTABLE_STRING_LIST_INIT { 0, NULL }
#define ROUTABLE_INTEGER_LIST_INIT { 0, NULL }
#define ROUTABLE_NUMBER_LIST_INIT { 0, NULL }
#define ROUTABLE_BOOLEAN_LIST_INIT { 0, NULL }
#define ROUTABLE_JSON_LIST_INIT { 0, NULL }

/* A list that may be absent or null; absent if the struct is zeroed. */
typedef struct routable_maybe_string_list { routable_presence is; routable_string_list value; } routable_maybe_string_list;
typedef struct routable_maybe_integer_list { routable_presence is; routable_integer_list value; } routable_maybe_integer_list;
typedef struct routable_maybe_number_list { routable_presence is; routable_number_list value; } routable_maybe_number_list;
typedef struct routable_maybe_boolean_list { routable_presence is; routable_boolean_list value; } routable_maybe_boolean_list;
typedef struct routable_maybe_json_list { routable_presence is; routable_json_list value; } routable_maybe_json_list;
#define ROUTABLE_MAYBE_STRING_LIST_INIT { ROUTABLE_ABSENT, ROUTABLE_STRING_LIST_INIT }
#define ROUTABLE_MAYBE_INTEGER_LIST_INIT { ROUTABLE_ABSENT, ROUTABLE_INTEGER_LIST_INIT }
#define ROUTABLE_MAYBE_NUMBER_LIST_INIT { ROUTABLE_ABSENT, ROUTABLE_NUMBER_LIST_INIT }
#define ROUTABLE_MAYBE_BOOLEAN_LIST_INIT { ROUTABLE_ABSENT, ROUTABLE_BOOLEAN_LIST_INIT }
#define ROUTABLE_MAYBE_JSON_LIST_INIT { ROUTABLE_ABSENT, ROUTABLE_JSON_LIST_INIT }

/* Returns a routable_json that borrows NUL-terminated JSON. */
static inline routable_json routable_json_from(const char *json)
{
    routable_json result;
    result.text = routable_str_from(json);
    return result;
}

/* A present, NUL-terminated string, which is borrowed; empty for NULL. */
static inline routable_maybe_string routable_some_string(const char *string)
{
    routable_maybe_string result;
    result.is = ROUTABLE_PRESENT;
    result.value = routable_str_from(string);
    return result;
}

/* A present value. */
static inline routable_maybe_integer routable_some_integer(int64_t value)
{
    routable_maybe_integer result;
    result.is = ROUTABLE_PRESENT;
    result.value = value;
    return result;
}

/* A present value. */
static inline routable_maybe_number routable_some_number(double value)
{
    routable_maybe_number result;
    result.is = ROUTABLE_PRESENT;
    result.value = value;
    return result;
}

/* A present value. */
static inline routable_maybe_boolean routable_some_boolean(bool value)
{
    routable_maybe_boolean result;
    result.is = ROUTABLE_PRESENT;
    result.value = value;
    return result;
}

/* A present JSON value, which is borrowed. */
static inline routable_maybe_json routable_some_json(const char *json)
{
    routable_maybe_json result;
    result.is = ROUTABLE_PRESENT;
    result.value = routable_json_from(json);
    return result;
}

/* The value null. */
static inline routable_maybe_string routable_null_string(void)
{
    routable_maybe_string result = routable_some_string("");
    result.is = ROUTABLE_IS_NULL;
    return result;
}

/* The value null. */
static inline routable_maybe_integer routable_null_integer(void)
{
    routable_maybe_integer result = routable_some_integer(0);
    result.is = ROUTABLE_IS_NULL;
    return result;
}

/* The value null. */
static inline routable_maybe_number routable_null_number(void)
{
    routable_maybe_number result = routable_some_number(0);
    result.is = ROUTABLE_IS_NULL;
    return result;
}

/* The value null. */
static inline routable_maybe_boolean routable_null_boolean(void)
{
    routable_maybe_boolean result = routable_some_boolean(false);
    result.is = ROUTABLE_IS_NULL;
    return result;
}

/* ------------------------------------------------------------------------------------------------
 * Errors of the service
 */

/* The result of reading the body of an error response with its declared type. */
typedef ROUTABLE_ENUM(routable_error_body) {
    ROUTABLE_ERROR_BODY_NONE = 0,  /* there is no response, or no type is declared for its status */
    ROUTABLE_ERROR_BODY_TYPED = 1, /* the body has the type that is declared for the status */
    ROUTABLE_ERROR_BODY_MISFIT = 2 /* the body is empty or does not have this type; routable_response_reason may state why */
} routable_error_body;

/* ------------------------------------------------------------------------------------------------
 * Input and output of operations without declared types
 */

/* Undeclared parameters, a body, or both.  The encoding and the method of the operation determine whether the library writes
 * the parameters to the query or to the body.  Frozen. */
typedef struct routable_open_input {
    const routable_argument *parameters; /* a pointer with a count of 0 is an empty form; NULL: none */
    size_t parameter_count;
    routable_value body;
    const char *content_type; /* as in routable_call */
} routable_open_input;
#define ROUTABLE_OPEN_INPUT_INIT { NULL, 0, ROUTABLE_VALUE_INIT, NULL }

/* Returns an input that contains these undeclared parameters.  The array is not copied; it must remain valid as long as the
 * input is used. */
static inline routable_open_input routable_form_input(const routable_argument *parameters, size_t count)
{
    routable_open_input result;
    memset(&result, 0, sizeof result);
    result.parameters = parameters;
    result.parameter_count = count;
    return result;
}

/* Returns an input that contains this body.  `content_type` may be NULL, as in a routable_call.  The body and the content type
 * are not copied; both must remain valid as long as the input is used. */
static inline routable_open_input routable_body_input(routable_value body, const char *content_type)
{
    routable_open_input result;
    memset(&result, 0, sizeof result);
    result.body = body;
    result.content_type = content_type;
    return result;
}

#ifdef __cplusplus
}
#endif
#endif
