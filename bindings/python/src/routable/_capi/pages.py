# Written by scripts/interface from include/routable_pages.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_pages.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_int32, c_int64, c_size_t, c_uint32

from .client import routable_client, routable_policy
from .function import _function
from .introspection import routable_operation
from .request import routable_request
from .values import routable_error, routable_response, routable_status, routable_str, routable_string


# --------------------------------------------------------------------------------------------------
# Pages of one request


class routable_pages(Structure):
    """`typedef struct routable_pages routable_pages;`"""


ROUTABLE_PAGES_OTHER_ORIGINS = 1
ROUTABLE_PAGES_BACKWARDS = 2


class routable_pages_options(Structure):
    """`typedef struct routable_pages_options { ... } routable_pages_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("pagination", routable_str),
        ("max_pages", c_size_t),
        ("max_items", c_size_t),
        ("page_size", c_int64),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("position", routable_str),
    ]


# routable_status routable_pages_new(const routable_client *client, const routable_request *request, const
#     routable_pages_options *options, routable_pages **out, routable_error **error);
routable_pages_new = _function(
    "routable_pages_new", routable_status,
    [POINTER(routable_client), POINTER(routable_request), POINTER(routable_pages_options),
     POINTER(POINTER(routable_pages)), POINTER(POINTER(routable_error))],
)

# void routable_pages_free(routable_pages *pages);
routable_pages_free = _function("routable_pages_free", None, [POINTER(routable_pages)])

# routable_status routable_pages_next(routable_pages *pages, const routable_policy *policy, routable_response **out,
#     routable_error **error);
routable_pages_next = _function(
    "routable_pages_next", routable_status,
    [POINTER(routable_pages), POINTER(routable_policy), POINTER(POINTER(routable_response)),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_pages_follow(routable_pages *pages, const routable_response *response, routable_request
#     **out, routable_error **error);
routable_pages_follow = _function(
    "routable_pages_follow", routable_status,
    [POINTER(routable_pages), POINTER(routable_response), POINTER(POINTER(routable_request)),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_pages_item_count(routable_pages *pages, size_t *out, routable_error **error);
routable_pages_item_count = _function(
    "routable_pages_item_count", routable_status,
    [POINTER(routable_pages), POINTER(c_size_t), POINTER(POINTER(routable_error))],
)

# routable_status routable_pages_item(routable_pages *pages, routable_str *out, routable_error **error);
routable_pages_item = _function(
    "routable_pages_item", routable_status,
    [POINTER(routable_pages), POINTER(routable_str), POINTER(POINTER(routable_error))],
)

# routable_status routable_pages_next_item(routable_pages *pages, const routable_policy *policy, routable_str *out,
#     routable_error **error);
routable_pages_next_item = _function(
    "routable_pages_next_item", routable_status,
    [POINTER(routable_pages), POINTER(routable_policy), POINTER(routable_str), POINTER(POINTER(routable_error))],
)

# routable_status routable_pages_position(routable_pages *pages, routable_string *out, routable_error **error);
routable_pages_position = _function(
    "routable_pages_position", routable_status,
    [POINTER(routable_pages), POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# int32_t routable_pages_end_with(routable_pages *pages, int32_t http_status);
routable_pages_end_with = _function("routable_pages_end_with", c_int32, [POINTER(routable_pages), c_int32])


# --------------------------------------------------------------------------------------------------
# The pagination of an operation (docs/route-document.md, "Performing")

routable_paging = c_int32
ROUTABLE_PAGING_NONE = 0
ROUTABLE_PAGING_LINK = 1
ROUTABLE_PAGING_CURSOR = 2
ROUTABLE_PAGING_PAGE = 3
ROUTABLE_PAGING_OFFSET = 4


class routable_pagination(Structure):
    """`typedef struct routable_pagination { ... } routable_pagination;`"""

    _fields_ = [
        ("size", c_size_t),
        ("by", routable_paging),
        ("reserved", c_uint32),
        ("page_parameter", routable_str),
        ("size_parameter", routable_str),
        ("cursor", routable_str),
        ("items", routable_str),
        ("first_page", c_int64),
    ]


# int32_t routable_operation_pagination(const routable_operation *operation, routable_pagination *out);
routable_operation_pagination = _function(
    "routable_operation_pagination", c_int32,
    [POINTER(routable_operation), POINTER(routable_pagination)],
)
