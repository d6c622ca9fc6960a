"""Errors, as include/routable.h has them."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_int32, c_size_t

from .function import _function
from .status import routable_status
from .text import routable_str, routable_string

# Errors: why, where, and what would be allowed.  Immutable; yours to free.


#: "No offset" of routable_error_offset: SIZE_MAX.
ROUTABLE_NO_OFFSET = c_size_t(-1).value


class routable_error(Structure):
    """`typedef struct routable_error routable_error;`"""


class routable_response(Structure):
    """`typedef struct routable_response routable_response;`"""


# routable_status routable_error_status(const routable_error *error);
routable_error_status = _function(
    "routable_error_status", routable_status,
    [POINTER(routable_error)],
)

# routable_str routable_error_message(const routable_error *error);
routable_error_message = _function(
    "routable_error_message", routable_str,
    [POINTER(routable_error)],
)

# routable_str routable_error_pointer(const routable_error *error);
routable_error_pointer = _function(
    "routable_error_pointer", routable_str,
    [POINTER(routable_error)],
)

# routable_str routable_error_schema_pointer(const routable_error *error);
routable_error_schema_pointer = _function(
    "routable_error_schema_pointer", routable_str,
    [POINTER(routable_error)],
)

# size_t routable_error_offset(const routable_error *error);
routable_error_offset = _function("routable_error_offset", c_size_t, [POINTER(routable_error)])

# size_t routable_error_line(const routable_error *error);
routable_error_line = _function("routable_error_line", c_size_t, [POINTER(routable_error)])

# size_t routable_error_column(const routable_error *error);
routable_error_column = _function("routable_error_column", c_size_t, [POINTER(routable_error)])

# routable_str routable_error_route(const routable_error *error);
routable_error_route = _function("routable_error_route", routable_str, [POINTER(routable_error)])

# routable_str routable_error_operation(const routable_error *error);
routable_error_operation = _function(
    "routable_error_operation", routable_str,
    [POINTER(routable_error)],
)

# routable_str routable_error_parameter(const routable_error *error);
routable_error_parameter = _function(
    "routable_error_parameter", routable_str,
    [POINTER(routable_error)],
)

# size_t routable_error_allowed_count(const routable_error *error);
routable_error_allowed_count = _function(
    "routable_error_allowed_count", c_size_t,
    [POINTER(routable_error)],
)

# routable_str routable_error_allowed_at(const routable_error *error, size_t index);
routable_error_allowed_at = _function(
    "routable_error_allowed_at", routable_str,
    [POINTER(routable_error), c_size_t],
)

# routable_str routable_error_suggestion(const routable_error *error);
routable_error_suggestion = _function(
    "routable_error_suggestion", routable_str,
    [POINTER(routable_error)],
)

# int32_t routable_error_http_status(const routable_error *error);
routable_error_http_status = _function(
    "routable_error_http_status", c_int32,
    [POINTER(routable_error)],
)

# int32_t routable_error_curl_code(const routable_error *error);
routable_error_curl_code = _function("routable_error_curl_code", c_int32, [POINTER(routable_error)])

# const routable_response *routable_error_response(const routable_error *error);
routable_error_response = _function(
    "routable_error_response", POINTER(routable_response),
    [POINTER(routable_error)],
)

# const routable_error *routable_error_next(const routable_error *error);
routable_error_next = _function(
    "routable_error_next", POINTER(routable_error),
    [POINTER(routable_error)],
)

# routable_status routable_error_to_json(const routable_error *error, routable_string *out);
routable_error_to_json = _function(
    "routable_error_to_json", routable_status,
    [POINTER(routable_error), POINTER(routable_string)],
)

# void routable_error_free(routable_error *error);
routable_error_free = _function("routable_error_free", None, [POINTER(routable_error)])
