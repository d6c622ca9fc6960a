"""Streams: the body of an answer, taken piece by piece, line by line, or event by event."""

from __future__ import annotations

import json
from ctypes import POINTER, byref, c_char, c_char_p, cast, sizeof
from typing import TYPE_CHECKING, Any, Callable, Generic, Iterator, Optional, TypeVar

from . import _capi as base
from . import _capi_bodies as c
from ._bodies import raised
from ._check import check, new_error
from ._handle import Handle, Owned
from ._text import data, natural, to_bytes, utf8
from .errors import RoutableError
from .files import Event
from .response import Response, read_response
from .transfer import CancelledError

if TYPE_CHECKING:
    from .request import Request

T = TypeVar("T")
#: How long one wait for more is: signals of the process are seen in between.
_MOMENT = 500


class Splitter:
    """Cuts bytes that another client fetched: `take` them, `end`, and iterate.

        splitter = Splitter("events")
        splitter.take(b"data: hello\\n\\n")
        list(splitter)        # [Event(data='hello', event='message', id='')]
    """

    def __init__(self, kind: str, *, max_item_bytes: int = 16 << 20) -> None:
        """`kind` is "lines" or "events"."""
        if kind not in ("lines", "events"):
            raise ValueError(f'kind is "lines" or "events", not {kind!r}')
        self._convert: Callable[[Any], Any] = to_event if kind == "events" else to_line
        options = _options(c.ROUTABLE_STREAM_EVENTS if kind == "events" else c.ROUTABLE_STREAM_LINES, max_item_bytes)
        out, error = POINTER(c.routable_splitter)(), new_error()
        check(c.routable_splitter_new(byref(options), byref(out), byref(error)), error)
        self._handle = Handle(out, c.routable_splitter_free)

    def take(self, content: bytes) -> None:
        """LimitError for an item that is too large."""
        copy, error = bytes(content), new_error()
        check(c.routable_splitter_take(self._handle, data(copy), byref(error)), error)

    def end(self) -> None:
        """There are no more bytes."""
        c.routable_splitter_end(self._handle)

    def __iter__(self) -> Iterator[Any]:
        item, error = c.routable_item(), new_error()
        while c.routable_splitter_next(self._handle, byref(item), byref(error)) == base.ROUTABLE_OK:
            yield self._convert(item)


def to_event(item: Any) -> Event:
    return Event(*(to_bytes(text).decode("utf-8", "replace") for text in (item.data, item.event, item.id)))


def to_line(item: Any) -> str:
    return to_bytes(item.data).decode("utf-8", "replace")


def to_piece(item: Any) -> bytes:
    return to_bytes(item.data)


def to_value(item: Any) -> Any:
    return json.loads(to_bytes(item.data))


def _options(
    kind: int, max_item_bytes: int, buffered: int = 256 << 10, reconnects: int = 0, retry: float = 3.0, last_id: bytes = b""
) -> Any:
    return c.routable_stream_options(
        size=sizeof(c.routable_stream_options),
        kind=kind,
        reconnects=natural("reconnects", reconnects, 0, 2**32 - 1),
        max_item_bytes=natural("max_item_bytes", max_item_bytes, 1),
        max_buffered_bytes=natural("max_buffered_bytes", buffered, 1),
        retry_ms=max(1, round(retry * 1000)),
        last_event_id=data(last_id) if last_id else base.routable_str(cast(c_char_p(b""), POINTER(c_char)), 0),
    )


class Opened(Owned):
    """What both kinds of stream have."""

    __slots__ = ("request", "_client", "_convert")

    def __init__(
        self,
        client: Any,
        request: "Request",
        policy: Any,
        kind: int,
        convert: Callable[[Any], Any],
        max_item_bytes: int,
        max_buffered_bytes: int,
        reconnects: int,
        retry: float,
        last_event_id: str,
    ) -> None:
        last = utf8("last_event_id", last_event_id)
        options = _options(kind, max_item_bytes, max_buffered_bytes, reconnects, retry, last)
        out, error = POINTER(c.routable_stream)(), new_error()
        check(
            c.routable_stream_open(
                client._live(), request._live(), byref(options), policy, byref(out), byref(error)
            ),
            error,
        )
        super().__init__(out, c.routable_stream_free)
        self._client = client  # one that nobody holds would cancel it
        self._convert = convert
        #: The request that was sent.
        self.request = request

    def _check(self, status: int, error: Any) -> None:
        if status == base.ROUTABLE_CANCELLED:
            raise CancelledError("the stream was cancelled")
        try:
            check(status, error)
        except RoutableError as failure:
            raise raised(self.request, failure)

    def _take(self, timeout: int) -> "tuple[int, Any]":
        """The status, and the next item with OK.  Raises what ended it but its end."""
        handle, item, error = self._live(), c.routable_item(), new_error()
        status = c.routable_stream_next(handle, timeout, byref(item), byref(error))
        if status == base.ROUTABLE_OK:
            return status, self._convert(item)
        if status not in (base.ROUTABLE_PENDING, base.ROUTABLE_IDLE):
            self._check(status, error)
        return status, None

    def _head(self, timeout: int) -> Optional[Response]:
        out, error = POINTER(base.routable_response)(), new_error()
        status = c.routable_stream_response(self._live(), timeout, byref(out), byref(error))
        if status == base.ROUTABLE_PENDING:
            return None
        if status == base.ROUTABLE_IDLE:
            raise ValueError("the stream has no answer: it was empty")
        self._check(status, error)
        try:
            return read_response(out, None)
        finally:
            base.routable_response_free(out)

    def cancel(self) -> bool:
        """Ends it; any thread.  Whether it was under way."""
        return bool(c.routable_stream_cancel(self._live()))

    def __repr__(self) -> str:
        return f"<routable.{type(self).__name__}{' closed' if self.closed else ''}>"


class Stream(Opened, Generic[T]):
    """The items of an answer as they come; Client.pieces, lines, values and events make it.  Leaving a `with` ends it.

    The connection waits while nobody takes.  One thread at a time iterates.
    """

    __slots__ = ()

    @property
    def response(self) -> Response:
        """Status and headers, as soon as they are there."""
        while True:
            found = self._head(_MOMENT)
            if found is not None:
                return found

    def __iter__(self) -> "Stream[T]":
        return self

    def __next__(self) -> T:
        while True:
            status, item = self._take(_MOMENT)
            if status == base.ROUTABLE_OK:
                return item  # type: ignore[no-any-return]
            if status == base.ROUTABLE_IDLE:
                raise StopIteration
