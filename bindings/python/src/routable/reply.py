"""The responses that the handlers of a Service return (Reply) and raise (Refusal)."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any, AsyncIterable, BinaryIO, Iterable, Iterator, Mapping, Optional, Sequence, Tuple, Union

if TYPE_CHECKING:
    #: Headers by their names, or as pairs; a list has the values of several headers with one name.
    Fields = Union[Mapping[str, Union[str, Sequence[str]]], Iterable[Tuple[str, Union[str, Sequence[str]]]]]

__all__ = ["Refusal", "Reply"]


@dataclass
class Reply:
    """A response: `Reply(201, value, location=("user.note.read", [user, number]))`.

    status        0: the first success that the operation declares
    value         becomes JSON; bytes are sent unchanged, and so is a str if `content_type` is not JSON
    headers       further headers; a list has the values of several headers with one name
    content_type  None: the declared media type that the request prefers
    etag          a GET or HEAD request whose If-None-Match has it is answered with 304, and one whose If-Match does not, with 412
    location      the header Location: a URL, or an operation and its ids
    file          the body is a file: a path, or an open binary file, which is not closed
    lines         the body is JSON Lines: an iterable of values, also an asynchronous one
    events        the body is server-sent events: an iterable of Event or str, also an asynchronous one

    The iterator of `lines` or `events` is closed when the response ends, also if the client disconnects before.
    """

    status: int = 0
    value: Any = None
    headers: "Fields" = field(default_factory=dict)
    content_type: Optional[str] = None
    etag: Optional[str] = None
    location: "Union[str, Tuple[str, Union[Sequence[Any], Mapping[str, Any]]], None]" = None
    file: "Union[str, PathLike[str], BinaryIO, None]" = None
    lines: "Union[Iterable[Any], AsyncIterable[Any], None]" = None
    events: "Union[Iterable[Any], AsyncIterable[Any], None]" = None


class Refusal(Exception):
    """Raised by a handler: the request is answered with this status and a problem document with this detail.

    A status below 400, such as the 304 of `received.precondition`, is answered without a body.
    """

    def __init__(self, status: int, detail: str = "", headers: "Fields" = ()) -> None:
        super().__init__(detail)
        if not isinstance(status, int) or not 300 <= status <= 599:
            raise ValueError(f"a refusal has a status from 300 to 599, not {status!r}")
        self.status = status
        self.detail = detail
        self.headers = headers


def as_reply(result: Any) -> Reply:
    """The Reply for what a handler has returned: a Reply, (status, value), (status, value, headers) or a value."""
    if isinstance(result, Reply):
        return result
    if isinstance(result, tuple) and result and isinstance(result[0], int):
        if len(result) == 2 or len(result) == 3 and isinstance(result[2], Mapping):
            return Reply(*result)
    return Reply(value=result)


def header_pairs(headers: "Fields") -> Iterator[Tuple[str, str]]:
    """Each header field."""
    for name, values in headers.items() if isinstance(headers, Mapping) else headers:
        for value in [values] if isinstance(values, str) else values:
            yield name, value
