"""Requests, as include/routable.h has them."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_int32, c_size_t, c_uint32

from .errors import routable_error
from .function import _function
from .plan import routable_call
from .router import routable_router
from .status import routable_status
from .text import routable_str, routable_string
from .values import routable_argument

# Request: complete and visible without being sent; headers and body may still be edited


class routable_request(Structure):
    """`typedef struct routable_request routable_request;`"""


class routable_header(Structure):
    """`typedef struct routable_header { ... } routable_header;`"""

    _fields_ = [
        ("name", routable_str),
        ("value", routable_str),
    ]


# routable_status routable_template_expand(routable_str template_text, const routable_argument
#     *values, size_t count, routable_string *out, routable_error **error);
routable_template_expand = _function(
    "routable_template_expand", routable_status,
    [routable_str, POINTER(routable_argument), c_size_t, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_template_expand_json(routable_str template_text, routable_str values,
#     routable_string *out, routable_error **error);
routable_template_expand_json = _function(
    "routable_template_expand_json", routable_status,
    [routable_str, routable_str, POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# routable_status routable_request_new(const routable_router *router, const routable_call *call,
#     routable_request **out, routable_error **error);
routable_request_new = _function(
    "routable_request_new", routable_status,
    [POINTER(routable_router), POINTER(routable_call), POINTER(POINTER(routable_request)),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_request_new_json(const routable_router *router, routable_str call,
#     routable_request **out, routable_error **error);
routable_request_new_json = _function(
    "routable_request_new_json", routable_status,
    [POINTER(routable_router), routable_str, POINTER(POINTER(routable_request)),
     POINTER(POINTER(routable_error))],
)

# void routable_request_free(routable_request *request);
routable_request_free = _function("routable_request_free", None, [POINTER(routable_request)])

# routable_str routable_request_method(const routable_request *request);
routable_request_method = _function(
    "routable_request_method", routable_str,
    [POINTER(routable_request)],
)

# routable_str routable_request_url(const routable_request *request);
routable_request_url = _function("routable_request_url", routable_str, [POINTER(routable_request)])

# routable_str routable_request_route(const routable_request *request);
routable_request_route = _function(
    "routable_request_route", routable_str,
    [POINTER(routable_request)],
)

# routable_str routable_request_operation(const routable_request *request);
routable_request_operation = _function(
    "routable_request_operation", routable_str,
    [POINTER(routable_request)],
)

# size_t routable_request_header_count(const routable_request *request);
routable_request_header_count = _function(
    "routable_request_header_count", c_size_t,
    [POINTER(routable_request)],
)

# routable_header routable_request_header_at(const routable_request *request, size_t index);
routable_request_header_at = _function(
    "routable_request_header_at", routable_header,
    [POINTER(routable_request), c_size_t],
)

# int32_t routable_request_has_body(const routable_request *request);
routable_request_has_body = _function(
    "routable_request_has_body", c_int32,
    [POINTER(routable_request)],
)

# routable_str routable_request_body(const routable_request *request);
routable_request_body = _function(
    "routable_request_body", routable_str,
    [POINTER(routable_request)],
)

# routable_status routable_request_set_header(routable_request *request, const char *name,
#     routable_str value, routable_error **error);
routable_request_set_header = _function(
    "routable_request_set_header", routable_status,
    [POINTER(routable_request), c_char_p, routable_str, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_remove_header(routable_request *request, const char *name,
#     routable_error **error);
routable_request_remove_header = _function(
    "routable_request_remove_header", routable_status,
    [POINTER(routable_request), c_char_p, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_if_match(routable_request *request, routable_str etag,
#     routable_str last_modified, routable_error **error);
routable_request_if_match = _function(
    "routable_request_if_match", routable_status,
    [POINTER(routable_request), routable_str, routable_str, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_if_none_match(routable_request *request, routable_str etag,
#     routable_str last_modified, routable_error **error);
routable_request_if_none_match = _function(
    "routable_request_if_none_match", routable_status,
    [POINTER(routable_request), routable_str, routable_str, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_set_body(routable_request *request, routable_str body, const
#     char *content_type, routable_error **error);
routable_request_set_body = _function(
    "routable_request_set_body", routable_status,
    [POINTER(routable_request), routable_str, c_char_p, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_remove_body(routable_request *request, routable_error **error);
routable_request_remove_body = _function(
    "routable_request_remove_body", routable_status,
    [POINTER(routable_request), POINTER(POINTER(routable_error))],
)

# routable_status routable_request_to_json(const routable_request *request, routable_string *out,
#     routable_error **error);
routable_request_to_json = _function(
    "routable_request_to_json", routable_status,
    [POINTER(routable_request), POINTER(routable_string), POINTER(POINTER(routable_error))],
)
ROUTABLE_SHOW_SECRETS = 1

# routable_status routable_request_to_curl(const routable_request *request, uint32_t flags,
#     routable_string *out, routable_error **error);
routable_request_to_curl = _function(
    "routable_request_to_curl", routable_status,
    [POINTER(routable_request), c_uint32, POINTER(routable_string),
     POINTER(POINTER(routable_error))],
)
