"""Finds libroutable and opens it, once, when the package is imported.

In this order: the one exact file that the environment variable ROUTABLE_LIBRARY names; a
libroutable.so.0 beside this package; one in the folder lib or lib64 of the prefix that this package
is installed under; the libroutable.so.0 that the system's loader finds.
"""

from __future__ import annotations

import ctypes
import os.path
import sys

from ._version import VERSION

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import List, Tuple

if sys.implementation.name != "cpython":
    raise ImportError(f"routable requires CPython, because it uses ctypes; this is {sys.implementation.name}")

SONAME = "libroutable.so.0"

#: What the prototypes in _capi/ were written for: (major, minor).
WANTED = VERSION[:2]


def _candidates() -> List[str]:
    exact = os.environ.get("ROUTABLE_LIBRARY")
    if exact:
        return [exact]
    package = os.path.dirname(os.path.realpath(__file__))
    found = [os.path.join(package, SONAME)]
    # PREFIX/lib/python3.11/site-packages/routable: `make install` puts the library into PREFIX/lib.
    parent = os.path.dirname(package)
    if os.path.basename(parent) in ("site-packages", "dist-packages"):
        prefix = os.path.dirname(os.path.dirname(os.path.dirname(parent)))
        installed = [os.path.join(prefix, folder, SONAME) for folder in ("lib", "lib64")]
        found += [path for path in installed if os.path.exists(path)]
    return [*found, SONAME]


def _open() -> Tuple[ctypes.CDLL, str]:
    tried = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path), path
        except OSError as error:
            said = str(error)
            tried.append(f"  {said}" if path in said else f"  {path}: {said}")
    hint = "set ROUTABLE_LIBRARY to the file, or install the library (make install)"
    raise ImportError("routable: the shared library was not found; tried\n" + "\n".join(tried) + f"\n{hint}")


def _check(found: ctypes.CDLL, path: str) -> None:
    """Major version equal, minor version not less; otherwise an ImportError that names both and the file."""
    try:
        version = found.routable_version
    except AttributeError as error:
        raise ImportError(f"routable: {path} is not libroutable: it has no routable_version") from error
    version.argtypes, version.restype = [], ctypes.c_uint32
    number = version()
    major, minor, patch = number >> 16, number >> 8 & 0xFF, number & 0xFF
    if major != WANTED[0] or minor < WANTED[1]:
        raise ImportError(
            f"routable: this package requires libroutable {WANTED[0]}.{WANTED[1]} or a later {WANTED[0]}.x, "
            f"but {path} is {major}.{minor}.{patch}"
        )


library, library_path = _open()
_check(library, library_path)
