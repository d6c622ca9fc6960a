# Written by scripts/interface from include/routable_match.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_match.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char, c_char_p, c_int32, c_size_t, c_uint32

from .function import _function
from .introspection import routable_operation, routable_parameter
from .router import routable_router
from .values import routable_error, routable_status, routable_str, routable_string, routable_value


# --------------------------------------------------------------------------------------------------
# Plan: a route and an operation, resolved once to write many URLs. Immutable.


class routable_plan(Structure):
    """`typedef struct routable_plan routable_plan;`"""


# routable_status routable_plan_new(const routable_router *router, const char *route, const char *operation,
#     routable_plan **out, routable_error **error);
routable_plan_new = _function(
    "routable_plan_new", routable_status,
    [POINTER(routable_router), c_char_p, c_char_p, POINTER(POINTER(routable_plan)),
     POINTER(POINTER(routable_error))],
)

# void routable_plan_free(routable_plan *plan);
routable_plan_free = _function("routable_plan_free", None, [POINTER(routable_plan)])

# routable_str routable_plan_method(const routable_plan *plan);
routable_plan_method = _function("routable_plan_method", routable_str, [POINTER(routable_plan)])

# size_t routable_plan_id_count(const routable_plan *plan);
routable_plan_id_count = _function("routable_plan_id_count", c_size_t, [POINTER(routable_plan)])

# size_t routable_plan_query_count(const routable_plan *plan);
routable_plan_query_count = _function("routable_plan_query_count", c_size_t, [POINTER(routable_plan)])

# routable_str routable_plan_query_name_at(const routable_plan *plan, size_t index);
routable_plan_query_name_at = _function("routable_plan_query_name_at", routable_str, [POINTER(routable_plan), c_size_t])

# routable_status routable_plan_write(const routable_plan *plan, const routable_value *ids, size_t id_count, const
#     routable_value *query, size_t query_count, char *buffer, size_t capacity, size_t *length, routable_error
#     **error);
routable_plan_write = _function(
    "routable_plan_write", routable_status,
    [POINTER(routable_plan), POINTER(routable_value), c_size_t, POINTER(routable_value), c_size_t, POINTER(c_char),
     c_size_t, POINTER(c_size_t), POINTER(POINTER(routable_error))],
)


# --------------------------------------------------------------------------------------------------
# Match: finds the operation and the values of a path or a URL

ROUTABLE_MATCH_IGNORE_SLASH = 1
ROUTABLE_MATCH_IGNORE_CASE = 2
ROUTABLE_MATCH_MERGE_SLASHES = 4
ROUTABLE_MATCH_SUGGEST_SLASH = 8
ROUTABLE_MATCH_WHOLE_PATH = 16

ROUTABLE_MAX_CAPTURES = 32


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
        ("operation", c_int32),
        ("capture_count", c_uint32),
        ("node", c_uint32),
        ("slash", c_int32),
        ("captures", routable_capture * 32),
    ]


# routable_status routable_router_match(const routable_router *router, const char *method, routable_str path, uint32_t
#     flags, routable_match *out);
routable_router_match = _function(
    "routable_router_match", routable_status,
    [POINTER(routable_router), c_char_p, routable_str, c_uint32, POINTER(routable_match)],
)

# const routable_operation *routable_match_operation(const routable_router *router, const routable_match *match);
routable_match_operation = _function(
    "routable_match_operation", POINTER(routable_operation),
    [POINTER(routable_router), POINTER(routable_match)],
)

# const routable_parameter *routable_match_parameter(const routable_router *router, const routable_match *match,
#     size_t index);
routable_match_parameter = _function(
    "routable_match_parameter", POINTER(routable_parameter),
    [POINTER(routable_router), POINTER(routable_match), c_size_t],
)

# size_t routable_match_method_count(const routable_router *router, const routable_match *match);
routable_match_method_count = _function(
    "routable_match_method_count", c_size_t,
    [POINTER(routable_router), POINTER(routable_match)],
)

# routable_str routable_match_method_at(const routable_router *router, const routable_match *match, size_t index);
routable_match_method_at = _function(
    "routable_match_method_at", routable_str,
    [POINTER(routable_router), POINTER(routable_match), c_size_t],
)

# size_t routable_match_alternative_count(const routable_router *router, const routable_match *match);
routable_match_alternative_count = _function(
    "routable_match_alternative_count", c_size_t,
    [POINTER(routable_router), POINTER(routable_match)],
)

# const routable_operation *routable_match_alternative_at(const routable_router *router, const routable_match *match,
#     size_t index);
routable_match_alternative_at = _function(
    "routable_match_alternative_at", POINTER(routable_operation),
    [POINTER(routable_router), POINTER(routable_match), c_size_t],
)

# routable_status routable_match_route(const routable_router *router, const routable_match *match, routable_string
#     *out);
routable_match_route = _function(
    "routable_match_route", routable_status,
    [POINTER(routable_router), POINTER(routable_match), POINTER(routable_string)],
)

# routable_status routable_match_value(const routable_match *match, routable_str path, size_t index, routable_string
#     *out);
routable_match_value = _function(
    "routable_match_value", routable_status,
    [POINTER(routable_match), routable_str, c_size_t, POINTER(routable_string)],
)

# size_t routable_router_match_bytes(const routable_router *router);
routable_router_match_bytes = _function("routable_router_match_bytes", c_size_t, [POINTER(routable_router)])


# --------------------------------------------------------------------------------------------------
# Workspace: URLs and matches as C strings in reused memory, for bindings


class routable_workspace(Structure):
    """`typedef struct routable_workspace routable_workspace;`"""


# routable_status routable_workspace_new(routable_workspace **out, routable_error **error);
routable_workspace_new = _function(
    "routable_workspace_new", routable_status,
    [POINTER(POINTER(routable_workspace)), POINTER(POINTER(routable_error))],
)

# void routable_workspace_free(routable_workspace *workspace);
routable_workspace_free = _function("routable_workspace_free", None, [POINTER(routable_workspace)])

# const char *routable_workspace_url(routable_workspace *workspace, const routable_plan *plan, const char *ids, size_t
#     length);
routable_workspace_url = _function(
    "routable_workspace_url", c_char_p,
    [POINTER(routable_workspace), POINTER(routable_plan), c_char_p, c_size_t],
)

# const char *routable_workspace_match(routable_workspace *workspace, const routable_router *router, const char
#     *method, const char *path, size_t length, uint32_t flags);
routable_workspace_match = _function(
    "routable_workspace_match", c_char_p,
    [POINTER(routable_workspace), POINTER(routable_router), c_char_p, c_char_p, c_size_t, c_uint32],
)
