"""Bodies in Python: sources, targets and listeners of the library.  Each has a record, which is found by its key.

The key is the user data of the library's callback.  If a callable raises an exception, the record keeps the exception, the
transfer ends, and the exception is raised where the outcome is read.
"""

from __future__ import annotations

import itertools
from ctypes import POINTER, byref, cast, memmove, sizeof
from os import PathLike, fsdecode
from typing import (
    TYPE_CHECKING, Any, AsyncIterable, AsyncIterator, BinaryIO, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, Union,
)

from . import _capi as base
from ._capi import bodies as c
from ._check import check, new_error
from ._text import data, name, natural, optional_name, to_bytes, utf8
from ._threads import called_back
from .errors import CallbackError
from .files import File, FileTuple, Progress, Readable, as_file

if TYPE_CHECKING:
    import asyncio

    from .request import Request


class Record:
    """One callable of one request."""

    __slots__ = ("run", "again", "error", "source")

    def __init__(self, run: Callable[..., Any], again: Optional[Callable[[], None]] = None) -> None:
        self.run = run
        self.again = again
        self.error: Optional[BaseException] = None
        self.source: Optional[_AsyncPieces] = None


_records: Dict[int, Record] = {}
_keys = itertools.count(1)


def _kept(request: "Request", record: Record) -> int:
    """Stores a record, and returns its key, which the library passes to `_release`."""
    key = next(_keys)
    _records[key] = record
    if request._records is None:
        request._records = []
    request._records[:] = [each for each in request._records if each in _records.values()] + [record]
    return key


def _on_release(key: int) -> None:
    _records.pop(key, None)


def _guarded(key: int, body: Callable[[Record], int]) -> int:
    record = _records[key]
    try:
        return body(record)
    except BaseException as error:  # raised again, with its traceback, when the outcome is read
        record.error = error
        return base.ROUTABLE_ERR_CALLBACK


def _on_read(buffer: Any, capacity: int, count: Any, key: int) -> int:
    def body(record: Record) -> int:
        piece = record.run(capacity)
        if piece is None:
            return base.ROUTABLE_PENDING
        memmove(buffer, piece, len(piece))
        count[0] = len(piece)
        return base.ROUTABLE_OK

    return _guarded(key, body)


def _on_rewind(key: int) -> int:
    def body(record: Record) -> int:
        assert record.again is not None
        record.again()
        return base.ROUTABLE_OK

    return _guarded(key, body)


def _on_write(content: Any, key: int) -> int:
    def body(record: Record) -> int:
        record.run(to_bytes(content))
        return base.ROUTABLE_OK

    return _guarded(key, body)


def _on_progress(progress: Any, key: int) -> int:
    def body(record: Record) -> int:
        now = progress[0]
        record.run(Progress(now.sent, _known(now.to_send), now.received, _known(now.to_receive)))
        return base.ROUTABLE_OK

    return _guarded(key, body)


def _known(number: int) -> Optional[int]:
    return None if number < 0 else number


# One of each for the process: they live as long as it.
_read = c.routable_read_fn(called_back(_on_read))
_rewind = c.routable_rewind_fn(called_back(_on_rewind))
_write = c.routable_write_fn(called_back(_on_write))
_tell = c.routable_progress_fn(called_back(_on_progress))
_release = base.routable_release_fn(_on_release)


def raised(request: "Request", error: BaseException) -> BaseException:
    """The exception for a failure: the exception of a callable of the request, if it caused the failure."""
    if isinstance(error, CallbackError):
        for record in request._records or ():
            if record.error is not None:
                found, record.error = record.error, None
                return found
    return error


# --- Sources ---


class _Pieces:
    """An iterable of bytes, read in pieces of any size."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces
        self._iterator = iter(pieces)
        self._left = memoryview(b"")
        self.can_repeat = self._iterator is not pieces

    def read(self, size: int) -> bytes:
        while not self._left:
            piece = next(self._iterator, None)
            if piece is None:
                return b""
            self._left = _checked(piece)
        given, self._left = bytes(self._left[:size]), self._left[size:]
        return given

    def again(self) -> None:
        self._iterator = iter(self._pieces)
        self._left = memoryview(b"")


class _AsyncPieces:
    """An asynchronous iterable of bytes; the transfer waits until the next piece is available."""

    def __init__(self, pieces: AsyncIterable[bytes]) -> None:
        self._pieces = pieces
        self._iterator = pieces.__aiter__()
        self._left = memoryview(b"")
        self._next: "Optional[asyncio.Future[bytes]]" = None
        self.can_repeat = self._iterator is not pieces
        #: Resumes the transfer; an AsyncClient sets it.
        self.wake: Optional[Callable[[], None]] = None

    def read(self, size: int) -> Optional[bytes]:
        if self.wake is None:
            raise TypeError("an asynchronous iterable can be a body only for an AsyncClient")
        while not self._left:
            if self._next is None:
                from ._loops import spawn

                self._next = spawn(_anext(self._iterator))
                self._next.add_done_callback(self._told)
            if not self._next.done():
                return None
            piece, self._next = self._next, None
            try:
                self._left = _checked(piece.result())
            except _End:
                return b""
        given, self._left = bytes(self._left[:size]), self._left[size:]
        return given

    def _told(self, ended: "asyncio.Future[bytes]") -> None:
        if not ended.cancelled():
            ended.exception()  # `read` raises it, unless it was cancelled
        if self.wake is not None:
            self.wake()

    def again(self) -> None:
        self.close()
        self._iterator = self._pieces.__aiter__()

    def close(self) -> None:
        """Stops waiting for the next piece."""
        self._left = memoryview(b"")
        if self._next is not None:
            self._next.cancel()
            self._next = None


class _End(Exception):
    pass


async def _anext(iterator: AsyncIterator[bytes]) -> bytes:
    try:
        return await iterator.__anext__()
    except StopAsyncIteration:
        raise _End from None  # a task would take the other for the end of its coroutine


def _checked(piece: Any) -> memoryview:
    if not isinstance(piece, (bytes, bytearray, memoryview)):
        raise TypeError(f"a piece of a body must be bytes, not {type(piece).__name__}")
    return memoryview(piece).cast("B")


def _source(request: "Request", source: Readable, length: Optional[int]) -> Any:
    again: Optional[Callable[[], None]] = None
    read: Callable[[int], Optional[bytes]]
    given: Any = source
    pieces_to_come: Optional[_AsyncPieces] = None
    if isinstance(given, PathLike):
        given = open(given, "rb")
    if isinstance(given, (bytes, bytearray, memoryview)):
        given = [given]
    elif isinstance(given, str):
        raise TypeError("a source of a body must be a binary file, bytes, an iterable of bytes or a function, not str; pathlib.Path names a file")
    if hasattr(given, "read"):
        if given.seekable():
            start = given.tell()
            again = lambda: given.seek(start)  # noqa: E731
            if length is None:
                length = given.seek(0, 2) - start
                given.seek(start)
        read = lambda size: _bytes(given.read(size))  # noqa: E731
    elif hasattr(given, "__aiter__"):
        pieces_to_come = _AsyncPieces(given)
        read, again = pieces_to_come.read, pieces_to_come.again if pieces_to_come.can_repeat else None
    elif callable(given):
        rest: List[memoryview] = [memoryview(b"")]

        def read(size: int) -> Optional[bytes]:
            if not rest[0]:
                piece = given(size)
                if piece is None:
                    return None
                rest[0] = _checked(piece)
            part, rest[0] = bytes(rest[0][:size]), rest[0][size:]
            return part
    else:
        pieces = _Pieces(given)
        read, again = pieces.read, pieces.again if pieces.can_repeat else None
    record = Record(read, again)
    record.source = pieces_to_come
    return c.routable_source(
        size=sizeof(c.routable_source), read=_read, rewind=_rewind if again else c.routable_rewind_fn(), release=_release,
        user_data=_kept(request, record), length=-1 if length is None else natural("length", length),
    )


def _bytes(piece: Any) -> bytes:
    return bytes(_checked(piece))


def set_body_from(request: "Request", source: Readable, length: Optional[int], content_type: Optional[str]) -> None:
    kind, error = optional_name("content_type", content_type), new_error()
    made = _source(request, source, length)
    check(c.routable_request_set_body_source(request._live(), byref(made), kind, byref(error)), error)
    request._streams = True


def set_body_file(request: "Request", path: Union[str, "PathLike[str]"], content_type: Optional[str]) -> None:
    kind, error = optional_name("content_type", content_type), new_error()
    check(c.routable_request_set_body_file(request._live(), name("path", fsdecode(path)), kind, byref(error)), error)
    request._streams = True


# --- Parts ---

Part = Union[str, bytes, int, float, bool, File, "PathLike[str]", BinaryIO, FileTuple]
Parts = Union[Mapping[str, Union[Part, List[Part]]], Iterable[Tuple[str, Part]]]


def set_multipart(request: "Request", parts: Parts, html: bool) -> None:
    pairs = _pairs(parts)
    array = (c.routable_part * len(pairs))()
    held: List[Any] = []
    for place, (key, value) in zip(array, pairs):
        label = utf8("the name of a part", key)
        place.size = sizeof(c.routable_part)
        place.name = data(label)
        held.append(label)
        _fill(request, place, key, value, held)
    error = new_error()
    flags = c.ROUTABLE_MULTIPART_HTML if html else 0
    check(c.routable_request_set_multipart(request._live(), array, len(pairs), flags, byref(error)), error)
    request._streams = True


def _pairs(parts: Parts) -> List[Tuple[str, Any]]:
    found: List[Tuple[str, Any]] = []
    for key, value in parts.items() if isinstance(parts, Mapping) else parts:
        if not isinstance(key, str):
            raise TypeError(f"the name of a part must be a str, not {type(key).__name__}")
        found.extend((key, each) for each in value) if isinstance(value, list) else found.append((key, value))
    return found


def _fill(request: "Request", place: Any, key: str, value: Any, held: List[Any]) -> None:
    file = as_file(key, value) if isinstance(value, (File, PathLike, tuple)) or hasattr(value, "read") else None
    if file is None:
        content = _field(value)
        place.content = data(content)
        held.append(content)
        return
    place.filename = optional_name("filename", file.filename)
    place.content_type = optional_name("content_type", file.content_type)
    if (file.path is None) == (file.content is None):
        raise TypeError("a File requires either path or content")
    if file.path is not None:
        place.file = name("path", fsdecode(file.path))
    elif isinstance(file.content, (bytes, bytearray, memoryview)):
        content = bytes(file.content)
        place.content = data(content)
        held.append(content)
    else:
        assert file.content is not None
        source = _source(request, file.content, None)
        place.source = cast(byref(source), POINTER(c.routable_source))
        held.append(source)


def _field(value: Any) -> bytes:
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, (str, int, float)):
        return utf8("a part", value if isinstance(value, str) else repr(value))
    raise TypeError(f"a part must be a str, bytes, a number or a File, not {type(value).__name__}")


# --- Targets, progress ---


def save_to(request: "Request", path: Union[str, "PathLike[str]"], resume: bool) -> None:
    error = new_error()
    flags = c.ROUTABLE_TARGET_RESUME if resume else 0
    check(c.routable_request_set_target_file(request._live(), name("path", fsdecode(path)), flags, byref(error)), error)


def write_to(request: "Request", target: Any) -> None:
    error, handle = new_error(), request._live()
    if target is None:
        check(c.routable_request_set_target(handle, None, byref(error)), error)
    elif isinstance(target, int):
        check(c.routable_request_set_target_descriptor(handle, natural("descriptor", target, 0, 2**31 - 1), byref(error)), error)
    else:
        run = target.write if hasattr(target, "write") else target
        if not callable(run):
            raise TypeError(f"a body can be written to a binary file, a function or a descriptor, not {type(target).__name__}")
        made = c.routable_target(
            size=sizeof(c.routable_target), write=_write, release=_release, user_data=_kept(request, Record(run)))
        check(c.routable_request_set_target(handle, byref(made), byref(error)), error)


def on_progress(request: "Request", function: Optional[Callable[[Progress], None]]) -> None:
    error, handle = new_error(), request._live()
    if function is None:
        none, no_release = c.routable_progress_fn(), base.routable_release_fn()
        check(c.routable_request_set_progress(handle, none, None, no_release, byref(error)), error)
        return
    key = _kept(request, Record(function))
    check(c.routable_request_set_progress(handle, _tell, key, _release, byref(error)), error)


def wake(request: "Request", resume: Callable[[], None]) -> None:
    """Sets the function by which waiting sources continue the transfer of the request; it replaces an earlier one."""
    for record in request._records or ():
        if record.source is not None:
            record.source.wake = resume


def sleep(request: "Request") -> None:
    """Ends the waiting of sources after the transfer has ended."""
    for record in request._records or ():
        if record.source is not None:
            record.source.wake = None
            record.source.close()


def pause(transfer: Any, is_paused: bool) -> bool:
    return bool((c.routable_transfer_pause if is_paused else c.routable_transfer_resume)(transfer))
