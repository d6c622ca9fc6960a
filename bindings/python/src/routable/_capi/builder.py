# Written by scripts/interface from include/routable_builder.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_builder.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_double, c_size_t, c_uint32

from .function import _function
from .introspection import routable_location, routable_place
from .router import routable_router
from .values import routable_error, routable_status, routable_value


class routable_builder(Structure):
    """`typedef struct routable_builder routable_builder;`"""


class routable_encoding_options(Structure):
    """`typedef struct routable_encoding_options { ... } routable_encoding_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("to", c_char_p),
        ("as_", c_char_p),
        ("arrays", c_char_p),
        ("booleans", c_char_p),
        ("nulls", c_char_p),
        ("empty_arrays", c_char_p),
        ("order", c_char_p),
        ("key_paths", c_char_p),
        ("key_case", c_char_p),
        ("spaces", c_char_p),
        ("escape", c_char_p),
        ("newlines", c_char_p),
        ("first_index", c_size_t),
    ]


ROUTABLE_PARAMETER_REQUIRED = 1
ROUTABLE_PARAMETER_MINIMUM = 2
ROUTABLE_PARAMETER_MAXIMUM = 4
ROUTABLE_PARAMETER_ALLOW_EMPTY = 8


class routable_parameter_options(Structure):
    """`typedef struct routable_parameter_options { ... } routable_parameter_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("location", routable_location),
        ("flags", c_uint32),
        ("type", c_char_p),
        ("format", c_char_p),
        ("pattern", c_char_p),
        ("values", POINTER(c_char_p)),
        ("value_count", c_size_t),
        ("min_length", c_size_t),
        ("max_length", c_size_t),
        ("minimum", c_double),
        ("maximum", c_double),
        ("default_value", routable_value),
        ("encoding", POINTER(routable_encoding_options)),
    ]


ROUTABLE_RESOURCE_NESTED = 1
ROUTABLE_RESOURCE_SHALLOW = 2


class routable_resource_options(Structure):
    """`typedef struct routable_resource_options { ... } routable_resource_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("path", c_char_p),
        ("can", c_uint32),
        ("flags", c_uint32),
        ("ids", POINTER(routable_parameter_options)),
        ("id_count", c_size_t),
    ]


class routable_operation_options(Structure):
    """`typedef struct routable_operation_options { ... } routable_operation_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("method", c_char_p),
        ("path", c_char_p),
        ("resource", c_char_p),
        ("place", routable_place),
        ("flags", c_uint32),
        ("parameters", POINTER(routable_parameter_options)),
        ("parameter_count", c_size_t),
        ("encoding", POINTER(routable_encoding_options)),
    ]


# routable_status routable_builder_new(const char *name, const char *base, routable_builder **out, routable_error
#     **error);
routable_builder_new = _function(
    "routable_builder_new", routable_status,
    [c_char_p, c_char_p, POINTER(POINTER(routable_builder)), POINTER(POINTER(routable_error))],
)

# void routable_builder_free(routable_builder *builder);
routable_builder_free = _function("routable_builder_free", None, [POINTER(routable_builder)])

# routable_status routable_builder_set_encoding(routable_builder *builder, const routable_encoding_options *encoding,
#     routable_error **error);
routable_builder_set_encoding = _function(
    "routable_builder_set_encoding", routable_status,
    [POINTER(routable_builder), POINTER(routable_encoding_options), POINTER(POINTER(routable_error))],
)

# routable_status routable_builder_add_resource(routable_builder *builder, const routable_resource_options *resource,
#     routable_error **error);
routable_builder_add_resource = _function(
    "routable_builder_add_resource", routable_status,
    [POINTER(routable_builder), POINTER(routable_resource_options), POINTER(POINTER(routable_error))],
)

# routable_status routable_builder_nest(routable_builder *builder, const char *parent, const char *child,
#     routable_error **error);
routable_builder_nest = _function(
    "routable_builder_nest", routable_status,
    [POINTER(routable_builder), c_char_p, c_char_p, POINTER(POINTER(routable_error))],
)

# routable_status routable_builder_add_operation(routable_builder *builder, const routable_operation_options
#     *operation, routable_error **error);
routable_builder_add_operation = _function(
    "routable_builder_add_operation", routable_status,
    [POINTER(routable_builder), POINTER(routable_operation_options), POINTER(POINTER(routable_error))],
)

# routable_status routable_builder_build(const routable_builder *builder, routable_router **out, routable_error
#     **error);
routable_builder_build = _function(
    "routable_builder_build", routable_status,
    [POINTER(routable_builder), POINTER(POINTER(routable_router)), POINTER(POINTER(routable_error))],
)
