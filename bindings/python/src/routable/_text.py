"""Strings between Python and the library: names end in NUL, data has a length, and nothing is truncated."""

from __future__ import annotations

from ctypes import POINTER, byref, c_char, c_char_p, cast, string_at

from . import _capi as c
from .errors import ArgumentError

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Optional

_CHARACTERS = POINTER(c_char)


def name(what: str, text: str) -> bytes:
    """A name for a `const char *`.  Raises TypeError unless it is a str, and ArgumentError if it contains a NUL."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be a str, not {type(text).__name__}")
    if "\0" in text:
        raise ArgumentError(f"{what}: NUL inside {text!r}", parameter=what)
    return utf8(what, text)


def optional_name(what: str, text: Optional[str]) -> Optional[bytes]:
    """Like `name`, but None remains None (NULL)."""
    return None if text is None else name(what, text)


def utf8(what: str, text: str) -> bytes:
    """The string as UTF-8.  Raises ArgumentError for a lone surrogate."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        bad = text[error.start]
        raise ArgumentError(
            f"{what}: the lone surrogate {bad!r} is not Unicode text", parameter=what, offset=error.start
        ) from None


def natural(what: str, number: int, minimum: int = 0, maximum: int = 2**63 - 1) -> int:
    """Returns a number in the range; ctypes would truncate others silently.  Raises TypeError, ArgumentError."""
    if not isinstance(number, int):
        raise TypeError(f"{what} must be an int, not {type(number).__name__}")
    if not minimum <= number <= maximum:
        raise ArgumentError(f"{what}: {number} is not between {minimum} and {maximum}", parameter=what)
    return number


def data(content: bytes) -> c.routable_str:
    """Bytes as a routable_str, which keeps them alive."""
    return c.routable_str(cast(c_char_p(content), _CHARACTERS), len(content))


def to_bytes(borrowed: c.routable_str) -> bytes:
    """A copy of borrowed bytes of the library, whose owner must still be alive."""
    return string_at(borrowed.ptr, borrowed.len) if borrowed.len else b""


def to_text(borrowed: c.routable_str) -> str:
    """Like `to_bytes`, as a str.  Strings of the library are UTF-8; an invalid byte of a peer becomes an escape."""
    return to_bytes(borrowed).decode("utf-8", "backslashreplace")


def to_header(borrowed: c.routable_str) -> str:
    """A header as a str: UTF-8 or, if it is not valid UTF-8, Latin-1."""
    content = to_bytes(borrowed)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def take(string: c.routable_string, errors: str = "backslashreplace") -> str:
    """Converts an owned string to a str, and frees it."""
    try:
        return str(string_at(string.ptr, string.len), "utf-8", errors) if string.len else ""
    finally:
        c.routable_string_free(byref(string))


def static(text: Any) -> str:
    """Converts a `const char *` that the library never frees to a str."""
    return str(text, "utf-8")
