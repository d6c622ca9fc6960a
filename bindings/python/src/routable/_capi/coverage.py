# Written by scripts/interface from include/routable_coverage.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_coverage.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_int32, c_size_t, c_uint32, c_void_p

from .function import _function
from .middleware import routable_interception
from .router import routable_router
from .service import routable_incoming
from .values import routable_error, routable_status, routable_str, routable_string


class routable_coverage(Structure):
    """`typedef struct routable_coverage routable_coverage;`"""


class routable_coverage_options(Structure):
    """`typedef struct routable_coverage_options { ... } routable_coverage_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("base_path", c_char_p),
    ]


# routable_status routable_coverage_new(const routable_router *router, const routable_coverage_options *options,
#     routable_coverage **out, routable_error **error);
routable_coverage_new = _function(
    "routable_coverage_new", routable_status,
    [POINTER(routable_router), POINTER(routable_coverage_options), POINTER(POINTER(routable_coverage)),
     POINTER(POINTER(routable_error))],
)

# void routable_coverage_free(routable_coverage *coverage);
routable_coverage_free = _function("routable_coverage_free", None, [POINTER(routable_coverage)])

# routable_status routable_coverage_add(routable_coverage *coverage, const routable_incoming *incoming, int32_t
#     http_status, const char *content_type, routable_str body, routable_error **error);
routable_coverage_add = _function(
    "routable_coverage_add", routable_status,
    [POINTER(routable_coverage), POINTER(routable_incoming), c_int32, c_char_p, routable_str,
     POINTER(POINTER(routable_error))],
)

# void routable_coverage_observe(routable_interception *interception, void *user_data);
routable_coverage_observe = _function("routable_coverage_observe", None, [POINTER(routable_interception), c_void_p])

# routable_status routable_coverage_to_json(const routable_coverage *coverage, routable_string *out, routable_error
#     **error);
routable_coverage_to_json = _function(
    "routable_coverage_to_json", routable_status,
    [POINTER(routable_coverage), POINTER(routable_string), POINTER(POINTER(routable_error))],
)

ROUTABLE_COVERAGE_MISSING = 1

# routable_status routable_coverage_to_text(const routable_coverage *coverage, uint32_t flags, routable_string *out,
#     routable_error **error);
routable_coverage_to_text = _function(
    "routable_coverage_to_text", routable_status,
    [POINTER(routable_coverage), c_uint32, POINTER(routable_string), POINTER(POINTER(routable_error))],
)
