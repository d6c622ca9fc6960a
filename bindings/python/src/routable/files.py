"""Files of multipart forms, progress, and server-sent events."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from os.path import basename
from typing import Any, AsyncIterable, BinaryIO, Callable, Iterable, NamedTuple, Optional, Tuple, Union

#: A source of a body: a binary file, a path, bytes, an iterable of bytes, for an AsyncClient an asynchronous one, or a function
#: that takes a size and returns bytes.  A function returns b"" at the end, or None to pause the transfer until `Transfer.resume`.
Readable = Union[BinaryIO, "PathLike[str]", bytes, Iterable[bytes], AsyncIterable[bytes], Callable[[int], Optional[bytes]]]


@dataclass(frozen=True)
class File:
    """A part of multipart/form-data with a filename.

    File("a.png"), File(content=b"...", filename="a.png"), File(content=open("a.png", "rb"), content_type="image/png")
    """

    path: Union[str, "PathLike[str]", None] = None
    content: Optional[Union[bytes, Readable]] = None
    #: Default: the last component of the path.
    filename: Optional[str] = None
    #: Default: derived from the extension of the filename.
    content_type: Optional[str] = None

    def read(self) -> bytes:
        """The content as bytes; a binary file or an iterable is read to its end."""
        given: Any = self.content
        if (self.path is None) == (given is None):
            raise TypeError("a File requires either path or content")
        if hasattr(given, "read"):
            given = given.read()
        if isinstance(given, (bytes, bytearray, memoryview)):
            return bytes(given)
        if isinstance(given, str) or callable(given) or not isinstance(given, Iterable):
            raise TypeError(f"the content of a file must be bytes, a binary file or an iterable of bytes, not {type(given).__name__}")
        return b"".join(given)


#: (filename, content) or (filename, content, content_type), as in requests and httpx.
FileTuple = Union[
    Tuple[Optional[str], Union[str, bytes, BinaryIO]], Tuple[Optional[str], Union[str, bytes, BinaryIO], Optional[str]]
]
#: A file of a call.  A `str` is rejected, because it could be a path or content.
AnyFile = Union[File, "PathLike[str]", bytes, BinaryIO, FileTuple]


def as_file(name: str, given: object) -> File:
    """Converts an accepted value to a File; `name` is the name of the part, and the filename of content without one."""
    it: Any = given
    if isinstance(it, File):
        return it
    if isinstance(it, PathLike):
        return File(it)
    if isinstance(it, (bytes, bytearray, memoryview)):
        return File(content=bytes(it), filename=name)
    if hasattr(it, "read"):
        label = getattr(it, "name", None)
        return File(content=it, filename=basename(label) if isinstance(label, str) and label[:1] not in ("", "<") else name)
    if isinstance(it, tuple):
        if len(it) not in (2, 3) or not isinstance(it[0], (str, type(None))):
            raise TypeError(f"the file {name!r}: a tuple must be (filename, content) or (filename, content, content_type)")
        content = it[1].encode() if isinstance(it[1], str) else it[1]
        if content is None or isinstance(content, (PathLike, File)):
            raise TypeError(f"the file {name!r}: the content in a tuple must be bytes, str or a binary file; File has a path and a filename")
        return File(content=content, filename=it[0], content_type=it[2] if len(it) == 3 else None)
    why = "; pathlib.Path names a file, and bytes are content" if isinstance(it, str) else ""
    raise TypeError(f"the file {name!r}: a Path, bytes, a binary file, a tuple or a File is expected, not {type(it).__name__}{why}")


class Progress(NamedTuple):
    """The number of bytes sent and received, and their totals, or None if a total is unknown."""

    sent: int
    to_send: Optional[int]
    received: int
    to_receive: Optional[int]


class Event(NamedTuple):
    """A server-sent event."""

    data: str
    event: str
    id: str
