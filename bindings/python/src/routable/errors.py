"""Exceptions: one family, and for each status of the library one class.

Everything that the library refuses is a RoutableError.  Its attributes say what happened, where, and what would have been
allowed; where a builtin exception says the same thing the class is also that (ValueError, LookupError, OSError, ...).

    RoutableError
        RefusedError    a request that the description does not allow: nothing was sent
        PerformError    it was sent, or was about to be

The class of each status is written from the headers (_status_errors.py); docs/statuses.md lists them with what to do.

A missing attribute (`api.usr`, `api.user("x").status("3").update`) raises the class above that fits and
is an AttributeError as well, so that hasattr() answers.
"""

from __future__ import annotations

from . import _status_errors
from ._error import PerformError, RefusedError, RoutableError
from ._status_errors import *  # noqa: F403
from ._status_errors import CLASS_OF_CODE, IdError, NotAllowedError, UnknownError

__all__ = [
    "CLASS_OF_CODE",
    "IdAttributeError",
    "NotAllowedAttributeError",
    "PerformError",
    "RefusedError",
    "RoutableError",
    "UnknownAttributeError",
    "as_attribute",
]
__all__ += _status_errors.__all__

# They are of this module: where a traceback and pickle look for them.
for _each in (RoutableError, RefusedError, PerformError, *CLASS_OF_CODE.values()):
    _each.__module__ = __name__


class UnknownAttributeError(UnknownError, AttributeError):
    """UnknownError from an attribute."""


class NotAllowedAttributeError(NotAllowedError, AttributeError):
    """NotAllowedError from an attribute."""


class IdAttributeError(IdError, AttributeError):
    """IdError from an attribute: a child was asked of a resource whose own id is missing."""


def as_attribute(error: RoutableError) -> RoutableError:
    """The same error as an AttributeError, where an attribute was asked for."""
    kind = NotAllowedAttributeError if isinstance(error, NotAllowedError) else UnknownAttributeError
    raised = kind(error.message)
    raised.__dict__.update(error.__dict__)
    return raised
