# Written by scripts/interface from include/routable_json_value.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_json_value.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint64

from .function import _function
from .values import routable_error, routable_response, routable_status, routable_str


class routable_json_values(Structure):
    """`typedef struct routable_json_values routable_json_values;`"""


ROUTABLE_JSON_NOWHERE = 18446744073709551615

routable_json_kind = c_int32
ROUTABLE_JSON_NONE = 0
ROUTABLE_JSON_NULL = 1
ROUTABLE_JSON_BOOLEAN = 2
ROUTABLE_JSON_INTEGER = 3
ROUTABLE_JSON_REAL = 4
ROUTABLE_JSON_WIDE = 5
ROUTABLE_JSON_STRING = 6
ROUTABLE_JSON_ARRAY = 7
ROUTABLE_JSON_OBJECT = 8

# routable_status routable_json_values_read(const char *json, size_t length, routable_json_values **out,
#     routable_error **error);
routable_json_values_read = _function(
    "routable_json_values_read", routable_status,
    [c_char_p, c_size_t, POINTER(POINTER(routable_json_values)), POINTER(POINTER(routable_error))],
)

# routable_status routable_response_json_value(const routable_response *response, routable_json_values **out,
#     routable_error **error);
routable_response_json_value = _function(
    "routable_response_json_value", routable_status,
    [POINTER(routable_response), POINTER(POINTER(routable_json_values)), POINTER(POINTER(routable_error))],
)

# void routable_json_values_free(routable_json_values *json);
routable_json_values_free = _function("routable_json_values_free", None, [POINTER(routable_json_values)])

# routable_json_kind routable_json_kind_of(const routable_json_values *json, uint64_t place);
routable_json_kind_of = _function(
    "routable_json_kind_of", routable_json_kind,
    [POINTER(routable_json_values), c_uint64],
)

# size_t routable_json_count(const routable_json_values *json, uint64_t place);
routable_json_count = _function("routable_json_count", c_size_t, [POINTER(routable_json_values), c_uint64])

# uint64_t routable_json_next(const routable_json_values *json, uint64_t container, uint64_t child);
routable_json_next = _function("routable_json_next", c_uint64, [POINTER(routable_json_values), c_uint64, c_uint64])


class routable_json_item(Structure):
    """`typedef struct routable_json_item { ... } routable_json_item;`"""

    _fields_ = [
        ("place", c_uint64),
        ("key", routable_str),
        ("text", routable_str),
        ("kind", routable_json_kind),
        ("is_plain", c_int32),
        ("count", c_size_t),
    ]


# size_t routable_json_children(const routable_json_values *json, uint64_t container, uint64_t child,
#     routable_json_item *items, size_t capacity);
routable_json_children = _function(
    "routable_json_children", c_size_t,
    [POINTER(routable_json_values), c_uint64, c_uint64, POINTER(routable_json_item), c_size_t],
)

# routable_str routable_json_key(const routable_json_values *json, uint64_t member);
routable_json_key = _function("routable_json_key", routable_str, [POINTER(routable_json_values), c_uint64])

# uint64_t routable_json_member(const routable_json_values *json, uint64_t object, routable_str name);
routable_json_member = _function(
    "routable_json_member", c_uint64,
    [POINTER(routable_json_values), c_uint64, routable_str],
)

# uint64_t routable_json_element(const routable_json_values *json, uint64_t array, size_t index);
routable_json_element = _function(
    "routable_json_element", c_uint64,
    [POINTER(routable_json_values), c_uint64, c_size_t],
)

# uint64_t routable_json_at(const routable_json_values *json, routable_str pointer);
routable_json_at = _function("routable_json_at", c_uint64, [POINTER(routable_json_values), routable_str])

# int32_t routable_json_boolean(const routable_json_values *json, uint64_t place);
routable_json_boolean = _function("routable_json_boolean", c_int32, [POINTER(routable_json_values), c_uint64])

# int64_t routable_json_integer(const routable_json_values *json, uint64_t place);
routable_json_integer = _function("routable_json_integer", c_int64, [POINTER(routable_json_values), c_uint64])

# double routable_json_number(const routable_json_values *json, uint64_t place);
routable_json_number = _function("routable_json_number", c_double, [POINTER(routable_json_values), c_uint64])

# routable_str routable_json_string(const routable_json_values *json, uint64_t place);
routable_json_string = _function("routable_json_string", routable_str, [POINTER(routable_json_values), c_uint64])

# routable_str routable_json_text(const routable_json_values *json, uint64_t place);
routable_json_text = _function("routable_json_text", routable_str, [POINTER(routable_json_values), c_uint64])

# int64_t routable_json_offset(const routable_json_values *json, uint64_t place);
routable_json_offset = _function("routable_json_offset", c_int64, [POINTER(routable_json_values), c_uint64])
