# Written by scripts/interface from include/routable_values.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_values.h, in its order."""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    Union,
    c_char,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_void_p,
)

from .function import _function

ROUTABLE_NONE = -1

ROUTABLE_NUL_TERMINATED = 18446744073709551615


# --------------------------------------------------------------------------------------------------
# Version

# uint32_t routable_version(void);
routable_version = _function("routable_version", c_uint32, [])

# const char *routable_version_string(void);
routable_version_string = _function("routable_version_string", c_char_p, [])


# --------------------------------------------------------------------------------------------------
# Memory

# void routable_set_memory_limit(size_t bytes);
routable_set_memory_limit = _function("routable_set_memory_limit", None, [c_size_t])

# size_t routable_memory_used(void);
routable_memory_used = _function("routable_memory_used", c_size_t, [])


# --------------------------------------------------------------------------------------------------
# Status: the result of a call. Values are never reused.

routable_status = c_int32
ROUTABLE_OK = 0
ROUTABLE_NO_MATCH = 1
ROUTABLE_METHOD_NOT_ALLOWED = 2
ROUTABLE_PENDING = 3
ROUTABLE_CANCELLED = 4
ROUTABLE_IDLE = 5
ROUTABLE_INTERRUPTED = 6
ROUTABLE_ERR_ARGUMENT = 16
ROUTABLE_ERR_BUFFER = 17
ROUTABLE_ERR_JSON = 18
ROUTABLE_ERR_DOCUMENT = 19
ROUTABLE_ERR_CONFLICT = 20
ROUTABLE_ERR_UNSUPPORTED = 21
ROUTABLE_ERR_FILE = 32
ROUTABLE_ERR_UNKNOWN = 22
ROUTABLE_ERR_NOT_ALLOWED = 23
ROUTABLE_ERR_ID = 24
ROUTABLE_ERR_VALUE = 25
ROUTABLE_ERR_SHADOWED = 26
ROUTABLE_ERR_PARAMETER = 27
ROUTABLE_ERR_BODY = 28
ROUTABLE_ERR_HEADER = 30
ROUTABLE_ERR_NO_CURL = 33
ROUTABLE_ERR_TRANSFER = 34
ROUTABLE_ERR_TIMEOUT = 35
ROUTABLE_ERR_TLS = 36
ROUTABLE_ERR_HTTP_STATUS = 37
ROUTABLE_ERR_RESPONSE = 38
ROUTABLE_ERR_CREDENTIAL = 39
ROUTABLE_ERR_EXCESSIVE_REFRESH = 42
ROUTABLE_ERR_URL = 29
ROUTABLE_ERR_LIMIT = 31
ROUTABLE_ERR_CALLBACK = 41
ROUTABLE_ERR_MEMORY = 43
ROUTABLE_ERR_INTERNAL = 40

# const char *routable_status_name(routable_status status);
routable_status_name = _function("routable_status_name", c_char_p, [routable_status])


# --------------------------------------------------------------------------------------------------
# Strings


class routable_str(Structure):
    """`typedef struct routable_str { ... } routable_str;`"""

    _fields_ = [
        ("ptr", POINTER(c_char)),
        ("len", c_size_t),
    ]


class routable_string(Structure):
    """`typedef struct routable_string { ... } routable_string;`"""

    _fields_ = [
        ("ptr", POINTER(c_char)),
        ("len", c_size_t),
    ]


# void routable_string_free(routable_string *string);
routable_string_free = _function("routable_string_free", None, [POINTER(routable_string)])

# typedef void (*routable_release_fn)(void *user_data);
routable_release_fn = CFUNCTYPE(None, c_void_p)


# --------------------------------------------------------------------------------------------------
# Values: for a path, a query, a header, a cookie or a body

routable_kind = c_int32
ROUTABLE_KIND_NULL = 0
ROUTABLE_KIND_BOOLEAN = 1
ROUTABLE_KIND_INTEGER = 2
ROUTABLE_KIND_REAL = 3
ROUTABLE_KIND_STRING = 4
ROUTABLE_KIND_JSON = 5


class routable_value_as(Union):
    """The union `as` of routable_value."""

    _fields_ = [("integer", c_int64), ("real", c_double), ("string", routable_str)]


class routable_value(Structure):
    """`typedef struct routable_value { ... } routable_value;`"""

    _fields_ = [
        ("kind", routable_kind),
        ("reserved", c_int32),
        ("as_", routable_value_as),
    ]


class routable_argument(Structure):
    """`typedef struct routable_argument { ... } routable_argument;`"""

    _fields_ = [
        ("name", c_char_p),
        ("value", routable_value),
    ]


class routable_header(Structure):
    """`typedef struct routable_header { ... } routable_header;`"""

    _fields_ = [
        ("name", routable_str),
        ("value", routable_str),
    ]


# --------------------------------------------------------------------------------------------------
# Errors: the reason, the position, and the allowed names. Immutable.


class routable_error(Structure):
    """`typedef struct routable_error routable_error;`"""


class routable_response(Structure):
    """`typedef struct routable_response routable_response;`"""


# routable_status routable_error_status(const routable_error *error);
routable_error_status = _function("routable_error_status", routable_status, [POINTER(routable_error)])

# routable_str routable_error_message(const routable_error *error);
routable_error_message = _function("routable_error_message", routable_str, [POINTER(routable_error)])

# routable_str routable_error_pointer(const routable_error *error);
routable_error_pointer = _function("routable_error_pointer", routable_str, [POINTER(routable_error)])

# routable_str routable_error_schema_pointer(const routable_error *error);
routable_error_schema_pointer = _function("routable_error_schema_pointer", routable_str, [POINTER(routable_error)])

# int64_t routable_error_offset(const routable_error *error);
routable_error_offset = _function("routable_error_offset", c_int64, [POINTER(routable_error)])

# size_t routable_error_line(const routable_error *error);
routable_error_line = _function("routable_error_line", c_size_t, [POINTER(routable_error)])

# size_t routable_error_column(const routable_error *error);
routable_error_column = _function("routable_error_column", c_size_t, [POINTER(routable_error)])

# routable_str routable_error_route(const routable_error *error);
routable_error_route = _function("routable_error_route", routable_str, [POINTER(routable_error)])

# routable_str routable_error_operation(const routable_error *error);
routable_error_operation = _function("routable_error_operation", routable_str, [POINTER(routable_error)])

# routable_str routable_error_parameter(const routable_error *error);
routable_error_parameter = _function("routable_error_parameter", routable_str, [POINTER(routable_error)])

# size_t routable_error_allowed_count(const routable_error *error);
routable_error_allowed_count = _function("routable_error_allowed_count", c_size_t, [POINTER(routable_error)])

# routable_str routable_error_allowed_at(const routable_error *error, size_t index);
routable_error_allowed_at = _function("routable_error_allowed_at", routable_str, [POINTER(routable_error), c_size_t])

# routable_str routable_error_suggestion(const routable_error *error);
routable_error_suggestion = _function("routable_error_suggestion", routable_str, [POINTER(routable_error)])

# int32_t routable_error_http_status(const routable_error *error);
routable_error_http_status = _function("routable_error_http_status", c_int32, [POINTER(routable_error)])

# int32_t routable_error_curl_code(const routable_error *error);
routable_error_curl_code = _function("routable_error_curl_code", c_int32, [POINTER(routable_error)])

# const routable_response *routable_error_response(const routable_error *error);
routable_error_response = _function("routable_error_response", POINTER(routable_response), [POINTER(routable_error)])

# const routable_error *routable_error_next(const routable_error *error);
routable_error_next = _function("routable_error_next", POINTER(routable_error), [POINTER(routable_error)])

# routable_status routable_error_to_json(const routable_error *error, routable_string *out);
routable_error_to_json = _function(
    "routable_error_to_json", routable_status,
    [POINTER(routable_error), POINTER(routable_string)],
)

# void routable_error_free(routable_error *error);
routable_error_free = _function("routable_error_free", None, [POINTER(routable_error)])
