"""Texts, as include/routable.h has them."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_char, c_size_t

from .function import _function

# Text


class routable_str(Structure):
    """`typedef struct routable_str { ... } routable_str;`"""

    _fields_ = [
        ("ptr", POINTER(c_char)),
        ("len", c_size_t),
    ]


class routable_string(Structure):
    """`typedef struct routable_string { ... } routable_string;`"""

    _fields_ = [
        ("ptr", POINTER(c_char)),
        ("len", c_size_t),
    ]


# void routable_string_free(routable_string *string);
routable_string_free = _function("routable_string_free", None, [POINTER(routable_string)])
