"""Matching, as include/routable.h has them."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_int32, c_size_t, c_uint32

from .errors import routable_error
from .function import _function
from .introspection import routable_operation, routable_parameter
from .plan import routable_plan
from .router import routable_router
from .status import routable_status
from .text import routable_str, routable_string

# Match: from a path or a URL back to the operation and its values

ROUTABLE_MATCH_ANY_SLASH = 1
ROUTABLE_MATCH_FOLD_CASE = 2
ROUTABLE_MATCH_MERGE_SLASHES = 4
ROUTABLE_MATCH_SUGGEST_SLASH = 8
ROUTABLE_MATCH_WHOLE_PATH = 16

ROUTABLE_MAX_CAPTURES = 32
#: "No operation": UINT32_MAX.
ROUTABLE_NO_OPERATION = c_uint32(-1).value


class routable_capture(Structure):
    """`typedef struct routable_capture { ... } routable_capture;`"""

    _fields_ = [
        ("offset", c_uint32),
        ("length", c_uint32),
        ("resource", c_int32),
        ("parameter", c_int32),
    ]


class routable_match(Structure):
    """`typedef struct routable_match { ... } routable_match;`"""

    _fields_ = [
        ("operation", c_uint32),
        ("capture_count", c_uint32),
        ("node", c_uint32),
        ("slash", c_int32),
        ("captures", routable_capture * ROUTABLE_MAX_CAPTURES),
    ]


# routable_status routable_router_match(const routable_router *router, const char *method, const
#     char *path, size_t length, uint32_t flags, routable_match *out);
routable_router_match = _function(
    "routable_router_match", routable_status,
    [POINTER(routable_router), c_char_p, c_char_p, c_size_t, c_uint32, POINTER(routable_match)],
)

# const routable_operation *routable_match_operation(const routable_router *router, const
#     routable_match *match);
routable_match_operation = _function(
    "routable_match_operation", POINTER(routable_operation),
    [POINTER(routable_router), POINTER(routable_match)],
)

# const routable_parameter *routable_match_parameter(const routable_router *router, const
#     routable_match *match, size_t index);
routable_match_parameter = _function(
    "routable_match_parameter", POINTER(routable_parameter),
    [POINTER(routable_router), POINTER(routable_match), c_size_t],
)

# size_t routable_match_method_count(const routable_router *router, const routable_match *match);
routable_match_method_count = _function(
    "routable_match_method_count", c_size_t,
    [POINTER(routable_router), POINTER(routable_match)],
)

# routable_str routable_match_method_at(const routable_router *router, const routable_match
#     *match, size_t index);
routable_match_method_at = _function(
    "routable_match_method_at", routable_str,
    [POINTER(routable_router), POINTER(routable_match), c_size_t],
)

# routable_status routable_match_route(const routable_router *router, const routable_match
#     *match, routable_string *out);
routable_match_route = _function(
    "routable_match_route", routable_status,
    [POINTER(routable_router), POINTER(routable_match), POINTER(routable_string)],
)

# routable_status routable_match_value(const routable_match *match, const char *path, size_t
#     length, size_t index, routable_string *out);
routable_match_value = _function(
    "routable_match_value", routable_status,
    [POINTER(routable_match), c_char_p, c_size_t, c_size_t, POINTER(routable_string)],
)

# size_t routable_router_match_bytes(const routable_router *router);
routable_router_match_bytes = _function(
    "routable_router_match_bytes", c_size_t,
    [POINTER(routable_router)],
)

class routable_scratch(Structure):
    """`typedef struct routable_scratch routable_scratch;`"""


# routable_status routable_scratch_new(routable_scratch **out, routable_error **error);
routable_scratch_new = _function(
    "routable_scratch_new", routable_status,
    [POINTER(POINTER(routable_scratch)), POINTER(POINTER(routable_error))],
)

# void routable_scratch_free(routable_scratch *scratch);
routable_scratch_free = _function("routable_scratch_free", None, [POINTER(routable_scratch)])

# const char *routable_scratch_url(routable_scratch *scratch, const routable_plan *plan, const char
#     *ids, size_t length);
routable_scratch_url = _function(
    "routable_scratch_url", c_char_p,
    [POINTER(routable_scratch), POINTER(routable_plan), c_char_p, c_size_t],
)

# const char *routable_scratch_match(routable_scratch *scratch, const routable_router *router, const
#     char *method, const char *path, size_t length, uint32_t flags);
routable_scratch_match = _function(
    "routable_scratch_match", c_char_p,
    [POINTER(routable_scratch), POINTER(routable_router), c_char_p, c_char_p, c_size_t, c_uint32],
)

# size_t routable_router_warning_count(const routable_router *router);
routable_router_warning_count = _function(
    "routable_router_warning_count", c_size_t,
    [POINTER(routable_router)],
)

# routable_str routable_router_warning_at(const routable_router *router, size_t index);
routable_router_warning_at = _function(
    "routable_router_warning_at", routable_str,
    [POINTER(routable_router), c_size_t],
)
