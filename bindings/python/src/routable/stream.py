"""Streams: response bodies that are read while they arrive."""

from __future__ import annotations

from collections import deque
from ctypes import POINTER, byref, c_char, c_char_p, cast, sizeof
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, Generic, Iterator, Optional, Tuple, TypeVar

from . import _capi as base
from . import _json
from ._capi import bodies as c
from ._bodies import raised
from ._check import check, new_error
from ._flows import Run
from ._handle import Handle, Owned
from ._text import data, natural, to_bytes, utf8
from ._lines import Lines, TooLong
from .errors import CancelledError, LimitError, RoutableError
from .files import Event
from .response import Response, read_response

if TYPE_CHECKING:
    from ._client import ClientBase
    from .request import Request

T = TypeVar("T")
#: How long one wait for more is: signals of the process are seen in between.
_MOMENT = 50


class Splitter:
    """Splits bytes from another client into lines or events: call `take` and `end`, and iterate.

        splitter = Splitter("events")
        splitter.take(b"data: hello\\n\\n")
        list(splitter)        # [Event(data='hello', event='message', id='')]
    """

    def __init__(self, kind: str, *, max_item_bytes: int = 16 << 20) -> None:
        """`kind` is "lines" or "events"."""
        if kind not in ("lines", "events"):
            raise ValueError(f'kind must be "lines" or "events", not {kind!r}')
        self._convert = KINDS[kind][1]
        said = options(kind, max_item_bytes)
        out, error = POINTER(c.routable_splitter)(), new_error()
        check(c.routable_splitter_new(byref(said), byref(out), byref(error)), error)
        self._handle = Handle(out, c.routable_splitter_free)

    def take(self, content: bytes) -> None:
        """Appends bytes.  Raises LimitError if an item is too large."""
        copy, error = bytes(content), new_error()
        check(c.routable_splitter_feed(self._handle, data(copy), byref(error)), error)

    def end(self) -> None:
        """Marks the end of the bytes."""
        c.routable_splitter_end(self._handle)

    def __iter__(self) -> Iterator[Any]:
        item, error = c.routable_stream_item(), new_error()
        while c.routable_splitter_next(self._handle, byref(item), byref(error)) == base.ROUTABLE_OK:
            yield self._convert(item)


def to_event(item: Any) -> Event:
    return Event(*(to_bytes(text).decode("utf-8", "replace") for text in (item.data, item.event, item.id)))


def to_line(item: Any) -> str:
    return to_bytes(item.data).decode("utf-8", "replace")


def to_piece(item: Any) -> bytes:
    return to_bytes(item.data)


def to_value(item: Any) -> Any:
    return _json.loads("value", to_bytes(item.data))


#: What the items of a stream are for the library, and what they become here.
KINDS: Dict[str, Tuple[int, Callable[[Any], Any]]] = {
    "pieces": (c.ROUTABLE_STREAM_BYTES, to_piece),
    "lines": (c.ROUTABLE_STREAM_LINES, to_line),
    "values": (c.ROUTABLE_STREAM_LINES, to_value),
    "events": (c.ROUTABLE_STREAM_EVENTS, to_event),
}


def options(
    kind: str, max_item_bytes: int, max_buffered_bytes: int = 256 << 10, reconnects: int = 0, retry: float = 3.0,
    last_event_id: str = "",
) -> Any:
    """The options of a stream: how the body is split, and how the client reconnects."""
    last = utf8("last_event_id", last_event_id)
    return c.routable_stream_options(
        size=sizeof(c.routable_stream_options),
        kind=KINDS[kind][0],
        reconnects=natural("reconnects", reconnects, 0, 2**32 - 1),
        max_item_bytes=natural("max_item_bytes", max_item_bytes, 1),
        max_buffered_bytes=natural("max_buffered_bytes", max_buffered_bytes, 1),
        retry_ms=max(1, round(retry * 1000)),
        last_event_id=data(last) if last else base.routable_str(cast(c_char_p(b""), POINTER(c_char)), 0),
    )


def items_of(response: Response, kind: str, said: Any) -> Iterator[Any]:
    """The items of a whole body: pieces, events, or lines."""
    if kind == "pieces":
        return iter([response.body] if response.body else [])
    splitter = Splitter("events" if kind == "events" else "lines", max_item_bytes=said.max_item_bytes)
    splitter.take(response.body)
    splitter.end()
    return iter(splitter)


def _nothing(pointer: Any) -> None:
    """Frees the handle of a stream without a pointer."""


def _line(line: bytes) -> str:
    return line.decode("utf-8", "replace")


def _value(line: bytes) -> Any:
    return _json.loads("value", line)


def _too_long(request: "Request", limit: int) -> LimitError:
    """The error of the library for a line that is too long."""
    return LimitError(f"a line of the body is over {limit} bytes", route=request.route, operation=request.operation)


class Opened(Owned):
    """The common part of both kinds of stream."""

    __slots__ = ("request", "_client", "_policy", "_kind", "_said", "_run", "_failure", "_reply", "_items", "_lines", "_ready")

    def __init__(self, client: "ClientBase", request: "Request", policy: Any, kind: str, said: Any) -> None:
        self._client = client  # one that nobody holds would cancel it
        self._policy, self._kind, self._said = policy, kind, said
        self._lines: Optional[Lines] = None
        if kind in ("lines", "values"):
            said.kind = c.ROUTABLE_STREAM_BYTES  # which are split here
            self._lines = Lines(kind == "values", _value if kind == "values" else _line, said.max_item_bytes)
        #: The items that were read, but not asked for.
        self._ready: Deque[Any] = deque() if self._lines is None else self._lines.ready
        #: The request that was sent.
        self.request = request
        self._run: Optional[Run] = None  # until the middleware has seen the response
        self._failure: Optional[BaseException] = None  # of the middleware
        self._reply: Optional[Response] = None  # of the middleware, instead of that of the service
        self._items: Iterator[Any] = iter(())  # of that reply
        if not client._flows:
            self._open(request)
            return
        super().__init__(None, _nothing)
        self._run = Run(client._flows, request, client)
        self._go(None, *self._run.begin(request))
        if self._failure is not None:
            raise self._failure

    def _open(self, request: "Request") -> None:
        out, error = POINTER(c.routable_stream)(), new_error()
        client, said = self._client._live(), byref(self._said)
        check(c.routable_stream_open(client, request._live(), said, self._policy, byref(out), byref(error)), error)
        super().__init__(out, c.routable_stream_free)

    def _go(
        self, head: Optional[Response], wanted: "Optional[Request]", response: Optional[Response], error: Optional[BaseException]
    ) -> None:
        """Opens what the middleware performs next, or ends it with its outcome."""
        run = self._run
        while wanted is not None and run is not None:
            try:
                return self._open(wanted)
            except Exception as refused:
                wanted, response, error = run.resume(None, refused)
        self._run, self._failure = None, error
        if error is None and response is head:
            return
        if self._handle is not None:
            super().__init__(None, _nothing)  # closes the stream: nobody reads it
        if error is None and response is not None:
            self._reply, self._items = response, items_of(response, self._kind, self._said)

    def _is_settled(self, timeout: int) -> bool:
        """Whether the middleware has seen the response; it sees the response when it has arrived."""
        if self._run is not None:
            head: Optional[Response] = None
            error: Optional[BaseException] = None
            try:
                head = self._received(timeout)
                if head is None:
                    return False
            except Exception as raised_here:
                error = raised_here
            try:
                self._go(head, *self._run.resume(head, error))
            except BaseException as raised_here:  # such as KeyboardInterrupt: the stream has ended
                is_failure = isinstance(raised_here, Exception)
                self._failure = raised_here if is_failure else CancelledError(f"the middleware raised {type(raised_here).__name__}")
                self._end_run()
                raise
        if self._failure is not None:
            raise self._failure
        return self._run is None

    def close(self) -> None:
        """Cancels the stream and frees it.  A second call does nothing; any other use raises ValueError."""
        self._lines, self._ready = None, deque()
        try:
            self._end_run()
        finally:
            super().close()

    def _end_run(self) -> None:
        run, self._run = self._run, None
        if run is not None:
            run.close()

    def _share(self, other: "Opened") -> None:
        """Uses the stream of the other object instead of opening one; the last of both frees it."""
        for name in ("_handle", *Opened.__slots__):
            setattr(self, name, getattr(other, name))

    def _check(self, status: int, error: Any) -> None:
        if status == base.ROUTABLE_CANCELLED:
            raise CancelledError("the stream was cancelled")
        try:
            check(status, error)
        except RoutableError as failure:
            raise raised(self.request, failure)

    def _take(self, timeout: int) -> "tuple[int, Any]":
        """The status, and the next item with OK.  Raises the failure that ended the stream, if any."""
        handle, convert = self._live(), KINDS[self._kind][1]
        if not self._is_settled(timeout):
            return base.ROUTABLE_PENDING, None
        if self._reply is not None:
            for found in self._items:
                return base.ROUTABLE_OK, _json.loads("value", found) if self._kind == "values" else found
            return base.ROUTABLE_IDLE, None
        item, error, lines = c.routable_stream_item(), new_error(), self._lines
        while not lines:
            status = c.routable_stream_next(handle, timeout, byref(item), byref(error))
            if status == base.ROUTABLE_OK and lines is None:
                return status, convert(item)
            if status == base.ROUTABLE_OK and lines is not None:
                lines.take(to_bytes(item.data))
                continue
            if status not in (base.ROUTABLE_PENDING, base.ROUTABLE_IDLE, base.ROUTABLE_INTERRUPTED):
                self._check(status, error)
            if status == base.ROUTABLE_IDLE and lines is not None:
                lines.end()
            if not lines:
                return status, None
        try:
            return base.ROUTABLE_OK, lines.pop()
        except TooLong:
            c.routable_stream_cancel(handle)
            raise _too_long(self.request, self._said.max_item_bytes) from None

    def _head(self, timeout: int) -> Optional[Response]:
        self._live()
        if not self._is_settled(timeout):
            return None
        return self._received(timeout) if self._reply is None else self._reply

    def _received(self, timeout: int) -> Optional[Response]:
        """The status and the headers of the service; None: they have not arrived."""
        out, error = POINTER(base.routable_response)(), new_error()
        status = c.routable_stream_response(self._live(), timeout, byref(out), byref(error))
        if status in (base.ROUTABLE_PENDING, base.ROUTABLE_INTERRUPTED):
            return None
        if status == base.ROUTABLE_IDLE:
            raise ValueError("the stream has no response: it was empty")
        self._check(status, error)
        try:
            head = read_response(out, None)
        finally:
            base.routable_response_free(out)
        head.__dict__["_is_head"] = True
        return head

    def cancel(self) -> bool:
        """Cancels the stream.  Any thread may call this.  Returns whether the stream was in progress."""
        handle = self._live()
        return self._reply is None and self._failure is None and bool(c.routable_stream_cancel(handle))

    def __repr__(self) -> str:
        return f"<routable.{type(self).__name__}{' closed' if self.closed else ''}>"


class Stream(Opened, Generic[T]):
    """The items of a response as they arrive; Client.pieces, lines, values and events return it.  Leaving a `with` block
    closes it.

    While the program does not read items, the client stops reading from the connection.  Only one thread at a time may iterate.
    """

    __slots__ = ()

    @property
    def response(self) -> Response:
        """The status and headers of the response, as soon as they arrive."""
        while True:
            found = self._head(_MOMENT)
            if found is not None:
                return found

    def __iter__(self) -> "Stream[T]":
        return self

    def __next__(self) -> T:
        if self._ready:
            return self._ready.popleft()  # type: ignore[no-any-return]
        while True:
            status, item = self._take(_MOMENT)
            if status == base.ROUTABLE_OK:
                return item  # type: ignore[no-any-return]
            if status == base.ROUTABLE_IDLE:
                raise StopIteration
