"""The two functions that are called most, once more, for callers that count nanoseconds.

`_capi.py` declares the types of all arguments, which ctypes then checks and converts at each call: that
costs more than the work.  The functions here take what is converted already: ctypes values of exactly the
types of the header, `bytes` and None, and nothing else.  They keep the interpreter's lock, since what they
do takes less time than to give it away and to wait for it.
"""

from __future__ import annotations

from ctypes import PyDLL, c_int32
from typing import Any

from ._load import library, library_path

_holding = PyDLL(library_path, handle=library._handle)


def _undeclared(name: str) -> Any:
    function = _holding[name]  # an object of its own, as opposed to an attribute
    function.restype = c_int32
    return function


#: routable_plan_write: (plan, ids, id_count, query, query_count, buffer, capacity, length, error)
plan_write = _undeclared("routable_plan_write")

#: routable_router_match: (router, method, path, length, flags, out)
router_match = _undeclared("routable_router_match")
