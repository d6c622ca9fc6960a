# Written by scripts/interface from include/routable_json.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_json.h, in its order."""

from __future__ import annotations

from ctypes import POINTER

from .client import routable_client
from .function import _function
from .request import routable_request
from .router import routable_router
from .values import routable_error, routable_status, routable_str, routable_string

# routable_status routable_request_new_json(const routable_router *router, routable_str call, routable_request **out,
#     routable_error **error);
routable_request_new_json = _function(
    "routable_request_new_json", routable_status,
    [POINTER(routable_router), routable_str, POINTER(POINTER(routable_request)), POINTER(POINTER(routable_error))],
)

# routable_status routable_build_json(const routable_router *router, routable_str call, routable_string *out,
#     routable_error **error);
routable_build_json = _function(
    "routable_build_json", routable_status,
    [POINTER(routable_router), routable_str, POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# routable_status routable_perform_json(const routable_client *client, const routable_router *router, routable_str
#     call, routable_string *out, routable_error **error);
routable_perform_json = _function(
    "routable_perform_json", routable_status,
    [POINTER(routable_client), POINTER(routable_router), routable_str, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_template_expand_json(routable_str uri_template, routable_str values, routable_string *out,
#     routable_error **error);
routable_template_expand_json = _function(
    "routable_template_expand_json", routable_status,
    [routable_str, routable_str, POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# routable_status routable_form_to_json(routable_str form, routable_string *out, routable_error **error);
routable_form_to_json = _function(
    "routable_form_to_json", routable_status,
    [routable_str, POINTER(routable_string), POINTER(POINTER(routable_error))],
)
