"""Calls and plans, as include/routable.h has them."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char, c_char_p, c_size_t

from .errors import routable_error
from .function import _function
from .router import routable_router
from .status import routable_status
from .text import routable_str
from .values import routable_argument, routable_value

# Call: what to build.  The same fields as the call JSON (docs/json-tier.md).


class routable_call(Structure):
    """`typedef struct routable_call { ... } routable_call;`"""

    _fields_ = [
        ("size", c_size_t),
        ("route", c_char_p),
        ("operation", c_char_p),
        ("ids", POINTER(routable_argument)),
        ("id_count", c_size_t),
        ("query", POINTER(routable_argument)),
        ("query_count", c_size_t),
        ("parameters", POINTER(routable_argument)),
        ("parameter_count", c_size_t),
        ("headers", POINTER(routable_argument)),
        ("header_count", c_size_t),
        ("cookies", POINTER(routable_argument)),
        ("cookie_count", c_size_t),
        ("body", routable_value),
        ("content_type", c_char_p),
        ("base", c_char_p),
    ]


# --------------------------------------------------------------------------------------------------
# Plan: a route and an operation resolved once, then used many times.  Immutable.


class routable_plan(Structure):
    """`typedef struct routable_plan routable_plan;`"""


# routable_status routable_plan_new(const routable_router *router, const char *route, const char
#     *operation, routable_plan **out, routable_error **error);
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
routable_plan_query_count = _function(
    "routable_plan_query_count", c_size_t,
    [POINTER(routable_plan)],
)

# routable_str routable_plan_query_name_at(const routable_plan *plan, size_t index);
routable_plan_query_name_at = _function(
    "routable_plan_query_name_at", routable_str,
    [POINTER(routable_plan), c_size_t],
)

# routable_status routable_plan_write(const routable_plan *plan, const routable_value *ids, size_t
#     id_count, const routable_value *query, size_t query_count, char *buffer, size_t capacity,
#     size_t *length, routable_error **error);
routable_plan_write = _function(
    "routable_plan_write", routable_status,
    [POINTER(routable_plan), POINTER(routable_value), c_size_t, POINTER(routable_value),
     c_size_t, POINTER(c_char), c_size_t, POINTER(c_size_t),
     POINTER(POINTER(routable_error))],
)
