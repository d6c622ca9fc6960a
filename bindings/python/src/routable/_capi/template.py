# Written by scripts/interface from include/routable_template.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_template.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, c_size_t

from .function import _function
from .values import routable_argument, routable_error, routable_status, routable_str, routable_string

# routable_status routable_template_expand(routable_str uri_template, const routable_argument *values, size_t count,
#     routable_string *out, routable_error **error);
routable_template_expand = _function(
    "routable_template_expand", routable_status,
    [routable_str, POINTER(routable_argument), c_size_t, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)
