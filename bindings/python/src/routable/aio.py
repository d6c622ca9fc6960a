"""AsyncClient: performs requests in an asyncio loop, by one descriptor and without a thread."""

from __future__ import annotations

import asyncio
from ctypes import byref, c_int
from itertools import islice
from os import PathLike
from types import TracebackType
from typing import (
    TYPE_CHECKING, Any, AsyncIterator, Callable, Dict, Iterable, List, Mapping, Optional, Set, Tuple, Type, TypeVar, Union, overload,
)

from . import _capi as c
from ._check import check, new_error
from .client import Auth, Client
from .credential import AnyCredential
from .request import Request
from .response import Response
from .transfer import Ended

if TYPE_CHECKING:
    from .aiopages import AsyncPages
    from .aiostream import AsyncStream
    from .files import Event, Progress

T = TypeVar("T")


class AsyncClient:
    """A Client whose `perform` is awaited.

        async with routable.AsyncClient(deadline=5, retries=2) as client:
            response = await client.perform(api.user("x").read())
            async for ended in client.perform_all(requests, at_once=20):
                ...

    It belongs to the loop in which it is used first.  A task that is cancelled cancels its request.
    """

    __slots__ = ("_client", "_loop", "_descriptor", "_waiters")

    def __init__(self, **options: Any) -> None:
        """Takes what Client takes."""
        self._client = Client(**options)
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._descriptor = -1
        self._waiters: "Set[asyncio.Future[None]]" = set()

    # --- Credentials ---

    def set_credential(self, scheme: str, credential: AnyCredential) -> None:
        """As Client.set_credential; a function that refreshes may be a coroutine function here."""
        self._client.set_credential(scheme, credential)

    def remove_credential(self, scheme: str) -> None:
        """None is fine."""
        self._client.remove_credential(scheme)

    def tokens(self, scheme: str) -> Tuple[Optional[str], Optional[str]]:
        """As Client.tokens."""
        return self._client.tokens(scheme)

    # --- One ---

    @overload
    async def perform(
        self, request: Request, *, deadline: Optional[float] = None, retries: Optional[int] = None,
        auth: Auth = None,
    ) -> Response: ...

    @overload
    async def perform(
        self, request: Request, *, into: Type[T], deadline: Optional[float] = None, retries: Optional[int] = None,
        auth: Auth = None,
    ) -> Union[T, Dict[str, T], List[T], None]: ...

    async def perform(
        self,
        request: Request,
        *,
        into: Optional[Type[T]] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> Union[Response, T, Dict[str, T], List[T], None]:
        """As Client.perform."""
        if not isinstance(request, Request):
            raise TypeError(f"perform takes a Request, not {type(request).__name__}")
        policy = self._client._policy(deadline, retries, auth)
        future: "asyncio.Future[Response]" = self._attached().create_future()

        def sink(ended: Ended) -> None:
            if future.done():
                return
            if ended.error is None:
                future.set_result(ended.response)  # type: ignore[arg-type]
            else:
                future.set_exception(request._raised(ended.error))

        self._client._hub.submit(self._client._live(), request, policy, sink)
        try:
            response = await future
        except asyncio.CancelledError:
            self._client._hub.cancel(sink)
            raise
        return response if into is None else response.into(into)

    # --- Many ---

    async def perform_all(
        self,
        requests: Iterable[Request],
        *,
        at_once: int = 64,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> AsyncIterator[Ended]:
        """As Client.perform_all."""
        loop = self._attached()
        policy = self._client._policy(deadline, retries, auth)
        hub = self._client._hub
        ended: List[Ended] = []
        waiter: Optional["asyncio.Future[None]"] = None

        def sink(each: Ended) -> None:
            ended.append(each)
            if waiter is not None and not waiter.done():
                waiter.set_result(None)

        source, left, under_way = iter(requests), True, 0
        try:
            while True:
                if left:
                    room = at_once - under_way
                    batch = list(islice(source, room))
                    left = len(batch) == room
                    if batch:
                        hub.submit_many(self._client._live(), batch, policy, sink)
                        under_way += len(batch)
                if not ended:
                    if under_way == 0:
                        return
                    waiter = loop.create_future()
                    await waiter
                    waiter = None
                given, ended[:] = list(ended), []
                for each in given:
                    under_way -= 1
                    yield each
        finally:
            if under_way:
                hub.cancel(sink)

    # --- Answers in pages (docs/pagination.md) ---

    def pages(
        self,
        request: Request,
        *,
        pagination: Optional[Mapping[str, object]] = None,
        max_pages: Optional[int] = None,
        max_items: Optional[int] = None,
        page_size: Optional[int] = None,
        other_origins: bool = False,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> "AsyncPages":
        """As Client.pages."""
        from .aiopages import AsyncPages

        policy = self._client._policy(deadline, retries, auth)
        return AsyncPages(
            self, self._client, request, policy, pagination, max_pages, max_items, page_size, other_origins
        )

    @overload
    def items(
        self,
        request: Request,
        *,
        pagination: Optional[Mapping[str, object]] = None,
        max_pages: Optional[int] = None,
        max_items: Optional[int] = None,
        page_size: Optional[int] = None,
        other_origins: bool = False,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> "AsyncIterator[Any]": ...

    @overload
    def items(
        self,
        request: Request,
        *,
        into: Type[T],
        pagination: Optional[Mapping[str, object]] = None,
        max_pages: Optional[int] = None,
        max_items: Optional[int] = None,
        page_size: Optional[int] = None,
        other_origins: bool = False,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> "AsyncIterator[T]": ...

    def items(
        self,
        request: Request,
        *,
        into: Optional[Type[T]] = None,
        pagination: Optional[Mapping[str, object]] = None,
        max_pages: Optional[int] = None,
        max_items: Optional[int] = None,
        page_size: Optional[int] = None,
        other_origins: bool = False,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> "AsyncIterator[Any]":
        """As Client.items."""
        from .aiopages import AsyncPages, read_items

        policy = self._client._policy(deadline, retries, auth)
        pages = AsyncPages(
            self, self._client, request, policy, pagination, max_pages, max_items, page_size, other_origins
        )
        return read_items(pages, into)

    # --- Bodies that are not in memory (docs/bodies.md) ---

    async def download(
        self,
        request: Request,
        path: Union[str, "PathLike[str]"],
        *,
        resume: bool = False,
        progress: Optional[Callable[[Progress], None]] = None,
        deadline: Optional[float] = None,
        retries: Optional[int] = None,
        auth: Auth = None,
    ) -> Response:
        """Performs the request and writes the body of a success to a file, which is whole or not there.

        With `resume` what an earlier download of the same path left is gone on with, if it is of the same version.
        The request keeps the file as its target.  FileError for a file that cannot be written.
        """
        request.save_to(path, resume=resume)
        if progress is not None:
            request.on_progress(progress)
        return await self.perform(request, deadline=deadline, retries=retries, auth=auth)

    def pieces(
        self, request: Request, *, max_buffered_bytes: int = 256 << 10, deadline: Optional[float] = None, auth: Auth = None,
    ) -> "AsyncStream[bytes]":
        """Begins a request whose body is taken as it comes; without a `deadline` there is none, here and below.  `auth` is
        that of `perform`."""
        return self._stream(request, 0, "to_piece", 1, max_buffered_bytes, deadline, auth)

    def lines(
        self,
        request: Request,
        *,
        max_line_bytes: int = 16 << 20,
        max_buffered_bytes: int = 256 << 10,
        deadline: Optional[float] = None,
        auth: Auth = None,
    ) -> "AsyncStream[str]":
        """Its lines, without their ends; empty ones are left out."""
        return self._stream(request, 1, "to_line", max_line_bytes, max_buffered_bytes, deadline, auth)

    def values(
        self,
        request: Request,
        *,
        max_line_bytes: int = 16 << 20,
        max_buffered_bytes: int = 256 << 10,
        deadline: Optional[float] = None,
        auth: Auth = None,
    ) -> "AsyncStream[Any]":
        """The values of JSON lines.  ValueError for a line that is not JSON; the next call goes on behind it."""
        return self._stream(request, 1, "to_value", max_line_bytes, max_buffered_bytes, deadline, auth)

    def events(
        self,
        request: Request,
        *,
        reconnects: int = 0,
        retry: float = 3.0,
        last_event_id: str = "",
        max_event_bytes: int = 16 << 20,
        max_buffered_bytes: int = 256 << 10,
        deadline: Optional[float] = None,
        auth: Auth = None,
    ) -> "AsyncStream[Event]":
        """Server-sent events.  With `reconnects` a connection that breaks off is made again, so often in a row, after
        `retry` seconds or what the service says, from the last event on.  ResponseError when it sends something else."""
        return self._stream(
            request, 2, "to_event", max_event_bytes, max_buffered_bytes, deadline, auth, reconnects, retry, last_event_id
        )

    def _stream(
        self,
        request: Request,
        kind: int,
        convert: str,
        max_item_bytes: int,
        max_buffered_bytes: int,
        deadline: Optional[float],
        auth: Auth,
        reconnects: int = 0,
        retry: float = 3.0,
        last_event_id: str = "",
    ) -> "AsyncStream[Any]":
        from . import aiostream, stream

        policy = self._client._policy(deadline, None, auth)
        return aiostream.AsyncStream(
            self, self._client, request, policy, kind, getattr(stream, convert), max_item_bytes, max_buffered_bytes, reconnects, retry,
            last_event_id,
        )

    # --- The loop ---

    def _attached(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.get_running_loop()
        if self._loop is loop:
            return loop
        if self._loop is not None:
            raise RuntimeError("this AsyncClient is used in another loop already")
        client, out, error = self._client._live(), c_int(-1), new_error()
        check(c.routable_client_descriptor(client, byref(out), byref(error)), error)
        self._descriptor = out.value
        loop.add_reader(self._descriptor, self._ready)
        self._loop = self._client._functions.loop = loop
        return loop

    def _ready(self) -> None:
        client = self._client._handle
        while client is not None and self._client._hub.take(client, 0) == c.ROUTABLE_OK:
            pass
        for waiter in list(self._waiters):
            if not waiter.done():
                waiter.set_result(None)

    def _something(self) -> "asyncio.Future[None]":
        """Done at the loop's next turn for this client."""
        future: "asyncio.Future[None]" = self._attached().create_future()
        self._waiters.add(future)
        future.add_done_callback(self._waiters.discard)
        return future

    def close(self) -> None:
        """Cancels what is under way.  A second call does nothing."""
        if self._loop is not None and self._descriptor >= 0:
            if not self._loop.is_closed():
                self._loop.remove_reader(self._descriptor)
            self._descriptor = -1
        self._client.close()
        for waiter in list(self._waiters):
            if not waiter.done():
                waiter.set_result(None)

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._client.closed

    async def __aenter__(self) -> "AsyncClient":
        self._attached()
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<routable.AsyncClient{' closed' if self.closed else ''}>"
