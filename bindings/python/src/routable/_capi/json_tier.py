"""The JSON tier, as include/routable.h has them."""

from __future__ import annotations

from ctypes import POINTER

from .client import routable_client
from .errors import routable_error
from .function import _function
from .router import routable_router
from .status import routable_status
from .text import routable_str, routable_string

# JSON tier: the whole job in one call (docs/json-tier.md)

# routable_status routable_build_json(const routable_router *router, routable_str call,
#     routable_string *out, routable_error **error);
routable_build_json = _function(
    "routable_build_json", routable_status,
    [POINTER(routable_router), routable_str, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_perform_json(const routable_client *client, const routable_router
#     *router, routable_str call, routable_string *out, routable_error **error);
routable_perform_json = _function(
    "routable_perform_json", routable_status,
    [POINTER(routable_client), POINTER(routable_router), routable_str,
     POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# routable_status routable_form_to_json(routable_str form, routable_string *out, routable_error
#     **error);
routable_form_to_json = _function(
    "routable_form_to_json", routable_status,
    [routable_str, POINTER(routable_string), POINTER(POINTER(routable_error))],
)
