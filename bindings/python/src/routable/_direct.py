"""Functions without declared types, for callers that make many calls.

ctypes neither checks nor converts their arguments, which would take longer than the calls.  The arguments must be ctypes
values of exactly the types of the header."""

from __future__ import annotations

from ctypes import CDLL, c_int32

from ._load import library, library_path

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any

_library = CDLL(library_path, handle=library._handle)


def undeclared(name: str, result: Any = c_int32, source: CDLL = _library) -> Any:
    """A function of the library that returns a status unless `result` is another type."""
    function = source[name]  # an object of its own, as opposed to an attribute
    function.restype = result
    return function


submit = undeclared("routable_client_submit")
cancel = undeclared("routable_transfer_cancel")
free = undeclared("routable_transfer_free")
