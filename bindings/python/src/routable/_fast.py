"""The functions that are called most, without declared types, for callers that count nanoseconds.

The arguments of these functions (`_direct`) must be converted already: results of `from_param` of exactly the types of the
header, values of these types, `bytes` or None.  The functions keep the interpreter's lock, because they take less time than
releasing the lock and waiting for it.

Because of the lock, one workspace serves all threads: no other thread runs between the call and the copy that ctypes makes
of the text.  If there is no such lock (a free-threaded interpreter), `WORKSPACE` is None and
`workspace_url` and `workspace_match` must not be called.
"""

from __future__ import annotations

import sys
from ctypes import POINTER, PyDLL, byref, c_char_p, c_size_t, c_void_p, cast

from . import _capi as c
from ._check import check, new_error
from ._direct import undeclared
from ._load import library, library_path

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any

_holding = PyDLL(library_path, handle=library._handle)

#: Lengths as C arguments, by their numbers: creating one at each call takes longer than the call.
LENGTHS = tuple(map(c_size_t.from_param, range(512)))


def prepared(pointer: Any) -> Any:
    """A pointer as an argument that is converted once.  It keeps nothing alive."""
    return c_void_p.from_param(cast(pointer, c_void_p).value)


def _new_workspace() -> Any:
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        return None
    out, error = POINTER(c.routable_workspace)(), new_error()
    check(c.routable_workspace_new(byref(out), byref(error)), error)
    return prepared(out)  # never freed: there is one in a process


#: routable_plan_write: (plan, ids, id_count, query, query_count, buffer, capacity, length, error)
plan_write = undeclared("routable_plan_write", source=_holding)

#: routable_router_match: (router, method, path, length, flags, out): a routable_str is passed as its two members.
router_match = undeclared("routable_router_match", source=_holding)

#: routable_workspace_url: (WORKSPACE, plan, ids, length)
workspace_url = undeclared("routable_workspace_url", c_char_p, _holding)

#: routable_workspace_match: (WORKSPACE, router, method, path, length, flags)
workspace_match = undeclared("routable_workspace_match", c_char_p, _holding)

WORKSPACE = _new_workspace()
