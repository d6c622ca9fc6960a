# Written by scripts/interface from include/routable_json.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_json.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, c_char_p, c_size_t

from .client import routable_client
from .function import _function
from .request import routable_request
from .router import routable_router
from .values import routable_error, routable_status, routable_string

# routable_status routable_build_json(const routable_router *router, const char *call, size_t length, routable_string
#     *out, routable_error **error);
routable_build_json = _function(
    "routable_build_json", routable_status,
    [POINTER(routable_router), c_char_p, c_size_t, POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# routable_status routable_perform_json(const routable_client *client, const routable_router *router, const char
#     *call, size_t length, routable_string *out, routable_error **error);
routable_perform_json = _function(
    "routable_perform_json", routable_status,
    [POINTER(routable_client), POINTER(routable_router), c_char_p, c_size_t, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_request_new_json(const routable_router *router, const char *call, size_t length,
#     routable_request **out, routable_error **error);
routable_request_new_json = _function(
    "routable_request_new_json", routable_status,
    [POINTER(routable_router), c_char_p, c_size_t, POINTER(POINTER(routable_request)),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_router_routes_json(const routable_router *router, routable_string *out, routable_error
#     **error);
routable_router_routes_json = _function(
    "routable_router_routes_json", routable_status,
    [POINTER(routable_router), POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# routable_status routable_router_types_json(const routable_router *router, routable_string *out, routable_error
#     **error);
routable_router_types_json = _function(
    "routable_router_types_json", routable_status,
    [POINTER(routable_router), POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# routable_status routable_form_to_json(const char *form, size_t length, routable_string *out, routable_error
#     **error);
routable_form_to_json = _function(
    "routable_form_to_json", routable_status,
    [c_char_p, c_size_t, POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# routable_status routable_template_expand_json(const char *uri_template, size_t template_length, const char *values,
#     size_t values_length, routable_string *out, routable_error **error);
routable_template_expand_json = _function(
    "routable_template_expand_json", routable_status,
    [c_char_p, c_size_t, c_char_p, c_size_t, POINTER(routable_string), POINTER(POINTER(routable_error))],
)
