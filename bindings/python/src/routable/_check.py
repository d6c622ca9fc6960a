"""Converts a status of the library to an exception."""

from __future__ import annotations

from ctypes import POINTER, byref

from . import _capi as c
from ._text import static, take, to_text
from .errors import CLASS_OF_CODE, FileError, RoutableError

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Optional, Type

new_error = POINTER(c.routable_error)


def check(status: int, error: Any) -> None:
    """Returns if `status` is OK; otherwise frees `error` and raises its exception."""
    if status == c.ROUTABLE_OK:
        return
    try:
        raised = _copy(status, error if error else None)
    finally:
        c.routable_error_free(error)
    raise raised


class no_positions:
    """Removes offset, line and column of an exception about JSON that this package wrote, which the caller does not see."""

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: Optional[BaseException], traceback: object) -> None:
        if isinstance(error, RoutableError):
            error.offset = error.line = error.column = None


def check_value(status: int, error: Any, value: object) -> None:
    """Like `check`, for a value that was given as bytes of JSON, or that this package wrote as JSON."""
    if isinstance(value, (bytes, bytearray)):
        check(status, error)
    elif status != c.ROUTABLE_OK:
        with no_positions():
            check(status, error)


def take_string(function: Any, *arguments: Any) -> str:
    """Calls a function that ends in `routable_string *out, routable_error **error`; returns the string, or raises."""
    out, error = c.routable_string(), new_error()
    check(function(*arguments, byref(out), byref(error)), error)
    return take(out)


def _copy(status: int, error: Any) -> RoutableError:
    """The fields of one routable_error, and of those that follow it, as an exception."""
    kind: Type[RoutableError] = CLASS_OF_CODE.get(status, RoutableError)
    name = static(c.routable_status_name(status))
    if error is None:
        return kind(f"the library gave no details ({name})", code=status, status=name)
    offset = c.routable_error_offset(error)
    response, following = c.routable_error_response(error), c.routable_error_next(error)
    from . import _observe
    from .response import read_response

    made = kind(
        to_text(c.routable_error_message(error)),
        code=status,
        status=name,
        pointer=to_text(c.routable_error_pointer(error)),
        schema_pointer=to_text(c.routable_error_schema_pointer(error)),
        offset=None if offset == c.ROUTABLE_NONE else offset,
        line=c.routable_error_line(error) or None,
        column=c.routable_error_column(error) or None,
        route=_some(c.routable_error_route(error)),
        operation=_some(c.routable_error_operation(error)),
        parameter=_some(c.routable_error_parameter(error)),
        allowed=tuple(
            to_text(c.routable_error_allowed_at(error, index))
            for index in range(c.routable_error_allowed_count(error))
        ),
        suggestion=_some(c.routable_error_suggestion(error)),
        http_status=c.routable_error_http_status(error) or None,
        curl_code=c.routable_error_curl_code(error) or None,
        response=read_response(response) if response else None,
        next=_copy(c.routable_error_status(following), following) if following else None,
    )
    if isinstance(made, FileError):
        _system_error(made)
    return _observe.add_trace(made, error)


def _system_error(made: FileError) -> None:
    """Sets the members of an OSError: the message begins with the path, and ends with the reason of the system."""
    import errno
    import os

    start, _, reason = made.message.rpartition(": ")
    made.errno = next((number for number in errno.errorcode if os.strerror(number) == reason), None)
    made.strerror = reason or None
    made.filename = start.partition(" cannot be ")[0] or None


def _some(text: c.routable_str) -> Optional[str]:
    return to_text(text) or None
