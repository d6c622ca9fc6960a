"""File: a part of a form that has a filename; and how far a transfer is."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import BinaryIO, Callable, Iterable, NamedTuple, Optional, Union

#: What a body may be read from: a binary file, an iterable of bytes, or a function of a size that returns bytes, none at
#: the end, or None for "not now" (then `Transfer.resume` goes on).
Readable = Union[BinaryIO, Iterable[bytes], Callable[[int], Optional[bytes]]]


@dataclass(frozen=True)
class File:
    """A part of multipart/form-data that is a file: by its path, its bytes, or what it is read from.

    File("a.png"), File(content=b"...", filename="a.png"), File(content=open("a.png", "rb"), content_type="image/png")
    """

    path: Union[str, "PathLike[str]", None] = None
    content: Optional[Union[bytes, Readable]] = None
    #: Instead of the last component of the path.
    filename: Optional[str] = None
    #: Instead of what the ending of the filename says.
    content_type: Optional[str] = None


class Progress(NamedTuple):
    """How many bytes went each way, and how many there are; None where that is not known."""

    sent: int
    to_send: Optional[int]
    received: int
    to_receive: Optional[int]


class Event(NamedTuple):
    """A server-sent event."""

    data: str
    event: str
    id: str
