"""The lifetime of the library's objects.

`Owned` is the base of every class that holds an object of the library.  The pointer is in a `Handle`
of its own, and each call into the library holds a reference to that Handle while it runs: `close()` in
one thread can therefore never free what another thread is using; the last user frees.
"""

from __future__ import annotations

import weakref

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Callable, Optional, TypeVar

    Self = TypeVar("Self", bound="Owned")


class Handle:
    """One pointer and the function that frees it.  ctypes accepts a Handle as an argument in place of its pointer."""

    __slots__ = ("_as_parameter_", "__weakref__")

    def __init__(self, pointer: Any, free: Callable[[Any], None]) -> None:
        self._as_parameter_ = pointer
        # Not at exit: a daemon thread may still be inside the library then, and the process is ending.
        weakref.finalize(self, free, pointer).atexit = False


class Owned:
    """Holds a Handle until `close()`, or until the object is no longer referenced."""

    __slots__ = ("_handle", "__weakref__")

    def __init__(self, pointer: Any, free: Callable[[Any], None]) -> None:
        self._handle: Optional[Handle] = Handle(pointer, free)

    def _live(self) -> Handle:
        """The handle to pass to the library.  Keep it in a local variable while a borrowed string is read."""
        handle = self._handle
        if handle is None:
            raise ValueError(f"this {type(self).__name__} is closed")
        return handle

    def close(self) -> None:
        """Frees the object.  A second call does nothing; any other use raises ValueError."""
        self._handle = None

    @property
    def closed(self) -> bool:
        """Whether the object is closed."""
        return self._handle is None

    def __enter__(self: Self) -> Self:
        self._live()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
