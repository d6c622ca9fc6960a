# Written by scripts/interface from include/routable_tools.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_tools.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, c_char_p, c_size_t, c_uint32

from .function import _function
from .router import routable_router
from .values import routable_error, routable_status, routable_string

# routable_status routable_tools_json(const routable_router *router, routable_string *out, routable_error **error);
routable_tools_json = _function(
    "routable_tools_json", routable_status,
    [POINTER(routable_router), POINTER(routable_string), POINTER(POINTER(routable_error))],
)

ROUTABLE_SCHEMA_FUNCTION_SUBSET = 1

# routable_status routable_operation_call_schema(const routable_router *router, const char *route, const char
#     *operation, uint32_t flags, routable_string *out, routable_error **error);
routable_operation_call_schema = _function(
    "routable_operation_call_schema", routable_status,
    [POINTER(routable_router), c_char_p, c_char_p, c_uint32, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_call_from_object(const routable_router *router, const char *route, const char *operation,
#     const char *object, size_t length, size_t max_errors, routable_string *out, routable_error **error);
routable_call_from_object = _function(
    "routable_call_from_object", routable_status,
    [POINTER(routable_router), c_char_p, c_char_p, c_char_p, c_size_t, c_size_t, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)
