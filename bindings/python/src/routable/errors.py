"""Exceptions: one class for each status of the library.

All except CancelledError are RoutableErrors, whose attributes state what is wrong, where, and what is allowed.  A class also
derives from the builtin exception with the same meaning, if there is one (ValueError, LookupError, OSError, ...).

    RoutableError
        RefusedError    the description does not allow the request; nothing was sent
        PerformError    the request failed while it was performed
    CancelledError      the request was cancelled, or its client was closed; not a RoutableError, because nothing failed

docs/statuses.md lists the classes, and what to do about each.  _status_errors.py is generated from the headers.

A missing attribute (`api.usr`, `api.user("x").status("3").update`) raises a subclass that is also an AttributeError, so that
hasattr() works.
"""

from __future__ import annotations

from . import _status_errors
from ._error import CancelledError, PerformError, RefusedError, RoutableError
from ._status_errors import *  # noqa: F403
from ._status_errors import CLASS_OF_CODE, IdError, NotAllowedError, UnknownError

__all__ = [
    "CLASS_OF_CODE",
    "CancelledError",
    "IdAttributeError",
    "NotAllowedAttributeError",
    "PerformError",
    "RefusedError",
    "RoutableError",
    "UnknownAttributeError",
    "UnknownKeyError",
    "as_attribute",
]
__all__ += _status_errors.__all__

# They are of this module: where a traceback and pickle look for them.
for _each in (CancelledError, RoutableError, RefusedError, PerformError, *CLASS_OF_CODE.values()):
    _each.__module__ = __name__


class UnknownAttributeError(UnknownError, AttributeError):
    """UnknownError for an attribute."""


class UnknownKeyError(UnknownError, KeyError):
    """UnknownError for a key of a mapping."""

    def __str__(self) -> str:
        return self.message  # that of KeyError is the representation of its argument


class NotAllowedAttributeError(NotAllowedError, AttributeError):
    """NotAllowedError for an attribute."""


class IdAttributeError(IdError, AttributeError):
    """IdError for an attribute: a child of a resource whose id is missing."""


def as_attribute(error: RoutableError) -> RoutableError:
    """The same error as an AttributeError, for access to an attribute."""
    kind = NotAllowedAttributeError if isinstance(error, NotAllowedError) else UnknownAttributeError
    raised = kind(error.message)
    raised.__dict__.update(error.__dict__)
    return raised
