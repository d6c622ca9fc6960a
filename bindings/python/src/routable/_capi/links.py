# Written by scripts/interface from include/routable_links.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_links.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_int32, c_size_t

from .function import _function
from .request import routable_request
from .router import routable_router
from .values import routable_argument, routable_error, routable_response, routable_status, routable_str


class routable_link(Structure):
    """`typedef struct routable_link { ... } routable_link;`"""

    _fields_ = [
        ("size", c_size_t),
        ("response", POINTER(routable_response)),
        ("url", routable_str),
        ("relation", c_char_p),
        ("pointer", c_char_p),
        ("method", c_char_p),
        ("base", c_char_p),
        ("values", POINTER(routable_argument)),
        ("value_count", c_size_t),
        ("relative_to", routable_str),
    ]


# routable_status routable_router_follow(const routable_router *router, const routable_link *link, routable_request
#     **out, routable_error **error);
routable_router_follow = _function(
    "routable_router_follow", routable_status,
    [POINTER(routable_router), POINTER(routable_link), POINTER(POINTER(routable_request)),
     POINTER(POINTER(routable_error))],
)

# int32_t routable_link_find(routable_str header, const char *relation, routable_str *out);
routable_link_find = _function("routable_link_find", c_int32, [routable_str, c_char_p, POINTER(routable_str)])
