"""The trace of a response, an exception or an event: by itself, so that the exceptions of the package need no dataclasses.  trace.py
is imported when a trace is read."""

from __future__ import annotations

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Optional, Tuple

    from .trace import Attempt, Redirect, Timings, Trace


class Traced:
    """The trace of a response, an exception or an event."""

    __slots__ = ()

    @property
    def timings(self) -> Optional[Timings]:
        """The timings; None unless the client has `timings=True`."""
        trace: Optional[Trace] = self.__dict__.get("_trace")
        return None if trace is None else trace.timings

    @property
    def attempts(self) -> Tuple[Attempt, ...]:
        """All attempts except the last one."""
        trace: Optional[Trace] = self.__dict__.get("_trace")
        return () if trace is None else trace.attempts

    @property
    def redirects(self) -> Tuple[Redirect, ...]:
        """The redirects that were followed."""
        trace: Optional[Trace] = self.__dict__.get("_trace")
        return () if trace is None else trace.redirects
