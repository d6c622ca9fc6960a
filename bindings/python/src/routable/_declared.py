"""Opens an API that a library declares: libNAME.so.0, which `make ROUTES=FILE` builds (docs/swift-to-c.md).

Such a library contains Routable.  If this package has opened that library (ROUTABLE_LIBRARY names it), it uses its router.
Otherwise it reads the route document of the API once, and opens the document with its own libroutable: the two libraries may
be of different versions, and objects of one library are never passed to the other.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_char_p, c_int, c_void_p
from pathlib import Path
from typing import Any, Optional

from . import _capi as c
from ._check import check, new_error
from ._load import library as opened
from ._load import library_path
from ._text import optional_name
from .documents import loads
from .errors import CLASS_OF_CODE, RoutableError
from .router import Router


def open_declared(name: str, module: str, base: Optional[str]) -> Router:
    """The router of libNAME.so.0, which is in the folder of the file `module`, or which the loader of the system finds."""
    function = f"{name}_router"
    if hasattr(opened, function):
        router, error = POINTER(c.routable_router)(), new_error()
        check(_prototype(opened, function)(optional_name("base", base), byref(router), byref(error)), error)
        return Router(router)
    return loads(_document(_find(name, module, function), function), base=base)


def _prototype(library: Any, function: str) -> Any:
    found = library[function]  # a new object at each call, so that its types are not shared
    found.argtypes, found.restype = [c_char_p, c_void_p, c_void_p], c_int
    return found


def _find(name: str, module: str, function: str) -> ctypes.CDLL:
    soname = f"lib{name}.so.0"
    tried = []
    for path in (str(Path(module).resolve().parent / soname), soname):
        try:
            found = ctypes.CDLL(path)
        except OSError as error:
            tried.append(f"  {error}")
            continue
        if hasattr(found, function):
            return found
        tried.append(f"  {path} has no {function}")
    raise ImportError(
        f"routable: {soname}, which declares this API, was not found ({library_path} is open and does not); tried\n"
        + "\n".join(tried))


def _document(library: Any, function: str) -> str:
    """Reads the route document of the API with functions of that library."""
    router, error, document = c_void_p(), c_void_p(), c.routable_string()
    free_error, free_router, free_string = library["routable_error_free"], library["routable_router_free"], library["routable_string_free"]
    free_error.argtypes = free_router.argtypes = [c_void_p]
    write = library["routable_router_document"]
    write.argtypes, write.restype = [c_void_p, c_void_p, c_void_p], c_int
    message = library["routable_error_message"]
    message.argtypes, message.restype = [c_void_p], c.routable_str
    status = _prototype(library, function)(None, byref(router), byref(error))
    if status == c.ROUTABLE_OK:
        status = write(router, byref(document), byref(error))
        free_router(router)
    if status != c.ROUTABLE_OK:
        said = message(error)
        text = ctypes.string_at(said.ptr, said.len).decode("utf-8", "replace")
        free_error(error)
        kind = CLASS_OF_CODE.get(status, RoutableError)
        raise kind(text, code=status)
    try:
        return ctypes.string_at(document.ptr, document.len).decode("utf-8")
    finally:
        free_string.argtypes = [c_void_p]
        free_string(byref(document))
