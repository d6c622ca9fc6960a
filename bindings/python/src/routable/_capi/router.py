# Written by scripts/interface from include/routable_router.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_router.h, in its order."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_size_t, c_uint32, c_void_p

from .function import _function
from .values import routable_error, routable_status, routable_str, routable_string


class routable_router(Structure):
    """`typedef struct routable_router routable_router;`"""


class routable_document(Structure):
    """`typedef struct routable_document { ... } routable_document;`"""

    _fields_ = [
        ("uri", routable_str),
        ("json", routable_str),
    ]


# typedef routable_status (*routable_load_fn)(routable_str uri, routable_str *out, void *user_data);
routable_load_fn = CFUNCTYPE(routable_status, routable_str, POINTER(routable_str), c_void_p)


class routable_open_options(Structure):
    """`typedef struct routable_open_options { ... } routable_open_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("max_document_bytes", c_size_t),
        ("base", c_char_p),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("documents", POINTER(routable_document)),
        ("document_count", c_size_t),
        ("uri", c_char_p),
        ("overlays", POINTER(routable_str)),
        ("overlay_count", c_size_t),
        ("only", POINTER(routable_str)),
        ("only_count", c_size_t),
        ("except", POINTER(routable_str)),
        ("except_count", c_size_t),
        ("folder", c_char_p),
        ("load", routable_load_fn),
        ("load_user_data", c_void_p),
    ]


# routable_status routable_router_open(const char *document, size_t length, const routable_open_options *options,
#     routable_router **out, routable_error **error);
routable_router_open = _function(
    "routable_router_open", routable_status,
    [c_char_p, c_size_t, POINTER(routable_open_options), POINTER(POINTER(routable_router)),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_router_open_file(const char *path, const routable_open_options *options, routable_router
#     **out, routable_error **error);
routable_router_open_file = _function(
    "routable_router_open_file", routable_status,
    [c_char_p, POINTER(routable_open_options), POINTER(POINTER(routable_router)), POINTER(POINTER(routable_error))],
)

# void routable_router_free(routable_router *router);
routable_router_free = _function("routable_router_free", None, [POINTER(routable_router)])

# routable_str routable_router_name(const routable_router *router);
routable_router_name = _function("routable_router_name", routable_str, [POINTER(routable_router)])

# routable_str routable_router_base(const routable_router *router);
routable_router_base = _function("routable_router_base", routable_str, [POINTER(routable_router)])

# size_t routable_router_warning_count(const routable_router *router);
routable_router_warning_count = _function("routable_router_warning_count", c_size_t, [POINTER(routable_router)])

# routable_str routable_router_warning_at(const routable_router *router, size_t index);
routable_router_warning_at = _function("routable_router_warning_at", routable_str, [POINTER(routable_router), c_size_t])

# routable_status routable_router_document(const routable_router *router, routable_string *out, routable_error
#     **error);
routable_router_document = _function(
    "routable_router_document", routable_status,
    [POINTER(routable_router), POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# routable_status routable_router_map(const routable_router *router, routable_string *out, routable_error **error);
routable_router_map = _function(
    "routable_router_map", routable_status,
    [POINTER(routable_router), POINTER(routable_string), POINTER(POINTER(routable_error))],
)

# routable_status routable_router_routes(const routable_router *router, routable_string *out, routable_error **error);
routable_router_routes = _function(
    "routable_router_routes", routable_status,
    [POINTER(routable_router), POINTER(routable_string), POINTER(POINTER(routable_error))],
)
