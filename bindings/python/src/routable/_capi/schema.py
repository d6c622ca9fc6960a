# Written by scripts/interface from include/routable_schema.h: change the header, then run scripts/interface.
"""The prototypes of include/routable_schema.h, in its order."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char_p, c_int32, c_size_t, c_uint32, c_uint64

from .function import _function
from .router import routable_document, routable_router
from .values import routable_error, routable_status, routable_string


class routable_schema(Structure):
    """`typedef struct routable_schema routable_schema;`"""


routable_dialect = c_int32
ROUTABLE_DIALECT_2020_12 = 0
ROUTABLE_DIALECT_OPENAPI_30 = 1
ROUTABLE_DIALECT_OPENAPI_31 = 2

ROUTABLE_SCHEMA_ASSERT_FORMATS = 1


class routable_schema_options(Structure):
    """`typedef struct routable_schema_options { ... } routable_schema_options;`"""

    _fields_ = [
        ("size", c_size_t),
        ("uri", c_char_p),
        ("documents", POINTER(routable_document)),
        ("document_count", c_size_t),
        ("dialect", routable_dialect),
        ("flags", c_uint32),
    ]


# routable_status routable_schema_open(const char *schema, size_t length, const routable_schema_options *options,
#     routable_schema **out, routable_error **error);
routable_schema_open = _function(
    "routable_schema_open", routable_status,
    [c_char_p, c_size_t, POINTER(routable_schema_options), POINTER(POINTER(routable_schema)),
     POINTER(POINTER(routable_error))],
)

# routable_status routable_schema_of_type(const routable_router *router, const char *type, routable_schema **out,
#     routable_error **error);
routable_schema_of_type = _function(
    "routable_schema_of_type", routable_status,
    [POINTER(routable_router), c_char_p, POINTER(POINTER(routable_schema)), POINTER(POINTER(routable_error))],
)

# void routable_schema_free(routable_schema *schema);
routable_schema_free = _function("routable_schema_free", None, [POINTER(routable_schema)])

# routable_status routable_schema_validate(const routable_schema *schema, const char *json, size_t length, size_t
#     max_errors, routable_error **error);
routable_schema_validate = _function(
    "routable_schema_validate", routable_status,
    [POINTER(routable_schema), c_char_p, c_size_t, c_size_t, POINTER(POINTER(routable_error))],
)

ROUTABLE_SAMPLE_VARIED = 1

# routable_status routable_schema_sample(const routable_schema *schema, uint64_t seed, uint32_t flags, routable_string
#     *out, routable_error **error);
routable_schema_sample = _function(
    "routable_schema_sample", routable_status,
    [POINTER(routable_schema), c_uint64, c_uint32, POINTER(routable_string), POINTER(POINTER(routable_error))],
)
