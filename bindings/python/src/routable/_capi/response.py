# Written by scripts/interface from include/routable_response.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_response.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_int32, c_size_t, c_uint32

from .function import _function
from .router import routable_router
from .values import routable_error, routable_header, routable_response, routable_status, routable_str, routable_string

routable_outcome = c_int32
ROUTABLE_OUTCOME_EMPTY = 0
ROUTABLE_OUTCOME_SELF = 1
ROUTABLE_OUTCOME_DICTIONARY = 2
ROUTABLE_OUTCOME_ARRAY = 3
ROUTABLE_OUTCOME_RAW = 4

# const char *routable_outcome_name(routable_outcome outcome);
routable_outcome_name = _function("routable_outcome_name", c_char_p, [routable_outcome])

# routable_status routable_response_map(const routable_router *router, const char *route, const char *operation,
#     int32_t http_status, const routable_header *headers, size_t header_count, routable_str body, routable_response
#     **out, routable_error **error);
routable_response_map = _function(
    "routable_response_map", routable_status,
    [POINTER(routable_router), c_char_p, c_char_p, c_int32, POINTER(routable_header), c_size_t, routable_str,
     POINTER(POINTER(routable_response)), POINTER(POINTER(routable_error))],
)

# void routable_response_free(routable_response *response);
routable_response_free = _function("routable_response_free", None, [POINTER(routable_response)])

# int32_t routable_response_status(const routable_response *response);
routable_response_status = _function("routable_response_status", c_int32, [POINTER(routable_response)])

# size_t routable_response_header_count(const routable_response *response);
routable_response_header_count = _function("routable_response_header_count", c_size_t, [POINTER(routable_response)])

# routable_header routable_response_header_at(const routable_response *response, size_t index);
routable_response_header_at = _function(
    "routable_response_header_at", routable_header,
    [POINTER(routable_response), c_size_t],
)

# routable_str routable_response_header(const routable_response *response, const char *name);
routable_response_header = _function("routable_response_header", routable_str, [POINTER(routable_response), c_char_p])

# size_t routable_response_header_value_count(const routable_response *response, const char *name);
routable_response_header_value_count = _function(
    "routable_response_header_value_count", c_size_t,
    [POINTER(routable_response), c_char_p],
)

# routable_str routable_response_header_value_at(const routable_response *response, const char *name, size_t index);
routable_response_header_value_at = _function(
    "routable_response_header_value_at", routable_str,
    [POINTER(routable_response), c_char_p, c_size_t],
)

# routable_str routable_response_body(const routable_response *response);
routable_response_body = _function("routable_response_body", routable_str, [POINTER(routable_response)])

# routable_outcome routable_response_outcome(const routable_response *response);
routable_response_outcome = _function("routable_response_outcome", routable_outcome, [POINTER(routable_response)])


class routable_deviation(Structure):
    """`typedef struct routable_deviation { ... } routable_deviation;`"""

    _fields_ = [
        ("size", c_size_t),
        ("pointer", routable_str),
        ("schema_pointer", routable_str),
        ("message", routable_str),
        ("found", routable_str),
    ]


# size_t routable_response_deviation_count(const routable_response *response);
routable_response_deviation_count = _function(
    "routable_response_deviation_count", c_size_t,
    [POINTER(routable_response)],
)

# int32_t routable_response_deviation_at(const routable_response *response, size_t index, routable_deviation *out);
routable_response_deviation_at = _function(
    "routable_response_deviation_at", c_int32,
    [POINTER(routable_response), c_size_t, POINTER(routable_deviation)],
)

# routable_status routable_response_check(const routable_response *response, routable_error **error);
routable_response_check = _function(
    "routable_response_check", routable_status,
    [POINTER(routable_response), POINTER(POINTER(routable_error))],
)

# routable_str routable_response_reason(const routable_response *response);
routable_response_reason = _function("routable_response_reason", routable_str, [POINTER(routable_response)])

# routable_str routable_response_reason_pointer(const routable_response *response);
routable_response_reason_pointer = _function(
    "routable_response_reason_pointer", routable_str,
    [POINTER(routable_response)],
)

# routable_str routable_response_reason_schema_pointer(const routable_response *response);
routable_response_reason_schema_pointer = _function(
    "routable_response_reason_schema_pointer", routable_str,
    [POINTER(routable_response)],
)

# routable_str routable_response_type(const routable_response *response);
routable_response_type = _function("routable_response_type", routable_str, [POINTER(routable_response)])

# routable_str routable_response_url(const routable_response *response);
routable_response_url = _function("routable_response_url", routable_str, [POINTER(routable_response)])

# int32_t routable_response_http_version(const routable_response *response);
routable_response_http_version = _function("routable_response_http_version", c_int32, [POINTER(routable_response)])

ROUTABLE_RESPONSE_HAS_DEVIATIONS = 1
ROUTABLE_RESPONSE_HAS_REASON = 1
ROUTABLE_RESPONSE_HAS_TRACE = 2


class routable_response_parts(Structure):
    """`typedef struct routable_response_parts { ... } routable_response_parts;`"""

    _fields_ = [
        ("http_status", c_int32),
        ("outcome", routable_outcome),
        ("headers", routable_str),
        ("body", routable_str),
        ("url", routable_str),
        ("type", routable_str),
        ("http_version", c_int32),
        ("details", c_uint32),
    ]


# void routable_response_read(const routable_response *response, routable_response_parts *out);
routable_response_read = _function(
    "routable_response_read", None,
    [POINTER(routable_response), POINTER(routable_response_parts)],
)

# routable_status routable_response_to_json(const routable_response *response, routable_string *out, routable_error
#     **error);
routable_response_to_json = _function(
    "routable_response_to_json", routable_status,
    [POINTER(routable_response), POINTER(routable_string), POINTER(POINTER(routable_error))],
)
