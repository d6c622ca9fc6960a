"""Values, as include/routable.h has them."""

from __future__ import annotations

from ctypes import Structure, Union, c_char_p, c_double, c_int32, c_int64

from .text import routable_str

# Values: what is put into a path, a query, a header or a form

routable_kind = c_int32
ROUTABLE_NULL = 0
ROUTABLE_BOOLEAN = 1
ROUTABLE_INTEGER = 2
ROUTABLE_REAL = 3
ROUTABLE_TEXT = 4
ROUTABLE_JSON = 5


class routable_value_as(Union):
    """The anonymous union of routable_value."""

    _fields_ = [("integer", c_int64), ("real", c_double), ("text", routable_str)]


class routable_value(Structure):
    """`typedef struct routable_value { ... } routable_value;`"""

    _fields_ = [
        ("kind", routable_kind),
        ("reserved", c_int32),
        ("as_", routable_value_as),
    ]


class routable_argument(Structure):
    """`typedef struct routable_argument { ... } routable_argument;`"""

    _fields_ = [
        ("name", c_char_p),
        ("value", routable_value),
    ]
