"""Answers: the responses of a service, which the library makes and validates (docs/service.md)."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping
from ctypes import POINTER, byref, c_int32, c_void_p, sizeof
from os import PathLike, fsencode
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _capi as c
from . import _json
from ._check import check, new_error
from ._handle import Owned
from ._text import data, name, optional_name, to_bytes, to_header, utf8
from .errors import ArgumentError, RoutableError
from .files import Event
from .received import Received

Pairs = List[Tuple[str, str]]


class Answer(Owned):
    """A response, with a body in memory, of a file, or of items."""

    __slots__ = ("slot",)

    def __init__(self, pointer: Any, slot: "Optional[Slot]" = None) -> None:
        super().__init__(pointer, c.routable_answer_free)
        self.slot = slot

    @property
    def status(self) -> int:
        return int(c.routable_answer_status(self._live()))

    @property
    def headers(self) -> Pairs:
        handle = self._live()
        fields = [c.routable_answer_header_at(handle, index) for index in range(c.routable_answer_header_count(handle))]
        return [(to_header(field.name), to_header(field.value)) for field in fields]

    @property
    def body(self) -> Optional[bytes]:
        """The body in memory; None for a file and for items, which `next` reads."""
        handle = self._live()
        if self.slot is not None or c.routable_answer_descriptor(handle) >= 0:
            return None
        return to_bytes(c.routable_answer_body(handle))

    def next(self) -> Optional[bytes]:
        """The next piece of the body; b"" if there is no item yet, and None at the end."""
        handle, piece, error = self._live(), c.routable_str(), new_error()
        status = c.routable_answer_next(handle, byref(piece), byref(error))
        if status == c.ROUTABLE_IDLE:
            return None
        if status == c.ROUTABLE_PENDING:
            return b""
        check(status, error)
        return to_bytes(piece)


class Slot:
    """The next item for the library."""

    def __init__(self, is_events: bool) -> None:
        self.is_events = is_events
        self.item: Optional[Tuple[bytes, bytes, bytes]] = None
        self.is_ended = False
        self.taken: Optional[Tuple[bytes, bytes, bytes]] = None  # which the library reads until the next call

    def put(self, value: object) -> None:
        if not self.is_events:
            self.item = (_json.dumps("a value of the response", value), b"", b"")
        elif isinstance(value, Event):
            self.item = (utf8("data", value.data), utf8("event", value.event), utf8("id", value.id))
        elif isinstance(value, str):
            self.item = (utf8("data", value), b"", b"")
        else:
            raise TypeError(f"an event must be an Event or a str, not {type(value).__name__}")


_slots: Dict[int, Slot] = {}
_keys = itertools.count(1)


def _on_item(item: Any, key: int) -> int:
    slot = _slots[key]
    if slot.item is None:
        return int(c.ROUTABLE_IDLE if slot.is_ended else c.ROUTABLE_PENDING)
    slot.taken, slot.item = slot.item, None
    item[0].data, item[0].event, item[0].id = (data(each) for each in slot.taken)
    return int(c.ROUTABLE_OK)


def _on_release(key: int) -> None:
    _slots.pop(key, None)


# For the process: they live as long as it.
_next = c.routable_item_fn(_on_item)
_release = c.routable_release_fn(_on_release)


class Content(NamedTuple):
    """The parts of a response that are not its status."""

    value: Any = None
    headers: Iterable[Tuple[str, Any]] = ()
    content_type: Optional[str] = None
    etag: Optional[str] = None
    location: "Union[str, Tuple[str, Any], None]" = None
    file: Any = None
    slot: Optional[Slot] = None


def precondition(received: Received, etag: Optional[str]) -> int:
    """0, or the HTTP status of the response: 304 or 412."""
    status, error = c_int32(), new_error()
    handle = received._live()
    check(c.routable_received_precondition(handle, optional_name("etag", etag), byref(status), byref(error)), error)
    return status.value


def make(received: Received, method: str, status: int, content: Content, flags: int) -> Answer:
    """The response to a request.  The exception of a response that was refused has the response to send as `answer`."""
    handle = received._live()
    lines, keep = _headers(content.headers)
    options = c.routable_answer_options(size=sizeof(c.routable_answer_options), headers=lines, header_count=len(lines), descriptor=c.ROUTABLE_NONE)
    options.content_type = optional_name("content_type", content.content_type)
    options.etag = optional_name("etag", content.etag)
    if isinstance(content.location, tuple):
        route, _, operation = content.location[0].rpartition(".")
        options.location_route, options.location_operation = name("location", route), name("location", operation)
        ids, kept = _ids(content.location[1])
        options.location_ids, options.location_id_count = ids, len(ids)
        keep.append(kept)
    else:
        options.location = optional_name("location", content.location)
    if content.file is not None:
        if isinstance(content.file, (str, bytes, PathLike)):
            path = fsencode(content.file)
            if b"\0" in path:
                raise ArgumentError(f"the path of a file has no NUL: {content.file!r}")
            options.file = path
        else:
            try:
                options.descriptor = descriptor = content.file.fileno()
                # What Python has read into its buffer is not lost.
                os.lseek(descriptor, content.file.tell(), os.SEEK_SET)
            except (AttributeError, OSError) as wrong:
                raise TypeError(f"file must be a path or an open file of the file system: {wrong}") from wrong
    slot = content.slot
    if slot is not None:
        key = next(_keys)
        _slots[key] = slot
        options.next_kind = c.ROUTABLE_STREAM_EVENTS if slot.is_events else c.ROUTABLE_STREAM_LINES
        options.next, options.user_data, options.release = _next, c_void_p(key), _release
    out, error = POINTER(c.routable_answer)(), new_error()
    if not isinstance(status, int) or isinstance(status, bool) or not 0 <= status <= 999:
        raise ArgumentError(f"{status!r} is not an HTTP status")
    code = c.routable_answer_new(handle, status, _value(content, keep), byref(options), byref(out), byref(error))
    if code != c.ROUTABLE_OK:
        raise_refused(code, error, method, flags)
    return Answer(out, slot if c.routable_answer_body_length(out) == c.ROUTABLE_NONE else None)


def problem(received: Optional[Received], status: int, detail: str, headers: Iterable[Tuple[str, str]]) -> Answer:
    """A problem document by which the program refuses a request."""
    handle = received._live() if received is not None else None
    lines, keep = _headers(headers)
    options = c.routable_answer_options(size=sizeof(c.routable_answer_options), headers=lines, header_count=len(lines), descriptor=c.ROUTABLE_NONE)
    text = utf8("detail", detail)
    out, error = POINTER(c.routable_answer)(), new_error()
    check(c.routable_answer_new_problem(handle, status, data(text), byref(options), byref(out), byref(error)), error)
    del keep
    return Answer(out)


def raise_refused(code: int, error: Any, method: str, flags: int) -> None:
    """Raises the exception of a failure, with the response to send as `answer`."""
    answer = None
    if error:
        out = POINTER(c.routable_answer)()
        # A method that is no name is refused by the library, and is no HEAD or OPTIONS.
        word = method.encode("utf-8", "replace").replace(b"\0", b"?")
        check(c.routable_answer_new_refused(error, word, flags, byref(out), None), None)
        answer = Answer(out)
    try:
        check(code, error)
    except RoutableError as raised:
        setattr(raised, "answer", answer)
        raise


def _value(content: Content, keep: List[Any]) -> c.routable_value:
    value, kind = content.value, content.content_type
    result = c.routable_value()
    if isinstance(value, (bytes, bytearray, memoryview)):
        text, result.kind = bytes(value), c.ROUTABLE_KIND_STRING
    elif isinstance(value, str) and kind is not None and "json" not in kind:
        text, result.kind = utf8("the value of the response", value), c.ROUTABLE_KIND_STRING
    elif value is not None or kind is not None and content.file is None and content.slot is None:
        text, result.kind = _json.dumps("the value of the response", value), c.ROUTABLE_KIND_JSON
    else:
        return result
    keep.append(text)
    result.as_.string = data(text)
    return result


def _headers(pairs: Iterable[Tuple[str, Any]]) -> Tuple[Any, List[Any]]:
    """The headers as an array, and what must live as long as it."""
    fields = [(utf8("header", key), utf8("header", str(value))) for key, value in pairs]
    return (c.routable_header * len(fields))(*(c.routable_header(data(key), data(value)) for key, value in fields)), [fields]


def _ids(given: Any) -> Tuple[Any, List[Any]]:
    """Ids by name or by position."""
    pairs: "Sequence[Tuple[Optional[str], Any]]"
    if isinstance(given, Mapping):
        pairs = list(given.items())
    else:
        pairs = [(None, each) for each in (given if isinstance(given, (list, tuple)) else [given])]
    array, keep = (c.routable_argument * len(pairs))(), []
    for place, (key, value) in enumerate(pairs):
        array[place].name = optional_name("an id", key)
        found = array[place].value
        if isinstance(value, bool):
            found.kind, found.as_.integer = c.ROUTABLE_KIND_BOOLEAN, int(value)
            continue
        text = utf8("an id", value) if isinstance(value, str) else _json.dumps("an id", value)
        found.kind, found.as_.string = (c.ROUTABLE_KIND_STRING if isinstance(value, str) else c.ROUTABLE_KIND_JSON), data(text)
        keep.append(text)
    return array, keep
