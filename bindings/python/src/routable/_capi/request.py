# Written by scripts/interface from include/routable_request.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_request.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_int32, c_int64, c_size_t, c_uint32

from .function import _function
from .router import routable_router
from .values import (
    routable_argument,
    routable_error,
    routable_header,
    routable_status,
    routable_str,
    routable_string,
    routable_value,
)


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
        ("allow_empty_ids", c_int64),
    ]


class routable_request(Structure):
    """`typedef struct routable_request routable_request;`"""


# routable_status routable_request_new(const routable_router *router, const routable_call *call, routable_request
#     **out, routable_error **error);
routable_request_new = _function(
    "routable_request_new", routable_status,
    [POINTER(routable_router), POINTER(routable_call), POINTER(POINTER(routable_request)),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_request_copy(const routable_request *request, routable_request **out, routable_error
#     **error);
routable_request_copy = _function(
    "routable_request_copy", routable_status,
    [POINTER(routable_request), POINTER(POINTER(routable_request)), POINTER(POINTER(routable_error))],
)

# void routable_request_free(routable_request *request);
routable_request_free = _function("routable_request_free", None, [POINTER(routable_request)])

# routable_str routable_request_method(const routable_request *request);
routable_request_method = _function("routable_request_method", routable_str, [POINTER(routable_request)])

# routable_str routable_request_url(const routable_request *request);
routable_request_url = _function("routable_request_url", routable_str, [POINTER(routable_request)])

# routable_str routable_request_route(const routable_request *request);
routable_request_route = _function("routable_request_route", routable_str, [POINTER(routable_request)])

# routable_str routable_request_operation(const routable_request *request);
routable_request_operation = _function("routable_request_operation", routable_str, [POINTER(routable_request)])

# size_t routable_request_header_count(const routable_request *request);
routable_request_header_count = _function("routable_request_header_count", c_size_t, [POINTER(routable_request)])

# routable_header routable_request_header_at(const routable_request *request, size_t index);
routable_request_header_at = _function(
    "routable_request_header_at", routable_header,
    [POINTER(routable_request), c_size_t],
)

# routable_str routable_request_header(const routable_request *request, const char *name);
routable_request_header = _function("routable_request_header", routable_str, [POINTER(routable_request), c_char_p])

# size_t routable_request_header_value_count(const routable_request *request, const char *name);
routable_request_header_value_count = _function(
    "routable_request_header_value_count", c_size_t,
    [POINTER(routable_request), c_char_p],
)

# routable_str routable_request_header_value_at(const routable_request *request, const char *name, size_t index);
routable_request_header_value_at = _function(
    "routable_request_header_value_at", routable_str,
    [POINTER(routable_request), c_char_p, c_size_t],
)

# int32_t routable_request_has_body(const routable_request *request);
routable_request_has_body = _function("routable_request_has_body", c_int32, [POINTER(routable_request)])

# routable_str routable_request_body(const routable_request *request);
routable_request_body = _function("routable_request_body", routable_str, [POINTER(routable_request)])

# routable_status routable_request_set_header(routable_request *request, const char *name, routable_str value,
#     routable_error **error);
routable_request_set_header = _function(
    "routable_request_set_header", routable_status,
    [POINTER(routable_request), c_char_p, routable_str, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_remove_header(routable_request *request, const char *name, routable_error **error);
routable_request_remove_header = _function(
    "routable_request_remove_header", routable_status,
    [POINTER(routable_request), c_char_p, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_if_match(routable_request *request, routable_str etag, routable_str last_modified,
#     routable_error **error);
routable_request_if_match = _function(
    "routable_request_if_match", routable_status,
    [POINTER(routable_request), routable_str, routable_str, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_if_none_match(routable_request *request, routable_str etag, routable_str
#     last_modified, routable_error **error);
routable_request_if_none_match = _function(
    "routable_request_if_none_match", routable_status,
    [POINTER(routable_request), routable_str, routable_str, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_set_body(routable_request *request, routable_str body, const char *content_type,
#     routable_error **error);
routable_request_set_body = _function(
    "routable_request_set_body", routable_status,
    [POINTER(routable_request), routable_str, c_char_p, POINTER(POINTER(routable_error))],
)

# routable_status routable_request_remove_body(routable_request *request, routable_error **error);
routable_request_remove_body = _function(
    "routable_request_remove_body", routable_status,
    [POINTER(routable_request), POINTER(POINTER(routable_error))],
)

# routable_status routable_request_to_json(const routable_request *request, routable_string *out, routable_error
#     **error);
routable_request_to_json = _function(
    "routable_request_to_json", routable_status,
    [POINTER(routable_request), POINTER(routable_string), POINTER(POINTER(routable_error))],
)

ROUTABLE_SHOW_SECRETS = 1

# routable_status routable_request_to_curl(const routable_request *request, uint32_t flags, routable_string *out,
#     routable_error **error);
routable_request_to_curl = _function(
    "routable_request_to_curl", routable_status,
    [POINTER(routable_request), c_uint32, POINTER(routable_string), POINTER(POINTER(routable_error))],
)
